// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/reflect/clspv_reflection.h"

#include <spirv/unified1/NonSemanticClspvReflection.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/spirv.h"
#include "spirv/support/check.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Op;

constexpr const char* kInstructionSet = "NonSemantic.ClspvReflection.5";
/// Newer than the header of SPIRV-Headers that Debian 12 has.
constexpr auto kNormalizedSamplerMask = static_cast<NonSemanticClspvReflectionInstructions>(41);
/// Two digits a byte in an OpString of 65,535 words, its opcode, result and final nul among them.
constexpr size_t kMaxDataBytes = ((65535 - 2) * 4 - 1) / 2;

class Reflector {
 public:
    Reflector(Module& module, const ProgramInterface& program)
        : module_(module), program_(program), builder_(module) {}

    /// Returns the instructions that follow the functions. Adds the definitions that they need to the module.
    std::vector<Instruction> run() {
        if (module_.version < 0x00010600) builder_.extension("SPV_KHR_non_semantic_info");
        set_ = builder_.ext_inst_import(kInstructionSet);
        for (const Kernel& kernel : program_.kernels) tell(kernel);
        if (has_spec_id(0))
            add(NonSemanticClspvReflectionSpecConstantWorkgroupSize, {number(0), number(1), number(2)});
        if (program_.work_dim_spec_id != kNoSpecId && has_spec_id(program_.work_dim_spec_id))
            add(NonSemanticClspvReflectionSpecConstantWorkDim, {number(program_.work_dim_spec_id)});
        for (const LiteralSampler& sampler : program_.literal_samplers)
            add(NonSemanticClspvReflectionLiteralSampler,
                {number(0), number(sampler.binding), number(sampler.bits)});
        tell_data();
        tell_printf();
        return std::move(out_);
    }

 private:
    Id number(uint32_t value) { return builder_.constant_u32(value); }
    Id add(NonSemanticClspvReflectionInstructions instruction, const std::vector<Id>& operands) {
        const Id result = builder_.fresh();
        Instruction inst{.op = Op::OpExtInst, .type = builder_.type_void(), .result = result};
        inst.operands.push_back(set_);
        inst.operands.push_back(static_cast<uint32_t>(instruction));
        for (const Id operand : operands)
            if (operand) inst.operands.push_back(operand);
        out_.push_back(std::move(inst));
        return result;
    }

    // ---- Kernels ----

    void tell(const Kernel& kernel) {
        check(std::ranges::all_of(kernel.hidden, is_about_argument, &HiddenArgument::kind),
              "clspv's kernels have no such hidden arguments");
        const auto entry = std::ranges::find_if(module_.entry_points, [&](const Instruction& each) {
            return spirv::string_at(each, 2) == kernel.name;
        });
        check(entry != module_.entry_points.end(), "a kernel has no entry point");
        const auto argument_count = static_cast<uint32_t>(kernel.arguments.size());
        const Id declaration = add(
            NonSemanticClspvReflectionKernel,
            {entry->id(1), builder_.string(kernel.name), number(argument_count),
             number(kernel.prints ? NonSemanticClspvReflectionMayUsePrintf : NonSemanticClspvReflectionNone),
             builder_.string(kernel.attributes)});
        for (uint32_t i = 0; i < argument_count; ++i)
            tell(kernel, kernel.arguments[i], declaration, number(i));
        for (const HiddenArgument& hidden : kernel.hidden) tell(kernel, hidden, declaration);
        const auto& size = kernel.required_local_size;
        if (size[0] != 0)
            add(NonSemanticClspvReflectionPropertyRequiredWorkgroupSize,
                {declaration, number(size[0]), number(size[1]), number(size[2])});
    }

    void tell(const Kernel& kernel, const KernelArgument& argument, Id declaration, Id ordinal) {
        const Id info = tell_info(argument);
        switch (argument.kind) {
            case ArgumentKind::GlobalPointer:
            case ArgumentKind::ConstantPointer:
            case ArgumentKind::Pipe:
            case ArgumentKind::Image:
            case ArgumentKind::SampledImage:
            case ArgumentKind::StorageImage:
            case ArgumentKind::UniformTexelBuffer:
            case ArgumentKind::StorageTexelBuffer:
            case ArgumentKind::SamplerObject:
                add(descriptor(argument.kind),
                    {declaration, ordinal, number(program_.argument_set), number(argument.binding), info});
                return;
            case ArgumentKind::LocalPointer:
                add(NonSemanticClspvReflectionArgumentWorkgroup,
                    {declaration, ordinal, number(argument.spec_id), number(argument.element_bytes), info});
                return;
            case ArgumentKind::DeviceQueue:
            case ArgumentKind::Sampler:
            case ArgumentKind::Value: break;
        }
        const Id offset = number(argument.offset_bytes), size = number(argument.size_bytes);
        if (kernel.block == ArgumentBlock::PushConstants)
            add(NonSemanticClspvReflectionArgumentPodPushConstant,
                {declaration, ordinal, offset, size, info});
        else
            add(kernel.block == ArgumentBlock::StorageBuffer
                    ? NonSemanticClspvReflectionArgumentPodStorageBuffer
                    : NonSemanticClspvReflectionArgumentPodUniform,
                {declaration, ordinal, number(program_.argument_set), number(kernel.block_binding), offset,
                 size, info});
    }

    static NonSemanticClspvReflectionInstructions descriptor(ArgumentKind kind) {
        switch (kind) {
            case ArgumentKind::SampledImage: return NonSemanticClspvReflectionArgumentSampledImage;
            case ArgumentKind::StorageImage: return NonSemanticClspvReflectionArgumentStorageImage;
            case ArgumentKind::UniformTexelBuffer:
                return NonSemanticClspvReflectionArgumentUniformTexelBuffer;
            case ArgumentKind::StorageTexelBuffer:
                return NonSemanticClspvReflectionArgumentStorageTexelBuffer;
            case ArgumentKind::SamplerObject: return NonSemanticClspvReflectionArgumentSampler;
            default: return NonSemanticClspvReflectionArgumentStorageBuffer;
        }
    }

    /// What the host says of an image or a sampler, a word of the argument block. clspv's mask is always a
    /// push constant (with_clspv_reflection).
    void tell(const Kernel& kernel, const HiddenArgument& hidden, Id declaration) {
        const bool is_pushed = kernel.block == ArgumentBlock::PushConstants;
        const bool is_order = hidden.kind == HiddenKind::ChannelOrder;
        const Id ordinal = number(hidden.argument), offset = number(hidden.offset_bytes), size = number(4);
        if (hidden.kind == HiddenKind::SamplerMask)
            add(kNormalizedSamplerMask, {declaration, ordinal, offset, size});
        else if (is_pushed)
            add(is_order ? NonSemanticClspvReflectionImageArgumentInfoChannelOrderPushConstant
                         : NonSemanticClspvReflectionImageArgumentInfoChannelDataTypePushConstant,
                {declaration, ordinal, offset, size});
        else
            add(is_order ? NonSemanticClspvReflectionImageArgumentInfoChannelOrderUniform
                         : NonSemanticClspvReflectionImageArgumentInfoChannelDataTypeUniform,
                {declaration, ordinal, number(program_.argument_set), number(kernel.block_binding), offset,
                 size});
    }

    /// The qualifiers have the values that clGetKernelArgInfo gives (OpenCL API 5.9.3). None where nothing is
    /// known.
    Id tell_info(const KernelArgument& argument) {
        if (argument.name.empty() && argument.type_name.empty()) return {};
        const Id name = builder_.string(argument.name);
        if (argument.type_name.empty()) return add(NonSemanticClspvReflectionArgumentInfo, {name});
        return add(
            NonSemanticClspvReflectionArgumentInfo,
            {name, builder_.string(argument.type_name), number(address_qualifier(argument.kind)),
             number(access_qualifier(argument.access)), number(type_qualifiers(argument.type_qualifiers))});
    }
    static uint32_t access_qualifier(ArgumentAccess access) {
        switch (access) {
            case ArgumentAccess::ReadOnly: return 0x11a0;
            case ArgumentAccess::WriteOnly: return 0x11a1;
            case ArgumentAccess::ReadWrite: return 0x11a2;
            case ArgumentAccess::None: return 0x11a3;
        }
        return 0;
    }
    static uint32_t address_qualifier(ArgumentKind kind) {
        switch (kind) {
            case ArgumentKind::GlobalPointer:
            case ArgumentKind::Image:
            case ArgumentKind::SampledImage:
            case ArgumentKind::StorageImage:
            case ArgumentKind::UniformTexelBuffer:
            case ArgumentKind::StorageTexelBuffer:
            case ArgumentKind::Pipe: return 0x119b;
            case ArgumentKind::LocalPointer: return 0x119c;
            case ArgumentKind::ConstantPointer: return 0x119d;
            case ArgumentKind::DeviceQueue:
            case ArgumentKind::Sampler:
            case ArgumentKind::SamplerObject:
            case ArgumentKind::Value: return 0x119e;
        }
        return 0;
    }
    static uint32_t type_qualifiers(const std::string& words) {
        auto bit = [&](const char* word, uint32_t value) {
            return words.find(word) != std::string::npos ? value : 0;
        };
        return bit("const", 1) | bit("restrict", 2) | bit("volatile", 4) | bit("pipe", 8);
    }

    // ---- The program ----

    bool has_spec_id(uint32_t spec_id) const {
        return std::ranges::any_of(module_.annotations, [&](const Instruction& inst) {
            return inst.op == Op::OpDecorate &&
                   inst.word(1) == static_cast<uint32_t>(spv::Decoration::SpecId) && inst.word(2) == spec_id;
        });
    }

    uint32_t data_set() const { return kDataSegmentSet + program_.argument_set; }

    void tell_data() {
        if (program_.data_segment.empty()) return;
        static constexpr char kHex[] = "0123456789abcdef";
        std::string digits;
        for (const uint8_t byte : program_.data_segment) digits += {kHex[byte >> 4], kHex[byte & 15]};
        add(data_is_written() ? NonSemanticClspvReflectionProgramScopeVariablesStorageBuffer
                              : NonSemanticClspvReflectionConstantDataStorageBuffer,
            {number(data_set()), number(kDataSegmentBinding), builder_.string(digits)});
    }

    void tell_printf() {
        if (program_.printf_formats.empty()) return;
        for (uint32_t i = 0; i < program_.printf_formats.size(); ++i) {
            const PrintfFormat& format = program_.printf_formats[i];
            std::vector<Id> operands = {number(i), builder_.string(format.text)};
            for (const uint32_t bytes : format.argument_bytes) operands.push_back(number(bytes));
            add(NonSemanticClspvReflectionPrintfInfo, operands);
        }
        add(NonSemanticClspvReflectionPrintfBufferStorageBuffer,
            {number(kPrintfBufferSet + program_.argument_set), number(kPrintfBufferBinding),
             number(kPrintfBufferBytes)});
    }

    /// Program-scope variables are in it, not only constants.
    bool data_is_written() const {
        spirv::IdSet data;  // variables, and pointers into them
        for (const Instruction& inst : module_.annotations)
            if (inst.op == Op::OpDecorate &&
                inst.word(1) == static_cast<uint32_t>(spv::Decoration::DescriptorSet) &&
                inst.word(2) == data_set())
                data.insert(inst.id(0));
        for (const spirv::Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body) {
                    if (inst.op == Op::OpAccessChain || inst.op == Op::OpInBoundsAccessChain) {
                        if (data.contains(inst.id(0))) data.insert(inst.result);
                        continue;
                    }
                    const bool writes = inst.op == Op::OpStore || inst.op == Op::OpAtomicFAddEXT ||
                                        (inst.op >= Op::OpAtomicStore && inst.op <= Op::OpAtomicXor);
                    if (writes && data.contains(inst.id(0))) return true;
                }
        return false;
    }

    Module& module_;
    const ProgramInterface& program_;
    Builder builder_;
    Id set_ = {};
    std::vector<Instruction> out_ = {};
};

}  // namespace

Result<std::vector<uint32_t>> with_clspv_reflection(std::span<const uint32_t> words,
                                                    const ProgramInterface& interface) {
    check(interface.abi == Abi::Descriptors, "clspv's reflection tells of descriptors");
    if (interface.data_segment.size() > kMaxDataBytes)
        return Error{.message = "the program's data has " + std::to_string(interface.data_segment.size()) +
                                " bytes, of which NonSemantic.ClspvReflection can tell only " +
                                std::to_string(kMaxDataBytes) + ": --no-clspv-reflection leaves it out"};
    for (const Kernel& kernel : interface.kernels) {
        const auto cannot_tell = [&](const std::string& what) {
            return Error{.message = "kernel '" + kernel.name + "' needs " + what +
                                    ", of which NonSemantic.ClspvReflection cannot tell: "
                                    "--no-clspv-reflection leaves it out"};
        };
        for (const HiddenArgument& hidden : kernel.hidden) {
            if (hidden.kind == HiddenKind::SamplerMask && kernel.block != ArgumentBlock::PushConstants)
                return cannot_tell("the bits of a sampler in a buffer");
            if (kernel.block == ArgumentBlock::StorageBuffer)
                return cannot_tell("the channels of an image in a storage buffer");
        }
        if (kernel.private_bytes != 0) return cannot_tell("a buffer for its private memory");
    }
    Result<Module> module = spirv::read(words);
    if (!module) return module.error();
    const std::vector<Instruction> reflection = Reflector(*module, interface).run();
    std::vector<uint32_t> out = spirv::write(*module);
    for (const Instruction& inst : reflection) {
        const auto length = static_cast<uint32_t>(3 + inst.operands.size());
        out.push_back(length << 16 | static_cast<uint32_t>(inst.op));
        out.push_back(inst.type.value);
        out.push_back(inst.result.value);
        for (const spirv::Operand& operand : inst.operands) out.push_back(operand.word);
    }
    return out;
}

}  // namespace caldera::vulkan
