// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/link/matrix_faults.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::MatrixUse;
using spv::Op;

/// Plain code has them in an array in private memory, and their constants in one instruction.
constexpr uint64_t kMostMatrixComponents = 1 << 15;

class MatrixFaults {
 public:
    explicit MatrixFaults(spirv::Module& module) : module_(module), builder_(module) {
        for (const spirv::Function& function : module.functions) functions_.insert(function.id());
    }

    std::string find() const {
        for (const Instruction& inst : module_.globals)
            if (const std::string fault = of_global(inst); !fault.empty()) return fault;
        for (const spirv::Function& function : module_.functions) {
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (const std::string fault = of_instruction(inst); !fault.empty())
                        return place(inst) + fault;
            if (const std::string fault = of_order(function); !fault.empty()) return fault;
        }
        return {};
    }

 private:
    std::string place(const Instruction& inst) const {
        return inst.line.file ? spirv::place_text(module_, inst.line) + ": " : "";
    }
    static std::string invalid(const Instruction& inst) {
        return "the operands of " + std::string(spirv::op_name(inst.op)) + " are invalid";
    }

    // ---- Types ----

    const Instruction* matrix(Id type) const {
        const Instruction* inst = type ? builder_.find_global(type) : nullptr;
        return inst && inst->op == spirv::kTypeMatrix ? inst : nullptr;
    }
    /// A function has the type of its result, but is no value.
    Id type_at(const Instruction& inst, size_t at) const {
        const bool is_value =
            at < inst.operands.size() && inst.operands[at].is_id && !functions_.contains(inst.id(at));
        return is_value ? builder_.type_of(inst.id(at)) : Id{};
    }
    /// An encoded float is an integer outside of its matrix.
    bool is_component(Id value_type, const Instruction& matrix) const {
        const Id component = matrix.id(0);
        if (!value_type || !spirv::is_encoded_float(*builder_.find_global(component)))
            return value_type == component;
        return builder_.is_int(value_type) && builder_.width(value_type) == builder_.width(component);
    }
    bool is_plain_float(Id type) const {
        return builder_.is_float(type) && !spirv::is_encoded_float(*builder_.find_global(type));
    }
    bool is_number(Id type) const { return builder_.is_int(type) || builder_.is_float(type); }
    uint64_t number(const Instruction& type, size_t at) const {
        return builder_.constant_value(type.id(at)).value_or(0);
    }
    bool has_use(const Instruction& type, MatrixUse use) const {
        return number(type, 4) == static_cast<uint64_t>(use);
    }
    bool have_one_shape(const Instruction& one, const Instruction& other) const {
        return number(one, 2) == number(other, 2) && number(one, 3) == number(other, 3);
    }

    std::string of_type(const Instruction& type) const {
        const Id component = type.id(0);
        const bool has_width = is_number(component) && std::has_single_bit(builder_.width(component)) &&
                               builder_.width(component) >= (is_plain_float(component) ? 16 : 8) &&
                               builder_.width(component) <= 64;
        if (!has_width) return "the components of a cooperative matrix are no numbers of 8 to 64 bits";
        for (size_t at = 1; at < 5; ++at) {
            const Id constant = builder_.type_of(type.id(at));
            if (!builder_.constant_value(type.id(at)) || !builder_.is_int(constant) ||
                builder_.width(constant) != 32)
                return "the size of a cooperative matrix is not a constant";
        }
        if (number(type, 1) != static_cast<uint64_t>(spv::Scope::Subgroup))
            return "the scope of a cooperative matrix is not the sub-group";
        if (number(type, 2) == 0 || number(type, 3) == 0 || number(type, 2) > kMostMatrixComponents ||
            number(type, 2) * number(type, 3) > kMostMatrixComponents)
            return "a cooperative matrix of " + std::to_string(number(type, 2)) + " x " +
                   std::to_string(number(type, 3)) + " components is not supported";
        if (number(type, 4) > static_cast<uint64_t>(MatrixUse::Accumulator))
            return "the use of a cooperative matrix is unknown";
        return {};
    }

    std::string of_global(const Instruction& inst) const {
        if (inst.op == spirv::kTypeMatrix) return of_type(inst);
        const Instruction* type = matrix(inst.type);
        const bool takes_matrix = inst.op == Op::OpSpecConstantOp && has_matrix_operand(inst);
        if (!type && !takes_matrix) return {};
        switch (inst.op) {
            case Op::OpUndef:
            case Op::OpConstantNull: return {};
            case Op::OpConstantComposite:
                return inst.operands.size() == 1 && is_component(type_at(inst, 0), *type) ? ""
                                                                                          : invalid(inst);
            default: return unsupported(inst);
        }
    }
    static std::string unsupported(const Instruction& inst) {
        return std::string(spirv::op_name(inst.op)) + " of a cooperative matrix is not supported";
    }

    // ---- Instructions ----

    bool has_matrix_operand(const Instruction& inst) const {
        for (size_t at = 0; at < inst.operands.size(); ++at)
            if (matrix(type_at(inst, at))) return true;
        return false;
    }

    std::string of_instruction(const Instruction& inst) const {
        const bool is_own = inst.op >= spirv::kMatrixLoad && inst.op <= spirv::kMatrixLength;
        if (is_own) return has_own_operands(inst) ? "" : invalid(inst);
        const Instruction* type = matrix(inst.type);
        switch (inst.op) {
            case Op::OpCompositeExtract:
                return has_path(inst, type_at(inst, 0), 1, inst.type) ? "" : invalid(inst);
            case Op::OpCompositeInsert:
                return has_path(inst, type_at(inst, 1), 2, type_at(inst, 0)) ? "" : invalid(inst);
            case Op::OpCompositeConstruct:  // of one number, or of an array or a struct
                if (!type) return {};
                return inst.operands.size() == 1 && is_component(type_at(inst, 0), *type) ? ""
                                                                                          : invalid(inst);
            case Op::OpLoad:
            case Op::OpStore:
            case Op::OpPhi:
            case Op::OpCopyObject:
            case Op::OpUndef:
            case Op::OpFunctionCall: return {};  // SPIRV-Tools look at these
            default: break;
        }
        if (!type) return has_matrix_operand(inst) ? unsupported(inst) : "";
        const std::optional<bool> fits = is_arithmetic(inst, *type);
        return !fits ? unsupported(inst) : *fits ? "" : invalid(inst);
    }

    bool has_own_operands(const Instruction& inst) const {
        if (inst.op == spirv::kMatrixLoad) return matrix(inst.type) && is_access(inst, 1);
        if (inst.op == spirv::kMatrixStore) return matrix(type_at(inst, 1)) && is_access(inst, 2);
        if (inst.op == spirv::kMatrixLength)
            return matrix(inst.id(0)) && builder_.is_int(inst.type) && builder_.width(inst.type) == 32;
        return is_product(inst);
    }

    /// A pointer to numbers, a layout, a stride and memory operands.
    bool is_access(const Instruction& inst, size_t layout_at) const {
        const Id pointer = type_at(inst, 0), stride = type_at(inst, layout_at + 1);
        if (!builder_.is_pointer(pointer)) return false;
        const Id pointee = builder_.pointee(pointer);
        const bool holds_numbers =
            is_number(builder_.is_vector(pointee) ? builder_.element(pointee) : pointee);
        const std::optional<uint64_t> layout = builder_.constant_value(inst.id(layout_at));
        const bool has_layout = builder_.is_int(type_at(inst, layout_at)) && layout &&
                                *layout <= static_cast<uint64_t>(spirv::MatrixLayout::ColumnMajor);
        const bool has_stride = builder_.is_int(stride) && builder_.width(stride) >= 32;
        return holds_numbers && has_layout && has_stride && has_memory_operands(inst, layout_at + 2);
    }
    bool has_memory_operands(const Instruction& inst, size_t at) const {
        if (at >= inst.operands.size()) return true;
        constexpr auto kAligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
        constexpr auto kKnown = kAligned | static_cast<uint32_t>(spv::MemoryAccessMask::Volatile) |
                                static_cast<uint32_t>(spv::MemoryAccessMask::Nontemporal);
        const uint32_t mask = inst.word(at);
        if (inst.operands[at].is_id || (mask & ~kKnown) != 0) return false;
        return !(mask & kAligned) ||
               (at + 1 < inst.operands.size() && std::has_single_bit(inst.word(at + 1)));
    }

    bool is_product(const Instruction& inst) const {
        const Instruction *a = matrix(type_at(inst, 0)), *b = matrix(type_at(inst, 1)),
                          *c = matrix(type_at(inst, 2)), *result = matrix(inst.type);
        if (!a || !b || !c || !result) return false;
        const bool floats = builder_.is_float(result->id(0));
        for (const Instruction* each : {a, b, c})
            if (builder_.is_float(each->id(0)) != floats) return false;
        return has_use(*a, MatrixUse::A) && has_use(*b, MatrixUse::B) &&
               has_use(*c, MatrixUse::Accumulator) && has_use(*result, MatrixUse::Accumulator) &&
               have_one_shape(*c, *result) && number(*a, 2) == number(*c, 2) &&
               number(*b, 3) == number(*c, 3) && number(*a, 3) == number(*b, 2);
    }

    /// Whether the operands fit an operation on each component; nullopt if it is none of matrices.
    std::optional<bool> is_arithmetic(const Instruction& inst, const Instruction& type) const {
        const bool to_float = builder_.is_float(type.id(0));
        const auto each_is = [&](bool floats) {
            for (size_t at = 0; at < inst.operands.size(); ++at)
                if (type_at(inst, at) != inst.type) return false;
            return to_float == floats;
        };
        const Instruction* from = matrix(type_at(inst, 0));
        const auto converts = [&](bool from_float, bool floats) {
            return from && have_one_shape(*from, type) && number(*from, 4) == number(type, 4) &&
                   builder_.is_float(from->id(0)) == from_float && to_float == floats;
        };
        switch (inst.op) {
            case Op::OpFNegate:
            case Op::OpFAdd:
            case Op::OpFSub:
            case Op::OpFMul:
            case Op::OpFDiv: return each_is(true);
            case Op::OpSNegate:
            case Op::OpIAdd:
            case Op::OpISub:
            case Op::OpIMul:
            case Op::OpUDiv:
            case Op::OpSDiv: return each_is(false);
            case Op::OpMatrixTimesScalar:
                return type_at(inst, 0) == inst.type && is_component(type_at(inst, 1), type);
            case Op::OpFConvert: return converts(true, true);
            case Op::OpSConvert:
            case Op::OpUConvert: return converts(false, false);
            case Op::OpConvertFToS:
            case Op::OpConvertFToU: return converts(true, false);
            case Op::OpConvertSToF:
            case Op::OpConvertUToF: return converts(false, true);
            case Op::OpBitcast:
                return from && converts(builder_.is_float(from->id(0)), to_float) &&
                       builder_.width(from->id(0)) == builder_.width(type.id(0));
            default: return std::nullopt;
        }
    }

    /// Whether the literals from `at` on lead into `composite`, and to `type` if through a matrix. Without a
    /// matrix on the way, SPIRV-Tools look at them.
    bool has_path(const Instruction& inst, Id composite, size_t at, Id type) const {
        if (!composite) return false;
        for (; at < inst.operands.size(); ++at) {
            if (const Instruction* found = matrix(composite))
                return at + 1 == inst.operands.size() && is_component(type, *found);
            const Op op = builder_.op_of_type(composite);
            if (op == Op::OpTypeStruct && inst.word(at) < builder_.member_count(composite))
                composite = builder_.member(composite, inst.word(at));
            else if (op == Op::OpTypeArray || op == Op::OpTypeVector)
                composite = builder_.element(composite);
            else
                return true;
        }
        return true;
    }

    /// Whether operands are defined wherever matrices are used. verify() looks within blocks.
    std::string of_order(const spirv::Function& function) const {
        spirv::IdMap<uint32_t> blocks;  // by value
        bool has_matrices = false;
        for (uint32_t b = 0; b < function.blocks.size(); ++b)
            for (const Instruction& inst : function.blocks[b].body) {
                if (inst.result) blocks[inst.result] = b;
                has_matrices |= is_of_matrices(inst);
            }
        if (!has_matrices || function.blocks.size() == 1) return {};
        const spirv::Cfg cfg = spirv::build_cfg(function);
        const spirv::Dominators tree = spirv::dominators(cfg);
        for (const uint32_t b : cfg.order)
            for (const Instruction& inst : function.blocks[b].body) {
                if (inst.op == Op::OpPhi || !is_of_matrices(inst)) continue;
                for (const spirv::Operand& operand : spirv::Operands(inst.operands)) {
                    const auto block = operand.is_id ? blocks.find(operand.id()) : blocks.end();
                    if (block != blocks.end() && !tree.dominates(block->second, b))
                        return place(inst) + std::string(spirv::op_name(inst.op)) + " uses %" +
                               std::to_string(operand.word) + ", which is not defined on all ways to it";
                }
            }
        return {};
    }
    bool is_of_matrices(const Instruction& inst) const {
        return (inst.op >= spirv::kMatrixLoad && inst.op <= spirv::kMatrixLength) || matrix(inst.type) ||
               has_matrix_operand(inst);
    }

    const spirv::Module& module_;
    Builder builder_;
    spirv::IdSet functions_ = {};
};

}  // namespace

std::string matrix_fault(spirv::Module& module) { return MatrixFaults(module).find(); }

}  // namespace caldera::vulkan
