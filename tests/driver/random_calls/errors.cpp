// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/random_calls/caller.h"

#include <functional>

namespace caldera::random_calls {

void Caller::err() {
    const Queue& queue = any(queues_);
    const Buffer& buffer = any(buffers_);
    const size_t huge = ~size_t{0} - below(8), past = buffer.size + 1 + below(10), zero = 0;
    const Size3 origin = {0, 0, 0}, none = {1, 0, 1}, large = {huge / 2, huge / 2, 2};
    uint8_t bytes[256] = {};
    cl_event null = nullptr;
    cl_int code = 1;
    const auto read = [&](cl_command_queue to, cl_mem from, size_t at, size_t size, void* out, cl_uint count,
                          const cl_event* list) {
        return clEnqueueReadBuffer(to, from, CL_FALSE, at, size, out, count, list, nullptr);
    };
    const std::function<cl_int()> kCalls[] = {
        [&] { return read(queue.handle, buffer.handle, 0, past, bytes, 0, nullptr); },
        [&] { return read(queue.handle, buffer.handle, huge, past, bytes, 0, nullptr); },
        [&] { return read(queue.handle, buffer.handle, 1, huge, bytes, 0, nullptr); },
        [&] { return read(queue.handle, buffer.handle, 0, 1, nullptr, 0, nullptr); },
        [&] { return read(queue.handle, nullptr, 0, 1, bytes, 0, nullptr); },
        [&] { return read(nullptr, buffer.handle, 0, 1, bytes, 0, nullptr); },
        [&] {
            return read(reinterpret_cast<cl_command_queue>(buffer.handle), buffer.handle, 0, 1, bytes, 0,
                        nullptr);
        },
        [&] { return read(queue.handle, reinterpret_cast<cl_mem>(queue.handle), 0, 1, bytes, 0, nullptr); },
        [&] { return read(queue.handle, buffer.handle, 0, 1, bytes, 1, nullptr); },
        [&] { return read(queue.handle, buffer.handle, 0, 1, bytes, 0, &null); },
        [&] { return read(queue.handle, buffer.handle, 0, 1, bytes, 1, &null); },
        [&] {
            const auto other = reinterpret_cast<cl_event>(context_);
            return read(queue.handle, buffer.handle, 0, 1, bytes, 1, &other);
        },
        [&] {
            return clEnqueueReadBufferRect(queue.handle, buffer.handle, CL_FALSE, origin.data(),
                                           origin.data(), below(2) ? large.data() : none.data(), 0, 0, 0, 0,
                                           bytes, 0, nullptr, nullptr);
        },
        [&] {
            return clEnqueueWriteBufferRect(queue.handle, buffer.handle, CL_FALSE, large.data(),
                                            origin.data(), Size3{1, 1, 1}.data(), huge / 3, 0, 0, huge / 2,
                                            bytes, 0, nullptr, nullptr);
        },
        [&] { return clEnqueueFillBuffer(queue.handle, buffer.handle, bytes, 3, 0, 3, 0, nullptr, nullptr); },
        [&] {
            return clEnqueueFillBuffer(queue.handle, buffer.handle, bytes, 256, 0, 256, 0, nullptr, nullptr);
        },
        [&] {
            clEnqueueMapBuffer(queue.handle, buffer.handle, CL_FALSE, CL_MAP_READ, huge, past, 0, nullptr,
                               nullptr, &code);
            return code;
        },
        [&] { return clEnqueueUnmapMemObject(queue.handle, buffer.handle, bytes, 0, nullptr, nullptr); },
        [&] {
            return clEnqueueCopyBuffer(queue.handle, buffer.handle, buffer.handle, huge, 0, 2, 0, nullptr,
                                       nullptr);
        },
        [&] {
            const cl_buffer_region region = {below(2) ? huge & ~(alignment_ - 1) : alignment_, huge};
            clCreateSubBuffer(buffer.handle, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
            return code;
        },
        [&] { return clCreateBuffer(context_, 0, huge, nullptr, &code), code; },
        [&] { return clCreateBuffer(context_, ~cl_mem_flags{0}, 1, nullptr, &code), code; },
        [&] {
            const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE3D,
                                     .image_width = huge,
                                     .image_height = huge,
                                     .image_depth = huge};
            return clCreateImage(context_, 0, &kFormat, &desc, nullptr, &code), code;
        },
        [&] {
            const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                                     .image_width = 2,
                                     .image_height = 2,
                                     .image_row_pitch = huge & ~size_t{3},
                                     .mem_object = buffer.handle};
            return clCreateImage(context_, 0, &kFormat, &desc, nullptr, &code), code;
        },
        [&] {
            return clEnqueueNDRangeKernel(queue.handle, any(kernels_), static_cast<cl_uint>(below(2) * 4),
                                          nullptr, &zero, nullptr, 0, nullptr, nullptr);
        },
        [&] {
            const size_t global = 64, local = below(2) ? huge : 0;
            return clEnqueueNDRangeKernel(queue.handle, any(kernels_), 1, nullptr, &global, &local, 0,
                                          nullptr, nullptr);
        },
        [&] {
            return clSetKernelArg(kernels_[0], static_cast<cl_uint>(huge), sizeof(cl_mem), &buffer.handle);
        },
        [&] { return clSetKernelArg(kernels_[0], 1, huge, bytes); },
        [&] {  // an image, where there are images
            return clSetKernelArg(kernels_.back(), 0, has_images_ ? sizeof(cl_mem) : 1, &buffer.handle);
        },
        [&] { return clReleaseMemObject(reinterpret_cast<cl_mem>(program_)); },
        [&] { return clWaitForEvents(1, &null); },
        [&] { return clSetEventCallback(null, CL_COMPLETE, nullptr, nullptr); },
    };
    const size_t which = below(std::size(kCalls));
    say("error " + std::to_string(which));
    require(kCalls[which]() < 0, "no error");
    if (images_.empty()) return;
    const Image& image = any(images_);
    Region region = region_of(image);
    region.texels[below(3)] = below(2) ? huge : 0;
    require(clEnqueueReadImage(queue.handle, image.handle, CL_FALSE, region.origin.data(),
                               region.texels.data(), 0, 0, bytes, 0, nullptr, nullptr) < 0,
            "no error of an image's region");
}

}  // namespace caldera::random_calls
