// SPDX-License-Identifier: Apache-2.0
// Regions: private or local objects whose pointers may be mixed share one array. Its element type depends on
// how the program accesses them. Objects that no kernel has in common overlap in the array. Private memory
// that is too large for a variable is an array in a buffer of the host. Constants of the module are private
// arrays too, with an initializer.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <tuple>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/result.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"
#include "vulkan/translate/memory/address.h"
#include "vulkan/translate/memory/data.h"
#include "vulkan/translate/memory/local_views.h"
#include "vulkan/translate/memory/windows.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan::memory {

/// A u32 that the pipeline computes of two others.
inline Id spec_op(spirv::Builder& builder, spv::Op op, Id a, Id b) {
    return builder.global(spv::Op::OpSpecConstantOp, builder.type_int(32), {op, a, b});
}
inline Id spec_op(spirv::Builder& builder, spv::Op op, Id a, uint64_t b) {
    return spec_op(builder, op, a, builder.constant_u32(static_cast<uint32_t>(b)));
}
/// Constants, if `number` is one.
Id product(Id number, uint32_t factor, spirv::Builder& builder);
Id quotient(Id number, uint32_t divisor, spirv::Builder& builder);
Id one_more(Id number, spirv::Builder& builder);
/// The next multiple of a power of two: a constant, if `length` is one.
Id rounded_up(Id length, uint32_t multiple, spirv::Builder& builder);

/// A variable, or a kernel's argument that points to local memory.
struct Object {
    Id id = {};
    uint64_t size_bytes = 0;
    uint64_t align_bytes = 1;
    int argument = -1;  ///< index of the kernel's parameter, whose length is a specialisation constant
    uint32_t function = kNoFunction;
    std::vector<uint32_t> kernels = {};  ///< entry points that may reach it; empty if they are not known
    uint64_t offset_bytes = 0;           ///< in the region, including the bias
    Id dynamic_offset = {};   ///< a u32 to add to offset_bytes: the lengths of the arguments before it
    uint64_t room_bytes = 0;  ///< a pointer that is so far before the object counts as one to it
    Id dynamic_size = {};     ///< a u32 in place of size_bytes: the length of an argument
};

/// How a region is accessed.
struct Usage {
    uint32_t widths = 0;  ///< bit n: there are scalars of n bytes
    bool floats = false, integers = false;
    bool misaligned = false;               ///< some access is less aligned than its scalar
    bool scalars = false;                  ///< there are accesses of one component
    uint32_t vectors = 0;                  ///< bit n: there are aligned accesses of n components at once
    bool loose_vectors = false;            ///< some vectors are less aligned than their type
    uint32_t atomics = 0;                  ///< bit n: there are atomics of n bytes
    uint32_t matrix_bytes = 0;             ///< the alignment of the least aligned matrix; 0: there are none
    uint64_t raw_bytes = 0;                ///< largest granularity of byte copies; 0: there are none
    bool helper = false;                   ///< functions that this pass makes access it
    uint32_t accesses = 0;                 ///< how many there are
    uint32_t repeated_accesses = 0;        ///< how many of them are in loops, or not in a kernel itself
    uint32_t computed_accesses = 0;        ///< how many of them have an offset that is computed
    std::vector<uint32_t> functions = {};  ///< the functions that access it
};

struct Region {
    Space space = {};
    std::vector<Object> objects = {};
    Usage usage = {};
    uint32_t function = kNoFunction;  ///< the function with the Function variable; otherwise module scope
    bool words = false;  ///< accesses have different widths: an array of words, of which accesses use parts
    bool is_float = false;
    bool is_constant = false;  ///< the objects are ModuleConstants
    /// Beside guards: there is an element more behind `length`, which takes what is stored outside. Without
    /// it, where local memory may be full, such a store is not executed (guarded_local.h).
    bool has_spare = true;
    /// There are kPointerExtents of pointers into it: objects lie apart, so that a pointer tells its object.
    bool is_asked = false;
    bool in_buffer = false;  ///< private memory that is too large for a variable (private_buffer.cpp)
    /// Local memory of kernels some of whose objects are accessed by several widths (local_blocks.cpp):
    /// offsets count from the block's first byte. Null: the region has an array of its own.
    LocalBlock* block = nullptr;
    uint64_t block_bytes = 0;   ///< where the region begins in its block, if it has no arguments
    Id begin = {};              ///< the same for every region, a u32 constant or specialisation constant
    uint64_t buffer_bytes = 0;  ///< in_buffer: its offset in what a work-item has of the buffer
    uint32_t scalar_bytes = 4;
    uint32_t components = 1;                  ///< components of an element of the array
    uint32_t bias_bytes = 0;                  ///< offset of the array's first byte
    uint64_t size_bytes = 0;                  ///< of the objects with a fixed size
    std::vector<uint64_t> kernel_bytes = {};  ///< what each kernel has of that, by entry point
    Id scalar_type = {};
    Id length = {};  ///< how many elements the objects have, or words in a block
    Id array_type = {};
    Id variable = {};
    uint64_t argument_align_bytes = 0;  ///< alignment of each of several arguments

    uint32_t unit_bytes() const { return scalar_bytes * components; }
    spv::StorageClass storage() const {
        return space == Space::Local     ? spv::StorageClass::Workgroup
               : function != kNoFunction ? spv::StorageClass::Function
                                         : spv::StorageClass::Private;
    }
};

class Regions {
 public:
    Regions(const spirv::Module& module, const Source& source, const PointsTo& points_to,
            const Addresses& addresses, const Windows& windows, LazyCallGraph& calls,
            const DeviceProfile& profile, bool guards, bool has_blocks);
    /// Whether accesses stay in their region whatever their offset is.
    bool guards() const { return guards_; }
    /// Whether this region is guarded: not if the library's functions alone access it, within its bounds.
    /// With guards, NVIDIA's compiler (580.159) also mixed up the loops of work_group_any and work_group_all.
    bool guards(const Region& region) const;

    /// The blocks of local memory.
    const std::list<LocalBlock>& blocks() const { return blocks_; }

    /// Makes the arrays at module scope, with the specialisation constants in `program`. `data` knows what
    /// constants are.
    Result<Done> create(spirv::Builder& builder, const ProgramInterface& program, DataSegment& data);

    /// Null if the class has no object in that space: then the pointer points to nothing.
    const Region* find(uint32_t pointer_class, Space space) const;
    /// Null if the id is not an object.
    const Object* object(Id id) const;
    /// The objects of a region that the function may have pointers to, by their places. None where those of
    /// different kernels lie over each other. Arguments that do so exactly are one.
    std::vector<const Object*> objects_of(const Region& region, uint32_t function) const;
    /// The array of an object that has one for itself, else none.
    Id own_variable(Id object) const;
    const std::map<std::pair<uint32_t, Space>, Region>& all() const { return regions_; }
    /// The bytes of the buffer for private memory that a work-item of a kernel needs, by entry point.
    uint64_t private_bytes(size_t kernel) const {
        return kernel < private_bytes_.size() ? private_bytes_[kernel] : 0;
    }
    /// The variables in private memory of one function.
    const std::vector<const Region*>& of_function(uint32_t function) const {
        return by_function_.at(function);
    }

 private:
    void add_objects(const spirv::Module& module);
    void find_kernels(const spirv::Module& module, LazyCallGraph& calls);
    void find_asked(const spirv::Module& module, LazyCallGraph& calls);
    bool is_unresolved(Id pointer) const;
    void record(const Instruction& inst, uint32_t function, bool once);
    void record(const AccessInfo& access, Region& region, uint32_t function);
    void record_type(Id type, uint64_t align_bytes, bool atomic, Usage& usage);
    Address address_of(const AccessInfo& access) const;
    uint64_t proven_alignment(const Address& address) const;
    void choose_unit(Region& region);
    void enlarge_much_branched(Region& region) const;
    void enlarge_single_local_arrays(const spirv::Module& module, LazyCallGraph& calls);
    void find_kernels_of_functions(const spirv::Module& module, LazyCallGraph& calls);
    void choose_buffers(const spirv::Module& module, LazyCallGraph& calls);
    bool is_punned(const Region& region) const;
    bool mixes_vectors(const Region& region) const;
    void choose_blocks(const spirv::Module& module, LazyCallGraph& calls);
    void place_in_blocks();
    static bool has_arguments(const Region& region);
    void append_to_block(Region& region, Id length, spirv::Builder& builder);
    std::vector<uint32_t> kernels_of(const Region& region) const;
    void place(Region& region);
    void place_in_buffer(size_t kernel_count);
    void choose_spares();
    static uint64_t first_argument_bytes(const Region& region, const Object& object);
    uint64_t place_fixed(const Region& region, Object& object, std::vector<uint64_t>& ends) const;
    Id initializer(const Region& region, spirv::Builder& builder, DataSegment& data) const;
    uint32_t local_granule() const;
    Id computed(spirv::Builder& builder, spv::Op op, Id a, Id b);
    Id largest(spirv::Builder& builder, const std::vector<Id>& values, const spirv::IdMap<Id>& before);
    Id create_length(Region& region, spirv::Builder& builder, const ProgramInterface& program);
    const KernelArgument* argument(const Object& object, const ProgramInterface& program) const;

    const Source& source_;
    const PointsTo& points_to_;
    const Addresses& addresses_;
    const Windows& windows_;
    const DeviceProfile& profile_;
    const bool guards_, has_blocks_;
    std::map<std::pair<uint32_t, Space>, Region> regions_ = {};  // sorted, so that the output is reproducible
    std::list<LocalBlock> blocks_ = {};
    spirv::IdMap<std::pair<Region*, size_t>> objects_ = {};
    std::vector<std::vector<const Region*>> by_function_;
    std::vector<std::vector<uint32_t>> kernels_of_function_ = {};  // where a region needs them
    std::vector<uint64_t> private_bytes_ = {};                     // by entry point
    size_t kernel_count_ = 0;
    spirv::IdMap<uint32_t> entry_of_ = {};  // function index -> index of its (first) entry point
    std::map<uint32_t, Id> lengths_ = {};   // by specialisation constant
    std::map<std::tuple<spv::Op, Id, Id>, Id> computed_ = {};  // u32 that the pipeline computes
    std::map<std::pair<Id, Id>, Id> larger_ = {};
};

}  // namespace caldera::vulkan::memory
