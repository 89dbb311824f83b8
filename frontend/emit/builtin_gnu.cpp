// SPDX-License-Identifier: Apache-2.0
// gcc's and clang's __builtin_ functions (rows of builtin/gnu_builtins.def) that OpenCL.std has no
// instruction for.
#include <spirv/unified1/OpenCL.std.h>

#include "frontend/check/checker.h"
#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

Id Emitter::gnu_builtin(const CallExpr& expr) {
    using builtin::GnuOp;
    const auto op = static_cast<GnuOp>(expr.builtin->row->a);
    if (op == GnuOp::Nothing) return {};  // clang discards the argument's effects too
    if (op == GnuOp::Assume) return assume(*expr.args[0]), Id{};
    if (op == GnuOp::Copy || op == GnuOp::Move || op == GnuOp::Fill) return gnu_memory(expr, op);
    Args args;
    for (const Expr* arg : expr.args) args.push_back(rvalue(*arg));
    const Id result = value_type(expr.type);
    switch (op) {
        case GnuOp::First: return args[0];
        case GnuOp::Expect: {
            if (!options_.has(Ext::ExpectAssume)) return args[0];
            return b_.append(spv::Op::OpExpectKHR, result, {args[0], args[1]});
        }
        case GnuOp::Unreachable:
            ensure_block();
            b_.unreachable();
            ensure_block();
            return {};
        case GnuOp::RotateRight: {
            const Id back = b_.append(spv::Op::OpSNegate, result, {args[1]});
            return opencl(OpenCLLIB::Rotate, result, {args[0], back});
        }
        case GnuOp::SwapBytes: return swap_bytes(args[0], result);
        case GnuOp::AddOverflow:
        case GnuOp::SubOverflow:
        case GnuOp::MulOverflow: return overflow(expr, op, args);
        case GnuOp::ReduceAdd:
        case GnuOp::ReduceMul:
        case GnuOp::ReduceAnd:
        case GnuOp::ReduceOr:
        case GnuOp::ReduceXor:
        case GnuOp::ReduceMax:
        case GnuOp::ReduceMin:
        case GnuOp::ReduceMaximum:
        case GnuOp::ReduceMinimum: return reduce(op, args[0], expr.args[0]->type.type);
        case GnuOp::LoadHalf: {
            const Id value = opencl(OpenCLLIB::Vload_half, b_.type_float(32), {b_.constant_u64(0), args[0]});
            return b_.width(result) == 32 ? value : b_.append(spv::Op::OpFConvert, result, {value});
        }
        case GnuOp::StoreHalf:
            return opencl(OpenCLLIB::Vstore_half, b_.type_void(), {args[0], b_.constant_u64(0), args[1]});
        case GnuOp::AddCarry:
        case GnuOp::SubCarry: return carry(op, args, expr.type.type);
        case GnuOp::LeadingZeros:
        case GnuOp::TrailingZeros: return count_zeros(op, args, expr.type.type);
        case GnuOp::FunnelLeft:
        case GnuOp::FunnelRight: return funnel_shift(op, args, expr.type.type);
        case GnuOp::IsAligned:
        case GnuOp::AlignUp:
        case GnuOp::AlignDown: return align(expr, op, args);
        case GnuOp::LoadOnce: return load_once(expr, args[0]);
        case GnuOp::StoreOnce: return store_once(expr, args);
        default: break;
    }
    if (const std::optional<Id> value = gnu_float(expr, op, args)) return *value;
    const Type* counted = expr.builtin->params[0].type;
    return unless_zero(count_bits(op, args[0], counted), args, counted);
}

/// As in clang, a condition with side effects is not evaluated, and gives no information.
void Emitter::assume(const Expr& truth) {
    if (!options_.has(Ext::ExpectAssume) || !is_pure(truth)) return;
    b_.append_void(spv::Op::OpAssumeTrueKHR, {rvalue(truth)});
}

/// The elements of a vector as one scalar, in their order.
Id Emitter::reduce(builtin::GnuOp op, Id vector, const Type* type) {
    using builtin::GnuOp;
    const Type* element = type->scalar();
    const Id id = value_type(element);
    auto combine = [&](Id a, Id b) {
        switch (op) {
            case GnuOp::ReduceMul: return arithmetic(BinaryOp::Mul, element, a, b);
            case GnuOp::ReduceAnd: return arithmetic(BinaryOp::And, element, a, b);
            case GnuOp::ReduceOr: return arithmetic(BinaryOp::Or, element, a, b);
            case GnuOp::ReduceXor: return arithmetic(BinaryOp::Xor, element, a, b);
            case GnuOp::ReduceMax:
                return opencl(element->is_floating() ? OpenCLLIB::Fmax
                              : is_signed(element)   ? OpenCLLIB::SMax
                                                     : OpenCLLIB::UMax,
                              id, {a, b});
            case GnuOp::ReduceMin:
                return opencl(element->is_floating() ? OpenCLLIB::Fmin
                              : is_signed(element)   ? OpenCLLIB::SMin
                                                     : OpenCLLIB::UMin,
                              id, {a, b});
            case GnuOp::ReduceMaximum: return extreme(GnuOp::Maximum, a, b, element);
            case GnuOp::ReduceMinimum: return extreme(GnuOp::Minimum, a, b, element);
            default: return arithmetic(BinaryOp::Add, element, a, b);
        }
    };
    Id result = extract(vector, id, 0);
    for (uint32_t i = 1; i < type->lanes(); ++i) result = combine(result, extract(vector, id, i));
    return result;
}

/// Sets the bits that are zeros below the lowest one, and no others.
Id Emitter::zeros_below(Id value, const Type* type) {
    const Id id = value_type(type);
    const Id below = b_.append(spv::Op::OpISub, id, {value, scalar_constant(type, 1)});
    const Id inverse = b_.append(spv::Op::OpNot, id, {value});
    return b_.append(spv::Op::OpBitwiseAnd, id, {inverse, below});
}

/// clz, ctz, popcount, parity, ffs and clrsb return an int for every operand type.
Id Emitter::count_bits(builtin::GnuOp op, Id value, const Type* type) {
    using builtin::GnuOp;
    const Id wide = value_type(type);
    const uint64_t sign = 8 * type->size_bytes - 1;
    if (op == GnuOp::CountSigns) {  // as the zeros of one whose sign bit is not set, less that bit
        const Id spread =
            b_.append(spv::Op::OpShiftRightArithmetic, wide, {value, b_.constant_int(wide, sign)});
        const Id bare = b_.append(spv::Op::OpBitwiseXor, wide, {value, spread});
        const Id zeros = opencl(OpenCLLIB::Clz, wide, {bare});
        const Id count = b_.append(spv::Op::OpISub, wide, {zeros, b_.constant_int(wide, 1)});
        return convert_integer(count, type, value_type(types_.scalar(TypeKind::Int)));
    }
    const Type* result = types_.scalar(TypeKind::Int);
    auto constant = [&](uint64_t number) { return b_.constant_int(wide, number); };
    if (op == GnuOp::CountLeading)
        return convert_integer(opencl(OpenCLLIB::Clz, wide, {value}), type, value_type(result));
    Id bits = value;
    if (op == GnuOp::CountTrailing || op == GnuOp::FindFirst) bits = zeros_below(value, type);
    Id count = opencl(OpenCLLIB::Popcount, wide, {bits});
    if (op == GnuOp::Parity) count = b_.append(spv::Op::OpBitwiseAnd, wide, {count, constant(1)});
    if (op == GnuOp::FindFirst) {
        const Id place = b_.append(spv::Op::OpIAdd, wide, {count, constant(1)});
        const Id any = b_.append(spv::Op::OpINotEqual, b_.type_bool(), {value, constant(0)});
        count = b_.append(spv::Op::OpSelect, wide, {any, place, constant(0)});
    }
    return convert_integer(count, type, value_type(result));
}

Id Emitter::swap_bytes(Id value, Id type) {
    const uint32_t count = b_.width(type) / 8;
    const Id bytes = b_.append(spv::Op::OpBitcast, b_.type_vector(byte_type(), count), {value});
    uint8_t order[8] = {};
    for (uint32_t i = 0; i < count; ++i) order[i] = static_cast<uint8_t>(count - 1 - i);
    return b_.append(spv::Op::OpBitcast, type, {shuffle(bytes, order, count)});
}

/// The zeros above the highest bit of each element, or below the lowest one.
Id Emitter::count_zeros(builtin::GnuOp op, const Args& args, const Type* type) {
    const Id id = value_type(type);
    Id count = {};
    if (op == builtin::GnuOp::LeadingZeros) {
        count = opencl(OpenCLLIB::Clz, id, {args[0]});
    } else {
        count = opencl(OpenCLLIB::Popcount, id, {zeros_below(args[0], type)});
    }
    return unless_zero(count, args, type);
}

/// The count of bits. If there is a second argument, it is the result where the first one is zero.
Id Emitter::unless_zero(Id count, const Args& args, const Type* counted) {
    if (args.size() < 2) return count;
    const Id boolean = b_.with_count(b_.type_bool(), counted->lanes());
    const Id none = b_.append(spv::Op::OpIEqual, boolean, {args[0], zero(counted)});
    return b_.append(spv::Op::OpSelect, b_.type_of(count), {none, args[1], count});
}

/// The third argument counts modulo the width. The other operand moves by one less than the rest, and by one,
/// because a shift by the whole width has no value.
Id Emitter::funnel_shift(builtin::GnuOp op, const Args& args, const Type* type) {
    const Id id = value_type(type), one = scalar_constant(type, 1);
    const Id most = scalar_constant(type, 8 * type->scalar()->size_bytes - 1);
    const bool left = op == builtin::GnuOp::FunnelLeft;
    const Id by = b_.append(spv::Op::OpBitwiseAnd, id, {args[2], most});
    const Id rest = b_.append(spv::Op::OpISub, id, {most, by});
    auto shift_left = [&](Id value, Id count) {
        return b_.append(spv::Op::OpShiftLeftLogical, id, {value, count});
    };
    auto shift_right = [&](Id value, Id count) {
        return b_.append(spv::Op::OpShiftRightLogical, id, {value, count});
    };
    const Id high = left ? shift_left(args[0], by) : shift_left(shift_left(args[0], one), rest);
    const Id low = left ? shift_right(shift_right(args[1], one), rest) : shift_right(args[1], by);
    return b_.append(spv::Op::OpBitwiseOr, id, {high, low});
}

/// a + b + carry or a - b - carry; stores whether that left the type.
Id Emitter::carry(builtin::GnuOp op, const Args& args, const Type* type) {
    const bool add = op == builtin::GnuOp::AddCarry;
    const Id id = value_type(type), boolean = b_.type_bool();
    auto step = [&](Id x, Id y) { return b_.append(add ? spv::Op::OpIAdd : spv::Op::OpISub, id, {x, y}); };
    auto left = [&](Id before, Id by, Id after) {
        return add ? b_.append(spv::Op::OpULessThan, boolean, {after, before})
                   : b_.append(spv::Op::OpULessThan, boolean, {before, by});
    };
    const Id first = step(args[0], args[1]), second = step(first, args[2]);
    const Id out = b_.append(spv::Op::OpLogicalOr, boolean,
                             {left(args[0], args[1], first), left(first, args[2], second)});
    const Id number = b_.append(spv::Op::OpSelect, id, {out, scalar_constant(type, 1), zero(type)});
    b_.append_void(spv::Op::OpStore, {args[3], number, spv::MemoryAccessMask::Aligned, type->align_bytes});
    return second;
}

/// The second argument is a power of two.
Id Emitter::align(const CallExpr& expr, builtin::GnuOp op, const Args& args) {
    using builtin::GnuOp;
    const Type* type = expr.args[0]->type.type;
    const Type* number = type->is_pointer() ? types_.scalar(TypeKind::ULong) : type;
    const Id id = value_type(number);
    const Id value = type->is_pointer() ? b_.append(spv::Op::OpConvertPtrToU, id, {args[0]}) : args[0];
    const Id alignment = convert_integer(args[1], expr.args[1]->type.type, id);
    const Id mask = b_.append(spv::Op::OpISub, id, {alignment, scalar_constant(number, 1)});
    auto below = [&](Id x) { return b_.append(spv::Op::OpBitwiseAnd, id, {x, mask}); };
    if (op == GnuOp::IsAligned)
        return b_.append(spv::Op::OpIEqual, b_.type_bool(), {below(value), zero(number)});
    const Id offset = op == GnuOp::AlignUp ? below(b_.append(spv::Op::OpSNegate, id, {value}))
                                           : b_.append(spv::Op::OpSNegate, id, {below(value)});
    if (!type->is_pointer()) return b_.append(spv::Op::OpIAdd, id, {value, offset});
    const Id bytes = element_pointer(retype(args[0], byte_type()), offset, false);
    return retype(bytes, b_.pointee(value_type(type)));
}

namespace {
Operands once(Operands operands, const Type* type) {
    operands.push_back(spv::MemoryAccessMask::Aligned | spv::MemoryAccessMask::Nontemporal);
    operands.push_back(type->align_bytes);
    return operands;
}
}  // namespace

Id Emitter::load_once(const CallExpr& expr, Id pointer) {
    return from_memory(b_.append(spv::Op::OpLoad, memory_type(expr.type), once({pointer}, expr.type.type)),
                       expr.type);
}

Id Emitter::store_once(const CallExpr& expr, const Args& args) {
    const QualType type = expr.builtin->params[0];
    b_.append_void(spv::Op::OpStore, once({args[1], to_memory(args[0], type)}, type.type));
    return {};
}

/// Stores the result modulo 2^width. Returns whether it differs from the exact result.
Id Emitter::overflow(const CallExpr& expr, builtin::GnuOp op, const Args& args) {
    using builtin::GnuOp;
    const Type* type = expr.args[2]->type->element.type;
    if (expr.args[0]->type.type != type || expr.args[1]->type.type != type)
        return overflow_of_any(expr, op, args);
    const Id id = value_type(type), boolean = b_.type_bool(), a = args[0], b = args[1];
    const bool is_signed_type = is_signed(type);
    const spv::Op operation = op == GnuOp::AddOverflow   ? spv::Op::OpIAdd
                              : op == GnuOp::SubOverflow ? spv::Op::OpISub
                                                         : spv::Op::OpIMul;
    const Id sum = b_.append(operation, id, {a, b});
    b_.append_void(spv::Op::OpStore, {args[2], sum, spv::MemoryAccessMask::Aligned, type->align_bytes});
    auto differ = [&](Id x, Id y) { return b_.append(spv::Op::OpBitwiseXor, id, {x, y}); };
    if (op == GnuOp::MulOverflow) {
        const Id high = opencl(is_signed_type ? OpenCLLIB::SMul_hi : OpenCLLIB::UMul_hi, id, {a, b});
        Id expected = b_.constant_int(id, 0);
        if (is_signed_type)
            expected = b_.append(spv::Op::OpShiftRightArithmetic, id,
                                 {sum, b_.constant_int(id, 8 * type->size_bytes - 1)});
        return b_.append(spv::Op::OpINotEqual, boolean, {high, expected});
    }
    if (!is_signed_type)
        return op == GnuOp::AddOverflow ? b_.append(spv::Op::OpULessThan, boolean, {sum, a})
                                        : b_.append(spv::Op::OpULessThan, boolean, {a, b});
    const Id other = op == GnuOp::AddOverflow ? differ(b, sum) : differ(a, b);
    const Id sign = b_.append(spv::Op::OpBitwiseAnd, id, {differ(a, sum), other});
    return b_.append(spv::Op::OpSLessThan, boolean, {sign, b_.constant_int(id, 0)});
}

/// The exact result of two integers has at most 128 bits: it is computed as two words, the higher one with
/// its sign. A product of unsigned numbers never has a high word of ones, so none is taken for a negative
/// number.
Id Emitter::overflow_of_any(const CallExpr& expr, builtin::GnuOp op, const Args& args) {
    using builtin::GnuOp;
    const Type* wide = types_.scalar(TypeKind::ULong);
    const Type* type = expr.args[2]->type->element.type;
    const Id id = value_type(wide), boolean = b_.type_bool(), one = scalar_constant(wide, 1),
             none = zero(wide);
    auto apply = [&](spv::Op operation, Id x, Id y) { return b_.append(operation, id, {x, y}); };
    auto signs = [&](Id word, const Type* from) {
        if (!is_signed(from)) return none;
        return apply(spv::Op::OpShiftRightArithmetic, word, scalar_constant(wide, 63));
    };
    auto less = [&](Id x, Id y) {
        const Id carries = b_.append(spv::Op::OpULessThan, boolean, {x, y});
        return b_.append(spv::Op::OpSelect, id, {carries, one, none});
    };
    const Id a = convert_integer(args[0], expr.args[0]->type.type, id);
    const Id b = convert_integer(args[1], expr.args[1]->type.type, id);
    const Id a_high = signs(a, expr.args[0]->type.type), b_high = signs(b, expr.args[1]->type.type);
    Id low = {}, high = {};
    if (op == GnuOp::AddOverflow) {
        low = apply(spv::Op::OpIAdd, a, b);
        high = apply(spv::Op::OpIAdd, apply(spv::Op::OpIAdd, a_high, b_high), less(low, a));
    } else if (op == GnuOp::SubOverflow) {
        low = apply(spv::Op::OpISub, a, b);
        high = apply(spv::Op::OpISub, apply(spv::Op::OpISub, a_high, b_high), less(a, b));
    } else {
        low = apply(spv::Op::OpIMul, a, b);
        const Id cross =
            apply(spv::Op::OpIAdd, apply(spv::Op::OpIMul, a_high, b), apply(spv::Op::OpIMul, b_high, a));
        high = apply(spv::Op::OpIAdd, opencl(OpenCLLIB::UMul_hi, id, {a, b}), cross);
    }
    const Id result = convert_integer(low, wide, value_type(type));
    b_.append_void(spv::Op::OpStore, {args[2], result, spv::MemoryAccessMask::Aligned, type->align_bytes});
    const Id back = convert_integer(result, type, id);
    const Id lost = apply(spv::Op::OpBitwiseOr, apply(spv::Op::OpBitwiseXor, low, back),
                          apply(spv::Op::OpBitwiseXor, high, signs(back, type)));
    return b_.append(spv::Op::OpINotEqual, boolean, {lost, none});
}

/// memcpy, memmove and memset.
Id Emitter::gnu_memory(const CallExpr& expr, builtin::GnuOp op) {
    using builtin::GnuOp;
    const Id to = rvalue(*expr.args[0]);
    const auto size = evaluate_integer(*expr.args[2]);
    const auto value = op == GnuOp::Fill ? evaluate_integer(*expr.args[1]) : 0;
    if (op == GnuOp::Fill && (!size || !value)) {
        const Id byte = convert_integer(rvalue(*expr.args[1]), types_.scalar(TypeKind::Int), byte_type());
        fill_bytes(retype(to, byte_type()), byte, rvalue(*expr.args[2]));
        return to;
    }
    if (op == GnuOp::Move && !size) {
        diags_.error(expr.range, "'", expr.builtin->name,
                     "' of a size that is not a constant is not supported");
        return to;
    }
    if (size == uint64_t{0}) return to;
    auto bytes = [&](Id pointer) { return retype(pointer, byte_type()); };
    Id from = {};
    if (op == GnuOp::Fill) {
        const Id byte = b_.constant_int(byte_type(), *value & 0xff);
        const Id array = bytes_type(*size);
        const std::vector<Id> all(static_cast<size_t>(*size), byte);
        from = constant_data(array,
                             *value & 0xff ? b_.constant_composite(array, all) : b_.constant_null(array), 1);
    } else {
        from = rvalue(*expr.args[1]);
    }
    if (op == GnuOp::Move) {  // by way of a copy: the two may overlap
        const QualType array = {.type = types_.array({.type = types_.scalar(TypeKind::UChar)}, *size)};
        const Id between = temporary(array).pointer;
        copy_bytes(bytes(between), bytes(from), *expr.args[2]);
        from = between;
    }
    copy_bytes(bytes(to), bytes(from), *expr.args[2]);
    return to;
}

/// A loop of stores.
void Emitter::fill_bytes(Id to, Id byte, Id size) {
    const QualType counter = {.type = types_.scalar(TypeKind::ULong)};
    const Id type = value_type(counter);
    const Place index = temporary(counter);
    store(index, b_.constant_int(type, 0));
    const Id header = b_.fresh(), test = b_.fresh(), body = b_.fresh(), next = b_.fresh(), merge = b_.fresh();
    b_.branch(header);
    b_.begin_block(header);
    if (structured_) b_.loop_merge(merge, next, spv::LoopControlMask::MaskNone);
    b_.branch(test);
    b_.begin_block(test);
    const Id at = load(index);
    b_.branch_if(b_.append(spv::Op::OpULessThan, b_.type_bool(), {at, size}), body, merge);
    b_.begin_block(body);
    b_.append_void(spv::Op::OpStore, {element_pointer(to, at), byte, spv::MemoryAccessMask::Aligned, 1u});
    b_.branch(next);
    b_.begin_block(next);
    store(index, b_.append(spv::Op::OpIAdd, type, {at, b_.constant_int(type, 1)}));
    b_.branch(header);
    b_.begin_block(merge);
}

void Emitter::copy_bytes(Id to, Id from, const Expr& size) {
    b_.append_void(spv::Op::OpCopyMemorySized, {to, from, rvalue(size), spv::MemoryAccessMask::Aligned, 1u});
}

}  // namespace caldera::frontend
