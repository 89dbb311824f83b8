// SPDX-License-Identifier: Apache-2.0
// PipelineCache: keeps what the Vulkan driver compiled for one program, from one run to the next.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "spirv/support/archive.h"
#include "spirv/support/hash.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// Thread-safe. Without a cache on disk, it is in memory only.
class PipelineCache {
 public:
    /// Loads what is on disk for a shader module of these words.
    PipelineCache(Device& device, std::span<const uint32_t> words);
    /// Saves new pipelines.
    ~PipelineCache();
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    /// Creates a pipeline, from the cache if it is there. `info` has no pNext.
    Result<PipelineHandle> make(const VkComputePipelineCreateInfo& info);
    /// Saves new pipelines to disk.
    void keep_new();

    /// So many new pipelines fill the cache. Then it begins anew, and the disk keeps the first ones.
    static constexpr uint32_t kMost = 1024;

 private:
    enum class Source : uint8_t { Any, CacheAlone };
    Result<PipelineHandle> make(VkComputePipelineCreateInfo info, Source source);
    std::shared_ptr<const PipelineCacheHandle> current();
    void note_pipeline();
    void keep();
    void begin_anew();

    Device& device_;
    ArchiveWriter key_ = {};
    std::mutex mutex_ = {};
    std::shared_ptr<const PipelineCacheHandle> handle_;  // shared with threads that make pipelines
    uint32_t pipelines_ = 0, kept_pipelines_ = 0;        // since it was created, or began anew
    bool is_first_ = true;                               // it has not begun anew
    Hash128 kept_ = {};                                  // hash of what is on disk
};

}  // namespace caldera::runtime
