// Vulkan promises 2.5 ulp for divisors from 2^-126 to 2^126; OpenCL for all of them. 2.4 ulp.tsv: x / y
kernel void divide(global float *f, global float2 *f2) {
    f[0] = f[1] / f[2];
    f[3] = f[4] / 3.0f;
    f2[0] = f2[1] / f2[2];
}
// CHECK: %divide = OpFunction
// CHECK: OpFOrdLessThan %bool
// CHECK: OpFOrdGreaterThan %bool
// CHECK: OpFMul %float
// CHECK: OpFMul %float
// CHECK: OpFDiv %float
// CHECK: OpFDiv %float
// CHECK: OpFDiv %v2float
