// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/shared_image.h"

#include "vulkan/icd/memory.h"

namespace caldera::icd {

/// Others may have written to all texels.
runtime::SharedTexels SharedImage::acquired(Storage& storage, size_t place, runtime::Queue& queue) {
    const runtime::Buffer& bytes = storage.newest_on(place, queue);
    known_writes_ = storage.writes();
    return {.texture = &places_[place].texture, .bytes = &bytes, .rows = places_[place].rows};
}

runtime::SharedTexels SharedImage::released(Storage& storage, size_t place, runtime::Queue& queue) {
    runtime::SharedTexels texels{.texture = &places_[place].texture, .rows = places_[place].rows};
    if (known_writes_ == storage.writes()) return texels;
    texels.bytes = &storage.newest_on(place, queue, {.are_written = false});
    known_writes_ = storage.writes();
    return texels;
}

}  // namespace caldera::icd
