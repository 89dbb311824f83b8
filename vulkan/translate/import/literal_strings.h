// SPDX-License-Identifier: Apache-2.0
// LiteralStrings: the strings that pointers are known to point to.
#pragma once

#include <optional>
#include <string>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Follows a pointer to the constant that it points to, through casts, constant indices, and private
/// variables that are stored once. Constants are variables in constant memory, variables in other memory
/// that never change, and private arrays that are filled once. This defines which strings are "known at
/// compile time" before any optimization. Meanwhile the module may change, except for its globals and the
/// function that was entered last.
class LiteralStrings {
 public:
    /// `opencl_std` is the id of that set, which may be none.
    LiteralStrings(const spirv::Builder& builder, spirv::Id opencl_std);

    /// Selects the function whose values the next calls of find() are about.
    void enter(const spirv::Function& function);
    /// The text up to the first nul.
    std::optional<std::string> find(spirv::Id pointer) const;

 private:
    struct Place {
        spirv::Id variable = {};
        uint64_t offset_bytes = 0;
    };
    /// The contents of a private array: a constant, or the bytes that a pointer points to.
    struct Filling {
        spirv::Id constant = {}, pointer = {};
        uint64_t size_bytes = 0;
        bool is_known = false;
    };
    void find_changed();
    void note_stores(const spirv::Instruction& inst);
    void note_fillings(const spirv::Instruction& inst);
    void fill(spirv::Id pointer, const Filling& filling);
    bool only_reads(const spirv::Instruction& inst, size_t operand) const;
    bool is_constant(const spirv::Instruction& variable) const;
    std::optional<Place> place(spirv::Id pointer) const;
    std::optional<std::string> bytes_at(spirv::Id pointer, int depth) const;
    std::optional<std::string> contents(spirv::Id variable, int depth) const;
    std::optional<uint64_t> offset(const spirv::Instruction& chain, size_t first) const;
    std::optional<uint64_t> size_of(spirv::Id type) const;
    spirv::Id uncast(spirv::Id pointer) const;
    spirv::Id root(spirv::Id pointer) const;
    bool read(spirv::Id constant, std::string& bytes) const;

    const spirv::Builder& builder_;
    spirv::Id opencl_std_;
    spirv::IdSet constants_ = {};  // variables with the decoration Constant
    spirv::IdSet changed_ = {};    // pointers that may be written through
    spirv::IdMap<const spirv::Instruction*> defs_ = {};
    spirv::IdMap<spirv::Id> stored_ = {};  // variable -> its only value; none if there may be others
    spirv::IdMap<spirv::Id> cast_ = {};    // cast pointer -> the pointer
    spirv::IdMap<spirv::Id> root_ = {};    // pointer into an object -> the pointer to the object
    spirv::IdMap<Filling> filled_ = {};    // private array -> its only contents
};

}  // namespace caldera::vulkan
