// Divisions of doubles are the library's where Fma is fused, and nothing in it divides doubles.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void divide(global double *x, global double3 *v) {
    x[0] = 1.0 / x[0];
    v[0] = 1.0 / v[0];
    x[1] = 2.0 / x[1];
}
// CHECK: = OpFunctionCall %double %_Z18reciprocal_roundedd
// CHECK: = OpFunctionCall %double %_Z18reciprocal_roundedd
// CHECK: = OpFunctionCall %double %_Z18reciprocal_roundedd
// CHECK: = OpFunctionCall %double %_Z18reciprocal_roundedd
// CHECK: %double_2
// CHECK: = OpFunctionCall %double
// CHECK-NOT: OpFDiv %double
