// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/pipeline_cache.h"

#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include "spirv/support/float_environment.h"
#include "vulkan/runtime/device_key.h"

namespace caldera::runtime {
namespace {

/// Drivers are to refuse data of other devices and drivers, and some crash (Vulkan 10.7.1, "Pipeline Cache
/// Header"). driver_quirks.def: checks_pipeline_data.
bool is_of_device(std::span<const std::byte> data, const VkPhysicalDeviceProperties& properties) {
    VkPipelineCacheHeaderVersionOne header;
    if (data.size() <= sizeof header) return false;
    std::memcpy(&header, data.data(), sizeof header);
    return header.headerSize == sizeof header &&
           header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           header.vendorID == properties.vendorID && header.deviceID == properties.deviceID &&
           std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

std::shared_ptr<const PipelineCacheHandle> make_cache(VkDevice device, std::span<const std::byte> data) {
    const VkPipelineCacheCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                         .initialDataSize = data.size(),
                                         .pInitialData = data.data()};
    PipelineCacheHandle cache;
    (void)cache.make(device, vkCreatePipelineCache, info);  // empty if it cannot be created
    return std::make_shared<const PipelineCacheHandle>(std::move(cache));
}

}  // namespace

PipelineCache::PipelineCache(Device& device, std::span<const uint32_t> words)
    : device_(device), handle_(make_cache(device.vk(), {})) {
    if (!device.disk_cache()) return;
    key_(std::string_view("pipelines"));
    add_device(key_, device);
    key_(words);
    std::optional<std::vector<std::byte>> data = device.disk_cache()->load(key_.bytes());
    if (!data || !is_of_device(*data, device.properties())) return;
    std::shared_ptr<const PipelineCacheHandle> loaded = make_cache(device.vk(), *data);
    if (!*loaded) return;
    handle_ = std::move(loaded);
    kept_ = hash128(*data);
}

PipelineCache::~PipelineCache() { keep_new(); }

void PipelineCache::keep_new() {
    const std::lock_guard lock(mutex_);
    if (pipelines_ != kept_pipelines_) keep();
}

Result<PipelineHandle> PipelineCache::make(const VkComputePipelineCreateInfo& info) {
    if (!device_.profile().quirks.mixes_up_pipelines) return make(info, Source::Any);
    // Others submit while it is compiled, and not while the pipeline that is used is made, which takes tenths
    // of a millisecond.
    if (device_.may_refuse_to_compile()) {
        const Device::NoSubmissions held = device_.hold_submissions();
        Result<PipelineHandle> made = make(info, Source::CacheAlone);
        if (made || made.error().code != VK_PIPELINE_COMPILE_REQUIRED) return made;
    }
    if (const Result<PipelineHandle> compiled = make(info, Source::Any); !compiled) return compiled.error();
    const Device::NoSubmissions held = device_.hold_submissions();
    return make(info, Source::Any);
}

Result<PipelineHandle> PipelineCache::make(VkComputePipelineCreateInfo info, Source source) {
    VkPipelineCreationFeedback feedback = {}, feedback_of_stage = {};
    const VkPipelineCreationFeedbackCreateInfo wants_feedback{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
        .pPipelineCreationFeedback = &feedback,
        .pipelineStageCreationFeedbackCount = 1,
        .pPipelineStageCreationFeedbacks = &feedback_of_stage};
    if (device_.properties().apiVersion >= VK_API_VERSION_1_3) info.pNext = &wants_feedback;
    if (source == Source::CacheAlone) info.flags |= VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    // Several threads may use the cache at once.
    const std::shared_ptr<const PipelineCacheHandle> cache = current();
    VkPipeline pipeline = VK_NULL_HANDLE;
    // folded constants must not depend on the thread, nor be cached that way
    const DefaultFloatEnvironment floats;
    const VkResult result =
        vkCreateComputePipelines(device_.vk(), cache->get(), 1, &info, nullptr, &pipeline);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateComputePipelines", result);
    PipelineHandle owner(device_.vk(), pipeline);
    // A driver that gives no feedback leaves the flags 0.
    if (!(feedback.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT)) note_pipeline();
    return owner;
}

std::shared_ptr<const PipelineCacheHandle> PipelineCache::current() {
    const std::lock_guard lock(mutex_);
    return handle_;
}

/// Called when a pipeline was created that was not in the cache. Saves the whole cache whenever the number of
/// pipelines has doubled: programs may exit without releasing anything, and the total work stays
/// proportional.
void PipelineCache::note_pipeline() {
    const std::lock_guard lock(mutex_);
    ++pipelines_;
    if (pipelines_ >= 2 * kept_pipelines_) keep();
    if (pipelines_ >= kMost) begin_anew();
}

/// Drivers never remove anything from a cache, and a kernel may have ever new pipelines.
void PipelineCache::begin_anew() try {
    handle_ = make_cache(device_.vk(), {});
    pipelines_ = kept_pipelines_ = 0;
    is_first_ = false;
} catch (const std::bad_alloc&) {}  // the next pipeline tries again

void PipelineCache::keep() try {
    if (!*handle_ || !device_.disk_cache() || !is_first_) return;
    kept_pipelines_ = pipelines_;
    size_t size = 0;
    if (vkGetPipelineCacheData(device_.vk(), handle_->get(), &size, nullptr) != VK_SUCCESS) return;
    std::vector<std::byte> data(size);
    if (vkGetPipelineCacheData(device_.vk(), handle_->get(), &size, data.data()) != VK_SUCCESS) return;
    data.resize(size);
    // Some drivers return only a header, because they have caches of their own.
    if (!is_of_device(data, device_.properties()) || hash128(data) == kept_) return;
    device_.disk_cache()->store(key_.bytes(), data);
    kept_ = hash128(data);
} catch (const std::bad_alloc&) {}  // not saved

}  // namespace caldera::runtime
