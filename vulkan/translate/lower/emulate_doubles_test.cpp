// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "spirv/builder.h"
#include "vulkan/translate/pass_fixture.h"
#include "vulkan/translate/support/double_functions.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Float64
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %x "x"
OpName %y "y"
OpName %v "v"
OpName %n "n"
OpName %s "s"
OpName %ulong "ulong"
OpName %v2ulong "v2ulong"
OpDecorate %s NoContraction
%void = OpTypeVoid
%bool = OpTypeBool
%bool2 = OpTypeVector %bool 2
%double = OpTypeFloat 64
%double2 = OpTypeVector %double 2
%one_and_half = OpConstant %double 1.5
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%v2ulong = OpTypeVector %ulong 2
%pointer = OpTypePointer Function %double
%fn = OpTypeFunction %void %double %double %double2 %uint
%k = OpFunction %void None %fn
%x = OpFunctionParameter %double
%y = OpFunctionParameter %double
%v = OpFunctionParameter %double2
%n = OpFunctionParameter %uint
%entry = OpLabel
%variable = OpVariable %pointer Function
)";

/// Functions as link_builtins leaves them, which return a constant.
Result<Done> add_functions(spirv::Module& module, PassContext& context) {
    spirv::Builder builder(module);
    const spirv::Id u64 = builder.type_int(64), u32 = builder.type_int(32), f32 = builder.type_float(32);
    for (const std::string_view name : kDoubleFunctions) {
        const std::string_view parameters = name.substr(name.find_last_not_of("mijlf") + 1);
        const bool is_test =
            name.find("less") != std::string_view::npos || name.find("equal") != std::string_view::npos;
        const bool to_float = name.find("to_float") != std::string_view::npos;
        const spirv::Id result = is_test ? builder.type_bool() : to_float ? f32 : u64;
        std::vector<spirv::Id> types;
        for (const char each : parameters)
            types.push_back(each == 'f' ? f32 : each == 'i' || each == 'j' ? u32 : u64);
        context.variables.double_functions.push_back(
            builder.begin_function(result, builder.type_function(result, types)));
        builder.name(context.variables.double_functions.back(), name);
        for (const spirv::Id type : types) builder.param(type);
        builder.begin_block(builder.fresh());
        builder.return_value(is_test ? builder.constant_bool(true) : builder.constant_null(result));
        builder.end_function();
    }
    return Done{};
}

std::string emulated(std::string_view body) {
    const PassRun run = run_passes(std::string(kHead) + std::string(body) + "OpReturn\nOpFunctionEnd\n",
                                   {add_functions, emulate_doubles});
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpTypeFloat 64"));
    return run.text;
}

}  // namespace

TEST_CASE("emulate_doubles: where no functions are linked, doubles stay") {
    const std::string text = run_in_kernel(kHead, "%s = OpFAdd %double %x %y\n", emulate_doubles, {});
    CHECK(contains(text, "%s = OpFAdd %double %x %y"));
}

TEST_CASE("emulate_doubles: arithmetic calls functions, by component; others are gone") {
    const std::string sum = emulated("%s = OpFAdd %double %x %y\n");
    CHECK(contains(sum, "%x = OpFunctionParameter %ulong"));
    CHECK(contains(sum, "%s = OpFunctionCall %ulong %_Z10double_addmm %x %y"));
    CHECK(!contains(sum, "_Z10double_mulmm"));
    CHECK(!contains(sum, "NoContraction"));
    const std::string vector = emulated("%s = OpFMul %double2 %v %v\n");
    CHECK(count(vector, "OpFunctionCall %ulong %_Z10double_mulmm") == 2);
    CHECK(contains(vector, "%s = OpCompositeConstruct %v2ulong"));
    const std::string fused = emulated("%s = OpExtInst %double %glsl Fma %x %y %x\n");
    CHECK(contains(fused, "%s = OpFunctionCall %ulong %_Z10double_fmammm %x %y %x"));
    const std::string dot = emulated("%s = OpDot %double %v %v\n");
    CHECK(count(dot, "OpFunctionCall %ulong %_Z10double_mulmm") == 2);
    CHECK(count(dot, "OpFunctionCall %ulong %_Z10double_addmm") == 1);
}

TEST_CASE("emulate_doubles: signs and NaN are bits") {
    CHECK(contains(emulated("%s = OpFNegate %double %x\n"),
                   "%s = OpBitwiseXor %ulong %x %ulong_9223372036854775808"));
    CHECK(contains(emulated("%s = OpExtInst %double %glsl FAbs %x\n"),
                   "%s = OpBitwiseAnd %ulong %x %ulong_9223372036854775807"));
    CHECK(contains(emulated("%s = OpIsNan %bool2 %v\n"), "%s = OpUGreaterThan %v2bool"));
    CHECK(contains(emulated("%s = OpIsInf %bool %x\n"), "%s = OpIEqual %bool"));
}

TEST_CASE("emulate_doubles: comparisons by three functions") {
    const auto is = [](std::string_view instruction, std::string_view call, bool negated) {
        const std::string text =
            emulated("%s = " + std::string(instruction) + " %bool %x %y\n%t = OpLogicalNot %bool %s\n");
        CHECK(contains(text, "OpFunctionCall %bool " + std::string(call)));
        CHECK(contains(text, "%s = OpLogicalNot") == negated);
    };
    is("OpFOrdEqual", "%_Z12double_equalmm %x %y", false);
    is("OpFUnordNotEqual", "%_Z12double_equalmm %x %y", true);
    is("OpFOrdLessThan", "%_Z11double_lessmm %x %y", false);
    is("OpFUnordGreaterThanEqual", "%_Z11double_lessmm %x %y", true);
    is("OpFOrdGreaterThan", "%_Z11double_lessmm %y %x", false);
    is("OpFUnordLessThanEqual", "%_Z11double_lessmm %y %x", true);
    is("OpFOrdLessThanEqual", "%_Z17double_less_equalmm %x %y", false);
    is("OpFUnordGreaterThan", "%_Z17double_less_equalmm %x %y", true);
    is("OpFOrdGreaterThanEqual", "%_Z17double_less_equalmm %y %x", false);
    is("OpFUnordLessThan", "%_Z17double_less_equalmm %y %x", true);
    is("OpFUnordEqual", "%_Z11double_lessmm %y %x", true);
    CHECK(contains(emulated("%s = OpFOrdNotEqual %bool %x %y\n"), "%s = OpLogicalOr %bool"));
}

TEST_CASE("emulate_doubles: conversions") {
    CHECK(contains(emulated("%s = OpConvertUToF %double %n\n"),
                   "%s = OpFunctionCall %ulong %_Z16double_from_uintj %n"));
    CHECK(contains(emulated("%s = OpConvertSToF %double %n\n"),
                   "%s = OpFunctionCall %ulong %_Z15double_from_inti %n"));
    CHECK(contains(emulated("%s = OpFConvert %float %x\n"),
                   "%s = OpFunctionCall %float %_Z15double_to_floatm %x"));
    CHECK(contains(emulated("%f = OpFConvert %float %x\n%s = OpFConvert %double %f\n"),
                   "%s = OpFunctionCall %ulong %_Z17double_from_floatf"));
    const std::string to_int = emulated("%s = OpConvertFToS %uint %x\n");
    CHECK(contains(to_int, "OpFunctionCall %ulong %_Z14double_to_longm %x"));
    CHECK(contains(to_int, "%s = OpUConvert %uint"));
}

TEST_CASE("emulate_doubles: bits, constants and memory") {
    CHECK(contains(emulated("%s = OpBitcast %ulong %x\n"), "%s = OpCopyObject %ulong %x"));
    const std::string memory = emulated("OpStore %variable %one_and_half\n%s = OpLoad %double %variable\n");
    CHECK(contains(memory, "OpTypePointer Function %ulong"));
    CHECK(contains(memory, "OpStore %"));
    CHECK(contains(memory, "%ulong_4609434218613702656 = OpConstant %ulong 4609434218613702656"));
    CHECK(contains(memory, "%s = OpLoad %ulong"));
}
