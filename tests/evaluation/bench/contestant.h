// SPDX-License-Identifier: Apache-2.0
// Contestant: one way of running a problem's kernel. There are three: ours, the GLSL twin, and OpenCL.
#pragma once

#include <memory>
#include <string>

#include "spirv/support/result.h"
#include "tests/evaluation/bench/problem.h"

namespace caldera::bench {

class Contestant {
 public:
    virtual ~Contestant() = default;
    virtual Result<Done> write_inputs() = 0;
    virtual Result<uint64_t> run() = 0;  ///< once, and waits; nanoseconds by the device's clock
    virtual Result<Done> read(uint32_t argument, std::span<std::byte> bytes) = 0;
};

/// The system's OpenCL, where it was found when Caldera was configured.
class OpenCl {
 public:
    /// The device whose name or platform's name contains `select`; when that is empty the first GPU, else any
    /// other.
    static Result<std::unique_ptr<OpenCl>> open(const std::string& select);
    virtual ~OpenCl() = default;
    virtual const std::string& name() const = 0;
    /// `problem` must outlive what is made.
    virtual Result<std::unique_ptr<Contestant>> prepare(const KernelSource& source, const Problem& problem,
                                                        const std::string& build_options) = 0;
};

}  // namespace caldera::bench
