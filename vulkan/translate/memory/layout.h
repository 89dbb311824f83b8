// SPDX-License-Identifier: Apache-2.0
// The layout of types in memory (OpenCL C 6.1.5, 6.2.5 of the environment specification), by explicit
// computation: natural alignment unless CPacked, a three-component vector has the size of four elements, bool
// is a byte, and a pointer has 8 bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/module.h"
#include "spirv/support/align.h"

namespace caldera::vulkan::memory {

using spirv::Id;
using spirv::Instruction;
using spirv::Operand;
using spirv::Operands;

/// A type as the module defines it, with its layout. This is a copy, so the module's own types may be
/// rewritten.
struct TypeInfo {
    spv::Op op = spv::Op::OpNop;
    Operands operands = {};
    uint64_t size_bytes = 0;             ///< the stride of an array of it
    uint64_t align_bytes = 1;            ///< a power of two
    uint64_t leaves = 0;                 ///< number of scalars and vectors in it, saturating
    uint32_t depth = 0;                  ///< nesting depth of aggregates in it
    std::vector<uint64_t> offsets = {};  ///< of a struct's members
    bool has_pointer = false;            ///< it is or contains a pointer to memory
    bool in_memory = false;              ///< it has a layout: it is not an image, event, function or void

    bool is_scalar() const {
        return op == spv::Op::OpTypeInt || op == spv::Op::OpTypeFloat || op == spv::Op::OpTypeBool;
    }
    bool is_leaf() const {
        return is_scalar() || op == spv::Op::OpTypeVector || op == spv::Op::OpTypePointer;
    }
    Id element() const { return operands[0].id(); }  ///< for a vector or array
    Id pointee() const { return operands[1].id(); }
    spv::StorageClass storage() const { return static_cast<spv::StorageClass>(operands[0].word); }
};

/// The layouts of all types of a module.
class Layout {
 public:
    explicit Layout(const spirv::Module& module);

    /// Valid for any id: if it is not a type, the op is OpNop.
    const TypeInfo& operator[](Id type) const { return types_[type]; }
    /// Whether the type is a pointer to memory that OpenCL can address, not to an Input variable or an opaque
    /// object.
    bool is_memory_pointer(Id type) const;
    /// Whether the type is one of cooperative matrices, or of arrays of such. Their variables stay.
    bool has_matrix(Id type) const;
    /// The number of components of a vector, or 1.
    uint32_t count(Id type) const;
    /// A vector's element, or the type itself.
    Id scalar(Id type) const;
    uint64_t array_length(const TypeInfo& array) const;

 private:
    void add(const Instruction& inst, bool packed);

    spirv::IdTable<TypeInfo> types_ = {};
    spirv::IdTable<uint64_t> constants_ = {};  // values of integer constants
};

}  // namespace caldera::vulkan::memory
