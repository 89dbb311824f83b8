// SPDX-License-Identifier: Apache-2.0
// What a device says of launches (queries.h): sizes of work-groups, sub-groups, vectors, local memory.
#include <algorithm>

#include "tests/driver/queries.h"

namespace caldera::driver_test {
namespace {

Size3 max_sizes(const Fixture& f) { return answer<Size3>(f, CL_DEVICE_MAX_WORK_ITEM_SIZES); }
size_t max_items(const Fixture& f) { return answer<size_t>(f, CL_DEVICE_MAX_WORK_GROUP_SIZE); }

void dimensions(Fixture& f) {
    const auto most = answer<cl_uint>(f, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
    Test test(f, "kernel void test(global int *out) { *out = get_work_dim(); }");
    const std::vector<size_t> ones(most + 1, 1);
    const auto enqueue = [&](cl_uint count) {
        return clEnqueueNDRangeKernel(f.queue, test.kernel, count, nullptr, ones.data(), ones.data(), 0,
                                      nullptr, nullptr);
    };
    REQUIRE(enqueue(most) == CL_SUCCESS);
    CHECK(f.read<cl_int>(test.out, 1)[0] == static_cast<cl_int>(most));
    CHECK(enqueue(most + 1) == CL_INVALID_WORK_DIMENSION);
}

void item_sizes(Fixture& f) {
    Test test(f,
              "kernel void test(global int *out) {\n"
              "    for (int d = 0; d < 3; d++) if (get_local_id(d) + 1 == get_local_size(d)) out[d] = "
              "get_local_size(d);\n}");
    for (size_t d = 0; d < 3; ++d) {
        Size3 local = {1, 1, 1};
        local[d] = std::min(max_sizes(f)[d], max_items(f));
        CHECK(test.run(local)[d] == static_cast<cl_int>(local[d]));
        local[d] = max_sizes(f)[d] + 1;
        CHECK(launch(f, test.kernel, local, local) == CL_INVALID_WORK_ITEM_SIZE);
    }
}

/// All work-items of the largest work-group meet at a barrier.
void group_size(Fixture& f) {
    const size_t most = max_items(f);
    Test test(
        f,
        "kernel void test(global int *out) {\n    local atomic_int count;\n"
        "    if (get_local_linear_id() == 0) atomic_init(&count, 0);\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    atomic_fetch_add(&count, 1);\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (get_local_linear_id() + 1 == get_local_size(0) * get_local_size(1)) *out = "
        "atomic_load(&count);\n}");
    CHECK(test.run({most, 1, 1})[0] == static_cast<cl_int>(most));
    CHECK(test.run({most / 2, 2, 1})[0] == static_cast<cl_int>(most / 2 * 2));
    CHECK(launch(f, test.kernel, {most, 2, 1}, {most, 2, 1}) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(info<size_t>(clGetKernelWorkGroupInfo, test.kernel, f.the_device, CL_KERNEL_WORK_GROUP_SIZE) <=
          most);
}

/// Launches one work-group of the largest size for each compute unit.
void compute_units(Fixture& f) {
    const auto units = answer<cl_uint>(f, CL_DEVICE_MAX_COMPUTE_UNITS);
    Test test(f, "kernel void test(global int *out) { atomic_inc(out); }");
    CHECK(test.run({max_items(f), 1, 1}, units)[0] == static_cast<cl_int>(units * max_items(f)));
}

void non_uniform_groups(Fixture& f) {
    Test test(f,
              "kernel void test(global int *out) { if (get_global_id(0) == 9) { out[0] = get_local_size(0); "
              "out[1] = get_enqueued_local_size(0); } }");
    const cl_int code = launch(f, test.kernel, {10, 1, 1}, {4, 1, 1});
    if (!answer<cl_bool>(f, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT)) {
        CHECK(code == CL_INVALID_WORK_GROUP_SIZE);
        return;
    }
    REQUIRE(code == CL_SUCCESS);
    CHECK(f.read<cl_int>(test.out, 2) == std::vector<cl_int>{2, 4});
}

// ---- Sub-groups ----

void sub_groups(Fixture& f) {
    const auto most = answer<cl_uint>(f, CL_DEVICE_MAX_NUM_SUB_GROUPS);
    const auto multiple = answer<size_t>(f, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    const bool has_sizes = has_extension(f, "cl_intel_required_subgroup_size");  // smaller ones may be more
    const bool is_whole = !has_extension(f, "cl_khr_subgroup_shuffle");  // each work-group is one sub-group
    if (is_whole) CHECK(most == 1);
    if (most == 0) {
        CHECK(!has_extension(f, "cl_khr_subgroups"));
        return;
    }
    Test test(f,
              "kernel void test(global int *out) {\n    if (get_local_linear_id() == 0) { out[0] = "
              "get_num_sub_groups(); out[1] = get_max_sub_group_size(); }\n"
              "    if (get_sub_group_local_id() == 0) atomic_inc(out + 2);\n}");
    // get_num_sub_groups() counts the sub-groups that run, whatever the work-group's shape.
    for (const Size3& local : {Size3{max_items(f), 1, 1}, Size3{1, max_items(f), 1}, Size3{1, 1, 1}}) {
        const cl_int zero = 0;
        REQUIRE(clEnqueueFillBuffer(f.queue, test.out, &zero, 4, 0, 64, 0, nullptr, nullptr) == CL_SUCCESS);
        const std::vector<cl_int> found = test.run(local);
        CHECK(found[0] == found[2]);
        CHECK(found[0] <= static_cast<cl_int>(most));
        if (local[0] > 1 && !has_sizes) CHECK(found[0] == static_cast<cl_int>(most));
        CHECK(static_cast<size_t>(found[1]) == (is_whole ? local[0] * local[1] : multiple));
    }
    CHECK(info<size_t>(clGetKernelWorkGroupInfo, test.kernel, f.the_device,
                       CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) == multiple);
}

void sub_group_sizes(Fixture& f) {
    for (const size_t size : list_answer<size_t>(f, CL_DEVICE_SUB_GROUP_SIZES_INTEL)) {
        Test test(f, "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) +
                         "))) kernel void test(global int *out) {\n    if (get_local_linear_id() == 0) { "
                         "out[0] = get_num_sub_groups(); out[1] = get_max_sub_group_size(); }\n}");
        const size_t most =
            info<size_t>(clGetKernelWorkGroupInfo, test.kernel, f.the_device, CL_KERNEL_WORK_GROUP_SIZE);
        const std::vector<cl_int> found = test.run({most, 1, 1});
        CHECK(static_cast<size_t>(found[0]) == most / size);
        CHECK(found[0] <= static_cast<cl_int>(answer<cl_uint>(f, CL_DEVICE_MAX_NUM_SUB_GROUPS)));
        CHECK(static_cast<size_t>(found[1]) == size);
    }
}

/// The first sub-group of a work-group waits for the last.
void independent_sub_groups(Fixture& f) {
    const auto independent = answer<cl_bool>(f, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS);
    if (has_extension(f, "cl_khr_subgroups")) CHECK(independent);
    if (!independent) return;
    Test test(
        f,
        "kernel void test(global int *out) {\n    volatile global atomic_int *flag = (global atomic_int "
        "*)(out + 1);\n"
        "    if (get_sub_group_id() == 0) { while (atomic_load(flag) == 0); if (get_local_id(0) == 0) "
        "*out = 1; }\n"
        "    else if (get_sub_group_id() + 1 == get_num_sub_groups()) atomic_store(flag, 1);\n}");
    CHECK(test.run({max_items(f), 1, 1})[0] == 1);
}

// ---- Vectors ----

/// A vector as wide as the device wants it; none where it lacks the type.
void vectors(Fixture& f, cl_device_info query, const std::string& type) {
    const auto width = answer<cl_uint>(f, query);
    const std::string extension = type == "half" ? "cl_khr_fp16" : type == "double" ? "cl_khr_fp64" : "";
    if (!extension.empty()) CHECK((width != 0) == has_extension(f, extension));
    if (width == 0) return;
    CHECK((width == 1 || width == 2 || width == 4 || width == 8 || width == 16));
    const std::string vector = type + (width == 1 ? "" : std::to_string(width));
    Test test(f, (extension.empty() ? "" : "#pragma OPENCL EXTENSION " + extension + " : enable\n") +
                     "kernel void test(global int *out) { " + vector + " v = (" + vector +
                     ")(*out + 20); v += v; *out = ((" + type + " *)&v)[" + std::to_string(width - 1) +
                     "] == 40; }");
    CHECK(test.run()[0] == 1);
}
#define VECTORS(name, type)                                                               \
    QUERY(CL_DEVICE_PREFERRED_VECTOR_WIDTH_##name,                                        \
          [](Fixture& f) { vectors(f, CL_DEVICE_PREFERRED_VECTOR_WIDTH_##name, type); }), \
        QUERY(CL_DEVICE_NATIVE_VECTOR_WIDTH_##name,                                       \
              [](Fixture& f) { vectors(f, CL_DEVICE_NATIVE_VECTOR_WIDTH_##name, type); })

const Query kRows[] = {
    QUERY(CL_DEVICE_MAX_COMPUTE_UNITS, compute_units),
    QUERY(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, dimensions),
    QUERY(CL_DEVICE_MAX_WORK_ITEM_SIZES, item_sizes),
    QUERY(CL_DEVICE_MAX_WORK_GROUP_SIZE, group_size),
    QUERY(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, non_uniform_groups),
    QUERY(CL_DEVICE_MAX_NUM_SUB_GROUPS, sub_groups),
    QUERY(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sub_groups),
    QUERY(CL_DEVICE_SUB_GROUP_SIZES_INTEL, sub_group_sizes),
    QUERY(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, independent_sub_groups),
    VECTORS(CHAR, "char"),
    VECTORS(SHORT, "short"),
    VECTORS(INT, "int"),
    VECTORS(LONG, "long"),
    VECTORS(FLOAT, "float"),
    VECTORS(DOUBLE, "double"),
    VECTORS(HALF, "half"),
    QUERY(CL_DEVICE_MAX_CLOCK_FREQUENCY,
          [](Fixture& f) {
              CHECK(answer<cl_uint>(f, CL_DEVICE_MAX_CLOCK_FREQUENCY) < 20000);  // MHz; 0: nobody knows
          }),
};

}  // namespace

std::span<const Query> launch_queries() { return kRows; }

}  // namespace caldera::driver_test
