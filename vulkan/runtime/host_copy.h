// SPDX-License-Identifier: Apache-2.0
// copy_bytes: memcpy by several threads where there are many bytes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace caldera::runtime {

/// Between memory that does not overlap. A large copy is shared by threads: one reaches a third of what the memory can do.
void copy_bytes(std::byte* to, const std::byte* from, uint64_t size);

}  // namespace caldera::runtime
