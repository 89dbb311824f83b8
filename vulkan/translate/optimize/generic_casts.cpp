// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/generic_casts.h"

#include <utility>

#include "spirv/op_class.h"

namespace caldera::vulkan {

using namespace spirv;

namespace {

class CastSinker {
 public:
    CastSinker(Builder& builder, Function& function) : builder_(builder), function_(function) {}

    IdMap<CastPointer> run() {
        for (const Instruction& param : function_.params) types_[param.result] = param.type;
        for (Block& block : function_.blocks) {
            std::vector<Instruction> body;
            body.reserve(block.body.size());
            for (Instruction& inst : block.body) visit(inst, body);
            block.body = std::move(body);
        }
        return std::move(casts_);
    }

 private:
    void visit(Instruction& inst, std::vector<Instruction>& body) {
        if (inst.result && builder_.is_pointer(inst.type)) types_[inst.result] = inst.type;
        const bool has_base = !inst.operands.empty() && inst.operands[0].is_id;
        if (const auto cast = has_base ? casts_.find(inst.id(0)) : casts_.end(); cast != casts_.end()) {
            if (inst.op == spv::Op::OpLoad || inst.op == spv::Op::OpStore)
                inst.operands[0] = cast->second.id;
            else if (computes_pointer(inst.op) && builder_.is_pointer(inst.type))
                return compute_before_cast(inst, cast->second, body);
        } else if (inst.op == spv::Op::OpPtrCastToGeneric) {
            casts_[inst.result] = {.id = inst.id(0), .type = type_of(inst.id(0))};
        }
        body.push_back(std::move(inst));
    }

    void compute_before_cast(Instruction& inst, const CastPointer from, std::vector<Instruction>& body) {
        Instruction step = inst;
        step.type = builder_.type_pointer(builder_.storage(from.type), builder_.pointee(inst.type));
        step.result = builder_.fresh();
        step.operands[0] = from.id;
        casts_[inst.result] = {.id = step.result, .type = step.type};
        inst.op = spv::Op::OpPtrCastToGeneric;
        inst.operands = {step.result};
        body.push_back(std::move(step));
        body.push_back(std::move(inst));
    }

    /// The builder does not know the types in functions that were copied.
    Id type_of(Id pointer) const {
        const auto found = types_.find(pointer);
        return found != types_.end() ? found->second : builder_.type_of(pointer);
    }

    Builder& builder_;
    Function& function_;
    IdMap<Id> types_ = {};  // of pointers
    IdMap<CastPointer> casts_ = {};
};

}  // namespace

IdMap<CastPointer> sink_generic_casts(Builder& builder, Function& function) {
    return CastSinker(builder, function).run();
}

}  // namespace caldera::vulkan
