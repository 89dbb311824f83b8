// SPDX-License-Identifier: Apache-2.0
// The passes by their names, for whoever lists them, stops after one or leaves one out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace caldera::vulkan {

/// What a module is without a pass.
enum class PassNeed : uint8_t {
    Required,      ///< wrong, for some kernel
    Optimization,  ///< the same, but larger, or slower to run or to compile for the device
    Precaution,    ///< right, but some driver's compiler takes it for something else
};
struct PassInfo {
    std::string_view name = {};
    std::string_view summary = {};  ///< half a line for --list-passes
    PassNeed need = PassNeed::Required;
};
/// All passes in their order (passes.def).
std::span<const PassInfo> pass_list();

}  // namespace caldera::vulkan
