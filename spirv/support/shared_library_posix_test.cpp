// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/shared_library.h"

#include <dlfcn.h>
#include <doctest/doctest.h>

using namespace caldera;

TEST_CASE("a library that is loaded can be kept, and one that is not stays so") {
    const char* const name = "libthread_db.so.1";  // the C library brings it along, and no program needs it
    const auto is_loaded = [&] {
        void* library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
        if (library) dlclose(library);
        return library != nullptr;
    };
    keep_library(name);
    REQUIRE(!is_loaded());
    void* library = dlopen(name, RTLD_LAZY);
    if (!library) return;  // another C library
    CHECK(is_loaded());
    dlclose(library);
    REQUIRE(!is_loaded());
    library = dlopen(name, RTLD_LAZY);
    keep_library(name);
    dlclose(library);
    CHECK(is_loaded());
}
