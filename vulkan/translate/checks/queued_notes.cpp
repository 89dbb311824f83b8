// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/queued_notes.h"

#include <algorithm>
#include <iterator>

#include "spirv/phis.h"
#include "spirv/sink_scope.h"

namespace caldera::vulkan {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

namespace {

constexpr size_t kManyAccesses = 32;   // of a function: fewer are compiled quickly as they are
constexpr size_t kAccessesOfLoop = 4;  // the loop that empties a queue is as much code as so many notes
constexpr uint32_t kMostQueued = 4096;

constexpr uint64_t kBias = 1;  // of an address, which may be 0

// A key has how the access is, how many bytes less one it has, its object and its site.
constexpr uint32_t kHowBits = 2, kBytesBits = 2, kObjectBits = 5,
                   kSiteShift = kHowBits + kBytesBits + kObjectBits;
constexpr uint32_t mask_of(uint32_t bits) { return (1u << bits) - 1; }

bool is_return(Op op) { return op == Op::OpReturn || op == Op::OpReturnValue; }

/// Whether the edge closes a cycle. Each cycle has such an edge.
bool leads_back(const spirv::Cfg& cfg, uint32_t from, uint32_t to) {
    return cfg.position[to] <= cfg.position[from];
}

}  // namespace

// ---- Before the function is rewritten ----

bool QueuedNotes::is_worth_it(const Function& function) const {
    const spirv::Cfg cfg = spirv::build_cfg(function);
    size_t accesses = 0, loops = 1;  // the one before the return
    for (const uint32_t b : cfg.order) {
        bool may_be_pending = true;
        for (const Instruction& inst : function.blocks[b].body) {
            const size_t count = count_accesses_(inst);
            accesses += count;
            if (stops_(inst)) loops += may_be_pending;
            may_be_pending = count != 0 || (may_be_pending && !stops_(inst));
        }
        loops += std::ranges::any_of(cfg.predecessors[b], [&](uint32_t from) {
            return cfg.reachable(from) && leads_back(cfg, from, b);
        });
    }
    return accesses >= kManyAccesses && accesses >= kAccessesOfLoop * loops &&
           spirv::find_loops(cfg, spirv::dominators(cfg)).reducible;
}

void QueuedNotes::begin(Function& function) {
    queues_ = {};
    unreported_.clear();
    is_used_ = is_worth_it(function);
    if (!is_used_) return;
    join_returns(function);
    join_latches(function);
    for (Queue& queue : queues_) queue.addresses = builder_.fresh();
}

void QueuedNotes::join_returns(Function& function) {
    if (std::ranges::count_if(function.blocks, [](const Block& b) { return is_return(b.terminator.op); }) < 2)
        return;
    Block joined{.label = builder_.fresh()};
    spirv::Operands operands;
    for (Block& block : function.blocks) {
        if (!is_return(block.terminator.op)) continue;
        if (block.terminator.op == Op::OpReturnValue)
            operands.insert(operands.end(), {block.terminator.id(0), block.label});
        block.terminator = {.op = Op::OpBranch, .operands = {joined.label}, .line = block.terminator.line};
    }
    joined.terminator = {.op = Op::OpReturn};
    if (!operands.empty()) {
        const spirv::SinkScope sink(builder_, &joined.body);
        const Id value = builder_.append(Op::OpPhi, function.return_type(), std::move(operands));
        joined.terminator = {.op = Op::OpReturnValue, .operands = {value}};
    }
    function.blocks.push_back(std::move(joined));
}

void QueuedNotes::join_latches(Function& function) {
    const spirv::Cfg cfg = spirv::build_cfg(function);
    std::vector<std::pair<uint32_t, Block>> joined;  // with the block behind which they are put
    for (const uint32_t header : cfg.order) {
        std::vector<uint32_t> latches;
        for (const uint32_t from : cfg.predecessors[header])
            if (cfg.reachable(from) && leads_back(cfg, from, header)) latches.push_back(from);
        if (latches.size() < 2) continue;
        Block latch{.label = builder_.fresh(),
                    .terminator = {.op = Op::OpBranch, .operands = {function.blocks[header].label}}};
        for (Instruction& phi : function.blocks[header].body) {
            if (phi.op != Op::OpPhi) continue;
            spirv::Operands inside, outside;
            for (size_t i = 0; i < phi.operands.size(); i += 2) {
                const bool is_inside = std::ranges::find(latches, cfg.block(phi.id(i + 1))) != latches.end();
                (is_inside ? inside : outside)
                    .insert((is_inside ? inside : outside).end(), {phi.operands[i], phi.operands[i + 1]});
            }
            const spirv::SinkScope sink(builder_, &latch.body);
            const Id value = builder_.append(Op::OpPhi, phi.type, std::move(inside));
            outside.insert(outside.end(), {value, latch.label});
            phi.operands = std::move(outside);
        }
        for (const uint32_t from : latches)
            spirv::replace_target(function.blocks[from].terminator, function.blocks[header].label,
                                  latch.label);
        Instruction& merge = function.blocks[header].merge;
        if (merge.op == Op::OpLoopMerge) merge.operands[1] = latch.label;
        joined.emplace_back(*std::ranges::max_element(latches), std::move(latch));
    }
    std::ranges::stable_sort(joined, std::greater{}, [](const auto& latch) { return latch.first; });
    for (auto& [behind, latch] : joined)
        function.blocks.insert(function.blocks.begin() + behind + 1, std::move(latch));
}

// ---- While it is rewritten ----

/// An OpNop is where queues are emptied.
void QueuedNotes::pass(const Instruction& inst) {
    if (is_used_ && stops_(inst)) builder_.append_void(Op::OpNop, {});
}

bool QueuedNotes::take(const QueuedAccess& access) {
    Queue& queue = queues_[access.is_local];
    const Object object = {access.object, access.size, access.who};
    const auto found = std::ranges::find(queue.objects, object);
    const auto number = static_cast<uint32_t>(found - queue.objects.begin());
    if (!is_used_ || queue.length() == kMostQueued || number > mask_of(kObjectBits) ||
        access.site > mask_of(32 - kSiteShift))
        return false;
    if (found == queue.objects.end()) queue.objects.push_back(object);
    const Id u64 = builder_.type_int(64);
    const Id pointer = builder_.append(Op::OpInBoundsAccessChain, pointer_to(u64),
                                       {queue.addresses, builder_.constant_u32(queue.length())});
    const Id value = builder_.append(Op::OpIAdd, u64, {access.address, builder_.constant_u64(kBias)});
    builder_.append_void(Op::OpStore, {pointer, value});
    queue.number_of[pointer] = queue.length();
    unreported_.push_back(pointer);
    queue.known_keys.push_back(builder_.constant_u32(access.how | (access.bytes - 1) << kHowBits |
                                                     number << (kHowBits + kBytesBits) |
                                                     access.site << kSiteShift));
    return true;
}

// ---- Afterwards ----

void QueuedNotes::Range::add(Range other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
}
/// At its ends; what is between stays.
void QueuedNotes::Range::take_out(Range other) {
    if (other.begin <= begin) begin = std::max(begin, other.end);
    if (other.end >= end) end = std::min(end, other.begin);
    if (empty()) *this = {};
}
QueuedNotes::Range QueuedNotes::Range::common(Range other) const {
    const Range both = {std::max(begin, other.begin), std::min(end, other.end)};
    return both.empty() ? Range{} : both;
}

/// Queues begin empty, and are empty again when the function returns.
void QueuedNotes::add_variables(Function& function) {
    std::vector<Instruction> variables, zeros;
    for (const Queue& queue : queues_) {
        if (queue.length() == 0) continue;
        const Id type = builder_.type_array(builder_.type_int(64), queue.length());
        {
            const spirv::SinkScope sink(builder_, &variables);
            builder_.append({.op = Op::OpVariable,
                             .type = pointer_to(type),
                             .result = queue.addresses,
                             .operands = {static_cast<uint32_t>(StorageClass::Function)}});
        }
        const spirv::SinkScope sink(builder_, &zeros);
        builder_.append_void(Op::OpStore, {queue.addresses, builder_.constant_null(type)});
    }
    function.insert_at_entry(std::move(zeros));
    std::vector<Instruction>& entry = function.blocks.front().body;
    entry.insert(entry.begin(), std::make_move_iterator(variables.begin()),
                 std::make_move_iterator(variables.end()));
}

/// What may be pending behind the instruction.
void QueuedNotes::pass(const Instruction& inst, Ranges& pending) const {
    if (inst.op == Op::OpNop) pending = {};
    if (inst.op != Op::OpStore) return;
    for (const size_t i : {0, 1})
        if (const auto found = queues_[i].number_of.find(inst.id(0)); found != queues_[i].number_of.end())
            pending[i].add({found->second, found->second + 1});
}

/// Before a return all is noted. Where a loop goes on, only what is accessed in it: other accesses are not
/// made again before they are noted.
void QueuedNotes::find_loops(const Function& function, const spirv::Cfg& cfg) {
    last_.assign(cfg.size(), {});
    const spirv::Loops found = spirv::find_loops(cfg, spirv::dominators(cfg));
    std::vector<Ranges> inside(found.loops.size());
    for (const uint32_t b : cfg.order) {
        if (is_return(function.blocks[b].terminator.op)) last_[b] = kWhole;
        Ranges own;
        for (const Instruction& inst : function.blocks[b].body)
            if (inst.op != Op::OpNop) pass(inst, own);
        for (uint32_t i = found.innermost[b]; i != spirv::kNoBlock; i = found.loops[i].parent)
            for (const size_t q : {0, 1}) inside[i][q].add(own[q]);
    }
    for (size_t i = 0; i < found.loops.size(); ++i)
        for (const uint32_t latch : found.loops[i].latches)
            for (const size_t q : {0, 1}) last_[latch][q].add(inside[i][q]);
}

void QueuedNotes::find_pending(const Function& function, const spirv::Cfg& cfg) {
    before_.assign(cfg.size(), {});
    std::vector<Ranges> after(cfg.size());
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (const uint32_t b : cfg.order) {
            for (const uint32_t from : cfg.predecessors[b])
                for (const size_t q : {0, 1}) before_[b][q].add(after[from][q]);
            Ranges now = before_[b];
            for (const Instruction& inst : function.blocks[b].body) pass(inst, now);
            for (const size_t q : {0, 1}) now[q].take_out(last_[b][q]);
            has_changed |= now != after[b];
            after[b] = now;
        }
    }
}

QueuedNote QueuedNotes::noted(size_t number, Id index, Id address) {
    const Queue& queue = queues_[number];
    const Id boolean = builder_.type_bool();
    const Id pointer =
        builder_.append(Op::OpInBoundsAccessChain,
                        builder_.type_pointer(StorageClass::UniformConstant, u32()), {queue.keys, index});
    const Id key = builder_.append(Op::OpLoad, u32(), {pointer});
    unreported_.push_back(key);
    const auto part = [&](uint32_t shift, uint32_t bits) {
        const Id shifted =
            builder_.append(Op::OpShiftRightLogical, u32(), {key, builder_.constant_u32(shift)});
        return builder_.append(Op::OpBitwiseAnd, u32(), {shifted, builder_.constant_u32(mask_of(bits))});
    };
    const Id bytes_less_one = part(kHowBits, kBytesBits), object = part(kHowBits + kBytesBits, kObjectBits);
    QueuedNote note{
        .is_local = number == 1,
        .address =
            builder_.append(Op::OpISub, builder_.type_int(64), {address, builder_.constant_u64(kBias)}),
        .bytes = builder_.append(Op::OpIAdd, u32(), {bytes_less_one, builder_.constant_u32(1)}),
        .how = part(0, kHowBits),
        .site = builder_.append(Op::OpShiftRightLogical, u32(), {key, builder_.constant_u32(kSiteShift)}),
        .object = queue.objects[0].object,
        .size = queue.objects[0].size,
        .who = queue.objects[0].who,
    };
    const auto choose = [&](Id condition, Id chosen, Id other) {
        if (chosen == other) return other;
        const Id type = builder_.type_of(other);
        if (const uint32_t count = builder_.count(type); count > 1)
            condition = builder_.append(Op::OpCompositeConstruct, builder_.with_count(boolean, count),
                                        spirv::Operands(count, condition));
        return builder_.append(Op::OpSelect, type, {condition, chosen, other});
    };
    for (uint32_t i = 1; i < queue.objects.size(); ++i) {
        const Id is_it = builder_.append(Op::OpIEqual, boolean, {object, builder_.constant_u32(i)});
        note.object = choose(is_it, queue.objects[i].object, note.object);
        note.size = choose(is_it, queue.objects[i].size, note.size);
        note.who = choose(is_it, queue.objects[i].who, note.who);
    }
    const Id is_empty = builder_.append(Op::OpIEqual, boolean, {address, builder_.constant_u64(0)});
    note.object = choose(is_empty, builder_.constant_null(builder_.type_of(note.object)), note.object);
    return note;
}

/// Ends the block with a loop that empties a part of the queue. Returns the block behind that. An element
/// that is 0 is noted as an access outside of its object, of which the library does nothing.
Block QueuedNotes::emptied(Block before, size_t number, Range range, std::vector<Block>& blocks,
                           const Emit& emit) {
    const Queue& queue = queues_[number];
    const Id next = builder_.fresh(), u64 = builder_.type_int(64);
    Block header{.label = builder_.fresh()}, body{.label = builder_.fresh()}, rest{.label = builder_.fresh()};
    before.terminator = {.op = Op::OpBranch, .operands = {header.label}};
    Id index;
    {
        const spirv::SinkScope sink(builder_, &header.body);
        index = builder_.append(Op::OpPhi, u32(),
                                {builder_.constant_u32(range.begin), before.label, next, body.label});
        const Id has_more =
            builder_.append(Op::OpULessThan, builder_.type_bool(), {index, builder_.constant_u32(range.end)});
        header.merge = {
            .op = Op::OpLoopMerge,
            .operands = {rest.label, body.label, static_cast<uint32_t>(spv::LoopControlMask::DontUnroll)}};
        header.terminator = {.op = Op::OpBranchConditional, .operands = {has_more, body.label, rest.label}};
    }
    {
        const spirv::SinkScope sink(builder_, &body.body);
        const Id pointer =
            builder_.append(Op::OpInBoundsAccessChain, pointer_to(u64), {queue.addresses, index});
        const Id address = builder_.append(Op::OpLoad, u64, {pointer});
        unreported_.insert(unreported_.end(), {pointer, address});
        builder_.append_void(Op::OpStore, {pointer, builder_.constant_u64(0)});
        emit(noted(number, index, address));
        builder_.append(
            {.op = Op::OpIAdd, .type = u32(), .result = next, .operands = {index, builder_.constant_u32(1)}});
        body.terminator = {.op = Op::OpBranch, .operands = {header.label}};
    }
    for (Block* block : {&before, &header, &body}) blocks.push_back(std::move(*block));
    return rest;
}

void QueuedNotes::finish(Function& function, const Emit& emit) {
    if (!is_used_) return;
    const spirv::Cfg cfg = spirv::build_cfg(function);
    find_loops(function, cfg);
    find_pending(function, cfg);
    for (Queue& queue : queues_)
        if (queue.length() != 0) {
            const Id type = builder_.type_array(u32(), queue.length());
            queue.keys = builder_.variable(StorageClass::UniformConstant, type,
                                           builder_.constant_composite(type, queue.known_keys));
        }
    std::vector<Block> blocks;
    std::vector<size_t> firsts;  // what was the beginning of a block
    std::vector<std::pair<Id, Id>> ends;
    for (uint32_t b = 0; b < cfg.size(); ++b) {
        Block& block = function.blocks[b];
        const size_t first = blocks.size();
        firsts.push_back(first);
        Ranges pending = before_[b];
        Block rest{.label = block.label};
        const auto empty = [&](const Ranges& ranges) {
            for (const size_t i : {0, 1})
                if (const Range range = pending[i].common(ranges[i]); !range.empty())
                    rest = emptied(std::move(rest), i, range, blocks, emit);
        };
        for (Instruction& inst : block.body) {
            if (inst.op == Op::OpNop) {
                empty(kWhole);
                pending = {};
                continue;
            }
            pass(inst, pending);
            rest.body.push_back(std::move(inst));
        }
        empty(last_[b]);
        rest.terminator = std::move(block.terminator);
        rest.merge = std::move(block.merge);
        if (rest.label != block.label) ends.emplace_back(block.label, rest.label);
        if (rest.label != block.label && rest.merge.op == Op::OpLoopMerge) {
            if (rest.merge.id(1) == block.label) rest.merge.operands[1] = rest.label;
            blocks[first].merge = std::move(rest.merge);
            rest.merge = {};
        }
        blocks.push_back(std::move(rest));
    }
    for (const size_t first : firsts)
        for (const auto& [from, to] : ends) spirv::rename_predecessor(blocks[first], from, to);
    function.blocks = std::move(blocks);
    add_variables(function);
}

}  // namespace caldera::vulkan
