// SPDX-License-Identifier: Apache-2.0
// DefaultFloatEnvironment: how we compute with floats, whatever the thread that calls us does by itself.
#pragma once

#include <cfenv>
#include <cstdint>

namespace caldera {

/// What decides how a thread computes with floats, and the flags that computing has raised.
struct FloatState {
#if defined(__x86_64__)
    uint32_t sse = 0;  ///< MXCSR
    /// Of long double; the C library also prints numbers by it.
    uint16_t x87_control = 0, x87_status = 0;
#elif defined(__aarch64__)
    uint64_t control = 0, status = 0;  ///< FPCR, FPSR
#else
    std::fenv_t environment = {};
#endif
};

/// While one lives, the calling thread rounds to nearest, keeps denormals and traps no exception (IEC 60559's default), and so do
/// the threads that it starts. Then the thread has its own environment again, with the exception flags that were raised in it
/// before: a call of ours raises none. Where the thread has the default already, this reads registers, and writes but the flags that
/// we have raised. One within another does nothing.
///
/// Programs come with other environments: those that gcc -ffast-math has linked flush denormals to zero, interval arithmetic sets
/// the direction of rounding, gfortran -ffpe-trap and Delphi trap. Each door of ours has one of these: what computes floats, what may
/// reach the Vulkan driver's compiler, and what starts threads.
class DefaultFloatEnvironment {
 public:
    DefaultFloatEnvironment() noexcept;
    ~DefaultFloatEnvironment();
    DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
    DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
    friend class CallersFloatEnvironment;

    const bool is_outermost_;
    FloatState callers_ = {};
};

/// While one lives, for a function of the program's that we call back: the thread has the environment again that it had when it
/// called us. What the function makes of that stays, as after any call.
class CallersFloatEnvironment {
 public:
    CallersFloatEnvironment() noexcept;
    ~CallersFloatEnvironment();
    CallersFloatEnvironment(const CallersFloatEnvironment&) = delete;
    CallersFloatEnvironment& operator=(const CallersFloatEnvironment&) = delete;

 private:
    DefaultFloatEnvironment* const left_;  // null: the thread did not call us
};

}  // namespace caldera
