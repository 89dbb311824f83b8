// SPDX-License-Identifier: Apache-2.0
// Structures, unions and enumerations (C99 6.7.2.1 to 6.7.2.3).
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

/// struct-or-union-specifier: (`struct` | `union`) attribute* (identifier | identifier? `{`
/// struct-declaration* `}` attribute*)
RecordDecl* Parser::record_specifier() {
    auto* record = node<RecordDecl>(tok_.range);
    body_outlives_ = true;
    SourceRange keyword = tok_.range;
    record->is_union = at(Token::KwUnion);
    record->pack_bytes = pack_bytes_;
    advance();
    List<Attribute> all(attributes_);
    attributes(all);
    if (at(Token::Identifier)) {
        record->name = tok_.text;
        record->name_range = tok_.range;
        tags_[tok_.text] = record->is_union ? "union" : "struct";
        advance();
    }
    if (at(Token::LeftBrace)) {
        Nest nest(*this);
        record->has_body = true;
        List<FieldDecl*> fields(fields_);
        List<Decl*> members(decls_);
        Bracket brace(*this, Token::LeftBrace);
        while (!at(Token::RightBrace) && !at(Token::End)) struct_declaration(fields, members, record);
        record->fields = fields.finish(arena_);
        if (record->fields.empty())
            diags_.warning(Warning::GnuEmptyStruct, keyword, "empty ", record->is_union ? "union" : "struct",
                           " is a GNU extension");
        record->member_decls = members.finish(arena_);
        brace.close();
        attributes(all);
    } else if (record->name.empty()) {
        error(keyword, "declaration of anonymous ", record->is_union ? "union" : "struct",
              " must be a definition");
        record->has_body = true;
    }
    record->attributes = all.finish(arena_);
    record->range = since(keyword.begin);
    return record;
}

/// struct-declaration: `;` | static_assert-declaration | specifier-qualifier-list (struct-declarator (`,`
/// struct-declarator)*)? `;`
void Parser::struct_declaration(List<FieldDecl*>& fields, List<Decl*>& members, RecordDecl* parent) {
    synchronise();
    if (at(Token::Pragma)) {
        if (!pack_pragma(tok_))
            error(tok_.range, "this pragma cannot appear in ", parent->is_union ? "union" : "struct",
                  " declaration");
        return advance();
    }
    if (at(Token::Semicolon)) {
        diags_.warning(Warning::ExtraSemicolon, tok_.range, "extra ';' inside a ",
                       parent->is_union ? "union" : "struct");
        return advance();
    }
    if (at(Token::KwStaticAssert)) return members.push(static_assert_declaration());
    Specifiers* s = specifiers(Context::Member, {});
    if (s->record) members.push(s->record);
    if (s->enumeration) members.push(s->enumeration);
    auto add = [&](FieldDecl* field) {
        field->parent = parent;
        field->index = static_cast<uint32_t>(fields.size());
        fields.push(field);
    };
    if (!at(Token::Semicolon)) {
        do add(struct_declarator(s));
        while (accept(Token::Comma));
    } else if (s->record && s->record->name.empty()) {  // C11 6.7.2.1p13
        auto* field = node<FieldDecl>(s->range);
        field->specifiers = s;
        diags_.warning(Warning::C11Extensions, s->base_range, "anonymous ",
                       s->record->is_union ? "unions" : "structs", " are a C11 extension");
        add(field);
    } else if (!s->record && !s->enumeration) {
        diags_.warning(Warning::MissingDeclarations, s->range, "declaration does not declare anything");
    }
    if (accept(Token::Semicolon)) return;
    if (at(Token::RightBrace) && !is_silent()) {
        diags_.warning(Warning::MissingSemicolon, after_last(), "expected ';' at end of declaration list")
            .fixit(after_last(), ";");
        return;
    }
    error(after_last(), "expected ';' at end of declaration list").fixit(after_last(), ";");
    if (!starts_type(tok_)) skip_statement();
}

/// struct-declarator: declarator attribute* | declarator? `:` constant-expression attribute*
FieldDecl* Parser::struct_declarator(Specifiers* s) {
    auto* field = node<FieldDecl>(s->range);
    field->specifiers = s;
    SourceLoc begin = s->range.begin;
    if (!at(Token::Colon)) {
        field->declarator = declarator(Naming::Required, Context::Member);
        imply_int(*s, field->declarator, Context::Member);
    }
    if (accept(Token::Colon)) {
        Nest nest(*this);
        field->bit_width = conditional_expression();
    }
    if (at(Token::KwAttribute)) {
        List<Attribute> all(attributes_);
        for (const Attribute& a : field->declarator.attributes) all.push(a);
        attributes(all);
        field->declarator.attributes = all.finish(arena_);
    }
    field->name = field->declarator.name;
    field->name_range = field->declarator.name_range;
    field->range = since(begin);
    return field;
}

/// enum-specifier: `enum` attribute* (identifier | identifier? (`:` type-name)? `{` enumerator (`,`
/// enumerator)* `,`? `}` attribute*)
EnumDecl* Parser::enum_specifier() {
    auto* result = node<EnumDecl>(tok_.range);
    body_outlives_ = true;
    SourceRange keyword = tok_.range;
    advance();
    List<Attribute> all(attributes_);
    attributes(all);
    if (at(Token::Identifier)) {
        result->name = tok_.text;
        result->name_range = tok_.range;
        tags_[tok_.text] = "enum";
        advance();
    }
    if (at(Token::Colon) && starts_type(peek())) {
        advance();
        result->written_underlying = type_name();
    }
    if (at(Token::LeftBrace)) {
        Nest nest(*this);
        result->has_body = true;
        List<EnumConstantDecl*> constants(enumerators_);
        Bracket brace(*this, Token::LeftBrace);
        if (at(Token::RightBrace)) error(tok_.range, "use of empty enum");
        bool after_comma = true;
        while (at(Token::Identifier)) {
            after_comma = false;
            constants.push(enumerator());
            if (at(Token::Identifier))
                error(after_last(), "missing ',' between enumerators").fixit(after_last(), ", ");
            else if (!accept(Token::Comma))
                break;
            after_comma = true;
            synchronise();
        }
        result->constants = constants.finish(arena_);
        if (!at(Token::RightBrace) && after_comma) error(tok_.range, "expected identifier");
        if (!at(Token::RightBrace)) {
            error(tok_.range, "expected '}' or ','").note(brace.opened(), "to match this '{'");
            skip_to(Token::RightBrace, 0);
        }
        brace.close();
        attributes(all);
    } else if (result->name.empty()) {
        error(tok_.range, "expected identifier or '{'");
        result->has_body = true;
    }
    result->attributes = all.finish(arena_);
    result->range = since(keyword.begin);
    return result;
}

/// enumerator: identifier attribute* (`=` constant-expression)?
EnumConstantDecl* Parser::enumerator() {
    auto* constant = node<EnumConstantDecl>(tok_.range);
    constant->name = tok_.text;
    constant->name_range = tok_.range;
    advance();
    constant->attributes = attributes();
    if (accept(Token::Equal)) {
        Nest nest(*this);
        constant->init = conditional_expression();
    }
    declare_ordinary(constant->name);
    constant->range = since(constant->name_range.begin);
    return constant;
}

}  // namespace caldera::frontend
