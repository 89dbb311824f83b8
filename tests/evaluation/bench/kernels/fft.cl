// SPDX-License-Identifier: Apache-2.0
// The transform of each block of 1024 complex numbers in local memory: five passes of radix 4 (Stockham). A work-item
// does one butterfly per pass. roots[k] is exp(-2 pi i k / 1024).
#define SIZE 1024
#define ITEMS (SIZE / 4)

float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 times_minus_i(float2 a) { return (float2)(a.y, -a.x); }

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void fft(global const float2* restrict in, global float2* restrict out, constant float2* restrict roots) {
    local float2 data[SIZE];
    const uint lane = get_local_id(0), block = get_group_id(0) * SIZE;
    float2 a = in[block + lane], b = in[block + lane + ITEMS], c = in[block + lane + 2 * ITEMS],
           d = in[block + lane + 3 * ITEMS];
    for (uint stride = 1;; stride *= 4) {
        const float2 even = a + c, odd = a - c, even2 = b + d, odd2 = times_minus_i(b - d);
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
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint step = (lane & (4 * stride - 1)) * (ITEMS / 4 / stride);
        a = data[lane];
        b = times(data[lane + ITEMS], roots[step]);
        c = times(data[lane + 2 * ITEMS], roots[2 * step]);
        d = times(data[lane + 3 * ITEMS], roots[3 * step]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[block + lane] = a;
    out[block + lane + ITEMS] = b;
    out[block + lane + 2 * ITEMS] = c;
    out[block + lane + 3 * ITEMS] = d;
}
