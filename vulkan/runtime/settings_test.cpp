// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/settings.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "spirv/support/process.h"

using namespace caldera;
using namespace caldera::runtime;

TEST_CASE("settings: a program has defaults of its own") {
    CHECK(program_setting("hashcat", "CALDERA_MIN_LOCAL") == "8K");
    CHECK(program_setting("hashcat", "CALDERA_CACHE").empty());
    CHECK(program_setting("hashcat2", "CALDERA_MIN_LOCAL").empty());
    CHECK(program_setting("", "CALDERA_MIN_LOCAL").empty());
}

TEST_CASE("settings: the program that runs has a name, and what the user sets is stronger") {
    CHECK(executable_name() == "unit_runtime");
    CHECK(setting("CALDERA_MIN_LOCAL").empty());
#ifndef _WIN32
    setenv("CALDERA_MIN_LOCAL", "1K", 1);
    CHECK(setting("CALDERA_MIN_LOCAL") == "1K");
    unsetenv("CALDERA_MIN_LOCAL");
#endif
}
