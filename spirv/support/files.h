// SPDX-License-Identifier: Apache-2.0
// Files by names in UTF-8, whatever the system's own form of names is.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "spirv/support/result.h"

#if !defined(__wasi__)  // the C++ library of WebAssembly has no file systems
#include <filesystem>
#endif

namespace caldera {

#if !defined(__wasi__)
/// What `name` stands for. Bytes that are not UTF-8 never throw: on Windows they become U+FFFD, and elsewhere
/// they stay.
std::filesystem::path utf8_path(std::string_view name);

/// The text that utf8_path() makes `path` of.
std::string utf8_text(const std::filesystem::path& path);
#endif

/// As fopen(). Null if it cannot be opened, with errno set.
FILE* open_file(const std::string& name, const char* mode);

/// A file that is new, to be written. Null if there is one of the name already, or none can be made, with
/// errno set. Only its owner may read a private one.
FILE* make_file(const std::string& name, bool is_private);

/// Whether two files have the same owner and group.
bool have_same_owner(const std::string& name, const std::string& other);

/// Whether the name leads to a file, and not to a folder, a pipe or nothing.
bool is_regular_file(const std::string& name);
/// Whether the name leads to a pipe, or to a device without blocks, such as a terminal.
bool is_stream(const std::string& name);

/// The whole path of a file, whether it exists or not, without links. Two names for one file have the same,
/// hard links aside. Empty for devices, pipes and folders: what is written to them overwrites nothing.
std::string whole_path(const std::string& name);

/// How many bytes standard input, a pipe or a device may give: some never end. A file may have more.
constexpr uint64_t kMostPipedBytes = uint64_t{256} << 20;

/// All bytes of a file. Nothing if they cannot be read, with errno set: EISDIR for a folder, and EFBIG for
/// more than kMostPipedBytes from what is no file.
std::optional<std::string> read_file(const std::string& name);

/// The same, of standard input for "-". An error names the input and says what is wrong with it.
Result<std::string> read_input(const std::string& name);

/// What read_input() says where read_file() has left `fault` in errno.
std::string why_unread(const std::string& name, int fault);

/// Replaces a file by these bytes, or adds them to standard output for "-". Nobody sees a part of them: they
/// are written beside the file, and then take its place, its permissions and its owner. Devices, pipes, files
/// with several names, and those in folders that take no other file are written in place. So is a file that
/// somebody has open on Windows. False if some bytes
/// do not arrive, with errno set; a file that exists is the old one then, or gone if it was written in place.
bool write_file(const std::string& name, std::string_view bytes);
/// The same, after what the file has already.
bool append_to_file(const std::string& name, std::string_view bytes);

/// Whether all that was printed to standard output has arrived. A program asks before it ends.
bool finish_standard_output();

/// Another source of files: what read_file() does.
using ReadFile = std::function<std::optional<std::string>(const std::string& name)>;

}  // namespace caldera
