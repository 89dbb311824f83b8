// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/project.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>

#include "frontend/options.h"
#include "frontend/source.h"
#include "frontend/utf8.h"
#include "spirv/support/files.h"
#include "spirv/support/words.h"
#include "tools/language_server/json.h"
#include "tools/language_server/uri.h"

namespace caldera::language_server {
namespace {

/// The subset of TOML that an options file needs: comments, `key = value`, strings and arrays of strings.
class TomlReader {
 public:
    explicit TomlReader(std::string_view text) : text_(text) {}

    Result<std::vector<std::string>> read() {
        std::vector<std::string> options;
        bool seen = false;
        for (skip_blank(); at_ < text_.size(); skip_blank()) {
            const std::string key = word();
            if (key.empty()) return fault("expected a key");
            if (key != "options")
                return fault("unknown key '" + key + "'; the one that is known is 'options'");
            if (seen) return fault("'options' occurs twice");
            seen = true;
            skip_space();
            if (!take('=')) return fault("expected '=' after 'options'");
            skip_space();
            if (take('[')) {
                if (Result<Done> done = array(options); !done) return done.error();
            } else {
                Result<std::string> one = string();
                if (!one) return one.error();
                options = split_words(*one, Quoting::Shell);
            }
            skip_space();
            if (at_ < text_.size() && peek() != '\n' && peek() != '\r' && peek() != '#')
                return fault("expected the end of the line");
        }
        return options;
    }

 private:
    Result<Done> array(std::vector<std::string>& items) {
        for (skip_blank(); !take(']'); skip_blank()) {
            Result<std::string> item = string();
            if (!item) return item.error();
            items.push_back(item.take());
            skip_blank();
            if (!take(',') && peek() != ']') return fault("expected ',' or ']'");
        }
        return Done{};
    }

    Result<std::string> string() {
        const char quote = peek();
        if (quote != '"' && quote != '\'') return fault("expected a string");
        ++at_;
        std::string out;
        while (peek() != quote) {
            if (at_ >= text_.size() || peek() == '\n') return fault("a string has no end");
            char c = text_[at_++];
            if (quote == '"' && c == '\\') {
                c = peek();
                ++at_;
                if (c == 'n' || c == 't')
                    c = c == 'n' ? '\n' : '\t';
                else if (c != '\\' && c != '"')
                    return fault("unknown escape in a string");
            }
            out += c;
        }
        ++at_;
        return out;
    }

    std::string word() {
        const size_t begin = at_;
        const auto is_part = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                   c == '-';
        };
        while (is_part(peek())) ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char c) {
        if (at_ >= text_.size() || peek() != c) return false;
        ++at_;
        return true;
    }
    void skip_space() {
        while (peek() == ' ' || peek() == '\t') ++at_;
    }
    void skip_blank() {
        for (;; ++at_) {
            if (peek() == '#')
                while (at_ < text_.size() && peek() != '\n') ++at_;
            if (peek() != ' ' && peek() != '\t' && peek() != '\n' && peek() != '\r') return;
        }
    }
    Error fault(const std::string& what) const {
        const auto line =
            1 + std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(std::min(at_, text_.size())),
                           '\n');
        return {.message = std::string(kOptionsFile) + ", line " + std::to_string(line) + ": " + what};
    }

    std::string_view text_;
    size_t at_ = 0;
};

/// The folder, those above it, the root last; each ends with '/'.
std::vector<std::string> folders_from(const std::string& path) {
    std::vector<std::string> folders;
    for (std::string folder(folder_of(path)); !folder.empty();) {
        folders.push_back(folder);
        folder.pop_back();
        folder = std::string(folder_of(folder));
    }
    return folders;
}

std::string in_folder(const std::string& folder, const std::string& name) {
    return normal_path(is_rooted(name) ? name : folder + name);
}

constexpr const char* kCommandsFiles[] = {"compile_commands.json", "build/compile_commands.json"};

std::string directory_of(const Json& entry) {
    std::string folder = text_of(member(entry, "directory"));
    if (!folder.empty() && !ends_as_folder(folder)) folder += '/';
    return folder;
}

/// The entry's arguments, if the entry is this file's.
std::optional<std::vector<std::string>> command_of(const Json& entry, const std::string& path,
                                                   std::string& folder) {
    folder = directory_of(entry);
    if (in_folder(folder, text_of(member(entry, "file"))) != path) return std::nullopt;
    std::vector<std::string> args;
    if (const Json& arguments = member(entry, "arguments"); arguments.is_array())
        for (const Json& argument : arguments) args.push_back(text_of(argument));
    else
        args = split_words(text_of(member(entry, "command")), Quoting::Shell);
    if (!args.empty()) args.erase(args.begin());  // the compiler
    return args;
}

}  // namespace

Result<std::vector<std::string>> parse_options_file(std::string_view text) { return TomlReader(text).read(); }

void Project::set_default_options(std::vector<std::string> args, std::string folder) {
    default_args_ = std::move(args);
    default_folder_ = std::move(folder);
    forget();
}

const Project::Listed& Project::listed(const std::string& path) {
    const auto [known, is_new] = listed_.emplace(folder_of(path), Listed());
    if (!is_new) return known->second;
    for (const std::string& folder : folders_from(path))
        for (const char* name : kCommandsFiles) {
            const std::optional<std::string> text = frontend::read_text_file(folder + name);
            const Json commands = text ? parse_json(*text) : Json();
            if (!commands.is_array()) continue;
            Listed& listed = known->second;
            listed.folder = folder;
            for (const Json& entry : commands)
                if (const std::string file = text_of(member(entry, "file")); file.ends_with(".cl"))
                    listed.kernels.push_back(in_folder(directory_of(entry), file));
            return listed;
        }
    return known->second;
}

std::vector<std::string> Project::take_faults() { return std::exchange(faults_, {}); }

const frontend::CompileOptions& Project::options(const std::string& path) {
    auto found = known_.find(path);
    if (found == known_.end()) found = known_.emplace(path, find(path)).first;
    return found->second;
}

frontend::CompileOptions Project::find(const std::string& path) {
    const std::vector<std::string> folders = folders_from(path);
    for (const std::string& folder : folders) {
        const std::optional<std::string> text = frontend::read_text_file(folder + std::string(kOptionsFile));
        if (!text) continue;
        Result<std::vector<std::string>> args = parse_options_file(*text);
        if (args) return read(args.take(), folder, folder + std::string(kOptionsFile));
        faults_.push_back(folder + args.error().message);
        break;
    }
    for (const std::string& folder : folders)
        for (const char* name : kCommandsFiles) {
            const std::optional<std::string> text = frontend::read_text_file(folder + name);
            if (!text) continue;
            const Json commands = parse_json(*text);
            if (!commands.is_array()) {
                faults_.push_back(folder + name + " is no array in JSON");
                continue;
            }
            for (const Json& entry : commands) {
                std::string directory;
                if (auto args = command_of(entry, path, directory))
                    return read(std::move(*args), directory, folder + name);
            }
        }
    return read(default_args_, default_folder_, "the client's options");
}

/// Another compiler's command may have options that are not ours: the others count.
frontend::CompileOptions Project::read(std::vector<std::string> args, const std::string& folder,
                                       const std::string& where) {
    Result<frontend::CompileOptions> options = read_(args, folder);
    if (options) return options.take();
    faults_.push_back(where + ": " + options.error().message);
    // Each alone, with its value where it is the next argument.
    std::vector<std::string> good, of_language;
    for (size_t at = 0; at < args.size();) {
        frontend::CompileOptions scratch;
        const auto begin = args.begin() + static_cast<ptrdiff_t>(at);
        const Result<size_t> taken = frontend::take_option(args, at, scratch);
        size_t count = taken ? *taken : 0;
        of_language.insert(of_language.end(), begin, begin + static_cast<ptrdiff_t>(count));
        for (size_t n = 1; count == 0 && n <= std::min<size_t>(2, args.size() - at); ++n)
            if (read_({begin, begin + static_cast<ptrdiff_t>(n)}, folder)) count = n;
        good.insert(good.end(), begin, begin + static_cast<ptrdiff_t>(count));
        at += std::max<size_t>(count, 1);
    }
    options = read_(good, folder);
    if (!options) options = read_(of_language, folder);  // of the tool's options some exclude each other
    return options ? options.take() : frontend::CompileOptions();
}

}  // namespace caldera::language_server
