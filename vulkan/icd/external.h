// SPDX-License-Identifier: Apache-2.0
// Handles of memory and semaphores that other APIs and processes share (cl_khr_external_memory,
// cl_khr_external_semaphore).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vulkan/icd/context.h"
#include "vulkan/icd/handle_types.h"
#include "vulkan/icd/property_list.h"

namespace caldera::icd {

/// A set of types, as a device has them.
using HandleSet = VkFlags runtime::ExternalHandles::*;

/// The type with this number, if some device of the platform has it in its set. Otherwise null.
const HandleType* find_handle_type(std::span<const HandleType> all, cl_properties number, HandleSet set);
/// Whether a device of the context has a type in its set.
inline bool has_handle(const Context& context, size_t place, const HandleType& type, HandleSet set) {
    return context.places[place].device->info.external.*set & type.bit;
}
/// A handle that a program gave: a file descriptor.
inline int descriptor_of(const Property& property) { return static_cast<int>(property.value()); }

/// The code for what could not be imported: it may be that the handle is none.
cl_int import_code(const Error& error, cl_int otherwise);
template <class T>
T take_import(Result<T> result, cl_int otherwise) {
    if (result) return result.take();
    log(result.error());
    throw ApiError(import_code(result.error(), otherwise));
}

/// The memory of a handle, and for which devices it is.
struct ExternalMemory {
    VkExternalMemoryHandleTypeFlagBits type = {};
    int descriptor = -1;
    std::vector<size_t> places = {};

    /// Whether images are linear if their importer gives no pitch: some device takes them so.
    bool assumes_linear_images(const Context& context) const;
    /// A buffer for each device of the context, on that memory; none for the devices without it.
    std::vector<runtime::Buffer> import(const Context& context, uint64_t size_bytes) const;
};
/// What the properties of clCreateBufferWithProperties and clCreateImageWithProperties name. Throws
/// CL_INVALID_PROPERTY or CL_INVALID_DEVICE.
std::optional<ExternalMemory> external_memory(const Context& context, const PropertyList& properties);
/// How the lists of properties of memory objects are read.
inline PropertyList memory_properties(const cl_mem_properties* list) {
    return {list, {CL_MEM_DEVICE_HANDLE_LIST_KHR}};
}

}  // namespace caldera::icd
