// SPDX-License-Identifier: Apache-2.0
// GNU attributes, kept as written: names, and arguments as expressions or a type. check/ gives them meaning.
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

namespace {

/// `__name__` and `name` are the same attribute.
std::string_view without_underscores(std::string_view name) {
    if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
        return name.substr(2, name.size() - 4);
    return name;
}

/// Keywords name attributes too: `const`, `__global`.
bool is_word(const Tok& tok) {
    if (tok.kind == Token::Char || tok.kind == Token::String || tok.text.empty()) return false;
    char c = tok.text[0];
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

/// attribute-specifier*: (`__attribute__` `(` `(` attribute? (`,` attribute?)* `)` `)`)*
void Parser::attributes(List<Attribute>& out) {
    while (at(Token::KwAttribute)) {
        advance();
        if (!at(Token::LeftParen)) {
            error(tok_.range, "expected '(' after 'attribute'");
            return;
        }
        Bracket outer(*this, Token::LeftParen);
        if (!at(Token::LeftParen)) {
            error(tok_.range, "expected '(' after '('");
            if (skip_to(Token::RightParen, kStopAtSemicolon)) advance();
            synchronise();
            continue;
        }
        {
            Bracket inner(*this, Token::LeftParen);
            while (!at(Token::RightParen) && !at(Token::End)) {
                if (accept(Token::Comma)) continue;
                if (!is_word(tok_)) break;
                out.push(attribute());
                if (!at(Token::Comma)) break;
            }
            if (!expect(Token::RightParen) && skip_to(Token::RightParen, kStopAtSemicolon)) advance();
        }
        expect(Token::RightParen);
    }
}

std::span<Attribute> Parser::attributes() {
    if (!at(Token::KwAttribute)) return {};
    List<Attribute> list(attributes_);
    attributes(list);
    return list.finish(arena_);
}

/// attribute: any-word (`(` arguments `)`)?
Attribute Parser::attribute() {
    Attribute a{.name = without_underscores(tok_.text), .range = tok_.range};
    advance();
    if (at(Token::LeftParen)) attribute_arguments(a);
    a.range = since(a.range.begin);
    return a;
}

/// arguments: (type-name | identifier | assignment-expression) (`,` assignment-expression)*
void Parser::attribute_arguments(Attribute& a) {
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    List<Expr*> args(exprs_);
    if (!at(Token::RightParen) && starts_type(tok_)) {
        a.type_arg = type_name();
        if (accept(Token::Comma)) argument_list(args, Token::RightParen);
    } else {
        bool is_name =
            at(Token::Identifier) && (peek().kind == Token::Comma || peek().kind == Token::RightParen);
        if (is_name) a.ident_arg = tok_.text;
        argument_list(args, Token::RightParen);
    }
    a.args = args.finish(arena_);
    paren.close();
}

}  // namespace caldera::frontend
