// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_faults.h"

#include <algorithm>
#include <set>
#include <string>

#include "spirv/describe_faults.h"
#include "spirv/entry_points.h"
#include "spirv/id_map.h"
#include "spirv/raw_words.h"
#include "spirv/spirv.h"

namespace caldera::vulkan {
namespace {

using spirv::Fault;
using spirv::Id;
using spirv::Instruction;

/// The types and constants of a module, and how large its variables are.
class Sizes {
 public:
    explicit Sizes(const spirv::Module& module) {
        for (const Instruction& inst : module.globals)
            if (inst.result) globals_[inst.result] = &inst;
        for (const Instruction& inst : module.annotations) {
            if (inst.op == spv::Op::OpDecorate && decorates(inst, 1, spv::Decoration::ArrayStride))
                strides_[inst.id(0)] = inst.word(2);
            if (inst.op == spv::Op::OpMemberDecorate && decorates(inst, 2, spv::Decoration::Offset))
                offsets_[inst.id(0)].emplace_back(inst.word(1), inst.word(3));
        }
    }

    const Instruction* global(Id id) const {
        const auto found = globals_.find(id);
        return found == globals_.end() ? nullptr : found->second;
    }
    /// The value of a constant, or the default of a specialisation constant; 0 of any other id.
    uint64_t value(Id id) const {
        const Instruction* inst = global(id);
        const bool has_value =
            inst && (inst->op == spv::Op::OpConstant || inst->op == spv::Op::OpSpecConstant);
        return has_value && !inst->operands.empty() ? spirv::number_at(*inst) : 0;
    }
    uint64_t pointee_bytes(Id pointer_type) const {
        const Instruction* type = global(pointer_type);
        return type && type->op == spv::Op::OpTypePointer ? bytes(type->id(1), 0) : 0;
    }

 private:
    static bool decorates(const Instruction& inst, size_t at, spv::Decoration decoration) {
        return inst.operands.size() > at + 1 && inst.word(at) == static_cast<uint32_t>(decoration);
    }
    uint64_t bytes(Id type, int depth) const;
    uint64_t struct_bytes(const Instruction& type, int depth) const;

    spirv::IdMap<const Instruction*> globals_ = {};
    spirv::IdMap<uint32_t> strides_ = {};
    spirv::IdMap<std::vector<std::pair<uint32_t, uint32_t>>> offsets_ = {};  // member, offset
};

uint64_t Sizes::bytes(Id id, int depth) const {
    constexpr int kDeepest = 255;  // SPIR-V 2.17
    const Instruction* type = global(id);
    if (!type || depth > kDeepest) return 0;
    switch (type->op) {
        case spv::Op::OpTypeBool: return 4;
        case spv::Op::OpTypeInt:
        case spv::Op::OpTypeFloat: return type->word(0) / 8;
        case spv::Op::OpTypePointer: return 8;
        case spv::Op::OpTypeVector:
        case spv::Op::OpTypeMatrix: return bytes(type->id(0), depth + 1) * type->word(1);
        case spv::Op::OpTypeArray: {
            const auto stride = strides_.find(id);
            return (stride != strides_.end() ? stride->second : bytes(type->id(0), depth + 1)) *
                   value(type->id(1));
        }
        case spv::Op::OpTypeStruct: return struct_bytes(*type, depth);
        default: return 0;
    }
}

uint64_t Sizes::struct_bytes(const Instruction& type, int depth) const {
    std::vector<uint64_t> sizes;
    uint64_t sum = 0;
    for (const spirv::Operand& member : type.operands) {
        sizes.push_back(bytes(member.id(), depth + 1));
        sum += sizes.back();
    }
    const auto offsets = offsets_.find(type.result);
    if (offsets == offsets_.end()) return sum;
    uint64_t end = 0;
    for (const auto& [member, offset] : offsets->second)
        if (member < sizes.size()) end = std::max(end, offset + sizes[member]);
    return end;
}

class Checker {
 public:
    Checker(std::span<const uint32_t> words, const DeviceProfile& profile)
        : words_(words), profile_(profile) {}

    std::vector<Fault> check();

 private:
    std::vector<size_t> numbers(std::initializer_list<spv::Op> ops) const;
    void version(uint32_t version);
    void capability(const Instruction& inst, size_t ordinal);
    void local_size(const Instruction& inst, size_t ordinal, const Sizes& sizes);
    void entry_point(const Instruction& inst, size_t ordinal, const spirv::EntryPoints& entry_points);
    Fault& add(size_t ordinal, std::string message, std::string rule = {}) {
        return faults_.emplace_back(
            Fault{.message = std::move(message), .rule = std::move(rule), .ordinal = ordinal});
    }
    void add_limit(size_t ordinal, const std::string& what, uint64_t has, uint64_t most, const char* limit,
                   const char* rule) {
        if (has > most)
            add(ordinal,
                what + " " + std::to_string(has) + ", and " + profile_.name + " has " + std::to_string(most) +
                    " (" + limit + ")",
                rule);
    }

    std::span<const uint32_t> words_;
    const DeviceProfile& profile_;
    std::vector<Fault> faults_ = {};
};

void Checker::version(uint32_t version) {
    const uint32_t minor = profile_.api_version_minor;
    const uint32_t most = minor >= 3 || profile_.api_version_major > 1 ? 0x10600
                          : minor == 2                                 ? 0x10500
                          : minor == 1                                 ? 0x10300
                                                                       : 0x10000;
    if (version <= most) return;
    add(0, "the module is of SPIR-V 1." + std::to_string(version >> 8 & 0xff) + ", and " + profile_.name +
               " has Vulkan " + std::to_string(profile_.api_version_major) + "." + std::to_string(minor) +
               ", which takes 1." + std::to_string(most >> 8 & 0xff))
        .hint = "`clc2spv --device-profile=FILE` makes modules for this device";
}

void Checker::capability(const Instruction& inst, size_t ordinal) {
    const DeviceProfile& profile = profile_;
    const auto lacks = [&](std::string_view name, const char* feature) {
        add(ordinal,
            "the capability " + std::string(name) + " needs " + feature + ", which " + profile.name +
                " does not have",
            "VUID-VkShaderModuleCreateInfo-pCode-08740")
            .hint = "`clc2spv --device-profile=FILE` makes modules for this device";
    };
    switch (static_cast<spv::Capability>(inst.word(0))) {
#define CAPABILITY(name, has, feature)     \
    case spv::Capability::name:            \
        if (!(has)) lacks(#name, feature); \
        break;
#include "vulkan/device_capabilities.def"
#undef CAPABILITY
        default: break;
    }
}

void Checker::local_size(const Instruction& inst, size_t ordinal, const Sizes& sizes) {
    const auto mode = static_cast<spv::ExecutionMode>(inst.word(1));
    const bool by_id = mode == spv::ExecutionMode::LocalSizeId;
    if ((mode != spv::ExecutionMode::LocalSize && !by_id) || inst.operands.size() < 5) return;
    constexpr const char* kRules[] = {"VUID-RuntimeSpirv-x-06429", "VUID-RuntimeSpirv-y-06430",
                                      "VUID-RuntimeSpirv-z-06431"};
    uint64_t total = 1;
    for (size_t i = 0; i < 3; ++i) {
        const uint64_t size = by_id ? sizes.value(inst.id(2 + i)) : inst.word(2 + i);
        add_limit(ordinal, "the work-group's size in dimension " + std::to_string(i) + " is", size,
                  profile_.max_local_size[i], "maxComputeWorkGroupSize", kRules[i]);
        total *= std::min<uint64_t>(size, 1u << 20);
    }
    add_limit(ordinal, "the work-items of a work-group are", total, profile_.max_local_invocations,
              "maxComputeWorkGroupInvocations", "VUID-RuntimeSpirv-x-06432");
}

/// What an entry point reaches counts, and nothing else of the module.
void Checker::entry_point(const Instruction& inst, size_t ordinal, const spirv::EntryPoints& entry_points) {
    const std::string name = spirv::string_at(inst, 2);
    const Result<spirv::Module> own = spirv::read(entry_points.only(name));
    if (!own) return;
    const Sizes sizes(*own);
    uint64_t workgroup = 0, push_constants = 0;
    std::set<uint32_t> in_sets;
    for (const Instruction& each : own->annotations)
        if (each.op == spv::Op::OpDecorate &&
            each.word(1) == static_cast<uint32_t>(spv::Decoration::DescriptorSet))
            in_sets.insert(each.word(0));
    uint64_t buffers = 0;
    for (const Instruction& each : own->globals) {
        if (each.op != spv::Op::OpVariable) continue;
        const auto storage = static_cast<spv::StorageClass>(each.word(0));
        if (storage == spv::StorageClass::Workgroup) workgroup += sizes.pointee_bytes(each.type);
        if (storage == spv::StorageClass::PushConstant)
            push_constants = std::max(push_constants, sizes.pointee_bytes(each.type));
        buffers += storage == spv::StorageClass::StorageBuffer && in_sets.contains(each.result.value);
    }
    const std::string kernel = "entry point '" + name + "': its ";
    add_limit(ordinal, kernel + "bytes of workgroup memory are", workgroup, profile_.max_local_bytes,
              "maxComputeSharedMemorySize", "VUID-RuntimeSpirv-Workgroup-06530");
    add_limit(ordinal, kernel + "bytes of push constants are", push_constants,
              profile_.max_push_constants_bytes, "maxPushConstantsSize",
              "VUID-VkPushConstantRange-size-00298");
    add_limit(ordinal, kernel + "storage buffers are", buffers, profile_.max_storage_buffers,
              "maxPerStageDescriptorStorageBuffers", "");
}

/// The numbers in the module, from 1, of the instructions with these opcodes.
std::vector<size_t> Checker::numbers(std::initializer_list<spv::Op> ops) const {
    std::vector<size_t> numbers;
    size_t number = 0;
    spirv::for_each_raw_inst(words_, [&](spirv::RawInst inst) {
        ++number;
        if (std::ranges::find(ops, spirv::opcode(inst)) != ops.end()) numbers.push_back(number);
    });
    return numbers;
}

std::vector<Fault> Checker::check() {
    const Result<spirv::Module> module = spirv::read(words_);
    if (!module) return {};
    const Sizes sizes(*module);
    version(module->version);
    const std::vector<size_t> capabilities = numbers({spv::Op::OpCapability});
    for (size_t i = 0; i < module->capabilities.size(); ++i)
        capability(module->capabilities[i], capabilities[i]);
    const std::vector<size_t> entries = numbers({spv::Op::OpEntryPoint});
    const spirv::EntryPoints entry_points({words_.begin(), words_.end()});
    for (size_t i = 0; i < module->entry_points.size(); ++i)
        entry_point(module->entry_points[i], entries[i], entry_points);
    const std::vector<size_t> modes = numbers({spv::Op::OpExecutionMode, spv::Op::OpExecutionModeId});
    for (size_t i = 0; i < module->execution_modes.size(); ++i)
        local_size(module->execution_modes[i], modes[i], sizes);
    spirv::describe(faults_, words_, true);
    return std::move(faults_);
}

}  // namespace

std::vector<Fault> device_faults(std::span<const uint32_t> words, const DeviceProfile& profile) {
    return Checker(words, profile).check();
}

}  // namespace caldera::vulkan
