// SPDX-License-Identifier: Apache-2.0
// An image for an execution test: its descriptor and texels in device memory.
#pragma once

#include "vulkan/interface.h"
#include "vulkan/runtime/queue.h"

namespace caldera {

class TestImage {
 public:
    /// Rows and slices are a few texels apart. Texels of floats hold 0, 1/4, 2/4, … and halves
    /// 1, 1.0009765625, … in the order of memory, all others bytes that look like chance; what is between
    /// rows does as well. Levels follow one another, each with such rows and slices.
    static Result<TestImage> create(runtime::Device& device, runtime::Queue& queue,
                                    vulkan::ImageDescriptor image, uint32_t levels = 1);

    /// As kernels take it, for any format or for its own.
    runtime::ImageArgument argument(bool by_format) const {
        return {.descriptor = image_,
                .descriptor_address = descriptor_.address(),
                .texels = &texels_,
                .format_number = by_format ? format_number_ : 0};
    }
    const runtime::Buffer& texels() const { return texels_; }

 private:
    vulkan::ImageDescriptor image_ = {};
    runtime::Buffer descriptor_ = {}, texels_ = {};
    uint32_t format_number_ = 0;
};

}  // namespace caldera
