// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices (cl_ext_kernel_cooperative_matrix) as SPV_KHR_cooperative_matrix has them.
#include "frontend/emit/emitter_impl.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

Id Emitter::matrix_type(const Type* type) {
    return b_.type(
        spirv::kTypeMatrix,
        {memory_type(type->element), u32(static_cast<uint32_t>(spv::Scope::Subgroup)),
         u32(static_cast<uint32_t>(type->count)), u32(type->columns), u32(static_cast<uint32_t>(type->use))});
}

Id Emitter::matrix_builtin(const CallExpr& expr, const Args& args) {
    const std::string_view name = expr.builtin->name;
    if (expr.type->is_open_matrix()) {
        diags_.error(expr.range, "the result of '", name, "' must be assigned to a cooperative matrix");
        return {};
    }
    if (name == "coop_mat_length")
        return b_.append(spirv::kMatrixLength, b_.type_int(32), {value_type(expr.args[0]->type)});
    if (name == "coop_mat_mulAdd") return matrix_mul_add(expr, args);
    if (name == "coop_mat_init")
        return b_.append(spv::Op::OpCompositeConstruct, value_type(expr.type), {args[0]});
    const bool stores = name == "coop_mat_store";
    const auto align = expr.args[0]->type->element.align_bytes();
    Operands operands(args.begin(), args.end());
    operands.push_back(spv::MemoryAccessMask::Aligned);
    operands.push_back(align);
    if (!stores) return b_.append(spirv::kMatrixLoad, value_type(expr.type), std::move(operands));
    b_.append_void(spirv::kMatrixStore, std::move(operands));
    return {};
}

/// Integers have no sign in this module, so the instruction says which operands have one.
Id Emitter::matrix_mul_add(const CallExpr& expr, const Args& args) {
    using namespace spirv::matrix_operands;
    uint32_t bits = 0;
    const auto add = [&](const Type* matrix, uint32_t bit) {
        if (is_signed(matrix->element.type) && matrix->element->is_integer()) bits |= bit;
    };
    add(expr.args[0]->type.type, kSignedA);
    add(expr.args[1]->type.type, kSignedB);
    add(expr.args[2]->type.type, kSignedC | kSignedResult);
    if (args.size() > 3) bits |= static_cast<uint32_t>(b_.constant_value(args[3]).value_or(0));
    Operands operands = {args[0], args[1], args[2]};
    if (bits) operands.push_back(bits);
    return b_.append(spirv::kMatrixMulAdd, value_type(expr.type), std::move(operands));
}

/// Each component; `rhs` may be a number to multiply with.
Id Emitter::matrix_arithmetic(BinaryOp op, const Type* type, Id lhs, Id rhs) {
    const Id result = value_type(type);
    const Type* component = type->element.type;
    if (const Type* wide = floats_like(type)) {
        const bool is_number = b_.type_of(rhs) != result;
        rhs = convert(rhs, is_number ? component : type, is_number ? wide->element.type : wide);
        return convert(matrix_arithmetic(op, wide, convert(lhs, type, wide), rhs), wide, type);
    }
    // OpenCL's environment has no OpMatrixTimesScalar.
    if (b_.type_of(rhs) != result) rhs = b_.append(spv::Op::OpCompositeConstruct, result, {rhs});
    const bool floating = is_float(component), has_sign = is_signed(component);
    spv::Op instruction = spv::Op::OpNop;
    switch (op) {
        case BinaryOp::Add: instruction = floating ? spv::Op::OpFAdd : spv::Op::OpIAdd; break;
        case BinaryOp::Sub: instruction = floating ? spv::Op::OpFSub : spv::Op::OpISub; break;
        case BinaryOp::Mul: instruction = floating ? spv::Op::OpFMul : spv::Op::OpIMul; break;
        case BinaryOp::Div:
            instruction = floating ? spv::Op::OpFDiv : has_sign ? spv::Op::OpSDiv : spv::Op::OpUDiv;
            break;
        default: check(false, "no operator of matrices");
    }
    return b_.append(instruction, result, {lhs, rhs});
}

}  // namespace caldera::frontend
