// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/random_calls/caller.h"

#include <algorithm>
#include <cstring>

namespace caldera::random_calls {

void Caller::make_buffer() {
    if (buffers_.size() >= 8) return;
    say("make a buffer");
    static constexpr cl_mem_flags kFlags[] = {0, CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR,
                                              CL_MEM_ALLOC_HOST_PTR,
                                              CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR};
    const cl_mem_flags flags = kFlags[below(options_.device_memory ? 2 : std::size(kFlags))];
    const size_t size = 1 + below(once_in(4) ? 200000 : 3000);
    Buffer buffer{.bytes = std::make_shared<Bytes>(), .size = size};
    buffer.bytes->now = random_bytes(size);
    void* host = nullptr;
    if (flags & CL_MEM_USE_HOST_PTR) {
        own_memory_.push_back(std::make_unique<Host>(buffer.bytes->now));
        host = own_memory_.back()->data();
    } else if (flags & CL_MEM_COPY_HOST_PTR) {
        host = buffer.bytes->now.data();
    }
    cl_int code = 1;
    buffer.handle = clCreateBuffer(context_, flags, size, host, &code);
    require_success(code, "clCreateBuffer");
    buffers_.push_back(buffer);
    if (host) return;
    command(any(queues_), {{buffer.bytes, true}}, [&](const Queue& queue, auto... wait) {
        return clEnqueueWriteBuffer(queue.handle, buffer.handle, CL_FALSE, 0, size,
                                    hold(Host(buffer.bytes->now)).data(), wait...);
    });
}

void Caller::make_part() {
    const Buffer& whole = any(buffers_);
    if (buffers_.size() >= 12 || whole.is_part || whole.size <= alignment_) return;
    say("make a part of a buffer");
    const size_t begin = below(whole.size / alignment_) * alignment_;
    const cl_buffer_region region = {begin, 1 + below(whole.size - begin)};
    Buffer part{.bytes = whole.bytes, .begin = begin, .size = region.size, .is_part = true};
    cl_int code = 1;
    part.handle = clCreateSubBuffer(whole.handle, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    require_success(code, "clCreateSubBuffer");
    buffers_.push_back(part);
}

void Caller::make_image() {
    if (!has_images_) return;
    if (images_.size() >= 6) return;
    static constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                                    CL_MEM_OBJECT_IMAGE2D,       CL_MEM_OBJECT_IMAGE2D,
                                                    CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
    Image image{.type = kTypes[below(std::size(kTypes))]};
    image.extent[0] = 1 + below(40);
    if (image.type != CL_MEM_OBJECT_IMAGE1D) image.extent[1] = 1 + below(20);
    if (image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY || image.type == CL_MEM_OBJECT_IMAGE3D)
        image.extent[2] = 1 + below(6);
    cl_image_desc desc{.image_type = image.type,
                       .image_width = image.extent[0],
                       .image_height = image.extent[1],
                       .image_depth = image.extent[2],
                       .image_array_size = image.extent[image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : 2]};
    const Buffer& buffer = any(buffers_);
    image.row = image.extent[0] * kTexel;
    cl_int code = 1;
    if (image.type == CL_MEM_OBJECT_IMAGE2D && once_in(2)) {
        image.row += kTexel * below(4);
        if (image.row * image.extent[1] > buffer.size) return;
        say("make an image of a buffer");
        desc.image_row_pitch = image.row;
        desc.mem_object = buffer.handle;
        image.bytes = buffer.bytes;
        image.begin = buffer.begin;
        image.slice = image.row * image.extent[1];
        image.handle = clCreateImage(context_, 0, &kFormat, &desc, nullptr, &code);
    } else {
        say("make an image");
        image.slice = image.row * image.extent[1];
        image.bytes = std::make_shared<Bytes>();
        image.bytes->now = random_bytes(image.slice * image.extent[2]);
        void* host = image.bytes->now.data();
        const bool uses = once_in(3) && !options_.device_memory;
        if (uses) {
            own_memory_.push_back(std::make_unique<Host>(image.bytes->now));
            host = own_memory_.back()->data();
        }
        image.handle = clCreateImage(context_, uses ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR, &kFormat,
                                     &desc, host, &code);
    }
    require_success(code, "clCreateImage");
    images_.push_back(image);
}

void Caller::release_memory() {
    if (buffers_.size() + images_.size() < 6) return;
    say("release memory");
    const auto drop = [this](auto& list) {
        std::swap(any(list), list.back());
        require_success(clReleaseMemObject(list.back().handle), "clReleaseMemObject");
        list.pop_back();
    };
    if (images_.size() > 1 && once_in(2))
        drop(images_);
    else if (buffers_.size() > 2)
        drop(buffers_);
}

void Caller::migrate() {
    const Buffer& buffer = any(buffers_);
    say("migrate");
    const cl_mem_migration_flags flags = once_in(2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0;
    command(any(queues_), {{buffer.bytes}}, [&](const Queue& queue, auto... wait) {
        return clEnqueueMigrateMemObjects(queue.handle, 1, &buffer.handle, flags, wait...);
    });
}

cl_map_flags Caller::any_map() {
    static constexpr cl_map_flags kFlags[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
                                              CL_MAP_WRITE_INVALIDATE_REGION};
    return kFlags[below(std::size(kFlags))];
}

void Caller::map_and_unmap(cl_mem handle, const std::shared_ptr<Bytes>& bytes, cl_map_flags flags, Box model,
                           const Size3& region, const Map& map) {
    const bool blocking = once_in(2);
    Box mapped;
    command(
        any(queues_), {{bytes, true}},
        [&](const Queue& queue, auto... wait) {
            cl_int code = 1;
            mapped = map(queue, blocking, wait..., &code);
            return code;
        },
        blocking);
    if (!blocking) {
        open_gates();
        require_success(clWaitForEvents(1, &bytes->written.handle), "clWaitForEvents");
    }
    const bool writes = !(flags & CL_MAP_READ) || flags & CL_MAP_WRITE;
    for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y) {
            uint8_t* own = mapped.data + z * mapped.slice + y * mapped.row;
            uint8_t* expected = model.data + z * model.slice + y * model.row;
            if (!(flags & CL_MAP_WRITE_INVALIDATE_REGION))
                require(std::memcmp(own, expected, region[0]) == 0, "a map gives other bytes");
            if (!writes) continue;
            std::ranges::copy(random_bytes(region[0]), own);
            std::memcpy(expected, own, region[0]);
        }
    command(any(queues_), {{bytes, true}}, [&](const Queue& queue, auto... wait) {
        return clEnqueueUnmapMemObject(queue.handle, handle, mapped.data, wait...);
    });
}

}  // namespace caldera::random_calls
