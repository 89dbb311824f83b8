// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/sampler.h"

#include <cmath>
#include <cstring>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/interface.h"

using namespace caldera;
using namespace caldera::icd;

uint32_t _cl_sampler::bits() const {
    uint32_t out = filter == CL_FILTER_LINEAR ? vulkan::kSamplerLinear : vulkan::kSamplerNearest;
    if (normalized) out |= vulkan::kSamplerNormalized;
    if (mip_filter == CL_FILTER_LINEAR) out |= vulkan::kSamplerLinearLevels;
    out |= sampler_lod_bits(least_lod, most_lod);
    switch (addressing) {
        case CL_ADDRESS_CLAMP_TO_EDGE: return out | vulkan::kSamplerClampToEdge;
        case CL_ADDRESS_CLAMP: return out | vulkan::kSamplerClamp;
        case CL_ADDRESS_REPEAT: return out | vulkan::kSamplerRepeat;
        case CL_ADDRESS_MIRRORED_REPEAT: return out | vulkan::kSamplerMirroredRepeat;
        default: return out;
    }
}

namespace caldera::icd {
namespace {

bool is_about_levels(cl_sampler_properties name) {
    return name == CL_SAMPLER_MIP_FILTER_MODE_KHR || name == CL_SAMPLER_LOD_MIN_KHR ||
           name == CL_SAMPLER_LOD_MAX_KHR;
}

cl_filter_mode checked_filter(cl_sampler_properties value) {
    require(value == CL_FILTER_NEAREST || value == CL_FILTER_LINEAR, CL_INVALID_VALUE);
    return static_cast<cl_filter_mode>(value);
}

/// A float is in the first bytes of the property, as if by a union.
cl_float checked_lod(cl_sampler_properties value) {
    cl_float lod;
    std::memcpy(&lod, &value, sizeof lod);
    require(!std::isnan(lod), CL_INVALID_VALUE);
    return lod;
}

cl_sampler create(cl_context handle, const cl_sampler_properties* list) {
    Context& context = checked(handle);
    auto sampler = std::make_unique<Sampler>(context);
    sampler->properties = properties_of(list);
    const std::vector<cl_sampler_properties>& given = sampler->properties;
    for (size_t i = 0; i + 1 < given.size(); i += 2) {
        const cl_sampler_properties value = given[i + 1];
        for (size_t before = 0; before < i; before += 2) require(given[before] != given[i], CL_INVALID_VALUE);
        require(!is_about_levels(given[i]) || any_has(context, frontend::Ext::MipmapImage), CL_INVALID_VALUE);
        switch (given[i]) {
            case CL_SAMPLER_NORMALIZED_COORDS:
                require(value == CL_TRUE || value == CL_FALSE, CL_INVALID_VALUE);
                sampler->normalized = static_cast<cl_bool>(value);
                break;
            case CL_SAMPLER_ADDRESSING_MODE:
                require(value >= CL_ADDRESS_NONE && value <= CL_ADDRESS_MIRRORED_REPEAT, CL_INVALID_VALUE);
                sampler->addressing = static_cast<cl_addressing_mode>(value);
                break;
            case CL_SAMPLER_FILTER_MODE: sampler->filter = checked_filter(value); break;
            case CL_SAMPLER_MIP_FILTER_MODE_KHR: sampler->mip_filter = checked_filter(value); break;
            case CL_SAMPLER_LOD_MIN_KHR: sampler->least_lod = checked_lod(value); break;
            case CL_SAMPLER_LOD_MAX_KHR: sampler->most_lod = checked_lod(value); break;
            default: throw ApiError(CL_INVALID_VALUE);
        }
    }
    const bool repeats =
        sampler->addressing == CL_ADDRESS_REPEAT || sampler->addressing == CL_ADDRESS_MIRRORED_REPEAT;
    require(sampler->normalized || !repeats, CL_INVALID_VALUE);
    return sampler.release();
}

}  // namespace

cl_sampler CL_API_CALL CreateSamplerWithProperties(cl_context context,
                                                   const cl_sampler_properties* properties,
                                                   cl_int* code_ret) {
    return make(code_ret, [&] { return create(context, properties); });
}

cl_sampler CL_API_CALL CreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                                     cl_filter_mode filter, cl_int* code_ret) {
    const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          normalized,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          addressing,
                                          CL_SAMPLER_FILTER_MODE,
                                          filter,
                                          0};
    return make(code_ret, [&] {
        cl_sampler sampler = create(context, list);
        sampler->properties.clear();
        return sampler;
    });
}

cl_int CL_API_CALL RetainSampler(cl_sampler sampler) { return retain(sampler); }
cl_int CL_API_CALL ReleaseSampler(cl_sampler sampler) { return release(sampler); }

cl_int CL_API_CALL GetSamplerInfo(cl_sampler handle, cl_sampler_info name, size_t size, void* value,
                                  size_t* size_ret) {
    return entry([&] {
        const Sampler& self = checked(handle);
        require(!is_about_levels(name) || any_has(*self.context, frontend::Ext::MipmapImage),
                CL_INVALID_VALUE);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_SAMPLER_REFERENCE_COUNT: return answer.put(self.references());
            case CL_SAMPLER_CONTEXT: return answer.put<cl_context>(self.context.get());
            case CL_SAMPLER_NORMALIZED_COORDS: return answer.put(self.normalized);
            case CL_SAMPLER_ADDRESSING_MODE: return answer.put(self.addressing);
            case CL_SAMPLER_FILTER_MODE: return answer.put(self.filter);
            case CL_SAMPLER_MIP_FILTER_MODE_KHR: return answer.put(self.mip_filter);
            case CL_SAMPLER_LOD_MIN_KHR: return answer.put(self.least_lod);
            case CL_SAMPLER_LOD_MAX_KHR: return answer.put(self.most_lod);
            case CL_SAMPLER_PROPERTIES: return answer.put_all(self.properties);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
