// SPDX-License-Identifier: Apache-2.0
// check(): an invariant of ours. A failure is our bug, never the user's.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace caldera {

/// A broken invariant. Caught only at the doors: compile(), translate() and the driver's entry wrapper.
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
