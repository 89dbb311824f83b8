// SPDX-License-Identifier: Apache-2.0
// vulkan_images: runs the kernels of an execution test with images as a program does that has Vulkan alone.
// Images are VkImages and VkBufferViews, samplers VkSamplers, made as the module's reflection says.
//
//   vulkan_images MODULE.spv SOURCE.cl [REFLECTION.json]
//
// MODULE is what clc2spv --images=hardware makes of SOURCE, whose lines RUN: say what the images are and
// which bits the sampler has (tests/runner/runner.cpp). The reflection is JSON's, or clspv's in the module.
// Kernels run in the order of the source. What a kernel named write_... wrote to an image is then in the
// buffer NAME_bytes, with the runner's pitches, for kernels that follow. Those named test_... fill a record
// (tests/exec/assert.h).
//
// A kernel that sees an image's memory while it writes the image does not run. Neither does a run with a
// format that Vulkan, or the device, does not have. Exit code 1: a check failed; 2: Vulkan did; 77: the
// device does not read storage images, or write texel buffers, without a format.
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/clspv_reader.h"

using namespace caldera::plain;

namespace {

constexpr uint32_t kRecordWords = 16;

// ---- What a RUN: line says ----

struct Format {
    const char* order;
    uint32_t channels, cl_order;
    const char* swizzle;  // of what Vulkan reads, as OpenCL has it
};
constexpr Format kOrders[] = {
    {"R", 1, 0x10b0, "R001"},     {"A", 1, 0x10b1, "000R"},         {"RG", 2, 0x10b2, "RG01"},
    {"RA", 2, 0x10b3, "R00G"},    {"RGBA", 4, 0x10b5, "RGBA"},      {"BGRA", 4, 0x10b6, "BGRA"},
    {"ARGB", 4, 0x10b7, "GBAR"},  {"INTENSITY", 1, 0x10b8, "RRRR"}, {"LUMINANCE", 1, 0x10b9, "RRR1"},
    {"Rx", 1, 0x10ba, "R001"},    {"RGx", 2, 0x10bb, "RG01"},       {"DEPTH", 1, 0x10bd, "R001"},
    {"sRGBA", 4, 0x10c1, "RGBA"}, {"ABGR", 4, 0x10c3, "ABGR"},
};
struct Type {
    const char* name;
    uint32_t bytes, cl_type;
    VkFormat formats[3];  // of 1, 2 and 4 channels
};
constexpr Type kTypes[] = {
    {"SNORM_INT8", 1, 0x10d0, {VK_FORMAT_R8_SNORM, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R8G8B8A8_SNORM}},
    {"SNORM_INT16", 2, 0x10d1, {VK_FORMAT_R16_SNORM, VK_FORMAT_R16G16_SNORM, VK_FORMAT_R16G16B16A16_SNORM}},
    {"UNORM_INT8", 1, 0x10d2, {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8B8A8_UNORM}},
    {"UNORM_INT16", 2, 0x10d3, {VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16G16B16A16_UNORM}},
    {"SIGNED_INT8", 1, 0x10d7, {VK_FORMAT_R8_SINT, VK_FORMAT_R8G8_SINT, VK_FORMAT_R8G8B8A8_SINT}},
    {"SIGNED_INT16", 2, 0x10d8, {VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT, VK_FORMAT_R16G16B16A16_SINT}},
    {"SIGNED_INT32", 4, 0x10d9, {VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32A32_SINT}},
    {"UNSIGNED_INT8", 1, 0x10da, {VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT, VK_FORMAT_R8G8B8A8_UINT}},
    {"UNSIGNED_INT16", 2, 0x10db, {VK_FORMAT_R16_UINT, VK_FORMAT_R16G16_UINT, VK_FORMAT_R16G16B16A16_UINT}},
    {"UNSIGNED_INT32", 4, 0x10dc, {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32A32_UINT}},
    {"HALF_FLOAT", 2, 0x10dd, {VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT}},
    {"FLOAT", 4, 0x10de, {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT}},
};

struct ImageSpec {
    std::string shape = {};
    const Format* order = nullptr;
    const Type* type = nullptr;
    VkFormat format = VK_FORMAT_UNDEFINED;
    VkExtent3D extent = {1, 1, 1};
    uint32_t layers = 1, levels = 1;
    bool is_buffer() const { return shape == "1d_buffer"; }
    bool is_integer() const { return type->cl_type >= 0x10d7 && type->cl_type <= 0x10dc; }
    uint32_t texel_bytes() const { return order->channels * type->bytes; }
    uint32_t row_texels() const { return extent.width + 3; }
    size_t slice_bytes() const { return size_t{row_texels() * extent.height + 5} * texel_bytes(); }
    uint32_t slices() const { return std::max(extent.depth, layers); }
    size_t first_level_bytes() const { return slice_bytes() * slices(); }
    /// The image of which each size is half as large.
    ImageSpec next_level() const {
        ImageSpec next = *this;
        for (uint32_t* size : {&next.extent.width, &next.extent.height, &next.extent.depth})
            *size = std::max(*size / 2, 1u);
        --next.levels;
        return next;
    }
    /// Levels follow one another.
    size_t size_bytes() const { return first_level_bytes() + (levels > 1 ? next_level().size_bytes() : 0); }
};

/// None if Vulkan has no such format.
bool parse(const std::string& text, ImageSpec& spec) {
    std::istringstream parts(text);
    std::string order, type, size;
    std::getline(parts, spec.shape, ':');
    std::getline(parts, order, ':');
    std::getline(parts, type, ':');
    std::getline(parts, size);
    for (const Format& each : kOrders)
        if (order == each.order) spec.order = &each;
    for (const Type& each : kTypes)
        if (type == each.name) spec.type = &each;
    if (!spec.order || !spec.type) return false;
    spec.format = spec.type->formats[spec.order->channels / 2];
    if (order == "sRGBA") spec.format = VK_FORMAT_R8G8B8A8_SRGB;
    uint32_t numbers[3] = {1, 1, 1};
    std::sscanf(size.c_str(), "%ux%ux%u", &numbers[0], &numbers[1], &numbers[2]);
    spec.extent.width = numbers[0];
    if (spec.shape == "1d_array")
        spec.layers = numbers[1];
    else
        spec.extent.height = numbers[1];
    (spec.shape.starts_with("2d_array") ? spec.layers : spec.extent.depth) = numbers[2];
    return true;
}

/// As tests/runner/test_image.cpp fills it.
std::vector<uint8_t> contents(const ImageSpec& spec) {
    std::vector<uint8_t> bytes(spec.size_bytes());
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 151 + i / 7 * 29 + 3);
    if (spec.type->cl_type == 0x10de)
        for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
            const float value = static_cast<float>(i / 4) / 4;
            std::memcpy(bytes.data() + i, &value, 4);
        }
    if (spec.type->cl_type == 0x10dd)
        for (size_t i = 0; i + 2 <= bytes.size(); i += 2) {
            const auto bits = static_cast<uint16_t>(0x3c00 + i / 2 % 0x3000);
            std::memcpy(bytes.data() + i, &bits, 2);
        }
    return bytes;
}

VkComponentSwizzle swizzle(char letter) {
    switch (letter) {
        case '0': return VK_COMPONENT_SWIZZLE_ZERO;
        case '1': return VK_COMPONENT_SWIZZLE_ONE;
        case 'R': return VK_COMPONENT_SWIZZLE_R;
        case 'G': return VK_COMPONENT_SWIZZLE_G;
        case 'B': return VK_COMPONENT_SWIZZLE_B;
        default: return VK_COMPONENT_SWIZZLE_A;
    }
}

struct Run {
    std::vector<std::string> images = {};
    uint32_t sampler = 0x10, levels = 1;
};

std::vector<Run> read_runs(const std::string& path) {
    std::ifstream file(path);
    std::vector<Run> runs;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("// RUN:")) continue;
        Run& run = runs.emplace_back();
        std::istringstream words(line.substr(7));
        for (std::string word; words >> word;) {
            if (word.starts_with("image=")) run.images.push_back(word.substr(6));
            if (word.starts_with("levels=")) run.levels = static_cast<uint32_t>(std::stoul(word.substr(7)));
            if (word.starts_with("sampler="))
                run.sampler = static_cast<uint32_t>(std::stoul(word.substr(8), nullptr, 0));
        }
    }
    if (runs.empty()) runs.emplace_back();
    return runs;
}

// ---- Reflection as JSON ----

using Json = nlohmann::json;

ReflectedArgument argument_of(const Json& json) {
    static const std::map<std::string, VkDescriptorType> kKinds = {
        {"sampled_image", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
        {"storage_image", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
        {"uniform_texel_buffer", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
        {"storage_texel_buffer", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
        {"sampler_object", VK_DESCRIPTOR_TYPE_SAMPLER}};
    ReflectedArgument argument;
    argument.name = json["name"].get<std::string>();
    const std::string kind = json["kind"];
    if (json.contains("binding")) {
        argument.type = kKinds.contains(kind) ? kKinds.at(kind) : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        argument.set = json["descriptor_set"];
        argument.binding = json["binding"];
        return argument;
    }
    argument.is_pushed = kind == "value";
    argument.is_address = !argument.is_pushed;
    argument.offset = json["offset_bytes"];
    argument.size = json["size_bytes"];
    return argument;
}

ReflectedKernel kernel_of(const Json& json) {
    ReflectedKernel kernel;
    kernel.name = json["name"].get<std::string>();
    kernel.block_bytes = json["block_bytes"];
    kernel.has_block_buffer = json["block"] == "buffer";
    for (const Json& argument : json["arguments"]) kernel.arguments.push_back(argument_of(argument));
    for (const Json& hidden : json["hidden"]) {
        const std::string kind = hidden["kind"];
        const uint32_t offset = hidden["offset_bytes"];
        if (kind == "data_segment") kernel.data_offset = offset;
        if (!hidden.contains("argument")) continue;  // a base, which is 0
        ReflectedArgument& about = kernel.arguments.at(hidden["argument"].get<size_t>());
        if (kind == "channel_order") about.order_offset = offset;
        if (kind == "channel_data_type") about.data_type_offset = offset;
        if (kind == "sampler_mask") about.mask_offset = offset;
    }
    return kernel;
}

Reflection read_json(const std::string& path) {
    std::ifstream file(path);
    const Json json = Json::parse(file);
    Reflection reflection;
    for (const Json& each : json["kernels"]) reflection.kernels.push_back(kernel_of(each));
    if (json.contains("literal_samplers"))
        for (const Json& each : json["literal_samplers"])
            reflection.samplers.push_back({each["descriptor_set"], each["binding"], each["bits"]});
    reflection.data = bytes_of_digits(json["data_segment"]);
    reflection.data_set = json.value("data_segment_descriptor_set", 0u);
    reflection.data_binding = json.value("data_segment_binding", 0u);
    for (const Json& each : json["relocations"])
        reflection.relocations.emplace_back(each["at_bytes"], each["target_bytes"]);
    return reflection;
}

// ---- Vulkan ----

struct Buffer {
    VkBuffer buffer = {};
    VkDeviceMemory memory = {};
    void* bytes = nullptr;
    VkDeviceAddress address = 0;
};
struct Image {
    ImageSpec spec = {};
    Buffer bytes = {};  ///< as the runner's images lie in memory
    VkImage image = {};
    VkDeviceMemory memory = {};
    VkImageView view = {};
    VkBufferView buffer_view = {};
};

class Tester : public Device {
 public:
    Tester() {
        make();
        vkGetDeviceQueue(device_, family_, 0, &queue_);
        const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                           .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                           .queueFamilyIndex = family_};
        check(vkCreateCommandPool(device_, &pool, nullptr, &commands_pool_), "vkCreateCommandPool");
        const VkCommandBufferAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                   .commandPool = commands_pool_,
                                                   .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                   .commandBufferCount = 1};
        check(vkAllocateCommandBuffers(device_, &allocate, &commands_), "vkAllocateCommandBuffers");
    }
    ~Tester() { vkDestroyCommandPool(device_, commands_pool_, nullptr); }

    /// Returns how many checks failed.
    int run_all(const std::vector<uint32_t>& words, const Reflection& reflection, const std::string& source);

 private:
    template <class Record>
    void submit(Record record) {
        const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        check(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
        record();
        const VkMemoryBarrier all{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
        vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                             &all, 0, nullptr, 0, nullptr);
        end_and_run(commands_, queue_);
    }

    VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags flags);
    Buffer make_buffer(size_t size_bytes);
    bool writes_buffers_without_format(VkFormat format) const;
    bool supports(const ImageSpec& spec, VkDescriptorType type) const;
    Image make_image(const ImageSpec& spec, VkDescriptorType type);
    void destroy(const Image& image);
    void destroy(const Buffer& buffer) {
        vkDestroyBuffer(device_, buffer.buffer, nullptr);
        vkFreeMemory(device_, buffer.memory, nullptr);
    }
    void copy(const Image& image, bool to_image);
    VkSampler make_sampler(uint32_t bits, bool is_integer);
    bool can_run(const ReflectedKernel& kernel, const Run& run);
    bool run_kernel(const Reflection& reflection, const ReflectedKernel& kernel, VkShaderModule module,
                    const Run& run);

    VkQueue queue_ = {};
    VkCommandPool commands_pool_ = {};
    VkCommandBuffer commands_ = {};
    bool buffers_have_formats_ = true;         // storage texel buffers of the module
    std::map<std::string, Buffer> kept_ = {};  // bytes of images that a kernel has written, by name
};

VkDeviceMemory Tester::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags flags) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) || (memory.memoryTypes[type].propertyFlags & flags) != flags)
        ++type;
    const VkMemoryAllocateFlagsInfo with_addresses{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                   .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = v12_.bufferDeviceAddress ? &with_addresses : nullptr,
                                    .allocationSize = needs.size,
                                    .memoryTypeIndex = type};
    VkDeviceMemory made = {};
    check(vkAllocateMemory(device_, &info, nullptr, &made), "vkAllocateMemory");
    return made;
}

Buffer Tester::make_buffer(size_t size_bytes) {
    Buffer made;
    VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                            .size = size_bytes,
                            .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                     VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                     VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT};
    if (v12_.bufferDeviceAddress) info.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    check(vkCreateBuffer(device_, &info, nullptr, &made.buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device_, made.buffer, &needs);
    made.memory = allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindBufferMemory(device_, made.buffer, made.memory, 0), "vkBindBufferMemory");
    check(vkMapMemory(device_, made.memory, 0, VK_WHOLE_SIZE, 0, &made.bytes), "vkMapMemory");
    std::memset(made.bytes, 0, size_bytes);
    const VkBufferDeviceAddressInfo whose{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = made.buffer};
    if (v12_.bufferDeviceAddress) made.address = vkGetBufferDeviceAddress(device_, &whose);
    return made;
}

/// SwiftShader has shaderStorageImageWriteWithoutFormat, which is for images there: no format of its buffers
/// says so.
bool Tester::writes_buffers_without_format(VkFormat format) const {
    if (!has_extension(VK_KHR_FORMAT_FEATURE_FLAGS_2_EXTENSION_NAME)) return true;  // the feature says it
    VkFormatProperties3KHR more{.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3_KHR};
    VkFormatProperties2 properties{.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &more};
    vkGetPhysicalDeviceFormatProperties2(physical_, format, &properties);
    return more.bufferFeatures & VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT_KHR;
}

bool Tester::supports(const ImageSpec& spec, VkDescriptorType type) const {
    VkFormatProperties format;
    vkGetPhysicalDeviceFormatProperties(physical_, spec.format, &format);
    if (spec.is_buffer() && type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
        return format.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
    if (spec.is_buffer())
        return (format.bufferFeatures & VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT) &&
               (buffers_have_formats_ || writes_buffers_without_format(spec.format));
    if (type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) {
        VkFormatFeatureFlags needed = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
        if (!spec.is_integer()) needed |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
        return (format.optimalTilingFeatures & needed) == needed;
    }
    // A storage image has the order of its format.
    const bool is_plain = std::string_view(spec.order->swizzle) == "RGBA" || spec.order->swizzle[3] == '1';
    return is_plain && (format.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT);
}

Image Tester::make_image(const ImageSpec& spec, VkDescriptorType type) {
    Image made{.spec = spec};
    const std::vector<uint8_t> bytes = contents(spec);
    made.bytes = make_buffer(bytes.size());
    std::memcpy(made.bytes.bytes, bytes.data(), bytes.size());
    if (spec.is_buffer()) {
        const VkBufferViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                          .buffer = made.bytes.buffer,
                                          .format = spec.format,
                                          .range = VkDeviceSize{spec.extent.width} * spec.texel_bytes()};
        check(vkCreateBufferView(device_, &info, nullptr, &made.buffer_view), "vkCreateBufferView");
        return made;
    }
    const bool is_sampled = type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    const VkImageUsageFlags usage = is_sampled ? VK_IMAGE_USAGE_SAMPLED_BIT : VK_IMAGE_USAGE_STORAGE_BIT;
    const char dim = spec.shape[0];
    const VkImageCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = dim == '1'   ? VK_IMAGE_TYPE_1D
                     : dim == '2' ? VK_IMAGE_TYPE_2D
                                  : VK_IMAGE_TYPE_3D,
        .format = spec.format,
        .extent = spec.extent,
        .mipLevels = spec.levels,
        .arrayLayers = spec.layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    check(vkCreateImage(device_, &info, nullptr, &made.image), "vkCreateImage");
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(device_, made.image, &needs);
    made.memory = allocate(needs, 0);
    check(vkBindImageMemory(device_, made.image, made.memory, 0), "vkBindImageMemory");
    const bool is_array = spec.shape.find("array") != std::string::npos;
    const char* letters = spec.order->swizzle;
    VkImageViewCreateInfo view{
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = made.image,
        .viewType = dim == '3'   ? VK_IMAGE_VIEW_TYPE_3D
                    : dim == '2' ? (is_array ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D)
                                 : (is_array ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D),
        .format = spec.format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, spec.levels, 0, spec.layers}};
    const bool is_own_order = letters[3] == '1' && letters[0] == 'R' && letters[1] != 'R';
    if (is_sampled && !is_own_order)  // what a format lacks is 0, 0 and 1, also at the border
        view.components = {swizzle(letters[0]), swizzle(letters[1]), swizzle(letters[2]),
                           swizzle(letters[3])};
    check(vkCreateImageView(device_, &view, nullptr, &made.view), "vkCreateImageView");
    copy(made, true);
    return made;
}

void Tester::destroy(const Image& image) {
    destroy(image.bytes);
    if (image.view) vkDestroyImageView(device_, image.view, nullptr);
    if (image.buffer_view) vkDestroyBufferView(device_, image.buffer_view, nullptr);
    if (image.image) vkDestroyImage(device_, image.image, nullptr);
    if (image.memory) vkFreeMemory(device_, image.memory, nullptr);
}

/// Between the image, which is then in the general layout, and its bytes.
void Tester::copy(const Image& image, bool to_image) {
    if (!image.image) return;
    std::vector<VkBufferImageCopy> slices;
    size_t offset = 0;
    ImageSpec spec = image.spec;
    for (uint32_t level = 0; level < image.spec.levels; ++level) {
        for (uint32_t z = 0; z < spec.slices(); ++z) {
            const bool is_layer = spec.layers > 1;
            VkBufferImageCopy slice{
                .bufferOffset = offset + z * spec.slice_bytes(),
                .bufferRowLength = spec.row_texels(),
                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, is_layer ? z : 0, 1},
                .imageOffset = {0, 0, is_layer ? 0 : static_cast<int32_t>(z)},
                .imageExtent = {spec.extent.width, spec.extent.height, 1}};
            slices.push_back(slice);
        }
        offset += spec.first_level_bytes();
        spec = spec.next_level();
    }
    submit([&] {
        const VkImageMemoryBarrier barrier{
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
            .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
            .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
            .oldLayout = to_image ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL,
            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
            .image = image.image,
            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, image.spec.levels, 0, image.spec.layers}};
        vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
        const auto count = static_cast<uint32_t>(slices.size());
        if (to_image)
            vkCmdCopyBufferToImage(commands_, image.bytes.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, count,
                                   slices.data());
        else
            vkCmdCopyImageToBuffer(commands_, image.image, VK_IMAGE_LAYOUT_GENERAL, image.bytes.buffer, count,
                                   slices.data());
    });
}

/// What OpenCL C's bits ask for (docs/abi.md).
VkSampler Tester::make_sampler(uint32_t bits, bool is_integer) {
    constexpr VkSamplerAddressMode kModes[] = {
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_SAMPLER_ADDRESS_MODE_REPEAT,
        VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT};
    const VkSamplerAddressMode mode = kModes[bits >> 1 & 7];
    const VkFilter filter = bits & 0x20 ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    const bool mixes_levels = bits & 0x40, is_normalized = bits & 1;
    const VkSamplerCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = filter,
        .minFilter = filter,
        .mipmapMode = mixes_levels ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
        .addressModeU = mode,
        .addressModeV = mode,
        .addressModeW = mode,
        .minLod = is_normalized ? static_cast<float>(bits >> 8 & 0xfff) / 256 : 0,
        .maxLod = is_normalized ? static_cast<float>(0xfff - (bits >> 20)) / 256 : 0,
        .borderColor =
            is_integer ? VK_BORDER_COLOR_INT_TRANSPARENT_BLACK : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
        .unnormalizedCoordinates = !is_normalized};
    VkSampler sampler = {};
    check(vkCreateSampler(device_, &info, nullptr, &sampler), "vkCreateSampler");
    return sampler;
}

bool is_image(VkDescriptorType type) {
    return type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
           type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
}

bool Tester::can_run(const ReflectedKernel& kernel, const Run& run) {
    std::set<std::string> written, seen;
    for (const ReflectedArgument& argument : kernel.arguments)
        if (is_image(argument.type)) seen.insert(argument.name);
    size_t images = 0;
    for (const ReflectedArgument& argument : kernel.arguments) {
        if (argument.name.ends_with("_bytes")) {
            const std::string image = argument.name.substr(0, argument.name.size() - 6);
            if (written.contains(image)) return false;
            if (!seen.contains(image) && !kept_.contains(image)) return false;  // its writer was left out
        }
        if (!is_image(argument.type)) continue;
        if (argument.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
            argument.type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
            written.insert(argument.name);
        if (run.images.empty()) fail(kernel.name + " has an image that no RUN: line describes");
        ImageSpec spec;
        if (!parse(run.images[std::min(images++, run.images.size() - 1)], spec)) return false;
        if (!supports(spec, argument.type)) return false;
    }
    return true;
}

bool Tester::run_kernel(const Reflection& reflection, const ReflectedKernel& kernel, VkShaderModule module,
                        const Run& run) {
    std::vector<Buffer> buffers;
    std::vector<std::pair<std::string, Image>> images;
    std::vector<VkSampler> samplers;
    std::vector<VkDescriptorImageInfo> image_infos(kernel.arguments.size() + reflection.samplers.size());
    std::vector<VkDescriptorBufferInfo> buffer_infos(kernel.arguments.size() + 1);
    std::vector<uint8_t> block(std::max(kernel.block_bytes, 4u));
    std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> bindings;
    std::vector<std::pair<uint32_t, VkWriteDescriptorSet>> writes;  // with the set's number
    const auto push = [&](uint32_t offset, auto value) {
        if (offset != ~0u) std::memcpy(block.data() + offset, &value, sizeof value);
    };
    const auto write = [&](uint32_t set, uint32_t binding, VkDescriptorType type) -> VkWriteDescriptorSet& {
        bindings[set].push_back({binding, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
        return writes
            .emplace_back(set, VkWriteDescriptorSet{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                    .dstBinding = binding,
                                                    .descriptorCount = 1,
                                                    .descriptorType = type})
            .second;
    };
    bool has_integers = false;
    for (size_t i = 0, number = 0; i < kernel.arguments.size(); ++i) {
        const ReflectedArgument& argument = kernel.arguments[i];
        if (!is_image(argument.type)) continue;
        ImageSpec spec;
        parse(run.images[std::min(number++, run.images.size() - 1)], spec);
        if (argument.type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) spec.levels = run.levels;
        has_integers |= spec.is_integer();
        const Image& image = images.emplace_back(argument.name, make_image(spec, argument.type)).second;
        push(argument.order_offset, spec.order->cl_order);
        push(argument.data_type_offset, spec.type->cl_type);
        VkWriteDescriptorSet& row = write(argument.set, argument.binding, argument.type);
        image_infos[i] = {{}, image.view, VK_IMAGE_LAYOUT_GENERAL};
        row.pImageInfo = &image_infos[i];
    }
    for (auto& [set, row] : writes)
        for (size_t i = 0, number = 0; i < kernel.arguments.size(); ++i)
            if (is_image(kernel.arguments[i].type)) {
                const Image& image = images[number++].second;
                if (row.dstBinding == kernel.arguments[i].binding && image.buffer_view)
                    row.pTexelBufferView = &image.buffer_view;
            }
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
        const ReflectedArgument& argument = kernel.arguments[i];
        if (argument.is_pushed) {
            for (uint32_t b = 0; b < argument.size; ++b)
                block[argument.offset + b] = static_cast<uint8_t>(b + 1);
            if (argument.name == "sampler_bits") push(argument.offset, run.sampler);
        } else if (argument.type == VK_DESCRIPTOR_TYPE_SAMPLER) {
            const bool is_masked = argument.mask_offset != ~0u;
            push(argument.mask_offset, run.sampler);
            samplers.push_back(make_sampler(run.sampler | (is_masked ? 1 : 0), has_integers));
            image_infos[i] = {samplers.back(), {}, {}};
            write(argument.set, argument.binding, argument.type).pImageInfo = &image_infos[i];
        } else if (argument.is_address || argument.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER) {
            Buffer buffer;
            if (const std::string& name = argument.name; name.ends_with("_bytes")) {
                const std::string image = name.substr(0, name.size() - 6);
                if (kept_.contains(image)) buffer = kept_.at(image);
                for (const auto& [its, each] : images)
                    if (its == image) buffer = each.bytes;
            }
            if (!buffer.buffer) {
                buffers.push_back(make_buffer(i == 0 ? kRecordWords * 4 : 65536));
                buffer = buffers.back();
                for (uint32_t w = 0; i != 0 && w < 16384; ++w)
                    static_cast<uint32_t*>(buffers.back().bytes)[w] = w;
            }
            if (argument.is_address) {
                push(argument.offset, buffer.address);
                continue;
            }
            buffer_infos[i] = {buffer.buffer, 0, VK_WHOLE_SIZE};
            write(argument.set, argument.binding, argument.type).pBufferInfo = &buffer_infos[i];
        }
    }
    for (size_t i = 0; i < reflection.samplers.size(); ++i) {
        const ReflectedSampler& literal = reflection.samplers[i];
        samplers.push_back(make_sampler(literal.bits, has_integers));
        image_infos[kernel.arguments.size() + i] = {samplers.back(), {}, {}};
        write(literal.set, literal.binding, VK_DESCRIPTOR_TYPE_SAMPLER).pImageInfo =
            &image_infos[kernel.arguments.size() + i];
    }
    if (!reflection.data.empty()) {
        buffers.push_back(make_buffer(reflection.data.size()));
        auto* data = static_cast<uint8_t*>(buffers.back().bytes);
        std::memcpy(data, reflection.data.data(), reflection.data.size());
        for (const auto& [at, target] : reflection.relocations) {
            const VkDeviceAddress address = buffers.back().address + target;
            std::memcpy(data + at, &address, sizeof address);
        }
        push(kernel.data_offset, buffers.back().address);
    }
    if (!reflection.data.empty() && reflection.data_set != 0) {
        buffer_infos.back() = {buffers.back().buffer, 0, VK_WHOLE_SIZE};
        write(reflection.data_set, reflection.data_binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER).pBufferInfo =
            &buffer_infos.back();
    }

    std::vector<uint8_t> pushed = block;
    if (kernel.has_block_buffer) {
        buffers.push_back(make_buffer(block.size()));
        std::memcpy(buffers.back().bytes, block.data(), block.size());
        pushed.resize(sizeof(VkDeviceAddress));
        std::memcpy(pushed.data(), &buffers.back().address, pushed.size());
    }
    const uint32_t set_count = bindings.empty() ? 0 : bindings.rbegin()->first + 1;
    std::vector<VkDescriptorSetLayout> set_layouts(set_count);
    std::vector<VkDescriptorPoolSize> sizes;
    for (uint32_t set = 0; set < set_count; ++set) {
        const auto& rows = bindings[set];
        for (const VkDescriptorSetLayoutBinding& row : rows) sizes.push_back({row.descriptorType, 1});
        const VkDescriptorSetLayoutCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = static_cast<uint32_t>(rows.size()),
            .pBindings = rows.data()};
        check(vkCreateDescriptorSetLayout(device_, &info, nullptr, &set_layouts[set]),
              "vkCreateDescriptorSetLayout");
    }
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, static_cast<uint32_t>(pushed.size())};
    const VkPipelineLayoutCreateInfo layout_info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .setLayoutCount = set_count,
                                                 .pSetLayouts = set_layouts.data(),
                                                 .pushConstantRangeCount = 1,
                                                 .pPushConstantRanges = &range};
    VkPipelineLayout layout = {};
    check(vkCreatePipelineLayout(device_, &layout_info, nullptr, &layout), "vkCreatePipelineLayout");
    VkComputePipelineCreateInfo pipeline_info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .layout = layout};
    pipeline_info.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                           .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                           .module = module,
                           .pName = kernel.name.c_str()};
    VkPipeline pipeline = {};
    check(vkCreateComputePipelines(device_, {}, 1, &pipeline_info, nullptr, &pipeline),
          "vkCreateComputePipelines");
    const VkDescriptorPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                               .maxSets = set_count,
                                               .poolSizeCount = static_cast<uint32_t>(sizes.size()),
                                               .pPoolSizes = sizes.data()};
    VkDescriptorPool pool = {};
    if (set_count != 0)
        check(vkCreateDescriptorPool(device_, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo set_info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                               .descriptorPool = pool,
                                               .descriptorSetCount = set_count,
                                               .pSetLayouts = set_layouts.data()};
    std::vector<VkDescriptorSet> sets(set_count);
    if (set_count != 0)
        check(vkAllocateDescriptorSets(device_, &set_info, sets.data()), "vkAllocateDescriptorSets");
    for (auto& [set, row] : writes) {
        row.dstSet = sets[set];
        vkUpdateDescriptorSets(device_, 1, &row, 0, nullptr);
    }
    submit([&] {
        vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        if (set_count != 0)
            vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, set_count,
                                    sets.data(), 0, nullptr);
        vkCmdPushConstants(commands_, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, range.size, pushed.data());
        vkCmdDispatch(commands_, 1, 1, 1);
    });

    bool good = true;
    if (kernel.name.starts_with("test_")) {
        const auto* record = static_cast<const uint32_t*>(buffers.at(0).bytes);
        good = record[0] == 0 && record[1] != 0;
        if (!good)
            std::printf("%s: %s\n", kernel.name.c_str(),
                        record[0] ? ("line " + std::to_string(record[0])).c_str() : "made no check");
        if (record[0] && record[2]) std::printf("    expected 0x%x, got 0x%x\n", record[3], record[5]);
    } else {
        for (auto& [name, image] : images) {
            copy(image, false);
            if (kept_.contains(name)) destroy(kept_.at(name));
            kept_[name] = image.bytes;
            image.bytes = {};
        }
    }
    vkDestroyDescriptorPool(device_, pool, nullptr);
    vkDestroyPipeline(device_, pipeline, nullptr);
    vkDestroyPipelineLayout(device_, layout, nullptr);
    for (VkDescriptorSetLayout each : set_layouts) vkDestroyDescriptorSetLayout(device_, each, nullptr);
    for (VkSampler sampler : samplers) vkDestroySampler(device_, sampler, nullptr);
    for (const Buffer& buffer : buffers) destroy(buffer);
    for (const auto& [name, image] : images) destroy(image);
    return good;
}

int Tester::run_all(const std::vector<uint32_t>& given, const Reflection& reflection,
                    const std::string& source) {
    constexpr uint32_t kCapability = 17, kReadsWithoutFormat = 55, kTypeImage = 25, kBuffer = 5, kStorage = 2;
    bool can_read = true;
    for_each_instruction(given, [&](uint32_t op, const uint32_t* inst) {
        if (op == kTypeImage && inst[3] == kBuffer && inst[7] == kStorage && inst[8] == 0)
            buffers_have_formats_ = false;
        if (op == kCapability && inst[1] == kReadsWithoutFormat)
            can_read = features_.features.shaderStorageImageReadWithoutFormat;
    });
    if (!can_read) {
        std::printf("left out: %s does not read storage images without a format\n", name().c_str());
        std::exit(77);
    }
    const std::vector<uint32_t> words = without_reflection(given);
    const VkShaderModuleCreateInfo module_info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = words.size() * 4,
                                               .pCode = words.data()};
    VkShaderModule module = {};
    check(vkCreateShaderModule(device_, &module_info, nullptr, &module), "vkCreateShaderModule");
    int failed = 0, ran = 0, left_out = 0;
    for (const Run& run : read_runs(source)) {
        for (const ReflectedKernel& kernel : reflection.kernels) {
            if (!can_run(kernel, run)) {
                ++left_out;
                continue;
            }
            ++ran;
            if (run_kernel(reflection, kernel, module, run)) continue;
            ++failed;
            std::string images;
            for (const std::string& image : run.images) images += " image=" + image;
            std::printf("    RUN: sampler=0x%x%s\n", run.sampler, images.c_str());
        }
        for (const auto& [name, buffer] : kept_) destroy(buffer);
        kept_.clear();
    }
    vkDestroyShaderModule(device_, module, nullptr);
    std::printf("%d runs, %d failed; %d left out on %s\n", ran, failed, left_out, name().c_str());
    if (ran == 0 && !buffers_have_formats_) std::exit(77);
    if (ran == 0) std::printf("no kernel ran\n");
    return failed + (ran == 0 ? 1 : 0);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) fail("usage: vulkan_images MODULE.spv SOURCE.cl [REFLECTION.json]");
    const std::vector<uint32_t> words = read_words(argv[1]);
    const Reflection reflection = argc == 4 ? read_json(argv[3]) : ReflectionReader(words).reflection();
    return Tester().run_all(words, reflection, argv[2]) == 0 ? 0 : 1;
}
