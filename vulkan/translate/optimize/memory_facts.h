// SPDX-License-Identifier: Apache-2.0
// What the whole module says about memory: which arguments do not alias, which calls and instructions write.
#pragma once

#include <algorithm>
#include <vector>

#include "spirv/builder.h"

namespace caldera::vulkan {

/// The effect of an instruction on memory, as far as other loads and stores can see it.
enum class Effect : uint8_t {
    None,
    Load,    ///< OpLoad from memory, not volatile
    Store,   ///< OpStore, not volatile
    Writes,  ///< may write what its pointer operands point to, and nothing else
    /// may write all memory, or wait for others that do: volatile accesses, atomics, barriers, calls
    Everything,
};

/// Valid before lower_memory, while pointers are OpenCL's. For ids that were added later, the answers are
/// conservative.
class MemoryFacts {
 public:
    MemoryFacts(const spirv::Module& module, const spirv::Builder& builder);

    Effect effect(const spirv::Instruction& inst) const;
    /// Calls visit(Id) for each pointer operand that the instruction itself may write through: those of
    /// stores, copies, atomics and library functions, volatile or not. Calls of functions have none here.
    template <class Visit>
    void for_each_written(const spirv::Instruction& inst, Visit&& visit) const {
        if (inst.op == spv::Op::OpLoad) return;
        const bool library = inst.op == spv::Op::OpExtInst;
        const size_t first = library ? 2 : inst.op == spv::Op::OpGroupAsyncCopy ? 1 : 0;
        const size_t end = library ? inst.operands.size() : std::min(first + 1, inst.operands.size());
        for (size_t i = first; i < end; ++i)
            if (inst.operands[i].is_id && is_pointer(inst.id(i))) visit(inst.id(i));
    }
    /// While the function runs, memory that is accessed through this parameter and written at all is accessed
    /// only through it (C99 6.7.3.1, FuncParamAttr NoAlias).
    bool is_restrict(spirv::Id param) const { return has(param, kRestrict); }
    /// The same, and the function does not write through it: "const T *restrict".
    bool is_unchanging(spirv::Id param) const { return has(param, kRestrict) && has(param, kNoWrite); }
    bool is_kernel(spirv::Id function) const { return has(function, kKernel); }
    /// Whether only this function names the module-scope variable. Then its address is nowhere else unless
    /// the function lets it escape.
    bool is_confined(spirv::Id variable, spirv::Id function) const;

 private:
    static constexpr uint8_t kRestrict = 1, kNoWrite = 2, kVolatile = 4, kWrites = 8, kKernel = 16;
    static constexpr uint32_t kManyUsers = ~0u;

    bool has(spirv::Id id, uint8_t flag) const {
        return id.value < flags_.size() && (flags_[id.value] & flag);
    }
    bool is_pointer(spirv::Id id) const;
    bool is_memory(spirv::Id pointer) const;
    bool only_reads(const spirv::Instruction& library_call) const;
    Effect own_effect(const spirv::Instruction& inst) const;
    void find_users(const spirv::Module& module);
    void find_writers(const spirv::Module& module);

    const spirv::Builder& builder_;
    spirv::Id opencl_std_ = {};
    std::vector<uint8_t> flags_;   // by id
    std::vector<uint32_t> users_;  // by id of a variable: the function's id, 0 for none, or kManyUsers
};

}  // namespace caldera::vulkan
