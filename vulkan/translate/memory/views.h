// SPDX-License-Identifier: Apache-2.0
// Storage buffers as arrays: one variable for each element type with which a buffer is accessed.
#pragma once

#include <map>

#include "spirv/builder.h"
#include "vulkan/translate/memory/windows.h"

namespace caldera::vulkan::memory {

/// All views of a buffer, and all buffers of a program, may share memory, so they are decorated Aliased.
class BufferViews {
 public:
    /// `argument_set` is ProgramInterface's.
    BufferViews(spirv::Builder& builder, uint32_t table_rows, uint32_t argument_set)
        : builder_(builder), table_rows_(table_rows), argument_set_(argument_set) {}

    /// A pointer to the element with this index (u32) in the window's buffer. `type` is a scalar, or a vector
    /// of 2 or 4; in the argument table, which is a uniform buffer, it is u32.
    Id element(uint32_t window, Id type, Id index);
    /// struct { type[]; }
    Id block(Id type);
    bool has_table() const { return static_cast<bool>(table_); }  ///< so far

 private:
    Id variable(uint32_t window, Id type);
    Id table_word(Id index);

    spirv::Builder& builder_;
    uint32_t table_rows_ = 0, argument_set_ = 0;
    Id table_ = {};
    std::map<std::pair<uint32_t, Id>, Id> variables_ = {};  // by window and element type
    std::map<Id, Id> blocks_ = {};                          // by element type
};

}  // namespace caldera::vulkan::memory
