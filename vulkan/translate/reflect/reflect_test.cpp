// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/reflect/reflect.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "vulkan/translate/reflect/clspv_reflection.h"

namespace caldera::vulkan {
namespace {

ProgramInterface sample() {
    Kernel kernel{.name = "scale"};
    kernel.arguments = {
        {.kind = ArgumentKind::GlobalPointer,
         .name = "x",
         .type_name = "float*",
         .base_type_name = "float*",
         .size_bytes = 8},
        {.kind = ArgumentKind::Value,
         .name = "k",
         .type_name = "float3",
         .base_type_name = "float3",
         .offset_bytes = 16,
         .size_bytes = 16},
        {.kind = ArgumentKind::LocalPointer, .name = "tile", .spec_id = 3, .element_bytes = 4},
        {.kind = ArgumentKind::Value,
         .name = "c",
         .type_name = "char",
         .base_type_name = "char",
         .offset_bytes = 32,
         .size_bytes = 1}};
    kernel.hidden = {{HiddenKind::GlobalIdBase, 40}};
    kernel.block_bytes = 64;
    kernel.local_bytes = 49152;
    ProgramInterface interface;
    interface.kernels = {kernel};
    interface.data_segment = {1, 0xab};
    interface.data_segment_alignment = 4096;
    interface.relocations = {{0, 8}};
    interface.capabilities = {"Int64", "Shader"};
    return interface;
}

/// The names of the members in each struct and enum of reflection.h, in order.
std::map<std::string, std::vector<std::string>> members_of_header() {
    std::ifstream file(REFLECTION_H);
    REQUIRE(file);
    static const std::regex kOpening("(?:struct|enum class) (\\w+).* \\{"), kField("    [^(/]*?(\\w+) =.*"),
        kEnumerator("    (\\w+),.*");
    std::map<std::string, std::vector<std::string>> members;
    std::string line, open;
    bool is_enum = false;
    while (std::getline(file, line)) {
        std::smatch match;
        if (std::regex_match(line, match, kOpening)) {
            open = match[1];
            is_enum = line.starts_with("enum");
        } else if (line == "};") {
            open.clear();
        } else if (!open.empty() && std::regex_match(line, match, is_enum ? kEnumerator : kField)) {
            members[open].push_back(match[1]);
        }
    }
    return members;
}

/// The keys of each object in to_json()'s text, which has a line for each, under the names of the lists that
/// it is in ("kernels.arguments").
std::multimap<std::string, std::vector<std::string>> keys_of(const std::string& json) {
    struct Open {
        std::string path = {};
        std::vector<std::string> keys = {};
    };
    static const std::regex kKey(" *\"(\\w+)\": (.*)");
    std::multimap<std::string, std::vector<std::string>> objects;
    std::vector<Open> stack;
    std::istringstream lines(json);
    std::string line;
    while (std::getline(lines, line)) {
        std::smatch match;
        std::string path = stack.empty() ? "" : stack.back().path;
        if (std::regex_match(line, match, kKey)) {
            stack.back().keys.push_back(match[1]);
            path += (path.empty() ? "" : ".") + match[1].str();
            if (match[2] == "[") stack.push_back({path});
        } else if (line.ends_with('{')) {
            stack.push_back({path});
        } else if (const size_t at = line.find_first_not_of(' '); line[at] == '}' || line[at] == ']') {
            if (!stack.back().keys.empty()) objects.insert({stack.back().path, stack.back().keys});
            stack.pop_back();
        }
    }
    return objects;
}

/// A program that has everything that reflection.h can say.
ProgramInterface with_everything(Abi abi) {
    ProgramInterface program = sample();
    program.abi = abi;
    Kernel& kernel = program.kernels[0];
    kernel.arguments[0].is_read_only = true;
    kernel.arguments[0].not_null_spec_id = 7;
    kernel.arguments[1].base_type_name = "float4";
    kernel.arguments.push_back({.kind = ArgumentKind::Pipe,
                                .access = ArgumentAccess::ReadOnly,
                                .element_bytes = 6,
                                .binding = abi == Abi::Descriptors ? 1 : kNoBinding});
    kernel.arguments.push_back({.kind = ArgumentKind::StorageImage,
                                .access = ArgumentAccess::WriteOnly,
                                .binding = 2,
                                .image_shape = ImageShape::Image3D,
                                .texel_numbers = TexelNumbers::kFloatTexels,
                                .image_format = "rgba8",
                                .reads_levels = true,
                                .has_open_signs = true});
    kernel.hidden.push_back({HiddenKind::ChannelOrder, 60, 5});
    kernel.prints = kernel.enqueues = kernel.ignores_groups = kernel.has_linear_literals = true;
    kernel.samplings = {{.image = 5, .sampler = 6}, {.image = 5, .literal_bits = 16}};
    kernel.image_reads = 3;
    kernel.required_sub_groups = 2;
    kernel.private_bytes = 32;
    if (abi == Abi::Descriptors) {
        kernel.block = ArgumentBlock::UniformBuffer;
        kernel.block_binding = 3;
    }
    program.simple_ndrange = true;
    program.uniform_groups = true;
    program.max_group_size = 256;
    program.max_local_size = {256, 128, 64};
    program.work_dim_spec_id = 8;
    program.has_base_spec_id = 9;
    program.full_groups_spec_id = 10;
    program.printf_words_spec_id = 11;
    program.printf_formats = {{"%d", {4}}};
    program.check_sites = {{.file = "k.cl"}};
    program.argument_table_rows = 6;
    program.literal_samplers = {{.binding = 0, .bits = 16}};
    program.argument_set = 1;
    return program;
}

TEST_CASE("to_json: each field of reflection.h has its own name and place") {
    struct Object {
        std::string path, type;
        std::vector<std::string> others;  // keys that are no fields
    };
    const Object kObjects[] = {
        {"",
         "ProgramInterface",
         {"data_segment_descriptor_set", "data_segment_binding", "printf_descriptor_set", "printf_binding"}},
        {"kernels",
         "KernelInterface",
         {"block_descriptor_set", "storage_buffers", "device_queue_descriptor_set", "device_queue_binding",
          "private_descriptor_set", "private_binding"}},
        {"kernels.arguments", "KernelArgument", {"descriptor_set"}},
        {"kernels.hidden", "HiddenArgument", {}},
        {"kernels.samplings", "ImageSampling", {}},
        {"printf_formats", "PrintfFormat", {}},
        {"check_sites", "CheckSite", {}},
        {"literal_samplers", "LiteralSampler", {"descriptor_set"}},
        {"relocations", "Relocation", {}}};
    const auto members = members_of_header();
    std::multimap<std::string, std::vector<std::string>> written;
    for (const Abi abi : {Abi::Addresses, Abi::Descriptors})
        written.merge(keys_of(to_json(with_everything(abi))));
    for (const auto& [path, keys] : written)
        CHECK_MESSAGE(std::ranges::find(kObjects, path, &Object::path) != std::end(kObjects), path);
    for (const auto& [path, type, others] : kObjects) {
        CAPTURE(type);
        REQUIRE(members.contains(type));
        const std::vector<std::string>& fields = members.at(type);
        std::vector<std::string> missing = fields;
        for (auto [at, end] = written.equal_range(path); at != end; ++at) {
            size_t last = 0;
            for (const std::string& key : at->second) {
                if (std::ranges::find(others, key) != others.end()) continue;
                const auto field = static_cast<size_t>(std::ranges::find(fields, key) - fields.begin());
                CHECK_MESSAGE(field != fields.size(), key << " is no field");
                CHECK_MESSAGE(field >= last, key << " is not in order");
                last = field;
                std::erase(missing, key);
            }
        }
        for (const std::string& field : missing) FAIL_CHECK(field << " is not written");
    }
}

TEST_CASE("to_json: kinds of arguments are called as reflection.h calls them") {
    const auto members = members_of_header();
    ProgramInterface program;
    program.kernels.resize(1);
    for (size_t i = 0; i <= static_cast<size_t>(ArgumentKind::SamplerObject); ++i) {
        program.kernels[0].arguments = {{.kind = static_cast<ArgumentKind>(i)}};
        std::string word;
        for (const char c : members.at("ArgumentKind").at(i)) {
            if (c >= 'A' && c <= 'Z') word += word.empty() ? "" : "_";
            word += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
        }
        CHECK_MESSAGE(to_json(program).find("\"kind\": \"" + word + "\"") != std::string::npos, word);
    }
}

TEST_CASE("the size of a pipe's packets, in JSON and headers") {
    ProgramInterface program;
    program.kernels = {{.name = "k",
                        .arguments = {{.kind = ArgumentKind::Pipe,
                                       .name = "p",
                                       .type_name = "ushort3",
                                       .size_bytes = 8,
                                       .element_bytes = 6}},
                        .block_bytes = 8}};
    CHECK(to_json(program).find("\"element_bytes\": 6") != std::string::npos);
    CHECK(
        to_c_header(program, {}, "p").find("uint64_t p; /* ushort3, device address, packets of 6 bytes */") !=
        std::string::npos);
    program.abi = Abi::Descriptors;
    program.kernels[0].arguments[0].binding = 0;
    CHECK(to_json(program).find("\"element_bytes\": 6") != std::string::npos);
    CHECK(to_c_header(program, {}, "p").find("of descriptor set 0, packets of 6 bytes */") !=
          std::string::npos);
    CHECK(to_cpp_header(program, {}, "p").find("p = 0,  // a pipe, packets of 6 bytes") != std::string::npos);
    program.kernels[0].arguments[0].element_bytes = 0;  // not known
    CHECK(to_c_header(program, {}, "p").find("packets") == std::string::npos);
}

TEST_CASE("to_c_header: the constants of images and of get_work_dim()") {
    ProgramInterface program;
    program.kernels = {
        {.name = "k",
         .arguments = {{.kind = ArgumentKind::Image, .name = "i", .size_bytes = 8, .spec_id = 3}},
         .block_bytes = 8}};
    program.work_dim_spec_id = 4;
    const std::string text = to_c_header(program, {}, "p");
    CHECK(text.find("#define p_k_i_SPEC_ID 3\n") != std::string::npos);
    CHECK(text.find("#define p_WORK_DIM_SPEC_ID 4\n") != std::string::npos);
}

TEST_CASE("to_json: what stands in it") {
    const std::string text = to_json(sample());
    for (const char* part :
         {"\"name\": \"scale\"", "\"kind\": \"local_pointer\"", "\"spec_id\": 3",
          "\"kind\": \"global_id_base\"", "\"block\": \"push_constants\"", "\"data_segment\": \"01ab\"",
          "\"target_bytes\": 8", "\"fused_fma\": false", "\"fast_math\": false", "\"local_bytes\": 49152",
          "\"data_segment_alignment\": 4096"})
        CHECK_MESSAGE(text.find(part) != std::string::npos, part);
    CHECK(to_json({}).find("\"kernels\": []") != std::string::npos);
}

TEST_CASE("to_c_header: the module's words and a packed struct of the argument block") {
    const uint32_t words[] = {0x07230203, 1};
    const std::string text = to_c_header(sample(), words, "my-program");
    CHECK(text.find("my_program_words[2] = {\n    0x07230203, 0x00000001,\n};") != std::string::npos);
    CHECK(text.find(R"(typedef struct my_program_scale_arguments {
    uint64_t x; /* float*, device address */
    uint8_t pad_8[8];
    float k[4]; /* float3 */
    int8_t c; /* char */
    uint8_t pad_33[7];
    uint64_t hidden_global_id_base[3];
} my_program_scale_arguments; /* 64 bytes */)") != std::string::npos);
    CHECK(text.find("#define my_program_scale_tile_SPEC_ID 3") != std::string::npos);
    CHECK(text.find("#define my_program_DATA_ALIGNMENT 4096\n") != std::string::npos);
    CHECK(text.find("#define my_program_scale_LOCAL_BYTES 49152\n") != std::string::npos);
    CHECK(text.find("_LOCAL_BYTES_PER_WORK_ITEM") == std::string::npos);
    CHECK(text.find("static_assert(offsetof(my_program_scale_arguments, hidden_global_id_base) == 40") !=
          std::string::npos);
    CHECK(text.find("static_assert(sizeof(my_program_scale_arguments) == 64") != std::string::npos);
}

TEST_CASE("the fields of a kernel differ from each other, from padding and hidden ones, and from types") {
    ProgramInterface program = sample();
    std::vector<KernelArgument>& arguments = program.kernels[0].arguments;
    arguments[0].name = "pad_8";
    arguments[1].name = "new";
    arguments[2].name = "new_";
    arguments[3].name = "hidden_global_id_base";
    const std::string c = to_c_header(program, {}, "p"), cpp = to_cpp_header(program, {}, "p");
    for (const char* part :
         {"uint64_t pad_8_;", "uint8_t pad_8[8];", "float new_[4];", "#define p_scale_new___SPEC_ID 3",
          "int8_t hidden_global_id_base_;", "uint64_t hidden_global_id_base[3];"})
        CHECK_MESSAGE(c.find(part) != std::string::npos, part);
    for (const char* part : {"uint64_t pad_8_ = {};", "float new_[4] = {};", "uint32_t new__ = 1;",
                             "&with.hidden_global_id_base_,"})
        CHECK_MESSAGE(cpp.find(part) != std::string::npos, part);
    for (const auto& [given, made] : {std::pair{"uint32_t", "uint32_t_"},
                                      {"int_fast8_t", "int_fast8_t_"},
                                      {"UINT8_MAX", "UINT8_MAX_"},
                                      {"int128_t", "int128_t"},
                                      {"pad_9", "pad_9"},
                                      {"linux", "linux_"}}) {
        arguments[3].name = given;
        CHECK(to_c_header(program, {}, "p").find("int8_t " + std::string(made) + ";") != std::string::npos);
    }
}

TEST_CASE("macros of arguments differ: the first one keeps its name, '_' makes others longer") {
    ProgramInterface program;
    const KernelArgument local{.kind = ArgumentKind::LocalPointer, .name = "b_c", .spec_id = 3};
    program.kernels = {{.name = "a", .arguments = {local}},
                       {.name = "a_b", .arguments = {local, local}},
                       {.name = "HAS", .arguments = {local}}};
    program.kernels[1].arguments[0].name = "c";
    program.kernels[1].arguments[0].spec_id = 4;
    program.kernels[2].arguments[0].name = "BASE";
    program.kernels[2].arguments[0].spec_id = 5;
    program.has_base_spec_id = 9;
    program.kernels[0].block_binding = 1;
    program.kernels[0].arguments.push_back(
        {.kind = ArgumentKind::GlobalPointer, .name = "ARGUMENTS", .binding = 2});
    const std::string c = to_c_header(program, {}, "t");
    for (const char* part :
         {"#define t_a_b_c_SPEC_ID 3\n", "#define t_a_b_c__SPEC_ID 4\n", "#define t_a_b_b_c_SPEC_ID 3\n",
          "#define t_HAS_BASE_SPEC_ID 9\n", "#define t_HAS_BASE__SPEC_ID 5\n",
          "#define t_a_ARGUMENTS_BINDING 1\n", "#define t_a_ARGUMENTS__BINDING 2\n"})
        CHECK_MESSAGE(c.find(part) != std::string::npos, part);
}

TEST_CASE("names of kernels in modules may be any text") {
    ProgramInterface program;
    program.kernels = {{.name = "a\"*/b"}, {.name = "a___b"}};
    const std::string c = to_c_header(program, {}, "p"), cpp = to_cpp_header(program, {}, "p");
    CHECK(c.find("/* kernel a\"* /b: ") != std::string::npos);
    CHECK(c.find("#define p_a___b_ENTRY \"a\\\"*/b\"\n") != std::string::npos);
    CHECK(c.find("#define p_a___b__ENTRY \"a___b\"\n") != std::string::npos);
    CHECK(cpp.find("struct a___b__kernel {\n    static constexpr const char *entry = \"a___b\";") !=
          std::string::npos);
}

TEST_CASE("printf's formats, in JSON and in C") {
    ProgramInterface program = sample();
    program.printf_formats = {{"%d \"a\"\n1", {4, 8}}, {"?\?=", {}}};
    program.printf_words_spec_id = 4;
    program.kernels[0].prints = true;
    const std::string json = to_json(program), c = to_c_header(program, {}, "p");
    for (const char* part : {"\"prints\": true", "\"printf_words_spec_id\": 4", "\"printf_formats\": [",
                             "\"text\": \"%d \\\"a\\\"\\u000a1\""})
        CHECK_MESSAGE(json.find(part) != std::string::npos, part);
    for (const char* part : {"#define p_PRINTF_WORDS_SPEC_ID 4", "argument_bytes[3]", "p_printf_formats[2]",
                             "{\"%d \\\"a\\\"\\0121\", 2, {4, 8, 0}}", "{\"\\?\\?=\", 0, {0}}"})
        CHECK_MESSAGE(c.find(part) != std::string::npos, part);
    CHECK(to_json(sample()).find("printf_") == std::string::npos);
}

TEST_CASE("private memory in a buffer: how many bytes, and where") {
    ProgramInterface program = sample();
    CHECK(to_json(program).find("\"private_bytes\": 0") != std::string::npos);
    CHECK(to_c_header(program, {}, "p").find("PRIVATE_BYTES") == std::string::npos);
    program.kernels[0].private_bytes = 4096;
    program.kernels[0].hidden.push_back({HiddenKind::PrivateMemory, 64});
    program.kernels[0].block_bytes = 72;
    const std::string json = to_json(program);
    CHECK(json.find("\"private_bytes\": 4096") != std::string::npos);
    CHECK(json.find("\"kind\": \"private_memory\"") != std::string::npos);
    CHECK(json.find("private_binding") == std::string::npos);
    const std::string c = to_c_header(program, {}, "p");
    CHECK(c.find("#define p_scale_PRIVATE_BYTES 4096\n") != std::string::npos);
    CHECK(c.find("uint64_t hidden_private_memory;") != std::string::npos);
    CHECK(to_cpp_header(program, {}, "p").find("uint64_t private_bytes = 4096;") != std::string::npos);
    program.abi = Abi::Descriptors;
    for (const char* part : {"\"private_descriptor_set\": 1", "\"private_binding\": 4"})
        CHECK_MESSAGE(to_json(program).find(part) != std::string::npos, part);
    CHECK(to_c_header(program, {}, "p").find("descriptor set 1, binding 4") != std::string::npos);
    const auto reflected = with_clspv_reflection({}, program);
    REQUIRE(!reflected);
    CHECK(reflected.error().message.starts_with("kernel 'scale' needs a buffer for its private memory"));
}

TEST_CASE("the device queue's buffer: where kernels enqueue, and which descriptor it is") {
    ProgramInterface program = sample();
    program.kernels[0].enqueues = true;
    CHECK(to_json(program).find("device_queue_binding") == std::string::npos);
    CHECK(to_c_header(program, {}, "p").find("device queue's buffer") == std::string::npos);
    program.abi = Abi::Descriptors;
    for (const char* part : {"\"device_queue_descriptor_set\": 1", "\"device_queue_binding\": 2"})
        CHECK_MESSAGE(to_json(program).find(part) != std::string::npos, part);
    program.argument_set = 1;
    CHECK(to_json(program).find("\"device_queue_descriptor_set\": 2") != std::string::npos);
    CHECK(to_c_header(program, {}, "p").find("storage buffer, descriptor set 2, binding 2. */") !=
          std::string::npos);
    program.kernels[0].enqueues = false;
    CHECK(to_json(program).find("device_queue_binding") == std::string::npos);
}

TEST_CASE("to_cpp_header: a typed launch struct") {
    ProgramInterface program = sample();
    program.kernels[0].arguments[3].name = "class";  // a word of C++
    const std::string text = to_cpp_header(program, {}, "p");
    CHECK(text.find(R"(    struct launch {
        uint64_t x = {};  // float*, device address
        float k[4] = {};  // float3
        uint32_t tile = 1;  // elements of 4 bytes of local memory
        int8_t class_ = {};  // char
    };
    /// Specialisation constants, and their values.
    static constexpr std::array<uint32_t, 4> spec_ids = {0, 1, 2, 3};)") != std::string::npos);
    CHECK(text.find("uint64_t local_bytes = 49152, local_bytes_per_work_item = 0;") != std::string::npos);
    CHECK(text.find("std::memcpy(bytes + 16, &with.k, sizeof with.k);") != std::string::npos);
    program.kernels[0].arguments[0].binding = 5;
    program.kernels[0].block_binding = 6;
    const std::string descriptors = to_cpp_header(program, {}, "p");
    CHECK(descriptors.find("        x = 5,\n        arguments_block = 6,") != std::string::npos);
    CHECK(descriptors.find("uint64_t x") == std::string::npos);
}

TEST_CASE("with descriptors a pipeline needs storage buffers for pointers and the program's own buffers") {
    ProgramInterface program = sample();
    program.kernels[0].arguments[0].binding = 5;
    CHECK(storage_buffers(program, program.kernels[0]) == 2);
    program.kernels[0].prints = true;
    CHECK(storage_buffers(program, program.kernels[0]) == 3);
    program.kernels[0].private_bytes = 32;
    CHECK(storage_buffers(program, program.kernels[0]) == 4);
    program.kernels[0].enqueues = true;
    CHECK(storage_buffers(program, program.kernels[0]) == 5);
    program.kernels[0].enqueues = false;
    program.kernels[0].private_bytes = 0;
    program.data_segment.clear();
    CHECK(storage_buffers(program, program.kernels[0]) == 2);
    CHECK(to_json(program).find("storage_buffers") == std::string::npos);
    program.abi = Abi::Descriptors;
    CHECK(to_json(program).find("\"storage_buffers\": 2") != std::string::npos);
    CHECK(to_c_header(program, {}, "p").find("#define p_scale_STORAGE_BUFFERS 2\n") != std::string::npos);
    CHECK(to_cpp_header(program, {}, "p").find("uint32_t storage_buffers = 2;") != std::string::npos);
}

}  // namespace
}  // namespace caldera::vulkan
