// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/files.h"

#include <doctest/doctest.h>

#include <cerrno>

#include "tests/support/new_folder.h"

using namespace caldera;

namespace fs = std::filesystem;

TEST_CASE("an error says what an input is") {
    const fs::path folder = new_folder();
    const std::string name = utf8_text(folder);
    CHECK(read_input(name).error().message == "'" + name + "' is a folder");
    const std::string none = utf8_text(folder / "none");
    CHECK(read_input(none).error().message == "no such file or directory: '" + none + "'");
    REQUIRE(write_file(none, "one"));
    CHECK(read_input(none).take() == "one");
    fs::remove_all(folder);
}

TEST_CASE("files are written, replaced and added to") {
    const fs::path folder = new_folder();
    const std::string name = utf8_text(folder / "bytes");
    CHECK(write_file(name, "one\n"));
    CHECK(append_to_file(name, std::string_view("t\0wo", 4)));
    CHECK(read_file(name) == std::string("one\nt\0wo", 8));
    CHECK(write_file(name, ""));
    CHECK(read_file(name) == "");
    errno = 0;
    CHECK(!write_file(utf8_text(folder / "none" / "bytes"), "one"));
    CHECK(errno == ENOENT);
    CHECK(!write_file(utf8_text(folder), "one"));
    if (fs::exists("/dev/full")) {
        errno = 0;
        CHECK(!append_to_file("/dev/full", "one"));
        CHECK(errno == ENOSPC);
    }
    fs::remove_all(folder);
}
