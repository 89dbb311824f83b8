// SPDX-License-Identifier: Apache-2.0
// gcc's and clang's atomic functions on objects of plain types (rows of builtin/sync_builtins.def), checked
// as clang checks them.
#include "frontend/check/checker_impl.h"
#include "frontend/required_extensions.h"

namespace caldera::frontend {

namespace {

using builtin::SyncOp;
namespace SyncForm = builtin::SyncForm;

SyncOp op_of(const builtin::Row& row) { return static_cast<SyncOp>(row.a); }

bool is_arithmetic(SyncOp op) { return op >= SyncOp::Add && op <= SyncOp::Max; }

/// The arguments before the orders: the object, then what it receives and where its old value goes.
size_t values_of(SyncOp op, uint32_t forms) {
    const bool by_pointer = (forms & SyncForm::ByPointer) != 0;
    switch (op) {
        case SyncOp::Load: return by_pointer ? 2 : 1;
        case SyncOp::Store: return 2;
        case SyncOp::Exchange: return by_pointer ? 3 : 2;
        case SyncOp::CompareExchange: return 3;
        case SyncOp::TestAndSet:
        case SyncOp::Clear: return 1;
        case SyncOp::Fence:
        case SyncOp::SignalFence: return 0;
        default: return 2;
    }
}

/// C11 7.17.7: a load cannot release, and a store cannot acquire.
bool takes_order(SyncOp op, uint64_t order) {
    switch (order) {
        case 1:
        case 2: return op != SyncOp::Store && op != SyncOp::Clear;
        case 3: return op != SyncOp::Load;
        case 4: return op != SyncOp::Load && op != SyncOp::Store && op != SyncOp::Clear;
        default: return order <= 5;
    }
}

}  // namespace

bool Checker::sync_call(CallExpr& e) {
    const auto resolved = builtin::resolve(called(e), {}, {}, features_, types_, arena_);
    e.builtin = std::get<const builtin::Resolution*>(resolved);
    const builtin::Row& row = *e.builtin->row;
    const SyncOp op = op_of(row);
    const bool is_old = (row.b & SyncForm::Old) != 0;
    const size_t values = values_of(op, row.b);
    const size_t orders = op == SyncOp::CompareExchange ? 2 : 1;
    const size_t flags = !is_old && op == SyncOp::CompareExchange ? 1 : 0;  // weak
    const size_t scopes = row.b & SyncForm::Scoped ? 1 : 0;
    const size_t count = is_old ? values : values + flags + orders + scopes;
    if (is_old) return sync_old_call(e, op, count);
    if (!exact_count(e, count)) return false;
    if (values > 0 && (!sync_object(e) || !sync_values(e))) return false;
    if (flags) {
        e.args[values] = to_bool(e.args[values]);
        if (is_error(e.args[values])) return false;
    }
    for (size_t i = values + flags; i < count; ++i) {
        e.args[i] = convert(e.args[i], int_type(), Action::Pass, expr_place(*e.args[i]));
        if (is_error(e.args[i])) return false;
    }
    if (const auto order = evaluate_integer(*e.args[values + flags]); order && !takes_order(op, *order))
        diags_.warning(Warning::AtomicMemoryOrdering, expr_place(*e.args[values + flags]),
                       "memory order argument to atomic operation is invalid");
    if (const auto scope = scopes ? evaluate_integer(*e.args[count - 1]) : std::nullopt;
        scope && *scope > 5) {
        diags_.error(expr_place(*e.args[count - 1]),
                     "synchronization scope argument to atomic operation is invalid");
        return false;
    }
    return true;
}

/// A call of a `__sync_` function, which takes arguments beyond those it needs.
bool Checker::sync_old_call(CallExpr& e, SyncOp op, size_t count) {
    if (op == SyncOp::Fence) return exact_count(e, count);
    const SourceRange end = e.close_paren ? e.close_paren : e.range;
    const auto has = [&](size_t expected) {
        if (e.args.size() >= expected) return true;
        diags_.error(end, "too few arguments to function call, expected at least ", expected, ", have ",
                     e.args.size());
        return false;
    };
    if (!has(1) || !sync_object(e) || !has(count)) return false;
    if (op == SyncOp::Nand)
        diags_.warning(Warning::SyncNand, end,
                       "the semantics of this intrinsic changed with GCC version 4.4 - the newer semantics ",
                       "are provided here");
    e.args = e.args.first(count);
    return sync_values(e);
}

/// Whether the first argument points to an object that the function can work on.
bool Checker::sync_object(const CallExpr& e) {
    const builtin::Row& row = *e.builtin->row;
    const SyncOp op = op_of(row);
    const bool is_old = (row.b & SyncForm::Old) != 0, by_pointer = (row.b & SyncForm::ByPointer) != 0;
    const Expr& pointer = *e.args[0];
    const auto refuse = [&](std::string_view what) {
        diags_.error(e.range, "address argument to atomic ", what, " ('", pointer.type, "' invalid)")
            .highlight(pointer.range);
        return false;
    };
    if (!pointer.type->is_pointer()) return refuse("builtin must be a pointer");
    const QualType& object = pointer.type->element;
    const bool is_flag = op == SyncOp::TestAndSet || (op == SyncOp::Clear && !is_old);
    if (op != SyncOp::Load) {
        if (object.is_const && is_old) return refuse("builtin cannot be const-qualified");
        if (object.is_const) return refuse("operation must be a pointer to non-const type");
        if (object.space == AddressSpace::Constant)
            return refuse("operation must be a pointer to non-constant type");
    }
    if (is_flag) return true;
    const bool integer = object->is_integer(), number = integer || object->is_floating();
    if (is_old) {
        if (!integer && !object->is_pointer())
            return refuse("builtin must be a pointer to integer or pointer");
    } else if (op == SyncOp::Add || op == SyncOp::Sub) {
        if (!number && !object->is_pointer())
            return refuse("operation must be a pointer to integer, pointer or supported floating point type");
    } else if (is_arithmetic(op)) {
        if (!integer) return refuse("operation must be a pointer to integer");
    } else if (by_pointer) {
        if (object->size_bytes == 0 || object->kind == TypeKind::Function)
            return refuse("operation must be a pointer to a trivially-copyable type");
    } else if (!integer && !object->is_pointer()) {
        return refuse("operation must be a pointer to integer or pointer");
    }
    const uint64_t size = object->size_bytes;
    if ((size != 1 && size != 2 && size != 4 && size != 8) || object->align_bytes < size) {
        diags_
            .error(e.range, "atomic operations on '", object.unqualified(),
                   "' are not supported: it needs 1, 2, 4 or 8 bytes, and to be aligned to them")
            .highlight(pointer.range);
        return false;
    }
    if (size == 8 && !features_.has(Ext::Int64BaseAtomics)) {
        static constexpr Ext kNeeds[] = {Ext::Int64BaseAtomics};
        diags_.error(e.range, "this call of '", called(e), "' ", requires_support(kNeeds));
        return false;
    }
    return true;
}

/// Converts what follows the object, and says what the call returns.
bool Checker::sync_values(CallExpr& e) {
    const builtin::Row& row = *e.builtin->row;
    const SyncOp op = op_of(row);
    const bool by_pointer = (row.b & SyncForm::ByPointer) != 0, is_old = (row.b & SyncForm::Old) != 0;
    const QualType object = e.args[0]->type->element.unqualified();
    for (size_t i = 1; i < values_of(op, row.b); ++i) {
        const bool is_expected = op == SyncOp::CompareExchange && i == 1 && !is_old;
        QualType to = object;
        if (by_pointer || is_expected) {
            const QualType& given = e.args[i]->type;
            const AddressSpace space = given->is_pointer() ? given->element.space : AddressSpace::Generic;
            to = {.type = types_.pointer(in_space(object, space))};
        } else if (object->is_pointer() && is_arithmetic(op) && !is_old) {
            to = {.type = types_.scalar(TypeKind::Long)};
        }
        e.args[i] = convert(e.args[i], to, Action::Pass, expr_place(*e.args[i]));
        if (is_error(e.args[i])) return false;
    }
    const bool compares = op == SyncOp::CompareExchange && !(row.b & SyncForm::Found);
    if (compares || op == SyncOp::TestAndSet)
        e.type = {.type = types_.scalar(TypeKind::Bool)};
    else if (!by_pointer && op != SyncOp::Store && op != SyncOp::Clear)
        e.type = object;
    return true;
}

/// `__atomic_always_lock_free(size, pointer)` and its like: whether objects of that size, aligned as what the
/// pointer points to, have atomic operations.
Expr* Checker::lock_free(CallExpr& e, size_t count) {
    if (!check_arguments(e) || !exact_count(e, count)) return error_expr(e);
    const Type* size_type = types_.scalar(TypeKind::ULong);
    for (Expr*& arg : e.args) arg = rvalue(arg);
    Expr*& size = e.args[0];
    size = convert(size, {.type = size_type}, Action::Pass, expr_place(*size));
    if (is_error(size)) return error_expr(e);
    const auto bytes = evaluate_integer(*size);
    if (!bytes) {
        diags_.error(size->range, "argument to '", called(e), "' must be a constant integer");
        return error_expr(e);
    }
    bool aligned = true;
    if (count == 2 && !is_null_constant(e.args[1])) {
        const QualType& pointer = e.args[1]->type;
        if (!pointer->is_pointer()) {
            diags_.error(e.args[1]->range, "second argument to '", called(e), "' must be a pointer ('",
                         pointer, "' invalid)");
            return error_expr(e);
        }
        aligned = pointer->element->align_bytes >= *bytes;
    }
    const bool exists =
        *bytes == 1 || *bytes == 2 || *bytes == 4 || (*bytes == 8 && features_.has(Ext::Int64BaseAtomics));
    return int_constant(exists && aligned ? 1 : 0, types_.scalar(TypeKind::Bool), e.range);
}

}  // namespace caldera::frontend
