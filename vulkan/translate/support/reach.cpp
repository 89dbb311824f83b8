// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/reach.h"

#include <algorithm>

#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;

namespace {

/// The functions that each function mentions: callees, and blocks that it enqueues.
std::vector<std::vector<uint32_t>> mentions(const spirv::Module& module,
                                            const spirv::IdMap<uint32_t>& index_of) {
    std::vector<std::vector<uint32_t>> result(module.functions.size());
    for (size_t f = 0; f < module.functions.size(); ++f)
        for (const spirv::Block& block : module.functions[f].blocks)
            for (const Instruction& inst : block.body)
                for (const spirv::Operand& operand : inst.operands)
                    if (operand.is_id)
                        if (auto found = index_of.find(operand.word); found != index_of.end())
                            result[f].push_back(found->second);
    return result;
}

spirv::IdMap<uint32_t> index_functions(const spirv::Module& module) {
    spirv::IdMap<uint32_t> index;
    for (uint32_t i = 0; i < module.functions.size(); ++i) index[module.functions[i].id().value] = i;
    return index;
}

}  // namespace

CallGraph::CallGraph(const spirv::Module& module, bool with_variables)
    : functions_(module.bound, kNone),
      callees_(module.functions.size()),
      variables_(module.functions.size()),
      seen_(module.functions.size(), 0),
      seen_before_(module.functions.size(), 0) {
    for (uint32_t f = 0; f < module.functions.size(); ++f) functions_[module.functions[f].id().value] = f;
    for (uint32_t f = 0; f < module.functions.size(); ++f)
        for (const spirv::Block& block : module.functions[f].blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == spv::Op::OpFunctionCall && index_of(inst.id(0)) != kNone)
                    callees_[f].push_back(index_of(inst.id(0)));
    if (with_variables) find_variables(module);
}

void CallGraph::find_variables(const spirv::Module& module) {
    std::vector<uint32_t> list_of(module.bound, kNone);  // by id of a global: what it names, itself too
    std::vector<std::vector<uint32_t>> lists;
    for (const Instruction& inst : module.globals) {
        std::vector<uint32_t> named;
        for (const spirv::Operand& operand : inst.operands)
            if (operand.is_id && list_of[operand.word] != kNone)
                named.insert(named.end(), lists[list_of[operand.word]].begin(),
                             lists[list_of[operand.word]].end());
        std::ranges::sort(named);
        named.erase(std::unique(named.begin(), named.end()), named.end());
        if (inst.op == spv::Op::OpVariable) {
            named.push_back(static_cast<uint32_t>(variable_ids_.size()));
            variable_ids_.push_back(inst.result);
        }
        if (named.empty()) continue;
        list_of[inst.result.value] = static_cast<uint32_t>(lists.size());
        lists.push_back(std::move(named));
    }
    variable_seen_.assign(variable_ids_.size(), kNone);
    for (uint32_t f = 0; f < module.functions.size(); ++f)
        for_each_use(module.functions[f], [&](const spirv::Operand& operand) {
            if (list_of[operand.word] == kNone) return;
            for (uint32_t variable : lists[list_of[operand.word]]) {
                if (variable_seen_[variable] == f) continue;
                variable_seen_[variable] = f;
                variables_[f].push_back(variable);
            }
        });
    variable_seen_.assign(variable_ids_.size(), 0);
}

std::vector<uint32_t> CallGraph::walk(Id root, std::vector<uint32_t>& seen, uint32_t stamp) const {
    std::vector<uint32_t> reached;
    auto reach = [&](uint32_t f) {
        if (f == kNone || seen[f] == stamp) return;
        seen[f] = stamp;
        reached.push_back(f);
    };
    reach(index_of(root));
    for (size_t next = 0; next < reached.size(); ++next)
        for (uint32_t callee : callees_[reached[next]]) reach(callee);
    return reached;
}

std::vector<uint32_t> CallGraph::functions(Id root) { return walk(root, seen_, ++stamp_); }
std::vector<uint32_t> CallGraph::more_functions(Id root) { return walk(root, seen_before_, 1); }

std::vector<Id> CallGraph::variables(Id root) {
    std::vector<uint32_t> found;
    for (uint32_t f : functions(root))
        for (uint32_t variable : variables_[f]) {
            if (variable_seen_[variable] == stamp_) continue;
            variable_seen_[variable] = stamp_;
            found.push_back(variable);
        }
    std::ranges::sort(found);
    std::vector<Id> ids;
    for (uint32_t variable : found) ids.push_back(variable_ids_[variable]);
    return ids;
}

std::vector<uint32_t> count_calls(const spirv::Module& module, const CallGraph& graph) {
    std::vector<uint32_t> calls(module.functions.size(), 0);
    auto keep = [&](Id id) {
        if (const uint32_t f = graph.index_of(id); f != CallGraph::kNone) calls[f] = CallGraph::kNone;
    };
    for (uint32_t f = 0; f < module.functions.size(); ++f)
        for (const uint32_t callee : graph.callees(f)) ++calls[callee];
    for (const Instruction& entry : module.entry_points) keep(entry.id(1));
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                for (size_t i = inst.op == spv::Op::OpFunctionCall ? 1 : 0; i < inst.operands.size(); ++i)
                    if (inst.operands[i].is_id) keep(inst.id(i));
    return calls;
}

std::vector<uint64_t> inlined_sizes(const spirv::Module& module, const CallGraph& graph,
                                    std::span<const uint32_t> callees_first) {
    constexpr uint64_t kMost = uint64_t{1} << 40;  // they can double with each level of calls
    std::vector<uint64_t> sizes(module.functions.size(), 0);
    for (const uint32_t f : callees_first) {
        for (const spirv::Block& block : module.functions[f].blocks) sizes[f] += spirv::code_size(block) + 1;
        for (const uint32_t callee : graph.callees(f)) sizes[f] = std::min(sizes[f] + sizes[callee], kMost);
    }
    return sizes;
}

void drop_unreached_functions(spirv::Module& module, const std::vector<Id>& wanted_later) {
    const auto index_of = index_functions(module);
    const auto graph = mentions(module, index_of);
    std::vector<bool> reached(module.functions.size(), false);
    std::vector<uint32_t> work;
    auto reach = [&](uint32_t function) {
        if (reached[function]) return;
        reached[function] = true;
        work.push_back(function);
    };
    for (const Instruction& entry : module.entry_points)
        if (auto found = index_of.find(entry.word(1)); found != index_of.end()) reach(found->second);
    for (const Id function : wanted_later) reach(index_of.at(function));
    while (!work.empty()) {
        const uint32_t function = work.back();
        work.pop_back();
        for (uint32_t target : graph[function]) reach(target);
    }
    std::vector<spirv::Function> kept;
    for (uint32_t i = 0; i < module.functions.size(); ++i)
        if (reached[i]) kept.push_back(std::move(module.functions[i]));
    const bool dropped = kept.size() != module.functions.size();
    module.functions = std::move(kept);
    if (dropped) spirv::drop_stale_names(module);
}

bool is_kernel(const spirv::Module& module, Id function) {
    return std::ranges::any_of(module.entry_points,
                               [&](const Instruction& entry) { return entry.id(1) == function; });
}

void set_entry_point_interfaces(spirv::Module& module, bool all_variables) {
    spirv::IdMap<spv::StorageClass> storage;
    for (const Instruction& inst : module.globals)
        if (inst.op == spv::Op::OpVariable)
            storage.emplace(inst.result, static_cast<spv::StorageClass>(inst.word(0)));
    CallGraph graph(module, true);
    for (Instruction& entry : module.entry_points) {
        size_t end = 0;
        spirv::string_at(entry, 2, &end);
        entry.operands.resize(end);
        for (Id variable : graph.variables(entry.id(1))) {
            const spv::StorageClass where = storage.at(variable);
            if (all_variables || where == spv::StorageClass::Input || where == spv::StorageClass::Output)
                entry.operands.push_back(variable);
        }
    }
}

spirv::IdMap<std::string> names_of(const spirv::Module& module) {
    spirv::IdMap<std::string> names;
    for (const Instruction& inst : module.names)
        if (inst.op == spv::Op::OpName) names.emplace(inst.id(0), spirv::string_at(inst, 1));
    return names;
}

}  // namespace caldera::vulkan
