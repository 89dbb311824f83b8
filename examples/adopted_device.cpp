// SPDX-License-Identifier: Apache-2.0
// An application with its own Vulkan: it makes a device, renders a frame, and lets a kernel of OpenCL C
// process the frame in the same command buffer. The picture goes to adopted_device.png, or to the path given.
#include <algorithm>
#include <fstream>
#include <iterator>

#include "support/application.h"
#include "support/example.h"

namespace {

using example::check;

constexpr uint32_t kWidth = 512, kHeight = 384;
constexpr uint64_t kBytes = kWidth * kHeight * 4;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

caldera::PhysicalDevice physical_of(const example::Application& application) {
    return {application.instance, application.physical_device, application.kApiVersion};
}

/// The device has a feature of the application's own, dynamicRendering, and those that the kernels need.
caldera::Device make_device(example::Application& application, caldera::RequiredFeatures required) {
    VkPhysicalDeviceVulkan13Features v13{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                         .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v13};
    check(required.enable_in(&features));
    const std::vector<const char*>& extensions = required.extensions();
    application.make_device(features, extensions);
    return check(
        caldera::Device::adopt({.physical = physical_of(application),
                                .device = application.device,
                                .queues = {{.queue = application.queue, .family = application.family}},
                                .extensions = {extensions.begin(), extensions.end()},
                                .features = &features}));
}

/// Renders the windows of a house at night, and copies them to a buffer.
void render(const example::Application& application, VkCommandBuffer commands, VkBuffer to) {
    VkImage image = application.make_image(
        {kWidth, kHeight, 1}, kFormat, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    constexpr example::ImageUse kDrawn{VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                       VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                       VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
        kCopied{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    example::order(commands, image, {.stages = kDrawn.stages}, kDrawn);
    const VkRenderingAttachmentInfo attachment{.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                               .imageView = application.make_view(image, kFormat),
                                               .imageLayout = kDrawn.layout,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                               .clearValue = {.color = {.float32 = {0.05f, 0.07f, 0.2f, 1}}}};
    const VkRenderingInfo rendering{.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                    .renderArea = {.extent = {kWidth, kHeight}},
                                    .layerCount = 1,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &attachment};
    vkCmdBeginRendering(commands, &rendering);
    for (int32_t i = 0; i < 96; ++i) {
        const float light = i * 7 % 5 == 0 ? 1 : 0.2f;
        const VkClearAttachment colour{VK_IMAGE_ASPECT_COLOR_BIT, 0, {{{light, light * 0.8f, 0.2f, 1}}}};
        const VkClearRect window{{{20 + 40 * (i % 12), 20 + 45 * (i / 12)}, {22, 26}}, 0, 1};
        vkCmdClearAttachments(commands, 1, &colour, 1, &window);
    }
    vkCmdEndRendering(commands);
    example::order(commands, image, kDrawn, kCopied);
    const VkBufferImageCopy copy{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                 .imageExtent = {kWidth, kHeight, 1}};
    vkCmdCopyImageToBuffer(commands, image, kCopied.layout, to, 1, &copy);
}

/// Lets the kernel see what has been copied.
void wait_for_copy(VkCommandBuffer commands, const caldera::KernelAccess& access) {
    const VkMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = access.reads | access.writes};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, access.stages, 0, 1, &barrier, 0, nullptr,
                         0, nullptr);
}

/// What the kernel is to make of a frame.
std::vector<uint8_t> glow(const std::vector<uint8_t>& frame) {
    std::vector<uint8_t> result(frame.size());
    for (int y = 0; y < int(kHeight); ++y)
        for (int x = 0; x < int(kWidth); ++x) {
            uint32_t light[4] = {};
            for (int i = 0; i < 81; ++i) {
                const int at_x = std::clamp(x + i % 9 - 4, 0, int(kWidth) - 1),
                          at_y = std::clamp(y + i / 9 - 4, 0, int(kHeight) - 1);
                const uint8_t* colour = &frame[4 * size_t(at_y * int(kWidth) + at_x)];
                if (std::max({colour[0], colour[1], colour[2]}) < 200) continue;
                for (size_t c = 0; c < 4; ++c) light[c] += colour[c];
            }
            for (size_t c = 0; c < 4; ++c) {
                const size_t at = 4 * size_t(y * int(kWidth) + x) + c;
                result[at] = uint8_t(std::min(255u, frame[at] + 2 * light[c] / 81));
            }
        }
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    example::Application application;
    std::ifstream file(EXAMPLES_DIR "/adopted_device.cl");
    const std::string source(std::istreambuf_iterator<char>(file), {});
    const caldera::CompileResult compiled =
        caldera::compile(source, "adopted_device.cl",
                         {.profile = check(caldera::physical_device_profile(physical_of(application)))});
    std::fputs(compiled.log.c_str(), stderr);
    const std::span<const uint32_t> modules[] = {compiled.words};
    const caldera::Device device =
        make_device(application, check(caldera::required_features(physical_of(application), modules)));

    const caldera::ProgramResult built = caldera::Program::build(device, compiled.words);
    std::fputs(built.log.c_str(), stderr);
    if (!built) return 1;
    caldera::Kernel kernel = check(caldera::Kernel::create(built.program, "glow"));
    constexpr VkBufferUsageFlags kUsage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
        VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    VkBuffer own = application.make_buffer(kBytes, kUsage);
    const caldera::Buffer frame = check(caldera::Buffer::adopt(
                              device, {.buffer = own, .size_bytes = kBytes, .usage = kUsage})),
                          result = check(caldera::Buffer::create(device, kBytes));
    const int32_t size[] = {kWidth, kHeight};
    check(kernel.set_all(frame, result, size));

    VkCommandBuffer commands = application.begin();
    render(application, commands, own);
    wait_for_copy(commands, caldera::kernel_access(kernel));
    caldera::Recording recording =
        check(caldera::Recording::create(device));  // until the commands have ended
    check(recording.record(commands, kernel, {.dimensions = 2, .global = {kWidth, kHeight, 1}}));
    application.run(commands);

    caldera::Queue queue = check(caldera::Queue::create(device));
    std::vector<uint8_t> rendered(kBytes), shown(kBytes);
    check(queue.read(frame, rendered));
    check(queue.read(result, shown));
    const bool is_right = shown == glow(rendered);
    const bool written =
        example::write_png_of_rgba(argc > 1 ? argv[1] : "adopted_device.png", kWidth, kHeight, shown);
    std::printf("%-16s %s on %s\n", "adopted_device", is_right ? "right" : "WRONG", device.name().c_str());
    return is_right && written ? 0 : 1;
}
