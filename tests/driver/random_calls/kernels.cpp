// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/random_calls/caller.h"

#include <algorithm>

namespace caldera::random_calls {

namespace {

constexpr const char* kSource = R"(
kernel void add(global uchar *a, uint n) {
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
           z = get_global_id(2) - get_global_offset(2);
    a[(z * get_global_size(1) + y) * get_global_size(0) + x] += n;
}
kernel void combine(global const uchar *a, global uchar *b, uint n) {
    size_t i = get_global_id(0);
    b[i] ^= a[i] + n;
}
#ifdef __IMAGE_SUPPORT__
kernel void put(write_only image2d_t image, uint n) {
    uint x = get_global_id(0), y = get_global_id(1);
    write_imageui(image, (int2)(x, y), (uint4)(x, y, n, x + y) & 255u);
}
kernel void get(read_only image2d_t image, sampler_t sampler, global uchar4 *out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = convert_uchar4(read_imageui(image, sampler, (int2)(x, y)));
}
#endif
)";

}  // namespace

const char* Caller::source() { return kSource; }

void Caller::launch(cl_kernel kernel, std::vector<Use> uses, const std::vector<size_t>& global,
                    const std::vector<size_t>& offset) {
    std::vector<size_t> local;
    size_t items = 1;
    for (size_t d = 0; d < global.size(); ++d) {
        size_t size = 1 + below(std::min<size_t>(global[d], 64 / items));
        while (options_.uniform && global[d] % size != 0) --size;
        local.push_back(size);
    }
    for (const size_t size : local) items *= size;
    const bool has_local = items <= 64 && once_in(2);
    command(any(queues_), std::move(uses), [&](const Queue& queue, auto... wait) {
        return clEnqueueNDRangeKernel(queue.handle, kernel, static_cast<cl_uint>(global.size()),
                                      offset.empty() ? nullptr : offset.data(), global.data(),
                                      has_local ? local.data() : nullptr, wait...);
    });
}

void Caller::add() {
    const Buffer& buffer = any(buffers_);
    std::vector<size_t> global, offset;
    size_t items = 1;
    for (size_t d = 0, dimensions = 1 + below(3); d < dimensions; ++d) {
        global.push_back(1 + below(std::min<size_t>(buffer.size / items, d ? 20 : 5000)));
        offset.push_back(below(1000));
        items *= global.back();
    }
    const auto n = static_cast<cl_uint>(1 + below(254));
    say("add to " + std::to_string(items));
    set(kernels_[0], 0, buffer.handle);
    set(kernels_[0], 1, n);
    launch(kernels_[0], {{buffer.bytes, true}}, global, once_in(2) ? offset : std::vector<size_t>{});
    for (size_t i = 0; i < items; ++i) buffer.data()[i] = static_cast<uint8_t>(buffer.data()[i] + n);
}

void Caller::mix() {
    const Buffer &from = any(buffers_), &to = any(buffers_);
    if (from.bytes == to.bytes) return;
    const size_t items = 1 + below(std::min(from.size, to.size));
    const auto n = static_cast<cl_uint>(below(256));
    say("mix " + std::to_string(items));
    set(kernels_[1], 0, from.handle);
    set(kernels_[1], 1, to.handle);
    set(kernels_[1], 2, n);
    launch(kernels_[1], {{from.bytes}, {to.bytes, true}}, {items});
    for (size_t i = 0; i < items; ++i) to.data()[i] ^= static_cast<uint8_t>(from.data()[i] + n);
}

void Caller::put() {
    if (images_.empty()) return;
    const Image& image = any(images_);
    if (image.type != CL_MEM_OBJECT_IMAGE2D) return;
    const auto n = static_cast<cl_uint>(below(256));
    say("put into an image");
    set(kernels_[2], 0, image.handle);
    set(kernels_[2], 1, n);
    launch(kernels_[2], {{image.bytes, true}}, {image.extent[0], image.extent[1]});
    for (size_t y = 0; y < image.extent[1]; ++y)
        for (size_t x = 0; x < image.extent[0]; ++x)
            for (size_t c = 0; c < kTexel; ++c)
                image.at(y, 0)[x * kTexel + c] =
                    static_cast<uint8_t>(std::array<size_t, 4>{x, y, n, x + y}[c]);
}

void Caller::get() {
    if (images_.empty()) return;
    const Image& image = any(images_);
    const Buffer& buffer = any(buffers_);
    const size_t row = image.extent[0] * kTexel;
    if (image.type != CL_MEM_OBJECT_IMAGE2D || image.bytes == buffer.bytes ||
        row * image.extent[1] > buffer.size)
        return;
    say("get from an image");
    set(kernels_[3], 0, image.handle);
    set(kernels_[3], 1, sampler_);
    set(kernels_[3], 2, buffer.handle);
    launch(kernels_[3], {{image.bytes}, {buffer.bytes, true}}, {image.extent[0], image.extent[1]});
    copy({buffer.data(), row, 0}, {image.at(0, 0), image.row, 0}, {row, image.extent[1], 1});
}

}  // namespace caldera::random_calls
