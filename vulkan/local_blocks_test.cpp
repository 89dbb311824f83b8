// SPDX-License-Identifier: Apache-2.0
// Kernels that call one another share a block of local memory, and none pays for the arrays of the others.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "builtins/builtin_library.h"
#include "frontend/compile.h"
#include "frontend/options.h"
#include "spirv/spirv.h"
#include "tests/support/why.h"
#include "vulkan/translate/translate.h"

using namespace caldera;

namespace {

Result<vulkan::Translation> translated(const std::string& source) {
    frontend::CompileOptions options;
    REQUIRE(frontend::parse_build_options("-cl-std=CL3.0", options));
    const frontend::CompileResult compiled = frontend::compile(source, "a.cl", options);
    REQUIRE_MESSAGE(compiled, compiled.log);
    vulkan::TranslateOptions translate{.target = spirv::Target::Vulkan13, .verify_between_passes = true};
    translate.profile.workgroup_explicit_layout = true;
    translate.profile.max_local_bytes = 49152;
    return vulkan::translate(compiled.words, translate, builtin_library());
}

constexpr const char* kShared = R"(
kernel void shared(global uint *out) {
    local uint words[32];
    const uint id = get_local_id(0);
    words[id] = id;
    ((local uchar *)words)[id] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = words[id ^ 1];
}
)";

/// A kernel with so many words of its own, which calls the one above.
std::string calling(const std::string& name, int words) {
    return "kernel void " + name + "(global uint *out) {\n    local uint own[" + std::to_string(words) +
           "];\n    own[get_local_id(0)] = out[0];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
           "    out[1] = own[out[2]];\n    if (out[3] == 5) shared(out);\n}\n";
}

}  // namespace

TEST_CASE("kernels that share a block of local memory do not pay for one another's arrays") {
    const Result<vulkan::Translation> made =
        translated(kShared + calling("large", 10000) + calling("middle", 2000) + calling("small", 1000));
    REQUIRE_MESSAGE(made, why(made));
    CHECK(std::ranges::count(made->interface.capabilities, "WorkgroupMemoryExplicitLayoutKHR") == 1);
    REQUIRE(made->interface.kernels.size() == 4);
    for (const vulkan::Kernel& kernel : made->interface.kernels) {
        INFO(kernel.name);
        CHECK(kernel.local_bytes >= 40128);
        CHECK(kernel.local_bytes < 40256);  // with what alignment takes
    }
    const Result<vulkan::Translation> none = translated(kShared + calling("too_large", 13000));
    REQUIRE_FALSE(none);
    CHECK(none.error().message.find("local memory") != std::string::npos);
}
