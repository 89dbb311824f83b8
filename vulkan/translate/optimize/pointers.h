// SPDX-License-Identifier: Apache-2.0
// Alias analysis of one function: which memory a pointer may point to, and at which offset.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "vulkan/translate/optimize/memory_facts.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// Where a pointer points: a run-time formula (an object plus multiples of indices) and a constant number of
/// bytes. Pointers with the same formula differ by their constants, as long as the formula's parts keep their
/// values.
struct MemoryPlace {
    uint32_t formula = 0;
    int64_t offset = 0;
};

/// Memory is divided into areas: pointers into different areas never overlap. An argument with `restrict`, a
/// local object and a private object each have their own area unless their address escapes. Pointers that a
/// phi or a select mixes share an area. Everything else, in particular arguments without `restrict`, is in
/// the area kAnywhere.
class Pointers {
 public:
    static constexpr uint32_t kAnywhere = 0;
    static constexpr uint32_t kUnchanging = 1;  ///< constant memory, "const T *restrict": nothing writes it

    Pointers(const spirv::Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
             const spirv::Function& function, const spirv::Cfg& cfg, const spirv::Dominators& tree);

    uint32_t areas() const { return static_cast<uint32_t>(private_.size()); }
    uint32_t area(spirv::Id pointer) const;
    /// Whether neither other work-items nor callees can see the area.
    bool is_private(uint32_t area) const { return private_[area]; }
    /// The place of a pointer that a reachable instruction uses.
    MemoryPlace place(spirv::Id pointer) const;
    /// The block in which the last of the formula's parts is computed: it dominates all uses.
    uint32_t block_of(uint32_t formula) const { return formulas_[formula].block; }
    /// The variable, parameter or value from which the formula starts.
    spirv::Id object(uint32_t formula) const { return formulas_[formula].object; }
    /// A power of two that divides this divides all that the formula adds to the object.
    uint64_t strides(uint32_t formula) const { return formulas_[formula].strides; }
    /// Whether the bytes cannot overlap. The parts of both formulas must have their values at the same time.
    bool disjoint(MemoryPlace a, uint64_t a_bytes, MemoryPlace b, uint64_t b_bytes) const;

 private:
    static constexpr uint32_t kMaxAreas = 32;  // further areas become kAnywhere

    struct Formula {
        spirv::Id object = {};   // the variable, parameter or value from which it starts
        bool is_object = false;  // no pointer that starts elsewhere overlaps it
        uint32_t block = 0;
        uint64_t strides = 0;  // of its indices, or-ed; odd where they are not known
    };
    struct Term {
        uint32_t formula, index;
        uint64_t stride;
        bool operator==(const Term&) const = default;
    };
    struct TermHash {
        size_t operator()(const Term& term) const {
            uint64_t hash = uint64_t{term.formula} << 32 | term.index;
            hash = (hash ^ term.stride) * 0x9e3779b97f4a7c15u;
            return static_cast<size_t>(hash ^ hash >> 29);
        }
    };
    /// Pointers that may overlap are in one set, a tree of a union-find forest.
    struct Set {
        uint32_t parent = 0;
        bool is_private = false, is_unchanging = false;
    };
    struct Value {
        MemoryPlace place = {};
        uint32_t set = 0;
    };
    struct Definition {
        const spirv::Instruction* inst = nullptr;
        uint32_t block = 0;
    };

    void add_arguments(const spirv::Function& function);
    void add_variables(const spirv::Function& function);
    void visit(const spirv::Instruction& inst, uint32_t block);
    Value step(const spirv::Instruction& inst);
    void escape(const spirv::Instruction& inst, size_t first);
    void join(const spirv::Instruction& inst);
    void add_index(MemoryPlace& place, spirv::Id index, uint64_t stride);
    void number_areas();
    uint32_t add_set(Set facts);
    uint32_t add_formula(spirv::Id object, bool is_object, uint32_t block, uint64_t strides = 0);
    uint32_t find(uint32_t set) const;
    void unify(uint32_t a, uint32_t b);
    Value& value(spirv::Id pointer);
    bool is_pointer(spirv::Id id) const;
    std::optional<int64_t> constant(spirv::Id id) const;

    const spirv::Builder& builder_;
    const OpenclLayout& layout_;
    const MemoryFacts& facts_;
    const spirv::Dominators& tree_;
    std::vector<Formula> formulas_ = {};
    std::unordered_map<Term, uint32_t, TermHash> terms_ = {};
    spirv::IdMap<Value> values_ = {};
    spirv::IdMap<Definition> definitions_ = {};
    mutable std::vector<Set> sets_ = {};
    std::vector<uint32_t> area_of_set_ = {};
    std::vector<bool> private_ = {};  // by area
};

}  // namespace caldera::vulkan
