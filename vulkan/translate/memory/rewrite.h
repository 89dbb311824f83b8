// SPDX-License-Identifier: Apache-2.0
// Rewrites the functions of a module, one after the other, so that no value is a pointer to memory any more.
#pragma once

#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/device_profile.h"
#include "vulkan/translate/memory/helpers.h"

namespace caldera::vulkan::memory {

class FunctionRewriter {
 public:
    FunctionRewriter(Emitter& emitter, Helpers& helpers, const DeviceProfile& profile, bool argument_table)
        : emitter_(emitter),
          builder_(emitter.builder()),
          source_(emitter.source()),
          helpers_(helpers),
          profile_(profile),
          argument_table_(argument_table) {}

    /// `index` is the function's in module.functions. Old bodies stay alive, because the source's definitions
    /// are in them.
    Result<Done> run(spirv::Function& function, uint32_t index);
    /// The first error in the functions or in a helper.
    Result<Done> declined() const {
        return error_.empty() ? Result<Done>(Done{}) : Result<Done>(Error{error_});
    }
    /// The value that replaced an id, or the id itself.
    Id replacement(Id id) { return replaced_.resolve(id); }

 private:
    void rewrite(const Instruction& inst);
    void rewrite_terminator(Instruction& inst);
    void rewrite_params(spirv::Function& function);
    void replace(Id old, Id value) { replaced_.set(old, value); }
    void keep(Instruction inst);
    void keep_access(Instruction inst, size_t mask_at);
    void decline(const Instruction& inst, const std::string& why);

    void variable(const Instruction& inst);
    void declare(const Instruction& inst);
    void load(const Instruction& inst);
    void store(const Instruction& inst);
    void matrix_access(const Instruction& inst);
    Id matrix_stride(const Instruction& inst, Id stride, uint64_t pointee_bytes, uint32_t unit_bytes);
    std::pair<Place, Place> copied_places(const Instruction& copy, const Accesses& accesses);
    void copy_memory(const Instruction& inst);
    void copy_memory_sized(const Instruction& inst);
    Id is_behind(Id pointer, Id other);
    void access_chain(const Instruction& inst);
    spirv::Id same_pointer(const Instruction& inst);
    void bitcast(const Instruction& inst);
    void pointer_to_integer(const Instruction& inst);
    void integer_to_pointer(const Instruction& inst);
    void cast_space(const Instruction& inst);
    void memory_semantics(const Instruction& inst);
    Id pointer_extent(Id pointer);
    Id extent_in(const Region* region, Id value);
    Id extent(Id offset, Id size);
    void find_shown_addresses(const spirv::Function& function, uint32_t index);
    bool may_share_buffer(Id a, Id b) const;
    std::pair<Id, Id> comparable_values(Id a, Id b, Space space);
    Id tag_of(Id pointer);
    Id is_tag(Id tag, uint64_t wanted);
    void compare(const Instruction& inst);
    void difference(const Instruction& inst);
    void merge_values(const Instruction& inst);  // phi, select
    void call(const Instruction& inst);
    void extract(const Instruction& inst);
    void construct(const Instruction& inst);  // composites
    bool extended(const Instruction& inst);   // OpenCL.std with pointers
    void store_halves(const HalfStore& store, const Instruction& inst);
    void split_result(const Instruction& inst);  // fract, modf, frexp, sincos
    void atomic(const Instruction& inst);
    Id shared_atomic(const Instruction& inst, Place& place, Id integer);
    Id float_atomic(const Instruction& inst, Place& place, Id integer);
    Id narrow_atomic(const Instruction& inst, Place& place, Id integer);
    Id from_atomic(const Instruction& inst, Id bits);
    Id changed_value(const Instruction& inst, Id old, Id type);
    Helpers::Change change();
    void private_atomic(const Instruction& inst, Place& place, Id type);
    void generic_atomic(const Instruction& inst, Place& place, Id type);
    Id generic_case(const Instruction& inst, Place& place, Id value_type);
    Id as_space(Id pointer, Space from, Space to, uint32_t pointer_class);
    uint32_t access_mask(const MemoryOperands& operands, Id pointer) const;
    bool is_pointer(Id value) const { return source_.is_memory_pointer(value); }

    Emitter& emitter_;
    spirv::Builder& builder_;
    const Source& source_;
    Helpers& helpers_;
    const DeviceProfile& profile_;
    const bool argument_table_;
    uint32_t function_ = 0;    // the index of the one that is rewritten
    spirv::IdSet shown_ = {};  // integers of pointers that must be equal where the bytes are, in one function
    spirv::Substitution replaced_ = {};
    std::vector<std::vector<Instruction>> old_bodies_ = {};
    std::string error_ = {};
};

}  // namespace caldera::vulkan::memory
