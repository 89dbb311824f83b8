// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/pointer_parameters.h"

#include <algorithm>
#include <utility>

#include "vulkan/translate/support/integers.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

bool takes_pointers(const Module& module, std::initializer_list<spv::StorageClass> classes) {
    IdSet pointers;
    for (const Instruction& inst : module.globals)
        if (inst.op == OpTypePointer &&
            std::ranges::count(classes, static_cast<spv::StorageClass>(inst.word(0))) != 0)
            pointers.insert(inst.result);
    return std::ranges::any_of(module.functions, [&](const spirv::Function& function) {
        return std::ranges::any_of(function.params,
                                   [&](const Instruction& param) { return pointers.contains(param.type); });
    });
}

PointerParameters::PointerParameters(const Module& module, const Builder& builder, const CallGraph& graph,
                                     std::span<const uint32_t> callees_first)
    : module_(module), builder_(builder), graph_(graph), parameters_(module.functions.size()) {
    std::vector<Findings> findings(module.functions.size());
    for (const uint32_t f : callees_first) {
        find_parameters(f);
        const Function& function = module_.functions[f];
        for (const Block& block : function.blocks) {
            for (const Instruction& inst : block.body) visit(inst);
            visit(block.terminator);
        }
        for (const Block& block : function.blocks)  // phis have operands from further on
            for (const Instruction& inst : block.body)
                if (inst.op == OpPhi)
                    for (const Operand& operand : inst.operands) capture(operand.id());
        for (const Root& root : now_.roots)
            if (root.parameter != nullptr) root.parameter->captured = root.captured;
        for (PointerParameter& parameter : parameters_[f]) parameter.least = parameter.extent;
        findings[f] = std::exchange(now_, {});
        places_.clear();
    }
    for (auto f = callees_first.rbegin(); f != callees_first.rend(); ++f) hand_down(findings[*f]);
}

void PointerParameters::find_parameters(uint32_t f) {
    const Function& function = module_.functions[f];
    std::vector<PointerParameter>& found = parameters_[f];
    for (uint32_t p = 0; p < function.params.size(); ++p) {
        const Id type = function.params[p].type;
        if (builder_.is_pointer(type) && builder_.storage(type) == spv::StorageClass::Function)
            found.push_back({.index = p, .pointee = builder_.pointee(type)});
    }
    for (PointerParameter& parameter : found) {
        places_[function.params[parameter.index].result] = {.root = static_cast<uint32_t>(now_.roots.size()),
                                                            .type = parameter.pointee};
        now_.roots.push_back({.parameter = &parameter});
    }
}

// ---- Up: what functions do ----

void PointerParameters::visit(const Instruction& inst) {
    switch (inst.op) {
        case OpVariable:
            places_[inst.result] = {.root = static_cast<uint32_t>(now_.roots.size()),
                                    .type = builder_.pointee(inst.type)};
            now_.roots.push_back({});
            break;
        case OpAccessChain:
        case OpInBoundsAccessChain: derive(inst, 0, 1); break;
        case OpPtrAccessChain:
        case OpInBoundsPtrAccessChain: derive(inst, 1, 2); break;
        case OpCopyObject:
        case OpPtrCastToGeneric:
            if (const auto from = places_.find(inst.id(0)); from != places_.end()) {
                const Place place = from->second;
                places_[inst.result] = place;
            }
            break;
        case OpBitcast:
            if (const auto from = places_.find(inst.id(0)); from != places_.end()) {
                if (!builder_.is_pointer(inst.type)) return capture(inst.id(0));
                Place place = from->second;
                place.exact = place.inside = false;
                places_[inst.result] = place;
            }
            break;
        case OpLoad: access(inst.id(0), false, !access_at(inst, 1).is_volatile); break;
        case OpStore:
            access(inst.id(0), true, !access_at(inst, 2).is_volatile);
            capture(inst.id(1));
            break;
        case OpCopyMemory:
        case OpCopyMemorySized:
            access(inst.id(0), true, false);
            access(inst.id(1), false, false);
            break;
        case OpExtInst:  // vloadn, frexp and their kin
            for (const Operand& operand : inst.operands)
                if (operand.is_id) access(operand.id(), true, false);
            break;
        case OpFunctionCall: call(inst); break;
        case OpPhi: break;
        default:
            for (const Operand& operand : inst.operands)
                if (operand.is_id) capture(operand.id());
    }
}

void PointerParameters::derive(const Instruction& inst, size_t element, size_t first_index) {
    const auto base = places_.find(inst.id(0));
    if (base == places_.end()) return;
    Place place = base->second;
    if (element != 0 && place.exact) advance(place, inst.id(element));
    for (size_t i = first_index; i < inst.operands.size() && place.exact; ++i) step(place, inst.id(i));
    places_[inst.result] = place;
}

/// The Element operand of OpPtrAccessChain, from a place that is exact.
void PointerParameters::advance(Place& place, Id element) const {
    const std::optional<int64_t> distance = signed_constant(builder_, element);
    if (distance && *distance == 0) return;
    if (!distance) {
        place.exact = false;
        place.open = place.depth == 1;
        place.inside = place.siblings != 0;
        return;
    }
    uint32_t& at = place.path[place.depth - 1];
    const int64_t index = at + *distance;
    if (index >= 0 && static_cast<uint64_t>(index) < place.siblings)
        at = static_cast<uint32_t>(index);
    else
        place.exact = place.inside = false;
}

/// Goes to a member or element, from a place that is exact.
void PointerParameters::step(Place& place, Id index) const {
    const std::optional<uint64_t> value = builder_.constant_value(index);
    if (!value || place.depth == Place::kMaxDepth) {
        place.exact = false;
        return;
    }
    place.siblings = 0;
    uint64_t count = 0;
    Id part;
    switch (builder_.op_of_type(place.type)) {
        case OpTypeStruct:
            count = builder_.member_count(place.type);
            if (*value < count) part = builder_.member(place.type, static_cast<uint32_t>(*value));
            break;
        case OpTypeArray:
            count = builder_.constant_value(builder_.find_global(place.type)->id(1)).value_or(0);
            place.siblings = count;
            part = builder_.element(place.type);
            break;
        case OpTypeVector:
            count = builder_.count(place.type);
            part = builder_.element(place.type);
            break;
        default: break;
    }
    if (*value >= count) {
        place.exact = place.inside = false;
        return;
    }
    place.type = part;
    place.path[place.depth++] = static_cast<uint32_t>(*value);
}

/// `is_plain`: of the whole object that is there, and not volatile.
void PointerParameters::access(Id pointer, bool writes, bool is_plain) {
    const auto found = places_.find(pointer);
    if (found == places_.end()) return;
    const Place& place = found->second;
    PointerParameter* const parameter = now_.roots[place.root].parameter;
    if (parameter == nullptr) return;
    parameter->inside &= place.inside && is_plain;
    parameter->open |= place.open;
    parameter->extent = std::max(parameter->extent, uint64_t{place.path[0]} + 1);
    parameter->written |= writes;
}

void PointerParameters::call(const Instruction& inst) {
    const uint32_t callee = graph_.index_of(inst.id(0));
    if (callee == CallGraph::kNone || module_.functions[callee].blocks.empty()) {
        for (const Operand& operand : inst.operands) capture(operand.id());
        return;
    }
    const std::vector<PointerParameter>& wanted = parameters_[callee];
    for (uint32_t i = 0; i + 1 < inst.operands.size(); ++i)  // generic pointers
        if (std::ranges::find(wanted, i, &PointerParameter::index) == wanted.end()) capture(inst.id(i + 1));
    if (wanted.empty()) return;
    Call call{.id = inst.result, .callee = callee};
    for (const PointerParameter& parameter : wanted) {
        const Id argument = inst.id(1 + parameter.index);
        const auto found = places_.find(argument);
        call.arguments.push_back(found == places_.end() ? Argument{} : found->second);
        if (found == places_.end()) continue;
        if (parameter.captured) capture(argument);
        const Place& place = found->second;
        PointerParameter* const own = now_.roots[place.root].parameter;
        if (own == nullptr) continue;
        const bool in_root = place.exact && place.depth == 1;
        own->inside &= place.inside && parameter.inside &&
                       (in_root || !place.exact || fits(place, {}, parameter.extent));
        own->open |= place.open || (in_root && parameter.open);
        own->extent = std::max(own->extent, place.path[0] + (in_root ? parameter.extent : uint64_t{1}));
        own->written |= parameter.written;
    }
    now_.calls.push_back(std::move(call));
}

void PointerParameters::capture(Id pointer) {
    const auto found = places_.find(pointer);
    if (found != places_.end()) now_.roots[found->second.root].captured = true;
}

// ---- Down: what they are given ----

/// How many objects there are, one after the other.
uint64_t PointerParameters::room(const Place& place, const Root& root) {
    const uint64_t index = place.path[place.depth - 1];
    const uint64_t count = place.depth > 1             ? std::max(place.siblings, index + 1)
                           : root.parameter != nullptr ? root.parameter->extent
                                                       : 1;
    return count > index ? count - index : 0;
}

bool PointerParameters::fits(const Place& place, const Root& root, uint64_t extent) {
    return extent <= room(place, root);
}

/// Whether two places with the same root overlap.
bool PointerParameters::overlap(const Place& a, uint64_t extent_a, const Place& b, uint64_t extent_b) {
    const uint32_t last = std::min(a.depth, b.depth) - 1;
    if (!std::equal(a.path.begin(), a.path.begin() + last, b.path.begin())) return false;
    const uint64_t length_a = a.depth == last + 1 ? extent_a : 1,
                   length_b = b.depth == last + 1 ? extent_b : 1;
    return a.path[last] < b.path[last] + length_b && b.path[last] < a.path[last] + length_a;
}

void PointerParameters::hand_down(const Findings& findings) {
    for (const Call& call : findings.calls) hand_down(findings, call);
}

void PointerParameters::hand_down(const Findings& findings, const Call& call) {
    std::vector<PointerParameter>& wanted = parameters_[call.callee];
    std::vector<uint64_t> extents;
    for (size_t i = 0; i < wanted.size(); ++i) {
        const Argument& argument = call.arguments[i];
        extents.push_back(wanted[i].extent);
        wanted[i].separate = wanted[i].separate && [&] {
            if (!argument || !argument->exact) return false;
            const Root& root = findings.roots[argument->root];
            if (root.captured || !fits(*argument, root, wanted[i].least)) return false;
            if (wanted[i].open) {
                // An index that is not constant may be negative where the array does not start at the
                // pointer, and may lead to the other members of a struct, or components of a vector.
                const bool is_member = argument->depth > 1 && argument->siblings == 0;
                if (is_member || argument->path[argument->depth - 1] != 0) return false;
                extents.back() = room(*argument, root);
            }
            return root.parameter == nullptr || (root.parameter->separate && root.parameter->inside);
        }();
        for (size_t j = 0; j < i; ++j) {
            const Argument& other = call.arguments[j];
            if (!(wanted[i].written || wanted[j].written) || !argument || !other) continue;
            if (argument->root != other->root ||
                (argument->exact && other->exact && !overlap(*argument, extents[i], *other, extents[j])))
                continue;
            wanted[i].separate = wanted[j].separate = false;
        }
    }
    for (size_t i = 0; i < wanted.size(); ++i) wanted[i].extent = std::max(wanted[i].extent, extents[i]);
    if (std::ranges::any_of(wanted, &PointerParameter::open)) passed_[call.id] = std::move(extents);
}

uint64_t PointerParameters::passed(Id call, uint32_t callee, size_t index) const {
    const auto found = passed_.find(call);
    return found == passed_.end() ? parameters_[callee][index].extent : found->second[index];
}

}  // namespace caldera::vulkan
