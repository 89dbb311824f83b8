// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <link.h>

#include "spirv/support/shared_library.h"

namespace caldera {

void* load_library(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

void* function_in(void* library, const char* name) { return dlsym(library, name); }

bool stay_loaded() {
    Dl_info info = {};
    link_map* map = nullptr;
    if (dladdr1(reinterpret_cast<const void*>(&stay_loaded), &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0)
        return false;
    if (*map->l_name == '\0') return true;  // the program itself
    return dlopen(map->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
}

void* hold_own_library() {
    Dl_info info = {};
    if (dladdr(reinterpret_cast<const void*>(&hold_own_library), &info) == 0) return nullptr;
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

void give_back_own_library(void* handle) { dlclose(handle); }

}  // namespace caldera
