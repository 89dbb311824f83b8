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

// LOG, error 2^-28.25
static float poly_log(float x) {
    float p = 6.74463883e-02f;
    p = mad(x, p, -1.16748668e-01f);
    p = mad(x, p, 1.18885927e-01f);
    p = mad(x, p, -1.24057449e-01f);
    p = mad(x, p, 1.42195195e-01f);
    p = mad(x, p, -1.66679859e-01f);
    p = mad(x, p, 2.00021192e-01f);
    p = mad(x, p, -2.50000089e-01f);
    return mad(x, p, 3.33333135e-01f);
}

// ATANH, error 2^-35.23
static float poly_atanh(float x) {
    float p = 1.21394277e-01f;
    p = mad(x, p, 1.42493963e-01f);
    p = mad(x, p, 2.00004861e-01f);
    return mad(x, p, 3.33333313e-01f);
}

// ATANH2, error 2^-36.78
static float poly_atanh2(float x) {
    float p = 1.17098168e-01f;
    p = mad(x, p, 1.42735451e-01f);
    return mad(x, p, 2.00000763e-01f);
}

// SIN, error 2^-32.56
static float poly_sin(float x) {
    float p = 2.83751388e-06f;
    p = mad(x, p, -1.98535112e-04f);
    p = mad(x, p, 8.33338033e-03f);
    return mad(x, p, -1.66666672e-01f);
}

// COS, error 2^-33.13
static float poly_cos(float x) {
    float p = 2.44306684e-05f;
    p = mad(x, p, -1.38873013e-03f);
    return mad(x, p, 4.16666456e-02f);
}

// TAN, error 2^-29.32
static float poly_tan(float x) {
    float p = 4.44181124e-03f;
    p = mad(x, p, -4.61611962e-05f);
    p = mad(x, p, 1.09455315e-02f);
    p = mad(x, p, 2.12386120e-02f);
    p = mad(x, p, 5.40686511e-02f);
    p = mad(x, p, 1.33325830e-01f);
    return mad(x, p, 3.33333522e-01f);
}

// ATAN, error 2^-30.46
static float poly_atan(float x) {
    float p = -6.09166659e-02f;
    p = mad(x, p, 1.05997965e-01f);
    p = mad(x, p, -1.42444685e-01f);
    p = mad(x, p, 1.99985310e-01f);
    return mad(x, p, -3.33333164e-01f);
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

// TANH, error 2^-32.53
static float poly_tanh(float x) {
    float p = 2.15765228e-03f;
    p = mad(x, p, -8.19509756e-03f);
    p = mad(x, p, 2.17087511e-02f);
    p = mad(x, p, -5.39484620e-02f);
    p = mad(x, p, 1.33332223e-01f);
    return mad(x, p, -3.33333313e-01f);
}

// ERF, error 2^-29.87
static float poly_erf(float x) {
    float p = -1.38616497e-06f;
    p = mad(x, p, 8.37595799e-05f);
    p = mad(x, p, -8.08810059e-04f);
    p = mad(x, p, 5.19415271e-03f);
    p = mad(x, p, -2.68560778e-02f);
    p = mad(x, p, 1.12836279e-01f);
    p = mad(x, p, -3.76126289e-01f);
    return mad(x, p, 1.28379166e-01f);
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
