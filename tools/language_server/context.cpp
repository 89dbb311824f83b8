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

CompletionContext completion_at(std::string_view text, size_t offset) {
    std::vector<Word> comments;
    std::vector<Word> words = tokens_of(text.substr(0, offset), &comments);
    CompletionContext out = {.begin = offset};
    const size_t line = text.substr(0, offset).find_last_of("\r\n") + 1;  // npos + 1 is 0
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
                words.back().kind == Token::Char)) {
        return {.begin = offset, .kind = CompletionContext::Kind::None};
    }
    if (words.empty()) return out;
    const Word& last = words.back();
    if (last.kind == Token::Dot || last.kind == Token::Arrow) {
        out.kind = CompletionContext::Kind::Member;
        out.op = last.begin;
    } else if (last.kind == Token::Hash && last.begin >= line && last.starts_line) {
        out.kind = CompletionContext::Kind::Directive;
    }
    return out;
}

}  // namespace caldera::language_server
