// SPDX-License-Identifier: Apache-2.0
// Indices into chosen components.
kernel void k(global float4 *out, float4 f4, const float4 fixed, int i) {
    f4.xx[1] = 1;     // 1.1.7-5
    out->yy[i] += 2;  // 1.1.7-5
    f4.xyxw[0]++;     // 1.1.7-5
    fixed.hi[1] = 3;  // 1.1.7-4: on a modifiable vector
    &f4.hi[1];        // 1.1.7-12
    f4.hi[2] = 4;     // past what was chosen
    out[0] = f4.xx[1] + f4.hi[i];
    out->wzyx[i] = f4.lo[1];
}
