// SPDX-License-Identifier: Apache-2.0
#include "caldera/recording.h"

#include "library/adopted_image.h"
#include "library/objects.h"
#include "spirv/support/try.h"

namespace caldera {

using detail::Access;

KernelAccess kernel_access(const Kernel&) {
    return {.stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            .reads = VK_ACCESS_SHADER_READ_BIT,
            .writes = VK_ACCESS_SHADER_WRITE_BIT};
}

std::vector<ImageAccess> image_access(const Kernel& kernel) {
    std::vector<ImageAccess> accesses;
    if (!kernel) return accesses;
    const auto& impl = Access::of(kernel);
    const std::vector<KernelArgument>& arguments = impl->kernel.interface().arguments;
    for (uint32_t i = 0; i < arguments.size(); ++i) {
        const bool is_sampled = arguments[i].kind == ArgumentKind::SampledImage;
        if ((!is_sampled && arguments[i].kind != ArgumentKind::StorageImage) || !impl->arguments[i]) continue;
        // Kernel::set() keeps nothing else for such an argument.
        const auto& image = Access::image_of(impl->arguments[i]);
        const bool is_read = arguments[i].access != ArgumentAccess::WriteOnly;
        accesses.push_back({.argument = i,
                            .image = image.view->image,
                            .layout = static_cast<uint32_t>(image.view->vulkan.layout),
                            .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            .reads = is_read ? uint32_t{VK_ACCESS_SHADER_READ_BIT} : 0u,
                            .writes = is_sampled ? 0u : uint32_t{VK_ACCESS_SHADER_WRITE_BIT}});
    }
    return accesses;
}

Result<Recording> Recording::create(const Device& device) {
    if (!device) return Error{.message = "there is no device to record for"};
    return Access::make<Recording>(device,
                                   std::make_unique<runtime::CommandRecording>(detail::opened(device)));
}

Result<Recorded> Recording::record(VkCommandBuffer_T* commands, const Kernel& kernel, const NDRange& range) {
    TRY(detail::check_usable(*this, kernel, "kernel"));
    auto& used = *Access::of(kernel);
    TRY(detail::check_samplings(used.kernel.interface(), used.arguments, used.samplers));
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
