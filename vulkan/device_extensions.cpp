// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_extensions.h"

#include <initializer_list>

namespace caldera {

frontend::ExtSet device_extensions(const vulkan::DeviceProfile& profile) {
    using enum frontend::Ext;
    frontend::ExtSet set = frontend::ExtSet::all();
    auto only_if = [&](bool offered, std::initializer_list<frontend::Ext> rows) {
        if (offered) return;
        for (frontend::Ext row : rows) set.set(row, false);
    };
    only_if(profile.float16, {Fp16});
    only_if(false, {MipmapImage, MipmapImageWrites, GlMsaaSharing});
    only_if(false, {Fp16GlobalAtomicAdd, Fp16GlobalAtomicLoadStore, Fp16GlobalAtomicMinMax,
                    Fp16LocalAtomicAdd, Fp16LocalAtomicLoadStore, Fp16LocalAtomicMinMax});
    // A device's clock is the same for all work-items of a work-group.
    only_if(profile.device_clock, {KernelClockDevice, KernelClockWorkGroup});
    only_if(profile.subgroup_clock, {KernelClockSubGroup});
    only_if(profile.device_clock || profile.subgroup_clock, {KernelClock});
    only_if(vulkan::has_double(profile), {Fp64, FeatureFp64});
    only_if(profile.buffer_device_address, {DeviceEnqueue});  // what a block captures is found by an address
    const bool int64_atomics = profile.int64 && profile.buffer_int64_atomics && profile.shared_int64_atomics;
    only_if(int64_atomics, {Int64BaseAtomics, Int64ExtendedAtomics});
    only_if(vulkan::has_double(profile) && int64_atomics,
            {Fp64GlobalAtomicAdd, Fp64GlobalAtomicMinMax, Fp64LocalAtomicAdd, Fp64LocalAtomicMinMax});
    // Vulkan does not guarantee that one sub-group makes progress while another waits for it
    // (CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), and this extension does. __opencl_c_subgroups has
    // the same functions.
    only_if(false, {Subgroups});
    only_if(profile.subgroups,
            {SubgroupBallot, SubgroupClusteredReduce, SubgroupNonUniformArithmetic, SubgroupNonUniformVote,
             SubgroupRotate, SubgroupShuffleRelative, SubgroupShuffle, IntelSubgroups, IntelSubgroupsChar,
             IntelSubgroupsShort, IntelSubgroupsLong});
    // A device of one size has none to choose. Where programs see this name, they require the sizes of
    // Intel's devices without asking.
    only_if(vulkan::required_subgroup_sizes(profile).size() > 1, {IntelRequiredSubgroupSize});
    return set;
}

frontend::ExtSet offline_extensions(const vulkan::DeviceProfile& profile) {
    using enum frontend::Ext;
    frontend::ExtSet set = device_extensions(profile);
    if (!profile.buffer_device_address)
        for (const frontend::Ext row :
             {Images, FeatureImageWrites3D, ReadWriteImages, ImageWrites3D, DepthImages})
            set.set(row, false);
    return set;
}

}  // namespace caldera
