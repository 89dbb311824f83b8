// SPDX-License-Identifier: Apache-2.0
#include "caldera/recording.h"

#include "library/objects.h"

namespace caldera {

using detail::Access;

KernelAccess kernel_access(const Kernel&) {
    return {.stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            .reads = VK_ACCESS_SHADER_READ_BIT,
            .writes = VK_ACCESS_SHADER_WRITE_BIT};
}

Result<Recording> Recording::create(const Device& device) {
    if (!device) return Error{.message = "there is no device to record for"};
    return Access::make<Recording>(device,
                                   std::make_unique<runtime::CommandRecording>(detail::opened(device)));
}

Result<Recorded> Recording::record(VkCommandBuffer_T* commands, const Kernel& kernel, const NDRange& range) {
    if (!impl_) return Error{.message = "there is no recording"};
    if (!kernel) return Error{.message = "there is no kernel to record"};
    auto& used = *Access::of(kernel);
    impl_->recording->keep(used.used());  // first: what is recorded must not be forgotten
    const Result<runtime::CommandRecording::Recorded> recorded =
        impl_->recording->record(commands, used.kernel, detail::plain(range));
    if (!recorded) return recorded.error();
    return Recorded{.dispatches = recorded->dispatches, .private_bytes = recorded->private_bytes};
}

void Recording::reset() {
    if (impl_) impl_->recording->reset();
}

}  // namespace caldera
