// SPDX-License-Identifier: Apache-2.0
// cl_khr_spirv_queries: a module with each capability, extension and instruction set that the device names
// builds and runs.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "tests/driver/queries.h"
#include "vulkan/icd/newer_names.h"

namespace caldera::driver_test {
namespace {

// Numbers of SPIR-V's instructions and enumerants, which the OpenCL headers do not have.
constexpr cl_uint kOpExtension = 10, kOpExtInstImport = 11, kOpMemoryModel = 14, kOpEntryPoint = 15,
                  kOpCapability = 17, kOpTypeVoid = 19, kOpTypeInt = 21, kOpTypePointer = 32,
                  kOpTypeFunction = 33, kOpConstant = 43, kOpFunction = 54, kOpFunctionParameter = 55,
                  kOpFunctionEnd = 56, kOpLoad = 61, kOpStore = 62, kOpDecorate = 71, kOpIAdd = 128,
                  kOpLabel = 248, kOpReturn = 253, kOpFunctionCall = 57, kOpReturnValue = 254;
constexpr cl_uint kAddresses = 4, kLinkage = 5, kKernel = 6, kUniformDecoration = 71;

/// A module in words, without the header.
struct Words {
    std::vector<cl_uint> words = {};

    void add(cl_uint op, std::vector<cl_uint> operands) {
        words.push_back(static_cast<cl_uint>(operands.size() + 1) << 16 | op);
        words.insert(words.end(), operands.begin(), operands.end());
    }
    static std::vector<cl_uint> text(const std::string& text, std::vector<cl_uint> before = {},
                                     std::vector<cl_uint> after = {}) {
        std::vector<cl_uint> letters(text.size() / 4 + 1);
        std::memcpy(letters.data(), text.data(), text.size());
        before.insert(before.end(), letters.begin(), letters.end());
        before.insert(before.end(), after.begin(), after.end());
        return before;
    }
};

struct Parts {
    std::vector<cl_uint> capabilities = {};
    std::vector<std::string> extensions = {}, instruction_sets = {};
};

/// The kernel `test` adds 1 to what its argument points to, by a function that other modules may also have.
std::vector<cl_uint> module_with(const Parts& parts, cl_uint minor_version) {
    enum : cl_uint {
        Void = 1,
        UInt,
        Pointer,
        KernelType,
        One,
        AddType,
        Add,
        Value,
        Sum,
        Kernel,
        Argument,
        Old,
        New,
        Label1,
        Label2,
        Sets
    };
    Words out;
    for (const cl_uint capability : parts.capabilities) out.add(kOpCapability, {capability});
    for (const std::string& name : parts.extensions) out.add(kOpExtension, Words::text(name));
    for (size_t i = 0; i < parts.instruction_sets.size(); ++i)
        out.add(kOpExtInstImport, Words::text(parts.instruction_sets[i], {Sets + static_cast<cl_uint>(i)}));
    out.add(kOpMemoryModel, {2, 2});  // Physical64, OpenCL
    out.add(kOpEntryPoint, Words::text("test", {6, Kernel}));
    const bool is_odr = std::ranges::find(parts.extensions, "SPV_KHR_linkonce_odr") != parts.extensions.end();
    out.add(kOpDecorate, Words::text("add", {Add, 41}, {is_odr ? 2u : 0u}));  // LinkageAttributes
    if (std::ranges::find(parts.capabilities, kUniformDecoration) != parts.capabilities.end())
        out.add(kOpDecorate, {Sum, 26});  // Uniform
    out.add(kOpTypeVoid, {Void});
    out.add(kOpTypeInt, {UInt, 32, 0});
    out.add(kOpConstant, {UInt, One, 1});
    out.add(kOpTypePointer, {Pointer, 5, UInt});  // CrossWorkgroup
    out.add(kOpTypeFunction, {KernelType, Void, Pointer});
    out.add(kOpTypeFunction, {AddType, UInt, UInt});
    out.add(kOpFunction, {UInt, Add, 0, AddType});
    out.add(kOpFunctionParameter, {UInt, Value});
    out.add(kOpLabel, {Label1});
    out.add(kOpIAdd, {UInt, Sum, Value, One});
    out.add(kOpReturnValue, {Sum});
    out.add(kOpFunctionEnd, {});
    out.add(kOpFunction, {Void, Kernel, 0, KernelType});
    out.add(kOpFunctionParameter, {Pointer, Argument});
    out.add(kOpLabel, {Label2});
    out.add(kOpLoad, {UInt, Old, Argument, 2, 4});  // aligned
    out.add(kOpFunctionCall, {UInt, New, Add, Old});
    out.add(kOpStore, {Argument, New, 2, 4});
    out.add(kOpReturn, {});
    out.add(kOpFunctionEnd, {});
    std::vector<cl_uint> words = {0x7230203, 0x10000 | minor_version << 8, 0,
                                  Sets + static_cast<cl_uint>(parts.instruction_sets.size()), 0};
    words.insert(words.end(), out.words.begin(), out.words.end());
    return words;
}

void adds_one(Fixture& f, const std::vector<cl_uint>& words) {
    cl_int code = 1;
    cl_program program = clCreateProgramWithIL(f.context, words.data(), words.size() * 4, &code);
    REQUIRE(code == CL_SUCCESS);
    f.programs.push_back(program);
    const cl_int built = clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr);
    const std::string log = text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_LOG);
    CHECK_MESSAGE(built == CL_SUCCESS, log);
    if (built != CL_SUCCESS) return;
    cl_kernel kernel = f.make_kernel(program, "test");
    cl_int start = 41;
    cl_mem out = f.make_buffer(sizeof start, &start);
    REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == 42);
}

std::vector<std::string> texts(const Fixture& f, cl_device_info query) {
    const std::vector<const char*> list = list_answer<const char*>(f, query);
    return {list.begin(), list.end()};
}

}  // namespace

TEST_CASE(
    "cl_khr_spirv_queries: each capability, extension and instruction set that the device names builds") {
    Fixture f;
    const std::vector<cl_uint> capabilities = list_answer<cl_uint>(f, CL_DEVICE_SPIRV_CAPABILITIES_KHR);
    const std::vector<std::string> extensions = texts(f, CL_DEVICE_SPIRV_EXTENSIONS_KHR),
                                   sets = texts(f, CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR);
    for (const cl_uint each : {kAddresses, kLinkage, kKernel})
        CHECK(std::ranges::count(capabilities, each) == 1);
    CHECK(std::ranges::count(sets, "OpenCL.std") == 1);
    for (const cl_uint each : capabilities) {
        CAPTURE(each);
        CHECK(std::ranges::count(capabilities, each) == 1);
        adds_one(
            f, module_with({.capabilities = {kAddresses, kLinkage, kKernel, each}, .extensions = extensions},
                           6));
    }
    for (const std::string& each : extensions) {
        CAPTURE(each);
        adds_one(f, module_with({.capabilities = {kAddresses, kLinkage, kKernel}, .extensions = {each}}, 0));
    }
    for (const std::string& each : sets) {
        CAPTURE(each);
        Parts parts = {.capabilities = {kAddresses, kLinkage, kKernel}, .instruction_sets = {each}};
        if (each.starts_with("NonSemantic.")) parts.extensions = {"SPV_KHR_non_semantic_info"};
        adds_one(f, module_with(parts, 0));
    }
    // each version of CL_DEVICE_ILS_WITH_VERSION, with everything at once
    for (const cl_name_version& il : list_answer<cl_name_version>(f, CL_DEVICE_ILS_WITH_VERSION)) {
        CAPTURE(il.version);
        adds_one(f, module_with({.capabilities = {kAddresses, kLinkage, kKernel}, .extensions = extensions},
                                CL_VERSION_MINOR(il.version)));
    }
}

TEST_CASE("SPV_KHR_untyped_pointers: a program with pointers without a type runs, which the device lists") {
    Fixture f;
    CHECK(std::ranges::count(texts(f, CL_DEVICE_SPIRV_EXTENSIONS_KHR), "SPV_KHR_untyped_pointers") == 1);
    constexpr cl_uint kUntypedPointers = 4473, kOpTypeUntypedPointer = 4417, kOpUntypedPtrAccessChain = 4423;
    CHECK(std::ranges::count(list_answer<cl_uint>(f, CL_DEVICE_SPIRV_CAPABILITIES_KHR), kUntypedPointers) ==
          1);
    enum : cl_uint {
        Void = 1,
        UInt,
        Pointer,
        KernelType,
        One,
        Kernel,
        Argument,
        Label,
        Second,
        Old,
        New,
        Bound
    };
    Words out;
    for (const cl_uint capability : {kAddresses, kKernel, kUntypedPointers})
        out.add(kOpCapability, {capability});
    out.add(kOpExtension, Words::text("SPV_KHR_untyped_pointers"));
    out.add(kOpMemoryModel, {2, 2});  // Physical64, OpenCL
    out.add(kOpEntryPoint, Words::text("test", {6, Kernel}));
    out.add(kOpTypeVoid, {Void});
    out.add(kOpTypeInt, {UInt, 32, 0});
    out.add(kOpConstant, {UInt, One, 1});
    out.add(kOpTypeUntypedPointer, {Pointer, 5});  // CrossWorkgroup
    out.add(kOpTypeFunction, {KernelType, Void, Pointer});
    out.add(kOpFunction, {Void, Kernel, 0, KernelType});
    out.add(kOpFunctionParameter, {Pointer, Argument});
    out.add(kOpLabel, {Label});
    out.add(kOpUntypedPtrAccessChain, {Pointer, Second, UInt, Argument, One});
    out.add(kOpLoad, {UInt, Old, Second, 2, 4});  // aligned
    out.add(kOpIAdd, {UInt, New, Old, One});
    out.add(kOpStore, {Argument, New, 2, 4});
    out.add(kOpReturn, {});
    out.add(kOpFunctionEnd, {});
    std::vector<cl_uint> words = {0x7230203, 0x10000, 0, Bound, 0};
    words.insert(words.end(), out.words.begin(), out.words.end());
    cl_int code = 1;
    cl_program program = clCreateProgramWithIL(f.context, words.data(), words.size() * 4, &code);
    REQUIRE(code == CL_SUCCESS);
    f.programs.push_back(program);
    code = clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr);
    const std::string log = text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_LOG);
    REQUIRE_MESSAGE(code == CL_SUCCESS, log);
    cl_kernel kernel = f.make_kernel(program, "test");
    cl_int start[] = {0, 41};
    cl_mem buffer = f.make_buffer(sizeof start, start);
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, 2)[0] == 42);
}

TEST_CASE("cl_khr_spirv_queries: the lists follow the device's extensions") {
    Fixture f;
    const std::vector<cl_uint> capabilities = list_answer<cl_uint>(f, CL_DEVICE_SPIRV_CAPABILITIES_KHR);
    const auto has = [&](cl_uint capability) { return std::ranges::count(capabilities, capability) == 1; };
    CHECK(has(9) == has_extension(f, "cl_khr_fp16"));
    CHECK(has(10) == has_extension(f, "cl_khr_fp64"));
    CHECK(has(12) == has_extension(f, "cl_khr_int64_base_atomics"));
    CHECK(has(65) == has_extension(f, "cl_khr_subgroup_shuffle"));
    CHECK(has(5055) == has_extension(f, "cl_khr_kernel_clock"));
    CHECK(has(19) ==
          (info<cl_bitfield>(clGetDeviceInfo, f.the_device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0));
    CHECK(!has(59));                 // NamedBarrier
    CHECK(has(kUniformDecoration));  // SPIR-V 1.6 wants it
}

TEST_CASE("cl_khr_spirv_linkonce_odr: modules that have the same function are one program") {
    Fixture f;
    const auto words = module_with(
        {.capabilities = {kAddresses, kLinkage, kKernel}, .extensions = {"SPV_KHR_linkonce_odr"}}, 0);
    std::vector<cl_uint> other = words;  // with another kernel: "tess"
    for (cl_uint& word : other)
        if (word == 0x74736574) word = 0x73736574;
    std::array<cl_program, 2> objects = {};
    for (size_t i = 0; i < objects.size(); ++i) {
        const std::vector<cl_uint>& each = i == 0 ? words : other;
        cl_int code = 1;
        objects[i] = clCreateProgramWithIL(f.context, each.data(), each.size() * 4, &code);
        REQUIRE(code == CL_SUCCESS);
        f.programs.push_back(objects[i]);
        REQUIRE(clCompileProgram(objects[i], 1, &f.the_device, "", 0, nullptr, nullptr, nullptr, nullptr) ==
                CL_SUCCESS);
    }
    cl_int code = 1;
    for (const char* const options : {"", "-create-library"}) {
        cl_program linked =
            clLinkProgram(f.context, 1, &f.the_device, options, 2, objects.data(), nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        f.programs.push_back(linked);
    }
    // The library's function and an object's are alike too.
    const cl_program again[] = {f.programs.back(), f.source("kernel void more(global int *p) { *p += 2; }")};
    REQUIRE(clCompileProgram(again[1], 1, &f.the_device, "", 0, nullptr, nullptr, nullptr, nullptr) ==
            CL_SUCCESS);
    cl_program whole = clLinkProgram(f.context, 1, &f.the_device, "", 2, again, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    f.programs.push_back(whole);
    for (cl_program program : {f.programs[2], whole})
        for (const char* const name : {"test", "tess"}) {
            cl_kernel kernel = f.make_kernel(program, name);
            cl_int start = 41;
            cl_mem out = f.make_buffer(sizeof start, &start);
            REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
            REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
            CHECK(f.read<cl_int>(out, 1)[0] == 42);
        }
}

}  // namespace caldera::driver_test
