// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include "spirv/support/pages.h"

namespace caldera {

/// Reservations begin at multiples of 64 KiB, larger than a page.
uint64_t page_bytes() {
    SYSTEM_INFO info = {};
    GetSystemInfo(&info);
    return info.dwAllocationGranularity;
}

void* map_pages(uint64_t address, uint64_t size_bytes) {
    return VirtualAlloc(reinterpret_cast<void*>(address), size_bytes, MEM_RESERVE | MEM_COMMIT,
                        PAGE_READWRITE);
}

void* reserve_pages(uint64_t address, uint64_t size_bytes) {
    return VirtualAlloc(reinterpret_cast<void*>(address), size_bytes, MEM_RESERVE, PAGE_NOACCESS);
}

void unmap_pages(void* pages, uint64_t) { VirtualFree(pages, 0, MEM_RELEASE); }

}  // namespace caldera
