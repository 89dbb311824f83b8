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

    /// From the cache if it is there. `info` has no pNext.
    Result<PipelineHandle> make(const VkComputePipelineCreateInfo& info);
    /// On disk, what is new.
    void keep_new();

 private:
    enum class Source : uint8_t { Any, CacheAlone };
    Result<PipelineHandle> make(VkComputePipelineCreateInfo info, Source source);
    void note_pipeline();
    void keep();

    Device& device_;
    ArchiveWriter key_ = {};
    PipelineCacheHandle own_ = {};
    std::mutex mutex_ = {};
    uint32_t pipelines_ = 0, kept_pipelines_ = 0;  // new ones since the program was made
    Hash128 kept_ = {};                            // of what is on disk
};

}  // namespace caldera::runtime
