// OPTIONS: --target=opencl1.2
// OpenCL C 1.2, 6.5.3: constant memory.
constant float weights[3] = {1, 2 + 3, sizeof(int)};  // 1.5.3-1, 1.5.3-5, 1.5.3-6
constant char *constant names[2] = {"first", "second"};  // 1.5.3-3
// CHECK: %k_inner = OpVariable %_ptr_UniformConstant_uint UniformConstant
// CHECK: %weights = OpVariable %_ptr_UniformConstant__arr_float_ulong_3 UniformConstant
kernel void k(constant float *p, global float *out) {  // 1.5.3-2
    constant int inner = 3;           // 1.5.3-5: the outermost scope of a kernel
    constant char *text = names[1];   // 1.5.3-2
    // CHECK: %text = OpVariable %_ptr_Function__ptr_UniformConstant_uchar Function
    out[0] = p[0] + weights[inner] + text[0];
}
