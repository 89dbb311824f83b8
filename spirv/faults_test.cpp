// SPDX-License-Identifier: Apache-2.0
#include "spirv/faults.h"
#include "tests/support/why.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace caldera;
using namespace caldera::spirv;

namespace {

constexpr const char* kHead = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "k.cl"
OpName %main "main"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%bool = OpTypeBool
%one = OpConstant %uint 1
%half = OpConstant %float 0.5
%true = OpConstantTrue %bool
)";
constexpr const char* kMain = "%main = OpFunction %void None %fn\n%entry = OpLabel\n";
constexpr const char* kEnd = "OpReturn\nOpFunctionEnd\n";

std::vector<uint32_t> assembled(const std::string& text) {
    Result<std::vector<uint32_t>> words = assemble(text, Target::Vulkan12);
    REQUIRE_MESSAGE(static_cast<bool>(words), why(words));
    return words.take();
}

Faults faults_of(const std::string& body, std::string head = kHead) {
    return find_faults(assembled(head + kMain + body + kEnd), Target::Vulkan12);
}

/// The faults' messages, a line each.
std::string messages(const Faults& faults) {
    std::string text;
    for (const Fault& fault : faults.found) text += fault.message + "\n";
    return text;
}

}  // namespace

TEST_CASE("a valid module has no faults") {
    const Faults faults = faults_of("%sum = OpIAdd %uint %one %one\n");
    CHECK(faults.found.empty());
    CHECK(faults.is_complete);
}

TEST_CASE("a fault has its instruction, function, source line, bytes and what to do") {
    const Faults faults = faults_of("OpLine %file 7 3\n%sum = OpIAdd %uint %one %half\n");
    REQUIRE(faults.found.size() == 1);
    const Fault& fault = faults.found[0];
    CHECK(fault.message == "Expected int scalar or vector type as operand: IAdd operand index 3");
    CHECK(fault.instruction == "%12 = OpIAdd %uint %uint_1 %float_0_5");
    CHECK(fault.function == "main");
    CHECK(fault.file == "k.cl");
    CHECK(fault.line == 7);
    CHECK(fault.column == 3);
    CHECK(fault.ordinal == 18);
    CHECK(fault.length_bytes == 20);
    CHECK(!fault.hint.empty());
    CHECK(faults.is_complete);
}

TEST_CASE("the source line is that of DebugLine, too") {
    const Faults faults = find_faults(assembled(R"(OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "dir/k.cl"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%one = OpConstant %uint 1
%line = OpConstant %uint 21
%column = OpConstant %uint 9
%half = OpConstant %float 0.5
%source = OpExtInst %void %set DebugSource %file
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpExtInst %void %set DebugLine %source %line %line %column %column
%sum = OpIAdd %uint %one %half
%no = OpExtInst %void %set DebugNoLine
%more = OpIAdd %uint %one %half
OpReturn
OpFunctionEnd
)"),
                                      Target::Vulkan12);
    REQUIRE(faults.found.size() == 2);
    CHECK(faults.found[0].file == "dir/k.cl");
    CHECK(faults.found[0].line == 21);
    CHECK(faults.found[0].column == 9);
    CHECK(faults.found[1].file.empty());
}

TEST_CASE("what follows from a fault is none of its own, what does not is") {
    // The sum's type is wrong, and so are its users' operands only because of that.
    const Faults faults = faults_of(
        "%sum = OpIAdd %float %one %one\n%twice = OpIAdd %uint %sum %one\n%third = OpIMul %uint %one "
        "%half\n");
    CHECK(messages(faults) ==
          "Expected int scalar or vector type as Result Type: IAdd\n"
          "Expected int scalar or vector type as operand: IMul operand index 3\n");
}

TEST_CASE("a missing capability is one fault, whoever needs it") {
    const Faults faults = faults_of(
        "%sum = OpFConvert %double %half\n",
        std::string(kHead) + "%double = OpTypeFloat 64\n%d = OpConstant %double 1\n%long = OpTypeInt 64 0\n");
    CHECK(messages(faults) ==
          "Using a 64-bit floating point type requires the Float64 capability\n"
          "Using a 64-bit integer type requires the Int64 capability\n");
}

TEST_CASE("wrong control flow does not hide what is wrong in its blocks") {
    const Faults faults = faults_of(
        "OpBranchConditional %true %then %join\n%then = OpLabel\n%sum = OpIAdd %uint %one %half\nOpBranch "
        "%join\n"
        "%join = OpLabel\n%phi = OpPhi %uint %one %entry %sum %then\n%third = OpIMul %uint %one %half\n");
    CHECK(messages(faults) ==
          "Selection must be structured\n"
          "Expected int scalar or vector type as operand: IAdd operand index 3\n"
          "Expected int scalar or vector type as operand: IMul operand index 3\n");
}

TEST_CASE("ids that nothing defines are reported where they are used") {
    std::vector<uint32_t> words =
        assembled(std::string(kHead) + kMain + "%sum = OpIAdd %uint %one %one\n" + kEnd);
    const uint32_t fresh = words[3]++;
    const std::vector<uint32_t> add = {5u << 16 | static_cast<uint32_t>(spv::Op::OpIAdd)};
    const auto at = std::ranges::search(words, add).begin();
    REQUIRE(at != words.end());
    at[3] = fresh;
    at[4] = fresh;
    const Faults faults = find_faults(words, Target::Vulkan12);
    REQUIRE(faults.found.size() == 1);
    CHECK(faults.found[0].message.starts_with("ID %"));
    CHECK(faults.found[0].message.ends_with(" has not been defined"));
    CHECK(faults.found[0].ordinal == 17);
}

TEST_CASE("words that are no instructions") {
    std::vector<uint32_t> words = assembled(std::string(kHead) + kMain + kEnd);
    std::vector<uint32_t> broken = words;
    broken.push_back(9u << 16);  // longer than what is left
    CHECK(messages(find_faults(broken, Target::Vulkan12)).find("runs past the end") != std::string::npos);
    broken = words;
    broken.insert(broken.end() - 1, (1u << 16) | 0xfff0);
    const Faults unknown = find_faults(broken, Target::Vulkan12);
    CHECK(messages(unknown).starts_with("Invalid opcode"));
    for (size_t length = 0; length < words.size(); ++length)  // none crashes
        CHECK(!find_faults(std::span(words).first(length), Target::Vulkan12).found.empty());
}

TEST_CASE("a name of an id that nothing defines does not hide the rest") {
    const Faults faults = faults_of("%sum = OpIAdd %uint %one %half\n",
                                    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
                                    "OpEntryPoint GLCompute %main \"main\"\n"
                                    "OpExecutionMode %main LocalSize 1 1 1\nOpName %no \"no\"\n"
                                    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
                                    "%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"
                                    "%one = OpConstant %uint 1\n%half = OpConstant %float 0.5\n");
    CHECK(messages(faults) ==
          "ID %no has not been defined\n"
          "Expected int scalar or vector type as operand: IAdd operand index 3\n");
}

TEST_CASE("a module for Vulkan is not for OpenCL, whatever version it has") {
    const std::string shader = std::string(kHead) + kMain + kEnd;
    const std::string kernel =
        "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
        "OpMemoryModel Physical64 OpenCL\n"
        "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
        "%k = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
    for (const Target target : {Target::OpenCL12, Target::OpenCL22, Target::OpenCL30, Target::OpenCL31}) {
        CAPTURE(name(target));
        for (uint32_t version : {0x00010000u, 0x00010200u, 0x00010400u, 0x00010600u}) {
            CAPTURE(version);
            std::vector<uint32_t> words = assembled(shader);
            words[1] = version;
            CHECK(!find_faults(words, target).found.empty());
            CHECK(!validate(words, target));
            words = assembled(kernel);
            words[1] = version;
            CHECK(find_faults(words, target).found.empty());
            CHECK(validate(words, target));
        }
    }
    std::vector<uint32_t> words = assembled(shader);
    words[1] = 0x00010400;
    const Faults faults = find_faults(words, Target::OpenCL31);
    REQUIRE(!faults.found.empty());
    CHECK(faults.found[0].message ==
          "Capability Shader is not allowed by opencl3.1: the module is for Vulkan");
    CHECK(faults.found[0].instruction == "OpCapability Shader");
}

TEST_CASE("a fault of the header is one fault") {
    const std::vector<uint32_t> words = assembled(std::string(kHead) + kMain + kEnd);
    const auto changed = [&](size_t at, uint32_t word) {
        std::vector<uint32_t> other = words;
        other[at] = word;
        return find_faults(other, Target::Vulkan12);
    };
    for (const auto& [version, text] : {std::pair(0x00010700u, "1.7"),
                                        {0x00020000u, "2.0"},
                                        {0u, "0.0"},
                                        {0x00010501u, "1.5.1"},
                                        {0x00000900u, "0.9"}}) {
        const Faults faults = changed(1, version);
        CHECK(messages(faults) == "version " + std::string(text) + " is not known\n");
        CHECK(!faults.is_complete);
    }
    CHECK(messages(changed(4, 5)) == "the schema is 5; the only one is 0\n");
    CHECK(changed(4, 5).is_complete);
    const std::string highest = ", and the highest id is " + std::to_string(words[3] - 1) + "\n";
    CHECK(messages(changed(3, 1)) == "the id bound is 1" + highest);
    CHECK(messages(changed(3, 0)) == "the id bound is 0" + highest);
    CHECK(messages(changed(3, words[3] - 1)) == "the id bound is " + std::to_string(words[3] - 1) + highest);
    CHECK(changed(3, words[3] + 1).found.empty());
    // The other faults are found as well.
    std::vector<uint32_t> more =
        assembled(std::string(kHead) + kMain + "%sum = OpIAdd %uint %one %half\n" + kEnd);
    more[3] = 2;
    CHECK(find_faults(more, Target::Vulkan12).found.size() == 2);
}

TEST_CASE("the most faults") {
    std::string body;
    for (int i = 0; i < 20; ++i) body += "%x" + std::to_string(i) + " = OpIAdd %uint %one %half\n";
    const std::vector<uint32_t> words = assembled(std::string(kHead) + kMain + body + kEnd);
    CHECK(find_faults(words, Target::Vulkan12).found.size() == 20);
    const Faults few = find_faults(words, Target::Vulkan12, 5);
    CHECK(few.found.size() == 5);
    CHECK(!few.is_complete);
}

TEST_CASE("every instruction of a module changed at random: no crash, and faults end") {
    const std::vector<uint32_t> words =
        assembled(std::string(kHead) + kMain +
                  "OpSelectionMerge %join None\nOpBranchConditional %true %then %join\n%then = OpLabel\n"
                  "%sum = OpIAdd %uint %one %one\nOpBranch %join\n%join = OpLabel\n%phi = OpPhi %uint %one "
                  "%entry %sum %then\n" +
                  kEnd);
    uint32_t random = 12345;
    for (int round = 0; round < 2000; ++round) {
        std::vector<uint32_t> changed = words;
        for (int change = 0; change < 1 + round % 3; ++change) {
            random = random * 1664525 + 1013904223;
            const size_t at = 5 + (random >> 8) % (changed.size() - 5);
            random = random * 1664525 + 1013904223;
            changed[at] = round % 2 == 0 ? random >> 27 : changed[5 + (random >> 8) % (changed.size() - 5)];
        }
        const Faults faults = find_faults(changed, Target::Vulkan12);
        CHECK(static_cast<bool>(validate(changed, Target::Vulkan12)) <= faults.is_complete);
        if (!validate(changed, Target::Vulkan12)) CHECK(!faults.found.empty());
    }
}
