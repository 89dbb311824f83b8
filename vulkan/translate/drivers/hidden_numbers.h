// SPDX-License-Identifier: Apache-2.0
// Constants that compilers do not know.
#pragma once

#include <span>
#include <vector>

#include "spirv/builder.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// Those of one function, computed at its entry, as `no_groups ? another : the number` (opaque.h).
class HiddenNumbers {
 public:
    HiddenNumbers(spirv::Builder& builder, Code& code, spirv::Function& function)
        : builder_(builder), code_(code), function_(function) {}

    /// The bits, in each component of the type of numbers.
    spirv::Id number(spirv::Id type, uint64_t bits);
    /// The constant's value: a scalar's or a vector's, of numbers.
    spirv::Id value(spirv::Id constant);
    /// The value of a vector's constant of which those components are hidden.
    spirv::Id components(spirv::Id constant, std::span<const uint32_t> hidden);
    /// Appends `no_groups ? 2.0 : floats` to the builder's sink: the same floats, of which the compiler knows nothing.
    spirv::Id hide(spirv::Id floats);
    /// Puts what was asked for into the function. Last.
    void insert();

 private:
    struct Known {
        spirv::Id type, constant, value;
    };

    template <class Make>
    spirv::Id known(spirv::Id type, spirv::Id constant, Make&& make);
    spirv::Id no_groups();
    spirv::Id other(spirv::Id constant);
    template <class Make>
    spirv::Id at_entry(Make&& make);

    spirv::Builder& builder_;
    Code& code_;
    spirv::Function& function_;
    std::vector<spirv::Instruction> at_entry_ = {};
    spirv::Id no_groups_ = {};
    std::vector<Known> known_ = {};
};

}  // namespace caldera::vulkan
