// SPDX-License-Identifier: Apache-2.0
// copy_bytes: memcpy, with several threads for large sizes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace caldera::runtime {

/// The memory must not overlap. Several threads share a large copy, because one thread reaches a third of the
/// memory's bandwidth.
void copy_bytes(std::byte* to, const std::byte* from, uint64_t size);

}  // namespace caldera::runtime
