// SPDX-License-Identifier: Apache-2.0
/// @file
/// Kernel: one kernel of a program with its arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "caldera/api.h"
#include "caldera/buffer.h"
#include "caldera/image.h"
#include "caldera/pipe.h"
#include "caldera/program.h"
#include "caldera/reflection.h"
#include "caldera/result.h"

namespace caldera {

class DeviceQueue;

/// A kernel and its arguments. A handle: copies are the same kernel with the same arguments. Not thread-safe,
/// as clSetKernelArg is not (OpenCL API 5.9.2): its arguments belong to one thread at a time. Arguments stay
/// set from one dispatch to the next, and the kernel keeps what they are alive. A default-constructed one is
/// no kernel and good for assignment only.
///
/// Each set() fails where there is no such argument or where it is of another kind, size or device; the
/// sentence names it.
class CALDERA_API Kernel {
 public:
    /// No kernel.
    Kernel() = default;
    /// The kernel of this name. Fails where the program has none.
    static Result<Kernel> create(const Program& program, std::string_view name);

    /// Whether this is a kernel.
    explicit operator bool() const { return impl_ != nullptr; }
    /// The kernel's arguments and needs. The reference is valid as long as this object.
    const KernelInterface& interface() const;

    /// An argument by value: its bytes, as many as the argument has.
    Result<Done> set_value(uint32_t index, std::span<const std::byte> bytes);
    /// An argument by value. T has the argument's size and layout: an OpenCL vector of 3 takes 4 elements.
    template <class T>
    Result<Done> set(uint32_t index, const T& value) {
        static_assert(std::is_trivially_copyable_v<T>, "an argument by value is copied as bytes");
        return set_value(index, std::as_bytes(std::span(&value, 1)));
    }
    /// A pointer to global or constant memory: `offset_bytes` into the buffer, or to its end. With
    /// Abi::Descriptors the offset is a multiple of the device's minStorageBufferOffsetAlignment.
    Result<Done> set(uint32_t index, const Buffer& buffer, uint64_t offset_bytes = 0);
    /// An image of the shape that the kernel takes. The format decides which pipeline serves it.
    Result<Done> set(uint32_t index, const Image& image);
    /// A sampler. Fails where it repeats the image or mixes levels, but is not `normalized`.
    Result<Done> set(uint32_t index, const Sampler& sampler);
    /// A pipe, whose packets have the size that the kernel's have.
    Result<Done> set(uint32_t index, const Pipe& pipe);
    /// A queue_t: the queue that the kernel runs with (DeviceQueue::run), and no other.
    Result<Done> set(uint32_t index, const DeviceQueue& queue);
    /// A pointer to local memory of this size. It may be 0: the kernel then accesses none of it.
    Result<Done> set_local(uint32_t index, uint64_t size_bytes);
    /// A pointer as a device address, 0 for NULL. What it points to must stay alive while the kernel runs. It
    /// needs Abi::Addresses, and so does NULL in a program of Program::load().
    Result<Done> set_address(uint32_t index, uint64_t address);
    /// All arguments in order, each as set() takes it. Stops at the first that fails.
    template <class... Args>
    Result<Done> set_all(const Args&... args) {
        uint32_t index = 0;
        Result<Done> result = Done{};
        (void)((result = set(index++, args), static_cast<bool>(result)) && ...);
        return result;
    }

    /// Local memory of a work-group in bytes: the program's own, and what arguments that are set point to.
    uint64_t local_bytes() const;
    /// The first argument that has not been set; nullopt where the kernel can be dispatched.
    std::optional<uint32_t> unset_argument() const;

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace caldera
