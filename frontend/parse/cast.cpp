// SPDX-License-Identifier: Apache-2.0
// What may follow a type in parentheses: a cast, a compound literal or a vector literal.
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

/// `(` type-name `)`
TypeName* Parser::type_in_parentheses() {
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    TypeName* type = type_name();
    paren.close();
    return type;
}

/// cast-expression: `(` type-name `)` cast-expression
/// postfix-expression: `(` type-name `)` initializer-list | `(` vector-type-name `)` `(` argument-list `)`
Expr* Parser::parenthesised_type() {
    SourceLoc begin = tok_.range.begin;
    TypeName* type = type_in_parentheses();
    if (at(Token::LeftBrace)) return compound_literal(type, begin);
    Vectorness vector = vectorness(*type->specifiers, type->declarator);
    bool is_list = at(Token::LeftParen) && peek().kind != Token::LeftBrace && !starts_type(peek());
    if (is_list && vector != Vectorness::No) return vector_literal(type, begin, vector);
    Nest nest(*this);
    return cast(type, begin, cast_expression());
}

Expr* Parser::cast(TypeName* type, SourceLoc begin, Expr* operand) {
    auto* e = node<CastExpr>(since(begin));
    e->written = type;
    e->operand = operand;
    return e;
}

/// C99 6.5.2.5.
Expr* Parser::compound_literal(TypeName* type, SourceLoc begin) {
    Spine spine(*this);
    auto* e = node<CompoundLiteralExpr>({begin, begin});
    e->written = type;
    {
        Nest nest(*this);
        e->init = initializer_list();
    }
    e->range = since(begin);
    return postfix_suffixes(e, begin);
}

/// OpenCL C 6.1.6. A primary expression: `(float4)(a, b).x` takes x of the literal. Where only check/ can say
/// whether the type is a vector (typeof), one operand makes a cast and more make a literal.
Expr* Parser::vector_literal(TypeName* type, SourceLoc begin, Vectorness vector) {
    Spine spine(*this);
    List<Expr*> elements(exprs_);
    SourceLoc open = tok_.range.begin;
    {
        Bracket paren(*this, Token::LeftParen);
        Nest nest(*this);
        do elements.push(assignment_expression());
        while (accept(Token::Comma));
        paren.close();
    }
    SourceRange list_range = since(open);
    if (vector == Vectorness::Undecided && elements.size() == 1) {
        auto* paren = node<ParenExpr>(list_range);
        paren->inner = elements[0];
        return cast(type, begin, postfix_suffixes(paren, open));
    }
    auto* e = node<VectorLiteralExpr>(since(begin));
    e->written = type;
    e->elements = elements.finish(arena_);
    e->list_range = list_range;
    return postfix_suffixes(e, begin);
}

}  // namespace caldera::frontend
