// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/helpers.h"

#include "spirv/support/check.h"

namespace caldera::vulkan::memory {

Id Helpers::call(const std::string& key, Id result, const std::vector<Id>& args, Body body) {
    spirv::Builder& builder = emitter_.builder();
    Id& function = functions_[key];
    if (!function) {
        function = builder.fresh();
        Request request{.function = function, .result = result, .name = key, .body = std::move(body)};
        for (const Id arg : args) request.params.push_back(builder.type_of(arg));
        requests_.push_back(std::move(request));
    }
    Operands operands = {function};
    operands.insert(operands.end(), args.begin(), args.end());
    return builder.append(spv::Op::OpFunctionCall, result, std::move(operands));
}

void Helpers::build() {
    spirv::Builder& builder = emitter_.builder();
    emitter_.set_sink(nullptr);
    emitter_.start_function(nullptr);
    for (size_t i = 0; i < requests_.size(); ++i) {  // bodies may ask for more
        const Request request = requests_[i];
        const Id type = builder.type_function(request.result, request.params);
        builder.begin_function(request.result, type, {}, request.function);
        builder.name(request.function, "caldera." + request.name);
        std::vector<Id> params;
        for (const Id param : request.params) params.push_back(builder.param(param));
        builder.begin_block(builder.fresh());
        const Id result = request.body(params);
        if (result)
            builder.return_value(result);
        else
            builder.return_();
        builder.end_function();
    }
    requests_.clear();
}

/// The same place, in a helper that gets its integer as a parameter: an offset counts units.
Place Helpers::local_place(const Place& place, Id param, uint32_t unit_bytes) const {
    Place result = place;
    result.units = result.bytes = {};
    result.units_size_bytes = 0;
    result.has_bytes = false;
    result.address = {};
    result.base = result.variable = {};
    result.align_bytes = emitter_.alignment_at(place, 0);
    if (place.is_offset()) {
        if (unit_bytes == 1)
            result.address.root = param;
        else
            result.address.terms = {{param, unit_bytes}};
        result.root_is_aligned = unit_bytes != 1;
    } else {
        result.pointer = param;
    }
    return result;
}

namespace {
std::string place_key(const Place& place) {
    std::string key = std::to_string(static_cast<int>(place.space)) + "." +
                      std::to_string(place.pointer_class) + "." + std::to_string(place.align_bytes) + "." +
                      std::to_string(place.mask);
    if (place.window) return key + ".window." + std::to_string(place.window);
    if (place.windows && !place.is_offset())
        for (const uint32_t window : *place.windows) key += "." + std::to_string(window);
    return key;
}
}  // namespace

// ---- Pointers whose space or buffer is known only at run time ----

/// Branches on the pointer's top bits; `access` is emitted once for each space that the class has, and for
/// each buffer. Ends in the merge block.
Id Helpers::by_space(Id pointer, const Place& generic, Id result, const std::function<Id(Place&)>& access) {
    spirv::Builder& builder = emitter_.builder();
    const Id u32 = builder.type_int(32), u64 = builder.type_int(64);
    const bool by_window = emitter_.windows().enabled();
    const uint32_t shift = by_window ? 32 : 62;
    const Id tag64 =
        builder.append(spv::Op::OpShiftRightLogical, u64, {pointer, builder.constant_u32(shift)});
    const Id tag = builder.append(spv::Op::OpUConvert, u32, {tag64});
    const Id entry = builder.current_label(), merge = builder.fresh();

    struct Case {
        Space space;
        uint32_t window;
        Id label;
    };
    std::vector<Case> cases;
    std::vector<std::pair<uint64_t, Id>> targets;
    const bool may_be_global = emitter_.points_to()[generic.pointer_class].may_be_global;
    for (const Space space : {Space::Local, Space::Private}) {
        if (!emitter_.regions().find(generic.pointer_class, space)) continue;
        cases.push_back({space, kNoWindow, builder.fresh()});
        targets.emplace_back((space == Space::Local ? kLocalTag : kPrivateTag) >> shift, cases.back().label);
    }
    if (may_be_global && by_window)
        for (const uint32_t window : *generic.windows) {
            if (window == kDataWindow && !emitter_.has_data()) continue;
            cases.push_back({Space::Global, window, builder.fresh()});
            targets.emplace_back(window, cases.back().label);
        }
    const bool has_default = may_be_global && !by_window;
    if (has_default) cases.push_back({Space::Global, kNoWindow, builder.fresh()});
    builder.selection_merge(merge);
    builder.switch_(tag, has_default ? cases.back().label : merge, targets);

    Operands phi;
    if (!has_default && result) phi = {builder.undef(result), entry};
    for (const Case& each : cases) {
        builder.begin_block(each.label);
        Place place{.space = each.space,
                    .pointer_class = generic.pointer_class,
                    .align_bytes = generic.align_bytes,
                    .mask = generic.mask,
                    .window = each.window};
        if (place.is_offset())
            place.address.root = builder.append(spv::Op::OpUConvert, u32, {pointer});
        else
            place.pointer = emitter_.untagged(pointer);
        if (each.space != Space::Global) {
            place.region = emitter_.regions().find(generic.pointer_class, each.space);
            place.address.add(-int64_t{place.region->bias_bytes});
        }
        const Id value = access(place);
        if (result) {
            phi.push_back(value);
            phi.push_back(builder.current_label());
        }
        builder.branch(merge);
    }
    builder.begin_block(merge);
    return result ? builder.append(spv::Op::OpPhi, result, std::move(phi)) : Id{};
}

Id Helpers::load(Place place, Id type) {
    const Id result = emitter_.value_type(type);
    return call("load." + std::to_string(type.value) + "." + place_key(place), result, {place.pointer},
                [this, place, type, result](const std::vector<Id>& params) {
                    return by_space(params[0], place, result,
                                    [&](Place& p) { return emitter_.load(p, type); });
                });
}

void Helpers::store(Place place, Id type, Id value) {
    call("store." + std::to_string(type.value) + "." + place_key(place), emitter_.builder().type_void(),
         {place.pointer, value}, [this, place, type](const std::vector<Id>& params) {
             return by_space(params[0], place, {}, [&](Place& p) {
                 emitter_.store(p, type, params[1]);
                 return Id{};
             });
         });
}

Id Helpers::address(Id pointer) {
    const Id u64 = emitter_.type_uint(64);
    return call("address", u64, {pointer}, [this, u64](const std::vector<Id>& params) {
        spirv::Builder& b = emitter_.builder();
        const Id u32 = b.type_int(32);
        const Id high = b.append(spv::Op::OpShiftRightLogical, u64, {params[0], b.constant_u32(32)});
        const Id window = b.append(spv::Op::OpUConvert, u32, {high});
        const Id row = b.append(spv::Op::OpISub, u32, {window, b.constant_u32(kFirstBindingWindow)});
        const Id has_row = b.append(spv::Op::OpULessThan, b.type_bool(),
                                    {row, b.constant_u32(emitter_.windows().table_rows())});
        const Id some_row = b.append(spv::Op::OpSelect, u32, {has_row, row, b.constant_u32(0)});
        const Id at = b.append(spv::Op::OpIMul, u32, {some_row, b.constant_u32(kTableRowWords)});
        const Id low = emitter_.table_word(at);
        const Id next = b.append(spv::Op::OpIAdd, u32, {at, b.constant_u32(1)});
        const Id pair =
            b.append(spv::Op::OpCompositeConstruct, b.type_vector(u32, 2), {low, emitter_.table_word(next)});
        const Id step = b.append(spv::Op::OpBitcast, u64, {pair});
        const Id moved = b.append(spv::Op::OpIAdd, u64, {params[0], step});
        return b.append(spv::Op::OpSelect, u64, {has_row, moved, params[0]});
    });
}

// ---- Atomics ----

Id Helpers::atomic(Place place, const Instruction& inst, const std::vector<Id>& values, Id type,
                   Access access) {
    const Id integer = emitter_.builder().type_int(emitter_.builder().width(type));
    std::vector<Id> args = {place.pointer};
    args.insert(args.end(), values.begin(), values.end());
    std::string key =
        "atomic." + std::to_string(static_cast<uint32_t>(inst.op)) + "." + std::to_string(type.value);
    Instruction copy = inst;
    const size_t first = inst.operands.size() - values.size();
    for (size_t i = 1; i < first; ++i)
        key += "." + std::to_string(inst.word(i));  // scope and semantics: constants
    return call(key + "." + place_key(place), integer, args,
                [this, place, copy, first, type, integer, access](const std::vector<Id>& params) mutable {
                    for (size_t i = 1; i < params.size(); ++i) copy.operands[first + i - 1] = params[i];
                    return by_space(params[0], place, integer,
                                    [&](Place& p) { return access(copy, p, type); });
                });
}

/// Replaces the integer there by change(old), which is emitted once. Returns the old integer.
Id Helpers::exchange_loop(Id pointer, Id scope, Id semantics, Id integer,
                          const std::function<Id(Id)>& change) {
    spirv::Builder& b = emitter_.builder();
    const Id none = b.constant_u32(0);
    const Id first = b.append(spv::Op::OpAtomicLoad, integer, {pointer, scope, none});
    const Id entry = b.current_label(), header = b.fresh(), attempt = b.fresh(), next = b.fresh(),
             done = b.fresh();
    const Id seen = b.fresh();
    b.branch(header);
    b.begin_block(header);
    const Id old = b.append(spv::Op::OpPhi, integer, {first, entry, seen, next});
    b.loop_merge(done, next);
    b.branch(attempt);
    b.begin_block(attempt);
    const Id after = change(old);
    b.append({.op = spv::Op::OpAtomicCompareExchange,
              .type = integer,
              .result = seen,
              .operands = {pointer, scope, semantics, none, after, old}});
    b.branch_if(b.append(spv::Op::OpIEqual, b.type_bool(), {seen, old}), done, next);
    b.begin_block(next);
    b.branch(header);
    b.begin_block(done);
    return old;
}

Id Helpers::float_atomic(Place place, const Instruction& inst, Change change) {
    spirv::Builder& builder = emitter_.builder();
    const Id data = inst.id(3), type = builder.type_of(data);
    const uint32_t bits = builder.width(type);
    const Place target = local_place(place, {}, bits / 8);
    auto body = [this, target, inst, type, bits, change](const std::vector<Id>& params) {
        spirv::Builder& b = emitter_.builder();
        const Id integer = b.type_int(bits);
        Place place = local_place(target, params[0], bits / 8);
        const Id pointer = emitter_.atomic_pointer(place, bits);
        if (!pointer) return b.undef(integer);  // declined by the caller
        return exchange_loop(pointer, inst.id(1), inst.id(2), integer, [&](Id old) {
            Instruction changed = inst;
            changed.operands[3] = params[1];
            const Id before = b.append(spv::Op::OpBitcast, type, {old});
            const Id after = change(changed, before, type);
            return b.append(spv::Op::OpBitcast, integer, {after});
        });
    };
    const std::string key = "atomic_float." + std::to_string(static_cast<uint32_t>(inst.op)) + "." +
                            std::to_string(bits) + "." + std::to_string(inst.word(1)) + "." +
                            std::to_string(inst.word(2)) + "." + place_key(target);
    return call(key, builder.type_int(bits), {emitter_.where(place, bits / 8), data}, body);
}

Id Helpers::narrow_atomic(Place place, const Instruction& inst, const std::vector<Id>& values, Id type,
                          Change change) {
    const uint32_t bits = emitter_.builder().width(type);
    const Place target = local_place(place, {}, bits / 8);
    std::vector<Id> args = {emitter_.where(place, bits / 8)};
    args.insert(args.end(), values.begin(), values.end());
    const size_t first = inst.operands.size() - values.size();
    std::string key =
        "atomic_part." + std::to_string(static_cast<uint32_t>(inst.op)) + "." + std::to_string(type.value);
    for (size_t i = 1; i < first; ++i)
        key += "." + std::to_string(inst.word(i));  // scope and semantics: constants
    auto body = [this, target, inst, first, type, bits, change](const std::vector<Id>& params) {
        spirv::Builder& b = emitter_.builder();
        Instruction changed = inst;
        for (size_t i = 1; i < params.size(); ++i) changed.operands[first + i - 1] = params[i];
        Place place = local_place(target, params[0], bits / 8);
        const Emitter::Word word = emitter_.atomic_word(place);
        const Id integer = b.type_int(bits), whole = b.pointee(b.type_of(word.slot));
        const auto shifted = [&](spv::Op op, Id value) { return b.append(op, whole, {value, word.shift}); };
        const auto part_of = [&](Id old) {
            const Id low = shifted(spv::Op::OpShiftRightLogical, old);
            return b.append(spv::Op::OpUConvert, integer, {low});
        };
        if (inst.op == spv::Op::OpAtomicLoad)
            return part_of(b.append(inst.op, whole, {word.slot, inst.operands[1], inst.operands[2]}));
        const Id ones = b.constant_int(whole, (uint64_t{1} << bits) - 1);
        const Id mask = shifted(spv::Op::OpShiftLeftLogical, ones);
        const Id others = b.append(spv::Op::OpNot, whole, {mask});
        return part_of(exchange_loop(word.slot, inst.id(1), inst.id(2), whole, [&](Id old) {
            const Id after = change(changed, emitter_.bitcast(type, part_of(old)), type);
            const Id wide = b.append(spv::Op::OpUConvert, whole, {emitter_.bitcast(integer, after)});
            const Id kept = b.append(spv::Op::OpBitwiseAnd, whole, {old, others});
            return b.append(spv::Op::OpBitwiseOr, whole, {kept, shifted(spv::Op::OpShiftLeftLogical, wide)});
        }));
    };
    return call(key + "." + place_key(target), emitter_.builder().type_int(bits), args, body);
}

// ---- Copies ----

void Helpers::copy(Place& to, Place& from, Id count, uint32_t bits, Id backwards) {
    spirv::Builder& builder = emitter_.builder();
    const Id u32 = builder.type_int(32);
    auto nowhere = [](const Place& p) {
        return (p.space == Space::Local || p.space == Space::Private) && !p.region;
    };
    if (nowhere(to) || nowhere(from)) return;
    std::vector<Id> args = {emitter_.where(to), emitter_.where(from), count};
    if (backwards) args.push_back(backwards);
    const Place to_place = local_place(to, {}), from_place = local_place(from, {});
    auto body = [this, to_place, from_place, bits, u32](const std::vector<Id>& params) {
        spirv::Builder& b = emitter_.builder();
        const Id entry = b.current_label(), header = b.fresh(), test = b.fresh(), step = b.fresh(),
                 next = b.fresh(), done = b.fresh();
        b.branch(header);
        b.begin_block(header);
        const Id after = b.fresh();
        const Id index = b.append(spv::Op::OpPhi, u32, {b.constant_u32(0), entry, after, next});
        b.loop_merge(done, next);
        b.branch(test);
        b.begin_block(test);
        const Id more = b.append(spv::Op::OpULessThan, b.type_bool(), {index, params[2]});
        b.branch_if(more, step, done);
        b.begin_block(step);
        Id at = index;
        if (params.size() > 3) {
            const Id last = b.append(spv::Op::OpISub, u32, {params[2], b.constant_u32(1)});
            const Id from_end = b.append(spv::Op::OpISub, u32, {last, index});
            at = b.append(spv::Op::OpSelect, u32, {params[3], from_end, index});
        }
        Place target = emitter_.shifted(local_place(to_place, params[0]), at, bits / 8);
        Place origin = emitter_.shifted(local_place(from_place, params[1]), at, bits / 8);
        const Id type = b.type_int(bits);
        const Id value =
            emitter_.is_unresolved(origin) ? load(origin, type) : emitter_.load_bits(origin, 0, bits);
        if (emitter_.is_unresolved(target))
            store(target, type, value);
        else
            emitter_.store_bits(target, 0, bits, value);
        b.branch(next);
        b.begin_block(next);
        b.append(
            {.op = spv::Op::OpIAdd, .type = u32, .result = after, .operands = {index, b.constant_u32(1)}});
        b.branch(header);
        b.begin_block(done);
        return Id{};
    };
    call((backwards ? "move." : "copy.") + std::to_string(bits) + "." + place_key(to_place) + "." +
             place_key(from_place),
         builder.type_void(), args, std::move(body));
}

}  // namespace caldera::vulkan::memory
