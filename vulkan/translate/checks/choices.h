// SPDX-License-Identifier: Apache-2.0
// Choices: tells when a value counts that is computed in any case. Front ends compute cheap operands of `?:`,
// `&&` and `||` before they are chosen, and the program does not evaluate those that are not.
#pragma once

#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// A Boolean, or a vector of them, and what it is where a value counts.
struct Choice {
    spirv::Id condition = {};
    bool when = true;
};

/// The function must not change as long as this is used.
class Choices {
 public:
    Choices(const spirv::Builder& builder, const spirv::Function& function);

    /// All that must hold for the value to count. The conditions are known where the value is computed. Each
    /// is one Boolean, or has as many components as the value, each of which then counts alone.
    std::vector<Choice> of(spirv::Id value) const;

 private:
    struct Place {
        const spirv::Instruction* inst = nullptr;
        size_t block = 0, index = 0;
    };

    bool is_known(spirv::Id condition, const Place& place) const;
    spirv::Id of_all(spirv::Id vector) const;

    const spirv::Builder& builder_;
    spirv::IdMap<Place> defs_ = {};
    spirv::IdMap<std::vector<Place>> users_ = {};
};

}  // namespace caldera::vulkan
