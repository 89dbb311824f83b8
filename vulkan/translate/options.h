// SPDX-License-Identifier: Apache-2.0
// How a module is translated: what the door takes, and every pass may read.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/specialize.h"
#include "spirv/spirv.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// The module as a pass left it.
struct AfterPass {
    uint32_t number = 0;         ///< the pass's place in pass_list(), from 1; 0: before the first pass
    std::string_view pass = {};  ///< its name; "read" before the first pass
    bool changed = true;         ///< whether the module differs from the one before
    std::span<const uint32_t> words = {};
};

struct TranslateOptions {
    spirv::Target target = spirv::Target::Vulkan12;  ///< a Vulkan target
    DeviceProfile profile = {};
    Abi abi = Abi::Addresses;
    /// A dispatch is always a whole NDRange without an offset: work-item functions need no hidden arguments, and
    /// get_work_dim() is a specialisation constant. What programs expect that dispatch clspv's modules.
    bool simple_ndrange = false;
    /// Kernels that cannot tell which work-groups there are have HiddenKind::RegionSize, so that one pipeline covers ranges
    /// of any size. Not with simple_ndrange.
    bool partial_groups = false;
    /// The module says how it is called in instructions of NonSemantic.ClspvReflection, for clvk and Amber. A device
    /// older than Vulkan 1.3 takes such a module only with VK_KHR_shader_non_semantic_info.
    bool clspv_reflection = false;
    int optimization_level = 1;  ///< -O: from 2 on, SPIRV-Tools passes after our own
    bool fast_math = false;      ///< -cl-unsafe-math-optimizations: Vulkan's own precision suffices
    /// A product and a sum are one fma where the module allows it and the device has a fast one; else nowhere (-ffp-contract=off).
    bool contraction = true;
    bool correctly_rounded_divide_sqrt = false;  ///< x / y and sqrt(x) of float
    /// Those of float and double may be flushed, which is faster on some devices. Constants that are operands are.
    bool denorms_are_zero = false;
    bool detailed_enqueue_errors = false;  ///< -g: enqueue_kernel says why it failed (OpenCL C 6.13.17)
    bool uniform_work_group_size =
        false;  ///< what kernels enqueue has local sizes that divide the global ones
    /// The words come from our own front end: they are not validated first. Passes rely on a valid module.
    bool trusted_input = false;
    spirv::SpecValues spec_constants =
        {};  ///< values of the module's own; those that are not here keep their defaults
    bool verify_between_passes = false;  ///< structural verify() after each pass
    std::string stop_after = {};  ///< name of a pass in passes.def: the module is returned as it is then
    std::vector<std::string> disabled_passes = {};  ///< names of passes that are left out; none is Required
    /// Is called before the first pass and after each, on the calling thread; costs nothing where there is none. The words
    /// live as long as the call.
    std::function<void(const AfterPass&)> after_pass = {};
};

}  // namespace caldera::vulkan
