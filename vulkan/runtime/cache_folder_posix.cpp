// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "spirv/support/environment.h"
#include "vulkan/runtime/cache_folder.h"

namespace caldera::runtime {
namespace {

constexpr time_t kReadPatience = 60;  // error of the recorded time of the last read, in seconds

int of(const CacheFile& file) { return static_cast<int>(file.get()); }

int64_t nanoseconds(const timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

}  // namespace

void CacheFile::close() {
    if (handle_ != kNone) ::close(static_cast<int>(std::exchange(handle_, kNone)));
}

bool CacheFile::read(void* to, size_t size_bytes) const {
    auto* at = static_cast<char*>(to);
    while (size_bytes != 0) {
        const ssize_t got = ::read(of(*this), at, size_bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size_bytes -= static_cast<size_t>(got);
    }
    return true;
}

bool CacheFile::write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t put = ::write(of(*this), bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        bytes = bytes.subspan(static_cast<size_t>(put));
    }
    return true;
}

std::optional<CacheFolder> CacheFolder::open(const std::string& path) {
    CacheFile opened(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat status = {};
    const bool is_ours = opened && ::fstat(of(opened), &status) == 0 &&
                         (status.st_uid == ::geteuid() || status.st_uid == 0) && !(status.st_mode & S_IWOTH);
    if (!is_ours) return std::nullopt;
    return CacheFolder(path, std::move(opened));
}

/// XDG base directory specification: with mode 0700.
void CacheFolder::make(const std::string& path) {
    for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
        ::mkdir(path.substr(0, end).c_str(), 0700);
    ::mkdir(path.c_str(), 0700);
}

std::optional<CacheFolder::Readable> CacheFolder::read(const std::string& name) const {
    CacheFile file(::openat(of(opened_), name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status = {};
    if (!file || ::fstat(of(file), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    if (status.st_mtim.tv_sec + kReadPatience < std::time(nullptr)) (void)::futimens(of(file), nullptr);
    return Readable{std::move(file), static_cast<uint64_t>(status.st_size)};
}

void CacheFolder::replace(const std::string& name, std::span<const std::byte> bytes) const {
    std::string temporary = path_ + "/" + kTemporary + "XXXXXX";
    const CacheFile file(::mkostemp(temporary.data(), O_CLOEXEC));  // with mode 0600
    if (!file) return;
    if (!file.write(bytes) || ::renameat(AT_FDCWD, temporary.c_str(), of(opened_), name.c_str()) != 0)
        ::unlink(temporary.c_str());
}

uint64_t CacheFolder::lengthen(const char* name, uint64_t zeros) const {
    const CacheFile file(
        ::openat(of(opened_), name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    struct stat status = {};
    if (!file || ::fstat(of(file), &status) != 0) return 0;
    const uint64_t length = static_cast<uint64_t>(status.st_size) + zeros;
    if (may_have_file_of(length)) (void)file.write(std::vector<std::byte>(zeros));
    return length;
}

void CacheFolder::remove(const std::string& name) const { ::unlinkat(of(opened_), name.c_str(), 0); }

std::vector<CacheFolder::Entry> CacheFolder::entries() const {
    const int again = ::openat(of(opened_), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const listing = again >= 0 ? ::fdopendir(again) : nullptr;
    if (!listing) {
        if (again >= 0) ::close(again);
        return {};
    }
    std::vector<Entry> found;
    while (const dirent* row = ::readdir(listing)) {
        struct stat status = {};
        if (::fstatat(of(opened_), row->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
        found.push_back({row->d_name, static_cast<uint64_t>(status.st_size), nanoseconds(status.st_mtim)});
    }
    ::closedir(listing);
    return found;
}

int64_t cache_time_ns() {
    timespec now = {};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return nanoseconds(now);
}

/// A process that writes a larger file gets a signal, which ends most programs (setrlimit(2)).
bool may_have_file_of(uint64_t bytes) {
    rlimit limit = {};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

std::optional<std::string> user_cache_folder() {
    // "If an implementation encounters a relative path [...] it should consider the path invalid."
    if (const std::string base(environment("XDG_CACHE_HOME")); base.starts_with('/')) return base;
    if (const std::string home(environment("HOME")); home.starts_with('/')) return home + "/.cache";
    return std::nullopt;
}

}  // namespace caldera::runtime
