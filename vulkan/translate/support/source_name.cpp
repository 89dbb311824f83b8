// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/source_name.h"

#include <charconv>
#include <optional>
#include <utility>

namespace caldera::vulkan {

std::string_view source_name(std::string_view name) {
    if (!name.starts_with("_Z")) return name;
    const char* const end = name.data() + name.size();
    size_t length = 0;
    const auto [begin, error] = std::from_chars(name.data() + 2, end, length);
    if (error != std::errc() || length == 0 || length > static_cast<size_t>(end - begin)) return name;
    return {begin, length};
}

spirv::IdMap<std::string> imported_names(const spirv::Module& module) {
    spirv::IdMap<std::string> names;
    for (const spirv::Instruction& inst : module.annotations) {
        std::optional<spirv::Linkage> linkage = spirv::linkage_of(inst);
        if (linkage && linkage->type == spv::LinkageType::Import)
            names.emplace(linkage->target, std::move(linkage->name));
    }
    return names;
}

}  // namespace caldera::vulkan
