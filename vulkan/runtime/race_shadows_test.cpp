// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/race_shadows.h"

#include <doctest/doctest.h>

#include <bit>
#include <vector>

#include "vulkan/runtime/open_device.h"

using namespace caldera;
using namespace caldera::runtime;
using vulkan::CheckObject;

TEST_CASE("what a launch was given has shadows, however small, and what cannot have one takes no room") {
    const auto device = open_device().take();
    if (!device->has_addresses()) return;
    RaceShadows shadows(*device);
    const std::vector<CheckObject> objects = {{.begin = 0x1000, .size_bytes = 64},
                                              {.begin = 0x2000, .size_bytes = 8},
                                              {.begin = 0x2000, .size_bytes = 8}};
    const std::vector<uint64_t> addresses = {0x2004, 0x1800};
    LaunchShadows found = shadows.prepare(objects, 2, addresses, 0, 1);
    CHECK(found.of_objects[0] == 0);  // nobody was given it
    CHECK(found.of_objects[1] != 0);
    CHECK(found.of_objects[2] == found.of_objects[1]);
    REQUIRE(found.buffer);
    CHECK(found.used_bytes <= found.buffer->size_bytes());

    const std::vector<CheckObject> parts = {{.begin = 0x1000, .size_bytes = 64},
                                            {.begin = 0x1010, .size_bytes = 8},
                                            {.begin = 0x1040, .size_bytes = 8}};
    const std::vector<uint64_t> given = {0x1010};
    found = shadows.prepare(parts, 1, given, 0, 1);
    CHECK(found.of_objects[1] == found.of_objects[0] + 0x10 * 2);
    CHECK(found.of_objects[2] == 0);  // behind it

    found = shadows.prepare(objects, 2, addresses, 300, 4);
    CHECK(found.local != 0);
    CHECK(found.local_count == 4);
    CHECK(found.local_bytes > 300);
    CHECK(std::has_single_bit(found.local_bytes));  // the bits of a place are those of its offset

    const std::vector<CheckObject> all = {{.begin = 1, .size_bytes = (uint64_t{1} << 62) - 1}};
    RaceShadows others(*device);
    found = others.prepare(all, 1, addresses, 0, 1);
    CHECK(found.of_objects[0] == 0);
    CHECK(!found.buffer);
}
