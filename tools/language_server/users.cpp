// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/users.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "spirv/support/files.h"
#include "tools/language_server/uri.h"

namespace caldera::language_server {
namespace {

constexpr size_t kMostKernels = 2000, kMostHeaders = 20'000, kMostEntries = 500'000;

bool is_header_file(std::string_view path) {
    constexpr std::string_view kEndings[] = {".h", ".hh", ".hpp", ".hxx", ".clh", ".inc", ".inl", ".def"};
    return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_part_of_name(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool has_word(std::string_view text, std::string_view word) {
    for (size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; at += word.size()) {
        const size_t end = at + word.size();
        if ((at == 0 || !is_part_of_name(text[at - 1])) &&
            (end == text.size() || !is_part_of_name(text[end])))
            return true;
    }
    return false;
}

class Search {
 public:
    Search(Workspace& workspace, const std::vector<std::string>& words)
        : workspace_(workspace), words_(words) {}

    void folder(const std::string& path);
    void file(const std::string& path);
    Users take() {
        for (auto* paths : {&users_.naming, &users_.including, &users_.headers}) std::ranges::sort(*paths);
        return std::move(users_);
    }

 private:
    bool is_full() const { return !users_.missing.empty(); }

    Workspace& workspace_;
    const std::vector<std::string>& words_;
    std::set<std::string> seen_ = {};
    size_t kernels_ = 0, headers_ = 0, entries_ = 0;
    Users users_ = {};
};

void Search::folder(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::recursive_directory_iterator at(utf8_path(path), fs::directory_options::skip_permission_denied,
                                        error);
    if (error == std::errc::no_such_file_or_directory) return;
    for (; !error && at != fs::recursive_directory_iterator() && !is_full(); at.increment(error)) {
        if (++entries_ > kMostEntries)
            users_.missing = "there are more than " + std::to_string(kMostEntries) + " files";
        else if (utf8_text(at->path().filename()).starts_with('.'))
            at.disable_recursion_pending();
        else
            file(normal_path(utf8_text(at->path())));
    }
    if (error) users_.missing = "the folder '" + path + "' cannot be read: " + error.message();
}

void Search::file(const std::string& path) {
    const bool is_kernel = is_kernel_file(path);
    if (!is_kernel && !is_header_file(path)) return;
    if (!seen_.insert(path).second || workspace_.documents().contains(path)) return;
    if (is_kernel && ++kernels_ > kMostKernels) {
        users_.missing = "there are more than " + std::to_string(kMostKernels) + " .cl files";
        return;
    }
    if (!is_kernel && ++headers_ > kMostHeaders) {
        users_.missing = "there are more than " + std::to_string(kMostHeaders) + " headers";
        return;
    }
    const std::optional<std::string> text = workspace_.read(path);
    if (!text) return;
    if (std::ranges::any_of(words_, [&](const std::string& word) { return has_word(*text, word); }))
        (is_kernel ? users_.naming : users_.headers).push_back(path);
    else if (is_kernel &&
             (has_word(*text, "include") || !workspace_.project().options(path).includes.empty()))
        users_.including.push_back(path);
}

}  // namespace

bool is_kernel_file(std::string_view path) { return path.ends_with(".cl"); }

std::vector<std::string> folders_of_users(Workspace& workspace, const std::string& path) {
    std::vector<std::string> folders = workspace.folders;
    if (const Project::Listed& listed = workspace.project().listed(path); !listed.kernels.empty())
        folders.push_back(listed.folder);
    return folders;
}

Users find_users(Workspace& workspace, const std::set<std::string>& paths,
                 const std::vector<std::string>& words) {
    Search search(workspace, words);
    std::set<std::string> folders;
    for (const std::string& path : paths)
        for (const std::string& folder : folders_of_users(workspace, path)) folders.insert(folder);
    for (const std::string& folder : folders) search.folder(folder);
    for (const std::string& path : paths)
        for (const std::string& kernel : workspace.project().listed(path).kernels) search.file(kernel);
    return search.take();
}

}  // namespace caldera::language_server
