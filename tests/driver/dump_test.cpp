// SPDX-License-Identifier: Apache-2.0
// CALDERA_DUMP: each build leaves what its stages made.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/driver/fixture.h"

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
        fs::remove_all(path);
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
