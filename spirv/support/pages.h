// SPDX-License-Identifier: Apache-2.0
// Memory of the host at a wanted address.
#pragma once

#include <cstdint>

namespace caldera {

/// What addresses and sizes of map_pages() are multiples of.
uint64_t page_bytes();

/// Zeros at exactly `address`. Null if something is there, or if the system refuses.
void* map_pages(uint64_t address, uint64_t size_bytes);
/// Likewise, but nobody can access the pages: they only take the addresses.
void* reserve_pages(uint64_t address, uint64_t size_bytes);
void unmap_pages(void* pages, uint64_t size_bytes);

}  // namespace caldera
