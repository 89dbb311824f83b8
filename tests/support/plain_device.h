// SPDX-License-Identifier: Apache-2.0
// A device for programs that use Vulkan alone, with none of our runtime: a module must do without what that
// knows of a device.
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/choose_device.h"

namespace caldera::plain {

/// Ends the program with exit code 2.
[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, what.c_str());
    std::exit(2);
}
inline void check(VkResult result, const std::string& call) {
    if (result != VK_SUCCESS) fail(call + " failed: " + std::to_string(result));
}

/// Ends a command buffer and waits until the queue has run it.
inline void end_and_run(VkCommandBuffer commands, VkQueue queue) {
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    const VkSubmitInfo info{
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    check(vkQueueSubmit(queue, 1, &info, {}), "vkQueueSubmit");
    check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

/// The words of a SPIR-V file.
inline std::vector<uint32_t> read_words(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (bytes.size() < 20 || bytes.size() % 4) fail("'" + path + "' is no SPIR-V module");
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

/// Calls visit(op, instruction) for each instruction; `instruction` begins with the word of its length and
/// op.
template <class Visit>
void for_each_instruction(const std::vector<uint32_t>& words, Visit visit) {
    for (size_t at = 5; at < words.size(); at += std::max(words[at] >> 16, 1u))
        visit(words[at] & 0xffff, &words[at]);
}

struct Module {
    std::vector<uint32_t> words = {};
    std::vector<std::string> kernels = {};    ///< the entry points
    std::vector<uint32_t> capabilities = {};  ///< SPIR-V's numbers
    /// The descriptors that the module declares, by set and binding.
    std::map<uint32_t, std::map<uint32_t, VkDescriptorType>> bindings = {};
};

inline Module read_module(const std::string& path) {
    constexpr uint32_t kEntryPoint = 15, kCapability = 17, kTypeImage = 25, kTypeSampler = 26,
                       kTypePointer = 32, kVariable = 59, kDecorate = 71;
    constexpr uint32_t kUniform = 2, kBinding = 33, kSet = 34, kBuffer = 5, kIsSampled = 1;
    Module module{.words = read_words(path)};
    std::map<uint32_t, uint32_t> sets, numbers;
    std::map<uint32_t, VkDescriptorType> opaque;  // types of images and samplers, and pointers to them
    for_each_instruction(module.words, [&](uint32_t op, const uint32_t* inst) {
        if (op == kEntryPoint) module.kernels.emplace_back(reinterpret_cast<const char*>(inst + 3));
        if (op == kCapability) module.capabilities.push_back(inst[1]);
        if (op == kDecorate && inst[2] == kSet) sets[inst[1]] = inst[3];
        if (op == kDecorate && inst[2] == kBinding) numbers[inst[1]] = inst[3];
        if (op == kTypeSampler) opaque[inst[1]] = VK_DESCRIPTOR_TYPE_SAMPLER;
        if (op == kTypeImage) {
            const bool is_sampled = inst[7] == kIsSampled;
            opaque[inst[1]] = inst[3] == kBuffer ? (is_sampled ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                                               : VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER)
                              : is_sampled       ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
                                                 : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
        }
        if (op == kTypePointer && opaque.contains(inst[3])) opaque[inst[1]] = opaque[inst[3]];
        if (op == kVariable && sets.contains(inst[2]))
            module.bindings[sets[inst[2]]][numbers[inst[2]]] = opaque.contains(inst[1]) ? opaque[inst[1]]
                                                               : inst[3] == kUniform
                                                                   ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                                                   : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    });
    return module;
}

/// The device that CALDERA_DEVICE names, else the first (choose_device.h). Vulkan's calls that fail end the
/// program.
class Device {
 public:
    Device() {
        const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                            .apiVersion = VK_API_VERSION_1_2};
        const VkInstanceCreateInfo instance{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                            .pApplicationInfo = &application};
        check(vkCreateInstance(&instance, nullptr, &instance_), "vkCreateInstance");
        choose();
        find_family();
    }
    ~Device() {
        for (VkPipelineLayout layout : layouts_) vkDestroyPipelineLayout(device_, layout, nullptr);
        for (VkDescriptorSetLayout layout : set_layouts_)
            vkDestroyDescriptorSetLayout(device_, layout, nullptr);
        vkDestroyDevice(device_, nullptr);
        vkDestroyInstance(instance_, nullptr);
    }
    Device(const Device&) = delete;

    const std::string& name() const { return name_; }

 protected:
    bool has_extension(std::string_view name) const {
        uint32_t count = 0;
        check(vkEnumerateDeviceExtensionProperties(physical_, nullptr, &count, nullptr),
              "vkEnumerateDeviceExtensionProperties");
        std::vector<VkExtensionProperties> extensions(count);
        check(vkEnumerateDeviceExtensionProperties(physical_, nullptr, &count, extensions.data()),
              "vkEnumerateDeviceExtensionProperties");
        return std::ranges::any_of(extensions, [&](const auto& e) { return e.extensionName == name; });
    }

    /// Asks what the device has of the features, and of those of Vulkan 1.1 and 1.2, and makes it with all of
    /// them. `more` are features of extensions, `extensions` their names.
    void make(void* more = nullptr, std::vector<const char*> extensions = {}) {
        v12_.pNext = more;
        v11_.pNext = &v12_;
        features_.pNext = &v11_;
        vkGetPhysicalDeviceFeatures2(physical_, &features_);
        features_.features.robustBufferAccess = VK_FALSE;  // bounds that OpenCL does not ask for
        // Non-semantic reflection instructions need this extension before Vulkan 1.3.
        if (has_extension(VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME))
            extensions.push_back(VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME);
        const float priority = 1;
        const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueFamilyIndex = family_,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority};
        const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &features_,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue,
                                      .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                      .ppEnabledExtensionNames = extensions.data()};
        check(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
        v12_.pNext = nullptr;  // `more` is the caller's
    }

    /// A layout with the module's descriptors and 128 bytes of push constants. It lives as long as the
    /// device.
    VkPipelineLayout make_layout(const Module& module) {
        const uint32_t count = module.bindings.empty() ? 0 : module.bindings.rbegin()->first + 1;
        std::vector<VkDescriptorSetLayout> sets(count);
        for (uint32_t set = 0; set < count; ++set) {
            std::vector<VkDescriptorSetLayoutBinding> rows;
            if (const auto found = module.bindings.find(set); found != module.bindings.end())
                for (const auto& [binding, type] : found->second)
                    rows.push_back({binding, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
            const VkDescriptorSetLayoutCreateInfo info{
                .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                .bindingCount = static_cast<uint32_t>(rows.size()),
                .pBindings = rows.data()};
            check(vkCreateDescriptorSetLayout(device_, &info, nullptr, &sets[set]),
                  "vkCreateDescriptorSetLayout");
            set_layouts_.push_back(sets[set]);
        }
        const VkPushConstantRange constants{VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
        const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .setLayoutCount = count,
                                              .pSetLayouts = sets.data(),
                                              .pushConstantRangeCount = 1,
                                              .pPushConstantRanges = &constants};
        VkPipelineLayout layout = {};
        check(vkCreatePipelineLayout(device_, &info, nullptr, &layout), "vkCreatePipelineLayout");
        layouts_.push_back(layout);
        return layout;
    }

    VkInstance instance_ = {};
    VkPhysicalDevice physical_ = {};
    VkDevice device_ = {};
    uint32_t family_ = 0;  ///< that computes
    std::string name_ = {};
    VkPhysicalDeviceFeatures2 features_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan11Features v11_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features v12_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};

 private:
    std::vector<VkDescriptorSetLayout> set_layouts_ = {};
    std::vector<VkPipelineLayout> layouts_ = {};

    void choose() {
        uint32_t count = 0;
        check(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
        std::vector<VkPhysicalDevice> devices(count);
        check(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
        physical_ = choose_device(devices);
        if (!physical_) {
            const char* const wanted = std::getenv("CALDERA_DEVICE");
            fail(std::string("no Vulkan device") + (wanted ? std::string(" whose name has ") + wanted : ""));
        }
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(physical_, &properties);
        name_ = properties.deviceName;
    }

    void find_family() {
        const std::optional<uint32_t> family = find_compute_family(physical_);
        if (!family) fail("the device computes nothing");
        family_ = *family;
    }
};

}  // namespace caldera::plain
