// SPDX-License-Identifier: Apache-2.0
// Calls of the pipe functions (OpenCL C 6.13.16), checked as clang checks them.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

/// The first argument: a pipe with the access that the function needs.
bool Checker::pipe_argument(CallExpr& e) {
    const Expr& pipe = *e.args[0];
    std::string_view name = called(e);
    if (pipe.type->kind != TypeKind::Pipe) {
        diags_.error(e.range, "first argument to '", name, "' must be a pipe type").highlight(pipe.range);
        return false;
    }
    bool query = name.starts_with("get_");
    Access needed = name.find("read") != name.npos ? Access::ReadOnly : Access::WriteOnly;
    if (!query && pipe.type.access != needed) {
        diags_.error(pipe.range, "invalid pipe access modifier (expecting ",
                     needed == Access::ReadOnly ? "read_only" : "write_only", ")");
        return false;
    }
    e.args[0] = rvalue(e.args[0]);
    return !is_error(e.args[0]);
}

bool Checker::pipe_argument_type(const CallExpr& e, bool fits, std::string_view expected, const Expr& arg) {
    if (!fits)
        diags_
            .error(e.range, "invalid argument type to function '", called(e), "' (expecting '", expected,
                   "' having '", arg.type, "')")
            .highlight(arg.range);
    return fits;
}

bool Checker::integer_pipe_argument(CallExpr& e, size_t index) {
    if (!pipe_argument_type(e, e.args[index]->type->is_integer(), "unsigned int", *e.args[index]))
        return false;
    e.args[index] = to_arithmetic(e.args[index], types_.scalar(TypeKind::UInt));
    return true;
}

bool Checker::reserve_argument(CallExpr& e, size_t index) {
    return pipe_argument_type(e, e.args[index]->type->kind == TypeKind::ReserveId, "reserve_id_t",
                              *e.args[index]);
}

/// A pointer to a packet, in any space that the generic one includes. It is converted to a generic pointer.
bool Checker::packet_argument(CallExpr& e, size_t index) {
    Expr*& arg = e.args[index];
    const Type* packet = e.args[0]->type->element.type;
    bool fits = arg->type->is_pointer() && arg->type->element.type == packet;
    if (!pipe_argument_type(e, fits, to_string(packet) + " *", *arg)) return false;
    QualType any = {.type = types_.scalar(TypeKind::Void),
                    .is_const = arg->type->element.is_const,
                    .is_volatile = arg->type->element.is_volatile,
                    .space = AddressSpace::Generic};
    arg = convert(arg, {.type = types_.pointer(any)}, Action::Pass, expr_place(*arg));
    return !is_error(arg);
}

/// read_pipe and write_pipe: (pipe, pointer) or (pipe, reservation, index, pointer).
bool Checker::packet_call(CallExpr& e) {
    if (e.args.size() != 2 && e.args.size() != 4) {
        diags_.error(e.range, "invalid number of arguments to function: '", called(e), "'");
        return false;
    }
    if (!pipe_argument(e)) return false;
    if (e.args.size() == 2) return packet_argument(e, 1);
    return reserve_argument(e, 1) && integer_pipe_argument(e, 2) && packet_argument(e, 3);
}

bool Checker::reserve_call(CallExpr& e) {
    return exact_count(e, 2) && pipe_argument(e) && integer_pipe_argument(e, 1);
}

bool Checker::commit_call(CallExpr& e) {
    return exact_count(e, 2) && pipe_argument(e) && reserve_argument(e, 1);
}

bool Checker::pipe_query(CallExpr& e) { return exact_count(e, 1) && pipe_argument(e); }

}  // namespace caldera::frontend
