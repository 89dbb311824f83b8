// Doubles branch for what is not a normal number, floats choose.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void doubles(global double *x, global int *n) {
    int e;
    x[0] = frexp(x[0], &e);
    n[0] = e;
}
kernel void floats(global float *x, global int *n) {
    int e;
    x[0] = frexp(x[0], &e);
    n[0] = e;
}
// CHECK: %doubles = OpFunction
// CHECK: OpSelectionMerge
// CHECK: OpSelectionMerge
// CHECK: OpFunctionEnd
// CHECK: %floats = OpFunction
// CHECK-NOT: OpSelectionMerge
// CHECK: OpFunctionEnd
