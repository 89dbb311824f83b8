// SPDX-License-Identifier: Apache-2.0
#include "spirv/specialize.h"

#include <doctest/doctest.h>

#include "spirv/spirv.h"

using namespace caldera;
using namespace caldera::spirv;

namespace {

constexpr const char* kModule = R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int8
OpCapability Int64
OpCapability Float64
OpMemoryModel Physical64 OpenCL
OpDecorate %byte_seven SpecId 1
OpDecorate %word SpecId 2
OpDecorate %wide SpecId 3
OpDecorate %single SpecId 4
OpDecorate %double SpecId 5
OpDecorate %flag SpecId 6
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%double_type = OpTypeFloat 64
%byte_seven = OpSpecConstant %uchar 7
%word = OpSpecConstant %uint 8
%wide = OpSpecConstant %ulong 9
%single = OpSpecConstant %float 1.5
%double = OpSpecConstant %double_type 2.5
%flag = OpSpecConstantTrue %bool
%sum = OpSpecConstantOp %uint IAdd %word %word
)";

std::vector<uint32_t> words() { return assemble(kModule, Target::OpenCL20).take(); }

/// The text of the module with the values as they are written.
std::string with(std::initializer_list<std::pair<uint32_t, const char*>> texts) {
    Module module = read(words()).take();
    SpecValues values;
    for (const auto& [id, text] : texts) values[id] = parse_spec_value(module, id, text).take();
    REQUIRE(specialize(module, values));
    return disassemble(write(module)).take();
}

bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("specialisation constants have their defaults where no value is given") {
    const std::string text = with({});
    for (const char* line :
         {"OpConstant %uchar 7", "OpConstant %uint 8", "OpConstant %ulong 9", "OpConstant %float 1.5",
          "OpConstant %double 2.5", "OpConstantTrue %bool", "OpSpecConstantOp %uint IAdd"})
        CHECK_MESSAGE(has(text, line), line, " in ", text);
    CHECK_FALSE(has(text, "SpecId"));
}

TEST_CASE("specialisation constants of each type have the values that are given") {
    const std::string text =
        with({{1, "255"}, {2, "-1"}, {3, "0x123456789abcdef0"}, {4, "-0.25"}, {5, "1e300"}, {6, "false"}});
    for (const char* line :
         {"OpConstant %uchar 255", "OpConstant %uint 4294967295", "OpConstant %ulong 1311768467463790320",
          "OpConstant %float -0.25", "e+300", "OpConstantFalse %bool"})
        CHECK_MESSAGE(has(text, line), line, " in ", text);
}

TEST_CASE("values that a specialisation constant cannot have") {
    const Module module = read(words()).take();
    auto refused = [&](uint32_t id, const char* text) { return !parse_spec_value(module, id, text); };
    CHECK(refused(7, "1"));
    for (const char* text : {"", "256", "-129", "1.5", "x", "0x", "1 ", "true", "99999999999999999999"})
        CHECK_MESSAGE(refused(1, text), text);
    for (const char* text : {"", "one", "1.5x"}) CHECK_MESSAGE(refused(4, text), text);
    CHECK(parse_spec_value(module, 1, "-128"));
    Module changed = read(words()).take();
    CHECK(specialize(changed, {{2, std::vector<std::byte>(8)}}).error().message ==
          "specialisation constant 2 has 4 bytes, not 8");
    CHECK(spec_constant_bytes(words(), 1) == 1);
    CHECK(spec_constant_bytes(words(), 5) == 8);
    CHECK(spec_constant_bytes(words(), 9) == 0);
}
