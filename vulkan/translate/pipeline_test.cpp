// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pipeline.h"
#include "tests/support/why.h"

#include <algorithm>

#include "spirv/spirv.h"
#include "vulkan/translate/pass_fixture.h"
#include "vulkan/translate/translate.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

// kernel void k(global uint* out, uint n) { out[get_global_id(0)] = n; }, without merges around its loop
constexpr std::string_view kKernel = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%v3 = OpTypeVector %long 3
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%p_in = OpTypePointer Input %v3
%id = OpVariable %p_in Input
%global = OpTypePointer CrossWorkgroup %int
%fn = OpTypeFunction %void %global %int
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
%gid = OpLoad %v3 %id
%x = OpCompositeExtract %long %gid 0
%p = OpInBoundsPtrAccessChain %global %out %x
OpBranch %head
%head = OpLabel
%i = OpPhi %int %c0 %entry %j %head
%j = OpIAdd %int %i %c1
OpStore %p %j Aligned 4
%c = OpULessThan %bool %j %n
OpBranchConditional %c %head %exit
%exit = OpLabel
OpReturn
OpFunctionEnd
)";

}  // namespace

TEST_CASE(
    "pipeline: addresses or descriptors, either memory model, with or without integers but of 32 bits") {
    const auto words = spirv::assemble(kKernel, spirv::Target::OpenCL12);
    REQUIRE(words);
    for (auto target : {spirv::Target::Vulkan11, spirv::Target::Vulkan12, spirv::Target::Vulkan13})
        for (const Abi abi : {Abi::Addresses, Abi::Descriptors})
            for (const uint32_t bits : {0, 1, 2, 3}) {
                TranslateOptions options{.target = target, .abi = abi, .verify_between_passes = true};
                options.profile.vulkan_memory_model = bits & 1;
                options.profile.int64 = options.profile.int8 = options.profile.int16 = bits & 2;
                options.profile.storage_8bit = options.profile.storage_16bit = bits & 2;
                auto translation = translate(*words, options, {});
                INFO(spirv::name(target) << " abi " << static_cast<int>(abi) << " bits " << bits);
                REQUIRE_MESSAGE(translation, why(translation));
                auto valid = spirv::validate(translation->words, target);
                CHECK_MESSAGE(valid, why(valid));
                const std::vector<std::string>& used = translation->interface.capabilities;
                auto uses = [&](const char* name) { return std::ranges::count(used, name) != 0; };
                // With descriptors the index has 32 bits, whatever get_global_id() returns.
                CHECK(uses("Int64") == (options.profile.int64 && abi == Abi::Addresses));
                CHECK(uses("PhysicalStorageBufferAddresses") == (abi == Abi::Addresses));
                CHECK(uses("VulkanMemoryModel") == options.profile.vulkan_memory_model);
            }
}

TEST_CASE("pipeline: a kernel goes the whole way and is valid for each Vulkan target") {
    const auto words = spirv::assemble(kKernel, spirv::Target::OpenCL12);
    REQUIRE(words);
    for (auto target : {spirv::Target::Vulkan11, spirv::Target::Vulkan12, spirv::Target::Vulkan13})
        for (int level : {0, 1, 2}) {
            TranslateOptions options;
            options.target = target;
            options.optimization_level = level;
            options.verify_between_passes = true;
            const auto translation = translate(*words, options, {});
            REQUIRE_MESSAGE(translation, why(translation));
            const auto valid = spirv::validate(translation->words, target);
            CHECK_MESSAGE(valid, why(valid));
            CHECK(translation->interface.kernels.size() == 1);
        }
}

TEST_CASE("pipeline: stops where it is told, and says which pass declined") {
    const auto words = spirv::assemble(kKernel, spirv::Target::OpenCL12);
    REQUIRE(words);
    TranslateOptions options;
    for (const PassRow& pass : all_passes()) {
        options.stop_after = pass.name;
        options.verify_between_passes = true;
        const auto translation = translate(*words, options, {});
        CHECK_MESSAGE(translation, pass.name);
    }
    options.stop_after = "polish";
    CHECK(translate(*words, options, {}).error().message == "unknown pass 'polish'");
    const auto shader = spirv::assemble(
        "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450", spirv::Target::Vulkan12);
    CHECK(contains(translate(*shader, {}, {}).error().message, "[import_module]"));
    options.target = spirv::Target::OpenCL12;
    CHECK(contains(translate(*words, options, {}).error().message, "Vulkan target"));
}

TEST_CASE("pipeline: who observes sees the module before the first pass and after each") {
    const auto words = spirv::assemble(kKernel, spirv::Target::OpenCL12);
    REQUIRE(words);
    TranslateOptions options;
    const auto unobserved = translate(*words, options, {});
    REQUIRE(unobserved);
    std::vector<std::string> names;
    std::vector<uint32_t> last;
    size_t changes = 0;
    options.after_pass = [&](const AfterPass& after) {
        CHECK(after.number == names.size());
        CHECK(after.changed == !std::ranges::equal(after.words, last));
        names.emplace_back(after.pass);
        last = {after.words.begin(), after.words.end()};
        changes += after.changed;
    };
    const auto translation = translate(*words, options, {});
    REQUIRE(translation);
    CHECK(translation->words == unobserved->words);
    CHECK(translation->words == last);
    REQUIRE(names.size() == pass_list().size() + 1);
    CHECK(names[0] == "read");
    for (size_t i = 1; i < names.size(); ++i) CHECK(names[i] == pass_list()[i - 1].name);
    CHECK(changes > 5);
    CHECK(changes < names.size());
    names.clear();
    last.clear();
    options.stop_after = "lower_memory";
    REQUIRE(translate(*words, options, {}));
    CHECK(names.back() == "lower_memory");
}

TEST_CASE("pipeline: passes that are not required can be left out, alone and all together") {
    const auto words = spirv::assemble(kKernel, spirv::Target::OpenCL12);
    REQUIRE(words);
    TranslateOptions options{.verify_between_passes = true};
    std::vector<std::string> optional, seen;
    options.after_pass = [&](const AfterPass& after) { seen.emplace_back(after.pass); };
    const auto check_valid = [&] {
        const auto translation = translate(*words, options, {});
        REQUIRE_MESSAGE(translation, why(translation));
        const auto valid = spirv::validate(translation->words, options.target);
        CHECK_MESSAGE(valid, why(valid));
    };
    for (const PassInfo& pass : pass_list()) {
        INFO(pass.name);
        options.disabled_passes = {std::string(pass.name)};
        if (pass.need == PassNeed::Required) {
            CHECK(translate(*words, options, {}).error().message ==
                  "pass '" + std::string(pass.name) + "' cannot be left out");
            continue;
        }
        seen.clear();
        check_valid();
        CHECK(std::ranges::count(seen, pass.name) == 0);
        optional.emplace_back(pass.name);
    }
    options.disabled_passes = optional;
    check_valid();
    options.disabled_passes = {"polish"};
    CHECK(translate(*words, options, {}).error().message == "unknown pass 'polish'");
}

TEST_CASE("pipeline: variables of a stranger are not taken for ours, whatever their names are") {
    std::string text(kKernel);
    text.insert(text.find("OpDecorate %id"),
                "OpName %near \"caldera.group_values\"\nOpName %id \"caldera.DataSegment\"\n");
    text.insert(text.find("%fn ="), R"(
%c16 = OpConstant %int 16
%array = OpTypeArray %int %c16
%p_array = OpTypePointer Workgroup %array
%p_local = OpTypePointer Workgroup %int
%near = OpVariable %p_array Workgroup
)");
    text.insert(text.find("OpStore %p %j"), R"(
%slot = OpInBoundsAccessChain %p_local %near %x
OpStore %slot %n Aligned 4
)");
    const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    const auto translation = translate(*words, {.verify_between_passes = true}, {});
    REQUIRE_MESSAGE(translation, why(translation));
    CHECK(translation->interface.kernels[0].local_bytes == 64);
    CHECK(contains(*spirv::disassemble(translation->words), "OpTypeArray %uint %uint_16"));
    for (const HiddenArgument& hidden : translation->interface.kernels[0].hidden)
        CHECK(hidden.kind != HiddenKind::DataSegment);
}

TEST_CASE("pipeline: no prefix of a module and no flipped word crashes it") {
    const auto words = *spirv::assemble(kKernel, spirv::Target::OpenCL12);
    for (size_t length = 0; length < words.size(); length += 3)
        CHECK(!translate(std::span(words).first(length), {}, {}));
    for (size_t i = 5; i < words.size(); ++i)
        for (uint32_t flip : {1u, 4u, 0x10000u}) {
            auto broken = words;
            broken[i] ^= flip;
            (void)static_cast<bool>(translate(broken, {}, {}));
        }
}

TEST_CASE("pipeline: where mending breaks on an invalid module, the validator says why it is invalid") {
    std::string text(kKernel);
    text.insert(text.find("OpBranch %head"), "%vote = OpAny %bool %void\n");
    for (const bool has_untyped : {false, true}) {
        if (has_untyped) {
            text.insert(text.find("OpCapability Int64"), "OpCapability UntypedPointersKHR\n");
            text.insert(text.find("%fn ="), "%any = OpTypeUntypedPointerKHR CrossWorkgroup\n");
        }
        const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
        REQUIRE_MESSAGE(words, why(words));
        const std::string message = translate(*words, {}, {}).error().message;
        CHECK_MESSAGE(message.starts_with("the module is not valid SPIR-V: "), message);
        const auto linked = link_foreign(std::array{spirv::LinkInput{.name = "a.spv", .words = *words}}, {});
        REQUIRE(!linked);
        CHECK_MESSAGE(linked.error().message.starts_with("a.spv: the module is not valid SPIR-V: "),
                      linked.error().message);
    }
}

TEST_CASE("pipeline: misplaced merge instructions are left out") {
    std::string text(kKernel);
    text.insert(text.find("%c = OpULess"), "OpLoopMerge %exit %head DontUnroll\n");
    const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE(words);
    CHECK(!spirv::read(*words));
    CHECK(translate(*words, {}, {}));
    text.insert(text.find("OpReturn"), "OpLoopMerge %exit %exit None\nOpLoopMerge %exit %exit None\n");
    const auto more = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE(more);
    CHECK(translate(*more, {}, {}));
}

TEST_CASE("pipeline: what llvm-spirv gets wrong is mended") {
    std::string text(kKernel);
    auto insert = [&](std::string_view before, std::string_view what) {
        text.insert(text.find(before), what);
    };
    insert("%fn =", R"(
%c2 = OpConstant %int 2
%arr = OpTypeArray %int %c2
%init = OpConstantComposite %arr %c1 %c2
%p_arr = OpTypePointer Function %arr
%p_int = OpTypePointer Function %int
%var = OpVariable %p_arr Function %init
)");
    insert("%p = OpInB", "%e = OpInBoundsPtrAccessChain %p_int %var %c0 %n\n%v = OpLoad %int %e Aligned 4\n");
    insert("%x = OpComp", "%w = OpCompositeExtract %long %gid 3\n");
    insert("OpStore %p %j", "%late = OpVariable %p_arr Function %init\n");
    insert("%head = OpLabel", "%b2 = OpLabel\nOpStore %p %early Aligned 4\nOpBranch %head\n");
    insert("%b2 = OpLabel", "OpBranch %b1\n");
    text.replace(text.find("OpBranch %head"), 14, "");  // the entry block goes to b1, b1 to b2
    insert("%exit = OpLabel", "%b1 = OpLabel\n%early = OpIAdd %int %n %c1\nOpBranch %b2\n");
    text.replace(text.find("%c0 %entry"), 10, "%c0 %b2");
    insert("OpBranch %b1", "OpStore %p %v Aligned 4\n");
    insert("OpMemoryModel", "OpCapability FPFastMathModeINTEL\n");  // and no OpExtension
    insert("%c = OpULess", "%one = OpIEqual %bool %j %c1\n%either = OpSelect %v3 %one %gid %gid\n");
    const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE(words);
    CHECK(!spirv::validate(*words));
    const auto translation = translate(*words, {}, {});
    CHECK_MESSAGE(translation, why(translation));
}

TEST_CASE("pipeline: built-in variables in UniformConstant storage are such") {
    std::string text(kKernel);
    const auto translated = [&] {
        const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
        REQUIRE(words);
        const auto translation = translate(*words, {}, {});
        REQUIRE_MESSAGE(translation, why(translation));
        return *spirv::disassemble(translation->words);
    };
    const std::string expected = translated();
    text.replace(text.find("Input %v3"), 5, "UniformConstant");
    text.replace(text.find("OpVariable %p_in Input"), 22, "OpVariable %p_in UniformConstant");
    text.replace(text.find("\"k\" %id"), 7, "\"k\"");
    CHECK(contains(expected, "BuiltIn GlobalInvocationId"));
    CHECK(contains(translated(), "BuiltIn GlobalInvocationId"));
}

TEST_CASE(
    "pipeline: scopes of aliasing are left out, a phi may name a predecessor for each case of its switch") {
    std::string text(kKernel);
    auto insert = [&](std::string_view before, std::string_view what) {
        text.insert(text.find(before), what);
    };
    insert("OpMemoryModel",
           "OpCapability MemoryAccessAliasingINTEL\nOpExtension \"SPV_INTEL_memory_access_aliasing\"\n");
    insert("%void =", R"(
%domain = OpAliasDomainDeclINTEL
%scope = OpAliasScopeDeclINTEL %domain
%scopes = OpAliasScopeListDeclINTEL %scope
)");
    insert("OpStore %p %j", R"(
OpStore %p %j Aligned|AliasScopeINTELMask|NoAliasINTELMask 4 %scopes %scopes
%seen = OpLoad %int %p Volatile|Aligned|NoAliasINTELMask 4 %scopes
OpSwitch %seen %other 1 %join 2 %join
%other = OpLabel
OpBranch %join
%join = OpLabel
%joined = OpPhi %int %c0 %head %c0 %head %c1 %other
OpStore %p %joined Aligned 4
)");
    text.replace(text.find("%j %head"), 8, "%j %join");
    const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    TranslateOptions options;
    options.verify_between_passes = true;
    const auto translation = translate(*words, options, {});
    CHECK_MESSAGE(translation, why(translation));

    const spirv::LinkInput inputs[] = {{.name = "a.spv", .words = *words}};
    CHECK_FALSE(spirv::link(inputs, {}));  // SPIRV-Tools does not know scopes outside of functions
    const auto linked = link_foreign(inputs, {});
    REQUIRE_MESSAGE(linked, why(linked));
    CHECK_FALSE(contains(*spirv::disassemble(*linked), "AliasScope"));
    const uint32_t broken[] = {1, 2, 3};
    const spirv::LinkInput no_module[] = {inputs[0], {.name = "b.spv", .words = broken}};
    CHECK(link_foreign(no_module, {}).error().message ==
          "b.spv: not a SPIR-V module: shorter than its 5-word header");
}

TEST_CASE(
    "pipeline: tables that only initialisers name, bools in memory and decorations of nothing, as llvm-spirv "
    "writes") {
    std::string text(kKernel);
    text.replace(text.find("\"k\" %id"), 7, "\"k\" %id %table");  // without %values
    text.insert(text.find("%void ="), "OpDecorate %nothing SaturatedConversion\n");
    text.insert(text.find("%fn ="), R"(
%char = OpTypeInt 8 0
%true = OpConstantTrue %bool
%p_char = OpTypePointer UniformConstant %char
%p_bool = OpTypePointer UniformConstant %bool
%pp_char = OpTypePointer UniformConstant %p_char
%c2 = OpConstant %int 2
%flag = OpVariable %p_bool UniformConstant %true
%values = OpVariable %p_char UniformConstant %c7
%pair = OpTypeArray %p_char %c2
%p_pair = OpTypePointer UniformConstant %pair
%addresses = OpConstantComposite %pair %values %values
%table = OpVariable %p_pair UniformConstant %addresses
)");
    text.insert(text.find("%p_char ="), "%c7 = OpConstant %char 7\n");
    text.insert(text.find("OpCapability Int64"), "OpCapability Int8\n");
    text.insert(text.find("OpBranch %head"), R"(
%place = OpInBoundsPtrAccessChain %pp_char %table %c0 %n
%value = OpLoad %p_char %place Aligned 8
%first = OpLoad %char %value Aligned 1
%byte = OpBitcast %p_char %flag
%second = OpLoad %char %byte Aligned 1
%sum = OpIAdd %char %first %second
%wide = OpUConvert %int %sum
%chosen = OpLoad %bool %flag Aligned 1
%stored = OpSelect %int %chosen %wide %n
OpStore %p %stored Aligned 4
)");
    auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    (*words)[1] = 0x00010400;
    CHECK(!spirv::validate(*words));
    const auto translation = translate(*words, {}, {});
    CHECK_MESSAGE(translation, why(translation));
}

TEST_CASE("pipeline: integers of odd widths are wider ones, bits of bool vectors are put together") {
    std::string text(kKernel);
    auto insert = [&](std::string_view before, std::string_view what) {
        text.insert(text.find(before), what);
    };
    insert("OpMemoryModel", R"(
OpCapability ArbitraryPrecisionIntegersINTEL
OpExtension "SPV_INTEL_arbitrary_precision_integers"
)");
    insert("%void =", "OpDecorate %sum NoSignedWrap\n");  // which a mask may not have
    insert("%fn =", R"(
%i4 = OpTypeInt 4 0
%i5 = OpTypeInt 5 0
%v4bool = OpTypeVector %bool 4
%v4int = OpTypeVector %int 4
%four = OpConstantComposite %v4int %c0 %c1 %c1 %c0
%ones = OpConstant %i4 15
%three = OpConstant %i5 3
)");
    insert("OpStore %p %j", R"(
%all = OpCompositeConstruct %v4int %j %j %i %i
%lanes = OpULessThan %v4bool %all %four
%bits = OpBitcast %i4 %lanes
%same = OpIEqual %bool %bits %ones
%wider = OpUConvert %i5 %bits
%sum = OpIAdd %i5 %wider %three
%value = OpUConvert %int %sum
%chosen = OpSelect %int %same %value %j
OpStore %p %chosen Aligned 4
)");
    const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    TranslateOptions options;
    options.verify_between_passes = true;
    auto translation = translate(*words, options, {});
    REQUIRE_MESSAGE(translation, why(translation));
    CHECK(contains(*spirv::disassemble(translation->words), "OpConstant %uint 31"));  // the sum has 5 bits
    const auto error = [&] {
        translation = translate(*spirv::assemble(text, spirv::Target::OpenCL12), options, {});
        REQUIRE(!translation);
        return translation.error().message;
    };
    text.replace(text.find("OpIAdd %i5 %wider %three"), 24, "OpBitReverse %i5 %wider");
    CHECK(error() == "kernel 'k': integers of 5 bits are not supported in OpBitReverse");
    text.insert(text.find("%fn = "), "%global_i5 = OpTypePointer CrossWorkgroup %i5\n");
    CHECK(error() == "integers of 5 bits are not supported in OpTypePointer");
    text.insert(text.find("%bits = "), "%cast = OpBitcast %global_i5 %p\n");
    CHECK(error() == "kernel 'k': integers of 5 bits are not supported in OpTypePointer");
    text.insert(text.find("%fn = "), "%i128 = OpTypeInt !128 0\n%none = OpUndef %i128\n");
    text.insert(text.find("%bits = "), "%twice = OpIAdd %i128 %none %none\n");
    CHECK(error() == "kernel 'k': integers of 128 bits are not supported");
}

TEST_CASE("pipeline: pointers to integers of odd widths are for loads and stores alone") {
    std::string text(kKernel);
    text.insert(text.find("OpMemoryModel"), R"(
OpCapability ArbitraryPrecisionIntegersINTEL
OpExtension "SPV_INTEL_arbitrary_precision_integers"
)");
    text.insert(text.find("%fn ="),
                "%i24 = OpTypeInt 24 0\n%global_i24 = OpTypePointer CrossWorkgroup %i24\n");
    text.insert(text.find("OpStore %p %j"), R"(%three = OpBitcast %global_i24 %p
%old = OpLoad %i24 %three Aligned 1
OpStore %three %old Aligned 2
)");
    TranslateOptions options;
    options.verify_between_passes = true;
    const auto translated = [&] {
        return translate(*spirv::assemble(text, spirv::Target::OpenCL12), options, {});
    };
    const auto translation = translated();
    REQUIRE_MESSAGE(translation, why(translation));
    text.insert(text.find("%old ="), "%next = OpInBoundsPtrAccessChain %global_i24 %three %x\n");
    CHECK(translated().error().message ==
          "kernel 'k': integers of 24 bits are not supported in OpInBoundsPtrAccessChain");
    text.insert(text.find("%fn ="), "%var = OpVariable %global_i24 CrossWorkgroup\n");
    text.insert(text.find("%void ="), "OpName %var \"v\"\n");
    const std::string message = translated().error().message;
    CHECK_MESSAGE(message == "variable 'v': integers of 24 bits are not supported in OpVariable", message);
}

TEST_CASE("pipeline: lists of constructors go, other pointers to functions are declined") {
    std::string text(kKernel);
    text.insert(text.find("%void ="), "OpDecorate %list LinkageAttributes \"llvm.global_ctors\" Export\n");
    text.insert(text.find("OpMemoryModel"), "OpCapability Linkage\n");
    text.insert(text.find("%k = OpFunction"), R"(
%constructor = OpTypeFunction %void
%p_constructor = OpTypePointer Function %constructor
%entry_type = OpTypeStruct %int %p_constructor
%p_entry = OpTypePointer Function %entry_type
%none = OpConstantNull %p_constructor
%same = OpSpecConstantOp %p_constructor Bitcast %none
%value = OpConstantComposite %entry_type %c1 %same
)");
    text.insert(text.find("%gid = "), "%list = OpVariable %p_entry Function %value\n");
    TranslateOptions options;
    options.verify_between_passes = true;
    auto translation = translate(*spirv::assemble(text, spirv::Target::OpenCL12), options, {});
    CHECK_MESSAGE(translation, why(translation));
    text.replace(text.find("llvm.global_ctors"), 17, "table_of_functions");
    translation = translate(*spirv::assemble(text, spirv::Target::OpenCL12), options, {});
    REQUIRE(!translation);
    CHECK(translation.error().message == "kernel 'k': pointers to functions are not supported");
    // The same table in a function that no kernel calls.
    const std::string local = "%list = OpVariable %p_entry Function %value\n";
    text.erase(text.find(local), local.size());
    text += "%unused = OpFunction %void None %constructor\n%unused_entry = OpLabel\n" + local +
            "OpReturn\nOpFunctionEnd\n";
    translation = translate(*spirv::assemble(text, spirv::Target::OpenCL12), options, {});
    CHECK_MESSAGE(translation, why(translation));
}

TEST_CASE("pipeline: inline assembly is declined by name") {
    std::string text(kKernel);
    text.insert(text.find("OpMemoryModel"),
                "OpCapability AsmINTEL\nOpExtension \"SPV_INTEL_inline_assembly\"\n");
    text.insert(text.find("%k = OpFunction"), "%assembly_type = OpTypeFunction %int\n");
    const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    // SPIRV-Tools' assembler may give OpAsmTargetINTEL a result type, so that these words are written here.
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, why(module));
    const auto add = [&](auto& list, auto place, spv::Op op, spirv::Id type,
                         std::vector<spirv::Operand> operands, std::vector<std::string> strings) {
        spirv::Instruction inst = {.op = op, .type = type, .result = module->fresh()};
        for (const spirv::Operand& operand : operands) inst.operands.push_back(operand);
        for (const std::string& string : strings) spirv::append_string(inst.operands, string);
        return list.insert(place, inst)->result;
    };
    auto& globals = module->globals;
    const auto type = std::ranges::find(globals, spv::Op::OpTypeInt, &spirv::Instruction::op)->result;
    const auto signature =
        std::ranges::find(globals.rbegin(), globals.rend(), spv::Op::OpTypeFunction, &spirv::Instruction::op)
            ->result;
    const auto target = add(globals, globals.end(), spv::Op::OpAsmTargetINTEL, {}, {}, {"spir64"});
    const auto assembly =
        add(globals, globals.end(), spv::Op::OpAsmINTEL, signature, {signature, target}, {"mov $0, 7", "=r"});
    auto& body = module->functions.back().blocks.front().body;
    add(body, body.begin(), spv::Op::OpAsmCallINTEL, type, {assembly}, {});
    const auto translation = translate(spirv::write(*module), {}, {});
    REQUIRE(!translation);
    CHECK(translation.error().message == "kernel 'k': inline assembly is not supported");
}

TEST_CASE("pipeline: entry points that do not list the built-in variables they use") {
    std::string text(kKernel);
    text.replace(text.find("\"k\" %id"), 7, "\"k\"");
    const auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE(words);
    CHECK(!spirv::validate(*words));
    const auto translation = translate(*words, {}, {});
    CHECK_MESSAGE(translation, why(translation));
}

TEST_CASE("pipeline: SPIR-V 1.4 lists also the strings that repairs make") {
    std::string text(kKernel);
    auto insert = [&](std::string_view before, std::string_view what) {
        text.insert(text.find(before), what);
    };
    insert("OpMemoryModel", R"(OpCapability Int8
OpExtension "SPV_EXT_relaxed_printf_string_address_space"
%cl = OpExtInstImport "OpenCL.std"
)");
    insert("%fn =", R"(%char = OpTypeInt 8 0
%c2 = OpConstant %int 2
%letter = OpConstant %char 65
%nul = OpConstant %char 0
%text = OpTypeArray %char %c2
%bytes = OpConstantComposite %text %letter %nul
%far_text = OpTypePointer CrossWorkgroup %text
%far_char = OpTypePointer CrossWorkgroup %char
%format = OpVariable %far_text CrossWorkgroup %bytes
)");
    insert("OpBranch %head", "%f = OpBitcast %far_char %format\n%r = OpExtInst %int %cl printf %f\n");
    text.replace(text.find("\"k\" %id"), 7, "\"k\" %id %format");
    auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    (*words)[1] = 0x00010400;
    const auto translation = translate(*words, {.stop_after = "import_module"}, {});
    CHECK_MESSAGE(translation, why(translation));
}

TEST_CASE("pipeline: id 0 in debug information is nothing") {
    std::string text(kKernel);
    text.insert(text.find("OpMemoryModel"), "%debug = OpExtInstImport \"OpenCL.DebugInfo.100\"\n");
    text.insert(text.find("%void ="), "%name = OpString \"name\"\n");
    text.insert(text.find("%fn ="),
                "%source = OpExtInst %void %debug DebugSource %name\n"
                "%unit = OpExtInst %void %debug DebugCompilationUnit 1 4 %source OpenCL_C\n"
                "%there = OpExtInst %void %debug DebugImportedEntity %name "
                "ImportedDeclaration %source %unit 1 1 %unit\n");
    auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    bool cleared = false;
    for (size_t at = 5; at < words->size(); at += (*words)[at] >> 16)
        if (((*words)[at] & 0xffff) == static_cast<uint32_t>(spv::Op::OpExtInst) && (*words)[at + 4] == 34) {
            (*words)[at + 8] = 0;  // what the declaration is of
            cleared = true;
        }
    CHECK(cleared);
    const auto translation = translate(*words, {}, {});
    CHECK_MESSAGE(translation, why(translation));
}

TEST_CASE("pipeline: one condition chooses between structs, also where Vulkan has no SPIR-V 1.4") {
    std::string text(kKernel);
    auto insert = [&](std::string_view before, std::string_view what) {
        text.insert(text.find(before), what);
    };
    insert("%fn =", R"(%c2 = OpConstant %int 2
%pair = OpTypeArray %int %c2
%both = OpTypeStruct %pair %long %bool
%nothing = OpConstantNull %both
)");
    insert("OpStore %p %j", R"(%even = OpULessThan %bool %n %j
%filled = OpCompositeInsert %both %j %nothing 0 1
%chosen = OpSelect %both %even %filled %nothing
%second = OpCompositeExtract %int %chosen 0 1
)");
    text.replace(text.find("OpStore %p %j"), 13, "OpStore %p %second");
    auto words = spirv::assemble(text, spirv::Target::OpenCL12);
    REQUIRE_MESSAGE(words, why(words));
    (*words)[1] = 0x00010400;
    for (auto target : {spirv::Target::Vulkan11, spirv::Target::Vulkan13}) {
        const auto translation = translate(*words, {.target = target}, {});
        REQUIRE_MESSAGE(translation, why(translation));
        const auto valid = spirv::validate(translation->words, target);
        CHECK_MESSAGE(valid, why(valid));
        CHECK(contains(*spirv::disassemble(translation->words), "OpSelect %uint"));
    }
}
