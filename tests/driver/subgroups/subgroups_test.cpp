// SPDX-License-Identifier: Apache-2.0
// A device with several sizes of sub-groups: what kernels require is what their pipelines require, and what
// queries say.
#include <dlfcn.h>

#include <algorithm>

#include "tests/driver/fixture.h"
#include "tests/driver/subgroups/layer.h"

using namespace caldera::driver_test;
using namespace caldera::subgroups;

namespace {

Asked last_asked() {
    void* const library = dlopen(SUBGROUPS_LAYER, RTLD_NOW);
    REQUIRE(library);
    const auto* layer = static_cast<const Layer*>(dlsym(library, "caldera_subgroups_layer"));
    REQUIRE(layer);
    return layer->last();
}

/// Where there is one size, pipelines need not ask for it.
bool has_choice() { return sizes().smallest < sizes().largest; }

std::string requires_size(size_t size) {
    return size == 0 ? "" : "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) ";
}
/// Kernels that do and do not use their sub-groups.
std::string source_of(size_t size) {
    return requires_size(size) + "kernel void reduce(global int *a) { *a = sub_group_reduce_add(1); }\n" +
           requires_size(size) + "kernel void store(global int *a) { a[get_global_id(0)] = 1; }\n";
}

size_t sub_group_info(cl_kernel kernel, cl_kernel_sub_group_info name, size_t items) {
    size_t value = 0;
    CHECK(clGetKernelSubGroupInfo(kernel, device(), name, sizeof items, &items, sizeof value, &value,
                                  nullptr) == CL_SUCCESS);
    return value;
}

}  // namespace

TEST_CASE("each size that the device has is a kernel's that requires it") {
    Fixture f;
    size_t bytes = 0;
    REQUIRE(clGetDeviceInfo(f.the_device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &bytes) == CL_SUCCESS);
    std::vector<size_t> told(bytes / sizeof(size_t)), expected;
    REQUIRE(clGetDeviceInfo(f.the_device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, bytes, told.data(), nullptr) ==
            CL_SUCCESS);
    for (size_t size = sizes().smallest; size <= sizes().largest; size *= 2) expected.push_back(size);
    CHECK(told == expected);
    CHECK(
        (text(clGetDeviceInfo, f.the_device, CL_DEVICE_EXTENSIONS).find("cl_intel_required_subgroup_size") !=
         std::string::npos) == has_choice());
    if (has_choice())
        f.build("#ifndef cl_intel_required_subgroup_size\n#error no macro\n#endif\n", "-cl-std=CL1.2");
    const auto device_most = info<size_t>(clGetDeviceInfo, f.the_device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    cl_mem buffer = f.make_buffer(16 * device_most);
    for (const size_t size : told)
        for (const char* const name : {"reduce", "store"}) {
            CAPTURE(size);
            CAPTURE(std::string(name));
            cl_kernel kernel = f.make_kernel(source_of(size), name, "-cl-std=CL3.0");
            REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
            const size_t most = std::min(size * kMostOfRequiredSize, device_most), items = 2 * most;
            const size_t local = std::max<size_t>(64, size);
            REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &local, &local, 0, nullptr,
                                           nullptr) == CL_SUCCESS);
            CHECK(clFinish(f.queue) == CL_SUCCESS);
            CHECK(last_asked().size == (has_choice() ? size : 0));
            CHECK(last_asked().full == (std::string(name) == "reduce"));
            CHECK(sub_group_info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, local) == size);
            CHECK(sub_group_info(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local) == size);
            CHECK(sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local) == local / size);
            CHECK(sub_group_info(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, local) == most / size);
            CHECK(info<size_t>(clGetKernelWorkGroupInfo, kernel, f.the_device, CL_KERNEL_WORK_GROUP_SIZE) ==
                  most);
            CHECK(info<size_t>(clGetKernelWorkGroupInfo, kernel, f.the_device,
                               CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) == size);
            CHECK(info<cl_ulong>(clGetKernelWorkGroupInfo, kernel, f.the_device,
                                 CL_KERNEL_SPILL_MEM_SIZE_INTEL) == 0);
            const bool is_for_device = items <= device_most;
            CHECK(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr) ==
                  (is_for_device ? CL_INVALID_WORK_GROUP_SIZE : CL_INVALID_WORK_ITEM_SIZE));
            CHECK(run(f.queue, kernel, items) == CL_SUCCESS);  // the driver chooses a local size that fits
            CHECK(clFinish(f.queue) == CL_SUCCESS);
        }
}

TEST_CASE("a larger size than the device has is made of local memory, in any sub-groups of the device") {
    constexpr size_t kMostEmulated = 64;
    const size_t size = 2 * sizes().largest;
    if (size > kMostEmulated) return;
    Fixture f;
    cl_mem buffer = f.make_buffer(4096);
    cl_kernel kernel = f.make_kernel(source_of(size), "reduce", "-cl-std=CL3.0");
    REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
    const size_t local = 128;
    REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &local, &local, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(last_asked().size == 0);
    CHECK(sub_group_info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, local) == size);
    CHECK(sub_group_info(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local) == size);
    CHECK(sub_group_info(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local) == local / size);
}

TEST_CASE("what requires no size has the usual one") {
    Fixture f;
    cl_mem buffer = f.make_buffer(4096);
    cl_program program = f.build(source_of(0), "-cl-std=CL3.0");
    for (const bool uses : {true, false}) {
        cl_kernel kernel = f.make_kernel(program, uses ? "reduce" : "store");
        REQUIRE(set(kernel, 0, buffer) == CL_SUCCESS);
        const size_t local = std::max(64u, sizes().largest);
        REQUIRE(clEnqueueNDRangeKernel(f.queue, kernel, 1, nullptr, &local, &local, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(last_asked().size ==
              (uses && has_choice() ? sub_group_info(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local)
                                    : 0));
        CHECK(last_asked().full == uses);
        CHECK(sub_group_info(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, local) == 0);
    }
}

TEST_CASE("a size that the device does not have is declined") {
    Fixture f;
    for (const size_t size : {sizes().smallest / 2, 12u, 4 * sizes().largest}) {
        cl_program program = f.source(source_of(size).c_str());
        CHECK(clBuildProgram(program, 1, &f.the_device, "-cl-std=CL3.0", nullptr, nullptr) ==
              CL_BUILD_PROGRAM_FAILURE);
        CHECK(text(clGetProgramBuildInfo, program, f.the_device, CL_PROGRAM_BUILD_LOG)
                  .find("the required sub-group size is " + std::to_string(size)) != std::string::npos);
    }
}
