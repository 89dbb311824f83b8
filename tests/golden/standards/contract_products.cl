// C99 6.5p8, OpenCL C 3.0 6.10: a product and a sum of one expression are one mad; of two statements they stay apart, which SPIR-V can
// only say of the whole kernel.
// OPTIONS: --target=opencl2.0
// CHECK-NOT: OpExecutionMode %expressions
// CHECK: OpExecutionMode %statements ContractionOff
// CHECK-NOT: OpExecutionMode %assigned
// CHECK: OpSource
// CHECK: %expressions = OpFunction
// CHECK: mad
// CHECK: mad
// CHECK: OpFNegate
// CHECK: mad
// CHECK: OpFNegate
// CHECK: mad
// CHECK: mad
// CHECK-NOT: OpFMul
// CHECK: OpFunctionEnd
// CHECK: %statements = OpFunction
// CHECK: OpFMul
// CHECK: OpFAdd
// CHECK: OpFunctionEnd
// CHECK: %assigned = OpFunction
// CHECK: mad
// CHECK: OpFunctionEnd
kernel void expressions(global float *p, global float4 *v) {
    p[0] = p[1] * p[2] + p[3];
    p[4] = p[1] + (p[2] * p[3]);
    p[5] = p[1] * p[2] - p[3];
    p[6] = p[1] - p[2] * p[3];
    v[0] = v[1] * v[2] + v[3];
}
kernel void statements(global float *p) {
    float product = p[1] * p[2];
    p[0] = product + p[3];
}
kernel void assigned(global float *p) {
    p[0] += p[1] * p[2];
}
