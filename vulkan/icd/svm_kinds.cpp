// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/svm_kinds.h"

#include <array>

#include "vulkan/icd/device.h"

namespace caldera::icd {
namespace {

using Capabilities = cl_svm_capabilities_khr;
using enum SvmKind;

constexpr std::array kKinds = {CoarseBuffer, FineBuffer, SvmKind::Device, Host, Shared, System};

constexpr Capabilities kHostReadWrite = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR;
constexpr Capabilities kConcurrentAtomics =
    CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR | CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR;
/// All kinds: a kernel finds any allocation by a pointer that it reads from memory.
constexpr Capabilities kDeviceAccess =
    CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
    CL_SVM_CAPABILITY_DEVICE_WRITE_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
/// Memory that belongs to no device.
constexpr Capabilities kOfContext =
    CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR;

/// What cl_intel_unified_shared_memory calls by its own names.
Capabilities translated(cl_device_unified_shared_memory_capabilities_intel has) {
    Capabilities out = 0;
    if (has & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL) out |= kDeviceAccess;
    if (has & CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL) out |= CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR;
    if (has & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL)
        out |= CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR;
    if (has & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL)
        out |= CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR;
    return out;
}

Capabilities of_buffers(cl_device_svm_capabilities has, SvmKind kind) {
    constexpr Capabilities kAll = kDeviceAccess | kOfContext | CL_SVM_CAPABILITY_HOST_MAP_KHR |
                                  CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR;
    if (kind == CoarseBuffer) return has & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER ? kAll : 0;
    const bool has_kind =
        has & (kind == FineBuffer ? CL_DEVICE_SVM_FINE_GRAIN_BUFFER : CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    if (!has_kind) return 0;
    return kAll | kHostReadWrite | CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR |
           (has & CL_DEVICE_SVM_ATOMICS ? kConcurrentAtomics : 0) |
           (kind == System ? CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR : 0);
}

/// A map of memory that the host accesses anyway does nothing.
constexpr Capabilities kHostMemory = kHostReadWrite | CL_SVM_CAPABILITY_HOST_MAP_KHR;

}  // namespace

Capabilities capabilities(icd::Device& device, SvmKind kind) {
    const auto with = [&](cl_device_info query, Capabilities more) {
        const Capabilities has = translated(device.usm_capabilities(query));
        return has ? has | more : 0;
    };
    switch (kind) {
        case CoarseBuffer:
        case FineBuffer:
        case System: return of_buffers(device.svm_capabilities(), kind);
        case SvmKind::Device:
            return with(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, CL_SVM_CAPABILITY_DEVICE_OWNED_KHR);
        case Host:
            return with(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
                        kHostMemory | kOfContext | CL_SVM_CAPABILITY_HOST_OWNED_KHR);
        case Shared: return with(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, kHostMemory);
    }
    return 0;
}

bool has_pointers(icd::Device& device) {
    return capabilities(device, SvmKind::Device) != 0 || capabilities(device, CoarseBuffer) != 0;
}

std::vector<SvmType> svm_types(const Platform& platform) {
    std::vector<SvmType> types;
    for (const SvmKind kind : kKinds) {
        Capabilities common = 0;
        for (const auto& device : platform.devices)
            if (const Capabilities has = capabilities(*device, kind)) common = common ? common & has : has;
        if (common) types.push_back({kind, common});
    }
    return types;
}

std::vector<Capabilities> type_capabilities(const Platform& platform) {
    std::vector<Capabilities> out;
    for (const SvmType& type : svm_types(platform)) out.push_back(type.capabilities);
    return out;
}

std::vector<Capabilities> type_capabilities(icd::Device& device) {
    std::vector<Capabilities> out;
    for (const SvmType& type : svm_types(platform())) out.push_back(capabilities(device, type.kind));
    return out;
}

}  // namespace caldera::icd
