// SPDX-License-Identifier: Apache-2.0
// Who runs the kernels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "program.h"
#include "spirv/support/result.h"

namespace caldera::float_order {

/// The producer of the modules that are translated to Vulkan.
enum class Input : uint8_t { Ours, Clang0, Clang2 };
inline constexpr const char* kInputNames[] = {"ours", "clang -O0", "clang -O2"};

class Executor {
 public:
    virtual ~Executor() = default;
    virtual std::string name() const = 0;
    virtual bool has(Kind kind) const = 0;  ///< half or double
    virtual Denormals denormals() const = 0;
    /// The contents of each buffer in program.stored, which has `slots` of them times kItems * kMaxWidth
    /// numbers.
    virtual Result<std::vector<std::vector<std::byte>>> run(const Program& program,
                                                            const std::vector<uint32_t>& slots,
                                                            Input input) = 0;
};

struct VulkanOptions {
    bool descriptors = false;
    bool offline = false;  ///< modules as --target=vulkan1.2 makes them, which know nothing of the device
    bool promised_fma =
        false;  ///< they take its Fma for one that rounds once, whether a probe found that or not
};
Result<std::unique_ptr<Executor>> open_vulkan(const VulkanOptions& options);
/// The first device of the system's first OpenCL platform.
Result<std::unique_ptr<Executor>> open_opencl();

/// The table from which kernels load numbers of this kind, as it lies in memory.
std::vector<std::byte> table_bytes(Kind kind);

}  // namespace caldera::float_order
