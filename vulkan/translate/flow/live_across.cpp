// SPDX-License-Identifier: Apache-2.0
// live_across: the calls in a value's live range are those that it lives across.
#include "vulkan/translate/flow/live_across.h"

#include <algorithm>
#include <span>

#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "vulkan/translate/flow/live_ranges.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

class CallCrossings {
 public:
    CallCrossings(const Builder& builder, const Function& function, const IdMap<uint32_t>& group_of,
                  size_t groups)
        : builder_(builder),
          function_(function),
          cfg_(build_cfg(function)),
          result_(groups),
          calls_(function.blocks.size()) {
        find_values(group_of);
        find_uses();
    }

    std::vector<uint64_t> run() {
        const auto block_of = [&](uint32_t value) { return values_[value].block; };
        uint64_t everywhere = 0;  // components of values in too many blocks, which count for every call
        lives_.for_each_value(most_blocks_, block_of,
                              [&](uint32_t v, std::span<const LiveRanges::Range> ranges) {
                                  const Value& value = values_[v];
                                  if (ranges.empty()) everywhere += value.components;
                                  for (const LiveRanges::Range& range : ranges) cross(value, range);
                              });
        for (const std::vector<Call>& calls : calls_)
            for (const Call& call : calls)
                result_[call.group] = std::max(result_[call.group], call.components);
        for (uint64_t& components : result_) components += everywhere;
        return std::move(result_);
    }

 private:
    struct Value {
        uint32_t block = 0, at = 0, components = 0;
    };
    struct Call {
        uint32_t at = 0, group = 0;
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
            most_blocks_ += LiveRanges::kBlocksPerInstruction * (code_size(function_.blocks[b]) + 1);
        }
    }

    void find_uses() {
        for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
            const Block& block = function_.blocks[b];
            for (uint32_t i = 0; i < block.body.size(); ++i) add_uses(block.body[i], b, i);
            add_uses(block.terminator, b, LiveRanges::kAtEnd);
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
            if (from != kNoBlock) lives_.add_use(value->second, from, is_phi ? LiveRanges::kAtEnd : at);
        }
    }

    /// Counts a value for the calls that it lives across.
    void cross(const Value& value, const LiveRanges::Range& range) {
        const uint32_t begin = range.block == value.block ? value.at + 1 : 0;
        std::vector<Call>& calls = calls_[range.block];
        for (auto call = std::ranges::lower_bound(calls, begin, {}, &Call::at);
             call != calls.end() && call->at < range.until; ++call)
            call->components += value.components;
    }

    const Builder& builder_;
    const Function& function_;
    const Cfg cfg_;
    LiveRanges lives_{cfg_};
    std::vector<uint64_t> result_;
    std::vector<std::vector<Call>> calls_;  // by block
    std::vector<Value> values_ = {};
    IdMap<uint32_t> value_of_ = {};
    uint64_t most_blocks_ = 0;
};

}  // namespace

std::vector<uint64_t> live_across(const Builder& builder, const Function& function,
                                  const IdMap<uint32_t>& group_of, size_t groups) {
    return CallCrossings(builder, function, group_of, groups).run();
}

}  // namespace caldera::vulkan
