// SPDX-License-Identifier: Apache-2.0
// inline_functions: inlines calls that pass or return an opaque object or a pointer to private, local or
// generic memory. Other functions stay, unless they have one call, have a handful of instructions (or some
// more if all calls pass constants), or take or return a large aggregate. After: variables whose addresses
// were passed are promoted. Recursion has been declined. Functions are structured as before; those into which
// a function that does not return was inlined are structured again. Where a driver that inlines everything
// would get a very large kernel, large functions are marked DontInline: NVIDIA's takes minutes otherwise.
#include <algorithm>
#include <utility>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "spirv/support/try.h"
#include "spirv/uses.h"
#include "vulkan/translate/flow/restructure.h"
#include "vulkan/translate/flow/structure.h"
#include "vulkan/translate/optimize/inline_calls.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/large_types.h"
#include "vulkan/translate/support/must_inline.h"
#include "vulkan/translate/support/opencl_layout.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr uint64_t kTiny = 6;     // instructions that are no more than a call costs
constexpr uint64_t kFolds = 12;   // of which constants leave less than that: a rotation by its parameter, say
constexpr uint64_t kSmall = 100;  // what `inline` may ask for

// Limits the growth by inlining: to this number of instructions, and to this multiple of the module's own.
constexpr uint64_t kMaxInstructions = 1'000'000, kMaxGrowth = 8;
constexpr uint64_t kMaxSize = uint64_t{1} << 40;

// Instructions: those of a kernel with all its functions, and of a function that is worth a call in a larger
// one.
constexpr uint64_t kMaxKernel = 50'000, kMinCalled = 100;

/// Facts about each function besides InlineFacts.
struct Candidate {
    std::vector<uint32_t> callees = {};  // with repeats
    uint64_t own_size = 0;               // instructions
    uint64_t size = 0;                   // those of inlined callees included
    uint32_t calls = 0;                  // call sites in the module
    bool takes_constants = true;         // in each call
    bool in_continue = false;            // a call stands in a continue target, which must stay one block
    bool required = false;               // its type says that it must be inlined
    bool moves_much = false;             // it takes or returns a large aggregate (copy_aggregates)
    bool restructure = false;            // its selection merges do not survive what is inlined
    bool kept = false;  // it is an entry point, or mentioned elsewhere than in a call that is inlined
};

class Inliner {
 public:
    Inliner(Module& module, const std::vector<Id>& wanted_later)
        : module_(module),
          wanted_later_(wanted_later),
          builder_(module),
          candidates_(module.functions.size()),
          facts_(module.functions.size()),
          index_of_(module.bound, CallInliner::kNoFunction) {}

    Result<Done> run() {
        survey();
        if (Result<Done> ordered = order_functions(); !ordered) return ordered;
        plan(true);
        if (total_ > limit()) plan(false);
        if (total_ > limit()) return too_large();
        expand_all();
        drop_inlined();
        return Done{};
    }

 private:
    void survey();
    void survey_calls(const Function& function, Candidate& candidate);
    bool passes_constant(const Instruction& call) const;
    Result<Done> order_functions();
    void plan(bool optional);
    void sum_up(uint32_t f);
    void find_kept(const CallInliner& inliner);
    void expand_all();
    static void move_return_to_end(Function& function);
    void drop_inlined();
    Error too_large() const;
    bool stays(uint32_t f) const { return !facts_[f].inlined || candidates_[f].kept; }
    bool inlines(uint32_t f) const {
        return std::ranges::any_of(candidates_[f].callees, [&](uint32_t c) { return facts_[c].inlined; });
    }
    uint64_t limit() const { return kMaxInstructions + kMaxGrowth * input_size_; }

    Module& module_;
    const std::vector<Id>& wanted_later_;  // functions that emulate_doubles will call
    Builder builder_;
    std::vector<Candidate> candidates_;
    std::vector<InlineFacts> facts_;
    std::vector<uint32_t> index_of_;    // by id
    std::vector<uint32_t> order_ = {};  // callees first
    uint64_t input_size_ = 0, total_ = 0;
};

void Inliner::survey() {
    for (uint32_t f = 0; f < module_.functions.size(); ++f) index_of_[module_.functions[f].id().value] = f;
    MustInline must_inline(builder_);
    LargeTypes is_large(builder_);
    for (uint32_t f = 0; f < module_.functions.size(); ++f) {
        const Function& function = module_.functions[f];
        Candidate& candidate = candidates_[f];
        candidate.required = must_inline(function);
        candidate.moves_much =
            is_large(function.return_type()) ||
            std::ranges::any_of(function.params, [&](const Instruction& p) { return is_large(p.type); });
        facts_[f].many_blocks = function.blocks.size() > 1;
        survey_calls(function, candidate);
        input_size_ += candidate.own_size;
    }
    for (const Instruction& entry : module_.entry_points)
        if (const uint32_t f = index_of_[entry.word(1)]; f != CallInliner::kNoFunction)
            candidates_[f].kept = true;
    for (const Id function : wanted_later_) {
        Candidate& candidate = candidates_[index_of_[function.value]];
        candidate.kept = true;
        ++candidate.calls;
    }
}

void Inliner::survey_calls(const Function& function, Candidate& candidate) {
    const IdSet targets = continue_targets(function);
    for (const Block& block : function.blocks) {
        candidate.own_size += code_size(block) + 1;
        for (const Instruction& inst : block.body) {
            if (inst.op != spv::Op::OpFunctionCall) continue;
            const uint32_t callee = index_of_[inst.word(0)];
            if (callee == CallInliner::kNoFunction || module_.functions[callee].blocks.empty()) continue;
            candidate.callees.push_back(callee);
            candidates_[callee].in_continue |= targets.contains(block.label);
            ++candidates_[callee].calls;
            candidates_[callee].takes_constants &= passes_constant(inst);
        }
    }
}

bool Inliner::passes_constant(const Instruction& call) const {
    return std::any_of(call.operands.begin() + 1, call.operands.end(),
                       [&](const Operand& arg) { return builder_.constant_value(arg.id()).has_value(); });
}

Result<Done> Inliner::order_functions() {
    CallOrder order =
        order_calls(static_cast<uint32_t>(candidates_.size()),
                    [&](uint32_t f) -> const std::vector<uint32_t>& { return candidates_[f].callees; });
    if (order.recursive)
        return Error{.message = "function '" +
                                function_name(module_, module_.functions[*order.recursive].id()) +
                                "' is recursive, which OpenCL C does not allow"};
    order_ = std::move(order.callees_first);
    return Done{};
}

/// Decides about each function, callees first; before any copy is made, because sizes can double with each
/// level of calls. `optional`: not only those that must be inlined.
void Inliner::plan(bool optional) {
    uint64_t growth = 0;
    total_ = 0;
    for (uint32_t f : order_) {
        sum_up(f);
        Candidate& candidate = candidates_[f];
        const Function& function = module_.functions[f];
        InlineFacts& facts = facts_[f];
        facts.returns_last = candidate.calls != 0 && !candidate.restructure && returns_at_end(function);
        facts.inlined = false;
        if (!function.blocks.empty() && candidate.calls != 0) {
            const auto control = static_cast<spv::FunctionControlMask>(function.def.word(0));
            const bool refuses =
                (control & spv::FunctionControlMask::DontInline) != spv::FunctionControlMask{};
            const bool asks = (control & spv::FunctionControlMask::Inline) != spv::FunctionControlMask{};
            const uint64_t most = asks ? kSmall : candidate.takes_constants ? kFolds : kTiny;
            const bool cheap = candidate.size <= most || candidate.calls == 1 || candidate.moves_much;
            const bool fits = facts.returns_last && !(candidate.in_continue && facts.many_blocks);
            const uint64_t more = candidate.size * (candidate.calls - 1);
            const bool wanted = optional && cheap && fits && !refuses && growth + more <= limit() / 2;
            if (wanted) growth += more;
            facts.inlined = candidate.required || wanted;
        }
        if (stays(f)) total_ = std::min(total_ + candidate.size, kMaxSize);
    }
}

/// The instructions and blocks that inlined callees add.
void Inliner::sum_up(uint32_t f) {
    Candidate& candidate = candidates_[f];
    candidate.size = candidate.own_size;
    candidate.restructure = false;
    facts_[f].many_blocks = module_.functions[f].blocks.size() > 1;
    for (uint32_t callee : candidate.callees) {
        if (!facts_[callee].inlined) continue;
        candidate.size = std::min(candidate.size + candidates_[callee].size, kMaxSize);
        candidate.restructure |= !facts_[callee].returns_last;
        facts_[f].many_blocks |= facts_[callee].many_blocks;
    }
}

Error Inliner::too_large() const {
    uint32_t largest = order_.front();
    for (uint32_t f : order_)
        if (stays(f) && candidates_[f].size > candidates_[largest].size) largest = f;
    return {.message = "function '" + function_name(module_, module_.functions[largest].id()) +
                       "' and those like it have more than " + std::to_string(limit()) +
                       " instructions after inlining the functions that take private or local pointers"};
}

/// A block that is enqueued is mentioned, not called.
void Inliner::find_kept(const CallInliner& inliner) {
    for (const Function& function : module_.functions)
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (inliner.inlined_callee(inst) != CallInliner::kNoFunction) continue;
                for (const Operand& operand : inst.operands)
                    if (operand.is_id && index_of_[operand.word] != CallInliner::kNoFunction)
                        candidates_[index_of_[operand.word]].kept = true;
            }
}

/// A function that goes to several places takes in its own callees first and is made small, once for all
/// copies. One that goes to one place is copied there by the walk that meets its call. Variables whose
/// addresses were passed are promoted.
void Inliner::expand_all() {
    CallInliner inliner(builder_, facts_, index_of_);
    find_kept(inliner);
    const OpenclLayout layout(builder_);
    for (const uint32_t f : order_) {
        const bool copied = facts_[f].inlined && candidates_[f].calls > 1;
        if (!inlines(f) || !(copied || stays(f))) continue;
        Function& function = module_.functions[f];
        inliner.expand(f, candidates_[f].restructure);
        if (candidates_[f].restructure) ensure_structure(builder_, function);
        promote_function(builder_, layout, function);
        if (copied && facts_[f].returns_last) move_return_to_end(function);
    }
}

/// Blocks that were joined take the place of the first.
void Inliner::move_return_to_end(Function& function) {
    const auto last = std::ranges::find_if(function.blocks, [](const Block& block) {
        return block.terminator.op == spv::Op::OpReturn || block.terminator.op == spv::Op::OpReturnValue;
    });
    check(last != function.blocks.end(), "a function lost its return");
    std::rotate(last, last + 1, function.blocks.end());
}

void Inliner::drop_inlined() {
    std::vector<Function> kept;
    for (uint32_t f = 0; f < candidates_.size(); ++f)
        if (stays(f)) kept.push_back(std::move(module_.functions[f]));
    const bool dropped = kept.size() != candidates_.size();
    module_.functions = std::move(kept);
    if (dropped) drop_stale_names(module_);
}

/// Marks functions of very large kernels DontInline, if they are large and have several calls.
void keep_calls(Module& module) {
    CallGraph graph(module);
    const CallOrder order = graph.order();
    const std::vector<uint32_t> calls = count_calls(module, graph);
    const std::vector<uint64_t> sizes = inlined_sizes(module, graph, order.callees_first);
    for (const Instruction& entry : module.entry_points) {
        const uint32_t kernel = graph.index_of(entry.id(1));
        if (kernel == CallGraph::kNone || sizes[kernel] <= kMaxKernel) continue;
        for (const uint32_t f : graph.functions(entry.id(1))) {
            if (calls[f] == CallGraph::kNone || calls[f] < 2 || sizes[f] < kMinCalled) continue;
            Operand& control = module.functions[f].def.operands[0];
            control.word &= ~static_cast<uint32_t>(spv::FunctionControlMask::Inline);
            control.word |= static_cast<uint32_t>(spv::FunctionControlMask::DontInline);
        }
    }
}

}  // namespace

Result<Done> inline_functions(spirv::Module& module, PassContext& context) {
    TRY(Inliner(module, context.variables.double_functions).run());
    keep_calls(module);
    return Done{};
}

}  // namespace caldera::vulkan
