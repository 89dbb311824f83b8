// SPDX-License-Identifier: Apache-2.0
// derive_capabilities: one walk finds out what the module uses, so that other passes need not add
// capabilities.
// Before: a module for Vulkan with OpenCL's capabilities.   After: capabilities, extensions, version and
// entry point interfaces are exact; unused instruction sets are not imported.
#include <algorithm>
#include <set>

#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/float_controls2.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "vulkan/translate/lower/integer_dot.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Capability;
using spv::Op;
using spv::StorageClass;

class CapabilityDeriver {
 public:
    CapabilityDeriver(Module& module, uint32_t version)
        : module_(module), builder_(module), version_(version) {}

    Result<Done> run(ProgramInterface& interface) {
        capabilities_.insert(Capability::Shader);
        memory_model();
        for (const Instruction& inst : module_.annotations)
            if (inst.op == Op::OpDecorate && inst.word(1) == static_cast<uint32_t>(spv::Decoration::Block))
                blocks_.insert(inst.id(0));
        for (const Instruction& inst : module_.globals) global(inst);
        for (const Instruction& inst : module_.annotations) annotation(inst);
        for (const Instruction& inst : module_.execution_modes) execution_mode(inst);
        for (const spirv::Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (Result<Done> done = instruction(inst); !done) return done;
        drop_unused_imports();
        write(interface);
        return Done{};
    }

 private:
    void need(Capability capability) { capabilities_.insert(capability); }
    void need(Capability capability, std::string_view extension, uint32_t core_since) {
        need(capability);
        if (version_ < core_since) extensions_.insert(std::string(extension));
    }

    void memory_model() {
        const auto addressing = static_cast<spv::AddressingModel>(module_.memory_model.word(0));
        if (addressing == spv::AddressingModel::PhysicalStorageBuffer64)
            need(Capability::PhysicalStorageBufferAddresses, "SPV_KHR_physical_storage_buffer", 0x10500);
        vulkan_model_ =
            static_cast<spv::MemoryModel>(module_.memory_model.word(1)) == spv::MemoryModel::Vulkan;
        if (vulkan_model_) need(Capability::VulkanMemoryModel, "SPV_KHR_vulkan_memory_model", 0x10500);
    }

    // ---- Types ----

    void global(const Instruction& inst) {
        if (inst.op == spirv::kTypeMatrix) matrix(inst);
        switch (inst.op) {
            case Op::OpTypeInt:
                if (inst.word(0) == 8) need(Capability::Int8);
                if (inst.word(0) == 16) need(Capability::Int16);
                if (inst.word(0) == 64) need(Capability::Int64);
                break;
            case Op::OpTypeFloat:
                if (inst.word(0) == 16 && !spirv::is_encoded_float(inst)) need(Capability::Float16);
                if (inst.word(0) == 64) need(Capability::Float64);
                break;
            case Op::OpTypePointer: pointer(inst); break;
            case Op::OpTypeImage: image(inst); break;
            default: break;
        }
    }

    void matrix(const Instruction& inst) {
        need(spirv::kCooperativeMatrix, spirv::kCooperativeMatrixExtension, ~0u);
        const auto encoding = spirv::encoding_of(*builder_.find_global(inst.id(0)));
        if (!encoding) return;
        need(spirv::type_capability(*encoding), spirv::extension_of(*encoding), ~0u);
        need(spirv::matrix_capability(*encoding), spirv::extension_of(*encoding), ~0u);
    }

    void image(const Instruction& inst) {
        constexpr size_t kDim = 1, kSampled = 5;
        const bool is_sampled = inst.word(kSampled) == 1;
        const auto dim = static_cast<spv::Dim>(inst.word(kDim));
        if (dim == spv::Dim::Dim1D) need(is_sampled ? Capability::Sampled1D : Capability::Image1D);
        if (dim == spv::Dim::Buffer) need(is_sampled ? Capability::SampledBuffer : Capability::ImageBuffer);
    }

    void pointer(const Instruction& inst) {
        std::set<uint32_t> widths;
        collect_widths(inst.id(1), widths);
        const bool has8 = widths.contains(8), has16 = widths.contains(16);
        switch (static_cast<StorageClass>(inst.word(0))) {
            case StorageClass::StorageBuffer:
            case StorageClass::PhysicalStorageBuffer:
                if (has8) need(Capability::StorageBuffer8BitAccess, "SPV_KHR_8bit_storage", 0x10500);
                if (has16) need(Capability::StorageBuffer16BitAccess);
                break;
            case StorageClass::Uniform:
                if (has8)
                    need(Capability::UniformAndStorageBuffer8BitAccess, "SPV_KHR_8bit_storage", 0x10500);
                if (has16) need(Capability::UniformAndStorageBuffer16BitAccess);
                break;
            case StorageClass::PushConstant:
                if (has8) need(Capability::StoragePushConstant8, "SPV_KHR_8bit_storage", 0x10500);
                if (has16) need(Capability::StoragePushConstant16);
                break;
            case StorageClass::Workgroup:
                if (!blocks_.contains(inst.id(1))) break;
                workgroup_layout(Capability::WorkgroupMemoryExplicitLayoutKHR);
                if (has8) workgroup_layout(Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR);
                if (has16) workgroup_layout(Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR);
                break;
            default: break;
        }
    }
    void workgroup_layout(Capability capability) {
        need(capability, "SPV_KHR_workgroup_memory_explicit_layout", ~0u);
    }

    void collect_widths(Id type, std::set<uint32_t>& widths) const {
        const Instruction* inst = builder_.find_global(type);
        if (!inst) return;
        switch (inst->op) {
            case Op::OpTypeInt:
            case Op::OpTypeFloat: widths.insert(inst->word(0)); break;
            case Op::OpTypeVector:
            case Op::OpTypeArray:
            case Op::OpTypeRuntimeArray: collect_widths(inst->id(0), widths); break;
            case Op::OpTypeStruct:
                for (const spirv::Operand& member : inst->operands) collect_widths(member.id(), widths);
                break;
            default: break;
        }
    }

    // ---- Decorations and modes ----

    void annotation(const Instruction& inst) {
        if (inst.op != Op::OpDecorate) return;
        const auto decoration = static_cast<spv::Decoration>(inst.word(1));
        if (decoration == spv::Decoration::FPFastMathMode) float_controls2();
        if (decoration != spv::Decoration::BuiltIn) return;
        switch (static_cast<spv::BuiltIn>(inst.word(2))) {
            case spv::BuiltIn::SubgroupSize:
            case spv::BuiltIn::NumSubgroups:
            case spv::BuiltIn::SubgroupId:
            case spv::BuiltIn::SubgroupLocalInvocationId: need(Capability::GroupNonUniform); break;
            case spv::BuiltIn::SubgroupEqMask:
            case spv::BuiltIn::SubgroupGeMask:
            case spv::BuiltIn::SubgroupGtMask:
            case spv::BuiltIn::SubgroupLeMask:
            case spv::BuiltIn::SubgroupLtMask: need(Capability::GroupNonUniformBallot); break;
            default: break;
        }
    }

    void execution_mode(const Instruction& inst) {
        auto float_control = [&](Capability capability) {
            need(capability, "SPV_KHR_float_controls", 0x10400);
        };
        const auto mode = static_cast<spv::ExecutionMode>(inst.word(1));
        if (mode == spirv::kFPFastMathDefault) float_controls2();
        switch (mode) {
            case spv::ExecutionMode::DenormPreserve: float_control(Capability::DenormPreserve); break;
            case spv::ExecutionMode::DenormFlushToZero: float_control(Capability::DenormFlushToZero); break;
            case spv::ExecutionMode::SignedZeroInfNanPreserve:
                float_control(Capability::SignedZeroInfNanPreserve);
                break;
            case spv::ExecutionMode::RoundingModeRTE: float_control(Capability::RoundingModeRTE); break;
            case spv::ExecutionMode::RoundingModeRTZ: float_control(Capability::RoundingModeRTZ); break;
            case spv::ExecutionMode::SubgroupUniformControlFlowKHR:
                extensions_.insert("SPV_KHR_subgroup_uniform_control_flow");
                break;
            default: break;
        }
    }

    void float_controls2() { need(spirv::kFloatControls2, spirv::kFloatControls2Extension, ~0u); }

    // ---- Instructions ----

    Result<Done> instruction(const Instruction& inst) {
        device_scope(inst);
        if (spirv::is_atomic(inst.op)) atomic(inst);
        if (inst.op == Op::OpImageRead && is_without_format(inst.id(0)))
            need(Capability::StorageImageReadWithoutFormat);
        if (inst.op == Op::OpImageWrite && is_without_format(inst.id(0)))
            need(Capability::StorageImageWriteWithoutFormat);
        if (is_integer_dot(inst.op)) return integer_dot(inst), Done{};
        if (inst.op == Op::OpReadClockKHR)
            return need(Capability::ShaderClockKHR, "SPV_KHR_shader_clock", ~0u), Done{};
        if (inst.op >= Op::OpGroupNonUniformIAdd && inst.op <= Op::OpGroupNonUniformLogicalXor)
            return group_arithmetic(inst), Done{};
        const spirv::InstructionGrammar* grammar = spirv::grammar(inst.op);
        if (!grammar || grammar->capabilities.empty() || inst.op == Op::OpAtomicFAddEXT) return Done{};
        const auto enabled = [&](Capability capability) { return capabilities_.contains(capability); };
        if (std::any_of(grammar->capabilities.begin(), grammar->capabilities.end(), enabled)) return Done{};
        for (Capability capability : grammar->capabilities) {
            if (!is_vulkan(capability)) continue;
            need(capability);
            return Done{};
        }
        return Error{.message = std::string(spirv::op_name(inst.op)) +
                                " is not available in Vulkan and no pass has lowered it"};
    }

    bool is_without_format(Id image) const {
        constexpr size_t kFormat = 6;
        return static_cast<spv::ImageFormat>(builder_.find_global(builder_.type_of(image))->word(kFormat)) ==
               spv::ImageFormat::Unknown;
    }

    /// The group operation determines which of the instruction's capabilities is needed.
    void group_arithmetic(const Instruction& inst) {
        const bool clustered = inst.word(1) == static_cast<uint32_t>(spv::GroupOperation::ClusteredReduce);
        need(clustered ? Capability::GroupNonUniformClustered : Capability::GroupNonUniformArithmetic);
    }

    void integer_dot(const Instruction& inst) {
        constexpr std::string_view kExtension = "SPV_KHR_integer_dot_product";
        const Id type = builder_.type_of(inst.id(0));
        const bool is_bytes = builder_.count(type) == 4 && builder_.width(type) == 8;
        need(Capability::DotProduct, kExtension, 0x10600);
        need(builder_.count(type) == 1 ? Capability::DotProductInput4x8BitPacked
             : is_bytes                ? Capability::DotProductInput4x8Bit
                                       : Capability::DotProductInputAll,
             kExtension, 0x10600);
    }

    static bool is_vulkan(Capability capability) {
        switch (capability) {
            case Capability::Shader:
            case Capability::Matrix:
            case Capability::ImageQuery:
            case Capability::GroupNonUniform:
            case Capability::GroupNonUniformVote:
            case Capability::GroupNonUniformArithmetic:
            case Capability::GroupNonUniformBallot:
            case Capability::GroupNonUniformShuffle:
            case Capability::GroupNonUniformShuffleRelative:
            case Capability::GroupNonUniformClustered:
            case Capability::GroupNonUniformQuad: return true;
            default: return false;
        }
    }

    void atomic(const Instruction& inst) {
        Id type = inst.type;
        if (inst.op == Op::OpAtomicStore) type = builder_.type_of(inst.id(3));
        if (!type) return;
        if (builder_.is_int(type) && builder_.width(type) == 64) need(Capability::Int64Atomics);
        if (inst.op != Op::OpAtomicFAddEXT) return;
        need(builder_.width(type) == 64 ? Capability::AtomicFloat64AddEXT : Capability::AtomicFloat32AddEXT,
             "SPV_EXT_shader_atomic_float_add", ~0u);
    }

    /// Device scope under the Vulkan memory model needs a separate capability.
    void device_scope(const Instruction& inst) {
        if (!vulkan_model_) return;
        auto scope = [&](size_t operand) {
            if (operand >= inst.operands.size()) return;
            if (builder_.constant_value(inst.id(operand)) == static_cast<uint64_t>(spv::Scope::Device))
                need(Capability::VulkanMemoryModelDeviceScope);
        };
        if (spirv::is_atomic(inst.op) || inst.op == Op::OpControlBarrier) scope(1);
        if (inst.op == Op::OpMemoryBarrier) scope(0);
        const size_t mask_at = inst.op == Op::OpLoad ? 1 : inst.op == Op::OpStore ? 2 : ~size_t{0};
        if (mask_at >= inst.operands.size()) return;
        const uint32_t mask = inst.word(mask_at);
        const size_t aligned = mask & static_cast<uint32_t>(spv::MemoryAccessMask::Aligned) ? 1 : 0;
        const auto make = static_cast<uint32_t>(spv::MemoryAccessMask::MakePointerAvailable) |
                          static_cast<uint32_t>(spv::MemoryAccessMask::MakePointerVisible);
        if (mask & make) scope(mask_at + 1 + aligned);
    }

    // ---- Writing it down ----

    void drop_unused_imports() {
        spirv::IdSet used;
        for (const spirv::Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (inst.op == Op::OpExtInst) used.insert(inst.id(0));
        for (const Instruction& inst : module_.globals)
            if (inst.op == Op::OpExtInst) used.insert(inst.id(0));
        std::erase_if(module_.ext_inst_imports,
                      [&](const Instruction& inst) { return !used.contains(inst.result); });
        for (const Instruction& inst : module_.ext_inst_imports)
            if (spirv::string_at(inst, 0).starts_with("NonSemantic.") && version_ < 0x10600)
                extensions_.insert("SPV_KHR_non_semantic_info");
    }

    void write(ProgramInterface& interface) {
        module_.version = version_;
        module_.capabilities.clear();
        interface.capabilities.clear();
        for (Capability capability : capabilities_) {
            module_.capabilities.push_back({.op = Op::OpCapability, .operands = {capability}});
            interface.capabilities.emplace_back(spirv::capability_name(capability));
        }
        std::sort(interface.capabilities.begin(), interface.capabilities.end());
        module_.extensions.clear();
        for (const std::string& name : extensions_) {
            Instruction inst{.op = Op::OpExtension};
            spirv::append_string(inst.operands, name);
            module_.extensions.push_back(std::move(inst));
        }
        set_entry_point_interfaces(module_, version_ >= 0x10400);
    }

    Module& module_;
    Builder builder_;
    uint32_t version_;
    bool vulkan_model_ = false;
    spirv::IdSet blocks_ = {};  // types
    std::set<Capability> capabilities_ = {};
    std::set<std::string> extensions_ = {};
};

}  // namespace

Result<Done> derive_capabilities(Module& module, PassContext& context) {
    const uint32_t version = spirv::spirv_version(context.options.target);
    return CapabilityDeriver(module, version).run(context.interface);
}

}  // namespace caldera::vulkan
