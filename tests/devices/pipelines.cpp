// SPDX-License-Identifier: Apache-2.0
// pipelines: makes a pipeline of each kernel of modules that clc2spv made, with Vulkan alone.
//
//   pipelines [--seconds=60] [--statistics] [--spec=ID:NUMBER]... MODULE.spv...
//
// It prints a row for each kernel, with tabs between: MODULE, kernel, verdict, seconds of processor time,
// remark. Verdicts are `pipeline`, `refused` (the driver gave an error), `crash` and `timeout`. --statistics
// adds what the driver says of its code (VK_KHR_pipeline_executable_properties), as NAME=NUMBER. --spec sets
// a 32-bit specialisation constant. CALDERA_DEVICE names the device by a part of its name.
//
// One file and its headers are all, so that it is easily compiled for other processors:
//   aarch64-linux-gnu-g++ -std=c++20 -O1 -I SOURCE pipelines.cpp -l:libvulkan.so.1
#include <array>
#include <map>
#include <memory>

#include "tests/devices/workers.h"
#include "tests/support/plain_device.h"

using namespace caldera;
using namespace caldera::plain;

namespace {

// Older headers do not have them.
constexpr auto kFloatControls2Type = static_cast<VkStructureType>(1000528000);
struct FloatControls2Features {
    VkStructureType sType = kFloatControls2Type;
    void* pNext = nullptr;
    VkBool32 shaderFloatControls2 = VK_FALSE;
};

/// Values of specialisation constants, for every module.
struct Specialisation {
    std::vector<VkSpecializationMapEntry> entries = {};
    std::vector<uint32_t> values = {};

    /// "ID:NUMBER"
    void add(const std::string& text) {
        char* end = nullptr;
        const auto id = static_cast<uint32_t>(std::strtoul(text.c_str(), &end, 10));
        if (*end != ':') fail("--spec=ID:NUMBER, not '" + text + "'");
        entries.push_back({id, static_cast<uint32_t>(values.size() * sizeof(uint32_t)), sizeof(uint32_t)});
        values.push_back(static_cast<uint32_t>(std::strtoul(end + 1, nullptr, 10)));
    }
    VkSpecializationInfo info() const {
        return {static_cast<uint32_t>(entries.size()), entries.data(), values.size() * sizeof(uint32_t),
                values.data()};
    }
};

class Compiler : public Device {
 public:
    Compiler(bool statistics, const Specialisation& specialisation) : specialisation_(specialisation.info()) {
        std::vector<const char*> extensions;
        void* next = nullptr;
        const auto add = [&](auto& features, const char* extension) {
            if (!has_extension(extension)) return false;
            extensions.push_back(extension);
            features.pNext = next;
            next = &features;
            return true;
        };
        add(atomic_float_, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
        add(dot_product_, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
        add(maintenance4_, VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
        add(explicit_layout_, VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME);
        add(float_controls2_, "VK_KHR_shader_float_controls2");
        has_statistics_ =
            statistics && add(executables_, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
        make(next, extensions);
        if (has_statistics_) {
            executable_properties_ = reinterpret_cast<PFN_vkGetPipelineExecutablePropertiesKHR>(
                vkGetDeviceProcAddr(device_, "vkGetPipelineExecutablePropertiesKHR"));
            executable_statistics_ = reinterpret_cast<PFN_vkGetPipelineExecutableStatisticsKHR>(
                vkGetDeviceProcAddr(device_, "vkGetPipelineExecutableStatisticsKHR"));
        }
    }

    void compile(const std::string& path) {
        const Module module = read_module(path);
        const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                            .codeSize = module.words.size() * 4,
                                            .pCode = module.words.data()};
        VkShaderModule shader = {};
        const VkResult made = vkCreateShaderModule(device_, &info, nullptr, &shader);
        if (made != VK_SUCCESS)
            return devices::print_row(
                {path, "-", "refused", "0", "vkCreateShaderModule: " + std::to_string(made)});
        const VkPipelineLayout layout = make_layout(module);
        for (const std::string& kernel : module.kernels) compile(path, kernel, shader, layout);
    }

 private:
    void compile(const std::string& path, const std::string& kernel, VkShaderModule shader,
                 VkPipelineLayout layout) {
        VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                         .layout = layout};
        if (has_statistics_) info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
        info.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = shader,
                      .pName = kernel.c_str(),
                      .pSpecializationInfo = &specialisation_};
        devices::begin_kernel(kernel);
        VkPipeline pipeline = {};
        const double begin = devices::processor_seconds();
        const VkResult result = vkCreateComputePipelines(device_, {}, 1, &info, nullptr, &pipeline);
        const std::string seconds = devices::seconds_since(begin);
        if (result != VK_SUCCESS)
            return devices::print_row(
                {path, kernel, "refused", seconds, "vkCreateComputePipelines: " + std::to_string(result)});
        devices::print_row(
            {path, kernel, "pipeline", seconds, has_statistics_ ? statistics_of(pipeline) : ""});
        vkDestroyPipeline(device_, pipeline, nullptr);
    }

    /// "NAME=NUMBER; NAME=NUMBER" of all executables; equal names are added up.
    std::string statistics_of(VkPipeline pipeline) const {
        const VkPipelineInfoKHR info{.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
        uint32_t executables = 0;
        executable_properties_(device_, &info, &executables, nullptr);
        std::map<std::string, double> sums;
        for (uint32_t i = 0; i < executables; ++i) {
            const VkPipelineExecutableInfoKHR which{.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                                    .pipeline = pipeline,
                                                    .executableIndex = i};
            uint32_t count = 0;
            executable_statistics_(device_, &which, &count, nullptr);
            std::vector<VkPipelineExecutableStatisticKHR> values(
                count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
            executable_statistics_(device_, &which, &count, values.data());
            for (const VkPipelineExecutableStatisticKHR& value : values) sums[value.name] += number_of(value);
        }
        std::string text;
        for (const auto& [name, sum] : sums) {
            char number[32];
            std::snprintf(number, sizeof number, "%.15g", sum);
            text += (text.empty() ? "" : "; ") + name + "=" + number;
        }
        return text;
    }

    static double number_of(const VkPipelineExecutableStatisticKHR& value) {
        switch (value.format) {
            case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return value.value.b32;
            case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
                return static_cast<double>(value.value.i64);
            case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
                return static_cast<double>(value.value.u64);
            default: return value.value.f64;
        }
    }

    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float_{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT};
    VkPhysicalDeviceShaderIntegerDotProductFeatures dot_product_{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES};
    VkPhysicalDeviceMaintenance4Features maintenance4_{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES};
    VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR explicit_layout_{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables_{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    FloatControls2Features float_controls2_;
    VkSpecializationInfo specialisation_ = {};
    bool has_statistics_ = false;
    PFN_vkGetPipelineExecutablePropertiesKHR executable_properties_ = nullptr;
    PFN_vkGetPipelineExecutableStatisticsKHR executable_statistics_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
    unsigned seconds = 60;
    bool statistics = false;
    Specialisation specialisation;
    std::vector<std::string> modules;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with("--seconds="))
            seconds = static_cast<unsigned>(std::strtoul(argv[i] + 10, nullptr, 10));
        else if (argument == "--statistics")
            statistics = true;
        else if (argument.starts_with("--spec="))
            specialisation.add(std::string(argument.substr(7)));
        else if (argument.starts_with("--"))
            fail("unknown option '" + std::string(argument) + "'");
        else
            modules.emplace_back(argument);
    }
    if (modules.empty())
        fail("usage: pipelines [--seconds=60] [--statistics] [--spec=ID:NUMBER]... MODULE.spv...");
    devices::work_through(modules, seconds, [&] {
        const auto compiler = std::make_shared<Compiler>(statistics, specialisation);
        return [compiler](const std::string& path) { compiler->compile(path); };
    });
}
