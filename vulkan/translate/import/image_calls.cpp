// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/image_calls.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

constexpr std::string_view kNames[] = {"_Z12write_imagef", "_Z12write_imagei", "_Z13write_imageui"};

spirv::IdSet imported_writes(const spirv::Module& module) {
    spirv::IdSet found;
    for (const Instruction& inst : module.annotations) {
        const std::optional<spirv::Linkage> linkage = spirv::linkage_of(inst);
        if (linkage && linkage->type == spv::LinkageType::Import &&
            std::ranges::any_of(kNames, [&](auto name) { return linkage->name.starts_with(name); }))
            found.insert(linkage->target);
    }
    return found;
}

/// (image, coordinate, level, colour). The validator has compared them with the function's parameters, but
/// not with those of the built-in function.
bool writes_level(const Builder& builder, const Instruction& call) {
    if (call.operands.size() != 5) return false;
    const Id image = builder.type_of(call.id(1)), at = builder.type_of(call.id(2)),
             level = builder.type_of(call.id(3)), color = builder.type_of(call.id(4));
    const auto is_number = [&](Id type) {
        return builder.is_int(builder.element(type)) || builder.is_float(builder.element(type));
    };
    return builder.op_of_type(image) == Op::OpTypeImage && builder.is_int(builder.element(at)) &&
           builder.is_int(level) && is_number(color) &&
           (builder.count(color) == 4 || (builder.count(color) == 1 && builder.is_float(color)));
}

}  // namespace

void take_level_writes(spirv::Module& module) {
    const spirv::IdSet writes = imported_writes(module);
    if (writes.empty()) return;
    const Builder builder(module);
    for (spirv::Function& function : module.functions)
        for (spirv::Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op != Op::OpFunctionCall || !writes.contains(inst.id(0)) ||
                    !writes_level(builder, inst))
                    continue;
                inst.op = Op::OpImageWrite;
                inst.type = inst.result = {};
                inst.operands = {inst.operands[1], inst.operands[2], inst.operands[4],
                                 static_cast<uint32_t>(spv::ImageOperandsMask::Lod), inst.operands[3]};
            }
}

}  // namespace caldera::vulkan
