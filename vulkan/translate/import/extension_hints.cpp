// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/extension_hints.h"

#include <algorithm>
#include <string_view>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/newer_ops.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

constexpr spv::Capability kHintCapabilities[] = {spv::Capability::UniformDecoration,
                                                 spv::Capability::OptNoneINTEL,
                                                 spv::Capability::ArbitraryPrecisionIntegersINTEL,
                                                 kInt4TypeCapability,
                                                 kFpMaxErrorCapability,
                                                 kInt16ExchangeCapability,
                                                 kInt16AtomicsCapability,
                                                 kBfloat16MovesCapability,
                                                 kHostAccessCapability,
                                                 kFpgaVariablesCapability,
                                                 kCacheControlsCapability,
                                                 kRegisterLimitsCapability};
// By their numbers: SPIRV-Headers may be older than the extensions.
constexpr uint32_t kHintDecorations[] = {
    26,   27,   5921,  // Uniform, UniformId, BufferLocationINTEL
    6170, 6188,        // FPMaxError, HostAccess
    6190, 6191,        // InitMode, ImplementInRegisterMap
    6442, 6443         // CacheControlLoad, ...Store
};
constexpr uint32_t kFirstRegisterMode = 6461, kLastRegisterMode = 6463;  // ExecutionMode
constexpr std::string_view kHintExtensions[] = {"SPV_EXT_optnone",
                                                "SPV_INTEL_optnone",
                                                "SPV_INTEL_16bit_atomics",
                                                "SPV_INTEL_fp_max_error",
                                                "SPV_INTEL_cache_controls",
                                                "SPV_INTEL_global_variable_host_access",
                                                "SPV_INTEL_global_variable_fpga_decorations",
                                                "SPV_INTEL_maximum_registers",
                                                "SPV_INTEL_int4",
                                                "SPV_KHR_non_semantic_info",
                                                "SPV_INTEL_arbitrary_precision_integers",
                                                "SPV_ALTERA_arbitrary_precision_integers"};
constexpr uint32_t kOptNoneFunction = 0x10000;  // of FunctionControl

/// Integers of any width include those that have capabilities of their own, which LLVM then leaves out.
void declare_common_integers(Module& module) {
    constexpr auto kAny = static_cast<uint32_t>(spv::Capability::ArbitraryPrecisionIntegersINTEL);
    if (std::ranges::none_of(module.capabilities,
                             [](const Instruction& inst) { return inst.word(0) == kAny; }))
        return;
    Builder builder(module);
    for (const Instruction& inst : module.globals) {
        if (inst.op != spv::Op::OpTypeInt) continue;
        if (inst.word(0) == 8) builder.capability(spv::Capability::Int8);
        if (inst.word(0) == 16) builder.capability(spv::Capability::Int16);
        if (inst.word(0) == 64) builder.capability(spv::Capability::Int64);
    }
}

/// Returns how many instructions are gone.
size_t drop_non_semantic(Module& module) {
    IdSet sets;
    std::erase_if(module.ext_inst_imports, [&](const Instruction& inst) {
        const bool has_no_meaning = string_at(inst, 0).starts_with("NonSemantic.");
        if (has_no_meaning) sets.insert(inst.result);
        return has_no_meaning;
    });
    if (sets.empty()) return 0;
    const auto is_of_set = [&](const Instruction& inst) {
        return inst.op == spv::Op::OpExtInst && sets.contains(inst.id(0));
    };
    size_t gone = 1 + std::erase_if(module.globals, is_of_set);
    for (Function& function : module.functions)
        for (Block& block : function.blocks) gone += std::erase_if(block.body, is_of_set);
    return gone;
}

}  // namespace

bool drop_extension_hints(Module& module) {
    declare_common_integers(module);
    size_t gone = drop_non_semantic(module);
    gone += std::erase_if(module.capabilities, [](const Instruction& inst) {
        return std::ranges::find(kHintCapabilities, static_cast<spv::Capability>(inst.word(0))) !=
               std::end(kHintCapabilities);
    });
    gone += std::erase_if(module.extensions, [](const Instruction& inst) {
        return std::ranges::find(kHintExtensions, string_at(inst, 0)) != std::end(kHintExtensions);
    });
    gone += std::erase_if(module.annotations, [](const Instruction& inst) {
        const size_t at = inst.op == spv::Op::OpMemberDecorate ? 2 : 1;
        const bool decorates = inst.op == spv::Op::OpMemberDecorate || inst.op == spv::Op::OpDecorate ||
                               inst.op == spv::Op::OpDecorateId || inst.op == spv::Op::OpDecorateString;
        return decorates && inst.operands.size() > at &&
               std::ranges::find(kHintDecorations, inst.word(at)) != std::end(kHintDecorations);
    });
    gone += std::erase_if(module.execution_modes, [](const Instruction& inst) {
        return inst.word(1) >= kFirstRegisterMode && inst.word(1) <= kLastRegisterMode;
    });
    for (Function& function : module.functions) {
        uint32_t& control = function.def.operands[0].word;
        gone += (control & kOptNoneFunction) != 0;
        control &= ~kOptNoneFunction;
    }
    return gone != 0;
}

}  // namespace caldera::vulkan
