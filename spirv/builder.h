// SPDX-License-Identifier: Apache-2.0
// Builder: appends to a Module. Types and constants are unique; every id's type is known to it.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::spirv {

/// Builds a new module, or edits an existing one: the constructor then indexes the types, constants and value
/// types in it. The module must outlive the builder. While a builder exists, new globals must be added
/// through it.
///
/// Instructions go to the current sink: the open block that begin_block() started, or any vector that a pass
/// chooses with set_sink(). The builder does not validate; verify() and validate() do.
class Builder {
 public:
    explicit Builder(Module& module);
    Module& module() { return module_; }
    const Module& module() const { return module_; }
    Id fresh() { return module_.fresh(); }

    // ---- Types (unique, SPIR-V 2.8). Integers have signedness 0 in kernels and shaders alike. ----
    Id type_void();
    Id type_bool();
    Id type_int(uint32_t width);
    Id type_float(uint32_t width);
    Id type_vector(Id element, uint32_t count);
    Id type_array(Id element, Id length);  ///< `length`: a constant or specialisation constant
    Id type_array(Id element, uint32_t length);
    Id type_struct(std::span<const Id> members);           ///< unique by its members: for values
    Id type_struct_distinct(std::span<const Id> members);  ///< always a new one: for layouts and names
    Id type_pointer(spv::StorageClass storage, Id pointee);
    /// Declares a pointer type before its pointee, a struct, exists (OpTypeForwardPointer). `define_pointer`
    /// completes it.
    Id forward_pointer(spv::StorageClass storage);
    void define_pointer(Id forward, spv::StorageClass storage, Id pointee);
    Id type_opaque(std::string_view name);
    Id type_function(Id result, std::span<const Id> params);
    Id type(spv::Op op, Operands operands = {});  ///< any other unique type: opaque, images, events

    // ---- Constants (unique) ----
    Id constant_bool(bool value);
    /// truncated to the type's width, in the form that SPIR-V requires
    Id constant_int(Id type, uint64_t value);
    Id constant_u32(uint32_t value) { return constant_int(type_int(32), value); }
    Id constant_u64(uint64_t value) { return constant_int(type_int(64), value); }
    Id constant_float_bits(Id type, uint64_t bits);  ///< the IEEE bit pattern in the low bits
    Id constant_f32(float value);
    Id constant_f64(double value);
    Id constant_composite(Id type, std::span<const Id> parts);
    Id constant_splat(Id vector_type,
                      Id scalar);  ///< returns the scalar itself if `vector_type` is its scalar type
    /// A zero value: OpConstantNull, but a scalar zero is the same OpConstant as everywhere else.
    Id constant_null(Id type);
    /// A constant of a numeric scalar or vector type: each component has the bits that `change` returns for
    /// the value's. {} if it returns nothing for some component, or if the value is not such a constant. A
    /// component that is OpUndef is a zero.
    Id changed_constant(Id type, Id value,
                        const std::function<std::optional<uint64_t>(uint64_t bits)>& change);
    /// A component of a constant vector of numbers or bools, or {}.
    Id constant_component(Id vector, uint32_t at);
    Id undef(Id type);
    Id spec_constant_u32(uint32_t spec_id, uint32_t default_value);
    Id spec_constant_true(uint32_t spec_id);
    /// Adds a global instruction with a new result id. It is not made unique: use this for variables and spec
    /// constant operations.
    Id global(spv::Op op, Id type, Operands operands);
    Id variable(spv::StorageClass storage, Id pointee,
                Id initializer = {});  ///< adds it at module scope and returns the pointer

    // ---- Queries. A type query on an id that is no such type is a bug (check()). ----
    /// The type, constant or variable with this id, else null. Valid until the next append.
    const Instruction* find_global(Id id) const {
        if (id.value >= global_index_.size() || global_index_[id.value] == kNoGlobal) return nullptr;
        return &module_.globals[global_index_[id.value]];
    }
    /// The result type of an id; {} if it has none.
    Id type_of(Id value) const { return value.value < type_of_.size() ? type_of_[value.value] : Id{}; }
    spv::Op op_of_type(Id type) const {
        const Instruction* inst = find_global(type);
        return inst ? inst->op : spv::Op::OpNop;
    }
    bool is_pointer(Id type) const { return op_of_type(type) == spv::Op::OpTypePointer; }
    bool is_vector(Id type) const { return op_of_type(type) == spv::Op::OpTypeVector; }
    bool is_int(Id type) const { return op_of_type(type) == spv::Op::OpTypeInt; }
    bool is_float(Id type) const { return op_of_type(type) == spv::Op::OpTypeFloat; }
    bool is_bool(Id type) const { return op_of_type(type) == spv::Op::OpTypeBool; }
    uint32_t width(Id type) const;  ///< bits of an int or float, or of a vector's element
    uint32_t count(Id type) const;  ///< components of a vector; 1 for a scalar
    Id element(Id type) const;      ///< of a vector or array; a scalar's own type
    Id member(Id struct_type, uint32_t index) const;
    uint32_t member_count(Id struct_type) const;
    uint64_t array_length(Id array_type) const;  ///< of a constant length
    Id pointee(Id pointer_type) const;
    spv::StorageClass storage(Id pointer_type) const;
    Id with_count(Id type, uint32_t count);  ///< the vector (or scalar, for 1) over type's element
    Id with_element(Id type, Id element);    ///< same number of components, another element
    /// The value of an integer (or bool) OpConstant, OpConstantNull, OpConstantTrue/False, zero-extended.
    std::optional<uint64_t> constant_value(Id id) const;

    // ---- Code ----
    Id begin_function(Id result_type, Id function_type, spv::FunctionControlMask control = {}, Id id = {});
    Id param(Id type);
    void begin_block(Id label);  ///< opens a block of the current function
    bool block_open() const { return open_; }
    Id current_label() const { return block_.label; }
    void end_function();
    Function& function();  ///< the function being built

    void set_sink(std::vector<Instruction>* sink) { sink_ = sink; }  ///< null: return to the open block
    std::vector<Instruction>* sink() const { return sink_; }
    void set_line(Line line) { line_ = line; }

    Id append(spv::Op op, Id type, Operands operands);  ///< with a result
    void append_void(spv::Op op, Operands operands);    ///< without
    void append(Instruction inst);                      ///< unchanged; records the type of its result
    Id local_variable(Id pointee);  ///< an OpVariable of class Function, in the entry block of function()
    Id ext_inst(Id set, Id type, uint32_t instruction, std::span<const Id> args);

    // Terminators end the open block.
    void branch(Id target);
    void branch_if(Id condition, Id if_true, Id if_false);
    void switch_(Id selector, Id otherwise, std::span<const std::pair<uint64_t, Id>> cases);
    void return_();
    void return_value(Id value);
    void unreachable();
    void terminate(Instruction terminator);
    void selection_merge(Id merge, spv::SelectionControlMask control = {});
    void loop_merge(Id merge, Id continue_target, spv::LoopControlMask control = {}, Operands params = {});

    // ---- The other sections ----
    void capability(spv::Capability capability);  ///< adds it once
    void extension(std::string_view name);
    Id ext_inst_import(std::string_view name);  ///< unique by name
    void name(Id id, std::string_view text);
    void member_name(Id struct_type, uint32_t member, std::string_view text);
    void decorate(Id id, spv::Decoration decoration, Operands operands = {});
    void decorate_member(Id struct_type, uint32_t member, spv::Decoration decoration, Operands operands = {});
    Id string(std::string_view text);  ///< OpString, unique by text

 private:
    static constexpr uint32_t kNoGlobal = ~0u;
    /// A type or constant that can be found again: its index in module_.globals, or kNoGlobal for a free
    /// slot.
    struct UniqueSlot {
        uint32_t hash = 0;
        uint32_t global = kNoGlobal;
    };

    const Instruction* find_unique(uint32_t hash, spv::Op op, Id type, const Operands& operands) const;
    Id unique(spv::Op op, Id type, Operands operands);
    Id global(Instruction inst);
    void add_unique(uint32_t hash, uint32_t global);
    void record(const Instruction& inst) {
        if (!inst.result || !inst.type) return;
        if (inst.result.value >= type_of_.size()) grow_types(inst.result);
        type_of_[inst.result.value] = inst.type;
    }
    void grow_types(Id id);

    Module& module_;
    std::vector<UniqueSlot> unique_slots_ = {};  // open addressing, at most half full
    uint32_t unique_count_ = 0;
    std::vector<uint32_t> global_index_ = {};  // id -> index into module_.globals, or kNoGlobal
    std::vector<Id> type_of_ = {};             // id -> its type
    std::vector<Instruction>* sink_ = nullptr;
    Block block_ = {};
    bool open_ = false;
    Line line_ = {};
};

}  // namespace caldera::spirv
