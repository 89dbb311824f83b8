// SPDX-License-Identifier: Apache-2.0
#include "frontend/required_extensions.h"

namespace caldera::frontend {

std::string requires_support(std::span<const Ext> needs) {
    std::string text = "requires ";
    for (const Ext need : needs) {
        if (need != needs.front()) text += " and ";
        text += macro_name(need);
    }
    return text + " support";
}

}  // namespace caldera::frontend
