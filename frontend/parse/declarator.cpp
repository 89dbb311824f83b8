// SPDX-License-Identifier: Apache-2.0
// Declarators, parameter lists and type names (C99 6.7.5, 6.7.6; blocks as clang has them).
//
// A declarator is read inside out into a flat list, in which the chunks nearest to the name come first. So a
// type is built by walking the list backwards from the specifiers.
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

/// declarator: pointer? direct-declarator
/// abstract-declarator: pointer | pointer? direct-abstract-declarator
Declarator Parser::declarator(Naming naming, Context context) {
    Declarator d;
    SourceLoc begin = tok_.range.begin;
    size_t before = taken_;
    List<DeclaratorChunk> chunks(chunks_);
    List<Attribute> attributes(attributes_);
    this->attributes(attributes);
    declarator_chunks(d, naming, context, chunks, attributes);
    if (chunks.size() > kMaxDepth) too_deep();
    this->attributes(attributes);
    for (size_t i = 0; i < chunks.size(); ++i)
        if (chunks[i].is_identifier_list && (i > 0 || context != Context::File))
            error(chunks[i].params.front()->range,
                  "a parameter list without types is only allowed in a function definition");
    for (size_t i = 0; i < chunks.size(); ++i) refuse_array_words(chunks[i], i == 0, context);
    d.chunks = chunks.finish(arena_);
    d.attributes = attributes.finish(arena_);
    d.range = taken_ == before ? SourceRange{begin, begin} : since(begin);
    return d;
}

void Parser::declarator_chunks(Declarator& d, Naming naming, Context context, List<DeclaratorChunk>& chunks,
                               List<Attribute>& attributes) {
    List<DeclaratorChunk> prefix(pointers_);
    pointers(prefix);
    direct_declarator(d, naming, context, chunks, attributes);
    for (size_t i = prefix.size(); i-- > 0;) chunks.push(prefix[i]);
}

/// pointer: ((`*` | `^`) (type-qualifier | address-space-qualifier | attribute)*)*
void Parser::pointers(List<DeclaratorChunk>& out) {
    while (at(Token::Star) || at(Token::Caret)) {
        DeclaratorChunk chunk{.kind = at(Token::Star) ? ChunkKind::Pointer : ChunkKind::Block,
                              .range = tok_.range};
        SourceRange space_range;
        List<Attribute> own(attributes_);
        advance();
        for (bool more = true; more;) switch (tok_.kind) {
                case Token::KwConst: qualifier(chunk.is_const); break;
                case Token::KwVolatile: qualifier(chunk.is_volatile); break;
                case Token::KwRestrict: qualifier(chunk.is_restrict); break;
                case Token::KwGlobal:
                case Token::KwLocal:
                case Token::KwConstant:
                case Token::KwPrivate:
                case Token::KwGeneric: address_space(chunk.has_space, chunk.space, space_range); break;
                case Token::KwAttribute: attributes(own); break;
                default: more = false;
            }
        chunk.range = since(chunk.range.begin);
        chunk.attributes = own.finish(arena_);
        out.push(chunk);
    }
}

/// direct-declarator: (identifier | `(` attribute* declarator `)`)? (array-suffix | function-suffix)*
void Parser::direct_declarator(Declarator& d, Naming naming, Context context, List<DeclaratorChunk>& chunks,
                               List<Attribute>& attributes) {
    if (at(Token::Identifier) && naming != Naming::Forbidden) {
        d.name = tok_.text;
        d.name_range = tok_.range;
        advance();
    } else if (at(Token::LeftParen) && (naming == Naming::Required || !starts_parameters())) {
        Bracket paren(*this, Token::LeftParen);
        Nest nest(*this);
        this->attributes(attributes);
        declarator_chunks(d, naming, context, chunks, attributes);
        paren.close();
    } else if (naming == Naming::Required && at(Token::LeftBracket)) {
        return brackets_before_name(d, chunks);
    } else if (naming == Naming::Required) {
        if (context == Context::Member)
            error(tok_.range, "expected member name or ';' after declaration specifiers");
        else
            error(tok_.range, "expected identifier or '('");
        return;
    }
    declarator_suffixes(chunks);
}

/// C99 6.7.5.2p1: `static` and qualifiers stand only in the outermost array of a parameter.
void Parser::refuse_array_words(const DeclaratorChunk& chunk, bool is_outermost, Context context) {
    if (chunk.kind != ChunkKind::Array) return;
    if (!chunk.is_static && !chunk.is_const && !chunk.is_volatile && !chunk.is_restrict) return;
    const std::string_view word = chunk.is_static ? "'static'" : "type qualifier";
    if (context != Context::Param)
        error(chunk.range, word, " used in array declarator outside of function prototype");
    else if (!is_outermost)
        error(chunk.range, word, " used in non-outermost array type derivation");
}

/// `int [3] x`, which probably means `int x[3]`.
void Parser::brackets_before_name(Declarator& d, List<DeclaratorChunk>& chunks) {
    declarator_suffixes(chunks);
    if (!at(Token::Identifier)) return void(error(tok_.range, "expected identifier or '('"));
    d.name = tok_.text;
    d.name_range = tok_.range;
    advance();
    error(after_last(),
          "brackets are not allowed here; to declare an array, place the brackets after the identifier");
}

/// Whether `(` after no name opens parameters (`int (float)`) and not a nested declarator (`int (*)`).
bool Parser::starts_parameters() {
    const Tok& next = peek();
    if (next.kind == Token::RightParen || next.kind == Token::Ellipsis) return true;
    return next.kind != Token::KwAttribute && starts_declaration(next);
}

void Parser::declarator_suffixes(List<DeclaratorChunk>& chunks) {
    while (at(Token::LeftBracket) || at(Token::LeftParen)) {
        if (chunks.size() > kMaxDepth) return too_deep();
        DeclaratorChunk chunk = at(Token::LeftBracket) ? array_suffix() : function_suffix();
        chunks.push(chunk);
    }
}

/// array-suffix: `[` `static`? type-qualifier* `static`? (assignment-expression | `*`)? `]`
DeclaratorChunk Parser::array_suffix() {
    DeclaratorChunk chunk{.kind = ChunkKind::Array, .range = tok_.range};
    Bracket bracket(*this, Token::LeftBracket);
    Nest nest(*this);
    SourceRange static_range;
    for (bool more = true; more;) switch (tok_.kind) {
            case Token::KwStatic:
                static_range = tok_.range;
                qualifier(chunk.is_static);
                break;
            case Token::KwConst: qualifier(chunk.is_const); break;
            case Token::KwVolatile: qualifier(chunk.is_volatile); break;
            case Token::KwRestrict: qualifier(chunk.is_restrict); break;
            default: more = false;
        }
    if (at(Token::Star) && peek().kind == Token::RightBracket) {
        chunk.is_star = true;
        advance();
    } else if (!at(Token::RightBracket)) {
        chunk.size = assignment_expression();
    }
    if (chunk.is_static && !chunk.size) {
        error(static_range, "'static' may not be used without an array size");
        chunk.is_static = false;
    }
    bracket.close();
    chunk.range = since(chunk.range.begin);
    return chunk;
}

/// function-suffix: `(` parameter-type-list? `)`
DeclaratorChunk Parser::function_suffix() {
    DeclaratorChunk chunk{.kind = ChunkKind::Function, .range = tok_.range};
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    if (at(Token::RightParen)) {
        chunk.unprototyped = true;
    } else {
        Scope scope(*this);
        List<VarDecl*> params(params_);
        chunk.is_identifier_list = at(Token::Identifier) && !is_type_name(tok_) &&
                                   (peek().kind == Token::Comma || peek().kind == Token::RightParen);
        if (chunk.is_identifier_list)
            identifier_list(params);
        else
            chunk.variadic = parameter_list(params, paren);
        chunk.params = params.finish(arena_);
    }
    paren.close();
    chunk.range = since(chunk.range.begin);
    return chunk;
}

namespace {

/// C99 6.7.5.3p10: a lone `void` means no parameters.
bool is_lone_void(const VarDecl& param) {
    const Specifiers& s = *param.specifiers;
    bool plain =
        !s.is_const && !s.is_volatile && !s.is_restrict && !s.has_space;  // check/ refuses the others
    return plain && s.builtin && s.builtin->is_void() && param.name.empty() &&
           param.declarator.chunks.empty();
}

/// `f(global)`: an address space, and neither a type nor a name.
bool says_nothing(const VarDecl& param) {
    const Specifiers& s = *param.specifiers;
    bool qualified = s.is_const || s.is_volatile || s.is_restrict || s.storage != StorageClass::None;
    return !s.base_range && !qualified && param.declarator.name.empty() && param.declarator.chunks.empty();
}

}  // namespace

/// identifier-list: identifier (`,` identifier)*
/// The types follow in front of the body (parameter_declarations).
void Parser::identifier_list(List<VarDecl*>& params) {
    do {
        if (!at(Token::Identifier)) {
            error(tok_.range, "expected identifier");
            skip_to(Token::RightParen, kStopAtSemicolon | kStopAtLeftBrace);
            return;
        }
        auto* param = node<VarDecl>(tok_.range);
        param->is_param = true;
        param->specifiers = arena_.make<Specifiers>();
        param->specifiers->range = tok_.range;
        param->declarator = {.name = tok_.text, .name_range = tok_.range, .range = tok_.range};
        param->name = tok_.text;
        param->name_range = tok_.range;
        declare_ordinary(param->name);
        params.push(param);
        advance();
    } while (accept(Token::Comma));
}

/// parameter-type-list: parameter-declaration (`,` parameter-declaration)* (`,` `...`)? | `...`
/// A fault behind a parameter ends that parameter alone, as the body uses the others too.
bool Parser::parameter_list(List<VarDecl*>& params, const Bracket& paren) {
    if (at(Token::Ellipsis)) {
        error(tok_.range, "ISO C requires a named parameter before '...'");
        advance();
        return true;
    }
    do {
        if (accept(Token::Ellipsis)) return true;
        VarDecl* param = parameter();
        if (param && is_lone_void(*param)) {
            if (params.empty() && !at(Token::Comma)) return false;
            error(tok_.range, "'void' must be the first and only parameter if specified");
            synchronise();
        } else if (param) {
            params.push(param);
        }
        if (!at(Token::Comma) && !at(Token::RightParen) && !at(Token::Ellipsis) && !at(Token::End)) {
            error(tok_.range, "expected ')'").note(paren.opened(), "to match this '('");
            skip_to(Token::RightParen, kStopAtComma | kStopAtSemicolon | kStopAtLeftBrace);
        }
    } while (accept(Token::Comma));
    if (!at(Token::Ellipsis)) return false;
    error(tok_.range, "C requires a comma prior to the ellipsis in a variadic function type")
        .fixit({tok_.range.begin, tok_.range.begin}, ", ");
    advance();
    return true;
}

bool Parser::at_keyword() const {
    if (at(Token::Identifier) || tok_.text.empty()) return false;
    const char first = tok_.text[0];
    return first == '_' || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

/// parameter-declaration: declaration-specifiers (declarator | abstract-declarator?) attribute*
VarDecl* Parser::parameter() {
    if (!starts_declaration(tok_) && !at(Token::Identifier)) {
        error(tok_.range, "expected parameter declarator");
        skip_to(Token::RightParen, kStopAtComma | kStopAtSemicolon | kStopAtLeftBrace);
        return nullptr;
    }
    SourceLoc begin = tok_.range.begin;
    auto* param = node<VarDecl>(tok_.range);
    param->is_param = true;
    param->specifiers = specifiers(Context::Param, {});
    param->storage = param->specifiers->storage;
    param->declarator = declarator(Naming::Optional, Context::Param);
    if (says_nothing(*param) && (at(Token::Comma) || at(Token::RightParen))) {
        error({begin, begin}, "expected parameter declarator");
        skip_to(Token::RightParen, kStopAtComma | kStopAtSemicolon | kStopAtLeftBrace);
        return nullptr;
    }
    imply_int(*param->specifiers, param->declarator, Context::Param);
    if (param->declarator.name.empty() && at_keyword()) {
        error(tok_.range, "invalid parameter name: '", tok_.text, "' is a keyword");
        advance();
    }
    if (at(Token::Equal)) {
        error(tok_.range, "C does not support default arguments");
        skip_to(Token::RightParen, kStopAtComma | kStopAtSemicolon | kStopAtLeftBrace);
    }
    param->name = param->declarator.name;
    param->name_range = param->declarator.name_range;
    param->range = since(begin);
    declare_ordinary(param->name);
    return param;
}

/// type-name: specifier-qualifier-list abstract-declarator?
TypeName* Parser::type_name() {
    auto* name = arena_.make<TypeName>();
    SourceLoc begin = tok_.range.begin;
    if (!starts_type(tok_) && !at(Token::Identifier)) {
        error(tok_.range, "expected a type");
        name->specifiers = arena_.make<Specifiers>();
        name->specifiers->range = name->specifiers->base_range = tok_.range;
        name->specifiers->builtin = types_.error();
        name->range = tok_.range;
        return name;
    }
    name->specifiers = specifiers(Context::TypeName, {});
    name->declarator = declarator(Naming::Forbidden, Context::TypeName);
    imply_int(*name->specifiers, name->declarator, Context::TypeName);
    name->range = since(begin);
    return name;
}

}  // namespace caldera::frontend
