// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/settings.h"

#include <doctest/doctest.h>

#include "spirv/support/process.h"

using namespace caldera;
using namespace caldera::runtime;

TEST_CASE("settings: a program has defaults of its own") {
    CHECK(program_setting("hashcat", "CALDERA_MIN_LOCAL") == "8K");
    CHECK(program_setting("hashcat", "CALDERA_CACHE").empty());
    CHECK(program_setting("hashcat2", "CALDERA_MIN_LOCAL").empty());
    CHECK(program_setting("", "CALDERA_MIN_LOCAL").empty());
}

TEST_CASE("settings: the program that runs has a name") { CHECK(executable_name() == "unit_runtime"); }
