// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/disk_cache.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "source_digest.h"
#include "spirv/support/environment.h"
#include "spirv/support/files.h"
#include "spirv/support/hash.h"
#include "vulkan/runtime/cache_folder.h"
#include "vulkan/runtime/settings.h"

namespace caldera::runtime {
namespace {

constexpr char kMagic[8] = {'C', 'A', 'L', 'D', 'E', 'R', 'A', '\n'};
constexpr const char* kWrittenFile = "written";
constexpr uint64_t kWrittenUnit = 1024;  // one byte of the file `written` stands for so many bytes of entries
// The writer of a temporary file that is older has crashed.
constexpr int64_t kWriterPatienceNs = 600'000'000'000;

/// Precedes the key and the value in a file.
struct Head {
    char magic[8] = {};
    Hash128 version = {};
    Hash128 checksum = {};  ///< of everything after it
    uint64_t key_bytes = 0, value_bytes = 0;
};
constexpr size_t kSummedFrom = offsetof(Head, key_bytes);

Hash128 version() { return hash128(std::as_bytes(std::span(kSourceDigest))); }

std::string entry_name(std::span<const std::byte> key) {
    const Hash128 hash = hash128(key), of_version = version();
    char name[33];
    std::snprintf(name, sizeof name, "%016llx%016llx",
                  static_cast<unsigned long long>(hash.high ^ of_version.high),
                  static_cast<unsigned long long>(hash.low ^ of_version.low));
    return name;
}
bool is_entry_name(std::string_view name) {
    return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Returns the number of bytes that were written since the last count, including these.
uint64_t note_written(const CacheFolder& folder, uint64_t bytes) {
    return folder.lengthen(kWrittenFile, (bytes + kWrittenUnit - 1) / kWrittenUnit) * kWrittenUnit;
}

/// Deletes the least recently read entries until `max_bytes` are left, and files of crashed writers.
void collect(const CacheFolder& folder, uint64_t max_bytes) {
    std::vector<CacheFolder::Entry> entries = folder.entries();
    const int64_t now_ns = cache_time_ns();
    for (const CacheFolder::Entry& entry : entries)
        if (entry.name.starts_with(CacheFolder::kTemporary) && entry.used_ns + kWriterPatienceNs < now_ns)
            folder.remove(entry.name);
    std::erase_if(entries, [](const CacheFolder::Entry& entry) { return !is_entry_name(entry.name); });
    uint64_t total = 0;
    for (const CacheFolder::Entry& entry : entries) total += entry.bytes;
    std::ranges::sort(entries, {}, &CacheFolder::Entry::used_ns);
    for (const CacheFolder::Entry& entry : entries) {
        if (total <= max_bytes) break;
        folder.remove(entry.name);
        total -= entry.bytes;
    }
    folder.remove(kWrittenFile);
}

}  // namespace

DiskCache::DiskCache(std::string folder, uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {
    std::error_code error;  // the program may change its working directory
    if (const auto whole = std::filesystem::absolute(utf8_path(folder_), error); !error)
        folder_ = utf8_text(whole);
}

std::optional<DiskCache> DiskCache::of_user() {
    if (!flag_setting("CALDERA_CACHE", true)) return std::nullopt;
    const uint64_t max_bytes = bytes_setting("CALDERA_CACHE_SIZE", "1G").value_or(kDefaultBytes);
    if (max_bytes == 0) return std::nullopt;
    if (const std::string own(environment("CALDERA_CACHE_DIR")); !own.empty()) {
        DiskCache cache(own, max_bytes);
        cache.is_asked_for_ = true;
        return cache;
    }
    if (const std::optional<std::string> base = user_cache_folder())
        return DiskCache(*base + "/caldera", max_bytes);
    return std::nullopt;
}

std::optional<std::vector<std::byte>> DiskCache::load(std::span<const std::byte> key) const noexcept try {
    const std::optional<CacheFolder> folder = CacheFolder::open(folder_);
    if (!folder) return std::nullopt;
    const std::optional<CacheFolder::Readable> entry = folder->read(entry_name(key));
    Head head;
    if (!entry || !entry->file.read(&head, sizeof head)) return std::nullopt;
    const uint64_t size = entry->bytes;
    if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.version != version() ||
        head.key_bytes != key.size() || size < sizeof head + key.size() ||
        head.value_bytes != size - sizeof head - key.size())
        return std::nullopt;
    constexpr size_t kSummedOfHead = sizeof head - kSummedFrom;
    std::vector<std::byte> bytes(kSummedOfHead + key.size() + head.value_bytes);
    std::memcpy(bytes.data(), &head.key_bytes, kSummedOfHead);
    if (!entry->file.read(bytes.data() + kSummedOfHead, bytes.size() - kSummedOfHead) ||
        hash128(bytes) != head.checksum ||
        !std::ranges::equal(std::span(bytes).subspan(kSummedOfHead, key.size()), key))
        return std::nullopt;
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(kSummedOfHead + key.size()));
    return bytes;
} catch (const std::bad_alloc&) { return std::nullopt; }

void DiskCache::store(std::span<const std::byte> key, std::span<const std::byte> value) const noexcept try {
    Head head{.version = version(), .key_bytes = key.size(), .value_bytes = value.size()};
    std::memcpy(head.magic, kMagic, sizeof kMagic);
    std::vector<std::byte> bytes(sizeof head + key.size() + value.size());
    if (bytes.size() > max_bytes_ / 8 || !may_have_file_of(bytes.size())) return;
    std::memcpy(bytes.data(), &head, sizeof head);
    std::ranges::copy(key, bytes.begin() + sizeof head);
    std::ranges::copy(value, bytes.begin() + static_cast<ptrdiff_t>(sizeof head + key.size()));
    head.checksum = hash128(std::span(bytes).subspan(kSummedFrom));
    std::memcpy(bytes.data() + offsetof(Head, checksum), &head.checksum, sizeof head.checksum);

    std::optional<CacheFolder> folder = CacheFolder::open(folder_);
    if (!folder) {
        CacheFolder::make(folder_);
        folder = CacheFolder::open(folder_);
    }
    if (!folder) {
        if (is_asked_for_)
            warn_of_place(
                "CALDERA_CACHE_DIR", folder_,
                "no folder can be made or used there that only its owner writes to; nothing is cached");
        return;
    }
    const uint64_t written = note_written(*folder, bytes.size());
    folder->replace(entry_name(key), bytes);
    if (written >= max_bytes_ / 16) collect(*folder, max_bytes_ - max_bytes_ / 16);
} catch (const std::bad_alloc&) {}  // not stored

}  // namespace caldera::runtime
