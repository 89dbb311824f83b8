// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "builtins/builtin_library.h"
#include "spirv/spirv.h"

using namespace caldera;

namespace {

/// The text of the module with the function; "" if there is none.
std::string defined(const char* name, std::vector<std::optional<uint64_t>> constants = {}) {
    const std::vector<vulkan::BuiltinRequest> requests = {{.name = name, .constants = std::move(constants)}};
    const vulkan::BuiltinDefinitions made = builtin_library().define(requests);
    REQUIRE(made.names.size() == 1);
    if (made.names[0].empty()) return {};
    const auto text = spirv::disassemble(made.words);
    REQUIRE(text);
    return *text;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what our front end makes an instruction of is defined by name") {
    CHECK(has(defined("_Z10atomic_incPU3AS1Vi"), "OpAtomicIIncrement"));
    CHECK(has(defined("_Z12convert_halff"), "OpFConvert %half"));
    CHECK(has(defined("_Z11read_imageh14ocl_image2d_ro11ocl_samplerDv2_f"),
              "OpImageSampleExplicitLod %v4half"));
    CHECK(has(defined("_Z25sub_group_non_uniform_anyi"), "OpGroupNonUniformAny"));
}

TEST_CASE("constants are those of the instructions") {
    CHECK(has(defined("_Z9mem_fencej", {1}),
              "OpMemoryBarrier %uint_2 %uint_264"));  // work-group, AcquireRelease
    const char* load = "_Z20atomic_load_explicitPU3AS4VU7_Atomici12memory_order12memory_scope";
    const std::string relaxed = defined(load, {std::nullopt, 0, 1});
    CHECK(has(relaxed, "OpAtomicLoad %uint"));
    CHECK(has(relaxed, "%uint_2 %uint_0"));
    CHECK(defined(load, {std::nullopt, 5, 2}) != relaxed);
}

TEST_CASE("what is no such function is not defined") {
    CHECK(defined("_Z3barf") == "");
    CHECK(defined("_Z3fmaf") == "");
    CHECK(defined("_Z10atomic_incPU3AS1Vf") == "");
    CHECK(defined("printf") == "");
    CHECK(defined("_Z13get_pipe_infoj8ocl_pipe") == "");
    CHECK(defined("_Z32async_work_group_copy_2D2DPU3AS3v") == "");
    // Others are defined beside them.
    const std::vector<vulkan::BuiltinRequest> requests = {{.name = "_Z3barf"}, {.name = "_Z3absi"}};
    const vulkan::BuiltinDefinitions made = builtin_library().define(requests);
    CHECK(made.names[0].empty());
    CHECK(!made.names[1].empty());
    CHECK(spirv::validate(made.words, spirv::Target::OpenCL22));
}
