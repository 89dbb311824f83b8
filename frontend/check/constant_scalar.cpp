// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/constant_scalar.h"

#include <cmath>

#include "frontend/ast/operators.h"
#include "frontend/types/encoded_floats.h"
#include "spirv/support/floats.h"

namespace caldera::frontend::constant {

using Value = ConstantValue;
using Maybe = std::optional<Value>;

namespace {

uint64_t mask_of(const Type* type) {
    if (type->kind == TypeKind::Bool) return 1;
    return type->size_bytes >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * type->size_bytes)) - 1;
}

}  // namespace

Value int_value(uint64_t bits, const Type* type) {
    return {.kind = Value::Kind::Int, .bits = bits & mask_of(type)};
}

Value float_value(double number, const Type* type) {
    if (type->kind == TypeKind::Float && !std::isnan(number)) number = static_cast<float>(number);
    if (type->is_encoded_float()) number = encoded_value(type->kind, encoded_bits(type->kind, number));
    if (type->kind == TypeKind::Half) number = half_value(half_bits(number));
    return {.kind = Value::Kind::Float, .number = number};
}

Value zero(const Type* type) {
    if (type->is_floating()) return {.kind = Value::Kind::Float};
    if (type->is_pointer() || type->kind == TypeKind::BlockPointer) return {.kind = Value::Kind::Address};
    if (type->is_vector() || type->is_array() || type->is_record()) return {.kind = Value::Kind::Aggregate};
    return {.kind = Value::Kind::Int};
}

int64_t moved(int64_t offset, uint64_t count, uint64_t size) {
    return static_cast<int64_t>(static_cast<uint64_t>(offset) + count * size);
}

bool is_null_address(const Value& v) { return !v.base && !v.string && !v.literal; }

bool same_object(const Value& a, const Value& b) {
    return a.base == b.base && a.string == b.string && a.literal == b.literal;
}

bool is_address(const Value& v) { return v.kind == Value::Kind::Address; }

bool truth(const Value& v) {
    switch (v.kind) {
        case Value::Kind::Int: return v.bits != 0;
        case Value::Kind::Float: return v.number != 0;
        case Value::Kind::Address: return !is_null_address(v) || v.bits != 0 || v.offset_bytes != 0;
        case Value::Kind::Aggregate: return true;
    }
    return false;
}

Maybe convert_scalar(const Value& v, const Type* from, const Type* to) {
    if (to->kind == TypeKind::Bool) return int_value(truth(v), to);
    if (is_address(v)) return to->is_integer() && to->size_bytes == 8 ? Maybe(v) : std::nullopt;
    if (from->is_integer() && to->is_integer()) return int_value(extend_sign(v.bits, *from), to);
    if (from->is_integer()) return float_value(integer_as_float(v.bits, *from, to->kind), to);
    if (to->is_floating()) return float_value(v.number, to);
    double whole = std::trunc(v.number);
    int bits = 8 * static_cast<int>(to->size_bytes);
    double limit = std::ldexp(1.0, to->is_signed() ? bits - 1 : bits);
    if (!(whole < limit) || !(to->is_signed() ? whole >= -limit : whole >= 0)) return std::nullopt;
    return int_value(
        to->is_signed() ? static_cast<uint64_t>(static_cast<int64_t>(whole)) : static_cast<uint64_t>(whole),
        to);
}

Maybe float_op(BinaryOp op, double a, double b, const Type* type) {
    switch (op) {
        case BinaryOp::Add: return float_value(a + b, type);
        case BinaryOp::Sub: return float_value(a - b, type);
        case BinaryOp::Mul: return float_value(a * b, type);
        case BinaryOp::Div: return float_value(a / b, type);
        default: return std::nullopt;
    }
}

bool compare_scalars(BinaryOp op, const Value& a, const Value& b, const Type* type) {
    if (type->is_floating()) return compare(op, a.number, b.number);
    return integer_result(op, a.bits, b.bits, *type) != 0;
}

}  // namespace caldera::frontend::constant
