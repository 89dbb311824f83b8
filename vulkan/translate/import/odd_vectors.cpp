// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/odd_vectors.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <span>

#include "spirv/builder.h"
#include "spirv/debug_info.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/recast.h"
#include "vulkan/translate/support/who_uses.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr size_t kMaxComponents = 2'000'000;  // of all values and their uses
constexpr uint32_t kMaxLength = 128;          // integers of 8 bits name each component

/// Whether each component of the result is the operation on those of the operands (SPIR-V 3.52.11
/// to 3.52.15).
bool is_operation_on_components(Op op) {
    const auto within = [op](Op first, Op last) { return op >= first && op <= last; };
    return within(Op::OpConvertFToU, Op::OpFConvert) || within(Op::OpConvertPtrToU, Op::OpGenericCastToPtr) ||
           within(Op::OpSNegate, Op::OpFMod) || within(Op::OpIsNan, Op::OpSignBitSet) ||
           within(Op::OpLessOrGreater, Op::OpFUnordGreaterThanEqual) ||
           within(Op::OpShiftRightLogical, Op::OpNot) || op == Op::OpBitReverse || op == Op::OpBitCount;
}
bool has_element(Op chain) { return chain == Op::OpPtrAccessChain || chain == Op::OpInBoundsPtrAccessChain; }
/// The same for OpenCL.std: mathematics, integers and common functions, without those that have pointers.
bool is_function_on_components(uint32_t function) {
    switch (static_cast<OpenCLLIB::Entrypoints>(function)) {
        case OpenCLLIB::Fract:
        case OpenCLLIB::Frexp:
        case OpenCLLIB::Lgamma_r:
        case OpenCLLIB::Modf:
        case OpenCLLIB::Remquo:
        case OpenCLLIB::Sincos: return false;
        case OpenCLLIB::Bitselect:
        case OpenCLLIB::Select: return true;
        default: break;
    }
    const auto within = [function](OpenCLLIB::Entrypoints first, OpenCLLIB::Entrypoints last) {
        return function >= first && function <= last;
    };
    return within(OpenCLLIB::Acos, OpenCLLIB::Native_tan) || within(OpenCLLIB::FClamp, OpenCLLIB::Sign) ||
           within(OpenCLLIB::SAbs, OpenCLLIB::UMul24) || within(OpenCLLIB::UAbs, OpenCLLIB::UMad_hi);
}
bool is_about_arithmetic(spv::Decoration decoration) {
    using enum spv::Decoration;
    return decoration == SaturatedConversion || decoration == FPRoundingMode ||
           decoration == FPFastMathMode || decoration == NoContraction || decoration == NoSignedWrap ||
           decoration == NoUnsignedWrap;
}

class VectorSplitter {
 public:
    explicit VectorSplitter(Module& module) : module_(module) {}

    Result<bool> run() {
        if (!find_vectors()) return error_;
        if (odd_.empty()) return false;
        builder_.emplace(module_);
        if (!globals()) {
            error_.message = place_of_user(module_, global_) + error_.message;
            return error_;
        }
        for (Function& function : module_.functions)
            if (!split(function)) {
                error_.message = place_of(module_, function.id(), line_) + error_.message;
                return error_;
            }
        std::erase_if(module_.globals, [&](const Instruction& inst) {
            return odd_.contains(inst.result) || odd_.contains(inst.type);
        });
        drop_claims();
        drop_stale_names(module_);
        return true;
    }

 private:
    /// Vectors of what may be no component are for the validator to decline.
    bool find_vectors() {
        IdSet pointers, numbers;
        for (const Instruction& inst : module_.globals) {
            if (inst.op == Op::OpTypePointer) pointers.insert(inst.result);
            if (inst.op == Op::OpTypeInt || inst.op == Op::OpTypeFloat || inst.op == Op::OpTypeBool)
                numbers.insert(inst.result);
            if (inst.op != Op::OpTypeVector) continue;
            const uint32_t length = inst.word(1);
            if (length == 0 || length > kMaxLength) {
                error_.message = place_of_user(module_, inst.result) + "vectors of " +
                                 std::to_string(length) + " components are not supported";
                return false;
            }
            const bool is_usual = std::ranges::count(std::array{2u, 3u, 4u, 8u, 16u}, length) != 0;
            if (pointers.contains(inst.id(0)) || (!is_usual && numbers.contains(inst.id(0))))
                odd_.insert(inst.result);
        }
        return true;
    }

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

    bool decline_pointers(Op op) {
        const InstructionGrammar* rule = grammar(op);
        error_.message = (rule ? std::string(rule->name) : std::string("an instruction")) +
                         " through pointers to vectors that OpenCL does not have is not supported";
        return false;
    }
    /// Counts components before they are made.
    bool charge(size_t components) {
        total_ += components;
        if (total_ <= kMaxComponents) return true;
        error_.message = "the module has too many long vectors";
        return false;
    }

    bool is_odd(Id type) const { return type && odd_.contains(type); }
    Id type_of(Id value) const { return builder_->type_of(value); }

    // ---- Module scope ----

    /// A pointer to such a vector becomes one to its first component.
    bool globals() {
        for (size_t i = 0; i < module_.globals.size(); ++i) {  // builder_ may append to them
            Instruction& inst = module_.globals[i];
            global_ = inst.result;
            if (is_odd(inst.type)) {
                const Instruction constant = inst;  // which new globals would move
                if (!constant_parts(constant)) return false;
                continue;
            }
            if (inst.type && !check_constant(inst)) return false;
            if (inst.type && inst.op != Op::OpVariable) continue;
            if (inst.op == Op::OpTypePointer && is_odd(inst.id(1))) {
                to_odd_[inst.result] = inst.id(1);
                inst.operands[1] = builder_->element(inst.id(1));
                continue;
            }
            if (inst.op == Op::OpVariable && to_odd_.contains(inst.type)) return decline_variable();
            for (const Operand& operand : inst.operands)
                if (!inst.type && operand.is_id && is_odd(operand.id()))
                    return decline(operand.id(), inst.op);
        }
        return true;
    }
    /// Constants may cast such a pointer, not count its vectors.
    bool check_constant(const Instruction& inst) {
        const Op op = inst.op == Op::OpSpecConstantOp ? static_cast<Op>(inst.word(0)) : inst.op;
        if (is_about_addresses(op)) return true;
        const bool any = std::ranges::any_of(inst.operands, [&](const Operand& operand) {
            return operand.is_id && vector_behind(operand.id());
        });
        return !any || decline_pointers(op);
    }
    bool decline_variable() {
        error_.message = "variables of vectors that OpenCL does not have are not supported";
        return false;
    }

    bool constant_parts(const Instruction& inst) {
        const uint32_t count = builder_->count(inst.type);
        const Id element = builder_->element(inst.type);
        if (!charge(count)) return false;
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
        parts_[inst.result] = std::move(parts);
        return true;
    }

    // ---- Functions ----

    bool split(Function& function) {
        line_ = function.def.line;
        for (const Instruction& param : function.params)
            if (is_odd(param.type)) return decline(param.type, param.op);
        if (is_odd(function.return_type())) return decline(function.return_type(), function.def.op);
        phis_.clear();
        for (Block& block : function.blocks) {
            std::vector<Instruction> body;
            const SinkScope sink(*builder_, &body);
            for (Instruction& inst : block.body) {
                line_ = inst.line;
                builder_->set_line(inst.line);
                if (inst.op == Op::OpVariable && to_odd_.contains(inst.type)) return decline_variable();
                if (!check_pointers(inst)) return false;
                if (!concerns(inst))
                    builder_->append(inst);  // a copy: who_uses() may look at the calls of this block
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

    /// The type of vector to which the value points, or {}. The value may be a vector of such pointers.
    Id vector_behind(Id value) const {
        Id type = type_of(value);
        if (is_odd(type)) type = builder_->element(type);
        const auto found = type ? to_odd_.find(type) : to_odd_.end();
        return found == to_odd_.end() ? Id{} : found->second;
    }
    /// Declines what depends on the size of such a vector in memory, about which SPIR-V says nothing, and
    /// accesses of another type. A chain to one component becomes one over components.
    bool check_pointers(Instruction& inst) {
        if (to_odd_.empty() || is_about_addresses(inst.op) || is_debug(inst)) return true;
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            const Id vector = inst.operands[i].is_id ? vector_behind(inst.id(i)) : Id{};
            if (!vector) continue;
            const bool is_access = (inst.op == Op::OpLoad && inst.type == vector) ||
                                   (inst.op == Op::OpStore && (i == 1 || type_of(inst.id(1)) == vector));
            const bool is_component = is_access_chain(inst.op) && i == 0 && chain_to_component(inst, vector);
            if (!is_access && !is_component) return decline_pointers(inst.op);
        }
        return true;
    }
    bool chain_to_component(Instruction& inst, Id vector) const {
        if (is_odd(type_of(inst.id(0))) || is_odd(inst.type)) return false;
        const size_t first = has_element(inst.op) ? 2 : 1;
        if (first == 2 && (inst.operands.size() < 2 || builder_->constant_value(inst.id(1)) != 0))
            return false;
        if (inst.operands.size() == first) return true;  // the vector itself
        const Id element = builder_->element(vector);
        const bool fits = inst.operands.size() == first + 1 && builder_->is_pointer(inst.type) &&
                          builder_->pointee(inst.type) == element && !to_odd_.contains(inst.type);
        if (!fits || bytes(element) == 0) return false;
        const bool in_bounds =
            inst.op == Op::OpInBoundsAccessChain || inst.op == Op::OpInBoundsPtrAccessChain;
        inst.op = in_bounds ? Op::OpInBoundsPtrAccessChain : Op::OpPtrAccessChain;
        inst.operands = {inst.operands[0], inst.operands[first]};
        return true;
    }

    /// The components of a vector of any length, or of a scalar, which are all the same. They are in `made`
    /// where they are new. None if the value has another number of them.
    std::span<const Id> parts(Id value, uint32_t count, std::vector<Id>& made) {
        const Id type = type_of(value);
        if (is_odd(type)) {
            const auto found = parts_.find(value);
            if (found == parts_.end() || found->second.size() != count) return {};
            return found->second;
        }
        made.clear();
        if (!type || !builder_->is_vector(type)) {
            made.assign(count, value);
            return made;
        }
        if (builder_->count(type) != count) return {};
        for (uint32_t i = 0; i < count; ++i)
            made.push_back(builder_->append(Op::OpCompositeExtract, builder_->element(type), {value, i}));
        return made;
    }
    std::span<const Id> own_parts(Id value, std::vector<Id>& made) {
        const Id type = type_of(value);
        if (!type || !builder_->find_global(type)) return {};
        return parts(value, builder_->is_vector(type) ? builder_->count(type) : 1, made);
    }

    /// The result is those components: a vector of OpenCL is put together.
    bool finish(const Instruction& inst, std::vector<Id> out) {
        const bool is_vector = builder_->is_vector(inst.type);
        if (out.size() != (is_vector ? builder_->count(inst.type) : 1)) return decline(inst.type, inst.op);
        if (is_odd(inst.type)) {
            parts_[inst.result] = std::move(out);
            return true;
        }
        Instruction made = {
            .op = Op::OpCopyObject, .type = inst.type, .result = inst.result, .line = inst.line};
        if (is_vector) made.op = Op::OpCompositeConstruct;
        for (const Id part : out) made.operands.push_back(part);
        builder_->append(std::move(made));
        return true;
    }

    bool split(Instruction& inst) {
        const Id odd = is_odd(inst.type) ? inst.type : first_odd_operand(inst);
        const uint32_t count = builder_->count(odd);
        const bool is_one = inst.op == Op::OpCompositeExtract || inst.op == Op::OpVectorShuffle;
        if (!charge(is_one ? inst.operands.size() : count * (1 + inst.operands.size()))) return false;
        std::vector<Id> made;
        switch (inst.op) {
            case Op::OpUndef:
                return finish(inst, std::vector<Id>(count, builder_->undef(builder_->element(odd))));
            case Op::OpCopyObject: {
                const std::span<const Id> from = own_parts(inst.id(0), made);
                return finish(inst, {from.begin(), from.end()});
            }
            case Op::OpPhi: return split_phi(inst, odd, count);
            case Op::OpLoad: return split_load(inst, odd, count);
            case Op::OpStore: return split_store(inst, odd, count);
            case Op::OpCompositeConstruct: {
                std::vector<Id> out;
                for (const Operand& part : inst.operands) {
                    const std::span<const Id> more = own_parts(part.id(), made);
                    if (more.empty() || out.size() + more.size() > kMaxLength) return decline(odd, inst.op);
                    out.insert(out.end(), more.begin(), more.end());
                }
                return finish(inst, std::move(out));
            }
            case Op::OpCompositeExtract: {
                const std::span<const Id> from = own_parts(inst.id(0), made);
                if (inst.operands.size() != 2 || inst.word(1) >= from.size()) return decline(odd, inst.op);
                return finish(inst, {from[inst.word(1)]});
            }
            case Op::OpCompositeInsert: {
                const std::span<const Id> from = own_parts(inst.id(1), made);
                if (inst.operands.size() != 3 || inst.word(2) >= from.size() || !is_odd(inst.type))
                    return decline(odd, inst.op);
                std::vector<Id> out(from.begin(), from.end());
                out[inst.word(2)] = inst.id(0);
                return finish(inst, std::move(out));
            }
            case Op::OpVectorShuffle: return shuffle(inst, odd);
            case Op::OpVectorExtractDynamic: {
                const std::span<const Id> from = own_parts(inst.id(0), made);
                if (from.empty() || !is_index(inst.id(1))) return decline(odd, inst.op);
                Id chosen = from.front();
                for (uint32_t i = 1; i < from.size(); ++i)
                    chosen =
                        builder_->append(Op::OpSelect, inst.type, {is_equal(inst.id(1), i), from[i], chosen});
                return finish(inst, {chosen});
            }
            case Op::OpVectorInsertDynamic: {
                const std::span<const Id> from = own_parts(inst.id(0), made);
                if (from.empty() || !is_index(inst.id(2))) return decline(odd, inst.op);
                std::vector<Id> out;
                for (uint32_t i = 0; i < from.size(); ++i)
                    out.push_back(builder_->append(Op::OpSelect, builder_->element(odd),
                                                   {is_equal(inst.id(2), i), inst.id(1), from[i]}));
                return finish(inst, std::move(out));
            }
            case Op::OpAny:
            case Op::OpAll: {
                const std::span<const Id> from = own_parts(inst.id(0), made);
                if (from.empty()) return decline(odd, inst.op);
                const Op join = inst.op == Op::OpAny ? Op::OpLogicalOr : Op::OpLogicalAnd;
                Id all = from.front();
                for (const Id each : from.subspan(1)) all = builder_->append(join, inst.type, {all, each});
                return finish(inst, {all});
            }
            case Op::OpBitcast: return split_bitcast(inst, odd);
            case Op::OpSelect: return by_component(inst, odd, count, 0);
            case Op::OpExtInst: {
                const bool fits = inst.id(0) == opencl_set() && is_function_on_components(inst.word(1));
                return fits ? by_component(inst, odd, count, 2) : decline(odd, inst.op);
            }
            default:
                if (is_operation_on_components(inst.op) || is_access_chain(inst.op))
                    return by_component(inst, odd, count, 0);
                return decline(odd, inst.op);
        }
    }
    Id first_odd_operand(const Instruction& inst) const {
        for (const Operand& operand : inst.operands)
            if (operand.is_id && is_odd(type_of(operand.id()))) return type_of(operand.id());
        return {};
    }
    bool is_index(Id value) const {
        const Id type = type_of(value);
        if (!type || !builder_->is_int(type)) return false;
        return std::ranges::count(std::array{8u, 16u, 32u, 64u}, builder_->width(type)) != 0;
    }
    Id opencl_set() const {
        for (const Instruction& inst : module_.ext_inst_imports)
            if (string_at(inst, 0) == "OpenCL.std") return inst.result;
        return {};
    }
    Id is_equal(Id index, uint32_t i) {
        return builder_->append(Op::OpIEqual, builder_->type_bool(),
                                {index, builder_->constant_int(type_of(index), i)});
    }

    /// The instruction for each component. The first `kept` operands are for all.
    bool by_component(const Instruction& inst, Id odd, uint32_t count, size_t kept) {
        const bool fits = inst.type && builder_->is_vector(inst.type) && builder_->count(inst.type) == count;
        if (!fits) return decline(odd, inst.op);
        std::vector<std::vector<Id>> made(inst.operands.size());
        std::vector<std::span<const Id>> operands;
        for (size_t i = kept; i < inst.operands.size(); ++i) {
            operands.push_back(inst.operands[i].is_id ? parts(inst.id(i), count, made[i])
                                                      : std::span<const Id>());
            if (operands.back().empty()) return decline(odd, inst.op);
        }
        std::vector<Operands> hints;
        if (!add_hints(inst.result, hints) || !charge(hints.size() * count)) return false;
        std::vector<Id> out;
        for (uint32_t lane = 0; lane < count; ++lane) {
            Operands each;
            for (size_t i = 0; i < kept; ++i) each.push_back(inst.operands[i]);
            for (const std::span<const Id> split : operands) each.push_back(split[lane]);
            out.push_back(builder_->append(inst.op, builder_->element(inst.type), std::move(each)));
            for (const Operands& hint : hints) {
                Instruction decoration = {.op = Op::OpDecorate, .operands = hint};
                decoration.operands[0] = out.back();
                module_.annotations.push_back(std::move(decoration));
            }
        }
        return finish(inst, std::move(out));
    }
    /// Adds the value's decorations that say how to calculate, as operands of OpDecorate.
    bool add_hints(Id value, std::vector<Operands>& out) {
        if (!hints_) find_hints();
        const auto add = [&](Id target) {
            const auto found = hints_->find(target);
            if (found == hints_->end()) return true;
            if (!charge(found->second.size())) return false;
            out.insert(out.end(), found->second.begin(), found->second.end());
            return true;
        };
        const auto groups = groups_.find(value);
        return add(value) && (groups == groups_.end() || std::ranges::all_of(groups->second, add));
    }
    void find_hints() {
        hints_.emplace();
        for (const Instruction& inst : module_.annotations) {
            if (inst.op == Op::OpDecorate && is_about_arithmetic(static_cast<spv::Decoration>(inst.word(1))))
                (*hints_)[inst.id(0)].push_back(inst.operands);
            if (inst.op != Op::OpGroupDecorate) continue;
            for (size_t i = 1; i < inst.operands.size(); ++i) groups_[inst.id(i)].push_back(inst.id(0));
        }
    }

    bool split_bitcast(const Instruction& inst, Id odd) {
        const Id from = type_of(inst.id(0));
        if (!from || !builder_->find_global(from)) return decline(odd, inst.op);
        const uint32_t count = builder_->count(inst.type);
        const bool is_alike =
            builder_->is_vector(from) && builder_->is_vector(inst.type) && builder_->count(from) == count;
        if (is_alike) return by_component(inst, odd, count, 0);
        if (!charge(count + builder_->count(from))) return false;
        std::vector<Id> made;
        std::optional<std::vector<Id>> out = recast(*builder_, own_parts(inst.id(0), made),
                                                    builder_->element(from), builder_->element(inst.type));
        return out ? finish(inst, std::move(*out)) : decline(odd, inst.op);
    }

    bool shuffle(const Instruction& inst, Id odd) {
        std::vector<Id> made_first, made_second;
        const std::span<const Id> first = own_parts(inst.id(0), made_first),
                                  second = own_parts(inst.id(1), made_second);
        if (first.empty() || second.empty()) return decline(odd, inst.op);
        std::vector<Id> out;
        for (size_t i = 2; i < inst.operands.size(); ++i) {
            const uint64_t lane = inst.word(i);
            if (lane == kUndefinedComponent)
                out.push_back(builder_->undef(builder_->element(inst.type)));
            else if (lane < first.size() + second.size())
                out.push_back(lane < first.size() ? first[lane] : second[lane - first.size()]);
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
        std::vector<Id> made;
        const std::span<const Id> values = parts(inst.id(1), count, made);
        if (values.empty() || !is_odd(type_of(inst.id(1)))) return decline(odd, inst.op);
        for (uint32_t lane = 0; lane < count; ++lane) {
            Operands operands = {component(inst.id(0), odd, lane), values[lane]};
            if (!operands[0].id() || !add_memory(inst, 2, odd, lane, operands)) return decline(odd, inst.op);
            builder_->append_void(Op::OpStore, std::move(operands));
        }
        return true;
    }
    Id component(Id pointer, Id odd, uint32_t lane) {
        const Id type = type_of(pointer), element = builder_->element(odd);
        const auto vector = type ? to_odd_.find(type) : to_odd_.end();
        if (vector == to_odd_.end() || vector->second != odd) return {};
        if (bytes(element) == 0) return {};
        if (lane == 0) return pointer;
        return builder_->append(Op::OpInBoundsPtrAccessChain, type, {pointer, builder_->constant_u64(lane)});
    }
    uint32_t bytes(Id element) const {
        if (builder_->is_pointer(element)) return 8;
        if (!builder_->is_int(element) && !builder_->is_float(element)) return 0;
        const uint32_t width = builder_->width(element);
        return std::ranges::count(std::array{8u, 16u, 32u, 64u}, width) != 0 ? width / 8 : 0;
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
    IdSet odd_ = {};         // types of vectors
    IdMap<Id> to_odd_ = {};  // these, by the types of pointers to them
    IdMap<std::vector<Id>> parts_ = {};
    std::vector<Phi> phis_ = {};                              // of the function at hand
    std::optional<IdMap<std::vector<Operands>>> hints_ = {};  // by value or group
    IdMap<std::vector<Id>> groups_ = {};                      // of decorations, by value
    size_t total_ = 0;
    Id global_ = {};  // the global or the line at hand, for messages
    Line line_ = {};
    Error error_ = {};
};

}  // namespace

Result<bool> split_odd_vectors(Module& module) { return VectorSplitter(module).run(); }

}  // namespace caldera::vulkan
