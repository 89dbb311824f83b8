// SPDX-License-Identifier: Apache-2.0
// Types of shared memory that programs choose by what they can do (cl_khr_unified_svm).
#include <algorithm>
#include <bit>
#include <climits>
#include <optional>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/property_list.h"
#include "vulkan/icd/shared_allocation.h"

namespace caldera::icd {
namespace {

using Capabilities = cl_svm_capabilities_khr;

struct Wish {
    cl_device_id device = nullptr;
    cl_svm_alloc_access_flags_khr access = 0;
    size_t alignment = 0;
    std::vector<cl_svm_alloc_properties_khr> all = {};
};

/// Throws CL_INVALID_PROPERTY for a name or a value that the extension does not know.
Wish checked_wish(const Context& context, const cl_svm_alloc_properties_khr* list) {
    constexpr cl_svm_alloc_access_flags_khr kAccess =
        CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR |
        CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;
    const PropertyList properties(list, {});
    Wish wish{.all = properties.all()};
    for (const Property& property : properties.properties()) {
        const cl_properties value = property.value();
        switch (property.name) {
            case CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR:
                wish.device = reinterpret_cast<cl_device_id>(value);
                require(!wish.device ||
                            std::ranges::count(context.places, wish.device, &Context::Place::device) != 0,
                        CL_INVALID_PROPERTY);
                break;
            case CL_SVM_ALLOC_ACCESS_FLAGS_KHR:
                require(!(value & ~kAccess), CL_INVALID_PROPERTY);
                wish.access = value;
                break;
            case CL_SVM_ALLOC_ALIGNMENT_KHR:
                require(value == 0 || std::has_single_bit(value), CL_INVALID_PROPERTY);
                require(value <= kLargestAlignment, CL_INVALID_PROPERTY);
                wish.alignment = value;
                break;
            default: throw ApiError(CL_INVALID_PROPERTY);
        }
    }
    return wish;
}

/// What all devices of the context that have the kind can do.
Capabilities common_capabilities(const Context& context, SvmKind kind) {
    Capabilities common = 0;
    for (const size_t place : places_with(context, kind)) {
        const Capabilities has = capabilities(*context.places[place].device, kind);
        common = common ? common & has : has;
    }
    return common;
}

}  // namespace

/// The system's memory needs no allocation; one of that type is memory like the rest of the system's.
void* CL_API_CALL SVMAllocWithPropertiesKHR(cl_context handle, const cl_svm_alloc_properties_khr* properties,
                                            cl_uint index, size_t size, cl_int* code_ret) {
    return make(code_ret, [&]() -> void* {
        Context& context = checked(handle);
        const std::vector<SvmType> types = svm_types(platform());
        require(index < types.size(), CL_INVALID_VALUE);
        const SvmKind kind = types[index].kind;
        Wish wish = checked_wish(context, properties);
        const bool needs_device = !(types[index].capabilities & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR);
        require(wish.device || !needs_device, CL_INVALID_PROPERTY);
        const size_t place = place_for(context, kind, wish.device);
        if (size == 0) return nullptr;
        SharedAllocation wanted{.kind = kind, .size = size, .device = wish.device, .place = place};
        wanted.access = wish.access;
        wanted.properties = std::move(wish.all);
        check_size(context, wanted);
        return allocate(context, std::move(wanted), wish.alignment);
    });
}

cl_int CL_API_CALL SVMFreeWithPropertiesKHR(cl_context handle, const cl_svm_free_properties_khr* properties,
                                            cl_svm_free_flags_khr flags, void* pointer) {
    return entry([&] {
        Context& context = checked(handle);
        require(!properties || *properties == 0, CL_INVALID_PROPERTY);
        require(flags == 0, CL_INVALID_VALUE);
        require(!pointer || free_when_over(context, pointer), CL_INVALID_VALUE);
    });
}

/// Allocations of clSVMAlloc and of cl_intel_unified_shared_memory have types too.
cl_int CL_API_CALL GetSVMPointerInfoKHR(cl_context handle, cl_device_id device, const void* pointer,
                                        cl_svm_pointer_info_khr name, size_t size, void* value,
                                        size_t* size_ret) {
    return entry([&] {
        const Context& context = checked(handle);
        if (device) context.place_of(checked(device));
        const SharedHeap::Item item = context.heap.find(pointer);
        const SharedAllocation self = item ? *item : SharedAllocation{};
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_SVM_INFO_TYPE_INDEX_KHR: {
                const std::vector<SvmType> types = svm_types(platform());
                const auto found = std::ranges::find(types, self.kind, &SvmType::kind);
                const bool is_found = item && found != types.end();
                return answer.put(is_found ? static_cast<cl_uint>(found - types.begin()) : CL_UINT_MAX);
            }
            case CL_SVM_INFO_CAPABILITIES_KHR: {
                cl_device_id const asked = device ? device : self.device;
                if (!item) return answer.put(Capabilities{0});
                return answer.put(asked ? capabilities(*asked, self.kind)
                                        : common_capabilities(context, self.kind));
            }
            case CL_SVM_INFO_PROPERTIES_KHR: return answer.put_all(self.properties);
            case CL_SVM_INFO_ACCESS_FLAGS_KHR: return answer.put(self.access);
            case CL_SVM_INFO_BASE_PTR_KHR: return answer.put<void*>(self.base);
            case CL_SVM_INFO_SIZE_KHR: return answer.put(self.size);
            case CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR: return answer.put(self.device);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

/// Among the types that have what is required, the first of those that have most of what is desired.
cl_int CL_API_CALL GetSVMSuggestedTypeIndexKHR(cl_context handle, Capabilities required, Capabilities desired,
                                               const cl_svm_alloc_properties_khr* properties, size_t,
                                               cl_uint* suggested) {
    return entry([&] {
        const Context& context = checked(handle);
        const Wish wish = checked_wish(context, properties);
        require(suggested, CL_INVALID_VALUE);
        const std::vector<SvmType> types = svm_types(platform());
        cl_uint best = CL_UINT_MAX;
        int most = -1;
        for (cl_uint i = 0; i < types.size(); ++i) {
            const SvmKind kind = types[i].kind;
            const Capabilities has =
                wish.device ? capabilities(*wish.device, kind) : common_capabilities(context, kind);
            if (has == 0 || required & ~has) continue;
            const int count = std::popcount(has & desired);
            if (count > most) most = count, best = i;
        }
        *suggested = best;
    });
}

}  // namespace caldera::icd
