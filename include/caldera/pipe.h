// SPDX-License-Identifier: Apache-2.0
/// @file
/// Pipe: a pipe object, for kernels to write packets to and read them from.
#pragma once

#include <cstdint>
#include <memory>

#include "caldera/api.h"
#include "caldera/device.h"
#include "caldera/result.h"

namespace caldera {

/// A pipe (OpenCL C 6.13.16). A handle, as Buffer is. One kernel at a time may write and another read. A
/// default-constructed one is no pipe and good for assignment only.
class CALDERA_API Pipe {
 public:
    /// No pipe.
    Pipe() = default;
    /// An empty pipe for `max_packets` packets, at least one, of `packet_bytes` each, at least one. Fails
    /// where the device has no memory left.
    static Result<Pipe> create(const Device& device, uint32_t packet_bytes, uint32_t max_packets);

    /// Whether this is a pipe.
    explicit operator bool() const { return impl_ != nullptr; }
    uint32_t packet_bytes() const;  ///< the size of a packet
    uint32_t max_packets() const;   ///< how many packets fit

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace caldera
