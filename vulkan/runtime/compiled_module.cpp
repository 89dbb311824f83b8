// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/compiled_module.h"

#include <algorithm>
#include <new>
#include <utility>

#include "spirv/support/float_environment.h"

namespace caldera::runtime {
namespace {

/// What Vulkan's validation accepts. Kernels of C++ and SYCL compilers have names of a thousand characters.
constexpr size_t kLongestName = 255;

/// The name of the kernel's entry point in its shader module.
std::string entry_point_of(std::string_view kernel) {
    return std::string(kernel.size() <= kLongestName ? kernel : "main");
}

}  // namespace

CompiledModule::CompiledKernel& CompiledModule::kernel_named(std::string_view name) {
    const auto place = kernels_.find(name);
    return place != kernels_.end() ? place->second : kernels_[std::string(name)];
}

/// Some drivers already compile here.
Result<VkShaderModule> CompiledModule::shader(std::string_view name, CompiledKernel& kernel) {
    if (kernel.shader) return kernel.shader.get();
    const DefaultFloatEnvironment floats;
    const std::vector<uint32_t> words = entry_points_.only(name, entry_point_of(name));
    const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = words.size() * sizeof(uint32_t),
                                        .pCode = words.data()};
    const VkResult result = kernel.shader.make(device_.vk(), vkCreateShaderModule, info);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateShaderModule", result);
    return kernel.shader.get();
}

Result<Done> CompiledModule::prepare(std::string_view kernel) {
    const std::lock_guard lock(mutex_);
    const Result<VkShaderModule> made = shader(kernel, kernel_named(kernel));
    if (!made) return made.error();
    return Done{};
}

CompiledModule::Key CompiledModule::key_of(const PipelineVariant& variant) {
    Key key;
    key.reserve(2 + 2 * variant.constants.size());
    key.assign({variant.required_subgroup_size, variant.full_subgroups});
    for (const PipelineVariant::Constant& constant : variant.constants) {
        key.push_back(constant.id);
        key.push_back(constant.value);
    }
    return key;
}

/// Sets the formats to 0 if too few work-items are launched with them for separate pipelines.
void CompiledModule::choose_formats(CompiledKernel& kernel, PipelineVariant& variant, uint64_t work_items) {
    Key formats;
    for (const PipelineVariant::Constant& constant : variant.constants)
        if (constant.is_format) formats.push_back(constant.value);
    if (std::ranges::all_of(formats, [](uint32_t format) { return format == 0; })) return;
    const bool at_once = kernel.formats.size() < kFormatsAtOnce;
    Formats& seen = kernel.formats.try_emplace(std::move(formats), Formats{.at_once = at_once}).first->second;
    seen.work_items = std::min(kWorthAPipeline, seen.work_items + std::min(kWorthAPipeline, work_items));
    if (seen.at_once || seen.work_items == kWorthAPipeline) return;
    for (PipelineVariant::Constant& constant : variant.constants)
        if (constant.is_format) constant.value = 0;
}

Result<VkPipeline> CompiledModule::pipeline(std::string_view name, PipelineVariant variant,
                                            VkPipelineLayout layout, uint64_t work_items) {
    std::unique_lock lock(mutex_);
    CompiledKernel& kernel = kernel_named(name);
    choose_formats(kernel, variant, work_items);
    Key key = key_of(variant);
    // One thread creates the pipeline. Threads that need another one do not wait for it.
    auto place = kernel.pipelines.end();
    has_made_.wait(lock, [&] {
        place = kernel.pipelines.find(key);
        return place == kernel.pipelines.end() || place->second;
    });
    if (place != kernel.pipelines.end()) return place->second.get();
    const Result<VkShaderModule> shader = this->shader(name, kernel);
    if (!shader) return shader.error();
    place = kernel.pipelines.try_emplace(std::move(key)).first;
    lock.unlock();
    Result<PipelineHandle> made = Error{.code = VK_ERROR_OUT_OF_HOST_MEMORY};
    try {
        made = make(name, *shader, variant, layout);
    } catch (const std::bad_alloc&) {}
    lock.lock();
    has_made_.notify_all();
    if (!made) {
        kernel.pipelines.erase(place);
        return made.error();
    }
    place->second = made.take();
    return place->second.get();
}

Result<PipelineHandle> CompiledModule::make(std::string_view name, VkShaderModule shader,
                                            const PipelineVariant& variant, VkPipelineLayout layout) {
    std::vector<uint32_t> data;
    std::vector<VkSpecializationMapEntry> entries;
    for (const PipelineVariant::Constant& constant : variant.constants) {
        entries.push_back(
            {.constantID = constant.id, .offset = static_cast<uint32_t>(data.size() * 4), .size = 4});
        data.push_back(constant.value);
    }
    const VkSpecializationInfo specialization{.mapEntryCount = static_cast<uint32_t>(entries.size()),
                                              .pMapEntries = entries.data(),
                                              .dataSize = data.size() * 4,
                                              .pData = data.data()};
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = variant.required_subgroup_size};
    const VkPipelineShaderStageCreateFlags full = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    const std::string entry_point = entry_point_of(name);
    return cache_.make({.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                  .pNext = variant.required_subgroup_size != 0 ? &required : nullptr,
                                  .flags = variant.full_subgroups ? full : 0,
                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                  .module = shader,
                                  .pName = entry_point.c_str(),
                                  .pSpecializationInfo = &specialization},
                        .layout = layout});
}

std::shared_ptr<CompiledModule> CompiledModules::find(Device& device, std::span<const uint32_t> words) {
    const Hash128 hash = hash128(std::as_bytes(words));
    const auto is_it = [&](const Known& known) {
        return known.hash == hash && std::ranges::equal(known.module->words(), words);
    };
    {
        const std::lock_guard lock(mutex_);
        if (const auto place = std::ranges::find_if(known_, is_it); place != known_.end()) {
            known_.splice(known_.begin(), known_, place);
            return place->module;
        }
    }
    auto module = std::make_shared<CompiledModule>(device, words);
    std::list<Known> forgotten;  // its pipelines are destroyed after unlocking
    const std::lock_guard lock(mutex_);
    known_.push_front({.hash = hash, .module = module});
    words_ += words.size();
    while (known_.size() > kMost || (words_ > kMaxWords && known_.size() > 1)) {
        words_ -= known_.back().module->words().size();
        forgotten.splice(forgotten.begin(), known_, std::prev(known_.end()));
    }
    return module;
}

}  // namespace caldera::runtime
