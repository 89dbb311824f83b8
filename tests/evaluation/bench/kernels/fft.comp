// SPDX-License-Identifier: Apache-2.0
#version 460
#define SIZE 1024
#define ITEMS (SIZE / 4)
layout(local_size_x = ITEMS) in;
layout(set = 0, binding = 0, std430) readonly restrict buffer In { vec2 data_in[]; };
layout(set = 0, binding = 1, std430) writeonly restrict buffer Out { vec2 data_out[]; };
layout(set = 0, binding = 2, std430) readonly restrict buffer Roots { vec2 roots[SIZE]; };
shared vec2 data[SIZE];

// `precise` and fma: what OpenCL C keeps in order, and what it contracts.
vec2 times(vec2 a, vec2 b) {
    precise const vec2 product = vec2(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));
    return product;
}
vec2 times_minus_i(vec2 a) { return vec2(a.y, -a.x); }

void main() {
    const uint lane = gl_LocalInvocationID.x, block = gl_WorkGroupID.x * SIZE;
    precise vec2 a = data_in[block + lane], b = data_in[block + lane + ITEMS], c = data_in[block + lane + 2 * ITEMS],
         d = data_in[block + lane + 3 * ITEMS];
    for (uint stride = 1;; stride *= 4) {
        precise const vec2 even = a + c, odd = a - c, even2 = b + d, odd2 = times_minus_i(b - d);
        a = even + even2;
        b = odd + odd2;
        c = even - even2;
        d = odd - odd2;
        if (stride == ITEMS) break;
        const uint k = lane & (stride - 1), to = (lane - k) * 4 + k;
        data[to] = a;
        data[to + stride] = b;
        data[to + 2 * stride] = c;
        data[to + 3 * stride] = d;
        barrier();
        const uint step = (lane & (4 * stride - 1)) * (ITEMS / 4 / stride);
        a = data[lane];
        b = times(data[lane + ITEMS], roots[step]);
        c = times(data[lane + 2 * ITEMS], roots[2 * step]);
        d = times(data[lane + 3 * ITEMS], roots[3 * step]);
        barrier();
    }
    data_out[block + lane] = a;
    data_out[block + lane + ITEMS] = b;
    data_out[block + lane + 2 * ITEMS] = c;
    data_out[block + lane + 3 * ITEMS] = d;
}
