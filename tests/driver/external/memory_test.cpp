// SPDX-License-Identifier: Apache-2.0
// cl_khr_external_memory: buffers and images on the memory of a Vulkan program.
#include <sys/mman.h>

#include <numeric>

#include "tests/driver/external/external.h"

namespace caldera::driver_test {
namespace {

constexpr size_t kCount = 4096, kSize = kCount * sizeof(cl_uint);

const char* const kAdd = "kernel void add(global uint *a, uint n) { a[get_global_id(0)] += n; }";

std::vector<cl_uint> counted(cl_uint from) {
    std::vector<cl_uint> words(kCount);
    std::iota(words.begin(), words.end(), from);
    return words;
}

/// Calls a test for each type of handles that both sides have.
template <class Test>
void for_each_type(Test&& test) {
    Fixture f;
    VulkanPeer peer(f.the_device);
    for (const auto& handle : kMemoryTypes) {
        const bool imports = lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, handle.type);
        CHECK(imports == has_extension(f, handle.extension));
        if (!imports || !peer.exports(handle.bit)) continue;
        INFO(handle.extension);
        test(f, peer, handle);
    }
}

}  // namespace

TEST_CASE("a buffer is the memory of a Vulkan program, which sees what kernels, copies and maps do") {
    for_each_type([](Fixture& f, VulkanPeer& peer, const auto& handle) {
        const ExternalMemory external;
        const VulkanPeer::Shared shared = peer.make_buffer(kSize, handle.bit);
        peer.write(shared, counted(5));
        const int descriptor = peer.descriptor(shared, handle.bit);
        cl_int code = 1;
        const std::vector<cl_mem_properties> properties = {handle.type, property_of(descriptor), 0};
        cl_mem memory = import_buffer(f, properties, kSize, code);
        REQUIRE(code == CL_SUCCESS);
        CHECK(!is_open(descriptor));  // it is the driver's
        CHECK(list<cl_mem_properties>(clGetMemObjectInfo, memory, CL_MEM_PROPERTIES) == properties);
        CHECK(info<size_t>(clGetMemObjectInfo, memory, CL_MEM_SIZE) == kSize);

        REQUIRE(external.acquire_in(f.queue, memory) == CL_SUCCESS);
        CHECK(f.read<cl_uint>(memory, kCount) == counted(5));
        cl_kernel kernel = f.make_kernel(kAdd, "add");
        REQUIRE(set(kernel, 0, memory) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, cl_uint{10}) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, kCount) == CL_SUCCESS);
        CHECK(f.read<cl_uint>(memory, kCount) == counted(15));
        // The second half as a sub-buffer.
        const cl_buffer_region half{kSize / 2, kSize / 2};
        cl_mem part = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
        REQUIRE(code == CL_SUCCESS);
        f.buffers.push_back(part);
        REQUIRE(set(kernel, 0, part) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, kCount / 2) == CL_SUCCESS);
        // A copy within, a fill, and a map.
        const cl_uint word = 77;
        REQUIRE(clEnqueueFillBuffer(f.queue, memory, &word, 4, 0, 16, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clEnqueueCopyBuffer(f.queue, memory, memory, 0, 64, 16, 0, nullptr, nullptr) == CL_SUCCESS);
        auto* mapped = static_cast<cl_uint*>(clEnqueueMapBuffer(
            f.queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 32, 16, 0, nullptr, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(mapped[0] == 15 + 8);
        mapped[0] = 99;
        REQUIRE(clEnqueueUnmapMemObject(f.queue, memory, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(external.release_in(f.queue, memory) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);

        std::vector<cl_uint> expected = counted(15);
        for (size_t i = kCount / 2; i < kCount; ++i) expected[i] += 10;
        for (size_t i = 0; i < 4; ++i) expected[i] = expected[16 + i] = 77;
        expected[8] = 99;
        CHECK(peer.read(shared, kCount) == expected);
    });
}

TEST_CASE("a buffer is a dma_buf, or what the device takes for one") {
    Fixture f;
    if (!lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR))
        return;
    const ExternalMemory external;
    // Mesa's lavapipe takes the file itself, of which /dev/udmabuf would make a dma_buf.
    const int file = ::memfd_create("words", 0);
    REQUIRE(file >= 0);
    REQUIRE(::ftruncate(file, kSize) == 0);
    auto* words = static_cast<cl_uint*>(::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    REQUIRE(words != MAP_FAILED);
    for (cl_uint i = 0; i < kCount; ++i) words[i] = i;
    cl_int code = 1;
    cl_mem memory =
        import_buffer(f, {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, property_of(file), 0}, kSize, code);
    CHECK(is_open(file) == (memory == nullptr));
    if (memory) {
        cl_kernel kernel = f.make_kernel(kAdd, "add");
        REQUIRE(set(kernel, 0, memory) == CL_SUCCESS);
        REQUIRE(set(kernel, 1, cl_uint{10}) == CL_SUCCESS);
        REQUIRE(external.acquire_in(f.queue, memory) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, kCount) == CL_SUCCESS);
        CHECK(f.read<cl_uint>(memory, kCount) == counted(10));
        REQUIRE(external.release_in(f.queue, memory) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        CHECK(std::vector<cl_uint>(words, words + kCount) == counted(10));
    } else {
        CHECK((code == CL_INVALID_VALUE || code == CL_MEM_OBJECT_ALLOCATION_FAILURE));
        ::close(file);
    }
    ::munmap(words, kSize);
    // One that is too small.
    const int small = ::memfd_create("page", 0);
    REQUIRE(::ftruncate(small, 4096) == 0);
    CHECK(import_buffer(f, {CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, property_of(small), 0}, kSize, code) ==
          nullptr);
    CHECK((code == CL_INVALID_VALUE || code == CL_MEM_OBJECT_ALLOCATION_FAILURE));
    CHECK(is_open(small));
    ::close(small);
}

TEST_CASE("one memory is imported several times, in several contexts") {
    for_each_type([](Fixture& f, VulkanPeer& peer, const auto& handle) {
        Fixture other;
        const ExternalMemory external;
        const VulkanPeer::Shared shared = peer.make_buffer(kSize, handle.bit);
        peer.write(shared, counted(0));
        cl_int code = 1;
        const cl_mem_properties device = reinterpret_cast<cl_mem_properties>(f.the_device);
        const auto import = [&](Fixture& into) {
            cl_mem made =
                import_buffer(into,
                              {CL_MEM_DEVICE_HANDLE_LIST_KHR, device, CL_MEM_DEVICE_HANDLE_LIST_END_KHR,
                               handle.type, property_of(peer.descriptor(shared, handle.bit)), 0},
                              kSize, code);
            REQUIRE(code == CL_SUCCESS);
            return made;
        };
        cl_mem first = import(f), second = import(f), third = import(other);
        const cl_mem both[] = {first, second};
        REQUIRE(external.acquire(f.queue, 2, both, 0, nullptr, nullptr) == CL_SUCCESS);
        const cl_uint word = 3;
        REQUIRE(clEnqueueFillBuffer(f.queue, first, &word, 4, 0, kSize, 0, nullptr, nullptr) == CL_SUCCESS);
        CHECK(f.read<cl_uint>(second, kCount) == std::vector<cl_uint>(kCount, 3));
        REQUIRE(external.release(f.queue, 2, both, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        REQUIRE(external.acquire_in(other.queue, third) == CL_SUCCESS);
        CHECK(other.read<cl_uint>(third, kCount) == std::vector<cl_uint>(kCount, 3));
        REQUIRE(external.release_in(other.queue, third) == CL_SUCCESS);
    });
}

TEST_CASE("an image is the memory of a Vulkan program, with rows where the descriptor says") {
    for_each_type([](Fixture& f, VulkanPeer& peer, const auto& handle) {
        const ExternalMemory external;
        constexpr size_t kWidth = 20, kHeight = 9, kPitchWords = 32;
        const VulkanPeer::Shared shared = peer.make_buffer(kSize, handle.bit);
        peer.write(shared, counted(0));
        const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
        cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                           .image_width = kWidth,
                           .image_height = kHeight,
                           .image_row_pitch = 4 * kPitchWords};
        const int descriptor = peer.descriptor(shared, handle.bit);
        const cl_mem_properties properties[] = {handle.type, property_of(descriptor), 0};
        cl_int code = 1;
        cl_mem image = clCreateImageWithProperties(f.context, properties, 0, &format, &desc, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        f.buffers.push_back(image);
        CHECK(!is_open(descriptor));
        CHECK(info<size_t>(clGetImageInfo, image, CL_IMAGE_ROW_PITCH) == 4 * kPitchWords);
        REQUIRE(external.acquire_in(f.queue, image) == CL_SUCCESS);
        cl_kernel kernel = f.make_kernel(
            "kernel void next(read_write image2d_t i) {"
            "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
            "  write_imageui(i, at, read_imageui(i, at) + 1000);"
            "}",
            "next", "-cl-std=CL3.0");
        REQUIRE(set(kernel, 0, image) == CL_SUCCESS);
        REQUIRE(launch(f, kernel, {kWidth, kHeight, 1}, {1, 1, 1}) == CL_SUCCESS);
        const size_t origin[] = {0, 0, 0}, region[] = {kWidth, kHeight, 1};
        std::vector<cl_uint> texels(kWidth * kHeight);
        REQUIRE(clEnqueueReadImage(f.queue, image, CL_TRUE, origin, region, 0, 0, texels.data(), 0, nullptr,
                                   nullptr) == CL_SUCCESS);
        REQUIRE(external.release_in(f.queue, image) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        std::vector<cl_uint> expected = counted(0);
        for (cl_uint y = 0; y < kHeight; ++y)
            for (cl_uint x = 0; x < kWidth; ++x) {
                CHECK(texels[y * kWidth + x] == y * kPitchWords + x + 1000);
                expected[y * kPitchWords + x] += 1000;
            }
        CHECK(peer.read(shared, kCount) == expected);
        // Without a pitch, rows of a linear image follow each other. A pitch that is too small, or not of
        // whole texels, is none.
        const auto code_with = [&](size_t pitch) {
            desc.image_row_pitch = pitch;
            const int again = peer.descriptor(shared, handle.bit);
            const cl_mem_properties list_of[] = {handle.type, property_of(again), 0};
            cl_mem made = clCreateImageWithProperties(f.context, list_of, 0, &format, &desc, nullptr, &code);
            if (made) {
                CHECK(info<size_t>(clGetImageInfo, made, CL_IMAGE_ROW_PITCH) == kWidth * 4);
                CHECK(clReleaseMemObject(made) == CL_SUCCESS);
            } else {
                CHECK(is_open(again));
                ::close(again);
            }
            return code;
        };
        if (lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR, handle.type))
            CHECK(code_with(0) == CL_SUCCESS);
        CHECK(code_with(kWidth * 4 - 4) == CL_INVALID_IMAGE_DESCRIPTOR);
        CHECK(code_with(kWidth * 4 + 2) == CL_INVALID_IMAGE_DESCRIPTOR);
    });
}

TEST_CASE("what is not imported, and its descriptor stays the program's") {
    for_each_type([](Fixture& f, VulkanPeer& peer, const auto& handle) {
        const VulkanPeer::Shared shared = peer.make_buffer(kSize, handle.bit);
        const int descriptor = peer.descriptor(shared, handle.bit);
        const cl_mem_properties type = handle.type, fd = property_of(descriptor);
        const auto device = reinterpret_cast<cl_mem_properties>(f.the_device);
        std::vector<cl_uint> host(kCount);
        const auto declines = [&](cl_int expected, const std::vector<cl_mem_properties>& properties,
                                  size_t size = kSize, cl_mem_flags flags = 0, void* pointer = nullptr) {
            cl_int code = 1;
            CHECK(import_buffer(f, properties, size, code, flags, pointer) == nullptr);
            CHECK(code == expected);
            CHECK(is_open(descriptor));
        };
        declines(CL_INVALID_PROPERTY, {0x7777, 1, 0});
        declines(CL_INVALID_PROPERTY, {type, fd, type, fd, 0});
        declines(CL_INVALID_PROPERTY, {CL_MEM_DEVICE_HANDLE_LIST_KHR, device, 0, 0});
        declines(CL_INVALID_DEVICE, {type, fd, CL_MEM_DEVICE_HANDLE_LIST_KHR, 0, 0});
        declines(CL_INVALID_DEVICE, {type, fd, CL_MEM_DEVICE_HANDLE_LIST_KHR, 8, 0, 0});
        declines(CL_INVALID_BUFFER_SIZE, {type, fd, 0}, 0);
        declines(CL_INVALID_VALUE, {type, fd, 0}, kSize, CL_MEM_ALLOC_HOST_PTR);
        declines(CL_INVALID_VALUE, {type, fd, 0}, kSize, CL_MEM_COPY_HOST_PTR, host.data());
        declines(CL_INVALID_VALUE, {type, fd, 0}, kSize, CL_MEM_USE_HOST_PTR, host.data());
        declines(CL_INVALID_HOST_PTR, {type, fd, 0}, kSize, 0, host.data());
        declines(CL_INVALID_VALUE, {type, fd, 0}, kSize, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
        // No descriptor, and one of something else.
        declines(CL_INVALID_VALUE, {type, static_cast<cl_mem_properties>(-1), 0});
        declines(CL_INVALID_VALUE, {type, 1000000, 0});
        int ends[2] = {};
        REQUIRE(::pipe(ends) == 0);
        cl_int code = 1;
        CHECK(import_buffer(f, {type, property_of(ends[0]), 0}, kSize, code) == nullptr);
        CHECK((code == CL_INVALID_VALUE || code == CL_MEM_OBJECT_ALLOCATION_FAILURE));
        CHECK(is_open(ends[0]));
        ::close(ends[0]);
        ::close(ends[1]);
        // More bytes than there are.
        CHECK(import_buffer(f, {type, fd, 0}, 64 * kSize, code) == nullptr);
        CHECK((code == CL_INVALID_VALUE || code == CL_MEM_OBJECT_ALLOCATION_FAILURE));
        CHECK(is_open(descriptor));
        ::close(descriptor);
    });
}

TEST_CASE("what acquiring and releasing decline") {
    Fixture f, other;
    const ExternalMemory external;
    cl_mem plain = f.make_buffer(16), none = nullptr;
    cl_int code = 1;
    cl_event failed = clCreateUserEvent(f.context, &code);
    REQUIRE(clSetUserEventStatus(failed, -1) == CL_SUCCESS);
    int turn = 0;
    for (const auto& change : {external.acquire, external.release}) {
        CHECK(change(nullptr, 0, nullptr, 0, nullptr, nullptr) == CL_INVALID_COMMAND_QUEUE);
        CHECK(change(f.queue, 0, &plain, 0, nullptr, nullptr) == CL_INVALID_VALUE);
        CHECK(change(f.queue, 1, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
        CHECK(change(f.queue, 1, &plain, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
        CHECK(change(f.queue, 1, &none, 0, nullptr, nullptr) == CL_INVALID_MEM_OBJECT);
        CHECK(change(f.queue, 0, nullptr, 1, nullptr, nullptr) == CL_INVALID_EVENT_WAIT_LIST);
        CHECK(change(f.queue, 0, nullptr, 1, &failed, nullptr) ==
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        cl_event event = nullptr;
        REQUIRE(change(f.queue, 0, nullptr, 0, nullptr, &event) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
        CHECK(info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE) ==
              (turn++ == 0 ? CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR
                           : CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR));
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
    CHECK(clReleaseEvent(failed) == CL_SUCCESS);
    for_each_type([&](Fixture& of_memory, VulkanPeer& peer, const auto& handle) {
        const VulkanPeer::Shared shared = peer.make_buffer(kSize, handle.bit);
        cl_mem memory = import_buffer(
            of_memory, {handle.type, property_of(peer.descriptor(shared, handle.bit)), 0}, kSize, code);
        REQUIRE(code == CL_SUCCESS);
        CHECK(external.acquire_in(other.queue, memory) == CL_INVALID_CONTEXT);
    });
}

TEST_CASE("a device without handles of a type declines them") {
    Fixture f;
    for (const auto& handle : kMemoryTypes) {
        if (lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, handle.type)) continue;
        CHECK(!has_extension(f, handle.extension));
        cl_int code = 1;
        CHECK(import_buffer(f, {handle.type, 0, 0}, 64, code) == nullptr);
        CHECK(code == CL_INVALID_PROPERTY);
    }
    if (list_answer<cl_uint>(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR).empty())
        CHECK(!has_extension(f, "cl_khr_external_memory"));
}

}  // namespace caldera::driver_test
