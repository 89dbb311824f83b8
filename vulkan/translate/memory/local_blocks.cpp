// SPDX-License-Identifier: Apache-2.0
// Local memory that a kernel accesses by several widths, on devices with
// VK_KHR_workgroup_memory_explicit_layout. A word array would need two atomic operations for each store that
// is narrower than a word, because other work-items may store the word's other parts at the same time. A
// block is accessed by an array of each width instead, and all arrays lie over each other.
//
// A driver that loads scalars of local memory one at a time (loads_local_scalars) gets such a block where
// there are vectors beside scalars: of vec2 and vec4, too, each access is then one access.
//
// Vulkan puts every block of a kernel at the first byte of its local memory, and allows no other variables
// beside blocks. So all local objects of such a kernel have offsets in one block.
#include <algorithm>
#include <bit>
#include <numeric>

#include "spirv/support/align.h"
#include "vulkan/translate/memory/regions.h"

namespace caldera::vulkan::memory {
namespace {

constexpr uint64_t kRegionAlignment = 32;  // the largest vector of a view

}  // namespace

// ---- Which regions ----

/// Whether an array of words would be slow for the region, or impossible.
bool Regions::is_punned(const Region& region) const {
    const Usage& usage = region.usage;
    if (region.space != Space::Local || !region.words || usage.functions.empty()) return false;
    const bool has_narrow =
        (usage.widths & 3) || usage.misaligned || (usage.raw_bytes && usage.raw_bytes < 4);
    return has_narrow || ((usage.atomics & 8) && usage.widths != 8);
}

/// Whether the driver would access components of the region's vectors one at a time.
bool Regions::mixes_vectors(const Region& region) const {
    const Usage& usage = region.usage;
    return profile_.quirks.loads_local_scalars && region.space == Space::Local && usage.vectors &&
           (usage.scalars || !std::has_single_bit(usage.vectors));
}

/// Kernels that share a region share their block.
void Regions::choose_blocks(const spirv::Module& module, LazyCallGraph& calls) {
    const auto wants_block = [&](const auto& entry) {
        return is_punned(entry.second) || mixes_vectors(entry.second);
    };
    if (!has_blocks_ || std::ranges::none_of(regions_, wants_block)) return;
    find_kernels_of_functions(module, calls);
    std::vector<uint32_t> first(module.entry_points.size());  // of the kernels with the same block
    std::iota(first.begin(), first.end(), 0u);
    struct Local {
        Region* region;
        uint32_t kernel;
    };
    std::vector<Local> locals;
    for (auto& [key, region] : regions_) {
        if (region.space != Space::Local || region.usage.functions.empty()) continue;
        const std::vector<uint32_t> kernels = kernels_of(region);
        if (kernels.empty()) continue;
        locals.push_back({&region, kernels[0]});
        for (const uint32_t kernel : kernels)
            std::ranges::replace(first, uint32_t{first[kernel]}, uint32_t{first[kernels[0]]});
    }
    std::vector<bool> wanted(first.size()), faster(first.size()), barred(first.size()),
        known(first.size(), true);
    std::vector<uint64_t> bytes(first.size());  // with the room between objects
    for (const Local& local : locals) {
        const uint32_t kernel = first[local.kernel];
        if (is_punned(*local.region)) wanted[kernel] = true;
        if (mixes_vectors(*local.region)) faster[kernel] = true;
        if (has_arguments(*local.region)) known[kernel] = false;
        for (const Object& object : local.region->objects)
            bytes[kernel] += align_up(object.size_bytes, std::max(kRegionAlignment, object.align_bytes));
        // Their lengths are the work-group's, which is not known yet.
        if (source_.is_group_values(local.region->objects[0].id)) barred[kernel] = true;
    }
    // A block that is only faster must not take memory that the kernel does not have.
    for (size_t i = 0; i < first.size(); ++i)
        if (faster[i] && known[i] && bytes[i] <= profile_.max_local_bytes) wanted[i] = true;
    std::map<uint32_t, LocalBlock*> blocks;
    for (const Local& local : locals) {
        const uint32_t kernel = first[local.kernel];
        if (!wanted[kernel] || barred[kernel]) continue;
        LocalBlock*& block = blocks[kernel];
        if (!block)
            block = &blocks_.emplace_back(LocalBlock{.number = static_cast<uint32_t>(blocks_.size())});
        local.region->block = block;
        local.region->words = true;
        local.region->is_float = false;
        local.region->scalar_bytes = 4;
        local.region->components = 1;
    }
}

// ---- Where in the block ----

bool Regions::has_arguments(const Region& region) {
    return std::ranges::any_of(region.objects, [](const Object& object) { return object.argument >= 0; });
}

static uint64_t alignment_in_block(const Region& region) {
    uint64_t alignment = kRegionAlignment;
    for (const Object& object : region.objects) alignment = std::max(alignment, object.align_bytes);
    return alignment;
}

/// Places the regions with fixed sizes. Those that no kernel has both may overlap. Those with arguments
/// follow them when the arguments' lengths are known.
void Regions::place_in_blocks() {
    std::vector<uint64_t> ends(kernels_of_function_.empty() ? 0 : kernel_count_);  // by kernel
    for (auto& [key, region] : regions_) {
        if (!region.block || has_arguments(region)) continue;
        const std::vector<uint32_t> kernels = kernels_of(region);
        uint64_t at = 0;
        for (const uint32_t kernel : kernels) at = std::max(at, ends[kernel]);
        at = align_up(at, alignment_in_block(region));
        for (Object& object : region.objects) object.offset_bytes += at;
        region.block_bytes = at;
        const uint64_t end = at + region.size_bytes;
        for (const uint32_t kernel : kernels) ends[kernel] = end;
        region.block->size_bytes = std::max(region.block->size_bytes, end);
    }
}

/// Places a region with arguments behind those in its block that a kernel with it has. `length` counts words.
void Regions::append_to_block(Region& region, Id length, spirv::Builder& builder) {
    LocalBlock& block = *region.block;
    const uint64_t alignment = std::max(region.argument_align_bytes, alignment_in_block(region));
    const std::vector<uint32_t> kernels = kernels_of(region);
    block.ends.resize(kernel_count_);
    std::vector<Id> ends;
    for (const uint32_t kernel : kernels) ends.push_back(block.ends[kernel]);
    Id begin = largest(builder, ends, {});
    if (!begin)  // the first region with arguments: a constant
        begin = builder.constant_u32(static_cast<uint32_t>(align_up(block.size_bytes, alignment)));
    else
        begin = rounded_up(begin, static_cast<uint32_t>(alignment), builder);
    region.begin = begin;
    const std::optional<uint64_t> known = builder.constant_value(begin);
    for (Object& object : region.objects) {
        if (known)
            object.offset_bytes += *known;
        else if (!object.dynamic_offset)
            object.dynamic_offset = begin;
        else
            object.dynamic_offset = computed(builder, spv::Op::OpIAdd, begin, object.dynamic_offset);
    }
    const Id bytes = computed(builder, spv::Op::OpIMul, length, builder.constant_u32(region.unit_bytes()));
    const Id end = computed(builder, spv::Op::OpIAdd, begin, bytes);
    for (const uint32_t kernel : kernels) block.ends[kernel] = end;
    block.length_bytes = largest(builder, block.ends, {});
}

// ---- The variables ----

Id LocalViews::length(const LocalBlock& block, Id type) {
    const uint32_t bytes = builder_.width(type) / 8 * builder_.count(type);
    if (!block.length_bytes)
        return builder_.constant_u32(
            static_cast<uint32_t>(std::max<uint64_t>((block.size_bytes + bytes - 1) / bytes, 1)));
    if (bytes == 1) return block.length_bytes;
    const Id more = spec_op(builder_, spv::Op::OpIAdd, block.length_bytes, bytes - 1);
    return spec_op(builder_, spv::Op::OpUDiv, more, bytes);
}

Id LocalViews::variable(const LocalBlock& block, Id type) {
    Id& variable = variables_[{block.number, type}];
    if (variable) return variable;
    const uint32_t bytes = builder_.width(type) / 8 * builder_.count(type);
    Id length = this->length(block, type);
    if (block.has_spare) length = one_more(length, builder_);
    const Id array = builder_.global(spv::Op::OpTypeArray, {}, {type, length});  // no value has this type
    builder_.decorate(array, spv::Decoration::ArrayStride, {bytes});
    const Id contents = builder_.type_struct_distinct(std::vector<Id>{array});
    builder_.decorate(contents, spv::Decoration::Block);
    builder_.decorate_member(contents, 0, spv::Decoration::Offset, {0u});
    variable = builder_.variable(spv::StorageClass::Workgroup, contents);
    builder_.decorate(variable, spv::Decoration::Aliased);
    blocks_[variable] = &block;
    return variable;
}

Id LocalViews::element(const LocalBlock& block, Id type, Id index) {
    return builder_.append(spv::Op::OpAccessChain, builder_.type_pointer(spv::StorageClass::Workgroup, type),
                           {variable(block, type), builder_.constant_u32(0), index});
}

}  // namespace caldera::vulkan::memory
