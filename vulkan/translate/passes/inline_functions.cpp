// SPDX-License-Identifier: Apache-2.0
// inline_functions: lets no pointer to private, local or generic memory and no opaque object cross a call, bottom-up over the
// call graph. A function of values stays a function unless it has one call or a handful of instructions.
// After: recursion has been declined. A caller that took in a function with several returns has lost its selection merges;
// structure_control_flow finds new ones.
#include <algorithm>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/clone.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/structure.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint64_t kMaxInstructions = 1'000'000;  // of one function, after inlining
constexpr uint64_t kTiny = 12;                    // instructions that are no more than a call costs
constexpr uint64_t kSmall = 100;                  // what `inline` may ask for

constexpr uint32_t kMaxTypeDepth = 64;  // deeper aggregates are taken for the worst

/// What is known of each function before anything is rewritten.
struct Candidate {
    std::vector<uint32_t> callees = {};  // with repeats
    uint64_t size = 0;                   // instructions, those of inlined callees included
    uint32_t calls = 0;                  // call sites in the module
    uint32_t blocks = 0, returns = 0;
    bool required = false;  // its type says that it must be inlined
    bool inlined = false;
    bool returns_last = false;  // one return, outside all constructs: the caller's merges survive
};

class Inliner {
 public:
    explicit Inliner(Module& module) : module_(module), builder_(module), cloner_(module) {}

    Result<Done> run() {
        survey();
        if (Result<Done> ordered = order_calls(); !ordered) return ordered;
        for (uint32_t f : order_) {
            if (Result<Done> planned = plan(f); !planned) return planned;
            if (calls_inlined(f)) expand(f);
            finish(f);
        }
        drop_inlined();
        return Done{};
    }

 private:
    // ---- What to inline ----

    void survey();
    Result<Done> order_calls();
    Result<Done> plan(uint32_t f);
    bool has_bad_type(const Function& function);
    bool is_bad_type(Id type, uint32_t depth);
    bool calls_inlined(uint32_t f) const {
        return std::ranges::any_of(candidates_[f].callees,
                                   [&](uint32_t c) { return candidates_[c].inlined; });
    }
    void finish(uint32_t f);
    void drop_inlined();

    // ---- How ----

    struct Move {
        Id from, to;
    };
    void expand(uint32_t f);
    void expand_block(Block& block, std::vector<Block>& out);
    std::vector<Block> free_loop_header(Block& block, std::vector<Block>& out);
    static void rename_predecessors(Block& block, const std::vector<Move>& moves);
    void splice(const Instruction& call, const Function& callee, Block& current, std::vector<Block>& out);
    void copy_body(const Block& from, Block& to);
    const Candidate* inlined_callee(const Instruction& inst) const;

    Module& module_;
    Builder builder_;
    Cloner cloner_;
    IdMap<uint32_t> index_of_ = {};
    IdMap<bool> bad_types_ = {};
    std::vector<Candidate> candidates_ = {};
    std::vector<uint32_t> order_ = {};  // callees first

    // Of the function being expanded:
    std::vector<Instruction> variables_ = {};
    Substitution results_ = {};
    IdMap<std::vector<Move>> moved_ = {};  // block -> predecessors that have a new label
    IdMap<bool> pinned_ = {};              // continue targets and latches, which must stay one block
    bool restructure_ = false;
};

// ---- What to inline ----

bool Inliner::is_bad_type(Id type, uint32_t depth) {
    if (auto found = bad_types_.find(type.value); found != bad_types_.end()) return found->second;
    const Instruction* inst = builder_.find_global(type);
    if (inst == nullptr) return false;
    if (depth > kMaxTypeDepth) return true;
    bool result = false;
    switch (inst->op) {
        case spv::Op::OpTypePointer: {
            const auto storage = static_cast<spv::StorageClass>(inst->word(0));
            result = storage == spv::StorageClass::Function || storage == spv::StorageClass::Workgroup ||
                     storage == spv::StorageClass::Generic || storage == spv::StorageClass::Private;
            break;
        }
        case spv::Op::OpTypeImage:
        case spv::Op::OpTypeSampler:
        case spv::Op::OpTypeSampledImage:
        case spv::Op::OpTypeOpaque:
        case spv::Op::OpTypeEvent:
        case spv::Op::OpTypeDeviceEvent:
        case spv::Op::OpTypeReserveId:
        case spv::Op::OpTypeQueue:
        case spv::Op::OpTypePipe: result = true; break;
        case spv::Op::OpTypeArray: result = is_bad_type(inst->id(0), depth + 1); break;
        case spv::Op::OpTypeStruct: {
            const Operands members = inst->operands;
            for (const Operand& member : members) result = result || is_bad_type(member.id(), depth + 1);
            break;
        }
        default: break;
    }
    return bad_types_[type.value] = result;
}

bool Inliner::has_bad_type(const Function& function) {
    if (is_bad_type(function.return_type(), 0)) return true;
    return std::ranges::any_of(function.params,
                               [&](const Instruction& param) { return is_bad_type(param.type, 0); });
}

void Inliner::survey() {
    for (uint32_t f = 0; f < module_.functions.size(); ++f) index_of_[module_.functions[f].id().value] = f;
    candidates_.resize(module_.functions.size());
    for (uint32_t f = 0; f < module_.functions.size(); ++f) {
        const Function& function = module_.functions[f];
        Candidate& candidate = candidates_[f];
        candidate.required = has_bad_type(function);
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op != spv::Op::OpFunctionCall) continue;
                auto found = index_of_.find(inst.word(0));
                if (found == index_of_.end() || module_.functions[found->second].blocks.empty()) continue;
                candidate.callees.push_back(found->second);
                ++candidates_[found->second].calls;
            }
    }
}

Result<Done> Inliner::order_calls() {
    enum : uint8_t { New, Open, Finished };
    struct Visit {
        uint32_t function, next;
    };
    std::vector<uint8_t> state(candidates_.size(), New);
    std::vector<Visit> stack;
    for (uint32_t start = 0; start < candidates_.size(); ++start) {
        if (state[start] != New) continue;
        stack.push_back({start, 0});
        state[start] = Open;
        while (!stack.empty()) {
            Visit& top = stack.back();
            if (top.next == candidates_[top.function].callees.size()) {
                state[top.function] = Finished;
                order_.push_back(top.function);
                stack.pop_back();
                continue;
            }
            const uint32_t callee = candidates_[top.function].callees[top.next++];
            if (state[callee] == Open)
                return Error{.message = "function '" +
                                        function_name(module_, module_.functions[callee].id()) +
                                        "' is recursive, which OpenCL C does not allow"};
            if (state[callee] == New) {
                state[callee] = Open;
                stack.push_back({callee, 0});
            }
        }
    }
    return Done{};
}

// The size that the function will have; before any copy is made, because sizes can double with each level of calls.
Result<Done> Inliner::plan(uint32_t f) {
    Candidate& candidate = candidates_[f];
    for (const Block& block : module_.functions[f].blocks) candidate.size += block.body.size() + 1;
    for (uint32_t callee : candidate.callees)
        if (candidates_[callee].inlined) candidate.size += candidates_[callee].size;
    if (candidate.size > kMaxInstructions && calls_inlined(f))
        return Error{.message =
                         "function '" + function_name(module_, module_.functions[f].id()) +
                         "' has more than " + std::to_string(kMaxInstructions) +
                         " instructions after inlining the functions that take private or local pointers"};
    return Done{};
}

// Decides about the function itself, once its own calls are expanded.
void Inliner::finish(uint32_t f) {
    const Function& function = module_.functions[f];
    Candidate& candidate = candidates_[f];
    candidate.blocks = static_cast<uint32_t>(function.blocks.size());
    if (function.blocks.empty() || candidate.calls == 0) return;
    for (const Block& block : function.blocks)
        candidate.returns +=
            block.terminator.op == spv::Op::OpReturn || block.terminator.op == spv::Op::OpReturnValue;
    const spv::Op last = function.blocks.back().terminator.op;
    if (candidate.returns == 1 && (last == spv::Op::OpReturn || last == spv::Op::OpReturnValue)) {
        const Cfg cfg = build_cfg(function);
        const Structure structure = check_structure(function, cfg, dominators(cfg));
        candidate.returns_last = structure.fault.empty() && structure.enclosing.back() == kNoBlock;
    }
    const bool refuses = function.def.word(0) & static_cast<uint32_t>(spv::FunctionControlMask::DontInline);
    const bool asks = function.def.word(0) & static_cast<uint32_t>(spv::FunctionControlMask::Inline);
    const bool cheap = candidate.size <= kTiny || candidate.calls == 1 || (asks && candidate.size <= kSmall);
    candidate.inlined = candidate.required || (cheap && candidate.returns_last && !refuses);
}

void Inliner::drop_inlined() {
    IdMap<bool> kept;
    for (const Instruction& entry : module_.entry_points) kept[entry.word(1)] = true;
    for (const Function& function : module_.functions)  // a block that is enqueued is mentioned, not called
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (!inlined_callee(inst))
                    for (const Operand& operand : inst.operands)
                        if (operand.is_id && index_of_.contains(operand.word)) kept[operand.word] = true;
    const size_t before = module_.functions.size();
    std::erase_if(module_.functions, [&](const Function& function) {
        return candidates_[index_of_.at(function.id().value)].inlined && !kept.contains(function.id().value);
    });
    if (module_.functions.size() != before) drop_stale_names(module_);
}

const Candidate* Inliner::inlined_callee(const Instruction& inst) const {
    if (inst.op != spv::Op::OpFunctionCall) return nullptr;
    auto found = index_of_.find(inst.word(0));
    if (found == index_of_.end() || !candidates_[found->second].inlined) return nullptr;
    return &candidates_[found->second];
}

// ---- How ----

void Inliner::expand(uint32_t f) {
    Function& function = module_.functions[f];
    variables_.clear();
    results_ = {};
    moved_.clear();
    pinned_.clear();
    restructure_ = false;
    for (const Block& block : function.blocks) {
        if (block.merge.op != spv::Op::OpLoopMerge || block.merge.id(1) == block.label) continue;
        pinned_[block.merge.word(1)] = true;
    }

    std::vector<Block> out;
    for (Block& block : function.blocks) expand_block(block, out);
    for (Block& block : out)
        if (auto moves = moved_.find(block.label.value); moves != moved_.end())
            rename_predecessors(block, moves->second);
    if (restructure_)
        for (Block& block : out)
            if (block.merge.op == spv::Op::OpSelectionMerge) block.merge = {};
    std::vector<Instruction>& entry = out.front().body;
    entry.insert(entry.begin(), std::make_move_iterator(variables_.begin()),
                 std::make_move_iterator(variables_.end()));
    function.blocks = std::move(out);
    results_.apply(function);
    remove_unreachable_blocks(function);
}

void Inliner::rename_predecessors(Block& block, const std::vector<Move>& moves) {
    for (Instruction& inst : block.body) {
        if (inst.op != spv::Op::OpPhi) break;
        for (size_t i = 1; i < inst.operands.size(); i += 2) {
            auto move = std::ranges::find(moves, inst.id(i), &Move::from);
            if (move != moves.end()) inst.operands[i] = move->to;
        }
    }
}

void Inliner::expand_block(Block& block, std::vector<Block>& out) {
    bool calls = false, many_blocks = false;
    for (const Instruction& inst : block.body)
        if (const Candidate* callee = inlined_callee(inst)) {
            calls = true;
            many_blocks |= callee->blocks > 1;
        }
    if (!calls) {
        out.push_back(std::move(block));
        return;
    }
    const Id label = block.label;
    if (many_blocks && pinned_.contains(label.value)) restructure_ = true;
    std::vector<Block> latch;
    if (many_blocks && block.merge.op == spv::Op::OpLoopMerge) latch = free_loop_header(block, out);
    Block current = {.label = block.label};
    for (Instruction& inst : block.body) {
        if (inlined_callee(inst))
            splice(inst, module_.functions[index_of_.at(inst.word(0))], current, out);
        else
            current.body.push_back(std::move(inst));
    }
    current.merge = std::move(block.merge);
    current.terminator = std::move(block.terminator);
    if (current.label != label)
        for_each_target(current.terminator, [&](const Operand& target) {
            moved_[target.word].push_back({label, current.label});
        });
    out.push_back(std::move(current));
    for (Block& added : latch) out.push_back(std::move(added));
}

// A loop header keeps its phis and its merge; the rest of the block becomes a block of its own, which may grow. A loop of
// one block was its own continue construct; it gets another block for that, which is returned.
std::vector<Block> Inliner::free_loop_header(Block& block, std::vector<Block>& out) {
    const Id label = block.label;
    Block header = {.label = label, .merge = block.merge};
    const bool latch = block.merge.id(1) == label;
    const Id continue_label = latch ? module_.fresh() : Id{};
    auto first =
        std::ranges::find_if(block.body, [](const Instruction& i) { return i.op != spv::Op::OpPhi; });
    for (auto inst = block.body.begin(); inst != first; ++inst) {
        if (latch)
            for (size_t i = 1; i < inst->operands.size(); i += 2)
                if (inst->id(i) == label) inst->operands[i] = continue_label;
        header.body.push_back(std::move(*inst));
    }
    block.body.erase(block.body.begin(), first);
    block.label = module_.fresh();
    block.merge = {};
    header.terminator = {.op = spv::Op::OpBranch, .operands = {block.label}, .line = block.terminator.line};
    if (latch) {
        header.merge.operands[1] = continue_label;
        replace_target(block.terminator, label, continue_label);
    }
    out.push_back(std::move(header));
    if (!latch) return {};
    return {{.label = continue_label, .terminator = {.op = spv::Op::OpBranch, .operands = {label}}}};
}

// Copies a callee's block; its variables go to the caller's entry block, and start anew at each call.
void Inliner::copy_body(const Block& from, Block& to) {
    for (const Instruction& inst : from.body) {
        Instruction copy = cloner_.copy(inst);
        if (copy.op != spv::Op::OpVariable) {
            to.body.push_back(std::move(copy));
            continue;
        }
        if (copy.operands.size() > 1) {
            to.body.push_back(
                {.op = spv::Op::OpStore, .operands = {copy.result, copy.operands[1]}, .line = copy.line});
            copy.operands.resize(1);
        }
        variables_.push_back(std::move(copy));
    }
}

void Inliner::splice(const Instruction& call, const Function& callee, Block& current,
                     std::vector<Block>& out) {
    const Candidate& candidate = candidates_[index_of_.at(callee.id().value)];
    cloner_.begin();
    cloner_.rename_body(callee, false);
    cloner_.map(callee.blocks[0].label, current.label);  // its entry block is the rest of the caller's
    for (size_t i = 0; i < callee.params.size(); ++i) cloner_.map(callee.params[i].result, call.id(i + 1));
    if (!candidate.returns_last) restructure_ = true;

    Operands returned;  // (value, label) as a phi wants them
    Id after = {};      // where several returns meet
    if (!candidate.returns_last) after = module_.fresh();
    for (size_t i = 0; i < callee.blocks.size(); ++i) {
        const Block& block = callee.blocks[i];
        if (i != 0) current = {.label = cloner_(block.label)};
        copy_body(block, current);
        current.merge = cloner_.copy(block.merge);
        current.terminator = cloner_.copy(block.terminator);
        const Instruction& end = current.terminator;
        if (end.op == spv::Op::OpReturn || end.op == spv::Op::OpReturnValue) {
            if (end.op == spv::Op::OpReturnValue) returned.insert(returned.end(), {end.id(0), current.label});
            if (!after) break;  // the last block: the caller's code goes on in it
            current.terminator = {.op = spv::Op::OpBranch, .operands = {after}, .line = end.line};
        }
        out.push_back(std::move(current));
    }
    if (after)
        current = {.label = after};
    else
        current.merge = current.terminator = {};
    if (builder_.op_of_type(call.type) == spv::Op::OpTypeVoid) return;
    if (returned.empty()) {
        results_.set(call.result, builder_.undef(call.type));
    } else if (returned.size() == 2) {
        results_.set(call.result, returned[0].id());
    } else {
        current.body.insert(current.body.begin(), {.op = spv::Op::OpPhi,
                                                   .type = call.type,
                                                   .result = call.result,
                                                   .operands = returned,
                                                   .line = call.line});
    }
}

}  // namespace

Result<Done> inline_functions(spirv::Module& module, PassContext&) { return Inliner(module).run(); }

}  // namespace caldera::vulkan
