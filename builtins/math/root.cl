// SPDX-License-Identifier: Apache-2.0
// cbrt (at most 2 ulp) and hypot (4 ulp) (OpenCL C 6.13.2).
#include "float.h"

float LIBRARY cbrt(float x) {
    if (is_zero(x) || magnitude_bits(x) >= INF_BITS) return x;
    float2 s = split_log(fabs(x));
    // |x| = y 8^q with y in [0.5, 4)
    float q = rint(s.y * 0.333333343f);
    float y = (1.0f + s.x) * power_of_two((int)(s.y - 3.0f * q));
    // A third of the exponent by integer arithmetic is 5% off; Halley's step cubes the error.
    float t = as_float(as_uint(y) / 3u + 0x2a514067u);
    float cube = t * t * t;
    t = t * (cube + 2.0f * y) / (2.0f * cube + y);
    t = leading(t);  // its square is exact
    float ratio = quotient(y, t * t);
    t = t + t * ((ratio - t) / (2.0f * t + ratio));
    return with_sign_of(scale(t, (int)q), x);
}

float LIBRARY hypot(float x, float y) {
    if (is_inf(x) || is_inf(y)) return INF_VALUE;
    if (is_nan(x) || is_nan(y)) return NAN_VALUE;
    float a = as_float(max(magnitude_bits(x), magnitude_bits(y)));
    float b = as_float(min(magnitude_bits(x), magnitude_bits(y)));
    if (is_zero(b)) return a;
    int e = a > 1.0e15f ? 70 : a < 1.0e-15f ? -90 : 0;
    a = scale(a, -e);
    b = scale(b, -e);
    float2 p = two_product(a, a), q = two_product(b, b);
    float2 sum = two_sum(p.x, q.x);
    float2 root = pair_sqrt(fast_two_sum(sum.x, sum.y + (p.y + q.y)));
    return scale(root.x + root.y, e);
}
