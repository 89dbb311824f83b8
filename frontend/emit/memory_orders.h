// SPDX-License-Identifier: Apache-2.0
// SPIR-V's words for the memory orders of OpenCL C 6.13.11.
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace caldera::frontend {

inline constexpr auto kAcquire = static_cast<uint32_t>(spv::MemorySemanticsMask::Acquire);
inline constexpr auto kRelease = static_cast<uint32_t>(spv::MemorySemanticsMask::Release);
inline constexpr auto kAcquireRelease = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease);
inline constexpr auto kSequential = static_cast<uint32_t>(spv::MemorySemanticsMask::SequentiallyConsistent);

}  // namespace caldera::frontend
