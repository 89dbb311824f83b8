// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/spec_constants.h"
#include "tests/support/why.h"

#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

TEST_CASE("fix_spec_constants: what is computed of constants may be an array's length") {
    const std::string text = text_after(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpName %negative "negative"
OpName %complement "complement"
OpName %modulus "modulus"
OpName %same "same"
OpName %other "other"
OpDecorate %minus_seven SpecId 1
%int = OpTypeInt 32 0
%bool = OpTypeBool
%minus_seven = OpSpecConstant %int 4294967289
%two = OpConstant %int 2
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
%negative = OpSpecConstantOp %int SNegate %minus_seven
%complement = OpSpecConstantOp %int Not %minus_seven
%modulus = OpSpecConstantOp %int SMod %minus_seven %two
%same = OpSpecConstantOp %bool LogicalEqual %true %false
%other = OpSpecConstantOp %bool LogicalNotEqual %true %false
%lines = OpTypeArray %int %negative
%rows = OpTypeArray %lines %complement
%planes = OpTypeArray %rows %modulus
)",
                                        spirv::Target::OpenCL20, [](spirv::Module& module) {
                                            const auto done = fix_spec_constants(module, {});
                                            CHECK_MESSAGE(done, why(done));
                                            return true;
                                        });
    CHECK(contains(text, "%negative = OpConstant %uint 7"));
    CHECK(contains(text, "%complement = OpConstant %uint 6"));
    CHECK(contains(text, "%modulus = OpConstant %uint 1"));
    CHECK(contains(text, "%same = OpConstantFalse %bool"));
    CHECK(contains(text, "%other = OpConstantTrue %bool"));
}

TEST_CASE("fix_spec_constants: parts of composites that are folded come before them") {
    const std::string text = text_after(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpName %v "v"
OpName %sum "sum"
OpName %x "x"
OpName %inserted "inserted"
OpName %next "next"
%int = OpTypeInt 32 0
%int2 = OpTypeVector %int 2
OpTypeForwardPointer %next CrossWorkgroup
%node = OpTypeStruct %int %next
%next = OpTypePointer CrossWorkgroup %node
%six = OpSpecConstant %int 6
%two = OpConstant %int 2
%v = OpSpecConstantComposite %int2 %six %two
%sum = OpSpecConstantOp %int2 IAdd %v %v
%x = OpSpecConstantOp %int CompositeExtract %sum 0
%inserted = OpSpecConstantOp %int2 CompositeInsert %six %sum 1
%four = OpConstant %int 4
%length = OpTypeArray %int %x
)",
                                        spirv::Target::OpenCL20, [](spirv::Module& module) {
                                            const auto done = fix_spec_constants(module, {});
                                            CHECK_MESSAGE(done, why(done));
                                            return true;
                                        });
    CHECK_MESSAGE(contains(text, "%sum = OpConstantComposite %v2uint %uint_12 %uint_4"), text);
    CHECK_MESSAGE(contains(text, "%x = OpConstant %uint 12"), text);
    CHECK_MESSAGE(contains(text, "%inserted = OpConstantComposite %v2uint %uint_12 %uint_6"), text);
}
