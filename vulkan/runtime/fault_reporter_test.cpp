// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/fault_reporter.h"

#include <doctest/doctest.h>

using namespace caldera;

namespace {

/// The report of a load of 4 bytes, 8 bytes after the end of a variable of 16 bytes.
std::string text_beside(const vulkan::CheckObject& variable, const runtime::AllocationTable& allocations) {
    const vulkan::CheckSite site{.size_bytes = 4, .object = "table"};
    const vulkan::CheckRecord record{
        .count = 1, .address = variable.begin + 24, .begin = variable.begin, .size_bytes = 16};
    return runtime::FaultReporter({}, allocations).text_of({.site = &site, .record = &record, .kernel = "k"});
}

}  // namespace

TEST_CASE("fault reporter: an access that straddles the end of a buffer is in no other buffer") {
    runtime::AllocationTable allocations;
    allocations.add({0x10000, 256});
    const vulkan::CheckSite site{.size_bytes = 8};
    const vulkan::CheckRecord record{.count = 1, .address = 0x100fc, .begin = 0x10000, .size_bytes = 256};
    const std::string text =
        runtime::FaultReporter({}, allocations).text_of({.site = &site, .record = &record, .kernel = "k"});
    CHECK_MESSAGE(
        text.find("with its last 4 bytes after the end of an object of 256 bytes\n") != std::string::npos,
        text);
}

TEST_CASE("allocation table: a removed stretch is forgotten where something else has its memory") {
    runtime::AllocationTable allocations;
    for (const uint64_t begin : {0x1000u, 0x2000u, 0x3000u}) {
        allocations.add({begin, 256});
        allocations.remove({begin, 256});
    }
    allocations.take({0x10f0, 64});
    CHECK_FALSE(allocations.find_removed(0x1000));
    CHECK(allocations.find_removed(0x2000));
    allocations.add({0x2000, 16});
    CHECK_FALSE(allocations.find_removed(0x2080));
    CHECK(allocations.find_removed(0x3000));
}

TEST_CASE("fault reporter: a freed buffer is named, unless the object has taken its memory") {
    constexpr vulkan::CheckObject kVariable = {0x10000, 16};
    const std::string place = "8 bytes after the end of variable 'table' of 16 bytes";
    struct Freed {
        vulkan::CheckObject buffer;
        std::string more;
    };
    for (const Freed& freed :
         {Freed{{0x10010, 64}, ", 8 bytes into a freed buffer of 64 bytes"}, Freed{{0x10000, 256}, ""},
          Freed{{0xff00, 0x200}, ""}, Freed{{0x1000f, 64}, ""}, Freed{{0x10019, 64}, ""}}) {
        runtime::AllocationTable allocations;
        allocations.add(freed.buffer);
        allocations.remove(freed.buffer);
        const std::string text = text_beside(kVariable, allocations);
        CHECK_MESSAGE(text.find(place + freed.more + "\n") != std::string::npos, text);
    }
}
