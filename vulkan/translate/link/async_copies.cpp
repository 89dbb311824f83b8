// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/link/async_copies.h"

#include <algorithm>

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

void lower_event_type(spirv::Module& module) {
    std::vector<Instruction>& globals = module.globals;
    const auto event = std::ranges::find(globals, Op::OpTypeEvent, &Instruction::op);
    if (event == globals.end()) return;
    auto is_u32 = [](const Instruction& inst) { return inst.op == Op::OpTypeInt && inst.word(0) == 32; };
    const auto found = std::ranges::find_if(globals, is_u32);
    Instruction u32{.op = Op::OpTypeInt, .operands = {32u, 0u}};
    if (found == globals.end()) {
        u32.result = module.fresh();
    } else {
        u32 = *found;
        globals.erase(found);
    }
    const auto at = std::ranges::find(globals, Op::OpTypeEvent, &Instruction::op);
    at->op = Op::OpTypeStruct;
    at->operands = {u32.result};
    globals.insert(globals.begin(), std::move(u32));
}

namespace {

/// How the library's async_copy moves elements of a type: as `words` integers of `width` bits each.
struct Unit {
    uint32_t width = 0, words = 0;
};
Unit unit_of(const Builder& builder, Id element) {
    const uint32_t count = builder.is_vector(element) ? builder.count(element) : 1;
    return {builder.width(element), count == 3 ? 4 : count};  // a vec3 takes the room of four
}

std::string_view code(uint32_t width) {
    switch (width) {
        case 8: return "h";
        case 16: return "t";
        case 32: return "j";
        default: return "m";
    }
}

}  // namespace

Result<Id> emit_async_copy(Builder& builder, LibraryLinker& linker, const Instruction& inst) {
    const Id target = inst.id(1), source = inst.id(2);
    const Id target_type = builder.type_of(target);
    const bool to_local = builder.storage(target_type) == StorageClass::Workgroup;
    const Unit unit = unit_of(builder, builder.pointee(target_type));
    // async_copy(target, source, count, words, target stride, source stride); the stride is global memory's.
    const std::string name = std::string("_Z10async_copyPU3AS") + (to_local ? "3" : "1") +
                             std::string(code(unit.width)) + "PU3AS" + (to_local ? "1" : "3") + "K" +
                             std::string(code(unit.width)) + "mjmm";
    const Result<Id> function = linker.import_function(name);
    if (!function) return function.error();
    if (!*function) return Error{.message = "asynchronous copies are not in the library"};

    const Id word = builder.type_int(unit.width);
    auto as_words = [&](Id pointer) {
        const Id type = builder.type_of(pointer);
        const Id wanted = builder.type_pointer(builder.storage(type), word);
        return type == wanted ? pointer : builder.append(Op::OpBitcast, wanted, {pointer});
    };
    auto as_u64 = [&](Id value) {
        const Id u64 = builder.type_int(64);
        return builder.type_of(value) == u64 ? value : builder.append(Op::OpUConvert, u64, {value});
    };
    const Id one = builder.constant_u64(1), stride = as_u64(inst.id(4));
    builder.append(Op::OpFunctionCall, builder.type_void(),
                   {*function, as_words(target), as_words(source), as_u64(inst.id(3)),
                    builder.constant_u32(unit.words), to_local ? one : stride, to_local ? stride : one});
    return builder.constant_null(inst.type);
}

void emit_wait_events(Builder& builder) {
    const Id workgroup = builder.constant_u32(static_cast<uint32_t>(spv::Scope::Workgroup));
    const auto semantics = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease) |
                           static_cast<uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory) |
                           static_cast<uint32_t>(spv::MemorySemanticsMask::CrossWorkgroupMemory);
    builder.append_void(Op::OpControlBarrier, {workgroup, workgroup, builder.constant_u32(semantics)});
}

}  // namespace caldera::vulkan
