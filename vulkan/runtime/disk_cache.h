// SPDX-License-Identifier: Apache-2.0
// DiskCache: keeps results that are costly to compute in files, for later runs of any program of the same
// user.
//
// Each entry is a separate file, named by the hash of its key. It is written under another name and then
// renamed, so that readers see a complete entry or none, and no process waits for a lock. The file holds its
// key and a checksum. A damaged file, or one with the same hash but another key, is ignored, and the new
// result replaces it. File errors are never reported.
//
// If the total size exceeds the limit, the least recently read files are deleted. The size of the file
// "written" in bytes is the number of KiB that were written since the last count. The process that finds it
// long enough counts again, and deletes what crashed writers left behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace caldera::runtime {

/// Thread-safe, also between processes.
class DiskCache {
 public:
    static constexpr uint64_t kDefaultBytes = 1ull << 30;

    /// The user's cache: in $CALDERA_CACHE_DIR, $XDG_CACHE_HOME/caldera or ~/.cache/caldera (Windows:
    /// %LOCALAPPDATA%/caldera), of at most $CALDERA_CACHE_SIZE bytes (a number, optionally with the suffix K,
    /// M or G). There is none if no such folder exists, with CALDERA_CACHE=0, and in processes with elevated
    /// privileges.
    static std::optional<DiskCache> of_user();
    /// The folder is created when something is stored. It is not used if it belongs to neither the user nor
    /// root, or if everyone may write to it.
    explicit DiskCache(std::string folder, uint64_t max_bytes = kDefaultBytes);

    /// The value that this version of Caldera last stored for the key, if it is still there.
    std::optional<std::vector<std::byte>> load(std::span<const std::byte> key) const noexcept;
    /// Values larger than an eighth of the limit are not stored.
    void store(std::span<const std::byte> key, std::span<const std::byte> value) const noexcept;

    const std::string& folder() const { return folder_; }

 private:
    std::string folder_;
    uint64_t max_bytes_;
    bool is_asked_for_ = false;  // CALDERA_CACHE_DIR names the folder, so whoever set it hears of a fault
};

}  // namespace caldera::runtime
