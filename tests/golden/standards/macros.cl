// Predefined macros (OpenCL C 2.0 6.10, 6.13.2, 6.13.3): each as a constant
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0 -cl-fast-relaxed-math -DORDER=1 -UORDER -DORDER=3 -UGONE -DGONE -UGONE
_Static_assert(sizeof(__FILE__) >= sizeof("macros.cl"), "1.10-7");  // 1.10-7
_Static_assert(__LINE__ == 4, "1.10-8");                             // 1.10-8
// DIFFERS 1.10-9: clang leaves __OPENCL_VERSION__ to the device
_Static_assert(__OPENCL_VERSION__ == 200, "1.10-9");  // 1.10-9
_Static_assert(CL_VERSION_1_0 == 100, "1.10-10");                    // 1.10-10
_Static_assert(CL_VERSION_1_1 == 110, "1.10-11");                    // 1.10-11
_Static_assert(CL_VERSION_1_2 == 120, "1.10-12");                    // 1.10-12
_Static_assert(CL_VERSION_2_0 == 200, "1.10-13");                    // 1.10-13
_Static_assert(CL_VERSION_3_0 == 300, "1.10-13");
_Static_assert(CL_VERSION_3_1 == 310, "OpenCL C 3.1 6.10");
_Static_assert(__OPENCL_C_VERSION__ == 200, "1.10-14");  // 1.10-14
_Static_assert(__ENDIAN_LITTLE__ == 1, "1.10-15");       // 1.10-15
_Static_assert(__IMAGE_SUPPORT__ == 1, "1.10-17");       // 1.10-17
_Static_assert(__has_builtin(__builtin_popcount) && __has_builtin(__builtin_offsetof) && __has_builtin(__builtin_nan), "");
_Static_assert(__has_builtin(__builtin_canonicalizef) && __has_builtin(__builtin_elementwise_fma) && __has_builtin(__builtin_nansf), "");
_Static_assert(__has_builtin(__builtin_add_overflow) && __has_builtin(__builtin_align_up) && __has_builtin(__builtin_reduce_maximum), "");
_Static_assert(!__has_builtin(__builtin_no_such) && !__has_builtin(get_global_id), "");
#if !defined(__has_builtin) || !__has_attribute(__packed__) || !__has_attribute(overloadable) || __has_attribute(no_such)
#error clang has these
#endif
_Static_assert(__has_feature(attribute_overloadable) && __has_extension(c_static_assert) && !__has_feature(cxx_lambdas), "");
_Static_assert(__FAST_RELAXED_MATH__ == 1, "1.10-18");   // 1.10-18
constant int *constant nothing = NULL;                   // 1.10-19
_Static_assert(ORDER == 3, "-D and -U in their order");
#ifdef GONE
#error -U is the last
#endif
// 1.10-16
// CHECK: OpExecutionMode %hinted LocalSizeHint 64 1 1
// CHECK: OpExecutionMode %hinted VecTypeHint 262149
__kernel_exec(64, float4) void hinted(global float *p) { *p = 1; }
// CHECK: OpExecutionMode %also LocalSizeHint 8 1 1
// CHECK: OpExecutionMode %also VecTypeHint 131074
kernel_exec(8, int2) void also(global float *p) { *p = 1; }
// CHECK: OpConstant %uchar 102
// 1.10-21
kernel void func(global char *p) { p[0] = __func__[0]; }
