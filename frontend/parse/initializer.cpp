// SPDX-License-Identifier: Apache-2.0
// Initialisers (C99 6.7.8), with GNU's ranges, empty lists and old designators.
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

/// initializer: assignment-expression | initializer-list
Expr* Parser::initializer() { return at(Token::LeftBrace) ? initializer_list() : assignment_expression(); }

/// initializer-list: `{` ((designation? initializer) (`,` designation? initializer)* `,`?)? `}`
Expr* Parser::initializer_list() {
    auto* list = node<InitListExpr>(tok_.range);
    SourceLoc begin = tok_.range.begin;
    Bracket brace(*this, Token::LeftBrace);
    BracesInExpression braces(*this);
    Nest nest(*this);
    List<InitEntry> entries(entries_);
    while (!at(Token::RightBrace) && !at(Token::End)) {
        entries.push(init_entry());
        if (!accept(Token::Comma)) break;
    }
    list->entries = entries.finish(arena_);
    if (!brace.close() && skip_to(Token::RightBrace, kStopAtSemicolon)) advance();
    list->range = since(begin);
    return list;
}

InitEntry Parser::init_entry() {
    InitEntry entry;
    Nest nest(*this);
    List<Designator> designators(designators_);
    designation(designators);
    entry.designators = designators.finish(arena_);
    entry.value = initializer();
    return entry;
}

/// designation: (`.` identifier | array-designator)+ `=` | identifier `:` | array-designator
void Parser::designation(List<Designator>& designators) {
    if (at(Token::Identifier) && peek().kind == Token::Colon) {
        diags_.warning(Warning::GnuDesignator, tok_.range, "use of GNU old-style field designator extension")
            .fixit({tok_.range.begin, peek().range.end}, "." + std::string(tok_.text) + " = ");
        designators.push({.range = tok_.range, .field = tok_.text});
        advance();
        return advance();
    }
    while (at(Token::Dot) || at(Token::LeftBracket)) {
        if (designators.size() > kMaxDepth) return too_deep();
        designators.push(at(Token::Dot) ? field_designator() : array_designator());
    }
    if (designators.empty() || accept(Token::Equal)) return;
    if (designators.size() == 1 && designators[0].index && !is_silent())
        diags_.warning(Warning::GnuDesignator, tok_.range, "use of GNU 'missing =' extension in designator")
            .fixit(after_last(), "= ");
    else
        error(tok_.range, "expected '=' or another designator");
}

/// `.` identifier
Designator Parser::field_designator() {
    Designator d{.range = tok_.range};
    advance();
    if (at(Token::Identifier)) {
        d.field = tok_.text;
        advance();
    } else {
        error(tok_.range, "expected a field designator, such as '.field = 4'");
    }
    d.range = since(d.range.begin);
    return d;
}

/// array-designator: `[` constant-expression (`...` constant-expression)? `]`
Designator Parser::array_designator() {
    Designator d{.range = tok_.range};
    Bracket bracket(*this, Token::LeftBracket);
    Nest nest(*this);
    d.index = conditional_expression();
    if (at(Token::Ellipsis)) {
        diags_.warning(Warning::GnuArrayRange, tok_.range, "use of GNU array range extension");
        advance();
        d.index_end = conditional_expression();
    }
    bracket.close();
    d.range = since(d.range.begin);
    return d;
}

}  // namespace caldera::frontend
