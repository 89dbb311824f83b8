// SPDX-License-Identifier: Apache-2.0
#include "tests/evaluation/bench/contestant.h"

namespace caldera::bench {

Result<std::unique_ptr<OpenCl>> OpenCl::open(const std::string&) {
    return Error{.message = "OpenCL was not found when Caldera was configured"};
}

}  // namespace caldera::bench
