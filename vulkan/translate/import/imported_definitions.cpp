// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/imported_definitions.h"

#include <optional>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

using namespace spirv;

bool mend_imported_definitions(Module& module) {
    IdSet defined;
    for (const Instruction& inst : module.globals)
        if (inst.op == spv::Op::OpVariable && inst.operands.size() > 1) defined.insert(inst.result);
    for (const Function& function : module.functions)
        if (!function.blocks.empty()) defined.insert(function.id());
    bool any = false;
    for (Instruction& inst : module.annotations) {
        const std::optional<Linkage> linkage = linkage_of(inst);
        if (!linkage || linkage->type != spv::LinkageType::Import || !defined.contains(linkage->target))
            continue;
        inst.operands.back() = static_cast<uint32_t>(spv::LinkageType::LinkOnceODR);
        any = true;
    }
    if (any) Builder(module).extension("SPV_KHR_linkonce_odr");
    return any;
}

}  // namespace caldera::vulkan
