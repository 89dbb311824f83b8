// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/demote.h"

#include <algorithm>

#include "vulkan/translate/flow/disjoint_lives.h"
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

ReadModule function_with(std::string_view body) {
    return read_text(R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%c1 = OpConstant %int 1
%f1 = OpConstant %float 1
%private = OpTypePointer Function %int
%ints = OpConstant %int 64
%array = OpTypeArray %int %ints
%arrays = OpTypePointer Function %array
%fn = OpTypeFunction %void %int %bool
%fn_f = OpTypeFunction %int %int
%f = OpFunction %int None %fn_f
%n = OpFunctionParameter %int
%f_entry = OpLabel
OpReturnValue %n
OpFunctionEnd
%k = OpFunction %void None %fn
%a = OpFunctionParameter %int
%c = OpFunctionParameter %bool
%entry = OpLabel
)" + std::string(body) + R"(
OpReturn
OpFunctionEnd
)",
                     spirv::Target::OpenCL20);
}

/// How many variables take the function's phis.
size_t variables_of_phis(std::string_view body) {
    ReadModule read = function_with(body);
    spirv::Builder builder(read.module);
    demote_phis(builder, read.module.functions[1]);
    CHECK(spirv::verify(read.module));
    size_t count = 0;
    for (const spirv::Instruction& inst : read.module.functions[1].blocks[0].body)
        count += inst.op == spv::Op::OpVariable;
    return count;
}

/// The numbers of the function's results in their order: a letter for each one, '-' for none. The blocks that
/// end with a call are the ends.
std::string numbers(std::string_view body) {
    ReadModule read = function_with(body);
    const spirv::Builder builder(read.module);
    const spirv::Function& function = read.module.functions[1];
    std::vector<bool> ends;
    for (const spirv::Block& block : function.blocks)
        ends.push_back(!block.body.empty() && block.body.back().op == spv::Op::OpFunctionCall);
    const auto found = disjoint_lives(builder, function, ends);
    std::string text;
    for (const spirv::Block& block : function.blocks)
        for (const spirv::Instruction& inst : block.body)
            if (inst.result && inst.op != spv::Op::OpVariable) {
                const auto number = found.find(inst.result);
                text += number == found.end() ? '-' : static_cast<char>('a' + number->second);
            }
    return text;
}

/// Two ways that meet: `#` is the number.
std::string fork(const std::string& number, const std::string& phis) {
    std::string text = R"(OpBranchConditional %c %left# %right#
%left# = OpLabel
%l# = OpIAdd %int %a %c1
OpBranch %joined#
%right# = OpLabel
%r# = OpISub %int %a %c1
OpBranch %joined#
%joined# = OpLabel
)" + phis;
    for (size_t at = text.find('#'); at != std::string::npos; at = text.find('#'))
        text.replace(at, 1, number);
    return text;
}

}  // namespace

TEST_CASE("demote_phis: phis of different blocks go through one variable") {
    const std::string phi = "%p# = OpPhi %int %l# %left# %r# %right#\n";
    CHECK(variables_of_phis(fork("1", phi)) == 1);
    CHECK(variables_of_phis(fork("1", phi) + fork("2", phi) + fork("3", phi)) == 1);
    // Those of one block live at the same time, and other types have others.
    const std::string both = phi + "%q# = OpPhi %int %r# %left# %l# %right#\n";
    const std::string real = "%s# = OpPhi %float %f1 %left# %f1 %right#\n";
    CHECK(variables_of_phis(fork("1", phi) + fork("2", both)) == 2);
    CHECK(variables_of_phis(fork("1", phi) + fork("2", real) + fork("3", real)) == 2);
}

TEST_CASE("demote_phis: phis of two blocks behind one block have two variables") {
    CHECK(variables_of_phis(R"(OpBranchConditional %c %one %two
%one = OpLabel
%p = OpPhi %int %a %entry %c1 %two
OpBranchConditional %c %out %two
%two = OpLabel
%q = OpPhi %int %c1 %entry %a %one
OpBranchConditional %c %out %one
%out = OpLabel
)") == 2);
}

TEST_CASE("disjoint_lives: each sum of a chain has the number of the one before") {
    // Only the last result lives at no further call.
    CHECK(numbers(R"(%x1 = OpIAdd %int %a %c1
%r1 = OpFunctionCall %int %f %a
OpBranch %b2
%b2 = OpLabel
%x2 = OpIAdd %int %x1 %r1
%r2 = OpFunctionCall %int %f %a
OpBranch %b3
%b3 = OpLabel
%x3 = OpIAdd %int %x2 %r2
%r3 = OpFunctionCall %int %f %a
OpBranch %b4
%b4 = OpLabel
%x4 = OpIAdd %int %x3 %r3
)") == "a-a-a--");
}

TEST_CASE("disjoint_lives: values that live at the same time have different numbers") {
    // %x1 is used behind %x2's beginning, %y is a float, and %x1's last use is where %x3 is made.
    CHECK(numbers(R"(%x1 = OpIAdd %int %a %c1
%y = OpFAdd %float %f1 %f1
%r1 = OpFunctionCall %int %f %a
OpBranch %b2
%b2 = OpLabel
%x2 = OpIAdd %int %a %r1
%x3 = OpIAdd %int %x1 %c1
%r2 = OpFunctionCall %int %f %a
OpBranch %b3
%b3 = OpLabel
%sum = OpIAdd %int %x2 %x3
%z = OpFAdd %float %y %y
)") == "ab-ca---");
    // In a loop a value lives at the end of each turn. %x2 is made while %x1 lives.
    CHECK(numbers(R"(%x1 = OpIAdd %int %a %c1
OpBranch %loop
%loop = OpLabel
%x2 = OpIAdd %int %x1 %c1
%r1 = OpFunctionCall %int %f %a
OpBranch %latch
%latch = OpLabel
%x3 = OpIAdd %int %x2 %c1
OpBranchConditional %c %loop %out
%out = OpLabel
)") == "ab--");
}

TEST_CASE("disjoint_lives: what a pointer is computed from lives as long as the pointer") {
    const std::string begin = "%v = OpVariable %arrays Function\n";
    const auto with = [&](const std::string& pointer, const std::string& use) {
        return numbers(begin + "%i = OpIAdd %int %a %c1\n" + pointer + R"(%r1 = OpFunctionCall %int %f %a
OpBranch %b2
%b2 = OpLabel
%x = OpIAdd %int %a %r1
%r2 = OpFunctionCall %int %f %a
OpBranch %b3
%b3 = OpLabel
)" + use + "OpStore %p %x\n");
    };
    CHECK(with("%p = OpInBoundsAccessChain %private %v %i\n", "") == "ab-c-");
    CHECK(with("%p = OpInBoundsAccessChain %private %v %c1\n", "") == "-a-b-");
}
