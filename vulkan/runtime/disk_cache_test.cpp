// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/disk_cache.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace caldera::runtime;
namespace fs = std::filesystem;

namespace {

/// A folder for one test.
struct Place {
    Place() {
        std::string name = (fs::temp_directory_path() / "disk_cache_test_XXXXXX").string();
        REQUIRE(mkdtemp(name.data()));
        folder = name;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { fs::remove_all(folder); }
    std::string cache() const { return folder / "a" / "b"; }
    std::vector<fs::path> entries() const {
        std::vector<fs::path> found;
        if (!fs::exists(cache())) return found;
        for (const auto& file : fs::directory_iterator(cache()))
            if (file.path().filename().string().size() == 32) found.push_back(file.path());
        return found;
    }
    fs::path folder = {};
};

std::vector<std::byte> bytes(const std::string& text) {
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
}
std::optional<std::string> load(const DiskCache& cache, const std::string& key) {
    const auto found = cache.load(bytes(key));
    if (!found) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(found->data()), found->size());
}
void store(const DiskCache& cache, const std::string& key, const std::string& value) {
    cache.store(bytes(key), bytes(value));
}
std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
void set_age(const fs::path& path, time_t seconds) {
    const timespec then{.tv_sec = time(nullptr) - seconds};
    const timespec times[2] = {then, then};
    REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

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

TEST_CASE("what was stored is loaded, by this process or another, and only by its key") {
    const Place place;
    const DiskCache cache(place.cache());
    CHECK(!load(cache, "key"));
    CHECK(!fs::exists(place.cache()));  // nothing is made for a look
    store(cache, "key", "value");
    store(cache, "empty", "");
    CHECK(load(cache, "key") == "value");
    CHECK(load(DiskCache(place.cache()), "key") == "value");
    CHECK(load(cache, "empty") == "");
    CHECK(!load(cache, "kez"));
    store(cache, "key", "another");
    CHECK(load(cache, "key") == "another");
    CHECK(place.entries().size() == 2);
}

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

TEST_CASE("a changed byte, a missing one, one too many: a miss, and the entry is replaced") {
    const Place place;
    const DiskCache cache(place.cache());
    store(cache, "key", "a value of some length");
    const fs::path entry = place.entries().at(0);
    const std::string whole = text_of(entry);
    const auto put = [&](const std::string& text) { std::ofstream(entry, std::ios::binary) << text; };
    for (size_t at = 0; at < whole.size(); ++at)
        for (const char change : {char(1), char(0x80)}) {
            std::string changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ change);
            put(changed);
            CHECK(!load(cache, "key"));
        }
    for (size_t size = 0; size < whole.size(); ++size) {
        put(whole.substr(0, size));
        CHECK(!load(cache, "key"));
    }
    put(whole + "x");
    CHECK(!load(cache, "key"));
    put(whole);
    CHECK(load(cache, "key"));
    put(whole.substr(0, 100));
    store(cache, "key", "new");
    CHECK(load(cache, "key") == "new");
    fs::remove(entry);
    fs::create_directory(entry);  // stands in the way, and stays there
    store(cache, "key", "new");
    CHECK(!load(cache, "key"));
}

TEST_CASE("another key of the same hash is a miss") {
    const Place place;
    const DiskCache cache(place.cache());
    store(cache, "one", "1");
    const fs::path one = place.entries().at(0);
    store(cache, "two", "2");
    const std::vector<fs::path> both = place.entries();
    const fs::path two = both[0] == one ? both[1] : both[0];
    fs::rename(one, two);
    CHECK(!load(cache, "two"));
}

TEST_CASE("what was not read for the longest goes when the bound is reached") {
    const Place place;
    const DiskCache cache(place.cache(), 64 << 10);
    const std::string kilobytes(4000, 'x');
    const auto name = [](int i) { return "key " + std::to_string(i); };
    std::map<int, fs::path> files;
    for (int i = 0; i < 10; ++i) {
        const std::vector<fs::path> before = place.entries();
        store(cache, name(i), kilobytes);
        for (const fs::path& path : place.entries())
            if (std::ranges::find(before, path) == before.end()) files[i] = path;
        set_age(files[i], 10000 - 100 * i);
    }
    CHECK(load(cache, name(0)));  // which makes it the last to go
    for (int i = 10; i < 100; ++i) {
        store(cache, name(i), kilobytes);
        uint64_t total = 0;
        for (const fs::path& path : place.entries()) total += fs::file_size(path);
        CHECK(total <= 64 << 10);
        if (i == 17) {
            CHECK(load(cache, name(0)));
            CHECK(!load(cache, name(1)));
            CHECK(load(cache, name(9)));
        }
    }
    CHECK(place.entries().size() > 8);
    store(cache, "large", std::string(9 << 10, 'x'));
    CHECK(!load(cache, "large"));
}

TEST_CASE("what dead writers left is taken away; what is not ours stays") {
    const Place place;
    const DiskCache cache(place.cache(), 64 << 10);
    store(cache, "key", "value");
    const fs::path dead = fs::path(place.cache()) / "temporary-dead",
                   alive = fs::path(place.cache()) / "temporary-alive",
                   other = fs::path(place.cache()) / "README";
    for (const fs::path& path : {dead, alive, other}) std::ofstream(path) << "text";
    set_age(dead, 3600);
    set_age(other, 3600);
    for (int i = 0; i < 100; ++i) store(cache, std::to_string(i), std::string(1000, 'x'));
    CHECK(!fs::exists(dead));
    CHECK(fs::exists(alive));
    CHECK(fs::exists(other));
}

TEST_CASE("where nothing can be written there is nothing to load") {
    const Place place;
    std::ofstream(place.folder / "a") << "a file where a folder should be";
    const DiskCache cache(place.cache());
    store(cache, "key", "value");
    CHECK(!load(cache, "key"));
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
    for (const char* size : {"0", "-1", "1X", "M", "99999999999G"}) {
        const Environment wrong{{"CALDERA_CACHE_SIZE", size}};
        CHECK(folder() == "none");
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
