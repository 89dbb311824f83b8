// SPDX-License-Identifier: Apache-2.0
// Selections of components become shuffles.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
kernel void select(global float *f, global float2 *f2, global float3 *f3, global float4 *f4, global float8 *f8,
                   global float16 *f16, float2 a, float3 b, float4 c, float16 w) {
    f4[0] = c.wzyx;           // 1.1.7-3
    f4[1] = c.xxyy;           // 1.1.7-3
    f2[0] = a.yx;             // 1.1.7-1
    f3[0] = b.zyx;            // 1.1.7-1
    f4[2] = w.s0aFf;          // 1.1.7-8
    f4[3] = w.S3210;          // 1.1.7-8
    f8[0] = w.lo;             // 1.1.7-10
    f8[1] = w.hi;             // 1.1.7-10
    f8[2] = w.even;           // 1.1.7-10
    f8[3] = w.odd;            // 1.1.7-10
    f[0] = w.hi.lo.odd.hi;    // 1.1.7-10: 8 to 15, 8 to 11, 9 and 11, 11
    f16[0] = (float16)(c.xxxx, b.xyz, c.xyz, b.zyx, c.yzw);  // 1.1.7-14
}
_Static_assert(sizeof(((float16){}).hi.lo.odd) == 8, "a vector of two");  // 1.1.7-10
_Static_assert(sizeof(((float16){}).hi.lo.odd.x) == 4, "a scalar");       // 1.1.7-4
_Static_assert(sizeof(((float3){}).lo) == 8 && sizeof(((float3){}).odd) == 8, "as of four");  // 1.1.7-11
// CHECK: %select = OpFunction
// CHECK: 3 2 1 0
// CHECK: 0 0 1 1
// CHECK: OpVectorShuffle %v2float
// CHECK: 1 0
// CHECK: OpVectorShuffle %v3float
// CHECK: 2 1 0
// CHECK: 0 10 15 15
// CHECK: 3 2 1 0
// CHECK: OpVectorShuffle %v8float
// CHECK: 0 1 2 3 4 5 6 7
// CHECK: 8 9 10 11 12 13 14 15
// CHECK: 0 2 4 6 8 10 12 14
// CHECK: 1 3 5 7 9 11 13 15

kernel void assign(global float4 *out, float2 a, float4 b, float16 wide) {
    b.yx = a;              // 1.1.7-4
    b.w = a.x;             // 1.1.7-4
    b.xy = wide.s32;       // 1.1.7-9: a selection by letters takes one by digits
    out[0] = b;
    out[1].xw = a;         // 1.1.7-4
    wide.odd = wide.lo;    // 1.1.7-10
    wide.hi.hi.x = 1;      // 1.1.7-10
    wide.s5 += 2;          // 1.1.7-8
    out[2] = wide.s0123;
}
// CHECK: %assign = OpFunction
// CHECK: 5 4 2 3
// CHECK: OpCompositeExtract %float
// CHECK: OpCompositeInsert %v4float
// CHECK: OpVectorShuffle %v2float
// CHECK: 3 2
// CHECK: 0 16 2 17 4 18 6 19 8 20 10 21 12 22 14 23
// CHECK: OpCompositeInsert %v16float %float_1
// CHECK: 12
