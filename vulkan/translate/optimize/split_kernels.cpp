// SPDX-License-Identifier: Apache-2.0
// split_kernels: separates entry points, which must not be called (SPIR-V 2.16.1), from kernels that other
// kernels call, which OpenCL C allows. After: a kernel that was called is an entry point and a separate
// function. Functions that no entry point reaches are gone, with their names and decorations. With
// descriptors, no two kernels share a function that handles global pointers.

#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/optimize/separate_kernels.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/clone.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

// The functions that each function mentions: callees, and blocks that it enqueues.
std::vector<std::vector<uint32_t>> mentions(const Module& module, const IdMap<uint32_t>& index_of) {
    std::vector<std::vector<uint32_t>> result(module.functions.size());
    for (size_t f = 0; f < module.functions.size(); ++f)
        for (const Block& block : module.functions[f].blocks)
            for (const Instruction& inst : block.body)
                for (const Operand& operand : inst.operands)
                    if (operand.is_id)
                        if (auto found = index_of.find(operand.word); found != index_of.end())
                            result[f].push_back(found->second);
    return result;
}

IdMap<uint32_t> index_functions(const Module& module) {
    IdMap<uint32_t> index;
    for (uint32_t i = 0; i < module.functions.size(); ++i) index[module.functions[i].id().value] = i;
    return index;
}

void split_called_kernels(Module& module) {
    IdMap<Id> callee_of;  // entry point -> its copy, {} until someone calls it
    for (const Instruction& entry : module.entry_points) callee_of[entry.word(1)];
    Cloner cloner(module);
    for (Function& function : module.functions)
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op != spv::Op::OpFunctionCall) continue;
                auto found = callee_of.find(inst.word(0));
                if (found == callee_of.end()) continue;
                if (!found->second) found->second = module.fresh();
                inst.operands[0] = found->second;
            }

    const size_t count = module.functions.size();
    for (size_t i = 0; i < count; ++i) {
        auto found = callee_of.find(module.functions[i].id().value);
        if (found == callee_of.end() || !found->second) continue;
        module.functions.push_back(cloner.copy(module.functions[i], found->second));
    }
}

void drop_unreached_functions(Module& module) {
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
    while (!work.empty()) {
        const uint32_t function = work.back();
        work.pop_back();
        for (uint32_t target : graph[function]) reach(target);
    }
    std::vector<Function> kept;
    for (uint32_t i = 0; i < module.functions.size(); ++i)
        if (reached[i]) kept.push_back(std::move(module.functions[i]));
    const bool dropped = kept.size() != module.functions.size();
    module.functions = std::move(kept);
    if (dropped) drop_stale_names(module);
}

}  // namespace

Result<Done> split_kernels(spirv::Module& module, PassContext& context) {
    split_called_kernels(module);
    if (context.options.abi == Abi::Descriptors) separate_kernels(module);
    drop_unreached_functions(module);
    return Done{};
}

}  // namespace caldera::vulkan
