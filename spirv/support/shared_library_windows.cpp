// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include "spirv/support/shared_library.h"

namespace caldera {
namespace {

HMODULE own_library(DWORD flags) {
    HMODULE module = nullptr;
    const auto* here = reinterpret_cast<const wchar_t*>(&stay_loaded);
    GetModuleHandleExW(flags | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, here, &module);
    return module;
}

}  // namespace

/// From the system's folder alone: what lies beside the program, or in its working directory, is not the
/// system's.
void* load_library(const char* name) { return LoadLibraryExA(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32); }

void keep_library(const char* name) {
    HMODULE module = nullptr;
    GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_PIN, name, &module);
}

void* function_in(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

bool stay_loaded() { return own_library(GET_MODULE_HANDLE_EX_FLAG_PIN) != nullptr; }

void* hold_own_library() { return own_library(0); }

void give_back_own_library(void* handle) { FreeLibrary(static_cast<HMODULE>(handle)); }

}  // namespace caldera
