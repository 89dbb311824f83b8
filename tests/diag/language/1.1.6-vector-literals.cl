// SPDX-License-Identifier: Apache-2.0
kernel void k(global float4 *out, float a, float2 b, float3 c, float4 d, int4 i, int2 j) {
    // DIFFERS 1.1.6-2: clang has it as a compound literal, an l-value
    (float4)(1.0f, 2.0f, 3.0f, 4.0f) = d;       // 1.1.6-2
    ((float4)(a)).x = 1;                        // 1.1.6-2
    &(float4)(a);                               // 1.1.6-2
    (float4)(a, a, a, a)++;                     // 1.1.6-2
    out[0] = (float4)(1.0f, 2.0f);              // 1.1.6-5
    out[1] = (float4)(a, b);                    // 1.1.6-5
    out[2] = (float4)(b, c);                    // 1.1.6-5
    out[3] = (float4)(a, a, a, a, a);           // 1.1.6-5
    out[4] = (float4)(d, d);                    // 1.1.6-5
    out[5] = (float4)(b);                       // 1.1.6-3: a vector is not replicated
    out[6] = (float4)(j, a, a);                 // 1.1.6-3: another element type
    out[7] = (float4)(i);                       // 1.1.6-3
    out[8] = (float4)(c, j.xy);                 // 1.1.6-3
    out[10] = (float4)(a, );                    // 1.1.6-1
    out[12] = (float4)(a, a, a, out);           // 1.1.6-8
    out[13] = (float4)((a, a, a), out[0].xyz, a);  // 1.1.6-5: a comma expression is one scalar
}
