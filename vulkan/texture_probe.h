// SPDX-License-Identifier: Apache-2.0
// What a device's texture units do, as far as Vulkan does not promise it.
#pragma once

#include <cstdint>

#include "vulkan/runtime/device.h"

namespace caldera {

/// Whether linear filters of a format (cl_channel_order, cl_channel_type) give what OpenCL's formulas give
/// (OpenCL C 3.0 8.2), within 2^-7 of the span of the texels that they use, or within less than a step
/// between the numbers of normalised texels. The specification leaves the bound to the implementation.
/// Khronos' conformance tests take 2^-7 of the largest texel, or a step. The device is asked once, and the
/// answer kept in its cache on disk. Thread-safe.
bool filters_as_opencl(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type);

/// What the texture of a 3D image is.
enum class VolumeForm : uint8_t {
    Volume,
    Slices,  ///< a 2D array, of which kernels filter two slices and mix them (ImageForm::has_slices)
};

/// The same of 3D images. Filters of volumes must be within 2^-7 of the largest texel, as Khronos'
/// conformance tests ask, or within less than a step between the numbers of normalised texels. Three weights
/// of 8 bits miss that where texels' signs differ. Slices have the error of 2D filters, which those tests
/// pass, and their bound. Signed channels of 8 bits have that of volumes in all forms. Also asked once.
bool filters_volumes_as_opencl(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type,
                               VolumeForm form);

/// Slices, if only filters of these are as OpenCL wants. The texture of a 3D image has one form for all
/// kernels.
VolumeForm volume_form(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type);

/// Whether linear filters of images with levels give what Vulkan's formulas for levels give, within 2^-7 of
/// the span of all texels. OpenCL has no formulas of its own (cl_khr_mipmap_image). Also asked once.
bool levels_as_opencl(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type);

/// How kernels write floats to a texture.
enum class StoreForm : uint8_t {
    AsGiven,  ///< the device converts them
    Rounded,  ///< to numbers that the texels have (runtime::ImageForm::rounds)
};

/// Whether texels of a format that kernels write to a texture have the same bytes as those that the library
/// writes to memory, so that a result does not depend on what was sampled before. Also asked once. Vulkan
/// lets a device truncate what it converts to half, and has a tolerance for normalised numbers
/// ("Floating-Point Format Conversions").
bool stores_as_opencl(runtime::Device& device, uint32_t channel_order, uint32_t channel_data_type,
                      StoreForm form);

}  // namespace caldera
