// SPDX-License-Identifier: Apache-2.0
// #pragma and _Pragma (C99 6.10.6, 6.10.9; OpenCL C 6.10).
#include "frontend/preprocess/engine.h"
#include "spirv/support/paths.h"

namespace caldera::frontend::pp {
namespace {

/// The tokens with one space between any two.
std::string spell(const std::vector<Tok>& tokens) {
    std::string text;
    for (const Tok& tok : tokens) {
        if (!text.empty()) text += ' ';
        text += tok.text;
    }
    return text;
}

bool is_word(const std::vector<Tok>& tokens, size_t i, std::string_view word) {
    return i < tokens.size() && tokens[i].text == word;
}

}  // namespace

void Engine::pragma() {
    SourceLoc from = lexer().here();
    std::vector<Tok> tokens;
    Tok first = lexer().next();
    // `#pragma unroll N`, as clang reads it
    bool expands = first.text == "unroll" || first.text == "nounroll" || first.text == "pack";
    for (Tok tok = first; tok.kind != Token::Newline && tok.kind != Token::End;
         tok = expands ? lex_expanded() : lexer().next())
        tokens.push_back(tok);
    SourceRange place = tokens.empty() ? SourceRange{from, from} : tokens.front().range;
    finish_directive();
    handle_pragma(std::move(tokens), place);
}

/// _Pragma("..."): the string's text is a pragma (6.10.9p1).
void Engine::pragma_operator(const Tok& name) {
    Tok open = lex(), text = lex(), close = lex();
    if (open.kind != Token::LeftParen || text.kind != Token::String || close.kind != Token::RightParen) {
        diags_.error(name.range, "_Pragma takes a parenthesized string literal");
        return;
    }
    std::string_view quoted = text.text.substr(text.text[0] == 'L' ? 2 : 1);
    quoted.remove_suffix(1);
    std::string content;
    for (size_t i = 0; i < quoted.size(); ++i) {
        if (quoted[i] == '\\' && i + 1 < quoted.size() && (quoted[i + 1] == '"' || quoted[i + 1] == '\\'))
            ++i;
        content += quoted[i];
    }
    std::vector<Tok> tokens = lex_text(content, "<_Pragma>", sources_.expansion(name.range.begin));
    for (Tok& tok : tokens) tok.range = name.range;
    handle_pragma(std::move(tokens), name.range);
}

/// How a pragma is handled: executed at once, passed to the parser as a Pragma token, or unknown and ignored.
void Engine::handle_pragma(std::vector<Tok> tokens, SourceRange place) {
    SourceRange whole =
        tokens.empty() ? place : SourceRange{tokens.front().range.begin, tokens.back().range.end};
    auto hand_over = [&](const std::string& text) {
        pragma_token_ = Tok{.kind = Token::Pragma,
                            .at_line_start = true,
                            .range = whole,
                            .text = arena_.copy(std::string_view(text))};
    };
    if (is_word(tokens, 0, "once")) {
        if (files_.size() == 1)
            diags_.warning(Warning::PragmaOnce, place, "#pragma once in main file");
        else
            once_.insert_or_assign(lexical_path(file().path), file().text);
        return;
    }
    if (keep_all_pragmas_) return hand_over(spell(tokens));
    if (is_word(tokens, 0, "OPENCL") || is_word(tokens, 0, "STDC") || is_word(tokens, 0, "unroll") ||
        is_word(tokens, 0, "nounroll") || is_word(tokens, 0, "pack"))
        return hand_over(spell(tokens));
    if (is_word(tokens, 0, "message")) return pragma_message(tokens, 1, false, place);
    if (is_word(tokens, 0, "GCC") || is_word(tokens, 0, "clang")) {
        if (is_word(tokens, 1, "warning")) return pragma_message(tokens, 2, false, place);
        if (is_word(tokens, 1, "error")) return pragma_message(tokens, 2, true, place);
        if (is_word(tokens, 1, "fp") && is_word(tokens, 2, "contract"))
            return hand_over(is_word(tokens, 4, "off") ? "STDC FP_CONTRACT OFF" : "STDC FP_CONTRACT ON");
        if (is_word(tokens, 1, "diagnostic")) return pragma_diagnostic(tokens);
        if (is_word(tokens, 1, "system_header") || is_word(tokens, 1, "loop")) return;  // hints
    }
    bool has_namespace = tokens.size() > 1 && (is_word(tokens, 0, "GCC") || is_word(tokens, 0, "clang"));
    diags_.warning(Warning::UnknownPragmas, has_namespace ? tokens[1].range : place,
                   "unknown pragma ignored");
}

/// #pragma clang diagnostic push | pop | (ignored | warning | error | fatal) "-Wgroup", and the same of GCC.
void Engine::pragma_diagnostic(const std::vector<Tok>& tokens) {
    SourceLoc begin = tokens[0].range.begin;
    SourceRange end = {tokens.back().range.end, tokens.back().range.end};
    auto place = [&](size_t i) { return i < tokens.size() ? tokens[i].range : end; };
    WarningMap& map = diags_.warning_map();
    std::string_view word = tokens.size() > 2 ? tokens[2].text : std::string_view();
    size_t used = 3;
    Severity severity = word == "ignored"   ? Severity::Ignored
                        : word == "warning" ? Severity::Warning
                        : word == "error"   ? Severity::Error
                                            : Severity::Fatal;
    if (word == "push") {
        map.push();
    } else if (word == "pop") {
        if (!map.pop(sources_.expansion(begin)))
            diags_.warning(Warning::PragmaSyntax, place(2),
                           "pragma diagnostic pop could not pop, no matching push");
    } else if (severity != Severity::Fatal || word == "fatal") {
        if (tokens.size() < 4 || tokens[3].kind != Token::String) {
            diags_.error(place(3), "expected string literal in pragma diagnostic");
            return;
        }
        used = 4;
    } else {
        diags_.warning(Warning::PragmaSyntax, place(2),
                       "pragma diagnostic expected 'error', 'warning', 'ignored', 'fatal', 'push', or 'pop'");
        return;
    }
    if (tokens.size() > used) {
        diags_.warning(Warning::PragmaSyntax, place(used), "unexpected token in pragma diagnostic");
        return;
    }
    if (used == 3) return;
    std::string_view option = tokens[3].text.substr(1, tokens[3].text.size() - 2);
    if (!option.starts_with("-W"))
        diags_.warning(Warning::PragmaSyntax, place(3),
                       "pragma diagnostic expected option name (e.g. \"-Wundef\")");
    else if (!map.set(sources_.expansion(begin), option.substr(2), severity))
        diags_.warning(Warning::UnknownWarningOption, place(3), "unknown warning group '", option,
                       "', ignored");
}

/// #pragma message("..."), GCC warning "...", GCC error "...".
void Engine::pragma_message(const std::vector<Tok>& tokens, size_t from, bool is_error, SourceRange place) {
    std::string text;
    for (size_t i = from; i < tokens.size(); ++i)
        if (tokens[i].kind == Token::String) text += tokens[i].text.substr(1, tokens[i].text.size() - 2);
    if (is_error)
        diags_.error(place, text);
    else
        diags_.warning(Warning::PragmaMessage, place, text);
}

}  // namespace caldera::frontend::pp
