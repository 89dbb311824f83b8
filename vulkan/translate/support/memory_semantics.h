// SPDX-License-Identifier: Apache-2.0
// The bits of Memory Semantics that order memory (SPIR-V 3.25), and scopes and semantics that are no
// constants.
#pragma once

#include <cstdint>

#include "spirv/builder.h"

namespace caldera::vulkan {

constexpr uint32_t kAcquire = static_cast<uint32_t>(spv::MemorySemanticsMask::Acquire);
constexpr uint32_t kRelease = static_cast<uint32_t>(spv::MemorySemanticsMask::Release);
constexpr uint32_t kAcquireRelease = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease);
constexpr uint32_t kSequential = static_cast<uint32_t>(spv::MemorySemanticsMask::SequentiallyConsistent);
/// Without one of these bits an instruction orders no other memory access: it is relaxed.
constexpr uint32_t kOrders = kAcquire | kRelease | kAcquireRelease | kSequential;

/// Gives an atomic operation, a barrier or a fence constants for the scopes and semantics that are none, as
/// SPIR-V allows without the capability Shader. They order all that any value could: they are sequentially
/// consistent, for all memory and the device. Work-items wait for those of their work-group.
void fix_semantics(spirv::Builder& builder, spirv::Instruction& inst);

}  // namespace caldera::vulkan
