// SPDX-License-Identifier: Apache-2.0
// Scalar types: sizes, signs, and the types of SPIR-V that they become.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#define SAME(a, b) _Static_assert(__builtin_types_compatible_p(a, b), #a " is " #b)
#define SIZE(type, bytes) _Static_assert(sizeof(type) == bytes, #type " has " #bytes " bytes")
#define SIGNED(type) _Static_assert((type)-1 < (type)0, #type " is signed")
#define UNSIGNED(type) _Static_assert((type)-1 > (type)0, #type " is unsigned")

#if !true || false
#error 1.1.1-1
#endif
_Static_assert(true == 1 && false == 0, "integer constants");  // 1.1.1-1
_Static_assert((bool)2 == 1 && (bool)0 == 0, "one of two");    // 1.1.1-1
SIZE(char, 1); SIGNED(char);                                   // 1.1.1-3
SIZE(uchar, 1); UNSIGNED(uchar); SAME(uchar, unsigned char);   // 1.1.1-4
SIZE(short, 2); SIGNED(short);                                 // 1.1.1-5
UNSIGNED(ushort); SAME(ushort, unsigned short);                // 1.1.1-5
SIZE(int, 4); SIGNED(int);                                     // 1.1.1-6
UNSIGNED(uint); SAME(uint, unsigned int);                      // 1.1.1-6
SIZE(long, 8); SIGNED(long);                                   // 1.1.1-7
UNSIGNED(ulong); SAME(ulong, unsigned long);                   // 1.1.1-7
SIZE(float, 4);                                                // 1.1.1-8
SIZE(double, 8);                                               // 1.1.1-9
SIZE(half, 2);                                                 // 1.1.1-10
SIZE(size_t, 8); UNSIGNED(size_t); SAME(size_t, __typeof__(sizeof(int)));                 // 1.1.1-11
SIZE(ptrdiff_t, 8); SIGNED(ptrdiff_t); SAME(ptrdiff_t, __typeof__((int *)0 - (int *)0));  // 1.1.1-12
SIZE(intptr_t, 8); SIGNED(intptr_t); SIZE(uintptr_t, 8); UNSIGNED(uintptr_t);             // 1.1.1-13

// CHECK: OpMemoryModel Physical64 OpenCL
kernel void floats(global float *f, global double *d) {
    f[0] = 0.1f;  // 1.1.1-8
    d[0] = 0.1;   // 1.1.1-9
}
// CHECK: %float = OpTypeFloat 32
// CHECK: %double = OpTypeFloat 64
// CHECK: OpConstant %float 0.100000001
// CHECK: OpConstant %double 0.10000000000000001

kernel void addresses(global intptr_t *out, global void *p) {  // 1.1.1-13
    intptr_t n = (intptr_t)p;
    global void *q = (global void *)n;
    *(global int *)q = 1;
    out[0] = n;
}
// CHECK: %addresses = OpFunction
// CHECK: OpConvertPtrToU %ulong
// CHECK: OpConvertUToPtr %_ptr_CrossWorkgroup_uchar
