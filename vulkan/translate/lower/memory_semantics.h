// SPDX-License-Identifier: Apache-2.0
// The bits of Memory Semantics that order memory (SPIR-V 3.25).
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace caldera::vulkan {

constexpr uint32_t kAcquire = static_cast<uint32_t>(spv::MemorySemanticsMask::Acquire);
constexpr uint32_t kRelease = static_cast<uint32_t>(spv::MemorySemanticsMask::Release);
constexpr uint32_t kAcquireRelease = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease);
constexpr uint32_t kSequential = static_cast<uint32_t>(spv::MemorySemanticsMask::SequentiallyConsistent);
/// Without one of these bits an instruction orders no other memory access: it is relaxed.
constexpr uint32_t kOrders = kAcquire | kRelease | kAcquireRelease | kSequential;

}  // namespace caldera::vulkan
