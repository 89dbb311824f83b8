// SPDX-License-Identifier: Apache-2.0
// The Input variables of an OpenCL module, what their values are computed of, and which functions use them.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/interface.h"
#include "vulkan/translate/pass_variables.h"

namespace caldera::vulkan {

/// An Input variable: one of OpenCL's built-in variables, or a hidden argument as it is.
struct InputVariable {
    std::optional<spv::BuiltIn> builtin = {};
    HiddenKind hidden = {};
    uint32_t argument = 0;                                   ///< HiddenArgument::argument
    bool is_block = false;                                   ///< the argument block itself
    bool is_words = false;                                   ///< its words
    bool is_private_block = false, is_private_lane = false;  ///< PassVariables::private_block, private_lane
    bool operator==(spv::BuiltIn other) const { return builtin == other; }
    static constexpr uint32_t kBlockKey = uint32_t{1} << 31, kPrivateKey = uint32_t{1} << 30;
    /// Tells inputs apart.
    uint32_t key() const {
        if (is_block) return kBlockKey;
        if (is_private_block) return kPrivateKey;
        if (is_private_lane) return kPrivateKey + 1;
        return builtin ? static_cast<uint32_t>(*builtin) : ~(static_cast<uint32_t>(hidden) | argument << 8);
    }
};

/// One component of a hidden argument, or one that is about the argument of that number.
using HiddenComponent = std::pair<HiddenKind, uint32_t>;

struct HiddenShape {
    uint32_t component_bytes, count;
};
HiddenShape shape_of(HiddenKind kind);

/// The hidden arguments that the value of the input is computed of.
std::vector<HiddenKind> hidden_of(InputVariable input, bool simple_ndrange, bool has_subgroups);
/// The module's Input variables: built-in ones, and those that stand for hidden arguments.
spirv::IdMap<InputVariable> find_inputs(const spirv::Builder& builder, const PassVariables& made);
/// Finds the functions that use the device's sub-groups.
spirv::IdSet find_sub_group_functions(const spirv::Builder& builder,
                                      const spirv::IdMap<InputVariable>& inputs);
/// Finds the functions that can detect the division into work-groups: they use built-in variables, local
/// memory, barriers, fences, or sub-groups (`sub_group_functions`).
spirv::IdSet find_group_functions(const spirv::Builder& builder, const spirv::IdMap<InputVariable>& inputs,
                                  const spirv::IdSet& sub_group_functions);

}  // namespace caldera::vulkan
