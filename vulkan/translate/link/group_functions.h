// SPDX-License-Identifier: Apache-2.0
// Work-group and sub-group functions (OpenCL C 2.0 6.13.15, cl_khr_subgroups and related extensions,
// cl_intel_subgroups).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"
#include "vulkan/translate/link/library_linker.h"
#include "vulkan/translate/options.h"
#include "vulkan/translate/pass_variables.h"

namespace caldera::vulkan {

/// Emits code for one such instruction at the builder's sink: the device's GroupNonUniform instructions for
/// the scalars for which it has them, otherwise calls of the library. On a device without sub-groups, each
/// work-group is one.
class GroupFunctions {
 public:
    GroupFunctions(spirv::Builder& builder, LibraryLinker& linker, const TranslateOptions& options);

    /// From now on, sub-groups have this size by local memory and barriers of the work-group: in a function
    /// of a kernel whose size is emulated (emulates_subgroup_size()). 0: they are the device's.
    void emulate_size(uint32_t size) { size_ = size; }
    /// Barriers, fences and atomic operations with the scope of an emulated sub-group get that of the
    /// work-group, since it may be several of the device's sub-groups. Wider scopes stay.
    void widen_scopes(spirv::Instruction& inst);
    /// The instruction's value. nullopt if the instruction can stay.
    std::optional<spirv::Id> emit(const spirv::Instruction& inst);
    /// The error of emit(); empty if there was none.
    const std::string& error() const { return error_; }
    /// Tells the kernels how much local memory the library's functions want, and later passes which variables
    /// it has. Once, when the module is whole.
    void describe(ProgramInterface& program, PassVariables& variables);

 private:
    using Id = spirv::Id;
    /// A sum, a minimum, … over a group, and the kind of its values: 'i'nt, 'u'int, 'f'loat.
    struct Row {
        spv::Op uniform = {}, non_uniform = {};
        std::string_view name = {};
        char kind = 0;
    };
    static const Row kRows[];
    static const Row* find_row(spv::Op op);
    static std::string mangle(const std::string& name, char kind, uint32_t width, std::string_view more = {});

    /// One operation over one group.
    struct Request {
        const Row& row;
        bool work_group = false;
        spv::GroupOperation operation = {};
        Id cluster = {};
    };
    Id vote(const spirv::Instruction& inst);
    Id combine(const Request& request, Id value);
    Id combine_narrow(const Request& request, Id value);
    Id combine_logical(const Request& request, Id value);
    Id combine_work_group(const Request& request, Id value);
    Id by_shuffles(const Request& request, Id value);
    bool has_instruction(const Request& request, Id type) const;
    bool is_work_group(Id scope) const;

    // Sub-groups of an emulated size (emulated_sub_groups.cpp)
    std::optional<Id> emit_emulated(const spirv::Instruction& inst);
    std::optional<Id> load_emulated(const spirv::Instruction& load);
    Id combine_emulated(const Request& request, Id value);
    Id move_emulated(spv::Op op, Id value, Id lane);
    Id ballot_emulated(Id truth);
    Id count_emulated(const spirv::Instruction& inst);
    Id all_equal_emulated(Id value);
    Id bits_below(Id lane);
    Id bit_of(Id ballot, Id lane);
    Id first_linear_id();
    Id in_emulated(const std::string& name, spirv::Operands args) {
        return call("emulated_sub_group_" + name, builder_.type_int(32), std::move(args));
    }

    Id broadcast(const spirv::Instruction& inst);
    Id broadcast_in_work_group(Id value, Id linear_id);
    Id all_equal(Id value);
    Id all_equal_doubles(Id value);
    Id move(spv::Op op, Id value, Id lane);
    Id shuffle_relative(spv::Op op, Id value, Id delta);
    Id rotate(Id value, Id delta, Id cluster);
    Id shuffle_two(const spirv::Instruction& inst);

    template <class Emit>
    Id by_component(Id value, Emit emit);
    Id convert(Id value, Id type);
    uint32_t width_of(Id type) const;
    Id lane(const spirv::Instruction& inst, size_t operand);
    Id integer(spv::Op op, Id a, Id b) { return builder_.append(op, builder_.type_int(32), {a, b}); }
    Id number(uint32_t value) { return builder_.constant_u32(value); }
    Id sub_group() { return number(static_cast<uint32_t>(spv::Scope::Subgroup)); }
    Id linear_id() { return input(spv::BuiltIn::LocalInvocationIndex); }
    Id local_id() {
        return size_ != 0 ? integer(spv::Op::OpBitwiseAnd, linear_id(), number(size_ - 1))
                          : input(spv::BuiltIn::SubgroupLocalInvocationId);
    }
    Id max_size() { return size_ != 0 ? number(size_) : input(spv::BuiltIn::SubgroupMaxSize); }
    Id input(spv::BuiltIn built_in);

    Id call(const std::string& mangled_name, Id type, spirv::Operands args);
    void provide_scratch();
    Id scratch(Id function);

    /// Local memory that the library's functions share.
    struct Scratch {
        uint32_t width = 0;
        bool is_float = false, per_work_item = false;
        Id variable = {};
    };
    uint32_t scratch_length(const Scratch& scratch) const;

    spirv::Builder& builder_;
    LibraryLinker& linker_;
    const DeviceProfile& profile_;
    const bool totals_in_turn_;
    uint32_t size_ = 0;                   // of emulated sub-groups
    std::map<Id, Scratch> scratch_ = {};  // by the function that returns the pointer
    std::map<spv::BuiltIn, Id> inputs_ = {};
    std::optional<spirv::IdMap<spv::BuiltIn>> built_ins_ = {};  // of the program, for load_emulated()
    std::string error_ = {};
};

template <class Emit>
spirv::Id GroupFunctions::by_component(Id value, Emit emit) {
    const Id type = builder_.type_of(value), element = builder_.element(type);
    spirv::Operands parts;
    for (uint32_t c = 0; c < builder_.count(type); ++c)
        parts.push_back(emit(builder_.append(spv::Op::OpCompositeExtract, element, {value, c})));
    return builder_.append(spv::Op::OpCompositeConstruct, type, std::move(parts));
}

}  // namespace caldera::vulkan
