// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices (cl_ext_kernel_cooperative_matrix): the attribute that makes the type, the built-in
// functions and the operators. A loaded or filled matrix gets its type from what it is converted to.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

constexpr uint64_t kMaxSide = 1024;               // larger than any device's
constexpr uint64_t kSaturatingAccumulation = 16;  // CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION
constexpr uint64_t kScopeSubgroup = 3, kMemoryScopeSubgroup = 4;

bool is_component(const Type* type) {
    return type->is_arithmetic() && type->kind != TypeKind::Bool && type->kind != TypeKind::Enum;
}

std::string_view use_name(MatrixUse use) {
    switch (use) {
        case MatrixUse::A: return "CLK_COOPERATIVE_MATRIX_A";
        case MatrixUse::B: return "CLK_COOPERATIVE_MATRIX_B";
        case MatrixUse::Accumulator: return "CLK_COOPERATIVE_MATRIX_ACCUMULATOR";
    }
    return {};
}

}  // namespace

// ---- The type ----

/// `half __attribute__((coop_mat(scope, rows, columns, use)))`
const Type* Checker::matrix_of(const Type* component, Attribute& attribute) {
    const Type* bad = error_type().type;
    if (!features_.has(Ext::KernelCooperativeMatrix)) {
        diags_.error(attribute.range, "cooperative matrices need cl_ext_kernel_cooperative_matrix");
        return bad;
    }
    if (attribute.args.size() != 4) {
        diags_.error(attribute.range, "'coop_mat' attribute takes a scope, rows, columns and a use");
        return bad;
    }
    uint64_t numbers[4] = {};
    for (size_t i = 0; i < 4; ++i) {
        Expr*& arg = attribute.args[i] = value(attribute.args[i]);
        if (is_error(arg)) return bad;
        const auto number = arg->type->is_integer() ? evaluate_integer(*arg) : std::nullopt;
        if (!number) {
            diags_.error(arg->range, "'coop_mat' attribute requires an integer constant");
            return bad;
        }
        numbers[i] = *number;
    }
    const auto [scope, rows, columns, use] = numbers;
    if (scope != kScopeSubgroup && scope != kMemoryScopeSubgroup) {
        diags_.error(attribute.args[0]->range,
                     "a cooperative matrix must have the scope CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP");
    } else if (rows == 0 || rows > kMaxSide) {
        diags_.error(attribute.args[1]->range, "a cooperative matrix must have 1 to 1024 rows");
    } else if (columns == 0 || columns > kMaxSide) {
        diags_.error(attribute.args[2]->range, "a cooperative matrix must have 1 to 1024 columns");
    } else if (use > static_cast<uint64_t>(MatrixUse::Accumulator)) {
        diags_.error(attribute.args[3]->range,
                     "a cooperative matrix must have the use CLK_COOPERATIVE_MATRIX_A, "
                     "CLK_COOPERATIVE_MATRIX_B or CLK_COOPERATIVE_MATRIX_ACCUMULATOR");
    } else if (!is_component(component)) {
        diags_.error(attribute.range, "a cooperative matrix cannot have components of type '", component,
                     "'");
    } else {
        return types_.matrix(component, static_cast<uint32_t>(rows), static_cast<uint32_t>(columns),
                             static_cast<MatrixUse>(use));
    }
    return bad;
}

/// A matrix is a private variable of a function, or an array of such.
bool Checker::matrix_variable(const VarDecl& var, const Type& element) {
    if (element.is_open_matrix()) {
        diags_.error(var.name_range, "the type of a loaded cooperative matrix is not known here");
        return false;
    }
    const bool is_private = function_ && var.type.space == AddressSpace::Private &&
                            var.storage != StorageClass::Static && var.storage != StorageClass::Extern;
    if (!is_private)
        diags_.error(var.name_range, "a cooperative matrix must be a private variable of a function");
    return is_private;
}

// ---- Built-in functions ----

bool Checker::matrix_argument(const CallExpr& e, size_t index) {
    const Expr& arg = *e.args[index];
    if (arg.type->is_matrix() && !arg.type->is_open_matrix()) return true;
    diags_.error(arg.range, "argument ", index + 1, " of '", called(e),
                 "' must be a cooperative matrix, not '", arg.type, "'");
    return false;
}

/// The pointer, the layout and the stride of a load or a store.
bool Checker::matrix_memory(CallExpr& e, size_t layout, bool writes) {
    const Expr& pointer = *e.args[0];
    const QualType pointee = pointer.type->is_pointer() ? pointer.type->element : QualType{};
    const bool in_memory = pointee && (is_global(pointee.space) || pointee.space == AddressSpace::Local ||
                                       (pointee.space == AddressSpace::Constant && !writes));
    if (!in_memory || !pointee->is_arithmetic_or_vector() || pointee->scalar()->kind == TypeKind::Bool) {
        diags_.error(pointer.range, "argument 1 of '", called(e),
                     "' must point to numbers in global or local memory, not '", pointer.type, "'");
        return false;
    }
    if (writes && pointee.is_const) {
        diags_.error(pointer.range, "argument 1 of '", called(e), "' points to memory that is const");
        return false;
    }
    const auto known = e.args[layout]->type->is_integer() ? evaluate_integer(*e.args[layout]) : std::nullopt;
    if (!known || *known > 1) {
        diags_.error(e.args[layout]->range, "argument ", layout + 1, " of '", called(e),
                     "' must be CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR or "
                     "CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR");
        return false;
    }
    Expr*& stride = e.args[layout + 1];
    if (!stride->type->is_integer()) {
        diags_.error(stride->range, "argument ", layout + 2, " of '", called(e),
                     "' must be an integer, not '", stride->type, "'");
        return false;
    }
    e.args[layout] = to_arithmetic(e.args[layout], types_.scalar(TypeKind::UInt));
    stride = to_arithmetic(stride, types_.scalar(TypeKind::UInt));
    return true;
}

bool Checker::matrix_init(CallExpr& e) {
    if (!exact_count(e, 1)) return false;
    if (!is_component(e.args[0]->type.type)) {
        diags_.error(e.args[0]->range, "argument 1 of 'coop_mat_init' must be a number, not '",
                     e.args[0]->type, "'");
        return false;
    }
    e.type = {.type = types_.open_matrix()};
    return true;
}

bool Checker::matrix_load(CallExpr& e) {
    if (!exact_count(e, 3) || !matrix_memory(e, 1, false)) return false;
    e.type = {.type = types_.open_matrix()};
    return true;
}

bool Checker::matrix_store(CallExpr& e) {
    return exact_count(e, 4) && matrix_argument(e, 1) && matrix_memory(e, 2, true) &&
           matrix_memory_type(e, *e.args[1]->type.type);
}

/// The memory has the matrix's components, or vectors of them.
bool Checker::matrix_memory_type(const CallExpr& e, const Type& matrix) {
    const Type* pointee = e.args[0]->type->element->scalar();
    const Type* component = matrix.element.type;
    const bool is_encoded = pointee->is_encoded_float() || component->is_encoded_float();
    const bool fits = pointee->size_bytes == component->size_bytes &&
                      pointee->is_integer() == component->is_integer() &&
                      (!is_encoded || pointee->kind == component->kind);
    if (fits) return true;
    diags_.error(e.args[0]->range, "argument 1 of '", called(e), "' must point to '", component,
                 "', the components of the cooperative matrix, not '", e.args[0]->type, "'");
    return false;
}

bool Checker::matrix_length(CallExpr& e) { return exact_count(e, 1) && matrix_argument(e, 0); }

/// coop_mat_mulAdd(a, b, c[, operands]): a * b + c
bool Checker::matrix_mul_add(CallExpr& e) {
    if (e.args.size() != 4 && !exact_count(e, 3)) return false;
    constexpr MatrixUse kUses[] = {MatrixUse::A, MatrixUse::B, MatrixUse::Accumulator};
    for (size_t i = 0; i < 3; ++i) {
        if (!matrix_argument(e, i)) return false;
        if (e.args[i]->type->use == kUses[i]) continue;
        diags_.error(e.args[i]->range, "argument ", i + 1, " of 'coop_mat_mulAdd' must have the use ",
                     use_name(kUses[i]));
        return false;
    }
    const Type &a = *e.args[0]->type.type, &b = *e.args[1]->type.type, &c = *e.args[2]->type.type;
    if (a.columns != b.count || a.count != c.count || b.columns != c.columns) {
        diags_.error(e.range, "cooperative matrices of incompatible shapes: ", a.count, "x", a.columns,
                     " times ", b.count, "x", b.columns, " plus ", c.count, "x", c.columns);
        return false;
    }
    if (a.element->is_integer() != b.element->is_integer() ||
        a.element->is_integer() != c.element->is_integer()) {
        diags_.error(e.range,
                     "cooperative matrices of integers and of floating-point numbers cannot be multiplied");
        return false;
    }
    if (e.args.size() == 4) {
        const auto bits = e.args[3]->type->is_integer() ? evaluate_integer(*e.args[3]) : std::nullopt;
        if (!bits || (*bits & ~kSaturatingAccumulation)) {
            diags_.error(e.args[3]->range,
                         "argument 4 of 'coop_mat_mulAdd' must be CLK_COOPERATIVE_MATRIX_OPERAND_NONE or "
                         "CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION");
            return false;
        }
        e.args[3] = to_arithmetic(e.args[3], types_.scalar(TypeKind::UInt));
    }
    e.type = {.type = &c};
    return true;
}

// ---- Conversions and operators ----

/// A load or coop_mat_init, which becomes a matrix of this type. Null if `e` is none.
Expr* Checker::to_matrix(Expr* e, const Type* matrix) {
    auto* call = dyn<CallExpr>(strip_parens(e));
    if (!call || !call->type->is_open_matrix()) return nullptr;
    if (called(*call) == "coop_mat_load") {
        if (!matrix_memory_type(*call, *matrix)) return error_expr(*e);
    } else {
        call->args[0] = to_arithmetic(call->args[0], matrix->element.type);
    }
    call->type = {.type = matrix};
    return call;
}

/// a + b, a - b, a * b and a / b of each component; a * number and number * a. The operands are read.
Expr* Checker::matrix_arithmetic(BinaryExpr& e, Expr* lhs, Expr* rhs) {
    const bool is_basic =
        e.op == BinaryOp::Add || e.op == BinaryOp::Sub || e.op == BinaryOp::Mul || e.op == BinaryOp::Div;
    if (!is_basic || lhs->type->is_open_matrix() || rhs->type->is_open_matrix()) return invalid_operands(e);
    if (lhs->type.type != rhs->type.type) {
        Expr*& scalar = lhs->type->is_matrix() ? rhs : lhs;
        const Type* matrix = lhs->type->is_matrix() ? lhs->type.type : rhs->type.type;
        if (e.op != BinaryOp::Mul || !is_component(scalar->type.type)) return invalid_operands(e);
        scalar = to_arithmetic(scalar, matrix->element.type);
        if (!lhs->type->is_matrix()) std::swap(lhs, rhs);
    }
    return typed(e, lhs, rhs, {.type = lhs->type.type});
}

}  // namespace caldera::frontend
