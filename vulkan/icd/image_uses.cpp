// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/image_uses.h"

#include <algorithm>
#include <utility>

#include "vulkan/icd/object.h"

namespace caldera::icd {

/// Those before the latest copy in one direction need not be known: each later copy runs after that one.
void ImageUses::begin_copy(runtime::Queue& queue, TexelsTo to) {
    queue.order();  // also after the queue's own commands that the next one need not wait for
    for (const runtime::QueuePoint& writer : writers_) take(queue.wait_for(writer));
    if (to == TexelsTo::Texture)
        for (const runtime::QueuePoint& sampler : samplers_) take(queue.wait_for(sampler));
    for (const std::optional<runtime::QueuePoint>& copy : copies_)
        if (copy) take(queue.wait_for(*copy));
}

void ImageUses::end_copy(runtime::Queue& queue, TexelsTo to) {
    copies_[static_cast<size_t>(to)] = queue.point();
    writers_.clear();
    if (to == TexelsTo::Texture) samplers_.clear();
}

bool ImageUses::may_wait_for_program(runtime::Queue& queue) const {
    const runtime::QueuePoint own = queue.point();
    const auto may_wait = [&](const runtime::QueuePoint& point) {
        return !point.is_of_same_queue(own) && point.may_wait_for_program();
    };
    return std::ranges::any_of(writers_, may_wait) || std::ranges::any_of(samplers_, may_wait);
}

/// Memory that a command writes need not wait for a copy from it: the texture is then older in any case. A
/// texture that a kernel writes waits for copies from it, because some devices compress texels in blocks, of
/// which the kernel may write a part.
void ImageUses::begin_use(runtime::Queue& queue, ImageUse use) {
    const bool is_texture = use == ImageUse::SamplesTexture || use == ImageUse::WritesTexture;
    const auto wait_for_copy = [&](TexelsTo to) {
        if (const auto& copy = copies_[static_cast<size_t>(to)]) take(queue.wait_for(*copy));
    };
    if (is_texture) wait_for_copy(TexelsTo::Texture);
    if (use != ImageUse::SamplesTexture) wait_for_copy(TexelsTo::Memory);
    if (use != ImageUse::ReadsMemory) reserve(use == ImageUse::SamplesTexture ? samplers_ : writers_);
}

void ImageUses::end_use(runtime::Queue& queue, ImageUse use) noexcept {
    if (use != ImageUse::ReadsMemory)
        add(use == ImageUse::SamplesTexture ? samplers_ : writers_, queue.point());
}

/// Queues that are gone have run what they were given.
void ImageUses::reserve(Points& points) {
    if (points.size() < points.capacity()) return;
    std::erase_if(points, [](const auto& point) { return point.is_of_queue_that_is_gone(); });
    points.reserve(points.size() + 4);
}

void ImageUses::add(Points& points, runtime::QueuePoint point) noexcept {
    const auto found =
        std::ranges::find_if(points, [&](const auto& one) { return one.is_of_same_queue(point); });
    if (found != points.end())
        *found = std::move(point);
    else
        points.push_back(std::move(point));
}

}  // namespace caldera::icd
