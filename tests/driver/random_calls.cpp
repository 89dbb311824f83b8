// SPDX-License-Identifier: Apache-2.0
// random_calls: random calls of the API, valid ones and some that are not, and what the bytes of all buffers and images must be.
//
// Commands go to queues of both kinds and of all the context's devices, wait for what they must and sometimes for a user event
// that comes later; objects are released while commands use them. A model on the host does what each command does when it is
// enqueued: the events that a command waits for put it after all that touches the same bytes.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr const char* kSource = R"(
kernel void add(global uchar *a, uint n) {
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
           z = get_global_id(2) - get_global_offset(2);
    a[(z * get_global_size(1) + y) * get_global_size(0) + x] += n;
}
kernel void mix(global const uchar *a, global uchar *b, uint n) {
    size_t i = get_global_id(0);
    b[i] ^= a[i] + n;
}
kernel void put(write_only image2d_t image, uint n) {
    uint x = get_global_id(0), y = get_global_id(1);
    write_imageui(image, (int2)(x, y), (uint4)(x, y, n, x + y) & 255u);
}
kernel void get(read_only image2d_t image, sampler_t sampler, global uchar4 *out) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * get_global_size(0) + x] = convert_uchar4(read_imageui(image, sampler, (int2)(x, y)));
}
)";

using Size3 = std::array<size_t, 3>;
using Host = std::vector<uint8_t>;
constexpr size_t kTexel = 4;
constexpr cl_image_format kFormat = {CL_RGBA, CL_UNSIGNED_INT8};

void require(bool condition, const std::string& what) {
    if (!condition) throw std::runtime_error(what);
}
void require_success(cl_int code, const std::string& what) {
    require(code == CL_SUCCESS, what + " returns " + std::to_string(code));
}

struct Queue {
    cl_command_queue handle = nullptr;
    bool in_order = true;
    size_t number = 0;  ///< from 1: handles come again
};

/// Of a command, or of a marker behind it.
struct Event {
    cl_event handle = nullptr;
    size_t queue = 0;  ///< its number
};

/// The bytes behind a buffer, its parts and images, as they are when all commands so far are over.
struct Bytes {
    Host now = {};
    Event written = {};            ///< by the last command that writes
    std::vector<Event> read = {};  ///< by commands since
};
struct Use {
    std::shared_ptr<Bytes> bytes;
    bool writes = false;
};

struct Buffer {
    cl_mem handle = nullptr;
    std::shared_ptr<Bytes> bytes = {};
    size_t begin = 0, size = 0;
    bool is_part = false;
    uint8_t* data() const { return bytes->now.data() + begin; }
};
struct Image {
    cl_mem handle = nullptr;
    std::shared_ptr<Bytes> bytes = {};
    cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
    size_t begin = 0, row = 0, slice = 0;  ///< in bytes
    Size3 extent = {1, 1, 1};              ///< in texels, rows, slices
    uint8_t* at(size_t y, size_t z) const { return bytes->now.data() + begin + z * slice + y * row; }
};

void require_same(const Host& out, const Host& expected, const std::string& what) {
    if (out == expected) return;
    size_t first = out.size(), last = 0, count = 0;
    for (size_t i = 0; i < out.size(); ++i) {
        if (out[i] == expected[i]) continue;
        first = std::min(first, i);
        last = i;
        ++count;
    }
    throw std::runtime_error(what + " has brought other bytes, " + std::to_string(count) + " of " +
                             std::to_string(out.size()) + ", from " + std::to_string(first) + " to " +
                             std::to_string(last) + ", where " + std::to_string(out[first]) + " stands for " +
                             std::to_string(expected[first]));
}

/// Rows and slices of bytes.
struct Box {
    uint8_t* data = nullptr;
    size_t row = 0, slice = 0;
};
void copy(const Box& to, const Box& from, const Size3& region) {
    for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
            std::memcpy(to.data + z * to.slice + y * to.row, from.data + z * from.slice + y * from.row,
                        region[0]);
}

struct Options {
    uint64_t first = 1, count = 20;
    unsigned steps = 300, threads = 1, queues = 3;
    bool trace = false, all_devices = false;
    bool in_order = false, out_of_order = false, no_profiling = false;
    std::vector<std::string> only = {};
};

/// What one thread does in a context that it may share.
class Caller {
 public:
    Caller(cl_context context, std::vector<cl_device_id> devices, cl_program program, uint64_t seed,
           const Options& options)
        : context_(context),
          devices_(std::move(devices)),
          program_(program),
          random_(seed),
          options_(options) {
        for (const Step& step : all_steps())
            if (takes(step.name)) steps_.insert(steps_.end(), step.weight, &step);
        for (const char* name : {"add", "mix", "put", "get"}) {
            cl_int code = 1;
            kernels_.push_back(clCreateKernel(program_, name, &code));
            require_success(code, "clCreateKernel");
        }
        cl_int code = 1;
        sampler_ = clCreateSampler(context_, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &code);
        require_success(code, "clCreateSampler");
        for (unsigned i = 0; i < options_.queues; ++i) make_queue();
        for (int i = 0; i < 3; ++i) make_buffer();
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    static std::vector<std::string> step_names() {
        std::vector<std::string> names;
        for (const Step& step : all_steps()) names.emplace_back(step.name);
        return names;
    }

    void run() {
        for (unsigned step = 0; step < options_.steps; ++step) {
            try {
                this->step();
            } catch (const std::exception& error) {
                throw std::runtime_error("step " + std::to_string(step) + ", " + doing_ + ": " +
                                         error.what());
            }
        }
        say("settle");
        settle();
        for (const Buffer& buffer : buffers_) require_success(clReleaseMemObject(buffer.handle), "release");
        for (const Image& image : images_) require_success(clReleaseMemObject(image.handle), "release");
        for (const Queue& queue : queues_) require_success(clReleaseCommandQueue(queue.handle), "release");
        for (cl_kernel kernel : kernels_) require_success(clReleaseKernel(kernel), "release");
        require_success(clReleaseSampler(sampler_), "release");
    }

 private:
    // ---- Chance ----

    size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
    bool once_in(size_t count) { return below(count) == 0; }
    template <class T>
    T& any(std::vector<T>& list) {
        return list[below(list.size())];
    }
    Host random_bytes(size_t size) {
        Host out(size);
        for (uint8_t& byte : out) byte = static_cast<uint8_t>(random_());
        return out;
    }
    /// A stretch of at least one.
    std::pair<size_t, size_t> part_of(size_t size) {
        const size_t begin = below(size);
        return {begin, 1 + below(size - begin)};
    }
    void say(const std::string& what) {
        doing_ = what;
        if (options_.trace) std::fprintf(stderr, "%s\n", what.c_str());
    }

    // ---- Steps ----

    struct Step {
        const char* name;
        void (Caller::*take)();
        unsigned weight = 1;
    };
    static std::span<const Step> all_steps() {
        static constexpr Step kSteps[] = {{"make_buffer", &Caller::make_buffer},
                                          {"make_part", &Caller::make_part},
                                          {"make_image", &Caller::make_image},
                                          {"release", &Caller::release_memory},
                                          {"queue", &Caller::change_queue},
                                          {"write", &Caller::write, 2},
                                          {"read", &Caller::read, 2},
                                          {"fill", &Caller::fill},
                                          {"copy", &Caller::copy_buffer},
                                          {"box", &Caller::rectangles},
                                          {"map", &Caller::map_buffer},
                                          {"migrate", &Caller::migrate},
                                          {"add", &Caller::add, 3},
                                          {"mix", &Caller::mix, 2},
                                          {"image", &Caller::transfer_image},
                                          {"fill_image", &Caller::fill_image},
                                          {"copy_image", &Caller::copy_image},
                                          {"map_image", &Caller::map_image},
                                          {"put", &Caller::put},
                                          {"get", &Caller::get},
                                          {"order", &Caller::order},
                                          {"gate", &Caller::open_gate},
                                          {"error", &Caller::err, 2}};
        return kSteps;
    }
    bool takes(std::string_view step) const {
        return options_.only.empty() || std::ranges::find(options_.only, step) != options_.only.end();
    }

    void step() {
        if (once_in(40)) {
            say("settle");
            return settle();
        }
        (this->*any(steps_)->take)();
    }

    void make_queue() {
        const bool in_order = once_in(2) ? !options_.out_of_order : options_.in_order;
        Queue queue{.in_order = in_order, .number = ++queues_so_far_};
        cl_queue_properties properties = queue.in_order ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        if (once_in(3) && !options_.no_profiling) properties |= CL_QUEUE_PROFILING_ENABLE;
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
        cl_int code = 1;
        queue.handle = clCreateCommandQueueWithProperties(context_, any(devices_), list, &code);
        require_success(code, "clCreateCommandQueueWithProperties");
        queues_.push_back(queue);
    }
    /// Its commands go on.
    void change_queue() {
        if (!once_in(4)) return;
        say("another queue");
        std::swap(any(queues_), queues_.back());
        require_success(clReleaseCommandQueue(queues_.back().handle), "clReleaseCommandQueue");
        queues_.pop_back();
        make_queue();
    }

    void make_buffer() {
        if (buffers_.size() >= 8) return;
        say("make a buffer");
        static constexpr cl_mem_flags kFlags[] = {0, CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR,
                                                  CL_MEM_ALLOC_HOST_PTR,
                                                  CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR};
        const cl_mem_flags flags = kFlags[below(std::size(kFlags))];
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
    void make_part() {
        const Buffer& whole = any(buffers_);
        constexpr size_t kAlignment = 128;
        if (buffers_.size() >= 12 || whole.is_part || whole.size <= kAlignment) return;
        say("make a part of a buffer");
        const size_t begin = below(whole.size / kAlignment) * kAlignment;
        const cl_buffer_region region = {begin, 1 + below(whole.size - begin)};
        Buffer part{.bytes = whole.bytes, .begin = begin, .size = region.size, .is_part = true};
        cl_int code = 1;
        part.handle = clCreateSubBuffer(whole.handle, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        require_success(code, "clCreateSubBuffer");
        buffers_.push_back(part);
    }
    void make_image() {
        if (images_.size() >= 6) return;
        static constexpr cl_mem_object_type kTypes[] = {
            CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
            CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
        Image image{.type = kTypes[below(std::size(kTypes))]};
        image.extent[0] = 1 + below(40);
        if (image.type != CL_MEM_OBJECT_IMAGE1D) image.extent[1] = 1 + below(20);
        if (image.type == CL_MEM_OBJECT_IMAGE2D_ARRAY || image.type == CL_MEM_OBJECT_IMAGE3D)
            image.extent[2] = 1 + below(6);
        cl_image_desc desc{
            .image_type = image.type,
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
            const bool uses = once_in(3);
            if (uses) {
                own_memory_.push_back(std::make_unique<Host>(image.bytes->now));
                host = own_memory_.back()->data();
            }
            image.handle = clCreateImage(context_, uses ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR,
                                         &kFormat, &desc, host, &code);
        }
        require_success(code, "clCreateImage");
        images_.push_back(image);
    }
    void release_memory() {
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

    void write() {
        const Buffer& buffer = any(buffers_);
        const auto [at, size] = part_of(buffer.size);
        const cl_bool blocking = once_in(4);
        say("write " + std::to_string(size));
        const Host& from = hold(random_bytes(size));
        command(
            any(queues_), {{buffer.bytes, true}},
            [&](const Queue& queue, auto... wait) {
                return clEnqueueWriteBuffer(queue.handle, buffer.handle, blocking, at, size, from.data(),
                                            wait...);
            },
            blocking);
        std::copy(from.begin(), from.end(), buffer.data() + at);
    }
    void read() {
        const Buffer& buffer = any(buffers_);
        const auto [at, size] = part_of(buffer.size);
        const cl_bool blocking = once_in(4);
        say("read " + std::to_string(size));
        Host& out = hold(Host(size));
        command(
            any(queues_), {{buffer.bytes}},
            [&](const Queue& queue, auto... wait) {
                return clEnqueueReadBuffer(queue.handle, buffer.handle, blocking, at, size, out.data(),
                                           wait...);
            },
            blocking);
        const Host expected(buffer.data() + at, buffer.data() + at + size);
        if (blocking)
            require_same(out, expected, "a read");
        else
            expected_.push_back({&out, expected, doing_});
    }
    void fill() {
        const Buffer& buffer = any(buffers_);
        const size_t pattern = size_t{1} << below(8);
        if (buffer.size < pattern) return;
        auto [at, count] = part_of(buffer.size / pattern);
        say("fill with " + std::to_string(pattern));
        const Host bytes = random_bytes(pattern);
        command(any(queues_), {{buffer.bytes, true}}, [&](const Queue& queue, auto... wait) {
            return clEnqueueFillBuffer(queue.handle, buffer.handle, bytes.data(), pattern, at * pattern,
                                       count * pattern, wait...);
        });
        for (size_t i = 0; i < count; ++i) std::ranges::copy(bytes, buffer.data() + (at + i) * pattern);
    }
    void copy_buffer() {
        const Buffer &from = any(buffers_), &to = any(buffers_);
        const size_t size = 1 + below(std::min(from.size, to.size));
        const size_t from_at = below(from.size - size + 1), to_at = below(to.size - size + 1);
        const size_t a = from.begin + from_at, b = to.begin + to_at;
        const bool overlaps = from.bytes == to.bytes && a < b + size && b < a + size;
        say("copy " + std::to_string(size));
        if (overlaps) {
            const cl_int code = clEnqueueCopyBuffer(any(queues_).handle, from.handle, to.handle, from_at,
                                                    to_at, size, 0, nullptr, nullptr);
            return require(code == CL_MEM_COPY_OVERLAP, "an overlap is " + std::to_string(code));
        }
        command(any(queues_), {{from.bytes}, {to.bytes, true}}, [&](const Queue& queue, auto... wait) {
            return clEnqueueCopyBuffer(queue.handle, from.handle, to.handle, from_at, to_at, size, wait...);
        });
        std::memcpy(to.data() + to_at, from.data() + from_at, size);
    }
    /// A box of a buffer, as it lies in it, to or from a box in the host's memory or in another buffer.
    void rectangles() {
        const Size3 region = {1 + below(30), 1 + below(6), 1 + below(4)};
        struct Place {
            Size3 origin;
            size_t row, slice, bytes;
        };
        const auto place = [&] {
            Place out{.origin = {below(9), below(3), below(3)}};
            out.row = out.origin[0] + region[0] + below(5);
            out.slice = out.row * (out.origin[1] + region[1] + below(3));
            out.bytes = (out.origin[2] + region[2]) * out.slice;
            return out;
        };
        const auto box = [](uint8_t* data, const Place& at) {
            return Box{data + at.origin[2] * at.slice + at.origin[1] * at.row + at.origin[0], at.row,
                       at.slice};
        };
        const Place a = place(), b = place();
        const Buffer &first = any(buffers_), &second = any(buffers_);
        if (a.bytes > first.size) return;
        const cl_bool blocking = once_in(4);
        switch (below(3)) {
            case 0: {
                say("read a box");
                Host& out = hold(Host(b.bytes));
                Host expected = out;
                copy(box(expected.data(), b), box(first.data(), a), region);
                command(
                    any(queues_), {{first.bytes}},
                    [&](const Queue& queue, auto... wait) {
                        return clEnqueueReadBufferRect(queue.handle, first.handle, blocking, a.origin.data(),
                                                       b.origin.data(), region.data(), a.row, a.slice, b.row,
                                                       b.slice, out.data(), wait...);
                    },
                    blocking);
                expected_.push_back({&out, expected, doing_});
                break;
            }
            case 1: {
                say("write a box");
                Host& from = hold(random_bytes(b.bytes));
                command(
                    any(queues_), {{first.bytes, true}},
                    [&](const Queue& queue, auto... wait) {
                        return clEnqueueWriteBufferRect(queue.handle, first.handle, blocking, a.origin.data(),
                                                        b.origin.data(), region.data(), a.row, a.slice, b.row,
                                                        b.slice, from.data(), wait...);
                    },
                    blocking);
                copy(box(first.data(), a), box(from.data(), b), region);
                break;
            }
            default:
                if (first.bytes == second.bytes || b.bytes > second.size) return;
                say("copy a box");
                command(any(queues_), {{first.bytes}, {second.bytes, true}},
                        [&](const Queue& queue, auto... wait) {
                            return clEnqueueCopyBufferRect(queue.handle, first.handle, second.handle,
                                                           a.origin.data(), b.origin.data(), region.data(),
                                                           a.row, a.slice, b.row, b.slice, wait...);
                        });
                copy(box(second.data(), b), box(first.data(), a), region);
        }
    }

    cl_map_flags any_map() {
        static constexpr cl_map_flags kFlags[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
                                                  CL_MAP_WRITE_INVALIDATE_REGION};
        return kFlags[below(std::size(kFlags))];
    }
    /// What is mapped is compared, changed where it may be, and unmapped. `map` calls clEnqueueMap*, and gives where the bytes
    /// are.
    template <class Map>
    void map_and_unmap(cl_mem handle, const std::shared_ptr<Bytes>& bytes, cl_map_flags flags, Box model,
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
    void map_buffer() {
        const Buffer& buffer = any(buffers_);
        const auto [at, size] = part_of(buffer.size);
        const cl_map_flags flags = any_map();
        say("map " + std::to_string(size) + " by " + std::to_string(flags));
        map_and_unmap(buffer.handle, buffer.bytes, flags, {buffer.data() + at}, {size, 1, 1},
                      [&, at = at, size = size](const Queue& queue, cl_bool blocking, auto... rest) {
                          return Box{static_cast<uint8_t*>(clEnqueueMapBuffer(
                              queue.handle, buffer.handle, blocking, flags, at, size, rest...))};
                      });
    }
    void migrate() {
        const Buffer& buffer = any(buffers_);
        say("migrate");
        const cl_mem_migration_flags flags = once_in(2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0;
        command(any(queues_), {{buffer.bytes}}, [&](const Queue& queue, auto... wait) {
            return clEnqueueMigrateMemObjects(queue.handle, 1, &buffer.handle, flags, wait...);
        });
    }

    // ---- Kernels ----

    template <class T>
    void set(cl_kernel kernel, cl_uint index, const T& value) {
        require_success(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
    }
    void launch(cl_kernel kernel, std::vector<Use> uses, const std::vector<size_t>& global,
                const std::vector<size_t>& offset = {}) {
        std::vector<size_t> local;
        size_t items = 1;
        for (size_t d = 0; d < global.size(); ++d)
            local.push_back(1 + below(std::min<size_t>(global[d], 64 / items)));
        for (const size_t size : local) items *= size;
        const bool has_local = items <= 64 && once_in(2);
        command(any(queues_), std::move(uses), [&](const Queue& queue, auto... wait) {
            return clEnqueueNDRangeKernel(queue.handle, kernel, static_cast<cl_uint>(global.size()),
                                          offset.empty() ? nullptr : offset.data(), global.data(),
                                          has_local ? local.data() : nullptr, wait...);
        });
    }
    void add() {
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
    void mix() {
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
    void put() {
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
    void get() {
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

    // ---- Images ----

    struct Region {
        Size3 origin = {}, texels = {};
        Size3 bytes() const { return {texels[0] * kTexel, texels[1], texels[2]}; }
        size_t size() const { return texels[0] * kTexel * texels[1] * texels[2]; }
    };
    Region region_of(const Image& image) {
        Region region;
        for (size_t d = 0; d < 3; ++d)
            std::tie(region.origin[d], region.texels[d]) = part_of(image.extent[d]);
        return region;
    }
    static Box box_of(const Image& image, const Region& region) {
        return {image.at(region.origin[1], region.origin[2]) + region.origin[0] * kTexel, image.row,
                image.slice};
    }
    static Box packed(uint8_t* data, const Region& region) {
        const Size3 bytes = region.bytes();
        return {data, bytes[0], bytes[0] * bytes[1]};
    }

    /// Between an image and the host or a buffer.
    void transfer_image() {
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
                command(any(queues_), {{buffer.bytes}, {image.bytes, true}},
                        [&](const Queue& queue, auto... wait) {
                            return clEnqueueCopyBufferToImage(queue.handle, buffer.handle, image.handle, at,
                                                              region.origin.data(), region.texels.data(),
                                                              wait...);
                        });
                copy(box, packed(buffer.data() + at, region), region.bytes());
        }
    }
    void fill_image() {
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
    void copy_image() {
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
    void map_image() {
        if (images_.empty()) return;
        const Image& image = any(images_);
        const Region region = region_of(image);
        const cl_map_flags flags = any_map();
        say("map an image by " + std::to_string(flags));
        map_and_unmap(image.handle, image.bytes, flags, box_of(image, region), region.bytes(),
                      [&](const Queue& queue, cl_bool blocking, auto... rest) {
                          Box box;
                          box.data = static_cast<uint8_t*>(clEnqueueMapImage(
                              queue.handle, image.handle, blocking, flags, region.origin.data(),
                              region.texels.data(), &box.row, &box.slice, rest...));
                          // The layers of such an array are its rows.
                          if (image.type == CL_MEM_OBJECT_IMAGE1D_ARRAY) box.row = box.slice;
                          return box;
                      });
    }

    // ---- Order ----

    /// Enqueues a command by call(queue, number of events, events, event) behind all that its uses want it behind, and sometimes
    /// behind more.
    template <class Call>
    void command(const Queue& queue, std::vector<Use> uses, const Call& call, bool is_blocking = false) {
        if (is_blocking) open_gates();
        std::vector<cl_event> waits;
        const auto wait_for = [&](const Event& event) {
            const bool is_ordered = queue.in_order && event.queue == queue.number;
            if (event.handle && !(is_ordered && once_in(2))) waits.push_back(event.handle);
        };
        for (const Use& use : uses) {
            wait_for(use.bytes->written);
            if (use.writes) std::ranges::for_each(use.bytes->read, wait_for);
        }
        if (!is_blocking && once_in(5) && takes("gate")) waits.push_back(gate());
        if (!events_.empty() && once_in(5)) waits.push_back(any(events_));
        const auto count = static_cast<cl_uint>(waits.size());
        const cl_event* list = waits.empty() ? nullptr : waits.data();
        Event event{.queue = queue.number};
        // What has no event itself has one behind it.
        const bool has_event = !once_in(3);
        require_success(call(queue, count, list, has_event ? &event.handle : nullptr), "the call");
        if (!has_event)
            require_success((once_in(2) ? clEnqueueMarkerWithWaitList : clEnqueueBarrierWithWaitList)(
                                queue.handle, 0, nullptr, &event.handle),
                            "a marker");
        events_.push_back(event.handle);
        if (once_in(6)) count_completion(event.handle);
        for (const Use& use : uses) {
            if (use.writes) {
                use.bytes->written = event;
                use.bytes->read.clear();
            } else {
                use.bytes->read.push_back(event);
            }
        }
        touched_.insert(touched_.end(), uses.begin(), uses.end());
    }
    void count_completion(cl_event event) {
        ++wanted_calls_;
        require_success(
            clSetEventCallback(
                event, CL_COMPLETE,
                [](cl_event, cl_int, void* to) { ++*static_cast<std::atomic<unsigned>*>(to); }, &calls_),
            "clSetEventCallback");
    }
    void order() {
        const Queue& queue = any(queues_);
        say("flush or a barrier");
        if (once_in(2)) return require_success(clFlush(queue.handle), "clFlush");
        require_success(clEnqueueBarrierWithWaitList(queue.handle, 0, nullptr, nullptr), "a barrier");
    }
    cl_event gate() {
        if (!gates_.empty() && once_in(2)) return any(gates_);
        cl_int code = 1;
        gates_.push_back(clCreateUserEvent(context_, &code));
        require_success(code, "clCreateUserEvent");
        events_.push_back(gates_.back());
        return gates_.back();
    }
    void open_gate() {
        if (gates_.empty()) return;
        say("set a user event");
        std::swap(any(gates_), gates_.back());
        require_success(clSetUserEventStatus(gates_.back(), CL_COMPLETE), "clSetUserEventStatus");
        gates_.pop_back();
    }
    void open_gates() {
        while (!gates_.empty()) {
            require_success(clSetUserEventStatus(gates_.back(), CL_COMPLETE), "clSetUserEventStatus");
            gates_.pop_back();
        }
    }
    /// Waits for all, and compares what they brought.
    void settle() {
        open_gates();
        if (once_in(2))
            for (const Queue& queue : queues_) require_success(clFinish(queue.handle), "clFinish");
        if (!events_.empty())
            require_success(clWaitForEvents(static_cast<cl_uint>(events_.size()), events_.data()),
                            "clWaitForEvents");
        for (const Expected& each : expected_) require_same(*each.out, each.bytes, each.what);
        for (const Use& use : touched_) use.bytes->written = {}, use.bytes->read.clear();
        for (cl_event event : events_) require_success(clReleaseEvent(event), "clReleaseEvent");
        events_.clear();
        touched_.clear();
        expected_.clear();
        held_.clear();
        while (calls_ != wanted_calls_) std::this_thread::yield();
    }
    /// Until all is settled.
    Host& hold(Host bytes) {
        held_.push_back(std::make_unique<Host>(std::move(bytes)));
        return *held_.back();
    }

    // ---- Errors ----

    /// A call that must fail, and change nothing.
    void err() {
        const Queue& queue = any(queues_);
        const Buffer& buffer = any(buffers_);
        const size_t huge = ~size_t{0} - below(8), past = buffer.size + 1 + below(10), zero = 0;
        const Size3 origin = {0, 0, 0}, none = {1, 0, 1}, large = {huge / 2, huge / 2, 2};
        uint8_t bytes[256] = {};
        cl_event null = nullptr;
        cl_int code = 1;
        const auto read = [&](cl_command_queue to, cl_mem from, size_t at, size_t size, void* out,
                              cl_uint count, const cl_event* list) {
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
            [&] {
                return read(queue.handle, reinterpret_cast<cl_mem>(queue.handle), 0, 1, bytes, 0, nullptr);
            },
            [&] { return read(queue.handle, buffer.handle, 0, 1, bytes, 1, nullptr); },
            [&] { return read(queue.handle, buffer.handle, 0, 1, bytes, 0, &null); },
            [&] { return read(queue.handle, buffer.handle, 0, 1, bytes, 1, &null); },
            [&] {
                const auto other = reinterpret_cast<cl_event>(context_);
                return read(queue.handle, buffer.handle, 0, 1, bytes, 1, &other);
            },
            [&] {
                return clEnqueueReadBufferRect(queue.handle, buffer.handle, CL_FALSE, origin.data(),
                                               origin.data(), below(2) ? large.data() : none.data(), 0, 0, 0,
                                               0, bytes, 0, nullptr, nullptr);
            },
            [&] {
                return clEnqueueWriteBufferRect(queue.handle, buffer.handle, CL_FALSE, large.data(),
                                                origin.data(), Size3{1, 1, 1}.data(), huge / 3, 0, 0,
                                                huge / 2, bytes, 0, nullptr, nullptr);
            },
            [&] {
                return clEnqueueFillBuffer(queue.handle, buffer.handle, bytes, 3, 0, 3, 0, nullptr, nullptr);
            },
            [&] {
                return clEnqueueFillBuffer(queue.handle, buffer.handle, bytes, 256, 0, 256, 0, nullptr,
                                           nullptr);
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
                const cl_buffer_region region = {below(2) ? huge & ~size_t{127} : 128, huge};
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
                return clSetKernelArg(kernels_[0], static_cast<cl_uint>(huge), sizeof(cl_mem),
                                      &buffer.handle);
            },
            [&] { return clSetKernelArg(kernels_[0], 1, huge, bytes); },
            [&] { return clSetKernelArg(kernels_[2], 0, sizeof(cl_mem), &buffer.handle); },
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

    struct Expected {
        const Host* out;
        Host bytes;
        std::string what;
    };
    cl_context context_;
    std::vector<cl_device_id> devices_;
    cl_program program_;
    std::mt19937_64 random_;
    const Options& options_;
    std::vector<const Step*> steps_ = {};  // each as often as it has weight
    std::string doing_ = "begin";
    std::vector<cl_kernel> kernels_ = {};
    cl_sampler sampler_ = nullptr;
    std::vector<Queue> queues_ = {};
    size_t queues_so_far_ = 0;
    std::vector<Buffer> buffers_ = {};
    std::vector<Image> images_ = {};
    std::vector<cl_event> gates_ = {};   // user events that nobody has set
    std::vector<cl_event> events_ = {};  // all, since all was settled
    std::vector<Use> touched_ = {};
    std::vector<Expected> expected_ = {};
    std::vector<std::unique_ptr<Host>> held_ = {}, own_memory_ = {};
    std::atomic<unsigned> calls_ = 0;
    unsigned wanted_calls_ = 0;
};

/// One seed: a context, and callers in it.
void run(uint64_t seed, const Options& options, const std::vector<cl_device_id>& devices) {
    cl_int code = 1;
    cl_context context = clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(),
                                         nullptr, nullptr, &code);
    require_success(code, "clCreateContext");
    const char* source = kSource;
    cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
    require_success(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");
    std::vector<std::thread> threads;
    std::atomic<bool> has_failed = false;
    const auto call = [&](unsigned thread) {
        try {
            Caller(context, devices, program, seed * 1000 + thread, options).run();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "seed %llu, thread %u: %s\n", static_cast<unsigned long long>(seed), thread,
                         error.what());
            has_failed = true;
        }
    };
    for (unsigned thread = 1; thread < options.threads; ++thread) threads.emplace_back(call, thread);
    call(0);
    for (std::thread& thread : threads) thread.join();
    require_success(clReleaseProgram(program), "clReleaseProgram");
    require_success(clReleaseContext(context), "clReleaseContext");
    require(!has_failed, "failed");
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("random_calls: random calls of the OpenCL API, and what all bytes must be after them",
                 "random_calls");
    app.add_option("--first", options.first, "first seed")->capture_default_str();
    app.add_option("--count", options.count, "number of seeds")->capture_default_str();
    app.add_option("--steps", options.steps, "calls of a thread, for each seed")->capture_default_str();
    app.add_option("--threads", options.threads, "in one context")->capture_default_str();
    app.add_option("--queues", options.queues, "of a thread")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_flag("--in-order", options.in_order, "all queues are in order");
    app.add_flag("--out-of-order", options.out_of_order, "none is")->excludes("--in-order");
    app.add_flag("--no-profiling", options.no_profiling, "no queue is profiled");
    app.add_option("--only", options.only,
                   "the kinds of steps, with commas between; without gate there are no user events")
        ->delimiter(',')
        ->check(CLI::IsMember(Caller::step_names()));
    app.add_flag("--all-devices", options.all_devices,
                 "a context of all devices of the platform, instead of the first");
    app.add_flag("--trace", options.trace, "print each step");
    app.footer(
        "\nExamples:\n"
        "  random_calls --first=7 --count=1 --trace    what seed 7 does\n"
        "  random_calls --threads=8 --only=make_buffer,write,read,queue --in-order\n"
        "                                              less than all, to find what goes wrong");
    CLI11_PARSE(app, argc, argv);
    try {
        cl_platform_id platform = nullptr;
        require_success(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
        cl_uint count = 0;
        require_success(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
        std::vector<cl_device_id> devices(count);
        require_success(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr),
                        "clGetDeviceIDs");
        if (!options.all_devices) devices.resize(1);
        for (uint64_t seed = options.first; seed < options.first + options.count; ++seed)
            run(seed, options, devices);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "random_calls: %s\n", error.what());
        return 1;
    }
    return 0;
}
