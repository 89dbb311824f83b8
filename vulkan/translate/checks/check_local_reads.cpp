// SPDX-License-Identifier: Apache-2.0
// check_local_reads: reports loads from local memory of what no work-item of the group has written. The
// shadow of the group's local memory (vulkan/race_words.h) has the bytes that were. An earlier group may have
// had the shadow: then what it wrote counts, and a read is missed.
//
// All stores by pointers that may be local are noted. A module in which something else may write local
// memory, such as an asynchronous copy, is not looked at.
//
// Before and after: as check_uninitialised.
#include <algorithm>
#include <optional>

#include "spirv/debug_info.h"
#include "spirv/op_class.h"
#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/checks/written_parts.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

constexpr uint64_t kNotedBytes = 4, kMostStoredBytes = 256;

class LocalReadChecks {
 public:
    LocalReadChecks(spirv::Module& module, PassContext& context)
        : module_(module), instrument_(module, context), builder_(instrument_.builder()) {}

    void run() {
        if (!has_local_loads() || !knows_all_writes()) return;
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            const Function before = function;
            instrument_.begin(before);
            shadow_ = {};
            const WrittenParts parts(builder_, before);
            for (spirv::Block& block : function.blocks)
                rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                    for (const Access& access : instrument_.accesses().of(inst)) note(inst, access, parts);
                    out.push_back(std::move(inst));
                });
            instrument_.end(function);
        }
        instrument_.finish();
    }

 private:
    // ---- Whether to look at the module ----

    bool may_be_local(Id value) const {
        if (!builder_.is_pointer(builder_.type_of(value))) return false;
        const StorageClass space = instrument_.storage(value);
        return space == StorageClass::Workgroup || space == StorageClass::Generic;
    }
    bool has_local_loads() const {
        for (const Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    for (const Access& access : instrument_.accesses().of(inst))
                        if (is_local_load(inst, access)) return true;
        return false;
    }
    /// Instructions with pointers that write nothing, or what their accesses say.
    bool is_known(const Instruction& inst) const {
        if (inst.op == Op::OpLoad || only_moves_pointers(inst.op)) return true;
        if (inst.op == Op::OpFunctionCall) return defined_.contains(inst.id(0));
        const std::vector<Access> accesses = instrument_.accesses().of(inst);
        return !accesses.empty() && std::ranges::all_of(accesses, [](const Access& access) {
            return !access.writes || access.bytes <= kMostStoredBytes;
        });
    }
    bool knows_all_writes() {
        for (const Function& function : module_.functions)
            if (!function.blocks.empty()) defined_.insert(function.id());
        for (const Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body) {
                    if (spirv::is_debug(inst) || is_known(inst)) continue;
                    for (const spirv::Operand& operand : inst.operands)
                        if (operand.is_id && may_be_local(operand.id())) return false;
                }
        return true;
    }

    // ---- Accesses ----

    Id shadow() {
        if (!shadow_)
            shadow_ = instrument_.at_entry([&] {
                return instrument_.call("_Z18check_local_shadowPU3AS1j",
                                        builder_.type_vector(builder_.type_int(64), 2),
                                        {instrument_.state()});
            });
        return shadow_;
    }
    Id number(uint64_t value) { return builder_.constant_u32(static_cast<uint32_t>(value)); }
    Id moved(Id address, uint64_t bytes) {
        if (bytes == 0) return address;
        return builder_.append(Op::OpIAdd, builder_.type_int(64), {address, builder_.constant_u64(bytes)});
    }

    void note(const Instruction& inst, const Access& access, const WrittenParts& parts) {
        const Id pointer = inst.id(access.operand);
        if (!may_be_local(pointer)) return;
        if (is_local_load(inst, access)) {
            const Op kind = builder_.op_of_type(inst.type);
            if (kind != Op::OpTypeStruct && kind != Op::OpTypeArray) check_load(inst, access, parts);
        }
        if (access.writes) note_store(inst, access, parts);
    }
    bool is_local_load(const Instruction& inst, const Access& access) const {
        return (inst.op == Op::OpLoad || spirv::is_atomic(inst.op)) && needs_value(inst, access) &&
               instrument_.storage(inst.id(access.operand)) == StorageClass::Workgroup;
    }

    void note_store(const Instruction& inst, const Access& access, const WrittenParts& parts) {
        const Id begin = instrument_.address_of(inst.id(access.operand), access);
        const auto note_bytes = [&](uint64_t at, uint64_t bytes) {
            for (uint64_t done = 0; done < bytes; done += kNotedBytes)
                instrument_.call(
                    "_Z17check_local_storemjbDv2_m", builder_.type_void(),
                    {moved(begin, at + done), number(std::min(kNotedBytes, bytes - done)),
                     builder_.constant_bool(access.alignment_bytes >= std::min(kNotedBytes, bytes)),
                     shadow()});
        };
        const Id type = inst.op == Op::OpStore ? builder_.type_of(inst.id(1)) : Id{};
        if (!type || !builder_.is_vector(type)) return note_bytes(0, access.bytes);
        const uint32_t count = builder_.count(type), written = parts.written_by(inst).all();
        for (uint32_t i = 0; i < count; ++i)
            if (written >> i & 1) note_bytes(i * access.bytes / count, access.bytes / count);
    }

    void check_load(const Instruction& inst, const Access& access, const WrittenParts& parts) {
        const std::optional<uint32_t> components = parts.read_of(inst);
        if (components == 0u) return;
        const Id pointer = inst.id(access.operand), begin = instrument_.address_of(pointer, access);
        CheckedObject object;
        if (const auto path = instrument_.paths().path_of(pointer))
            object.name = instrument_.name_of(path->variable);
        const Id site =
            instrument_.site(inst, CheckKind::Uninitialised, access, &object, StorageClass::Workgroup);
        const auto check = [&](uint64_t at, uint64_t bytes) {
            const Id address = moved(begin, at);
            const bool is_in_word = bytes <= kNotedBytes && access.alignment_bytes >= bytes;
            const Id is_fault =
                instrument_.call(is_in_word ? "_Z16check_local_wordmjDv2_m" : "_Z16check_local_loadmjDv2_m",
                                 builder_.type_bool(), {address, number(bytes), shadow()});
            instrument_.report_if(is_fault, site, {.address = address});
        };
        if (!components || !builder_.is_vector(inst.type)) return check(0, access.bytes);
        const uint32_t count = builder_.count(inst.type);
        for (uint32_t i = 0; i < count; ++i)
            if (*components >> i & 1) check(i * access.bytes / count, access.bytes / count);
    }

    spirv::Module& module_;
    Instrument instrument_;
    spirv::Builder& builder_;
    spirv::IdSet defined_ = {};
    Id shadow_ = {};  // of the function that is being rewritten
};

}  // namespace

Result<Done> check_local_reads(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Uninitialised)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    if (context.options.initialize_local) return Done{};  // zeros are written later
    LocalReadChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
