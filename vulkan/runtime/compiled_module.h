// SPDX-License-Identifier: Apache-2.0
// CompiledModule: what Vulkan's driver made of one translated module, for all programs of a device that have the same words. Programs
// are built again and again from one source (a program for each image format, say), and compilers of drivers are slow.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/entry_points.h"
#include "spirv/support/hash.h"
#include "vulkan/runtime/handle.h"
#include "vulkan/runtime/pipeline_cache.h"

namespace caldera::runtime {

/// How a pipeline of a kernel differs from its others.
struct PipelineVariant {
    struct Constant {
        uint32_t id = 0, value = 0;
        /// The value is an image's format, for which a pipeline is faster; 0 serves all formats.
        bool is_format = false;
    };
    std::vector<Constant> constants = {};  ///< specialisation constants
    uint32_t required_subgroup_size = 0;   ///< 0: any
    bool full_subgroups = false;
};

/// Thread-safe. Owns shader modules and pipelines.
class CompiledModule {
 public:
    CompiledModule(Device& device, std::span<const uint32_t> words)
        : device_(device), entry_points_({words.begin(), words.end()}), cache_(device, words) {}

    /// Asks the driver for the shader module of a kernel, if that has not been done.
    Result<Done> prepare(std::string_view kernel);

    /// Made at first use, which takes `layout`; valid as long as the module. `work_items`: how many are to be launched. A kernel
    /// whose images have many formats gets pipelines of their own only for those with which many work-items are launched.
    Result<VkPipeline> pipeline(std::string_view kernel, PipelineVariant variant, VkPipelineLayout layout,
                                uint64_t work_items);

    std::span<const uint32_t> words() const { return entry_points_.words(); }
    /// Keeps on disk what is new.
    void keep() { cache_.keep_new(); }

    static constexpr size_t kFormatsAtOnce = 2;  ///< sets of formats with pipelines from the first launch
    static constexpr uint64_t kWorthAPipeline = 1ull << 20;  ///< work-items, for pipelines of other sets

 private:
    using Key = std::vector<uint32_t>;
    struct Formats {
        uint64_t work_items = 0;
        bool at_once = false;
    };
    struct CompiledKernel {
        ShaderHandle shader = {};
        std::map<Key, PipelineHandle> pipelines = {};  // null while a thread makes it
        std::map<Key, Formats> formats = {};           // by the format of each image
    };
    CompiledKernel& kernel_named(std::string_view name);
    Result<VkShaderModule> shader(std::string_view name, CompiledKernel& kernel);
    static Key key_of(const PipelineVariant& variant);
    static void choose_formats(CompiledKernel& kernel, PipelineVariant& variant, uint64_t work_items);
    Result<PipelineHandle> make(std::string_view name, VkShaderModule shader, const PipelineVariant& variant,
                                VkPipelineLayout layout);

    Device& device_;
    spirv::EntryPoints entry_points_;
    PipelineCache cache_;
    std::mutex mutex_ = {};
    std::map<std::string, CompiledKernel, std::less<>> kernels_ = {};
    std::condition_variable has_made_ = {};
};

/// The last modules that programs of a device were made of, whether they have been released or not. Thread-safe.
class CompiledModules {
 public:
    /// One of them if it has these words, else a new one.
    std::shared_ptr<CompiledModule> find(Device& device, std::span<const uint32_t> words);

    static constexpr size_t kMost = 64;
    static constexpr size_t kMaxWords = 8ull << 20;  ///< in all of them

 private:
    struct Known {
        Hash128 hash = {};
        std::shared_ptr<CompiledModule> module = {};
    };
    std::mutex mutex_ = {};
    std::list<Known> known_ = {};  // the last one used first
    size_t words_ = 0;             // in all of them
};

}  // namespace caldera::runtime
