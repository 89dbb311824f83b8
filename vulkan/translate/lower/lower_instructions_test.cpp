// SPDX-License-Identifier: Apache-2.0
#include <spirv/unified1/OpenCL.std.h>

#include <sstream>

#include "vulkan/translate/pass_fixture.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {
namespace {

const std::pair<const char*, const char*> kTypes[] = {
    {"u8", "OpTypeInt 8 0"},   {"u16", "OpTypeInt 16 0"}, {"u32", "OpTypeInt 32 0"},
    {"u64", "OpTypeInt 64 0"}, {"f16", "OpTypeFloat 16"}, {"f32", "OpTypeFloat 32"},
    {"f64", "OpTypeFloat 64"}, {"bool", "OpTypeBool"},
};

/// A kernel whose body computes %r of `result` type from the undefined %a, %b, %c of the given types.
std::string kernel_text(const std::string& decorations, const std::string& instruction,
                        const std::vector<std::string>& args) {
    std::ostringstream text;
    text << "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability "
            "Int16\nOpCapability Int8\n"
            "OpCapability Vector16\nOpCapability Float16\nOpCapability Float64\n"
            "%cl = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
            "OpEntryPoint Kernel %k \"k\"\nOpExecutionMode %k ContractionOff\n"
         << decorations << "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n";
    for (const auto& [name, type] : kTypes) {
        text << "%" << name << " = " << type << "\n";
        for (int n : {2, 3, 4, 8, 16})
            text << "%v" << n << name << " = OpTypeVector %" << name << " " << n << "\n";
    }
    const char* names[] = {"a", "b", "c"};
    for (size_t i = 0; i < args.size(); ++i) text << "%" << names[i] << " = OpUndef %" << args[i] << "\n";
    text << "%k = OpFunction %void None %fn\n%entry = OpLabel\n"
         << instruction << "\nOpReturn\nOpFunctionEnd\n";
    return text.str();
}

void check_valid(const std::string& text) {
    const PassRun run =
        validated(run_passes(text, {describe_kernels, lower_instructions, lower_interface, lower_wide_vectors,
                                    use_physical_addressing, derive_capabilities}),
                  spirv::Target::Vulkan12);
    REQUIRE_MESSAGE(run.error == "", text);
    CHECK(!contains(run.text, "OpenCL.std"));
}

void check_opencl_std(const std::string& name, const std::string& result,
                      const std::vector<std::string>& args) {
    std::string instruction = "%r = OpExtInst %" + result + " %cl " + name;
    const char* names[] = {" %a", " %b", " %c"};
    for (size_t i = 0; i < args.size(); ++i) instruction += names[i];
    check_valid(kernel_text("", instruction, args));
}

TEST_CASE("lower_instructions: integer functions of every width and size are valid in Vulkan") {
    const std::pair<const char*, size_t> functions[] = {
        {"s_abs", 1},     {"u_abs", 1},     {"s_abs_diff", 2}, {"u_abs_diff", 2}, {"s_add_sat", 2},
        {"u_add_sat", 2}, {"s_sub_sat", 2}, {"u_sub_sat", 2},  {"s_hadd", 2},     {"u_hadd", 2},
        {"s_rhadd", 2},   {"u_rhadd", 2},   {"s_clamp", 3},    {"u_clamp", 3},    {"clz", 1},
        {"ctz", 1},       {"s_mad_hi", 3},  {"u_mad_sat", 3},  {"s_mad_sat", 3},  {"s_max", 2},
        {"u_min", 2},     {"s_mul_hi", 2},  {"u_mul_hi", 2},   {"rotate", 2},     {"popcount", 1},
        {"bitselect", 3}, {"select", 3}};
    for (const auto& [name, args] : functions)
        for (std::string type : {"u8", "v3u16", "u32", "v4u32", "u64", "v8u64", "v16u32", "v16u8"})
            check_opencl_std(name, type, std::vector<std::string>(args, type));
    check_opencl_std("u_upsample", "u64", {"u32", "u32"});
    check_opencl_std("s_upsample", "v8u16", {"v8u8", "v8u8"});
    check_opencl_std("s_mad24", "v2u32", {"v2u32", "v2u32", "v2u32"});
}

TEST_CASE("lower_instructions: math, common and geometric functions") {
    const std::pair<const char*, size_t> functions[] = {
        {"fabs", 1},        {"floor", 1},    {"ceil", 1},    {"trunc", 1},      {"rint", 1},
        {"round", 1},       {"fma", 3},      {"mad", 3},     {"fmax", 2},       {"fmin", 2},
        {"fdim", 2},        {"copysign", 2}, {"maxmag", 2},  {"minmag", 2},     {"sqrt", 1},
        {"rsqrt", 1},       {"fclamp", 3},   {"degrees", 1}, {"radians", 1},    {"fmax_common", 2},
        {"fmin_common", 2}, {"mix", 3},      {"step", 2},    {"smoothstep", 3}, {"sign", 1}};
    for (const auto& [name, args] : functions)
        for (std::string type : {"f16", "f32", "v3f32", "v8f64", "v16f32"})
            check_opencl_std(name, type, std::vector<std::string>(args, type));
    for (std::string name : {"native_sin", "half_exp10", "native_tan", "native_log10", "half_recip"})
        for (std::string type : {"f32", "v4f32", "v8f32"}) check_opencl_std(name, type, {type});
    for (std::string name : {"length", "fast_length", "normalize", "fast_normalize"})
        for (std::string element : {"f16", "f32", "f64"})
            for (std::string count : {"", "v2", "v3", "v4"}) {
                const bool vector_result = contains(name, "normalize");
                check_opencl_std(name, vector_result ? count + element : element, {count + element});
            }
    check_opencl_std("cross", "v3f32", {"v3f32", "v3f32"});
    check_opencl_std("cross", "v4f64", {"v4f64", "v4f64"});
    check_opencl_std("distance", "f32", {"v4f32", "v4f32"});
    check_opencl_std("nan", "v2f64", {"v2u64"});
    check_opencl_std("bitselect", "v8f32", {"v8f32", "v8f32", "v8f32"});
    check_opencl_std("select", "v8f32", {"v8f32", "v8f32", "v8u32"});
}

TEST_CASE("lower_instructions: shuffle with a mask that is not constant") {
    check_opencl_std("shuffle", "v4f32", {"v8f32", "v4u32"});
    check_opencl_std("shuffle", "v16u8", {"v2u8", "v16u8"});
    check_opencl_std("shuffle2", "v8f32", {"v4f32", "v4f32", "v8u32"});
}

TEST_CASE("lower_instructions: conversions in every rounding mode, saturated and not") {
    for (std::string rounding : {"", "RTE", "RTZ", "RTP", "RTN"}) {
        const std::string round = rounding.empty() ? "" : "OpDecorate %r FPRoundingMode " + rounding + "\n";
        const std::string saturate = round + "OpDecorate %r SaturatedConversion\n";
        for (std::string n : {"", "v3", "v8"}) {
            for (std::string f : {"f16", "f32", "f64"}) {
                for (std::string i : {"u8", "u16", "u32", "u64"}) {
                    check_valid(kernel_text(round, "%r = OpConvertFToS %" + n + i + " %a", {n + f}));
                    check_valid(kernel_text(saturate, "%r = OpConvertFToU %" + n + i + " %a", {n + f}));
                    check_valid(kernel_text(round, "%r = OpConvertSToF %" + n + f + " %a", {n + i}));
                    check_valid(kernel_text(round, "%r = OpConvertUToF %" + n + f + " %a", {n + i}));
                }
            }
            check_valid(kernel_text(round, "%r = OpFConvert %" + n + "f16 %a", {n + "f32"}));
            check_valid(kernel_text(round, "%r = OpFConvert %" + n + "f16 %a", {n + "f64"}));
            check_valid(kernel_text(round, "%r = OpFConvert %" + n + "f32 %a", {n + "f64"}));
            check_valid(kernel_text(round, "%r = OpFConvert %" + n + "f64 %a", {n + "f16"}));
        }
    }
    for (std::string op : {"OpSatConvertSToU", "OpSatConvertUToS"})
        for (std::string to : {"v4u8", "v4u32", "v4u64"})
            check_valid(kernel_text("", "%r = " + op + " %" + to + " %a", {"v4u32"}));
}

TEST_CASE("lower_instructions: constants that are denormal are zeros where denormals may be") {
    TranslateOptions options;
    const auto sum = [&](const std::string& type, const std::string& constants) {
        std::string text = kernel_text("", "%r = OpFAdd %" + type + " %a %d", {type});
        text.insert(text.find("%k = OpFunction"), constants);
        const PassRun run = run_passes(text, {lower_instructions}, options);
        REQUIRE(run.error == "");
        return run.text;
    };
    for (bool are_zero : {false, true}) {
        options.denorms_are_zero = are_zero;
        const std::string scalar = sum("f32", "%d = OpConstant %f32 -0x1p-149\n");
        CHECK(contains(scalar, are_zero ? " %float_n0\n" : " %float_n0x1pn149\n"));
        CHECK(!contains(sum("f32", "%d = OpConstant %f32 0x1p-126\n"), " %float_0\n"));
        CHECK(contains(sum("f16", "%d = OpConstant %f16 0x1p-24\n"), " %half_0x1pn24\n"));
        const std::string vector = sum("v2f64",
                                       "%x = OpConstant %f64 0x1p-1074\n%y = OpConstant %f64 3\n"
                                       "%d = OpConstantComposite %v2f64 %x %y\n");
        CHECK(contains(vector, "OpConstantComposite %v2double %double_0 %double_3\n") == are_zero);
    }
}

TEST_CASE("lower_instructions: an unsigned integer in two parts where the device would round twice") {
    TranslateOptions options;
    for (bool twice : {false, true}) {
        options.profile.quirks.unsigned_to_float_rounds_twice = twice;
        const PassRun run = run_passes(kernel_text("", "%r = OpConvertUToF %v3f32 %a", {"v3u32"}),
                                       {lower_instructions}, options);
        REQUIRE(run.error == "");
        CHECK(contains(run.text, "OpFAdd") == twice);
    }
}

TEST_CASE("lower_instructions: a long to float by an exact double where the device goes through doubles") {
    TranslateOptions options;
    for (bool twice : {false, true}) {
        options.profile.quirks.long_to_float_rounds_twice = twice;
        for (const std::string op : {"OpConvertSToF", "OpConvertUToF"})
            for (const std::string to : {"f32", "f64"})
                for (const std::string from : {"u64", "u32"}) {
                    CAPTURE(op + " " + from + " to " + to);
                    const PassRun run =
                        run_passes(kernel_text("", "%r = " + op + " %v3" + to + " %a", {"v3" + from}),
                                   {lower_instructions}, options);
                    REQUIRE(run.error == "");
                    CHECK(contains(run.text, "OpBitwiseOr") == (twice && from == "u64" && to == "f32"));
                }
    }
}

TEST_CASE(
    "lower_instructions: Log2 of denormals in two parts where the device takes them for numbers near "
    "2^-127") {
    TranslateOptions options;
    for (bool wrong : {false, true}) {
        options.profile.quirks.wrong_log2_of_denormals = wrong;
        const PassRun run = run_passes(kernel_text("", "%r = OpExtInst %v3f32 %cl log2 %a", {"v3f32"}),
                                       {lower_instructions}, options);
        REQUIRE(run.error == "");
        CHECK(contains(run.text, "OpFSub") == wrong);
    }
}

TEST_CASE("lower_instructions: core instructions of the Kernel capability") {
    for (std::string op : {"OpIsFinite", "OpIsNormal", "OpSignBitSet", "OpIsNan", "OpIsInf"})
        for (std::string type : {"f16", "f32", "f64"}) {
            check_valid(kernel_text("", "%r = " + op + " %bool %a", {type}));
            check_valid(kernel_text("", "%r = " + op + " %v16bool %a", {"v16" + type}));
        }
    for (std::string op : {"OpLessOrGreater", "OpOrdered", "OpUnordered"})
        check_valid(kernel_text("", "%r = " + op + " %v4bool %a %b", {"v4f32", "v4f32"}));
    for (std::string op : {"OpSRem", "OpSMod"})
        check_valid(kernel_text("", "%r = " + op + " %v8u32 %a %b", {"v8u32", "v8u32"}));
    check_valid(kernel_text("", "%r = OpBitCount %v8u64 %a", {"v8u64"}));
    check_valid(kernel_text("", "%r = OpVectorExtractDynamic %f32 %a %b", {"v16f32", "u64"}));
    check_valid(kernel_text("", "%r = OpVectorInsertDynamic %v8u16 %a %b %c", {"v8u16", "u16", "u64"}));
}

TEST_CASE("lower_instructions: a remainder of 64-bit integers comes from the quotient of its block") {
    const auto lowered = [](const std::string& body, const std::string& type) {
        const PassRun run = run_passes(kernel_text("", body, {type, type, type}), {lower_instructions});
        REQUIRE(run.error == "");
        return run.text;
    };
    const std::string quotient = " = OpUDiv %v4u64 %a %b\n", rest = "%r = OpUMod %v4u64 %a %b\n";
    for (const std::string& body :
         {"%q" + quotient + rest, rest + "%q" + quotient, rest + "%q" + quotient + "%p" + quotient}) {
        const std::string text = lowered(body, "v4u64");
        CHECK(!contains(text, "OpUMod"));
        CHECK(text.find("OpUDiv") == text.rfind("OpUDiv"));
        CHECK(contains(text, "OpIMul %v4ulong"));
        CHECK(contains(text, "OpISub %v4ulong"));
    }
    // Others stay.
    CHECK(contains(lowered(rest, "v4u64"), "OpUMod"));
    CHECK(contains(lowered("%q = OpUDiv %v4u64 %b %a\n" + rest, "v4u64"), "OpUMod"));
    CHECK(contains(lowered("%q" + quotient + "OpBranch %next\n%next = OpLabel\n" + rest, "v4u64"), "OpUMod"));
    CHECK(contains(lowered("%q = OpUDiv %u32 %a %b\n%r = OpUMod %u32 %a %b", "u32"), "OpUMod"));
}

TEST_CASE("lower_instructions: fields of bits of every width and size are valid in Vulkan") {
    for (std::string type : {"u8", "v3u16", "u32", "v8u32", "u64", "v2u64", "v16u8"}) {
        check_valid(kernel_text("", "%r = OpBitFieldInsert %" + type + " %a %a %b %c", {type, "u64", "u8"}));
        for (std::string op : {"OpBitFieldSExtract", "OpBitFieldUExtract"})
            check_valid(kernel_text("", "%r = " + op + " %" + type + " %a %b %c", {type, "u32", "u16"}));
        check_valid(kernel_text("", "%r = OpBitReverse %" + type + " %a", {type}));
    }
}

TEST_CASE("lower_instructions: carries and borrows of narrow integers are comparisons") {
    for (std::string op : {"OpIAddCarry", "OpISubBorrow", "OpUMulExtended", "OpSMulExtended"})
        for (std::string type : {"u8", "u16", "u32", "v4u8", "v3u16", "v2u32", "v16u8", "v8u16"}) {
            std::string text = kernel_text("",
                                           "%r = " + op + " %pair %a %b\n%l = OpCompositeExtract %" + type +
                                               " %r 0\n%h = OpCompositeExtract %" + type + " %r 1",
                                           {type, type});
            text.insert(text.find("%k = "), "%pair = OpTypeStruct %" + type + " %" + type + "\n");
            check_valid(text);
            const PassRun run = run_passes(text, {lower_instructions});
            REQUIRE(run.error == "");
            CHECK(contains(run.text, op) == contains(type, "32"));
        }
}

/// The module that a product of two `vector`s becomes, valid in Vulkan.
std::string dot_product(const std::string& op, const std::string& result, const std::string& vector,
                        const DeviceProfile& profile, const std::string& last = "") {
    TranslateOptions options;
    options.profile = profile;
    const PassRun run = validated(
        run_passes(kernel_text("", "%r = " + op + " %" + result + " %a %b" + last, {vector, vector, result}),
                   {describe_kernels, lower_instructions, lower_interface, lower_wide_vectors,
                    use_physical_addressing, derive_capabilities},
                   options),
        spirv::Target::Vulkan12);
    CHECK(run.error == "");
    return run.text;
}

TEST_CASE("lower_instructions: integer dot products") {
    const std::string packed = " PackedVectorFormat4x8Bit";
    DeviceProfile plain, fast;
    for (DotProducts* products :
         {&fast.dot_4x8_packed, &fast.dot_8, &fast.dot_16, &fast.dot_32, &fast.dot_64})
        *products = kAllDotProducts;
    for (std::string op : {"OpSDot", "OpUDot", "OpSUDot"})
        for (const auto& [result, vector] : {std::pair{"u32", "v4u8"},
                                             {"u64", "v4u8"},
                                             {"u8", "v3u8"},
                                             {"u32", "v2u16"},
                                             {"u64", "v3u32"},
                                             {"u64", "v2u64"}}) {
            CHECK(!contains(dot_product(op, result, vector, plain), "DotProduct"));
            CHECK(!contains(dot_product(op + "AccSat", result, vector, plain, " %c"), "DotProduct"));
            CHECK(contains(dot_product(op, result, vector, fast), op + " "));
            CHECK(contains(dot_product(op + "AccSat", result, vector, fast, " %c"), op + "AccSat "));
        }
    CHECK(!contains(dot_product("OpSDot", "u32", "v16u8", fast), "OpSDot"));
    CHECK(!contains(dot_product("OpUDotAccSat", "u32", "u32", plain, " %c" + packed), "OpUDotAccSat"));
    CHECK(contains(dot_product("OpUDotAccSat", "u32", "u32", fast, " %c" + packed), "4x8BitPacked"));

    // Four bytes are a word.
    DeviceProfile by_words;
    by_words.dot_4x8_packed.of_signed = true;
    CHECK(contains(dot_product("OpSDot", "u32", "v4u8", by_words), packed));
    CHECK(!contains(dot_product("OpUDot", "u32", "v4u8", by_words), "OpUDot"));
    fast.int8 = false;
    CHECK(contains(dot_product("OpSDot", "u32", "v4u8", fast), packed));
    CHECK(!contains(dot_product("OpSDot", "u32", "v3u8", fast), "OpSDot"));
}

TEST_CASE("float_bits: a double rounded to half, nearest even") {
    CHECK(float_bits(16, 1.0) == 0x3c00);
    CHECK(float_bits(16, -0.5) == 0xb800);
    CHECK(float_bits(16, 65504.0) == 0x7bff);
    CHECK(float_bits(16, 65520.0) == 0x7c00);
    CHECK(float_bits(16, 0x1p-24) == 1);
    CHECK(float_bits(16, 57.29577951308232) == 0x5329);
    CHECK(float_bits(32, 1.0) == 0x3f800000);
}

}  // namespace
}  // namespace caldera::vulkan
