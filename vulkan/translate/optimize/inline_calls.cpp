// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/inline_calls.h"

#include <algorithm>
#include <iterator>

#include "spirv/cfg.h"
#include "spirv/phis.h"
#include "spirv/sink_scope.h"

namespace caldera::vulkan {

using namespace spirv;

uint32_t CallInliner::inlined_callee(const Instruction& inst) const {
    if (inst.op != spv::Op::OpFunctionCall) return kNoFunction;
    const uint32_t callee = index_of_[inst.word(0)];
    return callee != kNoFunction && facts_[callee].inlined ? callee : kNoFunction;
}

void CallInliner::expand(uint32_t f, bool restructure) {
    Function& function = module_.functions[f];
    std::vector<Block> blocks = std::move(function.blocks);
    out_.clear();
    variables_.clear();
    results_ = {};
    tails_.clear();
    frames_.emplace_back().blocks = &blocks;
    while (!frames_.empty()) step();
    rename_predecessors();
    if (restructure)
        for (Block& block : out_)
            if (block.merge.op == spv::Op::OpSelectionMerge) block.merge = {};
    std::vector<Instruction>& entry = out_.front().body;
    entry.insert(entry.begin(), std::make_move_iterator(variables_.begin()),
                 std::make_move_iterator(variables_.end()));
    function.blocks = std::move(out_);
    results_.apply(function);
    remove_unreachable_blocks(function);
}

void CallInliner::step() {
    Frame& frame = frames_.back();
    if (frame.block == frame.blocks->size()) return leave_call();
    Block& block = (*frame.blocks)[frame.block];
    if (!frame.inside) enter_block(frame, block);
    while (frame.next < block.body.size()) {
        Instruction& inst = block.body[frame.next++];
        if (const uint32_t callee = inlined_callee(inst); callee != kNoFunction)
            return enter_call(callee, taken(frame, inst));
        take(frame, inst);
    }
    leave_block(frame, block);
}

/// The instruction in new ids.
Instruction CallInliner::taken(Frame& frame, Instruction& inst) {
    if (!frame.call.result) return std::move(inst);
    Instruction copy = cloner_.copy(inst);
    copy.line = frame.lines(module_, copy.line);
    return copy;
}

/// A callee's variables go to the entry block, and start anew at each call.
void CallInliner::take(Frame& frame, Instruction& inst) {
    Instruction copy = taken(frame, inst);
    if (!frame.call.result || copy.op != spv::Op::OpVariable) return put(std::move(copy));
    if (copy.operands.size() > 1) {
        put({.op = spv::Op::OpStore, .operands = {copy.result, copy.operands[1]}, .line = copy.line});
        copy.operands.erase(copy.operands.begin() + 1, copy.operands.end());
    }
    put(std::move(copy), variables_);
}

/// The builder learns the types of the new ids.
void CallInliner::put(Instruction inst, std::vector<Instruction>& to) {
    const SinkScope sink(builder_, &to);
    builder_.append(std::move(inst));
}

// ---- Blocks ----

void CallInliner::enter_block(Frame& frame, Block& block) {
    frame.inside = true;
    frame.latch_label = {};
    frame.name = frame.entry_name;
    if (!frame.call.result || frame.block != 0) {  // a callee's entry block is the rest of the caller's
        current_ = {.label = frame.call.result ? cloner_(block.label) : block.label};
        frame.name = current_.label;
    }
    frame.merge = taken(frame, block.merge);
    const bool grows = frame.merge.op == spv::Op::OpLoopMerge &&
                       std::ranges::any_of(block.body, [&](const Instruction& inst) {
                           const uint32_t callee = inlined_callee(inst);
                           return callee != kNoFunction && facts_[callee].many_blocks;
                       });
    if (grows) free_loop_header(frame, block);
}

/// A loop header keeps its phis and its merge; the rest of the block becomes a block of its own, which may
/// grow. A loop of one block was its own continue construct; it gets another block for that.
void CallInliner::free_loop_header(Frame& frame, Block& block) {
    const Id label = current_.label;
    if (frame.merge.id(1) == label) {
        frame.latch_label = module_.fresh();
        frame.merge.operands[1] = frame.latch_label;
    }
    while (frame.next < block.body.size() && block.body[frame.next].op == spv::Op::OpPhi) {
        Instruction phi = taken(frame, block.body[frame.next++]);
        for (size_t i = 1; frame.latch_label && i < phi.operands.size(); i += 2)
            if (phi.id(i) == label) phi.operands[i] = frame.latch_label;
        put(std::move(phi));
    }
    current_.merge = std::move(frame.merge);
    frame.merge = {};
    const Id rest = module_.fresh();
    current_.terminator = {
        .op = spv::Op::OpBranch,
        .operands = {rest},
        .line = frame.call.result ? frame.lines(module_, block.terminator.line) : block.terminator.line};
    out_.push_back(std::move(current_));
    current_ = {.label = rest};
}

void CallInliner::leave_block(Frame& frame, Block& block) {
    Instruction end = taken(frame, block.terminator);
    frame.inside = false;
    frame.next = 0;
    ++frame.block;
    if (current_.label != frame.name) tails_[frame.name] = current_.label;
    if (frame.call.result && (end.op == spv::Op::OpReturn || end.op == spv::Op::OpReturnValue)) {
        if (end.op == spv::Op::OpReturnValue)
            frame.returned.insert(frame.returned.end(), {end.id(0), frame.name});
        if (!frame.after) return;  // the last block: the caller's code goes on in it
        end = {.op = spv::Op::OpBranch, .operands = {frame.after}, .line = end.line};
    }
    if (frame.latch_label) replace_target(end, frame.name, frame.latch_label);
    current_.merge = std::move(frame.merge);
    current_.terminator = std::move(end);
    out_.push_back(std::move(current_));
    if (frame.latch_label)
        out_.push_back(
            {.label = frame.latch_label, .terminator = {.op = spv::Op::OpBranch, .operands = {frame.name}}});
}

/// Phis name the blocks that control comes from, which may have another label since calls in them became
/// blocks.
void CallInliner::rename_predecessors() {
    if (tails_.empty()) return;
    for (Block& block : out_)
        for (Instruction& phi : spirv::phis_of(block.body))
            for (size_t i = 1; i < phi.operands.size(); i += 2)
                if (const auto tail = tails_.find(phi.id(i)); tail != tails_.end())
                    phi.operands[i] = tail->second;
}

// ---- Calls ----

void CallInliner::enter_call(uint32_t callee, const Instruction& call) {
    Function& function = module_.functions[callee];
    cloner_.rename_body(function, false);
    for (size_t i = 0; i < function.params.size(); ++i)
        cloner_.map(function.params[i].result, call.id(i + 1));
    Frame& frame = frames_.emplace_back();
    frame.blocks = &function.blocks;
    frame.call = call;
    frame.lines = InlinedLines(call.line);
    frame.entry_name = module_.fresh();
    cloner_.map(function.blocks[0].label, frame.entry_name);
    if (!facts_[callee].returns_last) frame.after = module_.fresh();
}

void CallInliner::leave_call() {
    const Frame frame = std::move(frames_.back());
    frames_.pop_back();
    if (frames_.empty()) return;
    if (frame.after) current_ = {.label = frame.after};
    if (builder_.op_of_type(frame.call.type) == spv::Op::OpTypeVoid) return;
    if (frame.returned.empty())
        results_.set(frame.call.result, builder_.undef(frame.call.type));
    else if (frame.returned.size() == 2)
        results_.set(frame.call.result, frame.returned[0].id());
    else
        put({.op = spv::Op::OpPhi,
             .type = frame.call.type,
             .result = frame.call.result,
             .operands = frame.returned,
             .line = frame.call.line});
}

}  // namespace caldera::vulkan
