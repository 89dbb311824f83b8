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
