// SPDX-License-Identifier: Apache-2.0
// Applications with their own Vulkan, under validation and synchronisation validation.
#include <doctest/doctest.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "caldera/caldera.h"
#include "library/application_fixture.h"

using namespace caldera;

namespace {

constexpr const char* kAdd =
    "kernel void add(global uint *to, uint n) { size_t i = get_global_id(0); to[i] += n; }"
    "kernel void group(global uint *to) { to[get_global_id(0)] = get_group_id(0) * 1000 + "
    "get_local_size(0); }"
    "kernel void prints(global uint *to) { printf(\"%u\", to[0]); }";
constexpr const char* kDoubles = "kernel void d(global double *p) { p[get_global_id(0)] *= 0.5; }";

constexpr VkBufferUsageFlags kAddresses = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                             kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                             kCopies = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

Result<RequiredFeatures> features_for(const Application& application, const std::string& source,
                                      const ProgramOptions& options = {}) {
    const CompileResult compiled =
        compile(source, "test.cl", {.profile = must(physical_device_profile(application.physical()))});
    REQUIRE_MESSAGE(compiled, compiled.log);
    const std::span<const uint32_t> modules[] = {compiled.words};
    return required_features(application.physical(), modules, options);
}

bool has(const RequiredFeatures& features, const std::string& name) {
    const std::vector<std::string> names = features.names();
    return std::ranges::find(names, name) != names.end();
}

bool has_addresses(const Application& application) {
    return has(must(all_features(application.physical())), "bufferDeviceAddress");
}

/// What buffers are made with for programs of the default ABI.
VkBufferUsageFlags default_usage(const Application& application) {
    return has_addresses(application) ? kAddresses | kStorage : kStorage;
}

Kernel kernel_of(const Device& device, const std::string& source, const char* name,
                 const ProgramOptions& options = {}) {
    const ProgramResult built = Program::build(device, source, "test.cl", options);
    REQUIRE_MESSAGE(built, built.log);
    return must(Kernel::create(built.program, name));
}

/// A barrier between the host's or another kernel's writes and a kernel, and one before the host reads.
void before(VkCommandBuffer commands, const Kernel& kernel) {
    const KernelAccess access = kernel_access(kernel);
    Application::barrier(commands, access.stages, access.writes, access.stages, access.reads | access.writes);
}
void before_host(VkCommandBuffer commands, const Kernel& kernel) {
    const KernelAccess access = kernel_access(kernel);
    Application::barrier(commands, access.stages, access.writes, VK_PIPELINE_STAGE_HOST_BIT,
                         VK_ACCESS_HOST_READ_BIT);
}

}  // namespace

TEST_CASE("required features are those that the kernels use") {
    Application application;
    const RequiredFeatures plain = must(features_for(application, kAdd)),
                           all = must(all_features(application.physical()));
    CHECK_FALSE(has(plain, "shaderFloat64"));
    CHECK_FALSE(has(plain, "shaderFloat16"));
    CHECK(has(plain, "bufferDeviceAddress") == has(all, "bufferDeviceAddress"));
    for (const std::string& name : plain.names()) CHECK(has(all, name));
    if (has(all, "shaderFloat64")) CHECK(has(must(features_for(application, kDoubles)), "shaderFloat64"));
    const RequiredFeatures by_descriptors = must(features_for(application, kAdd, {.abi = Abi::Descriptors}));
    CHECK_FALSE(has(by_descriptors, "bufferDeviceAddress"));

    RequiredFeatures more = must(features_for(application, kAdd));
    CHECK(fails_with(more.add("noSuchFeature"), "uses no feature 'noSuchFeature'"));
    if (has(all, "timelineSemaphore")) {
        must(more.add("timelineSemaphore"));
        CHECK(has(more, "timelineSemaphore"));
    }
    CHECK(fails_with(more.enable_in(nullptr), "the chain is null"));
}

TEST_CASE("features go into the structures that the application's chain has") {
    Application application;
    RequiredFeatures features = must(all_features(application.physical()));
    VkPhysicalDeviceVulkan12Features v12{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 chain{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v12};
    chain.features.wideLines = VK_TRUE;  // the application's own
    must(features.enable_in(&chain));
    CHECK(chain.features.wideLines == VK_TRUE);
    CHECK((chain.features.shaderInt64 == VK_TRUE) == has(features, "shaderInt64"));
    CHECK((v12.bufferDeviceAddress == VK_TRUE) == has(features, "bufferDeviceAddress"));
    CHECK((v12.shaderInt8 == VK_TRUE) == has(features, "shaderInt8"));
    std::vector<VkStructureType> types;
    for (auto* at = static_cast<const VkBaseInStructure*>(chain.pNext); at; at = at->pNext) {
        CHECK(std::ranges::find(types, at->sType) == types.end());
        CHECK(at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
        CHECK(at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES);
        types.push_back(at->sType);
    }
    CHECK(features.chain() == features.chain());  // once only
}

TEST_CASE("a device with the required features alone runs the kernels") {
    Application application;
    application.make_device(must(features_for(application, kAdd)));
    {
        const Device device = application.adopt();
        CHECK(device.vk() == application.device());
        CHECK_FALSE(device.name().empty());
        Queue queue = must(Queue::create(device));
        Kernel kernel = kernel_of(device, kAdd, "add");
        std::vector<uint32_t> numbers(1000);
        std::iota(numbers.begin(), numbers.end(), 0u);
        const Buffer buffer = must(Buffer::create(device, 4000));
        must(queue.write(buffer, numbers));
        must(kernel.set_all(buffer, 5u));
        must(queue.dispatch(kernel, {.global = {1000, 1, 1}}));
        std::vector<uint32_t> out(1000);
        must(queue.read(buffer, out));
        for (uint32_t i = 0; i < 1000; ++i) REQUIRE(out[i] == i + 5);
    }
    // The device is the application's still.
    CHECK(vkDeviceWaitIdle(application.device()) == VK_SUCCESS);
}

TEST_CASE("what a module names and its kernels do not use in the end is required all the same") {
    struct Sample {
        const char* source;
        const char* feature;
    };
    constexpr Sample kSamples[] = {
        {"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
         "kernel void k(global float *o) { half h = (half)1.5f; h = h * (half)2.0f; *o = (float)h; }",
         "shaderFloat16"},
        {"kernel void k(global float *o) { double d = 1.5; d = d * 2.0; *o = (float)d; }", "shaderFloat64"},
        {"#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
         "kernel void k(global float *o, global long *l) { int no = 0; if (no) atom_inc(l); *o = 3.0f; }",
         "shaderBufferInt64Atomics"},
        {"#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
         "kernel void k(global float *o, local long *l) { int no = 0; if (no) atom_inc(l); *o = 3.0f; }",
         "shaderSharedInt64Atomics"},
        {"kernel void k(global float *o) { *o = 3.0f; (void)clock_read_device(); }", "shaderDeviceClock"},
    };
    for (const auto& [source, feature] : kSamples) {
        CAPTURE(std::string(feature));
        Application whole;
        const RequiredFeatures all = must(all_features(whole.physical()));
        if (!has(all, feature)) continue;
        whole.make_device(all);
        // A driver may do wrong by a feature, which kernels then do not have.
        if (!Program::build(whole.adopt(), std::string_view(source), "test.cl")) continue;
        Application application;
        const CompileResult compiled =
            compile(source, "test.cl", {.profile = must(physical_device_profile(application.physical()))});
        REQUIRE_MESSAGE(compiled, compiled.log);
        const std::span<const uint32_t> words(compiled.words);
        const RequiredFeatures required =
            must(required_features(application.physical(), std::span(&words, 1)));
        CHECK(has(required, feature));
        application.make_device(required);
        const ProgramResult built = Program::build(application.adopt(), words);
        CHECK_MESSAGE(built, built.log);
        Application lacking;
        lacking.make_device(must(required_features(lacking.physical(), {})));
        const std::string log = Program::build(lacking.adopt(), words).log;
        CHECK_MESSAGE(log.find(feature) != std::string::npos, log);
    }
}

TEST_CASE("a build names the features that the application left out") {
    Application application;
    if (!has(must(all_features(application.physical())), "shaderFloat64")) return;
    application.make_device(must(features_for(application, kAdd)));
    const Device device = application.adopt();
    const ProgramResult built = Program::build(device, std::string_view(kDoubles), "test.cl");
    CHECK_FALSE(built);
    CHECK_MESSAGE(built.log.find("made without features that it needs: shaderFloat64") != std::string::npos,
                  built.log);
    const ProgramResult wrong = Program::build(device, std::string_view("kernel void k( {"), "test.cl");
    CHECK_FALSE(wrong);
    CHECK(wrong.log.find("made without") == std::string::npos);
}

TEST_CASE("a build names no feature that the program does not need") {
    struct Sample {
        const char* source;
        const char* feature;  // the only one
    };
    constexpr Sample kSamples[] = {
        {"kernel void d(global long *p, short s, double d) { p[get_global_id(0)] = (long)(d * 3) + s; }",
         "shaderFloat64"},
        {"typedef struct { global int *p; } S;"
         "kernel void s(global S *s, long n, short h) { s->p[n] = h; }",
         "bufferDeviceAddress"}};
    for (const uint32_t version : {VK_API_VERSION_1_1, VK_API_VERSION_1_3})
        for (const auto& [source, feature] : kSamples) {
            Application without(version), with(version);
            if (!has(must(all_features(without.physical())), feature)) continue;
            without.make_device(must(required_features(without.physical(), {})));
            const std::string log = Program::build(without.adopt(), std::string_view(source), "test.cl").log;
            CHECK_MESSAGE(
                log.find(std::string("features that it needs: ") + feature + "\n") != std::string::npos, log);
            RequiredFeatures needed = must(required_features(with.physical(), {}));
            must(needed.add(feature));
            with.make_device(needed);
            const ProgramResult built = Program::build(with.adopt(), std::string_view(source), "test.cl");
            CHECK_MESSAGE(built, built.log);
        }
}

TEST_CASE("a device without any feature runs kernels by descriptors") {
    for (const uint32_t version : {VK_API_VERSION_1_1, VK_API_VERSION_1_3}) {
        Application application(version);
        RequiredFeatures none = must(required_features(application.physical(), {}));
        CHECK(none.names().empty());
        application.make_device(none);
        const Device device = application.adopt();
        ApplicationBuffer bytes(application, 4096, kStorage | kCopies);
        const Buffer buffer = must(Buffer::adopt(device, bytes.part(0, 4096)));
        CHECK(buffer.address() == 0);
        Kernel kernel = kernel_of(device, kAdd, "add");
        CHECK(kernel.interface().arguments[0].binding != kNoBinding);
        must(kernel.set_all(buffer, 7u));
        Queue queue = must(Queue::create(device));
        must(queue.dispatch(kernel, {.global = {1000, 1, 1}}));
        must(queue.finish());
        CHECK(bytes.words[999] == 7);
        CHECK(bytes.words[1000] == 0);
        CHECK(fails_with(queue.signal(nullptr, 1), "null"));
        VkSemaphore any = reinterpret_cast<VkSemaphore>(uintptr_t{1});
        CHECK(fails_with(queue.signal(any, 1), "timelineSemaphore"));
    }
}

TEST_CASE("wrong handles and statements are declined by name") {
    Application application;
    application.make_device(must(features_for(application, kAdd)));
    const AdoptOptions good = application.options();
    AdoptOptions bad;
    CHECK(fails_with(Device::adopt(bad), "the instance is null"));
    bad = good;
    bad.physical.physical_device = nullptr;
    CHECK(fails_with(Device::adopt(bad), "the physical device is null"));
    bad = good;
    bad.device = nullptr;
    CHECK(fails_with(Device::adopt(bad), "the device is null"));
    bad = good;
    bad.queues.clear();
    CHECK(fails_with(Device::adopt(bad), "no queue of a family that computes"));
    bad.queues = {{}};
    CHECK(fails_with(Device::adopt(bad), "a queue is null"));
    bad.queues = {{.queue = application.queue(), .family = 99}};
    CHECK(fails_with(Device::adopt(bad), "no queue family 99"));
    bad = good;
    bad.recording_families = {99};
    CHECK(fails_with(Device::adopt(bad), "no queue family 99"));
    bad.recording_families = {good.queues[0].family};
    CHECK(Device::adopt(bad));
    bad = good;
    bad.physical.api_version = VK_API_VERSION_1_0;
    CHECK(fails_with(Device::adopt(bad), "Vulkan 1.0"));
    bad = good;
    bad.extensions.push_back("VK_EXT_no_such_extension");
    CHECK(fails_with(Device::adopt(bad), "VK_EXT_no_such_extension"));
    bad = good;
    bad.lock = [](VkQueue) {};
    CHECK(fails_with(Device::adopt(bad), "a lock without an unlock"));
    bad = good;
    bad.get_instance_proc_addr = [](VkInstance, const char*) -> void (*)() { return nullptr; };
    CHECK(fails_with(Device::adopt(bad), "is not that of the Vulkan loader"));
    bad = good;
    bad.get_instance_proc_addr =
        reinterpret_cast<decltype(bad.get_instance_proc_addr)>(vkGetInstanceProcAddr);
    CHECK(Device::adopt(bad));
    // A feature of an extension that was not enabled.
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomics{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
        .shaderBufferFloat32AtomicAdd = VK_TRUE};
    const VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                             .pNext = &atomics};
    bad = good;
    bad.features = &features;
    CHECK(fails_with(Device::adopt(bad), "shaderBufferFloat32AtomicAdd"));

    VkPhysicalDeviceVulkanMemoryModelFeatures model{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
        .vulkanMemoryModel = VK_TRUE};
    const VkPhysicalDeviceFeatures2 half_a_model{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                 .pNext = &model};
    bad.features = &half_a_model;
    CHECK(fails_with(Device::adopt(bad), "without vulkanMemoryModelDeviceScope"));

    CHECK(fails_with(all_features({}), "the instance is null"));
    CHECK(fails_with(physical_device_profile({}), "the instance is null"));
    const std::vector<uint32_t> no_module = {1, 2, 3};
    const std::span<const uint32_t> modules[] = {no_module};
    CHECK_FALSE(required_features(application.physical(), modules));
    Application other;
    PhysicalDevice mixed = application.physical();
    mixed.instance = other.physical().instance;
    if (mixed.physical_device != other.physical().physical_device)
        CHECK(fails_with(all_features(mixed), "not one of the instance"));
}

TEST_CASE("buffers of the application") {
    Application application;
    application.make_device(must(features_for(application, kAdd)));
    const Device device = application.adopt();
    ApplicationBuffer bytes(application, 4096, default_usage(application) | kCopies);
    CHECK(fails_with(Buffer::adopt(device, {}), "is null"));
    CHECK(fails_with(Buffer::adopt({}, bytes.part(0, 16)), "no device"));
    CHECK(fails_with(Buffer::adopt(device, bytes.part(0, 0)), "no bytes"));
    CHECK(fails_with(Buffer::adopt(device, bytes.part(2, 16)), "multiple of 4"));
    CHECK(fails_with(Buffer::adopt(device, bytes.part(0, 1 << 20)), "does not have 1048576 bytes"));
    CHECK(fails_with(Buffer::adopt(device, bytes.part(1 << 20, 4)), "bytes at 1048576"));
    CHECK(fails_with(Buffer::adopt(device, bytes.part(4, ~uint64_t{3})), "does not have"));
    AdoptedBuffer useless = bytes.part(0, 16);
    useless.usage = kCopies;
    CHECK(fails_with(Buffer::adopt(device, useless), "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT"));

    // A stretch inside: kernels, copies and fills stay there.
    const Buffer part = must(Buffer::adopt(device, bytes.part(1024, 256)));
    CHECK(part.size_bytes() == 256);
    CHECK(part.vk() == bytes.vk());
    CHECK(part.mapped() == nullptr);
    Queue queue = must(Queue::create(device));
    must(queue.write(part, std::vector<uint32_t>(64, 3)));
    Kernel kernel = kernel_of(device, kAdd, "add");
    must(kernel.set_all(part, 4u));
    must(queue.dispatch(kernel, {.global = {64, 1, 1}}));
    const uint32_t pattern = 9;
    must(queue.fill(part, 8, 4, std::as_bytes(std::span(&pattern, 1))));
    must(queue.copy(part, 8, part, 16, 4));
    std::vector<uint32_t> out(64);
    must(queue.read(part, out));
    for (size_t i = 0; i < 64; ++i) CHECK(out[i] == (i == 2 || i == 4 ? 9 : 7));
    for (size_t i = 0; i < 1024; ++i) CHECK((bytes.words[i] != 0) == (i >= 256 && i < 320));
    CHECK(fails_with(queue.copy(part, 0, part, 192, 128), "outside a buffer of 256 bytes"));

    ApplicationBuffer bare(application, 256, default_usage(application));
    const Buffer adopted = must(Buffer::adopt(device, bare.part(0, 256)));
    CHECK(fails_with(queue.write(adopted, std::vector<uint32_t>(4)), "VK_BUFFER_USAGE_TRANSFER_DST_BIT"));
    CHECK(fails_with(queue.read(adopted, out), "VK_BUFFER_USAGE_TRANSFER_SRC_BIT"));
    CHECK(fails_with(queue.copy(adopted, 0, part, 0, 4), "VK_BUFFER_USAGE_TRANSFER_SRC_BIT"));
    CHECK(fails_with(queue.fill(adopted, 0, 4, std::as_bytes(std::span(&pattern, 1))), "TRANSFER"));
    if (!has_addresses(application)) return;
    ApplicationBuffer storage(application, 256, kStorage), addressed(application, 256, kAddresses);
    const Buffer by_descriptor = must(Buffer::adopt(device, storage.part(0, 256))),
                 by_address = must(Buffer::adopt(device, addressed.part(128, 128)));
    CHECK(by_descriptor.address() == 0);
    CHECK(by_address.address() != 0);
    CHECK(fails_with(kernel.set(0, by_descriptor), "VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT"));
    Kernel of_descriptors = kernel_of(device, kAdd, "add", {.abi = Abi::Descriptors});
    CHECK(fails_with(of_descriptors.set(0, by_address), "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT"));
    must(of_descriptors.set_all(by_descriptor, 2u));
    must(queue.dispatch(of_descriptors, {.global = {64, 1, 1}}));
    must(kernel.set_all(by_address, 3u));
    must(queue.dispatch(kernel, {.global = {32, 1, 1}}));
    must(queue.finish());
    CHECK(storage.words[63] == 2);
    CHECK(addressed.words[31] == 0);
    CHECK(addressed.words[32] == 3);
    CHECK(addressed.words[63] == 3);
}

TEST_CASE("kernels in command buffers of the application, which run many times") {
    Application application;
    application.make_device(must(features_for(application, kAdd)));
    const Device device = application.adopt();
    for (const Abi abi : {Abi::Addresses, Abi::Descriptors}) {
        if (abi == Abi::Addresses && !has_addresses(application)) continue;
        ApplicationBuffer bytes(application, 4096, default_usage(application));
        const Buffer buffer = must(Buffer::adopt(device, bytes.part(0, 4096)));
        Recording recording = must(Recording::create(device));
        VkCommandBuffer commands = application.begin();
        {
            Kernel kernel = kernel_of(device, kAdd, "add", {.abi = abi});
            must(kernel.set_all(buffer, 1u));
            CHECK(must(recording.record(commands, kernel, {.global = {1000, 1, 1}})).dispatches == 1);
            before(commands, kernel);
            must(kernel.set(1, 10u));  // what is recorded keeps its own
            must(recording.record(commands, kernel, {.global = {500, 1, 1}, .offset = {250, 0, 0}}));
            before_host(commands, kernel);
            CHECK(must(recording.record(commands, kernel, {.global = {0, 1, 1}})).dispatches == 0);
        }  // the recording keeps the kernel and its program
        REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
        for (uint32_t turn = 1; turn <= 3; ++turn) {
            application.submit(commands);
            for (uint32_t i = 0; i < 1024; ++i)
                REQUIRE(bytes.words[i] == turn * (i >= 1000 ? 0 : i >= 250 && i < 750 ? 11 : 1));
        }
        recording.reset();

        // Another use of the same recording, in a secondary command buffer. Work-groups at the edge are
        // another dispatch.
        Kernel kernel = kernel_of(device, kAdd, "group", {.abi = abi});
        must(kernel.set_all(buffer));
        VkCommandBuffer secondary = application.begin(VK_NULL_HANDLE, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        const NDRange range{.global = {100, 1, 1}, .local = {32, 1, 1}};
        CHECK(must(recording.record(secondary, kernel, range)).dispatches == 2);
        REQUIRE(vkEndCommandBuffer(secondary) == VK_SUCCESS);
        VkCommandBuffer primary = application.begin();
        vkCmdExecuteCommands(primary, 1, &secondary);
        before_host(primary, kernel);
        REQUIRE(vkEndCommandBuffer(primary) == VK_SUCCESS);
        application.submit(primary);
        CHECK(bytes.words[0] == 32);
        CHECK(bytes.words[95] == 2032);
        CHECK(bytes.words[96] == 3004);
        CHECK(bytes.words[99] == 3004);
    }
}

TEST_CASE("arguments beyond the push constants, constants and private memory are recorded") {
    Application application;
    const std::string source =
        "typedef struct { uint words[64]; } Many;"
        "constant uint kTable[] = {100, 200, 300, 400};"
        "kernel void many(global uint *to, Many many, uint at) {"
        "    size_t i = get_global_id(0); to[i] = many.words[i % 64] + kTable[i % 4] + at; }"
        "kernel void scratch(global uint *to) {"
        "    uint words[4096]; uint i = get_global_id(0);"
        "    for (uint k = 0; k < 4096; ++k) words[(k * 7 + i) % 4096] = k + i;"
        "    to[i] = words[to[i] % 4096]; }";
    application.make_device(must(features_for(application, source)));
    const Device device = application.adopt();
    ApplicationBuffer bytes(application, 4096, default_usage(application));
    const Buffer buffer = must(Buffer::adopt(device, bytes.part(0, 4096)));
    Recording recording = must(Recording::create(device));
    struct {
        uint32_t words[64];
    } many;
    std::iota(many.words, many.words + 64, 0u);
    Kernel kernel = kernel_of(device, source, "many"), scratch = kernel_of(device, source, "scratch");
    VkCommandBuffer commands = application.begin();
    must(kernel.set_all(buffer, many, 5u));
    must(recording.record(commands, kernel, {.global = {1024, 1, 1}}));
    before(commands, kernel);
    must(scratch.set_all(buffer));
    const Recorded recorded = must(recording.record(commands, scratch, {.global = {256, 1, 1}}));
    before(commands, scratch);
    must(recording.record(commands, scratch, {.global = {128, 1, 1}}));
    before_host(commands, scratch);
    REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
    application.submit(commands);
    MESSAGE(recorded.private_bytes << " bytes of private memory");
    const auto scratched = [](uint32_t i, uint32_t at) {
        uint32_t words[4096];
        for (uint32_t k = 0; k < 4096; ++k) words[(k * 7 + i) % 4096] = k + i;
        return words[at % 4096];
    };
    for (uint32_t i = 0; i < 1024; ++i) {
        uint32_t wanted = i % 64 + 100 * (i % 4 + 1) + 5;
        if (i < 256) wanted = scratched(i, wanted);
        if (i < 128) wanted = scratched(i, wanted);
        REQUIRE(bytes.words[i] == wanted);
    }
}

TEST_CASE("a recorded kernel whose accesses are checked reaches buffers that were made afterwards") {
    const auto file = std::filesystem::temp_directory_path() /
                      ("caldera_recorded." + std::to_string(std::random_device()()));
    for (const char* checks : {"bounds", "bounds,races"}) {
        std::filesystem::remove(file);
        setenv("CALDERA_CHECK", checks, 1);
        setenv("CALDERA_CHECK_FILE", file.string().c_str(), 1);
        Application application;
        application.make_device(must(all_features(application.physical())));
        const bool can_check = has_addresses(application);
        if (can_check) {
            const Device device = application.adopt();
            ApplicationBuffer pointers(application, 256, kAddresses | kStorage),
                data(application, 4096, kAddresses | kStorage);
            const Buffer table = must(Buffer::adopt(device, pointers.part(0, 256)));
            Kernel kernel = kernel_of(device,
                                      "typedef struct { global uint *p; } T;\n"
                                      "kernel void store(global T *t) {\n"
                                      "t->p[get_global_id(0)] = 7;\n"
                                      "t[32 + get_global_id(0)].p = 0; }",
                                      "store");
            must(kernel.set_all(table));
            Recording recording = must(Recording::create(device));
            VkCommandBuffer commands = application.begin();
            must(recording.record(commands, kernel, {.global = {64, 1, 1}}));
            before_host(commands, kernel);
            REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
            const Buffer later = must(Buffer::adopt(device, data.part(0, 4096)));
            const uint64_t address = later.address();
            std::memcpy(pointers.words, &address, sizeof address);
            application.submit(commands);
            CHECK(std::count(data.words, data.words + 1024, 7u) == 64);
        }
        unsetenv("CALDERA_CHECK");
        unsetenv("CALDERA_CHECK_FILE");
        if (!can_check) return;
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        CHECK_MESSAGE(text.str().find("test.cl:3:") == std::string::npos, text.str());
        // The kernel leaves its argument there.
        CHECK_MESSAGE(text.str().find("test.cl:4:") != std::string::npos, text.str());
    }
    std::filesystem::remove(file);
}

TEST_CASE("a barrier that the application leaves out is noticed") {
    Application application;  // or the silence of the other tests would mean nothing
    application.make_device(must(features_for(application, kAdd)));
    const Device device = application.adopt();
    ApplicationBuffer bytes(application, 4096, default_usage(application) | kStorage | kCopies);
    const Buffer buffer = must(Buffer::adopt(device, bytes.part(0, 4096)));
    Kernel kernel = kernel_of(device, kAdd, "add", {.abi = Abi::Descriptors});
    must(kernel.set_all(buffer, 1u));
    const KernelAccess access = kernel_access(kernel);
    for (const bool has_barriers : {true, false}) {
        Recording recording = must(Recording::create(device));
        VkCommandBuffer commands = application.begin();
        vkCmdFillBuffer(commands, bytes.vk(), 0, 4096, 1);
        if (has_barriers)
            Application::barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                                 access.stages, access.reads | access.writes);
        must(recording.record(commands, kernel, {.global = {1024, 1, 1}}));
        if (has_barriers)
            Application::barrier(commands, access.stages, access.writes, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_ACCESS_TRANSFER_WRITE_BIT);
        vkCmdFillBuffer(commands, bytes.vk(), 0, 4096, 2);
        REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
        const std::optional<uint32_t> messages = application.take_messages();
        if (messages) CHECK(*messages == (has_barriers ? 0 : 2));
    }
}

TEST_CASE("what cannot be recorded is declined by name, and leaves the command buffer as it was") {
    Application application;
    application.make_device(must(all_features(application.physical())));
    const Device device = application.adopt();
    const Buffer buffer = must(Buffer::create(device, 4096));
    Recording recording = must(Recording::create(device)), none;
    CHECK(fails_with(Recording::create({}), "no device"));
    Kernel kernel = kernel_of(device, kAdd, "add"), prints = kernel_of(device, kAdd, "prints");
    VkCommandBuffer commands = application.begin();
    const NDRange range{.global = {16, 1, 1}};
    CHECK(fails_with(none.record(commands, kernel, range), "no recording"));
    none.reset();
    CHECK(fails_with(recording.record(nullptr, kernel, range), "the command buffer is null"));
    CHECK(fails_with(recording.record(commands, {}, range), "no kernel"));
    CHECK(fails_with(recording.record(commands, kernel, range), "argument 0 ('to') is not set"));
    must(kernel.set_all(buffer, 1u));
    must(prints.set_all(buffer));
    CHECK(fails_with(recording.record(commands, prints, range),
                     "'prints' cannot be recorded: it calls printf"));
    CHECK(fails_with(recording.record(commands, kernel, {.dimensions = 4}), "1 to 3 dimensions"));
    CHECK(fails_with(recording.record(commands, kernel, {.global = {16, 1, 1}, .local = {1 << 20, 1, 1}}),
                     "exceeds the device's limit"));
    const NDRange large{.global = {1ull << 31, 1, 1}, .local = {1, 1, 1}};
    CHECK(fails_with(recording.record(commands, kernel, large), "more than 1024 dispatches"));
    const NDRange huge{.dimensions = 3, .global = {1ull << 31, 1ull << 31, 1ull << 31}, .local = {1, 1, 1}};
    CHECK(fails_with(recording.record(commands, kernel, huge), "more than 1048576 dispatches"));
    if (has_addresses(application)) {
        Kernel enqueues = kernel_of(
            device,
            "kernel void e(global int *p) { enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,"
            " ndrange_1D(1), ^{ *p = 1; }); }",
            "e", {.compile = {.options = "-cl-std=CL2.0"}});
        must(enqueues.set_all(buffer));
        CHECK(fails_with(recording.record(commands, enqueues, range), "it enqueues kernels"));
    }
    REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
    application.submit(commands);
}

TEST_CASE("two devices of two instances at once") {
    Application first, second;
    first.make_device(must(features_for(first, kAdd)));
    second.make_device(must(all_features(second.physical())));
    const Device of_first = first.adopt(), of_second = second.adopt(), own = must(Device::open());
    for (const Device& device : {of_first, of_second, own, of_first}) {
        Kernel kernel = kernel_of(device, kAdd, "add");
        Queue queue = must(Queue::create(device));
        const Buffer buffer = must(Buffer::create(device, 400));
        must(queue.write(buffer, std::vector<uint32_t>(100, 1)));
        must(kernel.set_all(buffer, 2u));
        must(queue.dispatch(kernel, {.global = {100, 1, 1}}));
        std::vector<uint32_t> out(100);
        must(queue.read(buffer, out));
        CHECK(out == std::vector<uint32_t>(100, 3));
    }
}

TEST_CASE("two that adopt one device submit to its queue in turn") {
    Application application;
    application.make_device(must(features_for(application, kAdd)));
    std::atomic<int> inside = 0;
    std::atomic<bool> met = false;
    AdoptOptions options = application.options();
    options.lock = [&](VkQueue) {
        if (inside++ != 0) met = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));  // both threads would be here soon
    };
    options.unlock = [&](VkQueue) { --inside; };
    const Device devices[] = {must(Device::adopt(options)), must(Device::adopt(options))};
    // Threads make no checks: MinGW frees doctest's variables of a thread before it calls their destructors.
    Kernel kernels[] = {kernel_of(devices[0], kAdd, "add"), kernel_of(devices[1], kAdd, "add")};
    constexpr uint32_t kTurns = 50;
    uint32_t sums[2] = {};
    const auto work = [&](size_t thread) {
        Kernel& kernel = kernels[thread];
        Queue queue = Queue::create(devices[thread]).take();
        const Buffer buffer = Buffer::create(devices[thread], 400).take();
        queue.write(buffer, std::vector<uint32_t>(100, 0)).take();
        kernel.set_all(buffer, 2u).take();
        for (uint32_t turn = 0; turn < kTurns; ++turn) {
            queue.dispatch(kernel, {.global = {100, 1, 1}}).take();
            queue.flush().take();
        }
        queue.read(buffer, std::span(&sums[thread], 1)).take();
    };
    std::thread one(work, 0), two(work, 1);
    one.join();
    two.join();
    for (const uint32_t sum : sums) CHECK(sum == 2 * kTurns);
    CHECK_FALSE(met);
}

TEST_CASE("threads record for one device, and the application's lock guards the queue") {
    Application application;
    application.make_device(must(features_for(application, kAdd)));
    std::mutex mutex;
    uint32_t held = 0;
    AdoptOptions options = application.options();
    options.lock = [&](VkQueue queue) {
        mutex.lock();
        held += queue == application.queue();
    };
    options.unlock = [&](VkQueue) { mutex.unlock(); };
    const Device device = must(Device::adopt(options));
    CHECK(held > 0);
    constexpr int kTurns = 20;
    const ProgramResult built = Program::build(device, std::string_view(kAdd), "test.cl");
    REQUIRE_MESSAGE(built, built.log);
    std::vector<std::unique_ptr<ApplicationBuffer>> buffers;
    for (int i = 0; i < 2; ++i)
        buffers.push_back(
            std::make_unique<ApplicationBuffer>(application, 4096, default_usage(application) | kCopies));
    const auto work = [&](int thread) {
        VkCommandPool pool = application.make_pool();
        Recording recording = Recording::create(device).take();
        Kernel kernel = Kernel::create(built.program, "add").take();
        const Buffer buffer =
            Buffer::adopt(device, buffers[static_cast<size_t>(thread)]->part(0, 4096)).take();
        Queue queue = Queue::create(device).take();
        for (int turn = 0; turn < kTurns; ++turn) {
            VkCommandBuffer commands = application.begin(pool);
            kernel.set_all(buffer, static_cast<uint32_t>(thread + 1)).take();
            recording.record(commands, kernel, {.global = {1024, 1, 1}}).take();
            before_host(commands, kernel);
            vkEndCommandBuffer(commands);
            {
                const std::lock_guard lock(mutex);
                application.submit(commands);
            }
            queue.dispatch(kernel, {.global = {512, 1, 1}}).take();
            queue.finish().take();
            recording.reset();
        }
        vkDestroyCommandPool(application.device(), pool, nullptr);
    };
    std::thread one(work, 0), two(work, 1);
    one.join();
    two.join();
    for (uint32_t thread = 0; thread < 2; ++thread)
        for (uint32_t i = 0; i < 1024; ++i)
            REQUIRE(buffers[thread]->words[i] == kTurns * (thread + 1) * (i < 512 ? 2 : 1));
}

namespace {

VkSemaphore timeline_semaphore(const Application& application, uint64_t value) {
    const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                         .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                         .initialValue = value};
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    REQUIRE(vkCreateSemaphore(application.device(), &info, nullptr, &semaphore) == VK_SUCCESS);
    return semaphore;
}

}  // namespace

TEST_CASE("timeline semaphores of the application order queues and submissions") {
    Application application;
    RequiredFeatures features = must(features_for(application, kAdd));
    if (application.version() < VK_API_VERSION_1_2 || !features.add("timelineSemaphore")) return;
    application.make_device(features);
    const Device device = application.adopt();
    const VkSemaphore semaphore = timeline_semaphore(application, 1);
    {
        ApplicationBuffer bytes(application, 4096, default_usage(application));
        const Buffer buffer = must(Buffer::adopt(device, bytes.part(0, 4096)));
        Queue queue = must(Queue::create(device));
        Kernel kernel = kernel_of(device, kAdd, "add");
        must(kernel.set_all(buffer, 1u));
        CHECK(fails_with(queue.wait_for(nullptr, 1), "the semaphore is null"));
        must(queue.dispatch(kernel, {.global = {1024, 1, 1}}));
        must(queue.wait_for(semaphore, 1));  // it has the value
        must(queue.dispatch(kernel, {.global = {1024, 1, 1}}));
        must(queue.signal(semaphore, 5));
        const uint64_t wanted = 5;
        const VkSemaphoreWaitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                       .semaphoreCount = 1,
                                       .pSemaphores = &semaphore,
                                       .pValues = &wanted};
        REQUIRE(vkWaitSemaphores(application.device(), &wait, UINT64_MAX) == VK_SUCCESS);
        CHECK(bytes.words[1023] == 2);  // all of the queue's commands are complete

        // A submission of the application that begins when the queue's commands have ended, and one of the
        // queue after that.
        must(queue.dispatch(kernel, {.global = {1024, 1, 1}}));
        must(queue.signal(semaphore, 6));
        Recording recording = must(Recording::create(device));
        VkCommandBuffer commands = application.begin();
        must(recording.record(commands, kernel, {.global = {1024, 1, 1}}));
        REQUIRE(vkEndCommandBuffer(commands) == VK_SUCCESS);
        const uint64_t from = 6, to = 7;
        const VkTimelineSemaphoreSubmitInfo values{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                   .waitSemaphoreValueCount = 1,
                                                   .pWaitSemaphoreValues = &from,
                                                   .signalSemaphoreValueCount = 1,
                                                   .pSignalSemaphoreValues = &to};
        const VkPipelineStageFlags stage = kernel_access(kernel).stages;
        const VkSubmitInfo submission{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                      .pNext = &values,
                                      .waitSemaphoreCount = 1,
                                      .pWaitSemaphores = &semaphore,
                                      .pWaitDstStageMask = &stage,
                                      .commandBufferCount = 1,
                                      .pCommandBuffers = &commands,
                                      .signalSemaphoreCount = 1,
                                      .pSignalSemaphores = &semaphore};
        REQUIRE(vkQueueSubmit(application.queue(), 1, &submission, VK_NULL_HANDLE) == VK_SUCCESS);
        must(queue.wait_for(semaphore, 7));
        must(queue.dispatch(kernel, {.global = {1024, 1, 1}}));
        must(queue.finish());
        CHECK(bytes.words[1023] == 5);
    }
    vkDestroySemaphore(application.device(), semaphore, nullptr);
}

TEST_CASE("a queue with a wait and no command goes without waiting") {
    Application application;
    RequiredFeatures features = must(features_for(application, kAdd));
    if (application.version() < VK_API_VERSION_1_2 || !features.add("timelineSemaphore")) return;
    application.make_device(features);
    const VkSemaphore semaphore = timeline_semaphore(application, 0);
    {
        const Device device = application.adopt();
        ApplicationBuffer bytes(application, 4096, default_usage(application));
        const Buffer buffer = must(Buffer::adopt(device, bytes.part(0, 4096)));
        Kernel kernel = kernel_of(device, kAdd, "add");
        must(kernel.set_all(buffer, 1u));
        Queue queue = must(Queue::create(device));
        must(queue.dispatch(kernel, {.global = {1024, 1, 1}}));
        must(queue.wait_for(semaphore, 1));  // which nobody signals
        queue = {};
        CHECK(bytes.words[1023] == 1);  // what came before has run
    }
    uint64_t value = 1;
    REQUIRE(vkGetSemaphoreCounterValue(application.device(), semaphore, &value) == VK_SUCCESS);
    CHECK(value == 0);
    vkDestroySemaphore(application.device(), semaphore, nullptr);
}

TEST_CASE("whoever has waited for a queue finds its signals") {
    Application application;
    RequiredFeatures features = must(features_for(application, kAdd));
    if (application.version() < VK_API_VERSION_1_2 || !features.add("timelineSemaphore")) return;
    application.make_device(features);
    const Device device = application.adopt();
    const VkSemaphore semaphore = timeline_semaphore(application, 0);
    const auto value = [&] {
        uint64_t now = 0;
        vkGetSemaphoreCounterValue(application.device(), semaphore, &now);
        return now;
    };
    // Drivers signal the semaphores of a batch soon after one another: one turn shows little, and a check in
    // between would take too long.
    constexpr uint64_t kTurns = 2000;
    uint64_t last = 0, missed_by_finish = 0, missed_by_end = 0;
    Queue queue = must(Queue::create(device));
    for (uint64_t turn = 0; turn < kTurns; ++turn) {
        if (turn % 2 != 0) must(queue.wait_for(semaphore, last));
        must(queue.signal(semaphore, ++last));
        const Result<Done> finished = queue.finish();
        missed_by_finish += value() != last;
        must(finished);
        std::optional<Queue> brief = must(Queue::create(device));
        must(brief->signal(semaphore, ++last));
        brief.reset();
        missed_by_end += value() != last;
    }
    CHECK(missed_by_finish == 0);
    CHECK(missed_by_end == 0);
    vkDestroySemaphore(application.device(), semaphore, nullptr);
}
