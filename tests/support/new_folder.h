// SPDX-License-Identifier: Apache-2.0
// Folders for files of tests.
#pragma once

#include <filesystem>
#include <random>
#include <string>

namespace caldera {

/// A folder that nobody else has, among the system's temporary files.
inline std::filesystem::path new_folder() {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("caldera_test." + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    return folder;
}

}  // namespace caldera
