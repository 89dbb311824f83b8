// SPDX-License-Identifier: Apache-2.0
// Programs and kernels (OpenCL API 5.8 to 5.10).
#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

cl_program from_source(const Fixture& f, const char* source) {
    cl_int code = 1;
    cl_program program = clCreateProgramWithSource(f.context, 1, &source, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    return program;
}

std::string log_of(cl_program program) {
    return text(clGetProgramBuildInfo, program, device(), CL_PROGRAM_BUILD_LOG);
}

std::vector<unsigned char> binary_of(cl_program program) {
    const auto size = info<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
    std::vector<unsigned char> binary(size);
    unsigned char* pointer = binary.data();
    REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr) == CL_SUCCESS);
    return binary;
}

}  // namespace

TEST_CASE("5.8.6 a program without faults has an empty log, and a warning is one that its text deserves") {
    Fixture f;
    CHECK(text(clGetProgramBuildInfo, f.build("kernel void k(global int *p) { *p = __OPENCL_VERSION__; }"),
               f.the_device, CL_PROGRAM_BUILD_LOG) == "");
    const std::string log =
        text(clGetProgramBuildInfo, f.build("kernel void k(void) { int unused; }", "-Wall"), f.the_device,
             CL_PROGRAM_BUILD_LOG);
    CHECK(log.starts_with("program.cl:1:27: warning: unused variable 'unused'"));
}

TEST_CASE("programs that want cl_khr_subgroups have its functions where the device has sub-groups") {
    Fixture f;
    for (const char* options : {"-cl-std=CL2.0 -Werror", "-cl-std=CL3.0 -Werror"}) {
        cl_kernel kernel = f.make_kernel(
            "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
            "kernel void k(global int *a) {\n#ifdef cl_khr_subgroups\n    a[2] = 1;\n#endif\n"
            "    ndrange_t range = ndrange_1D(64, 64);\n"
            "    a[0] = get_kernel_sub_group_count_for_ndrange(range, ^{});\n"
            "    a[1] = sub_group_any(1);\n}",
            "k", options);
        cl_int zeros[3] = {};
        cl_mem buffer = f.make_buffer(sizeof zeros, zeros);
        REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, 1) == CL_SUCCESS);
        const std::vector<cl_int> found = f.read<cl_int>(buffer, 3);
        CHECK(found[0] > 0);
        CHECK(found[1] == 1);
        const std::string names = " " + text(clGetDeviceInfo, f.the_device, CL_DEVICE_EXTENSIONS) + " ";
        CHECK((found[2] == 1) == (names.find(" cl_khr_subgroups ") != std::string::npos));
    }
}

TEST_CASE("5.8.1 a program of several strings, with lengths and without") {
    Fixture f;
    const char* strings[] = {"kernel void k(global int *a) {xxx", " *a = ", "VALUE; }"};
    const size_t lengths[] = {30, 0, 8};
    cl_int code = 1;
    cl_program program = clCreateProgramWithSource(f.context, 3, strings, lengths, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(text(clGetProgramInfo, program, CL_PROGRAM_SOURCE) ==
          "kernel void k(global int *a) { *a = VALUE; }");
    CHECK(clBuildProgram(program, 0, nullptr, "-DVALUE=42", nullptr, nullptr) == CL_SUCCESS);
    CHECK(info<cl_build_status>(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_STATUS) ==
          CL_BUILD_SUCCESS);
    CHECK(text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_OPTIONS) == "-DVALUE=42");
    CHECK(text(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES) == "k");
    CHECK(info<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS) == 1);
    cl_kernel kernel = f.make_kernel(program, "k");
    cl_mem buffer = f.make_buffer(4);
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, 1)[0] == 42);
    CHECK(clCreateProgramWithSource(f.context, 0, strings, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    const char* null = nullptr;
    CHECK(clCreateProgramWithSource(f.context, 1, &null, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
}

TEST_CASE("5.8.2 a program that does not build says where and why") {
    Fixture f;
    cl_program program = from_source(f, "kernel void k(global int *a) {\n  *a = nothing;\n}\n");
    CHECK(clBuildProgram(program, 1, &f.the_device, nullptr, nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(log_of(program).find(":2:8: error: use of undeclared identifier 'nothing'") != std::string::npos);
    CHECK(info<cl_build_status>(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_STATUS) ==
          CL_BUILD_ERROR);
    cl_int code = 1;
    CHECK(clCreateKernel(program, "k", &code) == nullptr);
    CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK(clBuildProgram(program, 1, &f.the_device, "-no-such-option", nullptr, nullptr) ==
          CL_INVALID_BUILD_OPTIONS);
    CHECK(clBuildProgram(program, 1, nullptr, nullptr, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, &code) == CL_INVALID_VALUE);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
}

TEST_CASE("5.8.2 a build calls back, and is refused while kernels are attached") {
    Fixture f;
    cl_program program = from_source(f, "kernel void k() {}");
    cl_program called_with = nullptr;
    CHECK(clBuildProgram(
              program, 0, nullptr, "",
              [](cl_program built, void* to) { *static_cast<cl_program*>(to) = built; },
              &called_with) == CL_SUCCESS);
    CHECK(called_with == program);
    cl_int code = 1;
    cl_kernel kernel = clCreateKernel(program, "k", &code);
    CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_OPERATION);
    CHECK(clReleaseKernel(kernel) == CL_SUCCESS);
    CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
}

TEST_CASE("5.8.4 compiling with headers, linking, libraries") {
    Fixture f;
    cl_program header = from_source(f, "int twice(int x);\n");
    cl_program library_source =
        from_source(f, "#include \"deep/twice.h\"\nint twice(int x) { return 2 * x; }");
    cl_program user =
        from_source(f, "#include <deep/twice.h>\nkernel void k(global int *a) { *a = twice(*a); }");
    const char* name = "deep/twice.h";
    for (cl_program program : {library_source, user}) {
        CHECK(clCompileProgram(program, 0, nullptr, "", 1, &header, &name, nullptr, nullptr) == CL_SUCCESS);
        CHECK(info<cl_program_binary_type>(clGetProgramBuildInfo, program, f.the_device,
                                           CL_PROGRAM_BINARY_TYPE) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    }
    cl_int code = 1;
    cl_program library =
        clLinkProgram(f.context, 0, nullptr, "-create-library", 1, &library_source, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_program_binary_type>(clGetProgramBuildInfo, library, f.the_device,
                                       CL_PROGRAM_BINARY_TYPE) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    const cl_program parts[] = {user, library};
    cl_program whole = clLinkProgram(f.context, 0, nullptr, nullptr, 2, parts, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    cl_kernel kernel = f.make_kernel(whole, "k");
    cl_int value = 21;
    cl_mem buffer = f.make_buffer(4, &value);
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, 1)[0] == 42);
    cl_program unlinked = clLinkProgram(f.context, 0, nullptr, nullptr, 1, &user, nullptr, nullptr, &code);
    CHECK(code == CL_LINK_PROGRAM_FAILURE);
    REQUIRE(unlinked);
    CHECK(log_of(unlinked).find("twice") != std::string::npos);
    cl_program uncompiled = from_source(f, "kernel void k() {}");
    CHECK(clLinkProgram(f.context, 0, nullptr, nullptr, 1, &uncompiled, nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    CHECK(clLinkProgram(f.context, 0, nullptr, "-bad", 1, &user, nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_LINKER_OPTIONS);
    CHECK(clCompileProgram(user, 0, nullptr, "-bad", 0, nullptr, nullptr, nullptr, nullptr) ==
          CL_INVALID_COMPILER_OPTIONS);
    for (cl_program program : {header, library_source, user, library, whole, unlinked, uncompiled})
        CHECK(clReleaseProgram(program) == CL_SUCCESS);
}

TEST_CASE("5.8.4 a kernel calls another program's, which stays a kernel") {
    Fixture f;
    const char* declaration =
        "extern kernel void one(global float *from, local float *own, global float *to);";
    cl_program parts[] = {
        from_source(f,
                    "kernel void one(global float *from, local float *own, global float *to) {\n"
                    "    size_t i = get_global_id(0); *own = from[i]; to[i] = *own + 1; }"),
        from_source(f, (std::string(declaration) +
                        "kernel void two(global float *from, local float *own, global float *to) {\n"
                        "    one(from, own, to); to[get_global_id(0)] *= 2; }")
                           .c_str())};
    for (cl_program part : parts)
        REQUIRE(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    cl_int code = 1;
    cl_program linked = clLinkProgram(f.context, 0, nullptr, nullptr, 2, parts, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<size_t>(clGetProgramInfo, linked, CL_PROGRAM_NUM_KERNELS) == 2);
    cl_float value = 20;
    cl_mem from = f.make_buffer(4, &value), to = f.make_buffer(4);
    for (const auto& [name, expected] : {std::pair{"one", 21.0f}, {"two", 42.0f}}) {
        cl_kernel kernel = f.make_kernel(linked, name);
        CHECK(set(kernel, 0, from) == CL_SUCCESS);
        CHECK(clSetKernelArg(kernel, 1, 4, nullptr) == CL_SUCCESS);
        CHECK(set(kernel, 2, to) == CL_SUCCESS);
        CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
        CHECK(f.read<cl_float>(to, 1)[0] == expected);
    }
    for (cl_program program : {parts[0], parts[1], linked}) CHECK(clReleaseProgram(program) == CL_SUCCESS);
}

TEST_CASE("5.10 a required work-group size is taken without a local size, and need not divide") {
    Fixture f;
    constexpr const char* kSource = R"(
        kernel __attribute__((reqd_work_group_size(2, 3, 4))) void k(global uint *sizes, global uint *count) {
            atomic_inc(count);
            if (get_global_id(0) + get_global_id(1) + get_global_id(2) == 0)
                for (uint d = 0; d < 3; ++d) sizes[d] = get_local_size(d);
            if (get_global_id(0) + 1 == get_global_size(0) && get_global_id(1) + 1 == get_global_size(1) &&
                get_global_id(2) + 1 == get_global_size(2))
                for (uint d = 0; d < 3; ++d) sizes[3 + d] = get_local_size(d);
        })";
    const std::array<size_t, 3> dividing = {4, 6, 8}, other = {5, 7, 9}, local = {2, 3, 4}, wrong = {2, 3, 2};
    std::vector<cl_uint> zeros(6);
    cl_mem sizes = f.make_buffer(24, zeros.data()), count = f.make_buffer(4, zeros.data());
    for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL1.2"}) {
        cl_kernel kernel = f.make_kernel(kSource, "k", options);
        CHECK(set(kernel, 0, sizes) == CL_SUCCESS);
        CHECK(set(kernel, 1, count) == CL_SUCCESS);
        const auto launch = [&](const std::array<size_t, 3>& global, const size_t* wanted) {
            CHECK(clEnqueueWriteBuffer(f.queue, count, CL_TRUE, 0, 4, zeros.data(), 0, nullptr, nullptr) ==
                  CL_SUCCESS);
            return clEnqueueNDRangeKernel(f.queue, kernel, 3, nullptr, global.data(), wanted, 0, nullptr,
                                          nullptr);
        };
        CHECK(launch(dividing, nullptr) == CL_SUCCESS);
        CHECK(f.read<cl_uint>(sizes, 6) == std::vector<cl_uint>{2, 3, 4, 2, 3, 4});
        CHECK(f.read<cl_uint>(count, 1)[0] == 4 * 6 * 8);
        CHECK(launch(dividing, wrong.data()) == CL_INVALID_WORK_GROUP_SIZE);
        const bool is_uniform = options == std::string("-cl-std=CL1.2");
        for (const size_t* wanted : {static_cast<const size_t*>(nullptr), local.data()}) {
            CHECK(launch(other, wanted) == (is_uniform ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS));
            if (is_uniform) continue;
            CHECK(f.read<cl_uint>(sizes, 6) == std::vector<cl_uint>{2, 3, 4, 1, 1, 1});
            CHECK(f.read<cl_uint>(count, 1)[0] == 5 * 7 * 9);
        }
    }
}

TEST_CASE("local arguments are aligned to what they point to, whatever is before them") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(R"(
        kernel void k(local char *a, local int2 *b, local char *c, local int8 *d, local char *e, local int16 *f,
                      local char *g, local long16 *h, global ulong *rest) {
            rest[0] = (ulong)b % 8; rest[1] = (ulong)d % 32; rest[2] = (ulong)f % 64; rest[3] = (ulong)h % 128;
            a[0] = c[2] = e[4] = g[6] = 1;
            b[0] = 2; d[0] = 3; f[0] = 4; h[0] = 5;
            rest[4] = a[0] + c[2] + e[4] + g[6] + b[0].y + d[0].s7 + f[0].sf + h[0].sf;
        })",
                                     "k");
    const size_t sizes[] = {1, 8, 3, 32, 5, 64, 7, 128};
    for (cl_uint i = 0; i < 8; ++i) CHECK(clSetKernelArg(kernel, i, sizes[i], nullptr) == CL_SUCCESS);
    cl_mem rest = f.make_buffer(40);
    CHECK(set(kernel, 8, rest) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_ulong>(rest, 5) == std::vector<cl_ulong>{0, 0, 0, 0, 4 + 2 + 3 + 4 + 5});
}

TEST_CASE("what group functions keep for each work-item counts for the work-groups that there are") {
    Fixture f;
    const auto most = info<cl_ulong>(clGetDeviceInfo, f.the_device, CL_DEVICE_LOCAL_MEM_SIZE);
    const std::string options = "-cl-std=CL3.0 -DWORDS=" + std::to_string((most - 2048) / 4);
    cl_kernel kernel = f.make_kernel(R"(
        kernel void k(global int *p) {
            local int own[WORDS];
            own[WORDS - 1 - get_local_id(0)] = p[get_global_id(0)];
            barrier(CLK_LOCAL_MEM_FENCE);
            p[get_global_id(0)] = work_group_scan_inclusive_add(own[WORDS - get_local_size(0) + get_local_id(0)]);
        })",
                                     "k", options.c_str());
    CHECK(info<cl_ulong>(clGetKernelWorkGroupInfo, kernel, f.the_device, CL_KERNEL_LOCAL_MEM_SIZE) <= most);
    const auto largest =
        info<size_t>(clGetKernelWorkGroupInfo, kernel, f.the_device, CL_KERNEL_WORK_GROUP_SIZE);
    CHECK(largest >= 128);
    for (const size_t local : {size_t{128}, largest}) {
        std::vector<cl_int> values(largest, 1);
        cl_mem buffer = f.make_buffer(4 * largest, values.data());
        CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
        CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &largest, &local, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        values = f.read<cl_int>(buffer, largest);
        CHECK(values[0] == 1);
        CHECK(values[local - 1] == static_cast<cl_int>(local));
    }
}

TEST_CASE(
    "kernels and functions of 300 parameters: values, buffers, from source, from parts and from SPIR-V") {
    constexpr cl_uint kCount = 300;
    const auto each = [](const std::string& before, const std::string& between,
                         const std::string& behind = "") {
        std::string all;
        for (cl_uint i = 0; i < kCount; ++i)
            all += (i ? between : "") + before + std::to_string(i) +
                   (behind.empty() ? "" : behind + std::to_string(i));
        return all;
    };
    const std::string declaration = "long weighted(" + each("long a", ", ") + ")";
    const std::string function = declaration + " { return " + each("", " + ", " * a") + "; }\n";
    const std::string kernels = declaration + ";\nkernel void values(" + each("long a", ", ") +
                                ", global long *r) { *r = weighted(" + each("a", ", ") +
                                "); }\nkernel void buffers(" + each("global int *a", ", ") +
                                ") { *a0 = " + each("", " + ", " * *a") + "; }\n";
    Fixture f;
    cl_program whole = f.build(kernels + function),
               parts[] = {f.source(kernels.c_str()), f.source(function.c_str())};
    for (cl_program part : parts)
        REQUIRE(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    cl_int code = 1;
    cl_program linked = clLinkProgram(f.context, 0, nullptr, nullptr, 2, parts, nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    const std::vector<unsigned char> binary = binary_of(whole);
    size_t at = 0;
    while (std::memcmp(binary.data() + at, "\x03\x02\x23\x07", 4) != 0) ++at;
    cl_program spirv = clCreateProgramWithIL(f.context, binary.data() + at, binary.size() - at, &code);
    REQUIRE(code == CL_SUCCESS);
    REQUIRE(clBuildProgram(spirv, 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    for (cl_program program : {whole, linked, spirv}) {
        cl_kernel values = f.make_kernel(program, "values"), buffers = f.make_kernel(program, "buffers");
        cl_mem result = f.make_buffer(8), first = f.make_buffer(4);
        cl_int one = 1, two = 2;
        cl_mem odd = f.make_buffer(4, &one), even = f.make_buffer(4, &two);
        for (cl_uint i = 0; i < kCount; ++i) {
            CHECK(set(values, i, cl_long{i} + (cl_long{1} << 33)) == CL_SUCCESS);
            CHECK(set(buffers, i, i == 0 ? first : i % 2 ? odd : even) == CL_SUCCESS);
        }
        CHECK(set(values, kCount, result) == CL_SUCCESS);
        CHECK(run(f.queue, values, 1) == CL_SUCCESS);
        CHECK(run(f.queue, buffers, 1) == CL_SUCCESS);
        // The sums of i * (i + 2^33), and of odd numbers with twice the even ones.
        CHECK(f.read<cl_long>(result, 1)[0] == 299 * 300 * 599 / 6 + (cl_long{299 * 150} << 33));
        CHECK(f.read<cl_int>(first, 1)[0] == 150 * 150 + 2 * (299 * 150 - 150 * 150));
    }
    CHECK(clReleaseProgram(linked) == CL_SUCCESS);
    CHECK(clReleaseProgram(spirv) == CL_SUCCESS);
}

TEST_CASE("objects of a program are aligned as they ask to be, in each address space") {
    Fixture f;
    const std::string text = R"(
        typedef struct { char c; long l; } __attribute__((aligned(1024))) Page;
        constant char before = 1;
        constant Page page = {2, 3};
        constant int *constant inside = (constant int *)&page.l;
        global int number __attribute__((aligned(4096))) = 4;
        kernel void k(local char *pad, local Page *argument, global ulong *rest) {
            local char own_pad; local int own __attribute__((aligned(4096)));
            char small = before; Page mine = {small, 5};
            *pad = own_pad = 1; own = 6; argument->l = 7; ++number;
            rest[0] = (ulong)&page % 1024; rest[1] = (ulong)&number % 4096; rest[2] = (ulong)argument % 1024;
            rest[3] = (ulong)&own % 4096; rest[4] = (ulong)&mine % 1024;
            rest[5] = *inside + number * 10 + mine.l * 100 + own * 1000 + argument->l * 10000 + *pad + own_pad;
        })";
    for (int i = 0; i < 2; ++i) {  // the second time from the cache on disk, if there is one
        cl_kernel kernel = f.make_kernel(text, "k", "-cl-std=CL3.0");
        cl_mem rest = f.make_buffer(48);
        CHECK(clSetKernelArg(kernel, 0, 1, nullptr) == CL_SUCCESS);
        CHECK(clSetKernelArg(kernel, 1, 1024, nullptr) == CL_SUCCESS);
        CHECK(set(kernel, 2, rest) == CL_SUCCESS);
        CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
        CHECK(f.read<cl_ulong>(rest, 6) ==
              std::vector<cl_ulong>{0, 0, 0, 0, 0, 3 + 50 + 500 + 6000 + 70000 + 2});
    }
}

TEST_CASE("5.8.4 what does not compile, and headers that are none") {
    Fixture f;
    cl_program faulty = f.source("kernel void k() { none(); }"), header = f.source("#define NONE\n");
    const char *name = "none.h", *no_name = nullptr;
    const auto compile = [&](cl_uint count, const cl_program* headers, const char** names) {
        return clCompileProgram(faulty, 0, nullptr, nullptr, count, headers, names, nullptr, nullptr);
    };
    CHECK(compile(0, nullptr, nullptr) == CL_COMPILE_PROGRAM_FAILURE);
    CHECK(info<cl_build_status>(clGetProgramBuildInfo, faulty, f.the_device, CL_PROGRAM_BUILD_STATUS) ==
          CL_BUILD_ERROR);
    CHECK(log_of(faulty).find("none") != std::string::npos);
    CHECK(compile(1, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(compile(0, &header, &name) == CL_INVALID_VALUE);
    CHECK(compile(1, &header, nullptr) == CL_INVALID_VALUE);
    CHECK(compile(1, &header, &no_name) == CL_INVALID_VALUE);
    cl_int code = 1;
    CHECK(clLinkProgram(f.context, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    size_t size = 0;
    CHECK(clGetProgramInfo(header, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size) ==
          CL_INVALID_PROGRAM_EXECUTABLE);
    CHECK(clCreateKernel(header, "k", &code) == nullptr);
    CHECK(code == CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_CASE("5.8 a program without kernels is built, and has none") {
    Fixture f;
    cl_program program = f.build("int twice(int x) { return 2 * x; }");
    CHECK(info<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS) == 0);
    CHECK(text(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES).empty());
    cl_int code = 1;
    CHECK(clCreateKernel(program, "twice", &code) == nullptr);
    CHECK(code == CL_INVALID_KERNEL_NAME);
    cl_uint count = 1;
    CHECK(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_SUCCESS);
    CHECK(count == 0);
}

TEST_CASE("5.8.5 what the linker takes, and what it makes is not built again") {
    Fixture f;
    cl_program object = f.source("kernel void k() {}");
    CHECK(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    cl_int code = 1;
    const auto link = [&](const char* options) {
        cl_program made = clLinkProgram(f.context, 0, nullptr, options, 1, &object, nullptr, nullptr, &code);
        if (made) f.programs.push_back(made);
        return made;
    };
    for (const char* options : {"", "-cl-fast-relaxed-math", "-create-library -enable-link-options"}) {
        cl_program linked = link(options);
        CHECK(code == CL_SUCCESS);
        CHECK(clBuildProgram(linked, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_OPERATION);
        CHECK(clCompileProgram(linked, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) ==
              CL_INVALID_OPERATION);
    }
    for (const char* options : {"-enable-link-options", "-DX=1", "-I.", "-bogus", "-cl-bogus"}) {
        CHECK(link(options) == nullptr);
        CHECK(code == CL_INVALID_LINKER_OPTIONS);
    }
}

TEST_CASE("5.8 programs: no device has destructors or built-in kernels, compilers stay") {
    Fixture f;
    cl_int code = 1;
    const char* source = "kernel void k() {}";
    cl_program program = f.source(source);
    const auto ignore = [](cl_program, void*) {};
    CHECK(clSetProgramReleaseCallback(program, nullptr, nullptr) == CL_INVALID_VALUE);
    CHECK(clSetProgramReleaseCallback(nullptr, ignore, nullptr) == CL_INVALID_PROGRAM);
    CHECK(clSetProgramReleaseCallback(program, ignore, nullptr) == CL_INVALID_OPERATION);
    CHECK(text(clGetDeviceInfo, f.the_device, CL_DEVICE_BUILT_IN_KERNELS).empty());
    CHECK(clCreateProgramWithBuiltInKernels(f.context, 1, &f.the_device, "k", &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateProgramWithBuiltInKernels(f.context, 1, &f.the_device, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateProgramWithBuiltInKernels(f.context, 0, nullptr, "k", &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);

    CHECK(clUnloadPlatformCompiler(platform()) == CL_SUCCESS);
    clUnloadCompiler();  // the loader answers itself
    f.build(source);
}

TEST_CASE("5.8.1 binaries come back as programs, and damaged ones are refused") {
    Fixture f;
    const char* source = "kernel void k(global int *a) { a[get_global_id(0)] += N; }";
    std::vector<unsigned char> binary = binary_of(f.build(source, "-DN=5"));
    cl_int code = 1, binary_status = 1;
    const auto create = [&](const std::vector<unsigned char>& bytes) {
        const size_t size = bytes.size();
        const unsigned char* pointer = bytes.data();
        return clCreateProgramWithBinary(f.context, 1, &f.the_device, &size, &pointer, &binary_status, &code);
    };
    cl_program program = create(binary);
    REQUIRE(code == CL_SUCCESS);
    CHECK(binary_status == CL_SUCCESS);
    CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
    cl_kernel kernel = f.make_kernel(program, "k");
    cl_int value = 1;
    cl_mem buffer = f.make_buffer(4, &value);
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, 1)[0] == 6);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
    for (const size_t at : {size_t{3}, size_t{20}, binary.size() / 2, binary.size() - 1}) {
        std::vector<unsigned char> damaged = binary;
        damaged[at] ^= 16;
        CHECK(create(damaged) == nullptr);
        CHECK(code == CL_INVALID_BINARY);
        damaged.resize(at);
        CHECK(create(damaged) == nullptr);
        CHECK(code == CL_INVALID_BINARY);
    }
}

TEST_CASE("5.8.1 SPIR-V is a program, if it is SPIR-V") {
    Fixture f;
    // Our binaries end with the module: that of a kernel that stores a specialisation constant comes from the assembler in
    // tests of the translator; here what the front end makes will do.
    std::vector<unsigned char> binary = binary_of(f.build("kernel void k(global int *a) { *a = 3; }"));
    const auto at_of_module = [](const std::vector<unsigned char>& bytes) {
        size_t found = 0;
        while (std::memcmp(bytes.data() + found, "\x03\x02\x23\x07", 4) != 0) ++found;
        return found;
    };
    const size_t at = at_of_module(binary);
    cl_int code = 1;
    cl_program program = clCreateProgramWithIL(f.context, binary.data() + at, binary.size() - at, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    size_t size = 0;
    CHECK(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size) == CL_SUCCESS);
    CHECK(size == binary.size() - at);
    const cl_int one = 1;
    CHECK(clSetProgramSpecializationConstant(program, 7, sizeof one, &one) == CL_INVALID_SPEC_ID);
    cl_kernel kernel = f.make_kernel(program, "k");
    cl_mem buffer = f.make_buffer(4);
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, 1)[0] == 3);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
    // 5.10: work-groups are uniform in a module that says it was written in OpenCL C 1.2, like the above, and where an option says so.
    const auto run_unevenly = [&](const char* standard, const char* option) {
        const std::vector<unsigned char> own =
            binary_of(f.build("kernel void k(global int *a) { *a = 3; }", standard));
        cl_program il = clCreateProgramWithIL(f.context, own.data() + at_of_module(own),
                                              own.size() - at_of_module(own), &code);
        f.programs.push_back(il);
        CHECK(clBuildProgram(il, 0, nullptr, option, nullptr, nullptr) == CL_SUCCESS);
        cl_kernel its_kernel = f.make_kernel(il, "k");
        CHECK(set(its_kernel, 0, buffer) == CL_SUCCESS);
        const size_t global = 10, local = 4;
        return clEnqueueNDRangeKernel(f.queue, its_kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    };
    CHECK(run_unevenly("-cl-std=CL1.2", "") == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(run_unevenly("-cl-std=CL3.0", "") == CL_SUCCESS);
    CHECK(run_unevenly("-cl-std=CL3.0", "-cl-uniform-work-group-size") == CL_INVALID_WORK_GROUP_SIZE);
    const std::array<cl_uint, 5> newer = {0x7230203, 0x10700, 0, 1,
                                          0};  // SPIR-V 1.7, which CL_DEVICE_IL_VERSION does not name
    CHECK(clCreateProgramWithIL(f.context, newer.data(), sizeof newer, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateProgramWithIL(f.context, "no SPIR-V at all here, sorry", 28, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    program = clCreateProgramWithIL(f.context, binary.data() + at, 40, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(log_of(program).find("error") != std::string::npos);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
}

TEST_CASE("5.9.2 arguments of every kind, and their errors") {
    Fixture f;
    cl_program program = f.build(R"(
        typedef struct { int a; char b; long c; } S;
        kernel void k(global int *out, S s, float4 v, local int *scratch, constant int *table, global int *null) {
            scratch[get_local_id(0)] = s.a + s.b + (int)s.c + (int)v.w + table[1] + (null ? 1000 : 0);
            barrier(CLK_LOCAL_MEM_FENCE);
            out[get_global_id(0)] = scratch[get_local_size(0) - 1 - get_local_id(0)];
        })");
    cl_kernel kernel = f.make_kernel(program, "k");
    CHECK(info<cl_uint>(clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS) == 6);
    CHECK(text(clGetKernelInfo, kernel, CL_KERNEL_FUNCTION_NAME) == "k");
    const struct {
        cl_int a = 1;
        cl_char b = 2;
        cl_long c = 3;
    } s;
    const std::array<float, 4> v = {0, 0, 0, 4};
    const std::array<cl_int, 2> table = {0, 5};
    cl_mem out = f.make_buffer(64), constants = f.make_buffer(8, const_cast<cl_int*>(table.data()));
    CHECK(run(f.queue, kernel, 16) == CL_INVALID_KERNEL_ARGS);
    CHECK(set(kernel, 0, out) == CL_SUCCESS);
    CHECK(set(kernel, 1, s) == CL_SUCCESS);
    CHECK(set(kernel, 2, v) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 3, 64, nullptr) == CL_SUCCESS);
    CHECK(set(kernel, 4, constants) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 5, sizeof(cl_mem), nullptr) == CL_SUCCESS);
    const size_t items = 16;
    CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) ==
          CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 16) == std::vector<cl_int>(16, 15));

    CHECK(clSetKernelArg(kernel, 6, 4, &s) == CL_INVALID_ARG_INDEX);
    CHECK(clSetKernelArg(kernel, 1, 4, &s) == CL_INVALID_ARG_SIZE);
    CHECK(clSetKernelArg(kernel, 1, sizeof s, nullptr) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArg(kernel, 3, 0, nullptr) == CL_INVALID_ARG_SIZE);
    CHECK(clSetKernelArg(kernel, 3, 64, &s) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArg(kernel, 0, 4, &out) == CL_INVALID_ARG_SIZE);
    const std::array<char, 64> rubbish = {};
    const void* not_a_buffer = rubbish.data();
    CHECK(set(kernel, 0, not_a_buffer) == CL_INVALID_MEM_OBJECT);
    Fixture other;
    cl_mem foreign = other.make_buffer(4);
    CHECK(set(kernel, 0, foreign) == CL_INVALID_MEM_OBJECT);
    CHECK(clSetKernelArg(nullptr, 0, 4, &s) == CL_INVALID_KERNEL);
}

TEST_CASE("5.9 kernels: all of a program, clones, names that are none") {
    Fixture f;
    cl_program program =
        f.build("kernel void a(global int *x) { *x = 1; } kernel void b(global int *x) { *x = 2; }");
    cl_uint count = 0;
    CHECK(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_SUCCESS);
    CHECK(count == 2);
    std::array<cl_kernel, 2> all = {};
    CHECK(clCreateKernelsInProgram(program, 1, all.data(), nullptr) == CL_INVALID_VALUE);
    CHECK(clCreateKernelsInProgram(program, 2, all.data(), nullptr) == CL_SUCCESS);
    cl_mem x = f.make_buffer(4), y = f.make_buffer(4);
    CHECK(set(all[1], 0, x) == CL_SUCCESS);
    cl_int code = 1;
    cl_kernel clone = clCloneKernel(all[1], &code);
    CHECK(code == CL_SUCCESS);
    CHECK(set(all[1], 0, y) == CL_SUCCESS);
    CHECK(run(f.queue, clone, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(x, 1)[0] == 2);
    for (cl_kernel kernel : {all[0], all[1], clone}) CHECK(clReleaseKernel(kernel) == CL_SUCCESS);
    CHECK(clCreateKernel(program, "c", &code) == nullptr);
    CHECK(code == CL_INVALID_KERNEL_NAME);
    CHECK(clCreateKernel(program, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
    CHECK(clCreateKernel(nullptr, "a", &code) == nullptr);
    CHECK(code == CL_INVALID_PROGRAM);
}

TEST_CASE("5.9.4 what is known of arguments and work-groups") {
    Fixture f;
    cl_program program = f.build(
        "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(global const float *restrict in, "
        "constant int *t, "
        "local char *l, uint4 v) {}",
        "-cl-kernel-arg-info");
    cl_kernel kernel = f.make_kernel(program, "k");
    const auto address = [&](cl_uint i) {
        return info<cl_kernel_arg_address_qualifier>(clGetKernelArgInfo, kernel, i,
                                                     CL_KERNEL_ARG_ADDRESS_QUALIFIER);
    };
    CHECK(address(0) == CL_KERNEL_ARG_ADDRESS_GLOBAL);
    CHECK(address(1) == CL_KERNEL_ARG_ADDRESS_CONSTANT);
    CHECK(address(2) == CL_KERNEL_ARG_ADDRESS_LOCAL);
    CHECK(address(3) == CL_KERNEL_ARG_ADDRESS_PRIVATE);
    CHECK(text(clGetKernelArgInfo, kernel, 0, CL_KERNEL_ARG_TYPE_NAME) == "float*");
    CHECK(text(clGetKernelArgInfo, kernel, 3, CL_KERNEL_ARG_TYPE_NAME) == "uint4");
    CHECK(text(clGetKernelArgInfo, kernel, 1, CL_KERNEL_ARG_NAME) == "t");
    CHECK(info<cl_kernel_arg_type_qualifier>(clGetKernelArgInfo, kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER) ==
          (CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT));
    CHECK(clGetKernelArgInfo(kernel, 4, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr) == CL_INVALID_ARG_INDEX);
    CHECK(info<std::array<size_t, 3>>(clGetKernelWorkGroupInfo, kernel, f.the_device,
                                      CL_KERNEL_COMPILE_WORK_GROUP_SIZE) == std::array<size_t, 3>{8, 2, 1});
    CHECK(info<size_t>(clGetKernelWorkGroupInfo, kernel, f.the_device, CL_KERNEL_WORK_GROUP_SIZE) >= 16);
    CHECK(clSetKernelArg(kernel, 2, 100, nullptr) == CL_SUCCESS);
    CHECK(info<cl_ulong>(clGetKernelWorkGroupInfo, kernel, f.the_device, CL_KERNEL_LOCAL_MEM_SIZE) >= 100);
    const std::array<size_t, 2> shape = {8, 2};
    size_t sub_groups = 0, sub_group_size = 0;
    CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof shape,
                                  shape.data(), sizeof sub_groups, &sub_groups, nullptr) == CL_SUCCESS);
    CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                  sizeof shape, shape.data(), sizeof sub_group_size, &sub_group_size,
                                  nullptr) == CL_SUCCESS);
    CHECK(sub_groups == (16 + sub_group_size - 1) / sub_group_size);
}

TEST_CASE("a kernel has sub-groups of the size that it requires, or is declined") {
    Fixture f;
    uint32_t kept = 0;
    for (cl_int size = 1; size <= 128; size *= 2) {
        INFO(size);
        const std::string attribute = "intel_reqd_sub_group_size(" + std::to_string(size) + ")";
        const std::string source = "__attribute__((" + attribute +
                                   ")) kernel void k(global int *a) { a[get_global_id(0)] = "
                                   "sub_group_reduce_add(1) + 1000 * get_max_sub_group_size(); }";
        cl_program program = from_source(f, source.c_str());
        f.programs.push_back(program);
        if (clBuildProgram(program, 1, &f.the_device, "-cl-std=CL3.0", nullptr, nullptr) != CL_SUCCESS) {
            CHECK(log_of(program).find("the required sub-group size is " + std::to_string(size)) !=
                  std::string::npos);
            continue;
        }
        ++kept;
        cl_kernel kernel = f.make_kernel(program, "k");
        CHECK(text(clGetKernelInfo, kernel, CL_KERNEL_ATTRIBUTES) == attribute);
        cl_mem buffer = f.make_buffer(4 * 128);
        REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
        const size_t items = 128;
        REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        CHECK(f.read<cl_int>(buffer, 128) == std::vector<cl_int>(128, 1001 * size));
        size_t told = 0;
        REQUIRE(clGetKernelSubGroupInfo(kernel, f.the_device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                        sizeof items, &items, sizeof told, &told, nullptr) == CL_SUCCESS);
        CHECK(told == static_cast<size_t>(size));
    }
    const std::string extensions = text(clGetDeviceInfo, f.the_device, CL_DEVICE_EXTENSIONS);
    if (extensions.find("cl_khr_subgroup_shuffle") != std::string::npos) CHECK(kept > 0);
    // It would promise each size of CL_DEVICE_SUB_GROUP_SIZES_INTEL, where this driver has one.
    CHECK(extensions.find("cl_intel_required_subgroup_size") == std::string::npos);
}

TEST_CASE("5.10 launches: ranges, offsets, empty ones, and errors") {
    Fixture f;
    const char* source =
        "kernel void k(global uint *a) { a[get_global_id(1) * 10 + get_global_id(0)] = 1 + "
        "get_local_size(0); }";
    cl_kernel kernel = f.make_kernel(source, "k");
    cl_kernel ragged = f.make_kernel(source, "k", "-cl-std=CL2.0");
    std::vector<cl_uint> zeros(100);
    cl_mem buffer = f.make_buffer(400, zeros.data());
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(set(ragged, 0, buffer) == CL_SUCCESS);
    using Sizes = std::array<size_t, 3>;
    const auto launch = [&](cl_kernel which, cl_uint dim, Sizes offset, Sizes global, const Sizes* local) {
        return clEnqueueNDRangeKernel(f.queue, which, dim, offset.data(), global.data(),
                                      local ? local->data() : nullptr, 0, nullptr, nullptr);
    };
    const Sizes zero = {}, two = {2, 2, 1}, three = {3, 1, 1}, one = {1, 1, 1}, large = {SIZE_MAX, 1, 1};
    CHECK(launch(kernel, 2, {2, 3, 0}, {4, 6, 1}, &two) == CL_SUCCESS);
    std::vector<cl_uint> expected(100);
    for (size_t y = 3; y < 9; ++y)
        for (size_t x = 2; x < 6; ++x) expected[y * 10 + x] = 3;
    CHECK(f.read<cl_uint>(buffer, 100) == expected);
    CHECK(launch(kernel, 1, zero, zero, nullptr) == CL_SUCCESS);
    CHECK(launch(kernel, 2, zero, {4, 0, 1}, &two) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(buffer, 100) == expected);
    CHECK(launch(kernel, 1, zero, {10, 1, 1}, &three) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(ragged, 1, zero, {10, 1, 1}, &three) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(buffer, 10) == std::vector<cl_uint>{4, 4, 4, 4, 4, 4, 4, 4, 4, 2});
    CHECK(launch(kernel, 0, zero, one, nullptr) == CL_INVALID_WORK_DIMENSION);
    CHECK(launch(kernel, 4, zero, one, nullptr) == CL_INVALID_WORK_DIMENSION);
    CHECK(launch(kernel, 1, large, {2, 1, 1}, nullptr) == CL_INVALID_GLOBAL_OFFSET);
    CHECK(launch(kernel, 1, zero, one, &zero) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(kernel, 1, zero, large, &large) == CL_INVALID_WORK_ITEM_SIZE);
    // A prime without a local size of the program's: one size for all groups.
    CHECK(launch(kernel, 1, zero, {97, 1, 1}, nullptr) == CL_SUCCESS);
    const std::vector<cl_uint> prime = f.read<cl_uint>(buffer, 97);
    CHECK(prime == std::vector<cl_uint>(97, prime[0]));
    CHECK(clEnqueueTask(f.queue, kernel, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(f.read<cl_uint>(buffer, 1)[0] == 2);
    Fixture other;
    const size_t items = 1;
    CHECK(clEnqueueNDRangeKernel(other.queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_CONTEXT);
    CHECK(clEnqueueNativeKernel(f.queue, nullptr, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, nullptr) ==
          CL_INVALID_OPERATION);
}

TEST_CASE("5.8 each work-item of a range runs once, whatever its sizes, and none beside it") {
    Fixture f;
    const std::string source =
        "kernel void count(global uint *to, uint width, uint height) {\n"
        "    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - "
        "get_global_offset(1);\n"
        "    atomic_inc(&to[(get_global_id(2) * height + y) * width + x]);\n"
        "    if (get_global_size(0) != width) to[0] += 100;\n"
        "}\n"
        "kernel void grouped(global uint *to, uint width, uint height) {\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    count(to, width, height);\n"
        "}";
    struct Case {
        cl_uint dimensions;
        std::array<size_t, 3> global, local, offset;
    };
    const Case cases[] = {
        {1, {1, 1, 1}, {}, {}},           {1, {37, 1, 1}, {}, {5, 0, 0}},
        {1, {10007, 1, 1}, {}, {}},       {1, {65537, 1, 1}, {}, {}},
        {2, {37, 101, 1}, {}, {}},        {2, {129, 3, 1}, {}, {2, 3, 0}},
        {3, {7, 11, 13}, {}, {}},         {3, {1, 257, 2}, {}, {}},
        {1, {1000, 1, 1}, {7, 1, 1}, {}}, {2, {33, 17, 1}, {8, 4, 1}, {1, 2, 0}},
        {3, {5, 7, 3}, {2, 3, 2}, {}},    {2, {64, 16, 1}, {}, {}},
    };
    for (const char* options : {"", "-cl-std=CL3.0"}) {
        cl_program program = f.build(source, options);
        for (const char* name : {"count", "grouped"}) {
            cl_kernel kernel = f.make_kernel(program, name);
            for (const Case& it : cases) {
                const bool chooses = it.local[0] == 0;
                if (!chooses && *options == 0) continue;  // groups are of one size there
                const size_t items = it.global[0] * it.global[1] * it.global[2];
                std::vector<cl_uint> expected(items, 1);
                expected.resize(items + 4096);
                std::vector<cl_uint> zeros(expected.size());
                cl_mem buffer = f.make_buffer(zeros.size() * sizeof(cl_uint), zeros.data());
                CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
                CHECK(set(kernel, 1, static_cast<cl_uint>(it.global[0])) == CL_SUCCESS);
                CHECK(set(kernel, 2, static_cast<cl_uint>(it.global[1])) == CL_SUCCESS);
                CHECK(clEnqueueNDRangeKernel(f.queue, kernel, it.dimensions, it.offset.data(),
                                             it.global.data(), chooses ? nullptr : it.local.data(), 0,
                                             nullptr, nullptr) == CL_SUCCESS);
                CAPTURE(name);
                CAPTURE(items);
                CHECK((f.read<cl_uint>(buffer, expected.size()) == expected));
            }
        }
    }
}

TEST_CASE("5.10 a suggested work-group needs a range, by an extension's function") {
    Fixture f;
    cl_kernel kernel = f.make_kernel("kernel void k() {}", "k");
    const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSuggestedLocalWorkSizeKHR"));
    REQUIRE((suggest != nullptr));
    CHECK(clGetExtensionFunctionAddressForPlatform(platform(), "clNoSuchFunction") == nullptr);
    const size_t range[] = {1000, 3}, empty[] = {1000, 0};
    size_t local[2] = {};
    CHECK(suggest(f.queue, kernel, 2, nullptr, range, local) == CL_SUCCESS);
    CHECK(range[0] % local[0] == 0);  // a program may launch with it
    CHECK(range[1] % local[1] == 0);
    CHECK(local[0] > 0);
    CHECK(local[1] > 0);
    CHECK(suggest(f.queue, kernel, 2, nullptr, empty, local) == CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK(suggest(f.queue, kernel, 2, nullptr, nullptr, local) == CL_INVALID_GLOBAL_WORK_SIZE);
    CHECK(suggest(f.queue, kernel, 0, nullptr, range, local) == CL_INVALID_WORK_DIMENSION);
    CHECK(suggest(f.queue, kernel, 2, nullptr, range, nullptr) == CL_INVALID_VALUE);
    CHECK(suggest(f.queue, nullptr, 2, nullptr, range, local) == CL_INVALID_KERNEL);
    CHECK(suggest(nullptr, kernel, 2, nullptr, range, local) == CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("5.4 pipes of no size") {
    Fixture f;
    const auto largest = info<cl_uint>(clGetDeviceInfo, f.the_device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
    if (largest == 0) return;
    const auto fails = [&](cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets,
                           const cl_pipe_properties* list = nullptr) {
        cl_int code = 1;
        CHECK(clCreatePipe(f.context, flags, packet_bytes, packets, list, &code) == nullptr);
        return code;
    };
    const cl_pipe_properties list[] = {0};
    CHECK(fails(0, 0, 16) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(0, 4, 0) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(0, largest + 1, 16) == CL_INVALID_PIPE_SIZE);
    CHECK(fails(CL_MEM_READ_ONLY, 4, 16) == CL_INVALID_VALUE);
    CHECK(fails(0, 4, 16, list) == CL_INVALID_VALUE);
}

TEST_CASE("program-scope variables, printf and pipes work through the API") {
    Fixture f;
    cl_program program = f.build(R"(
        global int counter = 40;
        kernel void next(global int *a) { counter += 1; *a = counter; }
        kernel void put(write_only pipe int p) { int x = 100 + get_global_id(0); write_pipe(p, &x); }
        kernel void get(read_only pipe int p, global int *sum) { int x = 0; read_pipe(p, &x); atomic_add(sum, x); })",
                                 "-cl-std=CL2.0");
    cl_mem value = f.make_buffer(4);
    cl_kernel next = f.make_kernel(program, "next");
    CHECK(set(next, 0, value) == CL_SUCCESS);
    CHECK(run(f.queue, next, 1) == CL_SUCCESS);
    CHECK(run(f.queue, next, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(value, 1)[0] == 42);
    cl_int code = 1;
    cl_mem pipe = clCreatePipe(f.context, 0, 4, 16, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS) == 16);
    cl_kernel put = f.make_kernel(program, "put"), get = f.make_kernel(program, "get");
    const cl_int zero = 0;
    CHECK(clEnqueueWriteBuffer(f.queue, value, CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(set(put, 0, pipe) == CL_SUCCESS);
    CHECK(set(get, 0, pipe) == CL_SUCCESS);
    CHECK(set(get, 1, value) == CL_SUCCESS);
    CHECK(set(put, 0, value) == CL_INVALID_MEM_OBJECT);
    CHECK(run(f.queue, put, 8) == CL_SUCCESS);
    CHECK(run(f.queue, get, 8) == CL_SUCCESS);
    CHECK(f.read<cl_int>(value, 1)[0] == 828);
    CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
}

TEST_CASE("kernels enqueue kernels on a device queue") {
    Fixture f;
    cl_program program = f.build(R"(
        kernel void tree(global int *count, int depth) {
            atomic_add(count, 1);
            if (depth > 0)
                for (int i = 0; i < 3; ++i)
                    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
                        atomic_add(count, 10);
                    });
        }
        kernel void given(queue_t queue, global int *count) {
            enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{ atomic_add(count, 100); });
        })",
                                 "-cl-std=CL2.0");
    CHECK(info<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS) == 2);
    const cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int code = 1;
    cl_command_queue on_device = clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(clCreateCommandQueueWithProperties(f.context, f.the_device, list, &code) == on_device);
    CHECK(clReleaseCommandQueue(on_device) == CL_SUCCESS);
    CHECK(info<cl_command_queue>(clGetCommandQueueInfo, f.queue, CL_QUEUE_DEVICE_DEFAULT) == on_device);
    CHECK(info<cl_uint>(clGetCommandQueueInfo, on_device, CL_QUEUE_SIZE) > 0);
    CHECK(clFinish(on_device) == CL_INVALID_COMMAND_QUEUE);
    cl_int zero = 0;
    cl_mem count = f.make_buffer(4, &zero);
    cl_kernel tree = f.make_kernel(program, "tree"), given = f.make_kernel(program, "given");
    CHECK(set(tree, 0, count) == CL_SUCCESS);
    CHECK(set(tree, 1, 2) == CL_SUCCESS);
    CHECK(run(f.queue, tree, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(count, 1)[0] == 31);
    CHECK(set(given, 0, f.queue) == CL_INVALID_DEVICE_QUEUE);
    CHECK(set(given, 0, cl_command_queue{}) == CL_INVALID_DEVICE_QUEUE);
    CHECK(set(given, 0, on_device) == CL_SUCCESS);
    CHECK(set(given, 1, count) == CL_SUCCESS);
    CHECK(run(f.queue, given, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(count, 1)[0] == 431);
    CHECK(clReleaseCommandQueue(on_device) == CL_SUCCESS);
}
