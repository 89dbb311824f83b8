// SPDX-License-Identifier: Apache-2.0
#include "spirv/newer_rules.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"

namespace caldera::spirv {
namespace {

using spv::Op;

/// Decorations of which an <id> has one at most.
constexpr spv::Decoration kOnce[] = {spv::Decoration::SpecId,        spv::Decoration::ArrayStride,
                                     spv::Decoration::BuiltIn,       spv::Decoration::Binding,
                                     spv::Decoration::DescriptorSet, spv::Decoration::Alignment,
                                     spv::Decoration::Location};

bool computes_with_integers(Op op) {
    switch (op) {
        case Op::OpSNegate:
        case Op::OpNot:
        case Op::OpIAdd:
        case Op::OpISub:
        case Op::OpIMul:
        case Op::OpUDiv:
        case Op::OpSDiv:
        case Op::OpUMod:
        case Op::OpSRem:
        case Op::OpSMod:
        case Op::OpShiftRightLogical:
        case Op::OpShiftRightArithmetic:
        case Op::OpShiftLeftLogical:
        case Op::OpBitwiseOr:
        case Op::OpBitwiseXor:
        case Op::OpBitwiseAnd: return true;
        default: return false;
    }
}

/// The index of an instruction's memory operands.
std::optional<size_t> memory_operands_at(Op op) {
    switch (op) {
        case Op::OpLoad: return 1;
        case Op::OpStore:
        case Op::OpCopyMemory: return 2;
        case Op::OpCopyMemorySized: return 3;
        default: return std::nullopt;
    }
}

class NewerRules {
 public:
    NewerRules(const Module& module, std::optional<Target> target)
        : module_(module), is_vulkan_(target && is_vulkan(*target)) {
        for (const Instruction& inst : module.globals)
            if (inst.result) define(inst);
        for (const Function& function : module.functions) {
            for (const Instruction& param : function.params) define(param);
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (inst.result) define(inst);
        }
    }

    std::vector<Violation> violations() {
        decorations();
        execution_modes();
        if (is_vulkan_)
            for (const Instruction& entry : module_.entry_points) interface(entry);
        for (const Instruction& inst : module_.globals) global(inst);
        for (const Function& function : module_.functions) {
            function_ = function.id();
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body) check(inst);
        }
        return std::move(violations_);
    }

 private:
    void define(const Instruction& inst) { defined_[inst.result] = &inst; }
    void fail(std::string message, Id about) { violations_.push_back({std::move(message), about}); }
    void fail(const Instruction& inst, const std::string& what) {
        fail(std::string(op_name(inst.op)) + " " + what, inst.result ? inst.result : function_);
    }

    const Instruction* find(Id id) const {
        const auto found = defined_.find(id);
        return found == defined_.end() ? nullptr : found->second;
    }
    /// The instruction of a value's type; null for what has none.
    const Instruction* type_of(Id value) const {
        const Instruction* inst = find(value);
        return inst && inst->type ? find(inst->type) : nullptr;
    }
    bool is(const Instruction* type, Op op) const { return type && type->op == op; }
    /// A type, or what a vector has.
    const Instruction* part(const Instruction* type) const {
        return is(type, Op::OpTypeVector) ? find(type->id(0)) : type;
    }

    // ---- The module's head ----

    void decorations() {
        std::set<std::pair<uint32_t, uint32_t>> seen;
        for (const Instruction& inst : module_.annotations) {
            if (inst.op != Op::OpDecorate) continue;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            if (decoration == spv::Decoration::BuiltIn)
                built_ins_[inst.id(0)] = static_cast<spv::BuiltIn>(inst.word(2));
            if (std::ranges::find(kOnce, decoration) == std::end(kOnce)) continue;
            if (!seen.emplace(inst.word(0), inst.word(1)).second)
                fail("%" + std::to_string(inst.word(0)) + " has the decoration " +
                         std::to_string(inst.word(1)) + " twice",
                     inst.id(0));
        }
    }

    void execution_modes() {
        const bool has_size_variable = std::ranges::any_of(
            built_ins_, [](const auto& each) { return each.second == spv::BuiltIn::WorkgroupSize; });
        std::set<uint32_t> seen;
        for (const Instruction& inst : module_.execution_modes) {
            if (inst.op != Op::OpExecutionMode ||
                inst.word(1) != static_cast<uint32_t>(spv::ExecutionMode::LocalSize))
                continue;
            if (!seen.insert(inst.word(0)).second) fail("an entry point has LocalSize twice", inst.id(0));
            if (!has_size_variable && (inst.word(2) == 0 || inst.word(3) == 0 || inst.word(4) == 0))
                fail("LocalSize has a 0", inst.id(0));
        }
    }

    void interface(const Instruction& entry) {
        std::set<std::pair<uint32_t, uint32_t>> seen;
        for (size_t i = 2; i < entry.operands.size(); ++i) {
            if (!entry.operands[i].is_id) continue;
            const auto built_in = built_ins_.find(entry.id(i));
            const Instruction* variable = find(entry.id(i));
            if (built_in == built_ins_.end() || !is(variable, Op::OpVariable)) continue;
            if (!seen.emplace(variable->word(0), static_cast<uint32_t>(built_in->second)).second)
                fail("[VUID-StandaloneSpirv-OpEntryPoint-09658] an entry point has a built-in variable twice",
                     entry.id(i));
        }
    }

    // ---- Instructions ----

    void global(const Instruction& inst) {
        if (inst.op == Op::OpSpecConstantOp && computes_with_integers(static_cast<Op>(inst.word(0))))
            for (size_t i = 1; i < inst.operands.size(); ++i)
                if (const Instruction* type = part(type_of(inst.id(i))); type && type->op != Op::OpTypeInt)
                    return fail(inst, "computes with an operand that is no integer");
        if (!is_vulkan_ || inst.op != Op::OpVariable) return;
        const auto built_in = built_ins_.find(inst.result);
        if (built_in == built_ins_.end() || built_in->second != spv::BuiltIn::LocalInvocationIndex) return;
        const Instruction* pointer = find(inst.type);
        const Instruction* type = is(pointer, Op::OpTypePointer) ? find(pointer->id(1)) : nullptr;
        if (type && (type->op != Op::OpTypeInt || type->word(0) != 32))
            fail(
                "[VUID-LocalInvocationIndex-LocalInvocationIndex-04286] LocalInvocationIndex is no 32-bit "
                "integer",
                inst.result);
    }

    void check(const Instruction& inst) {
        if (const auto at = memory_operands_at(inst.op)) alignment(inst, *at);
        switch (inst.op) {
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain:
                if (const Instruction* type = type_of(inst.id(1)); type && type->op != Op::OpTypeInt)
                    fail(inst, "has an Element that is no integer");
                return;
            case Op::OpGroupAsyncCopy:
                if (!is(find(inst.type), Op::OpTypeEvent)) fail(inst, "has a result that is no event");
                return;
            case Op::OpGroupWaitEvents: events(inst); return;
            case Op::OpGroupAll:
            case Op::OpGroupAny:
                if (const Instruction* type = type_of(inst.id(1)); type && type->op != Op::OpTypeBool)
                    fail(inst, "has a predicate that is no boolean");
                return;
            case Op::OpLifetimeStart:
            case Op::OpLifetimeStop:
                if (const Instruction* type = type_of(inst.id(0));
                    is(type, Op::OpTypePointer) &&
                    type->word(0) != static_cast<uint32_t>(spv::StorageClass::Function))
                    fail(inst, "has a pointer that is not of storage class Function");
                return;
            default: return;
        }
    }

    void alignment(const Instruction& inst, size_t at) {
        if (inst.operands.size() <= at + 1) return;
        if ((inst.word(at) & static_cast<uint32_t>(spv::MemoryAccessMask::Aligned)) == 0) return;
        if (const uint32_t bytes = inst.word(at + 1); !std::has_single_bit(bytes))
            fail(inst, "is Aligned by " + std::to_string(bytes) + ", which is no power of two");
    }

    void events(const Instruction& inst) {
        const Instruction* pointer = type_of(inst.id(2));
        if (!pointer) return;
        if (pointer->op == Op::OpTypeInt || pointer->op == Op::OpTypeFloat || pointer->op == Op::OpTypeEvent)
            fail(inst, "has an Events List that is no pointer");
    }

    const Module& module_;
    bool is_vulkan_;
    IdMap<const Instruction*> defined_ = {};
    IdMap<spv::BuiltIn> built_ins_ = {};
    Id function_ = {};  // the one at hand
    std::vector<Violation> violations_ = {};
};

}  // namespace

std::vector<Violation> newer_violations(const Module& module, std::optional<Target> target) {
    return NewerRules(module, target).violations();
}

}  // namespace caldera::spirv
