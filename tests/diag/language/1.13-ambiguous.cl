// SPDX-License-Identifier: Apache-2.0
// The candidates that a call is most likely to mean come first.
kernel void k(global float *o, int i, uint u) {
    o[0] = max(1.0f, 2);
    o[1] = clamp(i, 0, u);
}
