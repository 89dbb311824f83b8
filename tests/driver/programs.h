// SPDX-License-Identifier: Apache-2.0
// Programs from source, their logs and their binaries.
#pragma once

#include <string>
#include <vector>

#include "tests/driver/fixture.h"

namespace caldera::driver_test {

inline cl_program from_source(const Fixture& f, const char* source) {
    cl_int code = 1;
    cl_program program = clCreateProgramWithSource(f.context, 1, &source, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    return program;
}

inline std::string log_of(cl_program program) {
    return text(clGetProgramBuildInfo, program, device(), CL_PROGRAM_BUILD_LOG);
}

inline std::vector<unsigned char> binary_of(cl_program program) {
    const auto size = info<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
    std::vector<unsigned char> binary(size);
    unsigned char* pointer = binary.data();
    REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr) == CL_SUCCESS);
    return binary;
}

}  // namespace caldera::driver_test
