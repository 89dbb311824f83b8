// SPDX-License-Identifier: Apache-2.0
// Statements (C99 6.8; attributes on them as OpenCL C 6.11.5 has it; case ranges as GNU has them).
#include <algorithm>

#include "frontend/parse/grammar.h"

namespace caldera::frontend {

/// compound-statement: `{` local-labels* block-item* `}`
CompoundStmt* Parser::compound_statement() {
    auto* block = node<CompoundStmt>(tok_.range);
    Bracket brace(*this, Token::LeftBrace);
    Nest nest(*this);
    Scope scope(*this);
    bool outer_contraction = no_contraction_;
    SourceRange outer_else = trailing_else_;
    const uint32_t faults = diags_.fault_count();
    List<Stmt*> body(stmts_);
    std::vector<LocalLabel> labels;
    while (at_local_labels()) local_labels(labels);
    if (!labels.empty()) block->local_labels = arena_.copy(labels);
    bool at_start = true;
    while (!at(Token::RightBrace) && !at(Token::End)) {
        size_t before = taken_;
        if (!at(Token::Pragma)) at_start = false;
        block_item(at_start, body);
        if (taken_ == before && !at(Token::End)) skip_balanced();
    }
    block->no_contraction = no_contraction_;
    no_contraction_ = outer_contraction;
    trailing_else_ = outer_else;
    block->body = body.finish(arena_);
    if (!pending_.empty()) take_pending();
    if (!at(Token::End)) synchronise();
    brace.close();
    block->range = since(block->range.begin);
    block->is_faulty = diags_.fault_count() != faults;
    return block;
}

/// block-item: declaration | statement | pragma
void Parser::block_item(bool at_start, List<Stmt*>& body) {
    synchronise();
    if (at(Token::Pragma)) return block_pragma(at_start, body);
    if (at_local_labels()) {  // what it declares is not known, as nothing else of a faulty statement is
        error(tok_.range, "expected expression");
        std::vector<LocalLabel> misplaced;
        return local_labels(misplaced);
    }
    bool is_label = at_label();
    std::span<Attribute> own = attributes();
    if (at(Token::KwExtension) && starts_declaration(peek())) advance();
    if (!is_label && (starts_declaration(tok_) || unknown_type_follows()))
        body.push(declaration_statement(own));
    else
        body.push(statement_with(own, true));
}

bool Parser::at_local_labels() { return at(Token::Identifier) && tok_.text == "__label__"; }

/// local-labels (GNU): `__label__` identifier (`,` identifier)* `;`
void Parser::local_labels(std::vector<LocalLabel>& labels) {
    advance();
    do {
        if (!at(Token::Identifier)) {
            error(tok_.range, "expected identifier");
            break;
        }
        labels.push_back({.name = tok_.text, .name_range = tok_.range});
        advance();
    } while (accept(Token::Comma));
    expect_semicolon("at end of declaration");
}

/// `foo x` or `foo int`, where foo names nothing: a faulty declaration rather than a faulty expression.
bool Parser::unknown_type_follows() {
    return at(Token::Identifier) && (peek().kind == Token::Identifier || begins_base(peek())) &&
           lookup(tok_.name).kind == NameKind::Unknown;
}

Stmt* Parser::declaration_statement(std::span<Attribute> own) {
    take_pending();
    SourceLoc begin = tok_.range.begin;
    auto* stmt = node<DeclStmt>(tok_.range);
    stmt->starts_line = tok_.at_line_start;
    List<Decl*> decls(decls_);
    declaration(Context::Block, own, decls);
    stmt->decls = decls.finish(arena_);
    stmt->range = since(begin);
    return stmt;
}

/// statement: attribute* (labeled-statement | compound-statement | expression-statement | selection-statement
///                        | iteration-statement | jump-statement), after any `#pragma unroll`
Stmt* Parser::statement() {
    while (at(Token::Pragma)) {
        List<Stmt*> declared(stmts_);
        block_pragma(false, declared);
    }
    return statement_with(attributes());
}

/// The statement to which `own`, already read, belongs. `in_list`: more statements of a block may follow it.
Stmt* Parser::statement_with(std::span<Attribute> own, bool in_list) {
    Nest nest(*this);
    std::vector<Attribute> pending = take_pending();
    SourceLoc begin = tok_.range.begin;
    bool starts_line = tok_.at_line_start;
    Stmt* stmt = unattributed(in_list);
    stmt->range = since(begin);
    stmt->starts_line = starts_line;
    if (pending.empty()) {
        stmt->attributes = own;
    } else {
        pending.insert(pending.end(), own.begin(), own.end());
        stmt->attributes = arena_.copy(pending);
    }
    return stmt;
}

Stmt* Parser::unattributed(bool in_list) {
    switch (tok_.kind) {
        case Token::LeftBrace: return compound_statement();
        case Token::KwCase: return case_label(in_list);
        case Token::KwDefault: return default_label(in_list);
        case Token::KwIf: return if_statement();
        case Token::KwSwitch: return switch_statement();
        case Token::KwWhile: return while_statement();
        case Token::KwDo: return do_statement();
        case Token::KwFor: return for_statement();
        case Token::KwGoto: return goto_statement();
        case Token::KwContinue: return simple_jump<ContinueStmt>("after continue statement");
        case Token::KwBreak: return simple_jump<BreakStmt>("after break statement");
        case Token::KwReturn: return return_statement();
        case Token::KwAsm: return asm_statement();
        case Token::Identifier:
            if (at_label()) return label(in_list);
            break;
        default: break;
    }
    return starts_declaration(tok_) ? misplaced_declaration() : expression_statement();
}

// ---- Labelled statements (C99 6.8.1) ----

/// labeled-statement: identifier `:` attribute* statement
/// The attribute `unused` is the label's, others are the statement's: kernels for FPGAs label the loops they
/// mean.
Stmt* Parser::label(bool in_list) {
    auto* stmt = node<LabelStmt>(tok_.range);
    stmt->name = tok_.text;
    stmt->name_range = tok_.range;
    advance();
    advance();
    const std::span<Attribute> all = attributes();
    const auto own =
        std::ranges::stable_partition(all, [](const Attribute& a) { return a.name != "unused"; });
    stmt->may_be_unused = !own.empty();
    stmt->body = labelled_body(in_list, tok_.range, "expected statement", all.first(all.size() - own.size()));
    return stmt;
}

/// labeled-statement: `case` constant-expression (`...` constant-expression)? `:` statement
Stmt* Parser::case_label(bool in_list) {
    auto* stmt = node<CaseStmt>(tok_.range);
    advance();
    stmt->first_expr = whole(conditional_expression());
    if (at(Token::Ellipsis)) {
        diags_.warning(Warning::GnuCaseRange, tok_.range, "use of GNU case range extension");
        advance();
        stmt->last_expr = conditional_expression();
    }
    expect(Token::Colon, "after 'case'");
    stmt->body =
        labelled_body(in_list, after_last(), "label at end of compound statement: expected statement");
    return stmt;
}

/// labeled-statement: `default` `:` statement
Stmt* Parser::default_label(bool in_list) {
    auto* stmt = node<DefaultStmt>(tok_.range);
    advance();
    expect(Token::Colon, "after 'default'");
    stmt->body =
        labelled_body(in_list, after_last(), "label at end of compound statement: expected statement");
    return stmt;
}

bool Parser::at_label() {
    return at(Token::KwCase) || at(Token::KwDefault) ||
           (at(Token::Identifier) && peek().kind == Token::Colon);
}

/// The statement behind a label. Labels in a row are each other's bodies. In a block, where a row may be
/// long, it is cut by empty statements before it nests too deeply. `own`: the statement's first attributes.
Stmt* Parser::labelled_body(bool in_list, SourceRange place, std::string_view message,
                            std::span<Attribute> own) {
    if (in_list && at_label())
        return depth_ < kMaxDepth / 2 ? statement_with(own, true) : node<NullStmt>(after_last());
    if (!at(Token::RightBrace)) return own.empty() ? statement() : statement_with(own);
    error(place, message).fixit(after_last(), " ;");
    return node<NullStmt>(after_last());
}

// ---- Selection statements (C99 6.8.4) ----

/// `(` expression `)` after `keyword`
Expr* Parser::parenthesised_condition(std::string_view keyword) {
    if (!at(Token::LeftParen)) {
        error(tok_.range, "expected '(' after '", keyword, "'");
        const SourceRange place = tok_.range;
        const bool begins_condition = at(Token::Identifier) || at(Token::Number) || at(Token::Bang) ||
                                      at(Token::Minus) || at(Token::Tilde);
        if (!begins_condition && peek().kind == Token::LeftParen) advance();
        if (begins_condition || accept(Token::LeftParen)) {  // so that the body is what it was meant to be
            expression();
            accept(Token::RightParen);
        }
        return error_expr(place);
    }
    Bracket paren(*this, Token::LeftParen);
    Nest nest(*this);
    Expr* condition = expression();
    paren.close();
    return whole(condition);
}

/// selection-statement: `if` `(` expression `)` statement (`else` statement)?
/// A chain of `else if` is read in a loop, however long.
Stmt* Parser::if_statement() {
    IfStmt* first = nullptr;
    IfStmt* last = nullptr;
    SourceRange own_else;
    bool more = true;
    while (more) {
        auto* stmt = node<IfStmt>(tok_.range);
        if (last) last->otherwise = stmt;
        if (!first) first = stmt;
        last = stmt;
        advance();
        stmt->condition = parenthesised_condition("if");
        trailing_else_ = {};
        stmt->then = statement();
        more = false;
        if (!at(Token::KwElse)) {
            if (trailing_else_ && !is_silent())
                diags_.warning(Warning::DanglingElse, trailing_else_,
                               "add explicit braces to avoid dangling else");
            break;
        }
        if (stmt == first) own_else = tok_.range;
        stmt->else_range = tok_.range;
        advance();
        more = at(Token::KwIf);
        if (!more) stmt->otherwise = statement();
    }
    trailing_else_ = own_else;
    for (IfStmt* s = first; s; s = dyn<IfStmt>(s->otherwise)) s->range = since(s->range.begin);
    return first;
}

/// selection-statement: `switch` `(` expression `)` statement
Stmt* Parser::switch_statement() {
    auto* stmt = node<SwitchStmt>(tok_.range);
    advance();
    stmt->condition = parenthesised_condition("switch");
    stmt->body = statement();
    return stmt;
}

// ---- Iteration statements (C99 6.8.5) ----

/// iteration-statement: `while` `(` expression `)` statement
Stmt* Parser::while_statement() {
    auto* stmt = node<WhileStmt>(tok_.range);
    advance();
    stmt->condition = parenthesised_condition("while");
    stmt->body = statement();
    return stmt;
}

/// iteration-statement: `do` statement `while` `(` expression `)` `;`
Stmt* Parser::do_statement() {
    auto* stmt = node<DoStmt>(tok_.range);
    SourceRange word = tok_.range;
    advance();
    stmt->body = statement();
    trailing_else_ = {};
    if (!accept(Token::KwWhile)) {
        error(tok_.range, "expected 'while' in do/while loop").note(word, "to match this 'do'");
        stmt->condition = error_expr(tok_.range);
        if (at(Token::Identifier)) skip_statement();  // a misspelt `while`
        return stmt;
    }
    stmt->condition = parenthesised_condition("do/while");
    expect_semicolon("after do/while statement");
    return stmt;
}

/// iteration-statement: `for` `(` for-header `)` statement
Stmt* Parser::for_statement() {
    auto* stmt = node<ForStmt>(tok_.range);
    advance();
    Scope scope(*this);
    if (at(Token::LeftParen)) {
        Bracket paren(*this, Token::LeftParen);
        Nest nest(*this);
        for_header(*stmt);
        paren.close();
    } else {
        error(tok_.range, "expected '(' after 'for'");
        const bool begins_header =
            starts_declaration(tok_) || (at(Token::Identifier) && peek().kind == Token::Equal);
        stmt->condition = error_expr(tok_.range);
        if (!begins_header && peek().kind == Token::LeftParen) advance();
        if (begins_header || accept(Token::LeftParen)) {  // the body needs the variables
            for_header(*stmt);
            accept(Token::RightParen);
        }
    }
    stmt->body = statement();
    return stmt;
}

/// for-header: (declaration | expression? `;`) expression? `;` expression?
void Parser::for_header(ForStmt& loop) {
    SourceLoc begin = tok_.range.begin;
    if (starts_declaration(tok_) || unknown_type_follows()) {
        auto* init = node<DeclStmt>(tok_.range);
        List<Decl*> decls(decls_);
        declaration(Context::For, {}, decls);
        init->decls = decls.finish(arena_);
        init->range = since(begin);
        loop.init = init;
    } else if (!at(Token::Semicolon)) {
        auto* init = node<ExprStmt>(tok_.range);
        init->expr = whole(expression());
        init->range = since(begin);
        loop.init = init;
    }
    constexpr std::string_view kMessage = "in 'for' statement specifier";
    if (!expect(Token::Semicolon, kMessage)) return void(skip_to(Token::RightParen, 0));
    if (!at(Token::Semicolon)) loop.condition = whole(expression());
    if (!expect(Token::Semicolon, kMessage)) return void(skip_to(Token::RightParen, 0));
    if (!at(Token::RightParen)) loop.step = whole(expression());
}

// ---- Jump statements (C99 6.8.6) ----

/// jump-statement: `goto` identifier `;`
Stmt* Parser::goto_statement() {
    auto* stmt = node<GotoStmt>(tok_.range);
    advance();
    if (at(Token::Star)) {
        error(tok_.range, "computed goto is not supported");
    } else if (at(Token::Identifier)) {
        stmt->name = tok_.text;
        stmt->name_range = tok_.range;
        advance();
    } else {
        error(tok_.range, "expected identifier");
    }
    bool faulty = stmt->name.empty();
    SourceRange range = stmt->range;
    expect_semicolon("after goto statement");
    if (faulty) return node<ErrorStmt>(range);
    return stmt;
}

/// jump-statement: `return` expression? `;`
Stmt* Parser::return_statement() {
    auto* stmt = node<ReturnStmt>(tok_.range);
    advance();
    if (!at(Token::Semicolon)) stmt->value = whole(expression());
    expect_semicolon("after return statement");
    return stmt;
}

// ---- Expression statements (C99 6.8.3) and what stands wrongly in their place ----

/// expression-statement: expression? `;`
Stmt* Parser::expression_statement() {
    if (at(Token::Semicolon)) {
        auto* null = node<NullStmt>(tok_.range);
        advance();
        return null;
    }
    auto* stmt = node<ExprStmt>(tok_.range);
    stmt->expr = whole(expression());
    expect_semicolon("after expression");
    return stmt;
}

/// C99 takes a declaration only in a block: not after a label, not as the body of an `if`.
Stmt* Parser::misplaced_declaration() {
    auto* stmt = node<ErrorStmt>(tok_.range);
    error(tok_.range, "expected expression");
    List<Decl*> decls(decls_);
    declaration(Context::Block, {}, decls);
    return stmt;
}

Stmt* Parser::asm_statement() {
    auto* stmt = node<ErrorStmt>(tok_.range);
    refuse_asm();
    expect_semicolon("after expression");
    return stmt;
}

}  // namespace caldera::frontend
