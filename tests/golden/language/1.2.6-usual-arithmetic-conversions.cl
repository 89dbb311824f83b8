// SPDX-License-Identifier: Apache-2.0
// What scalars and vectors convert to when they meet: types are told by sizes and by _Generic's kin.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#define IS(e, type) _Static_assert(__builtin_types_compatible_p(__typeof__(e), type), #e " is " #type)
enum small { kOne };
void scalars(bool b, char c, uchar uc, short s, ushort us, int i, uint u, long l, ulong ul, float f, double d, enum small e) {
    IS(b + b, int); IS(c + c, int); IS(uc * us, int); IS(i + u, uint); IS(u + l, long); IS(l + ul, ulong);  // 1.2.6-12
    IS(ul + f, float); IS(f + d, double); IS(c << l, int); IS(l << c, long); IS(e + 1, uint); IS(-c, int); IS(~uc, int);  // 1.2.6-12
    IS(c < d, int); IS(f == f, int); IS(!d, int); IS(f && i, int);  // 1.3.4-2, 1.3.7-4, 1.3.8-1
}
void vectors(bool b, char c, uchar uc, short s, int i, uint u, float f, char4 c4, short8 s8, int4 i4, uint4 u4, long2 l2, float4 f4, double4 d4,
             ulong2 ul2, enum small e) {
    IS(i4 + i, int4); IS(i + i4, int4); IS(i4 + c, int4); IS(f4 * f, float4); IS(d4 - f, double4);  // 1.2.6-2
    IS(f4 + i, float4); IS(f4 + 1ul, float4);           // 1.2.6-6: floating outranks every integer
    IS(s8 + c, short8); IS(c4 + c, char4); IS(-c4, char4); IS(~c4, char4);  // 1.2.6-11: no promotion
    IS(c4 + b, char4); IS(c4 + true, char4);            // 1.2.6-9: bool is the lowest
    IS(u4 + i, uint4); IS(ul2 + 1l, ulong2); IS(u4 + e, uint4);  // 1.2.6-8, 1.2.6-10
    IS(l2 * u, long2);                                  // 1.2.6-7
    IS(c4 < c4, char4); IS(i4 == i4, int4); IS(u4 >= u, int4); IS(f4 < f4, int4); IS(d4 != d4, long4); IS(ul2 > ul2, long2);  // 1.3.4-4, 1.3.5-1
    IS(!f4, int4); IS(f4 && f4, int4); IS(c4 || c4, char4); IS(!d4, long4);  // 1.3.7-4, 1.3.8-1
    IS(c4 << c4, char4); IS(i4 << 1, int4); IS(i4 >> u4, int4); IS(c4 << i, char4);  // 1.3.10-1, 1.3.10-3
    IS(i4 ? f4 : f4, float4); IS(i4 ? f4 : f, float4); IS(i ? i4 : i4, int4); IS(i ? i4 : c, int4); IS(c4 ? c : c, char4);  // 1.3.9-1, 1.3.9-4, 1.3.9-5
    IS((i, f4), float4); IS((f4, i), int);              // 1.3.12-1
    IS(sizeof(i4), size_t); IS(&i4, __private int4 *); IS(*&i4, int4);  // 1.3.11-1, 1.3.13-1, 1.3.14-1
}
kernel void k(global int *out) { out[0] = 1; }
// CHECK: OpStore
