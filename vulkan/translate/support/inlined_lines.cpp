// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/inlined_lines.h"

#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>

#include "spirv/debug_info.h"

namespace caldera::vulkan {

using namespace spirv;

/// Calls in one another that are told. In a module that nobody validated a chain may lead to itself.
static constexpr int kMaxInlinedCalls = 1000;

Line InlinedLines::operator()(Module& module, const Line& line) {
    if (!call_.has_scope()) return line;
    if (!line.has_scope()) return call_;
    Line result = line;
    if (const auto known = handles_.find(line.file); known != handles_.end()) {
        result.file = known->second;
        return result;
    }
    spirv::Scope scope = module.scopes[line.scope_index()];
    scope.inlined_at = inlined(module, scope.inlined_at);
    module.scopes.push_back(scope);
    result.file = Line::scope_handle(static_cast<uint32_t>(module.scopes.size() - 1));
    handles_.emplace(line.file, result.file);
    return result;
}

/// The chain of calls from the code to the caller: the callee's own, and this call at its end.
Id InlinedLines::inlined(Module& module, Id before, int depth) {
    if (const auto known = inlined_.find(before); known != inlined_.end()) return known->second;
    const spirv::Scope caller = module.scopes[call_.scope_index()];
    const Id set = module.debug_info.front().id(0), type_void = module.debug_info.front().type;
    Operands operands = {call_.line, caller.scope};
    Id outer = caller.inlined_at;
    const auto last = std::find_if(module.debug_info.rbegin(), module.debug_info.rend(),
                                   [&](const Instruction& inst) { return inst.result == before; });
    const bool is_call = before && last != module.debug_info.rend() &&
                         last->word(1) == OpenCLDebugInfo100DebugInlinedAt &&
                         last->operands.size() > kDebugOperands + 1;
    if (is_call && depth < kMaxInlinedCalls) {
        operands = {last->operands[kDebugOperands], last->operands[kDebugOperands + 1]};
        const bool goes_on = last->operands.size() > kDebugOperands + 2;
        outer = inlined(module, goes_on ? last->id(kDebugOperands + 2) : Id{}, depth + 1);
    }
    if (outer) operands.push_back(outer);
    const Id made =
        add_debug_info(module, set, type_void, OpenCLDebugInfo100DebugInlinedAt, std::move(operands));
    inlined_.emplace(before, made);
    return made;
}

}  // namespace caldera::vulkan
