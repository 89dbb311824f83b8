// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_list.h"

namespace caldera::vulkan {

std::span<const PassInfo> pass_list() {
    static constexpr PassInfo kPasses[] = {
#define PASS(name, need, summary) {#name, summary, PassNeed::need},
#include "vulkan/translate/passes.def"
#undef PASS
    };
    return kPasses;
}

}  // namespace caldera::vulkan
