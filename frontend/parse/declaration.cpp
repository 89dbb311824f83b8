// SPDX-License-Identifier: Apache-2.0
// Declarations and function definitions (C99 6.7, 6.9).
#include "frontend/lex/literal.h"
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

namespace {

bool has_base(const Specifiers& s) {
    return s.builtin || !s.typedef_name.empty() || s.record || s.enumeration || s.typeof_expr ||
           s.typeof_type || s.is_auto_type;
}

/// `struct s { … }` or `enum e { … }`
bool has_body(const Specifiers& s) {
    return (s.record && s.record->has_body) || (s.enumeration && s.enumeration->has_body);
}

std::string_view semicolon_message(bool file_scope) {
    return file_scope ? "after top level declarator" : "at end of declaration";
}

}  // namespace

/// external-declaration: function-definition | declaration | static_assert-declaration | pragma | `;`
void Parser::external_declaration(std::vector<Decl*>& unit) {
    synchronise();
    size_t before = taken_;
    if (at(Token::Semicolon)) {
        diags_.warning(Warning::ExtraSemicolon, tok_.range, "extra ';' outside of a function");
        advance();
    } else if (at(Token::RightBrace)) {
        error(tok_.range, "extraneous closing brace ('}')");
        advance();
    } else if (at(Token::Pragma)) {
        if (Decl* decl = file_pragma()) unit.push_back(decl);
    } else {
        List<Decl*> decls(decls_);
        declaration(Context::File, {}, decls);
        for (size_t i = 0; i < decls.size(); ++i) unit.push_back(decls[i]);
    }
    if (taken_ == before && !at(Token::End)) skip_balanced();
}

/// declaration: declaration-specifiers (init-declarator (`,` init-declarator)*)? `;`
/// function-definition: declaration-specifiers declarator compound-statement
/// In a `for` header the `;` is left to the caller. `attributes` were read before.
void Parser::declaration(Context context, std::span<Attribute> attributes, List<Decl*>& decls) {
    if (at(Token::KwStaticAssert)) return decls.push(static_assert_declaration());
    if (at(Token::KwAsm)) {
        refuse_asm();
        return skip_declaration();
    }
    Specifiers* s = specifiers(context, attributes);
    if (at(Token::Semicolon) && context != Context::For && s->range.begin != s->range.end) {
        decls.push(empty_declaration(s));
        return advance();
    }
    bool ends_here = at(Token::End) || at(Token::RightBrace);
    if (context != Context::For && (next_declaration_begins(*s) || (ends_here && has_body(*s)))) {
        std::string_view word = s->enumeration ? "enum" : s->record->is_union ? "union" : "struct";
        error(after_last(), "expected ';' after ", word).fixit(after_last(), ";");
        decls.push(empty_declaration(s));
        return;
    }
    init_declarators(context, s, decls);
}

/// init-declarator-list: init-declarator (`,` init-declarator)*
void Parser::init_declarators(Context context, Specifiers* s, List<Decl*>& decls) {
    bool first = true;
    do {
        Declarator d = declarator(Naming::Required, context);
        if (d.name.empty()) {
            imply_int(*s, d, context);
            if (context == Context::For) return;
            return skip_declaration();
        }
        imply_int(*s, d, context);
        Decl* decl = init_declarator(context, s, d);
        decls.push(decl);
        auto* function = dyn<FunctionDecl>(decl);
        if (function && first && function_body(*function, context)) return;
        if (!function && at(Token::LeftBrace) && is_function(*s, d)) {
            error(tok_.range, "function definition declared 'typedef'");
            return skip_declaration();
        }
        first = false;
    } while (accept(Token::Comma));
    if (context != Context::For) expect_semicolon(semicolon_message(context == Context::File));
}

/// init-declarator: declarator asm-label? attribute* (`=` initializer)?
Decl* Parser::init_declarator(Context context, Specifiers* s, Declarator& d) {
    if (at(Token::KwAsm)) refuse_asm();
    Decl* decl = nullptr;
    VarDecl* variable = nullptr;
    body_outlives_ |= s->storage != StorageClass::None || s->has_space;
    if (s->storage == StorageClass::Typedef) {
        decl = typedef_declarator(s, d);
    } else if (is_function(*s, d)) {
        decl = function_declarator(s, d);
    } else {
        decl = variable = node<VarDecl>(s->range);
        variable->specifiers = s;
        variable->declarator = d;
        variable->storage = s->storage;
        variable->is_file_scope = context == Context::File;
        declare_ordinary(d.name);  // C99 6.2.1p7: its scope begins before its initialiser
        if (s->is_kernel)
            error(s->range, "'kernel' attribute only applies to functions");
        else if (s->is_inline)
            error(s->range, "'inline' can only appear on functions");
        else if (s->is_noreturn)
            error(s->range, "'_Noreturn' can only appear on functions");
    }
    decl->name = d.name;
    decl->name_range = d.name_range;
    if (at(Token::Equal)) {
        if (!variable) error(tok_.range, "illegal initializer (only variables can be initialized)");
        advance();
        Nest nest(*this);
        Expr* init = whole(initializer());
        if (variable) variable->init = init;
        // The rest of a faulty initialiser may look like a declaration, which would take the place of the
        // next declarators.
        const bool in_header = context == Context::For;
        if (panicking_ && in_header && at(Token::RightParen) && peek().kind == Token::Semicolon) advance();
        if (panicking_ && !in_header && !tok_.at_line_start) skip_to(Token::Comma, kStopAtSemicolon);
    }
    decl->range = since(s->range.begin);
    return decl;
}

Decl* Parser::typedef_declarator(Specifiers* s, Declarator& d) {
    auto* decl = node<TypedefDecl>(s->range);
    decl->specifiers = s;
    decl->declarator = d;
    declare(d.name, typedef_info(*s, d));
    return decl;
}

FunctionDecl* Parser::function_declarator(Specifiers* s, Declarator& d) {
    auto* function = node<FunctionDecl>(s->range);
    body_outlives_ = true;
    function->specifiers = s;
    function->declarator = d;
    if (!d.chunks.empty()) function->params = d.chunks[0].params;
    function->is_kernel = s->is_kernel;
    function->is_inline = s->is_inline;
    function->storage = s->storage;
    declare_ordinary(d.name);
    return function;
}

bool Parser::is_function(const Specifiers& s, const Declarator& d) {
    if (!d.chunks.empty()) return d.chunks[0].kind == ChunkKind::Function;
    return !s.typedef_name.empty() && lookup(s.typedef_name).is_function;
}

/// declaration-list of a definition whose parameters are only named before (C99 6.9.1): int f(a, b) int a;
/// float b; { … }
void Parser::parameter_declarations(FunctionDecl& function) {
    while (!at(Token::LeftBrace) && !at(Token::KwStaticAssert) && starts_declaration(tok_)) {
        Specifiers* s = specifiers(Context::Param, {});
        do {
            SourceLoc begin = tok_.range.begin;
            Declarator d = declarator(Naming::Required, Context::Param);
            auto named = [&](const VarDecl* param) { return param->name == d.name; };
            auto found = std::ranges::find_if(function.params, named);
            if (found == function.params.end()) {
                error(d.name_range, "parameter named '", d.name, "' is missing");
                continue;
            }
            (*found)->specifiers = s;
            (*found)->declarator = d;
            (*found)->storage = s->storage;
            (*found)->range = since(begin);
        } while (accept(Token::Comma));
        expect_semicolon("at end of declaration");
    }
}

/// The body of a definition, when there is one. True: the declaration ends here, without a `;`.
bool Parser::function_body(FunctionDecl& function, Context context) {
    std::span<DeclaratorChunk> chunks = function.declarator.chunks;
    if (context == Context::File && !chunks.empty() && chunks[0].is_identifier_list) {
        if (!at(Token::Semicolon) && !at(Token::Comma)) parameter_declarations(function);
        if (at(Token::LeftBrace))
            for (VarDecl* param : function.params)
                imply_int(*param->specifiers, param->declarator, Context::Param);
        else
            error(chunks[0].params.front()->range,
                  "a parameter list without types is only allowed in a function definition");
    }
    if (at(Token::LeftBrace) && chunks.empty()) return false;
    if (at(Token::LeftBrace)) {
        if (context != Context::File) {
            error(tok_.range, "function definition is not allowed here");
            skip_balanced();
            synchronise();
            return true;
        }
        synchronise();
        Scope scope(*this);
        for (VarDecl* param : function.params) declare_ordinary(param->name);
        Arena::Body inside(arena_);
        in_function_ = true;
        body_outlives_ = false;
        function.body = compound_statement();
        function.body_outlives = body_outlives_;
        in_function_ = false;
        function.range = since(function.range.begin);
        return true;
    }
    bool may_follow =
        at(Token::Semicolon) || at(Token::Comma) || (starts_declaration(tok_) && !at(Token::KwKernel));
    if (may_follow || context != Context::File || chunks.empty()) return false;
    error(tok_.range, "expected function body after function declarator");
    skip_declaration();
    return true;
}

/// A declaration without declarators.
Decl* Parser::empty_declaration(Specifiers* s) {
    auto* decl = node<EmptyDecl>(s->range);
    decl->specifiers = s;
    bool declares = (s->record && !s->record->name.empty()) || s->enumeration;
    if (is_silent()) return decl;
    if (s->storage == StorageClass::Typedef)
        diags_.warning(Warning::MissingDeclarations, s->range, "typedef requires a name");
    else if (!declares && (has_base(*s) || !s->range))
        diags_.warning(Warning::MissingDeclarations, s->range, "declaration does not declare anything");
    return decl;
}

/// static_assert-declaration: `_Static_assert` `(` constant-expression (`,` string-literal)? `)` `;`
Decl* Parser::static_assert_declaration() {
    auto* decl = node<StaticAssertDecl>(tok_.range);
    diags_.warning(Warning::C11Extensions, tok_.range, "'_Static_assert' is a C11 extension");
    SourceLoc begin = tok_.range.begin;
    advance();
    if (!at(Token::LeftParen)) {
        error(tok_.range, "expected '(' after '_Static_assert'");
        decl->condition = error_expr(tok_.range);
        skip_statement();
        return decl;
    }
    {
        Bracket paren(*this, Token::LeftParen);
        Nest nest(*this);
        decl->condition = conditional_expression();
        if (at(Token::RightParen)) {
            diags_.warning(Warning::C2xExtensions, tok_.range,
                           "'_Static_assert' with no message is a C2x extension");
        } else if (expect(Token::Comma)) {
            if (at(Token::String))
                decl->message = as<StringLiteralExpr>(*string()).value;
            else
                error(tok_.range, "expected string literal for diagnostic message in static_assert");
        }
        paren.close();
    }
    decl->range = since(begin);
    expect_semicolon("after static_assert");
    return decl;
}

/// C89's implicit int, which clang still accepts. Otherwise the result is the error type.
void Parser::imply_int(Specifiers& s, const Declarator& d, Context context) {
    if (has_base(s)) return;
    SourceRange range = d.name_range ? d.name_range : s.range;
    const bool is_bare = s.range.begin.offset == s.range.end.offset;  // without qualifiers
    if (is_bare && (context == Context::Member || context == Context::TypeName))
        error(range, "type name requires a specifier or qualifier");
    else if (!is_silent())
        diags_.warning(
            Warning::ImplicitInt, range,
            "type specifier missing, defaults to 'int'; ISO C99 and later do not support implicit int");
    s.builtin = is_silent() ? types_.error() : types_.scalar(TypeKind::Int);
    s.base_range = range;
}

/// asm: `asm` `volatile`? `(` … `)`
void Parser::refuse_asm() {
    error(tok_.range, "inline assembly is not supported");
    advance();
    while (at(Token::KwVolatile) || at(Token::KwGoto) || at(Token::KwInline)) advance();
    if (at(Token::LeftParen)) skip_balanced();
}

}  // namespace caldera::frontend
