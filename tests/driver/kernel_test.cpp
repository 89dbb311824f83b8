// SPDX-License-Identifier: Apache-2.0
// Kernels and their arguments (OpenCL API 5.9).
#include <algorithm>
#include <array>
#include <cstring>

#include "tests/driver/programs.h"

using namespace caldera::driver_test;

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

namespace {
constexpr cl_uint kCount = 300;
}

TEST_CASE(
    "kernels and functions of 300 parameters: values, buffers, from source, from parts and from SPIR-V") {
    // Without addresses, each is a descriptor.
    const cl_uint pointers =
        has_addresses() ? kCount : info<cl_uint>(clGetDeviceInfo, device(), CL_DEVICE_MAX_CONSTANT_ARGS);
    const auto each = [](const std::string& before, const std::string& between,
                         const std::string& behind = "", cl_uint count = kCount) {
        std::string all;
        for (cl_uint i = 0; i < count; ++i)
            all += (i ? between : "") + before + std::to_string(i) +
                   (behind.empty() ? "" : behind + std::to_string(i));
        return all;
    };
    const std::string declaration = "long weighted(" + each("long a", ", ") + ")";
    const std::string function = declaration + " { return " + each("", " + ", " * a") + "; }\n";
    const std::string kernels = declaration + ";\nkernel void values(" + each("long a", ", ") +
                                ", global long *r) { *r = weighted(" + each("a", ", ") +
                                "); }\nkernel void buffers(" + each("global int *a", ", ", "", pointers) +
                                ") { *a0 = " + each("", " + ", " * *a", pointers) + "; }\n";
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
            if (i < pointers) CHECK(set(buffers, i, i == 0 ? first : i % 2 ? odd : even) == CL_SUCCESS);
        }
        CHECK(set(values, kCount, result) == CL_SUCCESS);
        CHECK(run(f.queue, values, 1) == CL_SUCCESS);
        CHECK(run(f.queue, buffers, 1) == CL_SUCCESS);
        // The sums of i * (i + 2^33), and of odd numbers with twice the even ones.
        CHECK(f.read<cl_long>(result, 1)[0] == 299 * 300 * 599 / 6 + (cl_long{299 * 150} << 33));
        cl_int sum = 0;
        for (cl_uint i = 0; i < pointers; ++i) sum += static_cast<cl_int>(i % 2 ? i : 2 * i);
        CHECK(f.read<cl_int>(first, 1)[0] == sum);
    }
    CHECK(clReleaseProgram(linked) == CL_SUCCESS);
    CHECK(clReleaseProgram(spirv) == CL_SUCCESS);
}

TEST_CASE("5.9.4 the local size that makes so many sub-groups is that of a launch with as many") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "kernel void k(global int *out) { if (get_local_linear_id() == 0) *out = get_num_sub_groups(); }",
        "k", "-cl-std=CL3.0");
    cl_mem out = f.make_buffer(4);
    CHECK(set(kernel, 0, out) == CL_SUCCESS);
    const auto size_for = [&](size_t count) {
        std::array<size_t, 3> sizes = {7, 7, 7};
        CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                      sizeof count, &count, sizeof sizes, sizes.data(),
                                      nullptr) == CL_SUCCESS);
        return sizes;
    };
    size_t most = 0;
    CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof most,
                                  &most, nullptr) == CL_SUCCESS);
    REQUIRE(most >= 1);
    for (size_t count = 1; count <= most; count *= 2) {
        const std::array<size_t, 3> local = size_for(count);
        REQUIRE(local[0] > 0);
        CHECK(local[1] == 1);
        CHECK(local[2] == 1);
        REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, local.data(), local.data(), 0, nullptr,
                                       nullptr) == CL_SUCCESS);
        CHECK(f.read<cl_int>(out, 1)[0] == static_cast<cl_int>(count));
    }
    // More than there can be, and so many that the product of sizes has no room.
    for (const size_t count : {size_t{0}, most + 1, SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 8 + 1})
        CHECK(size_for(count) == std::array<size_t, 3>{0, 0, 0});
}

TEST_CASE("5.9.4 sub-groups of a work-group of the required size") {
    Fixture f;
    size_t each = 0;
    const size_t one = 1;
    cl_kernel any = f.make_kernel("kernel void k(global int *out) { *out = get_sub_group_size(); }", "k",
                                  "-cl-std=CL3.0");
    const auto ask = [&](cl_kernel kernel, cl_kernel_sub_group_info query, size_t input, auto& answer) {
        CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, query, sizeof input, &input, sizeof answer,
                                      &answer, nullptr) == CL_SUCCESS);
    };
    std::array<size_t, 3> sizes = {};
    ask(any, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, one, sizes);
    each = sizes[0];
    REQUIRE(each != 0);
    ask(any, CL_KERNEL_MAX_NUM_SUB_GROUPS, one, sizes[0]);
    if (sizes[0] < 3) return;  // a work-group is one sub-group
    struct Row {
        std::array<size_t, 3> required = {};
        size_t count = 0;    // of sub-groups
        bool is_for = true;  // the size is one for this count
    };
    for (const auto& [required, count, is_for] :
         {Row{{2 * each, 1, 1}, 2}, Row{{each, 2, 1}, 2, false}, Row{{each + 1, 1, 1}, 2, false}}) {
        CAPTURE(required[0]);
        cl_kernel kernel = f.make_kernel(
            "__attribute__((reqd_work_group_size(" + std::to_string(required[0]) + ", " +
                std::to_string(required[1]) + ", 1))) kernel void k(global int *out) { *out = 1; }",
            "k", "-cl-std=CL3.0");
        size_t most = 0;
        ask(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, one, most);
        CHECK(most == count);
        const std::array<size_t, 3> none = {};
        for (const size_t wanted : {one, count, count + 1}) {
            ask(kernel, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, wanted, sizes);
            CHECK(sizes == (is_for && wanted == count ? required : none));
        }
    }
}

TEST_CASE("5.10 SPIR-V's SubgroupsPerWorkgroup is the number of sub-groups of each work-group") {
    Fixture f;
    cl_kernel any =
        f.make_kernel("kernel void k(global int *out) { *out = get_local_size(0); }", "k", "-cl-std=CL3.0");
    std::array<size_t, 3> two = {};
    size_t count = 2, told = 7;
    CHECK(clGetKernelSubGroupInfo(any, f.the_device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                                  &count, sizeof two, two.data(), nullptr) == CL_SUCCESS);
    CHECK(clGetKernelSubGroupInfo(any, f.the_device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, nullptr,
                                  sizeof told, &told, nullptr) == CL_SUCCESS);
    CHECK(told == 0);
    if (two[0] == 0) return;
    cl_program source = nullptr;
    REQUIRE(clGetKernelInfo(any, CL_KERNEL_PROGRAM, sizeof source, &source, nullptr) == CL_SUCCESS);
    const std::vector<cl_uint> words = module_in(binary_of(source));
    constexpr cl_uint kCapability = 17, kEntryPoint = 15, kExecutionMode = 16, kDispatch = 58, kMode = 36;
    std::vector<cl_uint> changed(words.begin(), words.begin() + 5);
    changed[1] = std::max<cl_uint>(changed[1], 0x10100);
    changed.insert(changed.end(), {2 << 16 | kCapability, kDispatch});
    for (size_t i = 5; i < words.size(); i += words[i] >> 16) {
        const auto first = words.begin() + static_cast<ptrdiff_t>(i);
        changed.insert(changed.end(), first, first + (words[i] >> 16));
        if ((words[i] & 0xffff) == kEntryPoint)
            changed.insert(changed.end(), {4 << 16 | kExecutionMode, words[i + 2], kMode, 2});
    }
    cl_kernel kernel = f.make_kernel(build_module(f, changed), "k");
    for (const cl_kernel_sub_group_info query :
         {CL_KERNEL_COMPILE_NUM_SUB_GROUPS, CL_KERNEL_MAX_NUM_SUB_GROUPS}) {
        CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, query, 0, nullptr, sizeof told, &told, nullptr) ==
              CL_SUCCESS);
        CHECK(told == 2);
    }
    cl_mem out = f.make_buffer(4);
    CHECK(set(kernel, 0, out) == CL_SUCCESS);
    const auto launch = [&](size_t global, size_t local) {
        return clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &global, local ? &local : nullptr, 0,
                                      nullptr, nullptr);
    };
    const size_t each = two[0] / 2;
    CHECK(launch(two[0] * 3, each) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(two[0] * 3, two[0] + 1) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(launch(two[0] * 3, two[0]) == CL_SUCCESS);
    for (const size_t global : {two[0] * 3, 3 * (each + 1), each * 4}) {  // the driver chooses
        CAPTURE(global);
        CHECK(launch(global, 0) == CL_SUCCESS);
        const auto local = static_cast<size_t>(f.read<cl_int>(out, 1)[0]);
        CHECK(local > each);
        CHECK(local <= two[0]);
        CHECK(global % local == 0);
    }
}

TEST_CASE("5.9.2 a local argument of no bytes, which the kernel does not access (OpenCL 3.1)") {
    Fixture f;
    cl_kernel kernel = f.make_kernel(
        "kernel void k(global int *out, local int *scratch, int uses) {"
        "    if (uses) scratch[get_local_id(0)] = 5;"
        "    barrier(CLK_LOCAL_MEM_FENCE);"
        "    out[get_global_id(0)] = uses ? scratch[get_local_size(0) - 1 - get_local_id(0)] : 7;"
        "}",
        "k");
    cl_mem out = f.make_buffer(16);
    CHECK(set(kernel, 0, out) == CL_SUCCESS);
    for (const cl_int uses : {0, 1, 0}) {
        CHECK(clSetKernelArg(kernel, 1, uses ? 16 : 0, nullptr) == CL_SUCCESS);
        CHECK(set(kernel, 2, uses) == CL_SUCCESS);
        const size_t items = 4;
        CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) ==
              CL_SUCCESS);
        CHECK(f.read<cl_int>(out, 4) == std::vector<cl_int>(4, uses ? 5 : 7));
    }
    CHECK(clSetKernelArg(kernel, 1, 0, &out) == CL_INVALID_ARG_VALUE);
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
    CHECK(clSetKernelArg(kernel, 3, 64, &s) == CL_INVALID_ARG_VALUE);
    CHECK(clSetKernelArg(kernel, 0, 4, &out) == CL_INVALID_ARG_SIZE);
    const std::array<char, 64> rubbish = {};
    const void* not_a_buffer = rubbish.data();
    CHECK(set(kernel, 0, not_a_buffer) == CL_INVALID_MEM_OBJECT);
    Fixture other;
    cl_mem foreign = other.make_buffer(4);
    CHECK(set(kernel, 0, foreign) == CL_INVALID_CONTEXT);
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

TEST_CASE("5.9.1 kernels have names of any length") {
    const auto kernel = [](const std::string& name, int value) {
        return "kernel void " + name + "(global int *x) { *x += " + std::to_string(value) + "; }\n";
    };
    const size_t lengths[] = {254, 255, 256, 257, 1000, 4000};
    std::string source;
    for (const size_t length : lengths) {
        source += kernel(std::string(length, 'a') + "x", static_cast<int>(length));
        source += kernel(std::string(length, 'a') + "y", -1);
    }
    Fixture f;
    cl_program program = f.build(source + kernel("main_", 3));
    for (const size_t length : lengths) {
        const std::string name = std::string(length, 'a') + "x";
        cl_kernel long_named = f.make_kernel(program, name.c_str());
        CHECK(text(clGetKernelInfo, long_named, CL_KERNEL_FUNCTION_NAME) == name);
        cl_int before = 7;
        cl_mem x = f.make_buffer(4, &before);
        CHECK(set(long_named, 0, x) == CL_SUCCESS);
        CHECK(run(f.queue, long_named, 1) == CL_SUCCESS);
        CHECK(f.read<cl_int>(x, 1)[0] == 7 + static_cast<cl_int>(length));
    }
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
    const std::array<size_t, 3> too_large = {size_t{1} << 40, size_t{1} << 40, size_t{1} << 40};
    CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                  sizeof too_large, too_large.data(), sizeof sub_groups, &sub_groups,
                                  nullptr) == CL_SUCCESS);
    CHECK(clGetKernelSubGroupInfo(kernel, f.the_device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                  sizeof too_large, too_large.data(), sizeof sub_group_size, &sub_group_size,
                                  nullptr) == CL_SUCCESS);
    CHECK(sub_groups >= ~size_t{0} / sub_group_size);  // where there are none, the work-group is one
}

TEST_CASE("a kernel has sub-groups of the size that it requires, or is declined") {
    Fixture f;
    std::vector<size_t> kept;
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
        kept.push_back(static_cast<size_t>(size));
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
    if (extensions.find("cl_khr_subgroup_shuffle") != std::string::npos) CHECK(!kept.empty());
    size_t bytes = 0;
    CHECK(clGetDeviceInfo(f.the_device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &bytes) == CL_SUCCESS);
    std::vector<size_t> listed(bytes / sizeof(size_t));
    CHECK(clGetDeviceInfo(f.the_device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, bytes, listed.data(), nullptr) ==
          CL_SUCCESS);
    // Larger ones are emulated, for this kernel and not for each.
    for (const size_t size : listed) CHECK(std::ranges::find(kept, size) != kept.end());
    if (!listed.empty())
        for (const size_t size : kept) CHECK(size >= listed.front());
    // Where there is nothing to choose, the extension is not named: programs take it for Intel's sizes.
    CHECK((extensions.find("cl_intel_required_subgroup_size") != std::string::npos) == (listed.size() > 1));
}
