// SPDX-License-Identifier: Apache-2.0
// #include and #include_next (C99 6.10.2): finding a file and reading on in it.
#include <algorithm>
#include <exception>
#include <new>

#include "frontend/preprocess/engine.h"
#include "spirv/support/paths.h"

namespace caldera::frontend::pp {

void Engine::include(const Tok& name, bool next, bool macros_only) {
    std::optional<Header> header = header_operand();
    if (!header) return finish_directive();
    if (contexts_.empty() || contexts_.back().barrier) expect_end(name.text);
    finish_directive();
    if (collecting_ != 0) {
        diags_.error(name.range, "embedding a #", name.text,
                     " directive within macro arguments is not supported");
        return;
    }
    if (header->name.empty()) {
        diags_.error(header->range, "empty filename");
        return;
    }
    if (files_.size() >= kMaxIncludeDepth) return halt(header->range, "#include nested too deeply");
    if (++includes_ > kMaxIncludes) return halt(header->range, "too many files are included");
    std::optional<Found> found = find_header(*header, next);
    if (!found && options_.missing_headers_are_made) {
        if (seen_paths_.insert(header->name).second) dependencies_.push_back(header->name);
        return;
    }
    if (!found && options_.reads_on_without_header) {
        diags_.error(header->range, "'", header->name, "' file not found");
        return;
    }
    if (!found) {
        diags_.fatal(header->range, "'", header->name, "' file not found");
        ended_ = true;
        return;
    }
    if (found->is_empty || is_read_once(*found)) return;
    macros_only |= file().macros_only;
    enter(std::move(*found), header->range);
    if (!ended_) file().macros_only = macros_only;
}

/// A file has several paths. But "a/../b.h" is not "b.h" if "a" is a link, so the text must be the same too.
bool Engine::is_read_once(const Found& found) const {
    const auto once = once_.find(lexical_path(found.path));
    return once != once_.end() && once->second == found.text;
}

/// "name" or <name>, written directly or made by macros (6.10.2p4). Reports an error and returns nothing if
/// there is neither.
std::optional<Engine::Header> Engine::header_operand() {
    if (contexts_.empty()) {
        if (std::optional<Tok> tok = lexer().header_name()) {
            if (tok->kind != Token::HeaderName) return std::nullopt;  // reported
            return Header{.name = std::string(tok->text.substr(1, tok->text.size() - 2)),
                          .angled = tok->text[0] == '<',
                          .range = tok->range};
        }
    }
    Tok tok = lex_expanded();
    if (tok.kind == Token::String && tok.text[0] == '"')
        return Header{.name = std::string(tok.text.substr(1, tok.text.size() - 2)), .range = tok.range};
    if (tok.kind == Token::Less) {
        Header header{.angled = true, .range = tok.range};
        for (;;) {
            Tok part = lex_expanded();
            if (part.kind == Token::Greater) {
                if (!sources_.is_macro(part.range.end)) header.range.end = part.range.end;
                return header;
            }
            if (part.kind == Token::Newline || part.kind == Token::End) {
                diags_.error(part.range, "expected '>'").note(tok.range, "to match this '<'");
                return std::nullopt;
            }
            if (part.space_before && !header.name.empty()) header.name += ' ';
            header.name += part.text;
        }
    }
    diags_.error(tok.range, "expected \"FILENAME\" or <FILENAME>");
    return std::nullopt;
}

/// Finds the file that a header name means: next to the including file unless in <>, then in the include
/// directories.
std::optional<Engine::Found> Engine::find_header(const Header& header, bool next) {
    auto attempt = [&](const std::string& directory, size_t search_from) -> std::optional<Found> {
        std::string path = directory + header.name;
        auto guard = guards_.find(path);
        if (guard != guards_.end() && find_macro(guard->second)) return Found{.path = path, .is_empty = true};
        std::optional<std::string> text = read(path, header.range);
        if (!text) return std::nullopt;
        return Found{.path = path,
                     .directory = std::string(folder_of(path)),
                     .search_from = search_from,
                     .text = std::move(*text)};
    };
    if (header.name.find('\0') != std::string::npos) return std::nullopt;
    if (is_rooted(header.name)) return attempt("", 0);
    if (!header.angled && !next) {
        if (std::optional<Found> found = attempt(file().directory, file().search_from)) {
            found->shows_dot = file().shows_dot;
            return found;
        }
    }
    const size_t quoted = options_.quote_dirs.size();
    for (size_t i = next ? file().search_from : header.angled ? quoted : 0; i < directories_.size(); ++i) {
        std::string directory = directories_[i];
        if (!directory.empty() && !ends_as_folder(directory)) directory += '/';
        if (std::optional<Found> found = attempt(directory, i + 1)) return found;
    }
    return std::nullopt;
}

/// An exception of the caller's function ends the compilation, but does not leave it.
std::optional<std::string> Engine::read(const std::string& path, SourceRange header) {
    if (ended_) return std::nullopt;
    std::string why;
    try {
        return options_.read_file ? options_.read_file(path) : read_text_file(path);
    } catch (const std::bad_alloc&) { throw; } catch (const std::exception& thrown) {
        why = std::string(": ") + thrown.what();
    } catch (...) {}
    halt(header, "cannot read '" + path + "'" + why);
    return std::nullopt;
}

void Engine::enter(Found&& found, SourceRange header) {
    const size_t size = found.text.size();
    included_bytes_ += size;
    SourceLoc begin = included_bytes_ > kMaxIncludedBytes
                          ? SourceLoc{}
                          : sources_.add_file((found.shows_dot ? "./" : "") + found.path,
                                              std::move(found.text), sources_.expansion(header.begin));
    if (!begin) return halt(header, "the included files are too large in total");
    if (seen_paths_.insert(found.path).second) {
        dependencies_.push_back(found.path);
        expansion_limit_ += size * kMaxExpansionPerByte;
    }
    entered_.push_back(begin);
    const auto depth = static_cast<size_t>(  // the command line is no file
        std::ranges::count_if(files_, [](const OpenFile& open_file) { return !open_file.path.empty(); }));
    if (options_.show_includes) included_.push_back(std::string(depth, '.') + " " + found.path);
    diags_.warning_map().enter(begin);
    const std::string_view text = sources_.file_text(begin);
    open({.lexer = Lexer(text, begin, names_, arena_, diags_),
          .directory = std::move(found.directory),
          .path = std::move(found.path),
          .text = text,
          .shows_dot = found.shows_dot,
          .search_from = found.search_from});
}

}  // namespace caldera::frontend::pp
