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
#include <string>
#include <string_view>
#include <vector>

namespace caldera::plain {

/// Ends the program with exit code 2.
[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, what.c_str());
    std::exit(2);
}
inline void check(VkResult result, const std::string& call) {
    if (result != VK_SUCCESS) fail(call + " failed: " + std::to_string(result));
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

/// The device that CALDERA_DEVICE names by a part of its name, case ignored, else the first. Vulkan's calls
/// that fail end the program.
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

    VkInstance instance_ = {};
    VkPhysicalDevice physical_ = {};
    VkDevice device_ = {};
    uint32_t family_ = 0;  ///< that computes
    std::string name_ = {};
    VkPhysicalDeviceFeatures2 features_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan11Features v11_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
    VkPhysicalDeviceVulkan12Features v12_{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};

 private:
    void choose() {
        uint32_t count = 0;
        check(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
        std::vector<VkPhysicalDevice> devices(count);
        check(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
        const char* wanted = std::getenv("CALDERA_DEVICE");
        for (VkPhysicalDevice device : devices) {
            VkPhysicalDeviceProperties properties;
            vkGetPhysicalDeviceProperties(device, &properties);
            if (physical_ || (wanted && !strcasestr(properties.deviceName, wanted))) continue;
            physical_ = device;
            name_ = properties.deviceName;
        }
        if (!physical_)
            fail(std::string("no Vulkan device") + (wanted ? std::string(" whose name has ") + wanted : ""));
    }

    void find_family() {
        uint32_t count = 0;
        vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
        while (family_ < count && !(families[family_].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family_;
        if (family_ == count) fail("the device computes nothing");
    }
};

}  // namespace caldera::plain
