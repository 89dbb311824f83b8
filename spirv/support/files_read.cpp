// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/files_read.h"

#include <algorithm>

#include "spirv/support/files.h"

namespace caldera {

FilesRead::FilesRead(std::span<const std::string> names) : names_(names.begin(), names.end()) {
    std::erase(names_, "-");
    for (const std::string& name : names_) places_.emplace(whole_path(name), name);
    places_.erase("");
}

#if defined(__wasi__)
const std::string* FilesRead::find(const std::string&) const { return nullptr; }
#else
const std::string* FilesRead::find(const std::string& output) const {
    if (output == "-") return nullptr;
    if (const auto found = places_.find(whole_path(output)); found != places_.end()) return &found->second;
    const std::filesystem::path path = utf8_path(output);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) || std::filesystem::hard_link_count(path, error) < 2)
        return nullptr;
    const auto linked = std::ranges::find_if(names_, [&](const std::string& name) {
        return std::filesystem::equivalent(path, utf8_path(name), error);
    });
    return linked == names_.end() ? nullptr : &*linked;
}
#endif

Result<Done> FilesRead::may_write(const std::string& output) const {
    const std::string* const name = find(output);
    if (!name) return Done{};
    return Error{.message = "output '" + output + "' would overwrite '" + *name + "', which is read"};
}

}  // namespace caldera
