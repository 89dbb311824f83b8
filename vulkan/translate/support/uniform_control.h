// SPDX-License-Identifier: Apache-2.0
// UniformControl: which blocks of a kernel all work-items of a work-group reach together.
#pragma once

#include <span>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// Finds values that may differ between the work-items of a work-group, and blocks that a branch on such a
/// value may keep some of them from: all blocks between the branch and its immediate post-dominator. Where
/// the analysis does not know, values differ. That is the divergence analysis of Coutinho et al. 2011, to a
/// fixed point over a kernel's functions, with one answer for all calls of a function.
class UniformControl {
 public:
    /// `functions` are indices into module.functions of a kernel and of all that it calls, the kernel first.
    UniformControl(const spirv::Builder& builder, std::span<const uint32_t> functions);

    /// Whether all work-items reach block `block` of that function as often, in the same order.
    bool all_reach(uint32_t function, uint32_t block) const;
    /// Whether the value may differ between work-items.
    bool differs(spirv::Id value) const { return differing_.contains(value); }

 private:
    struct Body {
        const spirv::Function* function = nullptr;
        spirv::Cfg cfg = {};
        spirv::Dominators post = {};
        std::vector<uint8_t> divergent = {};  // by block: whether some work-items may miss it
    };

    void add_body(uint32_t function);
    void visit(Body& body);
    void visit_block(Body& body, uint32_t block);
    void visit_phi(const Body& body, const spirv::Instruction& phi);
    void visit_store(const Body& body, uint32_t block, const spirv::Instruction& store);
    void visit_call(const Body& body, uint32_t block, const spirv::Instruction& call);
    void visit_terminator(Body& body, uint32_t block);
    void diverge_from(Body& body, uint32_t branch);
    bool result_differs(const spirv::Instruction& inst) const;
    bool load_differs(const spirv::Instruction& load) const;
    bool any_operand_differs(const spirv::Instruction& inst) const;
    bool parts_ways(const Body& body, uint32_t block) const;
    spirv::Id variable_of(spirv::Id pointer) const;
    void mark(spirv::Id value) { changed_ |= differing_.insert(value); }
    void mark_block(Body& body, uint32_t block) {
        changed_ |= body.divergent[block] == 0;
        body.divergent[block] = 1;
    }

    const spirv::Builder& builder_;
    spirv::IdMap<uint32_t> body_of_ = {};       // function -> index in bodies_
    std::vector<uint32_t> body_by_index_ = {};  // index in module.functions -> index in bodies_ + 1
    std::vector<Body> bodies_ = {};
    spirv::IdMap<spv::BuiltIn> built_ins_ = {};
    spirv::IdMap<spirv::Id> bases_ = {};  // pointer -> what it was made of
    spirv::IdSet private_ = {};           // the functions' variables
    spirv::IdSet differing_ = {};         // values, contents of variables, and functions' results by function
    bool changed_ = false;
};

}  // namespace caldera::vulkan
