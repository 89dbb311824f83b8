// SPDX-License-Identifier: Apache-2.0
// file: URIs (RFC 8089) and paths in UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "spirv/support/paths.h"

namespace caldera::language_server {

/// The path of a file: URI with its escapes decoded. A URI of another kind is its own path.
std::string path_of(std::string_view uri, PathStyle style = kPathStyle);
std::string uri_of(std::string_view path, PathStyle style = kPathStyle);

/// Without "." and "..", and with '/' alone: the same file has the same path, links apart.
std::string normal_path(std::string_view path);

}  // namespace caldera::language_server
