// SPDX-License-Identifier: Apache-2.0
// merge_calls: makes one call of several, in kernels that would be very large once every call is inlined.
//
// Mesa's compilers inline every call, and take more than linear time for a kernel. One that decrypts a key in
// ten ways has a hundred copies of the same hash function. Several calls of a function in another one become
// one call in a block of its own: who goes there says in variables what to pass and where to go on.
//
//     a: ... = f(x); goto b;             a: arg = x; next = 0; goto call;
//     c: ... = f(y); goto d;      ->     c: arg = y; next = 1; goto call;
//                                        call: result = f(arg); switch (next) { 0: goto b; 1: goto d; }
//
// So a function's copies are as many as its callers, and not as its calls. The calls that save most are
// merged, until the kernel is small enough. Work-items that come to the call from several places may run it
// at different times, so functions with barriers or operations of groups are left alone. Pointers stay apart
// too, except those to private memory: which buffer one points to would be lost. So calls are merged whose
// pointers to a buffer are the same, and steady_arguments.h first finds out which are.
//
// After: functions whose calls were merged have no phis, and new merge instructions.
#include <algorithm>
#include <unordered_map>

#include "spirv/builder.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/flow/demote.h"
#include "vulkan/translate/flow/disjoint_lives.h"
#include "vulkan/translate/flow/live_across.h"
#include "vulkan/translate/flow/restructure.h"
#include "vulkan/translate/flow/steady_arguments.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/must_inline.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

// A merged kernel has this share of the size that is too large, unless merging saves less than that many
// instructions, or that part of the kernel.
constexpr uint64_t kGoalShare = 4, kLeastGain = 200, kLeastPart = 64;
constexpr uint64_t kMostInlined = uint64_t{1} << 40;
constexpr uint64_t kPhiCost = 4;  // instructions for a component of each operand
constexpr uint32_t kMaxMerges = 4096;

/// Whether work-items of a group or sub-group must come to the instruction together.
bool needs_others(spv::Op op) {
    using enum spv::Op;
    return is_group_operation(op) || op == OpControlBarrier || op == OpNamedBarrierInitialize ||
           op == OpMemoryNamedBarrier || op == OpEnqueueKernel;
}

/// Calls of one function in another one that can become one call.
struct Group {
    uint32_t callee = 0;
    std::vector<Id> calls = {};  // by their results
    bool merged = false;
    uint64_t lasting = 0;  // components of values that live across the calls
    uint64_t copies() const { return merged ? 1 : calls.size(); }
};

/// Decides which calls are merged.
class MergePlan {
 public:
    MergePlan(const Module& module, Builder& builder)
        : module_(module), builder_(builder), is_bad_(builder), graph_(module), order_(graph_.order()) {}

    /// False if there is nothing to merge. Names the arguments that calls have in common.
    bool make(uint64_t large_kernel) {
        if (order_.recursive) return false;  // inline_functions declines it
        const std::vector<uint64_t> sizes = inlined_sizes(module_, graph_, order_.callees_first);
        std::vector<uint32_t> kernels;
        for (const Instruction& entry : module_.entry_points)
            if (const uint32_t f = graph_.index_of(entry.id(1));
                f != CallGraph::kNone && sizes[f] > large_kernel)
                kernels.push_back(f);
        if (kernels.empty()) return false;
        for (uint32_t f = 0; f < module_.functions.size(); ++f)
            if (graph_.callees(f).size() > 1) name_steady_arguments(builder_, builder_.module().functions[f]);
        find_alone();
        group_calls();
        bool any = false;
        for (const uint32_t kernel : kernels) any |= merge(kernel, large_kernel / kGoalShare);
        return any;
    }
    const std::vector<Group>& groups(uint32_t function) const { return groups_[function]; }

 private:
    /// Finds the functions that no other work-item need run at the same time.
    void find_alone() {
        alone_.assign(module_.functions.size(), true);
        for (const uint32_t f : order_.callees_first) {
            bool alone = !module_.functions[f].blocks.empty();
            for (const uint32_t callee : graph_.callees(f)) alone = alone && alone_[callee];
            for (const Block& block : module_.functions[f].blocks)
                for (const Instruction& inst : block.body) alone = alone && !needs_others(inst.op);
            alone_[f] = alone;
        }
    }

    void group_calls() {
        own_sizes_.assign(module_.functions.size(), 0);
        variables_.assign(module_.functions.size(), 0);
        stays_whole_.assign(module_.functions.size(), false);
        groups_.resize(module_.functions.size());
        for (uint32_t f = 0; f < module_.functions.size(); ++f) {
            std::unordered_map<std::string, size_t> found;
            for (const Block& block : module_.functions[f].blocks) {
                own_sizes_[f] += code_size(block) + 1;
                for (const Instruction& inst : block.body) {
                    if (inst.op == spv::Op::OpVariable)
                        variables_[f] += builder_.count(builder_.pointee(inst.type));
                    if (inst.type && !builder_.is_pointer(inst.type) && is_bad_(inst.type))
                        stays_whole_[f] = true;
                }
            }
            for (const Block& block : module_.functions[f].blocks)
                for (const Instruction& inst : block.body)
                    if (inst.op == spv::Op::OpFunctionCall) add_call(f, inst, found);
            count_lasting(f);
        }
    }

    /// Counts what lives across the calls of each group that may be merged.
    void count_lasting(uint32_t f) {
        std::vector<Group>& groups = groups_[f];
        IdMap<uint32_t> group_of;
        for (uint32_t i = 0; i < groups.size(); ++i)
            if (groups[i].calls.size() > 1)
                for (const Id call : groups[i].calls) group_of.emplace(call, i);
        if (group_of.empty()) return;
        const std::vector<uint64_t> lasting =
            live_across(builder_, module_.functions[f], group_of, groups.size());
        for (uint32_t i = 0; i < groups.size(); ++i) groups[i].lasting = lasting[i];
    }

    void add_call(uint32_t caller, const Instruction& call, std::unordered_map<std::string, size_t>& found) {
        const uint32_t callee = graph_.index_of(call.id(0));
        if (callee == CallGraph::kNone) return;
        std::vector<Group>& groups = groups_[caller];
        const auto [place, is_new] = found.emplace(key(caller, callee, call), groups.size());
        if (is_new) groups.push_back({.callee = callee});
        groups[place->second].calls.push_back(call.result);
    }

    /// Equal for calls that can be merged: their pointers are the same, except those to private memory.
    std::string key(uint32_t caller, uint32_t callee, const Instruction& call) {
        std::string text = std::to_string(callee);
        if (!alone_[caller] || stays_whole_[caller] || builder_.is_pointer(call.type) || is_bad_(call.type))
            return text + " " + std::to_string(call.result.value);
        for (size_t i = 1; i < call.operands.size(); ++i)
            if (!can_vary(builder_.type_of(call.id(i)))) text += " " + std::to_string(call.word(i));
        return text;
    }

    bool can_vary(Id type) {
        if (!builder_.is_pointer(type)) return !is_bad_(type);
        return builder_.find_global(type)->word(0) == static_cast<uint32_t>(spv::StorageClass::Function);
    }

    /// Merges the calls below a kernel that save most, until it has at most `goal` instructions.
    bool merge(uint32_t kernel, uint64_t goal) {
        bool any = false;
        for (uint32_t round = 0; round < kMaxMerges; ++round) {
            measure();
            if (sizes_[kernel] <= goal) break;
            Group* best = nullptr;
            uint64_t most = std::max(kLeastGain, sizes_[kernel] / kLeastPart);
            count_copies(kernel);
            for (const uint32_t f : order_.callees_first) {
                if (copies_[f] == 0) continue;  // another kernel's
                for (Group& group : groups_[f]) {
                    if (group.merged || group.calls.size() < 2) continue;
                    const uint64_t calls = group.calls.size(), copies = copies_[f];
                    const uint64_t saved =
                        std::min(sizes_[group.callee], kMostInlined / copies / calls) * (calls - 1) * copies;
                    // What lives across the calls becomes phis of as many values. Compilers keep a vector's
                    // components apart.
                    const uint64_t spent = kPhiCost * calls * (variables_[f] + group.lasting) * copies;
                    const uint64_t gain = saved > spent ? saved - spent : 0;
                    if (gain >= most) most = gain, best = &group;
                }
            }
            if (best == nullptr) break;
            best->merged = any = true;
        }
        return any;
    }

    void measure() {
        sizes_ = own_sizes_;
        for (const uint32_t f : order_.callees_first)
            for (const Group& group : groups_[f])
                for (uint64_t i = 0; i < group.copies(); ++i)
                    sizes_[f] = std::min(sizes_[f] + sizes_[group.callee], kMostInlined);
    }

    /// How often each function is in the kernel.
    void count_copies(uint32_t kernel) {
        copies_.assign(module_.functions.size(), 0);
        copies_[kernel] = 1;
        for (auto f = order_.callees_first.rbegin(); f != order_.callees_first.rend(); ++f)
            for (const Group& group : groups_[*f])
                copies_[group.callee] =
                    std::min(copies_[group.callee] + copies_[*f] * group.copies(), kMostInlined);
    }

    const Module& module_;
    Builder& builder_;
    MustInline is_bad_;
    CallGraph graph_;
    CallOrder order_;
    std::vector<bool> alone_ = {};
    std::vector<std::vector<Group>> groups_ = {};  // by caller
    std::vector<bool> stays_whole_ = {};           // a sampled image, say, cannot go through a variable
    // variables_: components of variables
    std::vector<uint64_t> own_sizes_ = {}, variables_ = {}, sizes_ = {}, copies_ = {};
};

/// Merges the calls of groups in a function.
class CallMerger {
 public:
    CallMerger(Builder& builder, Function& function) : builder_(builder), function_(function) {}

    void run(const std::vector<Group>& groups) {
        demote_phis(builder_, function_);
        for (const Group& group : groups)
            if (group.merged) prepare(group);
        std::vector<Block> out;
        for (Block& block : function_.blocks) cut(block, out);
        function_.blocks = std::move(out);
        std::vector<bool> is_cut(function_.blocks.size());
        for (uint32_t b = 0; b < is_cut.size(); ++b) is_cut[b] = hub_at_end(function_.blocks[b]) != nullptr;
        // As long as each call goes on to its own rest: afterwards everything seems to live at once.
        const IdMap<uint32_t> shared = disjoint_lives(builder_, function_, is_cut);
        for (uint32_t b = 0; b < is_cut.size(); ++b)
            if (is_cut[b]) redirect(function_.blocks[b], function_.blocks[b + 1]);
        for (Hub& hub : hubs_) function_.blocks.push_back(finish(hub));
        repair_dominance(builder_, function_, shared);
        restructure(builder_, function_);
    }

 private:
    /// The block with the one call.
    struct Hub {
        Id label = {}, result = {}, next = {};  // variables, but for the label
        std::vector<Id> arguments = {};         // variables; none where all calls pass the same
        Instruction call = {};
        std::vector<Id> ways_on = {};
    };

    void prepare(const Group& group) {
        Hub hub = {.label = builder_.fresh()};
        std::vector<const Instruction*> calls;
        IdSet wanted;
        for (const Id call : group.calls) wanted.insert(call);
        for (const Block& block : function_.blocks)
            for (const Instruction& inst : block.body)
                if (inst.result && wanted.contains(inst.result)) calls.push_back(&inst);
        hub.call = *calls.front();
        for (const Instruction* call : calls) hub_of_[call->result.value] = hubs_.size();
        std::vector<Id> types(hub.call.operands.size());  // none for what all calls pass
        for (size_t i = 1; i < types.size(); ++i)
            if (std::ranges::any_of(calls,
                                    [&](const Instruction* c) { return c->word(i) != hub.call.word(i); }))
                types[i] = builder_.type_of(hub.call.id(i));
        hub.next = add_variable(builder_, function_, builder_.type_int(32));
        if (builder_.find_global(hub.call.type)->op != spv::Op::OpTypeVoid)
            hub.result = add_variable(builder_, function_, hub.call.type);
        for (const Id type : types)
            hub.arguments.push_back(type ? add_variable(builder_, function_, type) : Id{});
        hubs_.push_back(std::move(hub));
    }

    Hub* hub_at_end(const Block& block) {
        if (block.body.empty() || block.body.back().op != spv::Op::OpFunctionCall) return nullptr;
        const auto found = hub_of_.find(block.body.back().result);
        return found == hub_of_.end() ? nullptr : &hubs_[found->second];
    }

    /// Cuts a block behind each of the calls.
    void cut(Block& block, std::vector<Block>& out) {
        Block now = {.label = block.label};
        for (Instruction& inst : block.body) {
            const Line line = inst.line;
            now.body.push_back(std::move(inst));
            if (hub_at_end(now) == nullptr) continue;
            const Id rest = builder_.fresh();
            now.terminator = {.op = spv::Op::OpBranch, .operands = {rest}, .line = line};
            out.push_back(std::move(now));
            now = {.label = rest};
        }
        now.merge = std::move(block.merge);
        now.terminator = std::move(block.terminator);
        out.push_back(std::move(now));
    }

    /// The call at the end of a block becomes a way through its hub to the rest.
    void redirect(Block& block, Block& rest) {
        Hub& hub = *hub_at_end(block);
        Instruction call = std::move(block.body.back());
        block.body.pop_back();
        auto store = [&](Id variable, Operand value) {
            block.body.push_back({.op = spv::Op::OpStore, .operands = {variable, value}, .line = call.line});
        };
        for (size_t i = 1; i < hub.arguments.size(); ++i)
            if (hub.arguments[i]) store(hub.arguments[i], call.operands[i]);
        store(hub.next, builder_.constant_u32(static_cast<uint32_t>(hub.ways_on.size())));
        block.terminator.operands = {hub.label};
        hub.ways_on.push_back(rest.label);
        if (!hub.result) return;
        call.op = spv::Op::OpLoad;
        call.operands = {hub.result};
        rest.body.insert(rest.body.begin(), std::move(call));
    }

    Block finish(Hub& hub) {
        Block block = {.label = hub.label};
        const SinkScope sink(builder_, &block.body);
        for (size_t i = 1; i < hub.arguments.size(); ++i)
            if (hub.arguments[i])
                hub.call.operands[i] =
                    builder_.append(spv::Op::OpLoad, builder_.type_of(hub.call.id(i)), {hub.arguments[i]});
        hub.call.result = builder_.fresh();
        block.body.push_back(hub.call);
        if (hub.result) builder_.append_void(spv::Op::OpStore, {hub.result, hub.call.result});
        const Id next = builder_.append(spv::Op::OpLoad, builder_.type_int(32), {hub.next});
        block.terminator = {.op = spv::Op::OpSwitch, .operands = {next, hub.ways_on.back()}};
        for (uint32_t i = 0; i + 1 < hub.ways_on.size(); ++i) {
            block.terminator.operands.push_back(i);
            block.terminator.operands.push_back(hub.ways_on[i]);
        }
        return block;
    }

    Builder& builder_;
    Function& function_;
    std::vector<Hub> hubs_ = {};
    IdMap<size_t> hub_of_ = {};  // by a call's result
};

}  // namespace

Result<Done> merge_calls(Module& module, PassContext& context) {
    const DeviceProfile& profile = context.options.profile;
    if (!profile.quirks.inlines_every_call) return Done{};
    Builder builder(module);
    MergePlan plan(module, builder);
    if (!plan.make(profile.large_kernel)) return Done{};
    for (uint32_t f = 0; f < module.functions.size(); ++f)
        if (std::ranges::any_of(plan.groups(f), &Group::merged))
            CallMerger(builder, module.functions[f]).run(plan.groups(f));
    return Done{};
}

}  // namespace caldera::vulkan
