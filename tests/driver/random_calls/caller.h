// SPDX-License-Identifier: Apache-2.0
// Caller: makes random calls.
#pragma once

#include <atomic>
#include <functional>
#include <random>
#include <span>
#include <string_view>

#include "tests/driver/random_calls/model.h"

namespace caldera::random_calls {

struct Options {
    uint64_t first = 1, count = 20;
    unsigned steps = 300, threads = 1, queues = 3;
    bool trace = false, all_devices = false;
    bool in_order = false, out_of_order = false, no_profiling = false, uniform = false;
    bool device_memory = false;
    std::vector<std::string> only = {}, without = {};
};

/// One thread that makes calls in a context, which it may share with other threads.
class Caller {
 public:
    Caller(cl_context context, std::vector<cl_device_id> devices, cl_program program, uint64_t seed,
           const Options& options);
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;

    /// OpenCL C of the kernels that the program must have.
    static const char* source();
    static std::vector<std::string> step_names();
    void run();

 private:
    // ---- Chance ----

    size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
    bool once_in(size_t count) { return below(count) == 0; }
    template <class T>
    T& any(std::vector<T>& list) {
        return list[below(list.size())];
    }
    Host random_bytes(size_t size);
    /// The offset and the length of a random part of `size`; the length is at least 1.
    std::pair<size_t, size_t> part_of(size_t size);
    void say(const std::string& what);

    // ---- Steps (caller.cpp) ----

    struct Step {
        const char* name;
        void (Caller::*take)();
        unsigned weight = 1;
    };
    static std::span<const Step> all_steps();
    bool takes(std::string_view step) const;
    void step();

    // ---- Order (caller.cpp) ----

    /// Enqueues something with a wait list, for an event.
    using Call = std::function<cl_int(const Queue&, cl_uint, const cl_event*, cl_event*)>;
    void make_queue();
    /// Its commands go on.
    void change_queue();
    /// Enqueues a command by call(queue, number of events, events, event) behind all that its uses want it
    /// behind, and sometimes behind more.
    void command(const Queue& queue, std::vector<Use> uses, const Call& call, bool is_blocking = false);
    void count_completion(cl_event event);
    void order();
    cl_event gate();
    void open_gate();
    void open_last_gate();
    void open_gates();
    /// Waits for all, and compares what they brought.
    void settle();
    /// Until all is settled.
    Host& hold(Host bytes);

    // ---- Memory (memory.cpp) ----

    void make_buffer();
    void make_part();
    void make_image();
    void release_memory();
    void migrate();
    cl_map_flags any_map();
    using Map = std::function<Box(const Queue&, cl_bool, cl_uint, const cl_event*, cl_event*, cl_int*)>;
    /// Maps a region, compares it with the model, changes it if the map allows writing, and unmaps it. `map`
    /// calls a clEnqueueMap* function and returns where the bytes are.
    void map_and_unmap(cl_mem handle, const std::shared_ptr<Bytes>& bytes, cl_map_flags flags, Box model,
                       const Size3& region, const Map& map);

    // ---- Buffers (buffers.cpp) ----

    void write();
    void read();
    void fill();
    void copy_buffer();
    /// Copies a box of a buffer to or from a box in the host's memory or in another buffer.
    void rectangles();
    void map_buffer();

    // ---- Images (images.cpp) ----

    struct Region {
        Size3 origin = {}, texels = {};
        Size3 bytes() const { return {texels[0] * kTexel, texels[1], texels[2]}; }
        size_t size() const { return texels[0] * kTexel * texels[1] * texels[2]; }
    };
    Region region_of(const Image& image);
    static Box box_of(const Image& image, const Region& region);
    static Box packed(uint8_t* data, const Region& region);
    /// Copies between an image and the host's memory or a buffer.
    void transfer_image();
    void fill_image();
    void copy_image();
    void map_image();

    // ---- Kernels (kernels.cpp) ----

    template <class T>
    void set(cl_kernel kernel, cl_uint index, const T& value) {
        require_success(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
    }
    void launch(cl_kernel kernel, std::vector<Use> uses, const std::vector<size_t>& global,
                const std::vector<size_t>& offset = {});
    void add();
    void mix();
    void put();
    void get();

    // ---- Errors (errors.cpp) ----

    /// A call that must fail, and change nothing.
    void err();

    struct Expected {
        const Host* out;
        Host bytes;
        std::string what;
    };
    cl_context context_;
    std::vector<cl_device_id> devices_;
    bool has_images_ = true;  // all devices have
    size_t alignment_ = 1;    // of sub-buffers, on all devices
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

}  // namespace caldera::random_calls
