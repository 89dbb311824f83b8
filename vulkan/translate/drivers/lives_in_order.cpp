// SPDX-License-Identifier: Apache-2.0
// LivesInOrder: numbers the places of a function, finds the first and the last one of each value, and adds
// up.
#include "vulkan/translate/drivers/lives_in_order.h"

#include <algorithm>

namespace caldera::vulkan {

using namespace spirv;
using spv::Op;

LivesInOrder::LivesInOrder(const Builder& builder, const Function& function)
    : builder_(builder), cfg_(build_cfg(function)), loops_(find_loops(cfg_, dominators(cfg_))) {
    uint64_t place = 0;
    for (const Block& block : function.blocks) {
        first_.push_back(place);
        place += block.body.size();
        last_.push_back(place++);
    }
    find_loop_ends(function);
    find_values(function);
    find_uses(function);
    live_.assign(place + 1, 0);
    for (const auto& [id, life] : lives_) {
        live_[life.begin + 1] += life.components;  // differences, whose sums are wanted
        live_[life.end + 1] -= life.components;
    }
    for (size_t i = 1; i < live_.size(); ++i) live_[i] += live_[i - 1];
}

void LivesInOrder::find_loop_ends(const Function& function) {
    loop_end_.resize(loops_.loops.size());
    for (size_t b = 0; b < function.blocks.size(); ++b)
        for (uint32_t loop = loops_.innermost[b]; loop != kNoBlock; loop = loops_.loops[loop].parent)
            loop_end_[loop] = std::max(loop_end_[loop], last_[b]);
}

void LivesInOrder::find_values(const Function& function) {
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        uint64_t place = first_[b];
        for (const Instruction& inst : function.blocks[b].body) {
            if (inst.result && inst.type && inst.op != Op::OpVariable && inst.op != Op::OpUndef) {
                const bool is_vector = builder_.op_of_type(inst.type) == Op::OpTypeVector;
                lives_[inst.result] = {b, place, place, is_vector ? builder_.count(inst.type) : 1};
            }
            ++place;
        }
    }
}

void LivesInOrder::find_uses(const Function& function) {
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        uint64_t place = first_[b];
        for (const Instruction& inst : block.body) {
            if (inst.op == Op::OpPhi) {
                use_at_end(inst);
            } else {
                for (const Operand& operand : inst.operands)
                    if (operand.is_id) use(operand.id(), b, place);
            }
            ++place;
        }
        for (const Operand& operand : block.terminator.operands)
            if (operand.is_id) use(operand.id(), b, place);
    }
}

void LivesInOrder::use_at_end(const Instruction& phi) {
    for (size_t o = 0; o + 1 < phi.operands.size(); o += 2) {
        const uint32_t from = cfg_.block(phi.id(o + 1));
        if (from == kNoBlock) continue;
        use(phi.id(o), from, last_[from]);
        Life& life = lives_.at(phi.result);
        life.begin = std::min(life.begin, last_[from]);
        life.end = std::max(life.end, last_[from]);
    }
}

void LivesInOrder::use(Id value, uint32_t block, uint64_t place) {
    const auto found = lives_.find(value);
    if (found == lives_.end()) return;
    Life& life = found->second;
    for (uint32_t loop = loops_.innermost[block]; loop != kNoBlock; loop = loops_.loops[loop].parent) {
        if (loops_.contains(loop, life.block)) break;
        place = std::max(place, loop_end_[loop]);
    }
    life.end = std::max(life.end, place);
}

}  // namespace caldera::vulkan
