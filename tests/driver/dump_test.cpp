// SPDX-License-Identifier: Apache-2.0
// CALDERA_DUMP: each build leaves what its stages made.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/driver/fixture.h"
#include "tests/support/captured_stderr.h"

using namespace caldera::driver_test;
namespace fs = std::filesystem;

namespace {

struct DumpFolder {
    DumpFolder() {
        fs::remove_all(path);
        setenv("CALDERA_DUMP", path.c_str(), 1);
    }
    ~DumpFolder() {
        unsetenv("CALDERA_DUMP");
        fs::remove_all(path.parent_path());
    }
    std::vector<fs::path> builds() const {
        std::vector<fs::path> found;
        if (fs::exists(path))
            for (const fs::directory_entry& entry : fs::directory_iterator(path))
                found.push_back(entry.path());
        return found;
    }
    const fs::path path =
        fs::temp_directory_path() / ("caldera_dump_test." + std::to_string(getpid())) / "all";
};

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
}

}  // namespace

TEST_CASE("a build leaves what its stages made, one folder each") {
    Fixture f;
    const DumpFolder dump;
    const std::string source = "kernel void twice(global int *p) { p[get_global_id(0)] *= N; }";
    f.build(source, "-DN=2");
    REQUIRE(dump.builds().size() == 1);
    const fs::path first = dump.builds()[0];
    CHECK(contents(first / "source.cl") == source);
    CHECK(contents(first / "options.txt") == "-DN=2");
    CHECK(contents(first / "interface.json").find("\"twice\"") != std::string::npos);
    const std::string magic = "\x03\x02\x23\x07";
    CHECK(contents(first / "opencl.spv").starts_with(magic));
    CHECK(contents(first / "vulkan.spv").starts_with(magic));
    CHECK(contents(first / "opencl.spv") != contents(first / "vulkan.spv"));
    CHECK_FALSE(fs::exists(first / "log.txt"));
    f.build(source, "-DN=2");  // a cache may know it
    CHECK(dump.builds().size() == 2);
}

TEST_CASE("CALDERA_DUMP_PASSES leaves the module after each pass that changed it") {
    Fixture f;
    const DumpFolder dump;
    const std::string source = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }";
    f.build(source, "");
    REQUIRE(dump.builds().size() == 1);
    CHECK_FALSE(fs::exists(dump.builds()[0] / "passes"));
    setenv("CALDERA_DUMP_PASSES", "1", 1);
    f.build(source, "");  // what a cache knows is made again
    unsetenv("CALDERA_DUMP_PASSES");
    REQUIRE(dump.builds().size() == 2);
    std::vector<fs::path> modules;
    for (const fs::path& build : dump.builds())
        if (fs::exists(build / "passes"))
            for (const fs::directory_entry& entry : fs::directory_iterator(build / "passes"))
                modules.push_back(entry.path());
    std::ranges::sort(modules);
    REQUIRE(modules.size() > 5);
    CHECK(modules[0].filename() == "00-read.spv");
    const auto is_there = [&](std::string_view name) {
        return std::ranges::any_of(
            modules, [&](const fs::path& path) { return path.filename().string().ends_with(name); });
    };
    CHECK(is_there("-lower_memory.spv"));
    CHECK_FALSE(is_there("-lower_printf.spv"));  // changed nothing
    for (size_t i = 1; i < modules.size(); ++i) CHECK(contents(modules[i]) != contents(modules[i - 1]));
    CHECK(contents(modules.back()) == contents(modules[0].parent_path().parent_path() / "vulkan.spv"));
}

/// As the ctest driver_buffers wants it.
TEST_CASE("a build leaves the kernels that also exist by descriptors") {
    const char* const buffers = std::getenv("CALDERA_BUFFERS");
    const bool has_both = has_addresses() && buffers && std::string_view(buffers) == "descriptors";
    Fixture f;
    const DumpFolder dump;
    f.build(
        "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }\n"
        "kernel void show(global int *p, global ulong *at) { *at = (ulong)p; }",
        "");
    REQUIRE(dump.builds().size() == 1);
    const fs::path build = dump.builds()[0];
    CHECK(contents(build / "interface.json").find("\"show\"") != std::string::npos);
    CHECK(fs::exists(build / "descriptors.spv") == has_both);
    CHECK(fs::exists(build / "descriptors.json") == has_both);
    if (!has_both) return;
    CHECK(contents(build / "descriptors.spv").starts_with("\x03\x02\x23\x07"));
    CHECK(contents(build / "descriptors.spv") != contents(build / "vulkan.spv"));
    const std::string form = contents(build / "descriptors.json");
    CHECK(form.find("\"twice\"") != std::string::npos);
    CHECK(form.find("\"show\"") == std::string::npos);
}

TEST_CASE("a folder that cannot be written is told once, with the reason") {
    Fixture f;
    const auto build = [&](const char* folder) {
        return caldera::written_to_stderr([&] {
            setenv("CALDERA_DUMP", folder, 1);
            f.build("kernel void k(global int *p) { *p = 1; }", "");
            unsetenv("CALDERA_DUMP");
        });
    };
    CHECK(build("/dev/null/dump") ==
          "caldera: warning: CALDERA_DUMP='/dev/null/dump': cannot make a folder there: Not a directory\n");
    CHECK(build("/dev/null/dump") == "");
    CHECK(build("/dev/null/other") != "");
}

TEST_CASE("a build that fails leaves its log") {
    Fixture f;
    const DumpFolder dump;
    const char* source = "kernel void k(global int *p) { *p = nothing; }";
    f.programs.push_back(clCreateProgramWithSource(f.context, 1, &source, nullptr, nullptr));
    CHECK(clBuildProgram(f.programs.back(), 0, nullptr, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    REQUIRE(dump.builds().size() == 1);
    const fs::path build = dump.builds()[0];
    CHECK(contents(build / "log.txt").find("'nothing'") != std::string::npos);
    CHECK(contents(build / "source.cl") == source);
    CHECK_FALSE(fs::exists(build / "vulkan.spv"));
}
