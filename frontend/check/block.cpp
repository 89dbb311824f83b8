// SPDX-License-Identifier: Apache-2.0
// Blocks (OpenCL C 6.12). There are no pointers to functions, so which literal a block expression means is
// known when compiling: block variables are const and initialised, and what cannot be followed to a literal
// is refused.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

/// Blocks need OpenCL C 2.0, or 3.0 with the feature that provides them.
bool Checker::require_blocks(SourceRange at) {
    if (features_.has(Ext::DeviceEnqueue)) return true;
    diags_.error(at,
                 "blocks support disabled - compile for OpenCL C 2.0 or OpenCL C 3.0 with "
                 "__opencl_c_device_enqueue feature");
    return false;
}

/// The name that clang gives it: "__f_block_invoke", "__f_block_invoke_2", … in the function f,
/// "b_block_invoke" for the program-scope variable b.
std::string_view Checker::block_name() {
    const FunctionContext* outermost = function_;
    while (outermost && outermost->block) outermost = outermost->outer;
    std::string name = outermost ? "__" + std::string(outermost->decl->name)
                                 : std::string(initialised_ ? initialised_->name : "_");
    name += "_block_invoke";
    int count = ++block_counts_[name];
    if (count > 1) name += "_" + std::to_string(count);
    return arena_.copy(std::string_view(name));
}

Expr* Checker::block_literal(BlockLiteralExpr& e) {
    if (!require_blocks(e.range)) return error_expr(e);
    const Specifiers* specifiers = last_specifiers_;  // those of the declaration that the literal stands in
    const TypeInProgress type = last_type_;
    e.signature.kind = ChunkKind::Function;
    if (!e.signature.range) e.signature.range = e.range;
    bool inferred = !e.result;
    QualType result = inferred ? QualType{.type = types_.scalar(TypeKind::Void)} : type_name(e.result);
    QualType function = function_returning({result, false}, e.signature, {}).type;

    auto* invoke = make_node<FunctionDecl>(arena_, e.range);
    invoke->name = block_name();
    invoke->name_range = {e.range.begin, {e.range.begin.offset + 1}};
    invoke->type = function;
    invoke->specifiers = arena_.make<Specifiers>();
    invoke->specifiers->attributes = e.signature.attributes;
    attributes(e.signature.attributes, kOnFunction);
    invoke->storage = StorageClass::Static;
    invoke->params = e.signature.params;
    invoke->body = e.body;
    invoke->canonical = invoke->definition = invoke;
    invoke->block = &e;
    e.invoke = invoke;

    FunctionContext context;
    context.decl = invoke;
    context.result = function->element;
    context.outer = function_;
    context.block = &e;
    context.infer_result = inferred;
    function_body(context);
    e.captures = arena_.copy(context.captures);
    if (inferred) {
        function = {.type = types_.function(context.result, function->params, function->variadic)};
        invoke->type = function;
    }
    last_specifiers_ = specifiers;
    last_type_ = type;
    if (function->variadic || context.result->is_error()) return error_expr(e);
    for (const QualType& param : function->params)
        if (param->is_error()) return error_expr(e);
    e.type = {.type = types_.block_pointer(context.result, function->params)};
    return &e;
}

/// Handles a `return` of a block without a written result type, which is that of the first `return` (6.12.3).
void Checker::infer_result(ReturnStmt& stmt) {
    QualType type = {.type = types_.scalar(TypeKind::Void)};
    if (stmt.value) {
        stmt.value = rvalue(stmt.value);
        type.type = stmt.value->type.type;
    }
    FunctionContext& block = *function_;
    if (block.returned && type->without_alignments() != block.result->without_alignments()) {
        if (!block.result->is_error() && !type->is_error())
            diags_.error(stmt.range, "return type '", type, "' must match previous return type '",
                         block.result, "' when block literal has unspecified explicit return type");
        type = error_type();
    }
    if (type->kind == TypeKind::BlockPointer || type->kind == TypeKind::Image ||
        type->kind == TypeKind::Sampler || type->kind == TypeKind::Pipe) {
        diags_.error(stmt.range, "declaring function return value of type '", type, "' is not allowed");
        type = error_type();
    }
    block.returned = true;
    block.result = type;
}

// ---- Captures ----

/// Whether the name belongs to a function around the current block, so that the block has a copy of it.
bool Checker::is_captured(const VarDecl& var, size_t depth) const {
    return function_ && function_->block && depth > 1 && depth < function_->outer_depth &&
           !var.has_global_lifetime;
}

/// Makes a const copy where the literal is evaluated. Literals in between make one too (6.12.3).
Expr* Checker::captured(DeclRefExpr& e, VarDecl& var, size_t depth) {
    if (var.type->kind == TypeKind::BlockPointer) {
        diags_
            .error(e.range, "cannot refer to a block inside block: '", var.name,
                   "' would have to be captured")
            .note(var.name_range, "'", var.name, "' declared here");
        return error_expr(e);
    }
    const Type* element = var.type.type;
    while (element->is_array()) element = element->element.type;
    if (element->is_matrix()) {
        diags_.error(e.range, "cannot refer to a cooperative matrix inside block: '", var.name,
                     "' would have to be captured");
        return error_expr(e);
    }
    if (unevaluated_ == 0)
        for (FunctionContext* block = function_; block && block->block && depth < block->outer_depth;
             block = block->outer)
            if (std::find(block->captures.begin(), block->captures.end(), &var) == block->captures.end())
                block->captures.push_back(&var);
    e.is_capture = true;
    e.type = qualified(var.type, true, false, false);
    e.is_lvalue = true;
    return &e;
}

// ---- Values ----

const Expr* block_source(const Expr* e) {
    for (const VarDecl* previous = nullptr;;) {
        e = strip_parens(e);
        if (auto* cast = dyn<CastExpr>(e)) {
            if (cast->cast != CastKind::LValueToRValue && cast->cast != CastKind::NoOp) return nullptr;
            e = cast->operand;
        } else if (auto* ref = dyn<DeclRefExpr>(e)) {
            auto* var = dyn<VarDecl>(static_cast<const Decl*>(ref->decl));
            if (!var || var->is_param) return var ? e : nullptr;
            e = var->init;
            if (!e || var == previous) return nullptr;  // nothing, or itself
            previous = var;
        } else {
            return e->kind == ExprKind::BlockLiteral ? e : nullptr;
        }
    }
}

/// A value of block type that has been checked: whether its literal is known. Reports when not.
bool Checker::require_known_block(const Expr& block) {
    if (block_source(&block)) return true;
    const Expr* named = strip_parens(&block);
    while (auto* cast = dyn<CastExpr>(named)) named = strip_parens(cast->operand);
    auto* ref = dyn<DeclRefExpr>(named);
    auto* var = ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
    bool reported = var && var != initialised_;  // its initialiser was faulty
    if (!reported)
        diags_.error(block.range,
                     "a block must be a literal or a block variable, so that it is known at compile time");
    return false;
}

/// Checks the requirements on a variable of block type (OpenCL C 6.12.5).
void Checker::block_variable(VarDecl& var) {
    std::string_view wrong;
    if (var.storage == StorageClass::Extern)
        wrong = "using 'extern' storage class is disallowed";
    else if (!var.init)
        wrong = "must be initialized";
    if (!wrong.empty()) {
        diags_.error(var.name_range, "invalid block variable declaration - ", wrong);
        var.type = error_type();
        var.init = nullptr;
        return;
    }
    const VarDecl* outer = initialised_;
    initialised_ = &var;
    Expr* init = initialize(var.init, var.type, var.name_range, false);
    var.init = is_error(init) || !require_known_block(*init) ? nullptr : init;
    initialised_ = outer;
    if (!var.init) return;
    auto* literal = dyn<BlockLiteralExpr>(block_source(var.init));
    if (var.has_global_lifetime && (!literal || !literal->captures.empty())) {
        diags_.error(init->range, "initializer element is not a compile-time constant");
        var.init = nullptr;
    }
}

/// Converts between compatible block types. An inferred enumeration may be any integer type of its size.
Expr* Checker::convert_block(Expr* e, const QualType& to, Action action, SourceRange at,
                             const VarDecl* param) {
    const Type* from = e->type.type;
    const Type *given = from->element.type, *wanted = to->element.type;
    if (given->kind == TypeKind::Enum && wanted->is_integer() && given->size_bytes == wanted->size_bytes)
        from = types_.block_pointer(to->element, from->params);
    if (compatible({.type = to.type}, {.type = from})) return cast(e, CastKind::NoOp, {.type = to.type});
    return convert_fault(*e, e->type, to, action, at, param);
}

// ---- Calls ----

/// `block(arguments)`: the callee has been checked.
Expr* Checker::block_call(CallExpr& e) {
    e.callee = rvalue(e.callee);
    if (is_error(e.callee) || !require_known_block(*e.callee)) return error_expr(e);
    const Type* block = e.callee->type.type;
    size_t expected = block->params.size(), given = e.args.size();
    if (given != expected) {
        SourceRange at = e.close_paren ? e.close_paren : e.range;
        if (given > expected) at = {e.args[expected]->range.begin, e.args.back()->range.end};
        diags_
            .error(at, given < expected ? "too few" : "too many", " arguments to block call, expected ",
                   expected, ", have ", given)
            .highlight(e.callee->range);
        return error_expr(e);
    }
    bool fine = true;
    for (size_t i = 0; i < given; ++i) {
        e.args[i] = convert(e.args[i], block->params[i], Action::Pass, expr_place(*e.args[i]));
        fine &= !is_error(e.args[i]);
    }
    if (!fine) return error_expr(e);
    e.type = {.type = block->element.type};
    if (unevaluated_) return &e;
    auto* literal = dyn<BlockLiteralExpr>(block_source(e.callee));
    if (literal) record_call(literal->invoke, e.range);
    if (literal) record_blocks(literal->invoke, e);
    return &e;
}

/// A function that is called with a block may call it.
void Checker::record_blocks(FunctionDecl* callee, const CallExpr& e) {
    for (const Expr* arg : e.args) {
        if (arg->type->kind != TypeKind::BlockPointer) continue;
        if (!require_known_block(*arg)) continue;
        auto* literal = dyn<BlockLiteralExpr>(block_source(arg));
        if (literal) record_call(callee, literal->invoke, e.range);
    }
}

}  // namespace caldera::frontend
