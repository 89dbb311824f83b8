// SPDX-License-Identifier: Apache-2.0
// cl_khr_external_memory_opaque_fd: images of a Vulkan program whose tiling is optimal.
#include <string>

#include "tests/driver/devices.h"
#include "tests/driver/external/external.h"

namespace caldera::driver_test {
namespace {

constexpr auto kHandle = kMemoryTypes[0];
using Bytes = std::vector<cl_uchar>;

struct Shape {
    cl_mem_object_type type;
    VkImageType vulkan;
    const char* name;  ///< of the kernel's type
    const char* at;    ///< from three numbers
    std::array<cl_uint, 3> extent;

    bool is_2d_array() const { return type == CL_MEM_OBJECT_IMAGE2D_ARRAY; }
    bool is_1d_array() const { return type == CL_MEM_OBJECT_IMAGE1D_ARRAY; }
    size_t texels() const { return size_t{extent[0]} * extent[1] * extent[2]; }
    cl_image_desc desc() const {
        return {.image_type = type,
                .image_width = extent[0],
                .image_height = is_1d_array() ? 0 : extent[1],
                .image_depth = is_2d_array() ? 0 : extent[2],
                .image_array_size = is_1d_array() ? extent[1] : extent[2]};
    }
    VkExtent3D vulkan_extent() const {
        return {extent[0], is_1d_array() ? 1 : extent[1], is_2d_array() ? 1 : extent[2]};
    }
    cl_uint layers() const { return is_1d_array() ? extent[1] : is_2d_array() ? extent[2] : 1; }
};
constexpr Shape kShapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, VK_IMAGE_TYPE_1D, "image1d_t", "x", {37, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, VK_IMAGE_TYPE_1D, "image1d_array_t", "(int2)(x, y)", {19, 5, 1}},
    {CL_MEM_OBJECT_IMAGE2D, VK_IMAGE_TYPE_2D, "image2d_t", "(int2)(x, y)", {67, 35, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, VK_IMAGE_TYPE_2D, "image2d_array_t", "(int4)(x, y, z, 0)", {21, 13, 6}},
    {CL_MEM_OBJECT_IMAGE3D, VK_IMAGE_TYPE_3D, "image3d_t", "(int4)(x, y, z, 0)", {17, 9, 7}}};
constexpr const Shape& k2d = kShapes[2];

struct Format {
    cl_image_format format;
    VkFormat vulkan;
    const char* numbers;  ///< the suffix of read_image
    size_t texel_bytes;
};
constexpr Format kFormats[] = {{{CL_RGBA, CL_UNORM_INT8}, VK_FORMAT_R8G8B8A8_UNORM, "f", 4},
                               {{CL_BGRA, CL_UNORM_INT8}, VK_FORMAT_B8G8R8A8_UNORM, "f", 4},
                               {{CL_RGBA, CL_SNORM_INT8}, VK_FORMAT_R8G8B8A8_SNORM, "f", 4},
                               {{CL_R, CL_UNORM_INT8}, VK_FORMAT_R8_UNORM, "f", 1},
                               {{CL_RG, CL_UNORM_INT16}, VK_FORMAT_R16G16_UNORM, "f", 4},
                               {{CL_R, CL_FLOAT}, VK_FORMAT_R32_SFLOAT, "f", 4},
                               {{CL_RGBA, CL_FLOAT}, VK_FORMAT_R32G32B32A32_SFLOAT, "f", 16},
                               {{CL_RGBA, CL_HALF_FLOAT}, VK_FORMAT_R16G16B16A16_SFLOAT, "f", 8},
                               {{CL_R, CL_UNSIGNED_INT32}, VK_FORMAT_R32_UINT, "ui", 4},
                               {{CL_RGBA, CL_UNSIGNED_INT8}, VK_FORMAT_R8G8B8A8_UINT, "ui", 4},
                               {{CL_RGBA, CL_SIGNED_INT32}, VK_FORMAT_R32G32B32A32_SINT, "i", 16}};
constexpr const Format& kRgba8 = kFormats[0];
/// Devices seldom write such texels: the images have another usage.
constexpr Format kSrgba8{{CL_sRGBA, CL_UNORM_INT8}, VK_FORMAT_R8G8B8A8_SRGB, "f", 4};

/// Texels whose bytes are all of 4 to 120: each is a normal number of its format, and no two neighbours are
/// the same.
Bytes texels_of(const Shape& shape, const Format& format, size_t first) {
    Bytes bytes(shape.texels() * format.texel_bytes);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<cl_uchar>(4 + (first + 5 * i) % 117);
    return bytes;
}

/// Writes the texels of one image to another one, the last ones first.
std::string turning_kernel(const Shape& shape, const Format& format) {
    const std::string name = shape.name, at = shape.at, numbers = format.numbers;
    return "kernel void turn(read_only " + name + " from, write_only " + name +
           " to, int3 last) {"
           "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);"
           "  const " +
           (numbers == "f"   ? "float4"
            : numbers == "i" ? "int4"
                             : "uint4") +
           " texel = read_image" + numbers + "(from, " + at +
           ");"
           "  x = last.x - x, y = last.y - y, z = last.z - z;"
           "  write_image" +
           numbers + "(to, " + at + ", texel); }";
}
Bytes turned(const Bytes& bytes, size_t texel_bytes) {
    Bytes out(bytes.size());
    for (size_t at = 0; at < bytes.size(); at += texel_bytes)
        std::copy_n(bytes.data() + at, texel_bytes, out.data() + bytes.size() - at - texel_bytes);
    return out;
}

bool imports_optimal(const Fixture& f) {
    return lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, kHandle.type) &&
           !lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR, kHandle.type);
}

cl_mem import_image(Fixture& f, const cl_image_format& format, const cl_image_desc& desc, int descriptor,
                    cl_int& code, cl_mem_flags flags = 0) {
    const cl_mem_properties properties[] = {kHandle.type, property_of(descriptor), 0};
    cl_mem made = clCreateImageWithProperties(f.context, properties, flags, &format, &desc, nullptr, &code);
    if (made) f.buffers.push_back(made);
    return made;
}

/// An image of Vulkan and what OpenCL makes of it.
struct Pair {
    VulkanPeer::SharedImage vulkan = {};
    cl_mem image = nullptr;
};
Pair make_pair(Fixture& f, VulkanPeer& peer, const Shape& shape, const Format& format) {
    Pair pair{.vulkan = peer.make_image(format.vulkan, shape.vulkan, shape.vulkan_extent(), shape.layers(),
                                        kHandle.bit)};
    const int descriptor = peer.descriptor(pair.vulkan, kHandle.bit);
    cl_int code = 1;
    pair.image = import_image(f, format.format, shape.desc(), descriptor, code);
    REQUIRE(code == CL_SUCCESS);
    CHECK(!is_open(descriptor));  // it is the driver's
    return pair;
}

Bytes read_all(const Fixture& f, cl_mem image, const Shape& shape, const Format& format) {
    const size_t origin[3] = {}, region[3] = {shape.extent[0], shape.extent[1], shape.extent[2]};
    Bytes bytes(shape.texels() * format.texel_bytes);
    REQUIRE(clEnqueueReadImage(f.queue, image, CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr,
                               nullptr) == CL_SUCCESS);
    return bytes;
}

/// A Vulkan program writes one image, a kernel another one from it, and both get them back, twice.
void check_turning(Fixture& f, VulkanPeer& peer, const Shape& shape, const Format& format) {
    INFO(shape.name, " of VkFormat ", int{format.vulkan});
    if (!peer.exports_images(format.vulkan, shape.vulkan, kHandle.bit)) return;
    const ExternalMemory external;
    const Pair from = make_pair(f, peer, shape, format), to = make_pair(f, peer, shape, format);
    const cl_mem both[] = {from.image, to.image};
    cl_kernel kernel = f.make_kernel(turning_kernel(shape, format).c_str(), "turn", "-cl-std=CL3.0");
    REQUIRE(set(kernel, 0, from.image) == CL_SUCCESS);
    REQUIRE(set(kernel, 1, to.image) == CL_SUCCESS);
    const auto [x, y, z] = shape.extent;
    REQUIRE(set(kernel, 2, cl_int4{{int(x) - 1, int(y) - 1, int(z) - 1, 0}}) == CL_SUCCESS);
    peer.write(to.vulkan, texels_of(shape, format, 3));
    for (const size_t first : {0, 11}) {
        const Bytes texels = texels_of(shape, format, first);
        peer.write(from.vulkan, texels);
        REQUIRE(external.acquire(f.queue, 2, both, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(launch(f, kernel, {x, y, z}, {1, 1, 1}) == CL_SUCCESS);
        CHECK(read_all(f, from.image, shape, format) == texels);
        REQUIRE(external.release(f.queue, 2, both, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        CHECK(peer.read(to.vulkan, texels.size()) == turned(texels, format.texel_bytes));
        CHECK(peer.read(from.vulkan, texels.size()) == texels);
        peer.write(to.vulkan, texels);
    }
}

}  // namespace

TEST_CASE("images without a pitch are optimal where the device imports such images") {
    Fixture f;
    if (!lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, kHandle.type)) return;
    const VulkanPeer peer(f.the_device);
    const VkExternalMemoryFeatureFlags shares = peer.image_sharing(kRgba8.vulkan, k2d.vulkan, kHandle.bit);
    CHECK(imports_optimal(f) == bool(shares & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT));
}

TEST_CASE("kernels read and write images of Vulkan in each shape and format") {
    Fixture f;
    if (!imports_optimal(f)) return;
    VulkanPeer peer(f.the_device);
    for (const Shape& shape : kShapes) check_turning(f, peer, shape, kRgba8);
    for (const Format& format : kFormats) check_turning(f, peer, k2d, format);
}

TEST_CASE("commands read and write images of Vulkan") {
    Fixture f;
    if (!imports_optimal(f)) return;
    VulkanPeer peer(f.the_device);
    const ExternalMemory external;
    for (const Shape& shape : kShapes) {
        INFO(shape.name);
        if (!peer.exports_images(kRgba8.vulkan, shape.vulkan, kHandle.bit)) continue;
        const Pair pair = make_pair(f, peer, shape, kRgba8);
        CHECK(info<size_t>(clGetImageInfo, pair.image, CL_IMAGE_ROW_PITCH) == 4 * shape.extent[0]);
        Bytes expected = texels_of(shape, kRgba8, 40);
        peer.write(pair.vulkan, expected);
        REQUIRE(external.acquire_in(f.queue, pair.image) == CL_SUCCESS);
        // Texel 1 is written, 2 is a copy of it, 4 is filled, and 6 is written by a map.
        const auto texel = [](size_t x) { return std::array<size_t, 3>{x, 0, 0}; };
        const size_t one[] = {1, 1, 1};
        const std::array<cl_uchar, 4> written = {201, 202, 203, 204};
        REQUIRE(clEnqueueWriteImage(f.queue, pair.image, CL_TRUE, texel(1).data(), one, 0, 0, written.data(),
                                    0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(clEnqueueCopyImage(f.queue, pair.image, pair.image, texel(1).data(), texel(2).data(), one, 0,
                                   nullptr, nullptr) == CL_SUCCESS);
        const cl_float4 color = {{1, 0, 1, 0}};
        REQUIRE(clEnqueueFillImage(f.queue, pair.image, &color, texel(4).data(), one, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        size_t row_pitch = 0, slice_pitch = 0;
        cl_int code = 1;
        auto* mapped = static_cast<cl_uchar*>(
            clEnqueueMapImage(f.queue, pair.image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, texel(6).data(), one,
                              &row_pitch, &slice_pitch, 0, nullptr, nullptr, &code));
        REQUIRE(code == CL_SUCCESS);
        CHECK(std::equal(mapped, mapped + 4, expected.data() + 24));
        std::copy_n(written.data(), 4, mapped);
        REQUIRE(clEnqueueUnmapMemObject(f.queue, pair.image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
        REQUIRE(external.release_in(f.queue, pair.image) == CL_SUCCESS);
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        for (const size_t at : {1, 2, 6}) std::copy_n(written.data(), 4, expected.data() + 4 * at);
        for (const size_t at : {16, 18}) expected[at] = 255;
        for (const size_t at : {17, 19}) expected[at] = 0;
        CHECK(peer.read(pair.vulkan, expected.size()) == expected);
    }
}

TEST_CASE("images of Vulkan whose texels are in sRGB, and events that order commands on them") {
    Fixture f;
    if (!imports_optimal(f)) return;
    VulkanPeer peer(f.the_device);
    if (!peer.exports_images(kSrgba8.vulkan, k2d.vulkan, kHandle.bit)) return;
    const ExternalMemory external;
    const Pair pair = make_pair(f, peer, k2d, kSrgba8);
    const Bytes before = texels_of(k2d, kSrgba8, 0), after = texels_of(k2d, kSrgba8, 60);
    peer.write(pair.vulkan, before);
    cl_int code = 1;
    const cl_queue_properties unordered[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(f.context, f.the_device, unordered, &code);
    REQUIRE(code == CL_SUCCESS);
    std::array<cl_event, 4> events = {};
    REQUIRE(external.acquire(queue, 1, &pair.image, 0, nullptr, &events[0]) == CL_SUCCESS);
    const size_t origin[3] = {}, region[3] = {k2d.extent[0], k2d.extent[1], 1};
    Bytes read(before.size());
    REQUIRE(clEnqueueReadImage(queue, pair.image, CL_FALSE, origin, region, 0, 0, read.data(), 1, &events[0],
                               &events[1]) == CL_SUCCESS);
    REQUIRE(clEnqueueWriteImage(queue, pair.image, CL_FALSE, origin, region, 0, 0, after.data(), 1,
                                &events[1], &events[2]) == CL_SUCCESS);
    REQUIRE(external.release(queue, 1, &pair.image, 1, &events[2], &events[3]) == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &events[3]) == CL_SUCCESS);
    CHECK(read == before);
    CHECK(peer.read(pair.vulkan, after.size()) == after);
    for (cl_event each : events) CHECK(clReleaseEvent(each) == CL_SUCCESS);
    CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
}

TEST_CASE("an image of Vulkan on one of several devices, of which another one writes to it") {
    Devices f;
    if (!f.are_several()) return;
    Fixture of_device;
    if (!imports_optimal(of_device)) return;
    VulkanPeer peer(f.devices[0]);
    if (!peer.exports_images(kRgba8.vulkan, k2d.vulkan, kHandle.bit)) return;
    const ExternalMemory external;
    const VulkanPeer::SharedImage shared =
        peer.make_image(kRgba8.vulkan, k2d.vulkan, k2d.vulkan_extent(), 1, kHandle.bit);
    Bytes expected = texels_of(k2d, kRgba8, 7);
    peer.write(shared, expected);
    const cl_mem_properties properties[] = {CL_MEM_DEVICE_HANDLE_LIST_KHR,
                                            reinterpret_cast<cl_mem_properties>(f.devices[0]),
                                            CL_MEM_DEVICE_HANDLE_LIST_END_KHR,
                                            kHandle.type,
                                            property_of(peer.descriptor(shared, kHandle.bit)),
                                            0};
    cl_int code = 1;
    const cl_image_desc desc = k2d.desc();
    cl_mem image =
        clCreateImageWithProperties(f.context, properties, 0, &kRgba8.format, &desc, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    f.buffers.push_back(image);
    CHECK(external.acquire_in(f.queues[1], image) == CL_INVALID_COMMAND_QUEUE);
    REQUIRE(external.acquire_in(f.queues[0], image) == CL_SUCCESS);
    const size_t origin[3] = {}, one[3] = {1, 1, 1};
    const cl_float4 color = {{1, 0, 1, 0}};
    REQUIRE(clEnqueueFillImage(f.queues[1], image, &color, origin, one, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(f.queues[1]) == CL_SUCCESS);
    REQUIRE(external.release_in(f.queues[0], image) == CL_SUCCESS);
    REQUIRE(clFinish(f.queues[0]) == CL_SUCCESS);
    for (size_t i = 0; i < 4; ++i) expected[i] = i % 2 == 0 ? 255 : 0;
    CHECK(peer.read(shared, expected.size()) == expected);
}

TEST_CASE("an image of Vulkan that nothing writes keeps what others wrote meanwhile") {
    Fixture f;
    if (!imports_optimal(f)) return;
    VulkanPeer peer(f.the_device);
    if (!peer.exports_images(kRgba8.vulkan, k2d.vulkan, kHandle.bit)) return;
    const ExternalMemory external;
    const Pair pair = make_pair(f, peer, k2d, kRgba8);
    peer.write(pair.vulkan, texels_of(k2d, kRgba8, 1));
    REQUIRE(external.acquire_in(f.queue, pair.image) == CL_SUCCESS);
    CHECK(read_all(f, pair.image, k2d, kRgba8) == texels_of(k2d, kRgba8, 1));
    REQUIRE(external.release_in(f.queue, pair.image) == CL_SUCCESS);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    peer.write(pair.vulkan, texels_of(k2d, kRgba8, 2));
    // A release without an acquire writes nothing back either.
    REQUIRE(external.release_in(f.queue, pair.image) == CL_SUCCESS);
    REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    CHECK(peer.read(pair.vulkan, k2d.texels() * 4) == texels_of(k2d, kRgba8, 2));
}

TEST_CASE("images of Vulkan that are not imported, and their descriptor stays the program's") {
    Fixture f;
    if (!imports_optimal(f)) return;
    VulkanPeer peer(f.the_device);
    if (!peer.exports_images(kRgba8.vulkan, k2d.vulkan, kHandle.bit)) return;
    const VulkanPeer::SharedImage shared =
        peer.make_image(kRgba8.vulkan, k2d.vulkan, k2d.vulkan_extent(), 1, kHandle.bit);
    const int descriptor = peer.descriptor(shared, kHandle.bit);
    cl_int code = 1;
    const auto declines = [&](cl_int expected, const cl_image_format& format, const cl_image_desc& desc,
                              int with, cl_mem_flags flags = 0) {
        CHECK(import_image(f, format, desc, with, code, flags) == nullptr);
        CHECK(code == expected);
    };
    // Vulkan's formats of depths have another aspect, and OpenCL's packed ones other bytes.
    declines(CL_IMAGE_FORMAT_NOT_SUPPORTED, {CL_DEPTH, CL_FLOAT}, k2d.desc(), descriptor);
    declines(CL_IMAGE_FORMAT_NOT_SUPPORTED, {CL_RGB, CL_UNORM_SHORT_565}, k2d.desc(), descriptor);
    declines(CL_INVALID_VALUE, kRgba8.format, k2d.desc(), descriptor, CL_MEM_ALLOC_HOST_PTR);
    declines(CL_INVALID_VALUE, kRgba8.format, k2d.desc(), -1);
    cl_image_desc levels = k2d.desc();
    levels.num_mip_levels = 2;
    declines(CL_INVALID_IMAGE_DESCRIPTOR, kRgba8.format, levels, descriptor);
    CHECK(is_open(descriptor));
    ::close(descriptor);
    int ends[2] = {};
    REQUIRE(::pipe(ends) == 0);
    CHECK(import_image(f, kRgba8.format, k2d.desc(), ends[0], code) == nullptr);
    CHECK((code == CL_INVALID_VALUE || code == CL_MEM_OBJECT_ALLOCATION_FAILURE));
    CHECK(is_open(ends[0]));
    ::close(ends[0]);
    ::close(ends[1]);
}

}  // namespace caldera::driver_test
