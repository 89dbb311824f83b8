// SPDX-License-Identifier: Apache-2.0
// structure_control_flow: functions whose merges are all there and obey SPIR-V 2.11 are left alone; goto, foreign modules and
// callees with several returns get new ones, from nothing but their branches.
#include "spirv/cfg.h"
#include "spirv/support/check.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/restructure.h"
#include "vulkan/translate/structure.h"

namespace caldera::vulkan {
namespace {

std::string fault_of(const spirv::Function& function) {
    const spirv::Cfg cfg = spirv::build_cfg(function);
    return check_structure(function, cfg, spirv::dominators(cfg)).fault;
}

}  // namespace

Result<Done> structure_control_flow(spirv::Module& module, PassContext&) {
    spirv::Builder builder(module);
    for (spirv::Function& function : module.functions) {
        if (function.blocks.empty()) continue;
        spirv::remove_unreachable_blocks(function);
        if (fault_of(function).empty()) continue;
        restructure(builder, function);
        const std::string fault = fault_of(function);
        check(fault.empty(), fault.c_str());
    }
    return Done{};
}

}  // namespace caldera::vulkan
