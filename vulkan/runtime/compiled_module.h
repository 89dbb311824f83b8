// SPDX-License-Identifier: Apache-2.0
// CompiledModule: what the Vulkan driver compiled from one translated module. All programs of a device with
// the same words share it, because programs are often built repeatedly from one source (one program for each
// image format, say), and drivers' compilers are slow.
//
// The cache on disk has the driver's code (PipelineCache), and the list of the pipelines that launches used.
// Vulkan makes a pipeline with the kernel's work-group size, which only a launch tells. So when another
// process has the same module, its device makes the pipelines of the list in the background, while the
// program still creates buffers and sets arguments. A launch that comes first makes its pipeline itself, and
// one that comes meanwhile waits for it.
//
// A kernel that is launched with ever new sizes has ever new pipelines. So a kernel, and all kernels of a
// device together (KeptPipelines), keep a limited number of them, those that were used last. Others are made
// again when a launch wants them, of what PipelineCache has. Whoever has recorded a command with a pipeline
// shares it until the command has run for the last time: it is destroyed when nobody has it.
#pragma once

#include <atomic>
#include <compare>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/entry_points.h"
#include "spirv/support/archive.h"
#include "spirv/support/hash.h"
#include "vulkan/runtime/handle.h"
#include "vulkan/runtime/pipeline_cache.h"

namespace caldera::runtime {

/// What distinguishes one pipeline of a kernel from its others.
struct PipelineVariant {
    struct Constant {
        uint32_t id = 0, value = 0;
        /// The value is an image format. A pipeline for one format is faster; 0 serves all formats.
        bool is_format = false;
    };
    std::vector<Constant> constants = {};  ///< specialisation constants
    uint32_t required_subgroup_size = 0;   ///< 0: any
    bool full_subgroups = false;
};

/// A pipeline, for everybody who has recorded a command with it, until that has run for the last time.
using SharedPipeline = std::shared_ptr<const PipelineHandle>;

/// A pipeline of a module: the kernel's name, and what tells its pipelines apart.
struct KnownPipeline {
    std::string kernel = {};
    std::vector<uint32_t> key = {};
    auto operator<=>(const KnownPipeline&) const = default;
};
template <class Archive, Archived<KnownPipeline> T>
void archive_fields(Archive& archive, T& pipeline) {
    auto& [kernel, key] = pipeline;
    archive(kernel, key);
}

class CompiledModule;

/// How many pipelines the modules of a device keep. Time counts the pipelines that were made: so a launch
/// that finds its pipeline writes nothing that other threads read. Thread-safe; must outlive the modules.
class KeptPipelines {
 public:
    void join(CompiledModule& module);
    /// Waits until no thread drops pipelines of the module.
    void leave(CompiledModule& module);

    uint64_t time() const { return time_.load(std::memory_order_relaxed); }
    /// One was made, of a kernel with so many words. Returns the time.
    uint64_t add(size_t words);
    /// So many are kept no longer, of kernels with so many words in all.
    void remove(size_t count, size_t words);
    size_t count() const { return count_.load(std::memory_order_relaxed); }
    bool has_room() const { return count() < kMost && words_.load(std::memory_order_relaxed) < kMostWords; }
    /// Drops the ones that were not used for the longest time, if there are too many. No module is locked.
    void make_room() noexcept;

    static constexpr size_t kMost = 1024;
    /// Words of the kernels of all pipelines: Vulkan tells no more of a pipeline's size. llvmpipe's code has
    /// some 80 times as many bytes as the kernel.
    static constexpr size_t kMostWords = 4ull << 20;

 private:
    std::atomic<uint64_t> time_ = 0;
    std::atomic<size_t> count_ = 0, words_ = 0;
    std::mutex mutex_ = {};  // taken before those of modules
    std::vector<CompiledModule*> modules_ = {};
};

/// Thread-safe. Owns shader modules, and shares pipelines.
class CompiledModule {
 public:
    CompiledModule(Device& device, std::span<const uint32_t> words);
    /// Saves, too, that pipelines were not used.
    ~CompiledModule();
    CompiledModule(const CompiledModule&) = delete;
    CompiledModule& operator=(const CompiledModule&) = delete;

    /// Has the device make the pipelines that the last process used, with the device's own layout.
    static void make_early(const std::shared_ptr<CompiledModule>& module);
    /// Makes one of them, unless a launch has made it.
    void make_early(const KnownPipeline& pipeline);

    /// Creates the shader module of a kernel, unless it exists.
    Result<Done> prepare(std::string_view kernel);

    /// Returns the pipeline, created with `layout` unless the module has it.
    /// `work_items` is the number that will be launched. If a kernel's images have many different formats,
    /// only launches of many work-items get pipelines for their formats.
    Result<SharedPipeline> pipeline(std::string_view kernel, PipelineVariant variant, VkPipelineLayout layout,
                                    uint64_t work_items);

    std::span<const uint32_t> words() const { return entry_points_.words(); }
    /// Saves to disk what is new.
    void keep() noexcept;
    /// The number of pipelines that it has.
    size_t pipelines();

    /// The last use of a pipeline, in KeptPipelines' time.
    struct LastUse {
        uint64_t time = 0;
        size_t words = 0;  // of the kernel
    };
    /// Adds those of all its pipelines.
    void list_uses(std::vector<LastUse>& uses);
    /// Moves at most `count` pipelines that were not used later than that to `dropped`, and counts them off.
    void drop_until(uint64_t time, size_t& count, std::vector<SharedPipeline>& dropped);

    /// so many sets of formats get their own pipelines from the first launch
    static constexpr size_t kFormatsAtOnce = 2;
    /// work-items that justify a pipeline for another set
    static constexpr uint64_t kWorthAPipeline = 1ull << 20;
    /// pipelines on the list
    static constexpr size_t kMostListed = 1024;
    /// pipelines of one kernel
    static constexpr size_t kMostOfKernel = 128;

 private:
    /// What tells pipelines apart: the sub-group size, whether sub-groups are full, then each constant's id
    /// and value. The id of an image's format has kFormatBit.
    using Key = std::vector<uint32_t>;
    static constexpr uint32_t kFormatBit = 1u << 31;
    static constexpr size_t kConstantsInKey = 2;
    struct Pipeline {
        SharedPipeline handle = {};  // null while a thread is creating it
        bool is_used = false;        // by a launch
        uint64_t last_use = 0;       // KeptPipelines' time
    };
    using Pipelines = std::map<Key, Pipeline>;
    struct Formats {
        uint64_t work_items = 0;
        bool at_once = false;
    };
    struct CompiledKernel {
        ShaderHandle shader = {};
        size_t words = 0;  // of the shader
        Pipelines pipelines = {};
        std::map<Key, Formats> formats = {};  // by the format of each image
    };
    CompiledKernel& kernel_named(std::string_view name);
    Result<VkShaderModule> shader(std::string_view name, CompiledKernel& kernel);
    Result<ShaderHandle> specialized_shader(std::string_view name, const PipelineVariant& variant) const;
    static Key key_of(const PipelineVariant& variant);
    static PipelineVariant variant_of(const Key& key);
    static void choose_formats(CompiledKernel& kernel, PipelineVariant& variant, uint64_t work_items);
    struct Found {
        SharedPipeline pipeline = {};
        bool is_new = false;
    };
    Result<Found> found_or_made(std::string_view name, PipelineVariant variant, VkPipelineLayout layout,
                                uint64_t work_items);
    void make_room(std::string_view name) noexcept;
    SharedPipeline drop(CompiledKernel& kernel, Pipelines::iterator place);
    Result<Pipelines::iterator> make(std::unique_lock<std::mutex>& lock, std::string_view name,
                                     CompiledKernel& kernel, const Key& key, VkPipelineLayout layout);
    Result<PipelineHandle> make(std::string_view name, VkShaderModule shader, const PipelineVariant& variant,
                                VkPipelineLayout layout);
    std::vector<std::byte> list_key() const;
    std::vector<KnownPipeline> load_list();
    void note_use(std::string_view name, const Key& key, std::unique_lock<std::mutex> lock);
    void keep_list(std::vector<KnownPipeline> list, std::unique_lock<std::mutex> lock);
    std::vector<KnownPipeline> used_and_listed() const;
    void keep_used() noexcept;

    Device& device_;
    KeptPipelines& kept_;
    spirv::EntryPoints entry_points_;
    PipelineCache cache_;
    std::mutex mutex_ = {};
    std::map<std::string, CompiledKernel, std::less<>> kernels_ = {};
    std::condition_variable has_made_ = {};
    std::vector<KnownPipeline> used_ = {};     // by launches, in the order of their first uses: kMostListed
    std::set<KnownPipeline> listed_ = {};      // on disk
    size_t new_uses_ = 0, kept_new_uses_ = 0;  // of pipelines that the list did not have
};

/// The modules that programs of a device used last, even if those programs have been released. Thread-safe.
class CompiledModules {
 public:
    /// Returns the module with these words, or a new one.
    std::shared_ptr<CompiledModule> find(Device& device, std::span<const uint32_t> words);
    /// Saves to disk what is new in any of them, for a process that exits without releasing its programs.
    void keep() noexcept;

    static constexpr size_t kMost = 64;
    static constexpr size_t kMaxWords = 8ull << 20;  ///< in all of them

 private:
    struct Known {
        Hash128 hash = {};
        std::shared_ptr<CompiledModule> module = {};
    };
    std::mutex mutex_ = {};
    std::list<Known> known_ = {};  // most recently used first
    size_t words_ = 0;             // in all modules together
};

}  // namespace caldera::runtime
