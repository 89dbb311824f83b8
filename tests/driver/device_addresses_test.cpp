// SPDX-License-Identifier: Apache-2.0
// Device addresses of buffers (cl_ext_buffer_device_address): what programs are told, pointers as arguments
// and inside buffers, and buffers that only a pointer reaches.
#include <algorithm>
#include <numeric>

#include "tests/driver/fixture.h"
#include "vulkan/icd/extension_names.h"

using namespace caldera::driver_test;

namespace {

using Address = cl_mem_device_address_ext;

bool is_offered(cl_device_id device) {
    return text(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS).find("cl_ext_buffer_device_address") !=
           std::string::npos;
}
cl_int set_pointer(cl_kernel kernel, cl_uint index, Address address) {
    return extension_function<clSetKernelArgDevicePointerEXT_fn>("clSetKernelArgDevicePointerEXT")(
        kernel, index, address);
}
Address address_of(cl_mem buffer) {
    return info<Address>(clGetMemObjectInfo, buffer, CL_MEM_DEVICE_ADDRESS_EXT);
}
cl_mem make(Objects& f, size_t size, void* host_ptr = nullptr, cl_mem_flags flags = 0) {
    const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    if (host_ptr && !(flags & CL_MEM_USE_HOST_PTR)) flags |= CL_MEM_COPY_HOST_PTR;
    cl_int code = 1;
    f.buffers.push_back(clCreateBufferWithProperties(f.context, properties, flags, size, host_ptr, &code));
    REQUIRE(code == CL_SUCCESS);
    return f.buffers.back();
}
std::vector<cl_int> counted(size_t count, cl_int from = 0) {
    std::vector<cl_int> out(count);
    std::iota(out.begin(), out.end(), from);
    return out;
}

constexpr const char* kKernels = R"(
    kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }
    kernel void tell(global int *p, global ulong *out) { *out = (ulong)p; }
    kernel void sum(global const ulong *list, int count, global int *out) {
        int all = 0;
        for (int i = 0; i < count; ++i) all += *(global const int *)list[i];
        *out = all;
    }
    kernel void shapes(global int *p, local int *l, constant int *c, int n) { *p = *c + n; *l = n; })";

}  // namespace

TEST_CASE("cl_ext_buffer_device_address: the address is what kernels see") {
    Fixture f;
    if (!is_offered(f.the_device)) return;
    cl_program program = f.build(kKernels);
    cl_kernel tell = f.make_kernel(program, "tell"), add = f.make_kernel(program, "add");
    std::vector<cl_int> values = counted(64);
    cl_mem buffer = make(f, 64 * sizeof(cl_int), values.data());
    cl_mem out = f.make_buffer(sizeof(cl_ulong));
    const Address address = address_of(buffer);
    CHECK(address != 0);
    CHECK(address_of(make(f, 64)) != address);
    REQUIRE(set(tell, 0, buffer) == CL_SUCCESS);
    REQUIRE(set(tell, 1, out) == CL_SUCCESS);
    REQUIRE(run(f.queue, tell, 1) == CL_SUCCESS);
    CHECK(f.read<cl_ulong>(out, 1)[0] == address);
    const cl_buffer_region region = {128, 128};
    cl_int code = 1;
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.insert(f.buffers.begin(), part);
    CHECK(address_of(part) == address + 128);

    // A pointer into the middle, then a buffer, then a pointer again.
    REQUIRE(set_pointer(add, 0, address + 16 * sizeof(cl_int)) == CL_SUCCESS);
    REQUIRE(set(add, 1, 100) == CL_SUCCESS);
    REQUIRE(run(f.queue, add, 8) == CL_SUCCESS);
    REQUIRE(set(add, 0, part) == CL_SUCCESS);
    REQUIRE(run(f.queue, add, 4) == CL_SUCCESS);
    REQUIRE(set_pointer(add, 0, address + 4) == CL_SUCCESS);
    REQUIRE(run(f.queue, add, 1) == CL_SUCCESS);
    for (size_t i = 16; i < 24; ++i) values[i] += 100;
    for (size_t i = 32; i < 36; ++i) values[i] += 100;
    values[1] += 100;
    CHECK(f.read<cl_int>(buffer, 64) == values);
}

TEST_CASE("cl_ext_buffer_device_address: pointers inside buffers") {
    Fixture f;
    if (!is_offered(f.the_device)) return;
    cl_kernel sum = f.make_kernel(kKernels, "sum");
    std::vector<cl_int> values = {1, 20, 300};
    std::vector<cl_ulong> list;
    for (cl_int& value : values) list.push_back(address_of(make(f, sizeof value, &value)));
    cl_mem pointers = f.make_buffer(list.size() * sizeof(cl_ulong), list.data());
    cl_mem out = f.make_buffer(sizeof(cl_int));
    REQUIRE(set(sum, 0, pointers) == CL_SUCCESS);
    REQUIRE(set(sum, 1, 3) == CL_SUCCESS);
    REQUIRE(set(sum, 2, out) == CL_SUCCESS);
    REQUIRE(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, list.size() * sizeof(cl_ulong),
                                list.data()) == CL_SUCCESS);
    REQUIRE(run(f.queue, sum, 1) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == 321);
}

TEST_CASE("cl_ext_buffer_device_address: a command keeps the buffer to which it has a pointer") {
    Fixture f(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    if (!is_offered(f.the_device)) return;
    cl_program program = f.build(kKernels);
    cl_kernel add = f.make_kernel(program, "add"), sum = f.make_kernel(program, "sum");
    cl_int ten = 10, thousand = 1000;
    cl_mem by_argument = make(f, sizeof ten, &ten), inside = make(f, sizeof thousand, &thousand);
    const std::vector<cl_ulong> list = {address_of(by_argument), address_of(inside)};
    cl_mem pointers = f.make_buffer(sizeof(cl_ulong) * 2, const_cast<cl_ulong*>(list.data()));
    cl_mem out = f.make_buffer(sizeof(cl_int));
    cl_event user = clCreateUserEvent(f.context, nullptr);
    cl_event added = nullptr;
    const size_t one = 1;
    REQUIRE(set_pointer(add, 0, list[0]) == CL_SUCCESS);
    REQUIRE(set(add, 1, 1) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(f.queue, add, 1, nullptr, &one, nullptr, 1, &user, &added) == CL_SUCCESS);
    REQUIRE(set(sum, 0, pointers) == CL_SUCCESS);
    REQUIRE(set(sum, 1, 2) == CL_SUCCESS);
    REQUIRE(set(sum, 2, out) == CL_SUCCESS);
    REQUIRE(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 16, list.data()) == CL_SUCCESS);
    cl_event summed = nullptr;
    REQUIRE(clEnqueueNDRangeKernel(f.queue, sum, 1, nullptr, &one, nullptr, 1, &added, &summed) ==
            CL_SUCCESS);
    for (cl_mem gone : {by_argument, inside}) {
        CHECK(clReleaseMemObject(gone) == CL_SUCCESS);
        std::erase(f.buffers, gone);
    }
    std::vector<cl_int> other(4096, -1);  // takes freed memory, if there is any
    for (int i = 0; i < 8; ++i) f.make_buffer(other.size() * sizeof(cl_int), other.data());
    CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &summed) == CL_SUCCESS);
    CHECK(f.read<cl_int>(out, 1)[0] == 1011);
    for (cl_event event : {user, added, summed}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("cl_ext_buffer_device_address: a buffer on shared memory has its address") {
    Fixture f;
    if (!is_offered(f.the_device)) return;
    void* shared = clSVMAlloc(f.context, CL_MEM_READ_WRITE, 4096, 0);
    if (!shared) return;
    cl_mem buffer = make(f, 1024, static_cast<char*>(shared) + 256, CL_MEM_USE_HOST_PTR);
    CHECK(address_of(buffer) == reinterpret_cast<Address>(shared) + 256);
    CHECK(clReleaseMemObject(f.buffers.back()) == CL_SUCCESS);
    f.buffers.pop_back();
    clSVMFree(f.context, shared);
}

TEST_CASE("cl_ext_buffer_device_address: errors") {
    Fixture f;
    if (!is_offered(f.the_device)) return;
    cl_int code = 1;
    const auto create = [&](std::vector<cl_mem_properties> properties) {
        cl_mem made = clCreateBufferWithProperties(f.context, properties.data(), 0, 16, nullptr, &code);
        if (made) clReleaseMemObject(made);
        return code;
    };
    constexpr cl_mem_properties kName = CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT;
    CHECK(create({kName, CL_FALSE, 0}) == CL_SUCCESS);
    CHECK(create({kName, 2, 0}) == CL_INVALID_PROPERTY);
    CHECK(create({kName, CL_TRUE, kName, CL_TRUE, 0}) == CL_INVALID_PROPERTY);
    CHECK(create({kName, CL_TRUE, 0x1234, 1, 0}) == CL_INVALID_PROPERTY);
    cl_mem buffer = make(f, 16);
    const std::vector<cl_mem_properties> given = {kName, CL_TRUE, 0};
    std::vector<cl_mem_properties> told(3);
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, 24, told.data(), nullptr) == CL_SUCCESS);
    CHECK(told == given);
    Address address = 0;
    size_t size = 0;
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_DEVICE_ADDRESS_EXT, 7, &address, nullptr) == CL_INVALID_VALUE);
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_DEVICE_ADDRESS_EXT, 0, nullptr, &size) == CL_SUCCESS);
    CHECK(size == sizeof address);
    const cl_mem_properties not_wanted[] = {kName, CL_FALSE, 0};
    f.buffers.push_back(clCreateBufferWithProperties(f.context, not_wanted, 0, 16, nullptr, &code));
    for (cl_mem plain : {f.make_buffer(16), f.buffers.back()})
        CHECK(clGetMemObjectInfo(plain, CL_MEM_DEVICE_ADDRESS_EXT, 8, &address, nullptr) ==
              CL_INVALID_OPERATION);
    // Images are not buffers.
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc = {};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 4;
    CHECK(clCreateImageWithProperties(f.context, given.data(), 0, &format, &desc, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_PROPERTY);

    cl_kernel kernel = f.make_kernel(kKernels, "shapes");
    CHECK(set_pointer(nullptr, 0, 0) == CL_INVALID_KERNEL);
    CHECK(set_pointer(kernel, 1, 0x1000) == CL_INVALID_ARG_INDEX);
    CHECK(set_pointer(kernel, 2, 0x1000) == CL_INVALID_ARG_INDEX);
    CHECK(set_pointer(kernel, 3, 0x1000) == CL_INVALID_ARG_INDEX);
    CHECK(set_pointer(kernel, 4, 0x1000) == CL_INVALID_ARG_INDEX);
    CHECK(set_pointer(kernel, 0, 0) == CL_SUCCESS);
    CHECK(set_pointer(kernel, 0, 0x15465) == CL_SUCCESS);  // until it is used

    const Address pointers[] = {0, 1, address_of(buffer)};
    const auto tell = [&](size_t bytes, const void* value) {
        return clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, bytes, value);
    };
    CHECK(tell(sizeof pointers, pointers) == CL_SUCCESS);
    CHECK(tell(0, nullptr) == CL_SUCCESS);
    CHECK(tell(0, pointers) == CL_INVALID_VALUE);
    CHECK(tell(9, pointers) == CL_INVALID_VALUE);
    CHECK(tell(8, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("cl_ext_buffer_device_address: a device without addresses says so") {
    Fixture f;
    if (is_offered(f.the_device)) return;
    const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_int code = 1;
    CHECK(clCreateBufferWithProperties(f.context, properties, 0, 16, nullptr, &code) == nullptr);
    CHECK(code == CL_INVALID_OPERATION);
    Address address = 0;
    CHECK(clGetMemObjectInfo(f.make_buffer(16), CL_MEM_DEVICE_ADDRESS_EXT, 8, &address, nullptr) ==
          CL_INVALID_OPERATION);
    cl_kernel kernel = f.make_kernel("kernel void k(global int *p) { *p = 1; }", "k");
    CHECK(set_pointer(kernel, 0, 0) == CL_INVALID_OPERATION);
    CHECK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 8, &address) ==
          CL_INVALID_OPERATION);
}
