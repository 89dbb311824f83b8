// Signs of zeros, infinities, NaN, and roundings by conversion, as OpenCL C 3.0 7 has them.
// RUN: --in=1,3e38,nan,0,inf,0.3,0x01000001,0xfffff001 --out=47
// WANT: 2.3509887e-38 nan inf inf inf nan inf inf -inf inf -inf 0 1 1 2 nan nan 1 1 6 1 0 1 1 2.3509887e-38 1 0.299999952 1 90 -inf -inf nan nan 0 -inf -inf -inf -inf inf -inf 3 1 -inf 2 1.40129846e-45 nan 1
kernel void test(global const float *in, global float *out) {
    float one = in[0], big = in[1], nan = in[2], zero = in[3], inf = in[4], h = in[5];
    int i = as_int(in[6]);
    uint u = as_uint(in[7]);
    out[0] = as_float((int)(float)i);  // as:16777216: 16777217 is rounded to 24 bits
    out[1] = as_float((uint)(float)u);  // as:4294967040: likewise
    out[2] = 1 / (float)(int)(h * -0.5f);  // inf: an int has no -0
    out[3] = (big * 2) / 2;  // inf: it overflows
    out[4] = (big + big) - big;  // inf
    out[5] = inf * zero;  // nan
    out[6] = 1 / (zero - zero);  // inf
    out[7] = 1 / (0 - zero);  // inf: 0 - x is not -x
    out[8] = 1 / -zero;  // -inf
    out[9] = 1 / (-zero + 0.0f);  // inf: x + 0 is not x
    out[10] = 1 / (-zero - 0.0f);  // -inf
    out[11] = nan == nan;  // 0
    out[12] = !(nan < one);  // 1: not nan >= one
    out[13] = nan != nan;  // 1
    out[14] = fmin(nan, one) + fmax(nan, one);  // 2
    out[15] = inf - inf;  // nan: x - x is not 0
    out[16] = nan * 0;  // nan: x * 0 is not 0
    out[17] = (one / (big * 4)) == 0;  // 1
    out[18] = isnan(nan - nan);  // 1
    out[19] = (nan > one) ? 5 : 6;  // 6
    out[20] = !(nan > one) && !(nan <= one);  // 1
    out[21] = fabs(nan) >= 0;  // 0: not even |x|
    out[22] = one * h * 3.0f / 3.0f == h;  // 1
    out[23] = (h / 3.0f) * 3.0f == h;  // 1
    out[24] = as_float(convert_int_rtz(convert_float_rtz(i)));  // as:16777216
    out[25] = isinf(big * big);  // 1
    out[26] = h + one - one;  // 0.299999952: rounded where 1.3 is
    out[27] = select(one, h, nan > one ? 1 : 0);  // 1
    out[28] = (float)(uchar)(h * 300);  // 90
    out[29] = 1 / (h * 0 * -1);  // -inf
    out[30] = 1 / (zero * -one);  // -inf
    out[31] = zero / zero;  // nan: x / x is not 1
    out[32] = inf / inf;  // nan
    out[33] = (h * big * 2) / (big * 2);  // 0: the divisor is infinite
    out[34] = 1 / rint(-h);  // -inf: -0
    out[35] = 1 / trunc(-h);  // -inf
    out[36] = 1 / ceil(-h);  // -inf
    out[37] = 1 / fmax(-zero, -one);  // -inf
    out[38] = 1 / fabs(-zero);  // inf
    out[39] = 1 / copysign(zero, -one);  // -inf
    out[40] = isnan(sqrt(-one)) + 2 * isnan(nan + one);  // 3
    out[41] = mad(h, zero, -zero) == 0;  // 1
    out[42] = 1 / ((-zero) + (-zero));  // -inf
    out[43] = (float)(int)(one * 2.9f);  // 2
    out[44] = as_float((int)(short)(float)(short)i);  // as:1
    out[45] = dot((float2)(inf, one), (float2)(zero, one));  // nan
    out[46] = (float)((char)(h * 10) * 0.1f) - 0.3f == 0;  // 1
}
