// SPDX-License-Identifier: Apache-2.0
#include "spirv/cooperative_matrix.h"

#include <doctest/doctest.h>

#include "spirv/builder.h"
#include "spirv/spirv.h"
#include "tests/support/why.h"

using namespace caldera::spirv;

namespace {

/// A module with each instruction of the extension, and a struct between its types.
std::vector<uint32_t> words_of_matrices() {
    Module module;
    Builder b(module);
    b.capability(kCooperativeMatrix);
    b.extension(kCooperativeMatrixExtension);
    module.memory_model = {.op = spv::Op::OpMemoryModel,
                           .operands = {spv::AddressingModel::Physical64, spv::MemoryModel::OpenCL}};
    const Id half = b.type_float(16), eight = b.constant_u32(8);
    const auto matrix = [&](MatrixUse use) {
        return b.type(kTypeMatrix,
                      {half, b.constant_u32(3), eight, eight, b.constant_u32(static_cast<uint32_t>(use))});
    };
    const Id a = matrix(MatrixUse::A);
    const Id members[] = {half};
    b.type_struct_distinct(members);
    const Id c = matrix(MatrixUse::Accumulator);
    CHECK(matrix(MatrixUse::A) == a);  // types are unique
    const Id pointer = b.type_pointer(spv::StorageClass::CrossWorkgroup, half);
    const Id params[] = {pointer};
    const Id nothing = b.type_void();
    b.begin_function(nothing, b.type_function(nothing, params));
    const Id at = b.param(pointer);
    b.begin_block(b.fresh());
    const Id x = b.append(kMatrixLoad, a, {at, b.constant_u32(0), eight, spv::MemoryAccessMask::Aligned, 2u});
    const Id z = b.append(kMatrixLoad, c, {at, b.constant_u32(1), eight});
    b.append(kMatrixMulAdd, c, {x, x, z});
    b.append(kMatrixMulAdd, c, {x, x, z, matrix_operands::kSignedA | matrix_operands::kSaturating});
    b.append(kMatrixLength, b.type_int(32), {a});
    b.append_void(kMatrixStore, {at, z, b.constant_u32(0), eight});
    b.return_();
    b.end_function();
    return write(module);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("cooperative matrices are read and disassembled, whatever SPIRV-Tools know") {
    const std::vector<uint32_t> words = words_of_matrices();
    CHECK(has_cooperative_matrix(words));
    const auto module = read(words);
    REQUIRE(module);
    CHECK(write(*module) == words);
    const auto text = disassemble(words, false);
    REQUIRE_MESSAGE(text, why(text));
    for (const char* part :
         {"OpCapability CooperativeMatrixKHR", "OpExtension \"SPV_KHR_cooperative_matrix\"",
          " = OpTypeStruct ", " = OpTypeCooperativeMatrixKHR ", " = OpCooperativeMatrixLoadKHR ",
          " Aligned 2\n", " = OpCooperativeMatrixMulAddKHR ",
          " MatrixASignedComponentsKHR|SaturatingAccumulationKHR\n", " = OpCooperativeMatrixLengthKHR ",
          " OpCooperativeMatrixStoreKHR "})
        CHECK_MESSAGE(contains(*text, part), part << " is not in\n" << *text);
    CHECK(!contains(*text, "NV"));
}

TEST_CASE("a module without matrices has none, and words that are no module neither") {
    Module module;
    module.memory_model = {.op = spv::Op::OpMemoryModel,
                           .operands = {spv::AddressingModel::Physical64, spv::MemoryModel::OpenCL}};
    CHECK(!has_cooperative_matrix(write(module)));
    CHECK(!has_cooperative_matrix({}));
    const uint32_t cut[] = {0, 0, 0, 0, 0, 9u << 16 | static_cast<uint32_t>(kTypeMatrix), 1};
    CHECK(!has_cooperative_matrix(cut));
    CHECK(stand_in_for_cooperative_matrix(cut).size() == 5);
}
