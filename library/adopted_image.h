// SPDX-License-Identifier: Apache-2.0
// Which images a kernel's argument takes.
#pragma once

#include <map>
#include <span>
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

/// Whether a number that an application gave is that of a shape.
Result<Done> check_shape(ImageShape shape);
/// Whether the argument takes this image of the application; no error where it is of a kind that
/// runtime::Kernel declines.
Result<Done> check_view(const AdoptedView& view, const ArgumentOf& of);
/// Whether the device can filter the view's texels as the literal samplers do with which the kernel reads it.
Result<Done> check_literals(const AdoptedView& view, const ArgumentOf& of);
/// Whether a sampler of these SamplerBits can filter what the kernel reads with it: not integers.
Result<Done> check_sampler(uint32_t bits, const ArgumentOf& of);
/// The same of views and samplers that are arguments both. `arguments`: what the kernel keeps of each.
/// `samplers`: the SamplerBits of those that are set, by the number of the argument.
Result<Done> check_samplings(const KernelInterface& kernel, std::span<const Kept> arguments,
                             const std::map<uint32_t, uint32_t>& samplers);
/// Whether the argument takes an image that is memory.
Result<Done> check_memory(const ImageOptions& image, const ArgumentOf& of);

}  // namespace caldera::detail
