// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <ctime>

#include "spirv/spirv.h"

namespace caldera::spirv {
namespace {

/// A module with constants of one name, and two of other names that are taken from them.
std::string constants(size_t count) {
    std::string names, definitions;
    for (size_t i = 0; i < count; ++i) {
        const std::string id = "%c" + std::to_string(i);
        names += "OpName " + id + (i == 2 ? " \"x_1\"\n" : i == 5 ? " \"x.1\"\n" : " \"x\"\n");
        definitions += id + " = OpConstant %uint " + std::to_string(i) + "\n";
    }
    return "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
           "OpMemoryModel Physical64 OpenCL\n" +
           names + "%uint = OpTypeInt 32 0\n" + definitions;
}

std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> lines;
    for (size_t at = text.find("OpName"); at != std::string::npos; at = text.find("OpName", at + 1))
        lines.push_back(text.substr(at, text.find('\n', at) - at));
    return lines;
}

TEST_CASE("disassemble: names that are repeated often are as those that are repeated a few times") {
    const auto few = disassemble(*assemble(constants(20), Target::OpenCL20)),
               many = disassemble(*assemble(constants(60), Target::OpenCL20));
    REQUIRE(few);
    REQUIRE(many);
    const std::vector<std::string> first = names_in(*few), all = names_in(*many);
    REQUIRE(first.size() == 20);
    REQUIRE(all.size() == 60);
    for (size_t i = 0; i < first.size(); ++i) CHECK(first[i] == all[i]);
    CHECK(all[0] == "OpName %x \"x\"");
    CHECK(all[1] == "OpName %x_0 \"x\"");
    CHECK(all[5] == "OpName %x_1_0 \"x.1\"");
    CHECK(many->find("%x_0 = OpConstant %uint 1\n") != std::string::npos);
    CHECK(assemble(*many, Target::OpenCL20));
}

TEST_CASE("disassemble: a name that 60,000 values have takes no time by the square") {
    const auto words = assemble(constants(60000), Target::OpenCL20);
    const std::clock_t start = std::clock();
    const auto text = disassemble(*words);
    CHECK((std::clock() - start) / CLOCKS_PER_SEC < 30);  // by the square: minutes
    REQUIRE(text);
    CHECK(text->find("OpName %x_59996 \"x\"") != std::string::npos);
    CHECK(text->find("= OpConstant %uint 59999") != std::string::npos);
}

}  // namespace
}  // namespace caldera::spirv
