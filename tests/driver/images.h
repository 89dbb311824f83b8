// SPDX-License-Identifier: Apache-2.0
// Images that tests make.
#pragma once

#include <array>
#include <numeric>
#include <vector>

#include "tests/driver/fixture.h"

namespace caldera::driver_test {

using Size3 = std::array<size_t, 3>;
constexpr Size3 kOrigin = {0, 0, 0};
constexpr cl_image_format kRgba8 = {CL_RGBA, CL_UNSIGNED_INT8};

inline cl_mem make_image(Fixture& f, const cl_image_desc& desc, const cl_image_format& format,
                         void* host = nullptr, cl_mem_flags flags = 0) {
    cl_int code = 1;
    f.buffers.push_back(clCreateImage(f.context, flags | (host && !flags ? CL_MEM_COPY_HOST_PTR : 0), &format,
                                      &desc, host, &code));
    REQUIRE(code == CL_SUCCESS);
    return f.buffers.back();
}

inline std::vector<cl_uchar> counted(size_t size) {
    std::vector<cl_uchar> out(size);
    std::iota(out.begin(), out.end(), cl_uchar{1});
    return out;
}

}  // namespace caldera::driver_test
