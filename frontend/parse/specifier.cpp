// SPDX-License-Identifier: Apache-2.0
// Declaration specifiers (C99 6.7, 6.7.1 to 6.7.4; OpenCL C 6.5 to 6.8): all that stands before a declarator.
#include <algorithm>
#include <utility>

#include "frontend/parse/grammar.h"
#include "frontend/required_extensions.h"
#include "frontend/types/type_names.h"
#include "frontend/typo.h"

namespace caldera::frontend {

/// The words of C99 6.7.2p2. `base` is End until void, char, int, float, double, half or bool was seen; any
/// word or other type sets `any`.
struct Parser::Words {
    Token base = Token::End;
    Token sign = Token::End;  ///< KwSigned or KwUnsigned
    bool is_short = false;
    uint32_t longs = 0;
    SourceRange width_range = {}, sign_range = {};
    bool any_word = false;
    bool is_reserved = false;  ///< _Complex or _Imaginary, which was reported
    bool other_type = false;   ///< a typedef, a record, typeof, …
    bool is_unknown = false;   ///< an unknown word before the type may have meant anything
    std::string_view last = {};
    bool any() const { return any_word || other_type; }
};

/// declaration-specifiers: (storage-class-specifier | type-specifier | type-qualifier | function-specifier
///                          | address-space-qualifier | access-qualifier | `pipe` | attribute-specifier)*
/// `attributes` are those that were read before.
Specifiers* Parser::specifiers(Context context, std::span<Attribute> attributes) {
    auto* s = arena_.make<Specifiers>();
    List<Attribute> all(attributes_);
    for (const Attribute& a : attributes) all.push(a);
    SourceLoc begin = tok_.range.begin;
    size_t before = taken_;
    Words words;
    while (specifier(*s, words, all, context)) continue;
    finish_words(*s, words);
    if (words.is_unknown) forget_type(*s);
    s->range = taken_ == before ? SourceRange{begin, begin} : since(begin);
    s->attributes = all.finish(arena_);
    return s;
}

/// Whether the specifiers end here although the current token could continue them. After the `}` of a
/// structure, a second type, or words that lead to one, begin the next declaration, and the `;` is missing.
bool Parser::next_declaration_begins(const Specifiers& s) {
    bool has_body = (s.record && s.record->has_body) || (s.enumeration && s.enumeration->has_body);
    if (!has_body || !starts_declaration(tok_)) return false;
    switch (tok_.kind) {
        case Token::KwAttribute: return false;
        case Token::Identifier: return peek().kind == Token::Identifier;
        case Token::KwConst:
        case Token::KwVolatile:
        case Token::KwGlobal:
        case Token::KwLocal:
        case Token::KwConstant:
        case Token::KwPrivate:
        case Token::KwGeneric:
        case Token::KwTypedef:
        case Token::KwExtern:
        case Token::KwStatic:
        case Token::KwRegister:
        case Token::KwInline: return starts_type(peek());
        default: return true;
    }
}

/// One specifier; false when the current token begins none.
bool Parser::specifier(Specifiers& s, Words& words, List<Attribute>& all, Context context) {
    if (next_declaration_begins(s)) return false;
    switch (tok_.kind) {
        case Token::KwTypedef: storage_class(s, StorageClass::Typedef, context); return true;
        case Token::KwExtern: storage_class(s, StorageClass::Extern, context); return true;
        case Token::KwStatic: storage_class(s, StorageClass::Static, context); return true;
        case Token::KwAuto: storage_class(s, StorageClass::Auto, context); return true;
        case Token::KwRegister: storage_class(s, StorageClass::Register, context); return true;
        case Token::KwInline: function_specifier(s, s.is_inline, context); return true;
        case Token::KwKernel: function_specifier(s, s.is_kernel, context); return true;
        case Token::KwConst:
            if (!s.is_const) s.const_range = tok_.range;
            qualifier(s.is_const);
            return true;
        case Token::KwVolatile: qualifier(s.is_volatile); return true;
        case Token::KwRestrict: qualifier(s.is_restrict); return true;
        case Token::KwGlobal:
        case Token::KwLocal:
        case Token::KwConstant:
        case Token::KwPrivate: address_space(s.has_space, s.space, s.space_range); return true;
        case Token::KwGeneric:
            if (!options_.has(Ext::GenericAddressSpace)) return refuse_qualifier();
            address_space(s.has_space, s.space, s.space_range);
            return true;
        case Token::KwReadOnly:
        case Token::KwWriteOnly:
        case Token::KwReadWrite: access_qualifier(s); return true;
        case Token::KwPipe:
            if (words.any())
                error(tok_.range, "cannot combine with previous '", words.last, "' declaration specifier");
            s.pipe_range = tok_.range;
            qualifier(s.is_pipe);
            return true;
        case Token::KwAttribute: attributes(all); return true;
        case Token::KwAlignas: all.push(alignment_specifier()); return true;
        case Token::KwNoreturn: function_specifier(s, s.is_noreturn, context); return true;
        case Token::KwExtension: advance(); return true;
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
        case Token::KwImaginary: type_word(s, words); return true;
        case Token::KwStruct:
        case Token::KwUnion: {
            SourceRange range = tok_.range;
            RecordDecl* record = record_specifier();
            if (!words.any()) s.record = record;
            base_type(s, words, since(range.begin), record->is_union ? "union" : "struct");
            return true;
        }
        case Token::KwEnum: {
            SourceRange range = tok_.range;
            EnumDecl* enumeration = enum_specifier();
            if (!words.any()) s.enumeration = enumeration;
            base_type(s, words, since(range.begin), "enum");
            return true;
        }
        case Token::KwTypeof: {
            SourceRange range = tok_.range;
            typeof_specifier(s);
            base_type(s, words, since(range.begin), "typeof");
            return true;
        }
        case Token::KwAutoType: {
            SourceRange range = tok_.range;
            s.is_auto_type = true;
            advance();
            base_type(s, words, range, "__auto_type");
            return true;
        }
        case Token::KwAtomic: refuse_atomic(s, words); return true;
        case Token::Identifier:
            return is_generic_word(tok_) ? refuse_qualifier() : named_type(s, words, context);
        default: return false;
    }
}

// ---- Storage classes, function specifiers, qualifiers ----

void Parser::storage_class(Specifiers& s, StorageClass storage, Context context) {
    if (context == Context::Member || context == Context::TypeName)
        error(tok_.range, "type name does not allow storage class to be specified");
    else if (context == Context::Param && storage != StorageClass::Register && storage != StorageClass::Auto)
        error(tok_.range, "invalid storage class specifier in function declarator");
    else if (s.storage == storage)
        diags_.warning(Warning::DuplicateDeclSpecifier, tok_.range, "duplicate '", tok_.text,
                       "' declaration specifier");
    else if (s.storage != StorageClass::None) {
        static constexpr std::string_view kNames[] = {"", "typedef", "extern", "static", "auto", "register"};
        error(tok_.range, "cannot combine with previous '", kNames[static_cast<size_t>(s.storage)],
              "' declaration specifier");
    } else {
        s.storage = storage;
        s.storage_range = tok_.range;
    }
    advance();
}

void Parser::function_specifier(Specifiers& s, bool& flag, Context context) {
    bool may_stand = context == Context::File || context == Context::Block || context == Context::For;
    const bool is_keyword = &flag != &s.is_kernel;
    if (is_keyword && (context == Context::Param || s.storage == StorageClass::Typedef))
        error(tok_.range, "'", tok_.text, "' can only appear on functions");
    else if (!may_stand && is_keyword && (&flag == &s.is_inline || context != Context::Member))
        error(tok_.range, "type name does not allow function specifier to be specified");
    else if (!is_keyword && (!may_stand || s.storage == StorageClass::Typedef))
        error(tok_.range, "'", tok_.text, "' attribute only applies to functions");
    flag = may_stand && s.storage != StorageClass::Typedef;
    advance();
}

void Parser::qualifier(bool& flag) {
    if (flag)
        diags_.warning(Warning::DuplicateDeclSpecifier, tok_.range, "duplicate '", tok_.text,
                       "' declaration specifier");
    flag = true;
    advance();
}

/// OpenCL C 6.5. If there are two different address spaces, the first one counts.
void Parser::address_space(bool& has_space, AddressSpace& space, SourceRange& range) {
    AddressSpace named = at(Token::KwGlobal)     ? AddressSpace::Global
                         : at(Token::KwLocal)    ? AddressSpace::Local
                         : at(Token::KwConstant) ? AddressSpace::Constant
                         : at(Token::KwGeneric)  ? AddressSpace::Generic
                                                 : AddressSpace::Private;
    if (has_space && space == named)
        diags_.warning(Warning::DuplicateDeclSpecifier, tok_.range,
                       "multiple identical address spaces specified for type");
    else if (has_space)
        error(tok_.range, "multiple address spaces specified for type");
    else {
        has_space = true;
        space = named;
        range = tok_.range;
    }
    advance();
}

/// OpenCL C 6.6.
void Parser::access_qualifier(Specifiers& s) {
    const Access named = at(Token::KwReadOnly)    ? Access::ReadOnly
                         : at(Token::KwWriteOnly) ? Access::WriteOnly
                                                  : Access::ReadWrite;
    if (s.access == named)
        diags_.warning(Warning::DuplicateDeclSpecifier, tok_.range, "duplicate '", tok_.text,
                       "' declaration specifier");
    else if (s.access != Access::None)
        error(tok_.range, "multiple access qualifiers");
    s.access = named;
    s.access_range = tok_.range;
    advance();
}

// ---- Type specifiers ----

/// Records that a complete type is at `range`. Two of them are an error.
void Parser::base_type(Specifiers& s, Words& words, SourceRange range, std::string_view word) {
    if (words.any())
        error(range, "cannot combine with previous '", words.last, "' declaration specifier");
    else
        s.base_range = range, words.last = word;
    words.other_type = true;
}

/// type-specifier: `void` | `char` | `short` | `int` | `long` | `float` | `double` | `half` | `bool` |
/// `signed` | `unsigned`
void Parser::type_word(Specifiers& s, Words& words) {
    auto conflict = [&](std::string_view previous) {
        error(tok_.range, "cannot combine with previous '", previous, "' declaration specifier");
    };
    auto duplicate = [&] {
        diags_.warning(Warning::DuplicateDeclSpecifier, tok_.range, "duplicate '", tok_.text,
                       "' declaration specifier");
    };
    bool keep = true;
    if (words.other_type) {
        conflict(words.last);
        keep = false;
    } else if (at(Token::KwSigned) || at(Token::KwUnsigned)) {
        if (words.sign == tok_.kind)
            duplicate();
        else if (words.sign != Token::End)
            conflict(spelling(words.sign));
        else
            words.sign = tok_.kind, words.sign_range = tok_.range;
    } else if (at(Token::KwShort)) {
        if (words.longs)
            conflict("long");
        else if (words.is_short)
            duplicate();
        else
            words.is_short = true, words.width_range = tok_.range;
    } else if (at(Token::KwLong)) {
        if (words.is_short)
            conflict("short");
        else if (words.longs++ == 0)
            words.width_range = tok_.range;
    } else if (at(Token::KwComplex) || at(Token::KwImaginary)) {
        error(tok_.range, "'", tok_.text, "' is reserved in OpenCL C");
        words.is_reserved = true;
        keep = false;
    } else if (words.base != Token::End) {
        conflict(spelling(words.base));
        keep = false;
    } else {
        words.base = tok_.kind;
    }
    if (keep) {
        s.base_range = {words.any_word ? s.base_range.begin : tok_.range.begin, tok_.range.end};
        words.last = tok_.text;
        words.any_word = true;
    }
    advance();
}

void Parser::finish_words(Specifiers& s, const Words& words) {
    if (s.is_pipe && !words.any()) {
        error({s.pipe_range.end, s.pipe_range.end}, "missing actual type specifier for pipe");
        s.builtin = types_.error();
    }
    if (!words.any_word) return;
    s.builtin = type_of_words(s, words);
}

/// The table of C99 6.7.2p2, without the combinations that OpenCL C reserves (6.1.4).
const Type* Parser::type_of_words(const Specifiers& s, const Words& words) {
    if (words.is_reserved) return types_.error();
    bool is_integer = words.base == Token::End || words.base == Token::KwInt;
    bool is_unsigned = words.sign == Token::KwUnsigned;
    std::string_view width = words.is_short ? "short" : "long";
    if ((words.is_short || words.longs) && !is_integer) {
        if (words.base == Token::KwDouble && words.longs == 1)
            error(s.base_range, "type 'long double' is reserved in OpenCL C");
        else
            error(words.width_range, "'", width, " ", spelling(words.base), "' is invalid");
        return types_.error();
    }
    if (words.longs > 2) {
        error(s.base_range, "'long long long' is too long");
        return types_.error();
    }
    if (words.longs == 2 && !is_silent())
        diags_.warning(Warning::LongLong, s.base_range,
                       "type 'long long' is reserved in OpenCL C; treating it as 'long', which has 64 bits");
    if (words.sign != Token::End && !is_integer && words.base != Token::KwChar) {
        error(words.sign_range, "'", spelling(words.base), "' cannot be signed or unsigned");
        return types_.error();
    }
    auto integer = [&](TypeKind signed_kind, TypeKind unsigned_kind) {
        return types_.scalar(is_unsigned ? unsigned_kind : signed_kind);
    };
    switch (words.base) {
        case Token::KwVoid: return types_.scalar(TypeKind::Void);
        case Token::KwBool: return types_.scalar(TypeKind::Bool);
        case Token::KwHalf: return types_.scalar(TypeKind::Half);
        case Token::KwBfloat16: return types_.scalar(TypeKind::BFloat16);
        case Token::KwFloat8E4M3: return types_.scalar(TypeKind::Float8E4M3);
        case Token::KwFloat8E5M2: return types_.scalar(TypeKind::Float8E5M2);
        case Token::KwFloat: return types_.scalar(TypeKind::Float);
        case Token::KwDouble: return types_.scalar(TypeKind::Double);
        case Token::KwChar: return integer(TypeKind::Char, TypeKind::UChar);
        default: break;
    }
    if (words.is_short) return integer(TypeKind::Short, TypeKind::UShort);
    if (words.longs) return integer(TypeKind::Long, TypeKind::ULong);
    return integer(TypeKind::Int, TypeKind::UInt);
}

/// `generic` is reserved even if there is no generic address space (OpenCL C 6.5).
bool Parser::refuse_qualifier() {
    error(tok_.range, "OpenCL C version ", version_name(options_.standard), " does not support the '",
          tok_.text, "' type qualifier");
    synchronise();
    advance();
    return true;
}

/// type-specifier: typedef-name, where a built-in type's name counts as one until something hides it.
bool Parser::named_type(Specifiers& s, Words& words, Context context) {
    if (words.any()) return false;
    bool in_block = context == Context::Block || context == Context::For;
    NameInfo info = lookup(tok_.name);
    if (info.kind == NameKind::Builtin)
        s.builtin = info.builtin, s.builtin_name = tok_.text;
    else if (info.kind == NameKind::Typedef)
        s.typedef_name = tok_.text;
    else {
        if (info.kind == NameKind::Ordinary && in_block) return false;
        if (begins_base(peek())) return unknown_word(words, context);
        if (misspelt_tag_keyword(s, context)) return true;
        unknown_type(s, words, context);
        return words.any();
    }
    s.base_range = tok_.range;
    words.other_type = true;
    words.last = "type-name";
    advance();
    return true;
}

/// Whether a word in place of a type begins a statement, where clang takes it for an expression.
bool Parser::stands_alone(const Specifiers& s, Context context) {
    return (context == Context::Block || context == Context::For) && !s.is_const && !s.is_volatile &&
           !s.has_space && s.storage == StorageClass::None;
}

/// Handles an identifier in place of a type. It is the declared name if the next token can follow one
/// (implicit int). Otherwise it is an undeclared type, which is reported and becomes the error type.
void Parser::unknown_type(Specifiers& s, Words& words, Context context) {
    bool names_declarator = false;
    switch (peek().kind) {
        case Token::Semicolon:
        case Token::Equal:
        case Token::LeftBracket:
        case Token::LeftParen:
        case Token::LeftBrace:
        case Token::Colon: names_declarator = context != Context::TypeName; break;
        case Token::Comma:
        case Token::RightParen: names_declarator = context != Context::TypeName; break;
        default: break;
    }
    if (names_declarator) return;
    if (auto tag = tags_.find(tok_.text); tag != tags_.end())
        error(tok_.range, "must use '", tag->second, "' tag to refer to type '", tok_.text, "'")
            .fixit({tok_.range.begin, tok_.range.begin}, std::string(tag->second) + " ");
    else if (const std::vector<Ext> missing = missing_for_type(tok_.text, options_.features());
             !missing.empty())
        error(tok_.range, "use of type '", tok_.text, "' ", requires_support(missing));
    else if (std::string near = nearest_type(tok_.text); !near.empty())
        error(tok_.range, "unknown type name '", tok_.text, "'; did you mean '", near, "'?")
            .fixit(tok_.range, near);
    else if (stands_alone(s, context))
        error(tok_.range, "use of undeclared identifier '", tok_.text, "'");
    else
        error(tok_.range, "unknown type name '", tok_.text, "'");
    end_is_reported_ |= peek().kind == Token::End;
    if (context == Context::Param) synchronise();  // one for each; elsewhere one for the declaration
    s.builtin = types_.error();
    s.builtin_name = tok_.text;
    s.base_range = tok_.range;
    words.other_type = true;
    words.last = "type-name";
    advance();
}

/// `strcut s`: a misspelt `struct`, `union` or `enum` in front of a tag, which takes the keyword's place.
bool Parser::misspelt_tag_keyword(const Specifiers& s, Context context) {
    static constexpr std::pair<std::string_view, Token> kKeywords[] = {
        {"struct", Token::KwStruct}, {"union", Token::KwUnion}, {"enum", Token::KwEnum}};
    if (peek().kind != Token::Identifier || tags_.contains(tok_.text)) return false;
    Nearest nearest(tok_.text);
    for (const auto& [text, token] : kKeywords) nearest.consider(text);
    const std::string_view near = nearest.found();
    if (near.empty() || !diags_.seeks_meaning(Diagnostics::Misspelt::Tag, tok_.text)) return false;
    if (!nearest_type(tok_.text).empty()) return false;
    error(tok_.range, stands_alone(s, context) ? "use of undeclared identifier '" : "unknown type name '",
          tok_.text, "'; did you mean '", near, "'?")
        .fixit(tok_.range, std::string(near));
    synchronise();
    tok_.kind = std::ranges::find(kKeywords, near, [](const auto& row) { return row.first; })->second;
    return true;
}

/// Whether it names a type, begins a structure or an enumeration, or is a word that rarely follows the type.
bool Parser::begins_base(const Tok& tok) {
    switch (tok.kind) {
        case Token::Identifier: return is_type_name(tok);
        case Token::KwConst:
        case Token::KwVolatile:
        case Token::KwRestrict:
        case Token::KwGlobal:
        case Token::KwLocal:
        case Token::KwConstant:
        case Token::KwPrivate:
        case Token::KwGeneric: return false;  // may follow the type
        case Token::KwKernel:
        case Token::KwInline:
        case Token::KwStatic:
        case Token::KwExtern:
        case Token::KwTypedef: return true;
        default: return starts_type(tok);
    }
}

/// An unknown word in front of a type: a misspelt keyword, whose place the keyword takes, or a macro that
/// nobody defined.
bool Parser::unknown_word(Words& words, Context context) {
    static constexpr std::pair<std::string_view, Token> kKeywords[] = {
        {"kernel", Token::KwKernel},        {"__kernel", Token::KwKernel},
        {"global", Token::KwGlobal},        {"__global", Token::KwGlobal},
        {"local", Token::KwLocal},          {"__local", Token::KwLocal},
        {"constant", Token::KwConstant},    {"__constant", Token::KwConstant},
        {"private", Token::KwPrivate},      {"__private", Token::KwPrivate},
        {"read_only", Token::KwReadOnly},   {"__read_only", Token::KwReadOnly},
        {"write_only", Token::KwWriteOnly}, {"__write_only", Token::KwWriteOnly},
        {"read_write", Token::KwReadWrite}, {"__read_write", Token::KwReadWrite},
        {"const", Token::KwConst},          {"volatile", Token::KwVolatile},
        {"static", Token::KwStatic},        {"inline", Token::KwInline},
        {"unsigned", Token::KwUnsigned},    {"signed", Token::KwSigned},
        {"typedef", Token::KwTypedef},      {"struct", Token::KwStruct},
    };
    std::string near;
    if (diags_.seeks_meaning(Diagnostics::Misspelt::Type, tok_.text)) {
        Nearest nearest(tok_.text);
        for (const auto& [text, token] : kKeywords) nearest.consider(text);
        near = nearest.found();
        if (near.empty()) diags_.found_no_meaning(Diagnostics::Misspelt::Type, tok_.text);
    }
    if (near.empty()) {
        error(tok_.range, "unknown type name '", tok_.text, "'");
        if (context == Context::Param) synchronise();  // one for each; elsewhere one for the declaration
        words.is_unknown = true;
        advance();
        return true;
    }
    error(tok_.range, "unknown type name '", tok_.text, "'; did you mean '", near, "'?")
        .fixit(tok_.range, near);
    synchronise();
    tok_.kind = std::ranges::find(kKeywords, near, [](const auto& row) { return row.first; })->second;
    return true;
}

/// The type is the error type, whatever was read.
void Parser::forget_type(Specifiers& s) {
    s.builtin = types_.error();
    s.builtin_name = s.typedef_name = {};
    s.record = nullptr;
    s.enumeration = nullptr;
    s.typeof_expr = nullptr;
    s.typeof_type = nullptr;
    s.is_auto_type = false;
}

/// The type name that a misspelt name probably means; empty if none is similar.
std::string Parser::nearest_type(std::string_view name) {
    static constexpr std::string_view kScalars[] = {
        "char",  "uchar",  "short",  "ushort",    "int",      "uint",      "long", "ulong",
        "float", "double", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "void", "half"};
    if (!diags_.seeks_meaning(Diagnostics::Misspelt::Type, name)) return {};
    std::vector<std::string> vectors;
    for (size_t i = 0; i < 10; ++i)
        for (const char* lanes : {"2", "3", "4", "8", "16"})
            vectors.push_back(std::string(kScalars[i]) + lanes);
    Nearest nearest(name);
    for (std::string_view scalar : kScalars) nearest.consider(scalar);
    for (const std::string& vector : vectors) nearest.consider(vector);
    for (NameId id = 0; id < tokens_.names().size(); ++id)
        if (lookup(id).kind == NameKind::Typedef) nearest.consider(tokens_.names().text(id));
    if (nearest.found().empty()) diags_.found_no_meaning(Diagnostics::Misspelt::Type, name);
    return std::string(nearest.found());
}

/// typeof-specifier: `typeof` `(` expression | type-name `)`
void Parser::typeof_specifier(Specifiers& s) {
    advance();
    if (!at(Token::LeftParen)) {
        Nest nest(*this);
        s.typeof_expr = cast_expression();
        return;
    }
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    if (starts_type(tok_))
        s.typeof_type = type_name();
    else
        s.typeof_expr = expression();
    paren.close();
}

/// alignment-specifier: `_Alignas` `(` type-name | constant-expression `)`, the same as an attribute
/// aligned(…)
Attribute Parser::alignment_specifier() {
    Attribute a{.name = "aligned", .range = tok_.range, .is_alignas = true};
    advance();
    if (!at(Token::LeftParen)) {
        error(tok_.range, "expected '(' after '_Alignas'");
        return a;
    }
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    Expr* bytes = nullptr;
    if (starts_type(tok_)) {
        auto* alignment = node<SizeofTypeExpr>(tok_.range);
        alignment->op = SizeofOp::Alignof;
        alignment->written = type_name();
        bytes = alignment;
    } else {
        bytes = conditional_expression();
    }
    a.args = arena_.copy(std::span<Expr* const>(&bytes, 1));
    paren.close();
    a.range = since(a.range.begin);
    return a;
}

/// OpenCL C has the types of 6.13.11 (atomic_int, …) in place of `_Atomic` and `_Atomic(T)`.
void Parser::refuse_atomic(Specifiers& s, Words& words) {
    error(tok_.range, "'_Atomic' is not supported in OpenCL C; use an atomic type such as 'atomic_int'");
    SourceRange range = tok_.range;
    advance();
    if (!at(Token::LeftParen)) return;
    skip_balanced();
    s.builtin = types_.error();
    base_type(s, words, range, "_Atomic");
}

}  // namespace caldera::frontend
