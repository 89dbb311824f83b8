// SPDX-License-Identifier: Apache-2.0
// Reduction by pi/2, and sine, cosine and tangent of what is left. Comes after float.h or double.h.
#pragma once

// x = q pi/2 + r: (r, an integer whose last two bits are those of q).
static real2 reduced(real r, int q) { return (real2)(r, AS_REAL((bits)q)); }
static int quarter(real2 reduced) { return (int)AS_BITS(reduced.y); }
// n mod 4 of a whole number, however large
static int quarter_turns(real n) { return (int)(n - 4.0f * floor(0.25f * n)); }

// A fraction of 2 WORD_BITS bits, which is a quarter of x * 2/pi modulo 1, to the reduced argument.
static real2 reduce_fraction(bits f0, bits f1) {
    int q = (int)(f0 >> (WORD_BITS - 2));
    f0 = (f0 << 2) | (f1 >> (WORD_BITS - 2));
    f1 <<= 2;
    bool negative = (f0 & SIGN_BIT) != 0;  // nearer to the next quadrant
    if (negative) {
        q += 1;
        f1 = ~f1 + 1;
        f0 = ~f0 + (f1 == 0 ? 1 : 0);
    }
    int zeros = f0 != 0 ? (int)clz(f0) : WORD_BITS + (int)clz(f1);
    if (zeros >= WORD_BITS) {
        f0 = f1;
        f1 = 0;
    }
    int rest = zeros & (WORD_BITS - 1);
    if (rest != 0) {
        f0 = (f0 << rest) | (f1 >> (WORD_BITS - rest));
        f1 <<= rest;
    }
    // The leading bits, one significand each.
    int spare = WORD_BITS - 1 - FRACTION_BITS;
    bits next = ((f0 << (FRACTION_BITS + 1)) | (f1 >> spare)) >> spare;
    real high = (real)(f0 >> spare) * power_of_two(-1 - FRACTION_BITS);
    real tail = (real)next * power_of_two(-1 - FRACTION_BITS) * power_of_two(-1 - FRACTION_BITS);
    real2 r = pair_product((real2)(high, tail), (real2)(PI_2_HIGH, PI_2_LOW)) * power_of_two(-zeros);
    return reduced(negative ? -(r.x + r.y) : r.x + r.y, q);
}

// Any finite x >= 1: the bits of 2/pi that matter, times x's significand, in fixed point (M. Payne and R. Hanek,
// 1983). The words are 2/pi after one word of zeros.
static real2 reduce_large(real x) {
    bits m = (AS_BITS(x) & FRACTION_MASK) | HIDDEN_BIT;
    int offset = (int)(AS_BITS(x) >> FRACTION_BITS) - EXPONENT_BIAS - FRACTION_BITS - 2 + WORD_BITS;
    int shift = offset & (WORD_BITS - 1), word = offset / WORD_BITS;
#if FRACTION_BITS == 23
    const bits words[8] = {0u,          0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                           0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
#else
    const bits words[21] = {
        0ul,                  0xa2f9836e4e441529ul, 0xfc2757d1f534ddc0ul, 0xdb6295993c439041ul, 0xfe5163abdebbc561ul,
        0xb7246e3a424dd2e0ul, 0x06492eea09d1921cul, 0xfe1deb1cb129a73eul, 0xe88235f52ebb4484ul, 0xe99c7026b45f7e41ul,
        0x3991d639835339f4ul, 0x9c845f8bbdf9283bul, 0x1ff897ffde05980ful, 0xef2f118b5a0a6d1ful, 0x6d367ecf27cb09b7ul,
        0x4f463f669e5fea2dul, 0x7527bac7ebe5f17bul, 0x3d0739f78a5292eaul, 0x6bfb5fb11f8d5d08ul, 0x56033046fc7b6babul,
        0xf0cfbc209af4361dul};
#endif
    bits w0 = words[word], w1 = words[word + 1], w2 = words[word + 2], w3 = words[word + 3];
    if (shift != 0) {
        w0 = (w0 << shift) | (w1 >> (WORD_BITS - shift));
        w1 = (w1 << shift) | (w2 >> (WORD_BITS - shift));
        w2 = (w2 << shift) | (w3 >> (WORD_BITS - shift));
    }
    // The fraction of m * 0.w0w1w2
    bits low = m * w1;
    bits f1 = low + mul_hi(m, w2);
    bits f0 = m * w0 + mul_hi(m, w1) + (f1 < low ? 1 : 0);
    return reduce_fraction(f0, f1);
}

// The version for all devices, and that for a fused Fma: the translator takes one of them for reduce().
real2 LIBRARY reduce(real x);

static real2 reduce_by_bits(real x) {
    if (is_inf(x)) return reduced(NAN_VALUE, 0);
    real2 r = reduce_large(fabs(x));
    return is_negative(x) ? reduced(-r.x, -quarter(r)) : r;
}

static real sin_kernel(real r, real z) { return r * mad(z, poly_sin(z), R(1.0)); }
static real cos_kernel(real z) { return mad(z, mad(z, poly_cos(z), R(-0.5)), R(1.0)); }

// sin of the reduced argument plus `more` quarter turns. Without a branch, in which half of a work-group would wait.
static real sin_of(real2 reduced, int more) {
    real r = reduced.x, z = r * r;
    int q = quarter(reduced) + more;
    real value = (q & 1) != 0 ? cos_kernel(z) : sin_kernel(r, z);
    return AS_REAL(AS_BITS(value) ^ ((bits)(uint)(q & 2) << (WORD_BITS - 2)));
}

static real tan_of(real2 reduced) {
    real r = reduced.x, z = r * r;
    real t = r * mad(z, poly_tan(z), R(1.0));
    real i = -inverse(t);
    return (quarter(reduced) & 1) == 0 ? t : i;
}
