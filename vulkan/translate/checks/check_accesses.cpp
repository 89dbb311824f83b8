// SPDX-License-Identifier: Apache-2.0
// check_accesses: lets kernels access only what is theirs (MemoryChecks). The address of an access becomes
// that of a spare area, where nothing is harmed, if it is outside of its object. So the access itself needs
// no branch, and its pointer becomes pointer + (allowed - address). An access of as many bytes by the same
// pointer as one that is always made before needs no check of its own, and no report.
//
// The object of a pointer is the kernel's argument or the variable from which it is derived in the same
// function, as Jones and Kelly 1997 have it. That of a pointer which a condition chooses is chosen with it
// (ChosenObjects). All other pointers may point into any object of CheckState.
// Private and local objects are checked where an index is dynamic, and only to report: lower_memory keeps
// each access in its array in any case.
//
// Before: kernels are described; only the program's own functions have bodies, and what passes add later is
// not checked. After: interface.check_sites has the places that are reported.
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "spirv/grammar.h"
#include "spirv/op_class.h"
#include "vulkan/object_names.h"
#include "vulkan/translate/checks/chosen_objects.h"
#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/checks/pointer_extents.h"
#include "vulkan/translate/checks/pointer_sources.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/share.h"
#include "vulkan/translate/support/source_name.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Operand;
using spirv::Operands;
using spv::Op;
using spv::StorageClass;

class AccessChecks {
 public:
    AccessChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          reports_all_(reports(context.options.checks)),
          unreported_(context.variables.unreported),
          opencl_std_(opencl_std_of(module)),
          facts_(module),
          instrument_(module, context),
          builder_(instrument_.builder()),
          extents_(builder_, instrument_.layout(), instrument_.accesses()),
          chosen_(builder_, instrument_) {}

    Result<Done> run() {
        for (const Function& function : module_.functions)
            if (function.blocks.empty()) declared_.insert(function.id());
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            promote_to_values(builder_, function);
            share_equal(function, facts_);  // pointers that are computed twice
        }
        if (reports_all_) extents_.add_parameters(module_);
        instrument_.pass_objects(module_, false);
        for (Function& function : module_.functions)
            if (!function.blocks.empty()) rewrite(function);
        instrument_.finish();
        return error_.empty() ? Result<Done>(Done{}) : Result<Done>(Error{error_});
    }

 private:
    void rewrite(Function& function) {
        if (reports_all_) extents_.add_to(function);
        made_.clear();
        const auto prepare = [&](const Function& before) { chosen_.begin(before); };
        instrument_.rewrite(function, prepare, [&](Instruction& inst, std::vector<Instruction>& out) {
            check(inst);
            const Instruction made = inst;
            out.push_back(std::move(inst));
            chosen_.add_behind(made);
            instrument_.add_result();
        });
    }

    // ---- Instructions ----

    void check(Instruction& inst) {
        reports_ = reports_all_ && !unreported_.contains(inst.op == Op::OpStore ? inst.id(0) : inst.result);
        if (inst.op == Op::OpGroupAsyncCopy) return check_async_copy(inst);
        if (is_long_copy(inst)) return check_long_copy(inst);
        if (inst.op == Op::OpVectorExtractDynamic || inst.op == Op::OpVectorInsertDynamic)
            return check_component(inst);
        std::vector<Access> accesses = instrument_.accesses().of(inst);
        for (const Access& access : accesses) {
            const Id pointer = inst.id(access.operand);
            if (access.bytes > kCheckAreaBytes && is_global(pointer))
                return decline(inst, "a value of " + std::to_string(access.bytes) + " bytes");
            keeps_place_ = {};
            inst.operands[access.operand] = checked(pointer, access, inst);
            if (keeps_place_) instrument_.replace_result(inst, keeps_place_, false);
        }
        if (!reports_all_) decline_others(inst, accesses);
    }

    /// In a program that must not reach what is not its own, what is not understood is declined.
    void decline_others(const Instruction& inst, const std::vector<Access>& accesses) {
        if (only_moves_pointers(inst.op)) return;
        switch (inst.op) {
            case Op::OpLifetimeStart:
            case Op::OpLifetimeStop:
            case Op::OpVariable: return;
            case Op::OpFunctionCall:
                if (!declared_.contains(inst.id(0))) return;
                break;
            case Op::OpExtInst:
                if (inst.id(0) == opencl_std_ &&
                    (inst.word(1) == OpenCLLIB::Printf || inst.word(1) == OpenCLLIB::Prefetch))
                    return;
                break;
            default: break;
        }
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id || !is_global(inst.id(i))) continue;
            const bool is_value = (inst.op == Op::OpStore && i == 1) || (spirv::is_atomic(inst.op) && i > 0);
            const bool is_checked = std::ranges::count(accesses, i, &Access::operand) != 0;
            if (is_value || is_checked || is_kept_inside(inst.id(i)) || is_whole_literal(inst, i)) continue;
            return decline(
                inst, inst.op == Op::OpFunctionCall
                          ? "the function '" + std::string(source_name(instrument_.name_of(inst.id(0)))) + "'"
                          : std::string(spirv::op_name(inst.op)));
        }
    }

    void decline(const Instruction& inst, const std::string& what) {
        if (!error_.empty()) return;
        error_ = "accesses of " + what + " cannot be checked";
        if (const std::string place = instrument_.place_of(inst); !place.empty())
            error_ += " (" + place + ")";
    }

    // ---- Copies whose length may be too much for the spare areas ----

    bool is_long_copy(const Instruction& inst) const {
        if (inst.op != Op::OpCopyMemory && inst.op != Op::OpCopyMemorySized) return false;
        const bool has_global = is_global(inst.id(0)) || is_global(inst.id(1));
        if (!has_global && (inst.op == Op::OpCopyMemory || builder_.constant_value(inst.id(2)))) return false;
        if (inst.op == Op::OpCopyMemory)
            return instrument_.layout().of(pointee(inst.id(0))).size_bytes > kCheckAreaBytes;
        const std::optional<uint64_t> bytes = builder_.constant_value(inst.id(2));
        return !bytes || *bytes > kCheckAreaBytes;
    }

    void check_long_copy(Instruction& inst) {
        Id bytes;
        if (inst.op == Op::OpCopyMemory) {
            const TypeLayout layout = instrument_.layout().of(pointee(inst.id(0)));
            bytes = builder_.constant_u64(layout.size_bytes);
            inst.op = Op::OpCopyMemorySized;
            Operands operands = {inst.id(0), inst.id(1), bytes};
            operands.insert(operands.end(), inst.operands.begin() + 2, inst.operands.end());
            if (operands.size() == 3) {
                operands.push_back(static_cast<uint32_t>(spv::MemoryAccessMask::Aligned));
                operands.push_back(static_cast<uint32_t>(layout.alignment_bytes));
            }
            inst.operands = std::move(operands);
        }
        const Id one = builder_.constant_u64(1);
        for (const size_t side : {0, 1})
            inst.operands[2] = checked_count(inst, inst.id(side), inst.id(2), 1, one, side == 0);
    }

    void check_async_copy(Instruction& inst) {
        constexpr size_t kTo = 1, kFrom = 2, kCount = 3, kStride = 4;
        const uint64_t element = instrument_.layout().of(pointee(inst.id(kTo))).size_bytes;
        const Id one = builder_.constant_int(builder_.type_of(inst.id(kStride)), 1),
                 stride = inst.id(kStride);
        for (const size_t side : {kTo, kFrom}) {
            const bool is_local = instrument_.storage(inst.id(side)) == StorageClass::Workgroup;
            inst.operands[kCount] = checked_count(inst, inst.id(side), inst.id(kCount), element,
                                                  is_local ? one : stride, side == kTo);
        }
    }

    /// The count, or 0 if one of so many elements is outside of all objects.
    Id checked_count(const Instruction& inst, Id pointer, Id count, uint64_t element_bytes, Id stride,
                     bool writes) {
        if (reports_) count = count_in_variable(inst, pointer, count, element_bytes, writes);
        if (!is_global(pointer)) return count;
        const Id u64 = builder_.type_int(64), type = builder_.type_of(count);
        const Id element = builder_.constant_u32(static_cast<uint32_t>(element_bytes));
        const Id address = builder_.append(Op::OpConvertPtrToU, u64, {pointer}),
                 wanted = instrument_.widened(count, Op::OpUConvert);
        const Id allowed =
            instrument_.call("_Z11guard_countPU3AS1jmjmmj", u64,
                             {instrument_.state(), address, element, wanted,
                              instrument_.widened(stride, Op::OpUConvert), instrument_.search_limit()});
        if (reports_) {
            const Access access{.kind = writes ? CheckedAccess::Store : CheckedAccess::Load,
                                .writes = writes};
            instrument_.report_if(builder_.append(Op::OpINotEqual, builder_.type_bool(), {allowed, wanted}),
                                  instrument_.site(inst, CheckKind::Bounds, access, nullptr),
                                  {.address = address});
        }
        return type == u64 ? allowed : builder_.append(Op::OpUConvert, type, {allowed});
    }

    /// The same for a private or local variable, in which the elements are one behind the other.
    Id count_in_variable(const Instruction& inst, Id pointer, Id count, uint64_t element_bytes, bool writes) {
        const std::optional<ObjectPath> path = instrument_.paths().path_of(pointer);
        if (path && is_global(path->variable)) return count;
        std::optional<PointerExtent> extent = extents_.of(pointer);
        if (path)
            extent = {.offset = instrument_.offset_of(*path),
                      .size = builder_.constant_u64(instrument_.paths().size_bytes(*path))};
        if (!extent) return count;
        const Id u64 = builder_.type_int(64), boolean = builder_.type_bool(), zero = builder_.constant_u64(0);
        const Id is_before_end = builder_.append(Op::OpULessThan, boolean, {extent->offset, extent->size});
        const Id behind = builder_.append(Op::OpISub, u64, {extent->size, extent->offset});
        const Id elements = builder_.append(Op::OpUDiv, u64, {behind, builder_.constant_u64(element_bytes)});
        const Id room = builder_.append(Op::OpSelect, u64, {is_before_end, elements, zero});
        const Id wanted = instrument_.widened(count, Op::OpUConvert);
        const Id is_outside = builder_.append(Op::OpUGreaterThan, boolean, {wanted, room});
        const Access access{.kind = writes ? CheckedAccess::Store : CheckedAccess::Load, .writes = writes};
        instrument_.report_if(is_outside, variable_site(inst, pointer, access),
                              {.address = extent->offset, .size = extent->size, .object_varies = true});
        const Id type = builder_.type_of(count);
        return builder_.append(Op::OpSelect, type, {is_outside, builder_.constant_int(type, 0), count});
    }

    // ---- One access ----

    /// The pointer for the access.
    Id checked(Id pointer, const Access& access, const Instruction& inst) {
        const ObjectPaths& paths = instrument_.paths();
        const std::optional<ObjectPath> path = paths.path_of(pointer);
        const std::optional<Component> component = component_at(pointer, access);
        if (path && !access.index && !component && instrument_.is_inside(*path, access.bytes)) return pointer;
        if (component) report_component(made_of(pointer, access), *component, access, inst, pointer);
        if (path && reports_ && !is_global(path->variable)) {
            const bool is_generic = instrument_.storage(pointer) == StorageClass::Generic;
            return access.index || is_generic ? report_offset(pointer, *path, access, inst)
                                              : checked_index(pointer, *path, access, inst);
        }
        if (reports_)
            if (const std::optional<PointerExtent> extent = extents_.of(pointer))
                report_extent(pointer, *extent, access, inst);
        if (!is_global(pointer)) return pointer;
        Made& made = made_of(pointer, access);
        if (!made.address) {
            made.address = instrument_.address_of(pointer, access);
            const auto known = known_object(pointer, access);
            made.is_inside = known ? is_inside(made.address, known->object.begin, known->limit)
                                   : is_in_any(made.address, pointer, access);
            keep_component(made);
        }
        if (reports_ && !made.is_reported) report(made, pointer, access, inst);
        keeps_place_ = made.is_inside;
        Id& moved = made.moved[access.writes];
        if (!moved) moved = instrument_.moved(pointer, made.address, allowed_address(made, access));
        return moved;
    }

    /// A check of an access to global memory.
    struct Made {
        uint32_t block = 0;
        Id address = {}, is_inside = {};
        Id has_component = {};  ///< whether the vector has the component; {} if it surely has
        bool is_reported = false;
        bool is_extent_reported = false;  ///< of a pointer that may be to a private or local variable, too
        std::array<Id, 2> moved = {};     ///< the pointers for loads, and for what writes
    };

    /// The check of such an access that is made before, or a new one.
    Made& made_of(Id pointer, const Access& access) {
        std::vector<Made>& known = made_[{pointer, access.index, access.bytes, access.stride_bytes}];
        const auto before = std::find_if(known.rbegin(), known.rend(), [&](const Made& made) {
            return instrument_.comes_after(made.block);
        });
        if (before != known.rend() && before->block == instrument_.block()) return *before;
        Made made = before != known.rend() ? *before : Made{};  // a copy, which gets pointers of this block
        made.block = instrument_.block();
        return known.emplace_back(made);
    }

    /// Known at the function's entry, or chosen as the pointer is.
    std::optional<ChosenObjects::Choice> known_object(Id pointer, const Access& access) {
        const CheckedObject* const object = instrument_.object_of(pointer);
        if (!object) return chosen_.of(pointer, access);
        return ChosenObjects::Choice{*object, instrument_.limit_of(*object, access.bytes)};
    }

    Id is_inside(Id address, Id begin, Id limit) {
        const Id at = builder_.append(Op::OpISub, builder_.type_int(64), {address, begin});
        return builder_.append(Op::OpULessThan, builder_.type_bool(), {at, limit});
    }

    /// In the object that check_races has looked for, or in one that is looked for now.
    Id is_in_any(Id address, Id pointer, const Access& access) {
        const bool is_generic = instrument_.storage(pointer) == StorageClass::Generic;
        const Id boolean = builder_.type_bool(),
                 bytes = builder_.constant_u32(static_cast<uint32_t>(access.bytes));
        if (const Id object = instrument_.found_object(pointer, access))
            return instrument_.call(
                is_generic ? "_Z25check_is_generic_in_foundmjDv4_m" : "_Z17check_is_in_foundmjDv4_m", boolean,
                {address, bytes, object});
        return instrument_.call(
            is_generic ? "_Z19check_is_generic_inPU3AS1jmjj" : "_Z11check_is_inPU3AS1jmjj", boolean,
            {instrument_.state(), address, bytes, instrument_.search_limit()});
    }

    void report(Made& made, Id pointer, const Access& access, const Instruction& inst) {
        made.is_reported = true;
        const auto known = known_object(pointer, access);
        const CheckedObject* const object = instrument_.object_of(pointer);
        const Id is_outside = is_outside_of(made);
        FaultDetails details{.address = made.address};
        if (known) {
            details.begin = known->object.begin;
            details.size = known->object.size;
            details.object_varies = object == nullptr;
        }
        instrument_.report_if(is_outside, instrument_.site(inst, CheckKind::Bounds, access, object), details);
    }

    Id allowed_address(const Made& made, const Access& access) {
        return builder_.append(Op::OpSelect, builder_.type_int(64),
                               {made.is_inside, made.address, instrument_.spare(access.writes)});
    }

    /// Where an access chain to a part of a private or local variable has a dynamic index: the last such
    /// chain with an index that is outside of every array if the access is outside of the variable, and what
    /// is derived from it.
    Id checked_index(Id pointer, const ObjectPath& path, const Access& access, const Instruction& inst) {
        if (path.terms.empty()) return pointer;
        const ObjectPaths& paths = instrument_.paths();
        std::vector<const Instruction*> later;
        const Instruction* chain = paths.def(pointer);
        size_t dynamic = 0;
        for (; chain && chain->op != Op::OpVariable; chain = paths.def(chain->id(0))) {
            dynamic = dynamic_index(*chain);
            if (dynamic != 0) break;
            later.push_back(chain);
        }
        if (!chain || dynamic == 0) return pointer;

        Made& made = made_of(pointer, access);
        if (!made.is_inside) report_outside(made, path, access, inst);
        keeps_place_ = made.is_inside;
        if (made.moved[0]) return made.moved[0];
        Instruction copy = *chain;
        copy.result = builder_.fresh();
        Id index = chain->id(dynamic);
        if (builder_.width(builder_.type_of(index)) < 32) index = instrument_.widened(index, Op::OpSConvert);
        const Id type = builder_.type_of(index);
        copy.operands[dynamic] = builder_.append(
            Op::OpSelect, type, {made.is_inside, index, builder_.constant_int(type, 0x7fffffff)});
        Id result = copy.result;
        builder_.append(std::move(copy));
        for (auto next = later.rbegin(); next != later.rend(); ++next) {
            Instruction derived = **next;
            derived.result = builder_.fresh();
            derived.operands[0] = result;
            result = derived.result;
            builder_.append(std::move(derived));
        }
        return made.moved[0] = result;
    }

    /// For vloadn and its like, and by generic pointers, into a private or local variable.
    Id report_offset(Id pointer, ObjectPath path, const Access& access, const Instruction& inst) {
        const std::optional<uint64_t> index =
            access.index ? builder_.constant_value(access.index) : std::nullopt;
        if (index) {
            const uint32_t unused = 64 - builder_.width(builder_.type_of(access.index));
            const int64_t number = static_cast<int64_t>(*index << unused) >> unused;
            path.constant += static_cast<int64_t>(static_cast<uint64_t>(number) * access.stride_bytes);
        } else if (access.index) {
            path.terms.emplace_back(access.index, access.stride_bytes);
        }
        if (instrument_.is_inside(path, access.bytes)) return pointer;
        Made& made = made_of(pointer, access);
        if (!made.is_inside) report_outside(made, path, access, inst);
        return pointer;
    }

    void report_outside(Made& made, const ObjectPath& path, const Access& access, const Instruction& inst) {
        const FaultDetails details = check_offset(made, path, access.bytes);
        const CheckedObject object{.name = instrument_.name_of(path.variable)};
        keep_component(made);
        const Id is_outside = is_outside_of(made);
        const StorageClass space = instrument_.storage(path.variable);
        instrument_.report_if(is_outside, instrument_.site(inst, CheckKind::Bounds, access, &object, space),
                              details);
    }

    // ---- Components of vectors in memory ----

    /// A component of a vector in memory.
    struct Component {
        Id index = {};
        uint32_t count = 0;  ///< of the vector's components
    };

    /// Where the pointer comes from an index into a vector that may have no such component.
    std::optional<Component> component_at(Id pointer, const Access& access) const {
        if (!reports_ || access.index) return std::nullopt;
        const ObjectPaths& paths = instrument_.paths();
        const Instruction* chain = paths.def(pointer);
        while (chain && (chain->op == Op::OpBitcast || chain->op == Op::OpCopyObject ||
                         chain->op == Op::OpPtrCastToGeneric))
            chain = paths.def(chain->id(0));
        if (!chain || !spirv::is_access_chain(chain->op)) return std::nullopt;
        const bool steps = chain->op == Op::OpPtrAccessChain || chain->op == Op::OpInBoundsPtrAccessChain;
        size_t next = steps ? 2 : 1;
        if (next >= chain->operands.size()) return std::nullopt;
        Id type = pointee(chain->id(0));
        for (; next + 1 < chain->operands.size(); ++next)
            type =
                builder_.op_of_type(type) == Op::OpTypeStruct
                    ? builder_.member(
                          type, static_cast<uint32_t>(builder_.constant_value(chain->id(next)).value_or(0)))
                    : builder_.element(type);
        if (!builder_.is_vector(type)) return std::nullopt;
        const Component component{.index = chain->id(next), .count = builder_.count(type)};
        const bool is_one = access.bytes <= instrument_.layout().of(builder_.element(type)).size_bytes;
        if (!is_one || instrument_.is_below(component.index, component.count)) return std::nullopt;
        return component;
    }

    void report_component(Made& made, const Component& component, const Access& access,
                          const Instruction& inst, Id pointer) {
        if (made.has_component) return;
        const Id type = builder_.type_of(component.index), boolean = builder_.type_bool();
        made.has_component = builder_.append(Op::OpULessThan, boolean,
                                             {component.index, builder_.constant_int(type, component.count)});
        const StorageClass space = instrument_.storage(pointer);
        const auto bytes = static_cast<uint32_t>(access.bytes);
        const CheckSite site{.access = access.kind,
                             .size_bytes = bytes,
                             .alignment_bytes = static_cast<uint32_t>(access.alignment_bytes),
                             .object = kVectorValue,
                             .space = space == StorageClass::Workgroup         ? "local"
                                      : space == StorageClass::Function        ? "private"
                                      : space == StorageClass::UniformConstant ? "constant"
                                      : space == StorageClass::Generic         ? "generic"
                                                                               : "global"};
        instrument_.report_if(builder_.append(Op::OpLogicalNot, boolean, {made.has_component}),
                              instrument_.site(inst, site),
                              {.address = component.index,
                               .scale = bytes,
                               .size = builder_.constant_u64(uint64_t{bytes} * component.count)});
    }
    /// An access to a component that the vector does not have is left out, too.
    void keep_component(Made& made) {
        if (made.has_component)
            made.is_inside =
                builder_.append(Op::OpLogicalAnd, builder_.type_bool(), {made.is_inside, made.has_component});
    }
    /// Whether there is a fault that report_component has not reported.
    Id is_outside_of(const Made& made) {
        const Id boolean = builder_.type_bool();
        const Id is_outside = builder_.append(Op::OpLogicalNot, boolean, {made.is_inside});
        if (!made.has_component) return is_outside;
        return builder_.append(Op::OpLogicalAnd, boolean, {is_outside, made.has_component});
    }

    /// By a pointer whose variable and place are known at run time.
    void report_extent(Id pointer, const PointerExtent& extent, const Access& access,
                       const Instruction& inst) {
        Made& made = made_of(pointer, access);
        if (made.is_extent_reported) return;
        made.is_extent_reported = true;
        const Id u64 = builder_.type_int(64), boolean = builder_.type_bool();
        Id at = extent.offset;
        if (access.index) at = builder_.append(Op::OpIAdd, u64, {at, instrument_.index_bytes(access)});
        const Id room = builder_.append(Op::OpISub, u64, {extent.size, at});
        const Id is_beyond = builder_.append(Op::OpUGreaterThanEqual, boolean, {at, extent.size}),
                 is_short =
                     builder_.append(Op::OpULessThan, boolean, {room, builder_.constant_u64(access.bytes)});
        Id is_outside = builder_.append(Op::OpLogicalOr, boolean, {is_beyond, is_short});
        if (made.has_component)
            is_outside = builder_.append(Op::OpLogicalAnd, boolean, {is_outside, made.has_component});
        instrument_.report_if(is_outside, variable_site(inst, pointer, access),
                              {.address = at, .size = extent.size, .object_varies = true});
    }

    /// The place of an access to private or local memory, by a pointer to one of several variables perhaps.
    Id variable_site(const Instruction& inst, Id pointer, const Access& access) {
        const Id root = instrument_.paths().root_of(pointer).value_or(Id{});
        const bool has_one = root && is_of_variable(root);  // else which of several varies
        const StorageClass space = instrument_.storage(has_one ? root : pointer);
        const std::string argument = instrument_.argument_name(root);
        CheckSite site{.access = access.bytes == 0 ? CheckedAccess::Copy : access.kind,
                       .size_bytes = static_cast<uint32_t>(access.bytes),
                       .alignment_bytes = static_cast<uint32_t>(access.alignment_bytes),
                       .object = has_one ? instrument_.name_of(root) : argument,
                       .is_argument = !argument.empty(),
                       .space = space == StorageClass::Workgroup  ? "local"
                                : space == StorageClass::Function ? "private"
                                                                  : "private or local"};
        return instrument_.site(inst, std::move(site));
    }

    /// A component of a vector at an index that is computed: the first one is read where there is none, and
    /// no component is written.
    void check_component(Instruction& inst) {
        const bool writes = inst.op == Op::OpVectorInsertDynamic;
        Operand& operand = inst.operands[writes ? 2 : 1];
        const Id vector = inst.id(0), index = operand.id(), type = builder_.type_of(index);
        const uint32_t count = builder_.count(builder_.type_of(vector));
        if (const auto value = builder_.constant_value(index); value && *value < count) return;
        const Id element = builder_.element(builder_.type_of(vector)), boolean = builder_.type_bool();
        const uint32_t bytes = builder_.is_bool(element) ? 1 : builder_.width(element) / 8;
        const Id is_outside =
            builder_.append(Op::OpUGreaterThanEqual, boolean, {index, builder_.constant_int(type, count)});
        const CheckSite site{.access = writes ? CheckedAccess::Store : CheckedAccess::Load,
                             .size_bytes = bytes,
                             .alignment_bytes = bytes,
                             .object = kVectorValue,
                             .space = "private"};
        if (reports_)
            instrument_.report_if(
                is_outside, instrument_.site(inst, site),
                {.address = index, .scale = bytes, .size = builder_.constant_u64(uint64_t{bytes} * count)});
        operand = builder_.append(Op::OpSelect, type, {is_outside, builder_.constant_int(type, 0), index});
        if (!writes) return;
        const Id kept = builder_.append(Op::OpVectorExtractDynamic, element, {vector, operand.id()});
        inst.operands[1] = builder_.append(Op::OpSelect, element, {is_outside, kept, inst.id(1)});
    }

    /// Whether an access is in its variable: one comparison of the index, where there is but one.
    FaultDetails check_offset(Made& made, const ObjectPath& path, uint64_t bytes) {
        const uint64_t size = instrument_.paths().size_bytes(path);
        if (const std::optional<IndexRange> range = index_range(path, bytes)) {
            const Id type = builder_.type_of(range->index);
            const Id from_first =
                range->first == 0
                    ? range->index
                    : builder_.append(Op::OpISub, type,
                                      {range->index, builder_.constant_int(type, range->first)});
            made.is_inside =
                builder_.append(Op::OpULessThanEqual, builder_.type_bool(),
                                {from_first, builder_.constant_int(type, range->last - range->first)});
            return {.address = range->index,
                    .scale = path.terms[0].second,
                    .bias = static_cast<uint64_t>(path.constant),
                    .size = builder_.constant_u64(size)};
        }
        const Id at = instrument_.offset_of(path),
                 limit = builder_.constant_u64(size < bytes ? 0 : size - bytes + 1);
        made.is_inside = builder_.append(Op::OpULessThan, builder_.type_bool(), {at, limit});
        return {.address = at, .size = builder_.constant_u64(size)};
    }

    /// The values of an index for which an access is in its variable.
    struct IndexRange {
        Id index = {};
        uint64_t first = 0, last = 0;  ///< signed
    };
    /// None if there are several indices, or no such value.
    std::optional<IndexRange> index_range(const ObjectPath& path, uint64_t bytes) const {
        if (path.terms.size() != 1) return std::nullopt;
        auto [index, stride] = path.terms[0];
        const Instruction* widened = instrument_.paths().def(index);
        if (widened && widened->op == Op::OpSConvert &&
            builder_.width(builder_.type_of(widened->id(0))) == 32)
            index = widened->id(0);
        const uint32_t width = builder_.width(builder_.type_of(index));
        const uint64_t size = instrument_.paths().size_bytes(path);
        constexpr uint64_t kMost = 1u << 30;  // so that all numbers are those of an index with 32 bits
        const auto constant = static_cast<uint64_t>(path.constant);
        if ((width != 32 && width != 64) || size > kMost || constant + kMost > 2 * kMost || size < bytes ||
            stride == 0 || stride > kMost)
            return std::nullopt;
        const auto step = static_cast<int64_t>(stride), first = -path.constant,
                   last = static_cast<int64_t>(size - bytes) - path.constant;
        const int64_t from = first >= 0 ? (first + step - 1) / step : -(-first / step),
                      to = last >= 0 ? last / step : -((-last + step - 1) / step);
        if (from > to) return std::nullopt;
        return IndexRange{
            .index = index, .first = static_cast<uint64_t>(from), .last = static_cast<uint64_t>(to)};
    }

    /// The last operand of an access chain that is an index and no constant, or 0.
    size_t dynamic_index(const Instruction& inst) const {
        if (inst.op == Op::OpBitcast || inst.op == Op::OpPtrCastToGeneric || inst.op == Op::OpCopyObject)
            return 0;
        size_t dynamic = 0;
        for (size_t i = 1; i < inst.operands.size(); ++i)
            if (!builder_.constant_value(inst.id(i))) dynamic = i;
        return dynamic;
    }

    /// Whether lower_memory keeps whatever is accessed by the pointer in its array: it is NULL, or it may
    /// only point to private or local memory. Nobody knows how far from a variable in global memory a
    /// function goes.
    bool is_kept_inside(Id pointer) const {
        spirv::IdSet seen;
        std::vector<Id> pending = {pointer};
        while (!pending.empty()) {
            const Id next = pending.back();
            pending.pop_back();
            const StorageClass space = instrument_.storage(next);
            if (space == StorageClass::Function || space == StorageClass::Workgroup || !seen.insert(next))
                continue;
            const Instruction* inst = instrument_.paths().def(next);
            if (!inst) inst = builder_.find_global(next);
            if (!inst) return false;
            if (inst->op == Op::OpConstantNull || inst->op == Op::OpUndef) continue;
            const std::vector<Id> sources = pointer_sources(*inst);
            if (sources.empty() || !builder_.is_pointer(builder_.type_of(sources[0]))) return false;
            pending.insert(pending.end(), sources.begin(), sources.end());
        }
        return true;
    }

    /// Whether the operand is a block's literal, of which all bytes are in its variable: that of a block
    /// without captures is in global memory. The next operand says how many bytes it has.
    bool is_whole_literal(const Instruction& inst, size_t operand) const {
        using enum Op;
        const bool has_block = inst.op == OpEnqueueKernel ||
                               inst.op == OpGetKernelLocalSizeForSubgroupCount ||
                               inst.op == OpGetKernelMaxNumSubgroups ||
                               (inst.op >= OpGetKernelNDrangeSubGroupCount &&
                                inst.op <= OpGetKernelPreferredWorkGroupSizeMultiple);
        if (!has_block || operand + 1 >= inst.operands.size()) return false;
        const std::optional<uint64_t> bytes = builder_.constant_value(inst.id(operand + 1));
        const std::optional<ObjectPath> path = instrument_.paths().path_of(inst.id(operand));
        return bytes && path && instrument_.is_inside(*path, *bytes);
    }

    /// Whether the pointer is derived from a variable, which may be of an opaque type.
    bool is_of_variable(Id pointer) const {
        const Id root = instrument_.paths().root_of(pointer).value_or(Id{});
        const Instruction* inst = instrument_.paths().def(root);
        if (!inst) inst = builder_.find_global(root);
        return inst && (inst->op == Op::OpVariable || inst->op == Op::OpConstantNull);
    }

    Id pointee(Id pointer) const { return instrument_.pointee(pointer); }
    bool is_global(Id value) const { return instrument_.is_global(value); }

    spirv::Module& module_;
    const bool reports_all_;
    const spirv::IdSet& unreported_;
    bool reports_ = false;  // of the instruction that is being checked
    Id keeps_place_ = {};   // whether its access is not moved to a spare place, if that is computed
    const Id opencl_std_;
    const ShareFacts facts_;
    Instrument instrument_;
    Builder& builder_;
    PointerExtents extents_;
    ChosenObjects chosen_;
    spirv::IdSet declared_ = {};
    // of the function that is being rewritten
    std::map<std::tuple<Id, Id, uint64_t, uint64_t>, std::vector<Made>> made_ = {};
    std::string error_ = {};
};

}  // namespace

Result<Done> check_accesses(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Guard | MemoryChecks::Bounds)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    return AccessChecks(module, context).run();
}

}  // namespace caldera::vulkan
