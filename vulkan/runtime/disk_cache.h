// SPDX-License-Identifier: Apache-2.0
// DiskCache: what was costly to make, kept in files for later runs of any program of the user's.
//
// An entry is a file of its own, named by the hash of its key. It is written beside its place and moved there, so that readers see
// a whole entry or none, and nobody waits for a lock. It holds its key and a checksum: a file that was damaged, or whose name
// another key has too, is as good as none, and what is made then takes its place. Nothing that goes wrong with files is an error.
//
// Where there are more bytes than the bound, those not read for the longest go. A file "written" is as many bytes long as KiB
// were written since they were last counted; who finds it long enough counts anew, and takes away what dead writers left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace caldera::runtime {

/// Thread-safe, and safe between processes.
class DiskCache {
 public:
    static constexpr uint64_t kDefaultBytes = 1ull << 30;

    /// The user's: in $CALDERA_CACHE_DIR, $XDG_CACHE_HOME/caldera or ~/.cache/caldera, of at most $CALDERA_CACHE_SIZE bytes (a
    /// number, or one with K, M or G behind it). None where there is no such folder, with CALDERA_CACHE=0, and in processes with
    /// more rights than their user.
    static std::optional<DiskCache> of_user();
    /// The folder is made when something is stored. One that does not belong to the user or to root, or where everybody may write, is
    /// not used.
    explicit DiskCache(std::string folder, uint64_t max_bytes = kDefaultBytes);

    /// What was stored last for the key by this version of Caldera, if it is still there.
    std::optional<std::vector<std::byte>> load(std::span<const std::byte> key) const noexcept;
    /// Too much for an eighth of the bound is not stored.
    void store(std::span<const std::byte> key, std::span<const std::byte> value) const noexcept;

    const std::string& folder() const { return folder_; }

 private:
    std::string folder_;
    uint64_t max_bytes_;
};

}  // namespace caldera::runtime
