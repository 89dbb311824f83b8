// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/patience.h"

#include <ctime>

#include "spirv/support/process.h"

namespace caldera::runtime {

Patience::Moment Patience::now() {
    // On Windows, clock() is the time since the process began: kWork is then a limit by the clock.
    const double worked_s = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    return {.clock = std::chrono::steady_clock::now().time_since_epoch(),
            .worked = std::chrono::duration_cast<Time>(std::chrono::duration<double>(worked_s))};
}

bool Patience::ends(const Moment& at) {
    if (at.worked - mark_.worked >= kLittle) mark_ = at;
    if (at.clock - mark_.clock >= kClock) {
        if (!other_threads_are_ready()) return true;
        mark_ = at;
    }
    return at.clock - start_.clock >= kClock && at.worked - start_.worked >= kWork;
}

}  // namespace caldera::runtime
