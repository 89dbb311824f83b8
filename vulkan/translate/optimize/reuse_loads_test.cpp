// SPDX-License-Identifier: Apache-2.0
#include "spirv/uses.h"
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

// a and b may overlap, r and s are restrict, c is "const restrict", k is constant memory.
constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int16
OpCapability Linkage
OpCapability Vector16
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "kernel"
OpName %a "a"
OpName %b "b"
OpName %r "r"
OpName %s "s"
OpName %c "c"
OpName %k "k"
OpName %l "l"
OpName %m "m"
OpName %n "n"
OpName %out "out"
OpDecorate %r FuncParamAttr NoAlias
OpDecorate %s Restrict
OpDecorate %c FuncParamAttr NoAlias
OpDecorate %c FuncParamAttr NoWrite
OpDecorate %extern LinkageAttributes "extern" Import
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%short = OpTypeInt 16 0
%float = OpTypeFloat 32
%v2 = OpTypeVector %int 2
%v4 = OpTypeVector %int 4
%v8 = OpTypeVector %int 8
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i2 = OpConstant %int 2
%i7 = OpConstant %int 7
%device = OpConstant %int 1
%order = OpConstant %int 264
%h1 = OpConstant %short 1
%l1 = OpConstant %long 1
%l4 = OpConstant %long 4
%l7 = OpConstant %long 7
%arr_n = OpConstant %int 8
%arr = OpTypeArray %int %arr_n
%p = OpTypePointer CrossWorkgroup %int
%ph = OpTypePointer CrossWorkgroup %short
%pv = OpTypePointer CrossWorkgroup %v4
%pv2 = OpTypePointer CrossWorkgroup %v2
%pv8 = OpTypePointer CrossWorkgroup %v8
%pp = OpTypePointer CrossWorkgroup %p
%pk = OpTypePointer UniformConstant %int
%pl = OpTypePointer Workgroup %int
%pf = OpTypePointer Function %int
%parr = OpTypePointer Function %arr
%none = OpConstantNull %arr
%all = OpConstantComposite %arr %i0 %i1 %i2 %i7 %i0 %i1 %i2 %i7
%fn = OpTypeFunction %void %p %p %p %p %p %pk %pl %pl %long %p
%touch = OpTypeFunction %void %p
%extern = OpFunction %void None %touch
%e0 = OpFunctionParameter %p
OpFunctionEnd
%writer = OpFunction %void DontInline %touch
%w0 = OpFunctionParameter %p
%w1 = OpLabel
OpStore %w0 %i7 Aligned 4
OpReturn
OpFunctionEnd
%reader = OpFunction %void DontInline %touch
%x0 = OpFunctionParameter %p
%x1 = OpLabel
%own = OpVariable %pf Function
%x2 = OpLoad %int %x0 Aligned 4
OpStore %own %x2 Aligned 4
OpReturn
OpFunctionEnd
%kernel = OpFunction %void None %fn
%a = OpFunctionParameter %p
%b = OpFunctionParameter %p
%r = OpFunctionParameter %p
%s = OpFunctionParameter %p
%c = OpFunctionParameter %p
%k = OpFunctionParameter %pk
%l = OpFunctionParameter %pl
%m = OpFunctionParameter %pl
%n = OpFunctionParameter %long
%out = OpFunctionParameter %p
%entry = OpLabel
%array = OpVariable %parr Function
%other = OpVariable %parr Function
)";

Result<Done> drop_names(spirv::Module& module, PassContext&) {
    spirv::drop_stale_names(module);
    return Done{};
}

/// The kernel's text after the pass.
std::string reuse(std::string_view body, std::string_view names = {}) {
    std::string head(kHead);
    head.insert(head.find("OpName"), names);
    PassRun run = validated(
        run_passes(head + std::string(body) + "OpReturn\nOpFunctionEnd\n", {reuse_loads, drop_names}),
        spirv::Target::OpenCL20);
    REQUIRE_MESSAGE(run.error == "", run.error);
    return run.text.substr(run.text.find("= OpFunction %void None", run.text.find("OpFunctionEnd") + 1));
}

/// A load of `pointer`, something in between, a load of the same: how many loads are left.
size_t loads_around(std::string_view pointer, std::string_view between, std::string_view before = {}) {
    const std::string load = "= OpLoad %int %" + std::string(pointer) + " Aligned 4\n";
    const std::string text =
        reuse(std::string(before) + "%first " + load + std::string(between) + "%second " + load +
                  "%sum = OpIAdd %int %first %second\nOpStore %out %sum Aligned 4\n",
              "OpName %first \"first\"\nOpName %second \"second\"\n");
    return count(text, "%first = OpLoad") + count(text, "%second = OpLoad");
}

}  // namespace

TEST_CASE("reuse_loads: a second load, with what may overlap written in between or not") {
    CHECK(loads_around("a", "") == 1);
    CHECK(loads_around("a", "OpStore %b %i7 Aligned 4\n") == 2);  // two arguments may overlap
    CHECK(loads_around("a", "OpStore %r %i7 Aligned 4\n") == 1);  // one is restrict
    CHECK(loads_around("r", "OpStore %a %i7 Aligned 4\n") == 1);
    CHECK(loads_around("r", "OpStore %s %i7 Aligned 4\n") == 1);
    CHECK(loads_around("c", "OpStore %a %i7 Aligned 4\n") == 1);
    CHECK(loads_around("k", "OpStore %a %i7 Aligned 4\n") == 1);
    CHECK(loads_around("a", "OpStore %l %i7 Aligned 4\n") == 1);  // other memory
    CHECK(loads_around("l", "OpStore %m %i7 Aligned 4\n") == 1);  // two objects
    CHECK(loads_around("l", "OpStore %l %i7 Aligned 4\n") == 1);  // the store is the second load's value
}

TEST_CASE("reuse_loads: what is stored to where it was loaded from is not") {
    const auto stores = [](std::string_view between, std::string_view access = "Aligned 4") {
        return count(reuse("%x = OpLoad %int %a Aligned 4\n" + std::string(between) + "OpStore %a %x " +
                           std::string(access) + "\n"),
                     "OpStore %a ");
    };
    CHECK(stores("") == 0);
    CHECK(stores("%y = OpLoad %int %b Aligned 4\nOpStore %b %y Aligned 4\n") == 0);  // nor is that one
    CHECK(stores("OpStore %b %i7 Aligned 4\n") == 1);
    CHECK(stores("OpStore %a %i7 Aligned 4\n") == 2);
    CHECK(stores("OpControlBarrier %i2 %i2 %order\n") == 1);
    CHECK(stores("%y = OpFunctionCall %void %writer %b\n") == 1);
    CHECK(stores("", "Volatile|Aligned 4") == 1);
    CHECK(stores("OpBranch %next\n%next = OpLabel\n") == 1);
    const std::string text = reuse(R"(OpStore %array %none
%whole = OpLoad %arr %array
OpStore %array %whole
%element = OpInBoundsAccessChain %pf %array %i2
%y = OpLoad %int %element
OpStore %out %y Aligned 4
)");
    CHECK(contains(text, "OpStore %out %uint_0"));
}

TEST_CASE("reuse_loads: what orders memory ends what is known, but of memory that nobody writes") {
    for (const char* order :
         {"OpControlBarrier %i2 %i2 %order\n", "OpMemoryBarrier %device %order\n",
          "%x = OpAtomicIAdd %int %b %device %i0 %i1\n", "%x = OpLoad %int %b Volatile|Aligned 4\n",
          "OpStore %b %i7 Volatile|Aligned 4\n", "%x = OpFunctionCall %void %writer %b\n",
          "%x = OpFunctionCall %void %extern %b\n"}) {
        CAPTURE(order);
        CHECK(loads_around("a", order) == 2);
        CHECK(loads_around("r", order) == 2);
        CHECK(loads_around("l", order) == 2);
        CHECK(loads_around("c", order) == 1);
        CHECK(loads_around("k", order) == 1);
    }
    CHECK(loads_around("a", "%x = OpFunctionCall %void %reader %b\n") == 1);
}

TEST_CASE("reuse_loads: volatile loads and stores stay") {
    CHECK(count(reuse("%x = OpLoad %int %a Volatile|Aligned 4\n%y = OpLoad %int %a Volatile|Aligned 4\n"),
                "OpLoad") == 2);
    CHECK(count(reuse("OpStore %a %i7 Volatile|Aligned 4\n%y = OpLoad %int %a Aligned 4\n"), "OpLoad") == 1);
}

TEST_CASE("reuse_loads: volatile stores and atomics write private and const memory, too") {
    const std::string access = "%element = OpInBoundsAccessChain %pf %array %i2\nOpStore %element %i7\n";
    const std::string load = "%y = OpLoad %int %element\nOpStore %out %y Aligned 4\n";
    for (const char* write :
         {"OpStore %element %i1 Volatile\n", "%x = OpAtomicIAdd %int %element %device %i0 %i1\n"}) {
        CAPTURE(write);
        CHECK(count(reuse(access + write + load), "OpLoad") == 1);
    }
    CHECK(count(reuse(access + load), "OpLoad") == 0);
    CHECK(loads_around("c", "%x = OpAtomicIAdd %int %c %device %i0 %i1\n") == 2);
    CHECK(loads_around("c", "OpStore %c %i7 Volatile|Aligned 4\n") == 2);
}

TEST_CASE("reuse_loads: places in one object: equal, apart, overlapping, unknown") {
    constexpr std::string_view kPlaces = R"(
%a1 = OpInBoundsPtrAccessChain %p %a %l1
%n1 = OpIAdd %long %n %l1
%an = OpInBoundsPtrAccessChain %p %a %n
%an1 = OpInBoundsPtrAccessChain %p %a %n1
%half = OpBitcast %ph %an
%half1 = OpInBoundsPtrAccessChain %ph %half %l1
%half2 = OpInBoundsPtrAccessChain %ph %half1 %l1
%vec = OpBitcast %pv %a
)";
    CHECK(loads_around("a", "OpStore %a1 %i7 Aligned 4\n", kPlaces) == 1);
    CHECK(loads_around("an", "OpStore %an1 %i7 Aligned 4\n", kPlaces) == 1);  // n + 1 in 64 bits is elsewhere
    CHECK(loads_around("an", "OpStore %a1 %i7 Aligned 4\n", kPlaces) == 2);   // n may be 1
    CHECK(loads_around("an", "OpStore %half1 %h1 Aligned 2\n", kPlaces) == 2);  // in part
    CHECK(loads_around("an", "OpStore %half2 %h1 Aligned 2\n", kPlaces) == 1);
    CHECK(loads_around("a1", "%x = OpLoad %v4 %vec Aligned 16\nOpStore %vec %x Aligned 16\n", kPlaces) == 1);
    // 32-bit sums may wrap: (int)n + 1 is not next to (int)n
    CHECK(loads_around("q", "OpStore %q1 %i7 Aligned 4\n", R"(
%i = OpUConvert %int %n
%j = OpIAdd %int %i %i1
%q = OpInBoundsPtrAccessChain %p %a %i
%q1 = OpInBoundsPtrAccessChain %p %a %j
)") == 2);
}

TEST_CASE("reuse_loads: a store is what the next load reads, in its own type only") {
    std::string text = reuse(R"(
OpStore %r %i7 Aligned 4
OpStore %a %i1 Aligned 4
%x = OpLoad %int %r Aligned 4
OpStore %out %x Aligned 4
)");
    CHECK(count(text, "OpLoad") == 0);
    CHECK(contains(text, "OpStore %out %uint_7"));
    text = reuse(R"(
%half = OpBitcast %ph %r
OpStore %r %i7 Aligned 4
%x = OpLoad %short %half Aligned 2
%z = OpIAdd %short %x %h1
OpStore %half %z Aligned 2
%y = OpLoad %int %r Aligned 4
OpStore %out %y Aligned 4
)");
    CHECK(count(text, "OpLoad") == 2);
}

TEST_CASE("reuse_loads: components of a vector that is known") {
    const std::string text = reuse(R"(
%vec = OpBitcast %pv %r
%whole = OpLoad %v4 %vec Aligned 16
OpStore %s %i7 Aligned 4
%y = OpInBoundsPtrAccessChain %p %r %l1
%part = OpLoad %int %y Aligned 4
OpStore %out %part Aligned 4
%far = OpInBoundsPtrAccessChain %p %r %l4
%beyond = OpLoad %int %far Aligned 4
OpStore %out %beyond Aligned 4
)");
    CHECK(count(text, "OpLoad") == 2);
    CHECK(contains(text, "OpCompositeExtract %uint"));
}

TEST_CASE("reuse_loads: a vector whose components are known") {
    constexpr std::string_view kPlaces = R"(
%vec = OpBitcast %pv %r
%r4 = OpInBoundsPtrAccessChain %p %r %l4
%vec4 = OpBitcast %pv %r4
%wide = OpBitcast %pv8 %r
%r1 = OpInBoundsPtrAccessChain %p %r %l1
%vec1 = OpBitcast %pv %r1
)";
    const auto text = [&](std::string_view body) { return reuse(std::string(kPlaces) + std::string(body)); };
    // the upper half of a wider one
    std::string half = text(R"(
%eight = OpLoad %v8 %wide Aligned 4
%upper = OpLoad %v4 %vec4 Aligned 4
%last = OpCompositeExtract %int %upper 3
OpStore %out %last Aligned 4
)");
    CHECK(count(half, "OpLoad") == 1);
    CHECK(contains(half, " 4 5 6 7"));
    // of two
    half = text(R"(
%lower = OpLoad %v4 %vec Aligned 4
%upper = OpLoad %v4 %vec4 Aligned 4
%middle = OpLoad %v4 %vec1 Aligned 4
%last = OpCompositeExtract %int %middle 3
%sum = OpIAdd %v4 %lower %upper
OpStore %vec %sum Aligned 4
OpStore %out %last Aligned 4
)");
    CHECK(count(half, "OpLoad") == 2);
    CHECK(contains(half, "OpCompositeConstruct %v4uint"));
    // one of its components is not known, or not any more
    CHECK(count(text(R"(
%lower = OpLoad %v4 %vec Aligned 4
%middle = OpLoad %v4 %vec1 Aligned 4
%sum = OpIAdd %v4 %lower %middle
OpStore %vec %sum Aligned 4
)"),
                "OpLoad") == 2);
    CHECK(count(text(R"(
%eight = OpLoad %v8 %wide Aligned 4
%any = OpInBoundsPtrAccessChain %p %r %n
OpStore %any %i7 Aligned 4
%upper = OpLoad %v4 %vec4 Aligned 4
OpStore %vec %upper Aligned 4
)"),
                "OpLoad") == 2);
    // scalars that were stored
    const std::string stored = text(R"(
%part1 = OpInBoundsPtrAccessChain %p %r %l1
%two = OpBitcast %pv2 %r
OpStore %r %i7 Aligned 4
OpStore %part1 %i2 Aligned 4
%both = OpLoad %v2 %two Aligned 4
%last = OpCompositeExtract %int %both 1
OpStore %out %last Aligned 4
)");
    CHECK(count(stored, "OpLoad") == 0);
}

TEST_CASE("reuse_loads: pointers that a select mixes, and pointers that escape") {
    constexpr std::string_view kMixed = R"(
%yes = OpIEqual %bool %n %l1
%mixed = OpSelect %p %yes %r %s
)";
    CHECK(loads_around("r", "OpStore %mixed %i7 Aligned 4\n", kMixed) == 2);
    CHECK(loads_around("mixed", "OpStore %s %i7 Aligned 4\n", kMixed) == 2);
    CHECK(loads_around("mixed", "OpStore %a %i7 Aligned 4\n", kMixed) == 1);
    // r is in memory, so that what a loaded pointer points to may be r
    CHECK(loads_around("r", "OpStore %unknown %i7 Aligned 4\n", R"(
%table = OpBitcast %pp %a
OpStore %table %r Aligned 8
%elsewhere = OpInBoundsPtrAccessChain %pp %table %n
%unknown = OpLoad %p %elsewhere Aligned 8
)") == 2);
    CHECK(loads_around("r", "OpStore %unknown %i7 Aligned 4\n", R"(
%number = OpConvertPtrToU %long %r
%moved = OpIAdd %long %number %n
%unknown = OpConvertUToPtr %p %moved
)") == 2);
    // as an argument of a call it may stay anywhere
    CHECK(loads_around("r", "OpStore %a %i7 Aligned 4\n", "%x = OpFunctionCall %void %reader %r\n") == 2);
}

TEST_CASE("reuse_loads: on both sides of a branch") {
    auto text = [](std::string_view left, std::string_view right) {
        return reuse(R"(
%yes = OpIEqual %bool %n %l1
OpSelectionMerge %merge None
OpBranchConditional %yes %left %right
%left = OpLabel
)" + std::string(left) +
                     "OpBranch %merge\n%right = OpLabel\n" + std::string(right) + R"(
OpBranch %merge
%merge = OpLabel
%x = OpLoad %int %r Aligned 4
OpStore %out %x Aligned 4
)");
    };
    std::string both = text("OpStore %r %i1 Aligned 4\n", "OpStore %r %i7 Aligned 4\n");
    CHECK(count(both, "OpLoad") == 0);
    CHECK(contains(both, "OpPhi %uint %uint_1 %"));
    CHECK(count(text("OpStore %r %i1 Aligned 4\n", ""), "OpLoad") == 1);
    CHECK(count(text("OpStore %r %i1 Aligned 4\n",
                     "OpStore %r %i7 Aligned 4\nOpControlBarrier %i2 %i2 %order\n"),
                "OpLoad") == 1);
    both = text("%u = OpLoad %int %r Aligned 4\nOpStore %a %u Aligned 4\n", "OpStore %r %i7 Aligned 4\n");
    CHECK(count(both, "OpLoad") == 1);
    CHECK(contains(both, "OpPhi"));
}

namespace {
/// A loop whose body and end are given; %i counts, %r is loaded in each iteration as %x and stored to %out.
std::string loop(std::string_view before, std::string_view body, std::string_view pointer = "r") {
    return reuse(std::string(before) + R"(
OpBranch %head
%head = OpLabel
%i = OpPhi %long %l1 %entry %next %latch
%go = OpULessThan %bool %i %n
OpLoopMerge %exit %latch None
OpBranchConditional %go %body %exit
%body = OpLabel
%ri = OpInBoundsPtrAccessChain %p %r %i
%x = OpLoad %int %)" +
                 std::string(pointer) + " Aligned 4\n%y = OpIAdd %int %x %i7\n" + std::string(body) + R"(
OpBranch %latch
%latch = OpLabel
%next = OpIAdd %long %i %l1
OpBranch %head
%exit = OpLabel
%z = OpLoad %int %r Aligned 4
OpStore %out %z Aligned 4
)");
}
constexpr std::string_view kStore = "OpStore %r %i1 Aligned 4\n";
}  // namespace

TEST_CASE("reuse_loads: around loops") {
    // what the loop stores each time, and what was stored before it
    std::string text = loop(kStore, "OpStore %r %y Aligned 4\nOpStore %a %y Aligned 4\n");
    CHECK(count(text, "OpLoad") == 0);
    CHECK(contains(text, "OpPhi %uint %uint_1 %"));
    CHECK(count(text, "OpStore %r") == 2);
    // nothing is known before it: the load stays in the loop
    CHECK(count(loop("", "OpStore %r %y Aligned 4\n"), "OpLoad") == 2);
    // nothing in it writes there
    CHECK(count(loop(kStore, "OpStore %a %y Aligned 4\n"), "OpLoad") == 0);
    CHECK(count(loop(kStore, "%r4 = OpInBoundsPtrAccessChain %p %r %l4\nOpStore %r4 %y Aligned 4\n"),
                "OpLoad") == 0);
    // something may
    CHECK(count(loop(kStore, "OpStore %ri %y Aligned 4\n"), "OpLoad") == 2);
    CHECK(count(loop(kStore, "OpControlBarrier %i2 %i2 %order\n"), "OpLoad") == 2);
    // the place moves: r[i] was not stored by the iteration before
    CHECK(count(loop(kStore, "OpStore %ri %y Aligned 4\n", "ri"), "OpLoad") == 2);
    CHECK(count(loop(kStore, R"(
%i2nd = OpIAdd %long %i %l1
%ri1 = OpInBoundsPtrAccessChain %p %r %i2nd
OpStore %ri1 %y Aligned 4
)",
                     "ri"),
                "OpLoad") == 2);
}

TEST_CASE("reuse_loads: arrays of private memory") {
    const std::string text = reuse(R"(
%here = OpInBoundsAccessChain %pf %array %n
%there = OpInBoundsAccessChain %pf %other %n
OpStore %here %i7
OpStore %there %i1
OpControlBarrier %i2 %i2 %order
%x = OpLoad %int %here
OpStore %out %x Aligned 4
)");
    CHECK(count(text, "OpLoad") == 0);
}

TEST_CASE("reuse_loads: parts of constants that were stored whole") {
    const auto loads = [](std::string_view whole, std::string_view between) {
        const std::string text = reuse(
            "%third = OpInBoundsAccessChain %pf %array %l4\n%some = OpInBoundsAccessChain %pf %array %n\n"
            "OpStore %array %" +
            std::string(whole) + "\n" + std::string(between) +
            "%x = OpLoad %int %third\nOpStore %out %x Aligned 4\n");
        CHECK((count(text, "OpLoad") != 0 || contains(text, "OpStore %out %uint_0")));
        return count(text, "OpLoad");
    };
    CHECK(loads("none", "") == 0);
    CHECK(loads("all", "") == 0);
    CHECK(loads("all", "OpStore %some %i7\n") == 1);
}

namespace {
/// A loop that loads %bound from `pointer` in the block that tests for its end; the text before its header.
std::string before_loop(std::string_view pointer, std::string_view body, std::string_view test = {}) {
    const std::string text = reuse(R"(
%m1 = OpIAdd %long %n %l1
OpBranch %head
%head = OpLabel
%i = OpPhi %long %l1 %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %test
%test = OpLabel
)" + std::string(test) + R"(
%place = OpIAdd %long %m1 %l4
%cn = OpInBoundsPtrAccessChain %p %c %place
%ci = OpInBoundsPtrAccessChain %p %c %i
%rn = OpInBoundsPtrAccessChain %p %r %place
%bound = OpLoad %int %)" + std::string(pointer) +
                                   R"( Aligned 4
%wide = OpUConvert %long %bound
%go = OpULessThan %bool %i %wide
OpBranchConditional %go %body %exit
%body = OpLabel
)" + std::string(body) + R"(
OpBranch %latch
%latch = OpLabel
%next = OpIAdd %long %i %l1
OpBranch %head
%exit = OpLabel
)");
    return text.substr(0, text.find("OpLoopMerge"));
}
}  // namespace

TEST_CASE("reuse_loads: what each iteration loads from one place is loaded before the loop") {
    CHECK(contains(before_loop("cn", "OpStore %a %i7 Aligned 4\n"), "OpLoad"));
    CHECK(contains(before_loop("cn", "OpControlBarrier %i2 %i2 %order\n"), "OpLoad"));
    CHECK(contains(before_loop("rn", "OpStore %a %i7 Aligned 4\n"), "OpLoad"));
    CHECK(contains(before_loop("a", "OpStore %l %i7 Aligned 4\n"), "OpLoad"));
    // the place or what is there changes
    CHECK(!contains(before_loop("ci", ""), "OpLoad"));
    CHECK(!contains(before_loop("rn", "OpStore %r %i7 Aligned 4\n"), "OpLoad"));
    CHECK(!contains(before_loop("a", "OpStore %b %i7 Aligned 4\n"), "OpLoad"));
    CHECK(!contains(before_loop("rn", "OpControlBarrier %i2 %i2 %order\n"), "OpLoad"));
    CHECK(!contains(before_loop("rn", "%x = OpFunctionCall %void %writer %b\n"), "OpLoad"));
    // it may never be loaded
    CHECK(!contains(
        before_loop(
            "cn", "%y = OpLoad %int %rn Aligned 4\nOpStore %a %y Aligned 4\n",
            "%early = OpIEqual %bool %n %i\nOpBranchConditional %early %exit %more\n%more = OpLabel\n"),
        "OpLoad"));
}
