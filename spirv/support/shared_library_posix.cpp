// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <link.h>

#include <span>

#include "spirv/support/shared_library.h"

namespace caldera {
namespace {

/// For dl_iterate_phdr(), which begins with the program: 1 if `address` lies in it, else -1.
int lies_in_program(dl_phdr_info* program, size_t, void* address) {
    const auto at = reinterpret_cast<ElfW(Addr)>(address);
    for (const ElfW(Phdr) & part : std::span(program->dlpi_phdr, program->dlpi_phnum)) {
        const ElfW(Addr) from = program->dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && at >= from && at - from < part.p_memsz) return 1;
    }
    return -1;
}

void* open_own_library(int flags) {
    Dl_info info = {};
    if (dladdr(reinterpret_cast<const void*>(&open_own_library), &info) == 0) return nullptr;
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | flags);
}

}  // namespace

void* load_library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

void keep_library(const char* name) { dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); }

void* function_in(void* library, const char* name) { return dlsym(library, name); }

bool stay_loaded() {
    return dl_iterate_phdr(lies_in_program, reinterpret_cast<void*>(&stay_loaded)) == 1 ||
           open_own_library(RTLD_NODELETE) != nullptr;
}

void* hold_own_library() { return open_own_library(0); }

void give_back_own_library(void* handle) { dlclose(handle); }

}  // namespace caldera
