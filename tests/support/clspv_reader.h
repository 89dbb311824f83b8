// SPDX-License-Identifier: Apache-2.0
// What a module says of itself in NonSemantic.ClspvReflection, read as clvk and Amber read it: from the
// words.
#pragma once

#include "tests/support/plain_device.h"

namespace caldera::plain {

struct ReflectedArgument {
    std::string name = {};
    /// VK_DESCRIPTOR_TYPE_MAX_ENUM: a push constant or local memory.
    VkDescriptorType type = VK_DESCRIPTOR_TYPE_MAX_ENUM;
    uint32_t set = 0, binding = 0;
    bool is_pushed = false;         ///< a value
    bool is_address = false;        ///< a buffer's, of 8 bytes
    uint32_t offset = 0, size = 0;  ///< of what is pushed
    /// Push constants about an image or a sampler; ~0: none.
    uint32_t order_offset = ~0u, data_type_offset = ~0u, mask_offset = ~0u;
};
struct ReflectedKernel {
    std::string name = {};
    std::vector<ReflectedArgument> arguments = {};
    uint32_t block_bytes = 128;     ///< of push constants, or of the buffer whose address they hold
    bool has_block_buffer = false;  ///< the latter
    uint32_t data_offset = ~0u;     ///< of the data's address; ~0: none
};
struct ReflectedSampler {
    uint32_t set = 0, binding = 0, bits = 0;
};
struct Reflection {
    std::vector<ReflectedKernel> kernels = {};
    std::vector<ReflectedSampler> samplers = {};
    uint32_t data_set = 0, data_binding = 0;
    std::vector<uint8_t> data = {};  ///< empty: none
    /// Where the data holds the address of which byte of itself.
    std::vector<std::pair<uint64_t, uint64_t>> relocations = {};
};

inline std::vector<uint8_t> bytes_of_digits(const std::string& digits) {
    std::vector<uint8_t> bytes;
    for (size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    return bytes;
}

class ReflectionReader {
 public:
    explicit ReflectionReader(const std::vector<uint32_t>& words) {
        for_each_instruction(words, [&](uint32_t op, const uint32_t* inst) {
            constexpr uint32_t kString = 7, kExtInstImport = 11, kExtInst = 12, kConstant = 43;
            const auto text = [&](size_t at) {
                return std::string(reinterpret_cast<const char*>(inst + at));
            };
            if (op == kString) strings_[inst[1]] = text(2);
            if (op == kConstant) numbers_[inst[2]] = inst[3];
            if (op == kExtInstImport && text(2).starts_with("NonSemantic.ClspvReflection.")) set_ = inst[1];
            if (op == kExtInst && inst[3] == set_) read(inst, (inst[0] >> 16) - 5);
        });
    }
    const Reflection& reflection() const { return reflection_; }

 private:
    void read(const uint32_t* inst, size_t count) {
        const uint32_t* operands = inst + 5;
        const auto number = [&](size_t at) { return numbers_.at(operands[at]); };
        switch (inst[4]) {
            case 1:
                kernels_[inst[2]] = reflection_.kernels.size();
                reflection_.kernels.push_back({.name = strings_.at(operands[1])});
                reflection_.kernels.back().arguments.resize(count > 2 ? number(2) : 0);
                return;
            case 2: infos_[inst[2]] = strings_.at(operands[0]); return;
            case 3: return bind(operands, count, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
            case 7: {
                ReflectedArgument& argument = this->argument(operands);
                argument.is_pushed = true;
                argument.offset = number(2);
                argument.size = number(3);
                if (count > 4) argument.name = infos_.at(operands[4]);
                return;
            }
            case 8: return bind(operands, count, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
            case 9: return bind(operands, count, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
            case 10: return bind(operands, count, VK_DESCRIPTOR_TYPE_SAMPLER);
            case 21:
            case 28: {
                reflection_.data_set = number(0);
                reflection_.data_binding = number(1);
                reflection_.data = bytes_of_digits(strings_.at(operands[2]));
                return;
            }
            case 23: reflection_.samplers.push_back({number(0), number(1), number(2)}); return;
            case 30: argument(operands).order_offset = number(2); return;
            case 31: argument(operands).data_type_offset = number(2); return;
            case 34: return bind(operands, count, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER);
            case 35: return bind(operands, count, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER);
            case 41: argument(operands).mask_offset = number(2); return;
            default: return;
        }
    }
    ReflectedArgument& argument(const uint32_t* operands) {
        return reflection_.kernels.at(kernels_.at(operands[0])).arguments.at(numbers_.at(operands[1]));
    }
    void bind(const uint32_t* operands, size_t count, VkDescriptorType type) {
        ReflectedArgument& argument = this->argument(operands);
        argument.type = type;
        argument.set = numbers_.at(operands[2]);
        argument.binding = numbers_.at(operands[3]);
        if (count > 4) argument.name = infos_.at(operands[4]);
    }

    uint32_t set_ = 0;
    std::map<uint32_t, std::string> strings_ = {}, infos_ = {};
    std::map<uint32_t, uint32_t> numbers_ = {};
    std::map<uint32_t, size_t> kernels_ = {};
    Reflection reflection_ = {};
};

/// The module for devices without VK_KHR_shader_non_semantic_info.
inline std::vector<uint32_t> without_reflection(const std::vector<uint32_t>& words) {
    constexpr uint32_t kExtension = 10, kExtInstImport = 11, kExtInst = 12;
    std::vector<uint32_t> kept(words.begin(), words.begin() + 5);
    uint32_t set = 0;
    for_each_instruction(words, [&](uint32_t op, const uint32_t* inst) {
        const auto text = [&](size_t at) {
            return std::string_view(reinterpret_cast<const char*>(inst + at));
        };
        if (op == kExtension && text(1) == "SPV_KHR_non_semantic_info") return;
        if (op == kExtInstImport && text(2).starts_with("NonSemantic.ClspvReflection.")) {
            set = inst[1];
            return;
        }
        if (op == kExtInst && inst[3] == set) return;
        kept.insert(kept.end(), inst, inst + (inst[0] >> 16));
    });
    return kept;
}

}  // namespace caldera::plain
