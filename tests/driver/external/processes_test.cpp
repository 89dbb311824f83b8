// SPDX-License-Identifier: Apache-2.0
// Two processes: one is a Vulkan program, and the other gets its memory, and semaphores where the device has
// them by reference, over a socket.
#include <sys/socket.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/driver/external/external.h"

namespace caldera::driver_test {
namespace {

constexpr size_t kCount = 1024;
constexpr auto kMemory = kMemoryTypes[0];
constexpr auto kSemaphore = kSemaphoreTypes[0];
constexpr const char* kSocketVariable = "CALDERA_TEST_SOCKET";

void send_descriptors(int socket, const std::vector<int>& descriptors) {
    char byte = 0;
    iovec data{.iov_base = &byte, .iov_len = 1};
    alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(head), descriptors.data(), descriptors.size() * sizeof(int));
    REQUIRE(::sendmsg(socket, &message, 0) == 1);
}

std::vector<int> receive_descriptors(int socket) {
    char byte = 0;
    iovec data{.iov_base = &byte, .iov_len = 1};
    alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    REQUIRE(::recvmsg(socket, &message, 0) == 1);
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    REQUIRE(head);
    std::vector<int> descriptors((head->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(descriptors.data(), CMSG_DATA(head), descriptors.size() * sizeof(int));
    return descriptors;
}

bool has_semaphores(const Fixture& f) {
    return lists(f, CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, kSemaphore.type);
}

std::vector<cl_semaphore_properties_khr> importing(int descriptor) {
    return {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, kSemaphore.type,
            static_cast<cl_semaphore_properties_khr>(descriptor), 0};
}

}  // namespace

TEST_CASE("the process that gets memory of another one") {
    const char* const socket_text = std::getenv(kSocketVariable);
    if (!socket_text) return;
    const int socket = std::atoi(socket_text);
    Fixture f;
    const ExternalMemory external;
    const std::vector<int> got = receive_descriptors(socket);
    cl_int code = 1;
    cl_mem memory = import_buffer(f, {kMemory.type, property_of(got[0]), 0}, 4 * kCount, code);
    REQUIRE(code == CL_SUCCESS);
    cl_kernel kernel = f.make_kernel("kernel void add(global uint *a) { a[get_global_id(0)] += 5; }", "add");
    REQUIRE(set(kernel, 0, memory) == CL_SUCCESS);
    const auto use = [&] {
        REQUIRE(external.acquire_in(f.queue, memory) == CL_SUCCESS);
        REQUIRE(run(f.queue, kernel, kCount) == CL_SUCCESS);
        REQUIRE(external.release_in(f.queue, memory) == CL_SUCCESS);
    };
    if (got.size() == 3) {
        const OwnSemaphore theirs(f.context, importing(got[1]).data()),
            ours(f.context, importing(got[2]).data());
        REQUIRE(theirs.wait_in(f.queue) == CL_SUCCESS);
        use();
        REQUIRE(ours.signal_in(f.queue) == CL_SUCCESS);
        REQUIRE(::write(socket, "s", 1) == 1);  // the signal is submitted
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
    } else {
        use();
        REQUIRE(clFinish(f.queue) == CL_SUCCESS);
        REQUIRE(::write(socket, "s", 1) == 1);
    }
}

TEST_CASE("two processes share memory and semaphores") {
    if (std::getenv(kSocketVariable)) return;
    Fixture f;
    if (!lists(f, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, kMemory.type)) return;
    int sockets[2] = {};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv(kSocketVariable, std::to_string(sockets[1]).c_str(), 1);
        ::execl("/proc/self/exe", "driver_external", "-tc=the process that gets memory of another one",
                static_cast<char*>(nullptr));
        ::_exit(127);
    }
    REQUIRE(child > 0);
    ::close(sockets[1]);
    VulkanPeer peer(f.the_device);
    const VulkanPeer::Shared shared = peer.make_buffer(4 * kCount, kMemory.bit);
    std::vector<int> descriptors = {peer.descriptor(shared, kMemory.bit)};
    VkSemaphore ours = VK_NULL_HANDLE, theirs = VK_NULL_HANDLE;
    if (has_semaphores(f)) {
        ours = peer.make_semaphore(kSemaphore.bit);
        theirs = peer.make_semaphore(kSemaphore.bit);
        descriptors.push_back(peer.descriptor(ours, kSemaphore.bit));
        descriptors.push_back(peer.descriptor(theirs, kSemaphore.bit));
    }
    peer.fill(shared, 37, VK_NULL_HANDLE, ours);
    if (!ours) peer.finish();
    send_descriptors(sockets[0], descriptors);
    for (const int descriptor : descriptors) ::close(descriptor);
    char byte = 0;
    CHECK(::read(sockets[0], &byte, 1) == 1);
    if (theirs && byte == 's') {
        const VulkanPeer::Shared end = peer.make_buffer(16, kMemory.bit);
        peer.fill(end, 1, theirs, VK_NULL_HANDLE);
        peer.finish();
    }
    CHECK(peer.read(shared, kCount) == std::vector<cl_uint>(kCount, 42));
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    ::close(sockets[0]);
}

}  // namespace caldera::driver_test
