// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/compiled_module.h"

#include <algorithm>
#include <new>
#include <utility>

#include "spirv/support/archive.h"
#include "spirv/support/float_environment.h"
#include "vulkan/runtime/background_tasks.h"
#include "vulkan/runtime/device_key.h"

namespace caldera::runtime {
namespace {

/// What Vulkan's validation accepts. Kernels of C++ and SYCL compilers have names of a thousand characters.
constexpr size_t kLongestName = 255;

/// The name of the kernel's entry point in its shader module.
std::string entry_point_of(std::string_view kernel) {
    return std::string(kernel.size() <= kLongestName ? kernel : "main");
}

Result<ShaderHandle> make_shader(VkDevice device, std::span<const uint32_t> words) {
    const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .codeSize = words.size_bytes(),
                                        .pCode = words.data()};
    ShaderHandle shader;
    const VkResult result = shader.make(device, vkCreateShaderModule, info);
    if (result != VK_SUCCESS) return vulkan_error("vkCreateShaderModule", result);
    return shader;
}

}  // namespace

CompiledModule::CompiledModule(Device& device, std::span<const uint32_t> words)
    : device_(device),
      kept_(device.kept_pipelines()),
      entry_points_({words.begin(), words.end()}),
      cache_(device, words) {
    kept_.join(*this);
}

CompiledModule::CompiledKernel& CompiledModule::kernel_named(std::string_view name) {
    const auto place = kernels_.find(name);
    return place != kernels_.end() ? place->second : kernels_[std::string(name)];
}

/// Some drivers already compile here.
Result<VkShaderModule> CompiledModule::shader(std::string_view name, CompiledKernel& kernel) {
    if (kernel.shader) return kernel.shader.get();
    const DefaultFloatEnvironment floats;
    const std::vector<uint32_t> words = entry_points_.only(name, entry_point_of(name));
    Result<ShaderHandle> shader = make_shader(device_.vk(), words);
    if (!shader) return shader.error();
    kernel.shader = shader.take();
    kernel.words = words.size();
    return kernel.shader.get();
}

/// For the formats of its images. Null where the kernel's module serves as well.
Result<ShaderHandle> CompiledModule::specialized_shader(std::string_view name,
                                                        const PipelineVariant& variant) const {
    std::vector<std::pair<uint32_t, uint32_t>> formats;
    for (const PipelineVariant::Constant& constant : variant.constants)
        if (constant.is_format && constant.value != 0) formats.emplace_back(constant.id, constant.value);
    const SpecializeKernel specialize = device_.specialize_kernel();
    if (formats.empty() || !specialize) return ShaderHandle{};
    const DefaultFloatEnvironment floats;
    const std::vector<uint32_t> words = specialize(entry_points_.only(name, entry_point_of(name)), formats);
    if (words.empty()) return ShaderHandle{};
    return make_shader(device_.vk(), words);
}

Result<Done> CompiledModule::prepare(std::string_view kernel) {
    const std::lock_guard lock(mutex_);
    const Result<VkShaderModule> made = shader(kernel, kernel_named(kernel));
    if (!made) return made.error();
    return Done{};
}

CompiledModule::Key CompiledModule::key_of(const PipelineVariant& variant) {
    Key key;
    key.reserve(kConstantsInKey + 2 * variant.constants.size());
    key.assign({variant.required_subgroup_size, variant.full_subgroups});
    for (const PipelineVariant::Constant& constant : variant.constants) {
        key.push_back(constant.is_format ? constant.id | kFormatBit : constant.id);
        key.push_back(constant.value);
    }
    return key;
}

PipelineVariant CompiledModule::variant_of(const Key& key) {
    PipelineVariant variant{.required_subgroup_size = key.at(0), .full_subgroups = key.at(1) != 0};
    for (size_t at = kConstantsInKey; at + 1 < key.size(); at += 2)
        variant.constants.push_back(
            {.id = key[at] & ~kFormatBit, .value = key[at + 1], .is_format = (key[at] & kFormatBit) != 0});
    return variant;
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

Result<SharedPipeline> CompiledModule::pipeline(std::string_view name, PipelineVariant variant,
                                                VkPipelineLayout layout, uint64_t work_items) {
    Result<Found> found = found_or_made(name, std::move(variant), layout, work_items);
    if (!found) return found.error();
    if (found->is_new) make_room(name);
    return std::move(found->pipeline);
}

Result<CompiledModule::Found> CompiledModule::found_or_made(std::string_view name, PipelineVariant variant,
                                                            VkPipelineLayout layout, uint64_t work_items) {
    std::unique_lock lock(mutex_);
    CompiledKernel& kernel = kernel_named(name);
    choose_formats(kernel, variant, work_items);
    const Key key = key_of(variant);
    // One thread creates the pipeline. Threads that need another one do not wait for it.
    auto place = kernel.pipelines.end();
    Found found;
    has_made_.wait(lock, [&] {
        place = kernel.pipelines.find(key);
        return place == kernel.pipelines.end() || place->second.handle;
    });
    if (place == kernel.pipelines.end()) {
        const Result<Pipelines::iterator> made = make(lock, name, kernel, key, layout);
        if (!made) return made.error();
        place = *made;
        found.is_new = true;
    }
    place->second.last_use = kept_.time();
    found.pipeline = place->second.handle;
    if (!std::exchange(place->second.is_used, true)) note_use(name, key, std::move(lock));
    return found;
}

/// Only if the kernel has no such pipeline, and no thread creates it. The lock is not held meanwhile.
Result<CompiledModule::Pipelines::iterator> CompiledModule::make(std::unique_lock<std::mutex>& lock,
                                                                 std::string_view name,
                                                                 CompiledKernel& kernel, const Key& key,
                                                                 VkPipelineLayout layout) {
    const Result<VkShaderModule> shader = this->shader(name, kernel);
    if (!shader) return shader.error();
    const auto place = kernel.pipelines.try_emplace(key).first;
    lock.unlock();
    Result<SharedPipeline> made = Error{.code = VK_ERROR_OUT_OF_HOST_MEMORY};
    try {
        const PipelineVariant variant = variant_of(key);
        Result<ShaderHandle> specialized = specialized_shader(name, variant);
        Result<PipelineHandle> handle =
            !specialized ? Result<PipelineHandle>(specialized.error())
                         : make(name, *specialized ? specialized->get() : *shader, variant, layout);
        if (handle)
            made = std::make_shared<const PipelineHandle>(handle.take());
        else
            made = handle.error();
    } catch (const std::bad_alloc&) {}
    lock.lock();
    has_made_.notify_all();
    if (!made) {
        kernel.pipelines.erase(place);
        return made.error();
    }
    place->second = {.handle = made.take(), .last_use = kept_.add(kernel.words)};
    return place;
}

size_t CompiledModule::pipelines() {
    const std::lock_guard lock(mutex_);
    size_t count = 0;
    for (const auto& [name, kernel] : kernels_)
        count += static_cast<size_t>(std::ranges::count_if(
            kernel.pipelines, [](const auto& each) { return bool(each.second.handle); }));
    return count;
}

// ---- What is kept ----

/// After a pipeline of this kernel was made.
void CompiledModule::make_room(std::string_view name) noexcept {
    SharedPipeline dropped;  // it is destroyed after unlocking
    {
        const std::lock_guard lock(mutex_);
        CompiledKernel& kernel = kernels_.find(name)->second;
        auto oldest = kernel.pipelines.end();
        for (auto place = kernel.pipelines.begin(); place != kernel.pipelines.end(); ++place)
            if (place->second.handle &&
                (oldest == kernel.pipelines.end() || place->second.last_use < oldest->second.last_use))
                oldest = place;
        if (kernel.pipelines.size() > kMostOfKernel && oldest != kernel.pipelines.end())
            dropped = drop(kernel, oldest);
    }
    kept_.make_room();
}

SharedPipeline CompiledModule::drop(CompiledKernel& kernel, Pipelines::iterator place) {
    SharedPipeline dropped = std::move(place->second.handle);
    kernel.pipelines.erase(place);
    kept_.remove(1, kernel.words);
    return dropped;
}

void CompiledModule::list_uses(std::vector<LastUse>& uses) {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, kernel] : kernels_)
        for (const auto& [key, pipeline] : kernel.pipelines)
            if (pipeline.handle) uses.push_back({.time = pipeline.last_use, .words = kernel.words});
}

void CompiledModule::drop_until(uint64_t time, size_t& count, std::vector<SharedPipeline>& dropped) {
    const std::lock_guard lock(mutex_);
    for (auto& [name, kernel] : kernels_)
        for (auto place = kernel.pipelines.begin(); place != kernel.pipelines.end() && count != 0;) {
            const auto next = std::next(place);
            if (place->second.handle && place->second.last_use <= time) {
                dropped.push_back(drop(kernel, place));
                --count;
            }
            place = next;
        }
}

void KeptPipelines::join(CompiledModule& module) {
    const std::lock_guard lock(mutex_);
    modules_.push_back(&module);
}

void KeptPipelines::leave(CompiledModule& module) {
    const std::lock_guard lock(mutex_);
    std::erase(modules_, &module);
}

uint64_t KeptPipelines::add(size_t words) {
    ++count_;
    words_ += words;
    return ++time_;
}

void KeptPipelines::remove(size_t count, size_t words) {
    count_ -= count;
    words_ -= words;
}

void KeptPipelines::make_room() noexcept try {
    if (count_ <= kMost && words_ <= kMostWords) return;
    std::vector<SharedPipeline> dropped;  // they are destroyed after unlocking
    const std::lock_guard lock(mutex_);
    std::vector<CompiledModule::LastUse> uses;
    for (CompiledModule* module : modules_) module->list_uses(uses);
    std::ranges::sort(uses, std::ranges::greater(), &CompiledModule::LastUse::time);
    // An eighth more than what must go, so that this happens seldom. The newest one always stays.
    size_t stay = 0, words = 0;
    for (; stay < uses.size() && stay < kMost / 8 * 7; ++stay) {
        words += uses[stay].words;
        if (stay != 0 && words > kMostWords / 8 * 7) break;
    }
    if (stay == uses.size()) return;
    size_t count = uses.size() - stay;
    dropped.reserve(count);
    for (CompiledModule* module : modules_) module->drop_until(uses[stay].time, count, dropped);
} catch (const std::bad_alloc&) {}  // the next pipeline that is made tries again

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

// ---- Pipelines that other processes used ----

std::vector<std::byte> CompiledModule::list_key() const {
    ArchiveWriter key;
    key(std::string_view("used pipelines, with formats"));
    add_device(key, device_);
    key(words());
    return {key.bytes().begin(), key.bytes().end()};
}

void CompiledModule::make_early(const std::shared_ptr<CompiledModule>& module) try {
    std::vector<BackgroundTasks::Task> tasks;
    for (KnownPipeline& pipeline : module->load_list())
        tasks.push_back([weak = std::weak_ptr(module), pipeline = std::move(pipeline)] {
            if (const std::shared_ptr<CompiledModule> alive = weak.lock()) alive->make_early(pipeline);
        });
    if (!tasks.empty()) module->device_.background().add(std::move(tasks));
} catch (const std::bad_alloc&) {}  // launches make them

std::vector<KnownPipeline> CompiledModule::load_list() {
    if (!device_.disk_cache()) return {};
    const auto bytes = device_.disk_cache()->load(list_key());
    if (!bytes) return {};
    std::vector<KnownPipeline> list;
    ArchiveReader reader(*bytes);
    reader(list);
    const auto is_whole = [](const KnownPipeline& each) {
        return each.key.size() >= kConstantsInKey && each.key.size() % 2 == 0;
    };
    if (!reader.is_good() || !std::ranges::all_of(list, is_whole)) return {};
    const std::lock_guard lock(mutex_);
    listed_.insert(list.begin(), list.end());
    return list;
}

void CompiledModule::make_early(const KnownPipeline& pipeline) try {
    std::unique_lock lock(mutex_);
    CompiledKernel& kernel = kernel_named(pipeline.kernel);
    if (kernel.pipelines.size() >= kMostOfKernel || !kept_.has_room()) return;
    // If it fails, the launch tries again and reports it.
    if (!kernel.pipelines.contains(pipeline.key))
        (void)make(lock, pipeline.kernel, kernel, pipeline.key, device_.pipeline_layout());
} catch (const std::bad_alloc&) {}

/// Saves the list whenever the number of new ones has doubled, as PipelineCache does, and for the same
/// reason.
void CompiledModule::note_use(std::string_view name, const Key& key, std::unique_lock<std::mutex> lock) {
    if (!device_.disk_cache() || used_.size() == kMostListed) return;
    KnownPipeline used{std::string(name), key};
    if (std::ranges::find(used_, used) != used_.end()) return;  // it had been dropped
    used_.push_back(std::move(used));
    if (listed_.contains(used_.back())) return;
    if (++new_uses_ >= 2 * kept_new_uses_) keep_list(used_and_listed(), std::move(lock));
}

std::vector<KnownPipeline> CompiledModule::used_and_listed() const {
    std::vector<KnownPipeline> list = used_;
    std::set<KnownPipeline> others = listed_;
    for (const KnownPipeline& each : used_) others.erase(each);
    list.insert(list.end(), others.begin(), others.end());
    return list;
}

void CompiledModule::keep_list(std::vector<KnownPipeline> list, std::unique_lock<std::mutex> lock) {
    if (list.size() > kMostListed) list.resize(kMostListed);
    kept_new_uses_ = new_uses_;
    lock.unlock();
    ArchiveWriter bytes;
    bytes(list);
    device_.disk_cache()->store(list_key(), bytes.bytes());
}

void CompiledModule::keep() noexcept try {
    cache_.keep_new();
    std::unique_lock lock(mutex_);
    if (new_uses_ != kept_new_uses_) keep_list(used_and_listed(), std::move(lock));
} catch (const std::bad_alloc&) {}  // not saved

CompiledModule::~CompiledModule() {
    kept_.leave(*this);
    for (const auto& [name, kernel] : kernels_)
        kept_.remove(kernel.pipelines.size(), kernel.pipelines.size() * kernel.words);
    keep_used();
}

void CompiledModule::keep_used() noexcept try {
    std::unique_lock lock(mutex_);
    const size_t listed_uses = used_.size() - new_uses_;
    const bool is_news = listed_uses != listed_.size() || new_uses_ != kept_new_uses_;
    if (!used_.empty() && is_news) keep_list(used_, std::move(lock));
} catch (const std::bad_alloc&) {}  // not saved

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
    CompiledModule::make_early(module);
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

void CompiledModules::keep() noexcept try {
    std::vector<std::shared_ptr<CompiledModule>> modules;
    {
        // A thread may have called exit() while it held the lock.
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return;
        for (const Known& known : known_) modules.push_back(known.module);
    }
    for (const std::shared_ptr<CompiledModule>& module : modules) module->keep();
} catch (const std::bad_alloc&) {}  // not saved

}  // namespace caldera::runtime
