// SPDX-License-Identifier: Apache-2.0
// Handles that properties name.
#include "vulkan/icd/external.h"

#include <algorithm>

namespace caldera::icd {

const HandleType* find_handle_type(std::span<const HandleType> all, cl_properties number, HandleSet set) {
    const auto found = std::ranges::find(all, number, &HandleType::type);
    if (found == all.end()) return nullptr;
    const auto has = [&](const auto& device) { return (device->info.external.*set & found->bit) != 0; };
    return std::ranges::any_of(platform().devices, has) ? &*found : nullptr;
}

cl_int import_code(const Error& error, cl_int otherwise) {
    // The conformance suite wants this code, which the specification does not name.
    return error.code == VK_ERROR_INVALID_EXTERNAL_HANDLE ? CL_INVALID_VALUE : code_of(error, otherwise);
}

bool ExternalMemory::assumes_linear_images(const Context& context) const {
    return !std::ranges::all_of(places, [&](size_t place) {
        return context.places[place].device->info.external.optimal_images & type;
    });
}

std::vector<runtime::Buffer> ExternalMemory::import(const Context& context, uint64_t size_bytes) const {
    std::vector<runtime::Buffer> buffers(context.places.size());
    for (const size_t place : places)
        buffers[place] =
            take_import(runtime::Buffer::import(*context.places[place].opened, size_bytes, type, descriptor),
                        CL_MEM_OBJECT_ALLOCATION_FAILURE);
    return buffers;
}

std::optional<ExternalMemory> external_memory(const Context& context, const PropertyList& properties) {
    constexpr HandleSet kSet = &runtime::ExternalHandles::memory_imports;
    ExternalMemory memory;
    const HandleType* type = nullptr;
    const Property* devices = nullptr;
    for (const Property& property : properties.properties()) {
        if (property.name == CL_MEM_DEVICE_HANDLE_LIST_KHR) {
            devices = &property;
            continue;
        }
        require(!type, CL_INVALID_PROPERTY);  // one handle
        type = find_handle_type(kMemoryHandles, property.name, kSet);
        require(type, CL_INVALID_PROPERTY);
        memory.descriptor = descriptor_of(property);
    }
    require(type || !devices, CL_INVALID_PROPERTY);
    if (!type) return std::nullopt;
    memory.type = static_cast<VkExternalMemoryHandleTypeFlagBits>(type->bit);
    if (devices) memory.places = listed_places(context, devices->values);
    require(!devices || !memory.places.empty(), CL_INVALID_DEVICE);
    for (size_t place = 0; !devices && place < context.places.size(); ++place) memory.places.push_back(place);
    for (const size_t place : memory.places)
        require(has_handle(context, place, *type, kSet), CL_INVALID_DEVICE);
    return memory;
}

}  // namespace caldera::icd
