// SPDX-License-Identifier: Apache-2.0
#include "tests/support/why.h"
#include "vulkan/translate/link/library_linker.h"
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A library of two modules: sin and fract for float; sin calls kernel_sin of the other module and reads a
/// table.
struct Library {
    std::vector<uint32_t> first = assemble(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Linkage
 %cl = OpExtInstImport "OpenCL.std"
 OpMemoryModel Physical64 OpenCL
 OpDecorate %sin LinkageAttributes "_Z3sinf" Export
 OpDecorate %fract LinkageAttributes "_Z5fractfPf" Export
 OpDecorate %core LinkageAttributes "_Z4coref" Import
 %f32 = OpTypeFloat 32
 %u32 = OpTypeInt 32 0
 %ptr = OpTypePointer Function %f32
 %fn = OpTypeFunction %f32 %f32
 %fnp = OpTypeFunction %f32 %f32 %ptr
 %two = OpConstant %f32 2
 %one = OpConstant %u32 1
 %n = OpConstant %u32 2
 %array = OpTypeArray %f32 %n
 %table = OpConstantComposite %array %two %two
 %parray = OpTypePointer UniformConstant %array
 %pcf = OpTypePointer UniformConstant %f32
 %t = OpVariable %parray UniformConstant %table
 %core = OpFunction %f32 None %fn
 %cx = OpFunctionParameter %f32
 OpFunctionEnd
 %sin = OpFunction %f32 None %fn
 %x = OpFunctionParameter %f32
 %e = OpLabel
 %tp = OpInBoundsPtrAccessChain %pcf %t %one %one
 %tv = OpLoad %f32 %tp Aligned 4
 %m = OpFMul %f32 %x %tv
 %r = OpFunctionCall %f32 %core %m
 OpReturnValue %r
 OpFunctionEnd
 %fract = OpFunction %f32 None %fnp
 %fx = OpFunctionParameter %f32
 %fp = OpFunctionParameter %ptr
 %fe = OpLabel
 %fl = OpExtInst %f32 %cl floor %fx
 OpStore %fp %fl Aligned 4
 %fr = OpFSub %f32 %fx %fl
 OpReturnValue %fr
 OpFunctionEnd
)");
    std::vector<uint32_t> second = assemble(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Linkage
 OpMemoryModel Physical64 OpenCL
 OpDecorate %core LinkageAttributes "_Z4coref" Export
 %f32 = OpTypeFloat 32
 %fn = OpTypeFunction %f32 %f32
 %core = OpFunction %f32 None %fn
 %x = OpFunctionParameter %f32
 %e = OpLabel
 %r = OpFAdd %f32 %x %x
 OpReturnValue %r
 OpFunctionEnd
)");
    BuiltinModule modules[2] = {{"first.cl", first}, {"second.cl", second}};
    BuiltinSymbol symbols[3] = {{"_Z3sinf", 0}, {"_Z4coref", 1}, {"_Z5fractfPf", 0}};

    BuiltinLibrary get() const { return {modules, symbols}; }
    static std::vector<uint32_t> assemble(std::string_view text) {
        auto words = spirv::assemble(text, spirv::Target::OpenCL20);
        REQUIRE_MESSAGE(words, why(words));
        return words.take();
    }
};

PassRun link(const std::string& body, const TranslateOptions& options = {}) {
    static const Library library;
    return run_passes(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Linkage
 OpCapability Float16
 OpCapability Float64
 OpCapability Float16Buffer
 OpCapability Vector16
 %cl = OpExtInstImport "OpenCL.std"
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpDecorate %missing LinkageAttributes "_Z7missingf" Import
 OpDecorate %own LinkageAttributes "_Z4coref" Import
 %void = OpTypeVoid
 %f32 = OpTypeFloat 32
 %f16 = OpTypeFloat 16
 %f64 = OpTypeFloat 64
 %u32 = OpTypeInt 32 0
 %v4f = OpTypeVector %f32 4
 %v3h = OpTypeVector %f16 3
 %p4 = OpTypePointer CrossWorkgroup %v4f
 %ph = OpTypePointer CrossWorkgroup %f16
 %fn = OpTypeFunction %void %p4 %ph
 %fnf = OpTypeFunction %f32 %f32
 %a = OpUndef %f32
 %v = OpUndef %v4f
 %h = OpUndef %f16
 %h3 = OpUndef %v3h
 %d = OpUndef %f64
 %n = OpUndef %u32
 %missing = OpFunction %f32 None %fnf
 %mx = OpFunctionParameter %f32
 OpFunctionEnd
 %own = OpFunction %f32 None %fnf
 %ox = OpFunctionParameter %f32
 OpFunctionEnd
 %k = OpFunction %void None %fn
 %p = OpFunctionParameter %p4
 %q = OpFunctionParameter %ph
 %entry = OpLabel
)" + body + "\nOpReturn\nOpFunctionEnd\n",
                      {link_builtins}, options, library.get());
}
void check_opencl(const PassRun& run) {
    REQUIRE(run.error == "");
    // NoContraction is Vulkan's word, the rest is still OpenCL's.
    CHECK(!contains(run.text, "LinkageAttributes"));
}

TEST_CASE("link_builtins: a function with its table and what it calls in another module") {
    const PassRun run = link("%r = OpExtInst %f32 %cl sin %a\n%s = OpExtInst %f32 %cl sin %r");
    check_opencl(run);
    CHECK(count(run.text, "OpFunctionEnd") == 3);  // k, sin, core: once each
    CHECK(count(run.text, "OpFunctionCall") == 3);
    CHECK(count(run.text, "NoContraction") == 2);
    CHECK(contains(run.text, "OpVariable %_ptr_UniformConstant"));
}

TEST_CASE("link_builtins: vectors by component, half through float, results by pointer") {
    CHECK(count(link("%r = OpExtInst %v4f %cl sin %v").text, "OpFunctionCall") == 5);
    const PassRun half = link("%r = OpExtInst %v3h %cl sin %h3");
    check_opencl(half);
    CHECK(count(half.text, "OpFConvert") == 6);
    const PassRun fract = link("%r = OpExtInst %v4f %cl fract %v %p");
    check_opencl(fract);
    CHECK(count(fract.text, "OpFunctionCall") == 4);
    CHECK(contains(fract.text, "Aligned 16"));
    check_opencl(link("%r = OpExtInst %f16 %cl fract %h %q"));
    check_opencl(link("%r = OpFunctionCall %f32 %own %a"));
}

TEST_CASE("link_builtins: relaxed math keeps what GLSL.std.450 can do; the missing is named") {
    TranslateOptions relaxed;
    relaxed.fast_math = true;
    CHECK(contains(link("%r = OpExtInst %f32 %cl sin %a", relaxed).text, "sin"));
    CHECK(link("%r = OpExtInst %f64 %cl sin %d").error ==
          "built-in function 'sin' for double is not in the library (kernel 'k')");
    CHECK(link("%r = OpFunctionCall %f32 %missing %a").error ==
          "function 'missing' is declared but defined nowhere (kernel 'k')");
}

TEST_CASE("link_builtins: the interface says whether fma must round once") {
    TranslateOptions options;
    CHECK(link("%r = OpExtInst %f32 %cl fma %a %a %a", options).interface.fused_fma);
    CHECK(!link("%r = OpExtInst %f32 %cl mad %a %a %a", options).interface.fused_fma);
    CHECK(!link("%r = OpExtInst %f32 %cl sin %a", options).interface.fused_fma);
}

TEST_CASE("link_builtins: half_divide is a quotient of any floats, native_divide the device's") {
    CHECK(count(link("%r = OpFDiv %f32 %a %a").text, "OpFMul") == 2);
    CHECK(count(link("%r = OpExtInst %f32 %cl half_divide %a %a").text, "OpFMul") == 2);
    CHECK(count(link("%r = OpExtInst %f32 %cl native_divide %a %a").text, "OpFMul") == 0);
}

TEST_CASE("link_builtins: a divisor that was an integer needs no scaling") {
    for (const std::string convert : {"OpConvertUToF", "OpConvertSToF"}) {
        const PassRun run = link("%f = " + convert + " %f32 %n\n%r = OpFDiv %f32 %a %f");
        CHECK(run.error == "");
        CHECK(count(run.text, "OpFMul") == 0);
        CHECK(count(link("%f = " + convert + " %f32 %n\n%r = OpFDiv %f32 %f %a").text, "OpFMul") == 2);
    }
}

TEST_CASE("link_builtins: roots of doubles are the device's own where mad() is no Fma") {
    const std::string root = "%r = OpExtInst %f64 %cl sqrt %d";
    CHECK(link(root).error ==
          "built-in function 'sqrt_rounded' for double is not in the library (kernel 'k')");
    TranslateOptions options;
    options.profile.quirks.wrong_around_calls = false;
    options.profile.quirks.slow_fma = true;
    check_opencl(link(root, options));
    options.profile.quirks.slow_fma = false;
    options.profile.fused_fma = false;
    check_opencl(link(root, options));
}

TEST_CASE("link_builtins: an asynchronous copy is a call, its event a value, waiting a barrier") {
    const std::vector<uint32_t> words = Library::assemble(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Linkage
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpDecorate %copy LinkageAttributes "_Z10async_copyPU3AS3jPU3AS1Kjmjmm" Export
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %pl = OpTypePointer Workgroup %u32
 %pg = OpTypePointer CrossWorkgroup %u32
 %fn = OpTypeFunction %void %pl %pg %u64 %u32 %u64 %u64
 %copy = OpFunction %void None %fn
 %t = OpFunctionParameter %pl
 %s = OpFunctionParameter %pg
 %n = OpFunctionParameter %u64
 %w = OpFunctionParameter %u32
 %a = OpFunctionParameter %u64
 %b = OpFunctionParameter %u64
 %e = OpLabel
 OpReturn
 OpFunctionEnd
)");
    const BuiltinModule modules[] = {{"copy.cl", words}};
    const BuiltinSymbol symbols[] = {{"_Z10async_copyPU3AS3jPU3AS1Kjmjmm", 0}};
    const PassRun run = run_passes(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %void = OpTypeVoid
 %event = OpTypeEvent
 %f32 = OpTypeFloat 32
 %v3 = OpTypeVector %f32 3
 %u64 = OpTypeInt 64 0
 %u32 = OpTypeInt 32 0
 %two = OpConstant %u32 2
 %one = OpConstant %u32 1
 %n = OpConstant %u64 16
 %pl = OpTypePointer Workgroup %v3
 %pg = OpTypePointer CrossWorkgroup %v3
 %pe = OpTypePointer Function %event
 %null = OpConstantNull %event
 %fn = OpTypeFunction %void %pl %pg
 %k = OpFunction %void None %fn
 %t = OpFunctionParameter %pl
 %s = OpFunctionParameter %pg
 %entry = OpLabel
 %var = OpVariable %pe Function
 %e = OpGroupAsyncCopy %event %two %t %s %n %n %null
 OpStore %var %e
 OpGroupWaitEvents %two %one %var
 OpReturn
 OpFunctionEnd
)",
                                   {check_supported, link_builtins}, {}, {modules, symbols});
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpFunctionCall %void"));
    CHECK(contains(run.text, "OpControlBarrier"));
    CHECK(!contains(run.text, "OpTypeEvent"));
    CHECK(!contains(run.text, "OpGroup"));
}

TEST_CASE("Mangler: vectors and pointers are substituted") {
    Mangler modf("modf");
    modf.add("f", 4, false);
    modf.add("f", 4, true);
    CHECK(modf.text() == "_Z4modfDv4_fPS_");
    Mangler remquo("remquo");
    remquo.add("d", 8, false);
    remquo.add("d", 8, false);
    remquo.add("i", 8, true);
    CHECK(remquo.text() == "_Z6remquoDv8_dS_PDv8_i");
    Mangler pow("pow");
    pow.add("Dh", 1, false);
    pow.add("Dh", 1, false);
    CHECK(pow.text() == "_Z3powDhDh");
}

}  // namespace
}  // namespace caldera::vulkan
