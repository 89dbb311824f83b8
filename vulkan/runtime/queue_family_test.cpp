// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/queue_family.h"

#include <doctest/doctest.h>

using namespace caldera::runtime;

TEST_CASE("each family that uses buffers is named once") {
    QueueFamilies families{.compute = {.index = 2}};
    CHECK(families.users() == std::vector<uint32_t>{2});
    families.recording = {0, 2, 0};
    CHECK(families.users() == std::vector<uint32_t>{0, 2});
    families.copies = QueueFamily{.index = 1};
    CHECK(families.users() == std::vector<uint32_t>{0, 1, 2});
}
