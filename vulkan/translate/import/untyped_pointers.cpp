// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/untyped_pointers.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/debug_info.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "spirv/support/try.h"
#include "spirv/untyped_pointers.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

bool is_byte(const Instruction& inst) {
    return inst.op == Op::OpTypeInt && inst.word(0) == 8 && inst.word(1) == 0;
}

/// Operands from the base type on: the type, the base, and for some the element.
size_t first_index(Op op) { return op == kUntypedPtrAccessChain || op == kUntypedInBoundsPtrChain ? 3 : 2; }

std::string_view op_name_of(Op op) {
    const InstructionGrammar* rule = grammar(op);
    return rule ? rule->name : "an instruction";
}
Error declined_op(Op op, std::string_view why) {
    return {.message = std::string(op_name_of(op)) + " " + std::string(why)};
}

class PointerTyper {
 public:
    explicit PointerTyper(Module& module) : module_(module) {}

    Result<bool> run() {
        const bool any = std::ranges::any_of(
            module_.globals, [](const Instruction& inst) { return inst.op == kTypeUntypedPointer; });
        if (any) {
            type_pointers();
            TRY(check_by_value());
            TRY(rewrite_globals());
            builder_.emplace(module_);
            for (const Function& function : module_.functions)
                function_types_[function.id()] = function.def.id(1);
            for (Function& function : module_.functions) TRY(rewrite(function));
        }
        return drop_claims() || any;
    }

 private:
    /// A module may declare the extension and not use it.
    bool drop_claims() {
        const size_t capabilities = std::erase_if(module_.capabilities, [](const Instruction& inst) {
            return inst.word(0) == static_cast<uint32_t>(kUntypedPointers);
        });
        const size_t extensions = std::erase_if(module_.extensions, [](const Instruction& inst) {
            return string_at(inst, 0) == kUntypedPointersExtension;
        });
        return capabilities + extensions != 0;
    }

    // ---- Types ----

    /// The types keep their ids: a pointer type may be there twice.
    void type_pointers() {
        byte_ = leading_byte();
        for (Instruction& inst : module_.globals) {
            if (inst.op != kTypeUntypedPointer) continue;
            inst.op = Op::OpTypePointer;
            inst.operands.push_back(byte_);
            untyped_.insert(inst.result);
        }
    }

    /// The pointee says how much a call or a launch copies.
    Result<Done> check_by_value() const {
        const auto is_by_value = [](const Instruction& inst) {
            return inst.op == Op::OpDecorate && inst.operands.size() > 2 &&
                   inst.word(1) == static_cast<uint32_t>(spv::Decoration::FuncParamAttr) &&
                   inst.word(2) == static_cast<uint32_t>(spv::FunctionParameterAttribute::ByVal);
        };
        IdSet by_value;  // parameters and groups
        for (const Instruction& inst : module_.annotations)
            if (is_by_value(inst)) by_value.insert(inst.id(0));
        if (by_value.empty()) return Done{};
        for (const Instruction& inst : module_.annotations)
            if (inst.op == Op::OpGroupDecorate && by_value.contains(inst.id(0)))
                for (size_t i = 1; i < inst.operands.size(); ++i) by_value.insert(inst.id(i));
        for (const Function& function : module_.functions)
            for (const Instruction& param : function.params)
                if (untyped_.contains(param.type) && by_value.contains(param.result))
                    return Error{.message = "ByVal parameters need a typed pointer"};
        return Done{};
    }

    /// The type of bytes, before all that may need it.
    Id leading_byte() {
        const auto found = std::ranges::find_if(module_.globals, is_byte);
        Instruction type = {.op = Op::OpTypeInt, .operands = {8u, 0u}};
        if (found != module_.globals.end()) {
            type = std::move(*found);
            module_.globals.erase(found);
        } else {
            type.result = module_.fresh();
            Builder(module_).capability(spv::Capability::Int8);
        }
        const Id id = type.result;
        module_.globals.insert(module_.globals.begin(), std::move(type));
        return id;
    }

    bool is_data_type(Id id) const {
        const Op op = builder_->op_of_type(id);
        return op_name_of(op).starts_with("OpType") && op != Op::OpTypeVoid && op != Op::OpTypeFunction &&
               op != Op::OpTypeForwardPointer;
    }

    /// What a chain points to. Operand `first` is its base type.
    Result<Id> reached_type(Op op, const Instruction& chain, size_t first) const {
        Id type = chain.id(first);
        if (!is_data_type(type)) return declined_op(op, "has a base type that is none");
        for (size_t i = first + first_index(op); i < chain.operands.size(); ++i) {
            if (builder_->op_of_type(type) == spirv::kTypeMatrix) {
                type = builder_->find_global(type)->id(0);
                continue;
            }
            switch (builder_->op_of_type(type)) {
                case Op::OpTypeVector:
                case Op::OpTypeArray:
                case Op::OpTypeRuntimeArray: type = builder_->element(type); break;
                case Op::OpTypeStruct: {
                    const std::optional<uint64_t> member = builder_->constant_value(chain.id(i));
                    if (!member || *member >= builder_->member_count(type))
                        return declined_op(op, "has an index that names no member");
                    type = builder_->member(type, static_cast<uint32_t>(*member));
                    break;
                }
                default: return declined_op(op, "has more indices than its base type has levels");
            }
        }
        return type;
    }

    // ---- Variables ----

    /// A variable whose pointer is not to bytes any more.
    struct Variable {
        Id bytes = {}, typed = {};  // types of pointers
    };

    /// `pointer_to(storage, type)` makes a type of pointers.
    template <class PointerTo>
    Result<Done> type_variable(Instruction& inst, PointerTo&& pointer_to) {
        const Id bytes = inst.type;
        if (!untyped_.contains(bytes)) return declined_op(inst.op, "has a type that is no untyped pointer");
        const auto storage = static_cast<spv::StorageClass>(inst.word(0));
        if (storage != builder_->storage(bytes))
            return declined_op(inst.op, "is in another storage class than its type");
        if (inst.operands.size() < 2) return declined_op(inst.op, "has no data type");
        const Id data = inst.id(1);
        if (!is_data_type(data)) return declined_op(inst.op, "has a data type that is none");
        inst.op = Op::OpVariable;
        inst.type = pointer_to(storage, data);
        inst.operands.erase(inst.operands.begin() + 1);
        variables_[inst.result] = {.bytes = bytes, .typed = inst.type};
        return Done{};
    }

    /// The type of a value where it is not accessed.
    Id type_of(Id value) const {
        const auto variable = variables_.find(value);
        return variable == variables_.end() ? builder_->type_of(value) : variable->second.bytes;
    }

    // ---- Module scope: new types, and casts of variables, stand before what needs them ----

    Result<Done> rewrite_globals() {
        builder_.emplace(module_);
        std::vector<Instruction> out;
        for (const Instruction& global : module_.globals) {
            Instruction inst = global;
            const auto op = inst.op == Op::OpSpecConstantOp ? static_cast<Op>(inst.word(0)) : inst.op;
            if (op == Op::OpTypePointer) {
                Id& known = pointers_[pointer_key(inst.word(0), inst.id(1))];
                if (!known) known = inst.result;
            } else if (op == kUntypedVariable) {
                TRY(type_variable(inst, [&](spv::StorageClass storage, Id pointee) {
                    return pointer_to(storage, pointee, out);
                }));
                if (inst.operands.size() > 1) inst.operands[1] = as_constant(inst.id(1), out);
            } else if (op == Op::OpBitcast) {
                const auto source = cast_sources_.find(inst.id(1));
                const Id from = source == cast_sources_.end() ? inst.id(1) : source->second;
                cast_sources_[inst.result] = from;
                inst.operands[1] = as_constant(inst.id(1), out);
            } else if (is_untyped_chain(op)) {
                TRY(rewrite_constant_chain(op, inst, out));
            } else if ((op == Op::OpVariable || is_access_chain(op)) && untyped_.contains(inst.type)) {
                return declined_op(op, "has the type of an untyped pointer");
            } else if (inst.type) {
                for (Operand& operand : inst.operands)
                    if (operand.is_id) operand = operand.with(as_constant(operand.id(), out));
            }
            out.push_back(std::move(inst));
        }
        module_.globals = std::move(out);
        return Done{};
    }

    static uint64_t pointer_key(uint32_t storage, Id pointee) {
        return uint64_t{storage} << 32 | pointee.value;
    }
    Id pointer_to(spv::StorageClass storage, Id pointee, std::vector<Instruction>& out) {
        Id& known = pointers_[pointer_key(static_cast<uint32_t>(storage), pointee)];
        if (!known) {
            known = module_.fresh();
            out.push_back({.op = Op::OpTypePointer, .result = known, .operands = {storage, pointee}});
        }
        return known;
    }

    /// A variable's address as a pointer to bytes; other values as they are.
    Id as_constant(Id value, std::vector<Instruction>& out) {
        const auto variable = variables_.find(value);
        if (variable == variables_.end()) return value;
        Id& cast = constant_casts_[value];
        if (!cast) cast = constant_cast(value, variable->second.bytes, out);
        return cast;
    }
    Id constant_cast(Id pointer, Id type, std::vector<Instruction>& out) {
        const Id cast = module_.fresh();
        out.push_back({.op = Op::OpSpecConstantOp,
                       .type = type,
                       .result = cast,
                       .operands = {static_cast<uint32_t>(Op::OpBitcast), pointer}});
        return cast;
    }

    Result<Done> check_chain(Op op, Id result, Id base) const {
        if (!untyped_.contains(result)) return declined_op(op, "has a type that is no untyped pointer");
        if (!builder_->is_pointer(base)) return declined_op(op, "has a base that is no pointer");
        if (builder_->storage(base) != builder_->storage(result))
            return declined_op(op, "changes the storage class");
        return Done{};
    }

    /// llvm-spirv (spir-v.xml has its number) makes the base type of a constant chain that of the variable,
    /// though LLVM counts bytes. An element of a whole variable's type would be none of the variable.
    bool counts_bytes(Op op, const Instruction& inst) const {
        constexpr uint32_t kTranslator = 6;
        constexpr size_t kType = 1, kBase = 2, kElement = 3;
        if (module_.generator >> 16 != kTranslator || first_index(op) != kElement) return false;
        if (inst.operands.size() != kElement + 1 || builder_->constant_value(inst.id(kElement)) == 0)
            return false;
        const auto source = cast_sources_.find(inst.id(kBase));
        const Instruction* base =
            builder_->find_global(source == cast_sources_.end() ? inst.id(kBase) : source->second);
        if (!base) return false;
        if (base->op == kUntypedVariable) return base->operands.size() > 1 && base->id(1) == inst.id(kType);
        return base->op == Op::OpVariable && builder_->is_pointer(base->type) &&
               builder_->pointee(base->type) == inst.id(kType);
    }

    Result<Done> rewrite_constant_chain(Op op, Instruction& inst, std::vector<Instruction>& out) {
        constexpr size_t kType = 1, kBase = 2;
        if (counts_bytes(op, inst)) inst.operands[kType] = byte_;
        const Result<Id> reached = reached_type(op, inst, kType);
        if (!reached) return reached.error();
        const Id base = inst.id(kBase);
        TRY(check_chain(op, inst.type, type_of(base)));
        const spv::StorageClass storage = builder_->storage(inst.type);
        const Id typed = pointer_to(storage, inst.id(kType), out);
        const auto variable = variables_.find(base);
        const Id from = variable != variables_.end() ? variable->second.typed : builder_->type_of(base);
        Operands operands = {static_cast<uint32_t>(typed_chain(op)),
                             from == typed ? base : constant_cast(base, typed, out)};
        for (size_t i = kBase + 1; i < inst.operands.size(); ++i) operands.push_back(inst.operands[i]);
        if (*reached != byte_) {
            Instruction chain = {.op = Op::OpSpecConstantOp,
                                 .type = pointer_to(storage, *reached, out),
                                 .result = module_.fresh(),
                                 .operands = std::move(operands)};
            operands = {static_cast<uint32_t>(Op::OpBitcast), chain.result};
            out.push_back(std::move(chain));
        }
        inst.operands = std::move(operands);
        return Done{};
    }

    // ---- Functions ----

    Result<Done> rewrite(Function& function) {
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op == Op::OpVariable && untyped_.contains(inst.type))
                    return declined_op(inst.op, "has the type of an untyped pointer");
                if (inst.op != kUntypedVariable) continue;
                TRY(type_variable(inst, [&](spv::StorageClass storage, Id pointee) {
                    return builder_->type_pointer(storage, pointee);
                }));
                if (inst.operands.size() > 1) inst.operands[1] = as_constant(inst.id(1));
            }
        casts_.clear();
        chains_.clear();
        entry_.clear();
        for (Block& block : function.blocks) {
            std::vector<Instruction> body;
            {
                const SinkScope sink(*builder_, &body);
                for (Instruction& inst : block.body) {
                    builder_->set_line(inst.line);
                    const Result<bool> stays = rewrite(inst);
                    if (!stays) return stays.error();
                    if (*stays) body.push_back(std::move(inst));
                }
            }
            block.body = std::move(body);
            accessed_.clear();
            use_bytes(block.terminator);
        }
        builder_->set_line({});
        if (!entry_.empty()) function.insert_at_entry(std::move(entry_));
        return Done{};
    }

    Id as_constant(Id value) {
        const auto variable = variables_.find(value);
        if (variable == variables_.end()) return value;
        Id& cast = constant_casts_[value];
        if (!cast)
            cast = builder_->global(Op::OpSpecConstantOp, variable->second.bytes,
                                    {static_cast<uint32_t>(Op::OpBitcast), value});
        return cast;
    }

    /// A variable's address as a pointer to bytes, which is made at the entry of the function.
    Id as_bytes(Id value) {
        const auto variable = variables_.find(value);
        if (variable == variables_.end()) return value;
        Id& cast = casts_[value];
        if (!cast) {
            const SinkScope sink(*builder_, &entry_);
            cast = builder_->append(Op::OpBitcast, variable->second.bytes, {value});
        }
        return cast;
    }
    /// For operands through which nothing is accessed.
    void use_bytes(Instruction& inst) {
        for (size_t i = 0; i < inst.operands.size(); ++i)
            if (inst.operands[i].is_id && !accessed_.contains(static_cast<uint32_t>(i)))
                inst.operands[i] = inst.operands[i].with(as_bytes(inst.id(i)));
    }

    bool is_untyped(Id value) const { return untyped_.contains(type_of(value)); }

    /// The same address as a pointer to `pointee`. It is not of another type already.
    Id as(Id pointer, Id pointee) {
        const auto variable = variables_.find(pointer);
        const Id type = variable == variables_.end() ? builder_->type_of(pointer) : variable->second.typed;
        if (builder_->pointee(type) == pointee) return pointer;
        if (const auto chain = chains_.find(pointer);
            chain != chains_.end() && builder_->pointee(builder_->type_of(chain->second)) == pointee)
            return chain->second;
        if (pointee == byte_ && variable != variables_.end()) return as_bytes(pointer);
        return builder_->append(Op::OpBitcast, builder_->type_pointer(builder_->storage(type), pointee),
                                {pointer});
    }
    /// Where the operand is an untyped pointer. Others are right, or for the validator to judge.
    void access(Instruction& inst, size_t operand, Id pointee) {
        if (operand >= inst.operands.size() || !inst.operands[operand].is_id || !pointee) return;
        if (!is_untyped(inst.id(operand)) || !is_data_type(pointee)) return;
        inst.operands[operand] = as(inst.id(operand), pointee);
        accessed_.insert(static_cast<uint32_t>(operand));
    }

    /// Whether the instruction stays; what it becomes may stand before it.
    Result<bool> rewrite(Instruction& inst) {
        if (is_debug(inst)) return true;
        accessed_.clear();
        if (is_untyped_chain(inst.op)) {
            TRY(rewrite_chain(inst));
            return true;
        }
        if (inst.op == kUntypedPrefetch) return false;
        if (inst.op == kUntypedArrayLength) return declined_op(inst.op, "has no meaning in a kernel");
        if (inst.op == kUntypedAsyncCopy) {
            TRY(rewrite_async_copy(inst));
            use_bytes(inst);
            return true;
        }
        switch (inst.op) {
            case Op::OpLifetimeStart:
            case Op::OpLifetimeStop:
                if (is_untyped(inst.id(0))) return false;
                break;
            case Op::OpLoad: access(inst, 0, inst.type); break;
            case Op::OpStore: access(inst, 0, type_of(inst.id(1))); break;
            case Op::OpAtomicStore: access(inst, 0, type_of(inst.id(3))); break;
            case Op::OpAtomicFlagTestAndSet:
            case Op::OpAtomicFlagClear: access(inst, 0, builder_->type_int(32)); break;
            case Op::OpCopyMemory: TRY(rewrite_copy_memory(inst)); break;
            case Op::OpFunctionCall: rewrite_call(inst); break;
            case Op::OpPtrDiff:
                if (is_untyped(inst.id(0)) != is_untyped(inst.id(1)))
                    return declined_op(inst.op, "has a pointer with a type and one without");
                break;
            case Op::OpPtrCastToGeneric:
            case Op::OpGenericCastToPtr:
            case Op::OpGenericCastToPtrExplicit:
                if (builder_->is_pointer(inst.type)) access(inst, 0, builder_->pointee(inst.type));
                break;
            case Op::OpBitcast:
                inst.operands[0] = as_bytes(inst.id(0));
                if (builder_->type_of(inst.id(0)) == inst.type) inst.op = Op::OpCopyObject;
                break;
            case Op::OpGroupWaitEvents: access(inst, 2, type(Op::OpTypeEvent)); break;
            case Op::OpEnqueueMarker:
                access(inst, 2, type(Op::OpTypeDeviceEvent));
                access(inst, 3, type(Op::OpTypeDeviceEvent));
                break;
            case Op::OpEnqueueKernel:
                access(inst, 4, type(Op::OpTypeDeviceEvent));
                access(inst, 5, type(Op::OpTypeDeviceEvent));
                break;
            case Op::OpGroupAsyncCopy:
                if (is_untyped(inst.id(1)) || is_untyped(inst.id(2)))
                    return declined_op(inst.op, "has pointers that do not say what is copied");
                break;
            case Op::OpSubgroupBlockReadINTEL: access(inst, 0, builder_->element(inst.type)); break;
            case Op::OpSubgroupBlockWriteINTEL: {
                const Id type = type_of(inst.id(1));
                if (type && is_data_type(type)) access(inst, 0, builder_->element(type));
                break;
            }
            default:
                if (is_atomic(inst.op)) access(inst, 0, inst.type);
                if (is_access_chain(inst.op) && untyped_.contains(inst.type))
                    return declined_op(inst.op, "has the type of an untyped pointer");
                break;
        }
        use_bytes(inst);
        return true;
    }

    /// The type of the module, or none.
    Id type(Op op) {
        const auto [known, is_new] = opaque_types_.try_emplace(static_cast<uint32_t>(op));
        if (is_new) {
            const auto found = std::ranges::find(module_.globals, op, &Instruction::op);
            if (found != module_.globals.end()) known->second = found->result;
        }
        return known->second;
    }

    Result<Done> rewrite_chain(Instruction& inst) {
        const Op op = inst.op;
        const Result<Id> reached = reached_type(op, inst, 0);
        if (!reached) return reached.error();
        TRY(check_chain(op, inst.type, type_of(inst.id(1))));
        const spv::StorageClass storage = builder_->storage(inst.type);
        Instruction chain = {.op = typed_chain(op),
                             .type = inst.type,
                             .result = inst.result,
                             .operands = {as(inst.id(1), inst.id(0))},
                             .line = inst.line};
        for (size_t i = 2; i < inst.operands.size(); ++i) chain.operands.push_back(inst.operands[i]);
        if (*reached != byte_) {
            chain.type = builder_->type_pointer(storage, *reached);
            chain.result = builder_->fresh();
            chains_[inst.result] = chain.result;
            inst.op = Op::OpBitcast;
            inst.operands = {chain.result};
            builder_->append(std::move(chain));
        } else {
            inst = std::move(chain);
        }
        return Done{};
    }

    /// As many bytes are copied as the type has to which one of the two points.
    Result<Done> rewrite_copy_memory(Instruction& inst) {
        const bool to_untyped = is_untyped(inst.id(0)), from_untyped = is_untyped(inst.id(1));
        if (to_untyped && from_untyped) return declined_op(inst.op, "has two untyped pointers");
        const Id typed = type_of(inst.id(to_untyped ? 1 : 0));
        if (typed && builder_->is_pointer(typed)) access(inst, to_untyped ? 0 : 1, builder_->pointee(typed));
        return Done{};
    }

    void rewrite_call(Instruction& inst) {
        const auto type = function_types_.find(inst.id(0));
        const Instruction* function =
            type == function_types_.end() ? nullptr : builder_->find_global(type->second);
        if (!function || function->op != Op::OpTypeFunction) return;
        const Operands params =
            function->operands;  // the return type is first, as the function is in the call
        for (size_t i = 1; i < std::min(params.size(), inst.operands.size()); ++i)
            if (builder_->is_pointer(params[i].id()) && !untyped_.contains(params[i].id()))
                access(inst, i, builder_->pointee(params[i].id()));
    }

    /// Elements are as large as the copy's alignment allows. Between them may be a gap.
    Result<Done> rewrite_async_copy(Instruction& inst) {
        constexpr size_t kTo = 1, kFrom = 2, kBytes = 3, kCount = 4, kStride = 5, kEvent = 6, kMemory = 7;
        constexpr uint64_t kMaxUnit = 8;
        const uint64_t bytes = builder_->constant_value(inst.id(kBytes)).value_or(0),
                       stride = builder_->constant_value(inst.id(kStride)).value_or(0);
        const Id number = type_of(inst.id(kCount));
        if (bytes == 0 || stride == 0 || !number || !builder_->is_int(number))
            return declined_op(inst.op, "has elements or a stride whose size is not known");
        for (const size_t operand : {kTo, kFrom}) {
            const Id type = type_of(inst.id(operand));
            if (!type || !builder_->is_pointer(type))
                return declined_op(inst.op, "copies to or from what is no pointer");
        }
        const uint64_t unit = std::gcd(std::gcd(bytes, kMaxUnit), alignment(inst, kMemory));
        if (stride != bytes && (unit != bytes || stride % unit != 0))
            return declined_op(inst.op, "has a stride, and elements that are not aligned");
        const auto bits = static_cast<uint32_t>(unit * 8);
        if (bits == 16) builder_->capability(spv::Capability::Int16);
        if (bits == 64) builder_->capability(spv::Capability::Int64);
        const Id element = builder_->type_int(bits);
        access(inst, kTo, element);
        access(inst, kFrom, element);
        Id count = inst.id(kCount);
        if (unit != bytes)
            count =
                builder_->append(Op::OpIMul, number, {count, builder_->constant_int(number, bytes / unit)});
        inst.op = Op::OpGroupAsyncCopy;
        inst.operands = {inst.operands[0],
                         inst.operands[kTo],
                         inst.operands[kFrom],
                         count,
                         builder_->constant_int(number, stride == bytes ? 1 : stride / unit),
                         inst.operands[kEvent]};
        return Done{};
    }
    /// The smaller one, where both accesses say something.
    static uint64_t alignment(const Instruction& inst, size_t first) {
        uint64_t least = 0;
        for (size_t at = first; at < inst.operands.size(); ++at) {
            const bool says = (inst.word(at) & static_cast<uint32_t>(spv::MemoryAccessMask::Aligned)) != 0;
            const uint64_t bytes = says && at + 1 < inst.operands.size() ? inst.word(++at) : 1;
            least = least == 0 ? bytes : std::min(least, bytes);
        }
        return std::max<uint64_t>(least, 1);
    }

    Module& module_;
    std::optional<Builder> builder_ = {};
    Id byte_ = {};
    IdSet untyped_ = {};                              // types of pointers
    std::unordered_map<uint64_t, Id> pointers_ = {};  // types by storage class and pointee
    IdMap<Id> function_types_ = {};                   // by function
    IdMap<Id> opaque_types_ = {};                     // by their ops
    IdMap<Id> cast_sources_ = {};                     // of constant casts of casts
    IdMap<Variable> variables_ = {};
    IdMap<Id> constant_casts_ = {};        // by variable
    IdMap<Id> casts_ = {};                 // by variable, in the function at hand
    IdMap<Id> chains_ = {};                // typed pointers, by the untyped ones of the function
    std::vector<Instruction> entry_ = {};  // stands after the function's variables
    IdSet accessed_ = {};                  // operands of the instruction at hand
};

}  // namespace

Result<bool> type_untyped_pointers(Module& module) { return PointerTyper(module).run(); }

}  // namespace caldera::vulkan
