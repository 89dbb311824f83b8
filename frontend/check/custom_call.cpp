// SPDX-License-Identifier: Apache-2.0
// Built-in functions over pipes, blocks, matrices and objects of any type, whose arguments no signature
// describes: each has a check of its own.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

std::string_view called(const CallExpr& e) { return as<DeclRefExpr>(*strip_parens(e.callee)).name; }

Checker::CustomCheck Checker::custom_check(std::string_view name) {
    static constexpr std::pair<std::string_view, CustomCheck> kChecks[] = {
        // OpenCL C 6.13.16
        {"read_pipe", &Checker::packet_call},
        {"write_pipe", &Checker::packet_call},
        {"reserve_read_pipe", &Checker::reserve_call},
        {"reserve_write_pipe", &Checker::reserve_call},
        {"work_group_reserve_read_pipe", &Checker::reserve_call},
        {"work_group_reserve_write_pipe", &Checker::reserve_call},
        {"sub_group_reserve_read_pipe", &Checker::reserve_call},
        {"sub_group_reserve_write_pipe", &Checker::reserve_call},
        {"commit_read_pipe", &Checker::commit_call},
        {"commit_write_pipe", &Checker::commit_call},
        {"work_group_commit_read_pipe", &Checker::commit_call},
        {"work_group_commit_write_pipe", &Checker::commit_call},
        {"sub_group_commit_read_pipe", &Checker::commit_call},
        {"sub_group_commit_write_pipe", &Checker::commit_call},
        {"get_pipe_num_packets", &Checker::pipe_query},
        {"get_pipe_max_packets", &Checker::pipe_query},
        // cl_ext_kernel_cooperative_matrix
        {"coop_mat_init", &Checker::matrix_init},
        {"coop_mat_load", &Checker::matrix_load},
        {"coop_mat_store", &Checker::matrix_store},
        {"coop_mat_mulAdd", &Checker::matrix_mul_add},
        {"coop_mat_length", &Checker::matrix_length},
        // gnu_builtins.def
        {"__builtin_add_overflow", &Checker::overflow_call},
        {"__builtin_sub_overflow", &Checker::overflow_call},
        {"__builtin_mul_overflow", &Checker::overflow_call},
        {"__builtin_is_aligned", &Checker::alignment_call},
        {"__builtin_align_up", &Checker::alignment_call},
        {"__builtin_align_down", &Checker::alignment_call},
        // OpenCL C 6.13.17
        {"enqueue_kernel", &Checker::enqueue_kernel},
        {"get_kernel_work_group_size", &Checker::kernel_query},
        {"get_kernel_preferred_work_group_size_multiple", &Checker::kernel_query},
        {"get_kernel_sub_group_count_for_ndrange", &Checker::kernel_query},
        {"get_kernel_max_sub_group_size_for_ndrange", &Checker::kernel_query},
    };
    // sync_builtins.def
    for (const std::string_view prefix : {"__atomic_", "__scoped_atomic_", "__sync_"})
        if (name.starts_with(prefix)) return &Checker::sync_call;
    const auto found = std::ranges::find(kChecks, name, [](const auto& check) { return check.first; });
    return found == std::end(kChecks) ? nullptr : found->second;
}

/// The arguments have been checked, but not read.
Expr* Checker::custom_call(CallExpr& e, std::string_view name, CustomCheck check) {
    for (Expr*& arg : e.args) {
        if (arg->type->kind != TypeKind::Pipe) arg = rvalue(arg);
        if (is_error(arg)) return error_expr(e);
    }
    if (!(this->*check)(e)) return error_expr(e);
    for (const Expr* arg : e.args)
        if (is_error(arg)) return error_expr(e);
    auto resolved = builtin::resolve(name, {}, {}, features_, types_, arena_);
    e.builtin = std::get<const builtin::Resolution*>(resolved);
    if (!e.type) e.type = {.type = e.builtin->result.type};  // else the check has said it
    return &e;
}

bool Checker::exact_count(const CallExpr& e, size_t expected) {
    size_t given = e.args.size();
    if (given == expected) return true;
    SourceRange at = given < expected ? (e.close_paren ? e.close_paren : e.range)
                                      : SourceRange{e.args[expected]->range.begin, e.args.back()->range.end};
    diags_.error(at, given < expected ? "too few" : "too many", " arguments to function call, expected ",
                 expected, ", have ", given);
    return false;
}

}  // namespace caldera::frontend
