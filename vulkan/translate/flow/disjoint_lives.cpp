// SPDX-License-Identifier: Apache-2.0
// disjoint_lives: finds where each value lives. Then it gives out numbers, in an order where a block comes
// after those that dominate it. Without phis, if two values live at
// the same time, one of them lives where the other one is made. So a value needs a number that none of those
// has which live there. No more numbers are used than values live at one place (Hack, Grund and Goos,
// "Register Allocation for Programs in SSA-Form", 2006).
#include "vulkan/translate/flow/disjoint_lives.h"

#include <algorithm>
#include <span>

#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "vulkan/translate/flow/demote.h"
#include "vulkan/translate/flow/live_ranges.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint32_t kAtEnd = LiveRanges::kAtEnd;

class Lives {
 public:
    Lives(const Builder& builder, const Function& function, const std::vector<bool>& ends)
        : builder_(builder),
          function_(function),
          ends_(ends),
          cfg_(build_cfg(function)),
          made_(function.blocks.size()),
          living_(function.blocks.size()) {}

    IdMap<uint32_t> run() {
        find_values();
        find_uses();
        const auto block_of = [&](uint32_t value) { return values_[value].block; };
        lives_.for_each_value(
            most_blocks_, block_of,
            [&](uint32_t value, std::span<const LiveRanges::Range> ranges) { note(value, ranges); });
        for (const uint32_t block : cfg_.order) give_numbers(block);
        return std::move(numbers_);
    }

 private:
    struct Value {
        Id id = {}, type = {};
        uint32_t block = 0, at = 0;
        const Instruction* pointer = nullptr;  // computed again where it is used
    };
    /// A value in a block. `until` is its last use, or kAtEnd if it lives at the block's end.
    struct Life {
        uint32_t value = 0, until = 0;
    };

    void find_values() {
        for (const uint32_t b : cfg_.order) {
            const std::vector<Instruction>& body = function_.blocks[b].body;
            most_blocks_ += LiveRanges::kBlocksPerInstruction * (code_size(function_.blocks[b]) + 1);
            for (uint32_t i = 0; i < body.size(); ++i) {
                const Instruction& inst = body[i];
                if (!inst.result || !inst.type || inst.op == spv::Op::OpVariable) continue;
                value_of_.emplace(inst.result, static_cast<uint32_t>(values_.size()));
                values_.push_back({.id = inst.result,
                                   .type = inst.type,
                                   .block = b,
                                   .at = i,
                                   .pointer = is_computed_again(builder_, inst) ? &inst : nullptr});
            }
        }
    }

    void find_uses() {
        for (const uint32_t b : cfg_.order) {
            const Block& block = function_.blocks[b];
            for (uint32_t i = 0; i < block.body.size(); ++i) add_uses(block.body[i], b, i, 0);
            add_uses(block.terminator, b, kAtEnd, 0);
        }
    }

    void add_uses(const Instruction& inst, uint32_t block, uint32_t at, int depth) {
        for (const Operand& operand : inst.operands) {
            if (!operand.is_id) continue;
            const auto found = value_of_.find(operand.word);
            if (found == value_of_.end()) continue;
            const Value& value = values_[found->second];
            if (value.block == block)
                continue;  // and so is what it is computed from, or it is used there as well
            lives_.add_use(found->second, block, at);
            if (value.pointer != nullptr && depth < kMostComputedAgain)
                add_uses(*value.pointer, block, at, depth + 1);
        }
    }

    /// Notes where a value lives, if it does so at one of the ends.
    void note(uint32_t value, std::span<const LiveRanges::Range> ranges) {
        const bool is_wanted = std::ranges::any_of(ranges, [&](const LiveRanges::Range& range) {
            return range.leaves && ends_[range.block] && !is_made_behind(value, range.block);
        });
        if (!is_wanted) return;
        const uint32_t made_in = values_[value].block;
        made_[made_in].push_back(value);
        for (const LiveRanges::Range& range : ranges)
            if (range.block != made_in) living_[range.block].push_back({value, range.until});
    }

    bool is_made_behind(uint32_t value, uint32_t block) const {
        const Value& made = values_[value];
        const std::vector<Instruction>& body = function_.blocks[block].body;
        return made.block == block && made.at + 1 == body.size() && body.back().op == spv::Op::OpFunctionCall;
    }

    void give_numbers(uint32_t block) {
        std::vector<Life>& living = living_[block];
        std::vector<uint32_t>& made = made_[block];
        if (made.empty()) return;
        std::ranges::sort(living, {}, &Life::until);
        std::ranges::sort(made, {}, [&](uint32_t value) { return values_[value].at; });
        for (const Life& life : living) taken_[numbers_[values_[life.value].id]] = true;
        auto ended = living.begin();
        for (const uint32_t value : made) {
            // An instruction takes its operands before it makes its result.
            for (; ended != living.end() && ended->until <= values_[value].at; ++ended)
                taken_[numbers_[values_[ended->value].id]] = false;
            const uint32_t number = free_number(values_[value].type);
            taken_[number] = true;
            numbers_.emplace(values_[value].id, number);
        }
        std::fill(taken_.begin(), taken_.end(), false);
    }

    uint32_t free_number(Id type) {
        std::vector<uint32_t>& known = numbers_of_type_[type];
        const auto found = std::ranges::find_if(known, [&](uint32_t number) { return !taken_[number]; });
        if (found != known.end()) return *found;
        known.push_back(static_cast<uint32_t>(taken_.size()));
        taken_.push_back(false);
        return known.back();
    }

    const Builder& builder_;
    const Function& function_;
    const std::vector<bool>& ends_;
    const Cfg cfg_;
    LiveRanges lives_{cfg_};
    std::vector<Value> values_ = {};
    IdMap<uint32_t> value_of_ = {};
    std::vector<std::vector<uint32_t>> made_;  // by block: the values that get a number
    std::vector<std::vector<Life>> living_;    // by block: those of them that live at its begin
    std::vector<bool> taken_ = {};             // by number
    IdMap<std::vector<uint32_t>> numbers_of_type_ = {};
    IdMap<uint32_t> numbers_ = {};
    uint64_t most_blocks_ = 0;
};

}  // namespace

IdMap<uint32_t> disjoint_lives(const Builder& builder, const Function& function,
                               const std::vector<bool>& ends) {
    return Lives(builder, function, ends).run();
}

}  // namespace caldera::vulkan
