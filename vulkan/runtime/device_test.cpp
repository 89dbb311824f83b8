// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/device.h"

#include <doctest/doctest.h>

#include "tests/support/other_environments.h"

using namespace caldera;
using namespace caldera::runtime;

TEST_CASE("a device is selected by its index or a part of its name, in capitals or not") {
    const DeviceInfo info{.name = "NVIDIA llvmpipe"};
    CHECK(selects("3", info, 3));
    CHECK(!selects("3", info, 2));
    CHECK(selects("nvidia", info, 0));
    CHECK(selects("LLVMPIPE", info, 0));
    CHECK(!selects("amd", info, 0));
}

TEST_CASE("names are the same in Turkish, which has other capitals of i") {
    const testing::InLocale locale("tr_TR.UTF-8");
    if (!locale.is_there()) {
        MESSAGE("skipped: the system has no locale tr_TR.UTF-8");
        return;
    }
    const DeviceInfo info{.name = "NVIDIA llvmpipe"};
    CHECK(selects("nvidia", info, 0));
    CHECK(selects("LLVMPIPE", info, 0));
}
