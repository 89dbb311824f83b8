// SPDX-License-Identifier: Apache-2.0
// Programs (OpenCL API 5.8).
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/driver/programs.h"

using namespace caldera::driver_test;

TEST_CASE("5.8.6 a program without faults has an empty log, and a warning is one that its text deserves") {
    Fixture f;
    CHECK(text(clGetProgramBuildInfo, f.build("kernel void k(global int *p) { *p = __OPENCL_VERSION__; }"),
               f.the_device, CL_PROGRAM_BUILD_LOG) == "");
    const std::string log =
        text(clGetProgramBuildInfo, f.build("kernel void k(void) { int unused; }", "-Wall"), f.the_device,
             CL_PROGRAM_BUILD_LOG);
    CHECK(log.starts_with("program.cl:1:27: warning: unused variable 'unused'"));
}

TEST_CASE("5.8.6 options of other vendors' compilers are ignored with a warning") {
    Fixture f;
    cl_program program = from_source(f, "kernel void k(global int* p) { p[0] = 1; }");
    CHECK(clBuildProgram(program, 0, nullptr, "-cl-nv-verbose -cl-nv-maxrregcount 32 -fbin-llvmir", nullptr,
                         nullptr) == CL_SUCCESS);
    for (const char* option : {"-cl-nv-verbose", "-cl-nv-maxrregcount 32", "-fbin-llvmir"})
        CHECK(log_of(program).find(std::string("unused during compilation: '") + option) !=
              std::string::npos);
    const std::string before = log_of(program);
    CHECK(clBuildProgram(program, 0, nullptr, "-cl-no-vendor-has-it", nullptr, nullptr) ==
          CL_INVALID_BUILD_OPTIONS);
    CHECK(log_of(program) == before);  // of what is still built
    clReleaseProgram(program);
    program = from_source(f, "kernel void k(global int* p) { p[0] = 1; }");
    CHECK(clBuildProgram(program, 0, nullptr, "-cl-no-vendor-has-it", nullptr, nullptr) ==
          CL_INVALID_BUILD_OPTIONS);
    CHECK(log_of(program) == "error: unknown build option '-cl-no-vendor-has-it'\n");
    CHECK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
    CHECK(log_of(program) == "");
    clReleaseProgram(program);
}

TEST_CASE("programs that want cl_khr_subgroups have its functions where the device has sub-groups") {
    Fixture f;
    const std::string counts = has_device_enqueue()
                                   ? "    ndrange_t range = ndrange_1D(64, 64);\n"
                                     "    a[0] = get_kernel_sub_group_count_for_ndrange(range, ^{});\n"
                                   : "    a[0] = get_num_sub_groups();\n";
    for (const char* options : {"-cl-std=CL2.0 -Werror", "-cl-std=CL3.0 -Werror"}) {
        cl_kernel kernel = f.make_kernel(
            "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
            "kernel void k(global int *a) {\n#ifdef cl_khr_subgroups\n    a[2] = 1;\n#endif\n" +
                counts + "    a[1] = sub_group_any(1);\n}",
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

namespace {

/// A fixture that compiles and links.
struct Linking : Fixture {
    cl_program object(const char* its_text, const char* options = "") {
        cl_program program = source(its_text);
        REQUIRE(clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr) ==
                CL_SUCCESS);
        return program;
    }
    cl_program linked(const std::vector<cl_program>& parts, const char* options,
                      cl_int expected = CL_SUCCESS) {
        cl_int code = 1;
        programs.push_back(clLinkProgram(context, 0, nullptr, options, static_cast<cl_uint>(parts.size()),
                                         parts.data(), nullptr, nullptr, &code));
        const std::string log = log_of(programs.back());
        INFO(log);
        REQUIRE(code == expected);
        return programs.back();
    }
    cl_program library(const std::vector<cl_program>& parts) { return linked(parts, "-create-library"); }
    cl_program from_binary(cl_program program, const char* options = nullptr) {
        const auto size = info<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
        std::vector<unsigned char> bytes(size);
        unsigned char* to = bytes.data();
        CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr) == CL_SUCCESS);
        const unsigned char* from = to;
        cl_int code = 1;
        programs.push_back(clCreateProgramWithBinary(context, 1, &the_device, &size, &from, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(type(programs.back()) == type(program));
        if (options)
            REQUIRE(clBuildProgram(programs.back(), 0, nullptr, options, nullptr, nullptr) == CL_SUCCESS);
        return programs.back();
    }
    cl_program_binary_type type(cl_program program) const {
        return info<cl_program_binary_type>(clGetProgramBuildInfo, program, the_device,
                                            CL_PROGRAM_BINARY_TYPE);
    }
    /// What the kernel k makes of the numbers.
    template <class T>
    std::vector<T> results(cl_program program, std::vector<T> numbers) {
        cl_kernel kernel = make_kernel(program, "k");
        cl_mem buffer = make_buffer(numbers.size() * sizeof(T), numbers.data());
        CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
        CHECK(run(queue, kernel, numbers.size()) == CL_SUCCESS);
        return read<T>(buffer, numbers.size());
    }
};

}  // namespace

TEST_CASE("5.8.6 options of one object neither relax nor lose what another was compiled with") {
    Linking f;
    constexpr const char* kKernel =
        "float half_of(float);"
        "kernel void k(global float *p) {"
        "    const int i = get_global_id(0);"
        "    p[i] = sin(p[i]) + half_of(p[i]); }";
    constexpr const char* kHelper = "float half_of(float x) { return x / 2; }";
    std::vector<cl_float> numbers(64);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.37f * static_cast<float>(i);
    const auto results = [&](cl_program program) { return f.results(program, numbers); };
    const std::vector<cl_float> exact = results(f.build(std::string(kHelper) + kKernel));
    for (const char* relaxed : {"-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations"}) {
        cl_program helper = f.object(kHelper, relaxed), kernel = f.object(kKernel, "");
        CHECK(results(f.linked({helper, kernel}, "")) == exact);
        CHECK(results(f.linked({kernel, helper}, "")) == exact);
        CHECK(results(f.linked({f.linked({helper}, "-create-library"), kernel}, "")) == exact);
        CHECK(results(f.from_binary(f.linked({helper, kernel}, ""), "")) == exact);
    }
    // All objects have the option, so the program has it, and so has its binary.
    constexpr const char* kUniform = "-cl-std=CL2.0 -cl-uniform-work-group-size";
    cl_program helper = f.object(kHelper, kUniform), kernel = f.object(kKernel, kUniform),
               other = f.object(kHelper, "-cl-std=CL2.0");
    const auto uneven = [&](cl_program program) {
        cl_kernel launched = f.make_kernel(program, "k");
        cl_mem buffer = f.make_buffer(numbers.size() * 4, numbers.data());
        CHECK(set(launched, 0, buffer) == CL_SUCCESS);
        const size_t global = 10, local = 4;
        return clEnqueueNDRangeKernel(f.queue, launched, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    };
    cl_program library = f.linked({helper}, "-create-library");
    for (const std::vector<cl_program>& parts :
         {std::vector{helper, kernel}, {kernel, helper}, {library, kernel}, {kernel, library}}) {
        cl_program whole = f.linked(parts, "");
        CHECK(uneven(whole) == CL_INVALID_WORK_GROUP_SIZE);
        CHECK(uneven(f.from_binary(whole, "")) == CL_INVALID_WORK_GROUP_SIZE);
        CHECK(uneven(f.from_binary(whole, "-w")) == CL_INVALID_WORK_GROUP_SIZE);
    }
    // 5.10: groups are uniform if the object of the kernel says so, whatever the others are.
    CHECK(uneven(f.linked({other, kernel}, "")) == CL_INVALID_WORK_GROUP_SIZE);
    cl_program old_helper = f.object(kHelper, "-cl-std=CL1.2"),
               old_kernel = f.object(kKernel, "-cl-std=CL1.2"),
               new_kernel = f.object(kKernel, "-cl-std=CL3.0"),
               old_other = f.object("kernel void o(global float *p) { p[0] = 1; }", "-cl-std=CL1.2");
    const auto check = [&](const std::vector<cl_program>& parts, const char* options, cl_int expected) {
        cl_program whole = f.linked(parts, options);
        CHECK(uneven(whole) == expected);
        CHECK(uneven(f.from_binary(whole, "")) == expected);
    };
    for (cl_program part : {old_helper, f.linked({old_helper}, "-create-library")})
        for (const std::vector<cl_program>& parts :
             {std::vector{part, new_kernel}, {new_kernel, part}, {old_other, new_kernel, part}}) {
            check(parts, "", CL_SUCCESS);
            check(parts, "-cl-uniform-work-group-size", CL_INVALID_WORK_GROUP_SIZE);
        }
    cl_program old_library = f.linked({old_kernel, other}, "-create-library");
    for (const std::vector<cl_program>& parts : {std::vector{old_kernel, other},
                                                 {f.from_binary(old_kernel, nullptr), other},
                                                 {old_library},
                                                 {f.from_binary(old_library, nullptr)}})
        check(parts, "", CL_INVALID_WORK_GROUP_SIZE);
}

TEST_CASE("5.8.4 what a library lacks comes from those that it is linked with later") {
    Linking f;
    cl_program weigh = f.object(
        "int scale(int); extern constant int offset;"
        "int weigh(int x) { return scale(x) + offset; }");
    cl_program again = f.object("int scale(int); int twice(int x) { return scale(scale(x)); }");
    cl_program scale = f.object("int scale(int x) { return 3 * x; }");
    cl_program offset = f.object("extern constant int offset; constant int offset = 7;");
    cl_program kernel = f.object(
        "int weigh(int), twice(int);"
        "kernel void k(global int *a) { *a = weigh(*a) + 1000 * twice(*a); }");
    cl_program caller = f.object("kernel void k(global int *a); kernel void other(global int *a) { k(a); }");

    cl_program one = f.library({weigh}), inner = f.library({f.library({one, again})}),
               whole = f.library({kernel}), lacking = f.library({caller});
    for (cl_program part : {one, inner, whole, lacking})
        CHECK(f.type(part) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    for (const std::vector<cl_program>& parts :
         {std::vector{kernel, weigh, again, scale, offset},
          {kernel, one, again, scale, offset},
          {whole, inner, f.library({scale}), f.library({offset})},
          {f.from_binary(f.library({offset, scale})), f.from_binary(inner), lacking, whole},
          {f.library({f.library({whole, inner, lacking}), scale}), offset}}) {
        cl_program executable = f.linked(parts, "");
        CHECK(f.type(executable) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        CHECK(f.results(executable, std::vector<cl_int>{5}) == std::vector{22 + 1000 * 45});
    }

    // The last link names everything that nobody has, and so does a build.
    cl_program unlinked = f.linked({whole, f.from_binary(inner), lacking}, "", CL_LINK_PROGRAM_FAILURE);
    CHECK(f.type(unlinked) == CL_PROGRAM_BINARY_TYPE_NONE);
    for (const char* symbol : {"'scale'", "'offset'"})
        CHECK(log_of(unlinked).find("undefined symbol " + std::string(symbol) + ", used in 'program 1'") !=
              std::string::npos);
    cl_program built = f.from_binary(whole);
    CHECK(clBuildProgram(built, 0, nullptr, "", nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(log_of(built).find("weigh") != std::string::npos);
    // What differs or is there twice is an error, in a library too.
    cl_program other = f.object("float scale(float x) { return x; }");
    for (const char* options : {"", "-create-library"}) {
        cl_program differs = f.linked({one, f.library({other})}, options, CL_LINK_PROGRAM_FAILURE);
        CHECK(log_of(differs).find("the types of 'scale' differ") != std::string::npos);
        f.linked({scale, other}, options, CL_LINK_PROGRAM_FAILURE);
    }
}

TEST_CASE("5.8.4 declarations may say less of a symbol than its definition, or more of its alignment") {
    Linking f;
    cl_program uses = f.object(R"(
        struct pair;
        extern constant int table[], one;
        extern constant uchar bytes[16] __attribute__((aligned(16)));
        constant int *constant second = table + 1;
        constant int *constant both[2] = {&one, &table[2]};
        int get(global struct pair *p, constant const int *from), bytes_are_aligned(void);
        global struct pair *following(global struct pair *p);
        kernel void k(global int *a) {
            a[0] = table[a[0]] + 10 * *second + 100 * *both[0] + 1000 * *both[1];
            a[1] = get(following((global struct pair *)a), table);
            a[2] = ((constant int4 *)bytes)->y + 1000 * bytes_are_aligned();
        })");
    cl_program defines = f.object(R"(
        struct pair { int a, b; };
        constant uchar before = 1, bytes[16] = {1, 2, 3, 4, 5, 0, 0, 0, 9};
        constant int table[4] = {1, 2, 3, 4}, one = 7;
        int get(global struct pair *p, constant int *from) { return p->b + from[3]; }
        global struct pair *following(global struct pair *p) { return p + 1; }
        int bytes_are_aligned(void) { return (ulong)bytes % 16 == 0 && before; }
        )");
    const std::vector<cl_int> values = {3, 0, 0, 50}, expected = {4 + 20 + 700 + 3000, 54, 1005, 50};
    for (const std::vector<cl_program>& parts : {std::vector{uses, defines},
                                                 {defines, uses},
                                                 {f.library({uses}), f.library({defines})},
                                                 {f.library({uses, defines})}})
        CHECK(f.results(f.linked(parts, ""), values) == expected);
}

TEST_CASE("5.8.6 options of a link change only libraries that were created with -enable-link-options") {
    Linking f;
    std::vector<cl_float> numbers(64);
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = 1e4f + 0.37f * static_cast<float>(i);
    const auto results = [&](cl_program program) { return f.results(program, numbers); };
    constexpr const char* kText =
        "kernel void k(global float *p) { const int i = get_global_id(0); p[i] = sin(p[i]); }";
    constexpr const char* kRelaxed = "-cl-fast-relaxed-math";
    constexpr const char* kOpen = "-create-library -enable-link-options";
    const std::vector<cl_float> exact = results(f.build(kText)), relaxed = results(f.build(kText, kRelaxed));
    REQUIRE(exact != relaxed);
    cl_program object = f.object(kText), other = f.object("int f(int x) { return x; }");
    cl_program fixed = f.library({object}), open = f.linked({object}, kOpen);
    CHECK(results(f.linked({object}, kRelaxed)) == relaxed);
    for (const auto& [library, expected] : {std::pair{open, relaxed},
                                            {f.from_binary(open), relaxed},
                                            {f.linked({open}, kOpen), relaxed},
                                            {fixed, exact},
                                            {f.from_binary(fixed), exact},
                                            {f.linked({fixed}, kOpen), exact},
                                            {f.from_binary(f.linked({fixed}, kOpen)), exact},
                                            {f.library({open}), exact}}) {
        cl_program executable = f.linked({library, other}, kRelaxed);
        CHECK(results(executable) == expected);
        CHECK(results(f.from_binary(executable, "")) == expected);
        for (const char* spelling : {"'-cl-fast-relaxed-math'", "-cl-native-math"})
            CHECK(results(f.linked({library, other}, spelling)) == expected);
        CHECK(text(clGetProgramBuildInfo, executable, f.the_device, CL_PROGRAM_BUILD_OPTIONS) == kRelaxed);
    }
    cl_int code = 1;
    CHECK(clLinkProgram(f.context, 0, nullptr, "-enable-link-options", 1, &object, nullptr, nullptr, &code) ==
          nullptr);
    CHECK(code == CL_INVALID_LINKER_OPTIONS);
}

TEST_CASE("5.8.6 builds, compilations and binaries leave blanks and words in quotes alone") {
    Linking f;
    constexpr const char* kText = "kernel void k(global int *p) { p[0] = sizeof(X); p[1] = Y; }";
    const std::pair<const char*, cl_int> rows[] = {{R"(-DX="\"a  b\"" -DY=1)", 5},
                                                   {R"(-DX="\"-create-library b\"" -DY=1)", 18},
                                                   {R"(-DX="\"a -create-library  b\"" -DY=1)", 21},
                                                   {R"(-D "X=\"-enable-link-options\"" -DY=1)", 21},
                                                   {R"('-DX="\t  -cl-finite-math-only b"' -DY=1)", 26}};
    for (const auto& [options, size] : rows) {
        INFO(options);
        const std::vector<cl_int> expected = {size, 1};
        cl_program built = f.build(kText, options), object = f.object(kText, options);
        CHECK(f.results<cl_int>(built, {0, 0}) == expected);
        CHECK(f.results<cl_int>(f.linked({object}, ""), {0, 0}) == expected);
        CHECK(f.results<cl_int>(f.from_binary(object, ""), {0, 0}) == expected);
        CHECK(f.results<cl_int>(f.from_binary(built, "-cl-opt-disable"), {0, 0}) == expected);
    }
    std::string folder =
        (std::filesystem::temp_directory_path() / "program_test two  blanks_XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()));
    const std::string header = folder + "/x.h";
    std::ofstream(header) << "#define X 7";
    const std::string including = "#include \"x.h\"\nkernel void k(global int *p) { p[0] = X; p[1] = 2; }";
    const std::string options = "-I \"" + folder + "\" -create-library";
    CHECK(f.results<cl_int>(f.build(including, options.c_str()), {0, 0}) == std::vector<cl_int>{7, 2});
    CHECK(std::remove(header.c_str()) == 0);
    CHECK(rmdir(folder.c_str()) == 0);
}

TEST_CASE("5.8.4 the compiler has no options of the linker, and such a call changes nothing") {
    Linking f;
    cl_program program = f.object("kernel void k(global int *p) { p[0] = 3; }", "-w");
    for (const char* options : {"-create-library", "-enable-link-options", "-w -create-library"}) {
        CHECK(clCompileProgram(program, 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr) ==
              CL_INVALID_COMPILER_OPTIONS);
        CHECK(f.type(program) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
        CHECK(text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_OPTIONS) == "-w");
        CHECK(f.results<cl_int>(f.linked({program}, ""), {0}) == std::vector<cl_int>{3});
    }
}

TEST_CASE("5.8.4 headers are found by any path that leads to their names") {
    Fixture f;
    const cl_program headers[] = {f.source("#include \"../sub/n.h\"\n#include \"n.h\"\n"),
                                  f.source("#pragma once\nconstant int n = 100;\n")};
    const char* names[] = {"sub/g.h", "./sub/n.h"};
    for (const char* path : {"sub/n.h", "./sub/n.h", "sub/g.h", "sub/../sub/./g.h", ".//sub/g.h"}) {
        CAPTURE(std::string(path));
        const cl_program user = f.source(
            ("#include \"" + std::string(path) + "\"\nkernel void k(global int *a) { *a = n; }").c_str());
        const cl_int code = clCompileProgram(user, 0, nullptr, "", 2, headers, names, nullptr, nullptr);
        const std::string log = log_of(user);
        INFO(log);
        CHECK(code == CL_SUCCESS);
    }
    const cl_program user = f.source("#include \"../sub/n.h\"\n");
    CHECK(clCompileProgram(user, 0, nullptr, "", 2, headers, names, nullptr, nullptr) ==
          CL_COMPILE_PROGRAM_FAILURE);
}

TEST_CASE("5.8.1 a build that fails, when it translates too, makes nothing") {
    Fixture f;
    const auto type = [&](cl_program program) {
        return info<cl_program_binary_type>(clGetProgramBuildInfo, program, f.the_device,
                                            CL_PROGRAM_BINARY_TYPE);
    };
    const auto build = [](cl_program program, const char* options) {
        return clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
    };
    const cl_program program = f.source(R"(
        int f(int);
        #ifdef GOOD
        int f(int x) { return x; }
        #endif
        kernel void k(global int *o) { o[0] = f(1); })");
    for (const char* repeated : {"first", "second"}) {
        CAPTURE(std::string(repeated));
        CHECK(build(program, "") == CL_BUILD_PROGRAM_FAILURE);
        CHECK(type(program) == CL_PROGRAM_BINARY_TYPE_NONE);
        CHECK(info<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES) == 0);
        CHECK(build(program, "-DGOOD") == CL_SUCCESS);
        CHECK(type(program) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
        CHECK(info<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES) > 0);
    }
    // A program that came as a binary can be built again.
    const cl_program object = f.source("int f(int); kernel void k(global int *o) { o[0] = f(1); }");
    REQUIRE(clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) == CL_SUCCESS);
    const size_t size = info<size_t>(clGetProgramInfo, object, CL_PROGRAM_BINARY_SIZES);
    std::vector<unsigned char> bytes(size);
    unsigned char* place = bytes.data();
    REQUIRE(clGetProgramInfo(object, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr) == CL_SUCCESS);
    const unsigned char* binary = bytes.data();
    cl_int code = 1;
    f.programs.push_back(
        clCreateProgramWithBinary(f.context, 1, &f.the_device, &size, &binary, nullptr, &code));
    REQUIRE(code == CL_SUCCESS);
    for (int i = 0; i < 2; ++i) {
        CHECK(build(f.programs.back(), "") == CL_BUILD_PROGRAM_FAILURE);
        CHECK(type(f.programs.back()) == CL_PROGRAM_BINARY_TYPE_NONE);
    }
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
    Fixture other;
    const cl_program foreign = other.source("#define NONE\n");
    CHECK(compile(1, &foreign, &name) == CL_INVALID_CONTEXT);
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

TEST_CASE(
    "5.8.2 a build of a binary has the binary's options and its own, and not those of the build before") {
    Linking f;
    const cl_program original =
        f.build("kernel void k(global int *a) { a[get_global_id(0)] = 1; }", "-cl-std=CL2.0 -cl-mad-enable");
    const cl_program program = f.from_binary(original, "-cl-uniform-work-group-size");
    const auto builds = [&](const char* options, const std::string& told, cl_int of_uneven_groups) {
        REQUIRE(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr) == CL_SUCCESS);
        CHECK(text(clGetProgramBuildInfo, program, device(), CL_PROGRAM_BUILD_OPTIONS) == told);
        cl_int code = 1;
        cl_kernel kernel = clCreateKernel(program, "k", &code);
        REQUIRE(code == CL_SUCCESS);
        cl_mem buffer = f.make_buffer(20);
        REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
        const size_t items = 5, local = 2;
        CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr) ==
              of_uneven_groups);
        CHECK(clReleaseKernel(kernel) == CL_SUCCESS);
    };
    constexpr const char* kOwn = "-cl-std=CL2.0 -cl-mad-enable";
    builds("", kOwn, CL_SUCCESS);
    builds("-cl-uniform-work-group-size", "-cl-uniform-work-group-size", CL_INVALID_WORK_GROUP_SIZE);
    builds("", kOwn, CL_SUCCESS);
    builds("-cl-denorms-are-zero", "-cl-denorms-are-zero", CL_SUCCESS);
    builds(nullptr, kOwn, CL_SUCCESS);
}

TEST_CASE("5.8.1 SPIR-V is a program, if it is SPIR-V") {
    Fixture f;
    // The module is the last part of our program binaries. This test uses a module that the front end makes;
    // one with a specialisation constant would need an assembler, so the translator's tests cover that.
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
    // 5.10: work-groups are uniform in a module that says it was written in OpenCL C 1.2, like the above, and
    // where an option says so.
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
    CHECK(clCreateProgramWithIL(f.context, binary.data() + at, 40, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
}

// SPIR-V 3.1: a module may be in either order of bytes, which its magic number tells.
TEST_CASE("5.8.1 SPIR-V in the other order of bytes is a program, an object and a library's part") {
    Fixture f;
    const auto swapped_module_of = [&](const char* source) {
        std::vector<cl_uint> words = module_in(binary_of(f.build(source, "-cl-std=CL1.2")));
        for (cl_uint& word : words) word = __builtin_bswap32(word);
        return words;
    };
    const std::vector<cl_uint> words = swapped_module_of("kernel void k(global int *a) { *a = 3; }");
    const size_t size = words.size() * sizeof(cl_uint);
    const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
    cl_mem buffer = f.make_buffer(4);
    const auto runs = [&](cl_program program) {
        const cl_int zero = 0;
        CHECK(clEnqueueFillBuffer(f.queue, buffer, &zero, 4, 0, 4, 0, nullptr, nullptr) == CL_SUCCESS);
        cl_kernel kernel = f.make_kernel(program, "k");
        CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
        CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
        CHECK(f.read<cl_int>(buffer, 1)[0] == 3);
        const size_t global = 10, local = 4;  // OpenCL C 1.2 has no uneven work-groups
        CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr) ==
              CL_INVALID_WORK_GROUP_SIZE);
    };
    for (const bool as_binary : {false, true}) {
        CAPTURE(as_binary);
        cl_int code = 1;
        cl_program program =
            as_binary ? clCreateProgramWithBinary(f.context, 1, &f.the_device, &size, &bytes, nullptr, &code)
                      : clCreateProgramWithIL(f.context, bytes, size, &code);
        REQUIRE(code == CL_SUCCESS);
        f.programs.push_back(program);
        if (!as_binary) {  // it stays as it was given
            std::vector<cl_uint> il(words.size());
            CHECK(clGetProgramInfo(program, CL_PROGRAM_IL, size, il.data(), nullptr) == CL_SUCCESS);
            CHECK(il == words);
            const cl_int one = 1;
            CHECK(clSetProgramSpecializationConstant(program, 7, sizeof one, &one) == CL_INVALID_SPEC_ID);
            REQUIRE(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) ==
                    CL_SUCCESS);
        }
        for (const char* options : {"", "-create-library"}) {
            cl_program linked =
                clLinkProgram(f.context, 1, &f.the_device, options, 1, &program, nullptr, nullptr, &code);
            REQUIRE(code == CL_SUCCESS);
            f.programs.push_back(linked);
            if (*options == 0) {
                runs(linked);
                continue;
            }
            cl_program whole =
                clLinkProgram(f.context, 1, &f.the_device, "", 1, &linked, nullptr, nullptr, &code);
            REQUIRE(code == CL_SUCCESS);
            f.programs.push_back(whole);
            runs(whole);
        }
        REQUIRE(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
        runs(program);
    }
    // Damaged ones are refused as they are in this machine's order.
    std::vector<cl_uint> damaged = words;
    damaged.resize(10);
    cl_int code = 1;
    CHECK(clCreateProgramWithIL(f.context, damaged.data(), 40, &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
}

TEST_CASE("5.8.1 what is no module of SPIR-V is refused at once, as a binary too") {
    Fixture f;
    const std::vector<unsigned char> binary = binary_of(f.build("kernel void k(global int *a) { *a = 3; }"));
    const std::vector<cl_uint> good = module_in(binary);
    std::vector<cl_uint> unknown = good, endless = good, newer = good, trailing = good;
    unknown[5] = 1 << 16 | 0xffff;
    endless[5] |= 0xffff0000;
    newer[1] = 0x10900;
    trailing.push_back(0);
    const std::vector<std::vector<cl_uint>> wrong = {{good[0]},
                                                     {good[0], good[1], 0, 10},
                                                     {good[0], good[1], 0, 10, 0},
                                                     {good.begin(), good.begin() + 10},
                                                     unknown,
                                                     endless,
                                                     newer,
                                                     trailing};
    for (const std::vector<cl_uint>& words : wrong) {
        CAPTURE(words.size());
        cl_int code = 1, status = 1;
        CHECK(clCreateProgramWithIL(f.context, words.data(), words.size() * 4, &code) == nullptr);
        CHECK(code == CL_INVALID_VALUE);
        const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
        const size_t size = words.size() * 4;
        CHECK(clCreateProgramWithBinary(f.context, 1, &f.the_device, &size, &bytes, &status, &code) ==
              nullptr);
        CHECK(code == CL_INVALID_BINARY);
        CHECK(status == CL_INVALID_BINARY);
    }
}

// Without kernels nothing is translated, which would find what is wrong.
TEST_CASE("5.8.2 an invalid module without kernels is not built") {
    Fixture f;
    // OpCapability Kernel, OpMemoryModel Physical64 OpenCL, and a type of a type that is a number of no type
    const std::vector<cl_uint> words = {0x07230203, 0x00010000,   0, 3, 0, 2 << 16 | 17, 6, 3 << 16 | 14, 2,
                                        2,          4 << 16 | 32, 2, 7, 1};
    for (const bool as_binary : {false, true}) {
        CAPTURE(as_binary);
        const size_t size = words.size() * 4;
        const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
        cl_int code = 1;
        cl_program program =
            as_binary ? clCreateProgramWithBinary(f.context, 1, &f.the_device, &size, &bytes, nullptr, &code)
                      : clCreateProgramWithIL(f.context, bytes, size, &code);
        REQUIRE(code == CL_SUCCESS);
        f.programs.push_back(program);
        CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
        CHECK(log_of(program).find("error") != std::string::npos);
    }
}

// llvm-spirv 19 makes OpLoopMerge of "#pragma unroll" wherever LLVM has the hint, several in a block.
TEST_CASE("5.8.1 a module with merge instructions at wrong places is built") {
    Fixture f;
    const std::vector<unsigned char> binary = binary_of(
        f.build("kernel void k(global int *a, int n) { for (int i = 0; i < n; i++) a[i] = i + 5; }"));
    const std::vector<cl_uint> words = module_in(binary);
    std::vector<cl_uint> twice;
    constexpr size_t kHeader = 5;
    constexpr cl_uint kLoopMerge = 246;
    twice.assign(words.begin(), words.begin() + kHeader);
    uint32_t merges = 0;
    for (size_t i = kHeader; i < words.size(); i += words[i] >> 16) {
        const auto first = words.begin() + static_cast<ptrdiff_t>(i);
        const bool is_merge = (words[i] & 0xffff) == kLoopMerge;
        merges += is_merge;
        for (int copies = is_merge ? 2 : 1; copies > 0; --copies)
            twice.insert(twice.end(), first, first + (words[i] >> 16));
    }
    REQUIRE(merges == 1);
    cl_program program = build_module(f, twice);
    cl_kernel kernel = f.make_kernel(program, "k");
    cl_mem buffer = f.make_buffer(12);
    CHECK(set(kernel, 0, buffer) == CL_SUCCESS);
    CHECK(set(kernel, 1, cl_int{3}) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(buffer, 3) == std::vector<cl_int>{5, 6, 7});
    const cl_int one = 1;
    CHECK(clSetProgramSpecializationConstant(program, 7, sizeof one, &one) == CL_INVALID_SPEC_ID);
}

TEST_CASE("the log of a program that the device cannot run says where the reason is") {
    Fixture f;
    cl_program program =
        f.source("\n__attribute__((reqd_work_group_size(1 << 20, 1, 1)))\nkernel void k() {}");
    CHECK(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(log_of(program).starts_with(
        "error: kernel 'k' (program.cl:3:13): the required work-group size (1048576,1,1) is larger than "));
}

TEST_CASE("5.8.5 a program that another thread compiles is not linked") {
    Fixture f;
    std::string source;
    for (int i = 0; i < 5000; ++i)
        source += "int f" + std::to_string(i) + "(int a) { return a * " + std::to_string(i) + " + N; }\n";
    cl_program program = f.source((source + "kernel void k(global int *a) { *a = f7(*a); }").c_str());
    // The numbers are new in each run, so that no cache has the program.
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const auto compile = [&](int number) {
        const std::string options = "-DN=" + std::to_string(now % 1'000'000 * 100 + number);
        return clCompileProgram(program, 0, nullptr, options.c_str(), 0, nullptr, nullptr, nullptr, nullptr);
    };
    REQUIRE(compile(99) == CL_SUCCESS);
    bool was_refused = false;
    for (int i = 0; i < 50 && !was_refused; ++i) {
        std::atomic<bool> is_compiled = false;
        std::thread compiles([&] {
            compile(i);
            is_compiled = true;
        });
        while (!is_compiled && info<cl_build_status>(clGetProgramBuildInfo, program, f.the_device,
                                                     CL_PROGRAM_BUILD_STATUS) != CL_BUILD_IN_PROGRESS)
            std::this_thread::yield();
        cl_int code = 1;
        cl_program linked =
            clLinkProgram(f.context, 0, nullptr, nullptr, 1, &program, nullptr, nullptr, &code);
        if (linked) clReleaseProgram(linked);
        was_refused = code == CL_INVALID_OPERATION;
        compiles.join();
    }
    CHECK(was_refused);
    cl_int code = 1;
    cl_program linked = clLinkProgram(f.context, 0, nullptr, nullptr, 1, &program, nullptr, nullptr, &code);
    CHECK(code == CL_SUCCESS);
    if (linked) clReleaseProgram(linked);
}
