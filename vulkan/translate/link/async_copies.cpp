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

namespace {

/// `pointer` as one to integers of this width.
Id as_words(Builder& builder, Id pointer, uint32_t width) {
    const Id type = builder.type_of(pointer);
    const Id wanted = builder.type_pointer(builder.storage(type), builder.type_int(width));
    return type == wanted ? pointer : builder.append(Op::OpBitcast, wanted, {pointer});
}

/// The mangled name of the library's function, whose first parameters are pointers to integers of this code.
std::string library_name(std::string_view name, bool to_local, std::string_view code,
                         std::string_view between, std::string_view after) {
    return std::string(name) + "PU3AS" + (to_local ? "3" : "1") + std::string(code) + std::string(between) +
           "PU3AS" + (to_local ? "1" : "3") + "K" + std::string(code) + std::string(after);
}

}  // namespace

Result<Id> emit_async_copy(Builder& builder, LibraryLinker& linker, const Instruction& inst) {
    const Id target = inst.id(1), source = inst.id(2);
    const Id target_type = builder.type_of(target);
    const bool to_local = builder.storage(target_type) == StorageClass::Workgroup;
    const Unit unit = unit_of(builder, builder.pointee(target_type));
    // async_copy(target, source, count, words, target stride, source stride); the stride is global memory's.
    const Result<Id> function =
        linker.import_function(library_name("_Z10async_copy", to_local, code(unit.width), "", "mjmm"));
    if (!function) return function.error();
    if (!*function) return Error{.message = "asynchronous copies are not in the library"};

    auto as_u64 = [&](Id value) {
        const Id u64 = builder.type_int(64);
        return builder.type_of(value) == u64 ? value : builder.append(Op::OpUConvert, u64, {value});
    };
    const Id one = builder.constant_u64(1), stride = as_u64(inst.id(4));
    builder.append(Op::OpFunctionCall, builder.type_void(),
                   {*function, as_words(builder, target, unit.width), as_words(builder, source, unit.width),
                    as_u64(inst.id(3)), builder.constant_u32(unit.words), to_local ? one : stride,
                    to_local ? stride : one});
    return builder.constant_null(inst.type);
}

namespace {

/// The operands of a call: the function, target, offset, source, offset, sizes, event.
constexpr size_t kTarget = 1, kTargetOffset = 2, kSource = 3, kSourceOffset = 4, kSizes = 5;
constexpr size_t kSizesOfLines = 5, kSizesOfPlanes = 8;

}  // namespace

bool is_extended_copy(const Builder& builder, std::string_view name, const Instruction& call) {
    const bool has_planes = name == "async_work_group_copy_3D3D";
    if (!has_planes && name != "async_work_group_copy_2D2D") return false;
    if (call.operands.size() != kSizes + (has_planes ? kSizesOfPlanes : kSizesOfLines) + 1) return false;
    const auto storage = [&](size_t operand) {
        const Id type = builder.type_of(call.id(operand));
        return builder.is_pointer(type) ? builder.storage(type) : StorageClass::Max;
    };
    const StorageClass to = storage(kTarget), from = storage(kSource);
    const bool copies = (to == StorageClass::Workgroup && from == StorageClass::CrossWorkgroup) ||
                        (to == StorageClass::CrossWorkgroup && from == StorageClass::Workgroup);
    if (!copies || call.type != builder.type_of(call.operands.back().id())) return false;
    for (size_t i = kTargetOffset; i + 1 < call.operands.size(); ++i) {
        const Id type = builder.type_of(call.id(i));
        if (i != kSource && !(builder.is_int(type) && builder.width(type) == 64)) return false;
    }
    return true;
}

Result<Id> emit_extended_copy(Builder& builder, LibraryLinker& linker, const Instruction& call) {
    const bool to_local = builder.storage(builder.type_of(call.id(kTarget))) == StorageClass::Workgroup;
    const Result<Id> function =
        linker.import_function(library_name("_Z17async_copy_planes", to_local, "h", "m", "mmmmmmmmm"));
    if (!function) return function.error();
    if (!*function) return Error{.message = "asynchronous copies of planes are not in the library"};
    spirv::Operands arguments = {*function, as_words(builder, call.id(kTarget), 8), call.id(kTargetOffset),
                                 as_words(builder, call.id(kSource), 8), call.id(kSourceOffset)};
    const auto sizes = std::span(call.operands).subspan(kSizes, call.operands.size() - kSizes - 1);
    arguments.insert(arguments.end(), sizes.begin(), sizes.end());
    if (sizes.size() == kSizesOfLines) {  // one plane: element, length, lines, 1, line, 0, line, 0
        const Id none = builder.constant_u64(0);
        arguments.insert(arguments.end() - 2, builder.constant_u64(1));
        arguments.insert(arguments.end() - 1, none);
        arguments.push_back(none);
    }
    builder.append(Op::OpFunctionCall, builder.type_void(), std::move(arguments));
    return call.operands.back().id();
}

void emit_wait_events(Builder& builder) {
    const Id workgroup = builder.constant_u32(static_cast<uint32_t>(spv::Scope::Workgroup));
    const auto semantics = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease) |
                           static_cast<uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory) |
                           static_cast<uint32_t>(spv::MemorySemanticsMask::CrossWorkgroupMemory);
    builder.append_void(Op::OpControlBarrier, {workgroup, workgroup, builder.constant_u32(semantics)});
}

}  // namespace caldera::vulkan
