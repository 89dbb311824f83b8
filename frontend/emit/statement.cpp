// SPDX-License-Identifier: Apache-2.0
// Statements (OpenCL C 6.11.2, C99 6.8) as structured control flow (SPIR-V 2.11).
//
// A statement that nothing reaches finds no open block and is dropped, unless a label inside makes it
// reachable. Functions with goto carry no merge instructions at all: the translator finds their structure
// itself.
#include <algorithm>

#include "frontend/emit/emitter_impl.h"
#include "spirv/limits.h"
#include "spirv/support/check.h"

namespace caldera::frontend {

void Emitter::ensure_block() {
    if (!b_.block_open()) b_.begin_block(b_.fresh());
}

void Emitter::branch_to(Id label) {
    if (b_.block_open()) b_.branch(label);
}

/// A block that control falls into.
void Emitter::label_block(Id label) {
    branch_to(label);
    b_.begin_block(label);
}

void Emitter::selection_merge(Id merge) {
    if (structured_) b_.selection_merge(merge);
}

/// A merge block has to exist even when no branch leads to it.
void Emitter::begin_merge(Id label, bool reached) {
    if (!reached && !structured_) return;
    b_.begin_block(label);
    if (!reached) b_.unreachable();
}

void Emitter::statement(const Stmt& stmt) {
    const bool is_block = stmt.kind == StmtKind::Compound || stmt.kind == StmtKind::Label ||
                          stmt.kind == StmtKind::Case || stmt.kind == StmtKind::Default;
    if (!b_.block_open() && !is_block) {
        if (!contains_label(stmt)) return;
        ensure_block();
    }
    at(stmt.range);
    switch (stmt.kind) {
        case StmtKind::Error:
        case StmtKind::Null: break;
        case StmtKind::Compound: {
            const DebugBlock block(debug_, stmt.range);
            compound(as<CompoundStmt>(stmt));
            break;
        }
        case StmtKind::Decl: declaration(as<DeclStmt>(stmt)); break;
        case StmtKind::Expr:
            if (as<ExprStmt>(stmt).expr) discard(*as<ExprStmt>(stmt).expr);
            break;
        case StmtKind::If: if_statement(as<IfStmt>(stmt)); break;
        case StmtKind::Switch: switch_statement(as<SwitchStmt>(stmt)); break;
        case StmtKind::Case:
        case StmtKind::Default: {
            const Stmt* at = &stmt;  // labels in a row share a block
            const auto found = case_labels_.find(at);
            check(found != case_labels_.end(), "a case outside any switch");
            label_block(found->second);
            while (at && (at->kind == StmtKind::Case || at->kind == StmtKind::Default))
                at = at->kind == StmtKind::Case ? as<CaseStmt>(*at).body : as<DefaultStmt>(*at).body;
            if (at) statement(*at);
            break;
        }
        case StmtKind::Label:
            if (!structured_) label_block(label_of(as<LabelStmt>(stmt)));
            if (as<LabelStmt>(stmt).body) statement(*as<LabelStmt>(stmt).body);
            break;
        case StmtKind::While:
            loop(stmt, as<WhileStmt>(stmt).condition, nullptr, *as<WhileStmt>(stmt).body);
            break;
        case StmtKind::Do: do_loop(as<DoStmt>(stmt)); break;
        case StmtKind::For: {
            const auto& loop_stmt = as<ForStmt>(stmt);
            const DebugBlock block(debug_, stmt.range);  // C99 6.8.5p5
            if (debug_) at(stmt.range);
            if (loop_stmt.init) statement(*loop_stmt.init);
            ensure_block();
            loop(stmt, loop_stmt.condition, loop_stmt.step, *loop_stmt.body);
            break;
        }
        case StmtKind::Goto: b_.branch(label_of(*as<GotoStmt>(stmt).target)); break;
        case StmtKind::Continue:
            for (auto jump = jumps_.rbegin(); jump != jumps_.rend(); ++jump)
                if (jump->continue_target) {
                    b_.branch(jump->continue_target);
                    break;
                }
            break;
        case StmtKind::Break: b_.branch(jumps_.back().break_target); break;
        case StmtKind::Return: return_statement(as<ReturnStmt>(stmt)); break;
    }
}

void Emitter::compound(const CompoundStmt& stmt) {
    const bool outer = std::exchange(contracts_, !stmt.no_contraction);
    for (const Stmt* inner : stmt.body) statement(*inner);
    contracts_ = outer;
}

void Emitter::declaration(const DeclStmt& stmt) {
    for (const Decl* decl : stmt.decls) {
        const auto* var = dyn<VarDecl>(decl);
        if (!var || var->has_global_lifetime || var->type->kind == TypeKind::Sampler) continue;
        const Place place = variable_place(*var);
        if (var->init)
            initialise(place, *var->init);
        else if (may_repeat())
            begin_lifetime(place);
    }
}

/// Whether control may come here again before the function returns.
bool Emitter::may_repeat() const {
    return !structured_ ||
           std::ranges::any_of(jumps_, [](const Jump& jump) { return bool(jump.continue_target); });
}

/// C99 6.2.4p5: a variable that is declared again has no value again.
void Emitter::begin_lifetime(const Place& variable) {
    const Id pointer = variable.pointer;
    if (b_.storage(b_.type_of(pointer)) != spv::StorageClass::Function) return;
    ensure_block();
    b_.append_void(spv::Op::OpLifetimeStart, {pointer, 0u});
}

void Emitter::return_statement(const ReturnStmt& stmt) {
    if (!stmt.value) {
        b_.return_();
        return;
    }
    if (stmt.value->type->is_void()) {
        discard(*stmt.value);
        if (b_.block_open()) b_.return_();
        return;
    }
    if (current_->result.pointer) {
        emit_into(*stmt.value, current_->result);
        b_.return_();
        return;
    }
    const Id value = rvalue(*stmt.value);
    b_.return_value(value);
}

Id Emitter::label_of(const LabelStmt& stmt) {
    auto [found, is_new] = labels_.try_emplace(&stmt);
    if (is_new) found->second = b_.fresh();
    return found->second;
}

// ---- Selection ----

/// This is a loop because a chain of `else if` may be thousands long.
void Emitter::if_statement(const IfStmt& first) {
    struct Open {
        Id merge;
        bool reached;
    };
    std::vector<Open> open;
    for (const IfStmt* stmt = &first; stmt;) {
        const Id test = condition(*stmt->condition);
        ensure_block();
        const IfStmt* next = nullptr;
        const auto known = b_.constant_value(test);
        const Stmt* dropped = known ? (*known ? stmt->otherwise : stmt->then) : nullptr;
        if (known && (!dropped || !contains_label(*dropped))) {
            if (const Stmt* kept = *known ? stmt->then : stmt->otherwise) {
                next = dyn<IfStmt>(kept);
                if (!next) statement(*kept);
            }
        } else {
            const Id then_label = b_.fresh(), merge = b_.fresh();
            const Id else_label = stmt->otherwise ? b_.fresh() : merge;
            selection_merge(merge);
            b_.branch_if(test, then_label, else_label);
            b_.begin_block(then_label);
            statement(*stmt->then);
            const bool reached = b_.block_open() || !stmt->otherwise;
            branch_to(merge);
            open.push_back({merge, reached});
            if (stmt->otherwise) {
                b_.begin_block(else_label);
                next = dyn<IfStmt>(static_cast<const Stmt*>(stmt->otherwise));
                if (!next) statement(*stmt->otherwise);
            }
        }
        stmt = next;
    }
    for (auto merge = open.rbegin(); merge != open.rend(); ++merge) {
        const bool reached = merge->reached || b_.block_open();
        branch_to(merge->merge);
        begin_merge(merge->merge, reached);
    }
}

namespace {

/// The case and default labels of one switch, in source order.
void collect_cases(const Stmt* stmt, std::vector<const Stmt*>& out) {
    while (stmt) {
        switch (stmt->kind) {
            case StmtKind::Case:
                out.push_back(stmt);
                stmt = as<CaseStmt>(*stmt).body;
                continue;
            case StmtKind::Default:
                out.push_back(stmt);
                stmt = as<DefaultStmt>(*stmt).body;
                continue;
            case StmtKind::Compound:
                for (const Stmt* inner : as<CompoundStmt>(*stmt).body) collect_cases(inner, out);
                return;
            case StmtKind::If:
                collect_cases(as<IfStmt>(*stmt).then, out);
                stmt = as<IfStmt>(*stmt).otherwise;
                continue;
            case StmtKind::Label: stmt = as<LabelStmt>(*stmt).body; continue;
            case StmtKind::While: stmt = as<WhileStmt>(*stmt).body; continue;
            case StmtKind::Do: stmt = as<DoStmt>(*stmt).body; continue;
            case StmtKind::For: stmt = as<ForStmt>(*stmt).body; continue;
            default: return;
        }
    }
}

const Stmt* case_body(const Stmt& label) {
    return label.kind == StmtKind::Case ? as<CaseStmt>(label).body : as<DefaultStmt>(label).body;
}

}  // namespace

void Emitter::switch_statement(const SwitchStmt& stmt) {
    constexpr uint64_t kMaxRange = 64;
    Id selector = rvalue(*stmt.condition);
    const Id selector_type = value_type(stmt.condition->type.type);
    const uint64_t mask = b_.width(selector_type) == 64 ? ~uint64_t{0} : 0xffffffffu;
    std::vector<const Stmt*> labels;
    collect_cases(stmt.body, labels);
    const Id merge = b_.fresh();
    Id otherwise = merge;
    std::vector<std::pair<uint64_t, Id>> cases;
    const Stmt* previous = nullptr;
    for (const Stmt* label : labels) {
        const Id block = previous && case_body(*previous) == label ? case_labels_[previous] : b_.fresh();
        case_labels_[label] = block;
        previous = label;
        const auto* value = dyn<CaseStmt>(label);
        if (!value) {
            otherwise = block;
            continue;
        }
        if (value->is_empty) continue;
        const uint64_t span = (value->last - value->first) & mask;
        if (span > kMaxRange) {  // every value of the range becomes its first
            const Id first = b_.constant_int(selector_type, value->first);
            const Id distance = b_.append(spv::Op::OpISub, selector_type, {selector, first});
            const Id inside = b_.append(spv::Op::OpULessThanEqual, b_.type_bool(),
                                        {distance, b_.constant_int(selector_type, span)});
            selector = b_.append(spv::Op::OpSelect, selector_type, {inside, first, selector});
            cases.emplace_back(value->first, block);
            continue;
        }
        for (uint64_t i = 0; i <= span; ++i) cases.emplace_back((value->first + i) & mask, block);
    }
    if (cases.empty()) {  // only a default, or nothing
        if (otherwise == merge) return;
        cases.emplace_back(0, otherwise);
    }
    if (cases.size() > spirv::kMaxCases)
        decline(stmt.range, "a switch with more than 16383 case values", nullptr);
    selection_merge(merge);
    b_.switch_(selector, otherwise, cases);
    jumps_.push_back({.break_target = merge});
    statement(*stmt.body);
    jumps_.pop_back();
    branch_to(merge);
    b_.begin_block(merge);
}

// ---- Loops ----

namespace {

/// opencl_unroll_hint (OpenCL C 6.11.5): no argument or n > 1 requests unrolling, 1 forbids it.
spv::LoopControlMask unroll_control(const Stmt& stmt) {
    for (const Attribute& attribute : stmt.attributes) {
        if (attribute.name == "nounroll") return spv::LoopControlMask::DontUnroll;
        if (attribute.name != "opencl_unroll_hint" && attribute.name != "unroll") continue;
        if (attribute.args.empty()) return spv::LoopControlMask::Unroll;
        const auto count = evaluate_integer(*attribute.args[0]);
        return count && *count <= 1 ? spv::LoopControlMask::DontUnroll : spv::LoopControlMask::Unroll;
    }
    return spv::LoopControlMask::MaskNone;
}

}  // namespace

void Emitter::loop_merge(Id merge, Id continue_target, const Stmt& stmt) {
    if (structured_) b_.loop_merge(merge, continue_target, unroll_control(stmt));
}

/// while and for. The header holds only the merge instruction, so a condition may have blocks of its own.
void Emitter::loop(const Stmt& stmt, const Expr* test, const Expr* step, const Stmt& body) {
    const Id header = b_.fresh(), test_label = b_.fresh(), body_label = b_.fresh(), next = b_.fresh(),
             merge = b_.fresh();
    b_.branch(header);
    b_.begin_block(header);
    loop_merge(merge, next, stmt);
    b_.branch(test ? test_label : body_label);
    jumps_.push_back({.break_target = merge, .continue_target = next});
    if (test) {
        b_.begin_block(test_label);
        const Id go_on = condition(*test);
        ensure_block();
        if (b_.constant_value(go_on) == 1u)
            b_.branch(body_label);
        else
            b_.branch_if(go_on, body_label, merge);
    }
    b_.begin_block(body_label);
    statement(body);
    branch_to(next);
    b_.begin_block(next);
    if (step) discard(*step);
    jumps_.pop_back();
    ensure_block();
    b_.branch(header);
    b_.begin_block(merge);
}

void Emitter::do_loop(const DoStmt& stmt) {
    const Id header = b_.fresh(), body_label = b_.fresh(), next = b_.fresh(), merge = b_.fresh();
    b_.branch(header);
    b_.begin_block(header);
    loop_merge(merge, next, stmt);
    b_.branch(body_label);
    b_.begin_block(body_label);
    jumps_.push_back({.break_target = merge, .continue_target = next});
    statement(*stmt.body);
    branch_to(next);
    b_.begin_block(next);
    const Id again = condition(*stmt.condition);
    jumps_.pop_back();
    ensure_block();
    b_.branch_if(again, header, merge);
    b_.begin_block(merge);
}

}  // namespace caldera::frontend
