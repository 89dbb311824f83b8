// SPDX-License-Identifier: Apache-2.0
// Arithmetic on scalars that are constants. It is exact in the type of the target: each result is rounded to
// it.
#pragma once

#include <cstdint>
#include <optional>

#include "frontend/ast/expr.h"
#include "frontend/check/checker.h"

namespace caldera::frontend::constant {

ConstantValue int_value(uint64_t bits, const Type* type);
ConstantValue float_value(double number, const Type* type);
/// The value of an object that is initialised with zeros.
ConstantValue zero(const Type* type);

/// Computes `offset` + `count` * `size` modulo 2^64, as addresses wrap.
int64_t moved(int64_t offset, uint64_t count, uint64_t size);
bool is_null_address(const ConstantValue& v);
bool same_object(const ConstantValue& a, const ConstantValue& b);
/// An integer whose value only the linker knows: the address of an object.
bool is_address(const ConstantValue& v);

/// Whether a scalar compares unequal to zero.
bool truth(const ConstantValue& v);
/// Has no value where C99 6.3.1 defines none, or where only the linker knows it.
std::optional<ConstantValue> convert_scalar(const ConstantValue& v, const Type* from, const Type* to);
/// Computes in double and rounds once: for + - * / this gives the same result as the operation in float or
/// half.
std::optional<ConstantValue> float_op(BinaryOp op, double a, double b, const Type* type);

bool compare_scalars(BinaryOp op, const ConstantValue& a, const ConstantValue& b, const Type* type);

}  // namespace caldera::frontend::constant
