// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/regions.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <numeric>

#include "spirv/id_map.h"
#include "spirv/support/align.h"
#include "spirv/support/check.h"
#include "vulkan/translate/support/pointer_extent.h"
#include "vulkan/translate/support/run_once.h"

namespace caldera::vulkan::memory {
namespace {

constexpr uint32_t kBias = 32;              // the largest unit: four doubles
constexpr uint32_t kCompareBias = 1 << 20;  // how far below an object a pointer may go and still be less
/// Where arguments share a region with others, they start at multiples. merge_accesses relies on it.
constexpr uint64_t kArgumentBytes = 32;
constexpr uint64_t kMaxRegionBytes = uint64_t{1} << 31;
constexpr uint32_t kManyAccesses = 400;  // so many take llvmpipe some seconds to compile
/// Mesa's compilers take time by the square of the elements of an array with an initializer: of 16,384 bytes
/// 8 to 24 s, of as many bytes in 4,096 words 0.4 to 1.8 s.
constexpr uint64_t kManyElements = 1024;
/// RADV branches over the elements of private arrays of so many bytes, and has larger ones in memory.
constexpr uint64_t kBranchedBytes = 256;
/// How many elements may be branched over, in all accesses together. RADV has four instructions for each: so
/// many fill the 32 KB of a GPU's instruction cache twice.
constexpr uint64_t kMostBranches = 4096;
/// At most so much lies between the end of an object and a pointer that is still one to the next: less than
/// what is between two arguments.
constexpr uint64_t kMostRoomBytes = 16;
constexpr uint64_t kBufferAlignment = 32;  // of a region in a buffer: the largest unit
constexpr uint64_t kMostViewBytes = 32;    // of an element of a block's view
constexpr uint64_t kSpareAlignment = 16;   // to which drivers may align arrays in local memory

/// Whether some kernel may have both.
bool share_kernel(const Object& a, const Object& b) {
    return a.kernels.empty() || b.kernels.empty() || std::ranges::any_of(a.kernels, [&](uint32_t kernel) {
               return std::ranges::count(b.kernels, kernel) != 0;
           });
}

bool has_same_place(const Object& a, const Object& b) {
    return a.offset_bytes == b.offset_bytes && a.dynamic_offset == b.dynamic_offset &&
           a.dynamic_size == b.dynamic_size;
}

}  // namespace

Regions::Regions(const spirv::Module& module, const Source& source, const PointsTo& points_to,
                 const Addresses& addresses, const Windows& windows, LazyCallGraph& calls,
                 const DeviceProfile& profile, bool guards, bool has_blocks)
    : source_(source),
      points_to_(points_to),
      addresses_(addresses),
      windows_(windows),
      profile_(profile),
      guards_(guards),
      has_blocks_(has_blocks),
      by_function_(module.functions.size()) {
    add_objects(module);
    find_kernels(module, calls);
    find_asked(module, calls);
    for (auto& [key, region] : regions_)
        for (size_t i = 0; i < region.objects.size(); ++i) objects_[region.objects[i].id] = {&region, i};
    for (uint32_t i = 0; i < module.functions.size(); ++i) {
        const std::vector<spirv::Block>& blocks = module.functions[i].blocks;
        const std::vector<bool> once = parts_kernels(profile) ? blocks_run_once(module, module.functions[i])
                                                              : std::vector<bool>(blocks.size());
        for (size_t b = 0; b < blocks.size(); ++b)
            for (const Instruction& inst : blocks[b].body) record(inst, i, once[b]);
    }
    choose_buffers(module, calls);
    for (auto& [key, region] : regions_) choose_unit(region);
    choose_blocks(module, calls);
    for (auto& [key, region] : regions_) {
        if (points_to_[key.first].needs_null) region.bias_bytes = kBias;
        if (points_to_[key.first].is_compared) region.bias_bytes = kCompareBias;
        place(region);
        enlarge_much_branched(region);
        if (region.function != kNoFunction) by_function_[region.function].push_back(&region);
    }
    enlarge_single_local_arrays(module, calls);
    place_in_buffer(module.entry_points.size());
    place_in_blocks();
    if (!guards_) return;
    find_kernels_of_functions(module, calls);
    choose_spares();
}

void Regions::add_objects(const spirv::Module& module) {
    auto add = [&](const Instruction& inst, uint32_t function, int argument) {
        const spv::StorageClass storage = source_.storage(inst.result);
        const bool is_constant = points_to_.is_module_constant(inst.result);
        if (storage != spv::StorageClass::Function && storage != spv::StorageClass::Workgroup && !is_constant)
            return;
        if (argument >= 0 && storage == spv::StorageClass::Function) return;
        const Space space = storage == spv::StorageClass::Workgroup ? Space::Local : Space::Private;
        const TypeInfo& type = source_.layout()[source_.pointee(inst.result)];
        Object object{.id = inst.result, .argument = argument, .function = function};
        if (argument < 0) object.size_bytes = type.size_bytes;
        object.align_bytes = std::max<uint64_t>(type.align_bytes, source_.alignment(inst.result));
        if (type.size_bytes >= 16 || argument >= 0)
            object.align_bytes = std::max<uint64_t>(object.align_bytes, 16);
        Region& region = regions_[{points_to_.class_of(inst.result), space}];
        region.space = space;
        region.is_constant = is_constant;
        region.objects.push_back(object);
    };
    for (const Instruction& inst : source_.globals())
        if (inst.op == spv::Op::OpVariable) add(inst, kNoFunction, -1);
    spirv::IdMap<uint32_t> by_id;
    for (uint32_t i = 0; i < module.functions.size(); ++i) {
        by_id[module.functions[i].id()] = i;
        for (const spirv::Block& block : module.functions[i].blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == spv::Op::OpVariable) add(inst, i, -1);
    }
    for (uint32_t e = 0; e < module.entry_points.size(); ++e) {
        const auto function = by_id.find(module.entry_points[e].id(1));
        if (function == by_id.end()) continue;
        if (!entry_of_.emplace(function->second, e).second) continue;  // the same function under another name
        const std::vector<Instruction>& params = module.functions[function->second].params;
        for (size_t i = 0; i < params.size(); ++i) add(params[i], function->second, static_cast<int>(i));
    }
}

void Regions::find_kernels(const spirv::Module& module, LazyCallGraph& calls) {
    kernel_count_ = module.entry_points.size();
    const auto is_shared = [](const auto& entry) { return entry.second.objects.size() > 1; };
    if (kernel_count_ < 2 || std::ranges::none_of(regions_, is_shared)) return;
    CallGraph& graph = calls.get();
    std::vector<std::vector<uint32_t>> of_function(module.functions.size());
    spirv::IdMap<std::vector<uint32_t>> of_variable;
    for (uint32_t kernel = 0; kernel < kernel_count_; ++kernel) {
        const Id entry = module.entry_points[kernel].id(1);
        for (const uint32_t function : graph.functions(entry)) of_function[function].push_back(kernel);
        for (const Id variable : graph.variables(entry)) of_variable[variable].push_back(kernel);
    }
    for (auto& [key, region] : regions_)
        for (Object& object : region.objects) {
            if (region.is_constant) continue;  // each has bytes of its own
            object.kernels =
                object.function != kNoFunction ? of_function[object.function] : of_variable[object.id];
        }
}

void Regions::find_asked(const spirv::Module& module, LazyCallGraph& calls) {
    bool has_any = false;
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op != kPointerExtent) continue;
                for (const Space space : {Space::Local, Space::Private})
                    if (const auto region = regions_.find({points_to_.class_of(inst.id(0)), space});
                        region != regions_.end())
                        has_any = region->second.is_asked = true;
            }
    for (auto& [key, region] : regions_)
        for (Object& object : region.objects) {
            if (!region.is_asked || region.objects.size() < 2) break;
            const TypeInfo* type = &source_.layout()[source_.pointee(object.id)];
            if (type->op == spv::Op::OpTypeArray) type = &source_.layout()[type->element()];
            object.room_bytes = std::clamp<uint64_t>(type->size_bytes, 1, kMostRoomBytes);
        }
    if (has_any && kernel_count_ > 1) find_kernels_of_functions(module, calls);
}

std::vector<const Object*> Regions::objects_of(const Region& region, uint32_t function) const {
    const auto may_reach = [&](const Object& object) {
        if (object.kernels.empty() || kernels_of_function_.empty()) return true;
        return std::ranges::any_of(object.kernels, [&](uint32_t kernel) {
            return std::ranges::count(kernels_of_function_[function], kernel) != 0;
        });
    };
    std::vector<const Object*> objects;
    for (const Object& object : region.objects) {  // fixed ones, then arguments one behind the other
        if (!may_reach(object)) continue;
        if (object.argument >= 0) {
            const auto is_beside = [&](const Object* each) {
                const bool is_before =
                    each->argument < 0 && each->offset_bytes + each->size_bytes <= object.offset_bytes;
                return is_before || share_kernel(*each, object);
            };
            if (std::ranges::all_of(objects, is_beside))
                objects.push_back(&object);
            else if (std::ranges::none_of(objects,
                                          [&](const Object* each) { return has_same_place(*each, object); }))
                return {};
            continue;
        }
        if (!objects.empty() &&
            object.offset_bytes < objects.back()->offset_bytes + objects.back()->size_bytes)
            return {};
        objects.push_back(&object);
    }
    return objects;
}

const Region* Regions::find(uint32_t pointer_class, Space space) const {
    const auto found = regions_.find({pointer_class, space});
    return found != regions_.end() ? &found->second : nullptr;
}

const Object* Regions::object(Id id) const {
    const auto found = objects_.find(id);
    return found != objects_.end() ? &found->second.first->objects[found->second.second] : nullptr;
}

Id Regions::own_variable(Id object) const {
    const auto found = objects_.find(object);
    if (found == objects_.end()) return {};
    const Region& region = *found->second.first;
    return region.objects.size() == 1 && region.bias_bytes == 0 ? region.variable : Id{};
}

// ---- How it is accessed ----

Address Regions::address_of(const AccessInfo& access) const {
    Address address = addresses_.of(access.pointer);
    if (access.index) address.add(access.index, access.stride_bytes, source_);
    return address;
}

/// The alignment that the access's place in an object proves; 1 if the object is not known.
uint64_t Regions::proven_alignment(const Address& address) const {
    const Object* object = this->object(address.root);
    return object ? std::min(object->align_bytes, address.alignment_bytes()) : 1;
}

/// A helper makes the access, as Emitter::is_unresolved says: it branches over what the pointer may point
/// into.
bool Regions::is_unresolved(Id pointer) const {
    const Space space = points_to_.space_of(pointer);
    return space == Space::Generic ||
           (space == Space::Global && windows_.enabled() && windows_.of(pointer) == kNoWindow);
}

void Regions::record(const Instruction& inst, uint32_t function, bool once) {
    const Accesses accesses = source_.accesses(inst);
    const bool by_helper = std::any_of(accesses.begin(), accesses.end(), [&](const AccessInfo& access) {
        return is_unresolved(access.pointer);
    });
    for (const AccessInfo& access : accesses) {
        const uint32_t pointer_class = points_to_.class_of(access.pointer);
        const Space space = points_to_.space_of(access.pointer);
        for (const Space each : {Space::Local, Space::Private}) {
            if (space != each && space != Space::Generic) continue;
            const auto region = regions_.find({pointer_class, each});
            if (region == regions_.end()) continue;
            region->second.usage.helper |= by_helper;
            if (!once) ++region->second.usage.repeated_accesses;
            record(access, region->second, function);
        }
    }
}

void Regions::record(const AccessInfo& access, Region& region, uint32_t function) {
    Usage& usage = region.usage;
    const Address address = address_of(access);
    ++usage.accesses;
    if (!address.terms.empty() || !object(address.root)) ++usage.computed_accesses;
    if (usage.functions.empty() || usage.functions.back() != function)  // they come in order
        usage.functions.push_back(function);
    if (access.is_matrix) {
        const uint32_t least = usage.matrix_bytes ? usage.matrix_bytes : access.align_bytes;
        usage.matrix_bytes = std::min(least, access.align_bytes);
        return;
    }
    const uint64_t alignment = std::max<uint64_t>(access.align_bytes, proven_alignment(address));
    if (access.type) {
        record_type(access.type, alignment, access.atomic, usage);
        return;
    }
    const uint64_t granularity =
        std::min(alignment, access.raw_bytes ? power_of_two_in(access.raw_bytes) : 1);
    usage.raw_bytes = usage.raw_bytes ? std::min(usage.raw_bytes, granularity) : granularity;
    usage.helper |=
        access.raw_bytes == 0 || access.raw_bytes / std::min<uint64_t>(granularity, 4) > kUnrolledCopies;
}

void Regions::record_type(Id id, uint64_t alignment, bool atomic, Usage& usage) {
    const Layout& layout = source_.layout();
    const TypeInfo& type = layout[id];
    if (type.op == spv::Op::OpTypeStruct) {
        for (size_t i = 0; i < type.offsets.size(); ++i)
            record_type(type.operands[i].id(), power_of_two_in(type.offsets[i] | alignment), atomic, usage);
        return;
    }
    if (type.op == spv::Op::OpTypeArray) {
        record_type(type.element(), power_of_two_in(layout[type.element()].size_bytes | alignment), atomic,
                    usage);
        return;
    }
    const TypeInfo& scalar = layout[layout.scalar(id)];
    const uint32_t bytes = static_cast<uint32_t>(scalar.size_bytes);
    usage.widths |= bytes;
    (scalar.op == spv::Op::OpTypeFloat && !atomic ? usage.floats : usage.integers) = true;
    usage.misaligned |= alignment < bytes;
    if (atomic) usage.atomics |= bytes;
    const uint32_t count = layout.count(id);
    usage.scalars |= count == 1;
    if (count == 1) return;
    const uint32_t chunk = count == 2 ? 2 : 4;
    if (alignment >= uint64_t{chunk} * bytes)
        usage.vectors |= chunk;
    else
        usage.loose_vectors = true;
}

/// A typed array where all accesses agree, words where they do not.
void Regions::choose_unit(Region& region) {
    const Usage& usage = region.usage;
    const uint32_t widths =
        usage.widths ? usage.widths : std::min<uint32_t>(static_cast<uint32_t>(usage.raw_bytes), 4);
    region.words =
        !std::has_single_bit(widths) || usage.misaligned || (usage.raw_bytes && usage.raw_bytes < widths);
    if (widths == 0) region.words = false;  // never accessed
    // Atomic operations on less than a word are on its word.
    region.words |= region.space == Space::Local && (usage.atomics & 3);
    // Integers that the device does not have are cut from words or put together.
    region.words |= (widths & 8) && (usage.integers || profile_.emulated_float64) && !profile_.int64;
    const bool narrow_ints = profile_.int8 && profile_.int16;
    region.words |= (widths & 2) && !(usage.integers ? narrow_ints : profile_.float16);
    region.words |= (widths & 1) && !narrow_ints;
    uint64_t bytes = 0;
    for (const Object& object : region.objects) bytes += object.size_bytes;
    region.words |= region.is_constant && widths < 4 && bytes > kManyElements * widths;
    if (region.in_buffer) {
        region.words |= (widths & 1) && !profile_.storage_8bit;
        region.words |= (widths & 2) && !(narrow_ints && profile_.storage_16bit);
        region.words |= (widths & 8) && !profile_.int64;
    }
    if (region.words) {
        region.scalar_bytes = usage.atomics & 8 ? 8 : 4;
    } else {
        region.scalar_bytes = widths ? widths : 4;
        region.is_float = usage.floats && !usage.integers && !region.in_buffer;
        const bool takes_vectors = region.space != Space::Local || !profile_.quirks.crashes_at_local_vectors;
        if (std::has_single_bit(usage.vectors) && !usage.loose_vectors && !usage.atomics && takes_vectors)
            region.components = usage.vectors;
        if (usage.matrix_bytes)
            region.components =
                std::max(1u, std::min(region.components, usage.matrix_bytes / region.scalar_bytes));
    }
    if (region.space != Space::Private || region.in_buffer || region.is_constant || usage.helper) return;
    // Function storage, when one function does everything.
    std::vector<uint32_t> functions = usage.functions;
    for (const Object& object : region.objects) functions.push_back(object.function);
    std::sort(functions.begin(), functions.end());
    if (functions.front() == functions.back()) region.function = functions.front();
}

/// Places the object after everything that a kernel that reaches it already has in the region. Moves the ends
/// of these kernels on, and returns the object's end.
uint64_t Regions::place_fixed(const Region& region, Object& object, std::vector<uint64_t>& ends) const {
    std::vector<uint32_t> kernels = object.kernels;
    if (kernels.empty()) {
        kernels.resize(ends.size());
        std::iota(kernels.begin(), kernels.end(), 0u);
    }
    uint64_t at = 0;
    for (const uint32_t kernel : kernels) at = std::max(at, ends[kernel]);
    if (region.objects.size() > 1) at = align_up(at + object.room_bytes, object.align_bytes);
    object.offset_bytes = region.bias_bytes + at;
    // A pointer to the end of an object is not one to the next.
    const uint64_t room = object.room_bytes ? 1 : 0;
    const uint64_t end = std::min(at + object.size_bytes + room, kMaxRegionBytes * 2);
    for (const uint32_t kernel : kernels) ends[kernel] = end;
    return end;
}

/// Where the first arguments of the kernels that have the object begin, behind what they have of fixed sizes.
uint64_t Regions::first_argument_bytes(const Region& region, const Object& object) {
    uint64_t end = 0;
    if (object.kernels.empty()) end = std::ranges::max(region.kernel_bytes);
    for (const uint32_t kernel : object.kernels) end = std::max(end, region.kernel_bytes[kernel]);
    return align_up(end + (object.room_bytes ? kMostRoomBytes : 0), region.argument_align_bytes);
}

void Regions::place(Region& region) {
    std::stable_partition(region.objects.begin(), region.objects.end(),
                          [](const Object& o) { return o.argument < 0; });
    region.argument_align_bytes = std::max<uint64_t>(kArgumentBytes, region.unit_bytes());
    for (const Object& object : region.objects) {
        // Objects are aligned in the region, so the address of its first byte is a multiple of each
        // alignment.
        region.bias_bytes = static_cast<uint32_t>(align_up(region.bias_bytes, object.align_bytes));
        if (object.argument >= 0)
            region.argument_align_bytes = std::max(region.argument_align_bytes, object.align_bytes);
    }
    std::vector<uint64_t>& ends = region.kernel_bytes;
    ends.resize(std::max<size_t>(kernel_count_, 1));
    for (size_t i = 0; i < region.objects.size(); ++i) {
        Object& object = region.objects[i];
        objects_[object.id] = {&region, i};
        object.align_bytes = std::max<uint64_t>(object.align_bytes, region.unit_bytes());
        if (object.argument < 0) {
            region.size_bytes = std::max(region.size_bytes, place_fixed(region, object, ends));
            continue;
        }
        object.align_bytes = region.argument_align_bytes;
        object.offset_bytes = region.bias_bytes + first_argument_bytes(region, object);
    }
    region.size_bytes = align_up(region.size_bytes, region.unit_bytes());
}

/// A driver that branches over a small array's elements has one in memory if it is larger
/// (driver_quirks.def: branches_over_elements). It leaves an array in registers all the same where it finds
/// that no offset is computed.
void Regions::enlarge_much_branched(Region& region) const {
    if (!profile_.quirks.branches_over_elements || region.space != Space::Private || region.is_constant ||
        region.in_buffer)
        return;
    const uint64_t unit = region.unit_bytes();
    if (region.size_bytes / unit * region.usage.computed_accesses > kMostBranches)
        region.size_bytes = std::max(region.size_bytes, kBranchedBytes + unit);
}

/// See DeviceProfile::min_local_bytes. If a kernel has several arrays, more bytes behind one of them do not
/// help it, and cost memory of which a device has little.
void Regions::enlarge_single_local_arrays(const spirv::Module& module, LazyCallGraph& calls) {
    if (profile_.min_local_bytes == 0) return;
    find_kernels_of_functions(module, calls);
    std::vector<uint32_t> arrays(module.entry_points.size());  // by kernel
    for (const auto& [key, region] : regions_)
        if (region.space == Space::Local)
            for (const uint32_t kernel : kernels_of(region)) ++arrays[kernel];
    for (auto& [key, region] : regions_) {
        const bool is_fixed = std::ranges::none_of(region.objects, [&](const Object& object) {
            return object.argument >= 0 || source_.is_group_values(object.id);
        });
        if (region.space != Space::Local || !is_fixed ||
            std::ranges::any_of(kernels_of(region), [&](uint32_t kernel) { return arrays[kernel] != 1; }))
            continue;
        const uint64_t guard_bytes = guards(region) ? region.unit_bytes() : 0;
        const uint64_t wanted = std::min(profile_.min_local_bytes, profile_.max_local_bytes - guard_bytes);
        region.size_bytes = std::max(region.size_bytes, wanted / region.unit_bytes() * region.unit_bytes());
    }
}

// ---- Private memory in a buffer ----

void Regions::find_kernels_of_functions(const spirv::Module& module, LazyCallGraph& calls) {
    if (!kernels_of_function_.empty()) return;
    kernels_of_function_.resize(module.functions.size());
    for (uint32_t kernel = 0; kernel < module.entry_points.size(); ++kernel)
        for (const uint32_t function : calls.get().functions(module.entry_points[kernel].id(1)))
            kernels_of_function_[function].push_back(kernel);
}

/// Puts the largest private regions of each kernel into a buffer, until the variables have no more bytes than
/// the driver takes (driver_quirks.def: refuses_large_private), and those with many accesses where the
/// driver's compiler compares each with each (slow_with_accesses). It does not where part_kernels puts
/// barriers between them, which it does only where they run once.
void Regions::choose_buffers(const spirv::Module& module, LazyCallGraph& calls) {
    struct Sized {
        Region* region;
        uint64_t bytes;
    };
    std::vector<Sized> regions;
    uint64_t all_bytes = 0;
    bool has_any = false;
    for (auto& [key, region] : regions_) {
        if (region.space != Space::Private || region.is_constant || region.usage.functions.empty()) continue;
        region.in_buffer =
            profile_.quirks.slow_with_accesses && region.usage.repeated_accesses > kManyAccesses;
        has_any |= region.in_buffer;
        if (region.in_buffer) continue;
        uint64_t bytes = 0;
        for (const Object& object : region.objects) bytes += object.size_bytes;
        regions.push_back({&region, bytes});
        all_bytes += bytes;
    }
    const uint64_t most = most_private_bytes(profile_);
    if (all_bytes <= most && !has_any) return;
    find_kernels_of_functions(module, calls);
    std::ranges::stable_sort(regions, std::ranges::greater(), &Sized::bytes);
    std::vector<uint64_t> left(module.entry_points.size());  // bytes of variables, by kernel
    for (const auto& [region, bytes] : regions)
        for (const uint32_t kernel : kernels_of(*region)) left[kernel] += bytes;
    for (const auto& [region, bytes] : regions) {
        const std::vector<uint32_t> kernels = kernels_of(*region);
        region->in_buffer =
            std::ranges::any_of(kernels, [&](uint32_t kernel) { return left[kernel] > most; });
        if (!region->in_buffer) continue;
        for (const uint32_t kernel : kernels) left[kernel] -= bytes;
    }
}

/// The kernels that reach the region's objects or access them, each once.
std::vector<uint32_t> Regions::kernels_of(const Region& region) const {
    std::vector<uint32_t> functions = region.usage.functions, kernels;
    for (const Object& object : region.objects)
        if (object.function != kNoFunction) functions.push_back(object.function);
    for (const uint32_t function : functions)
        kernels.insert(kernels.end(), kernels_of_function_[function].begin(),
                       kernels_of_function_[function].end());
    std::ranges::sort(kernels);
    kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
    return kernels;
}

bool Regions::guards(const Region& region) const {
    return guards_ && !std::ranges::all_of(region.objects, [&](const Object& object) {
               return source_.is_group_totals(object.id) || source_.is_group_values(object.id);
           });
}

/// Whether arrays in local memory have a spare element: all those of their kernels must have room for one.
/// Nobody knows yet how much of the memory arguments take.
void Regions::choose_spares() {
    std::vector<uint64_t> bytes(kernel_count_);  // by kernel, at most
    std::vector<bool> is_open(kernel_count_);
    const auto local_regions = [&](const auto& visit) {
        for (auto& [key, region] : regions_)
            if (region.space == Space::Local && !region.usage.functions.empty()) visit(region);
    };
    local_regions([&](Region& region) {
        const uint64_t spare = region.block ? kMostViewBytes : region.unit_bytes();
        for (const uint32_t kernel : kernels_of(region)) {
            bytes[kernel] += align_up(region.size_bytes + spare, kSpareAlignment);
            if (has_arguments(region)) is_open[kernel] = true;
        }
    });
    local_regions([&](Region& region) {
        region.has_spare = std::ranges::none_of(kernels_of(region), [&](uint32_t kernel) {
            return is_open[kernel] || bytes[kernel] > profile_.max_local_bytes;
        });
    });
    for (LocalBlock& block : blocks_) block.has_spare = true;
    local_regions([&](Region& region) {
        if (region.block && !region.has_spare) region.block->has_spare = false;
    });
    local_regions([&](Region& region) {
        if (region.block) region.has_spare = region.block->has_spare;
    });
}

/// Regions of one kernel have places of their own, because any of its functions may be active.
void Regions::place_in_buffer(size_t kernel_count) {
    private_bytes_.resize(kernel_count);
    for (auto& [key, region] : regions_) {
        if (!region.in_buffer) continue;
        const std::vector<uint32_t> kernels = kernels_of(region);
        for (const uint32_t kernel : kernels)
            region.buffer_bytes = std::max(region.buffer_bytes, private_bytes_[kernel]);
        const uint64_t end = align_up(
            region.buffer_bytes + region.size_bytes + (guards_ ? region.unit_bytes() : 0), kBufferAlignment);
        for (const uint32_t kernel : kernels) private_bytes_[kernel] = end;
    }
}

// ---- The arrays ----

const KernelArgument* Regions::argument(const Object& object, const ProgramInterface& program) const {
    const auto entry = entry_of_.find(object.function);
    const auto index = static_cast<size_t>(object.argument);
    if (entry == entry_of_.end() || entry->second >= program.kernels.size()) return nullptr;
    const Kernel& kernel = program.kernels[entry->second];  // described in the order of the entry points
    return index < kernel.arguments.size() ? &kernel.arguments[index] : nullptr;
}

/// The same for the same operands, so that arguments of different kernels at the same place are known to be
/// so.
Id Regions::computed(spirv::Builder& builder, spv::Op op, Id a, Id b) {
    Id& known = computed_[{op, a, b}];
    if (!known) known = memory::spec_op(builder, op, a, b);
    return known;
}

/// The largest of these u32, of which none counts as zero. One that is behind another in `before` is larger.
Id Regions::largest(spirv::Builder& builder, const std::vector<Id>& values, const spirv::IdMap<Id>& before) {
    const auto is_behind = [&](Id a, Id b) {
        while (a && a != b) {
            const auto found = before.find(a);
            a = found != before.end() ? found->second : Id{};
        }
        return a == b;
    };
    Id most = {};
    for (const Id value : values) {
        if (!value || (most && is_behind(most, value))) continue;
        if (!most || is_behind(value, most)) {
            most = value;
            continue;
        }
        Id& larger = larger_[{most, value}];
        if (!larger) {
            const Id is_larger =
                builder.global(spv::Op::OpSpecConstantOp, builder.type_bool(),
                               {static_cast<uint32_t>(spv::Op::OpUGreaterThan), most, value});
            larger = builder.global(spv::Op::OpSpecConstantOp, builder.type_int(32),
                                    {static_cast<uint32_t>(spv::Op::OpSelect), is_larger, most, value});
        }
        most = larger;
    }
    return most;
}

/// The region's length in units, when arguments are in it, which get their offsets. Those of different
/// kernels lie over each other.
Id Regions::create_length(Region& region, spirv::Builder& builder, const ProgramInterface& program) {
    auto op = [&](spv::Op code, Id a, Id b) { return computed(builder, code, a, b); };
    auto number = [&](uint64_t value) { return builder.constant_u32(static_cast<uint32_t>(value)); };
    auto times = [&](Id a, uint64_t by) { return by == 1 ? a : op(spv::Op::OpIMul, a, number(by)); };
    auto plus = [&](Id a, uint64_t b) { return b == 0 ? a : op(spv::Op::OpIAdd, a, number(b)); };
    const bool alone = region.objects.size() == 1;
    const uint64_t granule = alone ? region.unit_bytes() : region.argument_align_bytes;
    std::vector<Id> ends(std::max<size_t>(kernel_count_, 1));  // of arguments so far, in granules, by kernel
    spirv::IdMap<Id> before;  // by such an end: where the argument with that end begins
    for (Object& object : region.objects) {
        if (object.argument < 0) continue;
        const KernelArgument* argument = this->argument(object, program);
        check(argument != nullptr, "an argument in local memory is not in the interface");
        Id& spec = lengths_[argument->spec_id];
        if (!spec) spec = builder.spec_constant_u32(argument->spec_id, 1);
        const uint64_t element = argument->element_bytes, common = std::gcd(element, granule);
        object.dynamic_size = times(spec, element);
        Id granules = times(spec, element / common);
        if (granule != common)
            granules = op(spv::Op::OpUDiv, plus(granules, granule / common - 1), number(granule / common));
        if (object.room_bytes) granules = plus(granules, 1);
        std::vector<Id> own;
        for (const uint32_t kernel : object.kernels) own.push_back(ends[kernel]);
        const Id begin = largest(builder, object.kernels.empty() ? ends : own, before);
        if (begin) object.dynamic_offset = times(begin, granule);
        const Id end = begin ? op(spv::Op::OpIAdd, begin, granules) : granules;
        before[end] = begin;
        if (object.kernels.empty()) std::ranges::fill(ends, end);
        for (const uint32_t kernel : object.kernels) ends[kernel] = end;
    }
    const auto units = [&](Id arguments, uint64_t fixed_bytes) {
        return plus(times(arguments, granule / region.unit_bytes()), fixed_bytes / region.unit_bytes());
    };
    const Id most = largest(builder, ends, before);
    if (!most) return {};
    std::map<uint64_t, std::vector<Id>> behind;  // ends of arguments, by where the first one begins
    for (const Object& object : region.objects)
        if (object.argument >= 0) {
            std::vector<Id>& group = behind[object.offset_bytes - region.bias_bytes];
            if (object.kernels.empty()) group = ends;
            for (const uint32_t kernel : object.kernels) group.push_back(ends[kernel]);
        }
    if (behind.size() == 1 && behind.begin()->first >= region.size_bytes)
        return units(most, behind.begin()->first);
    std::vector<Id> lengths;
    if (behind.rbegin()->first < region.size_bytes)
        lengths = {number(region.size_bytes / region.unit_bytes())};
    for (const auto& [begin, group] : behind)
        lengths.push_back(units(largest(builder, group, before), begin));
    return largest(builder, lengths, {});
}

/// The value of an array of constants, and zeros for its spare element.
Id Regions::initializer(const Region& region, spirv::Builder& builder, DataSegment& data) const {
    std::vector<uint8_t> bytes(std::max<uint64_t>(region.size_bytes, region.unit_bytes()) +
                               (guards(region) && region.has_spare ? region.unit_bytes() : 0));
    for (const Object& object : region.objects)
        std::ranges::copy(data.bytes(object.id),
                          bytes.begin() + static_cast<ptrdiff_t>(object.offset_bytes - region.bias_bytes));
    std::vector<Id> units;
    std::vector<Id> scalars;
    for (size_t at = 0; at < bytes.size(); at += region.scalar_bytes) {
        uint64_t bits = 0;
        std::memcpy(&bits, &bytes[at], region.scalar_bytes);
        scalars.push_back(region.is_float ? builder.constant_float_bits(region.scalar_type, bits)
                                          : builder.constant_int(region.scalar_type, bits));
        if (scalars.size() < region.components) continue;
        units.push_back(region.components == 1
                            ? scalars[0]
                            : builder.constant_composite(
                                  builder.with_count(region.scalar_type, region.components), scalars));
        scalars.clear();
    }
    return builder.constant_composite(region.array_type, units);
}

Id product(Id number, uint32_t factor, spirv::Builder& builder) {
    if (const std::optional<uint64_t> value = builder.constant_value(number))
        return builder.constant_u32(static_cast<uint32_t>(*value) * factor);
    return spec_op(builder, spv::Op::OpIMul, number, factor);
}

Id quotient(Id number, uint32_t divisor, spirv::Builder& builder) {
    if (const std::optional<uint64_t> value = builder.constant_value(number))
        return builder.constant_u32(static_cast<uint32_t>(*value) / divisor);
    return spec_op(builder, spv::Op::OpUDiv, number, divisor);
}

Id one_more(Id length, spirv::Builder& builder) {
    if (const std::optional<uint64_t> value = builder.constant_value(length))
        return builder.constant_u32(static_cast<uint32_t>(*value) + 1);
    return spec_op(builder, spv::Op::OpIAdd, length, builder.constant_u32(1));
}

Id rounded_up(Id length, uint32_t multiple, spirv::Builder& builder) {
    const uint32_t mask = multiple - 1;
    if (const std::optional<uint64_t> value = builder.constant_value(length))
        return builder.constant_u32((static_cast<uint32_t>(*value) + mask) & ~mask);
    const Id sum = spec_op(builder, spv::Op::OpIAdd, length, builder.constant_u32(mask));
    return spec_op(builder, spv::Op::OpBitwiseAnd, sum, builder.constant_u32(~mask));
}

/// A matrix wants its pointer to be aligned to 16 bytes, and drivers place an array behind another one by the
/// alignment of its elements alone. If all arrays have multiples of 16 bytes, they all begin at such
/// multiples.
uint32_t Regions::local_granule() const {
    const bool has_matrices = std::ranges::any_of(regions_, [](const auto& entry) {
        return entry.second.space == Space::Local && entry.second.usage.matrix_bytes != 0;
    });
    return has_matrices ? 16 : 1;
}

Result<Done> Regions::create(spirv::Builder& builder, const ProgramInterface& program, DataSegment& data) {
    const uint32_t granule = local_granule();
    for (auto& [key, region] : regions_) {
        const std::string name =
            region.objects.size() == 1 ? source_.name(region.objects[0].id) : std::string();
        // Offsets in what neighbouring work-items have of a buffer have 32 bits.
        if (region.size_bytes > (region.in_buffer ? kMaxRegionBytes / kPrivateLanes : kMaxRegionBytes))
            return Error{(name.empty() ? "an object" : "variable '" + name + "'") + " of " +
                         std::to_string(region.size_bytes) +
                         " bytes is too large for private or local memory"};
        Id length = create_length(region, builder, program);
        if (region.usage.functions.empty()) continue;
        if (!length) {
            const uint64_t units = std::max<uint64_t>(region.size_bytes / region.unit_bytes(), 1);
            length = builder.constant_u32(static_cast<uint32_t>(units));
        }
        if (region.block) {
            region.length = length;
            if (has_arguments(region))
                append_to_block(region, length, builder);
            else
                region.begin = builder.constant_u32(static_cast<uint32_t>(region.block_bytes));
            continue;
        }
        const uint32_t bits = region.scalar_bytes * 8;
        region.scalar_type = region.is_float ? builder.type_float(bits) : builder.type_int(bits);
        region.length = length;
        if (region.in_buffer) continue;
        if (guards(region) && region.has_spare) length = one_more(length, builder);
        if (region.space == Space::Local && granule > region.unit_bytes())
            length = rounded_up(length, granule / region.unit_bytes(), builder);
        region.array_type =
            builder.type_array(builder.with_count(region.scalar_type, region.components), length);
        if (region.storage() == spv::StorageClass::Function)
            region.variable = builder.fresh();  // declared when its function is rewritten
        else
            region.variable =
                builder.variable(region.storage(), region.array_type,
                                 region.is_constant ? initializer(region, builder, data) : Id{});
        if (!name.empty()) builder.name(region.variable, name);
    }
    return Done{};
}

}  // namespace caldera::vulkan::memory
