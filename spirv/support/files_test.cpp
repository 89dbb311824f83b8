// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/files.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <random>

using namespace caldera;

TEST_CASE("files are written, replaced and added to") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                         ("caldera_files_test." + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
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
    if (std::filesystem::exists("/dev/full")) {
        errno = 0;
        CHECK(!append_to_file("/dev/full", "one"));
        CHECK(errno == ENOSPC);
    }
    std::filesystem::remove_all(folder);
}
