// SPDX-License-Identifier: Apache-2.0
// #pragma and _Pragma (C99 6.10.6, 6.10.9; OpenCL C 6.10).
#include <span>

#include "frontend/lex/literal.h"
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

/// `GCC warning`, `clang error` and their like.
bool is_message(const std::vector<Tok>& tokens) {
    const bool has_namespace = is_word(tokens, 0, "GCC") || is_word(tokens, 0, "clang");
    return has_namespace && (is_word(tokens, 1, "warning") || is_word(tokens, 1, "error"));
}

/// How many words stand before those in which clang expands macros; 0 where it expands none.
size_t words_before_expansion(const std::vector<Tok>& tokens) {
    for (const std::string_view word : {"unroll", "nounroll", "pack", "message"})
        if (is_word(tokens, 0, word)) return 1;
    return is_message(tokens) ? 2 : 0;
}

}  // namespace

void Engine::pragma() {
    SourceLoc from = lexer().here();
    std::vector<Tok> tokens;
    for (Tok tok = lexer().next(); tok.kind != Token::Newline && tok.kind != Token::End; tok = lexer().next())
        tokens.push_back(tok);
    SourceRange place = tokens.empty() ? SourceRange{from, from} : tokens.front().range;
    finish_directive();
    handle_pragma(expanded_pragma(std::move(tokens)), place);
}

std::vector<Tok> Engine::expanded_pragma(std::vector<Tok> tokens) {
    const size_t first = words_before_expansion(tokens);
    if (first == 0 || first >= tokens.size()) return tokens;
    const auto begin = tokens.begin() + static_cast<ptrdiff_t>(first);
    Argument rest = {.raw = std::vector<Tok>(begin, tokens.end())};
    tokens.erase(begin, tokens.end());
    const std::vector<Tok>& more = expanded(rest);
    tokens.insert(tokens.end(), more.begin(), more.end());
    return tokens;
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
    std::vector<Tok> tokens =
        expanded_pragma(lex_text(content, "<_Pragma>", sources_.expansion(name.range.begin)));
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
    const bool is_macro = is_word(tokens, 0, "push_macro") || is_word(tokens, 0, "pop_macro");
    const bool is_poison = is_word(tokens, 0, "GCC") && is_word(tokens, 1, "poison");
    if (is_macro) pragma_macro(tokens, place);
    if (is_poison) pragma_poison(tokens);
    if (keep_all_pragmas_) return hand_over(spell(tokens));
    if (is_macro || is_poison) return;
    if (is_word(tokens, 0, "OPENCL") || is_word(tokens, 0, "STDC") || is_word(tokens, 0, "unroll") ||
        is_word(tokens, 0, "nounroll") || is_word(tokens, 0, "pack"))
        return hand_over(spell(tokens));
    if (is_word(tokens, 0, "message")) return pragma_message(tokens, 0);
    if (is_message(tokens)) return pragma_message(tokens, 1);
    if (is_word(tokens, 0, "GCC") || is_word(tokens, 0, "clang")) {
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

/// (`push_macro` | `pop_macro`) `(` string-literal `)`: keeps what the name means, and restores it.
void Engine::pragma_macro(const std::vector<Tok>& tokens, SourceRange place) {
    const bool is_well_formed = tokens.size() > 3 && tokens[1].kind == Token::LeftParen &&
                                tokens[2].kind == Token::String && tokens[3].kind == Token::RightParen;
    if (!is_well_formed) {
        diags_.error(place, "pragma ", tokens[0].text, " requires a parenthesized string");
        return;
    }
    const std::string_view name = tokens[2].text.substr(1, tokens[2].text.size() - 2);
    const NameId id = names_.intern(arena_.copy(name));
    std::vector<Macro*>& kept = pushed_macros_[std::string(name)];
    if (tokens[0].text == "push_macro") {
        kept.push_back(find_macro(id));
    } else if (kept.empty()) {
        diags_.warning(Warning::IgnoredPragmas, place, "pragma pop_macro could not pop '", name,
                       "', no matching push_macro");
    } else {
        find_macro(id);  // so that the name is known
        name_facts_[id].macro = kept.back();
        kept.pop_back();
    }
}

/// `GCC` `poison` identifier+: each use of such a name from here on is an error, but those in macros.
void Engine::pragma_poison(const std::vector<Tok>& tokens) {
    for (size_t i = 2; i < tokens.size(); ++i) {
        if (tokens[i].kind != Token::Identifier) {
            diags_.error(tokens[i].range, "can only poison identifier tokens");
            return;
        }
        if (find_macro(tokens[i].name))
            diags_.warning(Warning::User, tokens[i].range, "poisoning existing macro");
        name_facts_[tokens[i].name].is_poisoned = true;
        has_poison_ = true;
    }
}

void Engine::refuse_poison(const Tok& name) {
    if (facts(name.name).is_poisoned) diags_.error(name.range, "attempt to use a poisoned identifier");
}

/// (`message` | `warning` | `error`, at `word`) (string-literal+ | `(` string-literal+ `)`)
void Engine::pragma_message(const std::vector<Tok>& tokens, size_t word) {
    const Tok& kind = tokens[word];
    const auto is = [&](size_t i, Token wanted) { return i < tokens.size() && tokens[i].kind == wanted; };
    const bool has_paren = is(word + 1, Token::LeftParen);
    const size_t begin = word + 1 + (has_paren ? 1 : 0);
    size_t end = begin;
    while (is(end, Token::String)) ++end;
    const size_t rest = end + (has_paren && is(end, Token::RightParen) ? 1 : 0);
    if (begin == end || rest < tokens.size() || (has_paren && rest == end)) {
        diags_.error(rest < tokens.size() ? tokens[rest].range : kind.range, "pragma ", kind.text,
                     " requires parenthesized string");
        return;
    }
    const StringValue text = parse_string(std::span(tokens).subspan(begin, end - begin), diags_);
    if (!text.valid) return;
    if (kind.text == "error")
        diags_.error(kind.range, text.bytes);
    else
        diags_.warning(Warning::PragmaMessage, kind.range, text.bytes);
}

}  // namespace caldera::frontend::pp
