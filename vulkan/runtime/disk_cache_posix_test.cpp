// SPDX-License-Identifier: Apache-2.0
// The disk cache's permissions, processes and environment, as POSIX has them.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vulkan/runtime/disk_cache_fixture.h"

using namespace caldera::runtime;
namespace fs = std::filesystem;

namespace {

/// Sets variables of the environment, and puts them back.
struct Environment {
    explicit Environment(std::initializer_list<std::pair<std::string, const char*>> wanted) {
        for (const auto& [name, value] : wanted) {
            const char* old = getenv(name.c_str());
            before[name] = old ? std::optional<std::string>(old) : std::nullopt;
            value ? setenv(name.c_str(), value, 1) : unsetenv(name.c_str());
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        for (const auto& [name, value] : before)
            value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    }
    std::map<std::string, std::optional<std::string>> before = {};
};

}  // namespace

TEST_CASE("files and folders are the user's alone") {
    const Place place;
    const mode_t before = umask(0);
    store(DiskCache(place.cache()), "key", "value");
    umask(before);
    CHECK(fs::status(place.folder / "a").permissions() == fs::perms::owner_all);
    CHECK(fs::status(place.cache()).permissions() == fs::perms::owner_all);
    for (const auto& file : fs::directory_iterator(place.cache()))
        CHECK(file.status().permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a folder where everybody may write is not used") {
    const Place place;
    const DiskCache cache(place.cache());
    store(cache, "key", "value");
    fs::permissions(place.cache(), fs::perms::all);
    CHECK(!load(cache, "key"));
}

TEST_CASE("in folders of the kernel there is nothing to load") {
    const DiskCache nowhere("/proc/none/such");
    store(nowhere, "key", "value");
    CHECK(!load(nowhere, "key"));
    const DiskCache full("/dev/full");
    store(full, "key", "value");
    CHECK(!load(full, "key"));
}

TEST_CASE("a limit on the size of files ends no program") {
    const Place place;
    const DiskCache cache(place.cache());
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit{.rlim_cur = 5000, .rlim_max = 5000};
        setrlimit(RLIMIT_FSIZE, &limit);
        store(cache, "large", std::string(10000, 'x'));
        store(cache, "small", "value");
        _exit(load(cache, "large") ? 1 : load(cache, "small") ? 0 : 2);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("processes that store, load and die share one folder") {
    const Place place;
    const auto value = [](int key, int round) {
        return std::to_string(key) + ":" +
               std::string(static_cast<size_t>(2000 + 97 * round), char('a' + key));
    };
    std::vector<pid_t> children;
    for (int process = 0; process < 8; ++process) {
        children.push_back(fork());
        if (children.back() != 0) continue;
        const DiskCache cache(place.cache(), 128 << 10);
        int faults = 0;
        for (int round = 0; round < 400; ++round) {
            const int key = (round + process) % 20;
            store(cache, std::to_string(key), value(key, round % 10));
            const auto found = load(cache, std::to_string((key + 7) % 20));
            const int other = (key + 7) % 20;
            bool matches = !found;
            for (int r = 0; r < 10 && !matches; ++r) matches = found == value(other, r);
            faults += !matches;
        }
        _exit(faults == 0 ? 0 : 1);
    }
    // Half of them are killed, at whatever they do.
    for (size_t i = 0; i < 4; ++i) {
        usleep(3000);
        kill(children[i], SIGKILL);
    }
    for (size_t i = 0; i < children.size(); ++i) {
        int status = -1;
        REQUIRE(waitpid(children[i], &status, 0) == children[i]);
        if (i >= 4) CHECK(status == 0);
    }
    const DiskCache cache(place.cache(), 128 << 10);
    store(cache, "after", "all");
    CHECK(load(cache, "after") == "all");
}

TEST_CASE("the environment says where the cache is, how large, and whether") {
    const Place place;
    const auto folder = [] {
        const auto cache = DiskCache::of_user();
        return cache ? cache->folder() : "none";
    };
    const Environment clean{{"CALDERA_CACHE", nullptr},
                            {"CALDERA_CACHE_DIR", nullptr},
                            {"CALDERA_CACHE_SIZE", nullptr},
                            {"XDG_CACHE_HOME", nullptr},
                            {"HOME", "/home/me"}};
    CHECK(folder() == "/home/me/.cache/caldera");
    {
        const Environment xdg{{"XDG_CACHE_HOME", "/var/mine"}};
        CHECK(folder() == "/var/mine/caldera");
        const Environment own{{"CALDERA_CACHE_DIR", "/own"}};
        CHECK(folder() == "/own");
        const Environment off{{"CALDERA_CACHE", "0"}};
        CHECK(folder() == "none");
    }
    {
        const Environment relative{{"XDG_CACHE_HOME", "relative"}};
        CHECK(folder() == "/home/me/.cache/caldera");
        const Environment own{{"CALDERA_CACHE_DIR", "here"}};
        CHECK(folder() == fs::current_path() / "here");
    }
    {
        const Environment homeless{{"HOME", nullptr}};
        CHECK(folder() == "none");
    }
    {
        const Environment none{{"CALDERA_CACHE_SIZE", "0"}};
        CHECK(folder() == "none");
    }
    for (const char* size : {"-1", "1X", "M", "99999999999G"}) {  // with a warning
        const Environment wrong{{"CALDERA_CACHE_SIZE", size}};
        CHECK(folder() == "/home/me/.cache/caldera");
    }
    const std::string own = place.cache();
    const Environment small{{"CALDERA_CACHE_SIZE", "8K"}, {"CALDERA_CACHE_DIR", own.c_str()}};
    const auto cache = DiskCache::of_user();
    REQUIRE(cache);
    store(*cache, "fits", std::string(800, 'x'));
    store(*cache, "does not", std::string(1100, 'x'));
    CHECK(load(*cache, "fits"));
    CHECK(!load(*cache, "does not"));
}
