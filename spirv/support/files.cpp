// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/files.h"

#include <cerrno>
#include <cstring>
#include <random>

#include "spirv/support/process.h"

namespace caldera {

namespace {

/// Returns errno's value, 0 if all bytes were read.
int read_all(FILE* file, uint64_t most_bytes, std::string& text) {
    char buffer[65536];
    size_t got;
    while ((got = std::fread(buffer, 1, sizeof buffer, file)) > 0) {
        if (got > most_bytes - text.size()) return EFBIG;
        text.append(buffer, got);
    }
    return std::ferror(file) ? errno : 0;
}

#if defined(__wasi__)
bool is_folder(const std::string&) { return false; }
#else
bool is_folder(const std::string& name) {
    std::error_code error;
    return std::filesystem::is_directory(utf8_path(name), error);
}
#endif

/// Reads and closes a file, or reads standard input, which has no name.
std::optional<std::string> read(const std::string& name, FILE* file) {
    const bool is_file = file != stdin && is_regular_file(name);
    std::string text;
    const int fault = file != stdin && is_folder(name)
                          ? EISDIR
                          : read_all(file, is_file ? UINT64_MAX : kMostPipedBytes, text);
    if (file != stdin) std::fclose(file);
    if (fault == 0) return text;
    errno = fault;
    return std::nullopt;
}

/// Null if it cannot be opened, with errno set.
FILE* open_to_read(const std::string& name) {
    FILE* const file = open_file(name, "rb");
    if (!file && is_folder(name)) errno = EISDIR;  // Windows opens none, and says that access is denied
    return file;
}

bool write_bytes(FILE* file, std::string_view bytes) {
    int fault = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() ? 0 : errno;
    if ((file == stdout ? std::fflush(file) : std::fclose(file)) != 0 && fault == 0) fault = errno;
    if (fault != 0) errno = fault;
    return fault == 0;
}

#if defined(__wasi__)
bool write_in_place(const std::string& name, std::string_view bytes) {
    FILE* const file = open_file(name, "wb");
    return file && write_bytes(file, bytes);
}
#else
void remove_keeping_errno(const std::filesystem::path& path) {
    const int fault = errno;
    std::error_code error;
    std::filesystem::remove(path, error);
    errno = fault;
}

bool write_in_place(const std::string& name, std::string_view bytes) {
    FILE* const file = open_file(name, "wb");
    if (!file) return false;
    if (write_bytes(file, bytes)) return true;
    // A torn file would be newer than what it is made from, so make would take it for whole.
    if (is_regular_file(name)) remove_keeping_errno(utf8_path(name));
    return false;
}

/// Its names stand for open files and devices.
bool is_of_system(const std::filesystem::path& folder) {
    auto part = folder.begin();
    if (part == folder.end() || *part != "/" || ++part == folder.end()) return false;
    return *part == "dev" || *part == "proc";
}

/// The file behind all links to which a name leads, or where there will be one. Nothing if no other file may
/// take its place.
std::optional<std::filesystem::path> replaceable(const std::string& name) {
    constexpr int kMaxLinks = 40;
    std::error_code error;
    std::filesystem::path path = std::filesystem::absolute(utf8_path(name), error);
    for (int links = 0; links < kMaxLinks && !error && path.has_filename(); ++links) {
        const std::filesystem::path folder = std::filesystem::canonical(path.parent_path(), error);
        if (error || is_of_system(folder)) return std::nullopt;
        path = folder / path.filename();
        switch (std::filesystem::symlink_status(path, error).type()) {
            case std::filesystem::file_type::not_found: return path;
            case std::filesystem::file_type::symlink:
                path = folder / std::filesystem::read_symlink(path, error);
                break;
            case std::filesystem::file_type::regular:
                if (std::filesystem::hard_link_count(path, error) == 1) return path;
                return std::nullopt;
            default: return std::nullopt;
        }
    }
    return std::nullopt;
}

/// Whether we may write to a file, which this leaves as it is.
bool is_writable(const std::string& name) {
    FILE* const file = open_file(name, "r+b");
    if (file) std::fclose(file);
    return file != nullptr;
}

/// Gives a new file what an old one has, whose place it will take.
bool take_over(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(from, error);
    if (!error) std::filesystem::permissions(to, status.permissions(), error);
    return !error && have_same_owner(utf8_text(from), utf8_text(to));
}

/// Writes a file beside the one of this name and puts it in its place. Nothing if that cannot be.
std::optional<bool> replace(const std::string& name, std::string_view bytes) {
    const std::optional<std::filesystem::path> old = replaceable(name);
    std::error_code error;
    const bool exists = old && std::filesystem::exists(*old, error);
    if (!old || (exists && !is_writable(utf8_text(*old)))) return std::nullopt;
    const std::filesystem::path fresh =
        old->parent_path() / (".caldera-" + std::to_string(std::random_device()()));
    const EndingSignalsWait wait;  // a killed process leaves no part of a file behind
    FILE* const file = make_file(utf8_text(fresh), exists);
    if (!file) return std::nullopt;
    if (exists && !take_over(*old, fresh)) {
        std::fclose(file);
        remove_keeping_errno(fresh);
        return std::nullopt;
    }
    if (!write_bytes(file, bytes)) {
        remove_keeping_errno(fresh);
        return false;
    }
    std::filesystem::rename(fresh, *old, error);
    if (!error) return true;
    remove_keeping_errno(fresh);
    return std::nullopt;
}
#endif

}  // namespace

std::optional<std::string> read_file(const std::string& name) {
    FILE* const file = open_to_read(name);
    return file ? read(name, file) : std::nullopt;
}

Result<std::string> read_input(const std::string& name) {
    std::optional<std::string> text = name == "-" ? read(name, stdin) : read_file(name);
    if (!text) return Error{.message = why_unread(name, errno)};
    return std::move(*text);
}

std::string why_unread(const std::string& name, int fault) {
    const std::string quoted = "'" + name + "'";
    switch (fault) {
        case ENOENT: return "no such file or directory: " + quoted;
        case EISDIR: return quoted + " is a folder";
        case EFBIG:
            return quoted + " has more than " + std::to_string(kMostPipedBytes >> 20) +
                   " MiB, the most that is read from standard input, a pipe or a device";
        default: return "cannot read " + quoted + ": " + std::strerror(fault);
    }
}

bool write_file(const std::string& name, std::string_view bytes) {
    if (name == "-") return write_bytes(stdout, bytes);
#if defined(__wasi__)
    return write_in_place(name, bytes);
#else
    const std::optional<bool> replaced = replace(name, bytes);
    return replaced ? *replaced : write_in_place(name, bytes);
#endif
}
bool append_to_file(const std::string& name, std::string_view bytes) {
    FILE* const file = name == "-" ? stdout : open_file(name, "ab");
    return file && write_bytes(file, bytes);
}

bool finish_standard_output() { return std::fflush(stdout) == 0 && !std::ferror(stdout); }

#if defined(__wasi__)
std::string whole_path(const std::string& name) { return name; }
#else
std::string whole_path(const std::string& name) {
    const std::filesystem::path path = utf8_path(name);
    std::error_code error;
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) return {};
    const std::filesystem::path whole =
        std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    return error ? name : utf8_text(whole);
}
#endif

}  // namespace caldera
