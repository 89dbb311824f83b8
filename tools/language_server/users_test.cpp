// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/users.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>

#include "spirv/support/files.h"
#include "tools/language_server/uri.h"

using namespace caldera;
using namespace caldera::language_server;

namespace {

/// A folder with files, while it lives.
struct Folder {
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string operator/(const std::string& name) const { return normal_path(utf8_text(path / name)); }
    std::string add(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((path / name).parent_path());
        REQUIRE(write_file(*this / name, text));
        return *this / name;
    }
    const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                       ("caldera_users_test." + std::to_string(std::random_device()()));
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("the users of a header are looked for in folders and in compile_commands.json") {
    const Folder folder;
    const std::string header = folder.add("src/h.h", "int g(int x);\n");
    const std::string naming =
                          folder.add("src/deep/a.cl", "#include \"../h.h\"\nint f(int a) { return g(a); }\n"),
                      including = folder.add("src/b.cl", "#include \"h.h\"\nint gg, not_g;\n"),
                      other = folder.add("src/more.hpp", "int h = g(1);\n"),
                      elsewhere = folder.add("elsewhere/c.cl", "g(1)\n");
    folder.add("src/d.cl", "int alone;\n");
    folder.add("src/.hidden/e.cl", "g(1)\n");
    folder.add("src/host.cpp", "g(1)\n");
    Workspace workspace(
        [](auto, auto) { return Result<frontend::CompileOptions>(frontend::CompileOptions()); });
    CHECK(folders_of_users(workspace, header).empty());
    CHECK(find_users(workspace, {header}, {"g"}).naming.empty());

    workspace.folders = {folder / "src"};
    Users users = find_users(workspace, {header}, {"g"});
    CHECK(users.naming == Paths{naming});
    CHECK(users.including == Paths{including});
    CHECK(users.headers == Paths{header, other});
    CHECK(users.missing.empty());
    workspace.open({.uri = uri_of(naming), .text = "g(1)"});
    CHECK(find_users(workspace, {header}, {"g"}).naming.empty());  // an open document is looked at as it is
    CHECK(find_users(workspace, {header}, {"x", "alone"}).naming == Paths{folder / "src/d.cl"});

    workspace.folders = {};
    folder.add("src/compile_commands.json", R"([{"directory": ")" + (folder / "elsewhere") +
                                                R"(", "file": "c.cl", "command": "clc2spv c.cl"},
                   {"directory": ")" + (folder / "src") +
                                                R"(", "file": "host.cpp", "command": "c++ host.cpp"}])");
    workspace.project().forget();
    CHECK(folders_of_users(workspace, header) == Paths{(folder / "src") + "/"});
    CHECK(find_users(workspace, {header}, {"g"}).naming == Paths{elsewhere});
}
