// SPDX-License-Identifier: Apache-2.0
// Measures builtins/math on the CPU: each .cl compiled by clang as OpenCL C, linked with this, and compared with the
// C library in a wider format. Usage: tools/accuracy.sh [STRIDE]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>

#define NAMES1(X)                                                                                          \
    X("4", acos)                                                                                           \
    X("5", acosh) X("6", acospi) X("4", asin) X("5", asinh) X("6", asinpi) X("4", atan) X("5", atanh)      \
        X("6", atanpi) X("4", cbrt) X("3", cos) X("4", cosh) X("5", cospi) X("4", erfc) X("3", erf)        \
            X("3", exp) X("4", exp2) X("5", exp10) X("5", expm1) X("3", log) X("4", log2) X("5", log10)    \
                X("5", log1p) X("4", logb) X("3", sin) X("4", sinh) X("5", sinpi) X("3", tan) X("4", tanh) \
                    X("5", tanpi) X("6", tgamma) X("6", lgamma)
#define NAMES2(X) \
    X("5", atan2) \
    X("7", atan2pi) X("5", hypot) X("4", fmod) X("9", remainder) X("3", pow) X("4", powr) X("9", nextafter)
namespace cl {
#define X(length, name) float name(float) asm("_Z" length #name "f");
NAMES1(X)
#undef X
#define X(length, name) float name(float, float) asm("_Z" length #name "ff");
NAMES2(X)
#undef X
float pown(float, int) asm("_Z4pownfi");
float rootn(float, int) asm("_Z5rootnfi");
float ldexp(float, int) asm("_Z5ldexpfi");
float fma(float, float, float) asm("_Z3fmafff");
float frexp(float, int*) asm("_Z5frexpfPU9CLprivatei");
float remquo(float, float, int*) asm("_Z6remquoffPU9CLprivatei");
float modf(float, float*) asm("_Z4modffPU9CLprivatef");
float fract(float, float*) asm("_Z5fractfPU9CLprivatef");
float lgamma_r(float, int*) asm("_Z8lgamma_rfPU9CLprivatei");
int ilogb(float) asm("_Z5ilogbf");
}  // namespace cl

// What the library leaves to the device.
namespace device {
float fabs_(float x) asm("_Z4fabsf");
float fabs_(float x) { return std::fabs(x); }
float rint_(float x) asm("_Z4rintf");
float rint_(float x) { return std::rint(x); }
float trunc_(float x) asm("_Z5truncf");
float trunc_(float x) { return std::trunc(x); }
float floor_(float x) asm("_Z5floorf");
float floor_(float x) { return std::floor(x); }
float sqrt_(float x) asm("_Z4sqrtf");
float sqrt_(float x) {
    return std::nextafter(std::nextafter(std::sqrt(x), 0.0f), 0.0f);
}  // as bad as allowed
uint32_t clz_(uint32_t x) asm("_Z3clzj");
uint32_t clz_(uint32_t x) { return x == 0 ? 32 : __builtin_clz(x); }
uint64_t clz64(uint64_t x) asm("_Z3clzm");
uint64_t clz64(uint64_t x) { return x == 0 ? 64 : __builtin_clzl(x); }
uint32_t mul_hi_(uint32_t a, uint32_t b) asm("_Z6mul_hijj");
uint32_t mul_hi_(uint32_t a, uint32_t b) { return static_cast<uint64_t>(a) * b >> 32; }
uint32_t umax(uint32_t a, uint32_t b) asm("_Z3maxjj");
uint32_t umax(uint32_t a, uint32_t b) { return std::max(a, b); }
uint32_t umin(uint32_t a, uint32_t b) asm("_Z3minjj");
uint32_t umin(uint32_t a, uint32_t b) { return std::min(a, b); }
int imin(int a, int b) asm("_Z3minii");
int imin(int a, int b) { return std::min(a, b); }
int imax(int a, int b) asm("_Z3maxii");
int imax(int a, int b) { return std::max(a, b); }
int iclamp(int a, int b, int c) asm("_Z5clampiii");
int iclamp(int a, int b, int c) { return std::clamp(a, b, c); }
float fmin_(float a, float b) asm("_Z3minff");
float fmin_(float a, float b) { return std::min(a, b); }
}  // namespace device

namespace {

using Wide = long double;
constexpr Wide kPi = 3.14159265358979323846264338327950288L;
uint32_t g_stride = 9973;
int g_failures = 0;

double ulps(float got, Wide want) {
    if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
    if (std::isnan(got)) return INFINITY;
    if (static_cast<Wide>(got) == want)
        return std::signbit(got) == std::signbit(want) ? 0 : (want == 0 ? 1e9 : 0);
    int e = want == 0 || std::isinf(want) ? -126 : std::max(std::ilogb(want), -126);
    if (std::isinf(got)) return std::fabs(want) >= 0x1.ffffffp127L ? 0 : INFINITY;
    if (std::isinf(want)) return INFINITY;
    return static_cast<double>(std::fabs(static_cast<Wide>(got) - want) / std::ldexp(1.0L, e - 23));
}

struct Worst {
    const char* name;
    double bound, worst = 0;
    float x = 0, y = 0, got = 0;
    Wide want = 0;
    void see(float x_, float y_, float got_, Wide want_) {
        double u = ulps(got_, want_);
        if (u > worst) worst = u, x = x_, y = y_, got = got_, want = want_;
    }
    ~Worst() {
        bool bad = worst > bound;
        g_failures += bad;
        std::printf("%-10s %10.3f of %4.1f ulp at %a %a: %a, not %La%s\n", name, worst, bound, x, y, got,
                    want, bad ? "  FAIL" : "");
    }
};

float bits(uint32_t b) {
    float f;
    std::memcpy(&f, &b, 4);
    return f;
}
const uint32_t kSpecial[] = {0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x800000,
                             0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40000000, 0xc0000000,
                             0x3f000000, 0xbf000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                             0x7fc00000, 0x40400000, 0xc0400000, 0x40490fdb, 0x3fc90fdb, 0x4b000000,
                             0x4b800000, 0xcb800001, 0x3effffff, 0xbfc00000, 0x3fc00000, 0x40200000};

void one(const char* name, double bound, float (*f)(float), const std::function<Wide(Wide)>& reference) {
    Worst worst = {name, bound};
    for (uint32_t b : kSpecial) worst.see(bits(b), 0, f(bits(b)), reference(bits(b)));
    for (uint64_t b = 0; b <= 0xffffffff; b += g_stride) {
        float x = bits(static_cast<uint32_t>(b));
        worst.see(x, 0, f(x), reference(x));
    }
    std::mt19937 random(1);  // the range where most happens
    std::uniform_real_distribution<float> near(-12, 12), one(0, 2);
    for (uint32_t i = 0; i < 0x40000000 / g_stride; ++i) {
        float x = near(random), y = one(random);
        worst.see(x, 0, f(x), reference(x));
        worst.see(y, 0, f(y), reference(y));
    }
}

void two(const char* name, double bound, float (*f)(float, float),
         const std::function<Wide(Wide, Wide)>& reference) {
    Worst worst = {name, bound};
    for (uint32_t a : kSpecial)
        for (uint32_t b : kSpecial)
            worst.see(bits(a), bits(b), f(bits(a), bits(b)), reference(bits(a), bits(b)));
    std::mt19937 random(1);
    std::uniform_real_distribution<float> near(-12, 12), one(0, 2);
    for (uint32_t i = 0; i < 0x80000000 / g_stride; ++i) {
        float x = bits(random()), y = bits(random());
        worst.see(x, y, f(x, y), reference(x, y));
        x = one(random), y = near(random) * 8;
        worst.see(x, y, f(x, y), reference(x, y));
        x = 1 + (one(random) - 1) / 4096, y = near(random) * 100000;
        worst.see(x, y, f(x, y), reference(x, y));
    }
}

Wide turn(Wide x) {  // x mod 2, exact
    return std::fmod(x, 2.0L);
}
Wide sinpi(Wide x) {
    if (!std::isfinite(x)) return NAN;
    Wide r = turn(x);
    if (r == std::trunc(r)) return std::copysign(0.0L, x);
    if (r > 0.5L && r <= 1.5L)
        r = 1 - r;
    else if (r > 1.5L)
        r -= 2;
    else if (r < -0.5L && r >= -1.5L)
        r = -1 - r;
    else if (r < -1.5L)
        r += 2;
    return std::sin(kPi * r);
}
Wide cospi(Wide x) {
    if (!std::isfinite(x)) return NAN;
    Wide r = std::fabs(turn(x));
    if (r == 0.5L || r == 1.5L) return 0;
    if (r > 1) r = 2 - r;
    return r < 0.25L ? std::cos(kPi * r) : r > 0.75L ? -std::cos(kPi * (1 - r)) : std::sin(kPi * (0.5L - r));
}
Wide tanpi(Wide x) {
    if (!std::isfinite(x)) return NAN;
    Wide r = turn(x);
    if (r == std::trunc(r)) return std::copysign(0.0L, std::fabs(r) == 1 ? -x : x);
    if (std::fabs(r) == 0.5L || std::fabs(r) == 1.5L) return (r == 0.5L || r == -1.5L) ? INFINITY : -INFINITY;
    return sinpi(x) / cospi(x);
}
Wide zero_or(Wide x, Wide value) { return x == 0 ? x : value; }
Wide powr(Wide x, Wide y) {
    if (std::isnan(x) || std::isnan(y) || x < 0) return NAN;
    if (x == 0 && y == 0) return NAN;
    if (std::isinf(x) && y == 0) return NAN;
    if (x == 1 && std::isinf(y)) return NAN;
    return std::pow(std::fabs(x), y);
}

void all() {
    one("exp", 3, cl::exp, [](Wide x) { return std::exp(x); });
    one("exp2", 3, cl::exp2, [](Wide x) { return std::exp2(x); });
    one("exp10", 3, cl::exp10, [](Wide x) { return exp10l(x); });
    one("expm1", 3, cl::expm1, [](Wide x) { return std::expm1(x); });
    one("log", 3, cl::log, [](Wide x) { return std::log(x); });
    one("log2", 3, cl::log2, [](Wide x) { return std::log2(x); });
    one("log10", 3, cl::log10, [](Wide x) { return std::log10(x); });
    one("log1p", 2, cl::log1p, [](Wide x) { return std::log1p(x); });
    one("sin", 4, cl::sin, [](Wide x) { return std::sin(x); });
    one("cos", 4, cl::cos, [](Wide x) { return std::cos(x); });
    one("tan", 5, cl::tan, [](Wide x) { return std::tan(x); });
    one("sinpi", 4, cl::sinpi, sinpi);
    one("cospi", 4, cl::cospi, cospi);
    one("tanpi", 6, cl::tanpi, tanpi);
    one("asin", 4, cl::asin, [](Wide x) { return std::asin(x); });
    one("acos", 4, cl::acos, [](Wide x) { return std::acos(x); });
    one("atan", 5, cl::atan, [](Wide x) { return std::atan(x); });
    one("asinpi", 5, cl::asinpi, [](Wide x) { return zero_or(x, std::asin(x) / kPi); });
    one("acospi", 5, cl::acospi, [](Wide x) { return std::acos(x) / kPi; });
    one("atanpi", 5, cl::atanpi, [](Wide x) { return zero_or(x, std::atan(x) / kPi); });
    two("atan2", 6, cl::atan2, [](Wide y, Wide x) { return std::atan2(y, x); });
    two("atan2pi", 6, cl::atan2pi, [](Wide y, Wide x) { return std::atan2(y, x) / kPi; });
    one("sinh", 4, cl::sinh, [](Wide x) { return std::sinh(x); });
    one("cosh", 4, cl::cosh, [](Wide x) { return std::cosh(x); });
    one("tanh", 5, cl::tanh, [](Wide x) { return std::tanh(x); });
    one("asinh", 4, cl::asinh, [](Wide x) { return std::asinh(x); });
    one("acosh", 4, cl::acosh, [](Wide x) { return std::acosh(x); });
    one("atanh", 5, cl::atanh, [](Wide x) { return std::atanh(x); });
    one("cbrt", 2, cl::cbrt, [](Wide x) { return std::cbrt(x); });
    two("hypot", 4, cl::hypot, [](Wide x, Wide y) { return std::hypot(x, y); });
    one("erf", 16, cl::erf, [](Wide x) { return std::erf(x); });
    one("erfc", 16, cl::erfc, [](Wide x) { return std::erfc(x); });
    one("tgamma", 16, cl::tgamma, [](Wide x) { return std::tgamma(x); });
    one("lgamma", 1e7, cl::lgamma, [](Wide x) { return std::lgamma(x); });
    two("pow", 16, cl::pow, [](Wide x, Wide y) { return std::pow(x, y); });
    two("powr", 16, cl::powr, powr);
    two(
        "pown", 16,
        [](float x, float y) { return cl::pown(x, static_cast<int>(std::clamp(y, -2e9f, 2e9f))); },
        [](Wide x, Wide y) {
            return std::pow(x, static_cast<Wide>(static_cast<int>(std::clamp<Wide>(y, -2e9L, 2e9L))));
        });
    two(
        "rootn", 16,
        [](float x, float y) { return cl::rootn(x, static_cast<int>(std::clamp(y, -2e9f, 2e9f))); },
        [](Wide x, Wide y) -> Wide {
            auto n = static_cast<Wide>(static_cast<int>(std::clamp<Wide>(y, -2e9L, 2e9L)));
            bool odd = std::fmod(n, 2.0L) != 0;
            if (n == 0 || std::isnan(x)) return NAN;
            if (x == 0) return odd ? std::pow(x, n < 0 ? -1.0L : 1.0L) : n < 0 ? INFINITY : 0;
            if (x < 0 && !odd) return NAN;
            return std::copysign(std::pow(std::fabs(x), 1 / n), x);
        });
    two("fmod", 0, cl::fmod, [](Wide x, Wide y) { return std::fmod(x, y); });
    two("remainder", 0, cl::remainder, [](Wide x, Wide y) { return std::remainder(x, y); });
    two(
        "remquo", 0,
        [](float x, float y) {
            int q;
            float r = cl::remquo(x, y, &q);
            return r;
        },
        [](Wide x, Wide y) { return std::remainder(x, y); });
    two(
        "remquo q", 0,
        [](float x, float y) {
            int q;
            cl::remquo(x, y, &q);
            return static_cast<float>(q & 7);
        },
        [](Wide x, Wide y) -> Wide {
            int q = 0;
            if (!std::isfinite(x) || std::isnan(y) || y == 0) return 0;
            if (std::isinf(y)) return 0;
            std::remquo(x, y, &q);
            return q & 7;
        });
    two("nextafter", 0, cl::nextafter, [](Wide x, Wide y) { return nextafterf(x, y); });
    two(
        "ldexp", 0.5,
        [](float x, float y) { return cl::ldexp(x, static_cast<int>(std::clamp(y, -2e9f, 2e9f))); },
        [](Wide x, Wide y) {
            return static_cast<Wide>(ldexpf(x, static_cast<int>(std::clamp<Wide>(y, -2e9L, 2e9L))));
        });
    one("logb", 0, cl::logb, [](Wide x) { return logbf(x); });
    one(
        "ilogb", 0, [](float x) { return static_cast<float>(cl::ilogb(x)); },
        [](Wide x) -> Wide {
            return x == 0 ? -0x1p31L : static_cast<float>(std::isfinite(x) ? ilogbf(x) : 0x7fffffff);
        });
    one(
        "frexp", 0,
        [](float x) {
            int e;
            return cl::frexp(x, &e);
        },
        [](Wide x) {
            int e;
            return static_cast<Wide>(frexpf(x, &e));
        });
    one(
        "frexp e", 0,
        [](float x) {
            int e;
            cl::frexp(x, &e);
            return static_cast<float>(e);
        },
        [](Wide x) {
            int e = 0;
            if (std::isfinite(x)) frexpf(x, &e);
            return static_cast<Wide>(e);
        });
    one(
        "modf", 0,
        [](float x) {
            float i;
            return cl::modf(x, &i);
        },
        [](Wide x) {
            float i;
            return static_cast<Wide>(modff(x, &i));
        });
    one(
        "modf i", 0,
        [](float x) {
            float i;
            cl::modf(x, &i);
            return i;
        },
        [](Wide x) {
            float i;
            modff(x, &i);
            return static_cast<Wide>(i);
        });
    one(
        "fract", 0.5,
        [](float x) {
            float i;
            return cl::fract(x, &i);
        },
        [](Wide x) -> Wide {
            if (std::isnan(x) || x == 0) return x;
            if (std::isinf(x)) return std::copysign(0.0L, x);
            return std::min<Wide>(static_cast<float>(x - std::floor(x)), 0x1.fffffep-1L);
        });
    Worst fma = {"fma", 0};
    std::mt19937 random(1);
    for (uint32_t i = 0; i < 0xffffffff / g_stride; ++i) {
        float a = bits(random()), b = bits(random()), c = bits(random());
        fma.see(a, b, cl::fma(a, b, c), std::fma(a, b, c));
        c = -a * b * (1 + static_cast<float>(random() % 5) / 8388608);
        fma.see(a, b, cl::fma(a, b, c), std::fma(a, b, c));
        a = bits(0x20000000 | (random() & 0x8fffffff)), b = bits(0x20000000 | (random() & 0x8fffffff)),
        c = bits(random() & 0x83ffffff);
        fma.see(a, b, cl::fma(a, b, c), std::fma(a, b, c));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) g_stride = static_cast<uint32_t>(std::atoi(argv[1]));
    all();
    return g_failures != 0;
}
