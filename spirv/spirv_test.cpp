// SPDX-License-Identifier: Apache-2.0
#include "spirv/spirv.h"
#include "spirv/raw_words.h"

#include <doctest/doctest.h>

#include "spirv/grammar.h"
#include "tests/support/why.h"

using namespace caldera;
using namespace caldera::spirv;

namespace {

constexpr std::string_view kKernel = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Int64
          %ext = OpExtInstImport "OpenCL.std"
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %main "k"
          %file = OpString "k.cl"
               OpDecorate %in FuncParamAttr NoCapture
       %uint = OpTypeInt 32 0
      %ulong = OpTypeInt 64 0
       %void = OpTypeVoid
       %big = OpConstant %ulong 0x123456789abcdef0
       %zero = OpConstant %uint 0
        %ptr = OpTypePointer CrossWorkgroup %uint
         %fn = OpTypeFunction %void %ptr
       %main = OpFunction %void None %fn
         %in = OpFunctionParameter %ptr
      %entry = OpLabel
               OpLine %file 3 5
      %value = OpLoad %uint %in Aligned 4
               OpSwitch %value %done 1 %one 2 %two
        %one = OpLabel
               OpBranch %done
        %two = OpLabel
               OpStore %in %zero Aligned 4
               OpBranch %done
       %done = OpLabel
               OpReturn
               OpFunctionEnd
)";

std::vector<uint32_t> kernel_words() {
    Result<std::vector<uint32_t>> words = assemble(kKernel, Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    return words.take();
}

}  // namespace

TEST_CASE("read and write are inverse") {
    const std::vector<uint32_t> words = kernel_words();
    Result<Module> module = read(words);
    REQUIRE(module);
    CHECK(verify(*module));
    CHECK(validate(words, Target::OpenCL12));
    // OpLine ends at the block's end, so the text is the same and only its OpNoLine may differ.
    const std::vector<uint32_t> again = write(*module);
    CHECK(*disassemble(again) == *disassemble(words));
    CHECK(module->functions.at(0).blocks.at(0).body.at(0).line.line == 3);
}

TEST_CASE("a module of the other byte order reads the same") {
    std::vector<uint32_t> words = kernel_words();
    const std::vector<uint32_t> native = write(*read(words));
    for (uint32_t& word : words) word = __builtin_bswap32(word);
    Result<Module> module = read(words);
    REQUIRE(module);
    CHECK(write(*module) == native);
    const std::string_view bytes(reinterpret_cast<const char*>(words.data()), words.size() * 4);
    CHECK(is_module(bytes));
    CHECK(words_of_module(bytes) == kernel_words());
    CHECK(words_of_module(bytes.substr(0, bytes.size() - 1)).size() == words.size() - 1);
    CHECK(words_of_module("abc").empty());
}

TEST_CASE("every truncation is an error, never a crash") {
    const std::vector<uint32_t> words = kernel_words();
    size_t accepted = 0;
    for (size_t length = 0; length < words.size(); ++length) {
        const Result<Module> module = read(std::span(words).first(length));
        // A cut between two instructions of the preamble leaves a readable, incomplete module.
        accepted += module ? 1 : 0;
    }
    CHECK(accepted < 20);
    CHECK(read(std::span(words).first(words.size() - 1)).error().message ==
          "word " + std::to_string(words.size() - 1) +
              ": OpFunctionEnd is missing: the last function has no OpFunctionEnd");
}

TEST_CASE("hostile words are errors") {
    const std::vector<uint32_t> words = kernel_words();
    uint32_t seed = 1;
    for (int round = 0; round < 5000; ++round) {
        std::vector<uint32_t> bad = words;
        for (int flips = 0; flips < 3; ++flips) {
            seed = seed * 1664525 + 1013904223;
            bad[seed % bad.size()] ^= 1u << (seed >> 27);
        }
        const Result<Module> module = read(bad);
        if (module) (void)verify(*module);
    }
    CHECK(read(std::vector<uint32_t>{1, 2, 3}).error().message.find("shorter") != std::string::npos);
    CHECK(read(std::vector<uint32_t>{1, 2, 3, 4, 5}).error().message.find("magic") != std::string::npos);
}

TEST_CASE("parts of newer SPIR-V than ours are named") {
    std::vector<uint32_t> header = kernel_words();
    header.resize(5);
    const auto fault = [&](std::initializer_list<uint32_t> instruction) {
        std::vector<uint32_t> words = header;
        words.insert(words.end(), instruction);
        words[5] |= static_cast<uint32_t>(instruction.size()) << 16;
        return read(words).error().message;
    };
    const auto decorate = static_cast<uint32_t>(spv::Op::OpDecorate);
    CHECK(fault({decorate, 1, 60000, 4}) ==
          "word 5: OpDecorate has decoration 60000, which is unknown or has no such operands");
    CHECK(fault({static_cast<uint32_t>(spv::Op::OpMemberDecorate), 1, 0, 60001, 4}) ==
          "word 5: OpMemberDecorate has decoration 60001, which is unknown or has no such operands");
    CHECK(fault({decorate, 0, 60000}) == "word 5: OpDecorate uses id 0, which names nothing");
    CHECK(fault({static_cast<uint32_t>(spv::Op::OpLine), 1, 2, 3}) ==
          "word 5: OpLine names a file by no OpString before it");
    CHECK(fault({static_cast<uint32_t>(spv::Op::OpConstantCompositeContinuedINTEL), 1}) ==
          "word 5: OpConstantCompositeContinuedINTEL continues a type or constant of more than 65,532 parts "
          "(SPV_INTEL_long_composites), which is not supported");
}

TEST_CASE("verify finds structural faults") {
    auto fault = [](auto&& change) {
        Module module = read(kernel_words()).take();
        change(module);
        const Result<Done> result = verify(module);
        return result ? std::string("none") : result.error().message;
    };
    CHECK(fault([](Module&) {}) == "none");
    CHECK(fault([](Module& m) { m.functions[0].blocks[0].body.clear(); }).find("not defined") !=
          std::string::npos);
    CHECK(fault([](Module& m) { m.functions[0].blocks[1].terminator = {}; }).find("no terminator") !=
          std::string::npos);
    CHECK(fault([](Module& m) {
              m.functions[0].blocks[1].label = m.functions[0].blocks[2].label;
          }).find("defined twice") != std::string::npos);
    CHECK(fault([](Module& m) { std::swap(m.globals[3], m.globals[0]); }).find("before") !=
          std::string::npos);
    CHECK(fault([](Module& m) {
              for (Instruction& inst : m.globals)
                  if (inst.op == spv::Op::OpTypeInt) inst.operands[1] = 63u;
          }).find("neither 0 nor 1") != std::string::npos);
}

TEST_CASE("types and constants are unique") {
    Module module;
    Builder builder(module);
    CHECK(builder.type_int(32) == builder.type_int(32));
    CHECK(builder.type_vector(builder.type_float(32), 4) == builder.type_vector(builder.type_float(32), 4));
    CHECK(builder.constant_u32(7) == builder.constant_u32(7));
    CHECK(builder.constant_u32(7) != builder.constant_u64(7));
    CHECK(builder.constant_int(builder.type_int(8), 0xffffffff) ==
          builder.constant_int(builder.type_int(8), 0xff));
    CHECK(*builder.constant_value(builder.constant_u64(1ull << 40)) == 1ull << 40);
    const Id struct_type = builder.type_struct(std::vector{builder.type_int(32), builder.type_float(32)});
    CHECK(builder.member(struct_type, 1) == builder.type_float(32));
    CHECK(builder.type_struct_distinct(std::vector{builder.type_int(32)}) !=
          builder.type_struct(std::vector{builder.type_int(32)}));
}

TEST_CASE("a builder over a read module finds what is there") {
    Module module = read(kernel_words()).take();
    Builder builder(module);
    const size_t before = module.globals.size();
    const Id u32 = builder.type_int(32);
    CHECK(builder.constant_u32(0) == module.globals[4].result);
    CHECK(module.globals.size() == before);
    CHECK(builder.type_of(module.functions[0].params[0].result) ==
          builder.type_pointer(spv::StorageClass::CrossWorkgroup, u32));
    CHECK(module.globals.size() == before);
}

TEST_CASE("grammar tables") {
    CHECK(grammar(spv::Op::OpIAdd)->name == "OpIAdd");
    CHECK(grammar(static_cast<spv::Op>(9999)) == nullptr);
    CHECK(capability_name(spv::Capability::Int64) == "Int64");
    CHECK(opencl_std_name(0) == "acos");
    CHECK(glsl_std_450_name(1) == "Round");
}

TEST_CASE("validate: a level of an image is read and written without a sampler") {
    const auto fault = [](const std::string& access) {
        const auto words = assemble(R"(
OpCapability Addresses
OpCapability Kernel
OpCapability ImageBasic
OpCapability ImageMipmap
OpCapability ImageReadWrite
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
%float4 = OpTypeVector %float 4
%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
%one = OpConstant %int 1
%at = OpConstantNull %int2
%color = OpConstantNull %float4
%fn = OpTypeFunction %void %image
%k = OpFunction %void None %fn
%i = OpFunctionParameter %image
%k0 = OpLabel
)" + access + "\nOpReturn\nOpFunctionEnd\n",
                                    Target::OpenCL31);
        REQUIRE(words);
        const Result<Done> valid = validate(*words);
        return valid ? std::string() : valid.error().message;
    };
    CHECK(fault("OpImageWrite %i %at %color Lod %one") == "");
    CHECK(fault("%x = OpImageRead %float4 %i %at Lod %one") == "");
    CHECK(fault("OpImageWrite %i %color %color Lod %one") != "");
}

TEST_CASE("targets") {
    Target target = {};
    CHECK(parse_target("vulkan1.3", target));
    CHECK(target == Target::Vulkan13);
    CHECK(spirv_version(target) == 0x00010600);
    CHECK(!parse_target("vulkan9", target));
}
