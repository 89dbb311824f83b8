// SPDX-License-Identifier: Apache-2.0
#include "tools/clc2spv/response_files.h"

#include <algorithm>
#include <utility>

#include "spirv/support/paths.h"
#include "spirv/support/try.h"
#include "spirv/support/words.h"

namespace caldera::tools {
namespace {

constexpr size_t kMostArguments = 1'000'000;  // files that name each other twice grow exponentially

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
    const std::optional<std::string> text = read_(name);
    if (!text) {
        words_.push_back(arg);
        return Done{};
    }
    files_.push_back(name);
    open_.push_back(arg);
    TRY(add(split_response_file(*text)));
    open_.pop_back();
    return Done{};
}

}  // namespace

std::vector<std::string> split_response_file(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return split_words(text, Quoting::ResponseFile);
}

Result<std::vector<std::string>> expand_response_files(const std::vector<std::string>& args,
                                                       const ReadFile& read, std::vector<std::string>& files,
                                                       const std::string& folder) {
    Expansion expansion(read, folder, files);
    TRY(expansion.add(args));
    return expansion.take();
}

}  // namespace caldera::tools
