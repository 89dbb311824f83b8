// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/float_freedom.h"

#include <algorithm>

#include "spirv/op_class.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

using namespace spirv::fast_math;

constexpr uint32_t kSpecial = kNotNaN | kNotInf | kNSZ;
constexpr uint32_t kReorder = kAllowContract | kAllowReassoc;
constexpr uint32_t kAll = kSpecial | kAllowRecip | kReorder | kAllowTransform;
/// -cl-unsafe-math-optimizations: infinities and NaN stay.
constexpr uint32_t kUnsafe = kAll & ~(kNotNaN | kNotInf);

/// `Fast` is everything, and AllowTransform is never alone.
uint32_t in_full(uint32_t mode) {
    if (mode & kAllowTransform) mode |= kReorder;
    return (mode & kFast ? mode | kAll : mode) & kAll;
}

/// Products that are operands may be contracted with it.
bool is_sum(Op op) { return op == Op::OpFAdd || op == Op::OpFSub; }

/// An integer constant of 32 bits, which stands among the module's globals.
uint32_t constant_word(const spirv::Module& module, Id constant) {
    for (const Instruction& inst : module.globals)
        if (inst.result == constant) return inst.op == Op::OpConstant ? inst.word(0) : 0;
    return 0;
}

}  // namespace

bool is_float_arithmetic(const spirv::Builder& builder, const Instruction& inst) {
    if (inst.op == Op::OpExtInst) return builder.is_float(builder.element(inst.type));
    return spirv::is_float_operation(inst.op) || spirv::is_float_conversion(inst.op) ||
           inst.op == Op::OpQuantizeToF16;
}

bool allows_all(uint32_t mode) {
    constexpr uint32_t kNeeded = kSpecial | kReorder;
    return (mode & kNeeded) == kNeeded;
}
bool allows_transforms(uint32_t mode) { return (mode & kAllowTransform) != 0; }

FloatFreedom::FloatFreedom(const spirv::Module& module) {
    for (const Instruction& inst : module.annotations) {
        if (inst.op != Op::OpDecorate) continue;
        const auto decoration = static_cast<spv::Decoration>(inst.word(1));
        if (decoration == spv::Decoration::NoContraction) exact_.insert(inst.id(0));
        if (decoration != spv::Decoration::FPFastMathMode) continue;
        modes_[inst.id(0)] |= in_full(inst.word(2));
        if (inst.word(2) == 0) strict_.insert(inst.id(0));
    }
}

FloatFreedom::FloatFreedom(const spirv::Module& module, const TranslateOptions& options)
    : FloatFreedom(module) {
    // On a device that does not distinguish the permissions, unsafe math gives all of them.
    if (options.fast_math) everywhere_ = options.profile.float_controls2 ? kUnsafe : kAll;
    contraction_off_ = !options.contraction;
    modes_are_whole_ = std::ranges::any_of(module.capabilities, [](const Instruction& inst) {
        return inst.word(0) == static_cast<uint32_t>(spirv::kFloatControls2);
    });
    read_execution_modes(module);
}

void FloatFreedom::read_execution_modes(const spirv::Module& module) {
    CallGraph graph(module);
    spirv::IdMap<Defaults> by_kernel;
    for (const Instruction& mode : module.execution_modes) {
        const auto name = static_cast<spv::ExecutionMode>(mode.word(1));
        if (name == spv::ExecutionMode::ContractionOff)
            for (const uint32_t index : graph.more_functions(mode.id(0)))
                uncontracted_functions_.insert(module.functions[index].id());
        if (name == spirv::kFPFastMathDefault)
            by_kernel[mode.id(0)][mode.id(2)] = in_full(constant_word(module, mode.id(3)));
    }
    for (const auto& [kernel, defaults] : by_kernel)
        for (const uint32_t index : graph.functions(kernel))
            limit_defaults(module.functions[index].id(), defaults);
}

void FloatFreedom::limit_defaults(Id function, const Defaults& defaults) {
    const auto [known, is_new] = defaults_.try_emplace(function, defaults);
    if (is_new) return;
    for (auto& [type, mode] : known->second) {
        const auto found = defaults.find(type);
        mode &= found == defaults.end() ? 0 : found->second;
    }
}

uint32_t FloatFreedom::mode(const spirv::Builder& builder, const Instruction& inst, Id function) const {
    if (exact_.contains(inst.result) || strict_.contains(inst.result)) return 0;
    uint32_t mode = everywhere_;
    const auto own = modes_.find(inst.result);
    const auto defaults = defaults_.find(function);
    if (own != modes_.end()) {
        mode |= own->second;
    } else if (defaults != defaults_.end()) {
        const auto add_default = [&](Id type) {
            const auto found = type ? defaults->second.find(builder.element(type)) : defaults->second.end();
            if (found != defaults->second.end()) mode |= found->second;
        };
        add_default(inst.type);
        for (const spirv::Operand& operand : inst.operands)
            if (operand.is_id) add_default(builder.type_of(operand.id()));
    }
    const bool is_whole = modes_are_whole_ && (own != modes_.end() || defaults != defaults_.end());
    if (is_sum(inst.op) && !is_whole) mode |= kAllowContract;
    return forbids_contraction(function) ? mode & ~(kAllowContract | kAllowTransform) : mode;
}

void FloatFreedom::keep_exact(spirv::Module& module, Id result) {
    if (exact_.insert(result))
        module.annotations.push_back(
            {.op = Op::OpDecorate, .operands = {result, spv::Decoration::NoContraction}});
}

void FloatFreedom::allow(spirv::Module& module, Id result, uint32_t mode) {
    module.annotations.push_back(
        {.op = Op::OpDecorate, .operands = {result, spv::Decoration::FPFastMathMode, mode}});
}

}  // namespace caldera::vulkan
