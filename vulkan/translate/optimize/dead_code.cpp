// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/dead_code.h"

#include <algorithm>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

// ---- Dead code ----

class DeadCode {
 public:
    DeadCode(Module& module, const Builder& builder) : module_(module), builder_(builder) {}

    void drop_unused_values(Function& function);
    void run() {
        drop_unreached_functions();
        for (Function& function : module_.functions) {
            drop_unread_variables(function);
            drop_unused_values(function);
        }
        drop_unused_globals();
        drop_stale_names(module_);
    }

 private:
    void drop_unreached_functions();
    void drop_unread_variables(Function& function);
    void drop_unused_globals();
    bool may_drop(const Instruction& inst) const;

    Module& module_;
    const Builder& builder_;
};

void DeadCode::drop_unreached_functions() {
    IdMap<uint32_t> index;
    for (uint32_t f = 0; f < module_.functions.size(); ++f) index[module_.functions[f].id().value] = f;
    std::vector<bool> reached(module_.functions.size(), false);
    std::vector<uint32_t> work;
    auto reach = [&](Id id) {
        auto found = index.find(id.value);
        if (found == index.end() || reached[found->second]) return;
        reached[found->second] = true;
        work.push_back(found->second);
    };
    for (const Instruction& entry : module_.entry_points) reach(entry.id(1));
    while (!work.empty()) {
        const uint32_t f = work.back();
        work.pop_back();
        for (const Block& block : module_.functions[f].blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == spv::Op::OpFunctionCall) reach(inst.id(0));
    }
    std::vector<Function> kept;
    for (uint32_t f = 0; f < module_.functions.size(); ++f)
        if (reached[f]) kept.push_back(std::move(module_.functions[f]));
    module_.functions = std::move(kept);
}

/// Removes private variables that are stored to but never read, with their stores. Also removes access chains
/// that only these stores use.
void DeadCode::drop_unread_variables(Function& function) {
    IdMap<uint32_t> root;  // pointer -> variable
    IdSet read;
    if (function.blocks.empty()) return;
    for (const Instruction& inst : function.blocks[0].body)
        if (inst.op == spv::Op::OpVariable) root[inst.result.value] = inst.result.value;
    if (root.empty()) return;
    const Cfg cfg = build_cfg(function);
    auto use = [&](const Instruction& inst, size_t first) {
        for (size_t i = first; i < inst.operands.size(); ++i)
            if (auto found = root.find(inst.word(i)); inst.operands[i].is_id && found != root.end())
                read.insert(found->second);
    };
    for (uint32_t b : cfg.order) {
        for (const Instruction& inst : function.blocks[b].body) {
            const bool chain = inst.op == spv::Op::OpAccessChain || inst.op == spv::Op::OpInBoundsAccessChain;
            if (chain)
                if (auto found = root.find(inst.word(0)); found != root.end()) {
                    const uint32_t variable = found->second;
                    root[inst.result.value] = variable;
                }
            const bool plain_store = inst.op == spv::Op::OpStore && !access_at(inst, 2).is_volatile;
            use(inst, chain || plain_store ? 1 : 0);
        }
        use(function.blocks[b].terminator, 0);
    }
    for (Block& block : function.blocks)
        std::erase_if(block.body, [&](const Instruction& inst) {
            if (inst.op != spv::Op::OpStore) return false;
            auto found = root.find(inst.word(0));
            return found != root.end() && !read.contains(found->second);
        });
}

/// Whether the instruction has no effect besides its result.
bool DeadCode::may_drop(const Instruction& inst) const {
    if (!inst.result) return false;
    switch (inst.op) {
        case spv::Op::OpPhi:
        case spv::Op::OpVariable:
        case spv::Op::OpSampledImage:
        case spv::Op::OpImageSampleExplicitLod:
        case spv::Op::OpImageFetch:
        case spv::Op::OpImageRead:
        case spv::Op::OpImageQuerySize:
        case spv::Op::OpImageQuerySizeLod:
        case spv::Op::OpImageQueryLevels:
        case spv::Op::OpImageQuerySamples:
        case spv::Op::OpArrayLength: return true;
        case spv::Op::OpLoad: return !access_at(inst, 1).is_volatile;
        case spv::Op::OpExtInst:  // one that has a pointer operand writes through it
            return std::ranges::all_of(inst.operands, [&](const Operand& operand) {
                const Id type = operand.is_id ? builder_.type_of(operand.id()) : Id{};
                return !type || !builder_.is_pointer(type);
            });
        // NVIDIA's compiler (580.159) ends the process at shuffles of whose results nothing is used.
        default: return is_pure(inst) || spirv::is_sub_group_operation(inst.op);
    }
}

void DeadCode::drop_unused_values(Function& function) {
    std::vector<const Instruction*> values = {nullptr};  // by number; 0 is none of the function's
    IdTable<uint32_t> number_of;
    std::vector<const Instruction*> work;
    for (const Block& block : function.blocks) {
        for (const Instruction& inst : block.body) {
            if (!may_drop(inst)) {
                work.push_back(&inst);
                continue;
            }
            number_of.set(inst.result) = static_cast<uint32_t>(values.size());
            values.push_back(&inst);
        }
        work.push_back(&block.terminator);
    }
    std::vector<bool> used(values.size());
    while (!work.empty()) {
        const Instruction& inst = *work.back();
        work.pop_back();
        for (const Operand& operand : inst.operands) {
            const uint32_t value = operand.is_id ? number_of[operand.id()] : 0;
            if (value == 0 || used[value]) continue;
            used[value] = true;
            work.push_back(values[value]);
        }
    }
    for (Block& block : function.blocks)
        std::erase_if(block.body, [&](const Instruction& inst) {
            const uint32_t value = inst.result ? number_of[inst.result] : 0;
            return value != 0 && !used[value];
        });
}

void DeadCode::drop_unused_globals() {
    constexpr uint32_t kNoGlobal = ~0u;
    std::vector<uint32_t> index(module_.bound, kNoGlobal);
    for (uint32_t i = 0; i < module_.globals.size(); ++i)
        if (module_.globals[i].result) index[module_.globals[i].result.value] = i;
    std::vector<bool> used(module_.bound);
    std::vector<uint32_t> work;
    auto use = [&](Id id) {
        if (!id || used[id.value]) return;
        used[id.value] = true;
        if (index[id.value] != kNoGlobal) work.push_back(index[id.value]);
    };
    auto use_all = [&](const Instruction& inst, size_t first) {
        use(inst.type);
        use(module_.file_of(inst.line));
        for (size_t i = first; i < inst.operands.size(); ++i)
            if (inst.operands[i].is_id) use(inst.id(i));
    };
    for (const Function& function : module_.functions)
        for_each_instruction(function, [&](const Instruction& inst) { use_all(inst, 0); });
    for (const Instruction& inst : module_.execution_modes) use_all(inst, 0);
    for (const Instruction& inst : module_.debug_info) use_all(inst, 0);
    for (const Scope& scope : module_.scopes) use(scope.file);
    for (const Instruction& inst : module_.debug_sources)
        if (inst.op == spv::Op::OpSource) use_all(inst, 0);
    // A constant that is a built-in (WorkgroupSize) counts as used.
    for (const Instruction& inst : module_.annotations)
        if (inst.op == spv::Op::OpDecorate && inst.word(1) == static_cast<uint32_t>(spv::Decoration::BuiltIn))
            if (const uint32_t i = index[inst.word(0)];
                i != kNoGlobal && module_.globals[i].op != spv::Op::OpVariable)
                use(inst.id(0));

    // An id in a decoration is used if the decoration's target is.
    IdMap<std::vector<const Instruction*>> decorations;
    for (const Instruction& inst : module_.annotations)
        if (inst.op == spv::Op::OpDecorateId) decorations[inst.word(0)].push_back(&inst);
    while (!work.empty()) {
        const Instruction& inst = module_.globals[work.back()];
        work.pop_back();
        use_all(inst, 0);
        if (auto found = decorations.find(inst.result.value); found != decorations.end())
            for (const Instruction* decoration : found->second) use_all(*decoration, 1);
    }
    std::erase_if(module_.globals, [&](const Instruction& inst) {
        if (inst.op == spv::Op::OpTypeForwardPointer) return !used[inst.word(0)];
        return inst.result && !used[inst.result.value];
    });
    for (Instruction& entry : module_.entry_points) {
        size_t next = 0;
        string_at(entry, 2, &next);
        entry.operands.erase(
            std::remove_if(entry.operands.begin() + static_cast<std::ptrdiff_t>(next), entry.operands.end(),
                           [&](const Operand& operand) { return !used[operand.word]; }),
            entry.operands.end());
    }
    std::erase_if(module_.ext_inst_imports,
                  [&](const Instruction& inst) { return !used[inst.result.value]; });
    std::erase_if(module_.debug_sources, [&](const Instruction& inst) {
        return inst.op == spv::Op::OpString && !used[inst.result.value];
    });
}

}  // namespace

void drop_dead_code(spirv::Module& module, const spirv::Builder& builder) { DeadCode(module, builder).run(); }

void drop_unused_values(spirv::Module& module, spirv::Function& function, const spirv::Builder& builder) {
    DeadCode(module, builder).drop_unused_values(function);
}

}  // namespace caldera::vulkan
