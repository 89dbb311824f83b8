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

namespace {

bool write_bytes(FILE* file, std::string_view bytes) {
    int fault = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() ? 0 : errno;
    if ((file == stdout ? std::fflush(file) : std::fclose(file)) != 0 && fault == 0) fault = errno;
    if (fault != 0) errno = fault;
    return fault == 0;
}

}  // namespace

bool write_file(const std::string& name, std::string_view bytes) {
    const bool is_standard = name == "-";
    FILE* const file = is_standard ? stdout : open_file(name, "wb");
    if (!file) return false;
    if (write_bytes(file, bytes)) return true;
#if !defined(__wasi__)
    // A torn file would be newer than what it is made from, so make would take it for whole.
    const int fault = errno;
    std::error_code error;
    if (!is_standard && std::filesystem::is_regular_file(utf8_path(name), error))
        std::filesystem::remove(utf8_path(name), error);
    errno = fault;
#endif
    return false;
}
bool append_to_file(const std::string& name, std::string_view bytes) {
    FILE* const file = name == "-" ? stdout : open_file(name, "ab");
    return file && write_bytes(file, bytes);
}

bool finish_standard_output() { return std::fflush(stdout) == 0 && !std::ferror(stdout); }

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
