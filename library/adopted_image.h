// SPDX-License-Identifier: Apache-2.0
// Which images a kernel's argument takes.
#pragma once

#include <string>

#include "library/objects.h"

namespace caldera::detail {

struct ArgumentOf {
    const KernelInterface& kernel;
    uint32_t index = 0;

    /// Null: the kernel has no such argument.
    const KernelArgument* argument() const {
        return index < kernel.arguments.size() ? &kernel.arguments[index] : nullptr;
    }
    std::string text() const;
};

/// Whether the argument takes this image of the application; no error where it is of a kind that
/// runtime::Kernel declines.
Result<Done> check_view(const AdoptedView& view, const ArgumentOf& of);
/// Whether the argument takes an image that is memory.
Result<Done> check_memory(const ImageOptions& image, const ArgumentOf& of);

}  // namespace caldera::detail
