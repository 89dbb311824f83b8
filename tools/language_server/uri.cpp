// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/uri.h"

#include <algorithm>
#include <optional>

#include "spirv/support/files.h"

namespace caldera::language_server {
namespace {

constexpr std::string_view kScheme = "file://";

std::optional<unsigned> hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

bool stays(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("/-._~").find(c) != std::string_view::npos;
}

bool has_drive(std::string_view path) { return path.size() > 1 && path[1] == ':'; }

}  // namespace

std::string path_of(std::string_view uri, PathStyle style) {
    if (!uri.starts_with(kScheme)) return std::string(uri);
    uri.remove_prefix(kScheme.size());
    uri.remove_prefix(std::min(uri.find('/'), uri.size()));  // the host
    std::string path;
    for (size_t i = 0; i < uri.size(); ++i) {
        const auto high = uri[i] == '%' && i + 2 < uri.size() ? hex(uri[i + 1]) : std::nullopt;
        const auto low = high ? hex(uri[i + 2]) : std::nullopt;
        if (low) i += 2;
        path += low ? static_cast<char>(*high << 4 | *low) : uri[i];
    }
    if (style == PathStyle::Windows &&
        has_drive(std::string_view(path).substr(std::min<size_t>(1, path.size()))))
        path.erase(0, 1);
    return path;
}

std::string uri_of(std::string_view path, PathStyle style) {
    const bool drive = style == PathStyle::Windows && has_drive(path);
    std::string uri(kScheme);
    if (drive) uri += '/';
    for (size_t i = 0; i < path.size(); ++i) {
        const char c = style == PathStyle::Windows && path[i] == '\\' ? '/' : path[i];
        if (stays(c) || (drive && i == 1)) {
            uri += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        uri += '%';
        uri += "0123456789ABCDEF"[byte >> 4];
        uri += "0123456789ABCDEF"[byte & 15];
    }
    return uri;
}

std::string normal_path(std::string_view path) {
    std::string text = utf8_text(utf8_path(path).lexically_normal());
    if (kPathStyle == PathStyle::Windows) std::ranges::replace(text, '\\', '/');
    return text;
}

}  // namespace caldera::language_server
