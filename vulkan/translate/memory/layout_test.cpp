// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/layout.h"

#include <doctest/doctest.h>

#include "spirv/spirv.h"

namespace caldera::vulkan::memory {

TEST_CASE("layout: OpenCL's sizes and offsets (6.1.5)") {
    const auto words = spirv::assemble(R"(
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Int8
        OpCapability Int16
        OpCapability Int64
        OpMemoryModel Physical64 OpenCL
        OpDecorate %9 CPacked
        %1 = OpTypeInt 8 0
        %2 = OpTypeInt 32 0
        %3 = OpTypeFloat 32
        %4 = OpTypeVector %3 3
        %5 = OpConstant %2 5
        %6 = OpTypeArray %4 %5
        %7 = OpTypePointer CrossWorkgroup %3
        %8 = OpTypeStruct %1 %4 %7 %1
        %9 = OpTypeStruct %1 %2 %7
        %10 = OpTypeBool
        %11 = OpTypeStruct
    )",
                                       spirv::Target::OpenCL20);
    REQUIRE(words);
    const auto module = spirv::read(*words);
    REQUIRE(module);
    const Layout layout(*module);
    CHECK(layout[Id{4}].size_bytes == 16);  // three components take four elements
    CHECK(layout[Id{4}].align_bytes == 16);
    CHECK(layout[Id{6}].size_bytes == 80);
    CHECK(layout[Id{8}].offsets == std::vector<uint64_t>{0, 16, 32, 40});
    CHECK(layout[Id{8}].size_bytes == 48);
    CHECK(layout[Id{8}].has_pointer);
    CHECK(layout[Id{9}].offsets == std::vector<uint64_t>{0, 1, 5});
    CHECK(layout[Id{9}].size_bytes == 13);
    CHECK(layout[Id{9}].align_bytes == 1);
    CHECK(layout[Id{10}].size_bytes == 1);
    CHECK(layout[Id{11}].size_bytes == 0);
}

}  // namespace caldera::vulkan::memory
