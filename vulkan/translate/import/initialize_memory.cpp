// SPDX-License-Identifier: Apache-2.0
// initialize_memory: gives private memory zeros, where that is asked for (OpenCL C 3.0,
// cl_khr_initialize_memory).
//
// Before: a variable of a function without an initializer has any value. After: its function stores zeros
// to it on entry. Stores, rather than initializers, since a function may be called in a loop and inlined.
// Aggregates are copied from a constant of zeros, so that large ones become loops. Variables that are no
// memory, such as events, are left alone. lower_interface clears local memory, whose size it knows.
#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class Initializer {
 public:
    explicit Initializer(spirv::Module& module) : module_(module), builder_(module) {}

    void run() {
        for (spirv::Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            std::vector<Instruction> stores;
            const spirv::SinkScope sink(builder_, &stores);
            for (const Instruction& inst : function.blocks.front().body) {
                if (inst.op != Op::OpVariable || inst.operands.size() > 1) continue;
                const Id type = builder_.pointee(inst.type);
                if (is_memory(type)) store_zeros(inst.result, type);
            }
            function.insert_at_entry(std::move(stores));
        }
    }

 private:
    bool is_memory(Id type) const {
        switch (builder_.op_of_type(type)) {
            case Op::OpTypeBool:
            case Op::OpTypeInt:
            case Op::OpTypeFloat:
            case Op::OpTypeVector:
            case Op::OpTypePointer: return true;
            case Op::OpTypeArray: return is_memory(builder_.element(type));
            case Op::OpTypeStruct:
                for (uint32_t i = 0; i < builder_.member_count(type); ++i)
                    if (!is_memory(builder_.member(type, i))) return false;
                return true;
            default: return false;
        }
    }

    void store_zeros(Id variable, Id type) {
        const Op kind = builder_.op_of_type(type);
        if (kind != Op::OpTypeArray && kind != Op::OpTypeStruct) {
            builder_.append_void(Op::OpStore, {variable, builder_.constant_null(type)});
            return;
        }
        Id& zeros = zeros_[type];
        if (!zeros)
            zeros = builder_.variable(spv::StorageClass::UniformConstant, type, builder_.constant_null(type));
        builder_.append_void(Op::OpCopyMemory, {variable, zeros});
    }

    spirv::Module& module_;
    Builder builder_;
    spirv::IdMap<Id> zeros_ = {};  // by type
};

}  // namespace

Result<Done> initialize_memory(spirv::Module& module, PassContext& context) {
    if (context.options.initialize_private) Initializer(module).run();
    return Done{};
}

}  // namespace caldera::vulkan
