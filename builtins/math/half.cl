// SPDX-License-Identifier: Apache-2.0
// The functions of half that are not float's, rounded: nextafter, fract and fma (OpenCL C 6.13.2).
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define LIBRARY __attribute__((overloadable))

static bool is_nan(half x) { return (as_ushort(x) & 0x7fff) > 0x7c00; }

half LIBRARY nextafter(half x, half y) {
    int a = as_ushort(x), b = as_ushort(y);
    if (is_nan(x) || is_nan(y)) return as_half((ushort)0x7e00);
    int size_a = a & 0x7fff, size_b = b & 0x7fff;
    if (a == b || (size_a == 0 && size_b == 0)) return y;
    if (size_a == 0) return as_half((ushort)((b & 0x8000) | 1));
    bool away = ((a ^ b) & 0x8000) == 0 && size_a < size_b;
    return as_half((ushort)(away ? a + 1 : a - 1));
}

half LIBRARY fract(half x, half* integral) {
    int b = as_ushort(x);
    if (is_nan(x) || (b & 0x7fff) == 0) {
        *integral = x;
        return x;
    }
    float wide = (float)x, whole = floor(wide);
    *integral = (half)whole;
    if ((b & 0x7fff) == 0x7c00) return as_half((ushort)(b & 0x8000));
    return (half)min(wide - whole, 0x1.ffcp-1f);
}

// For devices whose Fma rounds to a float first. The product is exact in float. The sum is rounded to odd,
// which preserves what the second rounding needs (S. Boldo, G. Melquiond, 2008).
half LIBRARY fma(half a, half b, half c) {
    float product = (float)a * (float)b, addend = (float)c, sum = product + addend;
    float part = sum - product, rest = (product - (sum - part)) + (addend - part);
    int b32 = as_int(sum);
    if ((rest < 0.0f || rest > 0.0f) && (b32 & 1) == 0) b32 += (rest > 0.0f) == (sum > 0.0f) ? 1 : -1;
    return (half)as_float(b32);
}
