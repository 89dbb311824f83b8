// SPDX-License-Identifier: Apache-2.0
// keep_contained_kernels: chooses the kernels that run by descriptors where device addresses serve the others
// (TranslateOptions::contained_kernels). By descriptors, a pointer is the number of a buffer and an offset,
// so a kernel must not show a pointer's value, and each access should be to one buffer that is known. Before:
// a module in normal form.   After: the module has only kernels whose pointers to global and constant memory
// are arguments, or come from one of them by indices, and are never integers, compared or in memory.
#include <algorithm>
#include <numeric>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/buffer_pointers.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Op;
using spv::StorageClass;

/// Sets of pointers of which one comes from another.
class Origins {
 public:
    explicit Origins(uint32_t bound) : parent_(bound) { std::iota(parent_.begin(), parent_.end(), 0u); }
    uint32_t of(Id id) {
        uint32_t at = id.value;
        while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
        return at;
    }
    void join(Id a, Id b) { parent_[of(a)] = of(b); }

 private:
    std::vector<uint32_t> parent_;
};

class ContainedKernels {
 public:
    ContainedKernels(Module& module, const TranslateOptions& options)
        : module_(module),
          options_(options),
          builder_(module),
          graph_(module, true),
          origins_(module.bound),
          opencl_std_(opencl_std_of(module)),
          holders_(buffer_pointer_types(module)) {
        for (const Instruction& inst : module.globals)
            if (inst.op == Op::OpSpecConstantOp && holds_pointer(inst.type))
                come_from(inst.result, inst.id(1));
        for (const Function& function : module.functions) functions_.emplace(function.id(), &function);
        for (const Function& function : module.functions) is_contained_.push_back(look_at(function));
    }

    void run() {
        spirv::IdSet left_out;
        for (const Instruction& entry : module_.entry_points)
            if (!is_contained(entry.id(1))) left_out.insert(entry.id(1));
        const auto names = [&](size_t at) {
            return [&, at](const Instruction& inst) { return left_out.contains(inst.id(at)); };
        };
        std::erase_if(module_.entry_points, names(1));
        std::erase_if(module_.execution_modes, names(0));
        drop_unreached_functions(module_);
    }

 private:
    bool holds_pointer(Id type) const { return holders_.contains(type); }
    bool is_pointer_to_holder(Id type) const {
        return builder_.is_pointer(type) && holds_pointer(builder_.pointee(type));
    }
    bool is_generic(Id type) const {
        return builder_.is_pointer(type) && builder_.storage(type) == StorageClass::Generic;
    }

    // ---- One function ----

    /// Notes where its pointers come from. Returns whether they stay pointers in the function.
    bool look_at(const Function& function) {
        for (const Instruction& param : function.params)
            if (is_pointer_to_holder(param.type)) return false;
        spirv::IdSet variables;
        for (const spirv::Block& block : function.blocks) {
            for (const Instruction& inst : block.body) {
                if (inst.op == Op::OpVariable) variables.insert(inst.result);
                if (!follow(inst, variables)) return false;
            }
            if (block.terminator.op == Op::OpReturnValue && holds_pointer(function.return_type()))
                come_from(function.id(), block.terminator.id(0));
        }
        return true;
    }

    /// Notes where the instruction's result comes from. Returns false if the instruction turns a pointer into
    /// something else, or something else into a pointer.
    bool follow(const Instruction& inst, const spirv::IdSet& variables) {
        switch (inst.op) {
            case Op::OpConvertPtrToU:
            case Op::OpPtrEqual:
            case Op::OpPtrNotEqual:
            case Op::OpPtrDiff:
            case Op::OpGenericCastToPtr:
            case Op::OpGenericCastToPtrExplicit:
            case Op::OpGenericPtrMemSemantics: return false;
            case Op::OpVariable:  // a private one
                if (inst.operands.size() > 1 && is_pointer_to_holder(inst.type))
                    come_from(inst.result, inst.id(1));
                return builder_.is_pointer(builder_.pointee(inst.type)) || !is_pointer_to_holder(inst.type);
            case Op::OpStore:
                if (!holds_pointer(builder_.type_of(inst.id(1)))) return true;
                come_from(inst.id(0), inst.id(1));
                return variables.contains(inst.id(0));
            case Op::OpLoad:
                if (!holds_pointer(inst.type)) return !is_pointer_to_holder(inst.type);
                come_from(inst.result, inst.id(0));
                return variables.contains(inst.id(0));
            case Op::OpPtrCastToGeneric:
                if (is_pointer_to_holder(builder_.type_of(inst.id(0)))) return false;
                come_from(inst.result, inst.id(0));
                if (!holds_pointer(builder_.type_of(inst.id(0)))) elsewhere_.push_back(inst.result);
                return true;
            case Op::OpCopyMemory:
            case Op::OpCopyMemorySized:
                return !is_pointer_to_holder(builder_.type_of(inst.id(0))) &&
                       !is_pointer_to_holder(builder_.type_of(inst.id(1)));
            case Op::OpFunctionCall: return follow_call(inst);
            case Op::OpExtInst: return !is_printf(inst, opencl_std_) && !holds_pointer(inst.type);
            case Op::OpBitcast:
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain:
            case Op::OpCopyObject:
                if (inst.op == Op::OpBitcast && is_pointer_to_holder(builder_.type_of(inst.id(0))))
                    return false;
                if (!holds_pointer(inst.type)) return !holds_pointer(builder_.type_of(inst.id(0)));
                come_from(inst.result, inst.id(0));
                return holds_pointer(builder_.type_of(inst.id(0)));
            case Op::OpPhi:
            case Op::OpSelect:
                if (!holds_pointer(inst.type)) return !is_pointer_to_holder(inst.type);
                for (size_t i = inst.op == Op::OpPhi ? 0 : 1; i < inst.operands.size();
                     i += inst.op == Op::OpPhi ? 2 : 1)
                    come_from(inst.result, inst.id(i));
                return true;
            default: return !holds_pointer(inst.type) && !enqueues(inst.op);
        }
    }

    bool follow_call(const Instruction& call) {
        const auto callee = functions_.find(call.id(0));
        const bool is_imported = callee == functions_.end() || callee->second->blocks.empty();
        if (is_imported) return !holds_pointer(call.type);
        if (holds_pointer(call.type)) come_from(call.result, call.id(0));
        for (size_t i = 1; i < call.operands.size(); ++i)
            if (holds_pointer(builder_.type_of(call.id(i))))
                come_from(callee->second->params[i - 1].result, call.id(i));
        return true;
    }

    /// A null pointer comes from nowhere, though all uses share its id.
    void come_from(Id pointer, Id origin) {
        const Instruction* global = builder_.find_global(origin);
        if (!global || (global->op != Op::OpConstantNull && global->op != Op::OpUndef))
            origins_.join(pointer, origin);
    }

    static bool enqueues(Op op) { return op >= Op::OpEnqueueMarker && op <= Op::OpBuildNDRange; }

    // ---- One kernel ----

    bool is_contained(Id kernel) {
        for (const uint32_t index : graph_.functions(kernel))
            if (!is_contained_[index]) return false;
        std::vector<uint32_t> buffers;
        for (const Instruction& param : functions_.at(kernel)->params) {
            if (!is_argument(param.type)) return false;
            if (holds_pointer(param.type)) buffers.push_back(origins_.of(param.result));
        }
        std::ranges::sort(buffers);
        if (buffers.empty() || std::ranges::adjacent_find(buffers) != buffers.end()) return false;
        for (const Id pointer : elsewhere_)
            if (std::ranges::binary_search(buffers, origins_.of(pointer))) return false;
        bool has_constants = false;
        for (const Id variable : graph_.variables(kernel)) {
            const Id type = builder_.type_of(variable);
            const StorageClass storage = builder_.storage(type);
            if (storage == StorageClass::CrossWorkgroup || is_pointer_to_holder(type)) return false;
            if (storage != StorageClass::UniformConstant) continue;
            has_constants = true;
            if (std::ranges::binary_search(buffers, origins_.of(variable))) return false;
        }
        return buffers.size() + (has_constants ? 1 : 0) <= options_.profile.max_storage_buffers;
    }

    bool is_argument(Id type) const {
        switch (builder_.op_of_type(type)) {
            case Op::OpTypeInt:
            case Op::OpTypeFloat:
            case Op::OpTypeVector: return true;
            case Op::OpTypeStruct:
            case Op::OpTypeArray: return !holds_pointer(type);
            case Op::OpTypePointer:
                return !is_generic(type) && !is_pointer_to_holder(type) && is_value(builder_.pointee(type));
            default: return false;
        }
    }
    /// Pointers to images, samplers, pipes and events are those things.
    bool is_value(Id type) const {
        const Op op = builder_.op_of_type(type);
        return op == Op::OpTypeInt || op == Op::OpTypeFloat || op == Op::OpTypeVector ||
               op == Op::OpTypeStruct || op == Op::OpTypeArray;
    }

    Module& module_;
    const TranslateOptions& options_;
    Builder builder_;
    CallGraph graph_;
    Origins origins_;
    Id opencl_std_;
    spirv::IdSet holders_;  // types of pointers to buffers, and of what holds one
    spirv::IdMap<const Function*> functions_ = {};
    std::vector<Id> elsewhere_ = {};       // generic pointers to private and local memory
    std::vector<bool> is_contained_ = {};  // by function: its pointers stay pointers
};

}  // namespace

Result<Done> keep_contained_kernels(Module& module, PassContext& context) {
    if (!context.options.contained_kernels) return Done{};
    ContainedKernels(module, context.options).run();
    if (module.entry_points.empty())
        return Error{.message = "each kernel needs device addresses, or accesses no buffer"};
    return Done{};
}

}  // namespace caldera::vulkan
