// SPDX-License-Identifier: Apache-2.0
// TrialValues: in which operands a driver's compiler may find zeros by ranges and branches.
//
// A compiler that proves a value to be zero is right for whatever a kernel reads. So this computes the
// function with a few numbers in place of all that it reads: arguments, memory, and results of calls. If one
// of these trials gives another value, no compiler can prove it. A value that is zero in all of them may be
// so always: n & 1 & 2, or (unsigned)n < 0. It may also differ where no trial had the right number.
//
// Mesa also learns from branches (nir_opt_if): where n == 0 was true, n is 0, and a condition has its value
// in what it chooses, but only in what is computed there. So the blocks are visited in the order of the
// dominator tree, each with what the branches to it say. A block that the branch of no trial leads to, gives
// phis nothing. A loop is visited several times: some trials are in its first turn, others in later ones.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "vulkan/translate/drivers/trial_arithmetic.h"

namespace caldera::vulkan {

class TrialValues {
 public:
    /// The first of an instruction's operands that are asked for; none for other instructions.
    using FirstOperand = std::function<std::optional<size_t>(const spirv::Instruction&)>;
    /// Whether the caller hides a component of the result, whatever this finds.
    using IsHidden = std::function<bool(const spirv::Instruction&, uint32_t component)>;

    /// Analyses the function. `zeros` are the inputs that are zero in work-groups of one work-item.
    TrialValues(const spirv::Builder& builder, const spirv::Function& function, const spirv::IdSet& zeros,
                FirstOperand first_operand, IsHidden is_hidden);

    /// Whether a compiler may find a component of an operand of the instruction with this result to be zero.
    /// Not where all others that are asked for are constants.
    bool may_be_zero(spirv::Id result, size_t operand) const {
        const auto found = zeros_found_.find(result);
        return found != zeros_found_.end() && operand < 64 && (found->second >> operand & 1) != 0;
    }
    /// The same of what a block returns.
    bool may_return_zero(spirv::Id label) const { return zeros_returned_.contains(label); }

 private:
    static constexpr uint32_t kTrials = 16;
    static constexpr int kDepth = 3;  // of what is computed once more
    using Trials = std::array<uint64_t, kTrials>;
    struct Lanes {
        uint32_t first = 0, count = 0;  // of numbers_
        size_t facts = 0;               // how many facts were in force when they were computed
    };
    /// A component has these bits in every trial.
    struct Fact {
        spirv::Id value = {};
        uint32_t lane = 0;
        uint64_t bits = 0;
    };
    struct Undo {
        spirv::Id value = {};
        uint32_t place = 0;  // in numbers_
        Trials before = {};
    };
    /// A phi, and where the numbers are that it takes from each block.
    struct Phi {
        struct From {
            spirv::Id value = {};
            uint32_t source = 0, first = 0;
        };
        uint32_t block = 0;
        std::vector<From> from = {};
    };
    /// What a block gives a phi of another.
    struct Outgoing {
        spirv::Id value = {};
        uint32_t target = 0, first = 0, lanes = 0;
    };
    /// How the current sweep has come to a block.
    struct State {
        bool is_visited = false, is_reached = false;
        uint32_t not_taken = spirv::kNoBlock;  // the target that no trial goes to
    };

    bool is_number(spirv::Id type) const;
    uint32_t width(spirv::Id type) const;
    TrialNumber number(spirv::Id type) const;
    Lanes lanes_of(spirv::Id value);
    Trials leaf(spirv::Id value, uint32_t lane, uint32_t width) const;
    std::optional<uint64_t> global_bits(const spirv::Instruction& global) const;
    void enter_global(const spirv::Instruction& global, Lanes lanes);
    const spirv::Instruction* definition(spirv::Id value) const;
    Trials read(spirv::Id value, uint32_t lane, int depth = kDepth);
    bool is_changed(spirv::Id value, int depth) const;
    bool has_fact(spirv::Id value) const;
    std::optional<uint64_t> fixed(spirv::Id value, uint32_t lane);
    bool is_zero(uint64_t bits, spirv::Id type) const;

    bool find_wanted();
    void find_edges();
    void find_cases(const spirv::Instruction& branch, uint32_t b);
    void enter_phi(const spirv::Instruction& phi, uint32_t b);
    std::optional<Fact> fact_of(uint32_t from, uint32_t to) const;
    void sweep();
    void enter(uint32_t b);
    bool is_taken(uint32_t from, uint32_t to) const;
    void find_returned(uint32_t b);
    void leave(uint32_t b);
    void copy_to_phis(uint32_t b, uint32_t target);

    void compute(const spirv::Instruction& inst, bool is_hidden);
    bool hides(const spirv::Instruction& inst);
    Trials joined(const spirv::Instruction& phi, uint32_t lane);
    Trials computed(const spirv::Instruction& inst, uint32_t lane, uint32_t bits, int depth);
    Trials returned(const spirv::Instruction& call, uint32_t lane, uint32_t bits);
    Trials exchanged(const spirv::Instruction& inst, uint32_t lane, uint32_t bits);
    Trials loaded(const spirv::Instruction& load, uint32_t lane, uint32_t bits) const;
    Trials moved(const spirv::Instruction& inst, uint32_t lane, uint32_t bits, int depth);
    Trials by_component(const spirv::Instruction& inst, uint32_t lane, uint32_t bits, int depth);
    Trials by_all(const spirv::Instruction& inst, uint32_t lane, uint32_t bits, int depth);
    Trials perhaps_zero(const spirv::Instruction& inst, uint32_t lane, uint32_t bits,
                        std::span<const Trials> from) const;

    void assume(const Fact& first);
    void undo(size_t size);
    void find_causes(const Fact& fact, const spirv::Instruction& inst, std::vector<Fact>& open);
    void find_operands(const Fact& fact, const spirv::Instruction& inst, std::vector<Fact>& open);
    void find_choice(const Fact& fact, const spirv::Instruction& inst, std::vector<Fact>& open);
    void find_path(const Fact& fact, const spirv::Instruction& phi, std::vector<Fact>& open);

    const spirv::Builder& builder_;
    const spirv::Function& function_;
    const spirv::IdSet& zeros_;
    const FirstOperand first_operand_;
    const IsHidden is_hidden_;
    const spirv::Cfg cfg_;
    const spirv::Dominators tree_;
    std::vector<Trials> numbers_ = {};
    spirv::IdMap<Lanes> lanes_ = {};
    spirv::IdMap<const spirv::Instruction*> definitions_ = {};
    spirv::IdSet wanted_ = {};
    spirv::IdMap<Phi> phis_ = {};
    std::vector<std::vector<Outgoing>> to_phis_ = {};  // by the block that they leave
    std::vector<std::optional<Fact>> entry_ = {};  // by block: what the branch of its only predecessor says
    std::vector<State> state_ = {};                // by block
    std::vector<Undo> undo_ = {};
    spirv::IdMap<uint32_t> facts_ = {};  // how many facts in force are about each value
    uint32_t sweep_ = 0;
    spirv::IdMap<uint64_t> zeros_found_ = {};
    spirv::IdSet zeros_returned_ = {};
};

}  // namespace caldera::vulkan
