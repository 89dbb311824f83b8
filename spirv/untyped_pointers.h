// SPDX-License-Identifier: Apache-2.0
// SPV_KHR_untyped_pointers: pointers that do not say to what they point; each access does. This file has its
// enumerants, which SPIRV-Headers have from 1.3.290 on, and conversions for SPIRV-Tools that do not know the
// extension.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::spirv {

constexpr auto kUntypedPointers = static_cast<spv::Capability>(4473);
constexpr std::string_view kUntypedPointersExtension = "SPV_KHR_untyped_pointers";

constexpr auto kTypeUntypedPointer = static_cast<spv::Op>(4417);       ///< storage class
constexpr auto kUntypedVariable = static_cast<spv::Op>(4418);          ///< storage class, type, initial value
constexpr auto kUntypedAccessChain = static_cast<spv::Op>(4419);       ///< type of the base, base, indices
constexpr auto kUntypedInBoundsChain = static_cast<spv::Op>(4420);     ///< the same, in bounds
constexpr auto kUntypedPtrAccessChain = static_cast<spv::Op>(4423);    ///< type, base, element, indices
constexpr auto kUntypedInBoundsPtrChain = static_cast<spv::Op>(4424);  ///< the same, in bounds
constexpr auto kUntypedArrayLength = static_cast<spv::Op>(4425);       ///< struct, pointer, member
constexpr auto kUntypedPrefetch = static_cast<spv::Op>(4426);          ///< pointer, bytes, hints
/// scope, destination, source, bytes of an element, elements, stride in bytes, event, memory operands
constexpr auto kUntypedAsyncCopy = static_cast<spv::Op>(4434);

/// The chain through a typed pointer that is like the untyped one; OpNop for other instructions.
constexpr spv::Op typed_chain(spv::Op op) {
    return op == kUntypedAccessChain        ? spv::Op::OpAccessChain
           : op == kUntypedInBoundsChain    ? spv::Op::OpInBoundsAccessChain
           : op == kUntypedPtrAccessChain   ? spv::Op::OpPtrAccessChain
           : op == kUntypedInBoundsPtrChain ? spv::Op::OpInBoundsPtrAccessChain
                                            : spv::Op::OpNop;
}
constexpr bool is_untyped_chain(spv::Op op) { return typed_chain(op) != spv::Op::OpNop; }

/// Whether the module uses anything of the extension.
bool has_untyped_pointers(std::span<const uint32_t> words);
/// Encodes the extension's instructions in assembly as numbers, which older SPIRV-Tools assemble too. Lines
/// stay where they are. An OpNop stands before each: behind an instruction whose operands have no end, a
/// number would be one of them.
std::string number_untyped_pointers(std::string_view assembly);
/// Takes out the OpNop before each instruction of the extension.
std::vector<uint32_t> without_separators(std::span<const uint32_t> words);
/// Encodes the extension in words that older SPIRV-Tools disassemble, though no consumer would take them.
std::vector<uint32_t> stand_in_for_untyped_pointers(std::span<const uint32_t> words);
/// Reverts this encoding in the disassembly of a module.
std::string restore_untyped_pointers(std::string_view disassembly, std::span<const uint32_t> original);

}  // namespace caldera::spirv
