// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/settings.h"

#include "spirv/support/environment.h"
#include "spirv/support/process.h"

namespace caldera::runtime {

std::string_view program_setting(std::string_view program, std::string_view variable) {
#define PROGRAM_SETTING(name, wanted, value, reason) \
    if (program == (name) && variable == (wanted)) return value;
#include "vulkan/runtime/program_settings.def"
#undef PROGRAM_SETTING
    return {};
}

std::string_view setting(const char* variable) {
    const std::string_view value = environment(variable);
    if (!value.empty() || environment("CALDERA_PROGRAM_SETTINGS") == "0") return value;
    return program_setting(executable_name(), variable);
}

}  // namespace caldera::runtime
