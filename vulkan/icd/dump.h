// SPDX-License-Identifier: Apache-2.0
// CALDERA_DUMP: what each stage of a build made, for who wants to look.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "vulkan/build_program.h"
#include "vulkan/icd/program.h"

namespace caldera::icd {

/// What translation made in a build.
struct Translated {
    std::vector<uint32_t> words =
        {};  ///< the Vulkan SPIR-V; empty where translation failed or was not asked for
    struct Stage {
        std::string name = {};  ///< "17-unroll_loops"
        std::vector<uint32_t> words = {};
    };
    std::vector<Stage> stages =
        {};  ///< the module before the first pass and after each that changed something
};

/// Collects the stages, where the environment has CALDERA_DUMP and CALDERA_DUMP_PASSES=1; else empty. `translated` must
/// outlive it.
std::function<void(const vulkan::AfterPass&)> stage_collector(Translated& translated);

/// Where the environment's CALDERA_DUMP names a folder: writes a folder PROCESS-NUMBER into it with source.cl, options.txt,
/// opencl.spv, vulkan.spv, interface.json, log.txt and passes/NN-PASS.spv, as far as there are such. What is there already
/// stays. Thread-safe.
void dump(const Program& program, const Program::Build& build, const Translated& translated);

}  // namespace caldera::icd
