// SPDX-License-Identifier: Apache-2.0
// Tokens, error recovery and nesting limits; what every rule stands on.
//
// Recovery uses panic mode: the parser reports the first error of a statement or declaration, and suppresses
// further ones until the rules have synchronised at a `;`, a `}` or the next item of a list.
#include "frontend/parse/parser.h"

#include "frontend/parse/grammar.h"

namespace caldera::frontend {

namespace {

Token closer_of(Token open) {
    return open == Token::LeftParen     ? Token::RightParen
           : open == Token::LeftBracket ? Token::RightBracket
                                        : Token::RightBrace;
}

/// The end of a macro use at `use`: of its arguments, or of its name if the parenthesis there is the next
/// token, `next`.
SourceLoc end_of_macro_use(const SourceManager& sources, SourceLoc use, SourceLoc next) {
    PresumedLoc place = sources.presumed(use);
    std::string_view file = sources.file_text(use);
    size_t begin = static_cast<size_t>(place.line_text.data() - file.data()) + place.column - 1;
    auto is_word = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    size_t name_end = begin;
    while (name_end < file.size() && is_word(file[name_end])) ++name_end;
    size_t open = file.find_first_not_of(" \t\r\n", name_end);
    auto loc = [&](size_t offset) { return SourceLoc{use.offset + static_cast<uint32_t>(offset - begin)}; };
    if (open == file.npos || file[open] != '(' || loc(open) == next) return loc(name_end);
    size_t depth = 0;
    for (size_t i = open; i < file.size(); ++i) {
        if (file[i] == '(') ++depth;
        if (file[i] == ')' && --depth == 0) return loc(i + 1);
    }
    return loc(name_end);
}

/// The visible end of a source: after the text of the last line, not on the line after its newline.
SourceRange end_of_text(const SourceManager& sources, SourceRange end) {
    std::string_view file = sources.file_text(end.begin);
    uint32_t back = file.ends_with("\r\n") ? 2 : file.ends_with('\n') ? 1 : 0;
    if (sources.presumed(end.begin).column != 1 || file.size() < back) return end;
    SourceLoc place{end.begin.offset - back};
    return {place, place};
}

/// Whether a token follows an operand, or is one that begins no statement of use.
bool continues_expression(Token kind) {
    switch (kind) {
        case Token::RightParen:
        case Token::RightBracket:
        case Token::Comma:
        case Token::Dot:
        case Token::Arrow:
        case Token::Slash:
        case Token::Percent:
        case Token::LessLess:
        case Token::GreaterGreater:
        case Token::Less:
        case Token::Greater:
        case Token::LessEqual:
        case Token::GreaterEqual:
        case Token::EqualEqual:
        case Token::BangEqual:
        case Token::Pipe:
        case Token::AmpAmp:
        case Token::PipePipe:
        case Token::Question:
        case Token::Number:
        case Token::Char: return true;
        default: return false;
    }
}

}  // namespace

Parser::Parser(TokenStore& tokens, const CompileOptions& options, TypeTable& types, Arena& arena,
               Diagnostics& diags)
    : tokens_(tokens), options_(options), types_(types), arena_(arena), diags_(diags) {
    no_contraction_ = options.fp_contract == FpContract::Off;
    advance();
}

/// translation-unit: external-declaration*
bool Parser::next_in_unit(std::vector<Decl*>& decls) {
    if (at(Token::End)) return false;
    external_declaration(decls);
    return true;
}

// ---- Tokens ----

void Parser::next(Tok& tok) {
    if (line_.empty()) return tokens_.next(tok);
    tok = line_.front();
    if (line_.size() > 1) line_ = line_.subspan(1);
}

void Parser::advance() {
    last_begin_ = tok_.range.begin;
    last_end_ = tok_.range.end;
    ++taken_;
    if (cut_off_) return;
    if (has_ahead_) {
        tok_ = ahead_;
        has_ahead_ = false;
    } else {
        next(tok_);
    }
    if (at(Token::End) && line_.empty()) tok_.range = end_of_text(tokens_.sources(), tok_.range);
}

const Tok& Parser::peek() {
    if (!has_ahead_) {
        if (cut_off_)
            ahead_ = tok_;
        else
            next(ahead_);
        has_ahead_ = true;
    }
    return ahead_;
}

bool Parser::accept(Token kind) {
    if (!at(kind)) return false;
    advance();
    return true;
}

/// From `begin` to the end of the last token that was read.
SourceRange Parser::since(SourceLoc begin) const { return {begin, last_end_ ? last_end_ : begin}; }

/// The location after the previous token. If that token came from a macro: after the macro's use if the
/// expansion also ends there, else at the current token, which comes later in the same expansion.
SourceRange Parser::after_last() const {
    const SourceManager& sources = tokens_.sources();
    if (!last_begin_ || !sources.is_macro(last_begin_)) return {last_end_, last_end_};
    SourceLoc use = sources.expansion(last_begin_);
    SourceLoc here = tok_.range.begin;
    bool inside = !at(Token::End) && sources.is_macro(here) && sources.expansion(here) == use;
    SourceLoc place = inside ? here : end_of_macro_use(sources, use, here);
    return {place, place};
}

void Parser::cut_off() {
    cut_off_ = true;
    has_ahead_ = false;
    tok_.kind = Token::End;
    tok_.text = {};
}

// ---- Errors ----

bool Parser::expect(Token kind, std::string_view message) {
    if (accept(kind)) return true;
    std::string text(spelling(kind));
    error(after_last(), "expected '", text, message.empty() ? "'" : "' ", message).fixit(after_last(), text);
    return false;
}

/// After a missing `;`, skips the rest of the line unless a new statement clearly begins there.
bool Parser::expect_semicolon(std::string_view message) {
    if (accept(Token::Semicolon)) {
        synchronise();
        return true;
    }
    if ((at(Token::RightParen) || at(Token::RightBracket)) && peek().kind == Token::Semicolon) {
        error(tok_.range, "extraneous '", tok_.text, "' before ';'").fixit(tok_.range, "");
        skip_statement();
        return false;
    }
    error(after_last(), "expected ';' ", message).fixit(after_last(), ";");
    bool new_statement = tok_.at_line_start || at(Token::RightBrace) || at(Token::End) ||
                         (!at(Token::Identifier) && starts_declaration(tok_));
    if (!new_statement) skip_statement();
    synchronise();
    return false;
}

Expr* Parser::error_expr(SourceRange range) {
    auto* e = node<ErrorExpr>(range);
    e->type = {.type = types_.error()};
    return e;
}

Expr* Parser::expected_expression() {
    error(tok_.range, "expected expression");
    Expr* e = error_expr(tok_.range);
    while (at_stray_brace()) advance();
    return e;
}

/// Whether a `}` ends nothing, because what follows it can neither begin a statement nor follow a function.
/// Braces within an expression end there.
bool Parser::at_stray_brace() {
    return at(Token::RightBrace) && braces_in_expressions_ == 0 && continues_expression(peek().kind);
}

bool Parser::skip_to(Token target, unsigned flags) {
    while (!at(Token::End)) {
        if (at(target)) return true;
        if (at(Token::RightBrace) && !at_stray_brace()) return false;
        if (at(Token::Semicolon) && (flags & kStopAtSemicolon)) return false;
        if (at(Token::Comma) && (flags & kStopAtComma)) return false;
        if (at(Token::LeftBrace) && (flags & kStopAtLeftBrace)) return false;
        skip_balanced();
    }
    return false;
}

/// One token, or a bracketed group; iterative, for text that is nested without end. Parentheses that no `)`
/// closes end at `;` or `}`; inside braces only braces count.
void Parser::skip_balanced() {
    uint64_t braces = 0, others = 0;
    do {
        if (at(Token::LeftBrace)) ++braces;
        if (at(Token::RightBrace) && braces > 0) --braces;
        if (braces == 0 && (at(Token::LeftParen) || at(Token::LeftBracket))) ++others;
        if (braces == 0 && (at(Token::RightParen) || at(Token::RightBracket)) && others > 0) --others;
        advance();
        if (braces == 0 && others > 0 && (at(Token::RightBrace) || at(Token::Semicolon))) return;
    } while (!at(Token::End) && (braces > 0 || others > 0));
}

void Parser::skip_statement() {
    skip_to(Token::Semicolon, 0);
    end_is_reported_ |= at(Token::End);
    accept(Token::Semicolon);
    synchronise();
}

void Parser::skip_declaration() {
    while (!at(Token::End) && !at(Token::Semicolon) && !at(Token::RightBrace)) {
        bool was_body = at(Token::LeftBrace);
        skip_balanced();
        if (was_body && !at(Token::Semicolon)) break;
    }
    end_is_reported_ |= at(Token::End);
    accept(Token::Semicolon);
    synchronise();
}

// ---- Nesting ----

void Parser::wrap() {
    if (++peak_ > kMaxDepth) too_deep();
}

void Parser::too_deep() {
    if (cut_off_) return;
    diags_.fatal(tok_.range, "nesting level exceeded maximum of ", kMaxDepth);
    cut_off();
}

Parser::Bracket::Bracket(Parser& parser, Token open)
    : parser_(parser), open_(open), opened_(parser.tok_.range) {
    if (++parser.brackets_ > kMaxBrackets && !parser.cut_off_) {
        parser.diags_.fatal(opened_, "bracket nesting level exceeded maximum of ", kMaxBrackets);
        parser.cut_off();
        return;
    }
    parser.advance();
}

bool Parser::Bracket::close() {
    Token closer = closer_of(open_);
    if (parser_.accept(closer)) return true;
    if (parser_.at(Token::Semicolon) && parser_.peek().kind == closer) {
        parser_.error(parser_.tok_.range, "unexpected ';' before '", spelling(closer), "'")
            .fixit(parser_.tok_.range, "");
        parser_.advance();
        parser_.advance();
        return false;
    }
    parser_.error(parser_.tok_.range, "expected '", spelling(closer), "'")
        .note(opened_, "to match this '", spelling(open_), "'");
    if (closer != Token::RightBrace && parser_.skip_to(closer, kStopAtSemicolon | kStopAtLeftBrace))
        parser_.advance();
    return false;
}

// ---- The door ----

UnitParser::UnitParser(TokenStore& tokens, const CompileOptions& options, TypeTable& types, Arena& arena,
                       Diagnostics& diags)
    : parser_(std::make_unique<Parser>(tokens, options, types, arena, diags)) {}
UnitParser::~UnitParser() = default;
bool UnitParser::next(std::vector<Decl*>& decls) { return parser_->next_in_unit(decls); }

TranslationUnit* parse(Preprocessor& tokens, const CompileOptions& options, TypeTable& types, Arena& arena,
                       Diagnostics& diags) {
    TokenStore store(tokens);
    UnitParser parser(store, options, types, arena, diags);
    std::vector<Decl*> decls;
    while (parser.next(decls)) {}
    return arena.make<TranslationUnit>(arena.copy(decls));
}

}  // namespace caldera::frontend
