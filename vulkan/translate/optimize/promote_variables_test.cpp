// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int8
OpCapability Vector16
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %out "out"
OpName %n "n"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%char = OpTypeInt 8 0
%float = OpTypeFloat 32
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%l16 = OpConstant %long 16
%back = OpConstant %long 18446744073709551600
%c4 = OpConstant %int 4
%arr = OpTypeArray %int %c4
%pair = OpTypeStruct %int %float
%vec = OpTypeStruct %v4 %arr
%global = OpTypePointer CrossWorkgroup %int
%p_int = OpTypePointer Function %int
%p_float = OpTypePointer Function %float
%p_char = OpTypePointer Function %char
%p_v3 = OpTypePointer Function %v3
%p_v4 = OpTypePointer Function %v4
%p_arr = OpTypePointer Function %arr
%p_pair = OpTypePointer Function %pair
%p_vec = OpTypePointer Function %vec
%p_ptr = OpTypePointer Function %global
%p_p_int = OpTypePointer Function %p_int
%p_p_float = OpTypePointer Function %p_float
%p_p_vec = OpTypePointer Function %p_vec
%gen = OpTypePointer Generic %int
%fn = OpTypeFunction %void %global %int
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
)";

PassRun promote(std::string_view rest) {
    return validated(
        run_passes(std::string(kHead) + std::string(rest) + "OpReturn\nOpFunctionEnd\n", {promote_variables}),
        spirv::Target::OpenCL20);
}

}  // namespace

TEST_CASE("promote_variables: a pointer that a loop advances is a phi") {
    const PassRun run = promote(R"(
%p = OpVariable %p_ptr Function
%i = OpVariable %p_int Function
OpStore %p %out
OpStore %i %c0
OpBranch %head
%head = OpLabel
%i0 = OpLoad %int %i
%cond = OpULessThan %bool %i0 %n
OpLoopMerge %exit %next None
OpBranchConditional %cond %body %exit
%body = OpLabel
%q = OpLoad %global %p
OpStore %q %i0 Aligned 4
OpBranch %next
%next = OpLabel
%q1 = OpLoad %global %p
%q2 = OpInBoundsPtrAccessChain %global %q1 %l1
OpStore %p %q2
%i1 = OpIAdd %int %i0 %c1
OpStore %i %i1
OpBranch %head
%exit = OpLabel
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpVariable"));
    CHECK(contains(run.text, "OpPhi %_ptr_CrossWorkgroup_uint %out %"));
    CHECK(contains(run.text, "OpPhi %uint %uint_0"));
    CHECK(contains(run.text, "OpStore"));
}

TEST_CASE("promote_variables: only live variables get phis, reads before writes are undefined") {
    const PassRun run = promote(R"(
%a = OpVariable %p_int Function
%b = OpVariable %p_int Function
%u = OpLoad %int %b
OpStore %out %u Aligned 4
%cond = OpIEqual %bool %n %c0
OpSelectionMerge %m None
OpBranchConditional %cond %t %m
%t = OpLabel
OpStore %a %c1
OpStore %b %c2
OpBranch %m
%m = OpLabel
%x = OpLoad %int %b
OpStore %out %x Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpVariable"));
    CHECK(contains(run.text, "OpPhi %uint %"));
    CHECK(run.text.find("OpPhi") == run.text.rfind("OpPhi"));
    CHECK(contains(run.text, "OpUndef %uint"));
}

TEST_CASE("promote_variables: structs, vectors and arrays at constant places") {
    const PassRun run = promote(R"(
%s = OpVariable %p_pair Function
%v = OpVariable %p_vec Function
%s0 = OpInBoundsPtrAccessChain %p_int %s %l0 %c0
%s1 = OpAccessChain %p_float %s %c1
OpStore %s0 %n
%v0 = OpAccessChain %p_float %v %c0 %c2
%f = OpConvertUToF %float %n
OpStore %v0 %f
%f1 = OpLoad %float %v0
OpStore %s1 %f1
%a1 = OpAccessChain %p_int %v %c1 %c1
%a2 = OpInBoundsPtrAccessChain %p_int %a1 %l1
OpStore %a2 %n
%a3 = OpAccessChain %p_int %v %c1 %c2
%y = OpLoad %int %a3
%whole = OpLoad %pair %s
%w1 = OpCompositeExtract %float %whole 1
%z = OpConvertFToU %int %w1
%sum = OpIAdd %int %y %z
OpStore %out %sum Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpVariable"));
    CHECK(contains(run.text, "OpIAdd %uint %n"));
}

TEST_CASE("promote_variables: a run-time index keeps its array, the rest of the struct is split off") {
    const PassRun run = promote(R"(
%v = OpVariable %p_vec Function
%a = OpAccessChain %p_int %v %c1 %n
OpStore %a %c3
%x = OpAccessChain %p_v4 %v %c0
%x0 = OpLoad %v4 %x
OpStore %x %x0
%e = OpAccessChain %p_int %v %c1 %c2
%y = OpLoad %int %e
OpStore %out %y Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(run.text.find("OpVariable") == run.text.rfind("OpVariable"));
    CHECK_MESSAGE(contains(run.text, "OpVariable %_ptr_Function__arr_uint_uint_4"), run.text);
}

TEST_CASE("promote_variables: casts between scalars of one size, generic pointers, pointers to pointers") {
    const PassRun run = promote(R"(
%f = OpVariable %p_float Function
%g = OpVariable %p_int Function
%pp = OpVariable %p_p_int Function
%cast = OpBitcast %p_int %f
OpStore %cast %n
%x = OpLoad %float %f
%xi = OpConvertFToU %int %x
OpStore %pp %g
%pg = OpLoad %p_int %pp
%gen0 = OpPtrCastToGeneric %gen %pg
OpStore %gen0 %xi
%y = OpLoad %int %g
OpStore %out %y Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpVariable"));
    CHECK(contains(run.text, "OpBitcast %float %n"));
    CHECK(!contains(run.text, "OpPtrCastToGeneric"));
}

TEST_CASE("promote_variables: a vector of 3 accessed as one of 4, as clang does it") {
    const std::string access = R"(
%v = OpVariable %p_v3 Function
%w = OpVariable %p_v3 Function
%x = OpConvertUToF %float %n
%xyz = OpCompositeConstruct %v3 %x %x %x
%xyzw = OpCompositeConstruct %v4 %x %x %x %x
%padded = OpVectorShuffle %v4 %xyz %xyz 0 1 2 0xffffffff
%v_as_4 = OpBitcast %p_v4 %v
OpStore %v_as_4 %padded Aligned 16
%w_as_4 = OpBitcast %p_v4 %w
%v4_again = OpLoad %v4 %v_as_4 Aligned 16
%again = OpVectorShuffle %v3 %v4_again %v4_again 0 1 2
OpStore %w %again
OpStore %w_as_4 STORED Aligned 16
%read = OpLoad %v4 %w_as_4 Aligned 16
%last = OpCompositeExtract %float %read 3
%bits = OpConvertFToU %int %last
OpStore %out %bits Aligned 4
)";
    const auto storing = [&](const std::string& value) {
        std::string text = access;
        return promote(text.replace(text.find("STORED"), 6, value));
    };
    const PassRun undefined = storing("%padded"), defined = storing("%xyzw");
    REQUIRE(undefined.error == "");
    CHECK(!contains(undefined.text, "OpVariable"));
    REQUIRE(defined.error == "");
    CHECK(contains(defined.text, "OpVariable"));  // %w, whose last component is used
    CHECK(defined.text.find("OpVariable") == defined.text.rfind("OpVariable"));
}

TEST_CASE("promote_variables: copies of objects are loads and stores") {
    const PassRun run = promote(R"(
%a = OpVariable %p_arr Function
%b = OpVariable %p_arr Function
%a0 = OpAccessChain %p_int %a %c0
OpStore %a0 %n
%ca = OpBitcast %p_char %a
%cb = OpBitcast %p_char %b
OpCopyMemorySized %cb %ca %l16 Aligned 4
%b0 = OpAccessChain %p_int %b %c0
%y = OpLoad %int %b0
OpStore %out %y Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpVariable"));
    CHECK(contains(run.text, "OpStore %out %n Aligned 4"));
}

TEST_CASE("promote_variables: what is copied through a pointer to the first part reaches the others") {
    const PassRun run = promote(R"(
%a = OpVariable %p_arr Function
%b = OpVariable %p_arr Function
%a0 = OpAccessChain %p_int %a %c0
%b0 = OpAccessChain %p_int %b %c0
%a1 = OpAccessChain %p_int %a %c1
%b1 = OpAccessChain %p_int %b %c1
OpStore %a1 %n
OpStore %b1 %c0
OpCopyMemorySized %b0 %a0 %l16 Aligned 4
%y = OpLoad %int %b1
OpStore %out %y Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpStore %out %n Aligned 4"));
}

TEST_CASE("promote_variables: a pointer read as one to another type may lead to the object around a part") {
    const auto splits = [](std::string_view type, std::string_view read) {
        const PassRun run = promote(R"(
%v = OpVariable %p_vec Function
%p = OpVariable %p_p_int Function
%part = OpAccessChain %p_int %v %c1 %c0
%element = OpPtrAccessChain %p_int %part %n
OpStore %p %element Aligned 8
%first = OpAccessChain %p_v4 %v %c0
%q = OpBitcast )" + std::string(type) +
                                    R"( %p
%around = OpLoad )" + std::string(read) +
                                    R"( %q Aligned 8
%y = OpLoad %v4 %first
%z = OpCompositeExtract %float %y 0
%w = OpConvertFToU %int %z
OpStore %out %w Aligned 4
)");
        REQUIRE(run.error == "");
        return !contains(run.text, "= OpVariable %_ptr_Function__struct");
    };
    CHECK(splits("%p_p_float", "%p_float"));
    CHECK(!splits("%p_p_vec", "%p_vec"));
}

TEST_CASE("promote_variables: a pointer to bytes may be moved to the object around a part") {
    const auto splits = [](std::string_view distance) {
        const PassRun run = promote(R"(
%v = OpVariable %p_vec Function
%part = OpAccessChain %p_int %v %c1 %c0
%element = OpPtrAccessChain %p_int %part %n
%bytes = OpBitcast %p_char %element
%moved = OpPtrAccessChain %p_char %bytes )" +
                                    std::string(distance) + R"(
%b = OpLoad %char %moved
%first = OpAccessChain %p_v4 %v %c0
%y = OpLoad %v4 %first
%z = OpCompositeExtract %float %y 0
%w = OpConvertFToU %int %z
%s = OpUConvert %int %b
%x = OpIAdd %int %s %w
OpStore %out %x Aligned 4
)");
        REQUIRE(run.error == "");
        return !contains(run.text, "= OpVariable %_ptr_Function__struct");
    };
    CHECK(splits("%l1"));
    CHECK(!splits("%l16"));  // the array of 16 bytes ends there
    CHECK(!splits("%back"));
}

TEST_CASE("promote_variables: volatile and escaping variables stay") {
    const PassRun run = promote(R"(
%a = OpVariable %p_int Function %c1
%b = OpVariable %p_int Function
OpStore %a %n Volatile
%sel = OpINotEqual %bool %n %c0
%p = OpSelect %p_int %sel %a %b
%y = OpLoad %int %p
OpStore %out %y Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpVariable %_ptr_Function_uint Function %uint_1"));
    CHECK(contains(run.text, "Volatile"));
}

TEST_CASE("promote_variables: branches on constants go, the rest stays structured") {
    const PassRun run = promote(R"(
%a = OpVariable %p_int Function
OpStore %a %c1
%a0 = OpLoad %int %a
%cond = OpIEqual %bool %a0 %c1
OpSelectionMerge %m None
OpBranchConditional %cond %t %e
%t = OpLabel
OpBranch %m
%e = OpLabel
OpStore %a %c2
OpBranch %m
%m = OpLabel
%y = OpLoad %int %a
OpStore %out %y Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpBranchConditional"));
    CHECK(!contains(run.text, "OpSelectionMerge"));
    CHECK(contains(run.text, "OpStore %out %uint_1"));
}
