// OpenCL C 3.1: its number, the macros of what it made core, and the lengths of size_t and ptrdiff_t
// OPTIONS: --target=opencl3.1 -cl-std=CL3.1 -cl-ext=-all -Werror
// DIFFERS: clang 15 does not know it
_Static_assert(__OPENCL_C_VERSION__ == 310 && __OPENCL_VERSION__ == 310 && CL_VERSION_3_1 == 310, "");
#if !defined(cl_khr_extended_bit_ops) || !defined(cl_khr_integer_dot_product) || !defined(cl_khr_subgroup_shuffle)
#error these are core
#endif
#if defined(cl_khr_subgroup_ballot) || defined(__opencl_c_integer_dot_product_input_4x8bit)
#error these are not
#endif
kernel void k(global uint *out, uint size) {
    out[0] = bit_reverse(out[0]);
    out[1] = sub_group_shuffle_xor(out[1], 1);
    printf("%zu %td\n", (size_t)size, (ptrdiff_t)size);
}
// CHECK: OpSource OpenCL_C 301000
// CHECK: OpBitReverse
// CHECK: OpGroupNonUniformShuffleXor
