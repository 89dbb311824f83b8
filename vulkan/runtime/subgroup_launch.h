// SPDX-License-Identifier: Apache-2.0
// How kernels with sub-groups are launched on a device.
#pragma once

#include <cstdint>

namespace caldera::runtime {

/// How kernels that ask for sub-groups are launched.
struct SubgroupLaunch {
    uint32_t size = 1;
    /// The device has several sizes: this one is to be required, for work-groups of up to so many sub-groups.
    /// 0: it need not.
    uint32_t max_required = 0;
};

}  // namespace caldera::runtime
