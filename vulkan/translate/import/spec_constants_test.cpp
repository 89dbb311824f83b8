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

TEST_CASE("fix_spec_constants: casts of bits between vectors, and what functions compute instead") {
    const std::string text = text_after(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability Int16
OpMemoryModel Physical64 OpenCL
OpName %wide "wide"
OpName %narrow "narrow"
OpName %real "real"
OpName %none "none"
%void = OpTypeVoid
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%short4 = OpTypeVector %short 4
%int2 = OpTypeVector %int 2
%one = OpSpecConstant %int 1
%big = OpConstant %int 0x40490002
%v = OpSpecConstantComposite %int2 %one %big
%wide = OpSpecConstantOp %long Bitcast %v
%narrow = OpSpecConstantOp %short4 Bitcast %wide
%high = OpSpecConstantOp %int CompositeExtract %v 1
%real = OpSpecConstantOp %f32 Bitcast %high
%zero = OpConstantNull %long
%none = OpSpecConstantOp %long UDiv %wide %zero
%nothing = OpSpecConstantOp %long IAdd %none %wide
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%r = OpIAdd %long %nothing %nothing
OpReturn
OpFunctionEnd
)",
                                        spirv::Target::OpenCL20, [](spirv::Module& module) {
                                            const auto done = fix_spec_constants(module, {});
                                            CHECK_MESSAGE(done, why(done));
                                            return true;
                                        });
    CHECK_MESSAGE(contains(text, "%wide = OpConstant %ulong 4632233700317200385"), text);
    CHECK_MESSAGE(
        contains(text, "%narrow = OpConstantComposite %v4ushort %ushort_1 %ushort_0 %ushort_2 %ushort_16457"),
        text);
    CHECK_MESSAGE(contains(text, "%real = OpConstant %float 3.14"), text);
    CHECK_MESSAGE(contains(text, "OpUDiv %ulong %wide"), text);
    CHECK_FALSE(contains(text, "OpSpecConstantOp"));
}

TEST_CASE("fix_spec_constants: remainders and conversions of floats") {
    const std::string text = text_after(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Float64
OpMemoryModel Physical64 OpenCL
OpName %rest "rest"
OpName %modulus "modulus"
OpName %unsigned "unsigned"
OpName %signed "signed"
OpName %up "up"
OpName %real "real"
OpName %narrow "narrow"
OpDecorate %up FPRoundingMode RTP
%int = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%x = OpSpecConstant %f32 -2.5
%two = OpConstant %f32 2
%big = OpSpecConstant %int 16777217
%third = OpSpecConstant %f64 0.33333333333333331
%rest = OpSpecConstantOp %f32 FRem %x %two
%modulus = OpSpecConstantOp %f32 FMod %x %two
%positive = OpSpecConstantOp %f32 FNegate %x
%unsigned = OpSpecConstantOp %int ConvertFToU %positive
%signed = OpSpecConstantOp %int ConvertFToS %x
%up = OpSpecConstantOp %int ConvertFToS %x
%real = OpSpecConstantOp %f32 ConvertUToF %big
%narrow = OpSpecConstantOp %f32 FConvert %third
%line = OpTypeArray %int %unsigned
)",
                                        spirv::Target::OpenCL20, [](spirv::Module& module) {
                                            const auto done = fix_spec_constants(module, {});
                                            CHECK_MESSAGE(done, why(done));
                                            return true;
                                        });
    for (auto line : {"%rest = OpConstant %float -0.5", "%modulus = OpConstant %float 1.5",
                      "%unsigned = OpConstant %uint 2", "%signed = OpConstant %uint 4294967294",
                      "%real = OpConstant %float 16777216", "%narrow = OpConstant %float 0.333333343"})
        CHECK_MESSAGE(contains(text, line), text);
    CHECK_FALSE(contains(text, "%up = OpConstant "));
}
