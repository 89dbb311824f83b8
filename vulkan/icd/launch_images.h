// SPDX-License-Identifier: Apache-2.0
// How launches get their images: as textures where that is better, else as memory.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "vulkan/icd/kernel.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/texture.h"

namespace caldera::icd {

bool has_images(const Arguments& arguments);
bool may_have_textures(const runtime::Device& device, const Arguments& arguments,
                       const vulkan::Kernel& kernel);

/// A kernel with textures, which whoever launches it keeps until it has run.
struct TexturedKernel {
    runtime::Kernel kernel;
    std::vector<std::shared_ptr<const runtime::Texture>> textures = {};
};

/// The kernel with textures for the images that it reads, and for those that it writes if kernels sample them
/// afterwards. None if one of them is better memory, or must be.
std::optional<TexturedKernel> with_textures(const Context& context, const Arguments& arguments,
                                            const runtime::Kernel& kernel, size_t place,
                                            runtime::Queue& queue);

/// The storages of the images, for an ImageLock.
std::vector<Storage*> image_storages(const Arguments& arguments);
/// What the queue records next is the launch of the kernel in this form. The images that it has in memory get
/// their newest texels, and those that it writes are noted.
void begin_uses(const Arguments& arguments, const vulkan::Kernel& launched, size_t place,
                runtime::Queue& queue);
/// The launch has been recorded.
void end_uses(const Arguments& arguments, const vulkan::Kernel& launched, size_t place,
              runtime::Queue& queue) noexcept;

}  // namespace caldera::icd
