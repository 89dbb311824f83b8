// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
kernel void k(global float4 *out, constant float4 *table, float2 f2, float3 f3, float4 f4, float8 f8, float16 f16, int4 i4,
              float f, const float4 fixed) {
    f = f2.z;                       // 1.1.7-2
    f = f3.w;                       // 1.1.7-2
    f2 = f3.zw;                     // 1.1.7-2
    f = f8.x + f8.sa;               // 1.1.7-2
    f = f4.s4;                      // 1.1.7-2, 1.1.7-8
    f = f16.sg;                     // 1.1.7-8
    f = f4.S;                       // 1.1.7-8
    f = f4.s;                       // 1.1.7-8
    f4.xx = f2;                     // 1.1.7-5
    f4.xyxz = f4;                   // 1.1.7-5
    f4.s00 = f2;                    // 1.1.7-5
    f4.xx += f2;                    // 1.1.7-5
    f4.xyx.x = f;                   // 1.1.7-5: what a repeated selection selects
    f4.xy = f4;                     // 1.1.7-6
    f4.xyz = f2;                    // 1.1.7-6
    f2 = f4.xyz;                    // 1.1.7-6
    f8 = f4.xyzwxyz;                // 1.1.7-7
    f8 = f4.xxxxx;                  // 1.1.7-7
    f16 = f16.s01234567a;           // 1.1.7-7
    f4.xyzwx = f4;                  // 1.1.7-7
    f2 = f4.x2;                     // 1.1.7-9
    f4 = f4.s0y;                    // 1.1.7-9
    f4 = f16.x12w;                  // 1.1.7-9
    f4 = f4.xyr;                    // 1.1.7-9
    f = f.x;                        // 1.1.7-1: a scalar has none
    f = f4.lo.lo.lo;                // 1.1.7-10: nor has what is left of halving
    f = f4.low;                     // 1.1.7-10
    f = f4.xlo;                     // 1.1.7-10
    f4.lo = f4;                     // 1.1.7-10, 1.1.7-6
    global float *p = &out->x;      // 1.1.7-12
    private float *q = &f4.s1;      // 1.1.7-12
    &f2.s01;                        // 1.1.7-12
    &f4.odd;                        // 1.1.7-12
    &f8.even.hi;                    // 1.1.7-12
    &f4[1];                         // 1.1.7-12
    &(f4.x);                        // 1.1.7-12
    fixed.x = f;                    // 1.1.7-4: on a modifiable vector
    (f4 + f4).x = f;                // 1.1.7-4: on an l-value
    table->x = f;  // DIFFERS 1.5.3-7: clang forgets that constant memory is read-only
    i4.xy = f2;                     // 1.2.1-3
    f4->x = f;                      // 1.1.7-1
    out.x = f;                      // 1.1.7-1
}
