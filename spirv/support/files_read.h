// SPDX-License-Identifier: Apache-2.0
// What a program reads, and must not write over.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "spirv/support/result.h"

namespace caldera {

class FilesRead {
 public:
    /// "-", devices and pipes are none of them: what is written there overwrites nothing.
    explicit FilesRead(std::span<const std::string> names);

    /// Refuses an output that is one of these files, by whatever name: a path, a link or a hard link.
    Result<Done> may_write(const std::string& output) const;

 private:
    const std::string* find(const std::string& output) const;

    std::vector<std::string> names_;
    std::map<std::string, std::string> places_ = {};  // to names
};

}  // namespace caldera
