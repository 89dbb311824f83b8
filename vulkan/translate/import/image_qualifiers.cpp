// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/image_qualifiers.h"

#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/support/function_type.h"
#include "vulkan/translate/support/image_constants.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class ImageQualifier {
 public:
    explicit ImageQualifier(spirv::Module& module) : module_(module), builder_(module) {}

    void run() {
        for (const Instruction& inst : module_.globals) {
            if (inst.op == Op::OpTypeImage && !has_qualifier(inst)) open_.insert(inst.result);
            if (inst.type) join_with_type(inst.result);
        }
        for (const spirv::Function& function : module_.functions)
            functions_.emplace(function.id(), &function);
        for (const spirv::Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks) {
                for (const Instruction& inst : block.body) follow(inst);
                join_with_types(block.terminator);
            }
        for (const auto& [image, is_written] : uses_) {
            Use& use = use_of_[first(image)];
            (is_written ? use.is_written : use.is_read) = true;
        }
        for (spirv::Function& function : module_.functions) qualify(function);
        for (Instruction& inst : module_.globals)
            if (in_memory_.contains(inst.result)) inst.operands.push_back(qualifier(inst.result));
    }

 private:
    struct Use {
        bool is_read = false, is_written = false;
    };

    /// The type without a qualifier that an image or a sampled image has, or none.
    Id open_type(Id value) const {
        Id type = builder_.type_of(value);
        if (builder_.op_of_type(type) == Op::OpTypeSampledImage) type = builder_.find_global(type)->id(0);
        return open_.contains(type) ? type : Id{};
    }

    // ---- Which images may be the same one: a value, or a type for all images in memory ----

    Id first(Id id) {
        while (true) {
            const auto next = joined_.find(id);
            if (next == joined_.end()) return id;
            if (const auto later = joined_.find(next->second); later != joined_.end())
                next->second = later->second;
            id = next->second;
        }
    }
    void join(Id one, Id other) {
        const Id from = first(one), to = first(other);
        if (from != to) joined_[from] = to;
    }
    /// A value that other instructions make or take: it may be any that is in memory.
    void join_with_type(Id value) {
        const Id type = open_type(value);
        if (!type) return;
        join(value, type);
        in_memory_.insert(type);
    }
    void join_with_types(const Instruction& inst) {
        if (inst.result) join_with_type(inst.result);
        for (const spirv::Operand& operand : inst.operands)
            if (operand.is_id) join_with_type(operand.id());
    }

    void follow(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpImageWrite:
            case Op::OpSubgroupImageBlockWriteINTEL: uses_.emplace_back(inst.id(0), true); return;
            case Op::OpImageRead:
            case Op::OpImageSampleExplicitLod:
            case Op::OpSubgroupImageBlockReadINTEL: uses_.emplace_back(inst.id(0), false); return;
            case Op::OpImageQueryFormat:
            case Op::OpImageQueryOrder:
            case Op::OpImageQuerySize:
            case Op::OpImageQuerySizeLod:
            case Op::OpImageQueryLevels:
            case Op::OpImageQuerySamples: return;
            case Op::OpSampledImage:
            case Op::OpImage:
            case Op::OpCopyObject:
            case Op::OpSelect:
            case Op::OpPhi:
                if (!open_type(inst.result)) return;
                for (const spirv::Operand& operand : inst.operands)
                    if (operand.is_id && open_type(operand.id())) join(operand.id(), inst.result);
                return;
            case Op::OpFunctionCall:
                if (const auto callee = functions_.find(inst.id(0)); callee != functions_.end()) {
                    const std::vector<Instruction>& params = callee->second->params;
                    for (size_t i = 0; i < params.size() && i + 1 < inst.operands.size(); ++i)
                        if (open_type(params[i].result)) join(inst.id(i + 1), params[i].result);
                }
                join_with_type(inst.result);
                return;
            default: join_with_types(inst); return;
        }
    }

    // ---- Their types ----

    spv::AccessQualifier qualifier(Id image) {
        const auto use = use_of_.find(first(image));
        if (use == use_of_.end() || !use->second.is_written) return spv::AccessQualifier::ReadOnly;
        return use->second.is_read ? spv::AccessQualifier::ReadWrite : spv::AccessQualifier::WriteOnly;
    }

    void qualify(spirv::Function& function) {
        bool changed = false;
        for (Instruction& param : function.params) changed |= qualify(param);
        if (changed) match_params(builder_, function);
        for (spirv::Block& block : function.blocks)
            for (Instruction& inst : block.body) qualify(inst);
    }
    bool qualify(Instruction& value) {
        const Id image = value.result ? open_type(value.result) : Id{};
        if (!image) return false;
        if (in_memory_.contains(image) && qualifier(value.result) == qualifier(image)) return false;
        spirv::Operands operands = builder_.find_global(image)->operands;
        operands.push_back(qualifier(value.result));
        const bool is_sampled = builder_.op_of_type(value.type) == Op::OpTypeSampledImage;
        value.type = builder_.type(Op::OpTypeImage, std::move(operands));
        if (is_sampled) value.type = builder_.type(Op::OpTypeSampledImage, {value.type});
        return true;
    }

    spirv::Module& module_;
    Builder builder_;
    spirv::IdSet open_ = {};       // types without a qualifier
    spirv::IdSet in_memory_ = {};  // those of them that get one: other types take the places of the rest
    spirv::IdMap<const spirv::Function*> functions_ = {};
    spirv::IdMap<Id> joined_ = {};
    std::vector<std::pair<Id, bool>> uses_ = {};  // an image, and whether it is written
    spirv::IdMap<Use> use_of_ = {};               // by first()
};

}  // namespace

void qualify_images(spirv::Module& module) {
    for (const Instruction& inst : module.globals)
        if (inst.op == Op::OpTypeImage && !has_qualifier(inst)) return ImageQualifier(module).run();
}

}  // namespace caldera::vulkan
