// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/loose_operands.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <utility>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/printf_calls.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

bool is_same_storage(const Builder& builder, Id a, Id b) {
    return builder.is_pointer(a) && builder.is_pointer(b) && builder.storage(a) == builder.storage(b);
}

/// Afterwards each part of a composite has its member's type, if it is a zero or an address.
class ConstantMender {
 public:
    explicit ConstantMender(Module& module) : module_(module), builder_(std::in_place, module) {}

    bool run() {
        const bool any = mend_byte_offsets();
        find_wrong_parts();
        if (wrong_.empty()) return any;
        std::vector<Instruction> out;  // what a part becomes comes before its composite
        for (Instruction& inst : module_.globals) {
            if (const auto parts = wrong_.find(inst.result); parts != wrong_.end()) {
                for (Instruction& part : parts->second.made) out.push_back(std::move(part));
                for (const auto& [operand, part] : parts->second.operands) inst.operands[operand] = part;
            }
            out.push_back(std::move(inst));
        }
        module_.globals = std::move(out);
        return true;
    }

 private:
    /// LLVM counts bytes from the address of a variable. Its back end writes this as an index into the
    /// variable, whatever that is, and a pointer to a byte.
    bool mend_byte_offsets() {
        if (!module_.is_from_llvm()) return false;
        IdSet chains;
        for (const Instruction& inst : module_.globals)
            if (is_byte_offset(inst)) chains.insert(inst.result);
        if (chains.empty()) return false;
        std::vector<Instruction> out;
        for (Instruction& inst : module_.globals) {
            if (chains.contains(inst.result)) {
                const Id bytes = module_.fresh();
                out.push_back({.op = Op::OpSpecConstantOp,
                               .type = inst.type,
                               .result = bytes,
                               .operands = {static_cast<uint32_t>(Op::OpBitcast), inst.operands[1]}});
                inst.operands = {inst.operands[0], bytes, inst.operands[3]};
            }
            out.push_back(std::move(inst));
        }
        module_.globals = std::move(out);
        builder_.emplace(module_);
        return true;
    }
    bool is_byte_offset(const Instruction& inst) const {
        if (inst.op != Op::OpSpecConstantOp || inst.operands.size() != 4) return false;
        const auto op = static_cast<Op>(inst.word(0));
        if (op != Op::OpPtrAccessChain && op != Op::OpInBoundsPtrAccessChain) return false;
        const Id base = builder_->type_of(inst.id(1));
        if (!is_same_storage(*builder_, base, inst.type) || builder_->constant_value(inst.id(2)) != 0)
            return false;
        const Id object = builder_->pointee(base), target = builder_->pointee(inst.type);
        const auto is_byte = [&](Id type) { return builder_->is_int(type) && builder_->width(type) == 8; };
        const bool is_of_bytes =
            builder_->op_of_type(object) == Op::OpTypeArray && is_byte(builder_->element(object));
        return is_byte(target) && !is_of_bytes;
    }

    void find_wrong_parts() {
        for (const Instruction& inst : module_.globals) {
            if (inst.op != Op::OpConstantComposite && inst.op != Op::OpSpecConstantComposite) continue;
            Parts parts;
            for (uint32_t i = 0; i < inst.operands.size(); ++i)
                if (const auto part = part_of_type(inst.id(i), part_type(inst.type, i), parts.made))
                    parts.operands.emplace_back(i, *part);
            if (!parts.operands.empty()) wrong_.emplace(inst.result, std::move(parts));
        }
    }

    Id part_type(Id type, uint32_t i) const {
        switch (builder_->op_of_type(type)) {
            case Op::OpTypeStruct: return i < builder_->member_count(type) ? builder_->member(type, i) : Id{};
            case Op::OpTypeArray:
            case Op::OpTypeVector: return builder_->element(type);
            default: return {};
        }
    }

    /// nullopt: the part is right, or has no such type. Structs of the same members are made anew.
    std::optional<Id> part_of_type(Id part, Id type, std::vector<Instruction>& out, uint32_t depth = 0) {
        const Id from = builder_->type_of(part);
        const Instruction* value = builder_->find_global(part);
        if (from == type || !from || !type || !value) return {};
        Instruction inst = {.op = Op::OpConstantNull, .type = type};
        if (value->op == Op::OpConstantComposite || value->op == Op::OpSpecConstantComposite) {
            if (depth == kMaxDepth || !has_parts(type, value->operands.size())) return {};
            inst.op = value->op;
            for (uint32_t i = 0; i < value->operands.size(); ++i) {
                const Id old = value->id(i), wanted = part_type(type, i);
                const std::optional<Id> made = part_of_type(old, wanted, out, depth + 1);
                if (!made && builder_->type_of(old) != wanted) return {};
                inst.operands.push_back(made.value_or(old));
            }
        } else if (value->op != Op::OpConstantNull && builder_->constant_value(part) != 0) {
            if (!is_same_storage(*builder_, from, type)) return {};
            inst.op = Op::OpSpecConstantOp;
            inst.operands = {static_cast<uint32_t>(Op::OpBitcast), part};
        }
        inst.result = module_.fresh();
        out.push_back(inst);
        return inst.result;
    }
    bool has_parts(Id type, size_t count) const {
        switch (builder_->op_of_type(type)) {
            case Op::OpTypeStruct: return builder_->member_count(type) == count;
            case Op::OpTypeArray: return builder_->array_length(type) == count;
            default: return false;
        }
    }

    static constexpr uint32_t kMaxDepth = 32;
    struct Parts {
        std::vector<Instruction> made = {};
        std::vector<std::pair<uint32_t, Id>> operands = {};
    };
    Module& module_;
    std::optional<Builder> builder_;
    IdMap<Parts> wrong_ = {};  // by composite
};

class OperandMender {
 public:
    explicit OperandMender(Module& module)
        : module_(module), builder_(module), opencl_std_(opencl_std_of(module)) {
        for (const Instruction& inst : module.annotations) {
            const std::optional<Linkage> linkage = linkage_of(inst);
            if (linkage && linkage->type == spv::LinkageType::Import && is_address_space_cast(linkage->name))
                casts_.insert(linkage->target);
        }
        for (const Function& function : module.functions)
            if (function.def.operands.size() > 1) function_types_[function.id()] = function.def.id(1);
    }

    bool run() {
        for (Function& function : module_.functions)
            for (Block& block : function.blocks) {
                std::vector<Instruction> body;
                builder_.set_sink(&body);
                for (Instruction& inst : block.body) {
                    builder_.set_line(inst.line);
                    mend(inst);
                    body.push_back(std::move(inst));
                }
                builder_.set_sink(nullptr);
                block.body = std::move(body);
                if (!variables_.empty()) function.insert_at_entry(std::exchange(variables_, {}));
            }
        for (Function& function : module_.functions) append_truncated(function);
        return changed_;
    }

 private:
    static bool is_address_space_cast(std::string_view name) {
        return name == "__to_global" || name == "__to_local" || name == "__to_private";
    }

    void mend(Instruction& inst) {
        switch (inst.op) {
            case Op::OpAny:
            case Op::OpAll: return mend_vote(inst);
            case Op::OpAtomicCompareExchangeWeak:
                if (module_.version >= 0x00010400) become(inst, Op::OpAtomicCompareExchange);
                return mend_exchange(inst);
            case Op::OpAtomicCompareExchange: return mend_exchange(inst);
            case Op::OpAtomicLoad: return mend_atomic_load(inst);
            case Op::OpPtrEqual:
            case Op::OpPtrNotEqual:
            case Op::OpPtrDiff: return mend_pointer(inst, 1, builder_.type_of(inst.id(0)));
            case Op::OpPtrCastToGeneric:
            case Op::OpGenericCastToPtr:
            case Op::OpGenericCastToPtrExplicit:
                if (builder_.is_pointer(inst.type)) mend_pointee(inst, 0, builder_.pointee(inst.type));
                return;
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain: return mend_indices(inst, 1);
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain: mend_size_address(inst); return mend_indices(inst, 2);
            case Op::OpFConvert:
            case Op::OpUConvert:
            case Op::OpSConvert:
                if (builder_.type_of(inst.id(0)) == inst.type) become(inst, Op::OpCopyObject);
                return;
            case Op::OpBitwiseAnd:
            case Op::OpBitwiseOr:
            case Op::OpBitwiseXor:
            case Op::OpIAdd:
            case Op::OpISub:
            case Op::OpIMul: return mend_operands(inst, inst.type);
            case Op::OpIEqual:
            case Op::OpINotEqual:
            case Op::OpULessThan:
            case Op::OpULessThanEqual:
            case Op::OpUGreaterThan:
            case Op::OpUGreaterThanEqual:
            case Op::OpSLessThan:
            case Op::OpSLessThanEqual:
            case Op::OpSGreaterThan:
            case Op::OpSGreaterThanEqual: return mend_comparison(inst);
            case Op::OpPhi: return mend_phi(inst);
            case Op::OpImageSampleExplicitLod: return mend_gradients(inst);
            case Op::OpExtInst:
                if (opencl_std_ && inst.id(0) == opencl_std_) mend_opencl(inst);
                return;
            case Op::OpFunctionCall:
                if (casts_.contains(inst.id(0))) return mend_cast(inst);
                return mend_arguments(inst);
            case Op::OpStore:
                if (const Id place = builder_.type_of(inst.id(0)); builder_.is_pointer(place))
                    mend_pointer(inst, 1, builder_.pointee(place));
                return;
            case Op::OpSelect:
                for (size_t i : {1, 2}) mend_pointer(inst, i, inst.type);
                return;
            case Op::OpImageQuerySizeLod: return mend_size_query(inst);
            case Op::OpEnqueueMarker: return mend_events(inst, 2);
            case Op::OpEnqueueKernel: mend_range(inst, 2); return mend_events(inst, 4);
            case Op::OpGetKernelNDrangeSubGroupCount:
            case Op::OpGetKernelNDrangeMaxSubGroupSize: return mend_range(inst, 0);
            default: return;
        }
    }

    void become(Instruction& inst, Op op) {
        inst.op = op;
        changed_ = true;
    }

    /// An ND range by value, as OpBuildNDRange makes it: the translator takes its address.
    void mend_range(Instruction& inst, size_t operand) {
        if (operand >= inst.operands.size()) return;
        const Id type = builder_.type_of(inst.id(operand));
        if (!type || builder_.op_of_type(type) != Op::OpTypeStruct) return;
        const Id variable = builder_.fresh();
        variables_.push_back({.op = Op::OpVariable,
                              .type = builder_.type_pointer(spv::StorageClass::Function, type),
                              .result = variable,
                              .operands = {spv::StorageClass::Function}});
        builder_.append_void(Op::OpStore, {variable, inst.operands[operand]});
        inst.operands[operand] = variable;
        changed_ = true;
    }

    void mend_vote(Instruction& inst) {
        Id type = builder_.type_of(inst.id(0));
        if (builder_.is_int(builder_.element(type))) {
            const Id zero = builder_.constant_null(type);
            inst.operands[0] = builder_.append(
                Op::OpSLessThan, builder_.with_count(builder_.type_bool(), builder_.count(type)),
                {inst.operands[0], zero});
            type = builder_.type_of(inst.id(0));
            changed_ = true;
        }
        if (builder_.is_bool(type)) become(inst, Op::OpCopyObject);
    }

    /// Pointers between which there is no cast stay.
    void mend_pointer(Instruction& inst, size_t operand, Id type) {
        const Id from = builder_.type_of(inst.id(operand));
        if (from == type || !is_same_storage(builder_, from, type)) return;
        inst.operands[operand] = builder_.append(Op::OpBitcast, type, {inst.operands[operand]});
        changed_ = true;
    }
    void mend_pointee(Instruction& inst, size_t operand, Id pointee) {
        if (operand >= inst.operands.size()) return;
        const Id from = builder_.type_of(inst.id(operand));
        if (!builder_.is_pointer(from) || builder_.pointee(from) == pointee) return;
        mend_pointer(inst, operand, builder_.type_pointer(builder_.storage(from), pointee));
    }

    void mend_arguments(Instruction& call) {
        const auto type = function_types_.find(call.id(0));
        if (type == function_types_.end()) return;
        const Instruction* function = builder_.find_global(type->second);
        if (!function || function->operands.size() != call.operands.size()) return;
        for (size_t i = 1; i < call.operands.size(); ++i) mend_pointer(call, i, function->id(i));
    }

    /// LLVM's back end passes a list of events as a pointer to an array. `first` is the list; the event to
    /// return follows it.
    void mend_events(Instruction& inst, size_t first) {
        for (size_t i = first; i < first + 2 && i < inst.operands.size(); ++i) {
            const Id type = builder_.type_of(inst.id(i));
            if (!builder_.is_pointer(type)) continue;
            const Id list = builder_.pointee(type);
            if (builder_.op_of_type(list) == Op::OpTypeArray) mend_pointee(inst, i, builder_.element(list));
        }
    }

    /// Images with samples, and buffers, have no levels.
    void mend_size_query(Instruction& query) {
        const Instruction* image = builder_.find_global(builder_.type_of(query.id(0)));
        constexpr size_t kDim = 1, kSamples = 4;
        if (!image || image->op != Op::OpTypeImage ||
            (image->word(kSamples) == 0 && image->word(kDim) != static_cast<uint32_t>(spv::Dim::Buffer)))
            return;
        query.operands.resize(1);
        become(query, Op::OpImageQuerySize);
    }

    /// LLVM's back end knows no type for the addresses of the sizes of local memory that an enqueued block
    /// gets, and writes an integer of no bits. In code that is not optimised it also indexes the first size
    /// as if that were the array of all.
    void mend_size_address(Instruction& chain) {
        const Id base = builder_.type_of(chain.id(0));
        if (!builder_.is_int(chain.type) || !builder_.is_pointer(base) || chain.operands.size() != 3 ||
            builder_.constant_value(chain.id(1)) != 0)
            return;
        const Id object = builder_.pointee(base);
        if (builder_.is_int(object)) {
            chain.type = base;
            chain.operands = {chain.operands[0], chain.operands[2]};
        } else if (builder_.op_of_type(object) == Op::OpTypeArray &&
                   builder_.is_int(builder_.element(object))) {
            chain.type = builder_.type_pointer(builder_.storage(base), builder_.element(object));
        } else {
            return;
        }
        changed_ = true;
    }

    /// SPIR-V compares only integers, as do OpenCL C's functions: by their bits.
    void mend_exchange(Instruction& inst) {
        if (!builder_.is_float(inst.type) || inst.operands.size() != 6) return;
        const Id type = builder_.type_int(builder_.width(inst.type)), result = inst.result,
                 wanted = inst.type;
        if (builder_.width(type) == 64) builder_.capability(spv::Capability::Int64Atomics);
        mend_pointee(inst, 0, type);
        for (const size_t operand : {4, 5})
            inst.operands[operand] = builder_.append(Op::OpBitcast, type, {inst.operands[operand]});
        inst.type = type;
        inst.result = builder_.fresh();
        builder_.append(inst);
        inst = {.op = Op::OpBitcast,
                .type = wanted,
                .result = result,
                .operands = {inst.result},
                .line = inst.line};
        changed_ = true;
    }

    /// LLVM's back end writes the second and third arguments of atomic_load_explicit() for the scope and the
    /// semantics as they are, a memory_order and a memory_scope. If that is mended one day, they are what
    /// they seem. So the load gets the stronger meaning of the two.
    void mend_atomic_load(Instruction& inst) {
        constexpr uint64_t kAcquireOrder = 2, kSequentialOrder = 5;
        const auto bits = [](spv::MemorySemanticsMask mask) { return static_cast<uint32_t>(mask); };
        constexpr auto kDevice = static_cast<uint32_t>(spv::Scope::Device);
        const uint32_t acquire = bits(spv::MemorySemanticsMask::Acquire),
                       sequential = bits(spv::MemorySemanticsMask::SequentiallyConsistent),
                       spaces = bits(spv::MemorySemanticsMask::WorkgroupMemory) |
                                bits(spv::MemorySemanticsMask::CrossWorkgroupMemory);
        if (!module_.is_from_llvm() || inst.operands.size() != 3) return;
        const std::optional<uint64_t> scope = builder_.constant_value(inst.id(1)),
                                      semantics = builder_.constant_value(inst.id(2));
        if (scope == kDevice && semantics && *semantics >= sequential) return;  // atomic_load()
        uint32_t stronger = sequential;
        if (scope && *scope != kSequentialOrder && semantics && (*semantics & sequential) == 0)
            stronger = *scope == kAcquireOrder || (*semantics & acquire) != 0 ? acquire : 0;
        inst.operands[1] = builder_.constant_u32(kDevice);
        inst.operands[2] = builder_.constant_u32(stronger == 0 ? 0 : stronger | spaces);
        changed_ = true;
    }

    void mend_indices(Instruction& chain, size_t first) {
        for (size_t i = first; i < chain.operands.size(); ++i) {
            const Instruction* index = builder_.find_global(chain.id(i));
            if (!index || index->op != Op::OpConstantNull || !builder_.is_int(index->type)) continue;
            const Id zero =
                builder_.constant_int(index->type, 0);  // may be the null again, if that came first
            chain.operands[i] = zero != chain.id(i) ? zero : plain_zero(index->type);
            changed_ = true;
        }
    }
    Id plain_zero(Id type) {
        Id& zero = zeros_[type];
        if (!zero) {
            const auto words = (builder_.width(type) + 31) / 32;
            zero = builder_.global(Op::OpConstant, type, Operands(words, Operand(0u)));
        }
        return zero;
    }

    /// All bits of the result depend on no upper bits of the operands.
    void mend_operands(Instruction& inst, Id type) {
        const Id element = builder_.element(type);
        if (!builder_.is_int(element)) return;
        const bool masks = inst.op == Op::OpBitwiseAnd;
        for (size_t i = 0; i < 2; ++i) {
            const Id from = builder_.type_of(inst.id(i));
            if (from == type || !is_int_like(from, type)) continue;
            const uint32_t width = builder_.width(from);
            const bool is_masked = masks && is_below(inst.id(1 - i), uint64_t{1} << (width - 1) << 1);
            if (width > builder_.width(type) || is_masked || is_small(inst.id(i), width))
                convert(inst, i, type);
        }
    }

    /// Only a constant can be given the width of the other operand.
    void mend_comparison(Instruction& inst) {
        const Id left = builder_.type_of(inst.id(0)), right = builder_.type_of(inst.id(1));
        if (left == right && builder_.is_float(left) &&
            (inst.op == Op::OpIEqual || inst.op == Op::OpINotEqual)) {
            const Id type = builder_.type_int(builder_.width(left));  // what an exchange found, and expected
            for (Operand& operand : inst.operands) operand = builder_.append(Op::OpBitcast, type, {operand});
            changed_ = true;
        }
        if (left == right || !is_int_like(left, right)) return;
        const uint32_t width = std::min(builder_.width(left), builder_.width(right));
        if (is_small(inst.id(1), width))
            convert(inst, 1, left);
        else if (is_small(inst.id(0), width))
            convert(inst, 0, right);
    }

    /// LLVM's back end leaves out the truncation of an integer that another block also uses as it is.
    void mend_phi(Instruction& phi) {
        for (size_t i = 0; i + 1 < phi.operands.size(); i += 2) {
            const Id from = builder_.type_of(phi.id(i));
            if (from == phi.type || !is_int_like(from, phi.type)) continue;
            if (builder_.width(from) <= builder_.width(phi.type)) continue;
            const Instruction convert = {.op = Op::OpUConvert,
                                         .type = phi.type,
                                         .result = builder_.fresh(),
                                         .operands = {phi.operands[i]},
                                         .line = phi.line};
            truncated_[phi.id(i + 1)].push_back(convert);
            phi.operands[i] = convert.result;
            changed_ = true;
        }
    }
    void append_truncated(Function& function) {
        if (truncated_.empty()) return;
        for (Block& block : function.blocks)
            if (const auto found = truncated_.find(block.label); found != truncated_.end())
                block.body.insert(block.body.end(), found->second.begin(), found->second.end());
    }

    bool is_int_like(Id a, Id b) const {
        return builder_.is_int(builder_.element(a)) && builder_.is_int(builder_.element(b)) &&
               builder_.count(a) == builder_.count(b);
    }
    bool is_below(Id constant, uint64_t limit) const {
        const std::optional<uint64_t> value = builder_.constant_value(constant);
        return value && (limit == 0 || *value < limit);
    }
    /// Whether both extensions of the constant's `width` lower bits are the constant.
    bool is_small(Id constant, uint32_t width) const {
        return is_below(constant, uint64_t{1} << (width - 1));
    }

    void convert(Instruction& inst, size_t operand, Id type) {
        const std::optional<uint64_t> value = builder_.constant_value(inst.id(operand));
        inst.operands[operand] = value && builder_.is_int(type)
                                     ? builder_.constant_int(type, *value)
                                     : builder_.append(Op::OpUConvert, type, {inst.operands[operand]});
        changed_ = true;
    }

    /// OpenCL C's gradients in three dimensions have four components, SPIR-V's three.
    void mend_gradients(Instruction& inst) {
        constexpr size_t kMask = 2, kGradients = 3;
        constexpr auto kGrad = static_cast<uint32_t>(spv::ImageOperandsMask::Grad),
                       kBefore = static_cast<uint32_t>(spv::ImageOperandsMask::Bias) |
                                 static_cast<uint32_t>(spv::ImageOperandsMask::Lod);
        if (inst.operands.size() < kGradients + 2 || (inst.word(kMask) & (kGrad | kBefore)) != kGrad) return;
        const Instruction* sampled = builder_.find_global(builder_.type_of(inst.id(0)));
        const Instruction* image =
            sampled && sampled->op == Op::OpTypeSampledImage ? builder_.find_global(sampled->id(0)) : nullptr;
        if (!image || image->op != Op::OpTypeImage ||
            static_cast<spv::Dim>(image->word(1)) != spv::Dim::Dim3D)
            return;
        for (const size_t operand : {kGradients, kGradients + 1}) {
            const Id value = inst.id(operand), type = builder_.type_of(value);
            if (!type || !builder_.is_vector(type) || builder_.count(type) != 4) continue;
            inst.operands[operand] = builder_.append(Op::OpVectorShuffle, builder_.with_count(type, 3),
                                                     {value, value, 0u, 1u, 2u});
            changed_ = true;
        }
    }

    void mend_opencl(Instruction& inst) {
        constexpr size_t kFirst = 2;  // operands: set, instruction
        const Id element = builder_.element(inst.type);
        switch (inst.word(1)) {
            case OpenCLLIB::Vloadn: return mend_pointee(inst, kFirst + 1, element);
            case OpenCLLIB::Vload_half:
            case OpenCLLIB::Vload_halfn:
            case OpenCLLIB::Vloada_halfn: return mend_pointee(inst, kFirst + 1, builder_.type_float(16));
            case OpenCLLIB::Vstoren:
                return mend_pointee(inst, kFirst + 2, builder_.element(builder_.type_of(inst.id(kFirst))));
            case OpenCLLIB::Vstore_half:
            case OpenCLLIB::Vstore_half_r:
            case OpenCLLIB::Vstore_halfn:
            case OpenCLLIB::Vstore_halfn_r:
            case OpenCLLIB::Vstorea_halfn:
            case OpenCLLIB::Vstorea_halfn_r: return mend_pointee(inst, kFirst + 2, builder_.type_float(16));
            case OpenCLLIB::Fract:
            case OpenCLLIB::Modf:
            case OpenCLLIB::Sincos: return mend_pointee(inst, kFirst + 1, inst.type);
            case OpenCLLIB::Frexp:
            case OpenCLLIB::Lgamma_r:
                return mend_pointee(inst, kFirst + 1,
                                    builder_.with_element(inst.type, builder_.type_int(32)));
            case OpenCLLIB::Remquo:
                return mend_pointee(inst, kFirst + 2,
                                    builder_.with_element(inst.type, builder_.type_int(32)));
            case OpenCLLIB::Printf: return mend_pointee(inst, kPrintfFormat, builder_.type_int(8));
            case OpenCLLIB::Ldexp:
            case OpenCLLIB::Fmax:
            case OpenCLLIB::Fmin:
            case OpenCLLIB::FClamp:
            case OpenCLLIB::FMax_common:
            case OpenCLLIB::FMin_common:
            case OpenCLLIB::Mix:
            case OpenCLLIB::Step:
            case OpenCLLIB::Smoothstep:
            case OpenCLLIB::SMax:
            case OpenCLLIB::SMin:
            case OpenCLLIB::UMax:
            case OpenCLLIB::UMin:
            case OpenCLLIB::SClamp:
            case OpenCLLIB::UClamp: return mend_scalars(inst, kFirst);
            default: return;
        }
    }

    /// OpenCL C lets these functions take a scalar for all components of a vector, SPIR-V does not.
    void mend_scalars(Instruction& inst, size_t first) {
        if (!builder_.is_vector(inst.type)) return;
        for (size_t i = first; i < inst.operands.size(); ++i) {
            const Id type = builder_.type_of(inst.id(i));
            if (!builder_.is_int(type) && !builder_.is_float(type)) continue;
            const uint32_t count = builder_.count(inst.type);
            inst.operands[i] = builder_.append(Op::OpCompositeConstruct, builder_.type_vector(type, count),
                                               Operands(count, inst.operands[i]));
            changed_ = true;
        }
    }

    /// 6.15.10: null, if the pointer is of another space.
    void mend_cast(Instruction& call) {
        if (call.operands.size() != 2) return;
        const Id from = builder_.type_of(call.id(1));
        if (!builder_.is_pointer(from) || !builder_.is_pointer(call.type) ||
            builder_.storage(from) != spv::StorageClass::Generic)
            return;
        const Id generic = builder_.type_pointer(spv::StorageClass::Generic, builder_.pointee(call.type));
        call.operands.erase(call.operands.begin());
        mend_pointer(call, 0, generic);
        call.operands.push_back(builder_.storage(call.type));
        become(call, Op::OpGenericCastToPtrExplicit);
    }

    Module& module_;
    Builder builder_;
    Id opencl_std_;
    IdSet casts_ = {};
    IdMap<Id> function_types_ = {};
    IdMap<Id> zeros_ = {};
    IdMap<std::vector<Instruction>> truncated_ = {};  // by the block at whose end they are to stand
    std::vector<Instruction> variables_ = {};         // of the function
    bool changed_ = false;
};

}  // namespace

bool mend_loose_operands(Module& module) {
    const bool any = ConstantMender(module).run();
    return OperandMender(module).run() || any;
}

}  // namespace caldera::vulkan
