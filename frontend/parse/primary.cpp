// SPDX-License-Identifier: Apache-2.0
// Primary expressions (C99 6.5.1), GNU's statement expressions and clang's blocks and __builtin_ forms.
#include "frontend/lex/literal.h"
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

/// primary-expression: identifier | constant | string-literal+ | `(` expression `)` | `({` … `})` |
/// block-literal | …
Expr* Parser::primary_expression() {
    switch (tok_.kind) {
        case Token::Identifier: return identifier();
        case Token::Number: return number();
        case Token::Char: return character();
        case Token::String: return string();
        case Token::LeftParen:
            return peek().kind == Token::LeftBrace ? statement_expression() : parenthesised();
        case Token::Caret: return block_literal();
        case Token::KwBuiltinOffsetof: return builtin_offsetof();
        case Token::KwBuiltinChooseExpr: return builtin_choose_expr();
        case Token::KwBuiltinTypesCompatible: return builtin_types_compatible();
        case Token::KwGenericSelection: return generic_selection();
        case Token::KwBuiltinAstype: return builtin_as_type(false);
        case Token::KwBuiltinConvertvector: return builtin_as_type(true);
        default: return expected_expression();
    }
}

Expr* Parser::identifier() {
    if (is_type_name(tok_)) {
        error(tok_.range, "unexpected type name '", tok_.text, "': expected expression");
        Expr* e = error_expr(tok_.range);
        advance();
        return e;
    }
    auto* e = node<DeclRefExpr>(tok_.range);
    e->name = tok_.text;
    advance();
    return e;
}

Expr* Parser::number() {
    Tok token = tok_;
    advance();
    return number_literal(token);
}

Expr* Parser::number_literal(const Tok& token) {
    NumberLiteral literal = parse_number(token, options_, enabled_, diags_);
    if (!literal.valid) return error_expr(token.range);
    if (literal.is_floating()) {
        auto* e = node<FloatLiteralExpr>(token.range);
        e->value = literal.number;
        e->text = token.text;
        e->type = {.type = types_.scalar(literal.type)};
        return e;
    }
    auto* e = node<IntLiteralExpr>(token.range);
    e->value = literal.bits;
    e->text = token.text;
    e->implicitly_unsigned = literal.implicitly_unsigned;
    e->type = {.type = types_.scalar(literal.type)};
    return e;
}

Expr* Parser::character() {
    CharLiteral literal = parse_char(tok_, diags_);
    auto* e = node<CharLiteralExpr>(tok_.range);
    e->value = literal.value;
    e->type = {.type = types_.scalar(TypeKind::Int)};
    advance();
    return e;
}

/// string-literal+: adjacent ones are one (C99 5.1.1.2, phase 6).
Expr* Parser::string() {
    SourceLoc begin = tok_.range.begin;
    std::vector<Tok> parts;
    while (at(Token::String)) {
        parts.push_back(tok_);
        advance();
    }
    auto* e = node<StringLiteralExpr>(since(begin));
    e->value = arena_.copy(std::string_view(parse_string(parts, diags_).bytes));
    e->tokens = arena_.copy(parts);
    return e;
}

Expr* Parser::parenthesised() {
    auto* e = node<ParenExpr>(tok_.range);
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    e->inner = expression();
    paren.close();
    e->range = since(e->range.begin);
    return e;
}

/// GNU: `(` compound-statement `)`
Expr* Parser::statement_expression() {
    auto* e = node<StmtExprExpr>(tok_.range);
    diags_.warning(Warning::GnuStatementExpression, peek().range,
                   "use of GNU statement expression extension");
    if (!in_function_) error(tok_.range, "statement expression not allowed at file scope");
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    bool was_panicking = panicking_;
    {
        BracesInExpression braces(*this);
        e->body = compound_statement();
    }
    panicking_ |= was_panicking;
    paren.close();
    e->range = since(e->range.begin);
    return e;
}

/// block-literal: `^` (type-name | `(` parameter-type-list? `)`)? attribute-specifier* compound-statement
Expr* Parser::block_literal() {
    auto* e = node<BlockLiteralExpr>(tok_.range);
    body_outlives_ = true;
    SourceLoc begin = tok_.range.begin;
    advance();
    Nest nest(*this);
    if (at(Token::LeftParen)) {
        e->signature = function_suffix();
    } else if (!at(Token::LeftBrace)) {
        if (!starts_type(tok_)) return expected_expression();
        e->result = type_name();
        auto& chunks = e->result->declarator.chunks;
        if (!chunks.empty() && chunks[0].kind == ChunkKind::Function) {
            e->signature = chunks[0];
            chunks = chunks.subspan(1);
        }
    }
    if (at(Token::KwAttribute)) e->signature.attributes = attributes();
    if (!at(Token::LeftBrace)) return expected_expression();
    Scope scope(*this);
    for (VarDecl* param : e->signature.params) declare_ordinary(param->name);
    bool outer = std::exchange(in_function_, true);
    BracesInExpression braces(*this);
    e->body = compound_statement();
    in_function_ = outer;
    e->range = since(begin);
    return e;
}

/// Reads the `(` after a __builtin_ keyword. False if it is missing.
bool Parser::builtin_opens(std::string_view word) {
    if (at(Token::LeftParen)) return true;
    error(tok_.range, "expected '(' after '", word, "'");
    return false;
}

/// A `,` between the arguments of a __builtin_ form.
void Parser::builtin_comma() {
    if (!accept(Token::Comma)) error(tok_.range, "expected ','");
}

/// `__builtin_offsetof` `(` type-name `,` identifier (`.` identifier | `[` expression `]`)* `)`
Expr* Parser::builtin_offsetof() {
    auto* e = node<OffsetofExpr>(tok_.range);
    advance();
    if (!builtin_opens("__builtin_offsetof")) return error_expr(e->range);
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    e->written = type_name();
    builtin_comma();
    List<Designator> designators(designators_);
    if (at(Token::Identifier)) {
        designators.push({.range = tok_.range, .field = tok_.text});
        advance();
    } else {
        error(tok_.range, "expected identifier");
    }
    while (at(Token::Dot) || at(Token::LeftBracket)) {
        if (designators.size() > kMaxDepth) too_deep();
        designators.push(at(Token::Dot) ? field_designator() : array_designator());
    }
    e->designators = designators.finish(arena_);
    paren.close();
    e->range = since(e->range.begin);
    return e;
}

/// `__builtin_choose_expr` `(` assignment-expression `,` assignment-expression `,` assignment-expression `)`
Expr* Parser::builtin_choose_expr() {
    auto* e = node<ChooseExpr>(tok_.range);
    advance();
    if (!builtin_opens("__builtin_choose_expr")) return error_expr(e->range);
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    e->condition = assignment_expression();
    builtin_comma();
    e->if_true = assignment_expression();
    builtin_comma();
    e->if_false = assignment_expression();
    paren.close();
    e->range = since(e->range.begin);
    return e;
}

/// `__builtin_types_compatible_p` `(` type-name `,` type-name `)`
Expr* Parser::builtin_types_compatible() {
    auto* e = node<TypesCompatibleExpr>(tok_.range);
    advance();
    if (!builtin_opens("__builtin_types_compatible_p")) return error_expr(e->range);
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    e->first = type_name();
    builtin_comma();
    e->second = type_name();
    paren.close();
    e->range = since(e->range.begin);
    return e;
}

/// generic-selection: `_Generic` `(` assignment-expression (`,` (type-name | `default`) `:`
/// assignment-expression)+ `)`
Expr* Parser::generic_selection() {
    auto* e = node<GenericExpr>(tok_.range);
    advance();
    if (!at(Token::LeftParen)) return expected_expression();
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    e->control = assignment_expression();
    if (!at(Token::Comma)) builtin_comma();
    std::vector<GenericAssociation> associations;
    while (accept(Token::Comma)) {
        GenericAssociation association{.range = tok_.range};
        if (!accept(Token::KwDefault)) association.type = type_name();
        expect(Token::Colon);
        association.value = assignment_expression();
        associations.push_back(association);
    }
    e->associations = arena_.copy(associations);
    paren.close();
    e->range = since(e->range.begin);
    return e;
}

/// (`__builtin_astype` | `__builtin_convertvector`) `(` assignment-expression `,` type-name `)`
Expr* Parser::builtin_as_type(bool convert) {
    auto* e = node<AsTypeExpr>(tok_.range);
    e->convert = convert;
    advance();
    if (!builtin_opens(convert ? "__builtin_convertvector" : "__builtin_astype")) return error_expr(e->range);
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    e->operand = assignment_expression();
    builtin_comma();
    e->written = type_name();
    paren.close();
    e->range = since(e->range.begin);
    return e;
}

}  // namespace caldera::frontend
