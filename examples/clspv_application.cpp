// SPDX-License-Identifier: Apache-2.0
// An application that was written for clspv's modules: it has Vulkan alone, and the numbers that clspv's
// documents give (docs/OpenCLCOnVulkan.md there). clc2spv --abi=descriptors stands in clspv's place.
//
// A kernel turns a picture, which it samples, into another one; a second kernel counts how often each
// brightness occurs. The picture goes to clspv_application.png, or to the path given.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "support/application.h"
#include "support/png.h"

namespace {

using example::Application, example::need;

constexpr uint32_t kWidth = 500, kHeight = 300, kBins = 16;
constexpr uint64_t kBytes = kWidth * kHeight * 4;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr uint32_t kLocalSize[3] = {16, 8, 1};

// The numbers. Descriptor set 0 has the samplers of the source, and the next one the arguments: each image,
// buffer and sampler has a binding in its order. Arguments by value are push constants in OpenCL's layout.
constexpr uint32_t kSamplerSet = 0, kArgumentSet = 1;
struct SwirlValues {
    float centre[2];
    float strength;
};
struct CountValues {
    uint32_t bins;
};

/// What the device must have; clspv_application.json tells the compiler that there is no more.
void make_device(Application& application) {
    const VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                             .features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE}};
    application.make_device(features, {});
}

VkShaderModule load_module(const Application& application) {
    std::ifstream file(CLSPV_APPLICATION_MODULE, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = words.size() * 4,
                                        .pCode = words.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    need(vkCreateShaderModule(application.device, &info, nullptr, &module));
    return module;
}

/// A pipeline of one kernel. `types` are the descriptors of its arguments, by binding.
struct Step {
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkDescriptorSet sets[2] = {};

    Step(const Application& application, VkShaderModule module, const char* kernel,
         const std::vector<VkDescriptorType>& types, uint32_t value_bytes);
    void run(VkCommandBuffer commands, const void* values, uint32_t value_bytes) const;
};

/// The layout of a set whose bindings have these types.
VkDescriptorSetLayout make_set_layout(const Application& application,
                                      const std::vector<VkDescriptorType>& types) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const VkDescriptorType type : types)
        bindings.push_back({.binding = uint32_t(bindings.size()),
                            .descriptorType = type,
                            .descriptorCount = 1,
                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT});
    const VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .bindingCount = uint32_t(bindings.size()),
                                               .pBindings = bindings.data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    need(vkCreateDescriptorSetLayout(application.device, &info, nullptr, &layout));
    return layout;
}

Step::Step(const Application& application, VkShaderModule module, const char* kernel,
           const std::vector<VkDescriptorType>& types, uint32_t value_bytes) {
    const VkDescriptorSetLayout layouts[] = {make_set_layout(application, {VK_DESCRIPTOR_TYPE_SAMPLER}),
                                             make_set_layout(application, types)};
    const VkPushConstantRange values{VK_SHADER_STAGE_COMPUTE_BIT, 0, value_bytes};
    const VkPipelineLayoutCreateInfo layout_info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .setLayoutCount = 2,
                                                 .pSetLayouts = layouts,
                                                 .pushConstantRangeCount = 1,
                                                 .pPushConstantRanges = &values};
    need(vkCreatePipelineLayout(application.device, &layout_info, nullptr, &layout));

    // The constants 0, 1 and 2 are the work-group's size.
    constexpr VkSpecializationMapEntry kEntries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo constants{3, kEntries, sizeof kLocalSize, kLocalSize};
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = kernel,
                  .pSpecializationInfo = &constants},
        .layout = layout};
    need(vkCreateComputePipelines(application.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));

    std::vector<VkDescriptorPoolSize> sizes = {{VK_DESCRIPTOR_TYPE_SAMPLER, 1}};
    for (const VkDescriptorType type : types) sizes.push_back({type, 1});
    const VkDescriptorPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                               .maxSets = 2,
                                               .poolSizeCount = uint32_t(sizes.size()),
                                               .pPoolSizes = sizes.data()};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    need(vkCreateDescriptorPool(application.device, &pool_info, nullptr, &pool));
    const VkDescriptorSetAllocateInfo set_info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                               .descriptorPool = pool,
                                               .descriptorSetCount = 2,
                                               .pSetLayouts = layouts};
    need(vkAllocateDescriptorSets(application.device, &set_info, sets));
}

/// One work-item for each texel; the kernels leave out those beyond the edge.
void Step::run(VkCommandBuffer commands, const void* values, uint32_t value_bytes) const {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 2, sets, 0, nullptr);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, value_bytes, values);
    vkCmdDispatch(commands, (kWidth + kLocalSize[0] - 1) / kLocalSize[0],
                  (kHeight + kLocalSize[1] - 1) / kLocalSize[1], 1);
}

void write(const Application& application, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
           const VkDescriptorImageInfo* image, const VkDescriptorBufferInfo* buffer = nullptr) {
    const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                     .dstSet = set,
                                     .dstBinding = binding,
                                     .descriptorCount = 1,
                                     .descriptorType = type,
                                     .pImageInfo = image,
                                     .pBufferInfo = buffer};
    vkUpdateDescriptorSets(application.device, 1, &write, 0, nullptr);
}

/// The source's sampler: normalised coordinates, mirrored repeat, linear.
VkSampler make_sampler(const Application& application) {
    const VkSamplerCreateInfo info{.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .magFilter = VK_FILTER_LINEAR,
                                   .minFilter = VK_FILTER_LINEAR,
                                   .addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                   .addressModeV = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT};
    VkSampler sampler = VK_NULL_HANDLE;
    need(vkCreateSampler(application.device, &info, nullptr, &sampler));
    return sampler;
}

/// Rings of two colours, and a grid.
std::vector<uint8_t> make_picture() {
    std::vector<uint8_t> picture;
    for (uint32_t y = 0; y < kHeight; ++y)
        for (uint32_t x = 0; x < kWidth; ++x) {
            const bool is_line = x % 25 == 0 || y % 25 == 0;
            const double radius = std::hypot(x - kWidth / 2.0, y - kHeight / 2.0);
            const auto ring = uint8_t(127 + 100 * std::sin(radius / 9));
            const uint8_t texel[] = {is_line ? uint8_t(250) : ring, is_line ? uint8_t(250) : uint8_t(x / 2),
                                     uint8_t(255 - ring), 255};
            picture.insert(picture.end(), std::begin(texel), std::end(texel));
        }
    return picture;
}

/// Whether each channel is what the kernel is to make of the picture, but for the filter's rounding.
bool is_turned(const std::vector<uint8_t>& from, const uint8_t* to, const SwirlValues& values) {
    const auto texel = [&](int x, int y, size_t channel) {
        const auto mirrored = [](int at, int size) {
            return at < 0 ? -1 - at : at >= size ? 2 * size - 1 - at : at;
        };
        x = mirrored(x, int(kWidth)), y = mirrored(y, int(kHeight));
        return double(from[(size_t(y) * kWidth + size_t(x)) * 4 + channel]);
    };
    for (uint32_t y = 0; y < kHeight; ++y)
        for (uint32_t x = 0; x < kWidth; ++x) {
            const double dx = (x + 0.5) / kWidth - values.centre[0],
                         dy = (y + 0.5) / kHeight - values.centre[1],
                         angle = values.strength * std::exp(-8 * (dx * dx + dy * dy)), s = std::sin(angle),
                         c = std::cos(angle), u = (values.centre[0] + c * dx - s * dy) * kWidth - 0.5,
                         v = (values.centre[1] + s * dx + c * dy) * kHeight - 0.5;
            const int left = int(std::floor(u)), top = int(std::floor(v));
            const double a = u - left, b = v - top;
            for (size_t i = 0; i < 4; ++i) {
                const double wanted =
                    (1 - b) * ((1 - a) * texel(left, top, i) + a * texel(left + 1, top, i)) +
                    b * ((1 - a) * texel(left, top + 1, i) + a * texel(left + 1, top + 1, i));
                if (std::fabs(to[(size_t(y) * kWidth + x) * 4 + i] - wanted) > 3) return false;
            }
        }
    return true;
}

bool is_counted(const uint8_t* picture, const uint32_t* counts) {
    uint32_t wanted[kBins] = {};
    for (size_t i = 0; i < kWidth * kHeight; ++i)
        ++wanted[std::min(picture[i * 4 + 1] * kBins / 255, kBins - 1)];
    return std::equal(wanted, wanted + kBins, counts);
}

constexpr example::ImageUse kUploaded{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
    kSampled{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
             VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
    kWritten{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL},
    kBoth{VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
          VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT, VK_IMAGE_LAYOUT_GENERAL};

}  // namespace

int main(int argc, char** argv) {
    Application application;
    make_device(application);
    const VkShaderModule module = load_module(application);
    const Step swirl(application, module, "swirl",
                     {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                     sizeof(SwirlValues)),
        count(application, module, "count",
              {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, sizeof(CountValues));

    const VkImage from = application.make_image({kWidth, kHeight, 1}, kFormat,
                                                VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT),
                  to = application.make_image({kWidth, kHeight, 1}, kFormat,
                                              VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                                  VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    const example::HostBuffer upload = application.make_host_buffer(kBytes, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                              download =
                                  application.make_host_buffer(kBytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                              counts =
                                  application.make_host_buffer(kBins * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    const std::vector<uint8_t> picture = make_picture();
    std::memcpy(upload.bytes, picture.data(), kBytes);
    std::memset(counts.bytes, 0, kBins * 4);

    const VkDescriptorImageInfo sampler{.sampler = make_sampler(application)},
        source{.imageView = application.make_view(from, kFormat), .imageLayout = kSampled.layout},
        target{.imageView = application.make_view(to, kFormat), .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkDescriptorBufferInfo bins{counts.buffer, 0, VK_WHOLE_SIZE};
    for (const Step* step : {&swirl, &count})
        write(application, step->sets[kSamplerSet], 0, VK_DESCRIPTOR_TYPE_SAMPLER, &sampler);
    write(application, swirl.sets[kArgumentSet], 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &source);
    write(application, swirl.sets[kArgumentSet], 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, &target);
    write(application, count.sets[kArgumentSet], 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &target);
    write(application, count.sets[kArgumentSet], 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, nullptr, &bins);

    const SwirlValues turn{.centre = {0.45f, 0.55f}, .strength = 2.5f};
    const CountValues of_bins{.bins = kBins};
    const VkBufferImageCopy whole{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .imageExtent = {kWidth, kHeight, 1}};
    const VkCommandBuffer commands = application.begin();
    example::order(commands, from, {.stages = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT}, kUploaded);
    vkCmdCopyBufferToImage(commands, upload.buffer, from, kUploaded.layout, 1, &whole);
    example::order(commands, from, kUploaded, kSampled);
    example::order(commands, to, {.stages = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT}, kWritten);
    swirl.run(commands, &turn, sizeof turn);
    example::order(commands, to, kWritten, kBoth);
    count.run(commands, &of_bins, sizeof of_bins);
    vkCmdCopyImageToBuffer(commands, to, kBoth.layout, download.buffer, 1, &whole);
    application.make_visible_to_host(commands);
    application.run(commands);

    const auto* turned = static_cast<const uint8_t*>(download.bytes);
    const bool is_right =
        is_turned(picture, turned, turn) && is_counted(turned, static_cast<const uint32_t*>(counts.bytes));
    const bool written = example::write_png_of_rgba(argc > 1 ? argv[1] : "clspv_application.png", kWidth,
                                                    kHeight, {turned, kBytes});
    std::printf("%-16s %s on %s\n", "clspv_application", is_right ? "right" : "WRONG",
                application.device_name.c_str());
    return is_right && written ? 0 : 1;
}
