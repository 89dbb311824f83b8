// SPDX-License-Identifier: Apache-2.0
// Capabilities, extensions and the version that instructions ask for: what the emitter made decides, once it
// is whole.
#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

namespace {

using enum spv::Op;
using spv::Capability;

/// Instructions `first` to `last`. A 0 version is that of every target.
struct Needed {
    spv::Op first, last;
    Capability capability;
    std::string_view extension = {};
    uint32_t version = 0;
};
constexpr Needed kNeeded[] = {
    {OpImageQueryLevels, OpImageQueryLevels, Capability::ImageMipmap},
    {OpGroupAll, OpGroupSMax, Capability::Groups},
    {OpEnqueueMarker, OpBuildNDRange, Capability::DeviceEnqueue},
    {OpGroupNonUniformElect, OpGroupNonUniformElect, Capability::GroupNonUniform, {}, kSpirv13},
    {OpGroupNonUniformAll, OpGroupNonUniformAllEqual, Capability::GroupNonUniformVote, {}, kSpirv13},
    {OpGroupNonUniformBroadcast,
     OpGroupNonUniformBallotFindMSB,
     Capability::GroupNonUniformBallot,
     {},
     kSpirv13},
    {OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor, Capability::GroupNonUniformShuffle, {}, kSpirv13},
    {OpGroupNonUniformShuffleUp,
     OpGroupNonUniformShuffleDown,
     Capability::GroupNonUniformShuffleRelative,
     {},
     kSpirv13},
    {OpGroupNonUniformRotateKHR, OpGroupNonUniformRotateKHR, Capability::GroupNonUniformRotateKHR,
     "SPV_KHR_subgroup_rotate", kSpirv13},
    {OpSubgroupShuffleINTEL, OpSubgroupShuffleXorINTEL, Capability::SubgroupShuffleINTEL,
     "SPV_INTEL_subgroups"},
    {OpSubgroupBlockReadINTEL, OpSubgroupBlockWriteINTEL, Capability::SubgroupBufferBlockIOINTEL,
     "SPV_INTEL_subgroups"},
    {OpSubgroupImageBlockReadINTEL, OpSubgroupImageBlockWriteINTEL, Capability::SubgroupImageBlockIOINTEL,
     "SPV_INTEL_subgroups"},
    {OpBitFieldInsert, OpBitReverse, Capability::BitInstructions, "SPV_KHR_bit_instructions"},
    {OpAssumeTrueKHR, OpExpectKHR, Capability::ExpectAssumeKHR, "SPV_KHR_expect_assume"},
    {OpSDot, OpSUDotAccSat, Capability::DotProduct, "SPV_KHR_integer_dot_product"},
    {OpGroupIMulKHR, OpGroupLogicalXorKHR, Capability::GroupUniformArithmeticKHR,
     "SPV_KHR_uniform_group_instructions"},
    {OpReadClockKHR, OpReadClockKHR, Capability::ShaderClockKHR, "SPV_KHR_shader_clock"},
};

Capability atomic_add_capability(uint32_t bits) {
    return bits == 16   ? Capability::AtomicFloat16AddEXT
           : bits == 32 ? Capability::AtomicFloat32AddEXT
                        : Capability::AtomicFloat64AddEXT;
}
Capability atomic_min_max_capability(uint32_t bits) {
    return bits == 16   ? Capability::AtomicFloat16MinMaxEXT
           : bits == 32 ? Capability::AtomicFloat32MinMaxEXT
                        : Capability::AtomicFloat64MinMaxEXT;
}

/// Whether an OpImageSampleExplicitLod reads a level that is not known to be the first.
bool samples_levels(const Builder& b, const spirv::Instruction& inst) {
    const bool by_gradients = (inst.word(2) & static_cast<uint32_t>(spv::ImageOperandsMask::Lod)) == 0;
    const spirv::Instruction* level = b.find_global(inst.id(3));
    return by_gradients || !level || level->op != OpConstant || level->word(0) != 0;
}

}  // namespace

void Emitter::need_version(uint32_t version) { module_.version = std::max(module_.version, version); }

void Emitter::instruction_capabilities(const spirv::Instruction& inst) {
    for (const Needed& needed : kNeeded) {
        if (inst.op < needed.first || inst.op > needed.last) continue;
        b_.capability(needed.capability);
        if (!needed.extension.empty()) b_.extension(needed.extension);
        need_version(needed.version);
    }
    if (inst.op >= OpGroupNonUniformIAdd && inst.op <= OpGroupNonUniformLogicalXor) {
        const bool clustered = inst.word(1) == static_cast<uint32_t>(spv::GroupOperation::ClusteredReduce);
        b_.capability(clustered ? Capability::GroupNonUniformClustered
                                : Capability::GroupNonUniformArithmetic);
        need_version(kSpirv13);
    }
    if (inst.op >= OpSDot && inst.op <= OpSUDotAccSat) {
        const bool packed = !inst.operands.back().is_id;
        const bool is_bytes = b_.width(b_.type_of(inst.id(0))) == 8;
        b_.capability(packed     ? Capability::DotProductInput4x8BitPacked
                      : is_bytes ? Capability::DotProductInput4x8Bit
                                 : Capability::DotProductInputAll);
    }
    if (inst.op == OpImageSampleExplicitLod && samples_levels(b_, inst))
        b_.capability(Capability::ImageMipmap);
    atomic_capabilities(inst);
}

void Emitter::atomic_capabilities(const spirv::Instruction& inst) {
    if (inst.op == OpAtomicFAddEXT) {
        const uint32_t bits = b_.width(inst.type);
        b_.capability(atomic_add_capability(bits));
        b_.extension(bits == 16 ? "SPV_EXT_shader_atomic_float16_add" : "SPV_EXT_shader_atomic_float_add");
    }
    if (inst.op == OpAtomicFMinEXT || inst.op == OpAtomicFMaxEXT) {
        b_.capability(atomic_min_max_capability(b_.width(inst.type)));
        b_.extension("SPV_EXT_shader_atomic_float_min_max");
    }
    if (inst.op < OpAtomicLoad || inst.op > OpAtomicXor) return;
    const Id value = inst.op == OpAtomicStore ? b_.type_of(Id{inst.word(3)}) : inst.type;
    if (b_.is_int(value) && b_.width(value) == 64) b_.capability(Capability::Int64Atomics);
}

}  // namespace caldera::frontend
