// SPDX-License-Identifier: Apache-2.0
// Names and sizes that the texts of an interface use.
#pragma once

#include <cstdint>
#include <locale>
#include <sstream>
#include <string_view>

#include "vulkan/interface.h"

namespace caldera::vulkan {

/// Writes numbers in the form of programming languages, whatever the process's locale is.
class TextStream : public std::ostringstream {
 public:
    TextStream() { imbue(std::locale::classic()); }
};

/// What an image or a sampler of Vulkan's is bound as; none for other kinds. Also the name of the kind.
struct DescriptorText {
    std::string_view name, vulkan_type;
};
inline DescriptorText descriptor_text(ArgumentKind kind) {
    switch (kind) {
        case ArgumentKind::SampledImage: return {"sampled_image", "VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE"};
        case ArgumentKind::StorageImage: return {"storage_image", "VK_DESCRIPTOR_TYPE_STORAGE_IMAGE"};
        case ArgumentKind::UniformTexelBuffer:
            return {"uniform_texel_buffer", "VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER"};
        case ArgumentKind::StorageTexelBuffer:
            return {"storage_texel_buffer", "VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER"};
        case ArgumentKind::SamplerObject: return {"sampler_object", "VK_DESCRIPTOR_TYPE_SAMPLER"};
        default: return {};
    }
}

struct HiddenText {
    std::string_view name;
    uint32_t component_bits, count;
};
inline HiddenText hidden_text(HiddenKind kind) {
    switch (kind) {
        case HiddenKind::GlobalOffset: return {"global_offset", 64, 3};
        case HiddenKind::GlobalSize: return {"global_size", 64, 3};
        case HiddenKind::NumGroups: return {"num_groups", 32, 3};
        case HiddenKind::EnqueuedLocalSize: return {"enqueued_local_size", 32, 3};
        case HiddenKind::GroupBase: return {"group_base", 32, 3};
        case HiddenKind::GlobalIdBase: return {"global_id_base", 64, 3};
        case HiddenKind::WorkDim: return {"work_dim", 32, 1};
        case HiddenKind::DataSegment: return {"data_segment", 64, 1};
        case HiddenKind::PrintfBuffer: return {"printf_buffer", 64, 1};
        case HiddenKind::DeviceQueue: return {"device_queue", 64, 1};
        case HiddenKind::Command: return {"command", 32, 1};
        case HiddenKind::RegionSize: return {"region_size", 32, 3};
        case HiddenKind::PrivateMemory: return {"private_memory", 64, 1};
        case HiddenKind::CheckState: return {"check_state", 64, 1};
        case HiddenKind::ChannelOrder: return {"channel_order", 32, 1};
        case HiddenKind::ChannelDataType: return {"channel_data_type", 32, 1};
        case HiddenKind::SamplerMask: return {"sampler_mask", 32, 1};
    }
    return {};
}

}  // namespace caldera::vulkan
