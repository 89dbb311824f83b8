// SPDX-License-Identifier: Apache-2.0
// Whether a rename keeps the program's meaning.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/language_server/unit.h"

namespace caldera::language_server {

/// Where the old name stands in the texts of files, by their paths.
struct Renaming {
    struct Stretch {
        size_t begin = 0, end = 0;  ///< bytes
    };
    std::string name = {};                                   ///< the new one
    std::map<std::string, std::vector<Stretch>> files = {};  ///< sorted, without overlaps

    /// The text of the file afterwards.
    std::string renamed(const std::string& path, std::string_view text) const;
    /// Where a byte of the file is afterwards.
    size_t moved(const std::string& path, size_t offset) const;
};

/// Why the new name collides with another one; empty if each name means the same in both units.
std::string collision(const Unit& before, const Unit& after, const Renaming& renaming);

}  // namespace caldera::language_server
