// SPDX-License-Identifier: Apache-2.0
// SharedImage: the texture of Vulkan's that others share, behind an image in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "vulkan/runtime/queue.h"
#include "vulkan/runtime/shared_texture.h"

namespace caldera::icd {

class Storage;

/// The texture on one device, and where its texels belong in the bytes of the image.
struct SharedPlace {
    runtime::SharedTexture texture = {};
    runtime::TexelRows rows = {};
};

/// OpenCL has the texels as bytes of a storage, from each acquire to the next release. An acquire copies them
/// there, and a release copies them back if something has written since. Who records these commands holds an
/// ImageLock on the storage.
class SharedImage {
 public:
    /// By place of the context; without a texture where the device does not have the memory.
    explicit SharedImage(std::vector<SharedPlace> places) : places_(std::move(places)) {}

    /// The queue of a place acquires these next. Storage::end_write() follows.
    runtime::SharedTexels acquired(Storage& storage, size_t place, runtime::Queue& queue);
    /// It releases these next.
    runtime::SharedTexels released(Storage& storage, size_t place, runtime::Queue& queue);

 private:
    std::vector<SharedPlace> places_;
    uint64_t known_writes_ = ~uint64_t{0};  // Storage::writes() when texture and bytes were the same
};

}  // namespace caldera::icd
