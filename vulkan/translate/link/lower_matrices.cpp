// SPDX-License-Identifier: Apache-2.0
// lower_matrices: computes cooperative matrices (SPV_KHR_cooperative_matrix) with plain code where the device
// does not have their type or their product. Before: sizes and uses are constants. After: each matrix type
// that is left is one of the device's, and so is each product.
//
// A lowered matrix is an array. An accumulator's components are distributed: the work-item with number `lane`
// of a sub-group of `size` has the components lane, lane + size, ... in the order of rows. Matrices A and B
// are whole in each work-item, so that a product needs no communication. Each operation calls a function over
// arrays in private memory.
//
// Outside of a matrix, a component that is an encoded float is an integer (lower_encoded_floats), and so it
// is in an array. A matrix that stays takes and gives encoded floats.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>

#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/encoded_floats.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"
#include "vulkan/translate/link/matrix_faults.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/encoded_floats.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::MatrixLayout;
using spirv::MatrixUse;
using spirv::Operands;
using spv::Op;
using spv::StorageClass;

struct Matrix {
    Id component = {};                                  ///< as numbers outside of a matrix have it
    std::optional<spirv::FloatEncoding> encoding = {};  ///< then they are integers of its width
    uint32_t rows = 0, columns = 0;
    MatrixUse use = {};
    uint32_t count() const { return rows * columns; }
    bool is_distributed() const { return use == MatrixUse::Accumulator; }
};
using Matrices = spirv::IdMap<Matrix>;

/// Null if a size is not known.
std::optional<Matrices> find_matrices(Builder& builder) {
    Matrices found;
    std::vector<Id> encoded;
    for (const Instruction& inst : builder.module().globals) {
        if (inst.op != spirv::kTypeMatrix) continue;
        const auto number = [&](size_t at) { return builder.constant_value(inst.id(at)); };
        if (!number(2) || !number(3) || !number(4)) return std::nullopt;
        const auto encoding = spirv::encoding_of(*builder.find_global(inst.id(0)));
        found[inst.result] = {inst.id(0), encoding, static_cast<uint32_t>(*number(2)),
                              static_cast<uint32_t>(*number(3)), static_cast<MatrixUse>(*number(4))};
        if (encoding) encoded.push_back(inst.result);
    }
    for (const Id type : encoded)
        found.at(type).component = builder.type_int(width_of(*found.at(type).encoding));
    return found;
}

// ---- What the device has ----

MatrixComponent component_of(const Builder& builder, const Matrix& matrix, bool is_signed) {
    if (matrix.encoding == spirv::FloatEncoding::BFloat16) return MatrixComponent::BFloat16;
    if (matrix.encoding == spirv::FloatEncoding::E4M3) return MatrixComponent::Float8E4M3;
    if (matrix.encoding == spirv::FloatEncoding::E5M2) return MatrixComponent::Float8E5M2;
    const Id type = matrix.component;
    const uint32_t width = builder.width(type);
    const int size = width == 8 ? 0 : width == 16 ? 1 : width == 32 ? 2 : 3;
    const auto first = builder.is_float(type) ? static_cast<int>(MatrixComponent::Float16) - 1
                       : is_signed            ? static_cast<int>(MatrixComponent::SInt8)
                                              : static_cast<int>(MatrixComponent::UInt8);
    return static_cast<MatrixComponent>(first + size);
}

/// Whether some product has the matrix. Integers of a matrix have no sign.
bool has_matrix(const DeviceProfile& profile, const Builder& builder, const Matrix& matrix) {
    return std::ranges::any_of(profile.matrix_products, [&](const MatrixProduct& product) {
        const auto is = [&](MatrixComponent component, uint32_t rows, uint32_t columns) {
            return matrix.rows == rows && matrix.columns == columns &&
                   (component == component_of(builder, matrix, false) ||
                    component == component_of(builder, matrix, true));
        };
        switch (matrix.use) {
            case MatrixUse::A: return is(product.a, product.m, product.k);
            case MatrixUse::B: return is(product.b, product.k, product.n);
            case MatrixUse::Accumulator:
                return is(product.c, product.m, product.n) || is(product.result, product.m, product.n);
        }
        return false;
    });
}

uint32_t operand_bits(const Instruction& product) {
    return product.operands.size() > 3 ? product.word(3) : 0;
}

class Chooser {
 public:
    Chooser(const Builder& builder, const DeviceProfile& profile, const Matrices& matrices)
        : builder_(builder), profile_(profile), matrices_(matrices) {}

    /// The types that become arrays: those that the device lacks, and those that meet one of them in a
    /// product or in a conversion.
    spirv::IdSet lowered() {
        for (const auto& [type, matrix] : matrices_)
            if (!has_matrix(profile_, builder_, matrix) || !has_components(matrix)) lowered_.insert(Id{type});
        lower_encoded_constants();
        for (bool changes = true; changes;) {
            changes = false;
            for (const spirv::Function& function : builder_.module().functions)
                spirv::for_each_instruction(function,
                                            [&](const Instruction& inst) { changes |= spread(inst); });
        }
        return std::move(lowered_);
    }

 private:
    /// Whether the device has the integers that its components are elsewhere.
    bool has_components(const Matrix& matrix) const {
        return !matrix.encoding || (width_of(*matrix.encoding) == 8 ? profile_.int8 : profile_.int16);
    }
    /// Whether the type is a matrix of encoded floats.
    bool is_encoded(Id type) const {
        const auto matrix = type ? matrices_.find(type) : matrices_.end();
        return matrix != matrices_.end() && matrix->second.encoding;
    }
    /// Their components are constants of encoded floats, if they are known.
    void lower_encoded_constants() {
        for (const Instruction& inst : builder_.module().globals) {
            const bool is_one = is_encoded(inst.type) && inst.operands.size() == 1;
            if (is_one && !builder_.constant_value(inst.id(0))) lowered_.insert(inst.type);
        }
    }
    /// A device multiplies matrices of encoded floats, converts those of bfloat16, and does not compute with
    /// their components. Vulkan lets conversions to and from 8 bits flush denormals. Nor does a pointer lead
    /// to a component that is an integer.
    bool lower_encoded(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpFConvert:
            case Op::OpConvertSToF:
            case Op::OpConvertUToF:
            case Op::OpConvertFToS:
            case Op::OpConvertFToU: {
                bool changes = false;
                for (const Id type : {inst.type, builder_.type_of(inst.id(0))})
                    if (is_float8(type)) changes |= lowered_.insert(type);
                return changes;
            }
            case Op::OpMatrixTimesScalar:
            case Op::OpFNegate:
            case Op::OpFAdd:
            case Op::OpFSub:
            case Op::OpFMul:
            case Op::OpFDiv: return is_encoded(inst.type) && lowered_.insert(inst.type);
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain: {
                const Id type = builder_.type_of(inst.id(0)), to = builder_.pointee(inst.type);
                return builder_.is_int(to) && lower_inner_encoded(builder_.pointee(type), to);
            }
            default: return false;
        }
    }
    bool is_float8(Id type) const { return is_encoded(type) && width_of(*matrices_.at(type).encoding) == 8; }
    /// Those that are parts of a type, if they have such components.
    bool lower_inner_encoded(Id type, Id component) {
        if (const auto matrix = matrices_.find(type); matrix != matrices_.end())
            return is_encoded(type) && matrix->second.component == component && lowered_.insert(type);
        const Instruction* inst = builder_.find_global(type);
        if (inst->op == Op::OpTypeArray) return lower_inner_encoded(inst->id(0), component);
        bool changes = false;
        if (inst->op == Op::OpTypeStruct)
            for (const spirv::Operand& member : inst->operands)
                changes |= lower_inner_encoded(member.id(), component);
        return changes;
    }

    bool spread(const Instruction& inst) {
        if (lower_encoded(inst)) return true;
        std::vector<Id> types;
        if (matrices_.contains(inst.type)) types.push_back(inst.type);
        for (const spirv::Operand& operand : inst.operands) {
            const Id type = operand.is_id ? builder_.type_of(operand.id()) : Id{};
            if (type && matrices_.contains(type)) types.push_back(type);
        }
        if (types.size() < 2 || inst.op == Op::OpFunctionCall) return false;
        const bool is_lowered =
            std::ranges::any_of(types, [&](Id type) { return lowered_.contains(type); }) ||
            (inst.op == spirv::kMatrixMulAdd && !has_product(inst));
        bool changes = false;
        if (is_lowered)
            for (const Id type : types) changes |= lowered_.insert(type);
        return changes;
    }

    bool has_product(const Instruction& inst) const {
        using namespace spirv::matrix_operands;
        const uint32_t bits = operand_bits(inst);
        const auto matrix = [&](Id type) -> const Matrix& { return matrices_.at(type); };
        const auto component = [&](Id type, uint32_t sign) {
            return component_of(builder_, matrix(type), bits & sign);
        };
        const Id a = builder_.type_of(inst.id(0)), b = builder_.type_of(inst.id(1)),
                 c = builder_.type_of(inst.id(2));
        const MatrixProduct wanted = {matrix(a).rows,
                                      matrix(b).columns,
                                      matrix(a).columns,
                                      component(a, kSignedA),
                                      component(b, kSignedB),
                                      component(c, kSignedC),
                                      component(inst.type, kSignedResult),
                                      (bits & kSaturating) != 0};
        return std::ranges::find(profile_.matrix_products, wanted) != profile_.matrix_products.end();
    }

    const Builder& builder_;
    const DeviceProfile& profile_;
    const Matrices& matrices_;
    spirv::IdSet lowered_ = {};
};

/// Turns the types into arrays, and their constants into those of arrays. No builder may exist.
void make_arrays(spirv::Module& module, const Matrices& matrices, const spirv::IdSet& lowered,
                 uint32_t least_lanes) {
    std::vector<Instruction> globals;
    spirv::IdMap<uint32_t> lengths;
    for (Instruction& inst : module.globals) {
        if (lowered.contains(inst.result) && inst.op == spirv::kTypeMatrix) {  // whose component comes first
            const Matrix& matrix = matrices.at(inst.result);
            const uint32_t lanes = matrix.is_distributed() ? least_lanes : 1;
            const uint32_t length = (matrix.count() + lanes - 1) / lanes;
            const Id constant = {module.bound++};
            const Id u32 = std::ranges::find(module.globals, inst.id(2), &Instruction::result)->type;
            globals.push_back({.op = Op::OpConstant, .type = u32, .result = constant, .operands = {length}});
            lengths[inst.result] = length;
            globals.push_back(
                {.op = Op::OpTypeArray, .result = inst.result, .operands = {matrix.component, constant}});
            continue;
        }
        const auto length = inst.type ? lengths.find(inst.type) : lengths.end();
        if (length != lengths.end() && inst.operands.size() == 1)
            inst.operands = Operands(length->second, inst.operands[0]);
        globals.push_back(std::move(inst));
    }
    module.globals = std::move(globals);
}

// ---- Functions over arrays ----

/// What the decorations of a conversion say.
struct Conversion {
    std::optional<spv::FPRoundingMode> mode = {};
    bool saturates = false, saturates_float8 = false;

    uint32_t bits() const {
        return (mode ? 4 * (static_cast<uint32_t>(*mode) + 1) : 0) | (saturates ? 1 : 0) |
               (saturates_float8 ? 2 : 0);
    }
    static Conversion from_bits(uint32_t bits) {
        Conversion found = {.saturates = (bits & 1) != 0, .saturates_float8 = (bits & 2) != 0};
        if (bits >= 4) found.mode = static_cast<spv::FPRoundingMode>(bits / 4 - 1);
        return found;
    }
};

/// A function to be made: an operation, and the types that it is for.
struct Wanted {
    Id id = {};
    Op op = {};
    Id result = {};                 ///< the matrix that it computes, or stores
    std::vector<Id> operands = {};  ///< types
    /// kMatrixMulAdd: matrix_operands; kMatrixLoad, kMatrixStore: the layout; conversions: Conversion::bits
    uint32_t bits = 0;
};

class FunctionMaker {
 public:
    FunctionMaker(Builder& builder, const Matrices& matrices) : builder_(builder), matrices_(matrices) {}

    void make(const Wanted& wanted) {
        std::vector<Id> params = {array_pointer(wanted.result)};
        for (const Id type : wanted.operands)
            params.push_back(matrices_.contains(type) ? array_pointer(type) : type);
        const Id nothing = builder_.type_void();
        builder_.begin_function(nothing, builder_.type_function(nothing, params), {}, wanted.id);
        std::vector<Id> args;
        for (const Id type : params) args.push_back(builder_.param(type));
        builder_.begin_block(builder_.fresh());
        const Matrix& matrix = matrices_.at(wanted.result);
        if (wanted.op == spirv::kMatrixStore)
            store(wanted, matrix, args);
        else
            for_each_component(matrix, matrix.is_distributed(), [&](Id slot, Id index) {
                const Id value = wanted.op == spirv::kMatrixLoad     ? loaded(wanted, matrix, args, index)
                                 : wanted.op == spirv::kMatrixMulAdd ? product(wanted, args, slot, index)
                                                                     : mapped(wanted, args, slot);
                put(args[0], wanted.result, slot, value);
            });
        builder_.return_();
        builder_.end_function();
    }

    /// The components that a work-item has.
    Id length(const Matrix& matrix) {
        const Id all = u32(matrix.count());
        return matrix.is_distributed() ? share(matrix) : all;
    }

 private:
    Id u32_type() { return builder_.type_int(32); }
    Id u32(uint32_t value) { return builder_.constant_u32(value); }
    Id op(Op op, Id type, Operands operands) { return builder_.append(op, type, std::move(operands)); }
    Id u32_op(Op code, Id a, Id b) { return op(code, u32_type(), {a, b}); }
    Id array_pointer(Id type) { return builder_.type_pointer(StorageClass::Function, type); }

    Id input(spv::BuiltIn which) {
        return op(Op::OpLoad, u32_type(), {built_in_variable(builder_, which, u32_type())});
    }
    Id lane() { return input(spv::BuiltIn::SubgroupLocalInvocationId); }
    Id lanes() { return input(spv::BuiltIn::SubgroupSize); }
    /// How many of the components lane, lane + lanes, ... there are.
    Id share(const Matrix& matrix) {
        const Id own = lane();
        const Id more = u32_op(Op::OpUDiv, u32_op(Op::OpISub, u32(matrix.count() - 1), own), lanes());
        const Id has_any = op(Op::OpULessThan, builder_.type_bool(), {own, u32(matrix.count())});
        return op(Op::OpSelect, u32_type(), {has_any, u32_op(Op::OpIAdd, more, u32(1)), u32(0)});
    }

    /// Calls body(i) for each i below `count`.
    template <class Body>
    void loop(Id count, Body body) {
        const Id counter = builder_.local_variable(u32_type());
        const Id header = builder_.fresh(), test = builder_.fresh(), inside = builder_.fresh(),
                 next = builder_.fresh(), end = builder_.fresh();
        builder_.append_void(Op::OpStore, {counter, u32(0)});
        builder_.branch(header);
        builder_.begin_block(header);
        builder_.loop_merge(end, next, spv::LoopControlMask::DontUnroll);
        builder_.branch(test);
        builder_.begin_block(test);
        const Id i = op(Op::OpLoad, u32_type(), {counter});
        builder_.branch_if(op(Op::OpULessThan, builder_.type_bool(), {i, count}), inside, end);
        builder_.begin_block(inside);
        body(i);
        builder_.branch(next);
        builder_.begin_block(next);
        builder_.append_void(Op::OpStore, {counter, u32_op(Op::OpIAdd, i, u32(1))});
        builder_.branch(header);
        builder_.begin_block(end);
    }

    /// Calls body(slot in the array, number of the component), for the work-item's share or for all
    /// components.
    template <class Body>
    void for_each_component(const Matrix& matrix, bool shared, Body body) {
        if (!shared) return loop(u32(matrix.count()), [&](Id i) { body(i, i); });
        const Id own = lane(), all = lanes();
        loop(share(matrix), [&](Id i) { body(i, u32_op(Op::OpIAdd, u32_op(Op::OpIMul, i, all), own)); });
    }

    Id slot(Id array, Id type, Id index) {
        const Id component = matrices_.at(type).component;
        return op(Op::OpInBoundsAccessChain, builder_.type_pointer(StorageClass::Function, component),
                  {array, index});
    }
    Id get(Id array, Id type, Id index) {
        return op(Op::OpLoad, matrices_.at(type).component, {slot(array, type, index)});
    }
    void put(Id array, Id type, Id index, Id value) {
        builder_.append_void(Op::OpStore, {slot(array, type, index), value});
    }

    // ---- Memory ----

    /// The pointer to a component: args are the array, the pointer and the stride, which counts pointees.
    Id place(const Wanted& wanted, const Matrix& matrix, const std::vector<Id>& args, Id index) {
        const Id u64 = builder_.type_int(64);
        const auto wide = [&](Id value) {
            return builder_.width(builder_.type_of(value)) == 64 ? value : op(Op::OpUConvert, u64, {value});
        };
        const Id row = u32_op(Op::OpUDiv, index, u32(matrix.columns));
        const Id column = u32_op(Op::OpUMod, index, u32(matrix.columns));
        const bool by_rows = static_cast<MatrixLayout>(wanted.bits) == MatrixLayout::RowMajor;
        const Id pointer_type = builder_.type_of(args[1]), pointee = builder_.pointee(pointer_type);
        const uint64_t pointee_bytes =
            uint64_t{builder_.width(pointee)} / 8 * std::bit_ceil(builder_.count(pointee));
        const uint64_t bytes = builder_.width(matrix.component) / 8;
        Id line = op(Op::OpIMul, u64, {wide(by_rows ? row : column), wide(args[2])});
        line = op(Op::OpIMul, u64, {line, builder_.constant_u64(pointee_bytes)});
        line = op(Op::OpUDiv, u64, {line, builder_.constant_u64(bytes)});
        const Id offset = op(Op::OpIAdd, u64, {line, wide(by_rows ? column : row)});
        const Id type = builder_.type_pointer(builder_.storage(pointer_type), matrix.component);
        const Id first = type == pointer_type ? args[1] : op(Op::OpBitcast, type, {args[1]});
        return op(Op::OpInBoundsPtrAccessChain, type, {first, offset});
    }
    Operands aligned(const Matrix& matrix) {
        return {spv::MemoryAccessMask::Aligned, builder_.width(matrix.component) / 8};
    }
    Id loaded(const Wanted& wanted, const Matrix& matrix, const std::vector<Id>& args, Id index) {
        Operands operands = {place(wanted, matrix, args, index)};
        for (const spirv::Operand& operand : aligned(matrix)) operands.push_back(operand);
        return op(Op::OpLoad, matrix.component, std::move(operands));
    }
    /// Each work-item stores its share, of a matrix that it has whole too.
    void store(const Wanted& wanted, const Matrix& matrix, const std::vector<Id>& args) {
        for_each_component(matrix, true, [&](Id slot, Id index) {
            const Id value = get(args[0], wanted.result, matrix.is_distributed() ? slot : index);
            Operands operands = {place(wanted, matrix, args, index), value};
            for (const spirv::Operand& operand : aligned(matrix)) operands.push_back(operand);
            builder_.append_void(Op::OpStore, std::move(operands));
        });
    }

    // ---- Arithmetic ----

    bool is_float(Id type) const {
        const Matrix& matrix = matrices_.at(type);
        return matrix.encoding || builder_.is_float(matrix.component);
    }
    /// A component, as a float if it is encoded.
    Id number(Id array, Id type, Id index) {
        const Id value = get(array, type, index);
        const auto encoding = matrices_.at(type).encoding;
        return encoding ? encoded_to_float(builder_, *encoding, value) : value;
    }
    /// The bits of an encoded float.
    Id rounded(const Matrix& matrix, Id value, EncodedRounding rounding = {}) {
        const bool through_float = matrix.encoding == spirv::FloatEncoding::BFloat16;
        if (through_float) value = converted(value, builder_.type_float(32), false);
        return float_to_encoded(builder_, *matrix.encoding, value, rounding);
    }

    Id converted(Id value, Id type, bool is_signed) {
        if (builder_.type_of(value) == type) return value;
        if (builder_.is_float(type)) return op(Op::OpFConvert, type, {value});
        return op(is_signed ? Op::OpSConvert : Op::OpUConvert, type, {value});
    }

    /// A component of a * b + c, summed up in at least 32 bits; args are the result, a, b and c.
    Id product(const Wanted& wanted, const std::vector<Id>& args, Id slot, Id index) {
        using namespace spirv::matrix_operands;
        const Id a = wanted.operands[0], b = wanted.operands[1], c = wanted.operands[2];
        const Id result = matrices_.at(wanted.result).component;
        const uint32_t columns = matrices_.at(b).columns, inner = matrices_.at(a).columns;
        const bool floats = is_float(wanted.result), saturates = wanted.bits & kSaturating;
        const uint32_t width = std::max(builder_.width(result), saturates ? 64u : 32u);
        const Id wide = floats ? builder_.type_float(width) : builder_.type_int(width);
        const Id row = u32_op(Op::OpIMul, u32_op(Op::OpUDiv, index, u32(columns)), u32(inner));
        const Id column = u32_op(Op::OpUMod, index, u32(columns));
        const Id sum = builder_.local_variable(wide);
        builder_.append_void(Op::OpStore,
                             {sum, converted(number(args[3], c, slot), wide, wanted.bits & kSignedC)});
        loop(u32(inner), [&](Id k) {
            const Id x =
                converted(number(args[1], a, u32_op(Op::OpIAdd, row, k)), wide, wanted.bits & kSignedA);
            const Id below = u32_op(Op::OpIAdd, u32_op(Op::OpIMul, k, u32(columns)), column);
            const Id y = converted(number(args[2], b, below), wide, wanted.bits & kSignedB);
            const Id both = op(floats ? Op::OpFMul : Op::OpIMul, wide, {x, y});
            const Id old = op(Op::OpLoad, wide, {sum});
            builder_.append_void(Op::OpStore, {sum, op(floats ? Op::OpFAdd : Op::OpIAdd, wide, {old, both})});
        });
        Id value = op(Op::OpLoad, wide, {sum});
        if (saturates && !floats) value = clamped(value, builder_.width(result), wanted.bits & kSignedResult);
        const Matrix& made = matrices_.at(wanted.result);
        return made.encoding ? rounded(made, value) : converted(value, result, wanted.bits & kSignedResult);
    }
    /// A sum of 64 bits, to the range of a result of at most 32.
    Id clamped(Id value, uint32_t width, bool is_signed) {
        const Id u64 = builder_.type_int(64), boolean = builder_.type_bool();
        const uint64_t all = ~uint64_t{0} >> (64 - width);
        const Id most = builder_.constant_u64(is_signed ? all >> 1 : all);
        const Id least = builder_.constant_u64(is_signed ? ~(all >> 1) : 0);
        const Id above = op(Op::OpSGreaterThan, boolean, {value, most});
        value = op(Op::OpSelect, u64, {above, most, value});
        return op(Op::OpSelect, u64, {op(Op::OpSLessThan, boolean, {value, least}), least, value});
    }

    /// An operation on each component; a number takes part in each.
    Id mapped(const Wanted& wanted, const std::vector<Id>& args, Id slot) {
        const Matrix& result = matrices_.at(wanted.result);
        if (spirv::is_float_conversion(wanted.op)) return float_converted(wanted, args, slot);
        const bool takes_bits = wanted.op == Op::OpBitcast || wanted.op == Op::OpCompositeConstruct;
        const bool rounds = result.encoding && !takes_bits;
        Operands operands;
        for (size_t i = 0; i < wanted.operands.size(); ++i) {
            const Id type = wanted.operands[i], arg = args[i + 1];
            if (matrices_.contains(type))
                operands.push_back(takes_bits ? get(arg, type, slot) : number(arg, type, slot));
            else
                operands.push_back(rounds ? encoded_to_float(builder_, *result.encoding, arg) : arg);
        }
        const Id first = operands[0].id();
        if (wanted.op == Op::OpCompositeConstruct) return first;
        if (wanted.op == Op::OpBitcast && builder_.type_of(first) == result.component) return first;
        const Id type = rounds ? builder_.type_float(32) : result.component;
        const Op times = is_float(wanted.result) ? Op::OpFMul : Op::OpIMul;
        const Id value =
            op(wanted.op == Op::OpMatrixTimesScalar ? times : wanted.op, type, std::move(operands));
        return rounds ? rounded(result, value) : value;
    }
    /// A component of a conversion from or to floats.
    Id float_converted(const Wanted& wanted, const std::vector<Id>& args, Id slot) {
        const Matrix &result = matrices_.at(wanted.result), &from = matrices_.at(wanted.operands[0]);
        const Conversion how = Conversion::from_bits(wanted.bits);
        const bool is_from_int = wanted.op == Op::OpConvertSToF || wanted.op == Op::OpConvertUToF;
        const Id value = get(args[1], wanted.operands[0], slot);
        if (from.encoding && !result.encoding && wanted.op == Op::OpFConvert)
            return encoded_to_float_type(builder_, *from.encoding, value, result.component);
        const EncodedRounding rounding = {how.mode.value_or(spv::FPRoundingMode::RTE), how.saturates_float8};
        if (result.encoding && width_of(*result.encoding) == 8 && is_from_int)
            return int_to_encoded(builder_, *result.encoding, value, wanted.op == Op::OpConvertSToF,
                                  rounding);
        const Id number = from.encoding ? encoded_to_float(builder_, *from.encoding, value) : value;
        if (result.encoding && !is_from_int) return rounded(result, number, rounding);
        const Id made = op(wanted.op, result.encoding ? builder_.type_float(32) : result.component, {number});
        if (how.mode) builder_.decorate(made, spv::Decoration::FPRoundingMode, {*how.mode});
        if (how.saturates) builder_.decorate(made, spv::Decoration::SaturatedConversion, {});
        return result.encoding ? rounded(result, made, rounding) : made;
    }

    Builder& builder_;
    const Matrices& matrices_;
};

// ---- The code that calls them ----

class MatrixLowering {
 public:
    MatrixLowering(spirv::Module& module, const Matrices& lowered)
        : module_(module), builder_(module), matrices_(lowered), maker_(builder_, matrices_) {
        for (const Instruction& inst : module.annotations) {
            if (inst.op != Op::OpDecorate || !of_conversion(inst)) continue;
            Conversion& how = conversions_[inst.id(0)];
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            if (decoration == spv::Decoration::FPRoundingMode)
                how.mode = static_cast<spv::FPRoundingMode>(inst.word(2));
            how.saturates |= decoration == spv::Decoration::SaturatedConversion;
            how.saturates_float8 |= decoration == spirv::kSaturatedToFloat8;
        }
    }

    Result<Done> run() {
        for (spirv::Function& function : module_.functions) {
            std::vector<Instruction> variables;
            variables_ = &variables;
            scratch_.clear();
            for (spirv::Block& block : function.blocks) {
                std::vector<Instruction> body;
                builder_.set_sink(&body);
                for (Instruction& inst : block.body) {
                    builder_.set_line(inst.line);
                    if (!lower(inst)) builder_.append(std::move(inst));
                }
                block.body = std::move(body);
            }
            builder_.set_sink(nullptr);
            if (!variables.empty()) function.insert_at_entry(std::move(variables));
            if (!declined_.empty()) return Error{.message = declined_};
        }
        for (const auto& [key, wanted] : wanted_) maker_.make(wanted);
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            return inst.op == Op::OpDecorate && of_conversion(inst) && converted_.contains(inst.id(0));
        });
        return Done{};
    }

 private:
    static bool of_conversion(const Instruction& decoration) {
        const auto kind = static_cast<spv::Decoration>(decoration.word(1));
        return kind == spv::Decoration::FPRoundingMode || kind == spv::Decoration::SaturatedConversion ||
               kind == spirv::kSaturatedToFloat8;
    }
    bool is_matrix(Id type) const { return type && matrices_.contains(type); }
    bool is_matrix_value(const Instruction& inst, size_t at) const {
        return at < inst.operands.size() && inst.operands[at].is_id &&
               is_matrix(builder_.type_of(inst.id(at)));
    }

    /// False if the instruction stays.
    bool lower(const Instruction& inst) {
        if (inst.op == spirv::kMatrixLength) {
            if (!is_matrix(inst.id(0))) return false;
            alias(inst, maker_.length(matrices_.at(inst.id(0))));
            return true;
        }
        if (inst.op == spirv::kMatrixStore) {
            if (is_matrix_value(inst, 1)) store(inst);
            return is_matrix_value(inst, 1);
        }
        if (inst.op == Op::OpCompositeExtract && is_beyond(inst, 0)) {
            alias(inst, builder_.undef(inst.type));
            return true;
        }
        if (inst.op == Op::OpCompositeInsert && is_beyond(inst, 1)) {
            alias(inst, inst.id(1));
            return true;
        }
        if (!is_matrix(inst.type)) return false;
        if (inst.op == spirv::kMatrixLoad) return load(inst), true;
        if (inst.op == spirv::kMatrixMulAdd) return compute(inst), true;
        switch (inst.op) {
            case Op::OpLoad:  // of arrays now
            case Op::OpPhi:
            case Op::OpCopyObject:
            case Op::OpFunctionCall:
            case Op::OpCompositeExtract:
            case Op::OpCompositeInsert:
            case Op::OpUndef: return false;
            case Op::OpCompositeConstruct:
            case Op::OpMatrixTimesScalar:
            case Op::OpFNegate:
            case Op::OpSNegate:
            case Op::OpFAdd:
            case Op::OpFSub:
            case Op::OpFMul:
            case Op::OpFDiv:
            case Op::OpIAdd:
            case Op::OpISub:
            case Op::OpIMul:
            case Op::OpUDiv:
            case Op::OpSDiv:
            case Op::OpFConvert:
            case Op::OpSConvert:
            case Op::OpUConvert:
            case Op::OpConvertFToS:
            case Op::OpConvertFToU:
            case Op::OpConvertSToF:
            case Op::OpConvertUToF:
            case Op::OpBitcast: compute(inst); return true;
            default:
                declined_ =
                    std::string(spirv::op_name(inst.op)) + " of a cooperative matrix is not supported";
                return false;
        }
    }

    /// Whether the literals behind the composite lead to a component that no work-item has. Such code may
    /// stand where it does not run, for devices with smaller sub-groups.
    bool is_beyond(const Instruction& inst, size_t composite) const {
        Id type = builder_.type_of(inst.id(composite));
        for (size_t at = composite + 1; at < inst.operands.size(); ++at) {
            if (is_matrix(type)) return inst.word(at) >= builder_.array_length(type);
            type = builder_.op_of_type(type) == Op::OpTypeStruct ? builder_.member(type, inst.word(at))
                                                                 : builder_.element(type);
        }
        return false;
    }

    /// The function for an operation on these types, which is called and made later.
    Id function(Op op, Id result, std::vector<Id> operands, uint32_t bits = 0) {
        std::string key = std::to_string(static_cast<uint32_t>(op)) + " " + std::to_string(bits) + " " +
                          std::to_string(result.value);
        for (const Id type : operands) key += " " + std::to_string(type.value);
        Wanted& wanted = wanted_[key];
        if (!wanted.id) wanted = {builder_.fresh(), op, result, std::move(operands), bits};
        return wanted.id;
    }

    /// A private array for the operand or the result with this number.
    Id scratch(Id type, size_t number) {
        Id& variable = scratch_[{type.value, number}];
        if (variable) return variable;
        variable = builder_.fresh();
        variables_->push_back({.op = Op::OpVariable,
                               .type = builder_.type_pointer(StorageClass::Function, type),
                               .result = variable,
                               .operands = {StorageClass::Function}});
        return variable;
    }
    Id in_memory(Id value, size_t number) {
        const Id array = scratch(builder_.type_of(value), number);
        builder_.append_void(Op::OpStore, {array, value});
        return array;
    }
    void call(Operands operands) {
        builder_.append(Op::OpFunctionCall, builder_.type_void(), std::move(operands));
    }
    void finish(const Instruction& inst, Id array) {
        builder_.append({.op = Op::OpLoad, .type = inst.type, .result = inst.result, .operands = {array}});
    }
    void alias(const Instruction& inst, Id value) {
        builder_.append(
            {.op = Op::OpCopyObject, .type = inst.type, .result = inst.result, .operands = {value}});
    }

    /// The layout of a load or a store, whose stride must be there.
    std::optional<uint32_t> layout(const Instruction& inst, size_t at) {
        const auto layout = builder_.constant_value(inst.id(at));
        if (layout && *layout <= 1 && inst.operands.size() > at + 1 && inst.operands[at + 1].is_id)
            return static_cast<uint32_t>(*layout);
        declined_ = std::string(spirv::op_name(inst.op)) + " needs a stride and a layout by rows or columns";
        return std::nullopt;
    }
    void load(const Instruction& inst) {
        const auto known = layout(inst, 1);
        if (!known) return;
        const Id made = function(inst.op, inst.type,
                                 {builder_.type_of(inst.id(0)), builder_.type_of(inst.id(2))}, *known);
        const Id array = scratch(inst.type, 0);
        call({made, array, inst.id(0), inst.id(2)});
        finish(inst, array);
    }
    void store(const Instruction& inst) {
        const auto known = layout(inst, 2);
        if (!known) return;
        const Id type = builder_.type_of(inst.id(1));
        const Id made =
            function(inst.op, type, {builder_.type_of(inst.id(0)), builder_.type_of(inst.id(3))}, *known);
        call({made, in_memory(inst.id(1), 0), inst.id(0), inst.id(3)});
    }
    void compute(const Instruction& inst) {
        const bool is_product = inst.op == spirv::kMatrixMulAdd;
        const size_t count = is_product ? 3 : inst.operands.size();
        const Id array = scratch(inst.type, 0);
        std::vector<Id> types;
        Operands arguments;
        for (size_t i = 0; i < count; ++i) {
            types.push_back(builder_.type_of(inst.id(i)));
            arguments.push_back(is_matrix(types.back()) ? in_memory(inst.id(i), i + 1) : inst.id(i));
        }
        uint32_t bits = is_product ? operand_bits(inst) : 0;
        if (const auto how = conversions_.find(inst.result); how != conversions_.end()) {
            bits = how->second.bits();
            converted_.insert(inst.result);
        }
        Operands operands = {function(inst.op, inst.type, types, bits), array};
        for (const spirv::Operand& argument : arguments) operands.push_back(argument);
        call(std::move(operands));
        finish(inst, array);
    }

    spirv::Module& module_;
    Builder builder_;
    const Matrices& matrices_;
    FunctionMaker maker_;
    spirv::IdMap<Conversion> conversions_ = {};  // of results with decorations
    spirv::IdSet converted_ = {};                // of them, those that are computed by functions now
    std::map<std::string, Wanted> wanted_ = {};
    std::map<std::pair<uint32_t, size_t>, Id> scratch_ = {};  // of the function
    std::vector<Instruction>* variables_ = nullptr;
    std::string declined_ = {};
};

// ---- Matrices of encoded floats that stay ----

/// Lets them take and give encoded floats, which are integers elsewhere.
class EncodedBits {
 public:
    explicit EncodedBits(spirv::Module& module) : module_(module) {}

    void run() {
        make_constants();
        Builder builder(module_);
        builder_ = &builder;
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks) {
                if (std::ranges::none_of(block.body, [&](const Instruction& inst) { return is_found(inst); }))
                    continue;
                rewrite_block(builder, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                    if (is_found(inst)) return add(std::move(inst));
                    out.push_back(std::move(inst));
                });
            }
    }

 private:
    /// A matrix's constant gets a component of its own.
    void make_constants() {
        std::vector<Instruction> globals;
        spirv::IdMap<uint32_t> numbers;
        spirv::IdSet encoded;
        for (Instruction& inst : module_.globals) {
            if (spirv::is_encoded_float(inst)) encoded.insert(inst.result);
            if (inst.op == spirv::kTypeMatrix && encoded.contains(inst.id(0)))
                components_[inst.result] = inst.id(0);
            if (inst.op == Op::OpConstant) numbers[inst.result] = inst.word(0);
            if (inst.type && components_.contains(inst.type) && inst.operands.size() == 1) {
                const auto known = numbers.find(inst.id(0));
                const Id component = module_.fresh();
                globals.push_back({.op = Op::OpConstant,
                                   .type = components_.at(inst.type),
                                   .result = component,
                                   .operands = {known == numbers.end() ? 0 : known->second}});
                inst.operands = {component};
            }
            globals.push_back(std::move(inst));
        }
        module_.globals = std::move(globals);
    }

    bool is_found(const Instruction& inst) const { return static_cast<bool>(component_of(inst)); }
    /// The type of the component that the instruction takes or gives. None if it has none.
    Id component_of(const Instruction& inst) const {
        switch (inst.op) {
            case Op::OpCompositeConstruct: return component(inst.type);
            case Op::OpCompositeExtract: return inner_component(inst, 0);
            case Op::OpCompositeInsert: return inner_component(inst, 1);
            default: return {};
        }
    }
    Id component(Id matrix) const {
        const auto found = components_.find(matrix);
        return found == components_.end() ? Id{} : found->second;
    }
    Id inner_component(const Instruction& inst, size_t composite) const {
        Id type = builder_->type_of(inst.id(composite));
        for (size_t at = composite + 1; at < inst.operands.size(); ++at) {
            if (const Id found = component(type)) return found;
            type = builder_->op_of_type(type) == Op::OpTypeStruct ? builder_->member(type, inst.word(at))
                                                                  : builder_->element(type);
        }
        return {};
    }

    void add(Instruction inst) {
        const Id type = component_of(inst);
        if (inst.op != Op::OpCompositeExtract) {
            inst.operands[0] = builder_->append(Op::OpBitcast, type, {inst.id(0)});
            return builder_->append(std::move(inst));
        }
        const Id bits = builder_->append(inst.op, type, inst.operands);
        builder_->append({.op = Op::OpBitcast, .type = inst.type, .result = inst.result, .operands = {bits}});
    }

    spirv::Module& module_;
    Builder* builder_ = nullptr;
    spirv::IdMap<Id> components_ = {};  // by matrix: its component's type
};

}  // namespace

Result<Done> lower_matrices(spirv::Module& module, PassContext& context) {
    const auto is_matrix = [](const Instruction& inst) { return inst.op == spirv::kTypeMatrix; };
    if (std::ranges::none_of(module.globals, is_matrix)) return Done{};
    if (std::string fault = matrix_fault(module); !fault.empty()) return Error{.message = std::move(fault)};
    const DeviceProfile& profile = context.options.profile;
    Matrices lowered;
    {
        Builder builder(module);
        const std::optional<Matrices> matrices = find_matrices(builder);
        if (!matrices) return Error{.message = "the size of a cooperative matrix is not a constant"};
        const spirv::IdSet chosen = Chooser(builder, profile, *matrices).lowered();
        for (const auto& [type, matrix] : *matrices)
            if (chosen.contains(Id{type})) lowered[Id{type}] = matrix;
        if (!lowered.empty())
            make_arrays(module, *matrices, chosen,
                        profile.subgroups ? std::max(profile.min_subgroup_size, 1u) : 1);
    }
    if (!lowered.empty())
        if (Result<Done> done = MatrixLowering(module, lowered).run(); !done) return done;
    if (std::ranges::any_of(module.globals, is_matrix) &&
        std::ranges::any_of(module.globals, spirv::is_encoded_float))
        EncodedBits(module).run();
    return Done{};
}

}  // namespace caldera::vulkan
