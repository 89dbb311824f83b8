// SPDX-License-Identifier: Apache-2.0
// Pointers as integers, and the places that they point to: the Emitter's address arithmetic.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "spirv/support/check.h"
#include "vulkan/translate/memory/access.h"

namespace caldera::vulkan::memory {

void Emitter::set_sink(std::vector<Instruction>* sink) {
    sink_ = sink;
    builder_.set_sink(sink);
}

void Emitter::start_function(std::vector<Instruction>* prologue) {
    prologue_ = prologue;
    constants_.clear();
    host_addresses_ = {};
    buffer_starts_.clear();
}

Id Emitter::pointer_type(Space space) {
    return type_uint(space == Space::Local || space == Space::Private ? 32 : 64);
}

// ---- Arithmetic ----

Id Emitter::bitcast(Id type, Id value) {
    return builder_.type_of(value) == type ? value : op(spv::Op::OpBitcast, type, {value});
}

Id Emitter::add(Id value, int64_t constant) {
    if (constant == 0) return value;
    const Id type = builder_.type_of(value);
    return op(spv::Op::OpIAdd, type, {value, builder_.constant_int(type, static_cast<uint64_t>(constant))});
}

Id Emitter::index32(Id index) {
    const Instruction* def = source_.def(index);
    if (def && (def->op == spv::Op::OpSConvert || def->op == spv::Op::OpUConvert) &&
        builder_.width(builder_.type_of(def->id(0))) == 32)
        return def->id(0);
    const uint32_t width = builder_.width(builder_.type_of(index));
    if (width == 32) return index;
    return op(width > 32 ? spv::Op::OpUConvert : spv::Op::OpSConvert, type_uint(32), {index});
}

Id Emitter::index64(Id index) {
    if (builder_.width(builder_.type_of(index)) == 64) return index;
    return op(spv::Op::OpSConvert, type_uint(64), {index});
}

Id Emitter::sum(std::vector<Id> parts) {
    Id total = {};
    for (const Id part : parts)
        total = total ? op(spv::Op::OpIAdd, builder_.type_of(part), {total, part}) : part;
    return total;
}

Id Emitter::address_value(const Address& step, Id base, Space space) {
    const bool narrow = space == Space::Local || space == Space::Private;
    const Id type = pointer_type(space);
    std::vector<Id> parts = {base};
    for (const Term& term : step.terms) {
        const Id index = narrow ? index32(term.index) : index64(term.index);
        parts.push_back(term.stride_bytes == 1 ? index
                                               : op(spv::Op::OpIMul, type,
                                                    {index, builder_.constant_int(type, term.stride_bytes)}));
    }
    return add(sum(std::move(parts)), step.constant);
}

// ---- Pointer values ----

/// A pointer that is a constant of the source: a program-scope variable, an integer, or an expression over
/// one.
Id Emitter::global_constant(Id pointer) {
    const auto found = constants_.find(pointer);
    if (found != constants_.end()) return found->second;
    const Address address = addresses_.of(pointer);
    const Instruction* root = source_.def(address.root);
    const bool is_integer = root && Source::op_of(*root) == spv::Op::OpConvertUToPtr;
    check(root && (is_integer || root->op == spv::Op::OpVariable) && address.terms.empty(),
          "a constant pointer to no variable");
    int64_t offset = address.constant;
    if (!is_integer) offset += static_cast<int64_t>(variable_offset(address.root));
    if (!is_integer && windows_.enabled())
        return builder_.constant_u64(window_address(window_of(source_.host_buffer(address.root))) +
                                     static_cast<uint64_t>(offset));
    check(prologue_ != nullptr, "a constant pointer is used outside functions");
    std::vector<Instruction>* const sink = sink_;
    set_sink(prologue_);
    const Id base = is_integer ? pointer_of_integer(Source::id_of(*root, 0), points_to_.space_of(pointer))
                               : host_address(source_.host_buffer(address.root));
    const Id value = add(base, offset);
    set_sink(sink);
    return constants_[pointer] = value;
}

/// A kernel's pointer argument, plus a constant: NULL if the host says so. It is computed in the prologue,
/// where it dominates phis.
Id Emitter::window_argument(Id argument, int64_t offset) {
    const uint32_t spec_id = windows_.not_null_spec_id(argument);
    const uint64_t window = window_address(windows_.of(argument));
    if (spec_id == kNoSpecId) return builder_.constant_u64(window + static_cast<uint64_t>(offset));
    check(prologue_ != nullptr, "an argument is used outside functions");
    std::vector<Instruction>* const sink = sink_;
    set_sink(prologue_);
    Id& known = constants_[argument];
    if (!known) {
        Id& not_null = not_null_[spec_id];
        if (!not_null) not_null = builder_.spec_constant_true(spec_id);
        known = op(spv::Op::OpSelect, type_uint(64),
                   {not_null, builder_.constant_u64(window), builder_.constant_u64(0)});
    }
    const Id value = add(known, offset);
    set_sink(sink);
    return value;
}

/// The offset of a program-scope variable in its buffer.
uint64_t Emitter::variable_offset(Id variable) {
    return source_.host_buffer(variable) == HostBuffer::DataSegment ? data_.place(variable) : 0;
}

void Emitter::add_host_variables(PassVariables& variables) const {
    constexpr HiddenKind kKinds[kHostBuffers] = {HiddenKind::DataSegment, HiddenKind::PrintfBuffer,
                                                 HiddenKind::DeviceQueue, HiddenKind::CheckState};
    for (size_t i = 0; i < kHostBuffers; ++i)
        if (host_variables_[i]) variables.hidden.emplace_back(host_variables_[i], kKinds[i]);
    variables.private_block = private_block_;
    variables.private_lane = private_lane_;
}

/// The Input variable with the buffer's address.
Id Emitter::host_variable(HostBuffer buffer) {
    const auto index = static_cast<size_t>(buffer);
    Id& variable = host_variables_[index];
    if (!variable) {
        variable = builder_.variable(spv::StorageClass::Input, type_uint(64));
        constexpr std::string_view kNames[kHostBuffers] = {"caldera.DataSegment", "caldera.PrintfBuffer",
                                                           "caldera.DeviceQueue", "caldera.CheckState"};
        builder_.name(variable, kNames[index]);
    }
    return variable;
}

/// Loaded once in a function.
Id Emitter::host_address(HostBuffer buffer) {
    Id& loaded = host_addresses_[static_cast<size_t>(buffer)];
    if (!loaded) loaded = op(spv::Op::OpLoad, type_uint(64), {host_variable(buffer)});
    return loaded;
}

/// An address to which a generic pointer was lowered, for an access to global memory. The library has not
/// checked pointers with the tag of local or private memory. Where such a pointer has no array to be kept in,
/// a program has made it from an integer, and it becomes CheckState::sink.
Id Emitter::untagged(Id address) {
    if (!regions_.guards()) return address;
    const Id u64 = type_uint(64), boolean = builder_.type_bool();
    const Id tag = op(spv::Op::OpShiftRightLogical, u64, {address, builder_.constant_u64(62)});
    const Id before = op(spv::Op::OpISub, u64, {tag, builder_.constant_u64(1)});
    const Id is_tagged = op(spv::Op::OpULessThan, boolean, {before, builder_.constant_u64(2)});
    const Id state = op(spv::Op::OpLoad, u64, {host_variable(HostBuffer::CheckState)});
    const Id pointer =
        op(spv::Op::OpConvertUToPtr, builder_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, u64),
           {add(state, offsetof(CheckState, sink))});
    const Id sink =
        op(spv::Op::OpLoad, u64, {pointer, static_cast<uint32_t>(spv::MemoryAccessMask::Aligned), 8u});
    return op(spv::Op::OpSelect, u64, {is_tagged, sink, address});
}

Id Emitter::value(Id id) {
    if (!source_.is_expanded(id)) return id;
    const auto found = constants_.find(id);
    if (found != constants_.end()) return found->second;
    check(prologue_ != nullptr, "a constant with addresses is used outside functions");
    const Instruction& inst = *source_.def(id);
    check(++constant_depth_ < 1000, "constants with addresses nest too deeply");
    std::vector<Instruction>* const sink = sink_;
    set_sink(prologue_);
    Operands operands;
    for (size_t i = 0; i < Source::operand_count(inst); ++i) {
        const Id operand = Source::id_of(inst, i);
        operands.push_back(source_.is_memory_pointer(operand) ? memory_value(operand) : value(operand));
    }
    Id result;
    const spv::Op code = Source::op_of(inst);
    if (inst.op != spv::Op::OpSpecConstantOp)
        result = op(spv::Op::OpCompositeConstruct, inst.type, std::move(operands));
    else if (code == spv::Op::OpConvertPtrToU && inst.type == type_uint(64))
        result = operands[0].id();
    else
        result =
            op(code == spv::Op::OpConvertPtrToU ? spv::Op::OpUConvert : code, inst.type, std::move(operands));
    set_sink(sink);
    --constant_depth_;
    return constants_[id] = result;
}

Id Emitter::memory_value(Id value) {
    if (!source_.is_memory_pointer(value)) return this->value(value);
    const Instruction* def = source_.def(value);
    if (def && def->op == spv::Op::OpConstantNull) return builder_.constant_u64(0);
    if (def && def->op == spv::Op::OpUndef) return builder_.undef(type_uint(64));
    return to_memory(pointer_value(value), points_to_.space_of(value), points_to_.class_of(value));
}

Id Emitter::pointer_value(Id pointer, Space space) {
    const Instruction* def = source_.def(pointer);
    if (!def) return pointer;  // ours
    if (def->op == spv::Op::OpConstantNull) return builder_.constant_int(pointer_type(space), 0);
    if (def->op == spv::Op::OpUndef) return builder_.undef(pointer_type(space));
    const Address address = addresses_.of(pointer);
    if (const Object* object = regions_.object(address.root); object && address.terms.empty()) {
        const auto offset =
            static_cast<uint32_t>(object->offset_bytes + static_cast<uint64_t>(address.constant));
        const Id constant = builder_.constant_u32(offset);
        if (!object->dynamic_offset) return constant;
        return builder_.global(spv::Op::OpSpecConstantOp, type_uint(32),
                               {spv::Op::OpIAdd, object->dynamic_offset, constant});
    }
    if (windows_.is_argument(address.root) && address.terms.empty())
        return window_argument(address.root, address.constant);
    return source_.function_of(pointer) == kNoFunction ? global_constant(pointer) : pointer;
}

Id Emitter::to_memory(Id integer, Space space, uint32_t pointer_class) {
    if (space == Space::Global || space == Space::Generic) return integer;
    const Id u64 = type_uint(64);
    const uint64_t tag = space == Space::Local ? kLocalTag : kPrivateTag;
    const Id wide = op(spv::Op::OpUConvert, u64, {integer});
    const Id tagged = op(spv::Op::OpBitwiseOr, u64, {wide, builder_.constant_u64(tag)});
    if (!points_to_[pointer_class].needs_null) return tagged;
    const Id is_null = op(spv::Op::OpIEqual, builder_.type_bool(), {integer, builder_.constant_u32(0)});
    return op(spv::Op::OpSelect, u64, {is_null, builder_.constant_u64(0), tagged});
}

Id Emitter::pointer_of_integer(Id integer, Space space) {
    Id bits = value(integer);
    const Id u64 = type_uint(64), type = builder_.type_of(bits);
    if (builder_.is_vector(type))
        bits = bitcast(u64, bits);
    else if (builder_.width(type) != 64)
        bits = op(spv::Op::OpUConvert, u64, {bits});
    return from_memory(bits, space);
}

Id Emitter::from_memory(Id bits, Space space) {
    if (space == Space::Global || space == Space::Generic) return bits;
    return op(spv::Op::OpUConvert, type_uint(32), {bits});
}

// ---- Places ----

Place Emitter::place(Id pointer, uint64_t align_bytes, uint32_t mask) {
    Place place{.space = points_to_.space_of(pointer),
                .pointer_class = points_to_.class_of(pointer),
                .align_bytes = align_bytes,
                .mask = mask};
    place.address = addresses_.of(pointer);
    if (place.space == Space::Global || place.space == Space::Generic)
        return global_place(std::move(place), pointer);
    place.region = regions_.find(place.pointer_class, place.space);
    if (!place.region) return place;
    if (const Object* object = regions_.object(place.address.root)) {
        if (place.region->is_constant && place.address.terms.empty()) {
            place.variable = object->id;
            place.variable_bytes =
                static_cast<int64_t>(object->offset_bytes) - int64_t{place.region->bias_bytes};
        }
        place.address.root = object->dynamic_offset;
        place.root_is_aligned = true;
        place.address.add(static_cast<int64_t>(object->offset_bytes));
    } else {
        place.address.root = pointer_value(place.address.root);
    }
    place.address.add(-int64_t{place.region->bias_bytes});
    return place;
}

Place Emitter::global_place(Place place, Id pointer) {
    const Id root = place.address.root;
    const Instruction* def = source_.def(root);
    const bool is_variable = def && def->op == spv::Op::OpVariable;
    if (windows_.enabled()) {
        const uint32_t window = windows_.of(pointer);
        place.windows = &windows_.of_function(source_.function_of(pointer));
        if (place.space == Space::Global) place.window = window;
    }
    if (place.space == Space::Global && is_variable && place.address.terms.empty() &&
        source_.storage(root) == spv::StorageClass::UniformConstant &&
        source_.host_buffer(root) == HostBuffer::DataSegment) {
        place.variable = root;
        place.address.root = {};
        place.pointer = pointer;  // its value is made when the access cannot be folded
    } else if (!place.window) {
        const bool is_generic = source_.storage(pointer) == spv::StorageClass::Generic;
        if (place.space == Space::Global && has_short_offset(place.address) &&
            !(is_generic && regions_.guards()))
            place.base = pointer_value(root);
        place.address.root = {};
        if (!place.base) place.address = {};
        place.pointer = pointer_value(pointer);
        if (is_generic && place.space == Space::Global) place.pointer = untagged(place.pointer);
    } else if (is_variable) {
        place.address.root = {};
        place.address.add(static_cast<int64_t>(variable_offset(root)));
    } else {
        place.address.root = windows_.is_argument(root) ? Id{} : low_half(pointer_value(root));
    }
    return place;
}

/// Whether the address is an argument's or a variable's and an offset that is not negative and fits into 32
/// bits. It fits where objects have at most 4 GiB, since the address is in the argument's object.
bool Emitter::has_short_offset(const Address& address) const {
    const DriverQuirks& quirks = profile_.quirks;
    if (!quirks.slow_long_offsets && !quirks.slow_without_chains) return false;
    if (windows_.enabled() || !profile_.int64 || profile_.max_buffer_bytes > uint64_t{1} << 32) return false;
    const Instruction* root = source_.def(address.root);
    const bool is_object =
        root && (root->op == spv::Op::OpFunctionParameter || root->op == spv::Op::OpVariable);
    return is_object && address.in_bounds && address.constant >= 0 && !address.terms.empty() &&
           std::ranges::all_of(address.terms,
                               [&](const Term& term) { return is_unsigned(term.index, source_); });
}

Place Emitter::shifted(Place place, Id index, uint64_t stride_bytes) {
    if (const std::optional<int64_t> value = source_.constant(index))
        return shifted(std::move(place), static_cast<int64_t>(static_cast<uint64_t>(*value) * stride_bytes));
    place.units_size_bytes = 0;
    place.has_bytes = false;
    place.align_bytes = power_of_two_in(place.align_bytes | stride_bytes);
    settle(place);
    if (place.is_offset()) {
        place.address.terms.push_back({index, stride_bytes});
    } else {
        const Address step{.terms = {{index, stride_bytes}}};
        place.pointer = address_value(step, place.pointer, place.space);
        place.base = {};
    }
    return place;
}

Place Emitter::shifted(Place place, int64_t bytes) {
    place.align_bytes = power_of_two_in(place.align_bytes | static_cast<uint64_t>(bytes));
    settle(place);
    if (place.is_offset())
        place.address.add(bytes);
    else
        place.pointer = add(place.pointer, bytes);
    if (place.base) place.address.add(bytes);
    return place;
}

uint64_t Emitter::alignment_at(const Place& place, int64_t offset) const {
    const uint64_t said = power_of_two_in(place.align_bytes | static_cast<uint64_t>(offset));
    if (!place.region || !place.root_is_aligned) return said;
    Address address = place.address;
    address.add(offset);
    return std::max(said, address.alignment_bytes());
}

bool Emitter::divisible(const Place& place, uint64_t unit) const {
    return std::all_of(place.address.terms.begin(), place.address.terms.end(),
                       [&](const Term& term) { return term.stride_bytes % unit == 0; });
}

/// The address without its constant, in units; every stride is a multiple of the unit. The root is divided as
/// a signed number: it may be before the array until the rest is added, and arrays have less than 2^31 bytes.
Id Emitter::dynamic_units(Place& place, uint32_t unit) {
    if (place.units_size_bytes == unit) return place.units;
    const Id u32 = type_uint(32);
    std::vector<Id> parts;
    if (place.address.root) {
        const Id shift = builder_.constant_u32(static_cast<uint32_t>(std::countr_zero(unit)));
        parts.push_back(unit == 1 ? place.address.root
                                  : op(spv::Op::OpShiftRightArithmetic, u32, {place.address.root, shift}));
    }
    for (const Term& term : place.address.terms) {
        const Id index = index32(term.index);
        const uint64_t stride = term.stride_bytes / unit;
        parts.push_back(stride == 1 ? index
                                    : op(spv::Op::OpIMul, u32,
                                         {index, builder_.constant_u32(static_cast<uint32_t>(stride))}));
    }
    place.units = sum(std::move(parts));
    place.units_size_bytes = unit;
    return place.units;
}

/// The offset in the array in bytes, as a value even when it is constant.
Id Emitter::byte_offset(Place& place, int64_t offset) {
    if (!place.has_bytes) {
        Address dynamic = place.address;
        dynamic.constant = 0;
        std::vector<Id> parts;
        if (dynamic.root) parts.push_back(dynamic.root);
        for (const Term& term : dynamic.terms) {
            const Id index = index32(term.index);
            const auto stride = static_cast<uint32_t>(term.stride_bytes);
            parts.push_back(stride == 1
                                ? index
                                : op(spv::Op::OpIMul, type_uint(32), {index, builder_.constant_u32(stride)}));
        }
        place.bytes = sum(std::move(parts));
        place.has_bytes = true;
    }
    const int64_t constant = place.address.constant + offset;
    return place.bytes ? add(place.bytes, constant) : builder_.constant_u32(static_cast<uint32_t>(constant));
}

/// Index of the unit that starts at `offset`: the access is aligned to units.
Id Emitter::unit_index(Place& place, int64_t offset, uint32_t unit) {
    const int64_t constant = place.address.constant + offset;
    // A pointer into a buffer may be before the buffer until the rest is added: its units are not those of
    // its parts.
    const bool by_units = !(place.window && place.address.root);
    if (by_units && divisible(place, unit) && constant % int64_t{unit} == 0) {
        const Id dynamic = dynamic_units(place, unit);
        const int64_t units = constant / int64_t{unit};
        return dynamic ? add(dynamic, units) : builder_.constant_u32(static_cast<uint32_t>(units));
    }
    const Id bytes = byte_offset(place, offset);
    return unit == 1 ? bytes
                     : op(spv::Op::OpShiftRightLogical, type_uint(32),
                          {bytes, builder_.constant_u32(static_cast<uint32_t>(std::countr_zero(unit)))});
}

}  // namespace caldera::vulkan::memory
