// SPDX-License-Identifier: Apache-2.0
// Kernels whose results depend on the order of their operations: each is one that compilers have an identity for, which is none of
// floats. Compiled with -DKEEP_ORDER no compiler can use it: what is computed goes through an integer and an exclusive or with an
// argument that happens to be zero. No kernel has what FP_CONTRACT allows: sums of products stand in statements of their own.
// -DBITS=16, 32 or 64 chooses the type.
#if BITS == 16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half real;
typedef half4 real4;
#define as_bits as_short
#define as_real as_half
typedef short bits;
#define BIG 1536
#elif BITS == 64
typedef double real;
typedef double4 real4;
#define as_bits as_long
#define as_real as_double
typedef long bits;
#define BIG 6755399441055744.0
#else
typedef float real;
typedef float4 real4;
#define as_bits as_int
#define as_real as_float
typedef int bits;
#define BIG 12582912
#endif

#ifdef KEEP_ORDER
#define K(x) as_real((bits)(as_bits((real)(x)) ^ (bits)zero))
#else
#define K(x) ((real)(x))
#endif

#define KERNEL(name, ...)                                                          \
    kernel void name(global const real *in, global real *out, int n, int zero) {    \
        size_t g = get_global_id(0);                                                \
        real x = in[g], y = in[g + 64], z = in[g + 128], w = in[g + 192], r;        \
        __VA_ARGS__                                                                 \
        out[g] = r;                                                                 \
    }

// Sums
KERNEL(rounding_sum, r = K(x + (real)BIG) - (real)BIG;)
KERNEL(sum_of_constants, r = K(x + (real)1.0) + (real)1e-3;)
KERNEL(difference_of_constants, r = K(x + (real)1000) - (real)999;)
KERNEL(add_and_subtract, r = K(x + y) - x;)
KERNEL(add_and_subtract_both, r = K(K(x + y) - y) - x;)
KERNEL(subtract_from, r = x - K(x - y);)
KERNEL(sum_of_four, r = K(K(x + y) + z) + w;)
KERNEL(sum_of_pairs, r = K(x + y) + K(z + w);)
KERNEL(sum_of_same, real s = K(x + y); r = K(K(s + x) + x) + x;)  // x + x is exact: nobody rounds 2 x + x differently
KERNEL(two_sum, real s = K(x + y); real b = K(s - x); real d = K(x - K(s - b)); r = d + K(y - b);)
KERNEL(fast_two_sum, real s = K(x + y); r = y - K(s - x);)
KERNEL(sum_of_negated, r = K(-x + y) + x;)
KERNEL(sum_of_vectors, real4 a = (real4)(x, y, z, w) + (real4)((real)BIG); a = (real4)(K(a.x), K(a.y), K(a.z), K(a.w)) - (real4)((real)BIG);
       real b = K(a.x) + K(a.y); real c = K(a.z) + K(a.w); r = b + c;)

// Products and quotients
KERNEL(product_of_constants, r = K(x * (real)3.1) * (real)5.3;)
KERNEL(product_of_four, r = K(K(x * y) * z) * w;)
KERNEL(product_of_same, r = K(K(K(x * x) * x) * x) * x;)
KERNEL(double_and_halve, r = K(x * (real)2) * (real)0.5;)
KERNEL(squared_root, real s = K(sqrt(x)); r = s * s;)
KERNEL(reciprocal_of_reciprocal, r = (real)1 / K((real)1 / x);)
KERNEL(quotient_and_product, r = K(x / y) * y;)

// Sums of products
KERNEL(distributed, real p = K(x * y); real q = K(x * z); r = p + q;)
KERNEL(distributed_constant, real p = K(x + (real)0.1); r = p * (real)3.1;)
KERNEL(product_apart, real p = K(x * y); r = p + z;)
KERNEL(product_subtracted, real p = K(x * y); r = z - p;)
KERNEL(interpolated, real t = K((real)1 - z); real p = K(x * t); real q = K(y * z); r = p + q;)
KERNEL(dot_product, real p = K(x * y); real q = K(z * w); real s = K(p + q); real t = K(x * w); r = s + t;)
KERNEL(horner, real p = K(x * (real)0.3); p = K(p + (real)0.7); p = K(p * x); p = K(p + (real)0.9); p = K(p * x); r = p + (real)1.1;)
KERNEL(linear_twice, real p = K(x * (real)0.3); p = K(p + (real)0.7); p = K(p * (real)0.3); r = p + (real)0.7;)

// Comparisons
KERNEL(compare_sum, r = K(K(x + y) - x) == y ? (real)1 : (real)0;)
KERNEL(compare_with_constant, r = K(x + (real)1) < (real)2 ? y : z;)
KERNEL(compare_with_itself, r = K(x + y) < x ? y : z;)

// Zeros, infinities, NaN
KERNEL(add_zero, r = x + K((real)0);)
KERNEL(from_zero, r = K((real)0) - x;)
KERNEL(times_zero, r = x * K((real)0);)
KERNEL(minus_itself, r = x - K(x);)

// Loops
KERNEL(kahan, real s = x; real c = 0; for (int i = 0; i < n; ++i) { real a = K(in[i] - c); real t = K(s + a); c = K(K(t - s) - a); s = t; } r = s;)
KERNEL(kahan_error, real s = 0; real c = 0; for (int i = 0; i < n; ++i) { real a = K(in[i] - c); real t = K(s + a); c = K(K(t - s) - a); s = t; } r = c;)
KERNEL(product_in_loop, for (int i = 0; i < n; ++i) x = K(x * (real)1.001); r = x;)
KERNEL(sum_in_loop, for (int i = 0; i < n; ++i) x = K(x + (real)0.1); r = x;)
KERNEL(linear_in_loop, for (int i = 0; i < n; ++i) { real p = K(x * (real)0.999); x = K(p + (real)1); } r = x;)
