// SPDX-License-Identifier: Apache-2.0
// cl_arm_printf: a function of the program gets what kernels print, from a buffer of the program's size.
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include "tests/driver/captured.h"
#include "tests/driver/command_buffers.h"

using namespace caldera::driver_test;

namespace {

using Properties = std::vector<cl_context_properties>;
using TextFunction = void(CL_CALLBACK*)(const char*, size_t, size_t, void*);

/// What the function was given. Threads of the driver give, too.
struct Printed {
    static void CL_CALLBACK take(const char* text, size_t size, size_t complete, void* user_data) {
        auto& self = *static_cast<Printed*>(user_data);
        {
            const std::lock_guard lock(self.mutex_);
            self.text_.append(text, size);
            self.pieces_.push_back({size, complete != 0});
        }
        if (self.then) self.then();
    }
    struct Piece {
        size_t size = 0;
        bool is_last = false;
        bool operator==(const Piece&) const = default;
    };
    std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }
    std::vector<Piece> pieces() const {
        const std::lock_guard lock(mutex_);
        return pieces_;
    }

    std::function<void()> then =
        {};  ///< called each time. It may not check: doctest's macros are for one thread

 private:
    mutable std::mutex mutex_ = {};
    std::string text_ = {};
    std::vector<Piece> pieces_ = {};
};

cl_context_properties number_of(TextFunction function) {
    return reinterpret_cast<cl_context_properties>(function);
}

struct PrintingFixture : Objects {
    explicit PrintingFixture(cl_command_queue_properties queue_properties = 0, size_t buffer_bytes = 0)
        : properties({CL_PRINTF_CALLBACK_ARM, number_of(Printed::take)}) {
        if (buffer_bytes != 0) {
            properties.push_back(CL_PRINTF_BUFFERSIZE_ARM);
            properties.push_back(static_cast<cl_context_properties>(buffer_bytes));
        }
        properties.push_back(0);
        cl_int code = 1;
        context = clCreateContext(properties.data(), 1, &the_device, nullptr, &printed, &code);
        REQUIRE(code == CL_SUCCESS);
        queue = make_queue(the_device, queue_properties);
    }
    cl_kernel built(const char* text, const char* name = "test", const char* options = "") {
        cl_program program = source(text);
        REQUIRE(clBuildProgram(program, 1, &the_device, options, nullptr, nullptr) == CL_SUCCESS);
        return make_kernel(program, name);
    }
    cl_kernel numbering(cl_int number) {
        cl_kernel kernel = built("kernel void test(int n) { printf(\"kernel %d\\n\", n); }");
        REQUIRE(set(kernel, 0, number) == CL_SUCCESS);
        return kernel;
    }

    Printed printed;
    cl_device_id the_device = device();
    Properties properties;
    cl_command_queue queue = nullptr;
};

/// Waits for what another thread does: processes of others may keep it from running for long.
bool becomes(const std::function<bool()>& holds_now) {
    for (int i = 0; i < 60000 && !holds_now(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return holds_now();
}

/// "kernel 0", "kernel 1" and so on.
std::string numbered(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "kernel " + std::to_string(i) + "\n";
    return text;
}

}  // namespace

TEST_CASE("cl_arm_printf: the text comes in pieces, in order, before the command is complete") {
    for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        CAPTURE(properties);
        PrintingFixture f(properties);
        cl_kernel kernel = f.built(R"(
            kernel void test(int lines) {
                for (int i = 0; i < lines; ++i) printf("%031d\n", i);
                printf("");
            })");
        Captured captured;
        const auto print = [&](cl_int lines, cl_event* event) {
            CHECK(set(kernel, 0, lines) == CL_SUCCESS);
            CHECK(run(f.queue, kernel, 1, event) == CL_SUCCESS);
        };
        cl_event event = nullptr;
        print(5000, &event);
        CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
        const std::string text = f.printed.text();
        REQUIRE(text.size() == 5000 * 32);
        bool is_whole = true;
        for (size_t i = 0; i < 5000; ++i)
            is_whole &= std::stoul(text.substr(32 * i, 31)) == i && text[32 * i + 31] == '\n';
        CHECK(is_whole);
        std::vector<Printed::Piece> pieces = f.printed.pieces();
        REQUIRE(pieces.size() > 1);
        for (const Printed::Piece& piece : pieces) CHECK(piece.is_last == (&piece == &pieces.back()));

        // each dispatch has a last piece, and none that is empty
        const size_t before = pieces.size();
        for (int i = 0; i < 3; ++i) print(i, nullptr);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        pieces = f.printed.pieces();
        pieces.erase(pieces.begin(), pieces.begin() + static_cast<ptrdiff_t>(before));
        CHECK(pieces == std::vector<Printed::Piece>{{32, true}, {64, true}});
        CHECK(captured.stop() == 0);
    }
}

TEST_CASE("cl_arm_printf: calls that wait for later commands, and nobody at all") {
    PrintingFixture f;
    cl_kernel kernel = f.numbering(0);
    cl_mem buffer = f.make_buffer(4);
    cl_int word = 0;
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(f.queue, buffer, CL_TRUE, 0, 4, &word, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(f.printed.text() == numbered(1));

    // another queue has waited
    cl_command_queue other = f.make_queue(f.the_device, 0);
    cl_event event = nullptr;
    CHECK(set(kernel, 0, cl_int{1}) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1, &event) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, 4, &word, 1, &event, nullptr) == CL_SUCCESS);
    CHECK(f.printed.text() == numbered(2));
    CHECK(clReleaseEvent(event) == CL_SUCCESS);

    CHECK(set(kernel, 0, cl_int{2}) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    CHECK(becomes([&] { return f.printed.text() == numbered(3); }));

    // the queue is released first
    CHECK(set(kernel, 0, cl_int{3}) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1) == CL_SUCCESS);
    CHECK(clReleaseCommandQueue(f.queue) == CL_SUCCESS);
    std::erase(f.queues, f.queue);
    CHECK(becomes([&] { return f.printed.text() == numbered(4); }));

    // a command that waits for the program
    cl_event user = clCreateUserEvent(f.context, nullptr);
    const size_t one = 1;
    CHECK(set(kernel, 0, cl_int{4}) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(other, kernel, 1, nullptr, &one, nullptr, 1, &user, nullptr) == CL_SUCCESS);
    CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(clFinish(other) == CL_SUCCESS);
    CHECK(f.printed.text() == numbered(5));
    CHECK(clReleaseEvent(user) == CL_SUCCESS);
}

TEST_CASE("cl_arm_printf: the function is called before the functions of the event") {
    PrintingFixture f;
    struct Seen {
        const Printed* printed = nullptr;
        std::string text = {};
        std::atomic<bool> is_over = false;
    } seen{.printed = &f.printed};
    f.printed.then = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    cl_event event = nullptr;
    CHECK(run(f.queue, f.numbering(0), 1, &event) == CL_SUCCESS);
    const auto look = [](cl_event, cl_int, void* user_data) {
        Seen& self = *static_cast<Seen*>(user_data);
        self.text = self.printed->text();
        self.is_over = true;
    };
    CHECK(clSetEventCallback(event, CL_COMPLETE, look, &seen) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    CHECK(becomes([&] { return seen.is_over.load(); }));
    CHECK(seen.text == numbered(1));
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("cl_arm_printf: kernels of command-buffers, and those that others enqueue") {
    PrintingFixture f;
    {
        cl_kernel first = f.numbering(0), second = f.numbering(1);
        const OwnCommandBuffer commands(f.queue);
        commands.run(first, 1);
        commands.run(second, 1);
        commands.finish_recording();
        for (int i = 0; i < 2; ++i) CHECK(commands.replay() == CL_SUCCESS);
        CHECK(commands.replay(f.make_queue(f.the_device, 0)) == CL_SUCCESS);
        for (cl_command_queue queue : f.queues) CHECK(clFinish(queue) == CL_SUCCESS);
        CHECK(f.printed.text() == numbered(2) + numbered(2) + numbered(2));
    }
    if (!has_device_enqueue()) return;
    PrintingFixture g;
    g.make_queue(g.the_device, kDefaultOnDevice);
    // the first kernel does not print itself, and nobody waits for it
    cl_kernel parent = g.built(R"(
        kernel void test() {
            enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                           ^{ printf("a block\n"); });
        })",
                               "test", "-cl-std=CL2.0");
    CHECK(run(g.queue, parent, 1) == CL_SUCCESS);
    CHECK(becomes([&] { return g.printed.text() == "a block\n"; }));
    CHECK(run(g.queue, parent, 1) == CL_SUCCESS);
    CHECK(clFinish(g.queue) == CL_SUCCESS);
    CHECK(g.printed.text() == "a block\na block\n");
}

TEST_CASE("cl_arm_printf: the buffer has the size that the program wants") {
    constexpr const char* kCounting = R"(
        kernel void test(global int *lost) { if (printf("%07d\n", (int)get_global_id(0)) < 0) atomic_inc(lost); })";
    const auto fits = [&](size_t buffer_bytes, size_t items) {
        PrintingFixture f(0, buffer_bytes);
        cl_kernel kernel = f.built(kCounting);
        cl_int zero = 0, lost = 0;
        cl_mem count = f.make_buffer(4, &zero);
        CHECK(set(kernel, 0, count) == CL_SUCCESS);
        CHECK(run(f.queue, kernel, items) == CL_SUCCESS);
        CHECK(clEnqueueReadBuffer(f.queue, count, CL_TRUE, 0, 4, &lost, 0, nullptr, nullptr) == CL_SUCCESS);
        const size_t printed = items - static_cast<size_t>(lost);
        CHECK(f.printed.text().size() == printed * 8);
        return printed;
    };
    // A call takes two words, and the buffer begins with one.
    CHECK(fits(256, 64) == 31);
    CHECK(fits(253, 64) == 31);
    CHECK(fits(252, 64) == 31);
    CHECK(fits(251, 64) == 31);
    CHECK(fits(248, 64) == 30);
    CHECK(fits(12, 64) == 1);
    CHECK(fits(1, 64) == 0);
    CHECK(fits(0, 1 << 17) == (1 << 17) - 1);  // the default: 1 MiB
    CHECK(fits(4 << 20, 1 << 18) == 1 << 18);
    const PrintingFixture f(0, ~size_t{0});  // as large as a queue can have it
}

TEST_CASE("cl_arm_printf: the function may call OpenCL") {
    PrintingFixture f;
    cl_kernel kernel = f.numbering(1);
    cl_command_queue released = f.make_queue(f.the_device, 0);
    std::erase(f.queues, released);
    cl_event user = clCreateUserEvent(f.context, nullptr), after = nullptr;
    cl_command_queue waiting = f.make_queue(f.the_device, 0);
    CHECK(clEnqueueMarkerWithWaitList(waiting, 1, &user, &after) == CL_SUCCESS);
    std::atomic<int> calls = 0, failures = 0;
    f.printed.then = [&] {
        const auto must = [&](cl_int code) { failures += code != CL_SUCCESS; };
        const int turn = calls++;
        cl_uint references = 0;
        must(
            clGetContextInfo(f.context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr));
        cl_int code = 1;
        cl_mem made = clCreateBuffer(f.context, 0, 16, nullptr, &code);
        must(code);
        must(clReleaseMemObject(made));
        if (turn == 0) {
            must(run(f.queue, kernel, 1));  // in the queue whose text this is
            must(clFlush(f.queue));
            must(clReleaseCommandQueue(released));
            must(clSetUserEventStatus(user, CL_COMPLETE));
        }
    };
    // The queue's last reference goes while its text is given.
    cl_kernel first = f.numbering(0);
    CHECK(run(released, first, 1) == CL_SUCCESS);
    CHECK(clFlush(released) == CL_SUCCESS);
    CHECK(becomes([&] { return calls == 2; }));
    CHECK(clWaitForEvents(1, &after) == CL_SUCCESS);
    for (cl_command_queue queue : f.queues) CHECK(clFinish(queue) == CL_SUCCESS);
    CHECK(failures == 0);
    CHECK(f.printed.text() == numbered(2));
    CHECK(clReleaseEvent(after) == CL_SUCCESS);
    CHECK(clReleaseEvent(user) == CL_SUCCESS);
}

TEST_CASE("cl_arm_printf: other calls go on while the function runs") {
    PrintingFixture f;
    std::atomic<bool> runs = false, may_end = false;
    f.printed.then = [&] {
        runs = true;
        becomes([&] { return may_end.load(); });
    };
    cl_event event = nullptr;
    cl_kernel kernel = f.numbering(0);
    cl_kernel other_kernel = f.built("kernel void test(global int *p) { *p = 42; }");
    cl_mem buffer = f.make_buffer(4);
    CHECK(set(other_kernel, 0, buffer) == CL_SUCCESS);
    CHECK(run(f.queue, kernel, 1, &event) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    CHECK(becomes([&] { return runs.load(); }));
    CHECK(status(event) > CL_COMPLETE);
    cl_command_queue other = f.make_queue(f.the_device, 0);
    cl_int word = 0;
    CHECK(run(f.queue, other_kernel, 1) == CL_SUCCESS);
    CHECK(run(other, other_kernel, 1) == CL_SUCCESS);
    CHECK(clFlush(f.queue) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, 4, &word, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(word == 42);
    may_end = true;
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    CHECK(status(event) == CL_COMPLETE);
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

TEST_CASE("cl_arm_printf: several queues and threads") {
    PrintingFixture f;
    constexpr int kQueues = 4, kLaunches = 40;
    cl_program program = f.source("kernel void test(int queue, int n) { printf(\"%d:%d\\n\", queue, n); }");
    REQUIRE(clBuildProgram(program, 1, &f.the_device, "", nullptr, nullptr) == CL_SUCCESS);
    std::atomic<int> failures = 0;
    std::vector<std::thread> threads;
    for (int q = 0; q < kQueues; ++q) {
        cl_command_queue queue = f.make_queue(f.the_device, 0);
        cl_kernel kernel = f.make_kernel(program, "test");
        threads.emplace_back([&failures, q, queue, kernel] {
            for (int n = 0; n < kLaunches; ++n) {
                failures += set(kernel, 0, q) != CL_SUCCESS;
                failures += set(kernel, 1, n) != CL_SUCCESS;
                failures += run(queue, kernel, 1) != CL_SUCCESS;
                if (n % 7 == 6) failures += clFlush(queue) != CL_SUCCESS;
                if (n % 13 == 12) failures += clFinish(queue) != CL_SUCCESS;
            }
            failures += clFinish(queue) != CL_SUCCESS;
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(failures == 0);
    std::array<std::string, kQueues> texts;
    const std::string all = f.printed.text();
    for (size_t at = 0; at < all.size();) {
        const size_t colon = all.find(':', at), end = all.find('\n', at);
        const auto queue = static_cast<size_t>(std::stoul(all.substr(at, colon - at)));
        REQUIRE(queue < texts.size());
        texts[queue] += all.substr(colon + 1, end - colon);
        at = end + 1;
    }
    std::string wanted;
    for (int n = 0; n < kLaunches; ++n) wanted += std::to_string(n) + "\n";
    for (const std::string& text : texts) CHECK(text == wanted);
}

TEST_CASE("cl_arm_printf: the context's properties") {
    PrintingFixture f(0, 4096);
    Properties told(f.properties.size());
    size_t size = 0;
    CHECK(clGetContextInfo(f.context, CL_CONTEXT_PROPERTIES, told.size() * sizeof told[0], told.data(),
                           &size) == CL_SUCCESS);
    CHECK(size == told.size() * sizeof told[0]);
    CHECK(told == f.properties);

    const auto code_of = [&](Properties properties, void* user_data = nullptr) {
        const auto platform_number = reinterpret_cast<cl_context_properties>(platform());
        properties.insert(properties.end(), {CL_CONTEXT_PLATFORM, platform_number, 0});
        cl_int code = 1, from_type = 1;
        cl_context made = clCreateContext(properties.data(), 1, &f.the_device, nullptr, user_data, &code);
        if (made) CHECK(clReleaseContext(made) == CL_SUCCESS);
        made = clCreateContextFromType(properties.data(), CL_DEVICE_TYPE_ALL, nullptr, user_data, &from_type);
        if (made) CHECK(clReleaseContext(made) == CL_SUCCESS);
        CHECK(from_type == code);
        return code;
    };
    constexpr cl_context_properties kFunction = CL_PRINTF_CALLBACK_ARM, kBytes = CL_PRINTF_BUFFERSIZE_ARM;
    const cl_context_properties take = number_of(Printed::take);
    CHECK(code_of({kBytes, 256, kFunction, take}) == CL_SUCCESS);
    CHECK(code_of({kFunction, take}, &f.printed) == CL_SUCCESS);
    CHECK(code_of({kBytes, 256}) == CL_SUCCESS);
    CHECK(code_of({kBytes, 0}) == CL_INVALID_PROPERTY);
    CHECK(code_of({kBytes, 256, kBytes, 256}) == CL_INVALID_PROPERTY);
    CHECK(code_of({kFunction, take, kFunction, take}) == CL_INVALID_PROPERTY);
    CHECK(code_of({0x40B2, 256}) == CL_INVALID_PROPERTY);
    // user_data that no function gets
    CHECK(code_of({}, &f.printed) == CL_INVALID_VALUE);
    CHECK(code_of({kFunction, 0}, &f.printed) == CL_INVALID_VALUE);
}

TEST_CASE("cl_arm_printf: without a function the text goes to stdout") {
    const cl_device_id the_device = device();
    for (const Properties& properties :
         {Properties{CL_PRINTF_CALLBACK_ARM, 0, 0}, Properties{CL_PRINTF_BUFFERSIZE_ARM, 256, 0}}) {
        Objects objects;
        cl_int code = 1;
        objects.context = clCreateContext(properties.data(), 1, &the_device, nullptr, nullptr, &code);
        REQUIRE(code == CL_SUCCESS);
        cl_command_queue queue = objects.make_queue(the_device, 0);
        cl_program program = objects.source("kernel void test() { printf(\"%d\\n\", 42); }");
        REQUIRE(clBuildProgram(program, 1, &the_device, "", nullptr, nullptr) == CL_SUCCESS);
        cl_kernel kernel = objects.make_kernel(program, "test");
        Captured captured;
        CHECK(run(queue, kernel, 1) == CL_SUCCESS);
        CHECK(clFinish(queue) == CL_SUCCESS);
        CHECK(captured.stop() == 3);
    }
}
