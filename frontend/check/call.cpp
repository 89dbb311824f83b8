// SPDX-License-Identifier: Apache-2.0
// Calls of functions (C99 6.5.2.2), overloaded functions and built-ins.
#include <algorithm>

#include "frontend/check/checker_impl.h"
#include "frontend/required_extensions.h"

namespace caldera::frontend {

Expr* Checker::call(CallExpr& e) {
    auto* ref = dyn<DeclRefExpr>(strip_parens(e.callee));
    Decl* decl = ref ? scopes_.find(ref->name) : nullptr;
    if (ref && !decl && ref->name.starts_with("__"))
        if (Expr* constant = constant_builtin(e, ref->name)) return constant;
    if (ref && !decl && builtin::is_builtin(ref->name, features_)) {
        note_builtin(ref->range);
        if (!check_arguments(e)) return error_expr(e);
        if (!elementwise_arguments(e, ref->name)) return error_expr(e);
        if (CustomCheck check = custom_check(ref->name)) return custom_call(e, ref->name, check);
        return builtin_call(e, ref->name);
    }
    if (ref && !decl) {
        bool fine = check_arguments(e);
        (void)fine;
        auto handle = Diagnostics::Handle();
        Decl* meant = nullptr;
        std::string_view near = {};
        if (diags_.seeks_meaning(Diagnostics::Misspelt::Function, ref->name)) {
            meant = scopes_.nearest(ref->name,
                                    [](const Decl& known) { return known.kind == DeclKind::Function; });
            near = meant ? meant->name : builtin::nearest(ref->name, features_);
            if (near.empty()) diags_.found_no_meaning(Diagnostics::Misspelt::Function, ref->name);
        }
        if (builtin::enumerator(ref->name, features_))
            handle =
                diags_.error(ref->range, "called object type 'int' is not a function or function pointer");
        else if (ref->name.starts_with("__builtin_"))
            handle = diags_.error(ref->range, "use of unknown builtin '", ref->name, "'");
        else if (near.empty())
            handle = diags_.error(ref->range, "implicit declaration of function '", ref->name,
                                  "' is invalid in OpenCL");
        else
            handle = diags_
                         .error(ref->range, "implicit declaration of function '", ref->name,
                                "' is invalid in OpenCL; did you mean '", near, "'?")
                         .fixit(ref->range, std::string(near));
        if (meant) handle.note(meant->name_range, "'", near, "' declared here");
        return error_expr(e);
    }
    if (auto* function = dyn<FunctionDecl>(decl)) {
        bool fine = check_arguments(e);
        if (e.callee->kind ==
            ExprKind::Paren) {  // as clang has it: a name in parentheses is a pointer (6.9a)
            diags_.error(ref->range, "taking address of function is not allowed");
            return error_expr(e);
        }
        if (function->type->is_error()) return error_expr(e);
        ref->decl = function;
        ref->type = function->type;
        if (!fine) {
            use(ref->range, *function);
            return error_expr(e);
        }
        auto found = overloads_.find(function->name);
        // One function is called whether its parameters fit or not.
        const bool is_alone = found != overloads_.end() && found->second.size() == 1 &&
                              !builtin::is_builtin(function->name, features_);
        if (found != overloads_.end() && !is_alone) return overloaded_call(e, found->second);
        use(ref->range, *function);
        return user_call(e, *function);
    }
    e.callee = expr(e.callee);
    bool fine = check_arguments(e);
    if (is_error(e.callee) || !fine) return error_expr(e);
    if (e.callee->type->kind == TypeKind::BlockPointer) return block_call(e);
    diags_.error({e.callee->range.end, e.range.end}, "called object type '",
                 QualType{.type = e.callee->type.type}, "' is not a function or function pointer");
    return error_expr(e);
}

/// Checks each argument without reading any; false if one is faulty.
bool Checker::check_arguments(CallExpr& e) {
    bool fine = true;
    for (Expr*& arg : e.args) {
        arg = expr(arg);
        if (!is_error(arg) && arg->type->is_void()) {
            diags_.error(arg->range, "argument type 'void' is incomplete");
            arg = error_expr(*arg);
        }
        fine &= !is_error(arg);
    }
    return fine;
}

namespace {
std::string single_param(const FunctionDecl& function) {
    return "single argument '" + std::string(function.params[0]->name) + "'";
}
}  // namespace

bool Checker::argument_count(const CallExpr& e, const FunctionDecl& function) {
    size_t expected = function.type->params.size(), given = e.args.size();
    if (given == expected || (function.type->variadic && given > expected)) return true;
    bool single = expected == 1 && function.params.size() == 1 && !function.params[0]->name.empty();
    auto handle = Diagnostics::Handle();
    if (given < expected) {
        SourceRange at = e.close_paren ? e.close_paren : e.range;
        handle = single ? diags_.error(at, "too few arguments to function call, ", single_param(function),
                                       " was not specified")
                        : diags_.error(at, "too few arguments to function call, expected ", expected,
                                       ", have ", given);
    } else {
        SourceRange at = {e.args[expected]->range.begin, e.args.back()->range.end};
        handle = single ? diags_.error(at, "too many arguments to function call, expected ",
                                       single_param(function), ", have ", given, " arguments")
                        : diags_.error(at, "too many arguments to function call, expected ", expected,
                                       ", have ", given);
    }
    handle.highlight(e.callee->range).note(function.name_range, "'", function.name, "' declared here");
    return false;
}

Expr* Checker::user_call(CallExpr& e, FunctionDecl& function) {
    if (!argument_count(e, function)) return error_expr(e);
    if (function.type->variadic) {  // only names that begin with two underscores may be declared so
        diags_.error(e.range, "calls of variadic functions are not supported");
        return error_expr(e);
    }
    bool fine = true;
    FunctionDecl* canonical = function.canonical ? function.canonical : &function;
    const CallCondition* disabled = disabled_by(e, function);
    if (disabled) {
        auto handle = diags_.error(e.callee->range, "no matching function for call to '", function.name, "'");
        note_disabled(handle, function, *disabled);
    }
    for (size_t i = 0; i < e.args.size(); ++i) {
        const VarDecl* param = i < function.params.size() ? function.params[i] : nullptr;
        e.args[i] = convert(e.args[i], function.type->params[i], Action::Pass, expr_place(*e.args[i]), param);
        fine &= !is_error(e.args[i]);
    }
    if (!fine) return error_expr(e);
    diagnose_call(e, *canonical);
    warn_null_arguments(e, *canonical);
    if (canonical->call_message && function_) function_->decl->calls_marked = true;
    if (unevaluated_ == 0) {
        if (!canonical->is_used) canonical->first_use = e.callee->range;
        canonical->is_used = true;
        record_call(canonical, e.range);
        record_blocks(canonical, e);
    }
    e.function = canonical;
    e.type = {.type = function.type->element.type};
    return &e;
}

/// The default argument promotions (C99 6.5.2.2p6), which do not change OpenCL's vectors.
Expr* Checker::default_promotion(Expr* e) {
    if (is_error(e)) return e;
    TypeKind kind = e->type->kind;
    if (e->type->is_encoded_float() || kind == TypeKind::Half || kind == TypeKind::Float)
        return to_arithmetic(e, types_.scalar(features_.has(Ext::Fp64) ? TypeKind::Double : TypeKind::Float));
    return promoted(e);
}

namespace {

/// The extensions without which the device has no overload for a call that matches one of the standard's:
/// those of 64-bit atomics.
std::vector<Ext> missing_for_call(std::string_view name, std::span<const QualType> args,
                                  std::span<const bool> null_constants, const Features& features,
                                  TypeTable& types) {
    const Features all = {.standard = features.standard};
    const auto resolved = builtin::resolve(name, args, null_constants, all, types, types.arena());
    const auto* resolution = std::get_if<const builtin::Resolution*>(&resolved);
    if (!resolution) return {};
    std::vector<Ext> missing;
    for (const Ext need : (*resolution)->row->needs)
        if (need != Ext::None && !features.has(need)) missing.push_back(need);
    return missing;
}

}  // namespace

Expr* Checker::builtin_call(CallExpr& e, std::string_view name) {
    if (name.starts_with("__opencl_atomic_") && !clang_atomic(e, name)) return error_expr(e);
    std::vector<QualType> args;
    std::vector<char> nulls;
    for (Expr*& arg : e.args) {
        arg = rvalue(arg);
        if (is_error(arg)) return error_expr(e);
        args.push_back(arg->type);
        nulls.push_back(is_null_constant(arg));
    }
    static_assert(sizeof(bool) == sizeof(char));
    std::span<const bool> null_span(reinterpret_cast<const bool*>(nulls.data()), nulls.size());
    auto resolved = builtins_.resolve(name, args, null_span);
    if (auto* mismatch = std::get_if<builtin::Mismatch>(&resolved)) {
        if (const std::vector<Ext> missing = missing_for_call(name, args, null_span, features_, types_);
            !missing.empty()) {
            diags_.error(e.callee->range, "this call of '", name, "' ", requires_support(missing));
            return error_expr(e);
        }
        auto handle = Diagnostics::Handle();
        SourceRange at = e.callee->range;
        size_t argument = static_cast<size_t>(mismatch->argument);
        if (mismatch->argument >= 0)
            at = argument < e.args.size() ? expr_place(*e.args[argument]) : e.close_paren;
        if (!mismatch->message.empty())
            handle = diags_.error(at, mismatch->message);
        else if (mismatch->ambiguous)
            handle = diags_.error(e.callee->range, "call to '", name, "' is ambiguous");
        else
            handle = diags_.error(e.callee->range, "no matching function for call to '", name, "'");
        if (mismatch->message.empty())
            for (const auto& candidate : mismatch->candidates)
                handle.note(e.callee->range, "candidate function ",
                            mismatch->ambiguous ? std::string() : "not viable: " + candidate.reason + ": ",
                            "'", candidate.signature, "'");
        return error_expr(e);
    }
    const auto* resolution = std::get<const builtin::Resolution*>(resolved);
    const bool names_space = name == "to_global" || name == "to_local" || name == "to_private";
    if (names_space && args[0]->is_pointer() && args[0]->element.space != AddressSpace::Generic)
        diags_.warning(Warning::Conversion, e.args[0]->range, "passing non-generic address space pointer to ",
                       name, " may cause dynamic conversion affecting performance");
    bool fine = true;
    for (size_t i = 0; i < e.args.size(); ++i) {
        if (i >= resolution->params.size())
            e.args[i] = default_promotion(e.args[i]);
        else
            e.args[i] = convert(e.args[i], resolution->params[i], Action::Pass, expr_place(*e.args[i]));
        fine &= !is_error(e.args[i]);
    }
    if (!fine) return error_expr(e);
    e.builtin = resolution;
    note_builtin(strip_parens(e.callee)->range, resolution);
    if (!constant_arguments(e)) return error_expr(e);
    e.type = {.type = resolution->result.type, .access = resolution->result.access};
    if (resolution->name == "printf" || resolution->name == "__builtin_printf") warn_format(e);
    return &e;
}

// ---- __attribute__((overloadable)) ----

namespace {

/// The conversions from an argument to a parameter, best first: those of C++ [over.ics.rank], then those that
/// only C has, as in clang.
enum class Rank : uint8_t {
    Exact,  ///< or by qualifiers alone
    Promotion,
    Conversion,
    Splat,
    COnly,         ///< void * to another pointer
    Incompatible,  ///< pointers that C converts with a warning
    None
};
enum Change : uint8_t { kConst = 1, kVolatile = 2, kSpace = 4, kBeyondGlobal = 8 };
struct Fit {
    Rank rank = Rank::None;
    uint8_t changes =
        0;  ///< what is added to the pointee: of two that differ by more and less, less is better

    bool better_than(const Fit& other) const {
        if (rank != other.rank) return rank < other.rank;
        return changes != other.changes && (changes & ~other.changes) == 0;
    }
    bool is_identity() const { return rank == Rank::Exact && changes == 0; }
};

Fit fit_pointers(const QualType& from, const QualType& to) {
    if (!space_converts(from.space, to.space) || nested_spaces_differ(from, to)) return {};
    if ((from.is_const && !to.is_const) || (from.is_volatile && !to.is_volatile)) return {Rank::Incompatible};
    const auto changes = static_cast<uint8_t>(
        (from.is_const != to.is_const ? kConst : 0) | (from.is_volatile != to.is_volatile ? kVolatile : 0) |
        (from.space != to.space ? kSpace : 0) |
        (is_global(from.space) && !is_global(to.space) ? kBeyondGlobal : 0));
    if (compatible_pointees(from, to)) return {Rank::Exact, changes};
    if (to->is_void()) return {Rank::Conversion, changes};
    return {from->is_void() ? Rank::COnly : Rank::Incompatible, changes};
}

Fit fit(TypeTable& types, const QualType& arg, const QualType& param, bool null_constant) {
    const Type *a = arg->without_alignments(), *p = param->without_alignments();
    if (a == p) return {a->kind != TypeKind::Image || arg.access == param.access ? Rank::Exact : Rank::None};
    if (p->kind == TypeKind::Sampler && a->is_integer()) return {Rank::Conversion};
    if ((p->kind == TypeKind::Event || p->kind == TypeKind::Queue) && null_constant)
        return {Rank::Conversion};
    if (a->is_arithmetic() && p->is_arithmetic()) {
        const bool widens = a->kind == TypeKind::Float && p->kind == TypeKind::Double;
        const bool promotes = (a->is_integer() && integer_promotion(types, a) == p) || widens;
        return {promotes ? Rank::Promotion : Rank::Conversion};
    }
    if (a->is_arithmetic() && p->is_vector()) return {Rank::Splat};
    if (a->is_pointer() && p->kind == TypeKind::Bool) return {Rank::Conversion};
    if (!p->is_pointer()) return {};
    const Fit as_pointer = a->is_pointer() ? fit_pointers(a->element, p->element) : Fit();
    if (null_constant && as_pointer.rank > Rank::Conversion) return {Rank::Conversion};
    return as_pointer;
}

/// A candidate without an ill-formed conversion is better than one with such a conversion. This is compared
/// first.
bool is_better(std::span<const Fit> a, std::span<const Fit> b) {
    bool well_formed = false, some = false, all = true;
    for (size_t i = 0; i < a.size(); ++i) {
        const bool mine = a[i].rank == Rank::Incompatible, theirs = b[i].rank == Rank::Incompatible;
        if (mine && !theirs) return false;
        well_formed |= theirs && !mine;
        all &= !b[i].better_than(a[i]);
        some |= a[i].better_than(b[i]);
    }
    return well_formed || (all && some);
}

}  // namespace

/// Whether the one has the other's conditions of enable_if, and more. Among functions that fit alike it is
/// chosen then.
static bool is_more_enabled(const FunctionDecl& a, const FunctionDecl& b) {
    return a.enable_key.size() > b.enable_key.size() && a.enable_key.starts_with(b.enable_key);
}

/// The built-in function of this name with exactly these parameter types, or null.
const builtin::Resolution* Checker::exact_builtin(std::string_view name, std::span<const QualType> types) {
    if (!builtin::is_builtin(name, features_) || custom_check(name)) return nullptr;
    if (std::ranges::any_of(types, [](QualType type) { return type->is_error(); })) return nullptr;
    const auto resolved = builtins_.resolve(name, types, {});
    const auto* found = std::get_if<const builtin::Resolution*>(&resolved);
    const bool same =
        found && std::ranges::equal((*found)->params, types, {}, &QualType::type, &QualType::type);
    return same ? *found : nullptr;
}

Expr* Checker::overloaded_call(CallExpr& e, std::span<FunctionDecl* const> candidates) {
    std::vector<QualType> args;
    std::vector<bool> nulls;
    for (Expr* arg : e.args) {
        QualType type = arg->type;
        if (type->is_array()) type = {.type = types_.pointer(in_space(type->element, type.space))};
        if (type->kind == TypeKind::Atomic) type = type->element;
        args.push_back(type);
        nulls.push_back(is_null_constant(arg));
    }
    struct Viable {
        FunctionDecl* function;
        std::vector<Fit> fits;
        bool better_than(const Viable& other) const {
            if (is_better(fits, other.fits)) return true;
            return !is_better(other.fits, fits) && is_more_enabled(*function, *other.function);
        }
    };
    std::vector<Viable> viable;
    std::vector<std::pair<const FunctionDecl*, const CallCondition*>> disabled;
    for (FunctionDecl* function : candidates) {
        auto params = function->type->params;
        if (params.size() != args.size()) continue;
        Viable v{function, {}};
        for (size_t i = 0; i < args.size(); ++i) v.fits.push_back(fit(types_, args[i], params[i], nulls[i]));
        if (std::ranges::find(v.fits, Rank::None, &Fit::rank) != v.fits.end()) continue;
        if (const CallCondition* by = disabled_by(e, *function))
            disabled.emplace_back(function, by);
        else
            viable.push_back(std::move(v));
    }
    std::string_view name = candidates[0]->name;
    for (const Viable& v : viable) {
        bool best = true;
        for (const Viable& other : viable) best &= &other == &v || v.better_than(other);
        if (!best) continue;
        // Built-in functions are candidates too.
        if (!std::ranges::all_of(v.fits, &Fit::is_identity) && exact_builtin(name, args))
            return builtin_call(e, name);
        auto& ref = as<DeclRefExpr>(*strip_parens(e.callee));
        ref.decl = v.function;
        ref.type = v.function->type;
        use(ref.range, *v.function);
        return user_call(e, *v.function);
    }
    if (viable.empty() && builtin::is_builtin(name, features_)) return builtin_call(e, name);
    note(strip_parens(e.callee)->range, *candidates[0]);
    auto handle = viable.empty()
                      ? diags_.error(e.callee->range, "no matching function for call to '", name, "'")
                      : diags_.error(e.callee->range, "call to '", name, "' is ambiguous");
    if (viable.empty())
        for (FunctionDecl* function : candidates) {
            const auto by = std::ranges::find(disabled, function, &decltype(disabled)::value_type::first);
            if (by != disabled.end()) {
                note_disabled(handle, *function, *by->second);
                continue;
            }
            handle.note(function->name_range, "candidate function not viable: ",
                        function->type->params.size() != args.size()
                            ? "requires " + std::to_string(function->type->params.size()) + " argument" +
                                  (function->type->params.size() == 1 ? "" : "s") + ", but " +
                                  std::to_string(args.size()) + (args.size() == 1 ? " was" : " were") +
                                  " provided"
                            : std::string("no known conversion for an argument"));
        }
    else
        for (const Viable& v : viable)
            if (std::ranges::none_of(viable, [&](const Viable& other) { return other.better_than(v); }))
                handle.note(v.function->name_range, "candidate function");
    return error_expr(e);
}

}  // namespace caldera::frontend
