// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/function_pointers.h"

#include <algorithm>
#include <string_view>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/who_uses.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

/// Which operand is the block's function, or none.
size_t function_operand(Op op) {
    switch (op) {
        case Op::OpEnqueueKernel: return 6;
        case Op::OpGetKernelNDrangeSubGroupCount:
        case Op::OpGetKernelNDrangeMaxSubGroupSize:
        case Op::OpGetKernelLocalSizeForSubgroupCount: return 1;
        case Op::OpGetKernelWorkGroupSize:
        case Op::OpGetKernelPreferredWorkGroupSizeMultiple:
        case Op::OpGetKernelMaxNumSubgroups: return 0;
        default: return ~size_t{0};
    }
}

class FunctionPointerMender {
 public:
    explicit FunctionPointerMender(Module& module) : module_(module) {}

    bool run() {
        for (const Instruction& inst : module_.globals) {
            if (inst.op == Op::OpTypeFunction) function_types_.insert(inst.result);
            if (inst.op == Op::OpConstantFunctionPointerINTEL) functions_[inst.result] = inst.id(0);
        }
        if (functions_.empty() || !are_functions()) return false;
        for (const Instruction& inst : module_.globals) look_at_constant(inst);
        find_casts();
        for (const Function& function : module_.functions)
            for_each_instruction(function, [&](const Instruction& inst) { look_at(inst); });
        if (is_looked_at_) return false;
        for (Function& function : module_.functions)
            for (Block& block : function.blocks)
                for (Instruction& inst : block.body)
                    if (const size_t at = function_operand(inst.op); at < inst.operands.size())
                        if (const auto found = functions_.find(inst.id(at)); found != functions_.end())
                            inst.operands[at] = found->second;
        for (Instruction& inst : module_.globals) rewrite(inst);
        std::erase_if(module_.capabilities, [](const Instruction& inst) {
            return inst.word(0) == static_cast<uint32_t>(spv::Capability::FunctionPointersINTEL);
        });
        std::erase_if(module_.extensions, [](const Instruction& inst) {
            return string_at(inst, 0) == "SPV_INTEL_function_pointers";
        });
        return true;
    }

 private:
    bool are_functions() const {
        IdSet functions;
        for (const Function& function : module_.functions) functions.insert(function.id());
        return std::ranges::all_of(
            functions_, [&](const IdMap<Id>::Entry& entry) { return functions.contains(entry.second); });
    }

    /// A cast may stand after its use, in a phi, and before the cast of which it is one, in another block.
    void find_casts() {
        IdMap<std::vector<Id>> casts;  // by what they cast
        for (const Function& function : module_.functions)
            for_each_instruction(function, [&](const Instruction& inst) {
                if (is_address_cast(inst.op)) casts[inst.id(0)].push_back(inst.result);
            });
        std::vector<Id> found;
        for (const auto& [cast_value, results] : casts)
            if (is_address(cast_value)) found.push_back(cast_value);
        while (!found.empty()) {
            const auto next = casts.find(found.back());
            found.pop_back();
            if (next == casts.end()) continue;
            for (const Id cast : next->second)
                if (casts_.insert(cast)) found.push_back(cast);
        }
    }

    bool is_address(Id id) const { return functions_.contains(id) || casts_.contains(id); }
    bool has_address(const Instruction& inst) const {
        return std::ranges::any_of(
            inst.operands, [&](const Operand& operand) { return operand.is_id && is_address(operand.id()); });
    }

    void look_at_constant(const Instruction& inst) {
        if (inst.op == Op::OpConstantFunctionPointerINTEL || !has_address(inst)) return;
        const bool is_constant_cast =
            inst.op == Op::OpSpecConstantOp && is_address_cast(static_cast<Op>(inst.word(0)));
        if (is_constant_cast)
            casts_.insert(inst.result);
        else if (inst.op != Op::OpConstantComposite && inst.op != Op::OpSpecConstantComposite)
            is_looked_at_ = true;
    }

    /// An address may be stored, and be the function of a block.
    void look_at(const Instruction& inst) {
        is_looked_at_ |= inst.op == Op::OpFunctionPointerCallINTEL;
        if (!has_address(inst) || is_address_cast(inst.op)) return;
        const size_t function = function_operand(inst.op);
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id || !is_address(inst.id(i))) continue;
            const bool is_kept = (inst.op == Op::OpStore && i == 1) || inst.op == Op::OpCompositeInsert ||
                                 inst.op == Op::OpCompositeConstruct;
            const bool is_function = i == function && functions_.contains(inst.id(i));
            is_looked_at_ |= !is_kept && !is_function;
        }
    }

    void rewrite(Instruction& inst) {
        if (inst.op == Op::OpConstantFunctionPointerINTEL) {
            inst.op = Op::OpConstantNull;
            inst.operands.clear();
        }
        if (inst.op != Op::OpTypePointer || !function_types_.contains(inst.id(1))) return;
        if (inst.word(0) == static_cast<uint32_t>(spv::StorageClass::CodeSectionINTEL))
            inst.operands[0] = spv::StorageClass::CrossWorkgroup;
        inst.operands[1] = byte();
    }

    Id byte() const {
        const auto found = std::ranges::find_if(module_.globals, [](const Instruction& inst) {
            return inst.op == Op::OpTypeInt && inst.word(0) == 8;
        });
        return found == module_.globals.end() ? Id{} : found->result;
    }

    Module& module_;
    IdSet function_types_ = {};
    IdMap<Id> functions_ = {};  // by their addresses
    IdSet casts_ = {};          // of addresses
    bool is_looked_at_ = false;
};

/// The type of bytes comes first, because pointers to it may stand anywhere.
void lead_with_bytes(Module& module) {
    auto found = std::ranges::find_if(module.globals, [](const Instruction& inst) {
        return inst.op == Op::OpTypeInt && inst.word(0) == 8;
    });
    if (found == module.globals.end()) {
        Builder builder(module);
        builder.capability(spv::Capability::Int8);
        builder.type_int(8);
        found = module.globals.end() - 1;
    }
    std::rotate(module.globals.begin(), found, found + 1);
}

/// What no function may use.
struct ForeignCode {
    IdSet pointers = {};  // types, constants and variables with pointers to functions in them
    IdSet assembly = {};
    bool empty() const { return pointers.empty() && assembly.empty(); }
};
ForeignCode find_foreign_code(const Module& module) {
    ForeignCode found;
    IdSet functions;
    for (const Instruction& inst : module.globals) {
        if (inst.op == Op::OpTypeFunction) functions.insert(inst.result);
        if (inst.op == Op::OpAsmTargetINTEL || inst.op == Op::OpAsmINTEL) found.assembly.insert(inst.result);
        if ((inst.op == Op::OpTypePointer && functions.contains(inst.id(1))) ||
            inst.op == Op::OpConstantFunctionPointerINTEL || uses_any(inst, found.pointers))
            found.pointers.insert(inst.result);
    }
    return found;
}
std::string_view what_is_foreign(const Instruction& inst, const ForeignCode& foreign) {
    if (inst.op == Op::OpFunctionPointerCallINTEL || uses_any(inst, foreign.pointers))
        return "pointers to functions are not supported";
    if (inst.op == Op::OpAsmCallINTEL || uses_any(inst, foreign.assembly))
        return "inline assembly is not supported";
    return {};
}

}  // namespace

bool is_address_cast(Op op) {
    return op == Op::OpPtrCastToGeneric || op == Op::OpBitcast || op == Op::OpCopyObject;
}

bool mend_function_pointers(Module& module) {
    const bool any = std::ranges::any_of(module.globals, [](const Instruction& inst) {
        return inst.op == Op::OpConstantFunctionPointerINTEL;
    });
    if (!any) return false;
    lead_with_bytes(module);
    return FunctionPointerMender(module).run();
}

Result<bool> check_foreign_code(Module& module, bool is_whole) {
    const ForeignCode foreign = find_foreign_code(module);
    if (foreign.empty()) return false;
    if (is_whole) drop_unreached_functions(module);
    for (const Function& function : module.functions) {
        std::string message;
        for_each_instruction(function, [&](const Instruction& inst) {
            const std::string_view what = message.empty() ? what_is_foreign(inst, foreign) : "";
            if (what.empty()) return;
            message = place_of(module, function.id(), inst.line).append(what);
        });
        if (!message.empty()) return Error{.message = message};
    }
    std::erase_if(module.globals, [&](const Instruction& inst) {
        return foreign.pointers.contains(inst.result) || foreign.assembly.contains(inst.result);
    });
    drop_stale_names(module);
    return true;
}

}  // namespace caldera::vulkan
