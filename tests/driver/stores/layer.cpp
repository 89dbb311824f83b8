// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer about images that shaders write and sample. With CALDERA_TEST_TRUNCATES=1, it makes a device
// truncate the floats to the 11 bits that a half has, as Vulkan lets it ("16-Bit Floating-Point Numbers"): it
// changes each OpImageWrite of four floats. With CALDERA_TEST_COARSE_VOLUMES=1, a device's filters of 3D
// images are off by 2^-4: it changes each OpImageSampleExplicitLod of four floats. Those of 2D arrays are off
// by 2^-13, so that a test can tell what a kernel sampled. With CALDERA_TEST_COARSE_SLICES=1, those are also
// taken where a 128th of a texel begins, in images of eight columns. With CALDERA_TEST_SAMPLED_ONLY=1, the
// layer ends a process that makes an image which shaders may write.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tests/driver/vulkan_layer.h"

namespace caldera::stores {
namespace {

struct Instance {
    VkInstance handle = VK_NULL_HANDLE;
    PFN_vkGetInstanceProcAddr get = nullptr;
};
LayerChain<Instance>& chain() {
    static auto* const made = new LayerChain<Instance>;  // outlives what is destroyed at exit
    return *made;
}

enum Op : uint32_t {  // SPIR-V 3.52
    OpTypeInt = 21,
    OpTypeFloat = 22,
    OpTypeVector = 23,
    OpTypeImage = 25,
    OpTypeSampledImage = 27,
    OpConstant = 43,
    OpConstantComposite = 44,
    OpFunction = 54,
    OpSampledImage = 86,
    OpImageSampleExplicitLod = 88,
    OpImageWrite = 99,
    OpBitcast = 124,
    OpFSub = 131,
    OpFMul = 133,
    OpFMod = 141,
    OpVectorTimesScalar = 142,
    OpBitwiseAnd = 199,
};
constexpr size_t kHeader = 5, kBound = 3;
constexpr uint32_t kKept = 0xffffe000;  // the bits of a float that a half has, too

using Words = std::vector<uint32_t>;
void add(Words& to, Op op, std::initializer_list<uint32_t> operands) {
    to.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op);
    to.insert(to.end(), operands);
}

template <class Visit>
void for_each(std::span<const uint32_t> words, Visit&& visit) {
    for (size_t at = kHeader; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16)
        visit(words.subspan(at, words[at] >> 16));
}

class Truncation {
 public:
    explicit Truncation(std::span<const uint32_t> words) : words_(words) {}

    Words run() {
        for_each(words_, [&](std::span<const uint32_t> inst) { find(inst); });
        Words out(words_.begin(), words_.begin() + kHeader);
        uint32_t bound = words_[kBound], mask = 0;
        for_each(words_, [&](std::span<const uint32_t> inst) {
            const uint32_t op = inst[0] & 0xffff;
            if (op == OpFunction && mask == 0 && uint_ != 0 && four_floats_ != 0) {
                if (four_uints_ == 0) add(out, OpTypeVector, {four_uints_ = bound++, uint_, 4});
                const uint32_t one = bound++;
                mask = bound++;
                add(out, OpConstant, {uint_, one, kKept});
                add(out, OpConstantComposite, {four_uints_, mask, one, one, one, one});
            }
            const bool truncates =
                op == OpImageWrite && mask != 0 && std::ranges::count(texels_, inst[3]) != 0;
            if (truncates) {
                const uint32_t bits = bound++, kept = bound++, texel = bound++;
                add(out, OpBitcast, {four_uints_, bits, inst[3]});
                add(out, OpBitwiseAnd, {four_uints_, kept, bits, mask});
                add(out, OpBitcast, {four_floats_, texel, kept});
                out.insert(out.end(), inst.begin(), inst.end());
                out[out.size() - inst.size() + 3] = texel;
            } else {
                out.insert(out.end(), inst.begin(), inst.end());
            }
        });
        out[kBound] = bound;
        return out;
    }

 private:
    void find(std::span<const uint32_t> inst) {
        const uint32_t op = inst[0] & 0xffff;
        if (op == OpTypeInt && inst[2] == 32 && inst[3] == 0) uint_ = inst[1];
        if (op == OpTypeFloat && inst[2] == 32) float_ = inst[1];
        if (op == OpTypeVector && inst[2] == float_ && inst[3] == 4) four_floats_ = inst[1];
        if (op == OpTypeVector && inst[2] == uint_ && inst[3] == 4) four_uints_ = inst[1];
        if (inst.size() > 2 && four_floats_ != 0 && inst[1] == four_floats_) texels_.push_back(inst[2]);
    }

    std::span<const uint32_t> words_;
    uint32_t uint_ = 0, float_ = 0, four_floats_ = 0, four_uints_ = 0;
    Words texels_ = {};  // results with four floats
};

class Coarseness {
 public:
    explicit Coarseness(std::span<const uint32_t> words) : words_(words) {}

    Words run() {
        for_each(words_, [&](std::span<const uint32_t> inst) { find(inst); });
        Words out(words_.begin(), words_.begin() + kHeader);
        uint32_t bound = words_[kBound], volume = 0, array = 0, steps = 0, column = 0;
        const bool rounds = std::getenv("CALDERA_TEST_COARSE_SLICES") && three_floats_ != 0;
        for_each(words_, [&](std::span<const uint32_t> inst) {
            const uint32_t op = inst[0] & 0xffff;
            if (op == OpFunction && volume == 0 && four_floats_ != 0) {
                add(out, OpConstant, {float_, volume = bound++, 0x3f880000});  // 1 + 2^-4
                add(out, OpConstant, {float_, array = bound++, 0x3f800400});   // 1 + 2^-13
                if (rounds) {
                    const uint32_t step = bound++, one = bound++, zero = bound++;
                    add(out, OpConstant, {float_, step, 0x3a800000});  // 2^-10: an eighth of a 128th
                    add(out, OpConstant, {float_, one, 0x3f800000});
                    add(out, OpConstant, {float_, zero, 0});
                    add(out, OpConstantComposite, {three_floats_, steps = bound++, step, one, one});
                    add(out, OpConstantComposite, {three_floats_, column = bound++, one, zero, zero});
                }
            }
            const auto image = op == OpImageSampleExplicitLod && inst[1] == four_floats_
                                   ? images_.find(inst[3])
                                   : images_.end();
            const bool is_rounded = image != images_.end() && image->second == k2D && rounds;
            if (is_rounded) {
                const uint32_t beyond = bound++, of_column = bound++;
                add(out, OpFMod, {three_floats_, beyond, inst[4], steps});
                add(out, OpFMul, {three_floats_, of_column, beyond, column});
                add(out, OpFSub, {three_floats_, bound++, inst[4], of_column});
            }
            const size_t at = out.size();
            out.insert(out.end(), inst.begin(), inst.end());
            if (image == images_.end()) return;
            if (is_rounded) out[at + 4] = bound - 1;
            out[at + 2] = bound++;
            add(out, OpVectorTimesScalar,
                {four_floats_, inst[2], out[at + 2], image->second == k3D ? volume : array});
        });
        out[kBound] = bound;
        return out;
    }

 private:
    static constexpr uint32_t k2D = 1, k3D = 2;
    void find(std::span<const uint32_t> inst) {
        const uint32_t op = inst[0] & 0xffff;
        if (op == OpTypeFloat && inst[2] == 32) float_ = inst[1];
        if (op == OpTypeVector && inst[2] == float_ && inst[3] == 4) four_floats_ = inst[1];
        if (op == OpTypeVector && inst[2] == float_ && inst[3] == 3) three_floats_ = inst[1];
        const auto passes_on = [&](uint32_t result, uint32_t from) {
            if (const auto known = images_.find(from); known != images_.end())
                images_[result] = known->second;
        };
        if (op == OpTypeImage && (inst[3] == k3D || (inst[3] == k2D && inst[5] == 1)))
            images_[inst[1]] = inst[3];
        if (op == OpTypeSampledImage) passes_on(inst[1], inst[2]);
        if (op == OpSampledImage) passes_on(inst[2], inst[1]);
    }

    std::span<const uint32_t> words_;
    uint32_t float_ = 0, three_floats_ = 0, four_floats_ = 0;
    std::map<uint32_t, uint32_t> images_ = {};  // 3D ones and 2D arrays, their types, and their samples
};

VKAPI_ATTR VkResult VKAPI_CALL create_shader_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                                    const VkAllocationCallbacks* callbacks,
                                                    VkShaderModule* module) {
    const auto next = reinterpret_cast<PFN_vkCreateShaderModule>(
        chain().functions_of(device)(device, "vkCreateShaderModule"));
    const bool truncates = std::getenv("CALDERA_TEST_TRUNCATES");
    if (!truncates && !std::getenv("CALDERA_TEST_COARSE_VOLUMES"))
        return next(device, info, callbacks, module);
    const std::span given(info->pCode, info->codeSize / 4);
    const Words words = truncates ? Truncation(given).run() : Coarseness(given).run();
    VkShaderModuleCreateInfo changed = *info;
    changed.codeSize = words.size() * 4;
    changed.pCode = words.data();
    return next(device, &changed, callbacks, module);
}

VKAPI_ATTR VkResult VKAPI_CALL create_image(VkDevice device, const VkImageCreateInfo* info,
                                            const VkAllocationCallbacks* callbacks, VkImage* image) {
    if ((info->usage & VK_IMAGE_USAGE_STORAGE_BIT) && std::getenv("CALDERA_TEST_SAMPLED_ONLY")) {
        std::fputs("an image that shaders may write\n", stderr);
        std::abort();
    }
    const auto next =
        reinterpret_cast<PFN_vkCreateImage>(chain().functions_of(device)(device, "vkCreateImage"));
    return next(device, info, callbacks, image);
}

// ---- The layer ----

void find_next(Instance&) {}
PFN_vkVoidFunction own(std::string_view name) {
    static const LayerFunction kFunctions[] = {{"vkCreateImage", create_image},
                                               {"vkCreateShaderModule", create_shader_module}};
    return find_function(kFunctions, name);
}
using Functions = LayerFunctions<chain, find_next, own>;

}  // namespace

extern "C" VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    return negotiate_layer(version, Functions::get_instance_proc, Functions::get_device_proc);
}

}  // namespace caldera::stores
