// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/image_texture.h"

#include "vulkan/icd/object.h"

namespace caldera::icd {

runtime::TextureShape texture_shape(const TexelsInMemory& image) {
    const vulkan::ImageDescriptor& size = image.descriptor;
    runtime::TextureShape shape{.extent = {size.width, size.height, size.depth},
                                .layers = size.array_size,
                                .levels = static_cast<uint32_t>(image.levels.size())};
    switch (image.shape) {
        case vulkan::ImageShape::Image1D: shape.view = VK_IMAGE_VIEW_TYPE_1D; break;
        case vulkan::ImageShape::Image1DArray: shape.view = VK_IMAGE_VIEW_TYPE_1D_ARRAY; break;
        case vulkan::ImageShape::Image2DMultisampled:       // never: images in memory have one sample
        case vulkan::ImageShape::Image2DArrayMultisampled:  // never
        case vulkan::ImageShape::Image2D: shape.view = VK_IMAGE_VIEW_TYPE_2D; break;
        case vulkan::ImageShape::Image2DArray: shape.view = VK_IMAGE_VIEW_TYPE_2D_ARRAY; break;
        case vulkan::ImageShape::Image3D: shape.view = VK_IMAGE_VIEW_TYPE_3D; break;
    }
    if (image.has_slices) {
        shape.view = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
        shape.layers = shape.extent.depth;
        shape.extent.depth = 1;
    }
    return shape;
}

/// If the device has no memory left for it, the image stays where it is for this launch.
ImageTexture::Attempt ImageTexture::make(runtime::Device& device, const TexelsInMemory& image,
                                         runtime::TextureUse use) {
    const auto format =
        runtime::texture_format(image.descriptor.channel_order, image.descriptor.channel_data_type);
    const runtime::TextureShape shape = texture_shape(image);
    if (!format || !runtime::Texture::is_supported(device, *format, shape, use)) return Attempt::Unsupported;
    Result<runtime::Texture> made = runtime::Texture::create(device, *format, shape, use);
    if (!made) return Attempt::NoMemory;
    texture_ = std::make_shared<runtime::Texture>(made.take());
    return Attempt::Made;
}

/// Texels that kernels write cost some GPUs their compression, so a texture is made for that when a kernel
/// first does. Until then its texels are those in memory. Launches that use the old one keep it.
bool ImageTexture::becomes_writable(runtime::Device& device, const TexelsInMemory& image) {
    if (!image.may_be_written || is_never_written_) return false;
    if (texture_ && texture_->use() == runtime::TextureUse::Written) return true;
    const Attempt attempt = make(device, image, runtime::TextureUse::Written);
    is_never_written_ = attempt == Attempt::Unsupported;
    if (attempt != Attempt::Made) return false;
    copied_writes_ = {};
    state_ = State::Made;
    return true;
}

/// A copy costs about as much as a launch that reads each texel once. So it is made for texels that two
/// launches have read, and at once if this was so of the texels before.
bool ImageTexture::is_worth_a_copy(uint64_t writes) {
    const bool were_read_again = !seen_writes_ || launches_ > 1;
    if (seen_writes_ == writes) return ++launches_ > 1;
    seen_writes_ = writes;
    launches_ = 1;
    return were_read_again;
}

/// Other queues need a copy too, and must not wait for a program that waits for them.
bool ImageTexture::can_copy(const TexelsInMemory& image, runtime::Queue& queue) const {
    return !queue.may_wait_for_program() && !image.uses->may_wait_for_program(queue);
}

void ImageTexture::update(const TexelsInMemory& image, runtime::Queue& queue, ImageUse use) {
    if (copied_writes_ != image.writes) {
        image.uses->begin_copy(queue, TexelsTo::Texture);
        take(queue.copy(*image.buffer, image.levels, *texture_));
        queue.keep(texture_);
        image.uses->end_copy(queue, TexelsTo::Texture);
        copied_writes_ = image.writes;
    }
    image.uses->begin_use(queue, use);
}

TextureInUse ImageTexture::argument(const TexelsInMemory& image) const {
    return {.image = {.view = texture_->view(),
                      .channel_order = image.descriptor.channel_order,
                      .channel_data_type = image.descriptor.channel_data_type},
            .texture = texture_};
}

std::optional<TextureInUse> ImageTexture::newest(runtime::Device& device, const TexelsInMemory& image,
                                                 runtime::Queue& queue, bool is_new_launch) {
    if (state_ == State::Impossible) return std::nullopt;
    if (is_new_launch) is_worth_it_ = is_worth_a_copy(image.writes);
    if (copied_writes_ != image.writes) {
        if (!is_worth_it_ || !can_copy(image, queue)) return std::nullopt;
        if (state_ == State::Unknown) {
            const Attempt attempt = make(device, image, runtime::TextureUse::Sampled);
            if (attempt == Attempt::Unsupported) state_ = State::Impossible;
            if (attempt != Attempt::Made) return std::nullopt;
            state_ = State::Made;
        }
    }
    update(image, queue, ImageUse::SamplesTexture);
    sampled_writes_ = image.writes;
    return argument(image);
}

std::optional<TextureInUse> ImageTexture::writable(runtime::Device& device, const TexelsInMemory& image,
                                                   runtime::Queue& queue) {
    const bool has_texels =
        texture_ && texture_->use() == runtime::TextureUse::Written && copied_writes_ == image.writes;
    if (state_ == State::Impossible || queue.may_wait_for_program()) return std::nullopt;
    if ((!has_texels && !can_copy(image, queue)) || !becomes_writable(device, image)) return std::nullopt;
    update(image, queue, ImageUse::WritesTexture);
    return argument(image);
}

std::shared_ptr<const runtime::Texture> ImageTexture::note_write(uint64_t writes) {
    copied_writes_ = writes;
    return texture_;
}

}  // namespace caldera::icd
