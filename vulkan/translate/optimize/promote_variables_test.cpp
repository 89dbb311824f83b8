// SPDX-License-Identifier: Apache-2.0
#include <array>

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
%std = OpExtInstImport "OpenCL.std"
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
%int2 = OpTypeVector %int 2
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%l16 = OpConstant %long 16
%back = OpConstant %long 18446744073709551600
%c4 = OpConstant %int 4
%one = OpConstant %float 1
%arr = OpTypeArray %int %c4
%pair = OpTypeStruct %int %float
%vec = OpTypeStruct %v4 %arr
%trio = OpTypeStruct %int %int %int
%global = OpTypePointer CrossWorkgroup %int
%p_int = OpTypePointer Function %int
%p_float = OpTypePointer Function %float
%p_char = OpTypePointer Function %char
%p_v3 = OpTypePointer Function %v3
%p_v4 = OpTypePointer Function %v4
%p_arr = OpTypePointer Function %arr
%p_pair = OpTypePointer Function %pair
%p_vec = OpTypePointer Function %vec
%p_trio = OpTypePointer Function %trio
%p_int2 = OpTypePointer Function %int2
%p_long = OpTypePointer Function %long
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

namespace {

/// Whether a struct of three ints is split. `use` gets pointers to its first two members, and %any, which is
/// one of them, and makes a number %x.
bool splits_trio(std::string_view use) {
    std::string casts;
    for (const auto& [name, type, from] : {std::array{"%any_int2", "%p_int2", "%any"},
                                           {"%any_char", "%p_char", "%any"},
                                           {"%any_float", "%p_float", "%any"},
                                           {"%keep_float", "%p_p_float", "%keep"},
                                           {"%keep_long", "%p_long", "%keep"},
                                           {"%link_int", "%p_p_int", "%link"}})
        if (use.find(name) != std::string_view::npos)
            casts += std::string(name) + " = OpBitcast " + type + " " + from + "\n";
    const PassRun run = promote(R"(
%s = OpVariable %p_trio Function
%a = OpVariable %p_arr Function
%link = OpVariable %p_long Function
%keep = OpVariable %p_p_int Function
%first = OpAccessChain %p_int %s %c0
%second = OpAccessChain %p_int %s %c1
%a0 = OpAccessChain %p_int %a %c0
OpStore %first %n
%truth = OpINotEqual %bool %n %c0
%any = OpSelect %p_int %truth %first %second
)" + casts + std::string(use) + R"(
%third = OpAccessChain %p_int %s %c2
%z = OpLoad %int %third
%sum = OpIAdd %int %x %z
OpStore %out %sum Aligned 4
)");
    REQUIRE_MESSAGE(run.error == "", use);
    return !contains(run.text, "= OpVariable %_ptr_Function__struct");
}

struct Use {
    std::string_view text;
    bool splits;
};

void check_uses(std::initializer_list<Use> uses) {
    for (const auto& [text, splits] : uses) {
        INFO(text);
        CHECK(splits_trio(text) == splits);
    }
}

}  // namespace

TEST_CASE("promote_variables: vloadn and vstoren at a member may reach others") {
    check_uses({
        {"%v = OpExtInst %int2 %std vloadn %l0 %first 2\n%x = OpCompositeExtract %int %v 1", false},
        {"%v = OpExtInst %int2 %std vloadn %l0 %any 2\n%x = OpCompositeExtract %int %v 1", false},
        {"%v = OpExtInst %int2 %std vloadn %l1 %any 2\n%x = OpCompositeExtract %int %v 1", false},
        {"%v = OpExtInst %int2 %std vloadn %l1 %a0 2\n%x = OpCompositeExtract %int %v 1", true},
        {"%v = OpExtInst %int2 %std vloadn %l16 %a0 2\n%x = OpLoad %int %first", true},
        {"%v = OpUndef %int2\n%w = OpExtInst %void %std vstoren %v %l0 %first\n%x = OpLoad %int %second",
         false},
        {"%v = OpUndef %int2\n%w = OpExtInst %void %std vstoren %v %l0 %any\n%x = OpLoad %int %second",
         false},
        {"%v = OpUndef %int2\n%w = OpExtInst %void %std vstoren %v %l0 %a0\n%x = OpLoad %int %second", true},
    });
}

TEST_CASE("promote_variables: an access of a wider type than a member, or a copy, may reach others") {
    check_uses({
        {"%x = OpLoad %int %any", true},
        {"%v = OpLoad %int2 %any_int2\n%x = OpCompositeExtract %int %v 1", false},
        {"%v = OpLoad %float %any_float\n%x = OpConvertFToU %int %v", true},
        {"%v = OpExtInst %float %std fract %one %any_float\n%x = OpLoad %int %first", true},
        {"%f = OpBitcast %p_v4 %first\n%v = OpUndef %v4\n%w = OpExtInst %v4 %std fract %v %f\n"
         "%x = OpLoad %int %first",
         false},
        {"%to = OpBitcast %p_char %a\nOpCopyMemorySized %to %any_char %l16\n%x = OpLoad %int %a0", false},
        {"%to = OpBitcast %p_char %a\nOpCopyMemorySized %to %any_char %l1\n%x = OpLoad %int %a0", true},
        {"%to = OpBitcast %p_char %a\nOpCopyMemorySized %any_char %to %l16\n%x = OpLoad %int %a0", false},
    });
}

TEST_CASE("promote_variables: a pointer to a member that is cast may step to others") {
    check_uses({
        {"%q = OpPtrAccessChain %p_float %any_float %l1\n%v = OpLoad %float %q\n%x = OpConvertFToU %int %v",
         false},
        {"%w = OpSConvert %long %n\n%q = OpPtrAccessChain %p_char %any_char %w\n%v = OpLoad %char %q\n"
         "%x = OpUConvert %int %v",
         false},
        {"OpStore %keep %any\n%f = OpLoad %p_float %keep_float\n%q = OpPtrAccessChain %p_float %f %l1\n"
         "%v = OpLoad %float %q\n%x = OpConvertFToU %int %v",
         false},
        {"OpStore %keep %any\n%f = OpLoad %p_float %keep_float\n%v = OpLoad %float %f\n"
         "%x = OpConvertFToU %int %v",
         true},
    });
}

TEST_CASE("promote_variables: a pointer that is a number in memory may lead to other members") {
    check_uses({
        {"OpStore %link_int %any\n%p = OpLoad %p_int %link_int\n%x = OpLoad %int %p", true},
        {"OpStore %link_int %any\n%u = OpLoad %long %link\n%v = OpIAdd %long %u %l16\nOpStore %link %v\n"
         "%p = OpLoad %p_int %link_int\n%x = OpLoad %int %p",
         false},
        {"OpStore %keep %any\n%u = OpLoad %long %keep_long\n%x = OpUConvert %int %u", false},
        {"%u = OpSConvert %long %n\n%p = OpConvertUToPtr %p_int %u\n%v = OpLoad %int %p\n%x = OpLoad %int "
         "%any",
         false},
        {"%p = OpConvertUToPtr %p_int %l0\n%q = OpSelect %p_int %truth %p %any\n%x = OpLoad %int %q", true},
    });
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
