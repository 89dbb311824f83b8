// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/odd_vectors.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "spirv/builder.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "spirv/uses.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr size_t kMaxComponents = 2'000'000;  // of all values
constexpr uint32_t kUndefinedLane = 0xffffffff;

/// Whether each component of the result is the operation on those of the operands (SPIR-V 3.52.11
/// to 3.52.15).
bool is_operation_on_components(Op op) {
    const auto within = [op](Op first, Op last) { return op >= first && op <= last; };
    return within(Op::OpConvertFToU, Op::OpFConvert) || within(Op::OpConvertPtrToU, Op::OpGenericCastToPtr) ||
           within(Op::OpSNegate, Op::OpFMod) || within(Op::OpIsNan, Op::OpSignBitSet) ||
           within(Op::OpLessOrGreater, Op::OpFUnordGreaterThanEqual) ||
           within(Op::OpShiftRightLogical, Op::OpNot) || op == Op::OpBitReverse || op == Op::OpBitCount;
}
bool is_pointer_chain(Op op) {
    return op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain || op == Op::OpPtrAccessChain ||
           op == Op::OpInBoundsPtrAccessChain;
}

class VectorSplitter {
 public:
    explicit VectorSplitter(Module& module) : module_(module) {}

    Result<bool> run() {
        IdSet pointers;
        for (const Instruction& inst : module_.globals) {
            if (inst.op == Op::OpTypePointer) pointers.insert(inst.result);
            if (inst.op != Op::OpTypeVector) continue;
            const bool is_usual = std::ranges::count(std::array{2, 3, 4, 8, 16}, inst.word(1)) != 0;
            if (!is_usual || pointers.contains(inst.id(0))) odd_.insert(inst.result);
        }
        if (odd_.empty()) return false;
        builder_.emplace(module_);
        if (!globals()) return error_;
        for (Function& function : module_.functions)
            if (!split(function)) return error_;
        std::erase_if(module_.globals, [&](const Instruction& inst) {
            return odd_.contains(inst.result) || odd_.contains(inst.type);
        });
        drop_claims();
        drop_stale_names(module_);
        return true;
    }

 private:
    void drop_claims() {
        constexpr uint32_t kVectorCompute = 5617, kVectorAny = 5619, kMaskedGather = 6427;
        std::erase_if(module_.capabilities, [](const Instruction& inst) {
            return inst.word(0) == kVectorCompute || inst.word(0) == kVectorAny ||
                   inst.word(0) == kMaskedGather;
        });
        std::erase_if(module_.extensions, [](const Instruction& inst) {
            const std::string name = string_at(inst, 0);
            return name == "SPV_INTEL_vector_compute" || name == "SPV_INTEL_masked_gather_scatter";
        });
    }

    bool decline(Id type, Op op) {
        const InstructionGrammar* rule = grammar(op);
        error_.message = builder_->is_pointer(builder_->element(type))
                             ? std::string("vectors of pointers")
                             : "vectors of " + std::to_string(builder_->count(type)) + " components";
        error_.message += " are not supported";
        if (rule) error_.message += " in " + std::string(rule->name);
        return false;
    }

    bool is_odd(Id type) const { return type && odd_.contains(type); }
    Id type_of(Id value) const { return builder_->type_of(value); }

    // ---- Module scope ----

    /// A pointer to such a vector becomes one to its first component.
    bool globals() {
        for (size_t i = 0; i < module_.globals.size(); ++i) {  // builder_ may append to them
            Instruction& inst = module_.globals[i];
            if (is_odd(inst.type)) {
                const Instruction constant = inst;  // which new globals would move
                if (!constant_parts(constant)) return false;
                continue;
            }
            if (inst.type && inst.op != Op::OpVariable) continue;
            if (inst.op == Op::OpTypePointer && is_odd(inst.id(1))) {
                inst.operands[1] = builder_->element(inst.id(1));
                to_odd_.insert(inst.result);
                continue;
            }
            if (inst.op == Op::OpVariable && to_odd_.contains(inst.type)) return decline_variable();
            for (const Operand& operand : inst.operands)
                if (!inst.type && operand.is_id && is_odd(operand.id()))
                    return decline(operand.id(), inst.op);
        }
        return true;
    }
    bool decline_variable() {
        error_.message = "variables of vectors that OpenCL does not have are not supported";
        return false;
    }

    bool constant_parts(const Instruction& inst) {
        const uint32_t count = builder_->count(inst.type);
        const Id element = builder_->element(inst.type);
        std::vector<Id> parts;
        switch (inst.op) {
            case Op::OpUndef: parts.assign(count, builder_->undef(element)); break;
            case Op::OpConstantNull: parts.assign(count, builder_->constant_null(element)); break;
            case Op::OpConstantComposite:
            case Op::OpSpecConstantComposite:
                for (const Operand& part : inst.operands) parts.push_back(part.id());
                break;
            default: return decline(inst.type, inst.op);
        }
        if (parts.size() != count) return decline(inst.type, inst.op);
        return keep(inst.result, std::move(parts));
    }

    bool keep(Id value, std::vector<Id> parts) {
        total_ += parts.size();
        if (total_ > kMaxComponents) {
            error_.message = "the module has too many long vectors";
            return false;
        }
        parts_[value] = std::move(parts);
        return true;
    }

    // ---- Functions ----

    bool split(Function& function) {
        for (const Instruction& param : function.params)
            if (is_odd(param.type)) return decline(param.type, param.op);
        if (is_odd(function.return_type())) return decline(function.return_type(), function.def.op);
        phis_.clear();
        for (Block& block : function.blocks) {
            std::vector<Instruction> body;
            const SinkScope sink(*builder_, &body);
            for (Instruction& inst : block.body) {
                builder_->set_line(inst.line);
                if (inst.op == Op::OpVariable && to_odd_.contains(inst.type)) return decline_variable();
                if (!concerns(inst))
                    builder_->append(std::move(inst));
                else if (!split(inst))
                    return false;
            }
            block.body = std::move(body);
        }
        return phis_.empty() || complete_phis(function);
    }

    bool concerns(const Instruction& inst) const {
        return is_odd(inst.type) || std::ranges::any_of(inst.operands, [&](const Operand& operand) {
                   return operand.is_id && is_odd(type_of(operand.id()));
               });
    }

    /// The components of a vector of any length, or of a scalar, which are all the same.
    std::optional<std::vector<Id>> parts(Id value, uint32_t count) {
        const Id type = type_of(value);
        if (is_odd(type)) {
            const auto found = parts_.find(value);
            if (found == parts_.end() || found->second.size() != count) return std::nullopt;
            return found->second;
        }
        if (!type || !builder_->is_vector(type)) return std::vector<Id>(count, value);
        if (builder_->count(type) != count) return std::nullopt;
        std::vector<Id> out;
        for (uint32_t i = 0; i < count; ++i)
            out.push_back(builder_->append(Op::OpCompositeExtract, builder_->element(type), {value, i}));
        return out;
    }
    std::optional<std::vector<Id>> own_parts(Id value) {
        const Id type = type_of(value);
        if (!type || !builder_->find_global(type)) return std::nullopt;
        return parts(value, builder_->is_vector(type) ? builder_->count(type) : 1);
    }

    /// The result is those components: a vector of OpenCL is put together.
    bool finish(const Instruction& inst, std::vector<Id> out) {
        if (is_odd(inst.type)) {
            if (out.size() != builder_->count(inst.type)) return decline(inst.type, inst.op);
            return keep(inst.result, std::move(out));
        }
        Instruction made = {
            .op = Op::OpCopyObject, .type = inst.type, .result = inst.result, .line = inst.line};
        if (builder_->is_vector(inst.type)) made.op = Op::OpCompositeConstruct;
        for (const Id part : out) made.operands.push_back(part);
        builder_->append(std::move(made));
        return true;
    }

    bool split(Instruction& inst) {
        const Id odd = is_odd(inst.type) ? inst.type : first_odd_operand(inst);
        const uint32_t count = builder_->count(odd);
        switch (inst.op) {
            case Op::OpUndef:
                return finish(inst, std::vector<Id>(count, builder_->undef(builder_->element(odd))));
            case Op::OpCopyObject: {
                auto out = own_parts(inst.id(0));
                return out ? finish(inst, std::move(*out)) : decline(odd, inst.op);
            }
            case Op::OpPhi: return split_phi(inst, odd, count);
            case Op::OpLoad: return split_load(inst, odd, count);
            case Op::OpStore: return split_store(inst, odd, count);
            case Op::OpCompositeConstruct: {
                std::vector<Id> out;
                for (const Operand& part : inst.operands) {
                    const auto more = own_parts(part.id());
                    if (!more) return decline(odd, inst.op);
                    out.insert(out.end(), more->begin(), more->end());
                }
                return finish(inst, std::move(out));
            }
            case Op::OpCompositeExtract: {
                const auto from = own_parts(inst.id(0));
                if (!from || inst.operands.size() != 2 || inst.word(1) >= from->size())
                    return decline(odd, inst.op);
                return finish(inst, {(*from)[inst.word(1)]});
            }
            case Op::OpCompositeInsert: {
                auto out = own_parts(inst.id(1));
                if (!out || inst.operands.size() != 3 || inst.word(2) >= out->size() || !is_odd(inst.type))
                    return decline(odd, inst.op);
                (*out)[inst.word(2)] = inst.id(0);
                return finish(inst, std::move(*out));
            }
            case Op::OpVectorShuffle: return shuffle(inst, odd);
            case Op::OpVectorExtractDynamic: {
                const auto from = own_parts(inst.id(0));
                if (!from) return decline(odd, inst.op);
                Id chosen = from->front();
                for (uint32_t i = 1; i < from->size(); ++i)
                    chosen = builder_->append(Op::OpSelect, inst.type,
                                              {is_index(inst.id(1), i), (*from)[i], chosen});
                return finish(inst, {chosen});
            }
            case Op::OpVectorInsertDynamic: {
                auto out = own_parts(inst.id(0));
                if (!out) return decline(odd, inst.op);
                for (uint32_t i = 0; i < out->size(); ++i)
                    (*out)[i] = builder_->append(Op::OpSelect, builder_->element(odd),
                                                 {is_index(inst.id(2), i), inst.id(1), (*out)[i]});
                return finish(inst, std::move(*out));
            }
            case Op::OpAny:
            case Op::OpAll: {
                const auto from = own_parts(inst.id(0));
                if (!from) return decline(odd, inst.op);
                const Op join = inst.op == Op::OpAny ? Op::OpLogicalOr : Op::OpLogicalAnd;
                Id all = from->front();
                for (size_t i = 1; i < from->size(); ++i)
                    all = builder_->append(join, inst.type, {all, (*from)[i]});
                return finish(inst, {all});
            }
            case Op::OpBitcast: {
                const Id from = type_of(inst.id(0));
                const bool fits =
                    is_odd(inst.type) && from && builder_->is_vector(from) && builder_->count(from) == count;
                return fits ? by_component(inst, odd, count, 0) : decline(odd, inst.op);
            }
            case Op::OpSelect: return by_component(inst, odd, count, 0);
            case Op::OpExtInst: return by_component(inst, odd, count, 2);
            default:
                if (is_operation_on_components(inst.op) || is_pointer_chain(inst.op))
                    return by_component(inst, odd, count, 0);
                return decline(odd, inst.op);
        }
    }
    Id first_odd_operand(const Instruction& inst) const {
        for (const Operand& operand : inst.operands)
            if (operand.is_id && is_odd(type_of(operand.id()))) return type_of(operand.id());
        return {};
    }
    Id is_index(Id index, uint32_t i) {
        return builder_->append(Op::OpIEqual, builder_->type_bool(),
                                {index, builder_->constant_int(type_of(index), i)});
    }

    /// The instruction for each component. The first `kept` operands are for all.
    bool by_component(const Instruction& inst, Id odd, uint32_t count, size_t kept) {
        const bool fits = inst.type && builder_->is_vector(inst.type) && builder_->count(inst.type) == count;
        if (!fits) return decline(odd, inst.op);
        std::vector<std::vector<Id>> operands;
        for (size_t i = kept; i < inst.operands.size(); ++i) {
            auto split = inst.operands[i].is_id ? parts(inst.id(i), count) : std::nullopt;
            if (!split) return decline(odd, inst.op);
            operands.push_back(std::move(*split));
        }
        std::vector<Id> out;
        for (uint32_t lane = 0; lane < count; ++lane) {
            Operands each;
            for (size_t i = 0; i < kept; ++i) each.push_back(inst.operands[i]);
            for (const std::vector<Id>& split : operands) each.push_back(split[lane]);
            out.push_back(builder_->append(inst.op, builder_->element(inst.type), std::move(each)));
        }
        return finish(inst, std::move(out));
    }

    bool shuffle(const Instruction& inst, Id odd) {
        const auto first = own_parts(inst.id(0)), second = own_parts(inst.id(1));
        if (!first || !second) return decline(odd, inst.op);
        std::vector<Id> out;
        for (size_t i = 2; i < inst.operands.size(); ++i) {
            const uint64_t lane = inst.word(i);
            if (lane == kUndefinedLane)
                out.push_back(builder_->undef(builder_->element(inst.type)));
            else if (lane < first->size() + second->size())
                out.push_back(lane < first->size() ? (*first)[lane] : (*second)[lane - first->size()]);
            else
                return decline(odd, inst.op);
        }
        return finish(inst, std::move(out));
    }

    // ---- Phis: their operands may be defined later ----

    struct Phi {
        Instruction whole = {};
        std::vector<Id> results = {};
    };
    bool split_phi(const Instruction& inst, Id odd, uint32_t count) {
        if (!is_odd(inst.type)) return decline(odd, inst.op);
        Phi phi = {.whole = inst};
        for (uint32_t i = 0; i < count; ++i)
            phi.results.push_back(builder_->append(Op::OpPhi, builder_->element(inst.type), {}));
        std::vector<Id> results = phi.results;
        phis_.push_back(std::move(phi));
        return finish(inst, std::move(results));
    }
    bool complete_phis(Function& function) {
        IdMap<std::pair<size_t, uint32_t>> places;  // phi and component, by result
        for (size_t p = 0; p < phis_.size(); ++p)
            for (uint32_t lane = 0; lane < phis_[p].results.size(); ++lane)
                places[phis_[p].results[lane]] = {p, lane};
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (inst.op != Op::OpPhi) continue;
                const auto place = places.find(inst.result);
                if (place == places.end()) continue;
                const Instruction& whole = phis_[place->second.first].whole;
                for (size_t i = 0; i + 1 < whole.operands.size(); i += 2) {
                    const auto from = parts_.find(whole.id(i));
                    if (from == parts_.end() || place->second.second >= from->second.size())
                        return decline(whole.type, whole.op);
                    inst.operands.push_back(from->second[place->second.second]);
                    inst.operands.push_back(whole.operands[i + 1]);
                }
            }
        return true;
    }

    // ---- Memory ----

    /// Components lie behind one another.
    bool split_load(const Instruction& inst, Id odd, uint32_t count) {
        std::vector<Id> out;
        for (uint32_t lane = 0; lane < count; ++lane) {
            Operands operands = {component(inst.id(0), odd, lane)};
            if (!operands[0].id() || !add_memory(inst, 1, odd, lane, operands)) return decline(odd, inst.op);
            out.push_back(builder_->append(Op::OpLoad, builder_->element(odd), std::move(operands)));
        }
        return finish(inst, std::move(out));
    }
    bool split_store(const Instruction& inst, Id odd, uint32_t count) {
        const auto values = parts(inst.id(1), count);
        if (!values) return decline(odd, inst.op);
        for (uint32_t lane = 0; lane < count; ++lane) {
            Operands operands = {component(inst.id(0), odd, lane), (*values)[lane]};
            if (!operands[0].id() || !add_memory(inst, 2, odd, lane, operands)) return decline(odd, inst.op);
            builder_->append_void(Op::OpStore, std::move(operands));
        }
        return true;
    }
    Id component(Id pointer, Id odd, uint32_t lane) {
        const Id type = type_of(pointer), element = builder_->element(odd);
        if (!type || !builder_->is_pointer(type) || builder_->pointee(type) != element) return {};
        if (bytes(element) == 0) return {};
        if (lane == 0) return pointer;
        return builder_->append(Op::OpInBoundsPtrAccessChain, type, {pointer, builder_->constant_u64(lane)});
    }
    uint32_t bytes(Id element) const {
        if (builder_->is_pointer(element)) return 8;
        return builder_->is_int(element) || builder_->is_float(element) ? builder_->width(element) / 8 : 0;
    }
    bool add_memory(const Instruction& inst, size_t at, Id odd, uint32_t lane, Operands& operands) {
        if (at == inst.operands.size()) return true;
        constexpr auto kAligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned),
                       kPlain = kAligned | static_cast<uint32_t>(spv::MemoryAccessMask::Volatile) |
                                static_cast<uint32_t>(spv::MemoryAccessMask::Nontemporal);
        const uint32_t mask = inst.word(at);
        if ((mask & ~kPlain) != 0) return false;
        operands.push_back(mask);
        if ((mask & kAligned) == 0) return true;
        if (at + 1 >= inst.operands.size()) return false;
        operands.push_back(std::gcd(inst.word(at + 1), lane * bytes(builder_->element(odd))));
        return true;
    }

    Module& module_;
    std::optional<Builder> builder_ = {};
    IdSet odd_ = {};     // types of vectors
    IdSet to_odd_ = {};  // types of pointers to them
    IdMap<std::vector<Id>> parts_ = {};
    std::vector<Phi> phis_ = {};  // of the function at hand
    size_t total_ = 0;
    Error error_ = {};
};

}  // namespace

Result<bool> split_odd_vectors(Module& module) { return VectorSplitter(module).run(); }

}  // namespace caldera::vulkan
