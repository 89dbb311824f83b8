// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/random_calls/caller.h"

#include <algorithm>
#include <tuple>

namespace caldera::random_calls {

Caller::Region Caller::region_of(const Image& image) {
    Region region;
    for (size_t d = 0; d < 3; ++d) std::tie(region.origin[d], region.texels[d]) = part_of(image.extent[d]);
    return region;
}

Box Caller::box_of(const Image& image, const Region& region) {
    return {image.at(region.origin[1], region.origin[2]) + region.origin[0] * kTexel, image.row, image.slice};
}

Box Caller::packed(uint8_t* data, const Region& region) {
    const Size3 bytes = region.bytes();
    return {data, bytes[0], bytes[0] * bytes[1]};
}

void Caller::transfer_image() {
    if (images_.empty()) return;
    const Image& image = any(images_);
    const Buffer& buffer = any(buffers_);
    const Region region = region_of(image);
    const Box box = box_of(image, region);
    const cl_bool blocking = once_in(4);
    const bool fits = image.bytes != buffer.bytes && region.size() <= buffer.size;
    const size_t at = fits ? below(buffer.size - region.size() + 1) : 0;
    switch (below(4)) {
        case 0: {
            say("read an image");
            Host& out = hold(Host(region.size()));
            Host expected = out;
            copy(packed(expected.data(), region), box, region.bytes());
            command(
                any(queues_), {{image.bytes}},
                [&](const Queue& queue, auto... wait) {
                    return clEnqueueReadImage(queue.handle, image.handle, blocking, region.origin.data(),
                                              region.texels.data(), 0, 0, out.data(), wait...);
                },
                blocking);
            expected_.push_back({&out, expected, doing_});
            break;
        }
        case 1: {
            say("write an image");
            Host& from = hold(random_bytes(region.size()));
            command(
                any(queues_), {{image.bytes, true}},
                [&](const Queue& queue, auto... wait) {
                    return clEnqueueWriteImage(queue.handle, image.handle, blocking, region.origin.data(),
                                               region.texels.data(), 0, 0, from.data(), wait...);
                },
                blocking);
            copy(box, packed(from.data(), region), region.bytes());
            break;
        }
        case 2:
            if (!fits) return;
            say("copy an image to a buffer");
            command(any(queues_), {{image.bytes}, {buffer.bytes, true}},
                    [&](const Queue& queue, auto... wait) {
                        return clEnqueueCopyImageToBuffer(queue.handle, image.handle, buffer.handle,
                                                          region.origin.data(), region.texels.data(), at,
                                                          wait...);
                    });
            copy(packed(buffer.data() + at, region), box, region.bytes());
            break;
        default:
            if (!fits) return;
            say("copy a buffer to an image");
            command(
                any(queues_), {{buffer.bytes}, {image.bytes, true}}, [&](const Queue& queue, auto... wait) {
                    return clEnqueueCopyBufferToImage(queue.handle, buffer.handle, image.handle, at,
                                                      region.origin.data(), region.texels.data(), wait...);
                });
            copy(box, packed(buffer.data() + at, region), region.bytes());
    }
}

void Caller::fill_image() {
    if (images_.empty()) return;
    const Image& image = any(images_);
    const Region region = region_of(image);
    say("fill an image");
    std::array<cl_uint, 4> color;
    for (cl_uint& channel : color) channel = static_cast<cl_uint>(below(256));
    command(any(queues_), {{image.bytes, true}}, [&](const Queue& queue, auto... wait) {
        return clEnqueueFillImage(queue.handle, image.handle, color.data(), region.origin.data(),
                                  region.texels.data(), wait...);
    });
    const Box box = box_of(image, region);
    for (size_t z = 0; z < region.texels[2]; ++z)
        for (size_t y = 0; y < region.texels[1]; ++y)
            for (size_t i = 0; i < region.bytes()[0]; ++i)
                box.data[z * box.slice + y * box.row + i] = static_cast<uint8_t>(color[i % kTexel]);
}

void Caller::copy_image() {
    if (images_.empty()) return;
    const Image &from = any(images_), &to = any(images_);
    if (from.bytes == to.bytes) return;
    Region a = region_of(from), b = region_of(to);
    for (size_t d = 0; d < 3; ++d) a.texels[d] = b.texels[d] = std::min(a.texels[d], b.texels[d]);
    say("copy an image");
    command(any(queues_), {{from.bytes}, {to.bytes, true}}, [&](const Queue& queue, auto... wait) {
        return clEnqueueCopyImage(queue.handle, from.handle, to.handle, a.origin.data(), b.origin.data(),
                                  a.texels.data(), wait...);
    });
    copy(box_of(to, b), box_of(from, a), a.bytes());
}

void Caller::map_image() {
    if (images_.empty()) return;
    const Image& image = any(images_);
    const Region region = region_of(image);
    const cl_map_flags flags = any_map();
    say("map an image by " + std::to_string(flags));
    map_and_unmap(image.handle, image.bytes, flags, box_of(image, region), region.bytes(),
                  [&](const Queue& queue, cl_bool blocking, auto... rest) {
                      Box box;
                      box.data = static_cast<uint8_t*>(
                          clEnqueueMapImage(queue.handle, image.handle, blocking, flags, region.origin.data(),
                                            region.texels.data(), &box.row, &box.slice, rest...));
                      // The layers of such an array are its rows.
                      if (image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) box.row = box.slice;
                      return box;
                  });
}

}  // namespace caldera::random_calls
