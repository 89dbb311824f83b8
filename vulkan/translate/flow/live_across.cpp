// SPDX-License-Identifier: Apache-2.0
// live_across: goes back from each use of a value to where the value is made. The calls on the way are those
// that it lives across.
#include "vulkan/translate/flow/live_across.h"

#include <algorithm>
#include <span>

#include "spirv/cfg.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint32_t kEnd = ~0u;
// So many blocks for each instruction. Values that live longer than that count for every call.
constexpr uint64_t kStepsPerInstruction = 64;

class CallCrossings {
 public:
    CallCrossings(const Builder& builder, const Function& function, const IdMap<uint32_t>& group_of,
                  size_t groups)
        : builder_(builder),
          function_(function),
          cfg_(build_cfg(function)),
          result_(groups),
          calls_(function.blocks.size()),
          live_out_(function.blocks.size()) {
        find_values(group_of);
        find_uses();
    }

    std::vector<uint64_t> run() {
        std::ranges::stable_sort(uses_, {}, &Use::value);
        for (size_t begin = 0, end = 0; begin < uses_.size(); begin = end) {
            while (end < uses_.size() && uses_[end].value == uses_[begin].value) ++end;
            follow(std::span(uses_).subspan(begin, end - begin));
        }
        for (const std::vector<Call>& calls : calls_)
            for (const Call& call : calls)
                result_[call.group] = std::max(result_[call.group], call.components);
        for (uint64_t& components : result_) components += everywhere_;
        return std::move(result_);
    }

 private:
    struct Value {
        uint32_t block = 0, at = 0, components = 0;
    };
    struct Use {
        uint32_t value = 0, block = 0, at = 0;
    };
    struct Call {
        uint32_t at = 0, group = 0;
        uint32_t touched = 0;     // the last value that was counted for it
        uint64_t components = 0;  // that live across it
    };

    void find_values(const IdMap<uint32_t>& group_of) {
        bool before_all = true;
        for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
            const std::vector<Instruction>& body = function_.blocks[b].body;
            for (uint32_t i = 0; i < body.size(); ++i) {
                const Instruction& inst = body[i];
                if (const auto group = group_of.find(inst.result); group != group_of.end()) {
                    calls_[b].push_back({i, group->second});
                    before_all = false;
                }
                if (!inst.result || !inst.type || inst.op == spv::Op::OpVariable || before_all) continue;
                value_of_.emplace(inst.result, static_cast<uint32_t>(values_.size()));
                values_.push_back({b, i, builder_.count(inst.type)});
            }
            before_all = false;
            steps_left_ += kStepsPerInstruction * (body.size() + 1);
        }
    }

    void find_uses() {
        for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
            const Block& block = function_.blocks[b];
            for (uint32_t i = 0; i < block.body.size(); ++i) add_uses(block.body[i], b, i);
            add_uses(block.terminator, b, kEnd);
        }
    }

    /// A phi uses a value at the end of the block that it comes from.
    void add_uses(const Instruction& inst, uint32_t block, uint32_t at) {
        for (size_t o = 0; o < inst.operands.size(); ++o) {
            if (!inst.operands[o].is_id) continue;
            const auto value = value_of_.find(inst.operands[o].word);
            if (value == value_of_.end()) continue;
            const bool is_phi = inst.op == spv::Op::OpPhi;
            const uint32_t from = is_phi ? cfg_.block(inst.id(o + 1)) : block;
            if (from != kNoBlock) uses_.push_back({value->second, from, is_phi ? kEnd : at});
        }
    }

    /// Counts a value for the groups whose calls it lives across.
    void follow(std::span<const Use> uses) {
        const Value& value = values_[uses.front().value];
        ++stamp_;
        std::vector<uint32_t> ends;  // blocks at whose end the value lives, and that are not visited
        const auto enter = [&](uint32_t block) {
            for (const uint32_t before : cfg_.predecessors[block])
                if (live_out_[before] != stamp_) live_out_[before] = stamp_, ends.push_back(before);
        };
        for (const Use& use : uses) {
            if (use.block == value.block && use.at > value.at) {
                cross(value, use.block, value.at + 1, use.at);
            } else {
                cross(value, use.block, 0, use.at);
                enter(use.block);
            }
        }
        while (!ends.empty()) {
            const uint32_t block = ends.back();
            ends.pop_back();
            if (steps_left_ == 0) {
                everywhere_ += value.components;
                return;
            }
            --steps_left_;
            cross(value, block, block == value.block ? value.at + 1 : 0, kEnd);
            if (block != value.block) enter(block);
        }
    }

    void cross(const Value& value, uint32_t block, uint32_t begin, uint32_t end) {
        std::vector<Call>& calls = calls_[block];
        for (auto call = std::ranges::lower_bound(calls, begin, {}, &Call::at);
             call != calls.end() && call->at < end; ++call)
            if (call->touched != stamp_) call->touched = stamp_, call->components += value.components;
    }

    const Builder& builder_;
    const Function& function_;
    const Cfg cfg_;
    std::vector<uint64_t> result_;
    std::vector<std::vector<Call>> calls_;  // by block
    std::vector<uint32_t> live_out_;        // by block: the last value that lives at its end
    std::vector<Value> values_ = {};
    IdMap<uint32_t> value_of_ = {};
    std::vector<Use> uses_ = {};
    uint64_t steps_left_ = 0, everywhere_ = 0;  // everywhere_: components of values that were given up
    uint32_t stamp_ = 0;
};

}  // namespace

std::vector<uint64_t> live_across(const Builder& builder, const Function& function,
                                  const IdMap<uint32_t>& group_of, size_t groups) {
    return CallCrossings(builder, function, group_of, groups).run();
}

}  // namespace caldera::vulkan
