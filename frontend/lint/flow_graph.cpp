// SPDX-License-Identifier: Apache-2.0
#include "frontend/lint/flow_graph.h"

#include <utility>

#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

constexpr uint32_t kNone = ~uint32_t{0};

/// && and || of scalars: the right side is not always evaluated.
bool is_logical(const BinaryExpr& e) {
    return (e.op == BinaryOp::LogicalAnd || e.op == BinaryOp::LogicalOr) && !e.type->is_vector();
}

/// `struct {}`, `int a[0]` and what consists of them: nothing can be written, so nothing is read.
bool has_no_parts(const Type& type) { return is_aggregate(type) && type.size_bytes == 0; }

/// One walk over the statements; `at_` is the block that is being filled.
class Builder {
 public:
    FlowGraph run(const FunctionDecl& function) {
        at_ = block();
        statement(*function.body);
        return std::move(graph_);
    }

 private:
    struct Jumps {  // where break and continue go
        uint32_t on_break = kNone, on_continue = kNone;
    };
    struct Switch {
        uint32_t head = kNone;
        bool has_default = false;
    };

    uint32_t block() {
        graph_.blocks.emplace_back();
        return static_cast<uint32_t>(graph_.blocks.size() - 1);
    }
    void edge(uint32_t from, uint32_t to, bool possible = true, const Stmt* label = nullptr) {
        graph_.blocks[from].next.push_back({to, possible, label});
    }
    void jump(uint32_t to) {
        edge(at_, to);
        at_ = block();  // what follows is reached by a label, or not at all
    }
    void go_on_at(uint32_t to) {
        edge(at_, to);
        at_ = to;
    }

    void event(FlowEvent::Kind kind, const VarDecl* var, const Expr* at) {
        auto found = index_.find(var);
        if (found != index_.end()) graph_.blocks[at_].events.push_back({kind, found->second, at});
    }
    void declare(const VarDecl& var);
    const VarDecl* tracked(const Expr& e) const {
        auto* ref = dyn<DeclRefExpr>(strip_parens(&e));
        auto* var = ref ? dyn<VarDecl>(static_cast<const Decl*>(ref->decl)) : nullptr;
        return var && index_.count(var) ? var : nullptr;
    }

    /// Reads `e` if it is a part of a tracked record or array, or the whole.
    bool read_part(const Expr& e);
    void expression(const Expr& e);
    void leaf(const Expr& e);
    void assign(const AssignExpr& e);
    void call(const CallExpr& e);
    /// Evaluates a condition and goes to one block or the other; `at_` is neither afterwards.
    void condition(const Expr& e, uint32_t if_true, uint32_t if_false, const Stmt* stmt, const Expr* expr);

    void statement(const Stmt& stmt);
    void if_chain(const IfStmt& stmt);
    void loop(const Stmt& stmt, const Expr* test, const Expr* step, const Stmt& body, bool test_first);
    void switch_stmt(const SwitchStmt& stmt);
    void case_label(const Stmt& stmt, const Stmt* body);
    uint32_t label_block(const LabelStmt* label) {
        auto [found, fresh] = labels_.emplace(label, kNone);
        if (fresh) found->second = block();
        return found->second;
    }

    FlowGraph graph_ = {};
    std::unordered_map<const VarDecl*, uint32_t> index_ = {};
    std::unordered_map<const LabelStmt*, uint32_t> labels_ = {};
    Jumps jumps_ = {};
    Switch* switch_ = nullptr;
    bool fallthrough_meant_ = false;  // the statement before is `__attribute__((fallthrough));`
    bool follows_statement_ = false;  // something stands between the last label and here
    uint32_t at_ = 0;
};

void Builder::declare(const VarDecl& var) {
    bool fits = !var.has_global_lifetime && var.type &&
                (var.type->is_scalar() || var.type->is_vector() || is_aggregate(*var.type.type)) &&
                !has_no_parts(*var.type.type);
    auto* read = var.init ? dyn<CastExpr>(strip_parens(static_cast<const Expr*>(var.init))) : nullptr;
    bool self = read && read->cast == CastKind::LValueToRValue && named_variable(*read) == &var;
    // A variable that its own initialiser names is read before it has a value.
    if (fits && !index_.count(&var)) {
        index_.emplace(&var, static_cast<uint32_t>(graph_.vars.size()));
        graph_.vars.push_back(&var);
        graph_.self_init.push_back(self);
    }
    if (var.init && !self) expression(*var.init);
    event(var.init && !self ? FlowEvent::Kind::Write : FlowEvent::Kind::Declare, &var, var.init);
}

bool Builder::read_part(const Expr& e) {
    std::vector<const Expr*> indices;
    const Expr* at = strip_parens(&e);
    for (;;) {
        const Expr* outer = at;
        if (auto* member = dyn<MemberExpr>(at)) at = strip_parens(member->base);
        if (auto* lanes = dyn<SwizzleExpr>(at)) at = strip_parens(lanes->base);
        if (auto* element = dyn<SubscriptExpr>(at)) {
            auto* decay = dyn<CastExpr>(strip_parens(element->base));
            if (!decay || decay->cast != CastKind::ArrayToPointer) return false;
            indices.push_back(element->index);
            at = strip_parens(decay->operand);
        }
        if (at == outer) break;
    }
    const VarDecl* var = tracked(*at);
    if (!var || !is_aggregate(*var->type.type)) return false;
    for (const Expr* index : indices) expression(*index);
    if (!has_no_parts(*e.type.type)) event(FlowEvent::Kind::Read, var, at);
    return true;
}

void Builder::expression(const Expr& e) {
    std::vector<const BinaryExpr*> chain;  // long chains lean left
    const Expr* inner = &e;
    for (;;) {
        auto* binary = dyn<BinaryExpr>(inner);
        if (!binary || is_logical(*binary)) break;
        chain.push_back(binary);
        inner = binary->lhs;
    }
    leaf(*inner);
    for (size_t i = chain.size(); i-- > 0;) expression(*chain[i]->rhs);
}

void Builder::leaf(const Expr& e) {
    switch (e.kind) {
        case ExprKind::DeclRef: return event(FlowEvent::Kind::Write, tracked(e), &e);
        case ExprKind::Paren: return expression(*as<ParenExpr>(e).inner);
        case ExprKind::Cast: {
            auto& cast = as<CastExpr>(e);
            const VarDecl* var = tracked(*cast.operand);
            if (cast.cast == CastKind::ToVoid && named_variable(*cast.operand)) return;  // `(void)x;`
            if (cast.cast == CastKind::LValueToRValue && var)
                return event(FlowEvent::Kind::Read, var, strip_parens(cast.operand));
            if (cast.cast == CastKind::LValueToRValue && read_part(*cast.operand)) return;
            return expression(*cast.operand);
        }
        case ExprKind::Unary: {
            auto& unary = as<UnaryExpr>(e);
            const VarDecl* var = tracked(*unary.operand);
            const bool steps = unary.op >= UnaryOp::PreInc && unary.op <= UnaryOp::PostDec;
            if (var && steps) return event(FlowEvent::Kind::Read, var, strip_parens(unary.operand));
            if (steps && read_part(*unary.operand)) return;
            return expression(*unary.operand);
        }
        case ExprKind::Assign: return assign(as<AssignExpr>(e));
        case ExprKind::Call: return call(as<CallExpr>(e));
        case ExprKind::Binary:  // && and ||
        case ExprKind::Conditional: {
            auto* choice = dyn<ConditionalExpr>(&e);
            if (choice && choice->condition->type->is_vector()) break;
            uint32_t after = block();
            if (choice) {
                uint32_t no = block(), yes = choice->if_true ? block() : after;
                condition(*choice->condition, yes, no, nullptr, choice);
                if (choice->if_true) {
                    at_ = yes;
                    expression(*choice->if_true);
                    edge(at_, after);
                }
                at_ = no;
                expression(*choice->if_false);
            } else {
                auto& logical = as<BinaryExpr>(e);
                uint32_t right = block();
                bool is_and = logical.op == BinaryOp::LogicalAnd;
                condition(*logical.lhs, is_and ? right : after, is_and ? after : right, nullptr, &logical);
                at_ = right;
                expression(*logical.rhs);
            }
            return go_on_at(after);
        }
        case ExprKind::StmtExpr: return statement(*as<StmtExprExpr>(e).body);
        default: break;
    }
    for_each_operand(e, [&](const Expr& operand) { expression(operand); });
}

/// A compound assignment reads; whether the variable had a value before does not change.
void Builder::assign(const AssignExpr& e) {
    const VarDecl* var = tracked(*e.lhs);
    if (!var && !(e.compound && read_part(*e.lhs))) expression(*e.lhs);
    if (var && e.compound) event(FlowEvent::Kind::Read, var, strip_parens(e.lhs));
    expression(*e.rhs);
    if (var && !e.compound) event(FlowEvent::Kind::Write, var, &e);
}

/// A function that takes a pointer to const does not give the variable a value.
void Builder::call(const CallExpr& e) {
    for (const Expr* arg : e.args) {
        const Expr& given = below_conversions(*arg);
        auto* address = dyn<UnaryExpr>(&given);
        bool only_looks = address && address->op == UnaryOp::AddressOf && tracked(*address->operand) &&
                          arg->type->is_pointer() && arg->type->element.is_const;
        if (!only_looks) expression(*arg);
    }
    if (e.function && e.function->call_message) graph_.blocks[at_].marked_calls.push_back(&e);
}

void Builder::condition(const Expr& e, uint32_t if_true, uint32_t if_false, const Stmt* stmt,
                        const Expr* expr) {
    const Expr* inner = strip_parens(&e);
    if (auto* negation = dyn<UnaryExpr>(inner);
        negation && negation->op == UnaryOp::LogicalNot && !negation->type->is_vector()) {
        auto* logical = dyn<BinaryExpr>(strip_parens(negation->operand));
        if (logical && is_logical(*logical)) return condition(*logical, if_false, if_true, stmt, expr);
    }
    // Chains of && and || lean left: the innermost left operand is evaluated first, then one right side after
    // another.
    struct Link {
        const BinaryExpr* logical;
        uint32_t yes, no, right;
    };
    std::vector<Link> chain;
    for (auto* logical = dyn<BinaryExpr>(inner); logical && is_logical(*logical);
         logical = dyn<BinaryExpr>(inner)) {
        chain.push_back({logical, if_true, if_false, block()});
        (logical->op == BinaryOp::LogicalAnd ? if_true : if_false) = chain.back().right;
        inner = strip_parens(logical->lhs);
    }
    auto decide = [&](const Expr& test, uint32_t yes, uint32_t no, const Stmt* by_stmt, const Expr* by_expr) {
        expression(test);
        auto known = evaluate_integer(test);
        FlowBlock& from = graph_.blocks[at_];
        from.branch_stmt = by_stmt;
        from.branch_expr = by_expr;
        from.condition = &test;
        edge(at_, yes, !known || *known != 0);
        edge(at_, no, !known || *known == 0);
    };
    if (chain.empty()) return decide(*inner, if_true, if_false, stmt, expr);
    decide(*inner, if_true, if_false, nullptr, chain.back().logical);
    for (size_t i = chain.size(); i-- > 0;) {
        const Link& link = chain[i];
        at_ = link.right;
        const Expr* outer = i ? chain[i - 1].logical : expr;
        condition(*link.logical->rhs, link.yes, link.no, i ? nullptr : stmt, outer);
    }
}

void Builder::statement(const Stmt& stmt) {
    bool meant = fallthrough_meant_;
    fallthrough_meant_ = false;
    switch (stmt.kind) {
        case StmtKind::Error: break;
        case StmtKind::Null:
            for (const Attribute& attribute : stmt.attributes)
                if (attribute.name == "fallthrough") fallthrough_meant_ = true;
            break;
        case StmtKind::Compound:
            for (const Stmt* inner : as<CompoundStmt>(stmt).body) statement(*inner);
            break;
        case StmtKind::Decl:
            for (const Decl* decl : as<DeclStmt>(stmt).decls)
                if (auto* var = dyn<VarDecl>(decl)) declare(*var);
            break;
        case StmtKind::Expr: expression(*as<ExprStmt>(stmt).expr); break;
        case StmtKind::If: return if_chain(as<IfStmt>(stmt));
        case StmtKind::Switch: return switch_stmt(as<SwitchStmt>(stmt));
        case StmtKind::Case: fallthrough_meant_ = meant; return case_label(stmt, as<CaseStmt>(stmt).body);
        case StmtKind::Default:
            fallthrough_meant_ = meant;
            return case_label(stmt, as<DefaultStmt>(stmt).body);
        case StmtKind::Label:
            go_on_at(label_block(&as<LabelStmt>(stmt)));
            if (as<LabelStmt>(stmt).body) statement(*as<LabelStmt>(stmt).body);
            break;
        case StmtKind::While: {
            auto& s = as<WhileStmt>(stmt);
            return loop(s, s.condition, nullptr, *s.body, true);
        }
        case StmtKind::Do: {
            auto& s = as<DoStmt>(stmt);
            return loop(s, s.condition, nullptr, *s.body, false);
        }
        case StmtKind::For: {
            auto& s = as<ForStmt>(stmt);
            if (s.init) statement(*s.init);
            return loop(s, s.condition, s.step, *s.body, true);
        }
        case StmtKind::Goto:
            if (auto* target = as<GotoStmt>(stmt).target) jump(label_block(target));
            break;
        case StmtKind::Continue:
            if (jumps_.on_continue != kNone) jump(jumps_.on_continue);
            break;
        case StmtKind::Break:
            if (jumps_.on_break != kNone) jump(jumps_.on_break);
            break;
        case StmtKind::Return:
            if (as<ReturnStmt>(stmt).value) expression(*as<ReturnStmt>(stmt).value);
            at_ = block();
            break;
    }
}

/// `else if` chains may be long: a loop.
void Builder::if_chain(const IfStmt& first) {
    uint32_t after = block();
    for (const IfStmt* stmt = &first; stmt;) {
        uint32_t yes = block(), no = stmt->otherwise ? block() : after;
        condition(*stmt->condition, yes, no, stmt, nullptr);
        at_ = yes;
        statement(*stmt->then);
        edge(at_, after);
        at_ = no;
        auto* next = dyn<IfStmt>(static_cast<const Stmt*>(stmt->otherwise));
        if (stmt->otherwise && !next) {
            statement(*stmt->otherwise);
            edge(at_, after);
        }
        stmt = next;
    }
    at_ = after;
}

void Builder::loop(const Stmt& stmt, const Expr* test, const Expr* step, const Stmt& body, bool test_first) {
    uint32_t head = block(), inside = test_first ? block() : head, after = block(), again = block();
    go_on_at(head);
    auto decide = [&] {
        if (test)
            condition(*test, inside, after, &stmt, nullptr);
        else
            edge(at_, inside);
    };
    const Jumps outer = std::exchange(jumps_, {after, again});
    if (test_first) decide();
    at_ = inside;
    statement(body);
    go_on_at(again);
    if (step) expression(*step);
    if (test_first)
        edge(at_, head);
    else
        decide();
    jumps_ = outer;
    at_ = after;
}

void Builder::switch_stmt(const SwitchStmt& stmt) {
    expression(*stmt.condition);
    Switch own{at_, false};
    uint32_t after = block();
    graph_.blocks[at_].branch_stmt = &stmt;
    graph_.blocks[at_].condition = stmt.condition;
    Switch* outer_switch = std::exchange(switch_, &own);
    Jumps outer = jumps_;
    jumps_.on_break = after;
    at_ = block();  // before the first label nothing is reached
    follows_statement_ = false;
    statement(*stmt.body);
    jumps_ = outer;
    switch_ = outer_switch;
    edge(at_, after);
    // A switch over an enumeration that has all its cases always takes one of them.
    const Expr& value = below_conversions(*stmt.condition);
    const EnumDecl* enumeration = value.type->kind == TypeKind::Enum ? value.type->enum_decl : nullptr;
    size_t cases = graph_.blocks[own.head].next.size();
    bool complete = enumeration && !own.has_default && cases >= enumeration->constants.size();
    if (!own.has_default) edge(own.head, after, !complete);
    at_ = after;
}

void Builder::case_label(const Stmt& stmt, const Stmt* body) {
    uint32_t here = block();
    if (switch_) {
        edge(switch_->head, here, true, &stmt);
        switch_->has_default |= stmt.kind == StmtKind::Default;
    }
    if (!fallthrough_meant_ && follows_statement_) graph_.falls.push_back({at_, &stmt});
    fallthrough_meant_ = false;
    go_on_at(here);
    follows_statement_ = false;
    if (!body) return;
    bool is_label = body->kind == StmtKind::Case || body->kind == StmtKind::Default;
    if (!is_label) follows_statement_ = true;
    statement(*body);
    follows_statement_ = true;
}

}  // namespace

std::vector<bool> FlowGraph::reachable() const {
    std::vector<bool> seen(blocks.size());
    std::vector<uint32_t> work = {0};
    seen[0] = true;
    while (!work.empty()) {
        uint32_t at = work.back();
        work.pop_back();
        for (const FlowEdge& edge : blocks[at].next) {
            if (!edge.possible || seen[edge.to]) continue;
            seen[edge.to] = true;
            work.push_back(edge.to);
        }
    }
    return seen;
}

FlowGraph flow_graph(const FunctionDecl& function) { return Builder().run(function); }

}  // namespace caldera::frontend
