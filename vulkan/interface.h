// SPDX-License-Identifier: Apache-2.0
// What translate/ tells the runtime about a program: the public reflection (include/caldera/reflection.h),
// under the names that the rooms of this folder use. It includes device_abi.h, the memory that kernels and
// the host share.
#pragma once

#include <cstdint>
#include <vector>

#include "caldera/reflection.h"

namespace caldera::vulkan {

using caldera::Abi, caldera::ArgumentAccess, caldera::ArgumentBlock, caldera::ArgumentKind,
    caldera::CheckKind, caldera::CheckedAccess, caldera::CheckObject, caldera::CheckRecord,
    caldera::CheckSite, caldera::CheckState, caldera::HiddenArgument, caldera::HiddenKind,
    caldera::ImageDescriptor, caldera::ImageSampling, caldera::Images, caldera::ImageShape,
    caldera::KernelArgument, caldera::LiteralSampler, caldera::PrintfFormat, caldera::ProgramInterface,
    caldera::Relocation;
using Kernel = KernelInterface;

using caldera::has_binding, caldera::has_spec_id, caldera::image_format_number, caldera::is_about_argument,
    caldera::is_by_value, caldera::is_vulkan_image, caldera::may_count_texels, caldera::is_multisampled,
    caldera::must_normalize_samplers, caldera::normalizes_samplers, caldera::vulkan_sampler_bits;
using caldera::kArgumentTableBinding, caldera::kArgumentTableSet, caldera::kDataSegmentBinding,
    caldera::kDataSegmentSet, caldera::kDeviceQueueBinding, caldera::kDeviceQueueSet,
    caldera::kEventSubmitted, caldera::kNoBinding, caldera::kNoSpecId, caldera::kPrintfBufferBinding,
    caldera::kPrintfBufferBytes, caldera::kPrintfBufferSet, caldera::kPrivateLanes,
    caldera::kPrivateMemoryBinding, caldera::kPrivateMemorySet;
using caldera::kCheckAreaBytes;

using caldera::DeviceQueueCommand, caldera::DeviceQueueEventWord, caldera::DeviceQueueRecordWord,
    caldera::DeviceQueueWord, caldera::EnqueueOption, caldera::PipeWord, caldera::SamplerBits,
    caldera::TexelNumbers;
using enum caldera::DeviceQueueCommand;
using enum caldera::DeviceQueueEventWord;
using enum caldera::DeviceQueueRecordWord;
using enum caldera::DeviceQueueWord;
using enum caldera::EnqueueOption;
using enum caldera::PipeWord;
using enum caldera::SamplerBits;
using enum caldera::TexelNumbers;

/// What kernels check before they access memory, by addresses only: bits.
enum class MemoryChecks : uint16_t {
    None = 0,
    Guard = 1,      ///< a load outside of all objects gives zero, a store does nothing; nothing is reported
    Bounds = 2,     ///< the same, and what happened is recorded (CheckRecord), as by all that follow
    Alignment = 4,  ///< addresses are multiples of what the types ask for
    Barriers = 8,   ///< all work-items of a group reach the same barriers
    Races = 16,     ///< accesses of two work-items to the same memory are ordered, if one of them writes
    Uninitialised = 32,  ///< loads from private and local variables are of what has been written
    SameRaces = 64,      ///< with Races: stores of the same value count as well
    Arithmetic = 128,    ///< quotients, shifts and conversions have a value that OpenCL C says
    Loops = 256,         ///< loops end after TranslateOptions::loop_turns
    EndLoops = 512,      ///< the same, and nothing is recorded
};
constexpr MemoryChecks operator|(MemoryChecks a, MemoryChecks b) {
    return static_cast<MemoryChecks>(static_cast<uint16_t>(a) | static_cast<uint16_t>(b));
}
/// Whether one of the bits is among the checks.
constexpr bool has(MemoryChecks checks, MemoryChecks bits) {
    return (static_cast<uint16_t>(checks) & static_cast<uint16_t>(bits)) != 0;
}
/// Whether something is recorded.
constexpr bool reports(MemoryChecks checks) {
    return (static_cast<uint16_t>(checks) &
            ~static_cast<uint16_t>(MemoryChecks::Guard | MemoryChecks::EndLoops)) != 0;
}

/// With Abi::Descriptors: buffers of arguments that kernels see as arrays of descriptors, because they are
/// larger than one descriptor may say.
struct SplitBuffers {
    std::vector<uint32_t> parts =
        {};                  ///< the number of descriptors, by the binding of set 0; 1 for all others
    uint32_t part_bits = 0;  ///< a part has 2^part_bits bytes, the last one may have fewer
    uint32_t parts_of(uint32_t binding) const { return binding < parts.size() ? parts[binding] : 1; }
};

}  // namespace caldera::vulkan
