// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/uri.h"

#include <doctest/doctest.h>

using namespace caldera;
using namespace caldera::language_server;

TEST_CASE("paths and URIs") {
    constexpr PathStyle posix = PathStyle::Posix, windows = PathStyle::Windows;
    CHECK(path_of("file:///home/a%20b/%C3%A9.cl", posix) == "/home/a b/\xc3\xa9.cl");
    CHECK(path_of("file://host/a.cl", posix) == "/a.cl");
    CHECK(path_of("file:///100%", posix) == "/100%");
    CHECK(path_of("file:///%4", posix) == "/%4");
    CHECK(path_of("untitled:Untitled-1", posix) == "untitled:Untitled-1");
    CHECK(path_of("file://", posix).empty());
    CHECK(uri_of("/home/a b/\xc3\xa9.cl", posix) == "file:///home/a%20b/%C3%A9.cl");
    CHECK(path_of("file:///c%3A/k/a.cl", windows) == "c:/k/a.cl");
    CHECK(path_of("file:///C:/k/a.cl", windows) == "C:/k/a.cl");
    CHECK(uri_of("C:\\k\\a b.cl", windows) == "file:///C:/k/a%20b.cl");
    CHECK(normal_path("/a/b/../c/./d.h") == "/a/c/d.h");
}
