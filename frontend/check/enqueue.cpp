// SPDX-License-Identifier: Apache-2.0
// Calls of enqueue_kernel and of the queries about blocks (OpenCL C 6.13.17), checked as clang checks them.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {
bool is_block(const Expr& e) { return e.type->kind == TypeKind::BlockPointer; }

bool is_local_void_pointer(const QualType& type) {
    return type->is_pointer() && type->element->is_void() && type->element.space == AddressSpace::Local;
}
}  // namespace

bool Checker::enqueue_argument(CallExpr& e, size_t index, bool fits, std::string_view expected) {
    if (!fits)
        diags_.error(e.args[index]->range, "illegal call to '", as<DeclRefExpr>(*strip_parens(e.callee)).name,
                     "', expected ", expected, " argument type");
    return fits;
}

/// Whether a block can be enqueued: all its parameters are pointers to local memory.
bool Checker::kernel_block(CallExpr& e, size_t index) {
    const Expr& block = *e.args[index];
    if (!enqueue_argument(e, index, is_block(block), "block") || !require_known_block(block)) return false;
    auto* literal = dyn<BlockLiteralExpr>(block_source(&block));
    for (size_t i = 0; i < block.type->params.size(); ++i) {
        if (is_local_void_pointer(block.type->params[i])) continue;
        bool here = strip_parens(&block) == literal;
        diags_.error(
            here ? literal->signature.params[i]->range : block.range,
            "blocks used in enqueue_kernel call are expected to have parameters of type 'local void*'");
        return false;
    }
    return true;
}

/// Checks the arguments after the block: a size in bytes for each of its parameters.
bool Checker::local_sizes(CallExpr& e, size_t block) {
    if (e.args.size() - block - 1 != e.args[block]->type->params.size()) {
        diags_.error(e.range, "mismatch in number of block parameters and local size arguments passed");
        return false;
    }
    for (size_t i = block + 1; i < e.args.size(); ++i) {
        if (!e.args[i]->type->is_integer()) {
            diags_.error(e.args[i]->range,
                         "illegal call to enqueue_kernel, parameter needs to be specified as integer type");
            return false;
        }
        e.args[i] = to_arithmetic(e.args[i], types_.size_type());
    }
    return true;
}

/// A pointer to device events, or null. It is converted to a generic pointer.
bool Checker::event_pointer(CallExpr& e, size_t index) {
    Expr*& arg = e.args[index];
    bool null = is_null_constant(arg);
    bool fits = arg->type->is_pointer() && arg->type->element->kind == TypeKind::ClkEvent;
    if (!enqueue_argument(e, index, null || fits, "'clk_event_t *'")) return false;
    QualType events = {.type = types_.scalar(TypeKind::ClkEvent),
                       .is_const = fits && arg->type->element.is_const,
                       .space = AddressSpace::Generic};
    QualType pointer = {.type = types_.pointer(events)};
    arg = null ? cast(arg, CastKind::NullToPointer, pointer)
               : convert(arg, pointer, Action::Pass, expr_place(*arg));
    return !is_error(arg);
}

bool Checker::enqueue_events(CallExpr& e) {
    if (!enqueue_argument(e, 3, e.args[3]->type->is_integer(), "integer")) return false;
    e.args[3] = to_arithmetic(e.args[3], types_.scalar(TypeKind::UInt));
    return event_pointer(e, 4) && event_pointer(e, 5);
}

bool Checker::range_argument(CallExpr& e, size_t index) {
    return enqueue_argument(e, index, e.args[index]->type->kind == TypeKind::NDRange, "'ndrange_t'");
}

/// (queue, flags, ndrange, [number of events, events to wait for, event returned,] block [, local sizes]).
bool Checker::enqueue_kernel(CallExpr& e) {
    size_t given = e.args.size();
    if (given < 4) {
        diags_.error(e.range, "too few arguments to function call, expected at least 4, have ", given);
        return false;
    }
    const Expr* queue = e.args[0];
    if (!enqueue_argument(e, 0, queue->type->kind == TypeKind::Queue, "'queue_t'")) return false;
    if (!enqueue_argument(e, 1, e.args[1]->type->is_integer(), "'kernel_enqueue_flags_t' (i.e. uint)"))
        return false;
    e.args[1] = to_arithmetic(e.args[1], types_.scalar(TypeKind::Int));
    if (!range_argument(e, 2)) return false;
    if (given == 4 && is_block(*e.args[3]) && !e.args[3]->type->params.empty()) {
        diags_.error(e.args[3]->range,
                     "blocks with parameters are not accepted in this prototype of enqueue_kernel call");
        return false;
    }
    if (given == 4 || is_block(*e.args[3])) return kernel_block(e, 3) && local_sizes(e, 3);
    if (given < 7) {
        diags_.error(e.range, "illegal call to enqueue_kernel, incorrect argument types");
        return false;
    }
    return kernel_block(e, 6) && enqueue_events(e) && local_sizes(e, 6);
}

/// get_kernel_work_group_size and similar functions: (block), or (ndrange, block).
bool Checker::kernel_query(CallExpr& e) {
    bool of_range = as<DeclRefExpr>(*strip_parens(e.callee)).name.ends_with("_for_ndrange");
    if (!exact_count(e, of_range ? 2 : 1)) return false;
    return (!of_range || range_argument(e, 0)) && kernel_block(e, of_range ? 1 : 0);
}

}  // namespace caldera::frontend
