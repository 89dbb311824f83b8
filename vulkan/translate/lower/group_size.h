// SPDX-License-Identifier: Apache-2.0
// GroupSize: makes the size of a module's work-groups, as constants or as specialisation constants.
#pragma once

#include <array>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {

/// A WorkgroupSize constant overrides LocalSize of every entry point: the kernels of a module share it,
/// and it can be specialised. A required size is usually only its default, since a group at the edge of a
/// range may be smaller if the size does not divide the range (OpenCL C 3.0 6.7.2). It is a constant if
/// all groups have the same size, or for readers of clspv's reflection, which has no other form.
/// LocalSizeId could differ between kernels, but only devices with maintenance4 support it. With
/// sub-groups, Vulkan sees only one dimension. Devices then fill all sub-groups, as full sub-groups
/// require, and divide work-groups in the order of the linear id.
class GroupSize {
 public:
    GroupSize(spirv::Builder& builder, const PassContext& context) : builder_(builder), context_(context) {}

    /// Makes the constants, and Vulkan's WorkgroupSize. No other member may be called before.
    void choose(bool uses_sub_groups);
    /// The size in a dimension.
    spirv::Id operator[](uint32_t dimension) const { return sizes_[dimension]; }
    /// Work-items of a group.
    spirv::Id work_items();
    /// Whether Vulkan sees only one dimension.
    bool is_flat() const { return is_flat_; }
    /// The numbers of the execution mode LocalSize.
    std::array<uint32_t, 3> mode() const;
    /// Gives the arrays in which group functions store a value for each work-item the length of the
    /// work-group, not that of the largest one. Returns the variables that nobody uses any more.
    spirv::IdSet shorten_group_values();

 private:
    spirv::Builder& builder_;
    const PassContext& context_;
    std::array<spirv::Id, 3> sizes_ = {};
    spirv::Id work_items_ = {};
    std::array<uint32_t, 3> default_sizes_ = {1, 1, 1};
    bool is_fixed_ = false, is_flat_ = false;
};

}  // namespace caldera::vulkan
