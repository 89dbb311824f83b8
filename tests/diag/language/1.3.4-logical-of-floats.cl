// SPDX-License-Identifier: Apache-2.0
// Before 1.2 the logical operators take no floating operands (OpenCL C 1.1 6.3 g and h).
// OPTIONS: -cl-std=CL1.1
kernel void logic(global int *out, float x, float4 v) {
    out[0] = x && 1;
    out[1] = out[0] || x;
    out[2] = !x;
    out[3] = (v && v).x;
    out[4] = (!v).x;
    out[5] = !(x > 0) && out[0];
}
