// SPDX-License-Identifier: Apache-2.0
// The module as it was before lower_memory: types, definitions and memory accesses, for the analyses and the
// rewrite.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "spirv/id_map.h"
#include "vulkan/translate/memory/layout.h"
#include "vulkan/translate/pass_variables.h"
#include "vulkan/translate/support/large_types.h"

namespace caldera::vulkan::memory {

constexpr uint32_t kNoFunction = ~0u;
constexpr uint64_t kUnrolledCopies = kFewLeaves;  ///< longer copies become loops

/// A buffer that the host has and no argument gives. An Input variable (u64) stands for its address until
/// lower_interface.
enum class HostBuffer : uint8_t { DataSegment, Printf, DeviceQueue, CheckState, ArgumentTable };
constexpr size_t kHostBuffers = 4;  ///< that have an address: there is no ArgumentTable with addresses

/// One memory access of one instruction, as far as it matters for the shape of the memory.
struct AccessInfo {
    Id pointer = {};
    Id type = {};              ///< the type in memory that is read or written; none: raw bytes
    uint64_t raw_bytes = 0;    ///< number of raw bytes; 0 if not known
    uint32_t align_bytes = 1;  ///< the alignment that the instruction promises
    bool atomic = false;
    bool is_matrix =
        false;      ///< a cooperative matrix, which any array can hold whose elements are this aligned
    Id index = {};  ///< vstore_half: multiplied by stride_bytes and added to the pointer
    uint64_t stride_bytes = 0;
};

/// The accesses of one instruction; a copy has two.
class Accesses {
 public:
    void push_back(const AccessInfo& access) { list_[size_++] = access; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const AccessInfo& operator[](size_t index) const { return list_[index]; }
    AccessInfo& back() { return list_[size_ - 1]; }
    const AccessInfo* begin() const { return list_.data(); }
    const AccessInfo* end() const { return list_.data() + size_; }

 private:
    std::array<AccessInfo, 2> list_ = {};
    size_t size_ = 0;
};

/// The ids, types and definitions of the module at the time of construction. Function bodies must stay alive,
/// but may be moved. The globals are copied.
class Source {
 public:
    Source(const spirv::Module& module, const PassVariables& made);

    const Layout& layout() const { return layout_; }
    Id type_of(Id value) const { return value.value < types_.size() ? types_[value.value] : Id{}; }
    const TypeInfo& type_info(Id value) const { return layout_[type_of(value)]; }
    /// The instruction with this result, or null.
    const Instruction* def(Id id) const { return id.value < defs_.size() ? defs_[id.value] : nullptr; }
    const std::vector<Instruction>& globals() const { return globals_; }
    /// The index in module.functions of the function that defines the value; kNoFunction for globals.
    uint32_t function_of(Id id) const {
        return id.value < functions_.size() ? functions_[id.value] : kNoFunction;
    }
    /// The value of an integer constant, sign-extended from its width.
    std::optional<int64_t> constant(Id id) const;
    /// Whether the constant contains addresses or null pointers. Then instructions replace it where it is
    /// used.
    bool is_expanded(Id id) const { return expanded_.contains(id); }
    /// Whether the id has the Volatile decoration.
    bool is_volatile(Id id) const { return volatile_.contains(id); }
    /// A parameter of a function, as it was.
    Id param(Id function, size_t index) const;
    /// The Alignment decoration, or 0.
    uint32_t alignment(Id id) const { return alignments_[id]; }
    const std::string& name(Id id) const { return names_[id]; }
    /// Which buffer a program-scope variable is in. lower_printf, lower_enqueue and lower_images made some
    /// that are whole buffers.
    HostBuffer host_buffer(Id variable) const {
        if (made_.printf_buffer && variable == made_.printf_buffer) return HostBuffer::Printf;
        if (made_.device_queue && variable == made_.device_queue) return HostBuffer::DeviceQueue;
        if (made_.check_state && variable == made_.check_state) return HostBuffer::CheckState;
        if (made_.argument_table && variable == made_.argument_table) return HostBuffer::ArgumentTable;
        return HostBuffer::DataSegment;
    }
    /// Local memory of the group functions that grows with the work-group.
    bool is_group_values(Id variable) const {
        return std::ranges::find(made_.group_values, variable) != made_.group_values.end();
    }
    /// Local memory of the group functions whose bounds the library keeps.
    bool is_group_totals(Id variable) const {
        return std::ranges::find(made_.group_totals, variable) != made_.group_totals.end();
    }

    bool is_memory_pointer(Id value) const { return layout_.is_memory_pointer(type_of(value)); }
    bool carries_pointer(Id value) const { return type_info(value).has_pointer; }
    /// Whether a constant points nowhere: OpConstantNull, OpUndef.
    bool is_null(Id value) const;
    /// The opcode, or the one inside an OpSpecConstantOp.
    static spv::Op op_of(const Instruction& inst);
    /// Operand `index`, not counting the opcode inside an OpSpecConstantOp.
    static Id id_of(const Instruction& inst, size_t index);
    static size_t operand_count(const Instruction& inst);

    /// The storage class of a pointer value; Max for anything else.
    spv::StorageClass storage(Id pointer) const;
    Id pointee(Id pointer) const { return type_info(pointer).pointee(); }
    /// Calls visit(Id) for each operand from which the result gets its pointer, perhaps with an offset: those
    /// of phis, selects, access chains, copies and casts between pointers. Returns false if the instruction
    /// is none of these.
    template <class Visit>
    bool for_each_base(const Instruction& inst, Visit&& visit) const;
    /// The accesses of one instruction: none, one, or two (copies).
    Accesses accesses(const Instruction& inst) const;
    /// Whether a set of extended instructions is OpenCL.std.
    bool is_opencl_std(Id set) const { return set == opencl_std_; }

 private:
    AccessInfo matrix_access(const Instruction& inst) const;
    void library_access(const Instruction& inst, Accesses& out) const;
    bool holds_address(const Instruction& inst) const;
    void define(const Instruction& inst, uint32_t function);

    const PassVariables& made_;
    Layout layout_;
    std::vector<Instruction> globals_ = {};
    std::vector<Id> types_ = {};
    std::vector<const Instruction*> defs_ = {};
    std::vector<uint32_t> functions_ = {};
    spirv::IdTable<uint32_t> alignments_ = {};
    spirv::IdTable<std::string> names_ = {};
    spirv::IdSet expanded_ = {}, volatile_ = {};
    spirv::IdMap<std::vector<Id>> params_ = {};
    Id opencl_std_ = {};
};

template <class Visit>
bool Source::for_each_base(const Instruction& inst, Visit&& visit) const {
    switch (op_of(inst)) {
        case spv::Op::OpPhi:
            for (size_t i = 0; i < inst.operands.size(); i += 2) visit(inst.id(i));
            return true;
        case spv::Op::OpSelect:
            for (size_t i : {1, 2}) visit(id_of(inst, i));
            return true;
        case spv::Op::OpBitcast:
            if (!carries_pointer(inst.result) || !carries_pointer(id_of(inst, 0))) return false;
            [[fallthrough]];
        case spv::Op::OpPtrAccessChain:
        case spv::Op::OpInBoundsPtrAccessChain:
        case spv::Op::OpAccessChain:
        case spv::Op::OpInBoundsAccessChain:
        case spv::Op::OpCopyObject:
        case spv::Op::OpPtrCastToGeneric:
        case spv::Op::OpGenericCastToPtr:
        case spv::Op::OpGenericCastToPtrExplicit: visit(id_of(inst, 0)); return true;
        default: return false;
    }
}

/// The Memory Operands of an OpLoad, OpStore or OpCopyMemory* that start at operand `index`.
struct MemoryOperands {
    uint32_t mask = 0;
    uint32_t align_bytes = 0;  ///< 0: not specified
    bool is_volatile() const { return mask & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile); }
};
MemoryOperands memory_operands(const Instruction& inst, size_t index);

/// vstore_half and its variants: memory contains halves, values are float or double.
struct HalfStore {
    bool aligned = false;  ///< vstorea: alignment and stride are the vector's
    uint32_t count = 1;
    spv::FPRoundingMode rounding = spv::FPRoundingMode::RTE;
    Id data = {}, offset = {}, pointer = {};
};
/// Parses an OpenCL.std instruction; nullopt if it is none of these.
std::optional<HalfStore> half_store(const Instruction& inst, const Source& source);

}  // namespace caldera::vulkan::memory
