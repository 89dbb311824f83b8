// SPDX-License-Identifier: Apache-2.0
#include "format.h"

// In the order of the numbers; both zeros are 0.
static long place_of(ulong x) { return (long)(SIGN(x) != 0 ? SIGN_BIT - x : x); }

#define ARE_ORDERED(a, b) (SIZE(a) <= INF_BITS && SIZE(b) <= INF_BITS)

bool LIBRARY double_less(ulong a, ulong b) {
    bool is_less = place_of(a) < place_of(b);
    return is_less && ARE_ORDERED(a, b);
}
bool LIBRARY double_less_equal(ulong a, ulong b) {
    bool is_less = place_of(a) <= place_of(b);
    return is_less && ARE_ORDERED(a, b);
}
bool LIBRARY double_equal(ulong a, ulong b) { return ARE_ORDERED(a, b) && (a == b || SIZE(a | b) == 0); }

// The other one of a NaN (OpenCL C 3.0 6.15.2, fmin)
ulong LIBRARY double_min(ulong a, ulong b) {
    bool is_less = place_of(a) < place_of(b);
    ulong least = is_less ? a : b;
    return IS_NAN(a) ? b : IS_NAN(b) ? a : least;
}
ulong LIBRARY double_max(ulong a, ulong b) {
    bool is_greater = place_of(a) > place_of(b);
    ulong most = is_greater ? a : b;
    return IS_NAN(a) ? b : IS_NAN(b) ? a : most;
}
