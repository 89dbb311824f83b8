// SPDX-License-Identifier: Apache-2.0
// check_accesses: lets kernels access only what is theirs (MemoryChecks). Functions of builtins/check get the
// address and the size of an access, and return the address or that of a spare area, where nothing is harmed.
// So the access itself needs no branch, and its pointer becomes pointer + (returned - address).
//
// The object of a pointer is the kernel's argument or the variable from which it is derived in the same
// function, as Jones and Kelly 1997 have it. All other pointers may point into any object of CheckState.
// Private and local objects are checked where an index is dynamic, and only to report: lower_memory keeps
// each access in its array in any case.
//
// Before: kernels are described; only the program's own functions have bodies, and what passes add later is
// not checked. After: interface.check_sites has the places that are reported.
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <optional>

#include "spirv/builder.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/link/library_imports.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/opencl_layout.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/rewrite_block.h"

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

constexpr int kMaxStepsToObject = 1000;  // from a pointer to its object

/// A variable and a place in it: constant + sum of index * stride.
struct ObjectPath {
    Id variable = {};
    int64_t constant = 0;
    std::vector<std::pair<Id, uint64_t>> terms = {};
};

/// What one operand of an instruction accesses.
struct Access {
    size_t operand = 0;
    uint64_t bytes = 0;
    CheckedAccess kind = CheckedAccess::Load;
    bool writes = false;
    Id index = {};  // vloadn and its like: the access is at index * stride_bytes
    uint64_t stride_bytes = 0;
};

/// The object that an access should stay in, in the function that is being rewritten.
struct Object {
    Id begin = {}, size = {};
    std::string name = {};
    bool is_argument = false;
};

/// An argument of a kernel.
struct Argument {
    std::string name = {};
    uint32_t number = 0;
};

class AccessChecks {
 public:
    AccessChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          context_(context),
          reports_(context.options.checks == MemoryChecks::Report),
          opencl_std_(opencl_std_of(module)),
          builder_(module),
          layout_(builder_),
          imports_(builder_),
          names_(names_of(module)) {}

    Result<Done> run() {
        for (const Instruction& inst : module_.debug_sources)
            if (inst.op == Op::OpString) files_[inst.result] = spirv::string_at(inst, 0);
        find_called();
        for (size_t i = 0; i < module_.functions.size(); ++i)
            if (!module_.functions[i].blocks.empty()) rewrite(module_.functions[i]);
        imports_.finish();
        return error_.empty() ? Result<Done>(Done{}) : Result<Done>(Error{error_});
    }

 private:
    // ---- Functions ----

    void find_called() {
        for (const Function& function : module_.functions) {
            if (function.blocks.empty()) declared_.insert(function.id());
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (inst.op == Op::OpFunctionCall) called_.insert(inst.id(0));
        }
    }

    void rewrite(Function& function) {
        promote_to_values(builder_, function);
        const Function before = function;
        defs_.clear();
        for (const spirv::Block& block : before.blocks)
            for (const Instruction& inst : block.body) defs_[inst.result] = &inst;
        function_ = &before;
        objects_.clear();
        entry_.clear();
        spare_ = {};
        name_arguments(before);
        for (spirv::Block& block : function.blocks)
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                check(inst);
                out.push_back(std::move(inst));
            });
        if (!entry_.empty()) function.insert_at_entry(std::move(entry_));
    }

    /// The arguments of kernels have objects. Those of a kernel that is also called may point to anything.
    void name_arguments(const Function& function) {
        arguments_.clear();
        if (called_.contains(function.id())) return;
        for (size_t k = 0; k < module_.entry_points.size(); ++k) {
            if (module_.entry_points[k].id(1) != function.id()) continue;
            const std::vector<KernelArgument>& known = context_.interface.kernels[k].arguments;
            for (size_t i = 0; i < function.params.size(); ++i) {
                const std::string& said = i < known.size() ? known[i].name : std::string();
                const Id param = function.params[i].result;
                arguments_[param] = {!said.empty() ? said : "number " + std::to_string(i),
                                     static_cast<uint32_t>(i)};
            }
        }
    }

    template <class Emit>
    Id at_entry(const Emit& emit) {
        const spirv::SinkScope sink(builder_, &entry_);
        return emit();
    }

    // ---- Instructions ----

    void check(Instruction& inst) {
        if (inst.op == Op::OpGroupAsyncCopy) return check_async_copy(inst);
        if (is_long_copy(inst)) return check_long_copy(inst);
        std::vector<Access> accesses = accesses_of(inst);
        for (const Access& access : accesses) {
            const Id pointer = inst.id(access.operand);
            if (access.bytes > kCheckAreaBytes && is_global(pointer))
                return decline(inst, "a value of " + std::to_string(access.bytes) + " bytes");
            inst.operands[access.operand] = checked(pointer, access, inst);
        }
        if (!reports_) decline_others(inst, accesses);
    }

    std::vector<Access> accesses_of(const Instruction& inst) const {
        using enum CheckedAccess;
        switch (inst.op) {
            case Op::OpLoad: return of_value({.operand = 0}, inst.type);
            case Op::OpStore:
                return of_value({.operand = 0, .kind = Store, .writes = true}, builder_.type_of(inst.id(1)));
            case Op::OpCopyMemory: {
                std::vector<Access> both =
                    of_value({.operand = 0, .kind = Store, .writes = true}, pointee(inst.id(0)));
                for (const Access& access : of_value({.operand = 1}, pointee(inst.id(1))))
                    both.push_back(access);
                return both;
            }
            case Op::OpCopyMemorySized: {
                const uint64_t bytes = builder_.constant_value(inst.id(2)).value_or(0);
                if (bytes == 0) return {};
                return {{.operand = 0, .bytes = bytes, .kind = Store, .writes = true},
                        {.operand = 1, .bytes = bytes}};
            }
            case Op::OpReadPipe:
                return {{.operand = 1, .bytes = packet_bytes(inst, 2), .kind = Store, .writes = true}};
            case Op::OpWritePipe: return {{.operand = 1, .bytes = packet_bytes(inst, 2)}};
            case Op::OpReservedReadPipe:
                return {{.operand = 3, .bytes = packet_bytes(inst, 4), .kind = Store, .writes = true}};
            case Op::OpReservedWritePipe: return {{.operand = 3, .bytes = packet_bytes(inst, 4)}};
            case Op::OpExtInst:
                return inst.id(0) == opencl_std_ ? library_accesses(inst) : std::vector<Access>{};
            default: break;
        }
        if (!spirv::is_atomic(inst.op)) return {};
        return of_value({.operand = 0, .kind = Atomic, .writes = true}, pointee(inst.id(0)));
    }

    std::vector<Access> of_value(Access access, Id type) const {
        const std::optional<TypeLayout> layout = layout_.find(type);
        if (!layout || layout->size_bytes == 0) return {};  // an opaque type
        // A vector of 3 takes the place of 4, but only its components are accessed.
        access.bytes = builder_.is_vector(type)
                           ? layout_.of(builder_.element(type)).size_bytes * builder_.count(type)
                           : layout->size_bytes;
        return {access};
    }

    uint64_t packet_bytes(const Instruction& inst, size_t operand) const {
        return std::max<uint64_t>(builder_.constant_value(inst.id(operand)).value_or(1), 1);
    }

    std::vector<Access> library_accesses(const Instruction& inst) const {
        using enum CheckedAccess;
        const auto vector = [&](size_t index, size_t pointer, uint64_t count, bool writes,
                                bool aligned = false) {
            const uint64_t element = layout_.of(scalar(pointee(inst.id(pointer)))).size_bytes;
            return std::vector<Access>{{.operand = pointer,
                                        .bytes = element * count,
                                        .kind = writes ? Store : Load,
                                        .writes = writes,
                                        .index = inst.id(index),
                                        .stride_bytes = element * (aligned && count == 3 ? 4 : count)}};
        };
        const auto stored = [&] { return builder_.count(builder_.type_of(inst.id(2))); };
        switch (inst.word(1)) {
            case OpenCLLIB::Vloadn:
            case OpenCLLIB::Vload_halfn: return vector(2, 3, inst.word(4), false);
            case OpenCLLIB::Vload_half: return vector(2, 3, 1, false);
            case OpenCLLIB::Vloada_halfn: return vector(2, 3, inst.word(4), false, true);
            case OpenCLLIB::Vstoren:
            case OpenCLLIB::Vstore_half:
            case OpenCLLIB::Vstore_half_r:
            case OpenCLLIB::Vstore_halfn:
            case OpenCLLIB::Vstore_halfn_r: return vector(3, 4, stored(), true);
            case OpenCLLIB::Vstorea_halfn:
            case OpenCLLIB::Vstorea_halfn_r: return vector(3, 4, stored(), true, true);
            case OpenCLLIB::Printf:
            case OpenCLLIB::Prefetch: return {};
            default: break;
        }
        for (size_t i = 2; i < inst.operands.size();
             ++i)  // sincos, remquo and their like store a second result
            if (inst.operands[i].is_id && builder_.is_pointer(builder_.type_of(inst.id(i))))
                return of_value({.operand = i, .kind = Store, .writes = true}, pointee(inst.id(i)));
        return {};
    }

    /// In a program that must not reach what is not its own, what is not understood is declined.
    void decline_others(const Instruction& inst, const std::vector<Access>& accesses) {
        switch (inst.op) {
            case Op::OpPhi:
            case Op::OpSelect:
            case Op::OpBitcast:
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain:
            case Op::OpCopyObject:
            case Op::OpPtrCastToGeneric:
            case Op::OpGenericCastToPtr:
            case Op::OpGenericCastToPtrExplicit:
            case Op::OpGenericPtrMemSemantics:
            case Op::OpConvertPtrToU:
            case Op::OpPtrEqual:
            case Op::OpPtrNotEqual:
            case Op::OpPtrDiff:
            case Op::OpCompositeConstruct:
            case Op::OpCompositeInsert:
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
            if (is_value || is_checked || is_of_variable(inst.id(i))) continue;
            return decline(inst, inst.op == Op::OpFunctionCall ? "the function '" + names_[inst.id(0)] + "'"
                                                               : std::string(spirv::op_name(inst.op)));
        }
    }

    void decline(const Instruction& inst, const std::string& what) {
        if (!error_.empty()) return;
        error_ = "accesses of " + what + " cannot be checked";
        if (inst.line.file)
            error_ += " (" + files_[inst.line.file] + ":" + std::to_string(inst.line.line) + ":" +
                      std::to_string(inst.line.column) + ")";
    }

    // ---- Copies whose length may be too much for the spare areas ----

    bool is_long_copy(const Instruction& inst) const {
        if (inst.op == Op::OpCopyMemory) return layout_.of(pointee(inst.id(0))).size_bytes > kCheckAreaBytes;
        if (inst.op != Op::OpCopyMemorySized) return false;
        const std::optional<uint64_t> bytes = builder_.constant_value(inst.id(2));
        return !bytes || *bytes > kCheckAreaBytes;
    }

    void check_long_copy(Instruction& inst) {
        if (!is_global(inst.id(0)) && !is_global(inst.id(1))) return;
        Id bytes;
        if (inst.op == Op::OpCopyMemory) {
            const TypeLayout layout = layout_.of(pointee(inst.id(0)));
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
        const uint64_t element = layout_.of(pointee(inst.id(kTo))).size_bytes;
        const Id one = builder_.constant_int(builder_.type_of(inst.id(kStride)), 1),
                 stride = inst.id(kStride);
        for (const size_t side : {kTo, kFrom}) {
            const bool is_local = storage(inst.id(side)) == StorageClass::Workgroup;
            inst.operands[kCount] = checked_count(inst, inst.id(side), inst.id(kCount), element,
                                                  is_local ? one : stride, side == kTo);
        }
    }

    /// The count, or 0 if one of so many elements is outside of all objects.
    Id checked_count(const Instruction& inst, Id pointer, Id count, uint64_t element_bytes, Id stride,
                     bool writes) {
        if (!is_global(pointer)) return count;
        const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64), type = builder_.type_of(count);
        const Id element = builder_.constant_u32(static_cast<uint32_t>(element_bytes));
        const Id address = builder_.append(Op::OpConvertPtrToU, u64, {pointer});
        const Id wide = widened(count, Op::OpUConvert), wide_stride = widened(stride, Op::OpUConvert);
        Id allowed;
        if (reports_) {
            const Access access{.kind = writes ? CheckedAccess::Store : CheckedAccess::Load,
                                .writes = writes};
            const Id check = imports_.function("_Z11check_countPU3AS1jjmjmm", u64,
                                               {state_type(), u32, u64, u32, u64, u64});
            allowed = builder_.append(
                Op::OpFunctionCall, u64,
                {check, state(), site(inst, access, nullptr), address, element, wide, wide_stride});
        } else {
            const Id guard =
                imports_.function("_Z11guard_countPU3AS1jmjmm", u64, {state_type(), u64, u32, u64, u64});
            allowed = builder_.append(Op::OpFunctionCall, u64,
                                      {guard, state(), address, element, wide, wide_stride});
        }
        return type == u64 ? allowed : builder_.append(Op::OpUConvert, type, {allowed});
    }

    // ---- One access ----

    /// The pointer for the access.
    Id checked(Id pointer, const Access& access, const Instruction& inst) {
        const std::optional<ObjectPath> path = path_of(pointer);
        if (path && !access.index && path->terms.empty() && is_inside(*path, access.bytes)) return pointer;
        if (!is_global(pointer))
            return path && reports_ ? checked_index(pointer, *path, access, inst) : pointer;
        const Id u64 = builder_.type_int(64), type = builder_.type_of(pointer);
        Id address = builder_.append(Op::OpConvertPtrToU, u64, {pointer});
        if (access.index) {
            const Id bytes = builder_.append(
                Op::OpIMul, u64,
                {widened(access.index, Op::OpSConvert), builder_.constant_u64(access.stride_bytes)});
            address = builder_.append(Op::OpIAdd, u64, {address, bytes});
        }
        const Id allowed = allowed_address(pointer, address, access, inst);
        const Id step = builder_.append(Op::OpISub, u64, {allowed, address});
        const Id bytes_type = builder_.type_pointer(storage(pointer), builder_.type_int(8));
        const Id bytes = type == bytes_type ? pointer : builder_.append(Op::OpBitcast, bytes_type, {pointer});
        const Id moved = builder_.append(Op::OpPtrAccessChain, bytes_type, {bytes, step});
        return type == bytes_type ? moved : builder_.append(Op::OpBitcast, type, {moved});
    }

    Id allowed_address(Id pointer, Id address, const Access& access, const Instruction& inst) {
        const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64);
        const Id bytes = builder_.constant_u32(static_cast<uint32_t>(access.bytes));
        const Object* object = object_of(pointer);
        std::vector<Id> types, values;
        const auto add = [&](Id type, Id value) {
            types.push_back(type);
            values.push_back(value);
        };
        if (reports_ || !object) add(state_type(), state());
        if (reports_) add(u32, site(inst, access, object));
        add(u64, address);
        add(u32, bytes);
        if (object) {
            add(u64, object->begin);
            add(u64, object->size);
        }
        add(u64, spare(access.writes));
        const bool is_generic = storage(pointer) == StorageClass::Generic;
        const char* const name = reports_     ? object       ? "_Z12check_insidePU3AS1jjmjmmm"
                                                : is_generic ? "_Z13check_genericPU3AS1jjmjm"
                                                             : "_Z9check_anyPU3AS1jjmjm"
                                 : object     ? "_Z12guard_insidemjmmm"
                                 : is_generic ? "_Z13guard_genericPU3AS1jmjm"
                                              : "_Z9guard_anyPU3AS1jmjm";
        Operands operands = {imports_.function(name, u64, types)};
        operands.insert(operands.end(), values.begin(), values.end());
        return builder_.append(Op::OpFunctionCall, u64, std::move(operands));
    }

    /// Where the last access chain to an element of a private or local variable has a dynamic index: the
    /// chain with an index that the library has checked.
    Id checked_index(Id pointer, const ObjectPath& path, const Access& access, const Instruction& inst) {
        std::vector<const Instruction*> casts;
        const Instruction* chain = def(pointer);
        for (; chain && chain->op == Op::OpBitcast; chain = def(chain->id(0))) casts.push_back(chain);
        if (!chain || path.terms.empty() || access.index) return pointer;
        size_t dynamic = chain->operands.size();
        for (size_t i = 1; i < chain->operands.size(); ++i)
            if (!builder_.constant_value(chain->id(i))) dynamic = i;
        if (dynamic == chain->operands.size()) return pointer;

        const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64);
        Id at = builder_.constant_u64(static_cast<uint64_t>(path.constant));
        for (const auto& [index, stride] : path.terms) {
            const Id bytes = builder_.append(Op::OpIMul, u64,
                                             {widened(index, Op::OpSConvert), builder_.constant_u64(stride)});
            at = builder_.append(Op::OpIAdd, u64, {at, bytes});
        }
        const Object object{.size = builder_.constant_u64(variable_bytes(path.variable)),
                            .name = name_of(path.variable)};
        const Id check =
            imports_.function("_Z11check_indexPU3AS1jjmmjm", u64, {state_type(), u32, u64, u64, u32, u64});
        const Id site = this->site(inst, access, &object, storage(pointer));
        Instruction copy = *chain;
        copy.result = builder_.fresh();
        copy.operands[dynamic] =
            builder_.append(Op::OpFunctionCall, u64,
                            {check, state(), site, widened(chain->id(dynamic), Op::OpSConvert), at,
                             builder_.constant_u32(static_cast<uint32_t>(access.bytes)), object.size});
        Id result = copy.result;
        builder_.append(std::move(copy));
        for (auto cast = casts.rbegin(); cast != casts.rend(); ++cast)
            result = builder_.append(Op::OpBitcast, (*cast)->type, {result});
        return result;
    }

    Id widened(Id value, Op convert) {
        const Id u64 = builder_.type_int(64);
        return builder_.type_of(value) == u64 ? value : builder_.append(convert, u64, {value});
    }

    /// The index of the place, as a constant.
    Id site(const Instruction& inst, const Access& access, const Object* object, StorageClass space = {}) {
        CheckSite site{.access = access.bytes == 0 ? CheckedAccess::Copy : access.kind,
                       .size_bytes = static_cast<uint32_t>(access.bytes),
                       .line = inst.line.line,
                       .column = inst.line.column,
                       .function = names_[function_->id()]};
        if (inst.line.file) site.file = files_[inst.line.file];
        if (object) {
            site.object = object->name;
            site.is_argument = object->is_argument;
        }
        if (space == StorageClass::Workgroup) site.space = "local";
        if (space == StorageClass::Function) site.space = "private";
        std::vector<CheckSite>& sites = context_.interface.check_sites;
        sites.push_back(std::move(site));
        return builder_.constant_u32(static_cast<uint32_t>(sites.size() - 1));
    }

    // ---- Objects ----

    /// None if it is not known. The reference is valid until the next call.
    const Object* object_of(Id pointer) {
        if (storage(pointer) == StorageClass::Generic) return nullptr;
        spirv::IdSet seen;
        const std::optional<Id> root = root_of(pointer, seen, 0);
        if (!root || !*root || !is_global(*root)) return nullptr;
        const auto argument = arguments_.find(*root);
        const Instruction* variable = builder_.find_global(*root);
        const bool is_variable = variable && variable->op == Op::OpVariable;
        if (argument == arguments_.end() && !is_variable) return nullptr;
        if (const auto known = objects_.find(*root); known != objects_.end()) return &known->second;
        Object object;
        const Id u64 = builder_.type_int(64);
        if (is_variable) {
            object = {.begin = at_entry([&] { return builder_.append(Op::OpConvertPtrToU, u64, {*root}); }),
                      .size = builder_.constant_u64(variable_bytes(*root)),
                      .name = name_of(*root)};
        } else {
            const Id pair = builder_.type_vector(u64, 2);
            const Id find =
                imports_.function("_Z14check_argumentPU3AS1jj", pair, {state_type(), builder_.type_int(32)});
            at_entry([&] {
                const Id number = builder_.constant_u32(argument->second.number);
                const Id found = builder_.append(Op::OpFunctionCall, pair, {find, state(), number});
                object.begin = builder_.append(Op::OpCompositeExtract, u64, {found, 0u});
                object.size = builder_.append(Op::OpCompositeExtract, u64, {found, 1u});
                return found;
            });
            object.name = argument->second.name;
            object.is_argument = true;
        }
        return &(objects_[*root] = std::move(object));
    }

    /// The value that a pointer is derived from; none if there are several. {} if all ways lead back to
    /// `seen` ones.
    std::optional<Id> root_of(Id pointer, spirv::IdSet& seen, int steps) const {
        if (++steps > kMaxStepsToObject) return std::nullopt;
        const Instruction* inst = def(pointer);
        if (!inst) return pointer;
        switch (inst->op) {
            case Op::OpBitcast:
                if (!builder_.is_pointer(builder_.type_of(inst->id(0)))) return pointer;
                [[fallthrough]];
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain:
            case Op::OpPtrCastToGeneric:
            case Op::OpCopyObject: return root_of(inst->id(0), seen, steps);
            case Op::OpPhi:
            case Op::OpSelect: break;
            default: return pointer;
        }
        if (!seen.insert(pointer)) return Id{};
        const bool is_phi = inst->op == Op::OpPhi;
        std::optional<Id> common = Id{};
        for (size_t i = is_phi ? 0 : 1; i < inst->operands.size(); i += is_phi ? 2 : 1) {
            const std::optional<Id> root = root_of(inst->id(i), seen, steps);
            if (!root || (*root && *common && *root != *common)) return std::nullopt;
            if (*root) common = root;
        }
        return common;
    }

    /// Whether the pointer is derived from a variable, which may be of an opaque type.
    bool is_of_variable(Id pointer) const {
        spirv::IdSet seen;
        const Id root = root_of(pointer, seen, 0).value_or(Id{});
        const Instruction* inst = def(root) ? def(root) : builder_.find_global(root);
        return inst && (inst->op == Op::OpVariable || inst->op == Op::OpConstantNull);
    }

    /// None if the pointer is not derived from one variable by chains and casts alone.
    std::optional<ObjectPath> path_of(Id pointer) const {
        ObjectPath path;
        for (int steps = 0; steps < kMaxStepsToObject; ++steps) {
            const Instruction* inst = def(pointer);
            if (!inst) inst = builder_.find_global(pointer);
            if (!inst) return std::nullopt;
            switch (inst->op) {
                case Op::OpVariable:
                    path.variable = pointer;
                    return layout_.find(pointee(pointer)) ? std::optional(path) : std::nullopt;
                case Op::OpBitcast:
                    if (!builder_.is_pointer(builder_.type_of(inst->id(0)))) return std::nullopt;
                    break;
                case Op::OpPtrCastToGeneric:
                case Op::OpCopyObject: break;
                case Op::OpAccessChain:
                case Op::OpInBoundsAccessChain:
                case Op::OpPtrAccessChain:
                case Op::OpInBoundsPtrAccessChain:
                    if (!add_chain(*inst, path)) return std::nullopt;
                    break;
                default: return std::nullopt;
            }
            pointer = inst->id(0);
        }
        return std::nullopt;
    }

    bool add_chain(const Instruction& chain, ObjectPath& path) const {
        Id type = pointee(chain.id(0));
        size_t next = 1;
        const auto add = [&](Id index, uint64_t stride) {
            const std::optional<uint64_t> value = builder_.constant_value(index);
            if (!value) return path.terms.emplace_back(index, stride), void();
            const uint32_t unused = 64 - builder_.width(builder_.type_of(index));
            const int64_t number = static_cast<int64_t>(*value << unused) >> unused;
            path.constant += static_cast<int64_t>(static_cast<uint64_t>(number) * stride);
        };
        if (chain.op == Op::OpPtrAccessChain || chain.op == Op::OpInBoundsPtrAccessChain) {
            if (!layout_.find(type)) return false;
            add(chain.id(next++), layout_.of(type).size_bytes);
        }
        for (; next < chain.operands.size(); ++next) {
            if (builder_.op_of_type(type) == Op::OpTypeStruct) {
                const std::optional<uint64_t> member = builder_.constant_value(chain.id(next));
                if (!member) return false;
                path.constant +=
                    static_cast<int64_t>(layout_.member_offset(type, static_cast<uint32_t>(*member)));
                type = builder_.member(type, static_cast<uint32_t>(*member));
            } else {
                type = builder_.element(type);
                if (!layout_.find(type)) return false;
                add(chain.id(next), layout_.of(type).size_bytes);
            }
        }
        return true;
    }

    bool is_inside(const ObjectPath& path, uint64_t bytes) const {
        const uint64_t size = variable_bytes(path.variable), at = static_cast<uint64_t>(path.constant);
        return at < size && size - at >= bytes;
    }

    uint64_t variable_bytes(Id variable) const { return layout_.of(pointee(variable)).size_bytes; }

    /// Front ends put the function's name before a variable of local memory.
    std::string name_of(Id variable) {
        const std::string name = names_[variable];  // a copy: the next look-up may move what the map has
        const std::string prefix = names_[function_->id()] + ".";
        return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
    }

    // ---- Values that each function has once ----

    Id state_type() { return builder_.type_pointer(StorageClass::CrossWorkgroup, builder_.type_int(32)); }
    Id state() {
        Id& variable = context_.variables.check_state;
        if (variable) return variable;
        variable = builder_.variable(StorageClass::CrossWorkgroup, builder_.type_int(32));
        builder_.decorate(variable, spv::Decoration::Alignment, {8u});
        return variable;
    }

    Id spare(bool writes) {
        Id& address = spare_[writes];
        if (address) return address;
        const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64);
        const Id find = imports_.function("_Z11check_sparePU3AS1jj", u64, {state_type(), u32});
        return address = at_entry([&] {
                   return builder_.append(Op::OpFunctionCall, u64,
                                          {find, state(), builder_.constant_u32(writes)});
               });
    }

    // ---- Facts about values ----

    const Instruction* def(Id value) const {
        const auto found = defs_.find(value);
        return found == defs_.end() ? nullptr : found->second;
    }
    Id pointee(Id pointer) const { return builder_.pointee(builder_.type_of(pointer)); }
    Id scalar(Id type) const { return builder_.is_vector(type) ? builder_.element(type) : type; }
    StorageClass storage(Id pointer) const { return builder_.storage(builder_.type_of(pointer)); }
    /// Whether the value is a pointer by which global or constant memory may be reached.
    bool is_global(Id value) const {
        if (!builder_.is_pointer(builder_.type_of(value))) return false;
        const StorageClass space = storage(value);
        return space == StorageClass::CrossWorkgroup || space == StorageClass::UniformConstant ||
               space == StorageClass::Generic;
    }

    spirv::Module& module_;
    PassContext& context_;
    const bool reports_;
    const Id opencl_std_;
    Builder builder_;
    OpenclLayout layout_;
    LibraryImports imports_;
    spirv::IdMap<std::string> names_, files_ = {};
    spirv::IdSet called_ = {}, declared_ = {};
    std::string error_ = {};
    // of the function that is being rewritten
    const Function* function_ = nullptr;
    spirv::IdMap<const Instruction*> defs_ = {};
    spirv::IdMap<Argument> arguments_ = {};
    spirv::IdMap<Object> objects_ = {};
    std::vector<Instruction> entry_ = {};
    std::array<Id, 2> spare_ = {};
};

}  // namespace

Result<Done> check_accesses(spirv::Module& module, PassContext& context) {
    if (context.options.checks == MemoryChecks::None) return Done{};
    if (context.options.abi != Abi::Addresses)
        return Error{
            "accesses are checked by addresses only, and this program reaches memory by descriptors"};
    return AccessChecks(module, context).run();
}

}  // namespace caldera::vulkan
