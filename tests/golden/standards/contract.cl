// OpenCL C 6.10 FP_CONTRACT: SPIR-V says it of kernels; one OFF in what a kernel reaches forbids contraction in all of it.
// OPTIONS: --target=opencl2.0
// CHECK-NOT: OpExecutionMode %on
// CHECK: OpExecutionMode %off ContractionOff
// CHECK: OpExecutionMode %indirect ContractionOff
// CHECK: OpExecutionMode %inner ContractionOff
// CHECK-NOT: OpExecutionMode %after
// CHECK-NOT: OpExecutionMode %last
// CHECK: OpSource
float product(float a, float b, float c) { return a * b + c; }
kernel void on(global float *p) { p[0] = product(p[1], p[2], p[3]); }
kernel void off(global float *p) {
#pragma OPENCL FP_CONTRACT OFF
    p[0] = product(p[1], p[2], p[3]);
}  // 1.13.2-86: ON again
#pragma OPENCL FP_CONTRACT OFF      // 1.10-4, 1.13.2-85
float apart(float a, float b, float c) { return a * b + c; }
#pragma OPENCL FP_CONTRACT DEFAULT  // 1.13.2-87: as ON
kernel void indirect(global float *p) { p[0] = apart(p[1], p[2], p[3]); }
kernel void inner(global float *p) {
    if (p[0] > 1) {
#pragma OPENCL FP_CONTRACT OFF
        p[0] = p[1] * p[2] + p[3];
    }
}
kernel void after(global float *p) {
    p[0] = p[1] * p[2] + p[3];
}
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL FP_CONTRACT ON       // 1.10-4, 1.13.2-85: until the next one
kernel void last(global float *p) { p[0] = p[1] * p[2] + p[3]; }
