// SPDX-License-Identifier: Apache-2.0
// What atomic and group functions ask of their constant arguments (OpenCL C 6.13.11,
// cl_khr_subgroup_clustered_reduce).
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

// memory_order of enumerators.def
enum Order : uint64_t { Relaxed = 0, Acquire = 2, Release = 3, AcquireRelease = 4, Sequential = 5 };

/// Depends on the operation: a store cannot acquire, a load cannot release (6.13.11.7).
bool store_takes(uint64_t order) { return order != Acquire && order != AcquireRelease; }
bool load_takes(uint64_t order) { return order != Release && order != AcquireRelease; }

std::optional<uint64_t> integer(const Expr& e, Arena& arena) {
    const std::optional<ConstantValue> value = evaluate(e, arena);
    if (!value || value->kind != ConstantValue::Kind::Int) return std::nullopt;
    return value->bits;
}

}  // namespace

/// clang's own names ask for an atomic object, in memory that may be written unless it is loaded, and for a
/// scope that exists.
bool Checker::clang_atomic(CallExpr& e, std::string_view name) {
    if (e.args.empty()) return true;  // reported as a call that fits no function
    for (Expr*& arg : e.args) {
        arg = rvalue(arg);
        if (is_error(arg)) return false;
    }
    const bool loads = name.ends_with("_load");
    const bool of_integers = name.ends_with("_and") || name.ends_with("_or") || name.ends_with("_xor");
    const Type* type = e.args[0]->type.type;
    auto refuse = [&](std::string_view wanted) {
        diags_.error(e.args[0]->range, "address argument to atomic ", wanted, " ('", e.args[0]->type,
                     "' invalid)");
        return false;
    };
    if (!type->is_pointer()) return refuse("builtin must be a pointer");
    const QualType& object = type->element;
    if (object->kind != TypeKind::Atomic) return refuse("operation must be a pointer to _Atomic type");
    if (object.is_const && !loads) return refuse("operation must be a pointer to non-const _Atomic type");
    if (of_integers && !object->element->is_integer())
        return refuse("operation must be a pointer to atomic integer");
    if (!name.ends_with("_init"))
        if (const auto scope = integer(*e.args.back(), arena_); scope && (*scope < 1 || *scope > 4)) {
            diags_.error(e.args.back()->range,
                         "synchronization scope argument to atomic operation is invalid");
            return false;
        }
    if (!object.is_const) return true;
    QualType plain = object;
    plain.is_const = false;
    e.args[0] = cast(e.args[0], CastKind::PointerToPointer, {.type = types_.pointer(plain)});
    return true;
}

/// Checks the constant arguments of a resolved call; false after an error.
bool Checker::constant_arguments(const CallExpr& e) {
    if (e.builtin->row->lowering == builtin::Lowering::Atomic) warn_memory_order(e);
    if (e.builtin->name == "__builtin_isfpclass") return class_mask(e);
    return e.builtin->row->lowering != builtin::Lowering::Group || cluster_size(e);
}

/// Warns about a memory order that the operation cannot have: 6.13.11.7.1, .2, .4 and .7.
void Checker::warn_memory_order(const CallExpr& e) {
    const std::string_view name = e.builtin->name;
    if (!name.ends_with("_explicit")) return;
    auto order = [&](size_t at) { return at < e.args.size() ? integer(*e.args[at], arena_) : std::nullopt; };
    auto warn = [&](size_t at, std::string_view what) {
        diags_.warning(Warning::AtomicMemoryOrdering, e.args[at]->range, what);
    };
    if (name.starts_with("atomic_store") && !store_takes(order(2).value_or(Relaxed)))
        warn(2, "invalid memory order for an atomic store; expected relaxed, release or seq_cst");
    if (name.starts_with("atomic_flag_clear") && !store_takes(order(1).value_or(Relaxed)))
        warn(1, "invalid memory order for clearing a flag; expected relaxed, release or seq_cst");
    if (name.starts_with("atomic_load") && !load_takes(order(1).value_or(Relaxed)))
        warn(1, "invalid memory order for an atomic load; expected relaxed, acquire or seq_cst");
    if (!name.starts_with("atomic_compare_exchange")) return;
    const auto success = order(3), failure = order(4);
    if (!failure) return;
    if (!load_takes(*failure))
        warn(4, "invalid memory order for a failed comparison; expected relaxed, acquire or seq_cst");
    else if (success && (*failure > *success || (*failure == Acquire && *success == Release)))
        warn(4, "failure memory order is stronger than the success memory order");
}

/// The size of a cluster must be known: SPIR-V's ClusterSize is a constant, and a power of two.
bool Checker::cluster_size(const CallExpr& e) {
    if (e.builtin->name.find("sub_group_clustered_") == std::string_view::npos) return true;
    const Expr& size = *e.args.back();
    const std::optional<uint64_t> value = integer(size, arena_);
    if (!value)
        diags_.error(size.range, "cluster size must be a constant expression");
    else if (*value == 0 || (*value & (*value - 1)) != 0)
        diags_.error(size.range, "cluster size must be a power of two");
    else
        return true;
    return false;
}

}  // namespace caldera::frontend
