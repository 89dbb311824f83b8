// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include "source_digest.h"
#include "spirv/support/environment.h"
#include "spirv/support/hash.h"

namespace caldera::runtime {
namespace {

constexpr char kMagic[8] = {'C', 'A', 'L', 'D', 'E', 'R', 'A', '\n'};
constexpr const char* kWrittenFile = "written";
constexpr std::string_view kTemporary = "temporary-";
constexpr uint64_t kWrittenUnit = 1024;  // one byte of the file `written` stands for so many bytes of entries
// seconds after which the writer of a temporary file counts as crashed
constexpr time_t kWriterPatience = 600;
constexpr time_t kReadPatience = 60;  // error of the recorded time of the last read, in seconds

/// Precedes the key and the value in a file.
struct Head {
    char magic[8] = {};
    Hash128 version = {};
    Hash128 checksum = {};  ///< of everything after it
    uint64_t key_bytes = 0, value_bytes = 0;
};
constexpr size_t kSummedFrom = offsetof(Head, key_bytes);

Hash128 version() { return hash128(std::as_bytes(std::span(kSourceDigest))); }

class File {
 public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    File& operator=(File&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    explicit operator bool() const { return descriptor_ >= 0; }
    int get() const { return descriptor_; }

    bool read(void* to, size_t size) const {
        auto* at = static_cast<char*>(to);
        while (size != 0) {
            const ssize_t got = ::read(descriptor_, at, size);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return false;
            at += got;
            size -= static_cast<size_t>(got);
        }
        return true;
    }
    bool write(std::span<const std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
            if (put < 0 && errno == EINTR) continue;
            if (put <= 0) return false;
            bytes = bytes.subspan(static_cast<size_t>(put));
        }
        return true;
    }

 private:
    int descriptor_ = -1;
};

/// Also fails if `folder` belongs to another user: what others can write must not reach a driver.
File open_folder(const std::string& folder) {
    File opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat status = {};
    const bool is_ours = opened && ::fstat(opened.get(), &status) == 0 &&
                         (status.st_uid == ::geteuid() || status.st_uid == 0) && !(status.st_mode & S_IWOTH);
    return is_ours ? std::move(opened) : File(-1);
}

/// Creates the folder and those above it (XDG base directory specification: with mode 0700).
void make_folder(const std::string& folder) {
    for (size_t end = folder.find('/', 1); end != std::string::npos; end = folder.find('/', end + 1))
        ::mkdir(folder.substr(0, end).c_str(), 0700);
    ::mkdir(folder.c_str(), 0700);
}

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

/// A process that writes a larger file gets a signal, which ends most programs (setrlimit(2)).
bool may_have_file_of(uint64_t bytes) {
    rlimit limit = {};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

/// Returns the number of bytes that were written since the last count, including these.
uint64_t note_written(const File& folder, uint64_t bytes) {
    const File file(
        ::openat(folder.get(), kWrittenFile, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    struct stat status = {};
    if (!file || ::fstat(file.get(), &status) != 0) return 0;
    const std::vector<std::byte> units((bytes + kWrittenUnit - 1) / kWrittenUnit);
    const uint64_t length = static_cast<uint64_t>(status.st_size) + units.size();
    if (may_have_file_of(length)) (void)file.write(units);
    return length * kWrittenUnit;
}

/// Deletes the least recently read entries until `max_bytes` are left, and files of crashed writers.
void collect(const File& folder, uint64_t max_bytes) {
    struct Entry {
        std::string name = {};
        uint64_t bytes = 0;
        timespec read = {};
    };
    std::vector<Entry> entries;
    uint64_t total = 0;
    const int descriptor = ::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const listing = descriptor >= 0 ? ::fdopendir(descriptor) : nullptr;
    if (!listing) {
        if (descriptor >= 0) ::close(descriptor);
        return;
    }
    const time_t now = std::time(nullptr);
    while (const dirent* row = ::readdir(listing)) {
        const std::string_view name = row->d_name;
        const bool is_temporary = name.starts_with(kTemporary);
        struct stat status = {};
        if ((!is_temporary && !is_entry_name(name)) ||
            ::fstatat(folder.get(), row->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (is_temporary && status.st_mtim.tv_sec + kWriterPatience < now)
            ::unlinkat(folder.get(), row->d_name, 0);
        if (is_temporary) continue;
        entries.push_back({std::string(name), static_cast<uint64_t>(status.st_size), status.st_mtim});
        total += entries.back().bytes;
    }
    ::closedir(listing);
    std::ranges::sort(entries, {},
                      [](const Entry& entry) { return std::pair(entry.read.tv_sec, entry.read.tv_nsec); });
    for (const Entry& entry : entries) {
        if (total <= max_bytes) break;
        ::unlinkat(folder.get(), entry.name.c_str(), 0);
        total -= entry.bytes;
    }
    ::unlinkat(folder.get(), kWrittenFile, 0);
}

/// A missing or malformed number gives 0.
uint64_t bytes_of(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return 0;
    const std::string_view unit(end, text.data() + text.size());
    const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 64;
    return shift == 64 || number > UINT64_MAX >> shift ? 0 : number << shift;
}

}  // namespace

DiskCache::DiskCache(std::string folder, uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {
    std::error_code error;  // the program may change its working directory
    if (const auto whole = std::filesystem::absolute(folder_, error); !error) folder_ = whole.string();
}

std::optional<DiskCache> DiskCache::of_user() {
    if (environment("CALDERA_CACHE") == "0") return std::nullopt;
    uint64_t max_bytes = kDefaultBytes;
    if (const std::string_view wanted = environment("CALDERA_CACHE_SIZE"); !wanted.empty())
        max_bytes = bytes_of(wanted);
    if (max_bytes == 0) return std::nullopt;
    if (const std::string own(environment("CALDERA_CACHE_DIR")); !own.empty())
        return DiskCache(own, max_bytes);
    // "If an implementation encounters a relative path [...] it should consider the path invalid."
    if (const std::string base(environment("XDG_CACHE_HOME")); base.starts_with('/'))
        return DiskCache(base + "/caldera", max_bytes);
    if (const std::string home(environment("HOME")); home.starts_with('/'))
        return DiskCache(home + "/.cache/caldera", max_bytes);
    return std::nullopt;
}

std::optional<std::vector<std::byte>> DiskCache::load(std::span<const std::byte> key) const noexcept try {
    const File folder = open_folder(folder_);
    if (!folder) return std::nullopt;
    const File file(
        ::openat(folder.get(), entry_name(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status = {};
    Head head;
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        !file.read(&head, sizeof head))
        return std::nullopt;
    const auto size = static_cast<uint64_t>(status.st_size);
    if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.version != version() ||
        head.key_bytes != key.size() || size < sizeof head + key.size() ||
        head.value_bytes != size - sizeof head - key.size())
        return std::nullopt;
    constexpr size_t kSummedOfHead = sizeof head - kSummedFrom;
    std::vector<std::byte> bytes(kSummedOfHead + key.size() + head.value_bytes);
    std::memcpy(bytes.data(), &head.key_bytes, kSummedOfHead);
    if (!file.read(bytes.data() + kSummedOfHead, bytes.size() - kSummedOfHead) ||
        hash128(bytes) != head.checksum ||
        !std::ranges::equal(std::span(bytes).subspan(kSummedOfHead, key.size()), key))
        return std::nullopt;
    if (status.st_mtim.tv_sec + kReadPatience < std::time(nullptr)) (void)::futimens(file.get(), nullptr);
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

    File folder = open_folder(folder_);
    if (!folder) {
        make_folder(folder_);
        folder = open_folder(folder_);
    }
    if (!folder) return;
    const uint64_t written = note_written(folder, bytes.size());
    std::string temporary = folder_ + "/" + std::string(kTemporary) + "XXXXXX";
    const File file(::mkostemp(temporary.data(), O_CLOEXEC));  // with mode 0600
    if (!file) return;
    if (!file.write(bytes) ||
        ::renameat(AT_FDCWD, temporary.c_str(), folder.get(), entry_name(key).c_str()) != 0)
        ::unlink(temporary.c_str());
    if (written >= max_bytes_ / 16) collect(folder, max_bytes_ - max_bytes_ / 16);
} catch (const std::bad_alloc&) {}  // not stored

}  // namespace caldera::runtime
