// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/paths.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "spirv/support/files.h"

namespace caldera {

TEST_CASE("the parts of a path") {
    using enum PathStyle;
    CHECK(folder_of("a.cl", Posix) == "");
    CHECK(folder_of("/a.cl", Posix) == "/");
    CHECK(folder_of("b/c\\a.cl", Posix) == "b/");
    CHECK(file_name_of("b/c\\a.cl", Posix) == "c\\a.cl");
    CHECK(file_name_of("b/", Posix) == "");
    CHECK(folder_of("a.cl", Windows) == "");
    CHECK(folder_of("b/c\\a.cl", Windows) == "b/c\\");
    CHECK(folder_of("D:a.cl", Windows) == "D:");
    CHECK(file_name_of("D:\\b\\a.cl", Windows) == "a.cl");
}

TEST_CASE("paths that name a folder, and paths from a root") {
    using enum PathStyle;
    CHECK(ends_as_folder("b/", Posix));
    CHECK_FALSE(ends_as_folder("b\\", Posix));
    CHECK_FALSE(ends_as_folder("", Posix));
    CHECK(ends_as_folder("b\\", Windows));
    CHECK(ends_as_folder("D:", Windows));
    CHECK(is_rooted("/a.h", Posix));
    CHECK_FALSE(is_rooted("D:/a.h", Posix));
    CHECK_FALSE(is_rooted("\\a.h", Posix));
    CHECK_FALSE(is_rooted("", Posix));
    CHECK(is_rooted("/a.h", Windows));
    CHECK(is_rooted("\\\\server\\share\\a.h", Windows));
    CHECK(is_rooted("D:a.h", Windows));
    CHECK_FALSE(is_rooted("b\\a.h", Windows));
    CHECK_FALSE(is_rooted("", Windows));
}

TEST_CASE("paths that lead to one file have one normal text") {
    using enum PathStyle;
    for (const char* path : {"a/b.h", "./a/b.h", "a//b.h", "a/./b.h", "c/../a/b.h", "a/c/d/../../b.h"})
        CHECK(lexical_path(path, Posix) == "a/b.h");
    CHECK(lexical_path("c/../b.h", Posix) == "b.h");
    CHECK(lexical_path("../b.h", Posix) == "../b.h");
    CHECK(lexical_path("a/../../../b.h", Posix) == "../../b.h");
    CHECK(lexical_path("/../a/..//b.h", Posix) == "/b.h");
    CHECK(lexical_path("a/..", Posix).empty());
    CHECK(lexical_path("", Posix).empty());
    CHECK(lexical_path("\\a\\.\\b.h", Windows) == "/a/b.h");
    CHECK(lexical_path("a\\b.h", Posix) == "a\\b.h");
}

TEST_CASE("names of files are UTF-8, and files are bytes") {
    const std::string name = "caldera_paths_test_\xc3\xa4\xe2\x82\xac.txt";
    FILE* file = open_file(name, "wb");
    REQUIRE(file);
    CHECK(std::fputs("a\nb\x1a\r\n", file) >= 0);
    CHECK(std::fclose(file) == 0);
    CHECK(std::filesystem::file_size(utf8_path(name)) == 6);
    CHECK(utf8_path(name).filename().u8string() == u8"caldera_paths_test_ä€.txt");
    CHECK(utf8_text(utf8_path(name)) == name);
    CHECK(std::filesystem::remove(utf8_path(name)));
    CHECK_FALSE(open_file("caldera_no_such_folder/\xff.txt", "rb"));
    CHECK_FALSE(std::filesystem::exists(utf8_path("caldera_no_such_folder/\xff.txt")));
}

}  // namespace caldera
