// SPDX-License-Identifier: Apache-2.0
// What programs around us have that changes arithmetic and text: floating-point environments and locales.
#pragma once

#include <cfenv>
#include <clocale>
#include <cstdint>
#include <locale>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace caldera::testing {

struct FloatEnvironment {
    const char* name = "";
    void (*begin)() = [] {};
};
inline std::vector<FloatEnvironment> other_float_environments() {
    return {
        {"rounds upward", [] { std::fesetround(FE_UPWARD); }},
            {"rounds downward", [] { std::fesetround(FE_DOWNWARD); }},
            {"rounds toward zero", [] { std::fesetround(FE_TOWARDZERO); }},
#if defined(__x86_64__)
            {"flushes denormals", [] { _mm_setcsr(_mm_getcsr() | 0x8040); }},
#elif defined(__aarch64__)
            {"flushes denormals", [] {
                 uint64_t control = 0;
                 asm volatile("mrs %0, fpcr" : "=r"(control));
                 asm volatile("msr fpcr, %0" : : "r"(control | 1 << 24));
             }},
#endif
#if defined(__GLIBC__)
            {"traps", [] { ::feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW); }},
#endif
    };
}

/// The floating-point state of a thread that a call must not change.
struct FloatStatus {
    int direction = std::fegetround();
    int raised = std::fetestexcept(FE_ALL_EXCEPT);
#if defined(__GLIBC__)
    int trapping = ::fegetexcept();
#endif
#if defined(__x86_64__)
    unsigned sse = _mm_getcsr();
#endif
    bool operator==(const FloatStatus&) const = default;
};

/// While one lives, the thread has that environment, without a flag raised. Tests look at what they have when
/// it has ended.
class InFloatEnvironment {
 public:
    explicit InFloatEnvironment(const FloatEnvironment& other) {
        std::fegetenv(&before_);
        std::feclearexcept(FE_ALL_EXCEPT);
        other.begin();
    }
    ~InFloatEnvironment() { std::fesetenv(&before_); }
    InFloatEnvironment(const InFloatEnvironment&) = delete;
    InFloatEnvironment& operator=(const InFloatEnvironment&) = delete;

 private:
    std::fenv_t before_ = {};
};

/// While one lives, the process has the C locale of that name, if it is there. CTest has LOCPATH name a
/// folder with de_DE and tr_TR.
class InLocale {
 public:
    explicit InLocale(const char* name) : before_(std::setlocale(LC_ALL, nullptr)) {
        is_there_ = std::setlocale(LC_ALL, name) != nullptr;
    }
    ~InLocale() { std::setlocale(LC_ALL, before_.c_str()); }
    InLocale(const InLocale&) = delete;
    InLocale& operator=(const InLocale&) = delete;
    bool is_there() const { return is_there_; }

 private:
    std::string before_ = {};
    bool is_there_ = false;
};

/// While one lives, the global locale of C++ writes 1234567.5 as 1.234.567,5, and to it an x is a blank.
class InGroupingLocale {
 public:
    InGroupingLocale()
        : before_(std::locale::global(
              std::locale(std::locale(std::locale::classic(), new Numbers), new Letters))) {}
    ~InGroupingLocale() { std::locale::global(before_); }
    InGroupingLocale(const InGroupingLocale&) = delete;
    InGroupingLocale& operator=(const InGroupingLocale&) = delete;

 private:
    struct Numbers : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
        std::string do_truename() const override { return "wahr"; }
        std::string do_falsename() const override { return "falsch"; }
    };
    struct Letters : std::ctype<char> {
        Letters() : std::ctype<char>(table()) {}
        static const mask* table() {
            static const std::vector<mask> changed = [] {
                std::vector<mask> all(classic_table(), classic_table() + table_size);
                all['x'] = space;
                return all;
            }();
            return changed.data();
        }
    };

    std::locale before_;
};

}  // namespace caldera::testing
