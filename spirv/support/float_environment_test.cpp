// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/float_environment.h"

#include <doctest/doctest.h>

#include <thread>

#include "spirv/support/threads.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

using namespace caldera;

namespace {

volatile float tenth = 0.1f, third = 3, zero = 0;
volatile float small = 1e-30f;

/// 0.1 / 3 lies between these.
constexpr float kBelow = 0x1.11111p-5f, kAbove = 0x1.111112p-5f;

}  // namespace

TEST_CASE("the default environment rounds to nearest, and the thread's own comes back") {
    for (const int direction : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
        CAPTURE(direction);
        std::fesetround(direction);
        float inside = 0;
        {
            const DefaultFloatEnvironment floats;
            CHECK(std::fegetround() == FE_TONEAREST);
            inside = tenth / third;
            {
                const DefaultFloatEnvironment within;
                CHECK(std::fegetround() == FE_TONEAREST);
            }
            CHECK(std::fegetround() == FE_TONEAREST);
        }
        const int after = std::fegetround();
        const float outside = tenth / third;
        std::fesetround(FE_TONEAREST);
        CHECK(after == direction);
        CHECK(inside == tenth / third);
        CHECK(outside == (direction == FE_UPWARD ? kAbove : direction == FE_TONEAREST ? inside : kBelow));
    }
}

TEST_CASE("flags that were raised stay raised, others are not") {
    for (const int direction : {FE_TONEAREST, FE_UPWARD}) {
        volatile float result = 0;
        std::feclearexcept(FE_ALL_EXCEPT);
        std::fesetround(direction);
        result = small * small;
        {
            const DefaultFloatEnvironment floats;
            std::feclearexcept(FE_ALL_EXCEPT);
            result = 1 / zero;
            result = zero / zero;
        }
        const int raised = std::fetestexcept(FE_ALL_EXCEPT);
        std::fesetround(FE_TONEAREST);
        std::feclearexcept(FE_ALL_EXCEPT);
        CHECK(raised == (FE_UNDERFLOW | FE_INEXACT));
        (void)result;
    }
}

#if defined(__GLIBC__) && defined(__x86_64__)
TEST_CASE("exceptions that trap do not, and trap afterwards") {
    ::feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    {
        const DefaultFloatEnvironment floats;
        CHECK(::fegetexcept() == 0);
        volatile float infinite = 1 / zero;
        volatile long double wide = zero;
        wide = 1 / wide;
        (void)infinite;
    }
    const int trapping = ::fegetexcept(), raised = std::fetestexcept(FE_DIVBYZERO);
    ::fedisableexcept(FE_ALL_EXCEPT);
    CHECK(trapping == (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW));
    CHECK(raised == 0);
}

TEST_CASE("denormals are kept where the thread flushes them") {
    constexpr unsigned kFlush = 0x8040;
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | kFlush);
    float inside = 0;
    {
        const DefaultFloatEnvironment floats;
        inside = small * 1e-10f;
    }
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    CHECK(inside == 1e-40f);
    CHECK(after == (before | kFlush));
}
#endif

TEST_CASE("a function of the program's has the program's environment, and may change it") {
    std::fesetround(FE_UPWARD);
    int in_function = 0, in_call = 0, afterwards = 0;
    {
        const DefaultFloatEnvironment floats;
        {
            const CallersFloatEnvironment callers;
            in_function = std::fegetround();
            {
                const DefaultFloatEnvironment called_again;
                in_call = std::fegetround();
            }
            std::fesetround(FE_DOWNWARD);
        }
        afterwards = std::fegetround();
    }
    const int at_end = std::fegetround();
    std::fesetround(FE_TONEAREST);
    CHECK(in_function == FE_UPWARD);
    CHECK(in_call == FE_TONEAREST);
    CHECK(afterwards == FE_TONEAREST);
    CHECK(at_end == FE_DOWNWARD);
}

TEST_CASE("a thread of ours has the default environment") {
    std::fesetround(FE_UPWARD);
    int direction = -1;
    start_thread(
        [&](int given) {
            CHECK(given == 5);
            direction = std::fegetround();
        },
        5)
        .join();
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    CHECK(direction == FE_TONEAREST);
    CHECK(after == FE_UPWARD);
}
