// Limits and constants (OpenCL C 2.0 6.13.2.2, 6.13.3)
// OPTIONS: --target=opencl2.0
// 1.13.3-20
#if CHAR_BIT != 8 || SCHAR_MAX != 127 || SCHAR_MIN != -128 || CHAR_MAX != SCHAR_MAX || CHAR_MIN != SCHAR_MIN
#error char
#endif
#if UCHAR_MAX != 255 || SHRT_MAX != 32767 || SHRT_MIN != -32768 || USHRT_MAX != 65535
#error short
#endif
#if INT_MAX != 2147483647 || INT_MIN != -2147483648 || UINT_MAX != 4294967295 || UINT_MAX < 0
#error int
#endif
#if LONG_MAX != 9223372036854775807 || LONG_MIN != -9223372036854775807 - 1 || ULONG_MAX != 18446744073709551615u
#error long
#endif
// 1.13.2-91
#if FLT_DIG != 6 || FLT_MANT_DIG != 24 || FLT_MAX_10_EXP != +38 || FLT_MAX_EXP != +128 || FLT_RADIX != 2
#error float
#endif
#if FLT_MIN_10_EXP != -37 || FLT_MIN_EXP != -125
#error float
#endif
// 1.13.2-93
#if DBL_DIG != 15 || DBL_MANT_DIG != 53 || DBL_MAX_10_EXP != +308 || DBL_MAX_EXP != +1024
#error double
#endif
#if DBL_MIN_10_EXP != -307 || DBL_MIN_EXP != -1021
#error double
#endif
// CHECK: = OpConstant %float 3.40282347e+38
// CHECK: = OpConstant %uint 2139095040
// CHECK: = OpConstant %uint 2143289344
// CHECK: = OpConstant %ulong 9218868437227405312
// CHECK: = OpConstant %float 1.17549435e-38
// CHECK: = OpConstant %float 1.1920929e-07
// CHECK: = OpConstant %double 1.7976931348623157e+308
// CHECK: = OpConstant %double 2.2250738585072014e-308
// CHECK: = OpConstant %double 2.2204460492503131e-16
// CHECK: = OpConstant %float 2.71828175
// CHECK: = OpConstant %float 3.14159274
// CHECK: = OpConstant %double 3.1415926535897931
#define HAS_TYPE(x, type) __builtin_types_compatible_p(__typeof__(x), type)
kernel void k(global float *f, global double *d, global int *types) {
    *f = MAXFLOAT;  // 1.13.2-80
    f[1] = HUGE_VALF;  // 1.13.2-81
    f[2] = INFINITY;
    f[3] = NAN;  // 1.13.2-83
    d[0] = HUGE_VAL;  // 1.13.2-84
    f[4] = FLT_MAX;  // 1.13.2-92
    f[5] = FLT_MIN;
    f[6] = FLT_EPSILON;
    d[1] = DBL_MAX;  // 1.13.2-94
    d[2] = DBL_MIN;
    d[3] = DBL_EPSILON;
    types[0] = FP_ILOGB0 == INT_MIN;    // 1.13.2-96
    types[1] = FP_ILOGBNAN == INT_MAX;  // 1.13.2-97
    f[7] = M_E_F + 0 * (M_LOG2E_F + M_LOG10E_F + M_LN2_F + M_LN10_F + M_PI_2_F + M_PI_4_F);  // 1.13.2-98
    f[8] = M_PI_F;
    f[9] = M_1_PI_F;
    f[10] = M_2_PI_F + 0 * (M_2_SQRTPI_F + M_SQRT2_F + M_SQRT1_2_F);
    d[4] = M_PI;  // 1.13.2-99
    d[5] = M_E + M_LOG2E + M_LOG10E + M_LN2 + M_LN10 + M_PI_2 + M_PI_4 + M_1_PI + M_2_PI + M_2_SQRTPI + M_SQRT2 +
           M_SQRT1_2;
    _Static_assert(HAS_TYPE(M_PI_F, float) && HAS_TYPE(M_PI, double) && HAS_TYPE(NAN, float) && HAS_TYPE(HUGE_VAL, double), "types");
}
