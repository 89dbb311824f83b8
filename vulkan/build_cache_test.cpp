// SPDX-License-Identifier: Apache-2.0
#include "vulkan/build_cache.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

using namespace caldera;
namespace fs = std::filesystem;

namespace {

struct Place {
    Place() {
        std::string name = (fs::temp_directory_path() / "build_cache_test_XXXXXX").string();
        REQUIRE(mkdtemp(name.data()));
        folder = name;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { fs::remove_all(folder); }
    size_t entries() const {
        size_t count = 0;
        for (const auto& file : fs::directory_iterator(folder))
            count += file.path().filename().string().size() == 32;
        return count;
    }
    fs::path folder = {};
};

struct Fixture {
    frontend::CompileResult compile(const std::string& source,
                                    const std::function<void(frontend::CompileOptions&)>& change = {}) {
        frontend::CompileOptions options;
        options.include_dirs = {"first", "second"};
        options.read_file = [&](const std::string& path) -> std::optional<std::string> {
            const auto it = files.find(path);
            return it == files.end() ? std::nullopt : std::optional(it->second);
        };
        if (change) change(options);
        const frontend::CompileResult expected = frontend::compile(source, "a.cl", options);
        frontend::CompileResult result = compile_or_load(&cache, source, "a.cl", options);
        CHECK(result.words == expected.words);
        CHECK(result.log == expected.log);
        CHECK(result.warnings == expected.warnings);
        CHECK(result.errors == expected.errors);
        CHECK(result.dependencies == expected.dependencies);
        return result;
    }
    Place place = {};
    runtime::DiskCache cache{place.folder};
    std::map<std::string, std::string> files = {};
};

constexpr const char* kSource = "kernel void k(global int *a) { int unused; a[0] = 1; }";

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a reader of headers that throws fails the build, also where the cache asks it") {
    files["first/a.h"] = "// nothing";
    const std::string source = "#include <a.h>\n" + std::string(kSource);
    compile(source);
    CHECK(place.entries() == 1);
    const auto throws = [](frontend::CompileOptions& options) {
        options.read_file = [](const std::string&) -> std::optional<std::string> {
            throw std::runtime_error("the archive is gone");
        };
    };
    CHECK(compile(source, throws).log.find("cannot read 'first/a.h': the archive is gone") !=
          std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "a source compiles once, and its warnings are shown again") {
    const auto warn = [](frontend::CompileOptions& options) { options.warnings.groups = {"all"}; };
    for (int i = 0; i < 2; ++i) {
        CHECK(compile(kSource, warn).log.find("unused variable") != std::string::npos);
        CHECK(place.entries() == 1);
    }
    compile(std::string(kSource) + " ", warn);
    CHECK(place.entries() == 2);
}

TEST_CASE_FIXTURE(Fixture, "options make programs different") {
    const std::function<void(frontend::CompileOptions&)> changes[] = {
        [](frontend::CompileOptions& options) { options.macros = {{.name = "A", .text = "1"}}; },
        [](frontend::CompileOptions& options) { options.macros = {{.name = "A", .text = "2"}}; },
        [](frontend::CompileOptions& options) { options.standard = frontend::Standard::CL20; },
        [](frontend::CompileOptions& options) { options.extensions.set(frontend::Ext::Fp64, false); },
        [](frontend::CompileOptions& options) { options.export_functions = true; },
        [](frontend::CompileOptions& options) { options.debug_info = true; },
    };
    size_t count = 0;
    for (const auto& change : changes) {
        compile(kSource, change);
        CHECK(place.entries() == ++count);
    }
}

TEST_CASE_FIXTURE(Fixture, "what does not compile is not kept") {
    CHECK(!compile("kernel void k() { x = 1; }"));
    CHECK(place.entries() == 0);
}

TEST_CASE_FIXTURE(Fixture, "a header that changes, comes or goes") {
    const char* source = "#include \"h.h\"\nkernel void k(global int *a) { a[0] = VALUE; }";
    files["second/h.h"] = "#define VALUE 1\n";
    const auto one = compile(source).words;
    CHECK(compile(source).words == one);
    files["second/h.h"] = "#define VALUE 2\n";
    const auto two = compile(source).words;
    CHECK(two != one);
    files["first/h.h"] = "#define VALUE 1\n";  // stands before the other, which did not change
    CHECK(compile(source).words == one);
    files.erase("first/h.h");
    CHECK(compile(source).words == two);
    files.erase("second/h.h");
    CHECK(!compile(source));
    const char* asks = "#if __has_include(\"g.h\")\nkernel void with() {}\n#endif\nkernel void k() {}";
    const auto without = compile(asks).words;
    files["second/g.h"] = "";
    CHECK(compile(asks).words != without);
}

TEST_CASE_FIXTURE(Fixture, "a module is translated once for a profile") {
    const auto words = compile(R"(
        constant int table[] = {1, 2, 3};
        global int variable = 5;
        global int *global pointer = &variable;
        __attribute__((reqd_work_group_size(8, 1, 1), vec_type_hint(float4)))
        kernel void k(global int *restrict a, local float *b, float4 c, read_only image2d_t d, sampler_t e) {
            b[get_local_id(0)] = c.x + read_imagef(d, e, (float2)(0, 0)).x;
            barrier(CLK_LOCAL_MEM_FENCE);
            a[get_global_id(0)] = table[a[0] & 3] + *pointer + b[1];
            printf("%d %s\n", a[1], "text");
        })",
                               [](frontend::CompileOptions& options) {
                                   options.standard = frontend::Standard::CL20;
                                   options.kernel_arg_info = true;
                               })
                           .words;
    REQUIRE(!words.empty());
    const size_t before = place.entries();
    vulkan::TranslateOptions options{.trusted_input = true};
    const auto first = translate_or_load(nullptr, words, options),
               second = translate_or_load(&cache, words, options);
    const auto third = translate_or_load(&cache, words, options);
    REQUIRE(first);
    REQUIRE(second);
    REQUIRE(third);
    CHECK(place.entries() == before + 1);
    for (const auto* loaded : {&*second, &*third}) {
        CHECK(loaded->words == first->words);
        const vulkan::ProgramInterface &a = loaded->interface, &b = first->interface;
        CHECK(a.data_segment == b.data_segment);
        CHECK(a.data_segment_alignment == b.data_segment_alignment);
        CHECK(a.printf_formats == b.printf_formats);
        CHECK(a.capabilities == b.capabilities);
        CHECK(a.relocations.size() == b.relocations.size());
        REQUIRE(a.kernels.size() == b.kernels.size());
        CHECK(a.kernels[0].required_local_size == b.kernels[0].required_local_size);
        CHECK(a.kernels[0].required_sub_groups == b.kernels[0].required_sub_groups);
        CHECK(a.kernels[0].attributes == b.kernels[0].attributes);
        CHECK(a.kernels[0].hidden.size() == b.kernels[0].hidden.size());
        REQUIRE(a.kernels[0].arguments.size() == b.kernels[0].arguments.size());
        for (size_t i = 0; i < 5; ++i) {
            CHECK(a.kernels[0].arguments[i].name == b.kernels[0].arguments[i].name);
            CHECK(a.kernels[0].arguments[i].base_type_name == b.kernels[0].arguments[i].base_type_name);
            CHECK(a.kernels[0].arguments[i].type_qualifiers == b.kernels[0].arguments[i].type_qualifiers);
            CHECK(a.kernels[0].arguments[i].offset_bytes == b.kernels[0].arguments[i].offset_bytes);
        }
    }
    options.profile.fused_fma = !options.profile.fused_fma;
    CHECK(translate_or_load(&cache, words, options));
    CHECK(place.entries() == before + 2);
}
