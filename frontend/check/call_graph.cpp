// SPDX-License-Identifier: Apache-2.0
// Recursion is refused (OpenCL C 6.9i): a depth-first walk over who calls whom, without recursion of its own.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

void Checker::record_call(FunctionDecl* callee, SourceRange range) {
    if (function_) record_call(function_->decl->canonical, callee, range);
}

void Checker::record_call(FunctionDecl* caller, FunctionDecl* callee, SourceRange range) {
    auto [edges, fresh] = calls_.try_emplace(caller);
    if (fresh) callers_.push_back(caller);
    edges->second.push_back({callee, range});
}

void Checker::refuse_recursion() {
    enum class State : uint8_t { New, Open, Done };
    std::unordered_map<const FunctionDecl*, State> states;
    struct Frame {
        FunctionDecl* function;
        size_t next;
    };
    for (FunctionDecl* root : callers_) {
        if (states[root] != State::New) continue;
        std::vector<Frame> path = {{root, 0}};
        states[root] = State::Open;
        while (!path.empty()) {
            Frame& frame = path.back();
            auto edges = calls_.find(frame.function);
            if (edges == calls_.end() || frame.next == edges->second.size()) {
                states[frame.function] = State::Done;
                path.pop_back();
                continue;
            }
            const CallEdge& edge = edges->second[frame.next++];
            State& state = states[edge.callee];
            if (state == State::New) {
                state = State::Open;
                path.push_back({edge.callee, 0});
            } else if (state == State::Open) {
                std::string name =
                    edge.callee->block ? "a block" : "'" + std::string(edge.callee->name) + "'";
                auto handle =
                    diags_.error(edge.range, "recursion is not supported in OpenCL: ", name,
                                 edge.callee == frame.function ? " calls itself" : " reaches itself");
                if (edge.callee != frame.function)
                    handle.note(edge.callee->name_range, name, " declared here");
            }
        }
    }
}

}  // namespace caldera::frontend
