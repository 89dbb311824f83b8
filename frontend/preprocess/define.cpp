// SPDX-License-Identifier: Apache-2.0
// #define and #undef (C99 6.10.3, 6.10.3.5).
#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>

#include "frontend/preprocess/engine.h"

namespace caldera::frontend::pp {

bool same_definition(const Macro& a, const Macro& b) {
    auto same_piece = [](const Piece& x, const Piece& y) {
        return x.kind == y.kind && x.param == y.param && x.is_in_quotes == y.is_in_quotes &&
               x.tok.kind == y.tok.kind && x.tok.text == y.tok.text &&
               x.tok.space_before == y.tok.space_before;
    };
    return a.function_like == b.function_like && a.variadic == b.variadic && a.dynamic == b.dynamic &&
           a.params == b.params &&
           std::equal(a.body.begin(), a.body.end(), b.body.begin(), b.body.end(), same_piece);
}

namespace {

std::string definition(const Macro& macro) {
    std::string text = "#define " + std::string(macro.name);
    if (macro.function_like) {
        text += '(';
        for (size_t i = 0; i < macro.params.size(); ++i) {
            const bool rest = macro.variadic && i + 1 == macro.params.size();
            text += i ? "," : "";
            if (!rest || macro.named_variadic) text += macro.params[i];
            if (rest) text += "...";
        }
        text += ')';
    }
    bool first = true;
    size_t optional_end = 0;
    for (size_t i = 0; i < macro.body.size(); ++i) {
        const Piece& piece = macro.body[i];
        if (first || piece.tok.space_before) text += ' ';
        first = false;
        if (piece.is_in_quotes) text += '#';
        text += piece.tok.text;
        if (piece.kind == Piece::Kind::Stringify) text += macro.params[piece.param];
        if (piece.kind == Piece::Kind::Optional) {
            text += '(';
            optional_end = i + 1 + piece.param;
        }
        if (optional_end == i + 1) text += ')';
    }
    return text + (macro.body.empty() ? " \n" : "\n");
}

}  // namespace

/// The name after #define, #undef, #ifdef or #ifndef. Reports an error if there is none.
std::optional<Tok> Engine::macro_name(bool defining) {
    Tok name = lexer().next();
    if (name.kind == Token::Newline) {
        diags_.error(name.range, "macro name missing");
        return std::nullopt;
    }
    if (name.kind != Token::Identifier) {
        diags_.error(name.range, "macro name must be an identifier");
        return std::nullopt;
    }
    if (has_poison_) refuse_poison(name);
    if (defining && name.text == "defined") {
        diags_.error(name.range, "'defined' cannot be used as a macro name");
        return std::nullopt;
    }
    return name;
}

void Engine::define() {
    std::optional<Tok> name = macro_name(true);
    if (!name) return;
    Macro& macro = macros_.emplace_back();
    macro.name = name->text;
    macro.id = name->name;
    macro.name_range = name->range;
    Tok tok = lexer().next();
    if (tok.kind == Token::LeftParen && !tok.space_before) {
        macro.function_like = true;
        if (!define_params(macro)) {
            macros_.pop_back();
            return;
        }
        tok = lexer().next();
    }
    tok.space_before = false;  // not part of the list (6.10.3p7)
    if (!define_body(macro, tok)) return macros_.pop_back();
    add_definition(macro);
    if (keep_definitions_) hand_over_directive(definition(macro), name->range);
}

/// With -dD, the directive is a token of the output.
void Engine::hand_over_directive(std::string_view text, SourceRange range) {
    text = text.substr(0, text.find_last_not_of('\n') + 1);
    pragma_token_ =
        Tok{.kind = Token::Pragma, .at_line_start = true, .range = range, .text = arena_.copy(text)};
}

/// identifier-list with `...` or GNU's `name...` last, up to ')'.
bool Engine::define_params(Macro& macro) {
    auto fail = [&](const Tok& at, const char* message) {
        diags_.error(at.range, message);
        return false;
    };
    std::unordered_set<std::string_view> names;
    Tok tok = lexer().next();
    if (tok.kind == Token::RightParen) return true;
    for (;; tok = lexer().next()) {
        if (tok.kind == Token::Newline && macro.params.empty())
            return fail(tok, "missing ')' in macro parameter list");
        if (tok.kind == Token::Ellipsis) {
            diags_.warning(Warning::Pedantic, tok.range, "variadic macros are a Clang extension in OpenCL");
            macro.variadic = true;
            macro.params.push_back("__VA_ARGS__");
            tok = lexer().next();
            return tok.kind == Token::RightParen || fail(tok, "missing ')' in macro parameter list");
        }
        if (tok.kind != Token::Identifier) return fail(tok, "expected identifier in macro parameter list");
        if (!names.insert(tok.text).second) {
            diags_.error(tok.range, "duplicate macro parameter name '", tok.text, "'");
            return false;
        }
        if (tok.text == "__VA_ARGS__")
            diags_.warning(Warning::Pedantic, tok.range,
                           "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro");
        macro.params.push_back(tok.text);
        tok = lexer().next();
        if (tok.kind == Token::RightParen) return true;
        if (tok.kind == Token::Ellipsis) {
            macro.variadic = macro.named_variadic = true;
            tok = lexer().next();
            return tok.kind == Token::RightParen || fail(tok, "missing ')' in macro parameter list");
        }
        if (tok.kind != Token::Comma) return fail(tok, "expected comma in macro parameter list");
    }
}

/// The replacement list, from `tok` on.
bool Engine::define_body(Macro& macro, Tok tok) {
    for (uint32_t i = 0; i < macro.params.size(); ++i) param_numbers_[names_.intern(macro.params[i])] = i + 1;
    bool good = define_pieces(macro, tok);
    for (std::string_view param : macro.params) param_numbers_[names_.intern(param)] = 0;
    return good;
}

bool Engine::define_pieces(Macro& macro, Tok tok) {
    auto param_of = [&](const Tok& t) {
        return t.kind == Token::Identifier ? param_numbers_[t.name] : 0;  // counted from 1
    };
    size_t optional = 0;  // the place of an open __VA_OPT__, counted from 1
    size_t depth = 0;     // of parentheses inside it
    SourceRange open = {};
    auto pastes_last = [&] { return macro.body.back().kind == Piece::Kind::Paste; };
    for (; tok.kind != Token::Newline; tok = lexer().next()) {
        tok.at_line_start = false;
        if (optional != 0 && tok.kind == Token::RightParen && depth == 0) {
            const size_t count = macro.body.size() - optional;
            if (count != 0 && pastes_last()) {
                diags_.error(macro.body.back().tok.range, "'##' cannot appear at end of __VA_OPT__ argument");
                return false;
            }
            macro.body[optional - 1].param = static_cast<uint32_t>(count);
            macro.body_length = tok.range.end.offset - macro.body_begin.offset;
            optional = 0;
            continue;
        }
        if (optional != 0) depth += (tok.kind == Token::LeftParen) - (tok.kind == Token::RightParen);
        if (macro.body.empty()) macro.body_begin = tok.range.begin;
        macro.body_length = tok.range.end.offset - macro.body_begin.offset;
        if (tok.kind == Token::HashHash) {
            if (macro.body.empty()) {
                diags_.error(tok.range, "'##' cannot appear at start of macro expansion");
                return false;
            }
            if (optional == macro.body.size()) {
                diags_.error(tok.range, "'##' cannot appear at start of __VA_OPT__ argument");
                return false;
            }
            macro.body.push_back({.kind = Piece::Kind::Paste, .tok = tok});
        } else if (tok.kind == Token::Hash && macro.function_like) {
            Tok param = lexer().next();
            if (macro.variadic && param.text == "__VA_OPT__") {
                param.space_before = tok.space_before;
                if (!open_optional(macro, param, optional, open)) return false;
                macro.body.back().is_in_quotes = true;
                depth = 0;
                continue;
            }
            const uint32_t number = param_of(param);
            if (number == 0) {
                diags_.error(param.range, "'#' is not followed by a macro parameter");
                return false;
            }
            tok.range.end = param.range.end;
            macro.body_length = tok.range.end.offset - macro.body_begin.offset;
            macro.body.push_back({.kind = Piece::Kind::Stringify, .tok = tok, .param = number - 1});
        } else if (const uint32_t number = param_of(tok); number != 0) {
            macro.body.push_back({.kind = Piece::Kind::Param, .tok = tok, .param = number - 1});
        } else if (macro.variadic && tok.kind == Token::Identifier && tok.text == "__VA_OPT__") {
            if (!open_optional(macro, tok, optional, open)) return false;
            depth = 0;
        } else {
            if (tok.kind == Token::Identifier && tok.text == "__VA_ARGS__")
                diags_.warning(Warning::Pedantic, tok.range,
                               "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro");
            if (tok.kind == Token::Identifier && tok.text == "__VA_OPT__")
                diags_.warning(Warning::Pedantic, tok.range,
                               "__VA_OPT__ can only appear in the expansion of a variadic macro");
            macro.body.push_back({.kind = Piece::Kind::Token, .tok = tok});
        }
    }
    if (optional != 0) {
        diags_.error(tok.range, "missing ')' after __VA_OPT__").note(open, "to match this '('");
        return false;
    }
    if (!macro.body.empty() && macro.body.back().kind == Piece::Kind::Paste) {
        diags_.error(macro.body.back().tok.range, "'##' cannot appear at end of macro expansion");
        return false;
    }
    return true;
}

/// `__VA_OPT__` `(` (C23 6.10.4.1): its contents stand only where the variable argument has tokens.
/// `optional` is its place among the pieces, counted from 1.
bool Engine::open_optional(Macro& macro, const Tok& name, size_t& optional, SourceRange& open) {
    if (optional != 0) {
        diags_.error(name.range, "__VA_OPT__ cannot be nested within its own replacement tokens");
        return false;
    }
    const Tok paren = lexer().next();
    if (paren.kind != Token::LeftParen) {
        diags_.error(paren.range, "missing '(' following __VA_OPT__");
        return false;
    }
    open = paren.range;
    macro.body.push_back({.kind = Piece::Kind::Optional, .tok = name});
    macro.body_length = paren.range.end.offset - macro.body_begin.offset;
    optional = macro.body.size();
    return true;
}

void Engine::add_definition(Macro& macro) {
    if (const Macro* old = find_macro(macro.id); old && !same_definition(*old, macro)) {
        if (old->dynamic != Dynamic::None)
            diags_.warning(Warning::BuiltinMacroRedefined, macro.name_range, "redefining builtin macro");
        else
            diags_.warning(Warning::MacroRedefined, macro.name_range, "'", macro.name, "' macro redefined")
                .note(old->name_range, "previous definition is here");
    }
    name_facts_[macro.id].macro = &macro;
    note(macro, macro.name_range);
}

void Engine::undefine() {
    std::optional<Tok> name = macro_name(true);
    if (!name) return;
    expect_end("undef");
    const Macro* old = find_macro(name->name);
    if (old && old->predefined)
        diags_.warning(Warning::BuiltinMacroRedefined, name->range, "undefining builtin macro");
    if (old) note(*old, name->range);
    name_facts_[name->name].macro = nullptr;
    if (keep_definitions_) hand_over_directive("#undef " + std::string(name->text), name->range);
}

/// Whether a macro is defined. Asking counts as a use of it.
bool Engine::is_defined(const Tok& name) {
    Macro* macro = find_macro(name.name);
    if (!macro) return false;
    macro->is_used = true;
    note(*macro, name.range);
    return true;
}

void Engine::note(const Macro& macro, SourceRange range) {
    if (mentions_)
        mentions_->push_back({.range = range,
                              .definition = macro.name_range,
                              .name = macro.name,
                              .function_like = macro.function_like});
}

void Engine::for_each_macro(const std::function<void(SourceRange, std::string_view)>& visit) const {
    for (const Macro& macro : macros_)
        if (name_facts_.get(macro.id).macro == &macro) visit(macro.name_range, definition(macro));
}

/// -Wunused-macros: the main file's own.
void Engine::unused_macros() {
    if (!diags_.enabled(Warning::UnusedMacros)) return;
    for (const Macro& macro : macros_)
        if (!macro.is_used && !macro.predefined &&
            sources_.file_name(macro.name_range.begin) == std::string_view(main_name_))
            diags_.warning(Warning::UnusedMacros, macro.name_range, "macro is not used");
}

std::string Engine::definitions() {
    std::map<std::string_view, std::string> lines;
    for (const Predefined* row : all_predefined(options_)) {
        const Macro* macro = find_macro(names_.intern(row->name));
        if (macro && macro->predefined && row->dynamic == Dynamic::None)
            lines[row->name] = "#define " + std::string(row->name) + std::string(row->params) + " " +
                               std::string(row->text) + "\n";
    }
    for (const Macro& macro : macros_)
        if (!macro.predefined && find_macro(macro.id) == &macro) lines[macro.name] = definition(macro);
    std::string text;
    for (const auto& [name, line] : lines) text += line;
    return text;
}

/// A predefined macro that the source used: its row is shown as a line of a file that exists only for
/// diagnostics.
Macro* Engine::make_predefined(const Predefined& row) {
    std::string text =
        "#define " + std::string(row.name) + std::string(row.params) + " " + std::string(row.text);
    SourceLoc begin = sources_.add_file("<built-in>", std::move(text));
    if (!begin) return nullptr;
    files_.push_back({.lexer = Lexer(sources_.file_text(begin), begin, names_, arena_, diags_)});
    lexer().begin_directive();
    lexer().next();  // #
    lexer().next();  // define
    Macro& macro = macros_.emplace_back();
    Tok name = lexer().next();
    macro.name = row.name;
    macro.id = name.name;
    macro.name_range = name.range;
    macro.predefined = true;
    macro.dynamic = row.dynamic;
    Tok tok = lexer().next();
    if (!row.params.empty()) {
        macro.function_like = true;
        define_params(macro);
        tok = lexer().next();
    }
    tok.space_before = false;
    define_body(macro, tok);
    files_.pop_back();
    return &macro;
}

}  // namespace caldera::frontend::pp
