// SPDX-License-Identifier: Apache-2.0
// Images and samplers (OpenCL API 5.3, 5.7). CL_DEVICE_IMAGE_SUPPORT is CL_FALSE: there are none to give, and each call says so.
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/memory.h"
#include "vulkan/icd/queue.h"

namespace caldera::icd {
namespace {

cl_mem no_image(cl_context context, cl_int* code_ret) {
    return make(code_ret, [&]() -> cl_mem {
        checked(context);
        throw ApiError{CL_INVALID_OPERATION};
    });
}
cl_sampler no_sampler(cl_context context, cl_int* code_ret) {
    return make(code_ret, [&]() -> cl_sampler {
        checked(context);
        throw ApiError{CL_INVALID_OPERATION};
    });
}
/// What is given as an image is none.
cl_int no_command(cl_command_queue queue) {
    return entry([&] {
        checked(queue);
        throw ApiError{CL_INVALID_MEM_OBJECT};
    });
}

}  // namespace

cl_mem CL_API_CALL CreateImage(cl_context context, cl_mem_flags, const cl_image_format*, const cl_image_desc*,
                               void*, cl_int* code_ret) {
    return no_image(context, code_ret);
}
cl_mem CL_API_CALL CreateImageWithProperties(cl_context context, const cl_mem_properties*, cl_mem_flags,
                                             const cl_image_format*, const cl_image_desc*, void*,
                                             cl_int* code_ret) {
    return no_image(context, code_ret);
}
cl_mem CL_API_CALL CreateImage2D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                                 size_t, void*, cl_int* code_ret) {
    return no_image(context, code_ret);
}
cl_mem CL_API_CALL CreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t,
                                 size_t, size_t, size_t, void*, cl_int* code_ret) {
    return no_image(context, code_ret);
}

cl_int CL_API_CALL GetSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type, cl_uint,
                                            cl_image_format*, cl_uint* count_ret) {
    return entry([&] {
        checked(context);
        if (count_ret) *count_ret = 0;
    });
}

cl_int CL_API_CALL EnqueueReadImage(cl_command_queue queue, cl_mem, cl_bool, const size_t*, const size_t*,
                                    size_t, size_t, void*, cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueWriteImage(cl_command_queue queue, cl_mem, cl_bool, const size_t*, const size_t*,
                                     size_t, size_t, const void*, cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueCopyImage(cl_command_queue queue, cl_mem, cl_mem, const size_t*, const size_t*,
                                    const size_t*, cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueFillImage(cl_command_queue queue, cl_mem, const void*, const size_t*, const size_t*,
                                    cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem, cl_mem, const size_t*,
                                            const size_t*, size_t, cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}
cl_int CL_API_CALL EnqueueCopyBufferToImage(cl_command_queue queue, cl_mem, cl_mem, size_t, const size_t*,
                                            const size_t*, cl_uint, const cl_event*, cl_event*) {
    return no_command(queue);
}
void* CL_API_CALL EnqueueMapImage(cl_command_queue queue, cl_mem, cl_bool, cl_map_flags, const size_t*,
                                  const size_t*, size_t*, size_t*, cl_uint, const cl_event*, cl_event*,
                                  cl_int* code_ret) {
    const cl_int code = no_command(queue);
    if (code_ret) *code_ret = code;
    return nullptr;
}
cl_int CL_API_CALL GetImageInfo(cl_mem memory, cl_image_info, size_t, void*, size_t*) {
    return entry([&] {
        checked(memory);
        throw ApiError{CL_INVALID_MEM_OBJECT};
    });
}

cl_sampler CL_API_CALL CreateSamplerWithProperties(cl_context context, const cl_sampler_properties*,
                                                   cl_int* code_ret) {
    return no_sampler(context, code_ret);
}
cl_sampler CL_API_CALL CreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode,
                                     cl_int* code_ret) {
    return no_sampler(context, code_ret);
}
cl_int CL_API_CALL RetainSampler(cl_sampler) { return CL_INVALID_SAMPLER; }
cl_int CL_API_CALL ReleaseSampler(cl_sampler) { return CL_INVALID_SAMPLER; }
cl_int CL_API_CALL GetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void*, size_t*) {
    return CL_INVALID_SAMPLER;
}

}  // namespace caldera::icd
