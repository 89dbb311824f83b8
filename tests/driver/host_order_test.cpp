// SPDX-License-Identifier: Apache-2.0
// The order of commands whose work the host does, or whose memory the host and the device share (OpenCL API
// 3.2.1). A producer brings the bytes of a slow kernel into memory of the program, a consumer takes them from
// there, and each link between the two orders them.
#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "tests/driver/command_buffers.h"
#include "tests/driver/fixture.h"
#include "tests/driver/semaphores.h"

namespace caldera::driver_test {
namespace {

constexpr const char* kSource = R"(
kernel void slow(global int *a, int n) {
    int x = a[get_global_id(0)];
    for (int i = 0; i < n; i++) x = x * 1664525 + 1013904223;
    a[get_global_id(0)] = x | 1;
}
kernel void copy(global int *to, global const int *from) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void nothing(global int *a) { if (a[0] == 12345) a[0] = 0; }
)";
constexpr size_t kSide = 16, kItems = kSide * kSide, kBytes = kItems * sizeof(cl_int);
constexpr cl_int kRounds = 20000;
constexpr cl_int kBefore = 2;
constexpr size_t kOrigin[3] = {}, kRect[3] = {kBytes, 1, 1}, kTexels[3] = {kSide, kSide, 1};

cl_int expected() {
    cl_uint x = kBefore;
    for (cl_int i = 0; i < kRounds; ++i) x = x * 1664525 + 1013904223;
    return static_cast<cl_int>(x | 1);
}

/// Where a command goes, and what it waits for.
struct Place {
    cl_command_queue queue = nullptr;
    std::vector<cl_event> after = {};

    cl_uint count() const { return static_cast<cl_uint>(after.size()); }
    const cl_event* list() const { return after.empty() ? nullptr : after.data(); }
};

/// Memory that the producer fills and the consumer reads.
enum class Between { Host, Shared, MappedBuffer, MappedImage, Any };

struct Order : Fixture {
    Order() : program(build(kSource)) {
        const auto svm =
            info<cl_device_svm_capabilities>(clGetDeviceInfo, the_device, CL_DEVICE_SVM_CAPABILITIES);
        shares = svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
        slow = make_kernel(program, "slow");
        copy = make_kernel(program, "copy");
        nothing = make_kernel(program, "nothing");
        a = make_buffer(kBytes);
        b = make_buffer(kBytes);
        c = make_buffer(kBytes);
        other = make_buffer(kBytes);
        const cl_image_format format = {CL_R, CL_SIGNED_INT32};
        const cl_image_desc desc = {
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = kSide, .image_height = kSide};
        cl_int code = 1;
        image = clCreateImage(context, 0, &format, &desc, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        buffers.push_back(image);
        REQUIRE(set(nothing, 0, other) == CL_SUCCESS);
        REQUIRE(set(slow, 1, kRounds) == CL_SUCCESS);
        if (!shares) return;
        shared = static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, kBytes, 0));
        REQUIRE(shared);
        on_shared = make_buffer(kBytes, shared, CL_MEM_USE_HOST_PTR);
    }
    ~Order() {
        REQUIRE(clFinish(queue) == CL_SUCCESS);
        if (shared) clSVMFree(context, shared);
    }

    /// Resets all memory, and determines what lies between producer and consumer.
    void prepare(Between memory) {
        const auto fill = [&](cl_mem buffer, cl_int value) {
            REQUIRE(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, kBytes, 0, nullptr,
                                        nullptr) == CL_SUCCESS);
        };
        fill(a, kBefore);
        fill(b, 3);
        fill(c, 4);
        const cl_int4 color = {{5, 5, 5, 5}};
        REQUIRE(clEnqueueFillImage(queue, image, &color, kOrigin, kTexels, 0, nullptr, nullptr) ==
                CL_SUCCESS);
        REQUIRE(clFinish(queue) == CL_SUCCESS);
        host.assign(kItems, 3);
        cl_int code = CL_SUCCESS;
        size_t pitch = 0;
        between = host.data();
        if (memory == Between::Shared) between = shared;
        if (memory == Between::MappedBuffer)
            between =
                clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_WRITE, 0, kBytes, 0, nullptr, nullptr, &code);
        if (memory == Between::MappedImage)
            between = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, kOrigin, kTexels, &pitch,
                                        nullptr, 0, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        if (shared) std::fill_n(shared, kItems, memory == Between::Shared ? 3 : kBefore);
    }
    cl_event keep(cl_event event) {
        events.push_back(event);
        return event;
    }
    void end() {
        for (cl_command_queue each : queues) CHECK(clFinish(each) == CL_SUCCESS);
        for (cl_event event : events) CHECK(clReleaseEvent(event) == CL_SUCCESS);
        events.clear();
        if (!mapped) return;
        CHECK(clEnqueueUnmapMemObject(queue, mapped, between, 0, nullptr, nullptr) == CL_SUCCESS);
        mapped = nullptr;
    }

    cl_program program;
    cl_kernel slow, copy, nothing;
    cl_mem a, b, c, other, image, on_shared = nullptr;
    bool shares = false;
    cl_int* shared = nullptr;
    std::vector<cl_int> host = {};
    void* between = nullptr;
    cl_mem mapped = nullptr;  ///< the producer mapped it
    std::vector<cl_event> events = {};
};

// ---- Producers ----

struct Producer {
    const char* name;
    bool is_shared;               ///< the kernel writes shared memory
    std::optional<Between> into;  ///< only into this memory
    std::function<cl_int(Order&, const Place&, cl_event*)> enqueue;
};

const std::vector<Producer>& producers() {
    static const std::vector<Producer> all = {
        {"read a buffer",
         false,
         {},
         [](Order& f, const Place& at, cl_event* event) {
             return clEnqueueReadBuffer(at.queue, f.a, CL_FALSE, 0, kBytes, f.between, at.count(), at.list(),
                                        event);
         }},
        {"read a rectangle",
         false,
         {},
         [](Order& f, const Place& at, cl_event* event) {
             return clEnqueueReadBufferRect(at.queue, f.a, CL_FALSE, kOrigin, kOrigin, kRect, 0, 0, 0, 0,
                                            f.between, at.count(), at.list(), event);
         }},
        {"map a buffer", false, Between::Host,
         [](Order& f, const Place& at, cl_event* event) {
             cl_int code = 1;
             f.between = clEnqueueMapBuffer(at.queue, f.a, CL_FALSE, CL_MAP_READ, 0, kBytes, at.count(),
                                            at.list(), event, &code);
             f.mapped = f.a;
             return code;
         }},
        {"map an image", false, Between::Host,
         [](Order& f, const Place& at, cl_event* event) {
             cl_event copied = nullptr;
             cl_int code = clEnqueueCopyBufferToImage(at.queue, f.a, f.image, 0, kOrigin, kTexels, at.count(),
                                                      at.list(), &copied);
             REQUIRE(code == CL_SUCCESS);
             f.keep(copied);
             size_t pitch = 0;
             f.between = clEnqueueMapImage(at.queue, f.image, CL_FALSE, CL_MAP_READ, kOrigin, kTexels, &pitch,
                                           nullptr, 1, &copied, event, &code);
             f.mapped = f.image;
             CHECK(pitch == kSide * sizeof(cl_int));
             return code;
         }},
        {"copy to a buffer on shared memory", false, Between::Shared,
         [](Order& f, const Place& at, cl_event* event) {
             return clEnqueueCopyBuffer(at.queue, f.a, f.on_shared, 0, 0, kBytes, at.count(), at.list(),
                                        event);
         }},
        {"a kernel writes to shared memory", true, Between::Shared,
         [](Order&, const Place& at, cl_event* event) {
             return clEnqueueMarkerWithWaitList(at.queue, at.count(), at.list(), event);
         }},
        {"copy shared memory", true, Between::Host,
         [](Order& f, const Place& at, cl_event* event) {
             return clEnqueueSVMMemcpy(at.queue, CL_FALSE, f.between, f.shared, kBytes, at.count(), at.list(),
                                       event);
         }},
    };
    return all;
}

// ---- Consumers ----

struct Consumer {
    const char* name;
    Between from;  ///< only from this memory
    std::function<cl_int(Order&, const Place&)> enqueue;
};

/// Copies a buffer to c by a kernel.
cl_int copy_by_kernel(Order& f, cl_command_queue queue, cl_mem from, cl_uint count, const cl_event* list) {
    REQUIRE(set(f.copy, 0, f.c) == CL_SUCCESS);
    REQUIRE(set(f.copy, 1, from) == CL_SUCCESS);
    return clEnqueueNDRangeKernel(queue, f.copy, 1, nullptr, &kItems, nullptr, count, list, nullptr);
}

const std::vector<Consumer>& consumers() {
    static const std::vector<Consumer> all = {
        {"write a buffer", Between::Any,
         [](Order& f, const Place& at) {
             return clEnqueueWriteBuffer(at.queue, f.c, CL_FALSE, 0, kBytes, f.between, at.count(), at.list(),
                                         nullptr);
         }},
        {"write a rectangle", Between::Any,
         [](Order& f, const Place& at) {
             return clEnqueueWriteBufferRect(at.queue, f.c, CL_FALSE, kOrigin, kOrigin, kRect, 0, 0, 0, 0,
                                             f.between, at.count(), at.list(), nullptr);
         }},
        {"write a buffer, and wait", Between::Any,
         [](Order& f, const Place& at) {
             return clEnqueueWriteBuffer(at.queue, f.c, CL_TRUE, 0, kBytes, f.between, at.count(), at.list(),
                                         nullptr);
         }},
        {"copy to shared memory, and write that", Between::Host,
         [](Order& f, const Place& at) {
             cl_event copied = nullptr;
             if (!f.shares)
                 return clEnqueueWriteBuffer(at.queue, f.c, CL_FALSE, 0, kBytes, f.between, at.count(),
                                             at.list(), nullptr);
             REQUIRE(clEnqueueSVMMemcpy(at.queue, CL_FALSE, f.shared, f.between, kBytes, at.count(),
                                        at.list(), &copied) == CL_SUCCESS);
             f.keep(copied);
             return clEnqueueWriteBufferRect(at.queue, f.c, CL_FALSE, kOrigin, kOrigin, kRect, 0, 0, 0, 0,
                                             f.shared, 1, &copied, nullptr);
         }},
        {"a kernel reads shared memory", Between::Shared,
         [](Order& f, const Place& at) {
             REQUIRE(set(f.copy, 0, f.c) == CL_SUCCESS);
             REQUIRE(clSetKernelArgSVMPointer(f.copy, 1, f.shared) == CL_SUCCESS);
             return clEnqueueNDRangeKernel(at.queue, f.copy, 1, nullptr, &kItems, nullptr, at.count(),
                                           at.list(), nullptr);
         }},
        {"copy a buffer on shared memory", Between::Shared,
         [](Order& f, const Place& at) {
             return clEnqueueCopyBuffer(at.queue, f.on_shared, f.c, 0, 0, kBytes, at.count(), at.list(),
                                        nullptr);
         }},
        {"unmap a buffer", Between::MappedBuffer,
         [](Order& f, const Place& at) {
             cl_event unmapped = nullptr;
             REQUIRE(clEnqueueUnmapMemObject(at.queue, f.b, f.between, at.count(), at.list(), &unmapped) ==
                     CL_SUCCESS);
             f.keep(unmapped);
             return copy_by_kernel(f, at.queue, f.b, 1, &unmapped);
         }},
        {"unmap an image", Between::MappedImage,
         [](Order& f, const Place& at) {
             cl_event unmapped = nullptr;
             REQUIRE(clEnqueueUnmapMemObject(at.queue, f.image, f.between, at.count(), at.list(),
                                             &unmapped) == CL_SUCCESS);
             f.keep(unmapped);
             return clEnqueueCopyImageToBuffer(at.queue, f.image, f.c, kOrigin, kTexels, 0, 1, &unmapped,
                                               nullptr);
         }},
    };
    return all;
}

// ---- Links ----

using Produce = std::function<void(cl_event*)>;
/// Enqueues the producer, then what lies between. Returns where the consumer goes.
struct Link {
    const char* name;
    bool is_out_of_order;
    std::function<Place(Order&, cl_command_queue first, cl_command_queue second, const Produce&)> enqueue;
};

cl_event produced(Order& f, const Produce& produce) {
    cl_event event = nullptr;
    produce(&event);
    return f.keep(event);
}
cl_event marked(Order& f, cl_command_queue queue, const std::vector<cl_event>& after = {}) {
    cl_event event = nullptr;
    REQUIRE(clEnqueueMarkerWithWaitList(queue, static_cast<cl_uint>(after.size()),
                                        after.empty() ? nullptr : after.data(), &event) == CL_SUCCESS);
    return f.keep(event);
}
cl_event ran(Order& f, cl_command_queue queue, cl_event after) {
    cl_event event = nullptr;
    const size_t one = 1;
    REQUIRE(clEnqueueNDRangeKernel(queue, f.nothing, 1, nullptr, &one, nullptr, 1, &after, &event) ==
            CL_SUCCESS);
    return f.keep(event);
}

const std::vector<Link>& links() {
    using Queue = cl_command_queue;
    static const std::vector<Link> all = {
        {"one queue", false,
         [](Order&, Queue first, Queue, const Produce& produce) {
             produce(nullptr);
             return Place{first};
         }},
        {"the event", false,
         [](Order& f, Queue, Queue second, const Produce& produce) {
             return Place{second, {produced(f, produce)}};
         }},
        {"a marker of the first queue", false,
         [](Order& f, Queue first, Queue second, const Produce& produce) {
             produce(nullptr);
             return Place{second, {marked(f, first)}};
         }},
        {"a chain of markers of three queues", false,
         [](Order& f, Queue first, Queue second, const Produce& produce) {
             produce(nullptr);
             const cl_event begin = marked(f, first);
             return Place{second, {marked(f, f.queue, {marked(f, second, {begin})})}};
         }},
        {"a barrier of the second queue, without event", false,
         [](Order& f, Queue, Queue second, const Produce& produce) {
             const cl_event event = produced(f, produce);
             REQUIRE(clEnqueueBarrierWithWaitList(second, 1, &event, nullptr) == CL_SUCCESS);
             return Place{second};
         }},
        {"a marker of the second queue, without event", false,
         [](Order& f, Queue, Queue second, const Produce& produce) {
             const cl_event event = produced(f, produce);
             REQUIRE(clEnqueueMarkerWithWaitList(second, 1, &event, nullptr) == CL_SUCCESS);
             return Place{second};
         }},
        {"a kernel of the second queue", false,
         [](Order& f, Queue, Queue second, const Produce& produce) {
             ran(f, second, produced(f, produce));
             return Place{second};
         }},
        {"a user event", false,
         [](Order& f, Queue, Queue second, const Produce& produce) {
             cl_int code = 1;
             const cl_event user = f.keep(clCreateUserEvent(f.context, &code));
             REQUIRE(code == CL_SUCCESS);
             const cl_event event = produced(f, produce);
             const cl_event both = marked(f, second, {user, event});
             REQUIRE(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
             return Place{second, {both}};
         }},
        {"a semaphore", false,
         [](Order& f, Queue first, Queue second, const Produce& produce) {
             const OwnSemaphore semaphore(f.context);
             produce(nullptr);
             REQUIRE(semaphore.signal_in(first) == CL_SUCCESS);
             REQUIRE(semaphore.wait_in(second) == CL_SUCCESS);
             return Place{second};
         }},
        {"a command-buffer", false,
         [](Order& f, Queue, Queue second, const Produce& produce) {
             const OwnCommandBuffer buffer(second);
             buffer.fill(f.other, 1, kBytes);
             buffer.finish_recording();
             REQUIRE(buffer.replay(nullptr, nullptr, {produced(f, produce)}) == CL_SUCCESS);
             return Place{second};
         }},
        {"a barrier out of order", true,
         [](Order&, Queue first, Queue, const Produce& produce) {
             produce(nullptr);
             REQUIRE(clEnqueueBarrierWithWaitList(first, 0, nullptr, nullptr) == CL_SUCCESS);
             return Place{first};
         }},
        {"a barrier out of order that waits for the event", true,
         [](Order& f, Queue first, Queue, const Produce& produce) {
             const cl_event event = produced(f, produce);
             REQUIRE(clEnqueueBarrierWithWaitList(first, 1, &event, nullptr) == CL_SUCCESS);
             return Place{first};
         }},
        {"two barriers out of order, and a kernel", true,
         [](Order& f, Queue first, Queue, const Produce& produce) {
             produce(nullptr);
             REQUIRE(clEnqueueBarrierWithWaitList(first, 0, nullptr, nullptr) == CL_SUCCESS);
             REQUIRE(clEnqueueBarrierWithWaitList(first, 0, nullptr, nullptr) == CL_SUCCESS);
             REQUIRE(run(first, f.nothing, 1) == CL_SUCCESS);
             return Place{first};
         }},
        {"a marker out of order", true,
         [](Order& f, Queue first, Queue second, const Produce& produce) {
             produce(nullptr);
             return Place{second, {marked(f, first)}};
         }},
        {"a kernel out of order", true,
         [](Order& f, Queue first, Queue, const Produce& produce) {
             return Place{first, {ran(f, first, produced(f, produce))}};
         }},
        {"a kernel after a barrier out of order", true,
         [](Order& f, Queue first, Queue second, const Produce& produce) {
             produce(nullptr);
             REQUIRE(clEnqueueBarrierWithWaitList(first, 0, nullptr, nullptr) == CL_SUCCESS);
             cl_event event = nullptr;
             REQUIRE(run(first, f.nothing, 1, &event) == CL_SUCCESS);
             return Place{second, {f.keep(event)}};
         }},
        {"a kernel of another queue, without event, and a barrier out of order", true,
         [](Order& f, Queue, Queue second, const Produce& produce) {
             const cl_event event = produced(f, produce);
             const size_t one = 1;
             REQUIRE(clEnqueueNDRangeKernel(second, f.nothing, 1, nullptr, &one, nullptr, 1, &event,
                                            nullptr) == CL_SUCCESS);
             REQUIRE(clEnqueueBarrierWithWaitList(second, 0, nullptr, nullptr) == CL_SUCCESS);
             return Place{second};
         }},
    };
    return all;
}

/// Where the bytes of the producer go so that the consumer finds them; none if the two do not go together.
std::optional<Between> memory_of(const Order& f, const Producer& producer, const Consumer& consumer) {
    if (!f.shares &&
        (producer.is_shared || producer.into == Between::Shared || consumer.from == Between::Shared))
        return std::nullopt;
    if (consumer.from == Between::Any) return producer.into.value_or(Between::Host);
    if (producer.into && *producer.into != consumer.from) return std::nullopt;
    // Both would use the shared memory.
    if (producer.is_shared && consumer.from == Between::Host) return std::nullopt;
    return consumer.from;
}

void check_order(Order& f, const Producer& producer, const Consumer& consumer, const Link& link) {
    const std::optional<Between> memory = memory_of(f, producer, consumer);
    if (!memory) return;
    CAPTURE(std::string(producer.name));
    CAPTURE(std::string(link.name));
    CAPTURE(std::string(consumer.name));
    f.prepare(*memory);
    if (producer.is_shared) std::fill_n(f.shared, kItems, kBefore);
    const cl_command_queue_properties order =
        link.is_out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    const cl_command_queue first = f.make_queue(order), second = f.make_queue(order);
    const Produce produce = [&](cl_event* event) {
        if (producer.is_shared)
            REQUIRE(clSetKernelArgSVMPointer(f.slow, 0, f.shared) == CL_SUCCESS);
        else
            REQUIRE(set(f.slow, 0, f.a) == CL_SUCCESS);
        cl_event ran = nullptr;
        REQUIRE(run(first, f.slow, kItems, link.is_out_of_order ? &ran : nullptr) == CL_SUCCESS);
        Place at{first};
        if (ran) at.after = {f.keep(ran)};
        REQUIRE(producer.enqueue(f, at, event) == CL_SUCCESS);
    };
    REQUIRE(consumer.enqueue(f, link.enqueue(f, first, second, produce)) == CL_SUCCESS);
    f.end();
    for (cl_command_queue made : {first, second}) REQUIRE(clReleaseCommandQueue(made) == CL_SUCCESS);
    f.queues.resize(f.queues.size() - 2);
    CHECK(f.read<cl_int>(f.c, kItems) == std::vector<cl_int>(kItems, expected()));
}

}  // namespace

TEST_CASE(
    "3.2.1 what the host reads and writes is in the order of commands, however they depend on each other") {
    Order f;
    for (const Producer& producer : producers())
        for (const Consumer& consumer : consumers())
            for (const Link& link : links()) check_order(f, producer, consumer, link);
}

TEST_CASE("3.2.1 a command that fails does not hide the host's work before it") {
    Order f;
    f.prepare(Between::Host);
    const cl_command_queue second = f.make_queue(0);
    cl_int code = 1;
    const cl_event user = f.keep(clCreateUserEvent(f.context, &code));
    REQUIRE(code == CL_SUCCESS);
    std::vector<cl_int> unread(kItems);
    const cl_event failing = f.keep([&] {
        cl_event event = nullptr;
        REQUIRE(clEnqueueReadBuffer(second, f.other, CL_FALSE, 0, kBytes, unread.data(), 1, &user, &event) ==
                CL_SUCCESS);
        return event;
    }());
    REQUIRE(set(f.slow, 0, f.a) == CL_SUCCESS);
    REQUIRE(run(f.queue, f.slow, kItems) == CL_SUCCESS);
    REQUIRE(clEnqueueReadBuffer(f.queue, f.a, CL_FALSE, 0, kBytes, f.between, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    REQUIRE(clEnqueueMarkerWithWaitList(f.queue, 1, &failing, nullptr) == CL_SUCCESS);
    REQUIRE(clSetUserEventStatus(user, -1) == CL_SUCCESS);
    REQUIRE(clEnqueueWriteBuffer(f.queue, f.c, CL_FALSE, 0, kBytes, f.between, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    f.end();
    CHECK(f.read<cl_int>(f.c, kItems) == std::vector<cl_int>(kItems, expected()));
}

}  // namespace caldera::driver_test
