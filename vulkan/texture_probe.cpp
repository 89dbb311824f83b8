// SPDX-License-Identifier: Apache-2.0
#include "vulkan/texture_probe.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "spirv/support/archive.h"
#include "spirv/support/try.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/device_key.h"
#include "vulkan/runtime/image_format.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/samplers.h"
#include "vulkan/runtime/texture.h"

namespace caldera {
namespace {

/// Samples an image, and finds the smallest and the largest texel around each place.
constexpr const char* kSource = R"(
    #ifdef VOLUME
    #define IMAGE read_only image3d_t
    typedef float4 Place;
    #define PLACE(four) (four)
    #define CORNERS 8
    #else
    #define IMAGE read_only image2d_t
    typedef float2 Place;
    #define PLACE(four) (four).xy
    #define CORNERS 4
    #endif
    kernel void probe(IMAGE image, sampler_t linear_filter, sampler_t nearest, global const float4 *at,
                      float4 half_texel, global float4 *out) {
        const size_t i = get_global_id(0);
        const Place place = PLACE(at[i]);
        float4 least = INFINITY, most = -INFINITY;
        for (int corner = 0; corner < CORNERS; ++corner) {
            const float4 to = half_texel * (float4)(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1, 0);
            const float4 texel = read_imagef(image, nearest, place + PLACE(to));
            least = fmin(least, texel);
            most = fmax(most, texel);
        }
        out[3 * i] = read_imagef(image, linear_filter, place);
        out[3 * i + 1] = most - least;
        out[3 * i + 2] = fmax(fabs(most), fabs(least));
    }
)";

constexpr uint32_t kWidth = 8, kHeight = 6, kDepth = 4, kPlaces = 512;
constexpr float kAlmostHalf = 0.4999f;
constexpr uint32_t kFloats = 4 * 3;  // what the kernel writes for a place
/// Texture units have weights of 8 bits, and may round the colour to a half.
constexpr float kWeightError = 0x1p-7f, kColorError = 0x1p-11f;
/// The conformance tests compare an error with a step in floats, so one of a whole step may fail. lavapipe's
/// filters of one and two bytes have such.
constexpr float kPartOfStep = 0.99f;
using runtime::kFloat, runtime::kHalfFloat;

/// Any bytes are texels of a normalised format. Others have numbers from 1/2 to 1, and their negatives.
std::vector<std::byte> make_texels(uint32_t channel_data_type, uint32_t texel_bytes, uint32_t texels,
                                   uint32_t seed = 1) {
    std::mt19937 random(seed);
    std::vector<uint32_t> words(texels * texel_bytes / 4 + 1);
    for (uint32_t& word : words) {
        word = static_cast<uint32_t>(random());
        if (channel_data_type == kHalfFloat) word = (word & 0x83ff83ffu) | 0x38003800u;
        if (channel_data_type == kFloat) word = (word & 0x807fffffu) | 0x3f000000u;
    }
    const auto bytes = std::as_bytes(std::span(words)).first(size_t{texels} * texel_bytes);
    return {bytes.begin(), bytes.end()};
}

/// Half of the columns have texels of the largest and the least number in turn, in all directions. Nothing is
/// as hard to filter.
std::vector<std::byte> make_volume(uint32_t channel_data_type, const runtime::TextureFormat& format) {
    std::vector<std::byte> texels =
        make_texels(channel_data_type, format.texel_bytes, kWidth * kHeight * kDepth);
    const uint32_t bits = format.channel_bytes * 8;
    const uint32_t one = channel_data_type == kFloat       ? 0x3f800000
                         : channel_data_type == kHalfFloat ? 0x3c00
                                                           : (1u << (bits - (format.has_signs ? 1 : 0))) - 1;
    const uint32_t sign = 1u << (bits - 1);
    const bool is_float = channel_data_type == kFloat || channel_data_type == kHalfFloat;
    const uint32_t least = is_float ? one | sign : format.has_signs ? sign | 1 : 0;
    for (uint32_t texel = 0; texel < kWidth * kHeight * kDepth; ++texel) {
        const uint32_t x = texel % kWidth, y = texel / kWidth % kHeight, z = texel / kWidth / kHeight;
        if (x >= kWidth / 2) continue;
        const uint32_t number = (x + y + z) % 2 ? one : least;
        for (uint32_t at = 0; at < format.texel_bytes; at += format.channel_bytes)
            std::memcpy(&texels[texel * format.texel_bytes + at], &number, format.channel_bytes);
    }
    return texels;
}

using Place = std::array<float, 4>;

/// Inside and outside of the image, and where rounding would show: at texels' centres and edges. In a volume,
/// every other place is close to a centre and halfway between two weights of 8 bits in each direction.
std::vector<Place> make_places(bool normalized, bool is_volume) {
    std::mt19937 random(2);
    const auto scaled = [&](float texels, uint32_t size) {
        return normalized ? texels / static_cast<float>(size) : texels;
    };
    const auto number = [&](uint32_t size) {
        const uint32_t raw = static_cast<uint32_t>(random());
        const float units = raw & 1 ? 2.0f : 1024.0f;  // of a texel
        const float texels = static_cast<float>(raw >> 1 & 0xffff) / 65536.0f * 4 - 1.5f;
        return scaled(std::round(texels * static_cast<float>(size) * units) / units, size);
    };
    const auto between_weights = [&](uint32_t size) {
        const uint32_t raw = static_cast<uint32_t>(random());
        const float from_centre = static_cast<float>(raw & 15) * 0x1p-8f - 15 * 0x1p-9f;
        return scaled(static_cast<float>((raw >> 4) % size) + 0.5f + from_centre, size);
    };
    std::vector<Place> places(kPlaces);
    for (size_t i = 0; i < places.size(); ++i) {
        if (!is_volume)
            places[i] = {number(kWidth), number(kHeight)};
        else if (i % 2 == 0)
            places[i] = {number(kWidth), number(kHeight), number(kDepth)};
        else
            places[i] = {between_weights(kWidth), between_weights(kHeight), between_weights(kDepth)};
    }
    return places;
}

template <class T, class Made>
Result<Done> make(T& member, Result<Made> made) {
    if (!made) return made.error();
    member = made.take();
    return Done{};
}

vulkan::ImageDescriptor describe(const runtime::Buffer& texels, uint32_t width, uint32_t height,
                                 uint32_t channel_order, uint32_t channel_data_type, uint32_t depth = 1) {
    vulkan::ImageDescriptor image =
        runtime::packed_image(channel_order, channel_data_type, {width, height, depth});
    image.data_address = texels.address();
    return image;
}

// ---- How filters read ----

/// What the host needs to run the probe. Without a form, the image has two dimensions.
class Probe {
 public:
    static Result<Probe> create(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type,
                                std::optional<VolumeForm> form);
    /// Whether memory and texture agree for a sampler.
    Result<bool> agrees(uint32_t sampler);

 private:
    Result<std::vector<float>> run(runtime::Kernel& kernel, uint32_t sampler);
    /// How far the texture's colour may be off. Three weights add up to more than the conformance tests let
    /// pass, where the span is larger than each texel. So do two for signed channels of 8 bits, whose
    /// arithmetic rounds, too: NVIDIA's units miss the tests' bound in some of a million places.
    float bound(float span, float most) const {
        const float of = is_by_texel_ ? std::min(span, most) : span;
        return std::max(kWeightError * of + kColorError * most, kPartOfStep * step_);
    }

    std::optional<VolumeForm> form_ = {};
    float step_ = 0;  // between the numbers of normalised texels, which the conformance tests let pass
    bool is_by_texel_ = false;  // the bound does not grow with the span
    BuildResult built_ = {};
    runtime::Program* textured_ = nullptr;
    std::unique_ptr<runtime::Queue> queue_ = {};
    vulkan::ImageDescriptor descriptor_ = {};
    runtime::Texture texture_ = {};
    runtime::Buffer texels_ = {}, described_ = {}, places_ = {}, out_ = {};
};

runtime::TextureShape probe_shape(std::optional<VolumeForm> form) {
    if (!form) return {.extent = {kWidth, kHeight, 1}};
    if (*form == VolumeForm::Volume)
        return {.view = VK_IMAGE_VIEW_TYPE_3D, .extent = {kWidth, kHeight, kDepth}};
    return {.view = VK_IMAGE_VIEW_TYPE_2D_ARRAY, .extent = {kWidth, kHeight, 1}, .layers = kDepth};
}

Result<Probe> Probe::create(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type,
                            std::optional<VolumeForm> form) {
    Probe probe;
    probe.form_ = form;
    const auto format = runtime::texture_format(channel_order, channel_data_type);
    const runtime::TextureShape shape = probe_shape(form);
    if (!format || !runtime::Texture::is_supported(device, *format, shape))
        return Error{.message = "the format is no texture"};
    if (format->texel_numbers != vulkan::kFloatTexels) return Error{.message = "Vulkan filters no integers"};
    BuildOptions options;
    if (form && !frontend::parse_build_options("-DVOLUME", options.compile))
        return Error{.message = "no macros"};
    if (channel_data_type != kHalfFloat && channel_data_type != kFloat)
        probe.step_ = 1 / static_cast<float>((1u << (format->channel_bytes * 8 - format->has_signs)) - 1);
    const bool has_signed_bytes = format->has_signs && format->channel_bytes == 1;
    probe.is_by_texel_ = form == VolumeForm::Volume || has_signed_bytes;
    probe.built_ = build_program(device, kSource, "probe.cl", options);
    if (!probe.built_) return Error{.message = probe.built_.log};
    probe.textured_ = probe.built_.program->image_form({.has_slices = form == VolumeForm::Slices});
    if (!probe.textured_) return Error{.message = "no form with textures"};
    TRY(make(probe.queue_, runtime::Queue::create(device)));
    TRY(make(probe.texture_, runtime::Texture::create(device, *format, shape)));

    const std::vector<std::byte> texels =
        form ? make_volume(channel_data_type, *format)
             : make_texels(channel_data_type, format->texel_bytes, kWidth * kHeight);
    TRY(make(probe.texels_, runtime::Buffer::create(device, texels.size())));
    TRY(make(probe.described_, runtime::Buffer::create(device, sizeof probe.descriptor_)));
    TRY(make(probe.places_, runtime::Buffer::create(device, kPlaces * sizeof(Place))));
    TRY(make(probe.out_, runtime::Buffer::create(device, kPlaces * sizeof(float) * kFloats)));
    probe.descriptor_ =
        describe(probe.texels_, kWidth, kHeight, channel_order, channel_data_type, form ? kDepth : 1);
    TRY(probe.queue_->upload(probe.texels_, 0, texels));
    TRY(probe.queue_->upload(probe.described_, 0, std::as_bytes(std::span(&probe.descriptor_, 1))));
    const Result<runtime::Event> copied =
        probe.queue_->copy(probe.texels_, {.row_texels = kWidth, .slice_rows = kHeight}, probe.texture_);
    if (!copied) return copied.error();
    return probe;
}

Result<std::vector<float>> Probe::run(runtime::Kernel& kernel, uint32_t sampler) {
    const bool is_normalized = sampler & vulkan::kSamplerNormalized;
    const Place half_texel = {kAlmostHalf / (is_normalized ? kWidth : 1),
                              kAlmostHalf / (is_normalized ? kHeight : 1),
                              kAlmostHalf / (is_normalized ? kDepth : 1)};
    TRY(kernel.set_sampler(1, sampler | vulkan::kSamplerLinear));
    TRY(kernel.set_sampler(2, sampler | vulkan::kSamplerNearest));
    TRY(kernel.set(3, places_));
    TRY(kernel.set(4, half_texel));
    TRY(kernel.set(5, out_));
    const Result<runtime::Event> ran = queue_->dispatch(kernel, {.global = {kPlaces, 1, 1}});
    if (!ran) return ran.error();
    std::vector<float> out(kPlaces * kFloats);
    TRY(queue_->download(out_, 0, std::as_writable_bytes(std::span(out))));
    return out;
}

Result<bool> Probe::agrees(uint32_t sampler) {
    const std::vector<Place> places = make_places(sampler & vulkan::kSamplerNormalized, form_.has_value());
    TRY(queue_->upload(places_, 0, std::as_bytes(std::span(places))));
    Result<runtime::Kernel> kernel = runtime::Kernel::create(*built_.program, "probe");
    if (!kernel) return kernel.error();
    TRY(kernel->set_image(
        0, {.descriptor = descriptor_, .descriptor_address = described_.address(), .texels = &texels_}));
    const Result<std::vector<float>> right = run(*kernel, sampler);
    if (!right) return right.error();
    Result<runtime::Kernel> textured = kernel->in_form(*textured_);
    if (!textured) return textured.error();
    TRY(textured->set_vulkan_image(0, {.view = texture_.view()}));
    const Result<std::vector<float>> found = run(*textured, sampler);
    if (!found) return found.error();
    for (size_t place = 0; place < kPlaces; ++place)
        for (size_t channel = 0; channel < 4; ++channel) {
            const size_t at = kFloats * place + channel;
            const float error = std::abs((*right)[at] - (*found)[at]);
            if (!(error <= bound((*right)[at + 4], (*right)[at + 8]))) return false;
        }
    return true;
}

// ---- How filters read levels ----

constexpr const char* kLevelSource = R"(
    kernel void probe(read_only image2d_t image, sampler_t sampler, global const float4 *at, float2 size,
                      global float4 *out) {
        const size_t i = get_global_id(0);
        const float4 place = at[i];
        out[2 * i] = read_imagef(image, sampler, place.xy, place.z);
        const float texels = exp2(place.z);
        const float2 larger = (float2)(0.6f, -0.8f) * texels / size, smaller = (float2)(place.w * texels / size.x, 0);
        out[2 * i + 1] = i & 1 ? read_imagef(image, sampler, place.xy, larger, smaller)
                               : read_imagef(image, sampler, place.xy, smaller, larger);
    }
)";

constexpr uint32_t kLevels = 4, kLevelWidth = 24, kLevelHeight = 16;

/// Coordinates, and levels that are not halfway between two of them, where either may be the nearest.
/// Gradients have the length of that level, and another of them is shorter.
std::vector<std::array<float, 4>> make_level_places() {
    std::mt19937 random(4);
    const auto number = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
    std::vector<std::array<float, 4>> places(kPlaces);
    for (std::array<float, 4>& place : places) {
        float lod = number() * (kLevels + 1) - 1;
        const float from_half = lod - std::floor(lod) - 0.5f;
        if (std::abs(from_half) < 0x1p-4f) lod += 0.25f;
        place = {number() * 2 - 0.5f, number() * 2 - 0.5f, lod, number() * 1.8f - 0.9f};
    }
    return places;
}

Result<bool> ask_levels(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type) {
    const auto format = runtime::texture_format(channel_order, channel_data_type);
    const runtime::TextureShape shape{.extent = {kLevelWidth, kLevelHeight, 1}, .levels = kLevels};
    if (!format || !runtime::Texture::is_supported(device, *format, shape))
        return Error{.message = "the format is no texture with levels"};
    BuildOptions options;
    if (!frontend::parse_build_options("-cl-std=CL3.0", options.compile))
        return Error{.message = "no OpenCL C 3.0"};
    BuildResult built = build_program(device, kLevelSource, "levels.cl", options);
    if (!built) return Error{.message = built.log};
    runtime::Program* form = built.program->image_form({});
    if (!form) return Error{.message = "no form with textures"};
    std::unique_ptr<runtime::Queue> queue;
    runtime::Texture texture;
    runtime::Buffer texels, described, places, out;
    TRY(make(queue, runtime::Queue::create(device)));
    TRY(make(texture, runtime::Texture::create(device, *format, shape)));

    std::vector<std::byte> bytes;
    std::vector<runtime::TexelRows> rows;
    std::vector<vulkan::ImageDescriptor> levels;
    for (uint32_t level = 0; level < kLevels; ++level) {
        const uint32_t width = kLevelWidth >> level, height = kLevelHeight >> level;
        rows.push_back({.offset_bytes = bytes.size(), .row_texels = width, .slice_rows = height});
        const std::vector<std::byte> random =
            make_texels(channel_data_type, format->texel_bytes, width * height, level);
        bytes.insert(bytes.end(), random.begin(), random.end());
    }
    TRY(make(texels, runtime::Buffer::create(device, bytes.size())));
    for (const runtime::TexelRows& level : rows) {
        levels.push_back(
            describe(texels, level.row_texels, level.slice_rows, channel_order, channel_data_type));
        levels.back().data_address += level.offset_bytes;
        levels.back().num_mip_levels = kLevels;
    }
    const auto where = make_level_places();
    TRY(make(described, runtime::Buffer::create(device, levels.size() * sizeof levels[0])));
    TRY(make(places, runtime::Buffer::create(device, where.size() * sizeof where[0])));
    TRY(make(out, runtime::Buffer::create(device, kPlaces * sizeof(float) * 8)));
    TRY(queue->upload(texels, 0, bytes));
    TRY(queue->upload(described, 0, std::as_bytes(std::span(levels))));
    TRY(queue->upload(places, 0, std::as_bytes(std::span(where))));
    TRY(queue->copy(texels, rows, texture));

    Result<runtime::Kernel> kernel = runtime::Kernel::create(*built.program, "probe");
    if (!kernel) return kernel.error();
    TRY(kernel->set_image(
        0, {.descriptor = levels[0], .descriptor_address = described.address(), .texels = &texels}));
    const auto run = [&](runtime::Kernel& launched, uint32_t sampler) -> Result<std::vector<float>> {
        const std::array<float, 2> size = {kLevelWidth, kLevelHeight};
        TRY(launched.set_sampler(1, sampler));
        TRY(launched.set(2, places));
        TRY(launched.set(3, size));
        TRY(launched.set(4, out));
        TRY(queue->dispatch(launched, {.global = {kPlaces, 1, 1}}));
        std::vector<float> found(size_t{kPlaces} * 8);
        TRY(queue->download(out, 0, std::as_writable_bytes(std::span(found))));
        return found;
    };
    using namespace vulkan;
    constexpr uint32_t kFilter = kSamplerNormalized | kSamplerLinear;
    constexpr uint32_t kFromHalf = uint32_t{kSamplerLodUnit} / 2 << kSamplerLeastLodShift;
    for (const uint32_t sampler :
         {kFilter | kSamplerClampToEdge, kFilter | kSamplerClampToEdge | kSamplerLinearLevels,
          kFilter | kSamplerRepeat | kSamplerLinearLevels | kFromHalf}) {
        const Result<std::vector<float>> right = run(*kernel, sampler);
        if (!right) return right.error();
        Result<runtime::Kernel> textured = kernel->in_form(*form);
        if (!textured) return textured.error();
        TRY(textured->set_vulkan_image(0, {.view = texture.view()}));
        const Result<std::vector<float>> found = run(*textured, sampler);
        if (!found) return found.error();
        const auto [least, most] = std::ranges::minmax(*right);
        for (size_t i = 0; i < right->size(); ++i) {
            const float bound = (most - least) * kWeightError;
            const float error = std::abs((*right)[i] - (*found)[i]);
            if (!(error <= bound)) return false;
        }
    }
    return true;
}

// ---- What kernels write ----

constexpr const char* kStoreSource = R"(
    kernel void store(write_only image2d_t image, global const float4 *values) {
        const int i = get_global_id(0);
        write_imagef(image, (int2)(i, 0), values[i]);
    }
)";

constexpr uint32_t kStored = 512;  // texels

/// Numbers where conversions differ: halfway between texels' numbers, just beside that, and beyond all of
/// them.
std::vector<float> make_stored(uint32_t channel_data_type, const runtime::TextureFormat& format) {
    std::vector<float> values = {0,     -0.0f, 1,        -1,         0.5f,      -0.5f,
                                 2,     -2,    0x1p-25f, 0x1.8p-25f, INFINITY,  65504,
                                 65519, 65520, -65536,   1e30f,      -INFINITY, 0x1p-126f};
    if (channel_data_type != kHalfFloat && channel_data_type != kFloat) values.push_back(NAN);
    std::mt19937 random(3);
    const uint32_t bits = std::min(format.channel_bytes * 8 - (format.has_signs ? 1 : 0), 16u);
    const auto steps = static_cast<float>((1u << bits) - 1);
    while (values.size() < size_t{kStored} * 4) {
        const auto raw = static_cast<uint32_t>(random());
        float value = static_cast<float>(raw >> 8) * 0x1p-24f;
        if (raw & 1) value = (std::floor(value * steps) + 0.5f) / steps;
        if (raw & 2) value = std::nextafter(value, raw & 4 ? 4.0f : -4.0f);
        if (raw & 8) value = -value;
        if (raw & 16) value = std::ldexp(std::round(value * 0x1p12f), static_cast<int>(raw >> 27) - 28);
        values.push_back(value);
    }
    return values;
}

/// The texels that a kernel writes, as bytes.
class StoreProbe {
 public:
    static Result<StoreProbe> create(runtime::Device& device, uint32_t channel_order,
                                     uint32_t channel_data_type);
    Result<std::vector<std::byte>> in_memory();
    Result<std::vector<std::byte>> in_texture(StoreForm form);

 private:
    Result<std::vector<std::byte>> read() const;
    runtime::Program* form_of(StoreForm form) const {
        return built_.program->image_form({.is_written = true, .rounds = form == StoreForm::Rounded});
    }

    BuildResult built_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};
    std::optional<runtime::Kernel> kernel_ = {};
    runtime::Texture texture_ = {};
    uint32_t channel_order_ = 0, channel_data_type_ = 0;
    runtime::Buffer texels_ = {}, described_ = {}, values_ = {};
};

Result<StoreProbe> StoreProbe::create(runtime::Device& device, uint32_t channel_order,
                                      uint32_t channel_data_type) {
    StoreProbe probe;
    const auto format = runtime::texture_format(channel_order, channel_data_type);
    const runtime::TextureShape shape{.extent = {kStored, 1, 1}};
    if (!format || !runtime::Texture::is_supported(device, *format, shape, runtime::TextureUse::Written))
        return Error{.message = "kernels cannot write to such a texture"};
    probe.built_ = build_program(device, kStoreSource, "store.cl");
    if (!probe.built_) return Error{.message = probe.built_.log};
    probe.channel_order_ = channel_order;
    probe.channel_data_type_ = channel_data_type;
    const std::vector<float> values = make_stored(channel_data_type, *format);
    TRY(make(probe.queue_, runtime::Queue::create(device)));
    TRY(make(probe.texture_, runtime::Texture::create(device, *format, shape, runtime::TextureUse::Written)));
    TRY(make(probe.kernel_, runtime::Kernel::create(*probe.built_.program, "store")));
    TRY(make(probe.texels_, runtime::Buffer::create(device, uint64_t{kStored} * format->texel_bytes)));
    TRY(make(probe.described_, runtime::Buffer::create(device, sizeof(vulkan::ImageDescriptor))));
    TRY(make(probe.values_, runtime::Buffer::create(device, values.size() * sizeof(float))));
    const vulkan::ImageDescriptor descriptor =
        describe(probe.texels_, kStored, 1, channel_order, channel_data_type);
    TRY(probe.queue_->upload(probe.values_, 0, std::as_bytes(std::span(values))));
    TRY(probe.queue_->upload(probe.described_, 0, std::as_bytes(std::span(&descriptor, 1))));
    TRY(probe.kernel_->set_image(0, {.descriptor = descriptor,
                                     .descriptor_address = probe.described_.address(),
                                     .texels = &probe.texels_}));
    TRY(probe.kernel_->set(1, probe.values_));
    return probe;
}

Result<std::vector<std::byte>> StoreProbe::read() const {
    std::vector<std::byte> bytes(texels_.size_bytes());
    TRY(queue_->download(texels_, 0, bytes));
    return bytes;
}

Result<std::vector<std::byte>> StoreProbe::in_memory() {
    TRY(queue_->dispatch(*kernel_, {.global = {kStored, 1, 1}}));
    return read();
}

Result<std::vector<std::byte>> StoreProbe::in_texture(StoreForm form) {
    runtime::Program* program = form_of(form);
    if (!program) return Error{.message = "the kernel has no such form"};
    Result<runtime::Kernel> kernel = kernel_->in_form(*program);
    if (!kernel) return kernel.error();
    TRY(kernel->set_vulkan_image(
        0,
        {.view = texture_.view(), .channel_order = channel_order_, .channel_data_type = channel_data_type_}));
    TRY(queue_->fill(texels_, 0, texels_.size_bytes(), 0));
    TRY(queue_->copy(texels_, {.row_texels = kStored, .slice_rows = 1}, texture_));
    TRY(queue_->dispatch(*kernel, {.global = {kStored, 1, 1}}));
    TRY(queue_->copy(texture_, texels_, {.row_texels = kStored, .slice_rows = 1}));
    return read();
}

Result<bool> ask_stores(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type,
                        StoreForm form) {
    Result<StoreProbe> probe = StoreProbe::create(device, channel_order, channel_data_type);
    if (!probe) return probe.error();
    const Result<std::vector<std::byte>> right = probe->in_memory();
    if (!right) return right.error();
    const Result<std::vector<std::byte>> found = probe->in_texture(form);
    if (!found) return found.error();
    return std::ranges::equal(*found, *right);
}

/// Every sampler that filters. Those of 3D images that count texels need slices
/// (Kernel::rounds_coordinates_in).
Result<bool> ask(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type,
                 std::optional<VolumeForm> form) {
    Result<Probe> probe = Probe::create(device, channel_order, channel_data_type, form);
    if (!probe) return probe.error();
    using namespace vulkan;
    for (const uint32_t sampler :
         {uint32_t{kSamplerClampToEdge}, uint32_t{kSamplerClamp}, kSamplerNormalized | kSamplerClampToEdge,
          kSamplerNormalized | kSamplerClamp, kSamplerNormalized | kSamplerRepeat,
          kSamplerNormalized | kSamplerMirroredRepeat}) {
        if (form == VolumeForm::Volume && !(sampler & kSamplerNormalized)) continue;
        const Result<bool> agrees = probe->agrees(sampler);
        if (!agrees || !*agrees) return agrees;
    }
    return true;
}

/// What `ask` says, once for each device and driver.
template <class Ask>
bool remembered(runtime::Device& device, std::string_view question, uint32_t channel_order,
                uint32_t channel_data_type, const Ask& ask) {
    ArchiveWriter key;
    key(question, channel_order, channel_data_type);
    add_device(key, device);
    const runtime::DiskCache* cache = device.disk_cache();
    if (cache)
        if (const auto known = cache->load(key.bytes()); known && known->size() == 1)
            return known->front() == std::byte{1};
    const Result<bool> answer = ask(device, channel_order, channel_data_type);
    if (!answer) return false;
    const auto byte = static_cast<std::byte>(*answer);
    if (cache) cache->store(key.bytes(), std::span(&byte, 1));
    return *answer;
}

}  // namespace

bool filters_as_opencl(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type) {
    return device.samplers().answer(
        runtime::Samplers::Question::Filters, channel_order, channel_data_type, [&] {
            return remembered(device, "filters planes within less than a step", channel_order,
                              channel_data_type, [](runtime::Device& on, uint32_t order, uint32_t type) {
                                  return ask(on, order, type, std::nullopt);
                              });
        });
}

/// A filter that misses in planes misses in volumes, too. llvmpipe's of CL_R, CL_A and CL_RG bytes do so at
/// places that these probes do not have.
bool filters_volumes_as_opencl(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type,
                               VolumeForm form) {
    if (!filters_as_opencl(device, channel_order, channel_data_type)) return false;
    const bool is_sliced = form == VolumeForm::Slices;
    return device.samplers().answer(
        is_sliced ? runtime::Samplers::Question::Slices : runtime::Samplers::Question::Volumes, channel_order,
        channel_data_type, [&] {
            return remembered(device,
                              is_sliced ? "filters slices within less than a step"
                                        : "filters volumes within less than a step",
                              channel_order, channel_data_type,
                              [&](runtime::Device& on, uint32_t order, uint32_t type) {
                                  return ask(on, order, type, form);
                              });
        });
}

VolumeForm volume_form(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type) {
    const auto format = runtime::texture_format(channel_order, channel_data_type);
    if (!format || format->texel_numbers != vulkan::kFloatTexels) return VolumeForm::Volume;
    const auto filters = [&](VolumeForm form) {
        return filters_volumes_as_opencl(device, channel_order, channel_data_type, form);
    };
    return !filters(VolumeForm::Volume) && filters(VolumeForm::Slices) ? VolumeForm::Slices
                                                                       : VolumeForm::Volume;
}

bool levels_as_opencl(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type) {
    return device.samplers().answer(
        runtime::Samplers::Question::Levels, channel_order, channel_data_type,
        [&] { return remembered(device, "filters levels", channel_order, channel_data_type, ask_levels); });
}

bool stores_as_opencl(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type,
                      StoreForm form) {
    const auto format = runtime::texture_format(channel_order, channel_data_type);
    if (!format) return false;
    // OpenCL saturates narrow integers, and Vulkan keeps their lower bits.
    if (format->texel_numbers != vulkan::kFloatTexels) return format->channel_bytes == sizeof(uint32_t);
    // OpenCL stores the least integer for floats below -1 (OpenCL C 3.0 8.3.1.2). Vulkan clamps to -1.
    if (channel_data_type == runtime::kSnormInt8 || channel_data_type == runtime::kSnormInt16) return false;
    const bool rounds = form == StoreForm::Rounded;
    return device.samplers().answer(
        rounds ? runtime::Samplers::Question::RoundedStores : runtime::Samplers::Question::Stores,
        channel_order, channel_data_type, [&] {
            return remembered(
                device, rounds ? "stores the same bytes of rounded floats" : "stores the same bytes",
                channel_order, channel_data_type, [&](runtime::Device& on, uint32_t order, uint32_t type) {
                    return ask_stores(on, order, type, form);
                });
        });
}

}  // namespace caldera
