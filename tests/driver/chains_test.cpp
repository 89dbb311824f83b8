// SPDX-License-Identifier: Apache-2.0
// Long chains of objects, where each makes the driver do something for the next one: a longer chain needs no
// more of a thread's stack.
#include <pthread.h>

#include <atomic>
#include <functional>
#include <thread>

#include "tests/driver/command_buffers.h"
#include "tests/driver/fixture.h"

using namespace caldera::driver_test;

namespace {

constexpr size_t kLinks = 10'000;
constexpr size_t kSmallStack = 256 << 10;  // less than 27 bytes for a link

void on_small_stack(std::function<void()> work) {
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, kSmallStack) == 0);
    pthread_t thread{};
    const auto run = [](void* its_work) -> void* {
        (*static_cast<std::function<void()>*>(its_work))();
        return nullptr;
    };
    REQUIRE(pthread_create(&thread, &attributes, run, &work) == 0);
    REQUIRE(pthread_join(thread, nullptr) == 0);
    REQUIRE(pthread_attr_destroy(&attributes) == 0);
}

std::vector<cl_event> user_events(cl_context context, size_t count) {
    std::vector<cl_event> events(count);
    for (cl_event& event : events) {
        cl_int code = 1;
        event = clCreateUserEvent(context, &code);
        REQUIRE(code == CL_SUCCESS);
    }
    return events;
}

void release_all(const std::vector<cl_event>& events) {
    size_t failed = 0;
    for (cl_event event : events) failed += clReleaseEvent(event) != CL_SUCCESS;
    CHECK(failed == 0);
}

}  // namespace

TEST_CASE("5.11 a chain of user events, each of which a callback of the one before it sets") {
    Fixture f;
    for (const cl_int wanted : {CL_COMPLETE, -7}) {
        const std::vector<cl_event> events = user_events(f.context, kLinks);
        const auto set_next = [](cl_event, cl_int code, void* next) {
            clSetUserEventStatus(static_cast<cl_event>(next), code);
        };
        size_t failed = 0;
        for (size_t i = 0; i + 1 < events.size(); ++i)
            failed += clSetEventCallback(events[i], CL_COMPLETE, set_next, events[i + 1]) != CL_SUCCESS;
        CHECK(failed == 0);
        on_small_stack([&] { CHECK(clSetUserEventStatus(events[0], wanted) == CL_SUCCESS); });
        CHECK(status(events.back()) == wanted);
        release_all(events);
    }
}

TEST_CASE("5.11 a chain of callbacks, each of which registers the next with an event that is over") {
    Fixture f;
    struct Chain {
        cl_event event = nullptr;
        size_t called = 0;
        static void CL_CALLBACK call(cl_event, cl_int, void* data) {
            auto& self = *static_cast<Chain*>(data);
            if (++self.called < kLinks) clSetEventCallback(self.event, CL_COMPLETE, call, &self);
        }
    } chain{user_events(f.context, 1)[0]};
    CHECK(clSetUserEventStatus(chain.event, CL_COMPLETE) == CL_SUCCESS);
    on_small_stack(
        [&] { CHECK(clSetEventCallback(chain.event, CL_COMPLETE, Chain::call, &chain) == CL_SUCCESS); });
    CHECK(chain.called == kLinks);
    CHECK(clReleaseEvent(chain.event) == CL_SUCCESS);
}

TEST_CASE("5.11 commands that a callback releases are passed on before it returns, and its callbacks after") {
    Fixture f;
    const std::vector<cl_event> gates = user_events(f.context, 2);
    cl_event marker = nullptr;
    REQUIRE(clEnqueueMarkerWithWaitList(f.queue, 1, &gates[1], &marker) == CL_SUCCESS);
    struct Seen {
        cl_event gate = nullptr, marker = nullptr;
        cl_int marker_status = 99;
        std::vector<int> order = {};
    } seen{gates[1], marker};
    CHECK(clSetEventCallback(
              gates[1], CL_COMPLETE,
              [](cl_event, cl_int, void* data) { static_cast<Seen*>(data)->order.push_back(2); },
              &seen) == CL_SUCCESS);
    CHECK(clSetEventCallback(
              gates[0], CL_COMPLETE,
              [](cl_event, cl_int, void* data) {
                  auto& self = *static_cast<Seen*>(data);
                  clSetUserEventStatus(self.gate, CL_COMPLETE);
                  self.marker_status = status(self.marker);
                  self.order.push_back(1);
              },
              &seen) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(gates[0], CL_COMPLETE) == CL_SUCCESS);
    CHECK(seen.marker_status <= CL_SUBMITTED);
    CHECK(seen.order == std::vector{1, 2});
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(clReleaseEvent(marker) == CL_SUCCESS);
    release_all(gates);
}

namespace {

/// Enqueues commands behind a user event, each of which waits for the one before it, and sets the user event.
template <class Enqueue>
void check_chain(Fixture& f, cl_int wanted, const Enqueue& enqueue) {
    cl_event last = user_events(f.context, 1)[0];
    const cl_event gate = last;
    size_t failed = 0;
    for (size_t i = 0; i < kLinks; ++i) {
        cl_event next = nullptr;
        failed += enqueue(i, last, &next) != CL_SUCCESS;
        if (last != gate) clReleaseEvent(last);
        last = next;
    }
    CHECK(failed == 0);
    on_small_stack([&] {
        CHECK(clSetUserEventStatus(gate, wanted) == CL_SUCCESS);
        CHECK((clWaitForEvents(1, &last) == CL_SUCCESS) == (wanted == CL_COMPLETE));
        CHECK((status(last) == CL_COMPLETE) == (wanted == CL_COMPLETE));
        for (cl_command_queue queue : f.queues) CHECK(clFinish(queue) == CL_SUCCESS);
        release_all({gate, last});
    });
}

}  // namespace

TEST_CASE("5.13 a chain of markers behind a user event") {
    for (const cl_command_queue_properties order : {0, int{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}})
        for (const cl_int wanted : {CL_COMPLETE, -7}) {
            Fixture f(order);
            f.make_queue(order);
            check_chain(f, wanted, [&](size_t i, cl_event before, cl_event* event) {
                return clEnqueueMarkerWithWaitList(f.queues[i % 2], 1, &before, event);
            });
        }
}

TEST_CASE("cl_khr_command_buffer: a chain of command-buffers in two queues behind a user event") {
    for (const cl_int wanted : {CL_COMPLETE, -7}) {
        Fixture f;
        f.make_queue(0);
        cl_mem from = f.make_buffer(64), to = f.make_buffer(64);
        const OwnCommandBuffer commands(f.queues[0]);
        commands.copy(from, to, 64);
        commands.finish_recording();
        check_chain(f, wanted, [&](size_t i, cl_event before, cl_event* event) {
            return commands.replay(f.queues[i % 2], event, {before});
        });
    }
}

TEST_CASE("5.13 a command that waits for very many events") {
    Fixture f;
    std::vector<cl_event> events = user_events(f.context, kLinks);
    cl_event marker = nullptr;
    CHECK(clEnqueueMarkerWithWaitList(f.queue, static_cast<cl_uint>(events.size()), events.data(), &marker) ==
          CL_SUCCESS);
    on_small_stack([&] {
        size_t failed = 0;
        for (cl_event event : events) failed += clSetUserEventStatus(event, CL_COMPLETE) != CL_SUCCESS;
        CHECK(failed == 0);
        CHECK(clWaitForEvents(1, &marker) == CL_SUCCESS);
    });
    CHECK(clReleaseEvent(marker) == CL_SUCCESS);
    release_all(events);
}

TEST_CASE(
    "5.5.1 a chain of memory objects, each of which a destructor callback of the one before it releases") {
    for (const bool has_queue : {true, false}) {
        Objects f;
        const cl_device_id the_device = device();
        cl_int code = 1;
        f.context = clCreateContext(nullptr, 1, &the_device, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        if (has_queue) f.make_queue(the_device, 0);
        cl_mem whole = f.make_buffer(4096);
        static std::atomic<size_t> called;
        called = 0;
        std::vector<cl_mem> parts(kLinks);
        const cl_buffer_region region = {0, 4};
        size_t failed = 0;
        for (cl_mem& part : parts) {
            part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
            REQUIRE(code == CL_SUCCESS);
        }
        for (size_t i = 0; i < parts.size(); ++i)
            failed += clSetMemObjectDestructorCallback(
                          parts[i],
                          [](cl_mem, void* next) {
                              ++called;
                              if (next) clReleaseMemObject(static_cast<cl_mem>(next));
                          },
                          i + 1 < parts.size() ? parts[i + 1] : nullptr) != CL_SUCCESS;
        CHECK(failed == 0);
        on_small_stack([&] {
            CHECK(clReleaseMemObject(parts[0]) == CL_SUCCESS);
            if (has_queue) CHECK(clFinish(f.queues[0]) == CL_SUCCESS);
        });
        while (called != kLinks) std::this_thread::yield();
    }
}

namespace {

/// A chain of builds: the function that is told of one begins the next, in turn by each of the three calls.
struct Builds {
    cl_context context = nullptr;
    cl_program source = nullptr, object = nullptr;
    size_t begun = 0, told = 0, wrong = 0;
    bool is_told = false;  ///< a function is running

    void begin_next() {
        const size_t kind = begun++ % 3;
        cl_int code = CL_SUCCESS;
        if (kind == 0) code = clBuildProgram(source, 0, nullptr, "", tell, this);
        if (kind == 1) code = clCompileProgram(object, 0, nullptr, "", 0, nullptr, nullptr, tell, this);
        if (kind == 2) {
            // the program that is built outlives its handle until the function is called
            cl_program linked =
                clLinkProgram(context, 0, nullptr, "-create-library", 1, &object, tell, this, &code);
            wrong += clReleaseProgram(linked) != CL_SUCCESS;
        }
        wrong += code != CL_SUCCESS;
    }
    static void CL_CALLBACK tell(cl_program built, void* data) {
        auto& self = *static_cast<Builds*>(data);
        self.wrong += self.is_told;
        self.is_told = true;
        cl_context of = nullptr;
        self.wrong += clGetProgramInfo(built, CL_PROGRAM_CONTEXT, sizeof of, &of, nullptr) != CL_SUCCESS ||
                      of != self.context;
        if (++self.told < kLinks) self.begin_next();
        self.is_told = false;
    }
};

}  // namespace

TEST_CASE("5.8.2 a chain of builds, each of which the callback of the one before it begins") {
    Fixture f;
    Builds builds{f.context, f.source("constant int c = 1;"), f.source("int f(int x) { return x; }")};
    on_small_stack([&] { builds.begin_next(); });
    CHECK(builds.told == kLinks);
    CHECK(builds.wrong == 0);
}

TEST_CASE("5.3.1 a chain of images, each of which shares the bytes of the one before it") {
    Fixture f;
    if (!info<cl_bool>(clGetDeviceInfo, f.the_device, CL_DEVICE_IMAGE_SUPPORT)) return;
    cl_image_desc desc = {};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 4;
    std::vector<cl_mem> images;
    for (size_t i = 0; i < kLinks; ++i) {
        const cl_image_format format = {i % 2 ? cl_channel_order{CL_RGBA} : cl_channel_order{CL_sRGBA},
                                        CL_UNORM_INT8};
        cl_int code = 1;
        cl_mem image = clCreateImage(f.context, CL_MEM_READ_ONLY, &format, &desc, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        images.push_back(desc.mem_object = image);
    }
    on_small_stack([&] {
        size_t failed = 0;
        for (cl_mem image : images) failed += clReleaseMemObject(image) != CL_SUCCESS;
        CHECK(failed == 0);
    });
}
