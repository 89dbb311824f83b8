// SPDX-License-Identifier: Apache-2.0
// The control flow of a function: blocks of events on variables, and edges. It contains only what the
// warnings of flow.cpp need. The variables are those that are declared without a value.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "frontend/ast/ast.h"

namespace caldera::frontend {

struct FlowEvent {
    enum class Kind : uint8_t {
        Declare,  ///< from here on the variable has no value
        Write,    ///< or something else that may give it one: its address is taken
        Read,
    };
    Kind kind = {};
    uint32_t var = 0;  ///< among FlowGraph::vars
    const Expr* at = nullptr;
};

struct FlowEdge {
    uint32_t to = 0;
    bool possible = true;         ///< false: the condition is a constant that says otherwise
    const Stmt* label = nullptr;  ///< of a switch: the case that is taken
};

struct FlowBlock {
    std::vector<FlowEvent> events = {};
    std::vector<const CallExpr*> marked_calls = {};  ///< of functions with a `call_message`
    std::vector<FlowEdge> next = {};
    /// What chooses among several `next`: an IfStmt, WhileStmt, DoStmt, ForStmt, SwitchStmt, or
    const Stmt* branch_stmt = nullptr;
    const Expr* branch_expr =
        nullptr;  ///< a `?:`, `&&` or `||`; the first edge is taken when the condition is true
    const Expr* condition = nullptr;  ///< of either
};

struct FlowGraph {
    struct Fall {
        uint32_t from = 0;  ///< the block that runs into the label
        const Stmt* label = nullptr;
    };
    std::vector<FlowBlock> blocks = {};  ///< the first is the function's beginning
    std::vector<const VarDecl*> vars = {};
    std::vector<bool> self_init = {};  ///< `int x = x;`, the idiom for "trust me"
    std::vector<Fall> falls = {};      ///< into a case from the one before it

    std::vector<bool> reachable() const;
};

/// A record or an array. It has a value as soon as one part may have been written.
inline bool is_aggregate(const Type& type) { return type.is_record() || type.is_array(); }

FlowGraph flow_graph(const FunctionDecl& function);

}  // namespace caldera::frontend
