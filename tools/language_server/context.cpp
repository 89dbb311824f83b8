// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/context.h"

#include <algorithm>

#include "frontend/lex/lexer.h"

namespace caldera::language_server {

using frontend::Token;

std::vector<Word> tokens_of(std::string_view text, std::vector<Word>* comments) {
    frontend::SourceManager sources;
    frontend::Diagnostics diags;
    frontend::Arena arena;
    frontend::NameTable names;
    const frontend::SourceLoc start = sources.add_file("", std::string(text));
    if (!start) return {};
    frontend::Lexer lexer(sources.file_text(start), start, names, arena, diags);
    std::vector<frontend::Comment> found;
    if (comments) lexer.keep_comments(&found);
    std::vector<Word> words;
    for (frontend::Tok tok = lexer.next(); tok.kind != Token::End; tok = lexer.next())
        words.push_back({tok.kind, tok.range.begin.offset - start.offset, tok.range.end.offset - start.offset,
                         tok.at_line_start});
    for (const frontend::Comment& comment : found) {
        const size_t begin = comment.at.offset - start.offset;
        comments->push_back(
            {Token::Unknown, begin, std::min(text.size(), begin + comment.text.size()), false});
    }
    return words;
}

std::optional<CallContext> call_at(std::string_view text, size_t offset) {
    const std::vector<Word> words = tokens_of(text.substr(0, offset));
    size_t depth = 0, argument = 0;
    for (size_t i = words.size(); i-- > 0;) {
        switch (words[i].kind) {
            case Token::RightParen:
            case Token::RightBracket:
            case Token::RightBrace: ++depth; break;
            case Token::LeftBracket:
            case Token::LeftBrace:
                if (depth == 0) return std::nullopt;
                --depth;
                break;
            case Token::Semicolon:
                if (depth == 0) return std::nullopt;
                break;
            case Token::Comma: argument += depth == 0; break;
            case Token::LeftParen:
                if (depth != 0) {
                    --depth;
                    break;
                }
                if (i != 0 && words[i - 1].kind == Token::Identifier) {
                    const Word& name = words[i - 1];
                    return CallContext{text.substr(name.begin, name.end - name.begin), name.begin, argument};
                }
                argument = 0;  // parentheses around an expression, of a literal or of a cast
                break;
            default: break;
        }
    }
    return std::nullopt;
}

Scopes::Scopes(std::string_view text, size_t cursor)
    : text_(text.substr(0, cursor)), words_(tokens_of(text_)) {
    find_brackets();
}

bool Scopes::is(size_t word, std::string_view text) const {
    return word < words_.size() &&
           text_.substr(words_[word].begin, words_[word].end - words_[word].begin) == text;
}

template <class State>
void Scopes::branch(size_t directive, State& state, std::vector<State>& before) const {
    if (is(directive, "if") || is(directive, "ifdef") || is(directive, "ifndef"))
        before.push_back(state);
    else if (!before.empty() && (is(directive, "else") || is(directive, "elif")))
        state = before.back();
    else if (!before.empty() && is(directive, "endif"))
        before.pop_back();
}

void Scopes::find_brackets() {
    std::vector<size_t> open = {0};
    std::vector<std::vector<size_t>> conditional;  // what is open before each #if
    for (size_t i = 0; i < words_.size(); ++i) {
        brackets_.push_back(open.back());
        if (words_[i].kind == Token::Hash && words_[i].starts_line) {
            branch(i + 1, open, conditional);
            for (; i + 1 < words_.size() && !words_[i + 1].starts_line; ++i) brackets_.push_back(open.back());
            continue;
        }
        switch (words_[i].kind) {
            case Token::LeftParen:
            case Token::LeftBracket:
            case Token::LeftBrace: open.push_back(i + 1); break;
            case Token::RightParen:
            case Token::RightBracket:
            case Token::RightBrace:
                if (open.size() > 1) open.pop_back();
                break;
            default: break;
        }
    }
}

bool Scopes::has(size_t declared) {
    const auto word = std::ranges::lower_bound(words_, declared, {}, &Word::begin);
    if (word == words_.end()) return true;
    const auto i = static_cast<size_t>(word - words_.begin());
    const auto [known, is_new] = is_open_.try_emplace(brackets_[i]);
    if (is_new) known->second = is_open_from(i);
    return known->second;
}

bool Scopes::is_open_from(size_t i) const {
    ptrdiff_t depth = 0;
    bool in_body = false;                // of a function, a block or a loop, whose parentheses have the name
    std::vector<ptrdiff_t> conditional;  // the depth before each #if
    for (; i < words_.size(); ++i) {
        if (words_[i].kind == Token::Hash && words_[i].starts_line) {
            branch(i + 1, depth, conditional);
            while (i + 1 < words_.size() && !words_[i + 1].starts_line) ++i;
            continue;
        }
        switch (words_[i].kind) {
            case Token::LeftParen:
            case Token::LeftBracket:
            case Token::LeftBrace: ++depth; break;
            case Token::RightBracket: --depth; break;
            case Token::RightBrace:
                if (--depth < 0 || (in_body && depth == 0 && !is(i + 1, "else"))) return false;
                break;
            case Token::RightParen:
                if (--depth >= 0) break;
                if (is(i + 1, ";") || is(i + 1, ",") || is(i + 1, ")")) return false;  // a prototype
                depth = 0;
                in_body = true;
                break;
            case Token::Semicolon:
                if (in_body && depth == 0) return false;
                break;
            default: break;
        }
    }
    return true;
}

namespace {

/// The directive whose line has the end of the text: the index of its `#`.
std::optional<size_t> directive_at(std::string_view text, const std::vector<Word>& words) {
    if (words.empty()) return std::nullopt;
    size_t first = words.size() - 1;
    while (first != 0 && !words[first].starts_line) --first;
    if (words[first].kind != Token::Hash || !words[first].starts_line) return std::nullopt;
    const std::string_view rest = text.substr(words.back().end);
    for (size_t at = 0; (at = rest.find_first_of("\r\n", at)) != rest.npos; ++at) {
        const size_t before = rest.find_last_not_of("\r\n", at);
        if (before == rest.npos || rest[before] != '\\') return std::nullopt;
    }
    return first;
}

/// What a completion in a directive completes. The word at the cursor is not among the words.
CompletionContext::Kind kind_in(std::string_view text, const std::vector<Word>& words, size_t hash) {
    using Kind = CompletionContext::Kind;
    if (hash + 1 == words.size()) return Kind::Directive;
    const std::string_view name =
        text.substr(words[hash + 1].begin, words[hash + 1].end - words[hash + 1].begin);
    if (name == "define") return hash + 2 == words.size() ? Kind::None : Kind::Name;
    const bool has_macro = name == "if" || name == "elif" || name == "ifdef" || name == "ifndef" ||
                           name == "undef" || name == "elifdef" || name == "elifndef";
    return has_macro ? Kind::Macro : Kind::None;
}

}  // namespace

CompletionContext completion_at(std::string_view text, size_t offset) {
    std::vector<Word> comments;
    std::vector<Word> words = tokens_of(text.substr(0, offset), &comments);
    CompletionContext out = {.begin = offset};
    const auto in_line_comment = [&](const Word& comment) {
        return comment.end == offset &&
               (text.substr(comment.begin, 2) == "//" ||
                !text.substr(comment.begin, comment.end - comment.begin).ends_with("*/"));
    };
    // A comment that has no end yet is no token and no comment.
    size_t tail = 0;
    for (const auto* list : {&words, &comments})
        if (!list->empty()) tail = std::max(tail, list->back().end);
    const bool is_open = text.substr(0, offset).find("/*", tail) != text.npos;
    if (is_open || std::ranges::any_of(comments, in_line_comment))
        return {.begin = offset, .kind = CompletionContext::Kind::None};
    if (!words.empty() && words.back().end == offset && words.back().kind == Token::Identifier) {
        out.begin = words.back().begin;
        words.pop_back();
    } else if (!words.empty() && words.back().end == offset &&
               (words.back().kind == Token::Number || words.back().kind == Token::String ||
                words.back().kind == Token::Char ||
                (words.back().kind == Token::Unknown &&  // without an end
                 (text[words.back().begin] == '"' || text[words.back().begin] == '\'')))) {
        return {.begin = offset, .kind = CompletionContext::Kind::None};
    }
    if (words.empty()) return out;
    if (const std::optional<size_t> hash = directive_at(text.substr(0, offset), words))
        out.kind = kind_in(text, words, *hash);
    const Word& last = words.back();
    if (out.kind == CompletionContext::Kind::Name && (last.kind == Token::Dot || last.kind == Token::Arrow)) {
        out.kind = CompletionContext::Kind::Member;
        out.op = last.begin;
    }
    const std::string_view word = text.substr(last.begin, last.end - last.begin);
    if (out.kind == CompletionContext::Kind::Name && last.end < out.begin) {
        if (word == "goto") out.kind = CompletionContext::Kind::Label;
        if (word == "struct" || word == "union" || word == "enum") {
            out.kind = CompletionContext::Kind::Tag;
            out.op = last.begin;
        }
    }
    return out;
}

}  // namespace caldera::language_server
