// SPDX-License-Identifier: Apache-2.0
// Buffers, images and pipes.
#include <algorithm>
#include <iterator>
#include <span>

#include "caldera/image.h"
#include "caldera/pipe.h"
#include "library/adopted_image.h"
#include "library/objects.h"
#include "spirv/support/try.h"
#include "vulkan/runtime/image_format.h"

namespace caldera {

using detail::Access;

// ---- Buffer ----

Result<Buffer> Buffer::create(const Device& device, uint64_t size_bytes, MemoryUse use) {
    TRY(detail::check_exists(device, "device"));
    if (size_bytes == 0) return Error{.message = "a buffer has at least one byte"};
    constexpr runtime::MemoryUse kUses[] = {runtime::MemoryUse::Device, runtime::MemoryUse::Upload,
                                            runtime::MemoryUse::Download};
    if (static_cast<size_t>(use) >= std::size(kUses)) return Error{.message = "there is no such memory use"};
    Result<runtime::Buffer> buffer =
        runtime::Buffer::create(detail::opened(device), size_bytes, kUses[static_cast<size_t>(use)]);
    if (!buffer) return buffer.error();
    buffer->allow_access(detail::opened(device));
    return Access::make<Buffer>(device, buffer.take());
}

Result<Buffer> Buffer::adopt(const Device& device, const AdoptedBuffer& buffer) {
    if (!device) return Error{.message = "there is no device to adopt the buffer for"};
    Result<runtime::Buffer> adopted =
        runtime::Buffer::adopt(detail::opened(device), {.buffer = buffer.buffer,
                                                        .offset_bytes = buffer.offset_bytes,
                                                        .size_bytes = buffer.size_bytes,
                                                        .usage = buffer.usage});
    if (!adopted) return adopted.error();
    return Access::make<Buffer>(device, adopted.take());
}

uint64_t Buffer::size_bytes() const { return impl_->buffer.size_bytes(); }
uint64_t Buffer::address() const { return impl_->buffer.address(); }
std::byte* Buffer::mapped() const { return impl_->buffer.mapped(); }
VkBuffer_T* Buffer::vk() const { return impl_->buffer.vk(); }

// ---- Image ----

namespace {

/// The first size that the shape does not allow, or null.
const char* wrong_size(const ImageOptions& image) {
    const bool is_1d = image.shape == ImageShape::Image1D || image.shape == ImageShape::Image1DArray;
    const bool is_array = image.shape == ImageShape::Image1DArray || image.shape == ImageShape::Image2DArray;
    if (image.width == 0) return "width";
    if (image.height == 0 || (is_1d && image.height != 1)) return "height";
    if (image.depth == 0 || (image.shape != ImageShape::Image3D && image.depth != 1)) return "depth";
    if (image.layers == 0 || (!is_array && image.layers != 1)) return "layers";
    return nullptr;
}

}  // namespace

Result<Image> Image::create(const Device& device, const ImageOptions& options) {
    TRY(detail::check_exists(device, "device"));
    TRY(detail::check_shape(options.shape));
    if (is_multisampled(options.shape))
        return Error{.message = "an image in memory has one sample: Image::adopt() takes multisampled ones"};
    if (const char* size = wrong_size(options))
        return Error{.message = std::string("an image of this shape cannot have this ") + size};
    const auto order = static_cast<uint32_t>(options.order), type = static_cast<uint32_t>(options.type);
    const uint32_t texel_bytes = runtime::texel_bytes(order, type);
    if (texel_bytes == 0) return Error{.message = "this channel order and type do not go together"};
    if (!runtime::fits(order, options.shape))
        return Error{.message = "only a 2D image or an array of them has depths"};
    const uint64_t row_bytes = uint64_t{options.width} * texel_bytes;
    uint64_t slice_bytes = 0, size_bytes = 0;
    if (__builtin_mul_overflow(row_bytes, uint64_t{options.height}, &slice_bytes) ||
        __builtin_mul_overflow(slice_bytes, uint64_t{options.depth} * options.layers, &size_bytes))
        return Error{.message = "the image is too large"};
    if (!runtime::are_rows_found(row_bytes, options.height))
        return Error{.message = "a row of the image has 2^32 bytes or more"};

    Result<Buffer> texels = Buffer::create(device, size_bytes);
    if (!texels) return texels.error();
    ImageDescriptor descriptor =
        runtime::packed_image(order, type, {options.width, options.height, options.depth, options.layers});
    descriptor.data_address = texels->address();
    Result<Buffer> described = Buffer::create(device, sizeof descriptor, MemoryUse::Upload);
    if (!described) return described.error();
    const auto bytes = std::as_bytes(std::span(&descriptor, 1));
    std::copy(bytes.begin(), bytes.end(), described->mapped());
    return Access::make<Image>(options, descriptor, texels.take(), described.take());
}

const ImageOptions& Image::options() const { return impl_->options; }
const Buffer& Image::texels() const { return impl_->texels; }
uint32_t Image::texel_bytes() const { return impl_->descriptor.element_bytes; }
uint64_t Image::row_pitch_bytes() const { return impl_->descriptor.row_pitch_bytes; }
uint64_t Image::slice_pitch_bytes() const { return impl_->descriptor.slice_pitch_bytes; }

// ---- Pipe ----

Result<Pipe> Pipe::create(const Device& device, uint32_t packet_bytes, uint32_t max_packets) {
    TRY(detail::check_exists(device, "device"));
    if (packet_bytes == 0 || max_packets == 0)
        return Error{.message = "a pipe has room for at least one packet of at least one byte"};
    Result<runtime::Pipe> pipe = runtime::Pipe::create(detail::opened(device), packet_bytes, max_packets);
    if (!pipe) return pipe.error();
    return Access::make<Pipe>(device, pipe.take());
}

uint32_t Pipe::packet_bytes() const { return impl_->pipe.packet_bytes(); }
uint32_t Pipe::max_packets() const { return impl_->pipe.max_packets(); }

}  // namespace caldera
