// SPDX-License-Identifier: Apache-2.0
// What a kernel reaches: functions through calls, and module-scope variables through uses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

struct CallOrder {
    std::vector<uint32_t> callees_first = {};  ///< functions, each after those that it calls
    /// a function that is recursive, directly or not: then the order is incomplete
    std::optional<uint32_t> recursive = {};
};
/// `callees_of(f)` returns the indices of the functions that function `f` calls. They may repeat, and each is
/// below `count`.
template <class CalleesOf>
CallOrder order_calls(uint32_t count, const CalleesOf& callees_of) {
    enum : uint8_t { New, Open, Finished };
    struct Visit {
        uint32_t function, next;
    };
    CallOrder order;
    std::vector<uint8_t> state(count, New);
    std::vector<Visit> stack;
    for (uint32_t start = 0; start < count; ++start) {
        if (state[start] != New) continue;
        stack.push_back({start, 0});
        state[start] = Open;
        while (!stack.empty()) {
            Visit& top = stack.back();
            const std::vector<uint32_t>& callees = callees_of(top.function);
            if (top.next == callees.size()) {
                state[top.function] = Finished;
                order.callees_first.push_back(top.function);
                stack.pop_back();
                continue;
            }
            const uint32_t callee = callees[top.next++];
            if (state[callee] == Open) {
                order.recursive = callee;
                return order;
            }
            if (state[callee] == New) {
                state[callee] = Open;
                stack.push_back({callee, 0});
            }
        }
    }
    return order;
}

/// Which function calls which and uses which variable, at the time of construction.
class CallGraph {
 public:
    /// `with_variables` is needed for variables(); it looks at every operand.
    explicit CallGraph(const spirv::Module& module, bool with_variables = false);

    /// Indices into module.functions of `root` and of the functions that it calls, directly or not. Empty if
    /// there is no `root`.
    std::vector<uint32_t> functions(spirv::Id root);
    /// The same, without functions that an earlier call of this has returned.
    std::vector<uint32_t> more_functions(spirv::Id root);
    /// The module-scope OpVariables that these functions or the initialisers of such variables use, in the
    /// module's order.
    std::vector<spirv::Id> variables(spirv::Id root);
    /// Indices of the functions that a function calls; they may repeat.
    const std::vector<uint32_t>& callees(uint32_t function) const { return callees_[function]; }
    /// The call order of all functions.
    CallOrder order() const {
        return order_calls(static_cast<uint32_t>(callees_.size()),
                           [&](uint32_t f) -> const std::vector<uint32_t>& { return callees_[f]; });
    }
    /// Index into module.functions, or kNone.
    uint32_t index_of(spirv::Id function) const {
        return function.value < functions_.size() ? functions_[function.value] : kNone;
    }
    static constexpr uint32_t kNone = ~0u;

 private:
    void find_variables(const spirv::Module& module);
    std::vector<uint32_t> walk(spirv::Id root, std::vector<uint32_t>& seen, uint32_t stamp) const;

    std::vector<uint32_t> functions_;  // by id: index
    std::vector<std::vector<uint32_t>> callees_,
        variables_;  // by function; variables by place in variable_ids_
    std::vector<spirv::Id> variable_ids_ = {};
    std::vector<uint32_t> seen_, seen_before_;  // by function: number of the last walk that reached it
    std::vector<uint32_t> variable_seen_ = {};
    uint32_t stamp_ = 0;
};

/// The number of calls of each function; CallGraph::kNone for an entry point, and for a function that is used
/// in any other way.
std::vector<uint32_t> count_calls(const spirv::Module& module, const CallGraph& graph);

/// Instructions of each function with everything that it calls, as often as it calls it. `callees_first` is
/// the result of CallGraph::order().
std::vector<uint64_t> inlined_sizes(const spirv::Module& module, const CallGraph& graph,
                                    std::span<const uint32_t> callees_first);

/// The call graph with variables of a module, made when it is first wanted. The module must not change
/// before.
class LazyCallGraph {
 public:
    explicit LazyCallGraph(const spirv::Module& module) : module_(module) {}
    CallGraph& get() {
        if (!graph_) graph_.emplace(module_, true);
        return *graph_;
    }

 private:
    const spirv::Module& module_;
    std::optional<CallGraph> graph_ = {};
};

/// Whether an entry point of the module is this function.
bool is_kernel(const spirv::Module& module, spirv::Id function);

/// Removes the functions that no entry point and none of `wanted_later` calls, or enqueues as a block,
/// directly or not, with their names and decorations.
void drop_unreached_functions(spirv::Module& module, const std::vector<spirv::Id>& wanted_later = {});

/// Rewrites the interface lists of the module's entry points: all variables from SPIR-V 1.4 on, earlier only
/// Input and Output (SPIR-V 3.32.2 OpEntryPoint).
void set_entry_point_interfaces(spirv::Module& module, bool all_variables);

/// The OpName of each id that has one.
spirv::IdMap<std::string> names_of(const spirv::Module& module);

/// Calls `use` with every operand of the function that is an <id>, except for result types and definitions.
template <class Body, class Use>
void for_each_use(Body& function, Use use) {
    auto visit = [&](auto& inst) {
        for (auto& operand : inst.operands)
            if (operand.is_id) use(operand);
    };
    for (auto& block : function.blocks) {
        for (auto& inst : block.body) visit(inst);
        visit(block.merge);
        visit(block.terminator);
    }
}

}  // namespace caldera::vulkan
