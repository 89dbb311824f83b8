// SPDX-License-Identifier: Apache-2.0
// CacheFolder: the files of DiskCache, as the system has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace caldera::runtime {

/// An open file or folder.
class CacheFile {
 public:
    explicit CacheFile(intptr_t handle = kNone) : handle_(handle) {}
    CacheFile(CacheFile&& other) noexcept : handle_(std::exchange(other.handle_, kNone)) {}
    CacheFile& operator=(CacheFile&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~CacheFile() { close(); }
    explicit operator bool() const { return handle_ != kNone; }
    intptr_t get() const { return handle_; }
    void close();

    bool read(void* to, size_t size_bytes) const;
    bool write(std::span<const std::byte> bytes) const;

 private:
    static constexpr intptr_t kNone = -1;
    intptr_t handle_ = kNone;
};

class CacheFolder {
 public:
    struct Entry {
        std::string name = {};
        uint64_t bytes = 0;
        int64_t used_ns = 0;  ///< when it was written or last read, in nanoseconds of an epoch of the system
    };
    struct Readable {
        CacheFile file;
        uint64_t bytes = 0;
    };
    static constexpr const char* kTemporary = "temporary-";  ///< how names of unfinished files begin

    /// Null if there is none, or if it belongs to another user: what others can write must not reach a
    /// driver.
    static std::optional<CacheFolder> open(const std::string& path);
    /// Makes it and those above it, for the user alone.
    static void make(const std::string& path);

    /// A regular file. This notes that it was used, to a minute.
    std::optional<Readable> read(const std::string& name) const;
    /// The file appears with all its bytes, in place of one of this name, or not at all.
    void replace(const std::string& name, std::span<const std::byte> bytes) const;
    /// Makes a file longer by so many zeros. Returns its size; 0 if that fails.
    uint64_t lengthen(const char* name, uint64_t zeros) const;
    void remove(const std::string& name) const;
    std::vector<Entry> entries() const;

 private:
    explicit CacheFolder(const std::string& path, CacheFile opened)
        : path_(path), opened_(std::move(opened)) {}

    std::string path_;
    CacheFile opened_;
};

/// The time now, as Entry has it.
int64_t cache_time_ns();

/// The process may write a file of this size.
bool may_have_file_of(uint64_t bytes);

/// Where the user's caches are kept, if the environment says so.
std::optional<std::string> user_cache_folder();

}  // namespace caldera::runtime
