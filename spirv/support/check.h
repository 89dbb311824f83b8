// SPDX-License-Identifier: Apache-2.0
// check(): an invariant of Caldera. A failure is a bug in Caldera, never the user's fault.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace caldera {

/// A broken invariant. Only compile(), translate() and the driver's entry wrapper catch it.
struct InternalError : std::logic_error {
    using std::logic_error::logic_error;
};

/// Throws InternalError naming the place when `condition` is false.
inline void check(bool condition, const char* what,
                  std::source_location place = std::source_location::current()) {
    if (!condition) [[unlikely]]
        throw InternalError(std::string(place.file_name()) + ":" + std::to_string(place.line()) + ": " +
                            what);
}

}  // namespace caldera
