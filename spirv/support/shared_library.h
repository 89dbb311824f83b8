// SPDX-License-Identifier: Apache-2.0
// Shared libraries at run time: others, and the one that this code is in.
#pragma once

namespace caldera {

/// Loads a library of the system for the rest of the process. Null if there is none.
void* load_library(const char* name);

/// Keeps a library of the system loaded for the rest of the process if it is loaded now.
void keep_library(const char* name);

/// Null if the library has no such function.
void* function_in(void* library, const char* name);

/// A library may end its threads while it is unloaded. On Windows they could not end: the loader holds its
/// lock then, and an ending thread takes it.
#if defined(_WIN32)
inline constexpr bool kMayEndThreadsInUnload = false;
#else
inline constexpr bool kMayEndThreadsInUnload = true;
#endif

/// Keeps the library that contains this code in memory until the process ends. Returns false if it may still
/// be unloaded.
bool stay_loaded();

/// Keeps the library that contains this code in memory until the handle is given back. Null if it cannot.
void* hold_own_library();
void give_back_own_library(void* handle);

}  // namespace caldera
