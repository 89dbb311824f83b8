// SPDX-License-Identifier: Apache-2.0
// Each query that the driver answers has a use (queries.h). Here: the search for those without one, and names
// and versions.
#include "tests/driver/queries.h"
#include "tests/driver/command_buffers.h"
#include "tests/driver/devices.h"
#include "vulkan/icd/unified_svm_api.h"

#include <algorithm>
#include <ranges>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

namespace caldera::driver_test {
namespace {

bool matches(const std::string& text, const char* form) { return std::regex_match(text, std::regex(form)); }

/// "3.0" of a version.
std::string number(cl_version version) {
    return std::to_string(CL_VERSION_MAJOR(version)) + "." + std::to_string(CL_VERSION_MINOR(version));
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string word; in >> word;) out.push_back(word);
    return out;
}
template <class Get, class Handle>
std::vector<std::string> names(Get get, Handle handle, cl_uint query) {
    std::vector<std::string> out;
    for (const cl_name_version& each : list<cl_name_version>(get, handle, query)) {
        CHECK(each.version >= CL_MAKE_VERSION(0, 9, 0));  // provisional extensions
        out.emplace_back(each.name);
    }
    return out;
}

std::vector<cl_device_id> devices() {
    std::vector<cl_device_id> out(8);
    cl_uint count = 0;
    REQUIRE(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 8, out.data(), &count) == CL_SUCCESS);
    out.resize(std::min<size_t>(count, 8));
    return out;
}

// ---- The platform ----

/// Every device has what the platform names.
void platform_extensions(Fixture&) {
    const auto all = words(text(clGetPlatformInfo, platform(), CL_PLATFORM_EXTENSIONS));
    CHECK(names(clGetPlatformInfo, platform(), CL_PLATFORM_EXTENSIONS_WITH_VERSION) == all);
    for (const cl_device_id each : devices()) {
        const auto of_device = words(text(clGetDeviceInfo, each, CL_DEVICE_EXTENSIONS));
        for (const std::string& name : all) CHECK(std::ranges::count(of_device, name) == 1);
    }
}

/// A device has all that the platform says of a type, or does not have the type.
void platform_svm_types(Fixture&) {
    const auto common =
        list<cl_svm_capabilities_khr>(clGetPlatformInfo, platform(), CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR);
    for (const cl_device_id each : devices()) {
        const auto types =
            list<cl_svm_capabilities_khr>(clGetDeviceInfo, each, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR);
        REQUIRE(types.size() == common.size());
        for (size_t i = 0; i < types.size(); ++i)
            CHECK((types[i] == 0 || (types[i] & common[i]) == common[i]));
    }
}

/// Queues of all devices synchronise in one command-buffer, which is copied for other queues if the platform
/// says so.
void platform_command_buffers(Fixture&) {
    const auto bits = info<cl_platform_command_buffer_capabilities_khr>(
        clGetPlatformInfo, platform(), CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR);
    REQUIRE((bits & CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR) != 0);
    const Devices all;
    const OwnCommandBuffer commands(all.queues);
    for (const cl_bool automatic : {CL_FALSE, CL_TRUE}) {
        const cl_bitfield bit = automatic ? CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR
                                          : CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR;
        cl_int code = 1;
        cl_command_buffer_khr copy =
            commands.remap(commands.handle, automatic, static_cast<cl_uint>(all.queues.size()),
                           all.queues.data(), 0, nullptr, nullptr, &code);
        CHECK(code == (bits & bit ? CL_SUCCESS : CL_INVALID_OPERATION));
        if (copy) CHECK(commands.release(copy) == CL_SUCCESS);
    }
}

void platform_version(Fixture&) {
    const std::string version = text(clGetPlatformInfo, platform(), CL_PLATFORM_VERSION);
    CHECK(matches(version, R"(OpenCL \d+\.\d+ \S.*)"));
    const auto numeric = info<cl_version>(clGetPlatformInfo, platform(), CL_PLATFORM_NUMERIC_VERSION);
    CHECK(version.starts_with("OpenCL " + number(numeric) + " "));
    for (const cl_device_id each : devices())
        CHECK(info<cl_version>(clGetDeviceInfo, each, CL_DEVICE_NUMERIC_VERSION) <= numeric);
}

/// The second of two readings is not before the first, and both are multiples of the resolution.
void host_timer(Fixture& f) {
    const auto resolution = info<cl_ulong>(clGetPlatformInfo, platform(), CL_PLATFORM_HOST_TIMER_RESOLUTION);
    REQUIRE(resolution > 0);
    cl_ulong device_time = 0, first = 0, second = 0;
    CHECK(clGetDeviceAndHostTimer(f.the_device, &device_time, &first) == CL_SUCCESS);
    CHECK(clGetHostTimer(f.the_device, &second) == CL_SUCCESS);
    CHECK(second >= first);
    CHECK((first % resolution == 0 && second % resolution == 0));
}

/// Each number of the platform's list is in the lists of its devices.
void every_device_has(cl_platform_info of_platform, cl_device_info of_device) {
    for (const cl_uint number : list<cl_uint>(clGetPlatformInfo, platform(), of_platform))
        for (const cl_device_id each : devices())
            CHECK(std::ranges::count(list<cl_uint>(clGetDeviceInfo, each, of_device), number) == 1);
}

const Query kPlatformQueries[] = {
    QUERY(CL_PLATFORM_PROFILE,
          [](Fixture& f) {
              CHECK(text(clGetPlatformInfo, platform(), CL_PLATFORM_PROFILE) ==
                    text_answer(f, CL_DEVICE_PROFILE));
          }),
    QUERY(CL_PLATFORM_VERSION, platform_version),
    QUERY(CL_PLATFORM_NUMERIC_VERSION, platform_version),
    QUERY(CL_PLATFORM_NAME,
          [](Fixture& f) {
              // Devices lead to the platform of that name.
              CHECK(text(clGetPlatformInfo, answer<cl_platform_id>(f, CL_DEVICE_PLATFORM),
                         CL_PLATFORM_NAME) == text(clGetPlatformInfo, platform(), CL_PLATFORM_NAME));
          }),
    QUERY(CL_PLATFORM_VENDOR,
          [](Fixture&) {
              CHECK(matches(text(clGetPlatformInfo, platform(), CL_PLATFORM_VENDOR), R"(\S(.*\S)?)"));
          }),
    QUERY(CL_PLATFORM_EXTENSIONS, platform_extensions),
    QUERY(CL_PLATFORM_EXTENSIONS_WITH_VERSION, platform_extensions),
    QUERY(CL_PLATFORM_HOST_TIMER_RESOLUTION, host_timer),
    QUERY(CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, platform_svm_types),
    QUERY(CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR, platform_command_buffers),
    QUERY(CL_PLATFORM_SEMAPHORE_TYPES_KHR,
          [](Fixture&) { every_device_has(CL_PLATFORM_SEMAPHORE_TYPES_KHR, CL_DEVICE_SEMAPHORE_TYPES_KHR); }),
    QUERY(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
          [](Fixture&) {
              every_device_has(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
                               CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR);
          }),
    QUERY(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
          [](Fixture&) {
              every_device_has(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
                               CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR);
          }),
    QUERY(CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
          [](Fixture&) {
              every_device_has(CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                               CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR);
          }),
    QUERY(CL_PLATFORM_ICD_SUFFIX_KHR,
          [](Fixture&) {
              CHECK(matches(text(clGetPlatformInfo, platform(), CL_PLATFORM_ICD_SUFFIX_KHR), "[A-Z0-9]+"));
          }),
};

// ---- What a device is ----

void device_type(Fixture& f) {
    const auto type = answer<cl_device_type>(f, CL_DEVICE_TYPE);
    for (const cl_device_type each :
         {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CUSTOM}) {
        std::vector<cl_device_id> found(8);
        cl_uint count = 0;
        const cl_int code = clGetDeviceIDs(platform(), each, 8, found.data(), &count);
        CHECK((code == CL_SUCCESS || code == CL_DEVICE_NOT_FOUND));
        CHECK((std::ranges::count(found, f.the_device) == 1) == ((type & each) != 0));
    }
}

void device_version(Fixture& f) {
    const auto numeric = answer<cl_version>(f, CL_DEVICE_NUMERIC_VERSION);
    CHECK(matches(text_answer(f, CL_DEVICE_VERSION), R"(OpenCL \d+\.\d+ \S.*)"));
    CHECK(text_answer(f, CL_DEVICE_VERSION).starts_with("OpenCL " + number(numeric) + " "));
}

void name_of_device(Fixture& f) {
    for (const cl_device_info query : {CL_DEVICE_NAME, CL_DEVICE_VENDOR})
        CHECK(matches(text_answer(f, query), R"(\S(.*\S)?)"));
    // A PCI vendor's number, or one that Khronos gives (OpenCL API 4.2).
    const auto vendor = answer<cl_uint>(f, CL_DEVICE_VENDOR_ID);
    CHECK(vendor != 0);
    CHECK((vendor <= 0xffff || (vendor >> 16) == 1));
}

void extensions(Fixture& f) {
    CHECK(names(clGetDeviceInfo, f.the_device, CL_DEVICE_EXTENSIONS_WITH_VERSION) ==
          words(text_answer(f, CL_DEVICE_EXTENSIONS)));
}

void uuids(Fixture& f) {
    using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;
    std::set<Uuid> all;
    for (const cl_device_id each : devices())
        all.insert(info<Uuid>(clGetDeviceInfo, each, CL_DEVICE_UUID_KHR));
    CHECK(!all.contains(Uuid{}));
    CHECK(answer<Uuid>(f, CL_DRIVER_UUID_KHR) != Uuid{});
}

/// Devices with a LUID are one of several nodes.
void luid(Fixture& f) {
    using Luid = std::array<cl_uchar, CL_LUID_SIZE_KHR>;
    const auto mask = answer<cl_uint>(f, CL_DEVICE_NODE_MASK_KHR);
    if (!answer<cl_bool>(f, CL_DEVICE_LUID_VALID_KHR)) {
        CHECK(clGetDeviceInfo(f.the_device, CL_DEVICE_LUID_KHR, sizeof(Luid), Luid{}.data(), nullptr) ==
              CL_SUCCESS);
        return;
    }
    CHECK(answer<Luid>(f, CL_DEVICE_LUID_KHR) != Luid{});
    CHECK((mask != 0 && (mask & (mask - 1)) == 0));
}

/// No device is cut into others: no way to do so works.
void partitions(Fixture& f) {
    CHECK(answer<cl_uint>(f, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) == 0);
    CHECK(list_answer<cl_device_partition_property>(f, CL_DEVICE_PARTITION_PROPERTIES) ==
          std::vector<cl_device_partition_property>{0});
    CHECK(answer<cl_device_affinity_domain>(f, CL_DEVICE_PARTITION_AFFINITY_DOMAIN) == 0);
    CHECK(list_answer<cl_device_partition_property>(f, CL_DEVICE_PARTITION_TYPE).empty());
    CHECK(answer<cl_device_id>(f, CL_DEVICE_PARENT_DEVICE) == nullptr);
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    const cl_device_partition_property domain[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                   CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
    for (const cl_device_partition_property* way : {equally, counts, domain}) {
        cl_device_id part = nullptr;
        CHECK(clCreateSubDevices(f.the_device, way, 1, &part, nullptr) == CL_INVALID_VALUE);
    }
}

void available(Fixture& f) {
    REQUIRE(answer<cl_bool>(f, CL_DEVICE_AVAILABLE) == CL_TRUE);
    Test test(f, "kernel void test(global int *out) { *out = 1; }");  // what the fixture opened runs
    CHECK(test.run()[0] == 1);
}

void no_built_in_kernels(Fixture& f) {
    CHECK(text_answer(f, CL_DEVICE_BUILT_IN_KERNELS).empty());
    CHECK(list_answer<cl_name_version>(f, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION).empty());
    cl_int code = 1;
    CHECK(clCreateProgramWithBuiltInKernels(f.context, 1, &f.the_device, "any", &code) == nullptr);
    CHECK(code == CL_INVALID_VALUE);
}

const Query kDeviceQueries[] = {
    QUERY(CL_DEVICE_TYPE, device_type),
    QUERY(CL_DEVICE_VENDOR_ID, name_of_device),
    QUERY(CL_DEVICE_NAME, name_of_device),
    QUERY(CL_DEVICE_VENDOR, name_of_device),
    QUERY(CL_DRIVER_VERSION,
          [](Fixture& f) { CHECK(matches(text_answer(f, CL_DRIVER_VERSION), R"(\d+\.\d+(\.\d+)?)")); }),
    QUERY(CL_DEVICE_PROFILE,
          [](Fixture& f) {
              // As kernels see it.
              Test test(
                  f,
                  "kernel void test(global int *out) {\n#ifdef __EMBEDDED_PROFILE__\n*out = 1;\n#endif\n}");
              CHECK(text_answer(f, CL_DEVICE_PROFILE) ==
                    (test.run()[0] == 0 ? "FULL_PROFILE" : "EMBEDDED_PROFILE"));
          }),
    QUERY(CL_DEVICE_VERSION, device_version),
    QUERY(CL_DEVICE_NUMERIC_VERSION, device_version),
    QUERY(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
          [](Fixture& f) {
              CHECK(matches(text_answer(f, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED),
                            R"(v\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])-\d{2})"));
          }),
    QUERY(CL_DEVICE_EXTENSIONS, extensions),
    QUERY(CL_DEVICE_EXTENSIONS_WITH_VERSION, extensions),
    QUERY(CL_DEVICE_PLATFORM,
          [](Fixture& f) { CHECK(answer<cl_platform_id>(f, CL_DEVICE_PLATFORM) == platform()); }),
    QUERY(CL_DEVICE_UUID_KHR, uuids),
    QUERY(CL_DRIVER_UUID_KHR, uuids),
    QUERY(CL_DEVICE_LUID_VALID_KHR, luid),
    QUERY(CL_DEVICE_LUID_KHR, luid),
    QUERY(CL_DEVICE_NODE_MASK_KHR, luid),
    QUERY(CL_DEVICE_PARENT_DEVICE, partitions),
    QUERY(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, partitions),
    QUERY(CL_DEVICE_PARTITION_PROPERTIES, partitions),
    QUERY(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, partitions),
    QUERY(CL_DEVICE_PARTITION_TYPE, partitions),
    QUERY(CL_DEVICE_REFERENCE_COUNT,
          [](Fixture& f) {
              CHECK(clRetainDevice(f.the_device) == CL_SUCCESS);  // of a root device: nothing
              CHECK(answer<cl_uint>(f, CL_DEVICE_REFERENCE_COUNT) == 1);
          }),
    QUERY(CL_DEVICE_AVAILABLE, available),
    QUERY(CL_DEVICE_BUILT_IN_KERNELS, no_built_in_kernels),
    QUERY(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, no_built_in_kernels),
};

/// CALDERA_TEST_PCI (features/layer.cpp) has this address; others are those of the machine.
void pci_bus(Fixture& f) {
    const auto found = answer<cl_device_pci_bus_info_khr>(f, CL_DEVICE_PCI_BUS_INFO_KHR);
    CHECK(found.pci_device < 32);
    CHECK(found.pci_function < 8);
    if (!std::getenv("CALDERA_TEST_PCI")) return;
    CHECK(found.pci_domain == 0x10000);
    CHECK(found.pci_bus == 0x65);
    CHECK(found.pci_device == 3);
    CHECK(found.pci_function == 1);
}

/// Those that a call answers, of all that headers may name.
template <class Get, class Handle>
std::vector<cl_uint> answered(Get get, Handle handle) {
    std::vector<cl_uint> out;
    for (cl_uint query = 0; query < 0x10000; ++query) {
        size_t bytes = 0;
        const cl_int code = get(handle, query, 0, nullptr, &bytes);
        CHECK((code == CL_SUCCESS || code == CL_INVALID_VALUE));
        if (code == CL_SUCCESS) out.push_back(query);
    }
    return out;
}

/// Each query that is answered has one row, and each row is of such a query. Rows that share a use run it
/// once.
void use_all(const std::vector<cl_uint>& queries, const std::vector<Query>& rows) {
    std::set<cl_uint> used;
    std::set<void (*)(Fixture&)> done;
    for (const Query& row : rows) {
        INFO(std::string(row.spelling));
        CHECK(used.insert(row.name).second);
        CHECK(std::ranges::count(queries, row.name) == 1);
        if (!done.insert(row.use).second) continue;
        Fixture f;
        CHECK_NOTHROW(row.use(f));  // a row that fails hides no other
    }
    for (const cl_uint query : queries) {
        INFO(query);
        CHECK_MESSAGE(used.contains(query), "nothing uses what it answers");
    }
}

}  // namespace

TEST_CASE("4.1 what the platform claims in answers is used") {
    use_all(answered(clGetPlatformInfo, platform()),
            {std::begin(kPlatformQueries), std::end(kPlatformQueries)});
}

TEST_CASE("4.2 what a device claims in answers is used") {
    std::vector<Query> rows(std::begin(kDeviceQueries), std::end(kDeviceQueries));
    for (const std::span<const Query> more : {launch_queries(), language_queries(), memory_queries(),
                                              image_queries(), queue_queries(), arithmetic_queries()})
        rows.insert(rows.end(), more.begin(), more.end());
    if (has_extension(Fixture(), "cl_khr_pci_bus_info"))
        rows.push_back(QUERY(CL_DEVICE_PCI_BUS_INFO_KHR, pci_bus));
    use_all(answered(clGetDeviceInfo, device()), rows);
}

}  // namespace caldera::driver_test
