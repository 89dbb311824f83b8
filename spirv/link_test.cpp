// SPDX-License-Identifier: Apache-2.0
#include "spirv/link.h"

#include <doctest/doctest.h>
#include <algorithm>

#include "spirv/spirv.h"

using namespace caldera;
using namespace caldera::spirv;

namespace {

std::vector<uint32_t> module(std::string_view body, std::string_view model = "Physical64") {
    std::string text = "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\nOpMemoryModel " +
                       std::string(model) + " OpenCL\n" + std::string(body);
    auto words = assemble(text, Target::OpenCL20);
    REQUIRE_MESSAGE(static_cast<bool>(words), text);
    return words.take();
}

constexpr std::string_view kTypes = R"(
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%one = OpConstant %uint 1
%fn = OpTypeFunction %uint %uint
%other = OpTypeFunction %float %float
)";

std::string defines(std::string_view name) {
    return "OpDecorate %f LinkageAttributes \"" + std::string(name) + "\" Export\n" + std::string(kTypes) +
           "%f = OpFunction %uint None %fn\n%p = OpFunctionParameter %uint\n%b = OpLabel\n"
           "%s = OpIAdd %uint %p %one\nOpReturnValue %s\nOpFunctionEnd\n";
}
std::string calls(std::string_view name, bool with_float = false) {
    std::string type = with_float ? "%float" : "%uint", function = with_float ? "%other" : "%fn";
    return "OpDecorate %f LinkageAttributes \"" + std::string(name) + "\" Import\n" + std::string(kTypes) +
           "%f = OpFunction " + type + " None " + function + "\n%p = OpFunctionParameter " + type +
           "\nOpFunctionEnd\n";
}

std::string linked(std::vector<std::vector<uint32_t>> modules, const LinkOptions& options = {}) {
    std::vector<LinkInput> inputs;
    const char* kNames[] = {"a.spv", "b.spv", "c.spv"};
    for (size_t i = 0; i < modules.size(); ++i) inputs.push_back({kNames[i], modules[i]});
    auto words = link(inputs, options);
    if (!words) return words.error().message;
    CHECK(validate(*words, Target::OpenCL20));
    return *disassemble(*words);
}

}  // namespace

TEST_CASE("what LLVM's back end has made alone is known as its work") {
    auto caller = module(calls("f")), definition = module(defines("f"));
    const auto is_from_llvm = [&] {
        const auto words = link(std::vector<LinkInput>{{"a.spv", caller}, {"b.spv", definition}}, {});
        REQUIRE(words);
        return read(*words)->is_from_llvm();
    };
    constexpr size_t kGenerator = 2;
    caller[kGenerator] = Module::kLlvmGenerator << 16;
    CHECK(!is_from_llvm());
    definition[kGenerator] = Module::kLlvmGenerator << 16;
    CHECK(is_from_llvm());
}

TEST_CASE("an import becomes the export of its name") {
    std::string text = linked({module(calls("f")), module(defines("f"))});
    CHECK(text.find("OpIAdd") != std::string::npos);
    CHECK(text.find("LinkageAttributes") == std::string::npos);
    text = linked({module(calls("f")), module(defines("f"))}, {.create_library = true});
    CHECK(text.find("LinkageAttributes \"f\" Export") != std::string::npos);
    CHECK(text.find("Import") == std::string::npos);
}

TEST_CASE("what is missing stays imported, in modules that several modules make") {
    const auto both = [](std::string_view own, std::string_view lacking) {
        std::string text = calls(lacking);
        text = "OpDecorate %g LinkageAttributes \"" + std::string(own) + "\" Export\n" + text +
               "%g = OpFunction %uint None %fn\n%q = OpFunctionParameter %uint\n%b = OpLabel\n"
               "%s = OpFunctionCall %uint %f %q\nOpReturnValue %s\nOpFunctionEnd\n";
        return module(text);
    };
    const std::vector<std::vector<uint32_t>> parts = {both("g", "f"), both("h", "f"), both("i", "k")};
    for (const bool create_library : {false, true}) {
        const std::string text = linked(parts, {.create_library = create_library, .allow_partial = true});
        CHECK(text.find("LinkageAttributes \"f\" Import") != std::string::npos);
        CHECK(text.find("LinkageAttributes \"k\" Import") != std::string::npos);
        CHECK((text.find("LinkageAttributes \"h\" Export") != std::string::npos) == create_library);
    }
    std::vector<LinkInput> inputs;
    for (const std::vector<uint32_t>& part : parts) inputs.push_back({"part", part});
    const auto library = link(inputs, {.create_library = true, .allow_partial = true});
    REQUIRE(library);
    const std::string text = linked({*library, module(defines("f")), module(defines("k"))});
    CHECK(text.find("LinkageAttributes") == std::string::npos);
    CHECK(linked({*library, module(defines("f"))}) == "undefined symbol 'k', used in 'a.spv'");
}

TEST_CASE("of definitions that several modules may have, one stays; an exported one comes first") {
    const auto repeated = [](std::string_view operation) {
        std::string text = defines("f");
        text.replace(text.find("Export"), 6, "LinkOnceODR");
        text.replace(text.find("OpIAdd"), 6, operation);
        text =
            "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
            "OpExtension \"SPV_KHR_linkonce_odr\"\nOpMemoryModel Physical64 OpenCL\n" +
            text;
        auto words = assemble(text, Target::OpenCL20);
        REQUIRE_MESSAGE(static_cast<bool>(words), text);
        return words.take();
    };
    const auto count = [](const std::string& text, std::string_view of) {
        size_t n = 0;
        for (size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + 1)) ++n;
        return n;
    };
    std::string text = linked({repeated("OpIMul"), module(calls("f")), repeated("OpISub")});
    CHECK(count(text, "OpFunction ") == 1);
    CHECK(count(text, "OpIMul") == 1);
    CHECK(count(text, "LinkageAttributes") == 0);
    text = linked({repeated("OpIMul"), module(defines("f"))});
    CHECK(count(text, "OpFunction ") == 1);
    CHECK(count(text, "OpIAdd") == 1);
    // A library's may meet others.
    text = linked({repeated("OpISub"), repeated("OpIMul")}, {.create_library = true});
    CHECK(count(text, "OpISub") == 1);
    CHECK(count(text, "OpFunction ") == 1);
    CHECK(count(text, "\"f\" LinkOnceODR") == 1);
}

TEST_CASE("a kernel that another module calls is a function there, and an entry point still") {
    const std::string types = R"(
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%global = OpTypePointer CrossWorkgroup %uint
%one = OpConstant %uint 1
%fn = OpTypeFunction %void %global
)";
    const std::vector<uint32_t> kernel = module(R"(OpEntryPoint Kernel %k "k"
OpExecutionMode %k LocalSize 4 1 1
OpDecorate %p FuncParamAttr NoCapture
)" + types + R"(%k = OpFunction %void None %fn
%p = OpFunctionParameter %global
%b = OpLabel
OpStore %p %one Aligned 4
OpReturn
OpFunctionEnd
)");
    const std::vector<uint32_t> caller = module(R"(OpEntryPoint Kernel %l "l"
OpDecorate %k LinkageAttributes "k" Import
)" + types + R"(%k = OpFunction %void None %fn
%q = OpFunctionParameter %global
OpFunctionEnd
%l = OpFunction %void None %fn
%p = OpFunctionParameter %global
%b = OpLabel
%r = OpFunctionCall %void %k %p
OpReturn
OpFunctionEnd
)");
    const auto count = [](const std::string& text, std::string_view part) {
        size_t times = 0;
        for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
        return times;
    };
    for (const std::string& text : {linked({kernel, caller}), linked({caller, kernel})}) {
        CHECK(count(text, "OpEntryPoint") == 2);
        CHECK(count(text, "LocalSize 4 1 1") == 1);
        CHECK(count(text, "OpFunctionCall") == 2);  // l's of the function, and the entry point's
        CHECK(count(text, "NoCapture") == 2);
        CHECK(count(text, "OpStore") == 1);
        CHECK(count(text, "LinkageAttributes") == 0);
    }
    CHECK(count(linked({kernel, caller}, {.create_library = true}), "\"k\" Export") == 1);
    CHECK(linked({module(calls("k")), kernel}) ==
          "the types of 'k' differ: 'i32 (i32)' in 'a.spv', 'void (i32 global *)' in 'b.spv'");
}

TEST_CASE(
    "the strictest alignment of a symbol's declarations holds; other decorations are the definition's") {
    const auto variable = [](std::string_view decorations, std::string_view type, std::string_view rest) {
        return module(std::string(decorations) + "OpDecorate %v LinkageAttributes \"v\" " +
                      std::string(type) + "\n" + std::string(kTypes) +
                      "%ptr = OpTypePointer CrossWorkgroup %uint\n%v = OpVariable" + " %ptr CrossWorkgroup" +
                      std::string(rest) + "\n");
    };
    const auto own = variable("OpDecorate %v Alignment 8\nOpDecorate %v Volatile\n", "Export", " %one"),
               aligned = variable("OpDecorate %v Alignment 64\nOpDecorate %v Constant\n", "Import", ""),
               grouped = variable(
                   "OpDecorate %g Alignment 32\nOpDecorate %g Constant\n%g = OpDecorationGroup\n"
                   "OpGroupDecorate %g %v\n",
                   "Import", ""),
               plain = variable("", "Import", "");
    const auto decorations = [&](const std::vector<std::vector<uint32_t>>& parts) {
        const Result<Module> all = read(*assemble(linked(parts), Target::OpenCL20));
        REQUIRE(all);
        std::string text;
        for (const Instruction& inst : all->annotations) {
            const auto is_target = [&](const Instruction& global) {
                return global.op == spv::Op::OpVariable && global.result == inst.id(0);
            };
            if (inst.op == spv::Op::OpDecorate && std::ranges::any_of(all->globals, is_target))
                for (size_t i = 1; i < inst.operands.size(); ++i) text += std::to_string(inst.word(i)) + " ";
        }
        return text;
    };
    static_assert(static_cast<int>(spv::Decoration::Alignment) == 44);
    static_assert(static_cast<int>(spv::Decoration::Volatile) == 21);
    CHECK(decorations({own, plain}) == "21 44 8 ");
    CHECK(decorations({grouped, own}) == "21 44 32 ");
    CHECK(decorations({grouped, aligned, own}) == "21 44 64 ");
    const auto grouped_definition = variable(
        "OpDecorate %g Alignment 8\nOpDecorate %g Volatile\n"
        "%g = OpDecorationGroup\nOpGroupDecorate %g %v\n",
        "Export", " %one");
    CHECK(decorations({grouped_definition, aligned, plain}) == "21 44 64 ");
}

TEST_CASE("an array of unknown length and an incomplete struct become what the definition says") {
    const auto unit = [](std::string_view linkage, std::string_view types, std::string_view rest) {
        return module("OpDecorate %t LinkageAttributes \"t\" " + std::string(linkage) +
                      "\nOpDecorate %f LinkageAttributes \"f\" " + std::string(linkage) + "\n" +
                      std::string(types) + std::string(rest));
    };
    const std::string common = R"(
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%four = OpConstant %uint 4
%ptr = OpTypePointer UniformConstant %uint
)";
    const std::string functions = R"(
%table = OpTypePointer UniformConstant %array
%s = OpTypePointer CrossWorkgroup %struct
%ss = OpTypePointer Function %s
%fn = OpTypeFunction %s %s %ss
)";
    // p[0] is the address of an element of t, which a later module defines.
    const auto user = unit("Import", common,
                           "%array = OpTypeArray %uint %one\n%struct = OpTypeOpaque \"S\"\n" + functions + R"(
%t = OpVariable %table UniformConstant
%second = OpSpecConstantOp %ptr InBoundsPtrAccessChain %t %zero %one
%pp = OpTypePointer UniformConstant %ptr
%p = OpVariable %pp UniformConstant %second
%f = OpFunction %s None %fn
%a = OpFunctionParameter %s
%b = OpFunctionParameter %ss
OpFunctionEnd
%g = OpFunction %s None %fn
%c = OpFunctionParameter %s
%d = OpFunctionParameter %ss
%l = OpLabel
%q = OpLoad %ptr %p Aligned 8
%e = OpInBoundsPtrAccessChain %ptr %t %zero %one
%r = OpFunctionCall %s %f %c %d
OpReturnValue %r
OpFunctionEnd
)");
    const auto definition = unit("Export", common,
                                 "%array = OpTypeArray %uint %four\n"
                                 "%struct = OpTypeStruct %uint %uint\n" +
                                     functions + R"(
%values = OpConstantComposite %array %one %four %one %zero
%t = OpVariable %table UniformConstant %values
%f = OpFunction %s None %fn
%a = OpFunctionParameter %s
%b = OpFunctionParameter %ss
%l = OpLabel
OpReturnValue %a
OpFunctionEnd
)");
    for (const std::string& text : {linked({user, definition}), linked({definition, user})}) {
        CHECK(text.find("LinkageAttributes") == std::string::npos);
        CHECK(text.find("OpSpecConstantOp") != std::string::npos);
        const auto read_again = read(*assemble(text, Target::OpenCL20));
        REQUIRE(read_again);
        size_t casts = 0, declarations = 0;
        for (const Function& function : read_again->functions) {
            declarations += function.blocks.empty();
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body) casts += inst.op == spv::Op::OpBitcast;
        }
        CHECK(casts == 3);  // of two arguments and of what the call returns; elements of the table need none
        CHECK(declarations == 0);
    }
}

TEST_CASE("from SPIR-V 1.4 on, entry points list the definitions that they use, also in other modules") {
    const auto unit = [](uint32_t version, std::string_view text) {
        std::vector<uint32_t> words = module(text);
        words[1] = version;
        REQUIRE(validate(words));
        return words;
    };
    const std::string common = R"(
%uint = OpTypeInt 32 0
%void = OpTypeVoid
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%four = OpConstant %uint 4
%ptr = OpTypePointer UniformConstant %uint
%get = OpTypeFunction %uint
%fn = OpTypeFunction %void
)";
    // The kernel reads `numbers`, of unknown length, and calls a function that reads `hidden` through `last`.
    const std::string user = R"(
OpDecorate %t LinkageAttributes "numbers" Import
OpDecorate %f LinkageAttributes "f" Import
)" + common + R"(
%array = OpTypeArray %uint %one
%table = OpTypePointer UniformConstant %array
%t = OpVariable %table UniformConstant
%f = OpFunction %uint None %get
OpFunctionEnd
%k = OpFunction %void None %fn
%l = OpLabel
%e = OpInBoundsPtrAccessChain %ptr %t %zero %one
%v = OpLoad %uint %e Aligned 4
%g = OpFunctionCall %uint %f
OpReturn
OpFunctionEnd
)";
    const std::string definition = R"(
OpDecorate %t LinkageAttributes "numbers" Export
OpDecorate %f LinkageAttributes "f" Export
)" + common + R"(
%array = OpTypeArray %uint %four
%table = OpTypePointer UniformConstant %array
%values = OpConstantComposite %array %one %four %one %zero
%t = OpVariable %table UniformConstant %values
%hidden = OpVariable %ptr UniformConstant %one
%unused = OpVariable %ptr UniformConstant %one
%pp = OpTypePointer UniformConstant %ptr
%last = OpVariable %pp UniformConstant %hidden
%f = OpFunction %uint None %get
%l = OpLabel
%p = OpLoad %ptr %last Aligned 8
%r = OpLoad %uint %p Aligned 4
OpReturnValue %r
OpFunctionEnd
)";
    constexpr uint32_t kFirst = 0x00010000, kLists = 0x00010400;
    const auto listed = [&](const std::vector<std::vector<uint32_t>>& parts) {
        std::vector<LinkInput> inputs;
        for (const std::vector<uint32_t>& part : parts) inputs.push_back({"part", part});
        const auto words = link(inputs, {});
        REQUIRE(words);
        CHECK(validate(*words));
        return read(*words)->entry_points.at(0).operands.size() -
               3;  // a model, a function and "k" come first
    };
    const auto old_user = unit(kFirst, "OpEntryPoint Kernel %k \"k\"" + user),
               new_user = unit(kLists, "OpEntryPoint Kernel %k \"k\" %t" + user),
               old_definition = unit(kFirst, definition), new_definition = unit(kLists, definition);
    CHECK(listed({new_user, new_definition}) == 3);
    CHECK(listed({new_definition, new_user}) == 3);
    CHECK(listed({old_user, new_definition}) == 3);
    CHECK(listed({new_user, old_definition}) == 3);
    CHECK(listed({old_user, old_definition}) == 0);
}

TEST_CASE("elements of an array whose structs stay two types are reached from the first element") {
    // S points to T, which points to the incomplete U: the user's S and T stay types of their own.
    const auto unit = [](std::string_view linkage, std::string_view u, std::string_view length,
                         std::string_view rest) {
        return module("OpDecorate %t LinkageAttributes \"t\" " + std::string(linkage) + R"(
%uint = OpTypeInt 32 0
%void = OpTypeVoid
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%three = OpConstant %uint 3
%four = OpConstant %uint 4
%u = OpType)" + std::string(u) +
                      R"(
%pu = OpTypePointer UniformConstant %u
%tag = OpTypeStruct %pu
%pt = OpTypePointer UniformConstant %tag
%s = OpTypeStruct %pt %uint
%array = OpTypeArray %s %)" +
                      std::string(length) + "\n%table = OpTypePointer UniformConstant %array\n" +
                      std::string(rest));
    };
    const auto user = unit("Import", R"(Opaque "struct.U")", "one", R"(
%ps = OpTypePointer UniformConstant %s
%ptr = OpTypePointer UniformConstant %uint
%t = OpVariable %table UniformConstant
%third = OpSpecConstantOp %ptr InBoundsPtrAccessChain %t %zero %three %one
%also = OpSpecConstantOp %ps AccessChain %t %three
%pp = OpTypePointer UniformConstant %ptr
%p = OpVariable %pp UniformConstant %third
%pps = OpTypePointer UniformConstant %ps
%q = OpVariable %pps UniformConstant %also
%fn = OpTypeFunction %void %uint
%f = OpFunction %void None %fn
%i = OpFunctionParameter %uint
%l = OpLabel
%a = OpAccessChain %ps %t %i
%b = OpInBoundsAccessChain %ptr %t %i %one
%c = OpPtrAccessChain %ptr %t %zero %i %one
%d = OpInBoundsPtrAccessChain %ps %t %zero %i
OpReturn
OpFunctionEnd
)");
    const auto definition = unit("Export", "Struct %uint", "four", R"(
%values = OpConstantNull %array
%t = OpVariable %table UniformConstant %values
)");
    for (const std::string& text : {linked({user, definition}), linked({definition, user})}) {
        const auto all = read(*assemble(text, Target::OpenCL20));
        REQUIRE(all);
        Id whole, element;  // casts of t
        for (const Instruction& inst : all->globals) {
            if (inst.op != spv::Op::OpSpecConstantOp || inst.word(0) != uint32_t(spv::Op::OpBitcast))
                continue;
            const auto defines = [](Id id) { return [id](const Instruction& g) { return g.result == id; }; };
            const Id pointee = std::ranges::find_if(all->globals, defines(inst.type))->id(1);
            const spv::Op op = std::ranges::find_if(all->globals, defines(pointee))->op;
            (op == spv::Op::OpTypeArray ? whole : element) = inst.result;
        }
        REQUIRE(element);
        std::string chains;  // each one's operation and its number of indices
        const auto note = [&](spv::Op op, const Instruction& inst, size_t base) {
            CHECK(inst.id(base) != whole);
            if (inst.id(base) != element) return;
            chains += op == spv::Op::OpPtrAccessChain           ? "pointer "
                      : op == spv::Op::OpInBoundsPtrAccessChain ? "in bounds "
                                                                : "other ";
            chains += std::to_string(inst.operands.size() - base - 1) + " ";
        };
        for (const Instruction& inst : all->globals)
            if (inst.op == spv::Op::OpSpecConstantOp) note(static_cast<spv::Op>(inst.word(0)), inst, 1);
        for (const Function& function : all->functions)
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body) note(inst.op, inst, 0);
        CHECK(chains == "in bounds 2 pointer 1 pointer 1 in bounds 2 pointer 2 in bounds 1 ");
    }
}

TEST_CASE("incomplete structs are one if they have one name") {
    const auto unit = [](std::string_view linkage, std::string_view type, std::string_view body) {
        return module("OpDecorate %f LinkageAttributes \"f\" " + std::string(linkage) + "\n" +
                      std::string(kTypes) + "%s = OpType" + std::string(type) + R"(
%p = OpTypePointer CrossWorkgroup %s
%g = OpTypeFunction %uint %p
%f = OpFunction %uint None %g
%q = OpFunctionParameter %p
)" + std::string(body) +
                      "OpFunctionEnd\n");
    };
    constexpr std::string_view kBody = "%l = OpLabel\nOpReturnValue %one\n";
    const auto call = [&](std::string_view declared, std::string_view defined) {
        return linked({unit("Import", declared, ""), unit("Export", defined, kBody)});
    };
    const auto links = [&](std::string_view declared, std::string_view defined) {
        return call(declared, defined).find("OpReturnValue") != std::string::npos;
    };
    CHECK(links(R"(Opaque "struct.a")", R"(Opaque "struct.a")"));
    CHECK(links(R"(Opaque "struct.a.12")", R"(Opaque "struct.a")"));  // from modules that LLVM has linked
    CHECK(links(R"(Opaque "struct.a")", "Struct %uint"));
    CHECK(links("Struct %uint", R"(Opaque "struct.b")"));
    CHECK(call(R"(Opaque "struct.a")", R"(Opaque "struct.b")") ==
          "the types of 'f' differ: 'i32 (incomplete struct.a global *)' in 'a.spv', "
          "'i32 (incomplete struct.b global *)' in 'b.spv'");
    CHECK(!links(R"(Opaque "struct.1")", R"(Opaque "struct.2")"));
    CHECK(!links(R"(Opaque "struct.a")", R"(Opaque "struct.a1")"));
}

TEST_CASE("what is missing, doubled or of another type is named with its files") {
    CHECK(linked({module(calls("f")), module(defines("g"))}) == "undefined symbol 'f', used in 'a.spv'");
    CHECK(linked({module(calls("f")), module(defines("g"))}, {.allow_partial = true}).find("\"f\" Import") !=
          std::string::npos);
    CHECK(linked({module(calls("_Z3fooi")), module(defines("g"))}).find("\"_Z3fooi\" Import") !=
          std::string::npos);  // a built-in function
    CHECK(linked({module(defines("f")), module(calls("h")), module(defines("f"))}) ==
          "duplicate symbol 'f', in 'a.spv' and in 'c.spv'");
    CHECK(linked({module(calls("f", true)), module(defines("f")), module(calls("h"))}) ==
          "the types of 'f' differ: 'f32 (f32)' in 'a.spv', 'i32 (i32)' in 'b.spv'\n"
          "undefined symbol 'h', used in 'c.spv'");
    const auto array = [](std::string_view linkage, std::string_view length, std::string_view value) {
        return module("OpDecorate %v LinkageAttributes \"v\" " + std::string(linkage) + "\n" +
                      std::string(kTypes) + "%n = OpConstant %uint " + std::string(length) +
                      "\n%array = OpTypeArray %uint %n\n%ptr = OpTypePointer CrossWorkgroup %array\n"
                      "%null = OpConstantNull %array\n%v = OpVariable %ptr CrossWorkgroup" +
                      std::string(value) + "\n");
    };
    CHECK(linked({array("Import", "2", ""), array("Export", "4", " %null")}) ==
          "the types of 'v' differ: 'i32[2] global *' in 'a.spv', 'i32[4] global *' in 'b.spv'");
    // A declared length of 1 may be an unknown one.
    CHECK(linked({array("Import", "1", ""), array("Export", "4", " %null")}).find("Import") ==
          std::string::npos);
    CHECK(linked({array("Import", "4", ""), array("Export", "1", " %null")}) ==
          "the types of 'v' differ: 'i32[4] global *' in 'a.spv', 'i32[1] global *' in 'b.spv'");
    CHECK(linked({module(defines("f")), module(calls("f"), "Physical32")}) ==
          "'b.spv' differs in its addressing or memory model from 'a.spv'");
}

TEST_CASE("the variable of a built-in is nobody's symbol") {
    const auto unit = module(
        "OpDecorate %v BuiltIn GlobalInvocationId\nOpDecorate %v LinkageAttributes \"__spirv_v\" Import\n"
        "%ulong = OpTypeInt 64 0\n%v3 = OpTypeVector %ulong 3\n%ptr = OpTypePointer Input %v3\n"
        "%v = OpVariable %ptr Input\n");
    CHECK(linked({unit, module(defines("f"))}).find("LinkageAttributes") == std::string::npos);
}

TEST_CASE("two kernels of one name") {
    auto kernel = [] {
        return module(
            "OpEntryPoint Kernel %k \"k\"\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
            "%k = OpFunction %void None %fn\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n");
    };
    CHECK(linked({kernel(), kernel()}) == "duplicate kernel 'k', in 'a.spv' and in 'b.spv'");
}

TEST_CASE("what is no module is said by file") {
    std::vector<uint32_t> good = module(defines("f")), cut(good.begin(), good.begin() + 12);
    CHECK(linked({good, {1, 2, 3}}).starts_with("b.spv: "));
    CHECK(linked({cut, good}).starts_with("a.spv: "));
    CHECK(!link(std::span<const LinkInput>(), LinkOptions()));
    std::string no_type =
        "%uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n%p = OpTypePointer Function %one\n";
    CHECK(linked({good, module(no_type)}).starts_with("b.spv: "));  // SPIRV-Tools' linker would crash
}

TEST_CASE("modules with debug information that SPIRV-Tools reject are linked, with their lines") {
    const auto with_debug_info = [](std::string text, const std::string& name) {
        const std::string set = "%set = OpExtInstImport \"OpenCL.DebugInfo.100\"\n",
                          file = "%file = OpString \"" + name + "\"\n";
        text.insert(text.find("%uint ="), "%void = OpTypeVoid\n");
        text.insert(text.find("%f = OpFunction"), R"(
%none = OpExtInst %void %set DebugInfoNone
%src = OpExtInst %void %set DebugSource %file
%unit = OpExtInst %void %set DebugCompilationUnit 65536 4 %src OpenCL_C
%pointer = OpExtInst %void %set DebugTypePointer %none CrossWorkgroup None
%type = OpExtInst %void %set DebugTypeFunction None %none
%sub = OpExtInst %void %set DebugFunction %file %type %src 3 1 %unit %file FlagIsPublic 3 %f
)");
        if (const size_t body = text.find("%s = "); body != std::string::npos)
            text.insert(body, "%scope = OpExtInst %void %set DebugScope %sub\nOpLine %file 7 9\n");
        const std::string head = "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n";
        auto words =
            assemble(head + set + "OpMemoryModel Physical64 OpenCL\n" + file + text, Target::OpenCL20);
        REQUIRE_MESSAGE(words, text);
        CHECK_FALSE(validate(*words));
        return words.take();
    };
    const std::string text =
        linked({with_debug_info(calls("f"), "a.cl"), with_debug_info(defines("f"), "b.cl")});
    const size_t file = text.find(" = OpString \"b.cl\"\n");
    REQUIRE_MESSAGE(file != std::string::npos, text);
    const std::string id = text.substr(0, file).substr(text.rfind('%', file));
    CHECK_MESSAGE(text.find("OpLine " + id + " 7 9\n") != std::string::npos, text);
    CHECK(text.find("\"lines\"") == std::string::npos);
}

TEST_CASE("lines of linked modules name the files that they named") {
    const auto with_lines = [](std::string text, const std::string& name, const std::string& strings) {
        text.insert(text.find("%s = "), "OpLine %file 5 2\n");
        text.insert(text.find("OpReturnValue"), "OpNoLine\n");
        text.insert(text.find("%one ="), "OpLine %file 1 1\n");
        text.insert(text.find("%fn ="), "OpNoLine\n");
        return module(strings + "%file = OpString \"" + name + "\"\n" + text);
    };
    const std::string text = linked({with_lines(defines("f"), "a.cl", "%no = OpString \"lines\"\n"),
                                     with_lines(defines("g"), "b.cl", ""),
                                     with_lines(defines("h"), "c.cl", "%x = OpString \"x\"\n")});
    for (const std::string name : {"a.cl", "b.cl", "c.cl"}) {
        const size_t file = text.find(" = OpString \"" + name + "\"\n");
        REQUIRE_MESSAGE(file != std::string::npos, text);
        const std::string line = "OpLine " + text.substr(0, file).substr(text.rfind('%', file)) + " ";
        CHECK_MESSAGE(text.find(line + "5 2\n") != std::string::npos, text);
        CHECK_MESSAGE(text.find(line + "1 1\n") != std::string::npos, text);
    }
    CHECK(text.find(" \"lines\"\n") != std::string::npos);
    CHECK(text.find(" \"lines \"\n") == std::string::npos);
    CHECK(text.find("OpNoLine") != std::string::npos);
}
