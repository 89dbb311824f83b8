// 1 / x of doubles is the library's where Fma is fused; other divisions of doubles are the device's, and so is that within it.
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
// CHECK: = OpFDiv %double %double_2
// CHECK: %_Z18reciprocal_roundedd = OpFunction
// CHECK: = OpFDiv %double %double_1
