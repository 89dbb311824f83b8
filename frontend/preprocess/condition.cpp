// SPDX-License-Identifier: Apache-2.0
// The expressions of #if and #elif (C99 6.10.1): 64-bit, as intmax_t and uintmax_t.
#include <utility>

#include "frontend/lex/literal.h"
#include "frontend/preprocess/engine.h"

namespace caldera::frontend::pp {
namespace {

struct Value {
    uint64_t bits = 0;
    bool is_unsigned = false;
    SourceRange range = {};
    bool truth() const { return bits != 0; }
};

/// An error sets `failed_` and is reported once; then all functions return.
class ConditionParser {
 public:
    ConditionParser(std::vector<Tok> tokens, const CompileOptions& options, Diagnostics& diags)
        : tokens_(std::move(tokens)), options_(options), diags_(diags) {}

    bool evaluate() {
        Value value = binary(unary(), 0);
        if (!failed_ && peek().kind != Token::Newline) not_an_operator();
        return !failed_ && value.truth();
    }

 private:
    Value unary();
    Value primary(const Tok& tok);
    Value parenthesised(const Tok& open);
    Value binary(Value left, int min_precedence);
    Value conditional(Value test);
    Value apply(Token op, Value a, Value b, SourceRange op_range);
    Value divide(Token op, Value a, Value b, SourceRange op_range);
    void not_an_operator() {
        fail(peek().range, "token is not a valid binary operator in a preprocessor subexpression");
    }
    const Tok& peek() const { return tokens_[at_]; }
    Tok take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_]; }
    template <class... Parts>
    Value fail(SourceRange range, const Parts&... parts) {
        if (!failed_) diags_.error(range, parts...);
        failed_ = true;
        return {};
    }
    Value too_deep(SourceRange range) {
        if (!failed_)
            diags_.fatal(range, "expression nesting level exceeded maximum of ",
                         static_cast<uint64_t>(kMaxConditionDepth));
        failed_ = true;
        return {};
    }

    std::vector<Tok> tokens_;  // a Newline is the last
    size_t at_ = 0;
    const CompileOptions& options_;
    Diagnostics& diags_;
    bool failed_ = false;
    int unevaluated_ = 0;  // what && || ?: leave out may divide by zero
    size_t depth_ = 0;
};

/// The precedence (C99 6.5.5 to 6.5.17); 0 if this is not a binary operator.
int precedence(Token op) {
    switch (op) {
        case Token::Star:
        case Token::Slash:
        case Token::Percent: return 12;
        case Token::Plus:
        case Token::Minus: return 11;
        case Token::LessLess:
        case Token::GreaterGreater: return 10;
        case Token::Less:
        case Token::Greater:
        case Token::LessEqual:
        case Token::GreaterEqual: return 9;
        case Token::EqualEqual:
        case Token::BangEqual: return 8;
        case Token::Amp: return 7;
        case Token::Caret: return 6;
        case Token::Pipe: return 5;
        case Token::AmpAmp: return 4;
        case Token::PipePipe: return 3;
        case Token::Question: return 2;
        case Token::Comma: return 1;
        default: return 0;
    }
}

Value ConditionParser::unary() {
    if (failed_) return {};
    Tok tok = take();
    bool is_operator = tok.kind == Token::Plus || tok.kind == Token::Minus || tok.kind == Token::Tilde ||
                       tok.kind == Token::Bang;
    if (!is_operator) return primary(tok);
    if (++depth_ > kMaxConditionDepth) return too_deep(tok.range);
    Value value = unary();
    --depth_;
    if (failed_) return {};
    value.range.begin = tok.range.begin;
    if (tok.kind == Token::Minus) {
        if (!value.is_unsigned && value.bits == uint64_t{1} << 63 && unevaluated_ == 0)
            diags_.warning(Warning::IntegerOverflow, value.range,
                           "integer overflow in preprocessor expression");
        value.bits = -value.bits;
    } else if (tok.kind == Token::Tilde) {
        value.bits = ~value.bits;
    } else if (tok.kind == Token::Bang) {
        value.bits = !value.truth();
        value.is_unsigned = false;
    }
    return value;
}

Value ConditionParser::primary(const Tok& tok) {
    switch (tok.kind) {
        case Token::Newline: return fail(tok.range, "expected value in expression");
        case Token::LeftParen: return parenthesised(tok);
        case Token::Identifier:  // 6.10.1p4
            if (peek().kind == Token::LeftParen)
                return fail(tok.range, "function-like macro '", tok.text, "' is not defined");
            if (tok.text == "true") return {.bits = 1, .range = tok.range};  // OpenCL C 6.1.1
            if (unevaluated_ == 0 && tok.text != "false")
                diags_.warning(Warning::UndefMacro, tok.range, "'", tok.text,
                               "' is not defined, evaluates to 0");
            return {.range = tok.range};
        case Token::Number: {
            uint32_t errors = diags_.error_count();
            NumberLiteral number = parse_number(tok, options_, {}, diags_);
            failed_ |= !number.valid || diags_.error_count() != errors;
            if (number.valid && number.is_floating())
                return fail(tok.range, "floating point literal in preprocessor expression");
            if (number.implicitly_unsigned) warn_implicitly_unsigned(tok.range, diags_);
            bool is_unsigned = number.type == TypeKind::UInt || number.type == TypeKind::ULong;
            // Every integer has 64 bits here: only a u suffix or a value beyond intmax_t makes it unsigned.
            if (number.type == TypeKind::UInt && tok.text.find_first_of("uU") == std::string_view::npos)
                is_unsigned = false;
            return {.bits = number.bits, .is_unsigned = is_unsigned, .range = tok.range};
        }
        case Token::Char: {
            CharLiteral c = parse_char(tok, diags_);
            failed_ |= !c.valid;
            return {.bits = static_cast<uint64_t>(int64_t{c.value}), .range = tok.range};
        }
        default: return fail(tok.range, "invalid token at start of a preprocessor expression");
    }
}

Value ConditionParser::parenthesised(const Tok& open) {
    if (++depth_ > kMaxConditionDepth) return too_deep(open.range);
    Value value = binary(unary(), 0);
    --depth_;
    if (failed_) return {};
    Tok close = take();
    if (close.kind != Token::RightParen) {
        if (close.kind != Token::Newline)
            return fail(close.range, "token is not a valid binary operator in a preprocessor subexpression");
        failed_ = true;
        diags_.error(close.range, "expected ')' in preprocessor expression")
            .highlight(value.range)
            .note(open.range, "to match this '('");
        return {};
    }
    value.range = {open.range.begin, close.range.end};
    return value;
}

/// Reads the operators with a precedence above `min_precedence` after `left`. Left-associative ones use a
/// loop, so long sums do not recurse deeply.
Value ConditionParser::binary(Value left, int min_precedence) {
    while (!failed_) {
        Token op = peek().kind;
        int level = precedence(op);
        if (level == 0 || level <= min_precedence) return left;
        Tok op_tok = take();
        if (op == Token::Question) {
            left = conditional(left);
            continue;
        }
        bool skip = (op == Token::AmpAmp && !left.truth()) || (op == Token::PipePipe && left.truth());
        if (++depth_ > kMaxConditionDepth) return too_deep(op_tok.range);
        unevaluated_ += skip;
        Value right = binary(unary(), level);
        unevaluated_ -= skip;
        --depth_;
        if (failed_) return {};
        left = apply(op, left, right, op_tok.range);
    }
    return {};
}

Value ConditionParser::conditional(Value test) {
    SourceRange question = tokens_[at_ - 1].range;
    if (++depth_ > kMaxConditionDepth) return too_deep(question);
    unevaluated_ += !test.truth();
    Value yes = binary(unary(), 0);
    unevaluated_ -= !test.truth();
    if (failed_) return {};
    Tok colon = take();
    if (colon.kind != Token::Colon) {
        diags_.error(colon.range, "expected ':'").note(question, "to match this '?'");
        failed_ = true;
        return {};
    }
    unevaluated_ += test.truth();
    Value no = binary(unary(), 1);  // right-associative
    unevaluated_ -= test.truth();
    --depth_;
    if (failed_) return {};
    Value value = test.truth() ? yes : no;
    value.is_unsigned = yes.is_unsigned || no.is_unsigned;
    value.range = {test.range.begin, no.range.end};
    return value;
}

Value ConditionParser::divide(Token op, Value a, Value b, SourceRange op_range) {
    if (b.bits == 0) {
        if (unevaluated_ != 0) return {};
        failed_ = true;
        diags_
            .error(op_range, op == Token::Slash ? "division by zero in preprocessor expression"
                                                : "remainder by zero in preprocessor expression")
            .highlight(a.range)
            .highlight(b.range);
        return {};
    }
    bool slash = op == Token::Slash;
    if (a.is_unsigned) return {.bits = slash ? a.bits / b.bits : a.bits % b.bits, .is_unsigned = true};
    if (b.bits == ~uint64_t{0}) return {.bits = slash ? -a.bits : 0};  // no trap for the least integer
    auto x = static_cast<int64_t>(a.bits), y = static_cast<int64_t>(b.bits);
    return {.bits = static_cast<uint64_t>(slash ? x / y : x % y)};
}

Value ConditionParser::apply(Token op, Value a, Value b, SourceRange op_range) {
    SourceRange range{a.range.begin, b.range.end};
    Value result;
    bool both = a.is_unsigned || b.is_unsigned;
    bool is_shift = op == Token::LessLess || op == Token::GreaterGreater;
    bool is_logical = op == Token::AmpAmp || op == Token::PipePipe || op == Token::Comma;
    if (!is_shift && !is_logical) a.is_unsigned = b.is_unsigned = both;  // the usual conversions (6.3.1.8)
    bool overflow = false;
    auto x = static_cast<int64_t>(a.bits), y = static_cast<int64_t>(b.bits);
    int64_t signed_result = 0;
    auto less = [&] { return both ? a.bits < b.bits : x < y; };
    switch (op) {
        case Token::Star:
            result.bits = a.bits * b.bits;
            overflow = __builtin_mul_overflow(x, y, &signed_result);
            break;
        case Token::Plus:
            result.bits = a.bits + b.bits;
            overflow = __builtin_add_overflow(x, y, &signed_result);
            break;
        case Token::Minus:
            result.bits = a.bits - b.bits;
            overflow = __builtin_sub_overflow(x, y, &signed_result);
            break;
        case Token::Slash:
        case Token::Percent: result = divide(op, a, b, op_range); break;
        case Token::LessLess: result.bits = b.bits > 63 ? 0 : a.bits << b.bits; break;
        case Token::GreaterGreater:
            if (a.is_unsigned)
                result.bits = b.bits > 63 ? 0 : a.bits >> b.bits;
            else
                result.bits = static_cast<uint64_t>(x >> (b.bits > 63 ? 63 : b.bits));
            break;
        case Token::Less: result.bits = less(); break;
        case Token::GreaterEqual: result.bits = !less(); break;
        case Token::Greater: result.bits = a.bits != b.bits && !less(); break;
        case Token::LessEqual: result.bits = a.bits == b.bits || less(); break;
        case Token::EqualEqual: result.bits = a.bits == b.bits; break;
        case Token::BangEqual: result.bits = a.bits != b.bits; break;
        case Token::Amp: result.bits = a.bits & b.bits; break;
        case Token::Caret: result.bits = a.bits ^ b.bits; break;
        case Token::Pipe: result.bits = a.bits | b.bits; break;
        case Token::AmpAmp: result.bits = a.truth() && b.truth(); break;
        case Token::PipePipe: result.bits = a.truth() || b.truth(); break;
        case Token::Comma:
            diags_.warning(Warning::Pedantic, op_range, "comma operator in operand of #if");
            result = b;
            break;
        default: break;
    }
    bool is_arithmetic = precedence(op) >= 10 || (precedence(op) >= 5 && precedence(op) <= 7);
    if (op != Token::Comma) result.is_unsigned = is_arithmetic && (is_shift ? a.is_unsigned : both);
    if (overflow && !both && unevaluated_ == 0)
        diags_.warning(Warning::IntegerOverflow, range, "integer overflow in preprocessor expression");
    result.range = range;
    return result;
}

}  // namespace

/// The expression up to the newline: macros are expanded, `defined` and __has_include replaced, and the
/// result evaluated. Errors give false.
bool Engine::condition() {
    std::vector<Tok> tokens;
    for (;;) {
        Tok tok = lex();
        if (tok.kind == Token::Newline || tok.kind == Token::End) {
            tok.kind = Token::Newline;
            tokens.push_back(tok);
            break;
        }
        if (tok.kind == Token::Identifier) {
            if (tok.text == "defined") {
                std::optional<Tok> value = defined_operator(tok);
                if (!value) return false;
                tokens.push_back(*value);
                continue;
            }
            Macro* macro = tok.no_expand ? nullptr : find_macro(tok.name);
            if (macro &&
                (macro->dynamic == Dynamic::HasInclude || macro->dynamic == Dynamic::HasIncludeNext)) {
                std::optional<Tok> value =
                    has_include_operator(tok, macro->dynamic == Dynamic::HasIncludeNext);
                if (!value) return false;
                tokens.push_back(*value);
                continue;
            }
            if (macro && macro->disabled == 0 && expand(tok, *macro)) continue;
        }
        tokens.push_back(tok);
    }
    if (ended_) return false;
    return ConditionParser(std::move(tokens), options_, diags_).evaluate();
}

/// `defined X` or `defined (X)` as 1 or 0.
std::optional<Tok> Engine::defined_operator(const Tok& name) {
    Tok tok = lex();
    bool parens = tok.kind == Token::LeftParen;
    SourceRange open = tok.range;
    if (parens) tok = lex();
    if (tok.kind != Token::Identifier) {
        diags_.error(tok.range,
                     tok.kind == Token::Newline ? "macro name missing" : "macro name must be an identifier");
        return std::nullopt;
    }
    Tok value = name;
    value.kind = Token::Number;
    value.text = is_defined(tok) ? "1" : "0";
    value.range.end = tok.range.end;
    if (parens) {
        Tok close = lex();
        if (close.kind != Token::RightParen) {
            diags_.error(close.range, "missing ')' after 'defined'").note(open, "to match this '('");
            return std::nullopt;
        }
    }
    return value;
}

bool Engine::has_name(Dynamic kind, std::string_view name) const {
    if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
        name = name.substr(2, name.size() - 4);
    switch (kind) {
        case Dynamic::HasBuiltin: return known_names_.builtin && known_names_.builtin(name);
        case Dynamic::HasAttribute: return known_names_.attribute && known_names_.attribute(name);
        case Dynamic::HasFeature: return known_names_.feature && known_names_.feature(name);
        case Dynamic::HasExtension:
            return name == "c_static_assert" || name == "c_generic_selections" || name == "c_alignas" ||
                   has_name(Dynamic::HasFeature, name);
        default: return false;
    }
}

/// `__has_builtin(name)` and similar, which are 1 or 0. False if no '(' follows.
bool Engine::has_name_operator(const Tok& name, Dynamic kind) {
    if (!left_paren_follows()) {
        diags_.error(name.range, "missing '(' after '", name.text, "'");
        return false;
    }
    lex();  // '('
    Tok value = name, of = lex();
    value.kind = Token::Number;
    value.text = "0";
    if (of.kind != Token::Identifier) {
        diags_.error(of.range, "builtin feature check macro requires a parenthesized identifier");
        if (of.kind == Token::Newline) push_context({of}, nullptr);  // still ends the directive
    } else {
        if (has_name(kind, of.text)) value.text = "1";
        const Tok close = lex();
        value.range.end = close.range.end;
        if (close.kind != Token::RightParen) diags_.error(close.range, "missing ')' after '", of.text, "'");
        if (close.kind == Token::Newline) push_context({close}, nullptr);
    }
    push_context({value}, nullptr);
    return true;
}

/// `__has_include(<x>)` or `("x")` as 1 or 0.
std::optional<Tok> Engine::has_include_operator(const Tok& name, bool next) {
    Tok open = lex();
    if (open.kind != Token::LeftParen) {
        diags_.error(open.range, "missing '(' after '", name.text, "'");
        return std::nullopt;
    }
    std::optional<Header> header = header_operand();
    if (!header) return std::nullopt;
    Tok close = lex();
    if (close.kind != Token::RightParen) {
        diags_.error(close.range, "missing ')' after '", name.text, "'")
            .note(open.range, "to match this '('");
        return std::nullopt;
    }
    Tok value = name;
    value.kind = Token::Number;
    value.text = find_header(*header, next) ? "1" : "0";
    value.range.end = close.range.end;
    return value;
}

}  // namespace caldera::frontend::pp
