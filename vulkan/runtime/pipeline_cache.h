// SPDX-License-Identifier: Apache-2.0
// PipelineCache: what Vulkan's driver compiled for one program, from one run to the next.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>

#include "spirv/support/archive.h"
#include "spirv/support/hash.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// Thread-safe. On a device without a cache on disk it is the device's, in memory only.
class PipelineCache {
 public:
    /// With what is on disk for a shader module of these words.
    PipelineCache(Device& device, std::span<const uint32_t> words);
    /// Keeps what is new.
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    /// For vkCreateComputePipelines, which may use it in several threads at once.
    VkPipelineCache vk() const { return own_ ? own_.get() : device_.pipeline_cache(); }
    /// A pipeline was made that was not in it. Keeps the whole when there are twice as many as last time: programs may end without
    /// releasing anything, and the work stays in proportion.
    void note_pipeline();

 private:
    void keep();

    Device& device_;
    ArchiveWriter key_ = {};
    PipelineCacheHandle own_ = {};
    std::mutex mutex_ = {};
    uint32_t pipelines_ = 0, kept_pipelines_ = 0;  // new ones since the program was made
    Hash128 kept_ = {};                            // of what is on disk
};

}  // namespace caldera::runtime
