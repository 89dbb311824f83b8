// SPDX-License-Identifier: Apache-2.0
// part_kernels: puts barriers into long kernels, whose parts are then compiled one by one.
//
// Mesa's llvmpipe makes a coroutine of a kernel, which is suspended at barriers. LLVM compiles a run of code
// without accesses to memory, which are loops, in time that may grow by its square: 6,000 statements in a row
// took 7 s, and take 2.5 s with barriers between them. It also compares all uses of a private array with each
// other, until it finds two with a barrier between them: 600 updates took minutes, and take 3.5 s.
//
// Barriers have a price: a value that lives across one is stored to the coroutine's frame, loaded in each
// part that uses it, and all these accesses are scheduled against each other. That takes about as long as
// compiling kPerValue instructions. A barrier therefore stands where the code before it is long for the
// values that live there. Code with many live values gets few barriers or none.
//
// No work-item waits for another there. llvmpipe runs the code of a branch for all vectors of work-items
// (driver_quirks.def: masks_branches), so that all vectors of a work-group meet as many barriers outside of
// loops, in branches and behind returns too. Loops have none, because vectors may do different numbers of
// turns.
//
// Before: memory is lowered, and all phis are there. After: the same.
#include <algorithm>
#include <utility>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "vulkan/translate/drivers/lives_in_order.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/run_once.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

// Costs are about the instructions that a vector of work-items takes.
constexpr uint64_t kLong = 8000;     // of a run that is parted: a shorter one gains little
constexpr uint64_t kPart = 3000;     // least between two barriers
constexpr uint64_t kRest = 1500;     // least behind the last barrier of a run
constexpr uint64_t kPerValue = 300;  // least between two barriers, per component that lives across the second
constexpr uint64_t kAccess = 10;  // to private memory, per component: a vector's work-items access one by one
constexpr uint64_t kFunction = 8;  // of GLSL.std.450, per component
// Accesses to private variables outside of loops: of a variable that is much used, and between two barriers
// then, which save more than any number of values takes.
constexpr uint32_t kManyAccesses = 300, kAccessesOfPart = 80;

/// Mesa drops barriers that order no memory. This one orders local memory, which most long kernels lack.
constexpr uint32_t kSemantics = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease) |
                                static_cast<uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory);

class KernelParter {
 public:
    explicit KernelParter(Module& module) : module_(module), builder_(module), graph_(module) {
        const CallOrder order = graph_.order();
        if (order.recursive) return;
        sizes_ = inlined_sizes(module, graph_, order.callees_first);
        ends_runs_.resize(module.functions.size());
        for (const uint32_t f : order.callees_first)
            for (const Block& block : module.functions[f].blocks) {
                ends_runs_[f] = ends_runs_[f] || block.merge.op == Op::OpLoopMerge;
                for (const Instruction& inst : block.body) ends_runs_[f] = ends_runs_[f] || ends_run(inst);
            }
    }

    void run(Function& function) {
        const std::vector<bool> once = blocks_run_once(module_, function);
        if (!measure(function, once)) return;
        const LivesInOrder lives(builder_, function);
        run_ = since_ = done_ = accesses_since_ = 0;
        for (uint32_t b = 0; b < function.blocks.size(); ++b)
            if (once[b])
                part(function.blocks[b], b, lives);
            else
                end_run();
    }

 private:
    /// Finds the runs and the accesses. Returns whether there is something to part.
    bool measure(const Function& function, const std::vector<bool>& once) {
        accesses_.clear();
        runs_.assign(1, 0);
        for (size_t b = 0; b < function.blocks.size(); ++b) {
            if (!once[b]) runs_.push_back(0);
            if (!once[b]) continue;
            for (const Instruction& inst : function.blocks[b].body) {
                if (ends_run(inst)) runs_.push_back(0);
                runs_.back() += cost_of(inst);
                if (const Id variable = variable_of(inst)) ++accesses_[variable];
            }
        }
        return std::ranges::any_of(runs_, [](uint64_t cost) { return cost >= kLong; }) ||
               std::ranges::any_of(accesses_, [](const auto& each) { return each.second > kManyAccesses; });
    }

    void part(Block& block, uint32_t index, const LivesInOrder& lives) {
        std::vector<Instruction> body;
        body.reserve(block.body.size());
        for (uint32_t i = 0; i < block.body.size(); ++i) {
            Instruction& inst = block.body[i];
            if (ends_run(inst)) end_run();
            if (is_group_barrier(inst)) accesses_since_ = 0;
            const uint64_t cost = cost_of(inst);
            const bool accesses = is_much_used(variable_of(inst));
            if (cost != 0 &&
                (pays(lives.before(index, i)) || (accesses && accesses_since_ >= kAccessesOfPart))) {
                put_barrier(body);
                since_ = accesses_since_ = 0;
            }
            since_ += cost;
            done_ += cost;
            accesses_since_ += accesses;
            body.push_back(std::move(inst));
        }
        block.body = std::move(body);
    }
    void end_run() {
        ++run_;
        since_ = done_ = 0;
    }

    bool pays(uint64_t live) const {
        return runs_[run_] >= kLong && runs_[run_] - done_ >= kRest &&
               since_ >= std::max(kPart, kPerValue * live);
    }

    void put_barrier(std::vector<Instruction>& body) {
        const Id group = builder_.constant_u32(static_cast<uint32_t>(spv::Scope::Workgroup));
        const Id semantics = builder_.constant_u32(kSemantics);
        body.push_back({.op = Op::OpControlBarrier, .operands = {group, group, semantics}});
    }

    bool is_group_barrier(const Instruction& inst) const {
        return inst.op == Op::OpControlBarrier &&
               builder_.constant_value(inst.id(0)) == static_cast<uint64_t>(spv::Scope::Workgroup);
    }

    /// The variable of the function that the instruction loads from or stores to, or none. Access chains make
    /// their pointers known on the way.
    Id variable_of(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpVariable: variables_.emplace(inst.result, inst.result); return {};
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain: {
                const auto found = variables_.find(inst.id(0));
                if (found != variables_.end()) variables_.emplace(inst.result, Id(found->second));
                return {};
            }
            case Op::OpLoad:
            case Op::OpStore: {
                const auto found = variables_.find(inst.id(0));
                return found == variables_.end() ? Id{} : found->second;
            }
            default: return {};
        }
    }
    bool is_much_used(Id variable) const {
        const auto found = accesses_.find(variable);
        return variable && found != accesses_.end() && found->second > kManyAccesses;
    }

    /// Whether LLVM's blocks end there: at barriers, loops over the work-items of a vector, and images.
    bool ends_run(const Instruction& inst) const {
        if (is_atomic(inst.op) || is_group_barrier(inst)) return true;
        switch (inst.op) {
            case Op::OpLoad:
            case Op::OpStore: return is_shared(builder_.type_of(inst.id(0)));
            case Op::OpImageRead:
            case Op::OpImageWrite:
            case Op::OpImageFetch:
            case Op::OpImageSampleExplicitLod: return true;
            case Op::OpFunctionCall: {
                const uint32_t callee = graph_.index_of(inst.id(0));
                return callee >= ends_runs_.size() || ends_runs_[callee];
            }
            default: return false;
        }
    }
    bool is_shared(Id pointer_type) const {
        switch (builder_.storage(pointer_type)) {
            case spv::StorageClass::Function:
            case spv::StorageClass::Private:
            case spv::StorageClass::Input:
            case spv::StorageClass::PushConstant:
            case spv::StorageClass::Uniform: return false;
            default: return true;
        }
    }

    /// Phis and variables have none, so that no barrier comes before them.
    uint64_t cost_of(const Instruction& inst) const {
        if (is_debug(inst)) return 0;
        switch (inst.op) {
            case Op::OpPhi:
            case Op::OpVariable:
            case Op::OpUndef:
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpConvertUToPtr:
            case Op::OpControlBarrier: return 0;
            case Op::OpLoad: return kAccess * components(inst.type);
            case Op::OpStore: return kAccess * components(builder_.type_of(inst.id(1)));
            case Op::OpExtInst: return kFunction * components(inst.type);
            case Op::OpFunctionCall: {
                const uint32_t callee = graph_.index_of(inst.id(0));
                return callee < sizes_.size() ? std::max<uint64_t>(1, sizes_[callee]) : 1;
            }
            default: return inst.type ? components(inst.type) : 1;
        }
    }
    uint64_t components(Id type) const {
        return builder_.op_of_type(type) == Op::OpTypeVector ? builder_.count(type) : 1;
    }

    Module& module_;
    Builder builder_;
    CallGraph graph_;
    std::vector<uint64_t> sizes_ = {};  // of functions with all that they call, in instructions
    std::vector<bool> ends_runs_ = {};  // whether LLVM's blocks end in a function
    std::vector<uint64_t> runs_ = {};   // costs of the runs of a kernel, in order
    IdMap<Id> variables_ = {};          // pointer -> the function's variable that it leads into
    IdMap<uint32_t> accesses_ = {};     // variable -> how many outside of loops
    size_t run_ = 0;                    // in which run of the kernel we are
    uint64_t since_ = 0;                // costs since the last barrier, in this run
    uint64_t done_ = 0;                 // costs since the run began
    uint32_t accesses_since_ = 0;       // to variables that are much used
};

}  // namespace

Result<Done> part_kernels(Module& module, PassContext& context) {
    if (!parts_kernels(context.options.profile)) return Done{};
    KernelParter parter(module);
    for (Function& function : module.functions) parter.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
