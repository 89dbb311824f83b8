// SPDX-License-Identifier: Apache-2.0
// Names: which identifiers are types where the parser stands (C99 6.2.1, 6.2.3).
//
// One table holds what each name means now; a scope keeps what it has hidden and puts it back when it ends. A
// name that nothing has declared is looked up among the built-in type names once, and the answer is kept in
// the same table.
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

const Parser::NameInfo& Parser::lookup(NameId name) {
    NameInfo& info = names_[name];
    if (info.is_known) return info;
    if (const Type* type = types_.builtin_name(tokens_.names().text(name), options_.features()))
        info = {.kind = NameKind::Builtin,
                .vector = type->is_vector() ? Vectorness::Yes : Vectorness::No,
                .builtin = type};
    info.is_known = true;
    return info;
}

void Parser::declare(std::string_view name, NameInfo info) {
    if (name.empty()) return;
    NameId id = tokens_.names().intern(name);
    undo_.emplace_back(id, lookup(id));
    names_[id] = info;
    names_[id].is_known = true;
}

Parser::Scope::~Scope() {
    while (parser_.undo_.size() > undo_begin_) {
        auto& [name, info] = parser_.undo_.back();
        parser_.names_[name] = info;
        parser_.undo_.pop_back();
    }
}

Parser::NameInfo Parser::typedef_info(const Specifiers& s, const Declarator& d) {
    return {.kind = NameKind::Typedef, .vector = vectorness(s, d), .is_function = is_function(s, d)};
}

Parser::Vectorness Parser::vectorness(const Specifiers& s, const Declarator& d) {
    if (!d.chunks.empty()) return Vectorness::No;
    for (auto attributes : {s.attributes, d.attributes})
        for (const Attribute& a : attributes)
            if (a.name == "ext_vector_type" || a.name == "vector_size") return Vectorness::Yes;
    if (s.builtin) return s.builtin->is_vector() ? Vectorness::Yes : Vectorness::No;
    if (!s.typedef_name.empty()) return lookup(s.typedef_name).vector;
    if (s.typeof_expr || s.is_auto_type) return Vectorness::Undecided;
    if (s.typeof_type) return vectorness(*s.typeof_type->specifiers, s.typeof_type->declarator);
    return Vectorness::No;
}

bool Parser::is_type_name(const Tok& tok) {
    if (tok.kind != Token::Identifier) return false;
    NameKind kind = lookup(tok.name).kind;
    return kind == NameKind::Typedef || kind == NameKind::Builtin;
}

bool Parser::starts_type(const Tok& tok) {
    switch (tok.kind) {
        case Token::Identifier: return is_type_name(tok) || is_generic_word(tok);
        case Token::KwVoid:
        case Token::KwChar:
        case Token::KwShort:
        case Token::KwInt:
        case Token::KwLong:
        case Token::KwFloat:
        case Token::KwDouble:
        case Token::KwHalf:
        case Token::KwBfloat16:
        case Token::KwFloat8E4M3:
        case Token::KwFloat8E5M2:
        case Token::KwBool:
        case Token::KwSigned:
        case Token::KwUnsigned:
        case Token::KwComplex:
        case Token::KwImaginary:
        case Token::KwStruct:
        case Token::KwUnion:
        case Token::KwEnum:
        case Token::KwTypeof:
        case Token::KwAutoType:
        case Token::KwAtomic:
        case Token::KwConst:
        case Token::KwVolatile:
        case Token::KwRestrict:
        case Token::KwGlobal:
        case Token::KwLocal:
        case Token::KwConstant:
        case Token::KwPrivate:
        case Token::KwGeneric:
        case Token::KwReadOnly:
        case Token::KwWriteOnly:
        case Token::KwReadWrite:
        case Token::KwPipe:
        case Token::KwAttribute: return true;
        default: return false;
    }
}

bool Parser::starts_declaration(const Tok& tok) {
    switch (tok.kind) {
        case Token::KwTypedef:
        case Token::KwExtern:
        case Token::KwStatic:
        case Token::KwAuto:
        case Token::KwRegister:
        case Token::KwInline:
        case Token::KwKernel:
        case Token::KwNoreturn:
        case Token::KwAlignas:
        case Token::KwStaticAssert: return true;
        default: return starts_type(tok);
    }
}

}  // namespace caldera::frontend
