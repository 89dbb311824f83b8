// SPDX-License-Identifier: Apache-2.0
// Casts (OpenCL C 6.2), each as the checker named it.
#include <cmath>

#include "frontend/emit/emitter_impl.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

Id Emitter::cast(const CastExpr& expr) {
    const Type* to = expr.type.type;
    const Expr& operand = *expr.operand;
    switch (expr.cast) {
        case CastKind::ArrayToPointer: return decay(lvalue(operand));
        case CastKind::FunctionToPointer: return decline(expr.range, "a pointer to a function", to);
        case CastKind::ToBool: return condition(operand);
        case CastKind::ToVoid: discard(operand); return {};
        case CastKind::NullToPointer:
            discard(operand);
            if (to->kind == TypeKind::Queue) return null_queue();
            return b_.constant_null(value_type(expr.type));
        case CastKind::LValueToRValue:
            if (to->kind == TypeKind::BlockPointer) return block_value(operand);
            if (operand.is_lvalue) {
                const Expr& inner = strip_parens(operand);
                const auto* ref = dyn<DeclRefExpr>(&inner);
                const auto* var = ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
                if (const auto found = opaque_params_.find(var); found != opaque_params_.end())
                    return found->second;
                // A sampler is its initialiser: SPIR-V keeps none in memory (OpenCL C 6.12.14.1).
                if (var && to->kind == TypeKind::Sampler) {
                    const Expr* init = var->definition ? var->definition->init : var->init;
                    if (!init) return decline(expr.range, "a sampler that is defined in another module", to);
                    if (const auto bits = evaluate_integer(*init)) return sampler_constant(*bits);
                    return rvalue(*init);
                }
                return load(lvalue(operand));
            }
            return rvalue(operand);
        default: break;
    }
    const Id value = rvalue(operand);
    const Type* from = operand.type.type;
    switch (expr.cast) {
        case CastKind::NoOp:
            return from->is_pointer() ? convert_pointer(value, value_type(expr.type)) : value;
        case CastKind::Integral:
        case CastKind::IntToFloat:
        case CastKind::FloatToInt:
        case CastKind::Float: return convert(value, from, to);
        case CastKind::Splat: return splat(convert(value, from, to->scalar()), value_type(to));
        case CastKind::PointerToPointer:
        case CastKind::AddressSpace: return convert_pointer(value, value_type(expr.type));
        case CastKind::IntToPointer: {
            const Id address = convert_integer(value, from, b_.type_int(64));
            return b_.append(spv::Op::OpConvertUToPtr, value_type(expr.type), {address});
        }
        case CastKind::PointerToInt: {
            const Id address = b_.append(spv::Op::OpConvertPtrToU, b_.type_int(64), {value});
            return convert(address, types_.size_type(), to);
        }
        case CastKind::BitCast: return reinterpret(value, value_type(expr.type));
        case CastKind::IntToSampler:
            if (const auto bits = b_.constant_value(value)) return sampler_constant(*bits);
            return decline(expr.range, "a sampler with a non-constant value", to);
        default: check(false, "a cast of unknown kind"); return {};
    }
}

/// The LLVM translator cannot read OpConstantNull of a queue, but of a structure that holds one.
Id Emitter::null_queue() {
    const Id queue = value_type(types_.scalar(TypeKind::Queue));
    return extract(b_.constant_null(b_.type_struct({&queue, 1})), queue, 0);
}

/// Integers to the width of `to`, which has from's number of components; signedness is from's.
Id Emitter::convert_integer(Id value, const Type* from, Id to) {
    if (is_bool(from)) {
        if (const auto known = b_.constant_value(value)) return b_.constant_int(to, *known);
        const Id result =
            b_.append(spv::Op::OpSelect, to, {value, b_.constant_int(to, 1), b_.constant_int(to, 0)});
        booleans_[result.value] = value;
        return result;
    }
    if (b_.width(b_.type_of(value)) == b_.width(to)) return value;
    const Type* element = element_of(from);
    if (const auto known = b_.constant_value(value))
        return b_.constant_int(to, extend_sign(*known, *element));
    const bool widens = b_.width(to) > b_.width(b_.type_of(value));
    return b_.append(widens && element->is_signed() ? spv::Op::OpSConvert : spv::Op::OpUConvert, to, {value});
}

/// A scalar constant converted at compile time, where that is exact or rounds as the device would.
Id Emitter::fold_conversion(Id value, const Type* from, const Type* to) {
    if (to->is_vector() || !is_float(to)) return {};
    const Id type = value_type(to);
    if (const auto number = float_value(value)) return constant_float(type, *number);
    if (is_float(from) || is_bool(from)) return {};
    const auto known = b_.constant_value(value);
    if (!known) return {};
    return constant_float(type, integer_as_float(*known, *element_of(from), arithmetic_type(to)->kind));
}

/// Between arithmetic types, scalars or vectors of the same length.
Id Emitter::convert(Id value, const Type* from, const Type* to) {
    if (from == to) return value;
    if (from->is_matrix()) return b_.append(spv::Op::OpFConvert, value_type(to), {value});  // of __bf16
    if (from->lanes() != to->lanes() && from->lanes() == 1)
        return splat(convert(value, from, to->scalar()), value_type(to));
    if (is_bool(to)) return not_zero(value, from);
    if (const Id folded = fold_conversion(value, from, to)) return folded;
    const Id type = value_type(to);
    if (!is_float(from)) {
        if (!is_float(to)) return convert_integer(value, from, type);
        if (is_bool(from))
            return b_.append(spv::Op::OpSelect, type,
                             {value, scalar_constant(to, 1), scalar_constant(to, 0)});
        return b_.append(is_signed(from) ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF, type, {value});
    }
    if (is_float(to)) {
        if (b_.type_of(value) == type) return value;
        return b_.append(spv::Op::OpFConvert, type, {value});
    }
    return b_.append(is_signed(to) ? spv::Op::OpConvertFToS : spv::Op::OpConvertFToU, type, {value});
}

/// The bits as another type of the same size (OpenCL C 6.2.4.2). A vector of three has the size of one of
/// four.
Id Emitter::reinterpret(Id value, Id to) {
    const Id from = b_.type_of(value);
    if (from == to) return value;
    if (b_.is_pointer(from) && b_.is_pointer(to)) return convert_pointer(value, to);
    const Id address = b_.type_int(64);
    if (b_.is_pointer(from)) return reinterpret(b_.append(spv::Op::OpConvertPtrToU, address, {value}), to);
    if (b_.is_pointer(to)) return b_.append(spv::Op::OpConvertUToPtr, to, {reinterpret(value, address)});
    if (b_.count(from) == b_.count(to)) return b_.append(spv::Op::OpBitcast, to, {value});
    constexpr uint8_t kLanes[] = {0, 1, 2, 3};
    if (b_.count(from) == 3) {
        Operands operands = {value, value, 0u, 1u, 2u, ~0u};
        value = b_.append(spv::Op::OpVectorShuffle, b_.with_count(from, 4), std::move(operands));
    }
    const Id wide = b_.count(to) == 3 ? b_.with_count(to, 4) : to;
    if (b_.type_of(value) != wide) value = b_.append(spv::Op::OpBitcast, wide, {value});
    return b_.count(to) == 3 ? shuffle(value, kLanes, 3) : value;
}

/// Converts to another pointee, another address space, or both.
Id Emitter::convert_pointer(Id value, Id to) {
    const Id from = b_.type_of(value);
    if (from == to) return value;
    const spirv::Instruction* known = b_.find_global(value);
    if (known && known->op == spv::Op::OpConstantNull) return b_.constant_null(to);
    const spv::StorageClass from_storage = b_.storage(from), to_storage = b_.storage(to);
    if (from_storage == to_storage) return b_.append(spv::Op::OpBitcast, to, {value});
    const Id same_pointee = b_.type_pointer(to_storage, b_.pointee(from));
    if (to_storage == spv::StorageClass::Generic) {
        value = b_.append(spv::Op::OpPtrCastToGeneric, same_pointee, {value});
    } else if (from_storage == spv::StorageClass::Generic) {
        value = b_.append(spv::Op::OpGenericCastToPtr, same_pointee, {value});
    } else {  // an explicit cast between disjoint spaces keeps the bits
        const Id address = b_.append(spv::Op::OpConvertPtrToU, b_.type_int(64), {value});
        return b_.append(spv::Op::OpConvertUToPtr, to, {address});
    }
    return same_pointee == to ? value : b_.append(spv::Op::OpBitcast, to, {value});
}

}  // namespace caldera::frontend
