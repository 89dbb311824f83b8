// SPDX-License-Identifier: Apache-2.0
// The parts of a path's text: of #include, of -o, of a kernel file. On Windows, '\' and a drive's ':'
// separate too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace caldera {

enum class PathStyle : uint8_t { Posix, Windows };

#if defined(_WIN32)
inline constexpr PathStyle kPathStyle = PathStyle::Windows;
#else
inline constexpr PathStyle kPathStyle = PathStyle::Posix;
#endif

/// What may end a folder's name.
constexpr std::string_view path_separators(PathStyle style = kPathStyle) {
    return style == PathStyle::Windows ? "/\\:" : "/";
}

/// "include/a.h" -> "include/", "a.h" -> "": what to put before the name of a file beside this one.
constexpr std::string_view folder_of(std::string_view path, PathStyle style = kPathStyle) {
    return path.substr(0, path.find_last_of(path_separators(style)) + 1);
}

/// "include/a.h" -> "a.h".
constexpr std::string_view file_name_of(std::string_view path, PathStyle style = kPathStyle) {
    return path.substr(folder_of(path, style).size());
}

/// The text names a folder, also if no such folder exists.
constexpr bool ends_as_folder(std::string_view path, PathStyle style = kPathStyle) {
    return !path.empty() && path_separators(style).find(path.back()) != std::string_view::npos;
}

/// The path says where the search begins: at the root, or on a drive.
constexpr bool is_rooted(std::string_view path, PathStyle style = kPathStyle) {
    if (style == PathStyle::Windows && path.size() > 1 && path[1] == ':') return true;
    return !path.empty() && path[0] != ':' && ends_as_folder(path.substr(0, 1), style);
}

/// "./include/../a.h" -> "a.h": one text for the paths that name the same file where no folder is a link.
inline std::string lexical_path(std::string_view path, PathStyle style = kPathStyle) {
    std::string normal(is_rooted(path, style) ? "/" : "");
    const size_t root = normal.size();
    for (size_t begin = 0, end = 0; begin < path.size(); begin = end + 1) {
        end = std::min(path.find_first_of(path_separators(style), begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part.empty() || part == ".") continue;
        const std::string_view last = file_name_of(normal, style);
        if (part == ".." && !last.empty() && last != "..") {
            normal.resize(normal.size() - last.size());
            if (normal.size() > root) normal.pop_back();
        } else if (part != ".." || root == 0) {  // the root's parent is the root
            if (normal.size() > root) normal += '/';
            normal += part;
        }
    }
    return normal;
}

}  // namespace caldera
