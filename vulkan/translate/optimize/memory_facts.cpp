// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/memory_facts.h"

#include <spirv/unified1/OpenCL.std.h>

#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

MemoryFacts::MemoryFacts(const Module& module, const Builder& builder)
    : builder_(builder), flags_(module.bound, 0), users_(module.bound, 0) {
    for (const Instruction& inst : module.annotations) {
        if (inst.op != OpDecorate || inst.operands.size() < 2 || inst.word(0) >= flags_.size()) continue;
        uint8_t& flags = flags_[inst.word(0)];
        switch (static_cast<spv::Decoration>(inst.word(1))) {
            case spv::Decoration::Restrict: flags |= kRestrict; break;
            case spv::Decoration::Volatile: flags |= kVolatile; break;
            case spv::Decoration::FuncParamAttr:
                if (inst.operands.size() < 3) break;
                if (inst.word(2) == static_cast<uint32_t>(spv::FunctionParameterAttribute::NoAlias))
                    flags |= kRestrict;
                if (inst.word(2) == static_cast<uint32_t>(spv::FunctionParameterAttribute::NoWrite))
                    flags |= kNoWrite;
                break;
            default: break;
        }
    }
    for (const Instruction& inst : module.ext_inst_imports)
        if (string_at(inst, 0) == "OpenCL.std") opencl_std_ = inst.result;
    for (const Instruction& entry : module.entry_points) flags_[entry.word(1)] |= kKernel;
    find_users(module);
    find_writers(module);
}

bool MemoryFacts::is_confined(Id variable, Id function) const {
    return variable.value < users_.size() && users_[variable.value] == function.value;
}

/// Another variable's initializer may name a variable too; then its address is in memory.
void MemoryFacts::find_users(const Module& module) {
    for (const Instruction& inst : module.globals)
        for (const Operand& operand : inst.operands)
            if (operand.is_id) users_[operand.word] = kManyUsers;
    for (const Function& function : module.functions)
        for_each_instruction(function, [&](const Instruction& inst) {
            for (const Operand& operand : inst.operands) {
                if (!operand.is_id) continue;
                uint32_t& user = users_[operand.word];
                if (user != function.id().value) user = user == 0 ? function.id().value : kManyUsers;
            }
        });
}

/// Functions that write more than their own variables, directly or through calls.
void MemoryFacts::find_writers(const Module& module) {
    IdMap<std::vector<uint32_t>> callers;
    std::vector<uint32_t> work;
    auto mark = [&](uint32_t function) {
        if (flags_[function] & kWrites) return;
        flags_[function] |= kWrites;
        work.push_back(function);
    };
    for (const Function& function : module.functions) {
        IdSet own;  // pointers into the function's own variables
        if (function.blocks.empty()) mark(function.id().value);
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op == OpVariable || (computes_pointer(inst.op) && own.contains(inst.id(0)))) {
                    own.insert(inst.result);
                } else if (inst.op == OpFunctionCall) {
                    callers[inst.id(0)].push_back(function.id().value);
                } else {
                    const Effect effect = own_effect(inst);
                    const bool writes_own = effect == Effect::Store && own.contains(inst.id(0));
                    if (effect > Effect::Load && !writes_own) mark(function.id().value);
                }
            }
    }
    while (!work.empty()) {
        const auto found = callers.find(work.back());
        work.pop_back();
        if (found == callers.end()) continue;
        for (uint32_t caller : found->second) mark(caller);
    }
}

bool MemoryFacts::is_pointer(Id id) const {
    const Id type = builder_.type_of(id);
    return type && builder_.is_pointer(type);
}

bool MemoryFacts::only_reads(const Instruction& call) const {
    if (call.id(0) != opencl_std_) return false;
    switch (call.word(1)) {
        case OpenCLLIB::Vloadn:
        case OpenCLLIB::Vload_half:
        case OpenCLLIB::Vload_halfn:
        case OpenCLLIB::Vloada_halfn:
        case OpenCLLIB::Prefetch: return true;
        default: return false;
    }
}

bool MemoryFacts::is_memory(Id pointer) const {
    switch (builder_.storage(builder_.type_of(pointer))) {
        case spv::StorageClass::CrossWorkgroup:
        case spv::StorageClass::UniformConstant:
        case spv::StorageClass::Workgroup:
        case spv::StorageClass::Function:
        case spv::StorageClass::Generic: return true;
        default: return false;
    }
}

Effect MemoryFacts::effect(const Instruction& inst) const {
    if (inst.op == OpFunctionCall) return has(inst.id(0), kWrites) ? Effect::Everything : Effect::None;
    return own_effect(inst);
}

Effect MemoryFacts::own_effect(const Instruction& inst) const {
    switch (inst.op) {
        case OpLoad:
            if (!is_memory(inst.id(0))) return Effect::None;
            return access_at(inst, 1).is_volatile || has(inst.id(0), kVolatile) ? Effect::Everything
                                                                                : Effect::Load;
        case OpStore:
            return access_at(inst, 2).is_volatile || has(inst.id(0), kVolatile) ? Effect::Everything
                                                                                : Effect::Store;
        case OpCopyMemory:
        case OpCopyMemorySized:
            return copy_operands(inst).is_volatile() ? Effect::Everything : Effect::Writes;
        case OpExtInst: {
            bool writes = false;
            if (!only_reads(inst)) for_each_written(inst, [&](Id) { writes = true; });
            return writes ? Effect::Writes : Effect::None;
        }
        case OpSampledImage:  // an image is not memory that loads and stores see
        case OpImageSampleExplicitLod:
        case OpImageFetch:
        case OpImageRead:
        case OpImageWrite:
        case OpImageQuerySize:
        case OpImageQuerySizeLod:
        case OpImageQueryLevels:
        case OpImageQuerySamples:
        case OpPhi:
        case OpVariable:
        case OpNop:
        case OpLifetimeStart:
        case OpLifetimeStop: return Effect::None;
        default:
            return is_debug(inst) || is_pure(inst) || is_sub_group_operation(inst.op) ? Effect::None
                                                                                      : Effect::Everything;
    }
}

}  // namespace caldera::vulkan
