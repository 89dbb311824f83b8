// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/launch_images.h"

#include <algorithm>
#include <utility>

#include "vulkan/icd/image.h"
#include "vulkan/icd/object.h"
#include "vulkan/runtime/texture_format.h"
#include "vulkan/texture_probe.h"

namespace caldera::icd {
namespace {

/// With so many, llvmpipe takes 0.15 s to compile a kernel that decodes texels itself, and 0.04 s with
/// textures. The time grows with the square of the reads: 136 s for 240.
constexpr uint32_t kManyReads = 16;

/// Whether texture units read such texels faster than code does. Code loads channels of 32 bits as they are.
/// A filter of a 3D image reads eight of its texels, which takes NVIDIA's units longer than code if they are
/// wider than two floats.
bool is_better(const runtime::TextureFormat& format, vulkan::ImageShape shape, bool filters) {
    if (format.channel_bytes < sizeof(float)) return true;
    return filters && (shape != vulkan::ImageShape::Image3D || format.texel_bytes <= 2 * sizeof(float));
}

/// Whether linear filters of textures of a format and shape are right, if 3D images have this form.
bool filters_are_right(runtime::Device& device, const cl_image_format& format, vulkan::ImageShape shape,
                       VolumeForm volumes) {
    return shape == vulkan::ImageShape::Image3D
               ? filters_volumes_as_opencl(device, format.image_channel_order, format.image_channel_data_type,
                                           volumes)
               : filters_as_opencl(device, format.image_channel_order, format.image_channel_data_type);
}

/// What the textures of 3D images are. Kernels have one form of them, which is that of the first image.
VolumeForm form_of_volumes(runtime::Device& device, const Arguments& arguments,
                           const vulkan::Kernel& kernel) {
    for (size_t i = 0; i < arguments.images.size(); ++i)
        if (arguments.images[i] && kernel.arguments[i].image_shape == vulkan::ImageShape::Image3D)
            return arguments.images[i]->volume_form(device);
    return VolumeForm::Volume;
}

/// Whether a kernel in its form with textures reads other images from memory. Texture units and code round
/// some colours differently, and Khronos' conformance tests compare them inside one kernel.
bool reads_from_memory(const vulkan::Kernel& form) {
    return std::ranges::any_of(form.arguments, [](const vulkan::KernelArgument& argument) {
        return argument.kind == vulkan::ArgumentKind::Image &&
               argument.access != vulkan::ArgumentAccess::WriteOnly;
    });
}

/// Whether each image that a kernel reads or writes in its form with textures may be one, as far as formats
/// and samplers tell.
bool may_be_textures(runtime::Device& device, const Arguments& arguments, const runtime::Kernel& kernel,
                     const runtime::Program& form, const vulkan::Kernel& wanted,
                     const runtime::ImageForm& images) {
    if (kernel.rounds_coordinates_in(wanted, images.has_slices) || reads_from_memory(wanted)) return false;
    const StoreForm stores = images.rounds ? StoreForm::Rounded : StoreForm::AsGiven;
    const VolumeForm volumes = images.has_slices ? VolumeForm::Slices : VolumeForm::Volume;
    const bool filters = kernel.filters_in(wanted);
    for (size_t i = 0; i < wanted.arguments.size(); ++i) {
        const bool is_written = wanted.arguments[i].kind == vulkan::ArgumentKind::StorageImage;
        if (wanted.arguments[i].kind != vulkan::ArgumentKind::SampledImage && !is_written) continue;
        if (arguments.images[i]->has_levels() && kernel.skips_first_level()) return false;
        const vulkan::ImageShape shape = wanted.arguments[i].image_shape;
        if (shape == vulkan::ImageShape::Image3D && arguments.images[i]->volume_form(device) != volumes)
            return false;
        const bool reads_levels = wanted.arguments[i].reads_levels;
        if (reads_levels && !kernel.only_filters_in(form)) return false;
        const cl_image_format& format = arguments.images[i]->format;
        // Vulkan leaves it undefined what a kernel finds that reads other numbers than a format has.
        const auto texture =
            runtime::texture_format(format.image_channel_order, format.image_channel_data_type);
        if (!texture || (wanted.arguments[i].texel_numbers & ~texture->texel_numbers)) return false;
        // No filter reads integers (OpenCL C 3.0 6.15.15.3). A kernel that is given one may do so all the
        // same, and Vulkan does not allow it.
        const bool has_integers = texture->texel_numbers != vulkan::kFloatTexels;
        if (!is_written && has_integers && kernel.filters_by_argument()) return false;
        if (is_written) {
            // Writing wide texels there and sampling them in turn takes 1.2 to 1.6 of the time on an H200.
            if (device.textures() == runtime::Textures::Better && !is_better(*texture, shape, false))
                return false;
            if (!stores_as_opencl(device, format.image_channel_order, format.image_channel_data_type, stores))
                return false;
            continue;
        }
        if (device.textures() == runtime::Textures::Better && !is_better(*texture, shape, filters))
            return false;
        if (filters && !has_integers && !filters_are_right(device, format, shape, volumes)) return false;
        if (reads_levels &&
            !levels_as_opencl(device, format.image_channel_order, format.image_channel_data_type))
            return false;
    }
    return true;
}

/// Whether a kernel had better write to textures: one of the images that it writes is better off there.
bool is_better_written_there(const Arguments& arguments, const vulkan::Kernel& kernel, size_t place) {
    for (size_t i = 0; i < kernel.arguments.size(); ++i)
        if (arguments.images[i] && kernel.arguments[i].access == vulkan::ArgumentAccess::WriteOnly &&
            arguments.images[i]->is_better_written_there(*arguments.buffers[i].storage, place))
            return true;
    return false;
}

/// How floats are to be written so that all images that a kernel writes have the right texels. None if a
/// device does not store them so in any form.
std::optional<StoreForm> store_form(runtime::Device& device, const Arguments& arguments,
                                    const vulkan::Kernel& kernel) {
    for (const StoreForm form : {StoreForm::AsGiven, StoreForm::Rounded}) {
        bool stores = true;
        for (size_t i = 0; stores && i < kernel.arguments.size(); ++i) {
            if (!arguments.images[i] || kernel.arguments[i].access != vulkan::ArgumentAccess::WriteOnly)
                continue;
            const cl_image_format& format = arguments.images[i]->format;
            stores =
                stores_as_opencl(device, format.image_channel_order, format.image_channel_data_type, form);
        }
        if (stores) return form;
    }
    return std::nullopt;
}

/// The kernel in a form with textures. None if one of its images is better memory, or must be. `was_asked`:
/// whether its images were asked about this launch, which counts once.
std::optional<TexturedKernel> in_form(const runtime::ImageForm& images, const Context& context,
                                      const Arguments& arguments, const runtime::Kernel& kernel, size_t place,
                                      runtime::Queue& queue, bool& was_asked) {
    runtime::Program* form = kernel.program().image_form(images);
    const vulkan::Kernel* wanted = form ? form->find_kernel(kernel.interface().name) : nullptr;
    if (!wanted || !may_be_textures(*context.places[place].opened, arguments, kernel, *form, *wanted, images))
        return std::nullopt;
    std::vector<std::pair<uint32_t, TextureInUse>> textures;
    for (uint32_t i = 0; i < wanted->arguments.size(); ++i) {
        const vulkan::KernelArgument& argument = wanted->arguments[i];
        const bool is_sampled = argument.kind == vulkan::ArgumentKind::SampledImage;
        if (!is_sampled && argument.kind != vulkan::ArgumentKind::StorageImage) continue;
        Image& image = *arguments.images[i];
        Storage& storage = *arguments.buffers[i].storage;
        std::optional<TextureInUse> texture =
            is_sampled ? image.sampled(context, storage, place, argument.image_shape, queue, !was_asked)
                       : image.writable(context, storage, place, argument.image_shape, queue);
        if (!texture) {
            was_asked = true;
            return std::nullopt;
        }
        textures.emplace_back(i, std::move(*texture));
    }
    if (textures.empty()) return std::nullopt;
    TexturedKernel made{.kernel = take(kernel.in_form(*form))};
    for (auto& [index, used] : textures) {
        take(made.kernel.set_vulkan_image(index, used.image));
        made.textures.push_back(std::move(used.texture));
    }
    return made;
}

}  // namespace

bool has_images(const Arguments& arguments) {
    return std::ranges::any_of(arguments.images, [](const auto& image) { return image != nullptr; });
}

bool may_have_textures(const runtime::Device& device, const Arguments& arguments,
                       const vulkan::Kernel& kernel) {
    const runtime::Textures textures = device.textures();
    if (textures == runtime::Textures::None) return false;
    if (textures == runtime::Textures::Many && kernel.image_reads < kManyReads) return false;
    return has_images(arguments);
}

std::optional<TexturedKernel> with_textures(const Context& context, const Arguments& arguments,
                                            const runtime::Kernel& kernel, size_t place,
                                            runtime::Queue& queue) {
    if (kernel.interface().enqueues ||
        !may_have_textures(*context.places[place].opened, arguments, kernel.interface()))
        return std::nullopt;
    runtime::Device& device = *context.places[place].opened;
    const bool has_slices = form_of_volumes(device, arguments, kernel.interface()) == VolumeForm::Slices;
    bool was_asked = false;
    if (is_better_written_there(arguments, kernel.interface(), place))
        if (const std::optional<StoreForm> stores = store_form(device, arguments, kernel.interface()))
            if (auto made = in_form(
                    {.is_written = true, .rounds = *stores == StoreForm::Rounded, .has_slices = has_slices},
                    context, arguments, kernel, place, queue, was_asked))
                return made;
    return in_form({.has_slices = has_slices}, context, arguments, kernel, place, queue, was_asked);
}

std::vector<Storage*> image_storages(const Arguments& arguments) {
    std::vector<Storage*> found;
    for (size_t i = 0; i < arguments.images.size(); ++i)
        if (arguments.images[i]) found.push_back(arguments.buffers[i].storage.get());
    return found;
}

void begin_uses(const Arguments& arguments, const vulkan::Kernel& launched, size_t place,
                runtime::Queue& queue) {
    for (size_t i = 0; i < arguments.images.size(); ++i) {
        if (!arguments.images[i]) continue;
        Storage& storage = *arguments.buffers[i].storage;
        const vulkan::KernelArgument& argument = launched.arguments[i];
        if (argument.kind == vulkan::ArgumentKind::StorageImage) {
            arguments.images[i]->leave_in_texture(storage, place);
        } else if (argument.kind == vulkan::ArgumentKind::Image) {
            const bool are_written = argument.access != vulkan::ArgumentAccess::ReadOnly;
            storage.newest_on(place, queue, {.are_written = are_written});
        }
    }
}

void end_uses(const Arguments& arguments, const vulkan::Kernel& launched, size_t place,
              runtime::Queue& queue) noexcept {
    for (size_t i = 0; i < arguments.images.size(); ++i) {
        if (!arguments.images[i]) continue;
        Storage& storage = *arguments.buffers[i].storage;
        const vulkan::KernelArgument& argument = launched.arguments[i];
        switch (argument.kind) {
            case vulkan::ArgumentKind::SampledImage:
                storage.uses(place).end_use(queue, ImageUse::SamplesTexture);
                break;
            case vulkan::ArgumentKind::StorageImage:
                storage.uses(place).end_use(queue, ImageUse::WritesTexture);
                break;
            default:
                if (argument.access != vulkan::ArgumentAccess::ReadOnly) storage.end_write(place, queue);
        }
    }
}

}  // namespace caldera::icd
