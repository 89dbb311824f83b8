// SPDX-License-Identifier: Apache-2.0
// Programs from source, their logs and their binaries.
#pragma once

#include <cstring>
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

inline cl_program build_module(Fixture& f, const std::vector<cl_uint>& words) {
    cl_int code = 1;
    cl_program program = clCreateProgramWithIL(f.context, words.data(), words.size() * 4, &code);
    REQUIRE(code == CL_SUCCESS);
    f.programs.push_back(program);
    code = clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr);
    const std::string log = log_of(program);
    REQUIRE_MESSAGE(code == CL_SUCCESS, log);
    return program;
}

inline std::vector<unsigned char> binary_of(cl_program program) {
    const auto size = info<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
    std::vector<unsigned char> binary(size);
    unsigned char* pointer = binary.data();
    REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr) == CL_SUCCESS);
    return binary;
}

/// The SPIR-V at the end of such a binary.
inline std::vector<cl_uint> module_in(const std::vector<unsigned char>& binary) {
    size_t at = 0;
    while (std::memcmp(binary.data() + at, "\x03\x02\x23\x07", 4) != 0) ++at;
    std::vector<cl_uint> words((binary.size() - at) / 4);
    std::memcpy(words.data(), binary.data() + at, words.size() * 4);
    return words;
}

}  // namespace caldera::driver_test
