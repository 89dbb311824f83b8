// SPDX-License-Identifier: Apache-2.0
// InputValues: computes the values of OpenCL's built-in variables and hidden arguments from what Vulkan has.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "vulkan/translate/lower/group_size.h"
#include "vulkan/translate/lower/interface_inputs.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/argument_block.h"

namespace caldera::vulkan {

/// Computes each value once in a function, in its prologue.
class InputValues {
 public:
    /// What has been computed in a function.
    struct Scope {
        ArgumentReader* reader = nullptr;  // kernels only
        const Kernel* kernel = nullptr;
        std::vector<spirv::Instruction> prologue = {};
        /// (input, dimension) -> value, in the prologue
        std::map<std::pair<uint32_t, uint32_t>, spirv::Id> components = {};
        std::map<HiddenComponent, spirv::Id> hidden = {};
        std::map<uint32_t, spirv::Id> vulkan_inputs = {};  // BuiltIn -> loaded value
        spirv::Id private_slot = {};
    };

    InputValues(spirv::Builder& builder, PassContext& context, GroupSize& group_size)
        : builder_(builder), context_(context), group_size_(group_size) {}

    /// A component of the input, or the input if it is a scalar, as an integer of this type.
    spirv::Id component(Scope& scope, InputVariable input, uint32_t dimension, spirv::Id type);
    /// All components.
    spirv::Id whole_vector(Scope& scope, InputVariable input, spirv::Id type);
    /// A component of a hidden argument. Emits to the sink.
    spirv::Id hidden(Scope& scope, HiddenComponent component);
    /// A component of Vulkan's built-in variable. Emits to the sink.
    spirv::Id vulkan_input(Scope& scope, spv::BuiltIn builtin, uint32_t d);
    /// The work-item's id within the region. Emits to the sink.
    spirv::Id global_id(Scope& scope, uint32_t d);
    /// The variable in which kernels store the component for other functions.
    spirv::Id private_variable(HiddenComponent component);

 private:
    template <class Emit>
    spirv::Id in_prologue(Scope& scope, Emit emit);
    spirv::Id convert(spirv::Id value, uint32_t width);
    spirv::Id binary(spv::Op op, spirv::Id a, spirv::Id b);
    spirv::Id compute(Scope& scope, InputVariable input, uint32_t d);
    spirv::Id compute_simple(Scope& scope, spv::BuiltIn input, uint32_t d);
    spirv::Id work_dim();
    spirv::Id private_slot(Scope& scope);
    spirv::Id private_block(Scope& scope);
    spirv::Id global_linear_id(Scope& scope);
    spirv::Id local_id(Scope& scope, uint32_t d);
    spirv::Id compute_sub_group(Scope& scope, spv::BuiltIn input, uint32_t d);
    spirv::Id count_sub_groups(Scope& scope, spirv::Id work_items);
    spirv::Id compute_only_sub_group(Scope& scope, spv::BuiltIn input);
    spirv::Id enqueued_group_size(Scope& scope);
    spirv::Id if_based(HiddenKind kind, spirv::Id value);

    spirv::Builder& builder_;
    PassContext& context_;
    GroupSize& group_size_;
    std::map<uint32_t, spirv::Id> vulkan_variables_ = {};
    std::map<HiddenComponent, spirv::Id> private_variables_ = {};
    spirv::Id work_dim_ = {};
    spirv::Id has_base_ = {};
};

}  // namespace caldera::vulkan
