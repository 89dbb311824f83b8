// SPDX-License-Identifier: Apache-2.0
// For the unit tests of DiskCache: a folder of its own for each, and entries as text.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "vulkan/runtime/disk_cache.h"

namespace caldera::runtime {

/// A folder for one test.
struct Place {
    Place() {
        namespace fs = std::filesystem;
        std::random_device random;
        do folder = fs::temp_directory_path() / ("disk_cache_test_" + std::to_string(random()));
        while (!fs::create_directory(folder));
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { std::filesystem::remove_all(folder); }
    std::string cache() const { return (folder / "a" / "b").string(); }
    std::vector<std::filesystem::path> entries() const {
        std::vector<std::filesystem::path> found;
        if (!std::filesystem::exists(cache())) return found;
        for (const auto& file : std::filesystem::directory_iterator(cache()))
            if (file.path().filename().string().size() == 32) found.push_back(file.path());
        return found;
    }
    std::filesystem::path folder = {};
};

inline std::vector<std::byte> bytes(const std::string& text) {
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
}
inline std::optional<std::string> load(const DiskCache& cache, const std::string& key) {
    const auto found = cache.load(bytes(key));
    if (!found) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(found->data()), found->size());
}
inline void store(const DiskCache& cache, const std::string& key, const std::string& value) {
    cache.store(bytes(key), bytes(value));
}
inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
inline void set_age(const std::filesystem::path& path, std::chrono::seconds age) {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
}

}  // namespace caldera::runtime
