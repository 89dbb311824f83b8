// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A kernel with a private object, a pointer variable and a buffer. `functions` precede it.
std::string module_text(const std::string& body, const std::string& functions = "") {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Linkage
 OpCapability GenericPointer
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpDecorate %unknown LinkageAttributes "unknown" Import
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %one = OpConstant %u32 1
 %two = OpConstant %u64 2
 %eight = OpConstant %u64 8
 %global = OpTypePointer CrossWorkgroup %u32
 %local = OpTypePointer Workgroup %u32
 %private = OpTypePointer Function %u32
 %generic = OpTypePointer Generic %u32
 %kept = OpTypePointer Function %generic
 %null = OpConstantNull %generic
 %fn = OpTypeFunction %void %global %local %bool
 %pass = OpTypeFunction %generic %generic
 %unknown = OpFunction %generic None %pass
 %unknown_p = OpFunctionParameter %generic
 OpFunctionEnd
)" + functions +
           R"( %k = OpFunction %void None %fn
 %a = OpFunctionParameter %global
 %l = OpFunctionParameter %local
 %c = OpFunctionParameter %bool
 %entry = OpLabel
 %x = OpVariable %private Function
 %p = OpVariable %kept Function
)" + body + " OpReturn\n OpFunctionEnd\n";
}

std::string inferred(const std::string& text) {
    const PassRun run =
        validated(run_passes(text, {infer_spaces}, {.checks = MemoryChecks::Guard}), spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    return run.text;
}

TEST_CASE("infer_spaces: pointers that are computed from one space") {
    const std::string body = R"( %g = OpPtrCastToGeneric %generic %x
 %chosen = OpSelect %generic %c %g %null
 OpBranch %loop
 %loop = OpLabel
 %moved = OpPhi %generic %chosen %entry %next %loop
 %next = OpInBoundsPtrAccessChain %generic %moved %two
 OpStore %next %one Aligned 4
 %value = OpAtomicIAdd %u32 %moved %one %one %one
 %is_last = OpIEqual %bool %value %one
 OpLoopMerge %end %loop None
 OpBranchConditional %is_last %end %loop
 %end = OpLabel
)";
    const PassRun unchecked = run_passes(module_text(body), {infer_spaces}, {});
    REQUIRE(unchecked.error == "");
    CHECK(contains(unchecked.text, "OpPhi %_ptr_Generic_uint"));  // nobody asks for spaces

    const PassRun run = run_passes(module_text(body), {infer_spaces}, {.checks = MemoryChecks::Guard});
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpCopyObject %_ptr_Function_uint %"));
    CHECK(contains(run.text, "OpConstantNull %_ptr_Function_uint"));
    CHECK(contains(run.text, "OpSelect %_ptr_Function_uint"));
    CHECK(contains(run.text, "OpPhi %_ptr_Function_uint"));
    CHECK(contains(run.text, "OpInBoundsPtrAccessChain %_ptr_Function_uint"));
    CHECK(!contains(run.text, "CastToGeneric"));
    CHECK(!contains(run.text, "GenericCast"));
}

TEST_CASE("infer_spaces: pointers in private variables") {
    // The variable keeps a generic pointer, which is cast where it is loaded.
    const std::string kept = R"( %g = OpPtrCastToGeneric %generic %x
 OpStore %p %g Aligned 8
 %q = OpLoad %generic %p Aligned 8
 OpStore %q %one Aligned 4
)";
    std::string text = inferred(module_text(kept));
    CHECK(contains(text, "OpGenericCastToPtr %_ptr_Function_uint"));
    CHECK(contains(text, "OpPtrCastToGeneric %_ptr_Generic_uint"));
    // With a pointer to global memory beside it, nothing is known.
    text = inferred(module_text(kept + R"( %h = OpPtrCastToGeneric %generic %a
 OpStore %p %h Aligned 8
)"));
    CHECK(!contains(text, "OpGenericCastToPtr"));
    // To local memory alone.
    text = inferred(module_text(R"( %h = OpPtrCastToGeneric %generic %l
 OpStore %p %h Aligned 8
 OpStore %p %null Aligned 8
 %q = OpLoad %generic %p Aligned 8
 OpStore %q %one Aligned 4
)"));
    CHECK(contains(text, "OpGenericCastToPtr %_ptr_Workgroup_uint"));
}

TEST_CASE("infer_spaces: parameters and results of functions that are only called") {
    const std::string functions = R"( %f = OpFunction %generic None %pass
 %f_p = OpFunctionParameter %generic
 %f_entry = OpLabel
 %f_q = OpInBoundsPtrAccessChain %generic %f_p %two
 OpReturnValue %f_q
 OpFunctionEnd
)",
                      call = R"( %g = OpPtrCastToGeneric %generic %x
 %r = OpFunctionCall %generic %f %g
 OpStore %r %one Aligned 4
)";
    std::string text = inferred(module_text(call, functions));
    CHECK(contains(text, "OpTypeFunction %_ptr_Function_uint %_ptr_Function_uint"));
    CHECK(contains(text, "OpFunctionParameter %_ptr_Function_uint"));
    CHECK(contains(text, "OpFunctionCall %_ptr_Function_uint"));
    CHECK(!contains(text, "OpGenericCastToPtr"));
    // One call with another space is enough: the result is of both.
    text = inferred(module_text(call + R"( %h = OpPtrCastToGeneric %generic %a
 %s = OpFunctionCall %generic %f %h
)",
                                functions));
    CHECK(contains(text, "OpFunctionCall %_ptr_Generic_uint"));
    CHECK(!contains(text, "OpFunctionParameter %_ptr_Function_uint"));
}

TEST_CASE("infer_spaces: who asks for the space gets a generic pointer") {
    const std::string text = inferred(module_text(R"( %g = OpPtrCastToGeneric %generic %x
 %q = OpInBoundsPtrAccessChain %generic %g %two
 %to_private = OpGenericCastToPtrExplicit %private %q Function
 %to_local = OpGenericCastToPtrExplicit %local %q Workgroup
 %fence = OpGenericPtrMemSemantics %u32 %q
 %plain = OpGenericCastToPtr %private %q
 OpStore %plain %one Aligned 4
)"));
    CHECK(count(text, "OpPtrCastToGeneric") == 1);  // for three instructions
    CHECK(contains(text, "OpGenericCastToPtrExplicit %_ptr_Function_uint"));
    CHECK(contains(text, "OpGenericCastToPtrExplicit %_ptr_Workgroup_uint"));
    CHECK(contains(text, "OpGenericPtrMemSemantics"));
    CHECK(count(text, "OpCopyObject %_ptr_Function_uint") == 2);  // of both plain casts
}

TEST_CASE("infer_spaces: pointers from integers and from unknown functions may be of any space") {
    const std::string cast = " %g = OpPtrCastToGeneric %generic %x\n", store = " OpStore %q %one Aligned 4\n";
    const auto stays_generic = [&](const std::string& body) {
        const std::string text = inferred(module_text(cast + body + store));
        return !contains(text, "OpGenericCastToPtr") && !contains(text, "OpCopyObject");
    };
    CHECK(stays_generic(R"( %n = OpConvertPtrToU %u64 %g
 %sum = OpIAdd %u64 %n %eight
 %q = OpConvertUToPtr %generic %sum
)"));
    CHECK(stays_generic(" %q = OpFunctionCall %generic %unknown %g\n"));
    // A number that is only compared is no pointer.
    const std::string text = inferred(module_text(cast + R"( %n = OpConvertPtrToU %u64 %g
 %zero = OpISub %u64 %n %n
 %q = OpInBoundsPtrAccessChain %generic %g %zero
)" + store));
    CHECK(contains(text, "OpInBoundsPtrAccessChain %_ptr_Function_uint"));
    CHECK(count(text, "OpPtrCastToGeneric") == 1);
}

TEST_CASE("infer_spaces: memory that unknown functions may copy") {
    // The function may copy the pointer that is kept from elsewhere.
    const std::string text = inferred(module_text(R"( %g = OpPtrCastToGeneric %generic %x
 OpStore %p %g Aligned 8
 %words = OpBitcast %private %p
 %any = OpPtrCastToGeneric %generic %words
 %r = OpFunctionCall %generic %unknown %any
 %q = OpLoad %generic %p Aligned 8
 OpStore %q %one Aligned 4
)"));
    CHECK(!contains(text, "OpGenericCastToPtr"));
}

TEST_CASE("infer_spaces: comparisons") {
    const auto compared = [](const std::string& body) {  // OpPtrEqual is of SPIR-V 1.4
        const PassRun run =
            run_passes(module_text(" %g = OpPtrCastToGeneric %generic %x\n" + body), {infer_spaces},
                       {.checks = MemoryChecks::Guard}, {}, spirv::Target::Vulkan12);
        REQUIRE(run.error == "");
        return run.text;
    };
    // NULL is of any space.
    std::string text = compared(" %is_null = OpPtrNotEqual %bool %null %g\n");
    CHECK(contains(text, "OpConstantNull %_ptr_Function_uint"));
    CHECK(!contains(text, "OpPtrCastToGeneric"));
    // A pointer that is compared with one into another space stays generic: OpPtrEqual takes one type.
    text = compared(" %h = OpPtrCastToGeneric %generic %a\n %is_same = OpPtrEqual %bool %g %h\n");
    CHECK(count(text, "OpPtrCastToGeneric") == 2);
    CHECK(!contains(text, "OpCopyObject"));
}

}  // namespace
}  // namespace caldera::vulkan
