// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/untyped_pointers.h"
#include "tests/support/why.h"

#include "spirv/cooperative_matrix.h"
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kHead = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Linkage
 OpCapability Int8
 OpCapability Int64
 OpCapability GenericPointer
 OpCapability DeviceEnqueue
 OpCapability UntypedPointersKHR
 OpExtension "SPV_KHR_untyped_pointers"
 %cl = OpExtInstImport "OpenCL.std"
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %kernel "k"
 )";
constexpr std::string_view kTypes = R"(
 %void = OpTypeVoid
 %far = OpTypeUntypedPointerKHR CrossWorkgroup
 %own = OpTypeUntypedPointerKHR Function
 %near = OpTypeUntypedPointerKHR Workgroup
 %any = OpTypeUntypedPointerKHR Generic
 %bool = OpTypeBool
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %f32 = OpTypeFloat 32
 %v2f = OpTypeVector %f32 2
 %event = OpTypeEvent
 %device_event = OpTypeDeviceEvent
 %queue = OpTypeQueue
 %one = OpConstant %u32 1
 %two = OpConstant %u32 2
 %seven = OpConstant %u32 7
 %zero64 = OpConstant %u64 0
 %four64 = OpConstant %u64 4
 %six64 = OpConstant %u64 6
 %eight64 = OpConstant %u64 8
 %no_event = OpConstantNull %event
 %row = OpTypeArray %f32 %two
 %pair = OpTypeStruct %u32 %row
 %farf = OpTypePointer CrossWorkgroup %f32
 %genericf = OpTypePointer Generic %f32
 %ownf = OpTypePointer Function %f32
 )";
constexpr std::string_view kKernel = R"(
 %fnf = OpTypeFunction %void %farf
 %fnk = OpTypeFunction %void %far %near %u32 %u64 %f32 %any %queue
 %typed = OpFunction %void None %fnf
 %tp = OpFunctionParameter %farf
 %te = OpLabel
 OpReturn
 OpFunctionEnd
 %kernel = OpFunction %void None %fnk
 %p = OpFunctionParameter %far
 %l = OpFunctionParameter %near
 %i = OpFunctionParameter %u32
 %n = OpFunctionParameter %u64
 %f = OpFunctionParameter %f32
 %g = OpFunctionParameter %any
 %q = OpFunctionParameter %queue
 %e = OpLabel
)";

/// The text after the rewriting, or why it was declined.
std::string typed(std::string_view code, std::string_view globals = {}, uint32_t generator = 0,
                  std::string_view decorations = {}) {
    const auto words = spirv::assemble(std::string(kHead) + std::string(decorations) + std::string(kTypes) +
                                           std::string(globals) + std::string(kKernel) + std::string(code) +
                                           "OpReturn\nOpFunctionEnd\n",
                                       spirv::Target::Vulkan13);
    REQUIRE_MESSAGE(words, why(words));
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, why(module));
    module->generator = generator << 16;
    for (spirv::Instruction& inst : module->globals)  // a stand-in for what the assembler may not know
        if (inst.op == spv::Op::OpTypeStruct && inst.operands.size() == 5) inst.op = spirv::kTypeMatrix;
    const auto sound = spirv::verify(*module);
    REQUIRE_MESSAGE(sound, why(sound));
    const auto changed = type_untyped_pointers(*module);
    if (!changed) return changed.error().message;
    CHECK(*changed);
    const auto still_sound = spirv::verify(*module);
    CHECK_MESSAGE(still_sound, why(still_sound));
    const std::vector<uint32_t> after = spirv::write(*module);
    const auto text = spirv::disassemble(after);
    REQUIRE_MESSAGE(text, why(text));
    CHECK(!contains(*text, "Untyped"));
    CHECK(!contains(*text, "SPV_KHR"));
    const auto valid = spirv::validate(after);
    return valid ? *text : "invalid: " + valid.error().message + "\n" + *text;
}

}  // namespace

TEST_CASE("an access goes through a pointer to what it accesses") {
    const std::string text = typed(R"(
 %x = OpLoad %f32 %p Aligned 4
 %y = OpLoad %v2f %p Aligned 8
 OpStore %p %n Aligned 8
 %a = OpAtomicIAdd %u32 %p %one %one %seven
 OpAtomicStore %p %one %one %a
)");
    CHECK(contains(text, "= OpTypePointer CrossWorkgroup %uchar"));
    CHECK(contains(text, "= OpBitcast %_ptr_CrossWorkgroup_float %"));
    CHECK(contains(text, "= OpBitcast %_ptr_CrossWorkgroup_v2float %"));
    CHECK(contains(text, "= OpBitcast %_ptr_CrossWorkgroup_ulong %"));
    CHECK(count(text, "= OpBitcast %_ptr_CrossWorkgroup_uint %") == 2);
}

TEST_CASE("a chain goes through its base type, and its pointer to what is there needs no cast") {
    const std::string text = typed(R"(
 %c = OpUntypedPtrAccessChainKHR %far %pair %p %i %one %i
 %x = OpLoad %f32 %c Aligned 4
 %d = OpUntypedInBoundsAccessChainKHR %near %pair %l %one
 %y = OpLoad %f32 %d Aligned 4
 %b = OpUntypedPtrAccessChainKHR %far %f32 %p %i
 OpStore %b %i Aligned 4
)");
    CHECK(contains(text, "= OpPtrAccessChain %_ptr_CrossWorkgroup_float %"));
    CHECK(contains(text, "= OpInBoundsAccessChain %_ptr_Workgroup__arr_float_uint_2 %"));
    CHECK(count(text, "= OpBitcast %_ptr_CrossWorkgroup_float %") == 1);  // the base of the last chain
    CHECK(count(text, "= OpBitcast %_ptr_Workgroup_float %") == 1);       // of an array
    CHECK(count(text, "= OpBitcast %_ptr_CrossWorkgroup_uint %") == 1);
}

TEST_CASE("a chain of bytes is one") {
    const std::string text =
        typed("%c = OpUntypedInBoundsPtrAccessChainKHR %far %u8 %p %n\n%x = OpLoad %u8 %c\n",
              "%u8 = OpTypeInt 8 0\n");
    CHECK(contains(text, "= OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %"));
    CHECK(!contains(text, "OpBitcast"));
}

TEST_CASE("a variable is of its data type, and its address one of bytes") {
    const std::string text = typed(R"(
 %x = OpUntypedVariableKHR %own Function %f32 %pi
 %to = OpUntypedVariableKHR %own Function %far %v
 %y = OpLoad %f32 %x
 OpStore %p %x Aligned 8
 %is = OpIEqual %bool %i %one
 %r = OpSelect %own %is %x %to
 %z = OpLoad %far %to
 OpLifetimeStart %x 4
)",
                                   R"(
 %pi = OpConstant %f32 3
 %both = OpConstantNull %pair
 %v = OpUntypedVariableKHR %far CrossWorkgroup %pair %both
 %w = OpUntypedVariableKHR %far CrossWorkgroup %far %v
 %fars = OpTypeArray %far %two
 %second = OpSpecConstantOp %far UntypedInBoundsAccessChainKHR %pair %v %one
 %third = OpSpecConstantOp %far UntypedPtrAccessChainKHR %u64 %second %one
 %list = OpConstantComposite %fars %second %v
 %t = OpUntypedVariableKHR %far CrossWorkgroup %fars %list
)");
    CHECK(contains(text, "= OpVariable %_ptr_Function_float Function %float_3"));
    CHECK(contains(text, "= OpVariable %_ptr_CrossWorkgroup__struct_"));
    CHECK(count(text, "= OpBitcast %_ptr_Function_uchar %") == 2);  // addresses of x and to
    CHECK(count(text, "= OpSpecConstantOp %_ptr_CrossWorkgroup_uchar Bitcast %") == 3);  // v, and two chains
    CHECK(contains(text, "InBoundsAccessChain %"));
    CHECK(contains(text, " PtrAccessChain %"));
    CHECK(!contains(text, "OpLifetimeStart"));
}

TEST_CASE("a constant chain of llvm-spirv counts bytes") {
    constexpr std::string_view kGlobals = R"(
 %v = OpUntypedVariableKHR %far CrossWorkgroup %pair
 %b = OpSpecConstantOp %far Bitcast %v
 %c = OpSpecConstantOp %far UntypedPtrAccessChainKHR %pair %b %four64
)";
    constexpr uint32_t kTranslator = 6, kBackEnd = 43;
    const std::string bytes = typed("", kGlobals, kTranslator), pairs = typed("", kGlobals, kBackEnd);
    CHECK(contains(bytes, "OpSpecConstantOp %_ptr_CrossWorkgroup_uchar PtrAccessChain %"));
    CHECK(!contains(pairs, "OpSpecConstantOp %_ptr_CrossWorkgroup_uchar PtrAccessChain %"));
    CHECK(contains(pairs, " PtrAccessChain %"));
    // An element of the base type is one where the variable is of another type, and where it has a member
    // behind it.
    for (const char* const chain :
         {"UntypedPtrAccessChainKHR %row %v %four64", "UntypedPtrAccessChainKHR %pair %v %zero64",
          "UntypedPtrAccessChainKHR %pair %v %four64 %one"}) {
        CAPTURE(chain);
        const std::string globals =
            "%v = OpUntypedVariableKHR %far CrossWorkgroup %pair\n%c = OpSpecConstantOp %far ";
        CHECK(!contains(typed("", globals + chain + "\n", kTranslator),
                        "OpSpecConstantOp %_ptr_CrossWorkgroup_uchar PtrAccessChain %"));
    }
}

TEST_CASE("casts fit typed and untyped pointers") {
    const std::string text = typed(R"(
 %t = OpBitcast %farf %p
 %b = OpBitcast %far %t
 %c = OpBitcast %far %p
 %g2 = OpPtrCastToGeneric %genericf %p
 %g3 = OpPtrCastToGeneric %any %p
 %back = OpGenericCastToPtrExplicit %farf %g CrossWorkgroup
 %bits = OpConvertPtrToU %u64 %p
 %again = OpConvertUToPtr %far %bits
 %m = OpFunctionCall %void %typed %b
)");
    CHECK(count(text, "= OpBitcast %_ptr_CrossWorkgroup_float %") == 3);  // t, and for g2 and the call
    CHECK(count(text, "= OpCopyObject %_ptr_CrossWorkgroup_uchar %") == 1);
    CHECK(contains(text, "= OpPtrCastToGeneric %_ptr_Generic_float %"));
    CHECK(contains(text, "= OpPtrCastToGeneric %_ptr_Generic_uchar %"));
    CHECK(contains(text, "= OpBitcast %_ptr_Generic_float %"));
}

TEST_CASE("copies of memory have the size that they say") {
    const std::string text = typed(R"(
 %x = OpVariable %ownf Function
 OpCopyMemory %x %p Aligned 4
 OpCopyMemorySized %p %l %four64 Aligned 4
 OpUntypedPrefetchKHR %p %n
)");
    CHECK(count(text, "= OpBitcast %_ptr_CrossWorkgroup_float %") == 1);
    CHECK(contains(text, "OpCopyMemorySized %"));
}

TEST_CASE("asynchronous copies are of elements as large as their alignment") {
    const auto copied = [](std::string_view sizes, std::string_view memory = "") {
        return typed("%x = OpUntypedGroupAsyncCopyKHR %event %two %l %p " + std::string(sizes) +
                     " %no_event " + std::string(memory) + "\n");
    };
    const std::string bytes = copied("%four64 %n %four64");
    CHECK_MESSAGE(contains(bytes, "= OpIMul %ulong %"), bytes);
    CHECK(contains(bytes, "%ulong_1 %"));
    CHECK(!contains(bytes, "OpBitcast"));
    const std::string words = copied("%four64 %n %four64", "Aligned 4 Aligned 8");
    CHECK(contains(words, "= OpBitcast %_ptr_CrossWorkgroup_uint %"));
    CHECK(contains(words, "= OpBitcast %_ptr_Workgroup_uint %"));
    CHECK(!contains(words, "OpIMul"));
    CHECK(contains(copied("%four64 %n %eight64", "Aligned 4 Aligned 4"), "%ulong_2 %"));
    const std::string gaps = "OpUntypedGroupAsyncCopyKHR has a stride, and elements that are not aligned";
    CHECK(copied("%four64 %n %six64", "Aligned 4 Aligned 4") == gaps);
    CHECK(copied("%four64 %n %eight64") == gaps);
    CHECK(copied("%n %n %eight64") ==
          "OpUntypedGroupAsyncCopyKHR has elements or a stride whose size is not known");
    for (const char* const pointers : {"%seven %p", "%l %seven", "%void %p"})
        CHECK(typed("%x = OpUntypedGroupAsyncCopyKHR %event %two " + std::string(pointers) +
                    " %four64 %n %four64 %no_event\n") ==
              "OpUntypedGroupAsyncCopyKHR copies to or from what is no pointer");
}

TEST_CASE("parameters by value need a type that says how large they are") {
    const std::string_view declined = "ByVal parameters need a typed pointer";
    CHECK(typed("", "", 0, "OpDecorate %p FuncParamAttr ByVal\n") == declined);
    CHECK(typed("", "", 0,
                "OpDecorate %g1 FuncParamAttr ByVal\n%g1 = OpDecorationGroup\nOpGroupDecorate %g1 %p\n") ==
          declined);
    CHECK(typed("", "", 0, "OpDecorate %tp FuncParamAttr ByVal\n") != declined);
}

TEST_CASE("what has no meaning is declined by name") {
    CHECK(typed("%x = OpUntypedArrayLengthKHR %u32 %pair %p 1\n") ==
          "OpUntypedArrayLengthKHR has no meaning in a kernel");
    CHECK(typed("", "%v = OpUntypedVariableKHR %far CrossWorkgroup\n") ==
          "OpUntypedVariableKHR has no data type");
    CHECK(typed("", "%v = OpUntypedVariableKHR %farf CrossWorkgroup %f32\n") ==
          "OpUntypedVariableKHR has a type that is no untyped pointer");
    CHECK(typed("", "%v = OpUntypedVariableKHR %far Workgroup %f32\n") ==
          "OpUntypedVariableKHR is in another storage class than its type");
    CHECK(typed("", "%v = OpUntypedVariableKHR %far CrossWorkgroup %one\n") ==
          "OpUntypedVariableKHR has a data type that is none");
    CHECK(typed("", "%v = OpVariable %far CrossWorkgroup\n") ==
          "OpVariable has the type of an untyped pointer");
    CHECK(typed("%v = OpVariable %own Function\n") == "OpVariable has the type of an untyped pointer");
    CHECK(typed("%c = OpUntypedAccessChainKHR %far %one %p\n") ==
          "OpUntypedAccessChainKHR has a base type that is none");
    CHECK(typed("%c = OpUntypedAccessChainKHR %far %pair %p %two\n") ==
          "OpUntypedAccessChainKHR has an index that names no member");
    CHECK(typed("%c = OpUntypedAccessChainKHR %far %pair %p %i\n") ==
          "OpUntypedAccessChainKHR has an index that names no member");
    CHECK(typed("%c = OpUntypedPtrAccessChainKHR %far %f32 %p %i %i\n") ==
          "OpUntypedPtrAccessChainKHR has more indices than its base type has levels");
    CHECK(typed("%c = OpUntypedAccessChainKHR %farf %pair %p\n") ==
          "OpUntypedAccessChainKHR has a type that is no untyped pointer");
    CHECK(typed("%c = OpUntypedAccessChainKHR %far %pair %i\n") ==
          "OpUntypedAccessChainKHR has a base that is no pointer");
    CHECK(typed("%c = OpUntypedAccessChainKHR %far %pair %l\n") ==
          "OpUntypedAccessChainKHR changes the storage class");
    CHECK(typed("%c = OpPtrAccessChain %far %p %i\n") ==
          "OpPtrAccessChain has the type of an untyped pointer");
    CHECK(typed("OpCopyMemory %p %l\n") == "OpCopyMemory has two untyped pointers");
    CHECK(typed("%t = OpBitcast %farf %p\n%d = OpPtrDiff %u64 %t %p\n") ==
          "OpPtrDiff has a pointer with a type and one without");
    CHECK(typed("%x = OpGroupAsyncCopy %event %two %l %p %n %n %no_event\n") ==
          "OpGroupAsyncCopy has pointers that do not say what is copied");
}

TEST_CASE("a module that only declares the extension loses that, and one without it stays") {
    const std::string_view head = "OpCapability Kernel\nOpCapability Addresses\n";
    const std::string_view rest = "OpMemoryModel Physical64 OpenCL\n%void = OpTypeVoid\n";
    for (const bool declares : {false, true}) {
        const auto words = spirv::assemble(
            std::string(head) +
                (declares ? "OpCapability UntypedPointersKHR\nOpExtension \"SPV_KHR_untyped_pointers\"\n"
                          : "") +
                std::string(rest),
            spirv::Target::OpenCL22);
        REQUIRE(words);
        auto module = spirv::read(*words);
        REQUIRE(module);
        const auto changed = type_untyped_pointers(*module);
        REQUIRE(changed);
        CHECK(*changed == declares);
        CHECK(module->capabilities.size() == 2);
        CHECK(module->extensions.empty());
    }
}

TEST_CASE("components of cooperative matrices") {
    constexpr std::string_view kMatrix = R"(
 %m = OpTypeStruct %f32 %two %seven %seven %two
 %pm = OpTypePointer Function %m
)";
    const std::string text = typed(
        "%v = OpVariable %pm Function\n"
        "%c = OpUntypedAccessChainKHR %own %m %v %one\n"
        "OpStore %c %f\n",
        kMatrix);
    CHECK(contains(text, "OpAccessChain %_ptr_Function_float"));
}

}  // namespace caldera::vulkan
