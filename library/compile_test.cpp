// SPDX-License-Identifier: Apache-2.0
// What needs no device: compile(), link(), translate() and what is told of a program.
#include <doctest/doctest.h>

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "caldera/caldera.h"
#include "tests/support/why.h"

using namespace caldera;

namespace {

constexpr const char* kScale = R"(
kernel void scale(global float *data, float factor, local float *scratch) {
    scratch[get_local_id(0)] = data[get_global_id(0)];
    data[get_global_id(0)] = scratch[get_local_id(0)] * factor;
})";

Translation translated(const char* source, const TranslateOptions& options = {}) {
    const CompileResult compiled = compile(source, "test.cl", {.options = options.options});
    REQUIRE_MESSAGE(compiled, compiled.log);
    Result<Translation> translation = translate(compiled.words, options);
    REQUIRE_MESSAGE(translation, why(translation));
    return translation.take();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the library has the version of its headers") { CHECK(std::string(version()) == CALDERA_VERSION); }

TEST_CASE("a source that is right gives a module and warnings as data") {
    const CompileResult result =
        compile("kernel void k(global int *p) {\n    int unused;\n    *p = N;\n}\n", "dir/test.cl",
                {.options = "-Wall", .macros = {{.name = "N", .text = "3 + 4"}}});
    REQUIRE(result);
    CHECK(result.words[0] == 0x07230203);
    CHECK(result.dependencies == std::vector<std::string>{"dir/test.cl"});
    REQUIRE(result.diagnostics.size() == 1);
    CHECK(result.diagnostics[0] == Diagnostic{.severity = Severity::Warning,
                                              .file = "dir/test.cl",
                                              .line = 2,
                                              .column = 9,
                                              .text = "unused variable 'unused'",
                                              .flag = "-Wunused-variable"});
    CHECK(contains(result.log, "dir/test.cl:2:9: warning: unused variable 'unused' [-Wunused-variable]"));
}

TEST_CASE("errors have places, and their notes follow them") {
    const CompileResult result = compile("void f(int x);\nkernel void k() { f(1, 2); }\n", "test.cl");
    CHECK_FALSE(result);
    CHECK(result.words.empty());
    REQUIRE(result.diagnostics.size() == 2);
    CHECK(result.diagnostics[0].severity == Severity::Error);
    CHECK(result.diagnostics[0].line == 2);
    CHECK(result.diagnostics[1].severity == Severity::Note);
    CHECK(result.diagnostics[1].line == 1);
}

TEST_CASE("a wrong option is an error without a place") {
    const CompileResult result = compile("", "test.cl", {.options = "-cl-std=CL9"});
    CHECK_FALSE(result);
    REQUIRE(result.diagnostics.size() == 1);
    CHECK(result.diagnostics[0].line == 0);
    CHECK(contains(result.log, "error: invalid value 'CL9'"));
}

TEST_CASE("includes are read by the caller's function") {
    const CompileOptions options{.read_file = [](const std::string& path) -> std::optional<std::string> {
        if (path.ends_with("seven.h")) return "#define SEVEN 7\n";
        return std::nullopt;
    }};
    const CompileResult result =
        compile("#include \"seven.h\"\nkernel void k(global int *p) { *p = SEVEN; }", "test.cl", options);
    CHECK_MESSAGE(result, result.log);
    CHECK(result.dependencies.size() == 2);
}

TEST_CASE("what the caller's function throws is in the log") {
    const auto log_of = [](auto thrown) {
        const CompileOptions options{
            .read_file = [thrown](const std::string&) -> std::optional<std::string> { throw thrown; }};
        const CompileResult result = compile("#include \"a.h\"\n", "test.cl", options);
        CHECK_FALSE(result);
        CHECK(result.out_of_memory == std::is_same_v<decltype(thrown), std::bad_alloc>);
        return result.log;
    };
    CHECK(contains(log_of(std::runtime_error("no archive")),
                   "test.cl:1:10: fatal error: cannot read 'a.h': no archive"));
    CHECK(contains(log_of(7), "test.cl:1:10: fatal error: cannot read 'a.h'\n"));
    CHECK(contains(log_of(std::bad_alloc()), "fatal error: out of memory"));
}

TEST_CASE("a device's profile decides which extensions there are") {
    const auto fp64 = [](const DeviceProfile& profile) {
        return compile("#ifndef cl_khr_fp64\n#error none\n#endif\n", "test.cl", {.profile = profile});
    };
    CHECK(contains(fp64(DeviceProfile(Target::Vulkan12)).log, "error") == false);
    const auto bare = DeviceProfile::from_json(R"({"capabilities": {"device": {"features": {}, "properties": {
        "VkPhysicalDeviceProperties": {"apiVersion": 4202496, "deviceName": "bare"}}}}})");
    REQUIRE_MESSAGE(bare, why(bare));
    CHECK_FALSE(bare->has_double());
    CHECK(contains(fp64(*bare).log, "error: none"));
    CHECK_FALSE(DeviceProfile::from_json("no JSON"));
    CHECK(contains(DeviceProfile::load("/no/such/file").error().message, "/no/such/file"));
}

TEST_CASE("a profile is a value") {
    DeviceProfile one(Target::Vulkan13);
    DeviceProfile two = one;
    two.set_max_local_bytes(1024);
    two.set_max_group_size(128);
    CHECK(one.max_local_bytes() == 65536);
    CHECK(two.max_local_bytes() == 1024);
    CHECK(two.max_group_size() == 128);
    CHECK(one.newest_target() == Target::Vulkan13);
    CHECK(DeviceProfile().newest_target() == Target::Vulkan12);
    CHECK(DeviceProfile().name() == "vulkan1.2");
}

TEST_CASE("a profile that was moved from is one") {
    DeviceProfile one(Target::Vulkan13);
    const DeviceProfile two = std::move(one);
    DeviceProfile three(Target::Vulkan11);
    three = std::move(one);
    CHECK(two.name() == "vulkan1.3");
    CHECK(three.name() == "vulkan1.3");
    CHECK(one.name() == "vulkan1.3");
    CHECK(compile("kernel void k() {}", "test.cl", {.profile = one}));
    one.set_max_local_bytes(1024);
    CHECK(one.max_local_bytes() == 1024);
    CHECK(std::is_nothrow_move_constructible_v<DeviceProfile>);
}

TEST_CASE("objects link") {
    const CompileOptions object{.makes_object = true};
    const CompileResult kernel =
        compile("int twice(int x);\nkernel void k(global int *p) { *p = twice(*p); }", "kernel.cl", object);
    const CompileResult function = compile("int twice(int x) { return 2 * x; }", "twice.cl", object);
    const LinkInput both[] = {{"kernel", kernel.words}, {"twice", function.words}};
    const auto linked = link(both);
    REQUIRE_MESSAGE(linked, why(linked));
    CHECK(translate(*linked));
    const auto alone = link(std::span(both, 1));
    REQUIRE_FALSE(alone);
    CHECK(contains(alone.error().message, "twice"));
}

TEST_CASE("a translation is valid, and says how it is called") {
    for (const Target target : {Target::Vulkan11, Target::Vulkan12, Target::Vulkan13}) {
        const Translation out = translated(kScale, {.target = target});
        const auto valid = validate(out.words, target);
        CHECK_MESSAGE(valid, why(valid));
        REQUIRE(out.interface.kernels.size() == 1);
        const KernelInterface& kernel = out.interface.kernels[0];
        CHECK(kernel.name == "scale");
        REQUIRE(kernel.arguments.size() == 3);
        CHECK(kernel.arguments[0].kind == ArgumentKind::GlobalPointer);
        CHECK(kernel.arguments[1].size_bytes == 4);
        CHECK(kernel.arguments[2].kind == ArgumentKind::LocalPointer);
    }
    const Translation bound = translated(kScale, {.abi = Abi::Descriptors});
    CHECK(bound.interface.abi == Abi::Descriptors);
    CHECK(storage_buffers(bound.interface, bound.interface.kernels[0]) == 1);
    const Translation stored =
        translated(kScale, {.abi = Abi::Descriptors, .value_arguments = ArgumentBlock::StorageBuffer});
    CHECK(storage_buffers(stored.interface, stored.interface.kernels[0]) == 2);
    CHECK(contains(to_cpp_header(stored.interface, stored.words, "s"),
                   "arguments_block = 1,  // the storage buffer that block() fills"));
    const CompileResult compiled = compile(kScale, "t.cl");
    CHECK_FALSE(
        translate(compiled.words, {.abi = Abi::Descriptors, .value_arguments = ArgumentBlock::Buffer}));
}

TEST_CASE("constants in the module") {
    constexpr const char* kTable =
        "constant int table[3] = {4, 5, 6}; kernel void k(global int *p) { *p = table[*p]; }";
    CHECK(translated(kTable, {.abi = Abi::Descriptors}).interface.data_segment.size() == 12);
    CHECK(translated(kTable, {.abi = Abi::Descriptors, .constants_in_module = true})
              .interface.data_segment.empty());
    CHECK(translated(kTable, {.constants_in_module = true}).interface.data_segment.size() == 12);
}

TEST_CASE("options of the compiler reach the translator") {
    constexpr const char* kMath = "kernel void k(global float *p) { *p = exp(*p); }";
    CHECK_FALSE(translated(kMath).interface.fast_math);
    CHECK(translated(kMath, {.options = "-cl-fast-relaxed-math"}).interface.fast_math);
    CHECK_FALSE(translate({}, {.options = "-no-such-option"}));
    CHECK_FALSE(translate(std::vector<uint32_t>{1, 2, 3}));  // no SPIR-V
}

TEST_CASE("what the device lacks is declined with a sentence") {
    DeviceProfile small;
    small.set_max_local_bytes(16);
    const CompileResult compiled = compile(
        "kernel void k(global int *p) { local int x[64]; x[get_local_id(0)] = *p; barrier(1); *p = x[0]; }",
        "t.cl");
    REQUIRE(compiled);
    const auto declined = translate(compiled.words, {.profile = small});
    REQUIRE_FALSE(declined);
    CHECK(contains(declined.error().message, "local memory"));
}

TEST_CASE("reflection as text") {
    const Translation out = translated(kScale);
    CHECK(contains(to_json(out.interface), "\"name\": \"scale\""));
    CHECK(contains(to_c_header(out.interface, out.words, "mine"), "mine_words"));
    CHECK(contains(to_cpp_header(out.interface, out.words, "mine"), "namespace mine_kernels"));
    const auto text = disassemble(out.words);
    REQUIRE(text);
    CHECK(contains(*text, "OpEntryPoint GLCompute"));
}

TEST_CASE("records of printf are text") {
    const Translation out =
        translated("kernel void k(int x) { printf(\"x is %d\\n\", x); }", {.options = "-cl-std=CL2.0"});
    REQUIRE(out.interface.printf_formats.size() == 1);
    const uint32_t buffer[] = {2, 0, 42, 0, 0, 0};
    const PrintedText printed = printed_text(out.interface, buffer, 0);
    CHECK(printed.text == "x is 42\n");
    CHECK_FALSE(printed.is_cut);
    const uint32_t full[] = {9, 0, 42};
    CHECK(printed_text(out.interface, full, 0).is_cut);
}
