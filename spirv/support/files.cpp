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

#if defined(__wasi__)
std::string whole_path(const std::string& name) { return name; }
#else
std::string whole_path(const std::string& name) {
    const std::filesystem::path path = utf8_path(name);
    std::error_code error;
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) return {};
    const std::filesystem::path whole =
        std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    return error ? name : utf8_text(whole);
}
#endif

}  // namespace caldera
