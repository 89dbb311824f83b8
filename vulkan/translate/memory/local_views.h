// SPDX-License-Identifier: Apache-2.0
// Local memory as a block of explicit layout, seen as arrays of several types.
#pragma once

#include <map>

#include "spirv/builder.h"
#include "vulkan/translate/memory/layout.h"

namespace caldera::vulkan::memory {

/// All the local memory of a kernel, or of kernels that share functions: objects have offsets in it.
struct LocalBlock {
    uint32_t number = 0;        ///< in the module
    uint64_t size_bytes = 0;    ///< of the objects with a fixed size
    bool has_spare = false;     ///< each view has an element behind the block, for accesses that are outside
    Id length_bytes = {};       ///< a u32 constant, or with arguments a specialisation constant
    std::vector<Id> ends = {};  ///< with arguments: where the regions of each kernel end
};

/// The variables of blocks: one for each element type with which a block is accessed. They all begin at its
/// first byte, so they are decorated Aliased.
class LocalViews {
 public:
    explicit LocalViews(spirv::Builder& builder) : builder_(builder) {}

    /// A pointer to the element with this index (u32). `type` is an integer, or a vector of 2 or 4.
    Id element(const LocalBlock& block, Id type, Id index);
    /// How many such elements cover the block: the index of the spare one.
    Id length(const LocalBlock& block, Id type);
    /// The variables that were made, each with its block.
    const std::map<Id, const LocalBlock*>& variables() const { return blocks_; }

 private:
    Id variable(const LocalBlock& block, Id type);

    spirv::Builder& builder_;
    std::map<std::pair<uint32_t, Id>, Id> variables_ = {};  // by the block's number and the element type
    std::map<Id, const LocalBlock*> blocks_ = {};           // by variable
};

}  // namespace caldera::vulkan::memory
