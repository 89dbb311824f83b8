// SPDX-License-Identifier: Apache-2.0
// The files that may use a name which a header declares, open or not.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/language_server/workspace.h"

namespace caldera::language_server {

/// What of a folder's files the client sees as kernels, by their path.
bool is_kernel_file(std::string_view path);

/// Where files that use a header's names are looked for: the client's folders, and that of the
/// compile_commands.json that lists kernels beside the file.
std::vector<std::string> folders_of_users(Workspace& workspace, const std::string& path);

/// Kernel files that are not open, of which some may use a name. Sorted.
struct Users {
    std::vector<std::string> naming = {};     ///< those whose text has one of the words
    std::vector<std::string> including = {};  ///< the others, as far as they include something
    std::vector<std::string> headers = {};    ///< headers that are not open whose text has one of the words
    std::string missing = {};  ///< why there may be more: a part of a sentence; empty if these are all
};

/// The users of these files. Looks through the folders of folders_of_users(), and at the files that
/// compile_commands.json lists.
Users find_users(Workspace& workspace, const std::set<std::string>& paths,
                 const std::vector<std::string>& words);

}  // namespace caldera::language_server
