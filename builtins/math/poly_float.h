// SPDX-License-Identifier: Apache-2.0
// Minimax polynomials, written by tools/fit.py float; what each stands for is said there.
#pragma once

// EXP, error 2^-27.73
static float poly_exp(float x) {
    float p = 1.39505370e-03f;
    p = mad(x, p, 8.36890843e-03f);
    p = mad(x, p, 4.16662060e-02f);
    p = mad(x, p, 1.66665182e-01f);
    return mad(x, p, 5.00000000e-01f);
}

// EXPM1, error 2^-30.1
static float poly_expm1(float x) {
    float p = 1.99434522e-04f;
    p = mad(x, p, 1.39318977e-03f);
    p = mad(x, p, 8.33322387e-03f);
    p = mad(x, p, 4.16664928e-02f);
    p = mad(x, p, 1.66666672e-01f);
    return mad(x, p, 5.00000000e-01f);
}

// EXP2, error 2^-31.75
static float poly_exp2(float x) {
    float p = 1.46640041e-05f;
    p = mad(x, p, 1.54519541e-04f);
    p = mad(x, p, 1.33366953e-03f);
    p = mad(x, p, 9.61808953e-03f);
    p = mad(x, p, 5.55040613e-02f);
    p = mad(x, p, 2.40226507e-01f);
    return mad(x, p, 6.93147182e-01f);
}

// EXP10, error 2^-30.1
static float poly_exp10(float x) {
    float p = 4.36068028e-02f;
    p = mad(x, p, 2.07558498e-01f);
    p = mad(x, p, 5.40347040e-01f);
    p = mad(x, p, 1.17125475e+00f);
    p = mad(x, p, 2.03466773e+00f);
    p = mad(x, p, 2.65094900e+00f);
    return mad(x, p, 2.30258512e+00f);
}

// LOG, error 2^-26.55
static float poly_log(float x) {
    float p = -1.29499704e-01f;
    p = mad(x, p, 1.40060753e-01f);
    p = mad(x, p, -1.21669486e-01f);
    p = mad(x, p, 1.40009150e-01f);
    p = mad(x, p, -1.66823193e-01f);
    p = mad(x, p, 2.00107619e-01f);
    p = mad(x, p, -2.49997169e-01f);
    p = mad(x, p, 3.33332092e-01f);
    return mad(x, p, -5.00000000e-01f);
}

// LOG3, error 2^-28.52
static float poly_log3(float x) {
    float p = 1.23594679e-01f;
    p = mad(x, p, -1.28484815e-01f);
    p = mad(x, p, 1.06609918e-01f);
    p = mad(x, p, -1.21950075e-01f);
    p = mad(x, p, 1.43128708e-01f);
    p = mad(x, p, -1.66796327e-01f);
    p = mad(x, p, 1.99993044e-01f);
    p = mad(x, p, -2.49998197e-01f);
    return mad(x, p, 3.33333373e-01f);
}

// SIN, error 2^-28.02
static float poly_sin(float x) {
    float p = -1.95187880e-04f;
    p = mad(x, p, 8.33219197e-03f);
    return mad(x, p, -1.66666552e-01f);
}

// COS, error 2^-33.13
static float poly_cos(float x) {
    float p = 2.44306684e-05f;
    p = mad(x, p, -1.38873013e-03f);
    return mad(x, p, 4.16666456e-02f);
}

// TAN, error 2^-25.57
static float poly_tan(float x) {
    float p = 9.46365111e-03f;
    p = mad(x, p, 2.97845434e-03f);
    p = mad(x, p, 2.45251376e-02f);
    p = mad(x, p, 5.33823892e-02f);
    p = mad(x, p, 1.33391812e-01f);
    return mad(x, p, 3.33331406e-01f);
}

// ATAN, error 2^-25.83
static float poly_atan(float x) {
    float p = 2.91942270e-03f;
    p = mad(x, p, -1.63631923e-02f);
    p = mad(x, p, 4.32047322e-02f);
    p = mad(x, p, -7.55166039e-02f);
    p = mad(x, p, 1.06657691e-01f);
    p = mad(x, p, -1.42110020e-01f);
    p = mad(x, p, 1.99937671e-01f);
    return mad(x, p, -3.33331525e-01f);
}

// ASIN, error 2^-27.58
static float poly_asin(float x) {
    float p = 4.22117114e-02f;
    p = mad(x, p, 2.41521280e-02f);
    p = mad(x, p, 4.54760380e-02f);
    p = mad(x, p, 7.49525204e-02f);
    return mad(x, p, 1.66667536e-01f);
}

// SINH, error 2^-31.55
static float poly_sinh(float x) {
    float p = 2.78392554e-06f;
    p = mad(x, p, 1.98426351e-04f);
    p = mad(x, p, 8.33331142e-03f);
    return mad(x, p, 1.66666672e-01f);
}

// TANH, error 2^-24.75
static float poly_tanh(float x) {
    float p = 1.64535325e-02f;
    p = mad(x, p, -5.26814871e-02f);
    p = mad(x, p, 1.33209020e-01f);
    return mad(x, p, -3.33329558e-01f);
}

// ERF, error 2^-24.38
static float poly_erf(float x) {
    float p = -5.66017174e-04f;
    p = mad(x, p, 4.92479419e-03f);
    p = mad(x, p, -2.67177112e-02f);
    p = mad(x, p, 1.12804115e-01f);
    p = mad(x, p, -3.76123548e-01f);
    return mad(x, p, 1.28379121e-01f);
}

// LOG2_ERFC, error 2^-29.21
static float poly_log2_erfc(float x) {
    float p = 2.84465495e-04f;
    p = mad(x, p, -4.40825056e-03f);
    p = mad(x, p, 3.21388654e-02f);
    p = mad(x, p, -1.50093928e-01f);
    p = mad(x, p, -9.19083118e-01f);
    p = mad(x, p, -1.62699866e+00f);
    return mad(x, p, -2.56065920e-04f);
}

// ERFC, error 2^-25.07
static float poly_erfc(float x) {
    float p = -1.37115485e-05f;
    p = mad(x, p, -1.19158394e-05f);
    p = mad(x, p, 5.95298770e-05f);
    p = mad(x, p, 1.18752658e-04f);
    p = mad(x, p, -1.39347525e-04f);
    p = mad(x, p, -7.07048923e-04f);
    p = mad(x, p, 1.44580481e-04f);
    p = mad(x, p, 3.93780693e-03f);
    p = mad(x, p, -5.18268556e-04f);
    p = mad(x, p, -2.52435580e-02f);
    p = mad(x, p, 4.25363481e-02f);
    p = mad(x, p, 3.78138982e-02f);
    p = mad(x, p, -2.59974837e-01f);
    return mad(x, p, 7.66187012e-01f);
}

// GAMMA, error 2^-32.37
static float poly_gamma(float x) {
    float p = 9.23453456e-07f;
    p = mad(x, p, 7.91656144e-04f);
    p = mad(x, p, -1.56973896e-03f);
    p = mad(x, p, 1.03254747e-02f);
    p = mad(x, p, 7.74023356e-05f);
    p = mad(x, p, 7.41606504e-02f);
    p = mad(x, p, 8.15898776e-02f);
    p = mad(x, p, 4.11839396e-01f);
    p = mad(x, p, 4.22784358e-01f);
    return mad(x, p, 1.00000000e+00f);
}

// LGAMMA2, error 2^-25.56
static float poly_lgamma2(float x) {
    float p = 1.16555078e-04f;
    p = mad(x, p, -2.53862439e-04f);
    p = mad(x, p, 5.04784752e-04f);
    p = mad(x, p, -1.18583743e-03f);
    p = mad(x, p, 2.89111980e-03f);
    p = mad(x, p, -7.38617778e-03f);
    p = mad(x, p, 2.05807779e-02f);
    p = mad(x, p, -6.73522800e-02f);
    p = mad(x, p, 3.22467029e-01f);
    return mad(x, p, 4.22784328e-01f);
}

// LGAMMA1, error 2^-25.6
static float poly_lgamma1(float x) {
    float p = 1.89322785e-01f;
    p = mad(x, p, -1.78390458e-01f);
    p = mad(x, p, 2.66106129e-02f);
    p = mad(x, p, -5.00260927e-02f);
    p = mad(x, p, 1.12903751e-01f);
    p = mad(x, p, -1.18892126e-01f);
    p = mad(x, p, 1.24003068e-01f);
    p = mad(x, p, -1.43355489e-01f);
    p = mad(x, p, 1.69647485e-01f);
    p = mad(x, p, -2.07415462e-01f);
    p = mad(x, p, 2.70578414e-01f);
    p = mad(x, p, -4.00685161e-01f);
    p = mad(x, p, 8.22467029e-01f);
    return mad(x, p, -5.77215672e-01f);
}
