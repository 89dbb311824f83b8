// SPDX-License-Identifier: Apache-2.0
// All that verify() (spirv.h) would say of a module.
#pragma once

#include <string>
#include <vector>

#include "spirv/module.h"

namespace caldera::spirv {

struct Violation {
    std::string message = {};
    Id about = {};  ///< the instruction's result, or else its function; 0: neither
};
/// All violations of verify()'s rules, but those that cannot be told from what follows of another one.
std::vector<Violation> violations(const Module& module);

}  // namespace caldera::spirv
