// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A module with one kernel "k": declarations of the test's own after the common ones, parameters and body.
struct KernelText {
    std::string decorations = {}, globals = {}, function_type = "%void", params = {}, body = {};
    std::string interface = {};

    std::string text() const {
        return R"(
            OpCapability Kernel
            OpCapability Addresses
            OpCapability Int8
            OpCapability Int16
            OpCapability Int64
            OpCapability Float16
            OpCapability Float64
            OpCapability Vector16
            OpCapability GenericPointer
            OpCapability Int64Atomics
            %cl = OpExtInstImport "OpenCL.std"
            OpMemoryModel Physical64 OpenCL
            OpEntryPoint Kernel %k "k" )" +
               interface + "\n" + decorations + R"(
            %void = OpTypeVoid
            %bool = OpTypeBool
            %uchar = OpTypeInt 8 0
            %ushort = OpTypeInt 16 0
            %uint = OpTypeInt 32 0
            %ulong = OpTypeInt 64 0
            %half = OpTypeFloat 16
            %float = OpTypeFloat 32
            %v2uint = OpTypeVector %uint 2
            %v3float = OpTypeVector %float 3
            %v4float = OpTypeVector %float 4
            %v16float = OpTypeVector %float 16
            %c0 = OpConstant %uint 0
            %c1 = OpConstant %uint 1
            %c2 = OpConstant %uint 2
            %c3 = OpConstant %uint 3
            %c4 = OpConstant %uint 4
            %c8 = OpConstant %uint 8
            %f0 = OpConstant %float 0
            %uc1 = OpConstant %uchar 1
            %g_uchar = OpTypePointer CrossWorkgroup %uchar
            %g_uint = OpTypePointer CrossWorkgroup %uint
            %g_ulong = OpTypePointer CrossWorkgroup %ulong
            %g_half = OpTypePointer CrossWorkgroup %half
            %g_float = OpTypePointer CrossWorkgroup %float
            %g_v3float = OpTypePointer CrossWorkgroup %v3float
            %g_v4float = OpTypePointer CrossWorkgroup %v4float
            %g_v16float = OpTypePointer CrossWorkgroup %v16float
            %l_uint = OpTypePointer Workgroup %uint
            %l_float = OpTypePointer Workgroup %float
            %l_uchar = OpTypePointer Workgroup %uchar
            %l_v2uint = OpTypePointer Workgroup %v2uint
            %p_uint = OpTypePointer Function %uint
            %p_uchar = OpTypePointer Function %uchar
            %p_ulong = OpTypePointer Function %ulong
            %a_uint = OpTypePointer Generic %uint
            %uint8 = OpTypeArray %uint %c8
            %p_uint8 = OpTypePointer Function %uint8
            %l_uint8 = OpTypePointer Workgroup %uint8
            )" +
               globals + "\n%type = OpTypeFunction " + function_type +
               "\n%k = OpFunction %void None %type\n" + params + "\n%entry = OpLabel\n" + body +
               "\nOpReturn\nOpFunctionEnd\n";
    }
};

/// lower_memory, and what makes its loads and stores of vectors.
PassRun lower(const KernelText& kernel, const TranslateOptions& options = {}) {
    PassRun run = run_passes(kernel.text(), {describe_kernels, lower_vector_accesses, lower_memory}, options);
    CHECK_MESSAGE(run.error == "", run.error);
    return run;
}

/// The passes from here to the end, and spirv-val.
void check_valid(const KernelText& kernel, const TranslateOptions& options = {}) {
    const PassRun run =
        validated(run_passes(kernel.text(),
                             {describe_kernels, lower_vector_accesses, lower_memory, lower_instructions,
                              lower_interface, lower_wide_vectors, lower_memory_model, derive_capabilities},
                             options),
                  spirv::Target::Vulkan12);
    REQUIRE_MESSAGE(run.error == "", run.error);
}

}  // namespace

TEST_CASE("lower_memory: a global access is a physical pointer made at the access, with a true alignment") {
    const KernelText kernel{.function_type = "%void %g_v4float %g_v3float %ulong",
                            .params = R"(%x = OpFunctionParameter %g_v4float
                                         %y = OpFunctionParameter %g_v3float
                                         %i = OpFunctionParameter %ulong)",
                            .body = R"(%px = OpInBoundsPtrAccessChain %g_v4float %x %i
                                       %a = OpLoad %v4float %px Aligned 16
                                       OpStore %px %a Aligned 4
                                       %py = OpInBoundsPtrAccessChain %g_v3float %y %i
                                       %b = OpLoad %v3float %py Aligned 16
                                       OpStore %py %b Aligned 16)"};
    const PassRun run = lower(kernel);
    CHECK(contains(run.text, "OpConvertUToPtr %_ptr_PhysicalStorageBuffer_v4float"));
    CHECK(contains(run.text, "Aligned 16"));
    CHECK(contains(run.text, "Aligned 4"));
    CHECK(contains(run.text, "OpLoad %v3float"));  // 12 bytes, not the 16 that a float3 takes
    CHECK_FALSE(contains(run.text, "CrossWorkgroup"));
    check_valid(kernel);
}

TEST_CASE("lower_memory: an access below its scalar's alignment goes by parts") {
    const KernelText kernel{.function_type = "%void %g_uint",
                            .params = "%x = OpFunctionParameter %g_uint",
                            .body = R"(%a = OpLoad %uint %x Aligned 2
                                       OpStore %x %a Aligned 1)"};
    const PassRun run = lower(kernel);
    CHECK(count(run.text, "OpLoad %ushort") == 2);
    CHECK(count(run.text, "Aligned 1\n") == 4);  // bytes
    check_valid(kernel);
}

TEST_CASE("lower_memory: sixteen components are four accesses of four") {
    const KernelText kernel{.function_type = "%void %g_float %ulong",
                            .params = R"(%x = OpFunctionParameter %g_float
                                         %i = OpFunctionParameter %ulong)",
                            .body = R"(%a = OpExtInst %v16float %cl vloadn %i %x 16
                                       %n = OpExtInst %void %cl vstoren %a %i %x)"};
    const PassRun run = lower(kernel);
    CHECK(count(run.text, "OpLoad %v4float") == 4);
    CHECK(count(run.text, "OpStore") == 4);
    CHECK(contains(run.text, "OpIMul %ulong"));     // stride 64
    CHECK_FALSE(contains(run.text, "Aligned 16"));  // vload promises the element's alignment only (6.13.7)
    check_valid(kernel);
}

TEST_CASE("lower_memory: local arguments are typed arrays with specialised lengths") {
    const KernelText kernel{.function_type = "%void %l_float %g_float %l_uint %ulong",
                            .params = R"(%a = OpFunctionParameter %l_float
                                         %g = OpFunctionParameter %g_float
                                         %b = OpFunctionParameter %l_uint
                                         %i = OpFunctionParameter %ulong)",
                            .body = R"(%pa = OpInBoundsPtrAccessChain %l_float %a %i
                                       %v = OpLoad %float %pa Aligned 4
                                       %pb = OpInBoundsPtrAccessChain %l_uint %b %i
                                       %w = OpLoad %uint %pb Aligned 4
                                       OpStore %g %v Aligned 4)"};
    const PassRun run = lower(kernel);
    REQUIRE(run.interface.kernels.size() == 1);
    const std::vector<KernelArgument>& arguments = run.interface.kernels[0].arguments;
    REQUIRE(arguments.size() == 4);
    CHECK(arguments[0].kind == ArgumentKind::LocalPointer);
    CHECK(arguments[0].spec_id == 3);
    CHECK(arguments[0].element_bytes == 4);
    CHECK(arguments[1].kind == ArgumentKind::GlobalPointer);
    CHECK(arguments[2].spec_id == 4);
    CHECK(contains(run.text, "SpecId 3"));
    CHECK(contains(run.text, "OpTypeFunction %void %ulong %ulong"));  // only %g and %i are left
    CHECK_FALSE(contains(run.text, "OpShiftRight"));                  // indices, not byte offsets
    check_valid(kernel);
}

TEST_CASE("lower_memory: local vectors of which there are scalars are vectors, but not where that crashes") {
    const KernelText kernel{.globals = "%x = OpVariable %l_uint8 Workgroup",
                            .function_type = "%void %ulong",
                            .params = "%i = OpFunctionParameter %ulong",
                            .body = R"(%p = OpInBoundsAccessChain %l_uint %x %i
                                       OpStore %p %c1 Aligned 4
                                       %q = OpBitcast %l_v2uint %x
                                       %v = OpLoad %v2uint %q Aligned 8
                                       %e = OpCompositeExtract %uint %v 0
                                       OpStore %p %e Aligned 4)",
                            .interface = "%x"};
    TranslateOptions options;
    options.profile.quirks = {};
    CHECK(contains(lower(kernel, options).text, "OpTypeArray %v2uint"));
    options.profile.quirks.crashes_at_local_vectors = true;
    CHECK_FALSE(contains(lower(kernel, options).text, "OpTypeArray %v2uint"));
}

/// What lower_memory makes of a private array of 64 words that has so many accesses.
std::string much_used_array(int accesses, bool is_computed, const TranslateOptions& options) {
    KernelText kernel{.globals = R"(%c64 = OpConstant %uint 64
                                    %uint64 = OpTypeArray %uint %c64
                                    %p_uint64 = OpTypePointer Function %uint64)",
                      .function_type = "%void %ulong",
                      .params = "%i = OpFunctionParameter %ulong",
                      .body = "%x = OpVariable %p_uint64 Function\n"};
    kernel.body += "%p = OpInBoundsAccessChain %p_uint %x " + std::string(is_computed ? "%i" : "%c3") + "\n";
    for (int i = 0; i < accesses; ++i) kernel.body += "OpStore %p %c1 Aligned 4\n";
    check_valid(kernel, options);
    return lower(kernel, options).text;
}

TEST_CASE("lower_memory: a small array is made larger for a driver that would branch over it too often") {
    TranslateOptions options;
    options.profile.quirks.branches_over_elements = true;
    const auto is_larger = [&](int accesses, bool is_computed = true) {
        return contains(much_used_array(accesses, is_computed, options), "OpConstant %uint 65\n");
    };
    CHECK(is_larger(65));
    CHECK_FALSE(is_larger(64));
    CHECK_FALSE(is_larger(1000, false));
    options.profile.quirks.branches_over_elements = false;
    CHECK_FALSE(is_larger(65));
}

TEST_CASE(
    "lower_memory: local vectors beside scalars are in a block, for a driver that loads scalars one by one") {
    KernelText kernel{.globals = "%x = OpVariable %l_uint8 Workgroup",
                      .function_type = "%void %ulong",
                      .params = "%i = OpFunctionParameter %ulong",
                      .body = R"(%p = OpInBoundsAccessChain %l_uint %x %i
                                 OpStore %p %c1 Aligned 4
                                 %q = OpBitcast %l_v2uint %x
                                 %v = OpLoad %v2uint %q Aligned 8)",
                      .interface = "%x"};
    TranslateOptions options;
    options.profile.workgroup_explicit_layout = options.profile.quirks.loads_local_scalars = true;
    const PassRun run = lower(kernel, options);
    CHECK(count(run.text, " Block\n") == 2);
    CHECK(contains(run.text, "OpLoad %v2uint"));
    CHECK_FALSE(contains(run.text, "OpShiftRightLogical"));  // the scalar is an element, no component
    check_valid(kernel, options);

    // Beside guards, a vector is inside if its first component is: seven words are two vectors of four.
    TranslateOptions checked = options;
    checked.checks = MemoryChecks::Guard;
    KernelText seven = kernel;
    seven.globals = R"(%c7 = OpConstant %uint 7
                       %uint7 = OpTypeArray %uint %c7
                       %l_uint7 = OpTypePointer Workgroup %uint7
                       %quad = OpTypeVector %uint 4
                       %l_quad = OpTypePointer Workgroup %quad
                       %x = OpVariable %l_uint7 Workgroup)";
    seven.body = R"(%p = OpInBoundsAccessChain %l_uint %x %i
                    OpStore %p %c1 Aligned 4
                    %q = OpBitcast %l_quad %x
                    %r = OpInBoundsPtrAccessChain %l_quad %q %i
                    %v = OpLoad %quad %r Aligned 16)";
    CHECK(contains(lower(seven, checked).text, "OpULessThan %bool %"));
    CHECK(count(lower(seven, checked).text, "%uint_2\n") > 0);

    // It must not take more memory than there is, and none that the host does not count.
    TranslateOptions small = options;
    small.profile.max_local_bytes = 48;
    KernelText two = kernel;
    two.globals += "\n%y = OpVariable %l_uint8 Workgroup";
    two.body += "\n%py = OpInBoundsAccessChain %l_uint %y %i\nOpStore %py %c1 Aligned 4";
    two.interface = "%x %y";
    CHECK(count(lower(two, options).text, " Block\n") != 0);
    small.profile.max_local_bytes = 63;
    CHECK(run_passes(two.text(), {describe_kernels, lower_vector_accesses, lower_memory}, small).error != "");
    two.globals = R"(%c2a = OpTypeArray %uint %c2
                     %l_uint2 = OpTypePointer Workgroup %c2a
                     %x = OpVariable %l_uint8 Workgroup
                     %y = OpVariable %l_uint2 Workgroup)";
    small.profile.max_local_bytes = 40;
    CHECK(count(lower(two, small).text, " Block\n") == 0);
    KernelText argument = kernel;
    argument.function_type = "%void %ulong %l_uint";
    argument.params += "\n%f = OpFunctionParameter %l_uint";
    argument.body += "\n%pf = OpInBoundsPtrAccessChain %l_uint %f %i\nOpStore %pf %c1 Aligned 4";
    CHECK(count(lower(argument, options).text, " Block\n") == 0);

    // Vectors alone are an array of vectors, and without such blocks all is in one.
    options.profile.workgroup_explicit_layout = false;
    CHECK(contains(lower(kernel, options).text, "OpTypeArray %v2uint"));
    options.profile.workgroup_explicit_layout = true;
    kernel.body = "%q = OpBitcast %l_v2uint %x\n%v = OpLoad %v2uint %q Aligned 8";
    CHECK(count(lower(kernel, options).text, " Block\n") == 0);
    CHECK(contains(lower(kernel, options).text, "OpLoad %v2uint"));
}

TEST_CASE("lower_memory: a kernel's only local array has as many bytes as wished, and as there are") {
    KernelText kernel{.globals = "%x = OpVariable %l_uint8 Workgroup",
                      .function_type = "%void %ulong",
                      .params = "%i = OpFunctionParameter %ulong",
                      .body = R"(%p = OpInBoundsAccessChain %l_uint %x %i
                                 OpStore %p %c1 Aligned 4)",
                      .interface = "%x"};
    const auto length = [&](uint64_t wanted, uint64_t there_are = 65536) {
        TranslateOptions options;
        options.profile.min_local_bytes = wanted;
        options.profile.max_local_bytes = there_are;
        const std::string text = lower(kernel, options).text;
        for (const int units : {2048, 500, 250, 8})
            if (contains(text, "OpTypeArray %uint %uint_" + std::to_string(units) + "\n")) return units;
        return 0;
    };
    CHECK(length(0) == 8);
    CHECK(length(16) == 8);
    CHECK(length(8192) == 2048);
    CHECK(length(1001) == 250);  // whole elements
    CHECK(length(8192, 2000) == 500);
    kernel.globals += "\n%y = OpVariable %l_uint8 Workgroup";
    kernel.body += R"(
                      %q = OpInBoundsAccessChain %l_uint %y %i
                      OpStore %q %c1 Aligned 4)";
    kernel.interface += " %y";
    CHECK(length(8192) == 8);  // two arrays
}

TEST_CASE("lower_memory: a private array accessed in one type is an array of it") {
    const KernelText kernel{.function_type = "%void %ulong %uint",
                            .params = R"(%i = OpFunctionParameter %ulong
                                         %v = OpFunctionParameter %uint)",
                            .body = R"(%x = OpVariable %p_uint8 Function
                                       %p = OpInBoundsAccessChain %p_uint %x %i
                                       OpStore %p %v Aligned 4)"};
    const PassRun run = lower(kernel);
    CHECK(contains(run.text, "OpAccessChain %_ptr_Function_uint"));
    CHECK_FALSE(contains(run.text, "OpShiftRight"));
    check_valid(kernel);
}

TEST_CASE("lower_memory: private bytes and words of one object are cut from words") {
    const KernelText kernel{.function_type = "%void %ulong %uint",
                            .params = R"(%i = OpFunctionParameter %ulong
                                         %v = OpFunctionParameter %uint)",
                            .body = R"(%x = OpVariable %p_uint8 Function
                                       %p = OpInBoundsAccessChain %p_uint %x %i
                                       OpStore %p %v Aligned 4
                                       %b = OpBitcast %p_uchar %x
                                       %pb = OpInBoundsPtrAccessChain %p_uchar %b %i
                                       OpStore %pb %uc1 Aligned 1
                                       %r = OpLoad %uchar %pb Aligned 1)"};
    const PassRun run = lower(kernel);
    CHECK(contains(run.text, "OpShiftLeftLogical %uint"));
    CHECK_FALSE(contains(run.text, "OpAtomic"));
    check_valid(kernel);
}

TEST_CASE("lower_memory: part of a local word is written by atomics, so that neighbours are safe") {
    const KernelText kernel{.globals = "%x = OpVariable %l_uint8 Workgroup",
                            .function_type = "%void %ulong",
                            .params = "%i = OpFunctionParameter %ulong",
                            .body = R"(%p = OpInBoundsAccessChain %l_uint %x %i
                                       OpStore %p %c1 Aligned 4
                                       %b = OpBitcast %l_uchar %x
                                       %pb = OpInBoundsPtrAccessChain %l_uchar %b %i
                                       OpStore %pb %uc1 Aligned 1)",
                            .interface = "%x"};
    const PassRun run = lower(kernel);
    CHECK(count(run.text, "OpAtomicAnd") == 1);
    CHECK(count(run.text, "OpAtomicOr") == 1);
    CHECK(run.interface.kernels[0].local_bytes == 32);
    check_valid(kernel);
}

TEST_CASE(
    "lower_memory: with explicit layout, local memory of two widths is arrays of each that lie over each "
    "other") {
    // Another object and an argument of the kernel are in the same block.
    const KernelText kernel{.globals = R"(%x = OpVariable %l_uint8 Workgroup
                                          %y = OpVariable %l_uint8 Workgroup)",
                            .function_type = "%void %ulong %l_float",
                            .params = "%i = OpFunctionParameter %ulong\n%f = OpFunctionParameter %l_float",
                            .body = R"(%p = OpInBoundsAccessChain %l_uint %x %i
                                       OpStore %p %c1 Aligned 4
                                       %b = OpBitcast %l_uchar %x
                                       %pb = OpInBoundsPtrAccessChain %l_uchar %b %i
                                       OpStore %pb %uc1 Aligned 1
                                       %q = OpInBoundsAccessChain %l_uint %y %c2
                                       OpStore %q %c2 Aligned 4
                                       %pf = OpInBoundsPtrAccessChain %l_float %f %c3
                                       OpStore %pf %f0 Aligned 4)",
                            .interface = "%x %y"};
    TranslateOptions options;
    options.profile.workgroup_explicit_layout = true;
    const PassRun run = lower(kernel, options);
    CHECK(count(run.text, "OpAtomic") == 0);
    CHECK(count(run.text, " Workgroup\n") == 2);
    CHECK(count(run.text, " Aliased") == 2);
    CHECK(count(run.text, " Block\n") == 2);
    CHECK(contains(run.text, "%uint_0 %uint_10\n"));  // the second word of the object at 32
    CHECK(contains(run.text, "%uint_0 %uint_19\n"));  // the third float of the argument at 64
    CHECK(run.interface.kernels[0].local_bytes == 64);
    check_valid(kernel, options);

    // SPIR-V 1.3 has no such blocks.
    TranslateOptions older = options;
    older.target = spirv::Target::Vulkan11;
    CHECK_FALSE(contains(lower(kernel, older).text, "Aliased"));
    CHECK(contains(lower(kernel, older).text, "OpAtomicAnd"));

    // Beside guards, a store whose index may be outside of its object has a condition: nobody knows whether
    // the argument leaves room for a spare element.
    TranslateOptions checked = options;
    checked.checks = MemoryChecks::Bounds;
    const std::string guarded = lower(kernel, checked).text;
    CHECK(count(guarded, "OpAtomic") == 0);
    CHECK(count(guarded, "OpULessThan") == 3);  // the object y has a fixed length, and its index is constant
    CHECK(count(guarded, " OpSelect ") == 3);
    CHECK(count(guarded, "OpSelectionMerge") == 3);
    check_valid(kernel, checked);
}

TEST_CASE("lower_memory: beside guards, arrays have a spare element where local memory has room for it") {
    const auto kernel = [](const std::string& store, const std::string& more = {}) {
        return KernelText{.globals = R"(%x = OpVariable %l_uint8 Workgroup)",
                          .function_type = "%void %ulong",
                          .params = "%i = OpFunctionParameter %ulong",
                          .body = R"(%p = OpInBoundsAccessChain %l_uint %x %i
                                     %j = OpIAdd %ulong %i %i
                                     %q = OpInBoundsAccessChain %l_uint %x %j
                                  )" +
                                  store + more,
                          .interface = "%x"};
    };
    const KernelText stores = kernel("OpStore %p %c1 Aligned 4\n", "OpStore %q %c2 Aligned 4\n");
    TranslateOptions options;
    options.checks = MemoryChecks::Guard;
    options.profile.max_local_bytes = 48;
    const PassRun with_room = lower(stores, options);
    CHECK(contains(with_room.text, "OpTypeArray %uint %uint_9"));
    CHECK(!contains(with_room.text, "OpSelectionMerge"));
    check_valid(stores, options);

    // Where it has none, stores have a condition. Those of a kind share a function, which gets the index.
    options.profile.max_local_bytes = 32;
    const PassRun full = lower(stores, options);
    CHECK(contains(full.text, "OpTypeArray %uint %uint_8"));
    CHECK(count(full.text, "OpFunctionCall %void") == 2);
    CHECK(count(full.text, "OpSelectionMerge") == 2);
    CHECK(count(full.text, "OpStore") == 2);
    check_valid(stores, options);

    // So do atomic operations, which give zero outside. Loads are those of the first element there.
    const KernelText changes =
        kernel("%old = OpAtomicIAdd %uint %p %c1 %c0 %c3\n", "%next = OpLoad %uint %q Aligned 4\n");
    const PassRun atomic = lower(changes, options);
    CHECK(count(atomic.text, "OpFunctionCall %uint") == 1);
    CHECK(count(atomic.text, "OpSelectionMerge") == 1);
    CHECK(contains(atomic.text, "OpPhi %uint"));
    check_valid(changes, options);
}

TEST_CASE("lower_memory: the object of a pointer is found by its value") {
    const std::string globals = R"(%v2ulong = OpTypeVector %ulong 2
                                   %four = OpTypeArray %uint %c4
                                   %two = OpTypeArray %uint %c2
                                   %p_four = OpTypePointer Function %four
                                   %p_two = OpTypePointer Function %two
                                   %pointers = OpTypeArray %p_uint %c2
                                   %p_pointer = OpTypePointer Function %p_uint
                                   %p_pointers = OpTypePointer Function %pointers)";
    const std::string body = R"(%a = OpVariable %p_four Function
                                %b = OpVariable %p_two Function
                                %all = OpVariable %p_pointers Function
                                %pa = OpInBoundsAccessChain %p_uint %a %c0
                                %pb = OpInBoundsAccessChain %p_uint %b %c0
                                %first = OpInBoundsAccessChain %p_pointer %all %c0
                                %second = OpInBoundsAccessChain %p_pointer %all %c1
                                OpStore %first %pa Aligned 8
                                OpStore %second %pb Aligned 8
                                %chosen = OpInBoundsAccessChain %p_pointer %all %i
                                %p = OpLoad %p_uint %chosen Aligned 8
                                OpStore %p %c1 Aligned 4
                                %extent = OpSizeOf %v2ulong %p
                                %size = OpCompositeExtract %ulong %extent 1
                                OpStore %o %size Aligned 8)";
    const KernelText kernel{.globals = globals,
                            .function_type = "%void %g_ulong %uint",
                            .params = "%o = OpFunctionParameter %g_ulong\n%i = OpFunctionParameter %uint",
                            .body = body};
    TranslateOptions options;
    options.checks = MemoryChecks::Bounds;
    const PassRun run = lower(kernel, options);
    CHECK(run.error == "");
    CHECK_FALSE(contains(run.text, "OpSizeOf"));
    // a is at 48, since NULL is 0, and b is at 72: behind the end of a and an element before b.
    CHECK(count(run.text, "OpUGreaterThanEqual %bool") == 1);
    CHECK(contains(run.text, "%uint_68\n"));
    CHECK(contains(run.text, "%uint_72 %uint_48\n"));
    CHECK(contains(run.text, "%uint_8 %uint_16\n"));

    // SPIR-V's own instruction is no question.
    KernelText other = kernel;
    other.body.replace(other.body.find("%extent"), std::string::npos, "%extent = OpSizeOf %uint %p");
    CHECK(run_passes(other.text(), {describe_kernels, lower_memory}, options).error != "");
}

TEST_CASE("lower_memory: with explicit layout, a local object has atomics of two widths") {
    const KernelText kernel{.globals = R"(%x = OpVariable %l_uint8 Workgroup
                                          %l_ulong = OpTypePointer Workgroup %ulong
                                          %long1 = OpConstant %ulong 1)",
                            .body = R"(%p = OpInBoundsAccessChain %l_uint %x %c1
                                       %a = OpAtomicIAdd %uint %p %c2 %c0 %c1
                                       %b = OpBitcast %l_ulong %x
                                       %c = OpAtomicIAdd %ulong %b %c2 %c0 %long1)",
                            .interface = "%x"};
    TranslateOptions options;
    CHECK(run_passes(kernel.text(), {describe_kernels, lower_memory}, options).error != "");
    options.profile.workgroup_explicit_layout = true;
    CHECK(count(lower(kernel, options).text, "OpAtomicIAdd") == 2);
    check_valid(kernel, options);
}

TEST_CASE("lower_memory: kernels whose local memory has one width keep arrays beside one that has a block") {
    const KernelText kernel{.decorations = "OpEntryPoint Kernel %k2 \"k2\" %y",
                            .globals = R"(%x = OpVariable %l_uint8 Workgroup
                                          %y = OpVariable %l_uint8 Workgroup)",
                            .body = R"(%b = OpBitcast %l_uchar %x
                                       OpStore %b %uc1 Aligned 1
                                       %p = OpInBoundsAccessChain %l_uint %x %c1
                                       OpStore %p %c1 Aligned 4
                                       OpReturn
                                       OpFunctionEnd
                                       %k2 = OpFunction %void None %type
                                       %entry2 = OpLabel
                                       %q = OpInBoundsAccessChain %l_uint %y %c1
                                       OpStore %q %c2 Aligned 4)",
                            .interface = "%x"};
    TranslateOptions options;
    options.profile.workgroup_explicit_layout = true;
    const PassRun run = lower(kernel, options);
    CHECK(count(run.text, " Workgroup\n") == 3);
    CHECK(count(run.text, " Block\n") == 2);
    REQUIRE(run.interface.kernels.size() == 2);
    for (const Kernel& each : run.interface.kernels) CHECK(each.local_bytes == 32);
    check_valid(kernel, options);
}

TEST_CASE("lower_memory: pointers that a select mixes share one array") {
    const KernelText kernel{.globals = R"(%x = OpVariable %l_uint8 Workgroup
                                          %y = OpVariable %l_uint8 Workgroup)",
                            .function_type = "%void %uint",
                            .params = "%n = OpFunctionParameter %uint",
                            .body = R"(%b = OpIEqual %bool %n %c1
                                       %px = OpInBoundsAccessChain %l_uint %x %n
                                       %py = OpInBoundsAccessChain %l_uint %y %c0
                                       %p = OpSelect %l_uint %b %px %py
                                       OpStore %p %n Aligned 4)",
                            .interface = "%x %y"};
    const PassRun run = lower(kernel);
    CHECK(count(run.text, " Workgroup\n") == 1);  // one variable
    CHECK(contains(run.text, "OpSelect %uint"));
    check_valid(kernel);
}

TEST_CASE("lower_memory: objects that no kernel has in common lie over each other") {
    // Two kernels give a function their own table, and the one that both have.
    const KernelText kernel{.decorations = "OpEntryPoint Kernel %k2 \"k2\" %own %other %both",
                            .globals = R"(%own = OpVariable %l_uint8 Workgroup
                                          %other = OpVariable %l_uint8 Workgroup
                                          %both = OpVariable %l_uint8 Workgroup
                                          %take = OpTypeFunction %void %l_uint8)",
                            .body = R"(%1 = OpFunctionCall %void %f %own
                                       %2 = OpFunctionCall %void %f %both
                                       OpReturn
                                       OpFunctionEnd
                                       %k2 = OpFunction %void None %type
                                       %entry2 = OpLabel
                                       %3 = OpFunctionCall %void %f %other
                                       %4 = OpFunctionCall %void %f %both
                                       OpReturn
                                       OpFunctionEnd
                                       %f = OpFunction %void None %take
                                       %table = OpFunctionParameter %l_uint8
                                       %fe = OpLabel
                                       %p = OpInBoundsAccessChain %l_uint %table %c1
                                       OpStore %p %c2 Aligned 4)",
                            .interface = "%own %other %both"};
    const PassRun run = lower(kernel);
    CHECK(count(run.text, " Workgroup\n") == 1);
    REQUIRE(run.interface.kernels.size() == 2);
    for (const Kernel& each : run.interface.kernels) CHECK(each.local_bytes == 64);  // not 96
    check_valid(kernel);
}

TEST_CASE("lower_memory: arguments of different kernels lie over each other") {
    // A function gets pointers to the local memory of each kernel, of which the third one has longs.
    const KernelText kernel{.decorations = R"(OpEntryPoint Kernel %k2 "k2"
                                              OpEntryPoint Kernel %k3 "k3")",
                            .globals = R"(%l_ulong = OpTypePointer Workgroup %ulong
                                          %two = OpTypeFunction %void %l_uint %l_uint
                                          %of_long = OpTypeFunction %void %l_ulong
                                          %take = OpTypeFunction %void %l_uint)",
                            .function_type = "%void %l_uint",
                            .params = "%a = OpFunctionParameter %l_uint",
                            .body = R"(%1 = OpFunctionCall %void %f %a
                                       OpReturn
                                       OpFunctionEnd
                                       %k2 = OpFunction %void None %two
                                       %b = OpFunctionParameter %l_uint
                                       %c = OpFunctionParameter %l_uint
                                       %entry2 = OpLabel
                                       %3 = OpFunctionCall %void %f %b
                                       %4 = OpFunctionCall %void %f %c
                                       OpReturn
                                       OpFunctionEnd
                                       %k3 = OpFunction %void None %of_long
                                       %d = OpFunctionParameter %l_ulong
                                       %entry3 = OpLabel
                                       %words = OpBitcast %l_uint %d
                                       %5 = OpFunctionCall %void %f %words
                                       OpReturn
                                       OpFunctionEnd
                                       %f = OpFunction %void None %take
                                       %table = OpFunctionParameter %l_uint
                                       %fe = OpLabel
                                       OpStore %table %c2 Aligned 4)"};
    const PassRun run = lower(kernel);
    CHECK(run.error == "");
    CHECK(count(run.text, " Workgroup\n") == 1);
    // The pipeline rounds three lengths up to 32 bytes: of the first arguments with words and with longs, and
    // of the second. There is one sum, and the array has room for it or for the longs, whichever is more. The
    // other sum is a place.
    CHECK(count(run.text, "OpSpecConstantOp %uint UDiv") == 3);
    CHECK(count(run.text, "OpSpecConstantOp %uint IAdd") == 5);
    CHECK(count(run.text, "OpSpecConstantOp %bool UGreaterThan") == 1);
    CHECK(count(run.text, "OpSpecConstantOp %uint Select") == 1);
    check_valid(kernel);
}

TEST_CASE("lower_memory: arguments begin behind what their own kernel has of fixed sizes") {
    const KernelText kernel{.decorations = R"(OpEntryPoint Kernel %k2 "k2" %y
                                              OpEntryPoint Kernel %k3 "k3")",
                            .globals = R"(%c64 = OpConstant %uint 64
                                          %large = OpTypeArray %uint %c64
                                          %l_large = OpTypePointer Workgroup %large
                                          %x = OpVariable %l_large Workgroup
                                          %y = OpVariable %l_uint8 Workgroup
                                          %take = OpTypeFunction %void %l_uint)",
                            .body = R"(%px = OpInBoundsAccessChain %l_uint %x %c0
                                       %1 = OpFunctionCall %void %f %px
                                       OpReturn
                                       OpFunctionEnd
                                       %k2 = OpFunction %void None %take
                                       %a = OpFunctionParameter %l_uint
                                       %entry2 = OpLabel
                                       %py = OpInBoundsAccessChain %l_uint %y %c0
                                       %2 = OpFunctionCall %void %f %py
                                       %3 = OpFunctionCall %void %f %a
                                       OpReturn
                                       OpFunctionEnd
                                       %k3 = OpFunction %void None %take
                                       %b = OpFunctionParameter %l_uint
                                       %entry3 = OpLabel
                                       %4 = OpFunctionCall %void %f %b
                                       OpReturn
                                       OpFunctionEnd
                                       %f = OpFunction %void None %take
                                       %table = OpFunctionParameter %l_uint
                                       %fe = OpLabel
                                       OpStore %table %c2 Aligned 4)",
                            .interface = "%x"};
    const PassRun run = lower(kernel);
    CHECK(run.error == "");
    CHECK(count(run.text, " Workgroup\n") == 1);
    REQUIRE(run.interface.kernels.size() == 3);
    CHECK(run.interface.kernels[0].local_bytes == 256);
    CHECK(run.interface.kernels[1].local_bytes == 32);
    CHECK(run.interface.kernels[2].local_bytes == 0);
    // The array has room for 64 words, and for the argument alone and behind 8 words.
    CHECK(count(run.text, "OpSpecConstantOp %uint Select") == 2);
    check_valid(kernel);
}

TEST_CASE("lower_memory: null is no object's offset") {
    const KernelText kernel{.globals = R"(%null = OpConstantNull %l_uint
                                          %x = OpVariable %l_uint8 Workgroup)",
                            .function_type = "%void %uint",
                            .params = "%n = OpFunctionParameter %uint",
                            .body = R"(%b = OpIEqual %bool %n %c1
                                       %px = OpInBoundsAccessChain %l_uint %x %c0
                                       %p = OpSelect %l_uint %b %px %null
                                       %ip = OpConvertPtrToU %ulong %p
                                       %in = OpConvertPtrToU %ulong %null
                                       %is = OpIEqual %bool %ip %in)",
                            .interface = "%x"};
    const PassRun run = lower(kernel);
    CHECK(contains(run.text, "OpSelect %uint %"));
    CHECK(contains(run.text, "%uint_32 %uint_0"));  // the object stands at 32, null at 0
}

TEST_CASE("lower_memory: a pointer one element before a compared array is less than the array") {
    const KernelText kernel{.globals = "%minus = OpConstant %ulong 18446744073709551615",
                            .function_type = "%void %uint",
                            .params = "%n = OpFunctionParameter %uint",
                            .body = R"(%x = OpVariable %p_uint8 Function
                                       %p = OpInBoundsAccessChain %p_uint %x %c0
                                       %q = OpInBoundsPtrAccessChain %p_uint %p %minus
                                       OpStore %p %n Aligned 4
                                       %ip = OpConvertPtrToU %ulong %p
                                       %iq = OpConvertPtrToU %ulong %q
                                       %less = OpULessThan %bool %iq %ip)"};
    CHECK(contains(lower(kernel).text, "OpConstant %uint 1048572"));  // no wrap below 0
    check_valid(kernel);
}

TEST_CASE("lower_memory: by descriptors, integers of pointers of two arguments are those of their bytes") {
    KernelText kernel{.globals = "%null = OpConstantNull %g_uint",
                      .function_type = "%void %g_uint %g_uint",
                      .params = "%p = OpFunctionParameter %g_uint\n%q = OpFunctionParameter %g_uint",
                      .body = R"(%ip = OpConvertPtrToU %ulong %p
                                 %iq = OpConvertPtrToU %ulong %q
                                 %same = OpIEqual %bool %ip %iq)"};
    TranslateOptions options{.abi = Abi::Descriptors, .argument_table = true};
    const PassRun two = lower(kernel, options);
    CHECK(count(two.text, "OpFunctionCall") == 2);
    CHECK(contains(two.text, "caldera.address"));
    CHECK(two.interface.argument_table_rows == 2);
    check_valid(kernel, options);
    // Into one buffer, or compared with NULL.
    kernel.body = R"(%r = OpInBoundsPtrAccessChain %g_uint %p %c1
                     %ip = OpConvertPtrToU %ulong %p
                     %ir = OpConvertPtrToU %ulong %r
                     %distance = OpISub %ulong %ir %ip
                     %iq = OpConvertPtrToU %ulong %q
                     %none = OpConvertPtrToU %ulong %null
                     %is = OpIEqual %bool %iq %none)";
    const PassRun one = lower(kernel, options);
    CHECK(count(one.text, "OpFunctionCall") == 0);
    CHECK(one.interface.argument_table_rows == 0);
    // A host without the table.
    kernel.body =
        "%ip = OpConvertPtrToU %ulong %p\n%iq = OpConvertPtrToU %ulong %q\n%x = OpBitwiseXor %ulong %ip %iq";
    CHECK(count(lower(kernel, options).text, "OpFunctionCall") == 2);
    options.argument_table = false;
    CHECK(count(lower(kernel, options).text, "OpFunctionCall") == 0);
}

TEST_CASE("lower_memory: a generic pointer whose sources are of one space becomes that space") {
    const KernelText kernel{.globals = "%x = OpVariable %l_uint8 Workgroup",
                            .function_type = "%void %ulong",
                            .params = "%i = OpFunctionParameter %ulong",
                            .body = R"(%p = OpInBoundsAccessChain %l_uint %x %c0
                                       %g = OpPtrCastToGeneric %a_uint %p
                                       %q = OpInBoundsPtrAccessChain %a_uint %g %i
                                       OpStore %q %c1 Aligned 4)",
                            .interface = "%x"};
    const PassRun run = lower(kernel);
    CHECK(contains(run.text, "OpAccessChain %_ptr_Workgroup_uint"));
    CHECK_FALSE(contains(run.text, "OpFunctionCall"));
    check_valid(kernel);
}

TEST_CASE("lower_memory: a generic pointer of several spaces branches out of line") {
    const KernelText kernel{.globals = "%x = OpVariable %l_uint8 Workgroup",
                            .function_type = "%void %g_uint %uint",
                            .params = R"(%y = OpFunctionParameter %g_uint
                                         %n = OpFunctionParameter %uint)",
                            .body = R"(%z = OpVariable %p_uint8 Function
                                       %pz = OpInBoundsAccessChain %p_uint %z %n
                                       %gz = OpPtrCastToGeneric %a_uint %pz
                                       %px = OpInBoundsAccessChain %l_uint %x %c0
                                       %gx = OpPtrCastToGeneric %a_uint %px
                                       %gy = OpPtrCastToGeneric %a_uint %y
                                       %b = OpIEqual %bool %n %c1
                                       %s = OpSelect %a_uint %b %gx %gy
                                       %t = OpSelect %a_uint %b %s %gz
                                       %v = OpLoad %uint %t Aligned 4
                                       OpStore %t %v Aligned 4
                                       %w = OpLoad %uint %s Aligned 4
                                       %old = OpAtomicIAdd %uint %t %c1 %c0 %c1)",
                            .interface = "%x"};
    const PassRun run = lower(kernel);
    CHECK(count(run.text, "OpFunctionCall") == 4);
    CHECK(count(run.text, "OpSwitch") == 3);                     // both loads share a function
    CHECK(contains(run.text, "OpVariable %_ptr_Private__arr"));  // seen from the functions out of line
    check_valid(kernel);
}

TEST_CASE("lower_memory: constants fold, tables with run-time indices are in the data segment") {
    const KernelText kernel{.globals = R"(%c_uint8 = OpTypePointer UniformConstant %uint8
                                          %c_uint = OpTypePointer UniformConstant %uint
                                          %init = OpConstantComposite %uint8 %c1 %c2 %c3 %c4 %c0 %c0 %c0 %c8
                                          %table = OpVariable %c_uint8 UniformConstant %init)",
                            .function_type = "%void %g_uint %ulong",
                            .params = R"(%y = OpFunctionParameter %g_uint
                                         %i = OpFunctionParameter %ulong)",
                            .body = R"(%p = OpInBoundsAccessChain %c_uint %table %c3
                                       %v = OpLoad %uint %p Aligned 4
                                       OpStore %y %v Aligned 4
                                       %q = OpInBoundsAccessChain %c_uint %table %i
                                       %w = OpLoad %uint %q Aligned 4)",
                            .interface = "%table"};
    const PassRun run = lower(kernel);
    CHECK(count(run.text, "OpConvertUToPtr") == 2);  // the store and the table
    CHECK(contains(run.text, "%uint_4 Aligned 4"));
    CHECK(contains(run.text, "\"caldera.DataSegment\""));
    const std::vector<uint8_t>& bytes = run.interface.data_segment;
    REQUIRE(bytes.size() == 32);
    CHECK(bytes[4] == 2);
    CHECK(bytes[28] == 8);
    check_valid(kernel);
}

TEST_CASE("lower_memory: tables are not in a module whose driver would copy them") {
    const auto table = [](const char* type, const char* values) {
        return KernelText{.globals = R"(%uint4 = OpTypeArray %uint %c4
                                        %c_table = OpTypePointer UniformConstant %)" +
                                     std::string(type) + R"(
                                        %c_uint = OpTypePointer UniformConstant %uint
                                        %init = OpConstantComposite %)" +
                                     type + " " + values + R"(
                                        %table = OpVariable %c_table UniformConstant %init)",
                          .function_type = "%void %g_uint %ulong",
                          .params = R"(%y = OpFunctionParameter %g_uint
                                       %i = OpFunctionParameter %ulong)",
                          .body = R"(%q = OpInBoundsAccessChain %c_uint %table %i
                                     %w = OpLoad %uint %q Aligned 4
                                     OpStore %y %w Aligned 4)",
                          .interface = "%table"};
    };
    const KernelText small = table("uint4", "%c1 %c2 %c3 %c4"),
                     large = table("uint8", "%c1 %c2 %c3 %c4 %c0 %c0 %c0 %c8");
    TranslateOptions options, copying;
    options.abi = copying.abi = Abi::Descriptors;
    options.constants_in_module = copying.constants_in_module = true;
    copying.profile.quirks.copies_constant_arrays = true;
    CHECK(lower(large, options).interface.data_segment.empty());
    CHECK(lower(small, copying).interface.data_segment.empty());
    CHECK(lower(large, copying).interface.data_segment.size() == 32);
    check_valid(large, copying);
    // Beside checks, an array has an element more, for accesses outside.
    options.checks = MemoryChecks::Bounds;
    CHECK(contains(lower(small, options).text, "OpTypeArray %uint %uint_5"));
    check_valid(small, options);
}

TEST_CASE("lower_memory: addresses in initializers are relocations") {
    const KernelText kernel{.globals = R"(%g_uint8 = OpTypePointer CrossWorkgroup %uint8
                                          %gg_uint = OpTypePointer CrossWorkgroup %g_uint
                                          %zero = OpConstantNull %uint8
                                          %x = OpVariable %g_uint8 CrossWorkgroup %zero
                                          %x3 = OpSpecConstantOp %g_uint InBoundsPtrAccessChain %x %c0 %c3
                                          %p = OpVariable %gg_uint CrossWorkgroup %x3)",
                            .body = R"(%v = OpLoad %g_uint %p Aligned 8
                                       OpStore %v %c1 Aligned 4)",
                            .interface = "%x %p"};
    const PassRun run = lower(kernel);
    REQUIRE(run.interface.relocations.size() == 1);
    CHECK(run.interface.relocations[0].at_bytes == 0);
    CHECK(run.interface.relocations[0].target_bytes == 8 + 12);
    CHECK(run.interface.data_segment.size() == 8 + 32);
    CHECK(run.interface.data_segment_alignment == 8);
    check_valid(kernel);
}

TEST_CASE("lower_memory: pointers in memory keep their space") {
    const KernelText kernel{.globals = R"(%pair = OpTypeStruct %l_uint %p_uint
                                          %p_pair = OpTypePointer Function %pair
                                          %p_l = OpTypePointer Function %l_uint
                                          %p_p = OpTypePointer Function %p_uint
                                          %x = OpVariable %l_uint8 Workgroup)",
                            .function_type = "%void %uint",
                            .params = "%n = OpFunctionParameter %uint",
                            .body = R"(%s = OpVariable %p_pair Function
                                       %y = OpVariable %p_uint8 Function
                                       %px = OpInBoundsAccessChain %l_uint %x %n
                                       %py = OpInBoundsAccessChain %p_uint %y %n
                                       %s0 = OpInBoundsAccessChain %p_l %s %c0
                                       OpStore %s0 %px Aligned 8
                                       %s1 = OpInBoundsAccessChain %p_p %s %c1
                                       OpStore %s1 %py Aligned 8
                                       %all = OpLoad %pair %s Aligned 8
                                       %qx = OpCompositeExtract %l_uint %all 0
                                       %qy = OpLoad %p_uint %s1 Aligned 8
                                       OpStore %qx %n Aligned 4
                                       OpStore %qy %n Aligned 4)",
                            .interface = "%x"};
    const PassRun run = lower(kernel);
    CHECK(contains(run.text, "OpTypeStruct %ulong %ulong"));
    CHECK(contains(run.text, "OpBitwiseOr %ulong"));  // the tag
    CHECK(contains(run.text, "OpUConvert %uint"));    // gone again
    check_valid(kernel);
}

TEST_CASE("lower_memory: a large copy is a loop, a small one is not") {
    KernelText kernel{.globals = R"(%n = OpConstant %ulong 4096
                                    %m = OpConstant %ulong 16)",
                      .function_type = "%void %g_uchar %g_uchar",
                      .params = R"(%x = OpFunctionParameter %g_uchar
                                   %y = OpFunctionParameter %g_uchar)",
                      .body = "OpCopyMemorySized %x %y %n Aligned 4"};
    CHECK(contains(lower(kernel).text, "OpLoopMerge"));
    check_valid(kernel);
    kernel.body = "OpCopyMemorySized %x %y %m Aligned 4";
    const PassRun run = lower(kernel);
    CHECK(count(run.text, "OpLoad %uint") == 4);
    CHECK_FALSE(contains(run.text, "OpLoopMerge"));
    // Words, then the bytes that are left.
    kernel.function_type = "%void %g_uchar %g_uchar %ulong";
    kernel.params += "\n%z = OpFunctionParameter %ulong\n";
    kernel.body = "OpCopyMemorySized %x %y %z Aligned 4";
    CHECK(count(lower(kernel).text, "OpLoopMerge") == 2);
    check_valid(kernel);
    kernel.body = "OpCopyMemorySized %x %y %z Aligned 1";
    CHECK(count(lower(kernel).text, "OpLoopMerge") == 1);
    check_valid(kernel);
}

TEST_CASE("lower_memory: the source of a copy has memory operands of its own") {
    KernelText kernel{.globals = "%m = OpConstant %ulong 16",
                      .function_type = "%void %g_uint %g_uint",
                      .params = "%x = OpFunctionParameter %g_uint\n%y = OpFunctionParameter %g_uint\n"};
    const auto words = [&](const std::string& copy) {
        kernel.body = copy;
        const PassRun run = lower(kernel);
        CHECK(run.error == "");
        return count(run.text, "OpLoad %uint ");
    };
    CHECK(words("OpCopyMemorySized %x %y %m Aligned 4 Aligned 4") == 4);
    CHECK(words("OpCopyMemorySized %x %y %m Aligned 4 Aligned 1") == 0);
    CHECK(words("OpCopyMemory %x %y Aligned 4 Aligned 4") == 1);
    CHECK(words("OpCopyMemory %x %y Aligned 4 Aligned 1") == 0);
    kernel.body = "OpCopyMemorySized %x %y %m Aligned 4 Volatile|Aligned 4";
    CHECK(count(lower(kernel).text, "Volatile") == 4);
}

TEST_CASE("lower_memory: a copy without a size goes from the end where it must") {
    KernelText kernel{.globals = R"(%n = OpConstant %ulong 4096
                                    %large = OpTypeArray %uint %n
                                    %g_large = OpTypePointer CrossWorkgroup %large
                                    %k_large = OpTypePointer UniformConstant %large
                                    %l_large = OpTypePointer Workgroup %large
                                    %p_large = OpTypePointer Function %large
                                    %a_large = OpTypePointer Generic %large
                                    %x = OpVariable %l_large Workgroup)",
                      .function_type = "%void %g_large %g_large %k_large %ulong",
                      .params = R"(%g = OpFunctionParameter %g_large
                                   %h = OpFunctionParameter %g_large
                                   %c = OpFunctionParameter %k_large
                                   %i = OpFunctionParameter %ulong)",
                      .interface = "%x"};
    const auto moves = [&](std::string_view to, std::string_view from, const TranslateOptions& options = {}) {
        kernel.body = R"(%p = OpVariable %p_large Function
                         %q = OpInBoundsAccessChain %p_uint %p %i
                         %r = OpBitcast %p_large %q
                         %y = OpInBoundsAccessChain %l_uint %x %i
                         %z = OpBitcast %l_large %y
                         %is = OpIEqual %bool %c0 %c1
                         %ga = OpPtrCastToGeneric %a_large %g
                         %xa = OpPtrCastToGeneric %a_large %x
                         %any = OpSelect %a_large %is %ga %xa
                         OpCopyMemory )" +
                      std::string(to) + " " + std::string(from) + " Aligned 4";
        check_valid(kernel, options);
        const std::string text = lower(kernel, options).text;
        CHECK(contains(text, "OpLoopMerge"));
        return contains(text, "\"caldera.move.");
    };
    TranslateOptions table;
    table.abi = Abi::Descriptors;
    table.argument_table = true;
    for (const TranslateOptions& options : {TranslateOptions{}, table}) {
        CHECK(moves("%g", "%h", options));
        CHECK(moves("%p", "%r", options));
        CHECK(moves("%z", "%x", options));
        CHECK(moves("%any", "%h", options));
        CHECK(moves("%z", "%any", options));
        CHECK(!moves("%g", "%c", options));
        CHECK(!moves("%g", "%p", options));
        CHECK(!moves("%x", "%h", options));
        CHECK(!moves("%p", "%any", options));
    }
}

TEST_CASE("lower_memory: LLVM's back end makes such copies of memmove, whose places may overlap") {
    KernelText kernel{.globals = "%n = OpConstant %ulong 4096\n%m = OpConstant %ulong 8",
                      .function_type = "%void %g_uint %g_uint",
                      .params = "%x = OpFunctionParameter %g_uint\n%y = OpFunctionParameter %g_uint\n"};
    const auto text = [&](const std::string& copy, uint32_t generator) {
        kernel.body = "%p = OpVariable %p_uint8 Function\n" + copy;
        const Pass made_by = generator ? +[](spirv::Module& module, PassContext&) -> Result<Done> {
            module.generator = spirv::Module::kLlvmGenerator << 16;
            return Done{};
        }
        : describe_kernels;
        const PassRun run =
            run_passes(kernel.text(), {made_by, describe_kernels, lower_vector_accesses, lower_memory});
        CHECK_MESSAGE(run.error == "", run.error);
        return run.text;
    };
    const std::string large = "OpCopyMemorySized %x %y %n Aligned 4",
                      apart = "OpCopyMemorySized %p %y %m Aligned 4";
    CHECK(contains(text(large, 43), "\"caldera.move."));
    CHECK(contains(text(large, 0), "\"caldera.copy."));
    const std::string small = text("OpCopyMemorySized %x %y %m Aligned 4", 43);  // loads all, then stores
    CHECK(small.rfind("OpLoad %uint") < small.find("OpStore"));
    CHECK(!contains(text(apart, 43), "OpUGreaterThan"));
}

TEST_CASE("lower_memory: halves round by integer arithmetic") {
    const KernelText kernel{.function_type = "%void %g_half %ulong %v4float",
                            .params = R"(%x = OpFunctionParameter %g_half
                                         %i = OpFunctionParameter %ulong
                                         %v = OpFunctionParameter %v4float)",
                            .body = R"(%a = OpExtInst %v4float %cl vload_halfn %i %x 4
                                       %n = OpExtInst %void %cl vstore_halfn_r %a %i %x RTZ
                                       %m = OpExtInst %void %cl vstorea_halfn %v %i %x)"};
    const PassRun run = lower(kernel);
    CHECK(count(run.text, "OpFConvert") == 1);
    CHECK(count(run.text, "OpFunction ") == 3);  // the kernel and a function for each rounding mode
    check_valid(kernel);
}

TEST_CASE(
    "lower_memory: floats are packed to halves where the device does that exactly, unless modes say "
    "otherwise") {
    KernelText kernel{.function_type = "%void %g_half %ulong %v3float",
                      .params = R"(%x = OpFunctionParameter %g_half
                                   %i = OpFunctionParameter %ulong
                                   %v = OpFunctionParameter %v3float)",
                      .body = "%n = OpExtInst %void %cl vstore_halfn %v %i %x"};
    TranslateOptions options;
    options.profile.exact_half_packing = true;
    const std::string text = lower(kernel, options).text;
    CHECK(count(text, "PackHalf2x16") == 2);  // a pair, and one with nothing
    CHECK(count(text, "OpFunction ") == 1);
    check_valid(kernel, options);
    kernel.body = "%n = OpExtInst %void %cl vstore_halfn_r %v %i %x RTE";
    CHECK(count(lower(kernel, options).text, "PackHalf2x16") == 2);
    kernel.body = "%n = OpExtInst %void %cl vstore_halfn_r %v %i %x RTP";
    CHECK(count(lower(kernel, options).text, "PackHalf2x16") == 0);
    kernel.body = "%n = OpExtInst %void %cl vstore_halfn %v %i %x";
    options.profile.quirks.takes_halves_for_integers = true;
    CHECK(count(lower(kernel, options).text, "PackHalf2x16") == 2);
    options.profile.float16 = false;
    CHECK(count(lower(kernel, options).text, "PackHalf2x16") == 0);
    options.profile.exact_half_packing = false;
    CHECK(count(lower(kernel, options).text, "PackHalf2x16") == 0);
}

TEST_CASE("lower_memory: atomics") {
    KernelText kernel{.globals = "%x = OpVariable %l_uint8 Workgroup",
                      .function_type = "%void %g_uint %g_ulong %ulong",
                      .params = R"(%g = OpFunctionParameter %g_uint
                                   %q = OpFunctionParameter %g_ulong
                                   %i = OpFunctionParameter %ulong)",
                      .body = R"(%p = OpInBoundsAccessChain %l_uint %x %i
                                 %a = OpAtomicIAdd %uint %p %c2 %c0 %c1
                                 %b = OpAtomicCompareExchange %uint %g %c1 %c0 %c0 %c1 %c2
                                 %c = OpAtomicIIncrement %ulong %q %c1 %c0)",
                      .interface = "%x"};
    check_valid(kernel);
    TranslateOptions options;
    options.profile.buffer_int64_atomics = false;
    const PassRun run = run_passes(kernel.text(), {describe_kernels, lower_memory}, options);
    CHECK(run.error == "OpAtomicIIncrement: the device has no 64-bit atomics in global memory");
}

TEST_CASE("lower_memory: atomics of less than 32 bits are on the word around them") {
    const KernelText kernel{.globals = R"(%ushort8 = OpTypeArray %ushort %c8
                                          %l_ushort8 = OpTypePointer Workgroup %ushort8
                                          %l_ushort = OpTypePointer Workgroup %ushort
                                          %g_ushort = OpTypePointer CrossWorkgroup %ushort
                                          %x = OpVariable %l_ushort8 Workgroup)",
                            .function_type = "%void %g_ushort %ushort %ulong %uint",
                            .params = R"(%g = OpFunctionParameter %g_ushort
                                         %v = OpFunctionParameter %ushort
                                         %i = OpFunctionParameter %ulong
                                         %n = OpFunctionParameter %uint)",
                            .body = R"(%p = OpInBoundsAccessChain %l_ushort %x %i
                                       %a = OpAtomicIAdd %ushort %p %c2 %c0 %v
                                       %b = OpAtomicIAdd %ushort %g %n %n %v
                                       %c = OpAtomicLoad %ushort %g %c1 %c0
                                       OpAtomicStore %g %c1 %c0 %v)",
                            .interface = "%x"};
    check_valid(kernel);
    const std::string text = lower(kernel).text;
    CHECK(count(text, "= OpAtomicCompareExchange %uint") == 3);
    CHECK(count(text, "= OpAtomicLoad %uint") == 4);
    CHECK(!contains(text, "OpAtomicIAdd"));
}

TEST_CASE("lower_memory: scopes and semantics that are not constants order all that there is") {
    KernelText kernel{.globals = "%x = OpVariable %l_uint Workgroup",
                      .function_type = "%void %g_uint %uint",
                      .params = R"(%g = OpFunctionParameter %g_uint
                                   %n = OpFunctionParameter %uint)",
                      .body = R"(%is = OpINotEqual %bool %n %c0
                                 %m = OpSelect %uint %is %c2 %c8
                                 %a = OpAtomicIAdd %uint %g %n %m %c1
                                 %b = OpAtomicCompareExchange %uint %g %m %n %n %c1 %c2
                                 %y = OpPtrCastToGeneric %a_uint %x
                                 %h = OpPtrCastToGeneric %a_uint %g
                                 %any = OpSelect %a_uint %is %y %h
                                 %c = OpAtomicIAdd %uint %any %n %n %c1
                                 OpMemoryBarrier %n %m
                                 OpControlBarrier %n %m %n
                                 OpMemoryBarrier %c2 %m
                                 OpMemoryBarrier %n %c8)",
                      .interface = "%x"};
    const std::string text = lower(kernel).text;
    CHECK(count(text, "OpAtomic") == 4);  // the generic one in two spaces
    CHECK(count(text, " %uint_1 %uint_2832 ") == 4);
    CHECK(contains(text, " %uint_1 %uint_2832 %uint_2832 "));
    CHECK(contains(text, "OpMemoryBarrier %uint_1 %uint_2832\n"));
    CHECK(contains(text, "OpControlBarrier %uint_2 %uint_1 %uint_2832\n"));
    CHECK(contains(text, "OpMemoryBarrier %uint_2 %uint_2832\n"));
    CHECK(contains(text, "OpMemoryBarrier %uint_1 %uint_8\n"));
    check_valid(kernel);
}

TEST_CASE("lower_memory_model: Vulkan's model, and GLSL450 where the device lacks it") {
    const KernelText kernel{.globals = R"(%x = OpVariable %l_uint8 Workgroup
                                          %seq = OpConstant %uint 784)",
                            .function_type = "%void %g_uint",
                            .params = "%g = OpFunctionParameter %g_uint",
                            .body = R"(%p = OpInBoundsAccessChain %l_uint %x %c0
                                       %v = OpLoad %uint %p Aligned 4
                                       OpControlBarrier %c2 %c2 %seq
                                       OpMemoryBarrier %c1 %seq
                                       %a = OpAtomicIAdd %uint %g %c0 %seq %c1
                                       %b = OpAtomicLoad %uint %g %c1 %seq
                                       OpAtomicStore %g %c1 %seq %c1
                                       OpStore %g %v Volatile|Aligned 4)",
                            .interface = "%x"};
    const auto passes = {describe_kernels, lower_memory, lower_memory_model};
    const PassRun vulkan = run_passes(kernel.text(), passes);
    CHECK(contains(vulkan.text, "OpMemoryModel PhysicalStorageBuffer64 Vulkan"));
    CHECK(contains(vulkan.text, "Volatile|Aligned|NonPrivatePointer 4"));
    CHECK(contains(vulkan.text,
                   "OpConstant %uint 24904"));  // AcquireRelease, both classes, available and visible
    CHECK(contains(vulkan.text, "OpConstant %uint 16706"));  // Acquire for the atomic load
    CHECK(contains(vulkan.text, "OpConstant %uint 8516"));   // Release for the atomic store
    check_valid(kernel);

    TranslateOptions options;
    options.profile.vulkan_memory_model = false;
    const PassRun glsl = run_passes(kernel.text(), passes, options);
    CHECK(contains(glsl.text, "OpMemoryModel PhysicalStorageBuffer64 GLSL450"));
    CHECK_FALSE(contains(glsl.text, "NonPrivatePointer"));
    check_valid(kernel, options);
}

TEST_CASE("lower_memory: a private variable's initializer is stored where it is declared") {
    const KernelText kernel{.globals = "%init = OpConstantComposite %uint8 %c1 %c2 %c3 %c4 %c0 %c0 %c0 %c8",
                            .function_type = "%void %g_uint %uint",
                            .params = R"(%g = OpFunctionParameter %g_uint
                                         %n = OpFunctionParameter %uint)",
                            .body = R"(%x = OpVariable %p_uint8 Function %init
                                       %p = OpInBoundsAccessChain %p_uint %x %n
                                       %v = OpLoad %uint %p Aligned 4
                                       OpStore %g %v Aligned 4)"};
    CHECK(count(lower(kernel).text, "OpStore") == 9);
    check_valid(kernel);
}

TEST_CASE("lower_memory: values too large to load at once are declined") {
    const KernelText kernel{.globals = R"(%n = OpConstant %uint 1000000
                                          %huge = OpTypeArray %uint %n
                                          %g_huge = OpTypePointer CrossWorkgroup %huge)",
                            .function_type = "%void %g_huge",
                            .params = "%x = OpFunctionParameter %g_huge",
                            .body = "%v = OpLoad %huge %x Aligned 4"};
    const PassRun run = run_passes(kernel.text(), {describe_kernels, lower_memory});
    CHECK(run.error == "a value of 4000000 bytes is too large to load or store at once");
}

TEST_CASE("lower_memory: what is made of NULL is in the space that it is for") {
    const KernelText kernel{.globals = R"(%a_uchar = OpTypePointer Generic %uchar
                                          %none = OpConstantNull %a_uchar
                                          %any = OpUndef %a_uchar)",
                            .function_type = "%void %l_uint %bool",
                            .params = R"(%x = OpFunctionParameter %l_uint
                                         %is = OpFunctionParameter %bool)",
                            .body = R"(%w = OpPtrCastToGeneric %a_uint %x
                                       %n = OpBitcast %a_uint %none
                                       %u = OpBitcast %a_uint %any
                                       %m = OpInBoundsPtrAccessChain %a_uchar %none %c4
                                       %mm = OpBitcast %a_uint %m
                                       %p = OpSelect %a_uint %is %n %w
                                       %q = OpSelect %a_uint %is %mm %p
                                       %r = OpSelect %a_uint %is %u %q
                                       OpStore %r %c1 Aligned 4)"};
    const std::string text = lower(kernel).text;
    CHECK(count(text, "OpSelect %uint") == 3);  // local memory
    CHECK(!contains(text, "%ulong_0"));
    CHECK(contains(text, "OpUndef %uint"));
}

TEST_CASE("lower_memory: vectors of booleans are stored and loaded by parts where they are not aligned") {
    KernelText kernel{.globals = R"(%v4bool = OpTypeVector %bool 4
                                    %g_v4bool = OpTypePointer CrossWorkgroup %v4bool)",
                      .function_type = "%void %g_v4bool %g_v4bool",
                      .params = R"(%x = OpFunctionParameter %g_v4bool
                                   %y = OpFunctionParameter %g_v4bool)",
                      .body = R"(%v = OpLoad %v4bool %x Aligned 1
                                 %n = OpLogicalNot %v4bool %v
                                 OpStore %y %n Aligned 1)"};
    TranslateOptions descriptors;
    descriptors.abi = Abi::Descriptors;
    for (const TranslateOptions& options : {TranslateOptions{}, descriptors}) check_valid(kernel, options);
    CHECK(count(lower(kernel, descriptors).text, "OpCompositeExtract %uchar") == 4);
}

TEST_CASE(
    "lower_memory: an initialiser that is not known until the program runs is declined by its variable's "
    "name") {
    KernelText kernel{.decorations = "OpName %table \"table\"\n",
                      .globals = R"(%to_local = OpTypePointer Workgroup %uint
                                    %local = OpVariable %to_local Workgroup
                                    %address = OpSpecConstantOp %ulong ConvertPtrToU %local
                                    %to_table = OpTypePointer CrossWorkgroup %ulong
                                    %table = OpVariable %to_table CrossWorkgroup %address)",
                      .body = "OpStore %table %address Aligned 8\n"};
    const std::string rest = " is neither a constant nor an address in global or constant memory";
    const auto error = [&] { return run_passes(kernel.text(), {describe_kernels, lower_memory}).error; };
    CHECK(error() == "the initializer of the program-scope variable 'table'" + rest);
}

}  // namespace caldera::vulkan
