// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/probe.h"
#include "vulkan/runtime/open_device.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

using namespace caldera;
using namespace caldera::runtime;

TEST_CASE("what the probes found is the same from the cache on disk") {
    namespace fs = std::filesystem;
    std::string folder = (fs::temp_directory_path() / "caldera_probe_test.XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    const std::string cache = folder + "/cache";
    setenv("CALDERA_CACHE_DIR", cache.c_str(), 1);
    const char* before = std::getenv("CALDERA_CACHE");
    const std::string whether = before ? before : "1";
    setenv("CALDERA_CACHE", "1", 1);
    const auto profile = [](bool disk_cache) {
        Result<std::unique_ptr<Device>> device = open_device({.disk_cache = disk_cache});
        REQUIRE(static_cast<bool>(device));
        return (*device)->profile();
    };
    const vulkan::DeviceProfile found = profile(false);
    CHECK(!fs::exists(cache));
    CHECK(profile(true) == found);
    CHECK(fs::exists(cache));
    CHECK(profile(true) == found);
    setenv("CALDERA_CACHE", whether.c_str(), 1);
    unsetenv("CALDERA_CACHE_DIR");
    fs::remove_all(folder);
}
