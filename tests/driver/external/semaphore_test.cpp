// SPDX-License-Identifier: Apache-2.0
// cl_khr_external_semaphore: semaphores of a Vulkan program.
#include <memory>

#include "tests/driver/command_buffers.h"
#include "tests/driver/external/external.h"

namespace caldera::driver_test {
namespace {

using HandleType = Handle<VkExternalSemaphoreHandleTypeFlagBits>;
constexpr cl_semaphore_properties_khr kNoFile = static_cast<cl_semaphore_properties_khr>(-1);

std::vector<cl_semaphore_properties_khr> exporting(cl_uint type) {
    return {CL_SEMAPHORE_TYPE_KHR,
            CL_SEMAPHORE_TYPE_BINARY_KHR,
            CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
            type,
            CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR,
            0};
}
std::vector<cl_semaphore_properties_khr> importing(cl_uint type, cl_semaphore_properties_khr descriptor) {
    return {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, type, descriptor, 0};
}
clGetSemaphoreHandleForTypeKHR_fn get_handle() {
    return extension_function<clGetSemaphoreHandleForTypeKHR_fn>("clGetSemaphoreHandleForTypeKHR");
}
clReImportSemaphoreSyncFdKHR_fn reimport() {
    return extension_function<clReImportSemaphoreSyncFdKHR_fn>("clReImportSemaphoreSyncFdKHR");
}
int exported(const Fixture& f, const OwnSemaphore& semaphore, cl_uint type) {
    int descriptor = -2;
    size_t size = 0;
    REQUIRE(get_handle()(semaphore.handle, f.the_device, type, sizeof descriptor, &descriptor, &size) ==
            CL_SUCCESS);
    CHECK(size == sizeof descriptor);
    return descriptor;
}

/// Calls a test for each type that the device imports and exports.
template <class Test>
void for_each_type(Test&& test) {
    Fixture f;
    for (const auto& handle : kSemaphoreTypes) {
        const bool imports = lists(f, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, handle.type),
                   exports = lists(f, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, handle.type);
        CHECK((imports || exports) == has_extension(f, handle.extension));
        if (!imports || !exports) continue;
        INFO(handle.extension);
        test(f, handle);
    }
}

/// A pair of semaphores between the two sides.
struct Between {
    Between(Fixture& fixture, VulkanPeer& its_peer, const HandleType& its_handle)
        : f(fixture),
          peer(its_peer),
          handle(its_handle),
          is_file(handle.type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR) {
        ours_in_vulkan = peer.make_semaphore(0);
        theirs_in_vulkan = peer.make_semaphore(handle.bit);
        ours = std::make_unique<OwnSemaphore>(f.context, exporting(handle.type).data());
        const int descriptor = is_file ? -1 : peer.descriptor(theirs_in_vulkan, handle.bit);
        theirs = std::make_unique<OwnSemaphore>(
            f.context, importing(handle.type, static_cast<cl_semaphore_properties_khr>(descriptor)).data());
        CHECK((is_file || !is_open(descriptor)));
        if (!is_file) peer.import(ours_in_vulkan, handle.bit, exported(f, *ours, handle.type));
    }
    /// Vulkan's latest signal, for OpenCL.
    void take_theirs() const {
        if (is_file)
            REQUIRE(reimport()(theirs->handle, nullptr, peer.descriptor(theirs_in_vulkan, handle.bit)) ==
                    CL_SUCCESS);
    }
    /// OpenCL's latest signal, for Vulkan.
    void give_ours() const {
        if (is_file) peer.import(ours_in_vulkan, handle.bit, exported(f, *ours, handle.type));
    }

    Fixture& f;
    VulkanPeer& peer;
    const HandleType handle;
    const bool is_file;
    std::unique_ptr<OwnSemaphore> ours = {}, theirs = {};
    VkSemaphore ours_in_vulkan = VK_NULL_HANDLE, theirs_in_vulkan = VK_NULL_HANDLE;
};

}  // namespace

TEST_CASE("semaphores order Vulkan and OpenCL both ways, on one memory") {
    for_each_type([](Fixture& f, const HandleType& handle) {
        if (!lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, kMemoryTypes[0].type)) return;
        VulkanPeer peer(f.the_device);
        constexpr size_t kCount = 1024, kTurns = 12;
        const ExternalMemory external;
        const VulkanPeer::Shared shared = peer.make_buffer(4 * kCount, kMemoryTypes[0].bit);
        cl_int code = 1;
        cl_mem memory = import_buffer(
            f, {kMemoryTypes[0].type, property_of(peer.descriptor(shared, kMemoryTypes[0].bit)), 0},
            4 * kCount, code);
        REQUIRE(code == CL_SUCCESS);
        cl_mem seen = f.make_buffer(4 * kCount * kTurns);
        cl_kernel kernel = f.make_kernel(
            "kernel void note(global uint *a, global uint *seen) {"
            "  seen[get_global_id(0)] = a[get_global_id(0)];"
            "  a[get_global_id(0)] += 1000;"
            "}",
            "note");
        REQUIRE(set(kernel, 0, memory) == CL_SUCCESS);
        const Between between(f, peer, handle);
        for (cl_uint turn = 0; turn < kTurns; ++turn) {
            peer.fill(shared, turn + 1, turn == 0 ? VK_NULL_HANDLE : between.ours_in_vulkan,
                      between.theirs_in_vulkan);
            between.take_theirs();
            REQUIRE(between.theirs->wait_in(f.queue) == CL_SUCCESS);
            REQUIRE(external.acquire_in(f.queue, memory) == CL_SUCCESS);
            const cl_buffer_region region{4 * kCount * turn, 4 * kCount};
            cl_mem part = clCreateSubBuffer(seen, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
            REQUIRE(code == CL_SUCCESS);
            f.buffers.push_back(part);
            REQUIRE(set(kernel, 1, part) == CL_SUCCESS);
            REQUIRE(run(f.queue, kernel, kCount) == CL_SUCCESS);
            REQUIRE(external.release_in(f.queue, memory) == CL_SUCCESS);
            REQUIRE(between.ours->signal_in(f.queue) == CL_SUCCESS);
            between.give_ours();
        }
        const VulkanPeer::Shared end = peer.make_buffer(4 * kCount, kMemoryTypes[0].bit);
        peer.fill(end, 1, between.ours_in_vulkan, VK_NULL_HANDLE);
        peer.finish();
        CHECK(peer.read(shared, kCount) == std::vector<cl_uint>(kCount, 1000 + kTurns));
        const std::vector<cl_uint> all = f.read<cl_uint>(seen, kCount * kTurns);
        for (size_t i = 0; i < all.size(); ++i) REQUIRE(all[i] == i / kCount + 1);
    });
}

TEST_CASE("a signal goes to another context") {
    for_each_type([](Fixture& f, const HandleType& handle) {
        Fixture other;
        const OwnSemaphore from(f.context, exporting(handle.type).data());
        CHECK(info<cl_bool>(from.get_info, from.handle, CL_SEMAPHORE_EXPORTABLE_KHR) == CL_TRUE);
        CHECK(list<cl_uint>(from.get_info, from.handle, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR) ==
              std::vector<cl_uint>{handle.type});
        cl_event signalled = nullptr, waited = nullptr;
        REQUIRE(from.signal_in(f.queue, &signalled) == CL_SUCCESS);
        const int descriptor = exported(f, from, handle.type);
        const OwnSemaphore to(
            other.context,
            importing(handle.type, static_cast<cl_semaphore_properties_khr>(descriptor)).data());
        CHECK((descriptor == -1 || !is_open(descriptor)));
        CHECK(info<cl_bool>(to.get_info, to.handle, CL_SEMAPHORE_EXPORTABLE_KHR) == CL_FALSE);
        CHECK(list<cl_uint>(to.get_info, to.handle, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR).empty());
        REQUIRE(to.wait_in(other.queue, &waited) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &waited) == CL_SUCCESS);
        CHECK(status(signalled) == CL_COMPLETE);
        CHECK(clReleaseEvent(signalled) == CL_SUCCESS);
        CHECK(clReleaseEvent(waited) == CL_SUCCESS);
    });
}

TEST_CASE("semaphores that can be shared work among queues, with payloads and events") {
    for_each_type([](Fixture& f, const HandleType& handle) {
        cl_command_queue other =
            f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
        const OwnSemaphore semaphore(f.context, exporting(handle.type).data());
        for (int turn = 0; turn < 10; ++turn) {
            cl_event event = nullptr;
            REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
            REQUIRE(clFinish(f.queue) == CL_SUCCESS);
            CHECK(semaphore.payload() == 1);
            REQUIRE(semaphore.wait_in(other, &event) == CL_SUCCESS);
            CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
            CHECK(semaphore.payload() == 0);
            CHECK(info<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END) > 0);
            CHECK(clReleaseEvent(event) == CL_SUCCESS);
        }
    });
}

TEST_CASE("signals and waits behind a user event do not hold the call up") {
    for_each_type([](Fixture& f, const HandleType& handle) {
        cl_command_queue other = f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        const OwnSemaphore semaphore(f.context, exporting(handle.type).data());
        cl_int code = 1;
        cl_event gate = clCreateUserEvent(f.context, &code);
        cl_event signalled = nullptr, waited = nullptr, free = nullptr;
        REQUIRE(semaphore.signal_in(f.queue, &signalled, gate) == CL_SUCCESS);
        REQUIRE(semaphore.wait_in(other, &waited) == CL_SUCCESS);
        REQUIRE(clEnqueueMarkerWithWaitList(other, 0, nullptr, nullptr) == CL_SUCCESS);
        cl_mem buffer = f.make_buffer(64);
        const cl_int one = 1;
        REQUIRE(clEnqueueFillBuffer(other, buffer, &one, 4, 0, 64, 0, nullptr, &free) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &free) == CL_SUCCESS);
        CHECK(status(signalled) > CL_COMPLETE);
        CHECK(status(waited) > CL_COMPLETE);
        REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &waited) == CL_SUCCESS);
        CHECK(semaphore.payload() == 0);
        for (cl_event event : {gate, signalled, waited, free}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
    });
}

TEST_CASE("a signal behind a user event holds no call up, and makes no sync file") {
    for_each_type([](Fixture& f, const HandleType& handle) {
        const bool is_file = handle.type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
        const auto get = get_handle();
        cl_command_queue other = f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        const OwnCommandBuffer commands({f.queue, other});
        commands.finish_recording();
        enum Way { Itself, BehindMarker, AfterMarker, BehindCommandBuffer };
        for (const Way way : {Itself, BehindMarker, AfterMarker, BehindCommandBuffer}) {
            INFO(way);
            const OwnSemaphore semaphore(f.context, exporting(handle.type).data());
            int descriptor = is_file ? -2 : exported(f, semaphore, handle.type);
            cl_int code = 1;
            cl_event gate = clCreateUserEvent(f.context, &code), before = nullptr, signalled = nullptr;
            cl_command_queue queue = way == AfterMarker ? f.queue : f.make_queue(0);
            if (way == BehindCommandBuffer)
                REQUIRE(commands.replay({f.queue, other}, &before, {gate}) == CL_SUCCESS);
            else
                REQUIRE(clEnqueueMarkerWithWaitList(f.queue, 1, &gate, &before) == CL_SUCCESS);
            const bool is_listed = way == BehindMarker || way == BehindCommandBuffer;
            REQUIRE(semaphore.signal_in(queue, &signalled,
                                        way == Itself ? gate
                                        : is_listed   ? before
                                                      : nullptr) == CL_SUCCESS);
            CHECK(status(signalled) == CL_QUEUED);
            const auto get_it = [&] {
                return get(semaphore.handle, f.the_device, handle.type, sizeof descriptor, &descriptor,
                           nullptr);
            };
            if (is_file) CHECK(get_it() == CL_INVALID_OPERATION);
            if (is_file) CHECK(get_it() == CL_INVALID_OPERATION);  // the signal is still there
            REQUIRE(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS);
            if (is_file) CHECK(get_it() == CL_SUCCESS);
            CHECK(descriptor != -2);
            // The driver takes the descriptor.
            const OwnSemaphore to(
                f.context,
                importing(handle.type, static_cast<cl_semaphore_properties_khr>(descriptor)).data());
            REQUIRE(to.wait_in(other) == CL_SUCCESS);
            CHECK(clFinish(other) == CL_SUCCESS);
            CHECK(clWaitForEvents(1, &signalled) == CL_SUCCESS);
            for (cl_event event : {gate, before, signalled}) CHECK(clReleaseEvent(event) == CL_SUCCESS);
        }
    });
}

TEST_CASE("until others have a semaphore, its wait may be enqueued before its signal") {
    for_each_type([](Fixture& f, const HandleType& handle) {
        cl_command_queue other = f.make_queue(0);
        const OwnSemaphore there(f.context, exporting(handle.type).data()),
            back(f.context, exporting(handle.type).data());
        for (int turn = 0; turn < 3; ++turn) {
            REQUIRE(there.wait_in(other) == CL_SUCCESS);
            REQUIRE(back.wait_in(f.queue) == CL_SUCCESS);
            REQUIRE(back.signal_in(other) == CL_SUCCESS);
            // The one queue waits for what the other signals behind its own wait, so a third one begins.
            REQUIRE(there.signal_in(f.make_queue(0)) == CL_SUCCESS);
            CHECK(clFinish(f.queue) == CL_SUCCESS);
            CHECK(clFinish(other) == CL_SUCCESS);
            CHECK(there.payload() == 0);
            CHECK(back.payload() == 0);
        }
    });
}

TEST_CASE("a sync file that is -1 was signalled, and a semaphore gets others") {
    Fixture f;
    constexpr cl_uint kFile = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
    if (!lists(f, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, kFile)) return;
    const OwnSemaphore semaphore(f.context, importing(kFile, kNoFile).data());
    for (int turn = 0; turn < 3; ++turn) {
        CHECK(semaphore.payload() == 1);
        REQUIRE(semaphore.wait_in(f.queue) == CL_SUCCESS);
        CHECK(clFinish(f.queue) == CL_SUCCESS);
        CHECK(semaphore.payload() == 0);
        REQUIRE(reimport()(semaphore.handle, nullptr, -1) == CL_SUCCESS);
    }
    const cl_semaphore_reimport_properties_khr none[] = {0}, some[] = {1, 1, 0};
    auto* const empty = const_cast<cl_semaphore_reimport_properties_khr*>(none);
    CHECK(reimport()(semaphore.handle, empty, -1) == CL_SUCCESS);
    CHECK(reimport()(semaphore.handle, const_cast<cl_semaphore_reimport_properties_khr*>(some), -1) ==
          CL_INVALID_VALUE);
    CHECK(reimport()(semaphore.handle, nullptr, -2) == CL_INVALID_VALUE);
    CHECK(reimport()(semaphore.handle, nullptr, 1000000) == CL_INVALID_VALUE);
    CHECK(reimport()(nullptr, nullptr, -1) == CL_INVALID_SEMAPHORE_KHR);
    const OwnSemaphore plain(f.context);
    CHECK(reimport()(plain.handle, nullptr, -1) == CL_INVALID_SEMAPHORE_KHR);
}

TEST_CASE("a wait may be enqueued before its sync file is imported, and holds up nothing else") {
    Fixture f;
    constexpr cl_uint kFile = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
    if (!lists(f, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, kFile)) return;
    const bool exports = lists(f, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, kFile);
    cl_command_queue other = f.make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event waits[4] = {};
    {
        const OwnSemaphore semaphore(f.context, importing(kFile, kNoFile).data());
        for (cl_event& wait : waits) REQUIRE(semaphore.wait_in(other, &wait) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &waits[0]) == CL_SUCCESS);  // of the file that was there
        cl_mem buffer = f.make_buffer(64);
        const cl_int one = 1;
        cl_event free = nullptr;
        for (cl_command_queue queue : {f.queue, other}) {
            REQUIRE(clEnqueueFillBuffer(queue, buffer, &one, 4, 0, 64, 0, nullptr, &free) == CL_SUCCESS);
            CHECK(clWaitForEvents(1, &free) == CL_SUCCESS);
            CHECK(clReleaseEvent(free) == CL_SUCCESS);
        }
        CHECK(status(waits[1]) == CL_QUEUED);
        CHECK(semaphore.payload() == 0);

        REQUIRE(reimport()(semaphore.handle, nullptr, -1) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &waits[1]) == CL_SUCCESS);
        CHECK(semaphore.payload() == 0);
        CHECK(status(waits[2]) == CL_QUEUED);

        int descriptor = -1;
        const OwnSemaphore from(f.context, exports ? exporting(kFile).data() : kBinary);
        if (exports) {
            REQUIRE(from.signal_in(f.queue) == CL_SUCCESS);
            descriptor = exported(f, from, kFile);
        }
        REQUIRE(reimport()(semaphore.handle, nullptr, descriptor) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &waits[2]) == CL_SUCCESS);
        CHECK(status(waits[3]) == CL_QUEUED);
    }
    // Nobody can import another one.
    CHECK(clWaitForEvents(1, &waits[3]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    for (cl_event wait : waits) CHECK(clReleaseEvent(wait) == CL_SUCCESS);
}

TEST_CASE("a command signals a semaphore that got a sync file, and a wait before it follows") {
    Fixture f;
    constexpr cl_uint kFile = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
    if (!lists(f, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, kFile)) return;
    cl_command_queue other = f.make_queue(0);
    const OwnSemaphore semaphore(f.context, importing(kFile, kNoFile).data());
    REQUIRE(semaphore.wait_in(f.queue) == CL_SUCCESS);
    CHECK(clFinish(f.queue) == CL_SUCCESS);
    for (int turn = 0; turn < 3; ++turn) {
        cl_event wait = nullptr;
        REQUIRE(semaphore.wait_in(f.queue, &wait) == CL_SUCCESS);
        CHECK(status(wait) == CL_QUEUED);
        REQUIRE(semaphore.signal_in(other) == CL_SUCCESS);
        CHECK(clWaitForEvents(1, &wait) == CL_SUCCESS);
        CHECK(clReleaseEvent(wait) == CL_SUCCESS);
        CHECK(semaphore.payload() == 0);
        // The latest file counts.
        REQUIRE(reimport()(semaphore.handle, nullptr, -1) == CL_SUCCESS);
        REQUIRE(reimport()(semaphore.handle, nullptr, -1) == CL_SUCCESS);
        CHECK(semaphore.payload() == 1);
        REQUIRE(semaphore.wait_in(other) == CL_SUCCESS);
        CHECK(clFinish(other) == CL_SUCCESS);
        CHECK(semaphore.payload() == 0);
    }
}

TEST_CASE("what is not exported or imported, and descriptors that stay the program's") {
    Fixture other;
    for_each_type([&](Fixture& f, const HandleType& handle) {
        const OwnSemaphore semaphore(f.context, exporting(handle.type).data()), plain(f.context);
        int descriptor = -2;
        size_t size = 0;
        const auto get = get_handle();
        const auto value = reinterpret_cast<void*>(&descriptor);
        CHECK(get(nullptr, f.the_device, handle.type, 4, value, &size) == CL_INVALID_SEMAPHORE_KHR);
        CHECK(get(semaphore.handle, nullptr, handle.type, 4, value, &size) == CL_INVALID_DEVICE);
        CHECK(get(semaphore.handle, f.the_device, 0x7777, 4, value, &size) == CL_INVALID_VALUE);
        CHECK(get(plain.handle, f.the_device, handle.type, 4, value, &size) == CL_INVALID_SEMAPHORE_KHR);
        CHECK(get(semaphore.handle, f.the_device, handle.type, 3, value, &size) == CL_INVALID_VALUE);
        CHECK(get(semaphore.handle, f.the_device, handle.type, 0, nullptr, &size) == CL_SUCCESS);
        CHECK(size == sizeof(int));
        // A sync file is of a signal.
        if (handle.type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR)
            CHECK(get(semaphore.handle, f.the_device, handle.type, 4, value, &size) == CL_INVALID_OPERATION);
        CHECK(descriptor == -2);

        REQUIRE(semaphore.signal_in(f.queue) == CL_SUCCESS);
        descriptor = exported(f, semaphore, handle.type);
        const auto declines = [&](cl_int expected, std::vector<cl_semaphore_properties_khr> properties) {
            cl_int code = 1;
            CHECK(semaphore.create(f.context, properties.data(), &code) == nullptr);
            CHECK(code == expected);
            CHECK((descriptor == -1 || is_open(descriptor)));
        };
        const auto file = static_cast<cl_semaphore_properties_khr>(descriptor);
        constexpr cl_semaphore_properties_khr type = CL_SEMAPHORE_TYPE_KHR,
                                              binary = CL_SEMAPHORE_TYPE_BINARY_KHR,
                                              exports = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR;
        declines(CL_INVALID_VALUE, {type, binary, exports, handle.type, handle.type, 0, 0});
        declines(CL_INVALID_PROPERTY, {type, binary, exports, 0x7777, 0, 0});
        declines(CL_INVALID_OPERATION, {type, binary, handle.type, file, exports, handle.type, 0, 0});
        declines(CL_INVALID_PROPERTY, {type, binary, handle.type, file, handle.type, file, 0});
        declines(CL_INVALID_VALUE, {handle.type, file, 0});
        declines(CL_INVALID_PROPERTY, importing(handle.type, 1000000));
        declines(CL_INVALID_PROPERTY, importing(handle.type, static_cast<cl_semaphore_properties_khr>(-2)));
        if (descriptor != -1) ::close(descriptor);
    });
}

TEST_CASE("a device without semaphores of a type declines them") {
    Fixture f;
    const Semaphores semaphores;
    for (const auto& handle : kSemaphoreTypes) {
        cl_int code = 1;
        if (!lists(f, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, handle.type)) {
            CHECK(semaphores.create(f.context, importing(handle.type, 0).data(), &code) == nullptr);
            CHECK(code == CL_INVALID_PROPERTY);
        }
        if (!lists(f, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, handle.type)) {
            CHECK(semaphores.create(f.context, exporting(handle.type).data(), &code) == nullptr);
            CHECK(code == CL_INVALID_PROPERTY);
        }
    }
    const bool has_some = !list_answer<cl_uint>(f, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR).empty() ||
                          !list_answer<cl_uint>(f, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR).empty();
    CHECK(has_some == has_extension(f, "cl_khr_external_semaphore"));
}

}  // namespace caldera::driver_test
