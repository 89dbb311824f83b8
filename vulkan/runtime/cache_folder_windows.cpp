// SPDX-License-Identifier: Apache-2.0
// Others cannot write in the folder that %LOCALAPPDATA% names.
#include <windows.h>

#include <atomic>

#include "spirv/support/environment.h"
#include "spirv/support/files.h"
#include "vulkan/runtime/cache_folder.h"

namespace caldera::runtime {
namespace {

constexpr int64_t kReadPatienceNs = 60'000'000'000;  // error of the recorded time of the last read
constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE of(const CacheFile& file) { return reinterpret_cast<HANDLE>(file.get()); }

CacheFile open_as(const std::filesystem::path& path, DWORD access, DWORD disposition) {
    return CacheFile(reinterpret_cast<intptr_t>(CreateFileW(
        path.c_str(), access, kShared, nullptr, disposition, FILE_FLAG_OPEN_REPARSE_POINT, nullptr)));
}

uint64_t whole(DWORD high, DWORD low) { return uint64_t{high} << 32 | low; }

/// Since 1970; a FILETIME counts 100 ns since 1601.
int64_t nanoseconds(const FILETIME& time) {
    constexpr int64_t k1970 = 116444736000000000;
    return (static_cast<int64_t>(whole(time.dwHighDateTime, time.dwLowDateTime)) - k1970) * 100;
}

bool is_regular(DWORD attributes) {
    return (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) == 0;
}

FILETIME now() {
    FILETIME time = {};
    GetSystemTimeAsFileTime(&time);
    return time;
}

}  // namespace

void CacheFile::close() {
    if (handle_ != kNone) CloseHandle(reinterpret_cast<HANDLE>(std::exchange(handle_, kNone)));
}

bool CacheFile::read(void* to, size_t size_bytes) const {
    auto* at = static_cast<char*>(to);
    while (size_bytes != 0) {
        DWORD got = 0;
        const auto wanted = static_cast<DWORD>(size_bytes < MAXDWORD ? size_bytes : MAXDWORD);
        if (!::ReadFile(of(*this), at, wanted, &got, nullptr) || got == 0) return false;
        at += got;
        size_bytes -= got;
    }
    return true;
}

bool CacheFile::write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        DWORD put = 0;
        const auto wanted = static_cast<DWORD>(bytes.size() < MAXDWORD ? bytes.size() : MAXDWORD);
        if (!::WriteFile(of(*this), bytes.data(), wanted, &put, nullptr) || put == 0) return false;
        bytes = bytes.subspan(put);
    }
    return true;
}

std::optional<CacheFolder> CacheFolder::open(const std::string& path) {
    const DWORD attributes = GetFileAttributesW(utf8_path(path).c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_DIRECTORY))
        return std::nullopt;
    return CacheFolder(path, CacheFile());
}

void CacheFolder::make(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(utf8_path(path), error);
}

std::optional<CacheFolder::Readable> CacheFolder::read(const std::string& name) const {
    CacheFile file =
        open_as(utf8_path(path_ + "/" + name), GENERIC_READ | FILE_WRITE_ATTRIBUTES, OPEN_EXISTING);
    BY_HANDLE_FILE_INFORMATION status = {};
    if (!file || !GetFileInformationByHandle(of(file), &status) || !is_regular(status.dwFileAttributes))
        return std::nullopt;
    const FILETIME read_now = now();
    if (nanoseconds(status.ftLastWriteTime) + kReadPatienceNs < nanoseconds(read_now))
        SetFileTime(of(file), nullptr, nullptr, &read_now);
    return Readable{std::move(file), whole(status.nFileSizeHigh, status.nFileSizeLow)};
}

void CacheFolder::replace(const std::string& name, std::span<const std::byte> bytes) const {
    static std::atomic<unsigned> next = 0;
    const std::filesystem::path temporary =
        utf8_path(path_ + "/" + kTemporary + std::to_string(GetCurrentProcessId()) + "-" +
                  std::to_string(GetTickCount64()) + "-" + std::to_string(next++));
    bool is_whole = false;
    {
        const CacheFile file = open_as(temporary, GENERIC_WRITE, CREATE_NEW);
        if (!file) return;
        is_whole = file.write(bytes);
    }
    if (!is_whole ||
        !MoveFileExW(temporary.c_str(), utf8_path(path_ + "/" + name).c_str(), MOVEFILE_REPLACE_EXISTING))
        DeleteFileW(temporary.c_str());
}

uint64_t CacheFolder::lengthen(const char* name, uint64_t zeros) const {
    const CacheFile file =
        open_as(utf8_path(path_ + "/" + name), FILE_APPEND_DATA | FILE_READ_ATTRIBUTES, OPEN_ALWAYS);
    LARGE_INTEGER size = {};
    if (!file || !GetFileSizeEx(of(file), &size)) return 0;
    (void)file.write(std::vector<std::byte>(zeros));
    return static_cast<uint64_t>(size.QuadPart) + zeros;
}

void CacheFolder::remove(const std::string& name) const {
    DeleteFileW(utf8_path(path_ + "/" + name).c_str());
}

std::vector<CacheFolder::Entry> CacheFolder::entries() const {
    WIN32_FIND_DATAW row = {};
    const HANDLE listing = FindFirstFileW(utf8_path(path_ + "/*").c_str(), &row);
    if (listing == INVALID_HANDLE_VALUE) return {};
    std::vector<Entry> found;
    do {
        if (!is_regular(row.dwFileAttributes)) continue;
        found.push_back({utf8_text(row.cFileName), whole(row.nFileSizeHigh, row.nFileSizeLow),
                         nanoseconds(row.ftLastWriteTime)});
    } while (FindNextFileW(listing, &row));
    FindClose(listing);
    return found;
}

int64_t cache_time_ns() { return nanoseconds(now()); }

bool may_have_file_of(uint64_t) { return true; }

std::optional<std::string> user_cache_folder() {
    const wchar_t* base = _wgetenv(L"LOCALAPPDATA");
    return base && *base ? std::optional(utf8_text(base)) : std::nullopt;
}

}  // namespace caldera::runtime
