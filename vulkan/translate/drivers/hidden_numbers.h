// SPDX-License-Identifier: Apache-2.0
// Constants whose values are hidden from compilers.
#pragma once

#include <span>
#include <vector>

#include "spirv/builder.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// The hidden constants of one function, computed at its entry as `no_groups ? another number : the number`
/// (opaque.h).
inline bool is_array(const spirv::Builder& builder, spirv::Id type) {
    return builder.find_global(type)->op == spv::Op::OpTypeArray;
}

class HiddenNumbers {
 public:
    HiddenNumbers(spirv::Builder& builder, Code& code, spirv::Function& function)
        : builder_(builder), code_(code), function_(function) {}

    /// A value of the numeric type that has these bits in each component.
    spirv::Id number(spirv::Id type, uint64_t bits);
    /// The value of a constant that is a number, or a vector or array of numbers; in an array they are
    /// floats.
    spirv::Id value(spirv::Id constant);
    /// The value of a vector constant in which these components are hidden.
    spirv::Id components(spirv::Id constant, std::span<const uint32_t> hidden);
    /// Appends `no_groups ? 2.0 : floats` to the builder's sink: the same floats, about which the compiler
    /// knows nothing. The same of integers, with 1. Elements of an array are hidden one by one, since no
    /// selection is of arrays before SPIR-V 1.4.
    spirv::Id hide(spirv::Id floats);
    /// Inserts the requested values into the function. Call this last.
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
