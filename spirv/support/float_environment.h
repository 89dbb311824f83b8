// SPDX-License-Identifier: Apache-2.0
// DefaultFloatEnvironment: makes Caldera's float computations independent of the calling thread's settings.
#pragma once

#include <cfenv>
#include <cstdint>

namespace caldera {

/// The registers that control a thread's float computations, and the exception flags.
struct FloatState {
#if defined(__x86_64__)
    uint32_t sse = 0;  ///< MXCSR
    /// Used for long double, and by the C library to print numbers.
    uint16_t x87_control = 0, x87_status = 0;
#elif defined(__aarch64__)
    uint64_t control = 0, status = 0;  ///< FPCR, FPSR
#else
    std::fenv_t environment = {};
#endif
};

/// While an instance exists, the calling thread rounds to nearest, keeps denormals and traps no exceptions
/// (IEC 60559's default), and so do the threads that it starts. Afterwards the thread has its previous
/// environment again, with the exception flags that were raised before: a call of Caldera raises none. If the
/// thread already has the default, this only reads registers, and writes only the flags that Caldera raised.
/// A nested instance does nothing.
///
/// Programs do have other environments: `gcc -ffast-math` flushes denormals to zero, interval arithmetic sets
/// the rounding direction, gfortran -ffpe-trap and Delphi trap exceptions. Every public function creates an
/// instance if it computes floats, may call the Vulkan driver's compiler, or starts threads.
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

/// Restores the thread's own environment while Caldera calls a function of the program. Changes that the
/// function makes remain, as after any call.
class CallersFloatEnvironment {
 public:
    CallersFloatEnvironment() noexcept;
    ~CallersFloatEnvironment();
    CallersFloatEnvironment(const CallersFloatEnvironment&) = delete;
    CallersFloatEnvironment& operator=(const CallersFloatEnvironment&) = delete;

 private:
    DefaultFloatEnvironment* const left_;  // null if the thread is not inside a call of Caldera
};

}  // namespace caldera
