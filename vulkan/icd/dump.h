// SPDX-License-Identifier: Apache-2.0
// CALDERA_DUMP: writes the results of each stage of a build to a folder.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "vulkan/build_program.h"
#include "vulkan/icd/program.h"

namespace caldera::icd {

/// What the translator produced in a build.
struct Translated {
    /// the Vulkan SPIR-V; empty if translation failed or was not requested
    std::vector<uint32_t> words = {};
    std::vector<uint32_t> descriptor_words = {};  ///< the kernels that also exist by descriptors, if any
    struct Stage {
        std::string name = {};  ///< "17-unroll_loops"
        std::vector<uint32_t> words = {};
    };
    /// the module before the first pass, and after each pass that changed it
    std::vector<Stage> stages = {};
};

/// Collects the module after passes if the environment has CALDERA_DUMP and CALDERA_DUMP_PASSES=1; otherwise
/// empty. `translated` must outlive the result.
std::function<void(const vulkan::AfterPass&)> stage_collector(Translated& translated);

/// If the environment's CALDERA_DUMP names a folder, creates a folder PROCESS-NUMBER in it with source.cl,
/// options.txt, opencl.spv, vulkan.spv, interface.json, descriptors.spv, descriptors.json, log.txt and
/// passes/NN-PASS.spv, as far as they exist.
/// Keeps existing files. Warns once if they cannot be written. Thread-safe.
void dump(const Program& program, const Program::Build& build, const Translated& translated);

}  // namespace caldera::icd
