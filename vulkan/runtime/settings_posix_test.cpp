// SPDX-License-Identifier: Apache-2.0
// What the environment's variables set: POSIX systems change it by setenv().
#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/support/captured_stderr.h"
#include "vulkan/runtime/disk_cache.h"
#include "vulkan/runtime/settings.h"

using namespace caldera;
using namespace caldera::runtime;

namespace {

/// A variable while it has a value.
class Set {
 public:
    Set(const char* name, const char* value) : name_(name) {
        if (const char* const before = std::getenv(name)) before_ = before;
        setenv(name, value, 1);
    }
    ~Set() {
        if (before_)
            setenv(name_, before_->c_str(), 1);
        else
            unsetenv(name_);
    }

 private:
    const char* const name_;
    std::optional<std::string> before_ = {};
};

}  // namespace

TEST_CASE("settings: what the user sets is stronger than a program's default") {
    CHECK(setting("CALDERA_MIN_LOCAL").empty());
    const Set minimum("CALDERA_MIN_LOCAL", "1K");
    CHECK(setting("CALDERA_MIN_LOCAL") == "1K");
}

TEST_CASE("settings: numbers of bytes") {
    const auto bytes = [](const char* value) {
        const Set set("CALDERA_TEST", value);
        return bytes_setting("CALDERA_TEST", "1G");
    };
    const std::string nothing = written_to_stderr([&] {
        CHECK(bytes("") == std::nullopt);
        CHECK(bytes("0") == 0u);
        CHECK(bytes("65536") == 65536u);
        CHECK(bytes("3K") == 3072u);
        CHECK(bytes("2M") == 2u << 20);
        CHECK(bytes("16G") == uint64_t{16} << 30);
    });
    CHECK(nothing.empty());
    const std::string expected =
        "' is not understood: expected a number of bytes, as 65536, 64K, 16M or 1G; ";
    for (const std::string value :
         {"4GB", "1 G", "-1", "1.5G", "k", "99999999999G", "18446744073709551616"}) {
        CHECK(written_to_stderr([&] { CHECK(bytes(value.c_str()) == std::nullopt); }) ==
              "caldera: warning: CALDERA_TEST='" + value + expected + "1G is taken\n");
        CHECK(written_to_stderr([&] { CHECK(bytes(value.c_str()) == std::nullopt); }).empty());  // once
    }
}

TEST_CASE("settings: flags and words") {
    const auto flag = [](const char* value, bool otherwise) {
        const Set set("CALDERA_TEST", value);
        return flag_setting("CALDERA_TEST", otherwise);
    };
    const auto word = [](const char* value) {
        constexpr std::string_view kWords[] = {"auto", "on", "off"};
        const Set set("CALDERA_TEST", value);
        return word_setting("CALDERA_TEST", kWords);
    };
    const std::string nothing = written_to_stderr([&] {
        for (const bool otherwise : {false, true}) {
            CHECK(flag("", otherwise) == otherwise);
            CHECK(flag("0", otherwise) == false);
            CHECK(flag("1", otherwise) == true);
        }
        CHECK(word("") == 0);
        CHECK(word("auto") == 0);
        CHECK(word("off") == 2);
    });
    CHECK(nothing.empty());
    CHECK(written_to_stderr([&] { CHECK(flag("true", false) == false); }) ==
          "caldera: warning: CALDERA_TEST='true' is not understood: expected 0 or 1; 0 is taken\n");
    CHECK(written_to_stderr([&] { CHECK(flag("true", true) == true); }) ==
          "caldera: warning: CALDERA_TEST='true' is not understood: expected 0 or 1; 1 is taken\n");
    CHECK(
        written_to_stderr([&] { CHECK(word("Off") == 0); }) ==
        "caldera: warning: CALDERA_TEST='Off' is not understood: expected auto, on or off; auto is taken\n");
    CHECK(written_to_stderr([&] { CHECK(word("Off") == 0); }).empty());
}

TEST_CASE("settings: a folder for the cache that cannot be used is told once, where it was asked for") {
    const std::byte some[4] = {};
    const auto store = [&] { DiskCache::of_user()->store(some, some); };
    const Set cache("CALDERA_CACHE", "1");
    const Set folder("CALDERA_CACHE_DIR", "/dev/null/cache");
    CHECK(written_to_stderr(store) ==
          "caldera: warning: CALDERA_CACHE_DIR='/dev/null/cache': no folder can be made or used there "
          "that only its owner writes to; nothing is cached\n");
    CHECK(written_to_stderr(store).empty());
    const Set none("CALDERA_CACHE_DIR", ""), base("XDG_CACHE_HOME", "/dev/null");
    CHECK(written_to_stderr(store).empty());
}

TEST_CASE("settings: a size of the cache that is not understood leaves a cache") {
    const Set folder("CALDERA_CACHE_DIR", "/nowhere"), cache("CALDERA_CACHE", "1");
    CHECK(DiskCache::of_user());
    const std::string text = written_to_stderr([] {
        const Set size("CALDERA_CACHE_SIZE", "2 GB");
        CHECK(DiskCache::of_user());
    });
    CHECK(text.starts_with("caldera: warning: CALDERA_CACHE_SIZE='2 GB' is not understood: "));
    const Set none("CALDERA_CACHE_SIZE", "0");
    CHECK_FALSE(DiskCache::of_user());
}
