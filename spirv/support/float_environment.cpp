// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/float_environment.h"

#include <utility>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace caldera {
namespace {

/// The outermost instance of this thread, if the thread is inside a call of Caldera.
constinit thread_local DefaultFloatEnvironment* outermost = nullptr;

#if defined(__x86_64__)

constexpr uint32_t kSseFlags = 0x3f, kSseDefault = 0x1f80;
constexpr uint16_t kX87Flags = 0x7f, kX87Default = 0x37f, kX87Summaries = 0x8080;

/// The layout that FNSTENV writes and FLDENV reads.
struct X87Environment {
    uint32_t control = 0, status = 0, others[5] = {};
};

/// A flag that is raised traps at the next instruction of the x87 once it is not masked, FLDCW included:
/// FNSTENV, which masks all, comes first.
void write_x87(uint16_t control, uint16_t flags) {
    X87Environment environment;
    asm volatile("fnstenv %0" : "=m"(environment));
    environment.control = (environment.control & 0xffff0000) | control;
    environment.status = (environment.status & ~uint32_t{kX87Flags | kX87Summaries}) | (flags & kX87Flags);
    asm volatile("fldenv %0" : : "m"(environment));
}

/// Leaves the thread with the default environment.
void take(FloatState& callers) {
    const uint32_t sse = _mm_getcsr();
    if ((sse & ~kSseFlags) != kSseDefault) _mm_setcsr(kSseDefault);
    callers.sse = sse;
    uint16_t control = 0, status = 0;
    asm volatile("fnstcw %0" : "=m"(control));
    callers.x87_control = control;
    if (control == kX87Default) return;
    asm volatile("fnstsw %0" : "=a"(status));
    callers.x87_status = status;
    write_x87(kX87Default, 0);
}

/// The flags of an x87 unit in its default state are not read: this would take more time than everything
/// else, and Caldera raises none.
void give_back(const FloatState& callers) {
    if (_mm_getcsr() != callers.sse) _mm_setcsr(callers.sse);
    if (callers.x87_control != kX87Default) write_x87(callers.x87_control, callers.x87_status);
}

#elif defined(__aarch64__)

void take(FloatState& callers) {
    asm volatile("mrs %0, fpcr" : "=r"(callers.control));
    asm volatile("mrs %0, fpsr" : "=r"(callers.status));
    if (callers.control != 0) asm volatile("msr fpcr, %0" : : "r"(uint64_t{0}));
}

void give_back(const FloatState& callers) {
    uint64_t status = 0;
    asm volatile("mrs %0, fpsr" : "=r"(status));
    if (callers.control != 0) asm volatile("msr fpcr, %0" : : "r"(callers.control));
    if (status != callers.status) asm volatile("msr fpsr, %0" : : "r"(callers.status));
}

#else

void take(FloatState& callers) {
    std::fegetenv(&callers.environment);
    std::fesetenv(FE_DFL_ENV);
}
void give_back(const FloatState& callers) { std::fesetenv(&callers.environment); }

#endif

}  // namespace

DefaultFloatEnvironment::DefaultFloatEnvironment() noexcept : is_outermost_(!outermost) {
    if (!is_outermost_) return;
    take(callers_);
    outermost = this;
}

DefaultFloatEnvironment::~DefaultFloatEnvironment() {
    if (!is_outermost_) return;
    outermost = nullptr;
    give_back(callers_);
}

CallersFloatEnvironment::CallersFloatEnvironment() noexcept : left_(std::exchange(outermost, nullptr)) {
    if (left_) give_back(left_->callers_);
}

CallersFloatEnvironment::~CallersFloatEnvironment() {
    if (!left_) return;
    take(left_->callers_);
    outermost = left_;
}

}  // namespace caldera
