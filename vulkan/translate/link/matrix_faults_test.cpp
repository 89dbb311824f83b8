// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices with wrong operands: SPIRV-Tools may not know them, and passes rely on the rules.
#include <doctest/doctest.h>

#include <array>

#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/grammar.h"
#include "vulkan/translate/pass_fixture.h"
#include "vulkan/translate/translate.h"

namespace caldera::vulkan {
namespace {

/// A kernel with each operation of matrices.
std::vector<uint32_t> words_of_operations() {
    using spv::Op, spv::StorageClass;
    spirv::Module module;
    spirv::Builder b(module);
    for (const spv::Capability each :
         {spv::Capability::Addresses, spv::Capability::Kernel, spv::Capability::Linkage,
          spv::Capability::Int64, spv::Capability::Int8, spv::Capability::Int16, spv::Capability::Float16,
          spirv::kCooperativeMatrix})
        b.capability(each);
    b.extension(spirv::kCooperativeMatrixExtension);
    module.memory_model = {.op = Op::OpMemoryModel,
                           .operands = {spv::AddressingModel::Physical64, spv::MemoryModel::OpenCL}};
    const spirv::Id nothing = b.type_void(), f16 = b.type_float(16), f32 = b.type_float(32),
                    u8 = b.type_int(8), u32 = b.type_int(32), boolean = b.type_bool();
    const auto number = [&](auto value) { return b.constant_u32(static_cast<uint32_t>(value)); };
    const auto matrix = [&](spirv::Id component, spirv::MatrixUse use) {
        return b.type(spirv::kTypeMatrix,
                      {component, number(spv::Scope::Subgroup), number(16), number(16), number(use)});
    };
    using enum spirv::MatrixUse;
    const spirv::Id a = matrix(f16, A), bb = matrix(f16, B), c = matrix(f32, Accumulator),
                    halves = matrix(f16, Accumulator), ints = matrix(u32, Accumulator),
                    bytes = matrix(u8, Accumulator);
    const spirv::Id two = b.constant_f32(2), splat = b.global(Op::OpConstantComposite, c, {two}),
                    zeros = b.global(Op::OpConstantNull, c, {});
    const spirv::Id in = b.type_pointer(StorageClass::CrossWorkgroup, f16),
                    out = b.type_pointer(StorageClass::CrossWorkgroup, f32);
    const spirv::Id members[] = {c, u32};
    const spirv::Id record = b.type_struct(members);
    const spirv::Id matrix_params[] = {c}, params[] = {in, out, u32};
    const spirv::Id function = b.begin_function(c, b.type_function(c, matrix_params));
    const spirv::Id passed = b.param(c);
    b.begin_block(b.fresh());
    b.return_value(b.append(Op::OpFNegate, c, {passed}));
    b.end_function();
    const spirv::Id kernel = b.begin_function(nothing, b.type_function(nothing, params));
    const spirv::Id from = b.param(in), to = b.param(out), stride = b.param(u32);
    b.begin_block(b.fresh());
    const spirv::Id variable = b.local_variable(c);
    const spirv::Id x =
        b.append(spirv::kMatrixLoad, a, {from, number(0), stride, spv::MemoryAccessMask::Aligned, 2u});
    const spirv::Id y = b.append(spirv::kMatrixLoad, bb, {from, number(1), stride});
    const spirv::Id z = b.append(spirv::kMatrixLoad, c, {to, number(0), number(16)});
    spirv::Id sum = b.append(spirv::kMatrixMulAdd, c, {x, y, z});
    sum = b.append(spirv::kMatrixMulAdd, c, {x, y, sum, spirv::matrix_operands::kSignedA});
    b.append_void(Op::OpStore, {variable, sum});
    sum = b.append(Op::OpLoad, c, {variable});
    for (const Op op : {Op::OpFAdd, Op::OpFSub, Op::OpFMul, Op::OpFDiv}) sum = b.append(op, c, {sum, splat});
    sum = b.append(Op::OpMatrixTimesScalar, c, {sum, two});
    const spirv::Id narrow = b.append(Op::OpFConvert, halves, {sum});
    sum = b.append(Op::OpFAdd, c, {sum, b.append(Op::OpFConvert, c, {narrow})});
    spirv::Id count = b.append(Op::OpConvertFToS, ints, {sum});
    count = b.append(Op::OpIAdd, ints, {count, b.append(Op::OpBitcast, ints, {sum})});
    for (const Op op : {Op::OpISub, Op::OpIMul, Op::OpUDiv, Op::OpSDiv})
        count = b.append(op, ints, {count, count});
    const spirv::Id few = b.append(Op::OpUConvert, bytes, {b.append(Op::OpSNegate, ints, {count})});
    count = b.append(Op::OpSConvert, ints, {few});
    sum = b.append(Op::OpFAdd, c, {sum, b.append(Op::OpConvertUToF, c, {count})});
    const spirv::Id first = b.append(Op::OpCompositeExtract, f32, {sum, 0u});
    sum = b.append(Op::OpCompositeInsert, c, {first, sum, 1u});
    const spirv::Id both = b.append(Op::OpCompositeConstruct, record, {sum, stride});
    sum = b.append(Op::OpFAdd, c, {b.append(Op::OpCompositeExtract, c, {both, 0u}), zeros});
    sum = b.append(Op::OpFunctionCall, c, {function, sum});
    sum = b.append(Op::OpFAdd, c, {sum, b.append(Op::OpCompositeConstruct, c, {first})});
    const spirv::Id length = b.append(spirv::kMatrixLength, u32, {c});
    const spirv::Id is_equal = b.append(Op::OpIEqual, boolean, {length, stride});
    const spirv::Id then = b.fresh(), end = b.fresh(), before = b.current_label();
    b.selection_merge(end);
    b.branch_if(is_equal, then, end);
    b.begin_block(then);
    b.branch(end);
    b.begin_block(end);
    sum = b.append(Op::OpPhi, c, {sum, before, zeros, then});
    sum = b.append(Op::OpCopyObject, c, {sum});
    b.append_void(spirv::kMatrixStore, {to, sum, number(0), stride, spv::MemoryAccessMask::Aligned, 4u});
    b.return_();
    b.end_function();
    spirv::Operands entry = {spv::ExecutionModel::Kernel, kernel};
    spirv::append_string(entry, "operations");
    module.entry_points.push_back({.op = Op::OpEntryPoint, .operands = std::move(entry)});
    return spirv::write(module);
}

/// Why the module is declined, before matrices become code or by the pass; "" if it is not. A module that
/// breaks an invariant is "broken".
std::string error_of(std::span<const uint32_t> words) {
    if (const Result<Done> sound = check_module(words); !sound) return sound.error().message;
    Result<spirv::Module> module = spirv::read(words);
    REQUIRE(module);
    const TranslateOptions options;
    ProgramInterface interface;
    const BuiltinLibrary library;
    PassContext context{options, library, interface};
    if (const Result<Done> done = check_supported(*module, context); !done) return done.error().message;
    if (const Result<Done> done = lower_matrices(*module, context); !done) return done.error().message;
    const Result<Done> sound = spirv::verify(*module);
    return sound ? "" : "broken: " + sound.error().message;
}

/// The place of the instruction with this number of those with the opcode.
size_t place_of(std::span<const uint32_t> words, spv::Op op, int number = 0) {
    for (size_t at = 5; at < words.size(); at += words[at] >> 16)
        if (static_cast<spv::Op>(words[at] & 0xffff) == op && number-- == 0) return at;
    FAIL("no such instruction");
    return 0;
}

/// The error where a word of an instruction is another.
std::string error_with(spv::Op op, int number, size_t word, uint32_t value) {
    std::vector<uint32_t> words = words_of_operations();
    words[place_of(words, op, number) + word] = value;
    return error_of(words);
}
std::string error_with(spv::Op op, size_t word, uint32_t value) { return error_with(op, 0, word, value); }

/// The id that the instruction defines.
uint32_t id_of(spv::Op op, int number = 0) {
    const std::vector<uint32_t> words = words_of_operations();
    const spirv::InstructionGrammar* grammar = spirv::grammar(op);
    return words[place_of(words, op, number) + (grammar->has_type ? 2 : 1)];
}

TEST_CASE("matrix_faults: the operands of each instruction") {
    using spv::Op;
    CHECK(error_of(words_of_operations()) == "");
    const uint32_t two = id_of(Op::OpConstantComposite) - 1, a = id_of(spirv::kMatrixLoad, 0),
                   c = id_of(spirv::kMatrixLoad, 2), function = id_of(Op::OpFunction);
    const auto fault = [](Op op) {
        return "the operands of " + std::string(spirv::op_name(op)) + " are invalid";
    };
    CHECK(error_with(spirv::kMatrixLoad, 3, two) == fault(spirv::kMatrixLoad));
    CHECK(error_with(spirv::kMatrixLoad, 5, a) != "");
    CHECK(error_with(spirv::kMatrixLoad, 7, 3) == fault(spirv::kMatrixLoad));  // an alignment
    CHECK(error_with(spirv::kMatrixStore, 2, two) == fault(spirv::kMatrixStore));
    CHECK(error_with(spirv::kMatrixLength, 3, two) == fault(spirv::kMatrixLength));
    CHECK(error_with(spirv::kMatrixMulAdd, 3, c) == fault(spirv::kMatrixMulAdd));
    CHECK(error_with(spirv::kMatrixMulAdd, 5, function) == fault(spirv::kMatrixMulAdd));
    for (const Op op : {Op::OpFAdd, Op::OpFDiv, Op::OpISub, Op::OpSNegate, Op::OpMatrixTimesScalar,
                        Op::OpFConvert, Op::OpSConvert, Op::OpConvertFToS, Op::OpConvertUToF, Op::OpBitcast})
        CHECK(error_with(op, 3, two) == fault(op));
    CHECK(error_with(Op::OpMatrixTimesScalar, 4, c) == fault(Op::OpMatrixTimesScalar));
    CHECK(error_with(Op::OpCompositeInsert, 3, c) == fault(Op::OpCompositeInsert));
    CHECK(error_with(Op::OpConstantComposite, 3, id_of(Op::OpConstant)) == fault(Op::OpConstantComposite));
    CHECK(contains(error_with(Op::OpFunctionCall, 4, function), "which is a function"));
    CHECK(contains(error_with(Op::OpFAdd, 3, id_of(Op::OpPhi)), "which is not defined on all ways to it"));
    CHECK(contains(error_with(Op::OpIEqual, 3, two), "not valid SPIR-V"));  // nothing of matrices
}

TEST_CASE("matrix_faults: types that matrices do not have") {
    const uint32_t many = id_of(spv::Op::OpConstant, 1);
    const auto error = [&](size_t word, uint32_t value) {
        return error_with(spirv::kTypeMatrix, word, value);
    };
    CHECK(contains(error(2, id_of(spv::Op::OpTypeBool)), "no numbers of 8 to 64 bits"));
    CHECK(error(3, many) == "the scope of a cooperative matrix is not the sub-group");
    CHECK(error_with(spv::Op::OpTypeInt, 3, 1) ==
          "kernel 'operations': an integer type of a kernel is signed");
    std::vector<uint32_t> words = words_of_operations();
    words[place_of(words, spv::Op::OpConstant, 1) + 3] = 0x10000;
    CHECK(error_of(words) == "a cooperative matrix of 65536 x 65536 components is not supported");
}

TEST_CASE("matrix_faults: a component that no work-item has") {
    CHECK(error_with(spv::Op::OpCompositeExtract, 4, 300) == "");
    CHECK(error_with(spv::Op::OpCompositeInsert, 5, 300) == "");
}

TEST_CASE("matrix_faults: no operand breaks an invariant") {
    const std::vector<uint32_t> words = words_of_operations();
    const std::array ids = {
        id_of(spv::Op::OpTypeVoid),          id_of(spirv::kTypeMatrix),    id_of(spv::Op::OpConstant),
        id_of(spv::Op::OpConstantComposite), id_of(spv::Op::OpFunction),   id_of(spv::Op::OpVariable),
        id_of(spirv::kMatrixLoad),           id_of(spirv::kMatrixLoad, 2), id_of(spv::Op::OpBitcast),
        id_of(spirv::kMatrixLength),         id_of(spv::Op::OpPhi)};
    for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
        const auto op = static_cast<spv::Op>(words[at] & 0xffff);
        if (op < spv::Op::OpConstantComposite && op != spirv::kTypeMatrix) continue;
        for (size_t word = 1; word < words[at] >> 16; ++word)
            for (const uint32_t id : ids) {
                std::vector<uint32_t> changed = words;
                changed[at + word] = id;
                const std::string error = error_of(changed);
                CAPTURE(spirv::op_name(op));
                CAPTURE(word);
                CAPTURE(error);
                CHECK(!error.starts_with("broken"));
                CHECK(!contains(error, "internal error"));
            }
    }
}

}  // namespace
}  // namespace caldera::vulkan
