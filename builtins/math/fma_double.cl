// SPDX-License-Identifier: Apache-2.0
// fma of doubles, rounded once, for devices that do not fuse (OpenCL C 6.13.2).
#include "double.h"

ulong LIBRARY double_fma(ulong a, ulong b, ulong c);  // double/fma.cl

double LIBRARY fma(double a, double b, double c) {
    return as_double(double_fma(as_ulong(a), as_ulong(b), as_ulong(c)));
}
