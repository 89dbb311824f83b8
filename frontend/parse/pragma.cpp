// SPDX-License-Identifier: Apache-2.0
// The pragmas that reach the parser: OPENCL EXTENSION (OpenCL C 6.9), FP_CONTRACT (C99 7.12.2), loop
// unrolling and pack.
#include <cstdlib>

#include "frontend/lex/literal.h"
#include "frontend/parse/grammar.h"

namespace caldera::frontend {

namespace {

bool is_word_char(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The text of a pragma, read one word or punctuator at a time.
class PragmaText {
 public:
    explicit PragmaText(std::string_view text) : text_(text) { skip_space(); }

    std::string_view peek() const {
        size_t n = 0;
        while (n < text_.size() && is_word_char(text_[n])) ++n;
        return text_.substr(0, n ? n : std::min<size_t>(1, text_.size()));
    }
    std::string_view next() {
        std::string_view word = peek();
        text_.remove_prefix(word.size());
        skip_space();
        return word;
    }
    std::string_view rest() const { return text_; }
    bool accept(std::string_view word) {
        if (peek() != word) return false;
        next();
        return true;
    }

 private:
    void skip_space() {
        while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t')) text_.remove_prefix(1);
    }
    std::string_view text_;
};

bool is_identifier(std::string_view word) {
    return !word.empty() && is_word_char(word[0]) && !(word[0] >= '0' && word[0] <= '9');
}

}  // namespace

/// The location of `word`, a part of the pragma's text. It is exact if the pragma is written like its text,
/// with single spaces.
SourceRange Parser::inside_pragma(const Tok& pragma, std::string_view word) const {
    uint32_t length = pragma.range.end.offset - pragma.range.begin.offset;
    if (length != pragma.text.size() || word.data() < pragma.text.data()) return pragma.range;
    uint32_t tail = static_cast<uint32_t>(pragma.text.data() + pragma.text.size() - word.data());
    if (tail > pragma.text.size()) return pragma.range;
    SourceLoc begin{pragma.range.end.offset - tail};
    return {begin, {begin.offset + static_cast<uint32_t>(word.size())}};
}

Decl* Parser::file_pragma() {
    Tok pragma = tok_;
    advance();
    PragmaText text(pragma.text);
    if (text.peek() == "unroll" || text.peek() == "nounroll") {
        error(pragma.range, "expected a for, while, or do-while loop to follow '#pragma ", text.peek(), "'");
        return nullptr;
    }
    if (fp_contract_pragma(pragma) || pack_pragma(pragma)) return nullptr;
    return extension_pragma(pragma);
}

void Parser::block_pragma(bool at_start, List<Stmt*>& body) {
    Tok pragma = tok_;
    std::string_view first = PragmaText(pragma.text).peek();
    if (first == "unroll" || first == "nounroll") return unroll_pragma();
    advance();
    if (pack_pragma(pragma)) return;
    bool saved = no_contraction_;
    if (fp_contract_pragma(pragma)) {
        if (at_start) return;
        no_contraction_ = saved;
        error(inside_pragma(pragma, pragma.text.substr(first.size() + 1)),
              "'#pragma fp_contract' can only appear at file scope or at the start of a compound statement");
        return;
    }
    if (Decl* decl = extension_pragma(pragma)) {
        auto* stmt = node<DeclStmt>(pragma.range);
        stmt->decls = arena_.copy(std::span<Decl* const>(&decl, 1));
        body.push(stmt);
    }
}

/// (`OPENCL` | `STDC`) `FP_CONTRACT` (`ON` | `OFF` | `DEFAULT`): the default is ON (OpenCL C 6.9), or what
/// -ffp-contract= says.
bool Parser::fp_contract_pragma(const Tok& pragma) {
    PragmaText text(pragma.text);
    if (!text.accept("OPENCL") && !text.accept("STDC")) return false;
    if (!text.accept("FP_CONTRACT")) return false;
    std::string_view word = text.next();
    if (word == "ON" || word == "OFF" || word == "DEFAULT")
        no_contraction_ = word == "OFF" || (word == "DEFAULT" && options_.fp_contract == FpContract::Off);
    else
        diags_.warning(Warning::PragmaSyntax, inside_pragma(pragma, word),
                       "expected 'ON' or 'OFF' or 'DEFAULT' in pragma");
    return true;
}

/// `pack` `(` (`show` | (`push` | `pop`) (`,` label)? (`,` number)? | number)? `)`: the limit on the
/// alignment of fields that gcc and MSVC have.
bool Parser::pack_pragma(const Tok& pragma) {
    PragmaText text(pragma.text);
    if (!text.accept("pack")) return false;
    auto ignore = [&](std::string_view word, auto... message) {
        diags_.warning(Warning::IgnoredPragmas, inside_pragma(pragma, word), message...);
        return true;
    };
    if (!text.accept("(")) return ignore(text.peek(), "missing '(' after '#pragma pack' - ignoring");
    std::string_view action = is_identifier(text.peek()) ? text.next() : std::string_view();
    if (!action.empty() && action != "push" && action != "pop" && action != "show")
        return ignore(action, "unknown action for '#pragma pack' - ignored");
    std::string_view label = {}, number = {};
    bool more = action.empty() ? text.peek() != ")" : text.accept(",");
    if (more && !action.empty() && is_identifier(text.peek())) {
        label = text.next();
        more = text.accept(",");
    }
    if (more) number = text.next();
    if (more && (number.empty() || !is_word_char(number[0]) || is_identifier(number)))
        return ignore(number, "expected integer or identifier in '#pragma pack' - ignored");
    if (!text.accept(")")) return ignore(text.peek(), "missing ')' after '#pragma pack' - ignoring");
    uint32_t bytes = 0;
    if (!number.empty()) {
        const unsigned long long value = std::strtoull(number.data(), nullptr, 0);
        bytes = static_cast<uint32_t>(value);
        if (value > 16 || (value & (value - 1)) != 0)
            return ignore(number, "expected #pragma pack parameter to be '1', '2', '4', '8', or '16'");
    }
    if (action == "show") {
        diags_.warning(Warning::IgnoredPragmas, pragma.range,
                       "value of #pragma pack(show) == ", pack_bytes_ ? pack_bytes_ : 8);
        return true;
    }
    if (action == "push") pack_stack_.push_back({label, pack_bytes_});
    if (action == "pop" && !pop_pack(label))
        ignore(action, "#pragma pack(pop, ...) failed: ",
               pack_stack_.empty() ? "stack empty" : "no record matching the label");
    if (action.empty() || !number.empty()) pack_bytes_ = bytes;
    return true;
}

/// Restores the limit before the last push, or before the last push with `label`.
bool Parser::pop_pack(std::string_view label) {
    size_t at = pack_stack_.size();
    while (at > 0 && !label.empty() && pack_stack_[at - 1].label != label) --at;
    if (at == 0) return false;
    pack_bytes_ = pack_stack_[at - 1].bytes;
    pack_stack_.resize(at - 1);
    return true;
}

/// `OPENCL` `EXTENSION` identifier `:` (`enable` | `disable` | `begin` | `end`)
Decl* Parser::extension_pragma(const Tok& pragma) {
    PragmaText text(pragma.text);
    bool standard_c = text.accept("STDC");
    if (standard_c || !text.accept("OPENCL") || text.peek() != "EXTENSION") {
        diags_.warning(Warning::UnknownPragmas, inside_pragma(pragma, text.peek()),
                       standard_c ? "unknown pragma in STDC namespace" : "unknown pragma ignored");
        return nullptr;
    }
    text.next();
    auto ignore = [&](std::string_view word, auto... message) {
        diags_.warning(Warning::IgnoredPragmas, inside_pragma(pragma, word), message...);
        return nullptr;
    };
    std::string_view name = text.next();
    if (!is_identifier(name)) return ignore(name, "expected identifier in '#pragma OPENCL' - ignored");
    std::string_view colon = text.next();
    if (colon != ":") return ignore(colon, "missing ':' after '", name, "' - ignoring");
    std::string_view behaviour = text.next();
    if (name == "all" && behaviour != "disable") return ignore(name, "expected 'disable' - ignoring");
    if (behaviour != "enable" && behaviour != "disable" && behaviour != "begin" && behaviour != "end")
        return ignore(behaviour, "expected 'enable', 'disable', 'begin' or 'end' - ignoring");
    if (const std::string_view extra = text.peek(); !extra.empty())
        ignore(extra, "extra tokens at end of '#pragma OPENCL EXTENSION' - ignored");
    enable_extension(pragma, name, behaviour);
    auto* decl = node<EmptyDecl>(pragma.range);
    decl->pragma = pragma.text;
    decl->enabled = enabled_;
    return decl;
}

void Parser::enable_extension(const Tok& pragma, std::string_view name, std::string_view behaviour) {
    if (name == "all") {
        enabled_ = {};
        return;
    }
    if (behaviour == "begin" || behaviour == "end") {  // around the declarations of a vendor's extension
        announced_.insert(name);
        return;
    }
    const Features features = options_.features();
    std::optional<Ext> ext = find_extension(name);
    if (!ext || !has_pragma(*ext)) {
        if (!announced_.contains(name))
            diags_.warning(Warning::IgnoredPragmas, inside_pragma(pragma, name), "OpenCL extension '", name,
                           "' unknown or does not require pragma - ignoring");
    } else if (!features.serves(*ext)) {
        diags_.warning(Warning::IgnoredPragmas, inside_pragma(pragma, name), "unsupported OpenCL extension '",
                       name, "' - ignoring");
    } else if (is_core(*ext, features.standard)) {
        diags_.warning(Warning::PedanticCoreFeatures, inside_pragma(pragma, name), "OpenCL extension '", name,
                       "' is core feature or supported optional core feature - ignoring");
    } else {
        enabled_.set(*ext, behaviour == "enable");
    }
}

/// The tokens of what a pragma says behind its name, and an End. Their places are exact if the pragma is
/// written like its text.
std::vector<Tok> Parser::tokens_of(const Tok& pragma, std::string_view text) {
    const SourceRange place = inside_pragma(pragma, text);
    const bool is_exact = place.end.offset - place.begin.offset == text.size();
    const std::string_view ended = arena_.copy(std::string(text) + '\0');  // as the lexer wants it
    Lexer lexer(ended.substr(0, text.size()), place.begin, tokens_.names(), arena_, diags_);
    std::vector<Tok> tokens;
    do {
        Tok& tok = tokens.emplace_back(lexer.next());
        if (tok.kind == Token::Identifier) tok.kind = keyword(tok.text, options_.standard);
        if (tok.kind == Token::End) tok.range = {place.end, place.end};
        if (!is_exact) tok.range = pragma.range;
    } while (tokens.back().kind != Token::End);
    return tokens;
}

/// A constant expression, which may stand in parentheses; null after an error.
Expr* Parser::unroll_factor(const Tok& pragma, std::string_view text) {
    const std::vector<Tok> tokens = tokens_of(pragma, text);
    if (tokens[0].kind == Token::LeftParen && tokens[1].kind == Token::RightParen) {
        error(tokens[1].range, "missing argument; expected an integer value");
        return nullptr;
    }
    const Tok tok = std::exchange(tok_, tokens[0]), ahead = ahead_;
    const bool had_ahead = std::exchange(has_ahead_, false);
    const SourceLoc begin = last_begin_, end = last_end_;
    line_ = std::span(tokens).subspan(1);
    Expr* factor = conditional_expression();
    if (!at(Token::End) && !cut_off_ && factor->kind != ExprKind::Error)
        diags_.warning(Warning::IgnoredPragmas, tok_.range,
                       "extra tokens at end of '#pragma unroll' - ignored");
    line_ = {};
    if (cut_off_) return factor;            // the line was nested too deeply: no token follows
    panicking_ = end_is_reported_ = false;  // a fault of the line says nothing of what follows it
    tok_ = tok, ahead_ = ahead, has_ahead_ = had_ahead;
    last_begin_ = begin, last_end_ = end;
    return factor;
}

/// `unroll` constant-expression? | `nounroll`: an attribute of the loop that follows.
void Parser::unroll_pragma() {
    Tok pragma = tok_;
    advance();
    PragmaText text(pragma.text);
    Attribute attribute{.name = text.next(), .range = pragma.range};
    if (attribute.name == "nounroll") return pending_.push_back(attribute);
    List<Expr*> args(exprs_);
    if (!text.rest().empty())
        if (Expr* factor = unroll_factor(pragma, text.rest())) args.push(factor);
    attribute.args = args.finish(arena_);
    pending_.push_back(attribute);
}

/// The attributes that `#pragma unroll` left for the loop that begins here.
std::vector<Attribute> Parser::take_pending() {
    if (pending_.empty()) return {};
    bool is_loop = at(Token::KwFor) || at(Token::KwWhile) || at(Token::KwDo);
    if (!is_loop)
        error(tok_.range, "expected a for, while, or do-while loop to follow '#pragma ", pending_[0].name,
              "'");
    return std::exchange(pending_, {});
}

}  // namespace caldera::frontend
