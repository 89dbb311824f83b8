// SPDX-License-Identifier: Apache-2.0
// Emits memory accesses: values of any OpenCL type at any place, as loads and stores of scalars and vec2 to
// vec4.
#pragma once

#include <map>

#include "spirv/id_map.h"
#include "vulkan/translate/memory/data.h"
#include "vulkan/translate/memory/local_views.h"
#include "vulkan/translate/memory/regions.h"
#include "vulkan/translate/memory/views.h"

namespace caldera::vulkan::memory {

/// A place in memory, and what is known about it.
struct Place {
    Space space = {};
    uint32_t pointer_class = 0;
    uint64_t align_bytes = 1;
    uint32_t mask = 0;  ///< Volatile and Nontemporal of the source's memory operands
    Id pointer = {};    ///< Global without a window, Generic: the u64
    /// Global without a window: what `address` is an offset of, which is not negative and has 32 bits; or
    /// none.
    Id base = {};
    /// Constant memory, addressed by `address`, whose value may be known. In a region, `address` counts from
    /// the array's first byte, and the variable begins at `variable_bytes`.
    Id variable = {};
    int64_t variable_bytes = 0;

    uint32_t window = kNoWindow;  ///< Global, with descriptors: the buffer, if it is known
    /// Global, Generic, with descriptors: the buffers that it may be
    const std::vector<uint32_t>* windows = nullptr;
    const Region* region = nullptr;  ///< Local, Private: the region; null if there is none
    /// Region, window: the offset from the first byte (root: a u32 value, or none).
    Address address = {};
    bool root_is_aligned = false;   ///< region: there is no root, or it is as aligned as every object
    Id units = {}, bytes = {};      ///< cached sums: the address without its constant, in units and in bytes
    uint32_t units_size_bytes = 0;  ///< the size of the unit of `units`; 0 if nothing is cached
    bool has_bytes = false;

    /// Whether `address`, and not `pointer`, says where the place is.
    bool is_offset() const { return space == Space::Local || space == Space::Private || window != kNoWindow; }
};

/// Functions for accesses that need control flow. Their bodies are made when everything else is done.
class OutOfLine {
 public:
    /// Accesses through a pointer whose space is known only at run time.
    virtual Id load(Place place, Id type) = 0;
    virtual void store(Place place, Id type, Id value) = 0;
    /// Copies `count` integers of `bits` bits, the last one first if `backwards`, which may be none. Both
    /// places may be in any space, but private ones are not in Function storage.
    virtual void copy(Place& to, Place& from, Id count, uint32_t bits, Id backwards) = 0;

 protected:
    ~OutOfLine() = default;
};

class Emitter {
 public:
    Emitter(spirv::Builder& builder, const Source& source, const PointsTo& points_to,
            const Addresses& addresses, const Regions& regions, const Windows& windows, DataSegment& data,
            const DeviceProfile& profile)
        : builder_(builder),
          source_(source),
          points_to_(points_to),
          addresses_(addresses),
          regions_(regions),
          windows_(windows),
          views_(builder, windows.table_rows(), windows.argument_set()),
          local_views_(builder),
          data_(data),
          profile_(profile) {}

    spirv::Builder& builder() { return builder_; }
    const Source& source() const { return source_; }
    const PointsTo& points_to() const { return points_to_; }
    const Regions& regions() const { return regions_; }
    const Windows& windows() const { return windows_; }
    Id untagged(Id address);
    bool has_table() const { return views_.has_table(); }  ///< the argument table, so far
    /// Loads a word (u32) of the argument table.
    Id table_word(Id index) {
        return op(spv::Op::OpLoad, type_uint(32), {views_.element(kTableWindow, type_uint(32), index)});
    }
    bool has_data() const { return !data_.empty(); }  ///< so far
    const LocalViews& local_views() const { return local_views_; }
    /// Pointers to what has no spare element, each with the condition under which it is the wanted element.
    const spirv::IdMap<Id>& unspared() const { return unspared_; }
    const Layout& layout() const { return source_.layout(); }
    void set_out_of_line(OutOfLine* out_of_line) { out_of_line_ = out_of_line; }
    /// The Input variables that the accesses needed.
    void add_host_variables(PassVariables& variables) const;

    /// Instructions that must dominate the whole function (such as the data segment's address) go to
    /// `prologue`.
    void start_function(std::vector<Instruction>* prologue);
    /// Sets where instructions go; null: to the builder's open block.
    void set_sink(std::vector<Instruction>* sink);

    /// A value of the source that is not a pointer. Constants that contain pointers are computed in the
    /// prologue.
    Id value(Id id);
    /// The value in memory for a value of the source: u64 for pointers.
    Id memory_value(Id value);
    /// The integer that represents a pointer value of the source, in the form that `space` has.
    Id pointer_value(Id pointer, Space space);
    Id pointer_value(Id pointer) { return pointer_value(pointer, points_to_.space_of(pointer)); }
    /// The value in memory (u64) for the integer of a pointer, and the reverse.
    Id to_memory(Id integer, Space space, uint32_t pointer_class);
    Id from_memory(Id bits, Space space);
    /// The result of OpConvertUToPtr or OpBitcast of an integer of any width, or of a uint2.
    Id pointer_of_integer(Id integer, Space space);
    Id pointer_type(Space space);

    Place place(Id pointer, uint64_t align_bytes, uint32_t mask);
    Place shifted(Place place, Id index, uint64_t stride_bytes);
    Place shifted(Place place, int64_t bytes);
    /// Whether the memory is found only at run time, with a branch: see OutOfLine.
    bool is_unresolved(const Place& place) const {
        return place.space == Space::Generic ||
               (place.space == Space::Global && windows_.enabled() && place.window == kNoWindow);
    }

    /// Pointers inside `type` are u64 in the value, as they are in memory.
    Id load(Place& place, Id type, int64_t offset = 0);
    void store(Place& place, Id type, Id value, int64_t offset = 0);
    /// Loads an integer of `bits` bits: the building block of copies.
    Id load_bits(Place& place, int64_t offset, uint32_t bits);
    void store_bits(Place& place, int64_t offset, uint32_t bits, Id value);
    /// A pointer for an atomic operation on an integer; none if the region's array cannot provide one.
    Id atomic_pointer(Place& place, uint32_t bits);
    /// A word of memory, and by how many bits a part is shifted in it.
    struct Word {
        Id slot = {};
        Id shift = {};
    };
    /// The word that holds the 8 or 16 bits at the place, for atomic operations on them. The place is as
    /// aligned as they are.
    Word atomic_word(Place& place);
    Id float_pointer(Place& place, Id type) { return global_pointer(place, type, 0); }
    struct MatrixPointer {
        Id pointer = {};          ///< none: the place is nowhere
        uint32_t unit_bytes = 0;  ///< the size of what it points to
    };
    /// A pointer to an element of an array, for a matrix with such components that begins there.
    MatrixPointer matrix_pointer(Place& place, Id component, uint32_t align_bytes);
    /// Where the places may overlap, `backwards` says whether `to` begins behind `from`; else it is none.
    void copy(Place& to, Place& from, uint64_t bytes, Id backwards = {});
    void copy(Place& to, Place& from, Id bytes);

    Id type_uint(uint32_t bits) { return builder_.type_int(bits); }
    Id op(spv::Op op, Id type, Operands operands) { return builder_.append(op, type, std::move(operands)); }
    Id bitcast(Id type, Id value);
    Id add(Id value, int64_t constant);                           ///< u32 or u64
    Id index32(Id index);                                         ///< any integer, as u32 modulo 2^32
    Id index64(Id index);                                         ///< sign-extended to u64
    Id address_value(const Address& step, Id base, Space space);  ///< base + constant + terms
    uint32_t count_of(Id type) const;
    Id scalar_of(Id type) const;
    Id memory_scalar(Id type);  ///< the scalar in memory for the leaf type: u8 for bool, u64 for pointers
    Id value_type(Id type);     ///< the type of a loaded value: u64 for pointers
    Id component(Id value, Id type, uint32_t index);
    Id compose(Id type, const std::vector<Id>& parts);
    Operands access_operands(const Place& place, uint64_t align_bytes) const;
    uint64_t alignment_at(const Place& place, int64_t offset) const;
    /// The integer that tells a helper the place: its offset or its pointer. An offset counts units, of which
    /// the place is a multiple.
    Id where(Place& place, uint32_t unit_bytes = 1) {
        settle(place);
        return place.is_offset() ? unit_index(place, 0, unit_bytes) : place.pointer;
    }

 private:
    bool is_leaf(Id type) const;
    Id load_leaf(Place& place, Id type, int64_t offset);
    void store_leaf(Place& place, Id type, Id value, int64_t offset);
    Id load_global(Place& place, Id type, int64_t offset);
    void store_global(Place& place, Id type, Id value, int64_t offset);
    Id load_region(Place& place, Id type, int64_t offset);
    void store_region(Place& place, Id type, Id value, int64_t offset);
    Id load_global_bits(Place& place, int64_t offset, uint32_t bits);
    void store_global_bits(Place& place, int64_t offset, uint32_t bits, Id value);
    Id load_region_scalar(Place& place, int64_t offset, uint32_t bits);
    void store_region_scalar(Place& place, int64_t offset, uint32_t bits, Id value);
    Id load_region_bits(Place& place, int64_t offset, uint32_t bits);
    void store_region_bits(Place& place, int64_t offset, uint32_t bits, Id value);
    Id shared_word(const Place& place, Id slot);
    uint32_t copy_bits(const Place& to, const Place& from, uint64_t bytes) const;
    Id load_word_bits(Place& place, int64_t offset, uint32_t bits);
    void store_word_bits(Place& place, int64_t offset, uint32_t bits, Id value);
    void replace_bits(Id type, Id slot, spv::Scope scope, Id mask, Id bits);
    void insert_bits(Place& place, int64_t offset, uint32_t bits, Id value);
    Id fold(const Place& place, Id type, int64_t offset);
    Place global_place(Place place, Id pointer);
    bool has_short_offset(const Address& address) const;
    Id low_half(Id value) { return op(spv::Op::OpUConvert, type_uint(32), {value}); }
    void settle(Place& place);
    Id byte_offset(Place& place, int64_t offset);  ///< in the region's array or the buffer, in bytes
    Id global_pointer(Place& place, Id type, int64_t offset);
    Id offset_pointer(Place& place, Id type, int64_t offset);
    uint32_t global_chunk(const Place& place, uint32_t count, uint32_t bytes, uint64_t alignment) const;
    bool has_global_width(const Place& place, uint32_t bits) const;
    Id stored_type(const Place& place, Id type);
    Id load_global_unit(Place& place, Id type, int64_t offset);
    void store_global_unit(Place& place, Id type, Id value, int64_t offset);
    Id type_of_bytes(uint32_t bytes);
    Id scalar_slot(Place& place, int64_t offset);
    Id unit_slot(Place& place, int64_t offset);
    Id guarded_index(const Region& region, Id index, Id& is_inside);
    void guard_slot(const Region& region, Id slot, Id is_inside);
    Id zero_outside(Id slot, Id value);
    Id block_slot(const Region& region, Id type, Id index);
    Id array_slot(const Region& region, Id index, Id component);
    Id region_slot(const Region& region, Id index, Id component);
    Id buffer_slot(const Region& region, Id index, Id component);
    Id buffer_start(const Region& region);
    Id private_input(Id& variable, uint32_t bits, std::string_view name);
    Operands slot_operands(const Place& place, Id type) const;
    Id plain_load(const Place& place, Id type, Id slot);
    void plain_store(const Place& place, Id slot, Id value);

    bool divisible(const Place& place, uint64_t unit) const;
    Id sum(std::vector<Id> parts);
    Id dynamic_units(Place& place, uint32_t unit);
    Id unit_index(Place& place, int64_t offset, uint32_t unit);
    Word word_at(Place& place, int64_t offset);  ///< the shift is of accesses smaller than a word
    Word global_word(Place& place, int64_t offset);
    Id load_global_part(Place& place, int64_t offset, uint32_t bits);
    void store_global_part(Place& place, int64_t offset, uint32_t bits, Id value);

    Id join(Id low, Id high, uint32_t bits);
    std::pair<Id, Id> split(Id value, uint32_t bits);
    Id components(Id value, Id type, uint32_t first, uint32_t count);
    Id to_memory(Id value, Id type);  ///< a leaf as it is in memory, where Booleans are bytes
    Id from_memory(Id value, Id type);
    Id global_constant(Id pointer);
    Id window_argument(Id argument, int64_t offset);
    uint64_t variable_offset(Id variable);
    Id host_variable(HostBuffer buffer);
    Id host_address(HostBuffer buffer);

    spirv::Builder& builder_;
    const Source& source_;
    const PointsTo& points_to_;
    const Addresses& addresses_;
    const Regions& regions_;
    const Windows& windows_;
    BufferViews views_;
    LocalViews local_views_;
    DataSegment& data_;
    const DeviceProfile& profile_;
    OutOfLine* out_of_line_ = nullptr;
    std::vector<Instruction>* prologue_ = nullptr;
    std::vector<Instruction>* sink_ = nullptr;
    spirv::IdMap<Id> constants_ = {};  // pointers to program-scope variables and arguments, per function
    Id private_block_ = {}, private_lane_ = {};       // PassVariables
    std::map<const Region*, Id> buffer_starts_ = {};  // per function
    spirv::IdMap<Id> guards_ = {};                    // of slots in regions: whether the index is inside
    spirv::IdMap<Id> unspared_ = {};        // those of slots that are the first element if it is not
    std::map<uint32_t, Id> not_null_ = {};  // specialisation constants, by their number
    std::array<Id, kHostBuffers> host_variables_ = {}, host_addresses_ = {};  // the latter per function
    uint32_t constant_depth_ = 0;
};

}  // namespace caldera::vulkan::memory
