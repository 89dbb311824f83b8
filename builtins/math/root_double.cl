// SPDX-License-Identifier: Apache-2.0
#include "double.h"
#include "root.inc"

// At most 2 ulp. Beyond float's range the device's own.
double LIBRARY reciprocal_root(double x) {
    double value = inverse_root(x);
    if (!(x > 1.0e-37 && x < 1.0e38)) value = 1.0 / sqrt(x);
    return value;
}

// Correctly rounded where mad() is fused: the last step's error is a square. Beyond float's range the device's own.
double LIBRARY sqrt_rounded(double x) {
    double r = inverse_root(x), s = x * r;
    double value = mad(mad(-s, s, x), 0.5 * r, s);
    if (!(x > 1.0e-37 && x < 1.0e38)) value = sqrt(x);
    return value;
}
