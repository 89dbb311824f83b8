// SPDX-License-Identifier: Apache-2.0
// Regions: the private and local objects whose pointers mix share one array; its element type is chosen by how the
// program accesses them. Objects that no kernel has in common lie over each other there.
#pragma once

#include <map>
#include <memory>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/result.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"
#include "vulkan/translate/memory/address.h"
#include "vulkan/translate/memory/windows.h"

namespace caldera::vulkan::memory {

/// A variable, or a kernel's pointer argument to local memory.
struct Object {
    Id id = {};
    uint64_t size_bytes = 0;
    uint64_t align_bytes = 1;
    int argument = -1;  ///< index of the kernel's parameter; its length is a specialisation constant
    uint32_t function = kNoFunction;
    std::vector<uint32_t> kernels = {};  ///< entry points that may reach it; empty: not known
    uint64_t offset_bytes = 0;           ///< in the region, bias included
    Id dynamic_offset = {};              ///< u32, added to it: lengths of the arguments before it
};

/// What a region's accesses have in common.
struct Usage {
    uint32_t widths = 0;  ///< bit n: scalars of n bytes
    bool floats = false, integers = false;
    bool misaligned = false;               ///< below the scalar's own alignment
    uint32_t vectors = 0;                  ///< bit n: aligned accesses of n components at once
    bool loose_vectors = false;            ///< vectors at less than their alignment
    uint32_t atomics = 0;                  ///< bit n: of n bytes
    uint64_t raw_bytes = 0;                ///< largest granularity of copies of bytes; 0: none
    bool helper = false;                   ///< accessed from functions that this pass makes
    std::vector<uint32_t> functions = {};  ///< that access it
};

struct Region {
    Space space = {};
    std::vector<Object> objects = {};
    Usage usage = {};
    uint32_t function = kNoFunction;  ///< Function storage in this one; else module scope
    bool words = false;               ///< accesses of different widths: an array of words to cut from
    bool is_float = false;
    uint32_t scalar_bytes = 4;
    uint32_t components = 1;  ///< of one element of the array
    uint32_t bias_bytes = 0;  ///< offset of the array's first byte
    uint64_t size_bytes = 0;  ///< of the objects of fixed size
    Id scalar_type = {};
    Id array_type = {};
    Id variable = {};
    uint64_t argument_align_bytes = 0;  ///< where one of several arguments begins

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
            const Addresses& addresses, const Windows& windows, const DeviceProfile& profile);

    /// Makes the arrays of module scope, with the specialisation constants that `program` names.
    Result<Done> create(spirv::Builder& builder, const ProgramInterface& program);

    /// Null when no object of that space is in the class: such a pointer points to nothing.
    const Region* find(uint32_t pointer_class, Space space) const;
    /// Null when the id is no object.
    const Object* object(Id id) const;
    const std::map<std::pair<uint32_t, Space>, Region>& all() const { return regions_; }
    /// Those in private memory of one function.
    const std::vector<const Region*>& of_function(uint32_t function) const {
        return by_function_.at(function);
    }

 private:
    void add_objects(const spirv::Module& module);
    void find_kernels(const spirv::Module& module);
    bool is_unresolved(Id pointer) const;
    void record(const Instruction& inst, uint32_t function);
    void record(const AccessInfo& access, Region& region, uint32_t function);
    void record_type(Id type, uint64_t align_bytes, bool atomic, Usage& usage);
    uint64_t proven_alignment(const AccessInfo& access) const;
    void choose_unit(Region& region);
    void place(Region& region);
    uint64_t place_fixed(Region& region, Object& object, std::vector<uint64_t>& ends) const;
    Id create_length(Region& region, spirv::Builder& builder, const ProgramInterface& program);
    const KernelArgument* argument(const Object& object, const ProgramInterface& program) const;

    const Source& source_;
    const PointsTo& points_to_;
    const Addresses& addresses_;
    const Windows& windows_;
    const DeviceProfile& profile_;
    std::map<std::pair<uint32_t, Space>, Region> regions_ =
        {};  // in order, so that output is the same each time
    spirv::IdMap<std::pair<Region*, size_t>> objects_ = {};
    std::vector<std::vector<const Region*>> by_function_;
    size_t kernel_count_ = 0;
    spirv::IdMap<uint32_t> entry_of_ = {};  // function index -> index of its (first) entry point
    std::map<uint32_t, Id> lengths_ = {};   // by specialisation constant
};

}  // namespace caldera::vulkan::memory
