// SPDX-License-Identifier: Apache-2.0
// Files by names in UTF-8, whatever the system's own form of names is.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace caldera {

/// What `name` stands for. Bytes that are not UTF-8 never throw: on Windows they become U+FFFD, and elsewhere
/// they stay.
std::filesystem::path utf8_path(std::string_view name);

/// The text that utf8_path() makes `path` of.
std::string utf8_text(const std::filesystem::path& path);

/// As fopen(). Null if it cannot be opened, with errno set.
FILE* open_file(const std::string& name, const char* mode);

}  // namespace caldera
