// SPDX-License-Identifier: Apache-2.0
// Attributes that say something where a function is called: enable_if and diagnose_if, whose conditions name
// the parameters, error and warning, which the emitter reports, and nonnull. All are clang's.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "frontend/ast/children.h"
#include "frontend/check/checker_impl.h"
#include "frontend/check/constant_scalar.h"

namespace caldera::frontend {

namespace {

/// The text of a string argument, or null.
const StringLiteralExpr* text_of(const Expr* arg) { return dyn<StringLiteralExpr>(strip_parens(arg)); }

std::optional<size_t> param_index(const Expr& e, std::span<VarDecl* const> params) {
    auto* ref = dyn<DeclRefExpr>(strip_parens(&e));
    const auto found = ref ? std::ranges::find(params, ref->decl) : params.end();
    return found == params.end() ? std::nullopt : std::optional<size_t>(found - params.begin());
}

/// Puts the operands on a stack, so that the first is taken first. Chains of operators may be longer than
/// functions can call themselves.
void push_operands(const Expr& e, std::vector<const Expr*>& stack) {
    const auto first = static_cast<ptrdiff_t>(stack.size());
    for_each_operand(e, [&](const Expr& operand) { stack.push_back(&operand); });
    std::reverse(stack.begin() + first, stack.end());
}

using Parts = std::unordered_set<const Expr*>;

/// The parts of a condition that name a parameter.
Parts parts_with_params(const Expr& condition, std::span<VarDecl* const> params) {
    struct Part {
        const Expr* expr = nullptr;
        size_t whole = 0;  ///< the part that has it as an operand
        bool names_param = false;
    };
    std::vector<Part> parts = {{&condition}};
    for (size_t i = 0; i < parts.size(); ++i) {
        const Expr& e = *parts[i].expr;
        parts[i].names_param = param_index(e, params).has_value();
        for_each_operand(e, [&](const Expr& operand) { parts.push_back({&operand, i}); });
    }
    Parts found;
    for (size_t i = parts.size(); i-- > 0;) {
        if (!parts[i].names_param) continue;
        found.insert(parts[i].expr);
        parts[parts[i].whole].names_param = true;
    }
    return found;
}

/// The first part of a condition that is never constant, whatever the arguments: it reads a variable. Null if
/// there is none.
const Expr* never_constant(const Expr& condition, std::span<VarDecl* const> params,
                           const Parts& with_params) {
    std::vector<const Expr*> stack = {&condition};
    while (!stack.empty()) {
        const Expr& e = *stack.back();
        stack.pop_back();
        if (!with_params.contains(&e)) {
            if (e.type->is_integer() && !evaluate_integer(e)) return &e;
            continue;
        }
        if (param_index(e, params)) continue;
        auto* choice = dyn<ConditionalExpr>(&e);
        auto* binary = dyn<BinaryExpr>(&e);
        if (choice)
            stack.push_back(choice->condition);
        else if (binary && (binary->op == BinaryOp::LogicalAnd || binary->op == BinaryOp::LogicalOr))
            stack.push_back(binary->lhs);
        else
            push_operands(e, stack);
    }
    return nullptr;
}

/// The parameters that FunctionDecl::nonnull_params has bits for.
constexpr size_t kMostNonnull = 64;

constexpr std::string_view kBinaryCodes[] = {"ml", "dv", "rm", "pl", "mi", "ls", "rs", "lt", "gt", "le",
                                             "ge", "eq", "ne", "an", "eo", "or", "aa", "oo", "cm"};

/// Writes an expression as the Itanium C++ ABI does (5.1.6), as far as conditions usually go. Other
/// expressions have a name of their own, so that different ones differ.
void write_condition(const Expr& condition, std::span<VarDecl* const> params, std::string& out) {
    std::vector<const Expr*> stack = {&condition};
    while (!stack.empty()) {
        const Expr& e = *strip_parens(stack.back());
        stack.pop_back();
        if (const auto index = param_index(e, params)) {
            out += "fL0p" + (*index ? std::to_string(*index - 1) : std::string()) + "_";
            continue;
        }
        if (auto* cast = dyn<CastExpr>(&e); cast && !cast->written) {
            stack.push_back(cast->operand);
            continue;
        }
        if (const auto value = e.type->is_integer() ? evaluate_integer(e) : std::nullopt) {
            const bool negative = e.type->is_signed() && (static_cast<int64_t>(*value) < 0);
            out += "Li" + (negative ? "n" + std::to_string(0 - *value) : std::to_string(*value)) + "E";
            continue;
        }
        if (auto* binary = dyn<BinaryExpr>(&e)) {
            out += kBinaryCodes[static_cast<size_t>(binary->op)];
        } else if (auto* unary = dyn<UnaryExpr>(&e)) {
            out += unary->op == UnaryOp::LogicalNot ? "nt"
                   : unary->op == UnaryOp::Not      ? "co"
                   : unary->op == UnaryOp::Minus    ? "ng"
                   : unary->op == UnaryOp::Plus     ? "ps"
                                                    : "u" + std::to_string(static_cast<int>(unary->op));
        } else if (e.kind == ExprKind::Conditional) {
            out += "qu";
        } else {
            out += "u" + std::to_string(static_cast<int>(e.kind));
            const std::string type = to_string(e.type);
            out += std::to_string(type.size()) + type;
            if (auto* member = dyn<MemberExpr>(&e)) out += member->field->name;
            if (auto* call = dyn<CallExpr>(&e)) out += called(*call);
            if (auto* ref = dyn<DeclRefExpr>(&e)) out += ref->name;
            if (auto* number = dyn<FloatLiteralExpr>(&e)) out += std::to_string(number->value);
        }
        push_operands(e, stack);
    }
}

/// Puts a list of conditions behind the function's.
void add_conditions(FunctionDecl& function, CallCondition* first, CallCondition* last) {
    (function.last_condition ? function.last_condition->next : function.first_condition) = first;
    function.last_condition = last;
}

}  // namespace

void Checker::call_attributes(FunctionDecl& function, std::span<Attribute> list, bool sees_params) {
    if (list.empty()) return;
    for (Attribute& attribute : list) {
        if (attribute.name == "enable_if" || attribute.name == "diagnose_if")
            call_condition(function, attribute, sees_params);
        else if (attribute.name == "error" || attribute.name == "warning")
            call_message(function, attribute);
        else if (attribute.name == "nonnull")
            nonnull_attribute(function, attribute);
    }
    std::string key;
    for (const CallCondition* condition = function.first_condition; condition; condition = condition->next) {
        if (!condition->enables) continue;
        key += 'X';
        write_condition(*condition->condition, condition->params, key);
        key += 'E';
    }
    function.enable_key = arena_.copy(std::string_view(key));
}

/// enable_if(condition, "message"), diagnose_if(condition, "message", "error" or "warning")
void Checker::call_condition(FunctionDecl& function, Attribute& attribute, bool sees_params) {
    const bool diagnoses = attribute.name == "diagnose_if";
    const size_t count = diagnoses ? 3 : 2;
    if (attribute.args.size() != count || attribute.type_arg) {
        diags_.error(attribute.range, "'", attribute.name, "' attribute requires exactly ", count,
                     " arguments");
        return;
    }
    Expr*& condition = attribute.args[0];
    if (!std::exchange(attribute.is_checked, true)) {
        scopes_.push();
        if (sees_params)
            for (VarDecl* param : function.params)
                if (!param->name.empty()) scopes_.declare(param);
        ++unevaluated_;
        condition = value(condition);
        --unevaluated_;
        scopes_.pop();
    }
    if (is_error(condition)) return;
    if (!condition->type->is_scalar()) {
        diags_.error(condition->range, "value of type '", condition->type,
                     "' is not contextually convertible to 'bool'");
        return;
    }
    for (size_t i = 1; i < count; ++i)
        if (!text_of(attribute.args[i])) {
            diags_.error(attribute.args[i]->range, "'", attribute.name, "' attribute requires a string");
            return;
        }
    const std::string_view kind = diagnoses ? text_of(attribute.args[2])->value : "";
    if (diagnoses && kind != "error" && kind != "warning") {
        diags_.error(attribute.args[2]->range,
                     "invalid diagnostic type for 'diagnose_if'; use \"error\" or \"warning\" instead");
        return;
    }
    const Parts with_params = parts_with_params(*condition, function.params);
    if (const Expr* never = never_constant(*condition, function.params, with_params)) {
        diags_
            .error(attribute.range, "'", attribute.name,
                   "' attribute expression never produces a constant expression")
            .note(never->range, "subexpression not valid in a constant expression");
        return;
    }
    CallCondition known = {.attribute = &attribute, .condition = condition, .params = function.params};
    known.message = text_of(attribute.args[1])->value;
    if (known.message.empty()) known.message = "<no message provided>";
    known.enables = !diagnoses;
    known.is_error = kind == "error";
    known.names_params = with_params.contains(condition);
    CallCondition* added = arena_.make<CallCondition>(known);
    add_conditions(function, added, added);
}

/// error("message"), warning("message")
void Checker::call_message(FunctionDecl& function, Attribute& attribute) {
    if (attribute.args.size() != 1) {
        diags_.error(attribute.range, "'", attribute.name, "' attribute takes one argument");
        return;
    }
    const StringLiteralExpr* text = text_of(attribute.args[0]);
    if (!text) {
        diags_.error(attribute.args[0]->range, "'", attribute.name, "' attribute requires a string");
        return;
    }
    const Attribute* earlier = function.call_message;
    if (earlier && earlier->name != attribute.name)
        diags_
            .error(earlier->range, "'", attribute.name, "' and '", earlier->name,
                   "' attributes are not compatible")
            .note(attribute.range, "conflicting attribute is here");
    else if (earlier && text_of(earlier->args[0])->value != text->value)
        diags_
            .warning(Warning::IgnoredAttributes, attribute.range, "attribute '", attribute.name,
                     "' is already applied with different arguments")
            .note(earlier->range, "previous attribute is here");
    else
        function.call_message = &attribute;
}

/// nonnull(index, …), counted from 1; without indices it means all pointers.
void Checker::nonnull_attribute(FunctionDecl& function, Attribute& attribute) {
    const std::span<const QualType> params =
        function.type->is_function() ? function.type->params : std::span<const QualType>();
    const auto add = [&](size_t index) {
        if (index < kMostNonnull) function.nonnull_params |= uint64_t{1} << index;
    };
    if (attribute.args.empty()) {
        for (size_t i = 0; i < params.size(); ++i)
            if (params[i]->is_pointer()) add(i);
        if (std::ranges::none_of(params, [](const QualType& param) { return param->is_pointer(); }))
            diags_.warning(Warning::IgnoredAttributes, attribute.range,
                           "'nonnull' attribute applied to function with no pointer arguments");
        return;
    }
    const bool is_checked = std::exchange(attribute.is_checked, true);
    for (size_t i = 0; i < attribute.args.size(); ++i) {
        Expr*& arg = attribute.args[i];
        if (!is_checked) arg = value(arg);
        if (is_error(arg)) return;
        const auto index = arg->type->is_integer() ? evaluate_strictly(*arg) : std::nullopt;
        if (!index || *index - 1 >= params.size()) {
            const std::string place = "parameter " + std::to_string(i + 1);
            diags_
                .error(
                    attribute.range, "'nonnull' attribute ",
                    index ? place + " is out of bounds" : "requires " + place + " to be an integer constant")
                .highlight(arg->range);
            return;
        }
        if (params[*index - 1]->is_pointer())
            add(*index - 1);
        else
            diags_
                .warning(Warning::IgnoredAttributes, attribute.range,
                         "'nonnull' attribute only applies to pointer arguments")
                .highlight(arg->range);
    }
}

/// nonnull of single parameters
void Checker::nonnull_params(FunctionDecl& function) {
    for (size_t i = 0; i < function.params.size(); ++i) {
        const VarDecl& param = *function.params[i];
        for (const std::span<Attribute> list : {param.specifiers->attributes, param.declarator.attributes})
            for (const Attribute& attribute : list) {
                if (attribute.name != "nonnull") continue;
                if (!attribute.args.empty())
                    diags_.warning(Warning::IgnoredAttributes, attribute.range,
                                   "'nonnull' attribute when used on parameters takes no arguments");
                else if (param.type->is_error())
                    continue;
                else if (!param.type->is_pointer())
                    diags_.warning(Warning::IgnoredAttributes, attribute.range,
                                   "'nonnull' attribute only applies to pointer arguments");
                else if (i < kMostNonnull)
                    function.nonnull_params |= uint64_t{1} << i;
            }
    }
}

void Checker::warn_null_arguments(const CallExpr& e, const FunctionDecl& first) {
    if (first.nonnull_params == 0 || unevaluated_ > 0) return;
    for (size_t i = 0; i < e.args.size() && i < kMostNonnull; ++i) {
        if ((first.nonnull_params >> i & 1) == 0) continue;
        const auto value = evaluate_argument(*e.args[i], arena_);
        if (!value || constant::truth(*value)) continue;
        diags_
            .warning(Warning::Nonnull, e.close_paren ? e.close_paren : e.range,
                     "null passed to a callee that requires a non-null argument")
            .highlight(e.args[i]->range);
    }
}

/// What a later declaration of a function adds.
void Checker::merge_call_attributes(FunctionDecl& first, const FunctionDecl& later) {
    first.nonnull_params |= later.nonnull_params;
    if (later.first_condition) add_conditions(first, later.first_condition, later.last_condition);
    if (later.call_message && !first.call_message)
        diags_
            .error(later.call_message->range, "'", later.call_message->name,
                   "' attribute does not appear on the first declaration")
            .note(first.name_range, "previous declaration is here");
}

/// Whether the condition is true for these values of the arguments, as far as they are known.
bool Checker::holds(const CallCondition& condition, std::span<const std::optional<ConstantValue>> args) {
    std::vector<KnownParam> known;
    for (size_t i = 0; i < condition.params.size() && i < args.size(); ++i)
        if (args[i]) known.push_back({condition.params[i], *args[i]});
    return evaluate_condition(*condition.condition, known, arena_).value_or(false);
}

/// The value that an argument gives to a parameter of this type, where clang would fold it.
std::optional<ConstantValue> Checker::argument_value(Expr*& arg, const Type* param) {
    arg = rvalue(arg);
    if (is_error(arg) || arg->type->is_vector()) return std::nullopt;
    if (param->is_pointer() && is_null_constant(arg)) return constant::zero(param);
    auto value = evaluate_argument(*arg, arena_);
    if (!value || !param->is_arithmetic() || arg->type.type == param) return value;
    if (!arg->type->is_arithmetic() || value->kind == ConstantValue::Kind::Address) return std::nullopt;
    return constant::convert_scalar(*value, arg->type.type, param);
}

std::vector<std::optional<ConstantValue>> Checker::argument_values(const CallExpr& e,
                                                                   const FunctionDecl& function) {
    std::vector<std::optional<ConstantValue>> values;
    for (size_t i = 0; i < e.args.size() && i < function.type->params.size(); ++i)
        values.push_back(argument_value(e.args[i], function.type->params[i].type));
    return values;
}

/// The first enable_if that is not fulfilled, or null.
const CallCondition* Checker::disabled_by(const CallExpr& e, const FunctionDecl& function) {
    const FunctionDecl& first = function.canonical ? *function.canonical : function;
    if (first.enable_key.empty()) return nullptr;
    const auto values = argument_values(e, first);
    for (const CallCondition* condition = first.first_condition; condition; condition = condition->next)
        if (condition->enables && !holds(*condition, values)) return condition;
    return nullptr;
}

void Checker::note_disabled(Diagnostics::Handle& handle, const FunctionDecl& function,
                            const CallCondition& by) {
    handle.note(function.name_range, "candidate disabled: ", by.message);
}

/// The messages of diagnose_if: the first error that applies, else all warnings. Conditions that name no
/// parameter speak of the name, others of the call.
void Checker::diagnose_call(const CallExpr& e, const FunctionDecl& first) {
    std::vector<const CallCondition*> diagnosing;
    for (const CallCondition* condition = first.first_condition; condition; condition = condition->next)
        if (!condition->enables) diagnosing.push_back(condition);
    if (diagnosing.empty()) return;
    const auto values = argument_values(e, first);
    for (const bool names_params : {false, true}) {
        std::vector<const CallCondition*> applying;
        for (const CallCondition* condition : diagnosing)
            if (condition->names_params == names_params && holds(*condition, values))
                applying.push_back(condition);
        const auto error = std::ranges::find_if(applying, &CallCondition::is_error);
        if (error != applying.end()) applying = {*error};
        for (const CallCondition* condition : applying) {
            const SourceRange at = names_params && e.close_paren ? e.close_paren : e.callee->range;
            auto handle = condition->is_error ? diags_.error(at, condition->message)
                                              : diags_.warning(Warning::UserDefined, at, condition->message);
            handle.note(condition->attribute->range, "from 'diagnose_if' attribute on '", first.name, "':");
        }
    }
}

}  // namespace caldera::frontend
