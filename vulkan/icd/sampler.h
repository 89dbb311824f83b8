// SPDX-License-Identifier: Apache-2.0
// Sampler: how kernels read images (OpenCL API 5.7).
#pragma once

#include <vector>

#include "vulkan/icd/context.h"

struct _cl_sampler final : caldera::icd::Object<_cl_sampler> {
    static constexpr cl_int kInvalid = CL_INVALID_SAMPLER;
    explicit _cl_sampler(caldera::icd::Context& its_context) : context(&its_context) {}

    const caldera::icd::Ref<caldera::icd::Context> context;
    cl_bool normalized = CL_TRUE;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST, mip_filter = CL_FILTER_NEAREST;
    cl_float least_lod = 0, most_lod = CL_FLT_MAX;  ///< cl_khr_mipmap_image
    std::vector<cl_sampler_properties> properties = {};

    uint32_t bits() const;  ///< vulkan::SamplerBits
};

namespace caldera::icd {
using Sampler = ::_cl_sampler;
}
