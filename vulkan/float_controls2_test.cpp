// SPDX-License-Identifier: Apache-2.0
// From build options to what the compiler of a device with VK_KHR_shader_float_controls2 is told of each
// instruction.
#include "spirv/float_controls2.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "builtins/builtin_library.h"
#include "frontend/compile.h"
#include "spirv/grammar.h"
#include "tests/support/why.h"
#include "vulkan/translate/translate.h"
#include "vulkan/translate_options.h"

using namespace caldera;

namespace {

constexpr const char* kSource = R"(
kernel void k(global float *o, float a, float b, float c) {
    o[0] = a * b;
    o[1] = a - b;
    o[2] = a / b;
    o[3] = fmax(a, b);
    o[4] = exp(c);
    o[5] = a < b ? 1 : 2;
}
)";

struct Made {
    Result<vulkan::Translation> translation = Error{};
    std::map<std::string, uint32_t> modes = {};  // by instruction, of those that have one
    size_t without_mode = 0;                     // exact arithmetic
};

/// The modes of the products, differences, quotients and maxima in what the options make of the source.
Made make(const std::string& options, int level = 1, const char* source = kSource) {
    frontend::CompileOptions compile;
    REQUIRE(frontend::parse_build_options(options, compile));
    const frontend::CompileResult compiled = frontend::compile(source, "a.cl", compile);
    REQUIRE_MESSAGE(compiled, compiled.log);
    vulkan::TranslateOptions translate = translate_options(compile);
    translate.optimization_level = level;
    translate.verify_between_passes = true;
    translate.profile.float_controls2 = true;
    Made made{.translation = vulkan::translate(compiled.words, translate, builtin_library())};
    REQUIRE_MESSAGE(made.translation, why(made.translation));
    const Result<Done> valid = spirv::validate(made.translation->words, translate.target);
    CHECK_MESSAGE(valid, why(valid));
    const Result<spirv::Module> module = spirv::read(made.translation->words);
    REQUIRE(module);
    std::map<uint32_t, uint32_t> decorated;
    for (const spirv::Instruction& inst : module->annotations) {
        CHECK(inst.word(1) != static_cast<uint32_t>(spv::Decoration::NoContraction));
        if (inst.word(1) == static_cast<uint32_t>(spv::Decoration::FPFastMathMode))
            decorated[inst.word(0)] = inst.word(2);
    }
    for (const spirv::Function& function : module->functions)
        for (const spirv::Block& block : function.blocks)
            for (const spirv::Instruction& inst : block.body) {
                const auto found = decorated.find(inst.result.value);
                if (found != decorated.end())
                    made.modes[std::string(spirv::op_name(inst.op))] |= found->second;
                else if (inst.op == spv::Op::OpFAdd || inst.op == spv::Op::OpFMul)
                    ++made.without_mode;
            }
    return made;
}

using Modes = std::map<std::string, uint32_t>;
/// This mode for every float operation of the program that may be decorated.
Modes all(uint32_t mode) {
    return {{"OpFMul", mode}, {"OpFSub", mode}, {"OpFDiv", mode}, {"OpExtInst", mode}};
}

}  // namespace

TEST_CASE("a program's compiler is told what the build options allow of each instruction, and no more") {
    using namespace spirv::fast_math;
    constexpr uint32_t kUnsafe = kNSZ | kAllowRecip | kAllowContract | kAllowReassoc | kAllowTransform;
    CHECK(make("").modes == Modes{});
    CHECK(make("-cl-no-signed-zeros").modes == all(kNSZ));
    CHECK(make("-cl-finite-math-only").modes == all(kNotNaN | kNotInf));
    CHECK(make("-cl-no-signed-zeros -cl-finite-math-only").modes == all(kNotNaN | kNotInf | kNSZ));
    CHECK(make("-cl-mad-enable").modes == Modes{{"OpFSub", kAllowContract}});
    CHECK(make("-ffp-contract=off").modes == Modes{});
    for (const char* op : {"OpFMul", "OpFSub", "OpFDiv", "OpFOrdLessThan"}) {
        CHECK(make("-cl-unsafe-math-optimizations").modes.at(op) == kUnsafe);
        CHECK(make("-cl-fast-relaxed-math").modes.at(op) ==
              (op == std::string_view("OpFOrdLessThan") ? kUnsafe : kUnsafe | kNotNaN | kNotInf));
    }
    // The library's exp() is as it was written.
    CHECK(make("-cl-no-signed-zeros").without_mode > 0);
}

TEST_CASE("the reflection names what the module needs, and -O2 keeps it") {
    for (const int level : {1, 2}) {
        const Made made = make("-cl-no-signed-zeros", level);
        const vulkan::ProgramInterface& interface = made.translation->interface;
        CHECK(interface.float_controls ==
              std::vector<std::string>{"shaderFloatControls2", "shaderSignedZeroInfNanPreserveFloat32"});
        CHECK(std::ranges::count(interface.capabilities, "FloatControls2") == 1);
        CHECK(std::ranges::count(interface.capabilities, "SignedZeroInfNanPreserve") == 0);
        CHECK(made.modes == all(spirv::fast_math::kNSZ));
    }
    const Made integers = make("", 1, "kernel void k(global int *o) { o[0] += 1; }");
    CHECK(integers.translation->interface.float_controls == std::vector<std::string>{});
    CHECK(!spirv::has_float_controls2(integers.translation->words));
}
