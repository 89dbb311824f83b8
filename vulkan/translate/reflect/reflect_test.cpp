// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/reflect/reflect.h"

#include <doctest/doctest.h>

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

TEST_CASE("to_json: every field by name") {
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
    for (const char* part :
         {"\"prints\": true", "\"words_spec_id\": 4", "\"text\": \"%d \\\"a\\\"\\u000a1\""})
        CHECK_MESSAGE(json.find(part) != std::string::npos, part);
    for (const char* part : {"#define p_PRINTF_WORDS_SPEC_ID 4", "argument_bytes[3]", "p_printf_formats[2]",
                             "{\"%d \\\"a\\\"\\0121\", 2, {4, 8, 0}}", "{\"\\?\\?=\", 0, {0}}"})
        CHECK_MESSAGE(c.find(part) != std::string::npos, part);
    CHECK(to_json(sample()).find("words_spec_id") == std::string::npos);
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
