// SPDX-License-Identifier: Apache-2.0
// Expressions down to the postfix ones (C99 6.5.2 to 6.5.17). Binary operators are climbed by precedence
// (Clarke 1986, "The top-down parsing of expressions"), so a chain of them costs no recursion.
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

namespace {

struct BinaryRow {
    BinaryOp op = {};
    int precedence = -1;  ///< -1: no binary operator
};

constexpr int kLogicalOr = 1;

BinaryRow binary_row(Token token) {
    switch (token) {
        case Token::Star: return {BinaryOp::Mul, 10};
        case Token::Slash: return {BinaryOp::Div, 10};
        case Token::Percent: return {BinaryOp::Rem, 10};
        case Token::Plus: return {BinaryOp::Add, 9};
        case Token::Minus: return {BinaryOp::Sub, 9};
        case Token::LessLess: return {BinaryOp::Shl, 8};
        case Token::GreaterGreater: return {BinaryOp::Shr, 8};
        case Token::Less: return {BinaryOp::Less, 7};
        case Token::Greater: return {BinaryOp::Greater, 7};
        case Token::LessEqual: return {BinaryOp::LessEqual, 7};
        case Token::GreaterEqual: return {BinaryOp::GreaterEqual, 7};
        case Token::EqualEqual: return {BinaryOp::Equal, 6};
        case Token::BangEqual: return {BinaryOp::NotEqual, 6};
        case Token::Amp: return {BinaryOp::And, 5};
        case Token::Caret: return {BinaryOp::Xor, 4};
        case Token::Pipe: return {BinaryOp::Or, 3};
        case Token::AmpAmp: return {BinaryOp::LogicalAnd, 2};
        case Token::PipePipe: return {BinaryOp::LogicalOr, kLogicalOr};
        default: return {};
    }
}

struct AssignRow {
    bool is_assignment = false;
    bool compound = false;
    BinaryOp op = {};
};

AssignRow assign_row(Token token) {
    switch (token) {
        case Token::Equal: return {true, false, {}};
        case Token::StarEqual: return {true, true, BinaryOp::Mul};
        case Token::SlashEqual: return {true, true, BinaryOp::Div};
        case Token::PercentEqual: return {true, true, BinaryOp::Rem};
        case Token::PlusEqual: return {true, true, BinaryOp::Add};
        case Token::MinusEqual: return {true, true, BinaryOp::Sub};
        case Token::LessLessEqual: return {true, true, BinaryOp::Shl};
        case Token::GreaterGreaterEqual: return {true, true, BinaryOp::Shr};
        case Token::AmpEqual: return {true, true, BinaryOp::And};
        case Token::CaretEqual: return {true, true, BinaryOp::Xor};
        case Token::PipeEqual: return {true, true, BinaryOp::Or};
        default: return {};
    }
}

}  // namespace

/// expression: assignment-expression (`,` assignment-expression)*
Expr* Parser::expression() {
    SourceLoc begin = tok_.range.begin;
    Expr* e = assignment_expression();
    while (at(Token::Comma)) {
        auto* comma = node<BinaryExpr>(tok_.range);
        comma->op = BinaryOp::Comma;
        comma->op_range = tok_.range;
        advance();
        Nest nest(*this);
        comma->lhs = e;
        comma->rhs = assignment_expression();
        comma->range = since(begin);
        e = comma;
    }
    return e;
}

/// assignment-expression: conditional-expression (assignment-operator assignment-expression)?
Expr* Parser::assignment_expression() {
    SourceLoc begin = tok_.range.begin;
    Expr* lhs = conditional_expression();
    AssignRow row = assign_row(tok_.kind);
    if (!row.is_assignment) return lhs;
    auto* assign = node<AssignExpr>(tok_.range);
    assign->compound = row.compound;
    assign->op = row.op;
    assign->op_range = tok_.range;
    advance();
    Nest nest(*this);
    assign->lhs = lhs;
    assign->rhs = assignment_expression();
    assign->range = since(begin);
    return assign;
}

/// conditional-expression: logical-or-expression (`?` expression? `:` conditional-expression)?
Expr* Parser::conditional_expression() {
    SourceLoc begin = tok_.range.begin;
    Expr* condition = binary_expression(kLogicalOr);
    return at(Token::Question) ? conditional_tail(condition, begin) : condition;
}

Expr* Parser::conditional_tail(Expr* condition, SourceLoc begin) {
    auto* e = node<ConditionalExpr>(tok_.range);
    SourceRange question = tok_.range;
    e->op_range = question;
    e->condition = condition;
    advance();
    Nest nest(*this);
    if (at(Token::Colon))
        diags_.warning(Warning::GnuOmittedOperand, tok_.range,
                       "use of GNU ?: conditional expression extension, omitting middle operand");
    else
        e->if_true = expression();
    if (!accept(Token::Colon))
        error(tok_.range, "expected ':'")
            .note(question, "to match this '?'")
            .fixit({tok_.range.begin, tok_.range.begin}, ": ");
    e->if_false = conditional_expression();
    e->range = since(begin);
    return e;
}

/// logical-or-expression down to multiplicative-expression (C99 6.5.5 to 6.5.14), in one loop: operators that
/// bind at least as strongly as `min_precedence`.
Expr* Parser::binary_expression(int min_precedence) {
    SourceLoc begin = tok_.range.begin;
    Expr* lhs = cast_expression();
    for (;;) {
        BinaryRow row = binary_row(tok_.kind);
        if (row.precedence < min_precedence) return lhs;
        auto* e = node<BinaryExpr>(tok_.range);
        e->op = row.op;
        e->op_range = tok_.range;
        advance();
        Nest nest(*this);
        e->lhs = lhs;
        e->rhs = binary_expression(row.precedence + 1);
        e->range = since(begin);
        lhs = e;
    }
}

/// cast-expression: `(` type-name `)` cast-expression | unary-expression
/// unary-expression: postfix-expression | unary-operator cast-expression | (`++` | `--`) unary-expression |
/// sizeof …
Expr* Parser::cast_expression() {
    switch (tok_.kind) {
        case Token::LeftParen: return starts_type(peek()) ? parenthesised_type() : postfix_expression();
        case Token::Plus: return unary(UnaryOp::Plus);
        case Token::Minus: return unary(UnaryOp::Minus);
        case Token::Tilde: return unary(UnaryOp::Not);
        case Token::Bang: return unary(UnaryOp::LogicalNot);
        case Token::Star: return unary(UnaryOp::Deref);
        case Token::Amp: return unary(UnaryOp::AddressOf);
        case Token::PlusPlus: return unary(UnaryOp::PreInc);
        case Token::MinusMinus: return unary(UnaryOp::PreDec);
        case Token::KwExtension: return unary(UnaryOp::Extension);
        case Token::AmpAmp: return label_address();
        case Token::KwSizeof: return sizeof_expression(SizeofOp::Sizeof);
        case Token::KwAlignof: return sizeof_expression(SizeofOp::Alignof);
        case Token::KwVecStep: return sizeof_expression(SizeofOp::VecStep);
        default: return postfix_expression();
    }
}

Expr* Parser::unary(UnaryOp op) {
    auto* e = node<UnaryExpr>(tok_.range);
    e->op = op;
    e->op_range = tok_.range;
    advance();
    Nest nest(*this);
    e->operand = cast_expression();
    e->range = since(e->op_range.begin);
    return e;
}

/// GNU `&&label`: there is no computed goto to use it.
Expr* Parser::label_address() {
    SourceLoc begin = tok_.range.begin;
    advance();
    if (!at(Token::Identifier)) return expected_expression();
    advance();
    error(since(begin), "taking the address of a label is not supported");
    return error_expr(since(begin));
}

/// (`sizeof` | `__alignof__` | `vec_step`) (`(` type-name `)` | unary-expression)
Expr* Parser::sizeof_expression(SizeofOp op) {
    SourceLoc begin = tok_.range.begin;
    std::string_view word = tok_.text;
    advance();
    Nest nest(*this);
    Expr* operand = nullptr;
    if (at(Token::LeftParen) && starts_type(peek())) {
        SourceLoc paren = tok_.range.begin;
        TypeName* type = type_in_parentheses();
        if (!at(Token::LeftBrace)) {
            auto* e = node<SizeofTypeExpr>(since(begin));
            e->op = op;
            e->written = type;
            return e;
        }
        operand = compound_literal(type, paren);
    } else if (starts_type(tok_)) {
        SourceRange range = after_last();
        TypeName* type = type_name();
        error(range, "expected parentheses around type name in ", word, " expression")
            .fixit({type->range.begin, type->range.begin}, "(")
            .fixit({type->range.end, type->range.end}, ")");
        return error_expr(since(begin));
    } else {
        operand = cast_expression();
    }
    auto* e = node<SizeofExprExpr>(since(begin));
    e->op = op;
    e->operand = operand;
    return e;
}

// ---- Postfix expressions (C99 6.5.2) ----

/// postfix-expression: primary-expression postfix-suffix*
Expr* Parser::postfix_expression() {
    SourceLoc begin = tok_.range.begin;
    Spine spine(*this);
    return postfix_suffixes(primary_expression(), begin);
}

/// postfix-suffix: `[` expression `]` | `(` argument-list? `)` | (`.` | `->`) identifier | `++` | `--`
Expr* Parser::postfix_suffixes(Expr* e, SourceLoc begin) {
    for (;;) {
        switch (tok_.kind) {
            case Token::LeftBracket: e = subscript(e, begin); break;
            case Token::LeftParen: e = call(e, begin); break;
            case Token::Dot: e = member(e, begin, false); break;
            case Token::Arrow: e = member(e, begin, true); break;
            case Token::PlusPlus: e = post_step(e, begin, UnaryOp::PostInc); break;
            case Token::MinusMinus: e = post_step(e, begin, UnaryOp::PostDec); break;
            default: return e;
        }
        wrap();
    }
}

Expr* Parser::subscript(Expr* base, SourceLoc begin) {
    auto* e = node<SubscriptExpr>(tok_.range);
    Bracket bracket(*this, Token::LeftBracket);
    Nest nest(*this);
    e->base = base;
    e->index = expression();
    bracket.close();
    e->range = since(begin);
    return e;
}

Expr* Parser::call(Expr* callee, SourceLoc begin) {
    auto* e = node<CallExpr>(tok_.range);
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    List<Expr*> args(exprs_);
    argument_list(args, Token::RightParen);
    e->callee = callee;
    e->args = args.finish(arena_);
    e->close_paren = tok_.range;
    paren.close();
    e->range = since(begin);
    return e;
}

/// argument-list: assignment-expression (`,` assignment-expression)*, or nothing before `closer`.
void Parser::argument_list(List<Expr*>& args, Token closer) {
    if (at(closer)) return;
    do args.push(assignment_expression());
    while (accept(Token::Comma));
}

Expr* Parser::member(Expr* base, SourceLoc begin, bool arrow) {
    auto* e = node<MemberExpr>(tok_.range);
    e->base = base;
    e->arrow = arrow;
    e->op_range = tok_.range;
    advance();
    if (!at(Token::Identifier)) {
        error(tok_.range, "expected identifier");
        e->name_range = after_last();
        e->range = since(begin);
        return e;
    }
    e->name = tok_.text;
    e->name_range = tok_.range;
    advance();
    e->range = since(begin);
    return e;
}

Expr* Parser::post_step(Expr* operand, SourceLoc begin, UnaryOp op) {
    auto* e = node<UnaryExpr>(tok_.range);
    e->op = op;
    e->op_range = tok_.range;
    e->operand = operand;
    advance();
    e->range = since(begin);
    return e;
}

}  // namespace caldera::frontend
