// SPDX-License-Identifier: Apache-2.0
// PassVariables: what passes tell later ones of the variables and functions that they made.
#pragma once

#include <utility>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/operands.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// A hidden argument about another argument, and the variable that stands for it.
struct ImageFact {
    spirv::Id variable = {};
    HiddenKind kind = {};
    uint32_t argument = 0;
};

/// The parameters that checks added to a function for one of its parameters, a pointer.
struct ObjectParameters {
    spirv::Id begin = {}, size = {};  ///< of its object (u64)
    spirv::Id shadow = {};            ///< ObjectShadow::all (checks/instrument.h), or none
};

/// Constants (u32) that stand for the local memory of a block's kernel.
struct BlockMemory {
    uint32_t kernel = 0;  ///< its index in the interface
    spirv::Id bytes = {}, bytes_per_work_item = {};
};

/// Variables and functions that a pass makes for later ones to find; none or empty where none was needed.
/// Their names in the module are for readers alone: a module of others may use the same ones.
struct PassVariables {
    /// Input variables that stand for hidden arguments until lower_interface.
    std::vector<std::pair<spirv::Id, HiddenKind>> hidden = {};
    /// Input variables (u32) that stand for what the host says of an image or a sampler, until then.
    std::vector<ImageFact> image_facts = {};
    /// Input variables that stand for the kernel's argument block until then: its address (u64), and its
    /// words (an array of u32) where it is a uniform buffer.
    spirv::Id arguments = {}, argument_words = {};
    /// Input variables for private memory in a buffer, until then: the address (by descriptors, the offset)
    /// of what a work-item shares with its kPrivateLanes - 1 neighbours (u64), and its number there (u32).
    spirv::Id private_block = {}, private_lane = {};
    /// Variables of program scope that are whole buffers of the host, until lower_memory.
    spirv::Id printf_buffer = {}, device_queue = {}, argument_table = {}, check_state = {};
    /// Local memory of the group functions with an element for each work-item of the largest group, until
    /// lower_interface.
    std::vector<spirv::Id> group_values = {};
    /// Local memory of the group functions with an element for each sub-group, until lower_memory. The
    /// library's indices are always inside.
    std::vector<spirv::Id> group_totals = {};
    /// The library's functions that compute with doubles as integers, by DoubleFunction, until
    /// emulate_doubles.
    std::vector<spirv::Id> double_functions = {};
    /// Specialisation constants until lower_interface, when all passes have said what they need.
    std::vector<BlockMemory> block_memory = {};
    /// What checks added to functions, by the pointer that is a parameter.
    spirv::IdMap<ObjectParameters> object_parameters = {};
    /// Loads that checks made, of which later checks report nothing.
    spirv::IdSet unreported = {};
};

}  // namespace caldera::vulkan
