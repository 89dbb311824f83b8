// SPDX-License-Identifier: Apache-2.0
// Macro expansion: C99 6.10.3.1 to 6.10.3.5, with gcc's and clang's `, ## __VA_ARGS__`.
#include <span>
#include <utility>

#include "frontend/preprocess/engine.h"
#include "spirv/support/paths.h"

namespace caldera::frontend::pp {

/// Replaces a macro's name by its expansion, which is then read first. Returns false if the name is not
/// replaced: the name of a function-like macro without '('.
bool Engine::expand(const Tok& name, Macro& macro) {
    if (!macro.function_like) note(macro, name.range);
    if (macro.dynamic != Dynamic::None) {
        if (macro.dynamic == Dynamic::HasInclude || macro.dynamic == Dynamic::HasIncludeNext) return false;
        if (macro.dynamic >= Dynamic::HasBuiltin) return has_name_operator(name, macro.dynamic);
        std::vector<Tok> one{dynamic_token(name, macro.dynamic)};
        push_context(std::move(one), nullptr);
        return spend(1, name.range);
    }
    std::optional<ArgumentList> list;
    if (macro.function_like) {
        if (!left_paren_follows()) return false;
        note(macro, name.range);
        list = collect_arguments(name, macro);
        if (list && !check_arguments(macro, *list)) list.reset();
    }
    macro.is_used = true;
    bool space_after = false;
    std::vector<Tok> tokens;
    if (list || !macro.function_like) tokens = substitute(name, macro, list ? &*list : nullptr, space_after);
    if (!spend(tokens.size() + 2, name.range)) return true;
    if (tokens.empty()) {
        carry_space_ |= name.space_before || space_after;
        carry_line_start_ |= name.at_line_start;
        return true;
    }
    tokens.front().space_before = name.space_before;
    tokens.front().at_line_start = name.at_line_start;
    push_context(std::move(tokens), &macro);
    contexts_.back().space_after = space_after;
    return true;
}

/// Whether the token after a function-like macro's name is '('. Contexts that have ended are popped on the
/// way, so their macros may be used again. In the unspecified case of 6.10.3.4p4, this gives the same result
/// as gcc and clang.
bool Engine::left_paren_follows() {
    while (!contexts_.empty()) {
        const Context& top = contexts_.back();
        if (top.at < top.tokens.size()) return top.tokens[top.at].kind == Token::LeftParen;
        if (top.barrier) return false;
        pop_context();
    }
    return !ended_ && lexer().left_paren_follows();
}

/// Reads from '(' to the matching ')' (6.10.3p10). Reports an error and returns nothing if there is none.
std::optional<ArgumentList> Engine::collect_arguments(const Tok& name, const Macro& macro) {
    ++collecting_;
    const size_t comments = comments_.size();  // those in the arguments go
    lex();                                     // '('
    ArgumentList list;
    list.args.emplace_back();
    size_t depth = 0;
    for (;;) {
        Tok tok = lex();
        if (tok.kind == Token::End || tok.kind == Token::Newline) {
            --collecting_;
            if (!ended_)
                diags_.error(name.range, "unterminated function-like macro invocation")
                    .note(macro.name_range, "macro '", macro.name, "' defined here");
            if (tok.kind == Token::Newline) push_context({tok}, nullptr);  // still ends the directive
            return std::nullopt;
        }
        if (tok.kind == Token::RightParen && depth == 0) {
            list.end = tok.range.end;
            break;
        }
        bool takes_commas = macro.variadic && list.args.size() == macro.params.size();
        if (tok.kind == Token::Comma && depth == 0 && !takes_commas) {
            list.args.emplace_back();
            continue;
        }
        if (tok.kind == Token::LeftParen) ++depth;
        if (tok.kind == Token::RightParen) --depth;
        if (tok.kind == Token::Identifier && !tok.no_expand) {
            const Macro* named = find_macro(tok.name);
            tok.no_expand = named && named->disabled != 0;
        }
        tok.space_before |= tok.at_line_start;
        tok.at_line_start = false;
        list.args.back().raw.push_back(tok);
    }
    --collecting_;
    comments_.resize(comments);
    size_t taken = 0;
    for (const Argument& argument : list.args) taken += argument.raw.size();
    if (!spend(taken, name.range)) return std::nullopt;  // nested uses are collected once for each level
    return list;
}

bool Engine::check_arguments(const Macro& macro, ArgumentList& list) {
    size_t wanted = macro.params.size(), given = list.args.size();
    if (wanted == 0 && given == 1 && list.args[0].raw.empty()) {
        list.args.clear();
        return true;
    }
    if (given == wanted) {
        list.variadic_left_out = macro.variadic && given == 1 && list.args.back().raw.empty();
        return true;
    }
    if (macro.variadic && given + 1 == wanted) {
        list.variadic_left_out = true;
        list.args.emplace_back();
        return true;
    }
    SourceRange place{{list.end.offset - 1}, list.end};  // the ')'
    if (given > wanted && !list.args[wanted].raw.empty()) place = list.args[wanted].raw.front().range;
    diags_
        .error(place, given > wanted ? "too many arguments provided to function-like macro invocation"
                                     : "too few arguments provided to function-like macro invocation")
        .note(macro.name_range, "macro '", macro.name, "' defined here");
    return false;
}

/// An argument, completely macro replaced as if it formed the rest of the file (6.10.3.1).
const std::vector<Tok>& Engine::expanded(Argument& argument) {
    if (argument.is_expanded) return argument.expanded;
    argument.is_expanded = true;
    bool plain = true;
    for (const Tok& tok : argument.raw) plain &= tok.kind != Token::Identifier || !find_macro(tok.name);
    if (plain) return argument.expanded = argument.raw;
    if (++argument_depth_ > kMaxArgumentDepth) {
        if (!ended_) halt(argument.raw.front().range, "macro invocations are nested too deeply");
    } else {
        bool space = std::exchange(carry_space_, false), line_start = std::exchange(carry_line_start_, false);
        std::vector<Tok> copy = argument.raw;
        push_context(std::move(copy), nullptr, true);
        for (Tok tok = lex_expanded(); tok.kind != Token::End && !ended_; tok = lex_expanded()) {
            tok.at_line_start = false;
            argument.expanded.push_back(tok);
        }
        while (!contexts_.back().barrier) pop_context();
        pop_context();
        carry_space_ = space;
        carry_line_start_ = line_start;
    }
    --argument_depth_;
    spend(argument.expanded.size(), argument.raw.front().range);
    return argument.expanded;
}

namespace {

/// The output of substitution, and whether the operands that ## would take from its ends are placemarkers
/// (6.10.3.3p2).
struct Output {
    std::vector<Tok> tokens = {};
    bool begins_empty = true;
    bool left_is_empty = true;
    bool space_after = false;  ///< before operands that have become nothing since the last token
};

}  // namespace

/// The replacement list with arguments substituted, and # and ## applied (6.10.3.1 to 6.10.3.3).
/// `space_after`: whether space follows its last token, before operands that have become nothing.
std::vector<Tok> Engine::substitute(const Tok& name, const Macro& macro, ArgumentList* list,
                                    bool& space_after) {
    if (macro.body.empty()) return {};
    SourceLoc base = sources_.add_expansion(macro.body_begin, macro.body_length, name.range.begin, macro.name,
                                            list ? list->end : name.range.end);
    auto moved = [&](SourceLoc loc) {
        return SourceLoc{base.offset + (loc.offset - macro.body_begin.offset)};
    };
    auto placed = [&](const Tok& tok) {
        Tok result = tok;
        result.range = {moved(tok.range.begin), moved(tok.range.end)};
        return result;
    };
    const std::vector<Piece>& body = macro.body;
    auto pieces = [&](const auto& self, size_t begin, size_t end) -> Output {
        Output out;
        out.tokens.reserve(end - begin);
        bool follows_optional = false, in_first_chain = true;
        for (size_t i = begin; i < end && !ended_; ++i) {
            bool pasting = body[i].kind == Piece::Kind::Paste;
            size_t left = i - 1;
            if (pasting) ++i;
            const Piece& piece = body[i];
            // The space before a chain of ## is that before its first operand, whichever are empty.
            if (!pasting && i > 0) out.space_after |= piece.tok.space_before;
            in_first_chain &= pasting || i == begin;
            const size_t held = piece.kind == Piece::Kind::Optional ? piece.param : 0;
            bool pasted_next = i + 1 + held < end && body[i + 1 + held].kind == Piece::Kind::Paste;

            Output optional{.begins_empty = false, .left_is_empty = false};
            Tok one;
            std::span<const Tok> operand(&one, 1);
            bool keeps_space = false;  // the raw argument after a comma that is not pasted
            switch (piece.kind) {
                case Piece::Kind::Token:
                case Piece::Kind::Paste: one = placed(piece.tok); break;  // "## ##": the second is a token
                case Piece::Kind::Stringify:
                    one = stringify(list->args[piece.param].raw, placed(piece.tok));
                    break;
                case Piece::Kind::Param: {
                    Argument& argument = list->args[piece.param];
                    bool is_rest = macro.variadic && piece.param + 1 == macro.params.size();
                    bool after_comma = pasting && is_rest && !follows_optional && !out.tokens.empty() &&
                                       body[left].kind == Piece::Kind::Token &&
                                       body[left].tok.kind == Token::Comma;
                    if (after_comma) {
                        // GNU: the comma disappears if the argument was omitted, and is never pasted. Like
                        // clang, keep it for `#define F(...) a, ## __VA_ARGS__`, which has a meaning in C99.
                        if (list->variadic_left_out && !pasted_next && macro.params.size() > 1)
                            out.tokens.pop_back();
                        pasting = false;
                        operand = argument.raw;
                        keeps_space = true;
                    } else {
                        operand = pasting || pasted_next ? argument.raw : expanded(argument);
                    }
                    break;
                }
                case Piece::Kind::Optional:
                    if (!expanded(list->args.back()).empty()) optional = self(self, i + 1, i + 1 + held);
                    if (piece.is_in_quotes) {
                        one = stringify(optional.tokens, placed(piece.tok));
                        optional = {.begins_empty = false, .left_is_empty = false};
                    } else {
                        operand = optional.tokens;
                    }
                    i += held;
                    break;
            }
            follows_optional = piece.kind == Piece::Kind::Optional;
            if (!spend(operand.size(), name.range)) return {};
            size_t from = 0, first = out.tokens.size();
            bool was_empty = out.left_is_empty;
            const bool begins_empty = operand.empty() || optional.begins_empty;
            const bool ends_empty = operand.empty() || optional.left_is_empty;
            if (pasting && !was_empty && !begins_empty) {
                SourceRange place{moved(body[left].tok.range.begin), moved(piece.tok.range.end)};
                if (std::optional<Tok> joined = paste(out.tokens.back(), operand.front(), place)) {
                    out.tokens.back() = *joined;
                    from = 1;
                }
            }
            out.tokens.insert(out.tokens.end(), operand.begin() + static_cast<ptrdiff_t>(from),
                              operand.end());
            if (!operand.empty()) {
                if (from == 0 && (!pasting || was_empty) && !keeps_space) {
                    Tok& leader = out.tokens[first];
                    leader.space_before = out.space_after || (begins_empty && leader.space_before);
                }
                out.space_after = optional.space_after;
            } else {
                out.space_after |= optional.space_after;
            }
            if (in_first_chain) out.begins_empty = out.tokens.empty();
            out.left_is_empty = ends_empty && (!pasting || was_empty || !operand.empty());
        }
        return out;
    };
    Output all = pieces(pieces, 0, body.size());
    space_after = all.space_after;
    return std::move(all.tokens);
}

/// __LINE__ and its kin.
Tok Engine::dynamic_token(const Tok& name, Dynamic kind) {
    // The line of a macro's use is the line where the use ends, as in gcc and clang.
    const PresumedLoc place = sources_.presumed(sources_.expansion_end(name.range.begin));
    auto quoted = [](std::string_view text) {
        std::string result = "\"";
        for (char c : text) {
            if (c == '"' || c == '\\') result += '\\';
            result += c;
        }
        return result + "\"";
    };
    std::string text;
    switch (kind) {
        case Dynamic::Line: text = std::to_string(place.line); break;
        case Dynamic::File: text = quoted(place.file); break;
        case Dynamic::FileName: text = quoted(file_name_of(place.file)); break;
        case Dynamic::BaseFile: text = quoted(main_name_); break;
        case Dynamic::IncludeLevel: text = std::to_string(files_.size() - 1); break;
        case Dynamic::Counter: text = std::to_string(counter_++); break;
        default: break;
    }
    Tok tok = name;
    tok.kind = text.starts_with('"') ? Token::String : Token::Number;
    tok.text = arena_.copy(std::string_view(text));
    return tok;
}

/// The # operator (6.10.3.2).
Tok Engine::stringify(const std::vector<Tok>& tokens, const Tok& place) {
    std::string text = "\"";
    for (size_t i = 0; i < tokens.size(); ++i) {
        const Tok& tok = tokens[i];
        if (i > 0 && tok.space_before) text += ' ';
        bool quoted = tok.kind == Token::String || tok.kind == Token::Char ||
                      (tok.kind == Token::Unknown && (tok.text[0] == '"' || tok.text[0] == '\''));
        for (char c : tok.text) {
            if (c == '"' || (c == '\\' && quoted)) text += '\\';
            text += c;
        }
    }
    size_t backslashes = text.size() - 1 - text.find_last_not_of('\\');
    if (tokens.empty() || (tokens.back().kind != Token::String && tokens.back().kind != Token::Char))
        if (backslashes % 2 == 1) text.pop_back();  // it would escape the closing quote
    text += '"';
    spend(text.size() / 16, place.range);
    Tok tok = place;
    tok.kind = Token::String;
    tok.text = arena_.copy(std::string_view(text));
    return tok;
}

/// The ## operator (6.10.3.3p3). Reports an error and returns nothing if the two do not form a single token.
std::optional<Tok> Engine::paste(const Tok& left, const Tok& right, SourceRange place) {
    std::string text = std::string(left.text) + std::string(right.text);
    if (!spend(text.size() / 16, place)) return std::nullopt;
    text += '\0';
    std::string_view kept = arena_.copy(std::string_view(text));
    kept.remove_suffix(1);
    Lexer lexer(kept, place.begin, names_, arena_, diags_);
    lexer.set_quiet(true);
    Tok tok = lexer.next();
    bool comment = kept.starts_with("//") || kept.starts_with("/*");
    if (comment || tok.text.size() != kept.size() || tok.kind == Token::Unknown || tok.kind == Token::End) {
        diags_.error(place, "pasting formed '", kept, "', an invalid preprocessing token");
        return std::nullopt;
    }
    tok.range = place;
    tok.space_before = left.space_before;
    tok.at_line_start = left.at_line_start;
    if (tok.kind == Token::Hash) tok.at_line_start = false;
    return tok;
}

}  // namespace caldera::frontend::pp
