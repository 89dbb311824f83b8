// SPDX-License-Identifier: Apache-2.0
// Variables that are read before they have a value (-Wuninitialized and its kin), and cases that run into the
// next
// (-Wimplicit-fallthrough). The analysis is the classic one: for each variable and block whether a path
// without and a path with a value leads there, until nothing changes.
#include <algorithm>

#include "frontend/lint/flow_graph.h"
#include "frontend/lint/linter.h"

namespace caldera::frontend {

namespace {

/// Two bits: on some path the variable has a value; on some path it has none.
enum State : uint8_t { kUnknown = 0, kWith = 1, kWithout = 2, kEither = 3 };

/// No person writes a program with more cells than this.
constexpr size_t kMaxCells = size_t{1} << 24;

class ValueStates {
 public:
    explicit ValueStates(const FlowGraph& graph) : graph_(graph), vars_(graph.vars.size()) {
        entry_.resize(graph.blocks.size() * vars_);
        exit_.resize(entry_.size());
        before_.resize(graph.blocks.size());
        for (uint32_t from = 0; from < graph.blocks.size(); ++from)
            for (const FlowEdge& edge : graph.blocks[from].next)
                if (edge.possible) before_[edge.to].push_back(from);
        solve();
    }

    State at_entry(uint32_t block, uint32_t var) const {
        return static_cast<State>(entry_[block * vars_ + var]);
    }
    State at_exit(uint32_t block, uint32_t var) const {
        return static_cast<State>(exit_[block * vars_ + var]);
    }
    const std::vector<uint32_t>& before(uint32_t block) const { return before_[block]; }

 private:
    void solve() {
        std::fill_n(entry_.begin(), vars_, kWithout);
        std::vector<uint32_t> work = {0};
        std::vector<bool> seen(graph_.blocks.size());
        while (!work.empty()) {
            uint32_t at = work.back();
            work.pop_back();
            seen[at] = true;
            uint8_t* out = &exit_[at * vars_];
            std::copy_n(entry_.begin() + static_cast<std::ptrdiff_t>(at * vars_), vars_, out);
            for (const FlowEvent& event : graph_.blocks[at].events) {
                if (event.kind == FlowEvent::Kind::Declare) out[event.var] = kWithout;
                if (event.kind == FlowEvent::Kind::Write) out[event.var] = kWith;
            }
            for (const FlowEdge& edge : graph_.blocks[at].next) {
                if (!edge.possible) continue;
                bool changed = !seen[edge.to];
                uint8_t* in = &entry_[edge.to * vars_];
                for (size_t i = 0; i < vars_; ++i) {
                    auto merged = static_cast<uint8_t>(in[i] | out[i]);
                    changed |= merged != in[i];
                    in[i] = merged;
                }
                if (changed) work.push_back(edge.to);
            }
        }
    }

    const FlowGraph& graph_;
    size_t vars_;
    std::vector<uint8_t> entry_ = {}, exit_ = {};
    std::vector<std::vector<uint32_t>> before_ = {};
};

/// A read of a variable that has no value on some path or on all paths.
struct Use {
    const Expr* at = nullptr;
    uint32_t block = 0;
    bool always = false;
};

/// A path to a use on which the variable has no value: an edge out of a branch.
struct Way {
    uint32_t from = 0;
    size_t edge = 0;
};

/// Paths that lead only to the use, found backwards from it.
std::vector<Way> ways_to(const FlowGraph& graph, const ValueStates& values, const Use& use, uint32_t var) {
    std::vector<uint32_t> followed(graph.blocks.size());  // edges of a block that lead only to the use
    auto possible = [&](uint32_t block) {
        auto& next = graph.blocks[block].next;
        return static_cast<uint32_t>(
            std::count_if(next.begin(), next.end(), [](auto& e) { return e.possible; }));
    };
    std::vector<uint32_t> work = {use.block};
    std::vector<bool> inside(graph.blocks.size());
    inside[use.block] = true;
    while (!work.empty()) {
        uint32_t at = work.back();
        work.pop_back();
        for (uint32_t from : values.before(at)) {
            State state = values.at_exit(from, var);
            if (state == kWith || inside[from]) continue;
            if (state == kEither && values.at_entry(at, var) == kWithout) continue;
            if (++followed[from] == possible(from)) {
                inside[from] = true;
                work.push_back(from);
            }
        }
    }
    std::vector<Way> ways;
    for (uint32_t block = 0; block < graph.blocks.size(); ++block) {
        if (!followed[block] || inside[block] || values.at_exit(block, var) != kWithout) continue;
        auto& next = graph.blocks[block].next;
        for (size_t i = 0; i < next.size(); ++i)
            if (next[i].possible && inside[next[i].to]) ways.push_back({block, i});
    }
    return ways;
}

class Uninitialized {
 public:
    Uninitialized(const FlowGraph& graph, Diagnostics& diags)
        : graph_(graph), values_(graph), diags_(diags) {}

    void run() {
        std::vector<std::vector<Use>> uses(graph_.vars.size());
        std::vector<bool> reachable = graph_.reachable();
        for (uint32_t block = 0; block < graph_.blocks.size(); ++block)
            if (reachable[block]) collect(block, uses);
        for (uint32_t var = 0; var < uses.size(); ++var) report(var, uses[var]);
    }

 private:
    void collect(uint32_t block, std::vector<std::vector<Use>>& uses) {
        std::unordered_map<uint32_t, State> now;
        for (const FlowEvent& event : graph_.blocks[block].events) {
            auto [state, fresh] = now.emplace(event.var, values_.at_entry(block, event.var));
            if (event.kind == FlowEvent::Kind::Declare) state->second = kWithout;
            if (event.kind == FlowEvent::Kind::Write) state->second = kWith;
            if (event.kind == FlowEvent::Kind::Read && (state->second & kWithout))
                uses[event.var].push_back({event.at, block, state->second == kWithout});
        }
    }

    void report(uint32_t index, std::vector<Use>& uses) {
        const VarDecl& var = *graph_.vars[index];
        auto by_place = [](const Use& a, const Use& b) {
            if (a.always != b.always) return a.always;
            return a.at->range.begin.offset < b.at->range.begin.offset;
        };
        std::stable_sort(uses.begin(), uses.end(), by_place);
        if (uses.empty()) return;
        if (uses[0].always) {
            bool self = graph_.self_init[index];
            bool in_own =
                self || (var.init && var.init->range.begin.offset <= uses[0].at->range.begin.offset &&
                         uses[0].at->range.end.offset <= var.init->range.end.offset);
            SourceRange at = self ? below_conversions(*var.init).range : uses[0].at->range;
            auto handle = diags_.warning(Warning::Uninitialized, at, "variable '", var.name,
                                         "' is uninitialized when used ",
                                         in_own ? "within its own initialization" : "here");
            if (!in_own) note_initialise(handle, var);
            return;
        }
        // Records and arrays are often filled under conditions that only a person sees through.
        if (graph_.self_init[index] || is_aggregate(*var.type.type)) return;
        for (const Use& use : uses)
            if (sometimes(var, index, use)) return;
        auto handle = diags_.warning(Warning::ConditionalUninitialized, uses[0].at->range, "variable '",
                                     var.name, "' may be uninitialized when used here");
        note_initialise(handle, var);
    }

    bool sometimes(const VarDecl& var, uint32_t index, const Use& use) {
        bool said = false;
        for (const Way& way : ways_to(graph_, values_, use, index)) {
            const FlowBlock& from = graph_.blocks[way.from];
            bool truth = way.edge == 0;
            SourceRange at;
            std::string when, remove;
            const Stmt* stmt = from.branch_stmt;
            if (auto* logical = dyn<BinaryExpr>(from.branch_expr)) {
                at = logical->lhs->range;
                when = condition_is(spelling(logical->op), truth);
                remove = remove_if("'" + std::string(spelling(logical->op)) + "'", truth);
            } else if (from.branch_expr) {
                at = from.condition->range;
                when = condition_is("?:", truth);
                remove = remove_if("'?:'", truth);
            } else if (!stmt) {
                continue;
            } else if (stmt->kind == StmtKind::If) {
                at = from.condition->range;
                when = condition_is("if", truth);
                remove = remove_if("'if'", truth);
            } else if (stmt->kind == StmtKind::Switch) {
                const Stmt* label = from.next[way.edge].label;
                if (!label) continue;
                at = label->range;
                bool is_case = label->kind == StmtKind::Case;
                at.end = {at.begin.offset + (is_case ? 4 : 7)};
                when = is_case ? "switch case is taken" : "switch default is taken";
            } else {
                bool is_while = stmt->kind == StmtKind::While, is_do = stmt->kind == StmtKind::Do;
                at = from.condition->range;
                std::string word = is_do ? "do" : is_while ? "while" : "for";
                when = "'" + word + "' loop " +
                       (!truth  ? "exits because its condition is false"
                        : is_do ? "condition is true"
                                : "is entered");
                remove = truth ? "remove the condition if it is always false"
                               : "remove the condition if it is always true";
            }
            auto handle = diags_.warning(Warning::SometimesUninitialized, at, "variable '", var.name,
                                         "' is used uninitialized whenever ", when);
            handle.note(use.at->range, "uninitialized use occurs here");
            if (!remove.empty()) handle.note(at, remove);
            note_initialise(handle, var);
            said = true;
        }
        return said;
    }

    static std::string condition_is(std::string_view what, bool truth) {
        return "'" + std::string(what) + "' condition is " + (truth ? "true" : "false");
    }
    static std::string remove_if(const std::string& what, bool truth) {
        return "remove the " + what + " if its condition is always " + (truth ? "false" : "true");
    }
    static void note_initialise(Diagnostics::Handle& handle, const VarDecl& var) {
        handle.note(var.name_range, "initialize the variable '", var.name, "' to silence this warning");
    }

    const FlowGraph& graph_;
    ValueStates values_;
    Diagnostics& diags_;
};

}  // namespace

void Linter::flow(const FunctionDecl& function) {
    bool values = diags_.enabled(Warning::Uninitialized) || diags_.enabled(Warning::SometimesUninitialized) ||
                  diags_.enabled(Warning::ConditionalUninitialized);
    if (!values && !diags_.enabled(Warning::ImplicitFallthrough)) return;
    FlowGraph graph = flow_graph(function);
    std::vector<bool> reachable = graph.reachable();
    for (const FlowGraph::Fall& fall : graph.falls) {
        if (!reachable[fall.from]) continue;
        SourceRange at = fall.label->range;
        diags_.warning(Warning::ImplicitFallthrough, at, "unannotated fall-through between switch labels")
            .note(at, "insert '__attribute__((fallthrough));' to silence this warning")
            .note(at, "insert 'break;' to avoid fall-through");
    }
    if (values && !graph.vars.empty() && graph.vars.size() * graph.blocks.size() < kMaxCells)
        Uninitialized(graph, diags_).run();
}

}  // namespace caldera::frontend
