// SPDX-License-Identifier: Apache-2.0
// plain_vulkan: runs a kernel of a module that clc2spv --abi=descriptors made, with Vulkan alone: no runtime
// of ours, which would have translated it for the device that it finds.
//
//   plain_vulkan MODULE.spv KERNEL [--in=1,0x7f800000,nan,...]... [--out=COUNT] [--groups=N]
//
// Each --in is a storage buffer of 32-bit words, binding 0 and up: floats, integers that are the bits
// (0x...). --out is the next buffer, of COUNT zeros; what the kernel leaves there is printed, a float a word
// ("nan" whatever its sign). The local size is what the module's specialisation constants have as defaults.
// CALDERA_DEVICE names the device by a part of its name, else the first is taken. Exit code 2: no such
// device, or a call of Vulkan's failed.
#include "tests/support/plain_device.h"

#include <cmath>

using namespace caldera::plain;

namespace {

struct Options {
    std::string module = {}, kernel = {};
    std::vector<std::vector<uint32_t>> inputs = {};
    size_t output_words = 0;
    uint32_t groups = 1;
};

uint32_t word_of(const std::string& text) {
    if (text.starts_with("0x")) return static_cast<uint32_t>(std::stoull(text, nullptr, 16));
    const float value = std::strtof(text.c_str(), nullptr);
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    return word;
}

Options parse(int argc, char** argv) {
    if (argc < 3)
        fail("usage: plain_vulkan MODULE.spv KERNEL [--in=1,0x7f800000,...]... [--out=COUNT] [--groups=N]");
    Options options{.module = argv[1], .kernel = argv[2]};
    for (int i = 3; i < argc; ++i) {
        const std::string_view arg = argv[i];
        if (arg.starts_with("--in=")) {
            std::vector<uint32_t>& words = options.inputs.emplace_back();
            const std::string list(arg.substr(5));
            for (size_t at = 0; at <= list.size();) {
                const size_t end = std::min(list.find(',', at), list.size());
                words.push_back(word_of(list.substr(at, end - at)));
                at = end + 1;
            }
        } else if (arg.starts_with("--out=")) {
            options.output_words = std::stoul(std::string(arg.substr(6)));
        } else if (arg.starts_with("--groups=")) {
            options.groups = static_cast<uint32_t>(std::stoul(std::string(arg.substr(9))));
        } else {
            fail("unknown option '" + std::string(arg) + "'");
        }
    }
    return options;
}

class Vulkan : public Device {
 public:
    Vulkan() {
        std::fprintf(stderr, "%s\n", name().c_str());
        make();
        vkGetDeviceQueue(device_, family_, 0, &queue_);
    }

    /// Runs the kernel and returns the words of the last buffer.
    std::vector<uint32_t> run(const Options& options, const std::vector<uint32_t>& words);

 private:
    struct Buffer {
        VkBuffer buffer = {};
        VkDeviceMemory memory = {};
        void* bytes = nullptr;
    };

    Buffer make_buffer(size_t size_bytes) {
        Buffer made;
        const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = size_bytes,
                                      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
        check(vkCreateBuffer(device_, &info, nullptr, &made.buffer), "vkCreateBuffer");
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(device_, made.buffer, &needs);
        VkPhysicalDeviceMemoryProperties memory;
        vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
        constexpr VkMemoryPropertyFlags kHost =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        uint32_t type = 0;
        while (!(needs.memoryTypeBits >> type & 1) ||
               (memory.memoryTypes[type].propertyFlags & kHost) != kHost)
            ++type;
        const VkMemoryAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                            .allocationSize = needs.size,
                                            .memoryTypeIndex = type};
        check(vkAllocateMemory(device_, &allocate, nullptr, &made.memory), "vkAllocateMemory");
        check(vkBindBufferMemory(device_, made.buffer, made.memory, 0), "vkBindBufferMemory");
        check(vkMapMemory(device_, made.memory, 0, VK_WHOLE_SIZE, 0, &made.bytes), "vkMapMemory");
        std::memset(made.bytes, 0, size_bytes);
        return made;
    }

    VkQueue queue_ = {};
};

std::vector<uint32_t> Vulkan::run(const Options& options, const std::vector<uint32_t>& words) {
    std::vector<Buffer> buffers;
    for (const std::vector<uint32_t>& input : options.inputs) {
        buffers.push_back(make_buffer(input.size() * 4));
        std::memcpy(buffers.back().bytes, input.data(), input.size() * 4);
    }
    if (options.output_words) buffers.push_back(make_buffer(options.output_words * 4));

    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t i = 0; i < buffers.size(); ++i)
        bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    const VkDescriptorSetLayoutCreateInfo set_info{
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = static_cast<uint32_t>(bindings.size()),
        .pBindings = bindings.data()};
    VkDescriptorSetLayout set_layout;
    check(vkCreateDescriptorSetLayout(device_, &set_info, nullptr, &set_layout),
          "vkCreateDescriptorSetLayout");
    const VkPipelineLayoutCreateInfo layout_info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .setLayoutCount = 1,
                                                 .pSetLayouts = &set_layout};
    VkPipelineLayout layout;
    check(vkCreatePipelineLayout(device_, &layout_info, nullptr, &layout), "vkCreatePipelineLayout");
    const VkShaderModuleCreateInfo module_info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = words.size() * 4,
                                               .pCode = words.data()};
    VkShaderModule module;
    check(vkCreateShaderModule(device_, &module_info, nullptr, &module), "vkCreateShaderModule");
    VkComputePipelineCreateInfo pipeline_info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .layout = layout};
    pipeline_info.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                           .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                           .module = module,
                           .pName = options.kernel.c_str()};
    VkPipeline pipeline;
    check(vkCreateComputePipelines(device_, {}, 1, &pipeline_info, nullptr, &pipeline),
          "vkCreateComputePipelines");

    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, static_cast<uint32_t>(buffers.size())};
    const VkDescriptorPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                               .maxSets = 1,
                                               .poolSizeCount = 1,
                                               .pPoolSizes = &size};
    VkDescriptorPool pool;
    check(vkCreateDescriptorPool(device_, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo allocate{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                               .descriptorPool = pool,
                                               .descriptorSetCount = 1,
                                               .pSetLayouts = &set_layout};
    VkDescriptorSet set;
    check(vkAllocateDescriptorSets(device_, &allocate, &set), "vkAllocateDescriptorSets");
    for (uint32_t i = 0; i < buffers.size(); ++i) {
        const VkDescriptorBufferInfo whole{buffers[i].buffer, 0, VK_WHOLE_SIZE};
        const VkWriteDescriptorSet write{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                         .dstSet = set,
                                         .dstBinding = i,
                                         .descriptorCount = 1,
                                         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                         .pBufferInfo = &whole};
        vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
    }

    const VkCommandPoolCreateInfo command_pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = family_};
    VkCommandPool commands_pool;
    check(vkCreateCommandPool(device_, &command_pool, nullptr, &commands_pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo command{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = commands_pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;
    check(vkAllocateCommandBuffers(device_, &command, &commands), "vkAllocateCommandBuffers");
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(commands, options.groups, 1, 1);
    const VkMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
    end_and_run(commands, queue_);

    std::vector<uint32_t> output(options.output_words);
    if (!output.empty()) std::memcpy(output.data(), buffers.back().bytes, output.size() * 4);
    vkDestroyCommandPool(device_, commands_pool, nullptr);
    vkDestroyDescriptorPool(device_, pool, nullptr);
    vkDestroyPipeline(device_, pipeline, nullptr);
    vkDestroyShaderModule(device_, module, nullptr);
    vkDestroyPipelineLayout(device_, layout, nullptr);
    vkDestroyDescriptorSetLayout(device_, set_layout, nullptr);
    for (const Buffer& buffer : buffers) {
        vkDestroyBuffer(device_, buffer.buffer, nullptr);
        vkFreeMemory(device_, buffer.memory, nullptr);
    }
    return output;
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    const std::vector<uint32_t> words = read_words(options.module);
    const char* separator = "";
    for (const uint32_t word : Vulkan().run(options, words)) {
        float value;
        std::memcpy(&value, &word, sizeof value);
        if (std::isnan(value))
            std::printf("%snan", separator);
        else
            std::printf("%s%.9g", separator, static_cast<double>(value));
        separator = " ";
    }
    std::printf("\n");
    return 0;
}
