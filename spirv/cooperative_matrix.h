// SPDX-License-Identifier: Apache-2.0
// SPV_KHR_cooperative_matrix: matrices that the work-items of a sub-group hold together. This file has its
// enumerants, which SPIRV-Headers have from 1.3.261 on, and conversions for SPIRV-Tools that do not know the
// extension.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::spirv {

constexpr auto kCooperativeMatrix = static_cast<spv::Capability>(6022);
constexpr std::string_view kCooperativeMatrixExtension = "SPV_KHR_cooperative_matrix";

constexpr auto kTypeMatrix = static_cast<spv::Op>(4456);  ///< component, scope, rows, columns, use
constexpr auto kMatrixLoad = static_cast<spv::Op>(4457);  ///< pointer, layout, stride, memory operands
constexpr auto kMatrixStore =
    static_cast<spv::Op>(4458);  ///< pointer, matrix, layout, stride, memory operands
constexpr auto kMatrixMulAdd = static_cast<spv::Op>(4459);  ///< a, b, c, bits of matrix_operands
constexpr auto kMatrixLength = static_cast<spv::Op>(4460);  ///< a type of matrices

/// CooperativeMatrixUse.
enum class MatrixUse : uint32_t { A, B, Accumulator };
/// CooperativeMatrixLayout.
enum class MatrixLayout : uint32_t { RowMajor, ColumnMajor };
/// Bits of CooperativeMatrixOperands.
namespace matrix_operands {
constexpr uint32_t kSignedA = 0x1, kSignedB = 0x2, kSignedC = 0x4, kSignedResult = 0x8, kSaturating = 0x10;
}

/// Whether the module uses anything of the extension.
bool has_cooperative_matrix(std::span<const uint32_t> words);
/// The module without the extension, for a validator that does not know it: matrices are arrays of their
/// components, and what only matrices can do is OpUndef. So the validator judges the
/// rest, and its messages about arrays are about matrices.
std::vector<uint32_t> without_cooperative_matrix(std::span<const uint32_t> words);
/// Encodes the extension in words that older SPIRV-Tools disassemble: types become structs, instructions
/// those of SPV_NV_cooperative_matrix.
std::vector<uint32_t> stand_in_for_cooperative_matrix(std::span<const uint32_t> words);
/// Reverts this encoding in the disassembly of a module.
std::string restore_cooperative_matrix(std::string_view disassembly, std::span<const uint32_t> original);

}  // namespace caldera::spirv
