// SPDX-License-Identifier: Apache-2.0
// File descriptors of processes: handles of memory and semaphores that other APIs share.
#pragma once

#include <cstdint>

namespace caldera::runtime {

/// Whether it is open, and no pipe, socket, folder or terminal: Mesa's lavapipe reads what it is given, and
/// would wait for bytes.
bool may_be_handle(int descriptor);
void close_descriptor(int descriptor);
/// Its bytes, or 0 for what cannot tell.
uint64_t size_of_descriptor(int descriptor);
/// Whether a sync file was signalled. -1 is one that was.
bool was_signalled(int sync_file);

/// A copy of a descriptor, for a driver: a driver owns what it took. What it declined is closed here, unless
/// the driver has done that against Vulkan's rule (driver_quirks.def: lends_copies_of_descriptors).
class LentDescriptor {
 public:
    /// A negative one is passed as it is.
    explicit LentDescriptor(int original);
    LentDescriptor(const LentDescriptor&) = delete;
    LentDescriptor& operator=(const LentDescriptor&) = delete;
    ~LentDescriptor();
    int get() const { return copy_; }
    void note_taken() { copy_ = -1; }

 private:
    const int original_;
    int copy_ = -1;
};

}  // namespace caldera::runtime
