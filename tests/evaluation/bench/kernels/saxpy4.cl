// SPDX-License-Identifier: Apache-2.0
kernel void saxpy4(float a, global const float4* restrict x, global float4* restrict y) {
    const size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
