// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/files.h"

#include <cerrno>

namespace caldera {

std::optional<std::string> read_file(const std::string& name) {
    FILE* const file = open_file(name, "rb");
    if (!file) return std::nullopt;
    std::string text;
    char buffer[65536];
    size_t got;
    while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, got);
    const int fault = std::ferror(file) ? errno : 0;
    std::fclose(file);
    if (fault == 0) return text;
    errno = fault;
    return std::nullopt;
}

}  // namespace caldera
