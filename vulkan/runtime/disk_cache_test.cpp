// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/disk_cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "vulkan/runtime/disk_cache_fixture.h"

using namespace caldera::runtime;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

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
        set_age(files[i], std::chrono::seconds(10000 - 100 * i));
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
    set_age(dead, 1h);
    set_age(other, 1h);
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
}
