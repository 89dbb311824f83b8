// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/parameter_faults.h"

#include <cstdint>
#include <optional>

#include "spirv/grammar.h"
#include "spirv/support/align.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

namespace {

bool is_by_value(const Instruction& inst) {
    return inst.op == Op::OpDecorate &&
           inst.word(1) == static_cast<uint32_t>(spv::Decoration::FuncParamAttr) &&
           inst.word(2) == static_cast<uint32_t>(spv::FunctionParameterAttribute::ByVal);
}

}  // namespace

ParameterFaults::ParameterFaults(const spirv::Builder& builder, const OpenclLayout& layout)
    : builder_(builder), layout_(layout), names_(names_of(builder.module())) {
    for (const Instruction& inst : builder.module().annotations)
        if (is_by_value(inst)) by_value_.insert(inst.id(0));
}

/// The type whose bytes are passed.
Id ParameterFaults::passed_type(const Instruction& param) const {
    return by_value_.contains(param.result) && builder_.is_pointer(param.type) ? builder_.pointee(param.type)
                                                                               : param.type;
}

std::string ParameterFaults::of_kernel(const Function& kernel) const {
    uint64_t bytes = 0;
    for (size_t i = 0; i < kernel.params.size(); ++i) {
        const Instruction& param = kernel.params[i];
        if (const std::string fault = of_argument(param); !fault.empty()) {
            const auto name = names_.find(param.result);
            const bool named = name != names_.end() && !name->second.empty();
            return "its argument " + std::to_string(i) + (named ? ", '" + name->second + "'," : "") + " " +
                   fault;
        }
        if (const std::optional<TypeLayout> layout = layout_.find(passed_type(param)))
            bytes = align_up(bytes, layout->alignment_bytes) + layout->size_bytes;
        if (bytes > kMaxArgumentBytes)
            return "its arguments have " + std::to_string(bytes) + " bytes, more than " +
                   std::to_string(kMaxArgumentBytes);
    }
    return {};
}

std::string ParameterFaults::of_argument(const Instruction& param) const {
    if (by_value_.contains(param.result) || !builder_.is_pointer(param.type))
        return of_value(passed_type(param));
    switch (builder_.storage(param.type)) {
        case StorageClass::CrossWorkgroup:
        case StorageClass::UniformConstant: return {};
        case StorageClass::Workgroup:
            if (const std::optional<TypeLayout> layout = layout_.find(builder_.pointee(param.type));
                layout && layout->size_bytes > UINT32_MAX)
                return "points to local objects of " + std::to_string(layout->size_bytes) + " bytes";
            return {};
        case StorageClass::Generic: return "is a generic pointer, which a kernel argument cannot be";
        case StorageClass::Function:
            return "is a pointer to private memory, which a kernel argument cannot be without ByVal";
        default:
            return "is a pointer of storage class " +
                   std::to_string(static_cast<uint32_t>(builder_.storage(param.type))) +
                   ", which a kernel argument cannot be";
    }
}

std::string ParameterFaults::of_value(Id type) const {
    switch (builder_.op_of_type(type)) {
        case Op::OpTypeImage:
        case Op::OpTypeSampler:
        case Op::OpTypePipe:
        case Op::OpTypeQueue: return {};
        default: break;
    }
    const Op part = part_without_bytes(type);
    if (part == Op::OpNop) return {};
    const spirv::InstructionGrammar* grammar = spirv::grammar(part);
    return std::string(part == builder_.op_of_type(type) ? "is of " : "contains ") +
           (grammar ? std::string(grammar->name) : "a type") + ", which has no size in memory";
}

/// The kind of a type, in it or itself, that has no size for the host; OpNop if there is none.
Op ParameterFaults::part_without_bytes(Id type) const {
    const Op op = builder_.op_of_type(type);
    switch (op) {
        case Op::OpTypeBool:
        case Op::OpTypeEvent: return op;
        case Op::OpTypeVector:
        case Op::OpTypeArray:
            if (const Op part = part_without_bytes(builder_.element(type)); part != Op::OpNop) return part;
            break;
        case Op::OpTypeStruct:
            for (uint32_t i = 0; i < builder_.member_count(type); ++i)
                if (const Op part = part_without_bytes(builder_.member(type, i)); part != Op::OpNop)
                    return part;
            break;
        default: break;
    }
    return layout_.find(type) ? Op::OpNop : op;
}

std::string ParameterFaults::of_function(const Function& function) const {
    for (const Instruction& param : function.params) {
        if (!by_value_.contains(param.result) || !builder_.is_pointer(param.type)) continue;
        if (builder_.storage(param.type) != StorageClass::Function)
            return "a parameter that is passed by value (ByVal) is no pointer to private memory";
        if (!layout_.find(builder_.pointee(param.type)))
            return "a parameter that is passed by value (ByVal) points to a type without a size";
    }
    return {};
}

}  // namespace caldera::vulkan
