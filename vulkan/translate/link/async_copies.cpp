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

Id as_words(Builder& builder, Id pointer, uint32_t width) {
    const Id type = builder.type_of(pointer);
    const Id wanted = builder.type_pointer(builder.storage(type), builder.type_int(width));
    return type == wanted ? pointer : builder.append(Op::OpBitcast, wanted, {pointer});
}

namespace {

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

ExtendedCopy extended_copy(Builder& builder, std::span<const Id> arguments) {
    const auto at = [&](size_t operand) { return arguments[operand - 1]; };
    ExtendedCopy copy{.target = {.pointer = at(kTarget), .offset = at(kTargetOffset)},
                      .source = {.pointer = at(kSource), .offset = at(kSourceOffset)}};
    const std::span sizes = arguments.subspan(kSizes - 1);
    copy.element_bytes = sizes[0], copy.length = sizes[1], copy.lines = sizes[2];
    if (sizes.size() == kSizesOfPlanes + 1) {
        copy.planes = sizes[3];
        copy.source.line = sizes[4], copy.source.plane = sizes[5];
        copy.target.line = sizes[6], copy.target.plane = sizes[7];
    } else {
        copy.planes = builder.constant_u64(1);
        copy.source.line = sizes[3], copy.target.line = sizes[4];
        copy.source.plane = copy.target.plane = builder.constant_u64(0);
    }
    return copy;
}

Result<Id> emit_extended_copy(Builder& builder, LibraryLinker& linker, const Instruction& call) {
    const bool to_local = builder.storage(builder.type_of(call.id(kTarget))) == StorageClass::Workgroup;
    const Result<Id> function =
        linker.import_function(library_name("_Z17async_copy_planes", to_local, "h", "m", "mmmmmmmmm"));
    if (!function) return function.error();
    if (!*function) return Error{.message = "asynchronous copies of planes are not in the library"};
    std::vector<Id> arguments;
    for (size_t i = kTarget; i < call.operands.size(); ++i) arguments.push_back(call.id(i));
    const ExtendedCopy copy = extended_copy(builder, arguments);
    builder.append(
        Op::OpFunctionCall, builder.type_void(),
        {*function, as_words(builder, copy.target.pointer, 8), copy.target.offset,
         as_words(builder, copy.source.pointer, 8), copy.source.offset, copy.element_bytes, copy.length,
         copy.lines, copy.planes, copy.source.line, copy.source.plane, copy.target.line, copy.target.plane});
    return arguments.back();
}

void emit_wait_events(Builder& builder) {
    const Id workgroup = builder.constant_u32(static_cast<uint32_t>(spv::Scope::Workgroup));
    const auto semantics = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease) |
                           static_cast<uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory) |
                           static_cast<uint32_t>(spv::MemorySemanticsMask::CrossWorkgroupMemory);
    builder.append_void(Op::OpControlBarrier, {workgroup, workgroup, builder.constant_u32(semantics)});
}

}  // namespace caldera::vulkan
