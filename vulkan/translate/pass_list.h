// SPDX-License-Identifier: Apache-2.0
// The names of the passes, for callers that list them, stop after one or leave one out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace caldera::vulkan {

/// What a module is without the pass.
enum class PassNeed : uint8_t {
    Required,      ///< wrong or invalid for some kernel
    Optimization,  ///< correct, but larger, or slower to run or to compile for the device
    Precaution,    ///< correct, but some driver's compiler miscompiles it
};
struct PassInfo {
    std::string_view name = {};
    std::string_view summary = {};  ///< a short text for --list-passes
    PassNeed need = PassNeed::Required;
};
/// All passes, in the order in which they run (passes.def).
std::span<const PassInfo> pass_list();

}  // namespace caldera::vulkan
