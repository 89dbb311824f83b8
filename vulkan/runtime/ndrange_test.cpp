// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstddef>

#include "vulkan/local_size.h"

using caldera::vulkan::choose_local_extent;
using caldera::vulkan::Extent3;

TEST_CASE("local sizes, on the host as on the device") {
    const auto check = [](uint32_t dimensions, Extent3 size, uint64_t max_group, uint64_t max_local,
                          Extent3 expected) {
        const Extent3 local =
            choose_local_extent(dimensions, size, max_group, {{max_local, max_local, max_local}});
        CAPTURE(dimensions);
        CAPTURE(size.in[0]);
        CAPTURE(max_group);
        for (int d = 0; d < 3; ++d) CHECK(local.in[d] == expected.in[d]);
    };
#define CASE(dimensions, x, y, z, max_group, max_local, local_x, local_y, local_z) \
    check(dimensions, {{x, y, z}}, max_group, max_local, {{local_x, local_y, local_z}});
#include "tests/support/local_size_cases.def"
#undef CASE
}
