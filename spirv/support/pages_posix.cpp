// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include "spirv/support/pages.h"

namespace caldera {

uint64_t page_bytes() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }

static void* map_at(uint64_t address, uint64_t size_bytes, int access) {
    void* const wanted = reinterpret_cast<void*>(address);
    void* const found = mmap(wanted, size_bytes, access,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (found == wanted) return found;
    if (found != MAP_FAILED) munmap(found, size_bytes);  // Linux before 4.17 treats the address as a hint
    return nullptr;
}

void* map_pages(uint64_t address, uint64_t size_bytes) {
    return map_at(address, size_bytes, PROT_READ | PROT_WRITE);
}
void* reserve_pages(uint64_t address, uint64_t size_bytes) { return map_at(address, size_bytes, PROT_NONE); }

void unmap_pages(void* pages, uint64_t size_bytes) { munmap(pages, size_bytes); }

}  // namespace caldera
