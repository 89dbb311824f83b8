// -cl-fp32-correctly-rounded-divide-sqrt (OpenCL C 7.4): of float, and not what has bounds of its own. Quotients and roots of double
// are always rounded so, by the library where Fma is fused.
// OPTIONS: -cl-fp32-correctly-rounded-divide-sqrt
// CHECK: %rounded = OpFunction
// CHECK: OpFunctionCall %float %_Z14divide_roundedff
kernel void rounded(global float *f) { f[0] = f[1] / f[2]; }
// CHECK: %root = OpFunction
// CHECK: OpFunctionCall %float %_Z12sqrt_roundedf
kernel void root(global float *f) { f[0] = sqrt(f[1]); }
// CHECK: %others = OpFunction
// CHECK-NOT: OpFunctionCall
// CHECK: OpFunctionEnd
kernel void others(global float *f) { f[0] = native_divide(f[1], f[2]) + half_sqrt(f[3]); }
// CHECK: %doubles = OpFunction
// CHECK-NOT: OpFDiv %double
// CHECK: InverseSqrt
kernel void doubles(global double *d) {
    d[0] = d[1] / d[2];
    d[3] = sqrt(d[4]);
}
