// SPDX-License-Identifier: Apache-2.0
// ImageUses: which commands of several queues use an image, for the copies between its memory and its
// texture.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "vulkan/runtime/queue.h"

namespace caldera::icd {

/// How a command uses an image.
enum class ImageUse : uint8_t { ReadsMemory, WritesMemory, SamplesTexture, WritesTexture };
/// Where a copy of all texels goes.
enum class TexelsTo : uint8_t { Memory, Texture };

/// The uses of an image on one device. Commands of several queues may use parts of it at the same time, and
/// then know nothing of each other. But copies between its memory and its texture are of all texels: each
/// runs after the commands whose texels it takes or changes, in whatever queue, and before those that need
/// what it copied. Not thread-safe.
class ImageUses {
 public:
    /// What the queue records next is such a copy.
    void begin_copy(runtime::Queue& queue, TexelsTo to);
    /// It has been recorded.
    void end_copy(runtime::Queue& queue, TexelsTo to);
    /// Whether a copy to the texture would wait for other queues that may wait for the program. That may wait
    /// for this queue.
    bool may_wait_for_program(runtime::Queue& queue) const;

    /// What the queue records next uses the image so. Has memory for one call of end_use().
    void begin_use(runtime::Queue& queue, ImageUse use);
    /// It has been recorded.
    void end_use(runtime::Queue& queue, ImageUse use) noexcept;

 private:
    using Points = std::vector<runtime::QueuePoint>;  // one of each queue: its latest
    static void reserve(Points& points);
    static void add(Points& points, runtime::QueuePoint point) noexcept;

    Points writers_ = {};   // of memory or texture, since the latest copy
    Points samplers_ = {};  // of the texture, since the latest copy to it
    std::array<std::optional<runtime::QueuePoint>, 2> copies_ = {};  // behind the latest one, by TexelsTo
};

}  // namespace caldera::icd
