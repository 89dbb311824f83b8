// SPDX-License-Identifier: Apache-2.0
// Queries of the platform and of a device as claims: each has a use that needs what the answer says.
// queries_test.cpp looks for queries that the driver answers and no row uses.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "tests/driver/fixture.h"

namespace caldera::driver_test {

struct Query {
    cl_uint name = 0;
    const char* spelling = nullptr;
    void (*use)(Fixture& f) = nullptr;
};
#define QUERY(name, ...) \
    { name, #name, __VA_ARGS__ }

/// Queries of devices, one file for each of these.
std::span<const Query> launch_queries();
std::span<const Query> language_queries();
std::span<const Query> memory_queries();
std::span<const Query> image_queries();
std::span<const Query> queue_queries();
std::span<const Query> arithmetic_queries();

template <class T>
T answer(const Fixture& f, cl_device_info query) {
    return info<T>(clGetDeviceInfo, f.the_device, query);
}
inline std::string text_answer(const Fixture& f, cl_device_info query) {
    return text(clGetDeviceInfo, f.the_device, query);
}
template <class T, class Get, class Handle>
std::vector<T> list(Get get, Handle handle, cl_uint query) {
    size_t bytes = 0;
    REQUIRE(get(handle, query, 0, nullptr, &bytes) == CL_SUCCESS);
    REQUIRE(bytes % sizeof(T) == 0);
    std::vector<T> out(bytes / sizeof(T));
    if (bytes != 0) REQUIRE(get(handle, query, bytes, out.data(), nullptr) == CL_SUCCESS);
    return out;
}
template <class T>
std::vector<T> list_answer(const Fixture& f, cl_device_info query) {
    return list<T>(clGetDeviceInfo, f.the_device, query);
}
inline bool has_extension(const Fixture& f, const std::string& name) {
    return (" " + text_answer(f, CL_DEVICE_EXTENSIONS) + " ").find(" " + name + " ") != std::string::npos;
}

using Size3 = std::array<size_t, 3>;
inline cl_int launch(const Fixture& f, cl_kernel kernel, const Size3& global, const Size3& local) {
    return clEnqueueNDRangeKernel(f.queue, kernel, 3, nullptr, global.data(), local.data(), 0, nullptr,
                                  nullptr);
}

/// The kernel `test` of a program, whose first argument is a buffer of 16 ints, zeros at first.
struct Test {
    Test(Fixture& fixture, const std::string& source, const char* options = "-cl-std=CL3.0")
        : f(fixture), kernel(f.make_kernel(source, "test", options)) {
        std::array<cl_int, 16> zeros = {};
        out = f.make_buffer(sizeof zeros, zeros.data());
        REQUIRE(set(kernel, 0, out) == CL_SUCCESS);
    }
    /// Sets the arguments behind the first.
    template <class... Values>
    Test& with(const Values&... values) {
        cl_uint index = 0;
        for (const cl_int code : {CL_SUCCESS, set(kernel, ++index, values)...}) REQUIRE(code == CL_SUCCESS);
        return *this;
    }
    std::vector<cl_int> run(const Size3& local = {1, 1, 1}, size_t groups = 1) {
        REQUIRE(launch(f, kernel, {local[0] * groups, local[1], local[2]}, local) == CL_SUCCESS);
        return f.read<cl_int>(out, 16);
    }

    Fixture& f;
    cl_kernel kernel = nullptr;
    cl_mem out = nullptr;
};

}  // namespace caldera::driver_test
