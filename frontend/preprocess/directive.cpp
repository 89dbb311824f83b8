// SPDX-License-Identifier: Apache-2.0
// Directives (C99 6.10), conditional groups among them (6.10.1).
#include "frontend/preprocess/engine.h"

namespace caldera::frontend::pp {
namespace {

enum class Name : uint8_t {
    Unknown,
    Define,
    Undef,
    Include,
    IncludeNext,
    IncludeMacros,  // -imacros
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
    Line,
    Error,
    Warning,
    Pragma,
    Ident
};

Name directive_name(std::string_view text) {
    struct Row {
        std::string_view text;
        Name name;
    };
    static constexpr Row kRows[] = {
        {"define", Name::Define},
        {"undef", Name::Undef},
        {"include", Name::Include},
        {"if", Name::If},
        {"ifdef", Name::Ifdef},
        {"ifndef", Name::Ifndef},
        {"elif", Name::Elif},
        {"elifdef", Name::Elifdef},
        {"elifndef", Name::Elifndef},
        {"else", Name::Else},
        {"endif", Name::Endif},
        {"line", Name::Line},
        {"error", Name::Error},
        {"warning", Name::Warning},
        {"pragma", Name::Pragma},
        {"ident", Name::Ident},
        {"sccs", Name::Ident},
        {"include_next", Name::IncludeNext},
        {"__include_macros", Name::IncludeMacros},
    };
    for (const Row& row : kRows)
        if (row.text == text) return row.name;
    return Name::Unknown;
}

}  // namespace

/// Reads a whole directive, its newline included.
void Engine::directive(const Tok& hash) {
    lexer().begin_directive();
    Tok name = lexer().next();
    if (name.kind == Token::Newline) return;  // the null directive
    if (file().conditionals.empty() && name.text != "ifndef") file().unguarded = true;
    if (collecting_ != 0)
        diags_.warning(Warning::EmbeddedDirective, hash.range,
                       "embedding a directive within macro arguments has undefined behavior");
    if (name.kind == Token::Number) {  // `# 12 "file"`: what -E leaves
        line(&name);
        finish_directive();
        return;
    }
    switch (name.kind == Token::Identifier ? directive_name(name.text) : Name::Unknown) {
        case Name::Define: define(); break;
        case Name::Undef: undefine(); break;
        case Name::Include: return include(name, false);
        case Name::IncludeNext: return include(name, true);
        case Name::IncludeMacros: return include(name, false, true);
        case Name::If:
        case Name::Ifdef:
        case Name::Ifndef: return conditional(name, name.range);
        case Name::Elif:
        case Name::Elifdef:
        case Name::Elifndef:
        case Name::Else: return else_group(name, name.range);
        case Name::Endif: end_group(name.range); break;
        case Name::Line: line(nullptr); break;
        case Name::Error: message(name, true); break;
        case Name::Warning: message(name, false); break;
        case Name::Pragma: return pragma();
        case Name::Ident: ident(name); break;
        case Name::Unknown: diags_.error(name.range, "invalid preprocessing directive"); break;
    }
    finish_directive();
}

/// Skips the rest of the directive and its newline.
void Engine::finish_directive() {
    while (!contexts_.empty() && !contexts_.back().barrier) pop_context();
    carry_space_ = false;  // of the directive's own macros
    lexer().skip_directive();
}

void Engine::expect_end(std::string_view directive) {
    Tok tok = lexer().next();
    if (tok.kind == Token::Newline) return;
    diags_.warning(Warning::ExtraTokens, tok.range, "extra tokens at end of #", directive, " directive")
        .fixit({tok.range.begin, tok.range.begin}, "//");
}

// ---- Conditional groups ----

bool Engine::is_defined_directive(bool wanted, std::string_view name) {
    std::optional<Tok> macro = macro_name(false);
    if (!macro) return false;
    if (file().conditionals.empty()) note_guard(*macro);
    expect_end(name);
    return is_defined(*macro) == wanted;
}

/// A file that consists of `#ifndef guard` … `#endif` and comments is empty when it is included again.
/// `guard` is the name in an #ifndef outside all groups; the first may be the only one.
void Engine::note_guard(const Tok& guard) {
    if (file().guard != 0) file().unguarded = true;
    file().guard = guard.name;
}

void Engine::conditional(const Tok& name, SourceRange place) {
    bool taken = name.text == "if" ? condition() : is_defined_directive(name.text == "ifdef", name.text);
    finish_directive();
    begin_group(place, taken);
}

void Engine::begin_group(SourceRange place, bool taken) {
    file().conditionals.push_back({.directive = place, .taken = taken});
    if (!taken) skip_groups();
}

/// C23's #elifdef and #elifndef.
void Engine::warn_elifdef(const Tok& name) {
    if (name.text == "elifdef" || name.text == "elifndef")
        diags_.warning(Warning::C2xExtensions, name.range, "use of a '#", name.text,
                       "' directive is a C2x extension");
}

/// At #else or #elif after a group that was read, the remaining groups are skipped.
void Engine::else_group(const Tok& name, SourceRange place) {
    bool is_else = name.text == "else";
    file().unguarded |= file().conditionals.size() == 1;
    if (file().conditionals.empty()) {
        diags_.error(place, "#", name.text, " without #if");
        return finish_directive();
    }
    warn_elifdef(name);
    Conditional& top = file().conditionals.back();
    if (top.seen_else) diags_.error(place, "#", name.text, " after #else");
    if (is_else) {
        top.seen_else = true;
        expect_end("else");
    }
    finish_directive();
    skip_groups();
}

void Engine::end_group(SourceRange place) {
    if (file().conditionals.empty()) {
        diags_.error(place, "#endif without #if");
        return;
    }
    file().conditionals.pop_back();
    expect_end("endif");
}

/// Skips to the next group of the innermost conditional that must be read, or past its #endif.
void Engine::skip_groups() {
    lexer().set_quiet(true);
    size_t nested = 0;
    for (;;) {
        if (lexer().skip_to_directive().kind == Token::End) break;
        lexer().begin_directive();
        Tok name = lexer().next();
        Name kind = name.kind == Token::Identifier ? directive_name(name.text) : Name::Unknown;
        Conditional& top = file().conditionals.back();
        if (kind == Name::If || kind == Name::Ifdef || kind == Name::Ifndef) {
            ++nested;
        } else if (kind == Name::Endif) {
            if (nested == 0) {
                lexer().set_quiet(false);
                end_group(name.range);
                finish_directive();
                return;
            }
            --nested;
        } else if (kind >= Name::Elif && kind <= Name::Else && nested == 0) {
            lexer().set_quiet(false);
            warn_elifdef(name);
            file().unguarded |= file().conditionals.size() == 1;
            if (top.seen_else) diags_.error(name.range, "#", name.text, " after #else");
            bool wanted = !top.taken && !top.seen_else;
            if (kind == Name::Else) {
                top.seen_else = true;
                expect_end("else");
            } else if (wanted) {
                wanted =
                    kind == Name::Elif ? condition() : is_defined_directive(kind == Name::Elifdef, name.text);
            }
            finish_directive();
            if (wanted) {
                file().conditionals.back().taken = true;
                return;
            }
            lexer().set_quiet(true);
        }
        lexer().skip_directive();
    }
    lexer().set_quiet(false);
}

// ---- #line, #error, #warning ----

/// #line digits ["file"] (6.10.4), or a linemarker whose digits were read.
void Engine::line(const Tok* digits) {
    bool is_marker = digits != nullptr;
    Tok number = is_marker ? *digits : lex_expanded();
    uint64_t value = 0;
    bool good = number.kind == Token::Number && number.text.size() < 18;
    for (char c : number.text) {
        good &= c >= '0' && c <= '9';
        value = value * 10 + static_cast<uint64_t>(c - '0');
    }
    if (!good || value > 0xffffffff) {
        diags_.error(number.range, is_marker ? "invalid preprocessing directive"
                                             : "#line directive requires a positive integer argument");
        return;
    }
    if (value > 2147483647) {
        diags_.warning(Warning::Pedantic, number.range,
                       "C requires #line number to be less than 2147483648, "
                       "allowed as extension");
        value &= 0x7FFFFFFF;
    }
    Tok name = lex_expanded();
    std::string file_name;
    if (name.kind == Token::String && !name.text.starts_with('L')) {
        for (size_t i = 1; i + 1 < name.text.size(); ++i) {
            if (name.text[i] == '\\' && i + 2 < name.text.size()) ++i;
            file_name += name.text[i];
        }
        Tok after = is_marker ? Tok{.kind = Token::Newline} : lex_expanded();
        if (after.kind != Token::Newline)
            diags_.warning(Warning::ExtraTokens, after.range, "extra tokens at end of #line directive");
    } else if (name.kind != Token::Newline) {
        diags_.error(name.range, "invalid filename for #line directive");
        return;
    }
    sources_.add_line_directive(number.range.begin, static_cast<uint32_t>(value), std::move(file_name));
}

/// #error (6.10.5) and #warning: the rest of the line as it stands.
void Engine::message(const Tok& name, bool is_error) {
    std::string text(lexer().rest_of_line());
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
    if (is_error)
        diags_.error(name.range, text);
    else
        diags_.warning(Warning::User, name.range, text);
}

/// #ident and #sccs: a note for the object file, which a module has no place for.
void Engine::ident(const Tok& name) {
    diags_.warning(Warning::Pedantic, name.range, "#", name.text, " is a language extension");
    const Tok text = lexer().next();
    if (text.kind != Token::String)
        diags_.error(text.range, "invalid #", name.text, " directive");
    else
        expect_end(name.text);
}

}  // namespace caldera::frontend::pp
