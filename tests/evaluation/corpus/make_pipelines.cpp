// SPDX-License-Identifier: Apache-2.0
// make_pipelines --target=vulkan1.2 FILE...: makes a shader module of each file and a pipeline of each of its
// kernels under VK_LAYER_KHRONOS_validation. It prints the layer's messages and exits with 1 when there are
// any.
//
// The device is created with every feature that translated modules may need, whether the driver has it or
// not, so that the layer judges the modules alone. Use a mock driver: Debian's chromium-common contains one
// (libVkICD_mock_icd.so) and a recent validation layer with recent SPIRV-Tools. Both need a manifest, which
// you have to write:
//   VK_ICD_FILENAMES=mock_icd.json VK_LAYER_PATH=. make_pipelines --target=vulkan1.2 a.spv
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/operands.h"
#include "spirv/spirv.h"

using namespace caldera;

namespace {

struct Fault {
    std::string what = {};
};

void must(VkResult result, const char* call) {
    if (result != VK_SUCCESS) throw Fault{std::string(call) + " gives " + std::to_string(result)};
}

// ---- What the layer says ----

/// Messages that concern the mock driver, not the modules: its limits are small, and it has no sub-groups.
constexpr std::string_view kAboutDriver[] = {
    "VUID-RuntimeSpirv-Workgroup-06530",                               // local memory
    "VUID-RuntimeSpirv-x-06429",         "VUID-RuntimeSpirv-y-06430",  // work-group sizes
    "VUID-RuntimeSpirv-z-06431",         "VUID-RuntimeSpirv-x-06432",
    "VUID-RuntimeSpirv-None-06342",      "VUID-RuntimeSpirv-None-06343",  // sub-group operations
};
bool is_about_driver(std::string_view name, std::string_view message) {
    // This one is about a capability that features or properties must allow.
    if (name == "VUID-VkShaderModuleCreateInfo-pCode-08740")
        return message.find("::subgroupSupportedOperations") != message.npos;
    return std::ranges::find(kAboutDriver, name) != std::end(kAboutDriver);
}

struct Judge {
    bool listening = false;
    uint32_t messages = 0;
};

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
    Judge& judge = *static_cast<Judge*>(user);
    const std::string_view name = data->pMessageIdName ? data->pMessageIdName : "";
    if (!judge.listening || is_about_driver(name, data->pMessage)) return VK_FALSE;
    ++judge.messages;
    std::printf("%s: %s\n", data->pMessageIdName, data->pMessage);
    return VK_FALSE;
}

// ---- The device ----

VkInstance make_instance(spirv::Target target, Judge& judge) {
    const uint32_t version = target == spirv::Target::Vulkan11   ? VK_API_VERSION_1_1
                             : target == spirv::Target::Vulkan12 ? VK_API_VERSION_1_2
                                                                 : VK_API_VERSION_1_3;
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = version};
    const char* layer = "VK_LAYER_KHRONOS_validation";
    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pApplicationInfo = &application,
                                    .enabledLayerCount = 1,
                                    .ppEnabledLayerNames = &layer,
                                    .enabledExtensionCount = 1,
                                    .ppEnabledExtensionNames = &extension};
    VkInstance instance = VK_NULL_HANDLE;
    must(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
    const VkDebugUtilsMessengerCreateInfoEXT messenger{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = &judge};
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
    VkDebugUtilsMessengerEXT made = VK_NULL_HANDLE;
    must(create(instance, &messenger, nullptr, &made), "vkCreateDebugUtilsMessengerEXT");
    return instance;
}

/// The feature structures all look like this: a head, then flags.
struct FeatureRow {
    VkStructureType type = {};
    size_t bytes = 0;
};
#define FEATURES(Struct, Type) \
    { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##Type##_FEATURES, sizeof(VkPhysicalDevice##Struct##Features) }
constexpr FeatureRow kFeatures[] = {
    FEATURES(16BitStorage, 16BIT_STORAGE),
    FEATURES(8BitStorage, 8BIT_STORAGE),
    FEATURES(ShaderFloat16Int8, SHADER_FLOAT16_INT8),
    FEATURES(BufferDeviceAddress, BUFFER_DEVICE_ADDRESS),
    FEATURES(VulkanMemoryModel, VULKAN_MEMORY_MODEL),
    FEATURES(ShaderAtomicInt64, SHADER_ATOMIC_INT64),
    FEATURES(ShaderSubgroupExtendedTypes, SHADER_SUBGROUP_EXTENDED_TYPES),
    FEATURES(Maintenance4, MAINTENANCE_4),
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
     sizeof(VkPhysicalDeviceShaderAtomicFloatFeaturesEXT)},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR,
     sizeof(VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR)},
};
#undef FEATURES
constexpr const char* kExtensions[] = {
    VK_KHR_8BIT_STORAGE_EXTENSION_NAME,          VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME,
    VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME, VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME,
    VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME,
    VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME,   VK_KHR_MAINTENANCE_4_EXTENSION_NAME,
    VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,   VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME,
};

VkDevice make_device(VkInstance instance) {
    uint32_t count = 1;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    vkEnumeratePhysicalDevices(instance, &count, &physical);
    if (!physical) throw Fault{"there is no Vulkan device"};
    std::vector<std::vector<VkBool32>> storage;  // vectors of flags: head and all
    void* next = nullptr;
    for (const FeatureRow& row : kFeatures) {
        std::vector<VkBool32>& words = storage.emplace_back(row.bytes / sizeof(VkBool32), VK_TRUE);
        const VkBaseOutStructure head{.sType = row.type, .pNext = static_cast<VkBaseOutStructure*>(next)};
        std::memcpy(words.data(), &head, sizeof head);
        next = words.data();
    }
    VkPhysicalDeviceFeatures2 core{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = next};
    core.features.shaderInt64 = core.features.shaderInt16 = core.features.shaderFloat64 = VK_TRUE;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue{
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &core,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue,
                                  .enabledExtensionCount = static_cast<uint32_t>(std::size(kExtensions)),
                                  .ppEnabledExtensionNames = kExtensions};
    VkDevice device = VK_NULL_HANDLE;
    must(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
    return device;
}

// ---- A module and its pipelines ----

std::vector<uint32_t> read_words(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    std::vector<uint32_t> words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    return words;
}

/// A layout with the descriptors that the module declares, and push constants.
VkPipelineLayout make_layout(VkDevice device, const spirv::Module& module) {
    std::map<spirv::Id, uint32_t> sets;
    std::map<uint32_t, std::map<uint32_t, VkDescriptorSetLayoutBinding>> bindings;
    auto decoration = [](const spirv::Instruction& inst) {
        return inst.op == spv::Op::OpDecorate ? static_cast<spv::Decoration>(inst.word(1))
                                              : spv::Decoration::Max;
    };
    for (const spirv::Instruction& inst : module.annotations)
        if (decoration(inst) == spv::Decoration::DescriptorSet) sets[inst.id(0)] = inst.word(2);
    std::map<spirv::Id, bool> uniform;
    for (const spirv::Instruction& inst : module.globals)
        if (inst.op == spv::Op::OpVariable)
            uniform[inst.result] = inst.word(0) == static_cast<uint32_t>(spv::StorageClass::Uniform);
    for (const spirv::Instruction& inst : module.annotations)
        if (decoration(inst) == spv::Decoration::Binding)
            bindings[sets[inst.id(0)]][inst.word(2)] = {
                .binding = inst.word(2),
                .descriptorType = uniform[inst.id(0)] ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                                      : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                .descriptorCount = 1,
                .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const uint32_t set_count = bindings.empty() ? 0 : bindings.rbegin()->first + 1;
    std::vector<VkDescriptorSetLayout> layouts(set_count);
    for (uint32_t set = 0; set < set_count; ++set) {
        std::vector<VkDescriptorSetLayoutBinding> rows;
        for (const auto& [number, row] : bindings[set]) rows.push_back(row);
        const VkDescriptorSetLayoutCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = static_cast<uint32_t>(rows.size()),
            .pBindings = rows.data()};
        must(vkCreateDescriptorSetLayout(device, &info, nullptr, &layouts[set]),
             "vkCreateDescriptorSetLayout");
    }
    const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = 128};
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .setLayoutCount = set_count,
                                          .pSetLayouts = layouts.data(),
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    must(vkCreatePipelineLayout(device, &info, nullptr, &layout), "vkCreatePipelineLayout");
    return layout;
}

void judge_module(VkDevice device, const std::string& path) {
    const std::vector<uint32_t> words = read_words(path);
    const Result<spirv::Module> module = spirv::read(words);
    if (!module) throw Fault{path + ": " + module.error().message};
    const VkShaderModuleCreateInfo shader{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = words.size() * 4,
                                          .pCode = words.data()};
    VkShaderModule made = VK_NULL_HANDLE;
    must(vkCreateShaderModule(device, &shader, nullptr, &made), "vkCreateShaderModule");
    const VkPipelineLayout layout = make_layout(device, *module);
    for (const spirv::Instruction& entry : module->entry_points) {
        const std::string name = spirv::string_at(entry, 2);
        const VkComputePipelineCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = made,
                      .pName = name.c_str()},
            .layout = layout};
        VkPipeline pipeline = VK_NULL_HANDLE;
        must(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
             "vkCreateComputePipelines");
    }
}

}  // namespace

int main(int argc, char** argv) {
    constexpr std::string_view kTarget = "--target=";
    spirv::Target target = {};
    if (argc < 2 || !std::string_view(argv[1]).starts_with(kTarget) ||
        !spirv::parse_target(argv[1] + kTarget.size(), target) || !spirv::is_vulkan(target)) {
        std::fprintf(stderr, "usage: make_pipelines --target=vulkan1.1|vulkan1.2|vulkan1.3 FILE...\n");
        return 2;
    }
    try {
        Judge judge;
        const VkDevice device = make_device(make_instance(target, judge));
        judge.listening = true;
        for (int i = 2; i < argc; ++i) judge_module(device, argv[i]);
        return judge.messages == 0 ? 0 : 1;  // the process ends: nothing is destroyed
    } catch (const Fault& fault) {
        std::fprintf(stderr, "error: %s\n", fault.what.c_str());
        return 2;
    }
}
