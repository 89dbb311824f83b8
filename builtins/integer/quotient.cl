// SPDX-License-Identifier: Apache-2.0
// a / b of 64 bits, for devices whose own division is slow or worse (DriverQuirks::wrong_around_calls). b is not 0.
#define LIBRARY __attribute__((overloadable))

// Exact to 24 bits
static float to_float(ulong x) { return mad((float)(uint)(x >> 32), 0x1p32f, (float)(uint)x); }

// to_float() and the reciprocal have an error of at most 5.5 * 2^-23 of the quotient in total. The factor
// subtracts 8 * 2^-23, so that a digit is never too large. Each digit gives at least 19 bits of the quotient:
// the remaining quotient is below 2^46, 2^27, 2^8, 2.
static ulong quotient_of_large(ulong a, ulong b) {
    const float inverse = 1.0f / to_float(b) * 0x1.ffffe0p-1f;
    ulong quotient = 0, rest = a;
    for (int i = 0; i < 2; ++i) {
        float digit = to_float(rest) * inverse;
        uint high = (uint)(digit * 0x1p-32f), low = (uint)mad((float)high, -0x1p32f, digit);
        ulong whole = (ulong)high << 32 | low;
        quotient += whole;
        rest -= whole * b;
    }
    for (int i = 0; i < 2; ++i) {
        uint whole = (uint)(to_float(rest) * inverse);
        quotient += whole;
        rest -= whole * b;
    }
    return rest >= b ? quotient + 1 : quotient;
}

ulong LIBRARY quotient(ulong a, ulong b) {
    if ((a | b) >> 32 == 0) return (uint)a / (uint)b;
    return quotient_of_large(a, b);
}

long LIBRARY quotient(long a, long b) {
    ulong size = quotient(abs(a), abs(b));
    return (long)((a ^ b) < 0 ? -size : size);
}
