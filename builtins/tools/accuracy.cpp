// SPDX-License-Identifier: Apache-2.0
// Measures builtins/math on the CPU: each .cl compiled by clang as OpenCL C, linked with this, and compared with the
// C library in long double. Usage: tools/accuracy.sh [COUNT]
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace cl {
#define ONE(length, name)                         \
    float name(float) asm("_Z" length #name "f"); \
    double name(double) asm("_Z" length #name "d");
#define TWO(length, name)                                 \
    float name(float, float) asm("_Z" length #name "ff"); \
    double name(double, double) asm("_Z" length #name "dd");
#define WITH_INT(length, name)                          \
    float name(float, int) asm("_Z" length #name "fi"); \
    double name(double, int) asm("_Z" length #name "di");
ONE("4", acos)
ONE("5", acosh)
ONE("6", acospi) ONE("4", asin) ONE("5", asinh) ONE("6", asinpi) ONE("4", atan) ONE("5", atanh)
    ONE("6", atanpi) ONE("4", cbrt) ONE("3", cos) ONE("4", cosh) ONE("5", cospi) ONE("4", erfc) ONE("3", erf)
        ONE("3", exp) ONE("4", exp2) ONE("5", exp10) ONE("5", expm1) ONE("3", log) ONE("4", log2)
            ONE("5", log10) ONE("5", log1p) ONE("4", logb) ONE("3", sin) ONE("4", sinh) ONE("5", sinpi)
                ONE("3", tan) ONE("4", tanh) ONE("5", tanpi) ONE("6", tgamma) ONE("6", lgamma) TWO("5", atan2)
                    TWO("7", atan2pi) TWO("5", hypot) TWO("4", fmod) TWO("9", remainder) TWO("3", pow)
                        TWO("4", powr) TWO("9", nextafter) WITH_INT("4", pown) WITH_INT("5", rootn)
                            WITH_INT("5", ldexp) float fma(float, float, float) asm("_Z3fmafff");
double fma(double, double, double) asm("_Z3fmaddd");
float sincos(float, float*) asm("_Z6sincosfPU9CLprivatef");
double sincos(double, double*) asm("_Z6sincosdPU9CLprivated");
float frexp(float, int*) asm("_Z5frexpfPU9CLprivatei");
double frexp(double, int*) asm("_Z5frexpdPU9CLprivatei");
float remquo(float, float, int*) asm("_Z6remquoffPU9CLprivatei");
double remquo(double, double, int*) asm("_Z6remquoddPU9CLprivatei");
float modf(float, float*) asm("_Z4modffPU9CLprivatef");
double modf(double, double*) asm("_Z4modfdPU9CLprivated");
float fract(float, float*) asm("_Z5fractfPU9CLprivatef");
double fract(double, double*) asm("_Z5fractdPU9CLprivated");
int ilogb(float) asm("_Z5ilogbf");
int ilogb(double) asm("_Z5ilogbd");
}  // namespace cl

// What the library leaves to the device. Square roots are as bad as OpenCL allows.
namespace device {
#define DEVICE(result, name, symbol, params, value) \
    result name params asm(symbol);                 \
    result name params { return value; }
#define DEVICE_REAL(T, code)                                 \
    DEVICE(T, fabs_, "_Z4fabs" code, (T x), std::fabs(x))    \
    DEVICE(T, rint_, "_Z4rint" code, (T x), std::rint(x))    \
    DEVICE(T, trunc_, "_Z5trunc" code, (T x), std::trunc(x)) \
    DEVICE(T, floor_, "_Z5floor" code, (T x), std::floor(x)) \
    DEVICE(T, sqrt_, "_Z4sqrt" code, (T x), std::nextafter(std::nextafter(std::sqrt(x), T(0)), T(0)))
DEVICE_REAL(float, "f")
DEVICE_REAL(double, "d")
DEVICE(uint32_t, clz_, "_Z3clzj", (uint32_t x), x == 0 ? 32 : __builtin_clz(x))
DEVICE(uint64_t, clz_, "_Z3clzm", (uint64_t x), x == 0 ? 64 : __builtin_clzl(x))
DEVICE(uint32_t, mul_hi_, "_Z6mul_hijj", (uint32_t a, uint32_t b), static_cast<uint64_t>(a) * b >> 32)
DEVICE(uint64_t, mul_hi_, "_Z6mul_himm", (uint64_t a, uint64_t b),
       static_cast<unsigned __int128>(a) * b >> 64)
DEVICE(uint32_t, max_, "_Z3maxjj", (uint32_t a, uint32_t b), std::max(a, b))
DEVICE(uint32_t, min_, "_Z3minjj", (uint32_t a, uint32_t b), std::min(a, b))
DEVICE(uint64_t, max_, "_Z3maxmm", (uint64_t a, uint64_t b), std::max(a, b))
DEVICE(uint64_t, min_, "_Z3minmm", (uint64_t a, uint64_t b), std::min(a, b))
DEVICE(int, max_, "_Z3maxii", (int a, int b), std::max(a, b))
DEVICE(int, min_, "_Z3minii", (int a, int b), std::min(a, b))
DEVICE(int, clamp_, "_Z5clampiii", (int a, int b, int c), std::clamp(a, b, c))
}  // namespace device

namespace {

using Wide = long double;
constexpr Wide kPi = 3.14159265358979323846264338327950288L;
uint32_t g_count = 100000;
int g_failures = 0;

template <class Real>
double ulps(Real got, Wide want) {
    using Limits = std::numeric_limits<Real>;
    if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
    if (std::isnan(got)) return INFINITY;
    if (static_cast<Wide>(got) == want)
        return std::signbit(got) == std::signbit(want) || want != 0 ? 0 : INFINITY;
    bool overflows = std::isinf(static_cast<Real>(want));
    if (std::isinf(got)) return overflows ? 0 : INFINITY;
    if (overflows) return std::fabs(got) == Limits::max() ? 1 : INFINITY;
    int lowest = Limits::min_exponent - 1;
    int e = want == 0 ? lowest : std::max(std::ilogb(want), lowest);
    return static_cast<double>(std::fabs(static_cast<Wide>(got) - want) /
                               std::ldexp(1.0L, e - Limits::digits + 1));
}

template <class Real>
struct Worst {
    const char* name;
    double bound, worst = 0;
    Real x = 0, y = 0, got = 0;
    Wide want = 0;
    void see(Real x_, Real y_, Real got_, Wide want_) {
        double u = ulps(got_, want_);
        if (u > worst) worst = u, x = x_, y = y_, got = got_, want = want_;
    }
    ~Worst() {
        bool bad = worst > bound;
        g_failures += bad;
        std::printf("%-6s %-10s %8.3f of %4.1f ulp at %a %a: %a, not %a%s\n",
                    sizeof(Real) == 4 ? "float" : "double", name, worst, bound, x, y, got,
                    static_cast<double>(want), bad ? "  FAIL" : "");
    }
};

template <class Real>
class Arguments {
 public:
    using Bits = std::conditional_t<sizeof(Real) == 4, uint32_t, uint64_t>;
    Real any() { return std::bit_cast<Real>(static_cast<Bits>(random_())); }
    Real between(Real low, Real high) { return std::uniform_real_distribution<Real>(low, high)(random_); }
    uint64_t number() { return random_(); }
    static std::vector<Real> special() {
        using L = std::numeric_limits<Real>;
        const Real e = L::epsilon();
        std::vector<Real> out = {0,         L::denorm_min(),
                                 L::min(),  std::nextafter(L::min(), Real(0)),
                                 1,         1 - e / 2,
                                 1 + e,     2,
                                 3,         4,
                                 Real(0.5), Real(0.5) - e / 4,
                                 1.5,       2.5,
                                 L::max(),  L::infinity(),
                                 1 / e,     1 / e + 1,
                                 2 / e,     4 / e,
                                 100,       1000,
                                 Real(kPi), Real(kPi / 2)};
        for (size_t i = out.size(); i-- > 0;) out.push_back(-out[i]);
        out.push_back(L::quiet_NaN());
        return out;
    }

 private:
    std::mt19937_64 random_{1};
};

template <class Real>
void one(const char* name, double bound, Real (*f)(Real), const std::function<Wide(Wide)>& reference) {
    Worst<Real> worst = {name, bound};
    Arguments<Real> arguments;
    auto see = [&](Real x) { worst.see(x, 0, f(x), reference(x)); };
    for (Real x : Arguments<Real>::special()) see(x);
    for (uint32_t i = 0; i < g_count; ++i) {
        see(arguments.any());
        see(arguments.between(-12, 12));
        see(arguments.between(0, 2));
        see(arguments.between(-200, 200));
    }
}

template <class Real>
void two(const char* name, double bound, Real (*f)(Real, Real),
         const std::function<Wide(Wide, Wide)>& reference) {
    Worst<Real> worst = {name, bound};
    Arguments<Real> a;
    auto see = [&](Real x, Real y) { worst.see(x, y, f(x, y), reference(x, y)); };
    for (Real x : Arguments<Real>::special())
        for (Real y : Arguments<Real>::special()) see(x, y);
    for (uint32_t i = 0; i < g_count; ++i) {
        see(a.any(), a.any());
        see(a.between(0, 2), a.between(-100, 100));
        see(1 + a.between(-1, 1) / 4096, a.between(-1, 1) * 1200000);
        see(a.between(-3, 3), a.between(-3, 3));
    }
}

// ---- References that the C library has not ----

Wide sinpi(Wide x) {
    if (!std::isfinite(x)) return NAN;
    Wide r = std::fmod(x, 2.0L);
    if (r == std::trunc(r)) return std::copysign(0.0L, x);
    if (std::fabs(r) > 1.5L)
        r -= std::copysign(2.0L, r);
    else if (std::fabs(r) > 0.5L)
        r = std::copysign(1.0L, r) - r;
    return std::sin(kPi * r);
}
Wide cospi(Wide x) {
    if (!std::isfinite(x)) return NAN;
    Wide r = std::fabs(std::fmod(x, 2.0L));
    if (r == 0.5L || r == 1.5L) return 0;
    if (r > 1) r = 2 - r;
    return r < 0.25L ? std::cos(kPi * r) : r > 0.75L ? -std::cos(kPi * (1 - r)) : std::sin(kPi * (0.5L - r));
}
Wide tanpi(Wide x) {
    if (!std::isfinite(x)) return NAN;
    Wide r = std::fmod(x, 2.0L);
    if (r == std::trunc(r)) return std::copysign(0.0L, std::fabs(r) == 1 ? -x : x);
    if (std::fabs(r) == 0.5L || std::fabs(r) == 1.5L) return r == 0.5L || r == -1.5L ? INFINITY : -INFINITY;
    return sinpi(x) / cospi(x);
}
Wide powr(Wide x, Wide y) {
    if (std::isnan(x) || std::isnan(y) || x < 0) return NAN;
    if ((x == 0 || std::isinf(x)) && y == 0) return NAN;
    if (x == 1 && std::isinf(y)) return NAN;
    return std::pow(std::fabs(x), y);
}
int to_int(Wide y) { return std::isnan(y) ? 0 : static_cast<int>(std::clamp<Wide>(y, -2e9L, 2e9L)); }
Wide rootn(Wide x, Wide y) {
    Wide n = to_int(y);
    bool odd = std::fmod(n, 2.0L) != 0;
    if (n == 0 || std::isnan(x)) return NAN;
    if (x == 0) return odd ? std::pow(x, n < 0 ? -1.0L : 1.0L) : n < 0 ? INFINITY : 0;
    if (x < 0 && !odd) return NAN;
    return std::copysign(std::pow(std::fabs(x), 1 / n), x);
}
Wide zero_or(Wide x, Wide value) { return x == 0 ? x : value; }
template <class Real>
Wide fract(Wide x) {
    if (std::isnan(x) || x == 0) return x;
    if (std::isinf(x)) return std::copysign(0.0L, x);
    return std::min<Wide>(static_cast<Real>(x - std::floor(x)), 1 - std::numeric_limits<Real>::epsilon() / 2);
}

template <class Real>
void transcendental() {
    one<Real>("exp", 3, cl::exp, [](Wide x) { return std::exp(x); });
    one<Real>("exp2", 3, cl::exp2, [](Wide x) { return std::exp2(x); });
    one<Real>("exp10", 3, cl::exp10, [](Wide x) { return exp10l(x); });
    one<Real>("expm1", 3, cl::expm1, [](Wide x) { return std::expm1(x); });
    one<Real>("log", 3, cl::log, [](Wide x) { return std::log(x); });
    one<Real>("log2", 3, cl::log2, [](Wide x) { return std::log2(x); });
    one<Real>("log10", 3, cl::log10, [](Wide x) { return std::log10(x); });
    one<Real>("log1p", 2, cl::log1p, [](Wide x) { return std::log1p(x); });
    one<Real>("sin", 4, cl::sin, [](Wide x) { return std::sin(x); });
    one<Real>("cos", 4, cl::cos, [](Wide x) { return std::cos(x); });
    one<Real>(
        "sincos s", 4,
        [](Real x) {
            Real c;
            return cl::sincos(x, &c);
        },
        [](Wide x) { return std::sin(x); });
    one<Real>(
        "sincos c", 4,
        [](Real x) {
            Real c;
            cl::sincos(x, &c);
            return c;
        },
        [](Wide x) { return std::cos(x); });
    one<Real>("tan", 5, cl::tan, [](Wide x) { return std::tan(x); });
    one<Real>("sinpi", 4, cl::sinpi, sinpi);
    one<Real>("cospi", 4, cl::cospi, cospi);
    one<Real>("tanpi", 6, cl::tanpi, tanpi);
    one<Real>("asin", 4, cl::asin, [](Wide x) { return std::asin(x); });
    one<Real>("acos", 4, cl::acos, [](Wide x) { return std::acos(x); });
    one<Real>("atan", 5, cl::atan, [](Wide x) { return std::atan(x); });
    one<Real>("asinpi", 5, cl::asinpi, [](Wide x) { return zero_or(x, std::asin(x) / kPi); });
    one<Real>("acospi", 5, cl::acospi, [](Wide x) { return std::acos(x) / kPi; });
    one<Real>("atanpi", 5, cl::atanpi, [](Wide x) { return zero_or(x, std::atan(x) / kPi); });
    two<Real>("atan2", 6, cl::atan2, [](Wide y, Wide x) { return std::atan2(y, x); });
    two<Real>("atan2pi", 6, cl::atan2pi, [](Wide y, Wide x) { return std::atan2(y, x) / kPi; });
    one<Real>("sinh", 4, cl::sinh, [](Wide x) { return std::sinh(x); });
    one<Real>("cosh", 4, cl::cosh, [](Wide x) { return std::cosh(x); });
    one<Real>("tanh", 5, cl::tanh, [](Wide x) { return std::tanh(x); });
    one<Real>("asinh", 4, cl::asinh, [](Wide x) { return std::asinh(x); });
    one<Real>("acosh", 4, cl::acosh, [](Wide x) { return std::acosh(x); });
    one<Real>("atanh", 5, cl::atanh, [](Wide x) { return std::atanh(x); });
    one<Real>("cbrt", 2, cl::cbrt, [](Wide x) { return std::cbrt(x); });
    two<Real>("hypot", 4, cl::hypot, [](Wide x, Wide y) { return std::hypot(x, y); });
    one<Real>("erf", 16, cl::erf, [](Wide x) { return std::erf(x); });
    one<Real>("erfc", 16, cl::erfc, [](Wide x) { return std::erfc(x); });
    one<Real>("tgamma", 16, cl::tgamma, [](Wide x) { return std::tgamma(x); });
    one<Real>("lgamma", 1e99, cl::lgamma, [](Wide x) { return std::lgamma(x); });
    two<Real>("pow", 16, cl::pow, [](Wide x, Wide y) { return std::pow(x, y); });
    two<Real>("powr", 16, cl::powr, powr);
    two<Real>(
        "pown", 16, [](Real x, Real y) { return cl::pown(x, to_int(y)); },
        [](Wide x, Wide y) { return std::pow(x, static_cast<Wide>(to_int(y))); });
    two<Real>(
        "rootn", 16, [](Real x, Real y) { return cl::rootn(x, to_int(y)); }, rootn);
}

template <class Real>
void exact() {
    auto remainder = [](Wide x, Wide y) { return std::remainder(x, y); };
    two<Real>("fmod", 0, cl::fmod, [](Wide x, Wide y) { return std::fmod(x, y); });
    two<Real>("remainder", 0, cl::remainder, remainder);
    two<Real>(
        "remquo", 0,
        [](Real x, Real y) {
            int q;
            return cl::remquo(x, y, &q);
        },
        remainder);
    two<Real>(
        "remquo q", 0,
        [](Real x, Real y) -> Real {
            int q;
            cl::remquo(x, y, &q);
            return std::abs(q) & 7;
        },
        [](Wide x, Wide y) -> Wide {
            int q = 0;
            if (std::isfinite(x) && std::isfinite(y) && y != 0) std::remquo(x, y, &q);
            return std::abs(q) & 7;
        });
    two<Real>("nextafter", 0, cl::nextafter,
              [](Wide x, Wide y) { return std::nextafter(static_cast<Real>(x), static_cast<Real>(y)); });
    two<Real>(
        "ldexp", 0, [](Real x, Real y) { return cl::ldexp(x, to_int(y)); },
        [](Wide x, Wide y) { return std::ldexp(static_cast<Real>(x), to_int(y)); });
    one<Real>("logb", 0, cl::logb, [](Wide x) { return std::logb(x); });
    one<Real>(
        "ilogb", 0, [](Real x) { return static_cast<Real>(cl::ilogb(x)); },
        [](Wide x) -> Wide {
            return x == 0 ? -0x1p31L : static_cast<Real>(std::isfinite(x) ? std::ilogb(x) : 0x7fffffff);
        });
    one<Real>(
        "frexp", 0,
        [](Real x) {
            int e;
            return cl::frexp(x, &e);
        },
        [](Wide x) {
            int e;
            return std::frexp(x, &e);
        });
    one<Real>(
        "frexp e", 0,
        [](Real x) -> Real {
            int e;
            cl::frexp(x, &e);
            return e;
        },
        [](Wide x) -> Wide {
            int e = 0;
            if (std::isfinite(x)) std::frexp(x, &e);
            return e;
        });
    one<Real>(
        "modf", 0,
        [](Real x) {
            Real i;
            return cl::modf(x, &i);
        },
        [](Wide x) {
            Wide i;
            return std::modf(x, &i);
        });
    one<Real>(
        "modf i", 0,
        [](Real x) {
            Real i;
            cl::modf(x, &i);
            return i;
        },
        [](Wide x) {
            Wide i;
            std::modf(x, &i);
            return i;
        });
    one<Real>(
        "fract", 0,
        [](Real x) {
            Real i;
            return cl::fract(x, &i);
        },
        fract<Real>);
}

template <class Real>
void fma() {
    Worst<Real> worst = {"fma", 0};
    Arguments<Real> random;
    using Bits = typename Arguments<Real>::Bits;
    auto see = [&](Real a, Real b, Real c) { worst.see(a, b, cl::fma(a, b, c), std::fma(a, b, c)); };
    auto scaled = [&](int low, int high) {  // 1 <= |x| < 2 times a power of two of this range
        Real x =
            std::ldexp(1 + random.between(0, 1), low + static_cast<int>(random.number() % (high - low + 1)));
        return random.number() % 2 ? x : -x;
    };
    const int lowest = std::numeric_limits<Real>::min_exponent - std::numeric_limits<Real>::digits;
    for (uint32_t i = 0; i < 4 * g_count; ++i) {
        Real a = random.any(), b = random.any();
        see(a, b, random.any());
        Real near = -a * b;  // cancellation
        see(a, b, std::bit_cast<Real>(static_cast<Bits>(std::bit_cast<Bits>(near) + random.number() % 5)));
        see(scaled(-30, 30), scaled(-30, 30), scaled(-60, 60));
        see(scaled(lowest / 2 - 3, lowest / 2 + 30), scaled(lowest / 2 - 3, lowest / 2 + 30),
            scaled(lowest - 3, lowest + 60));  // denormal results
    }
    for (Real a : Arguments<Real>::special())
        for (Real b : Arguments<Real>::special())
            for (Real c : Arguments<Real>::special()) see(a, b, c);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) g_count = static_cast<uint32_t>(std::atoi(argv[1]));
    transcendental<float>();
    exact<float>();
    fma<float>();
    transcendental<double>();
    exact<double>();
    fma<double>();
    return g_failures != 0;
}
