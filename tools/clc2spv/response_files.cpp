// SPDX-License-Identifier: Apache-2.0
#include "tools/clc2spv/response_files.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "frontend/utf8.h"
#include "spirv/support/files.h"
#include "spirv/support/paths.h"
#include "spirv/support/try.h"
#include "spirv/support/words.h"

namespace caldera::tools {
namespace {

constexpr size_t kMostArguments = 1'000'000;  // files that name each other twice grow exponentially

/// Nothing where half a code unit or half a surrogate pair is in the text.
std::optional<std::string> utf8_of_utf16(std::string_view text, bool is_big_endian) {
    if (text.size() % 2 != 0) return std::nullopt;
    const auto unit = [&](size_t at) {
        const auto byte = [&](size_t i) {
            return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
        };
        return is_big_endian ? byte(at) << 8 | byte(at + 1) : byte(at + 1) << 8 | byte(at);
    };
    std::string utf8;
    for (size_t at = 0; at < text.size(); at += 2) {
        uint32_t c = unit(at);
        if (frontend::is_low_surrogate(c)) return std::nullopt;
        if (frontend::is_high_surrogate(c)) {
            at += 2;
            const uint32_t low = at < text.size() ? unit(at) : 0;
            if (!frontend::is_low_surrogate(low)) return std::nullopt;
            c = 0x10000 + ((c & 0x3FF) << 10 | (low & 0x3FF));
        }
        frontend::append_utf8(utf8, c);
    }
    return utf8;
}

class Expansion {
 public:
    Expansion(const ReadFile& read, const std::string& folder, std::vector<std::string>& files)
        : read_(read), folder_(folder), files_(files) {}

    Result<Done> add(const std::vector<std::string>& args);
    std::vector<std::string> take() { return std::move(words_); }

 private:
    Result<Done> add_file(const std::string& arg);

    const ReadFile& read_;
    const std::string& folder_;
    std::vector<std::string>& files_;
    std::vector<std::string> words_ = {};
    std::vector<std::string> open_ =
        {};  // the arguments of the files that are being read, the outermost first
};

Result<Done> Expansion::add(const std::vector<std::string>& args) {
    for (const std::string& arg : args) {
        if (words_.size() >= kMostArguments)
            return Error{.message = "more than " + std::to_string(kMostArguments) + " arguments"};
        if (arg.size() > 1 && arg[0] == '@')
            TRY(add_file(arg));
        else
            words_.push_back(arg);
    }
    return Done{};
}

Result<Done> Expansion::add_file(const std::string& arg) {
    if (std::ranges::find(open_, arg) != open_.end())
        return Error{.message = "'" + arg + "' contains itself"};
    const std::string name = (is_rooted(arg.substr(1)) ? std::string() : folder_) + arg.substr(1);
    errno = 0;
    const std::optional<std::string> text = read_(name);
    if (!text && (errno == EISDIR || errno == EFBIG)) return Error{.message = why_unread(name, errno)};
    if (!text) {
        words_.push_back(arg);
        return Done{};
    }
    files_.push_back(name);
    open_.push_back(arg);
    const auto words = split_response_file(*text);
    if (!words)
        return Error{.message = "'" + name + "' begins with UTF-16's byte order mark, but is not UTF-16"};
    TRY(add(*words));
    open_.pop_back();
    return Done{};
}

}  // namespace

std::optional<std::vector<std::string>> split_response_file(std::string_view text) {
    constexpr std::string_view kUtf8 = "\xef\xbb\xbf", kBigEndian = "\xfe\xff", kLittleEndian = "\xff\xfe";
    if (text.starts_with(kUtf8)) return split_words(text.substr(kUtf8.size()), Quoting::ResponseFile);
    if (!text.starts_with(kBigEndian) && !text.starts_with(kLittleEndian))
        return split_words(text, Quoting::ResponseFile);
    const auto converted = utf8_of_utf16(text.substr(kBigEndian.size()), text.starts_with(kBigEndian));
    if (!converted) return std::nullopt;
    return split_words(*converted, Quoting::ResponseFile);
}

Result<std::vector<std::string>> expand_response_files(const std::vector<std::string>& args,
                                                       const ReadFile& read, std::vector<std::string>& files,
                                                       const std::string& folder) {
    Expansion expansion(read, folder, files);
    TRY(expansion.add(args));
    return expansion.take();
}

}  // namespace caldera::tools
