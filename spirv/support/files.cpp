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
bool is_same_file(const std::string& a, const std::string& b) { return a == b; }
#else
bool is_same_file(const std::string& a, const std::string& b) {
    const std::filesystem::path first = utf8_path(a), second = utf8_path(b);
    std::error_code error;
    if (std::filesystem::exists(first, error) && std::filesystem::exists(second, error))
        return std::filesystem::is_regular_file(first, error) &&
               std::filesystem::equivalent(first, second, error) && !error;
    const auto whole = [&](const std::filesystem::path& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    };
    const std::filesystem::path whole_first = whole(first), whole_second = whole(second);
    return a == b || (!error && whole_first == whole_second);
}
#endif

}  // namespace caldera
