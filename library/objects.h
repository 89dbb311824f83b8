// SPDX-License-Identifier: Apache-2.0
// What the handles of include/caldera hold. Each object keeps what it was made from; its own part is
// destroyed first.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caldera/caldera.h"
#include "vulkan/device_profile.h"
#include "vulkan/runtime/command_recording.h"
#include "vulkan/runtime/device_queue.h"
#include "vulkan/runtime/view_format.h"
#include "vulkan/runtime/wanted_features.h"

// The handles are visible to programs, what they hold is not.
#if defined(_WIN32)  // nothing that is not marked is visible there
#define CALDERA_HIDDEN
#else
#define CALDERA_HIDDEN __attribute__((visibility("hidden")))
#endif

namespace caldera {

namespace detail {

/// An image or a texel buffer of the application.
struct CALDERA_HIDDEN AdoptedView {
    Device device;
    VkImage image = VK_NULL_HANDLE;  // null: a texel buffer
    runtime::VulkanImage vulkan = {};
    ImageShape shape = ImageShape::Image1D;
    VkFormat format = VK_FORMAT_UNDEFINED;
    uint8_t texel_numbers = 0;
    bool can_be_read = false, can_be_written = false;  // as sampled image, as storage image
    bool can_be_filtered = false;                      // linearly
    bool is_read_openly = false,
         is_written_openly = false;  // by modules that leave a storage image's format open
};

}  // namespace detail

struct CALDERA_HIDDEN DeviceProfile::Impl {
    vulkan::DeviceProfile profile = {};
};

struct CALDERA_HIDDEN Device::Impl {
    std::unique_ptr<runtime::Device> device;
};

struct CALDERA_HIDDEN RequiredFeatures::Impl {
    PhysicalDevice physical = {};
    runtime::WantedFeatures wanted = {};
    VkPhysicalDeviceFeatures2 own_chain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    runtime::FeatureStructures of_own_chain = {}, of_others = {};
};

struct CALDERA_HIDDEN Recording::Impl {
    Device device;
    std::unique_ptr<runtime::CommandRecording> recording;
};

struct CALDERA_HIDDEN Buffer::Impl {
    Device device;
    runtime::Buffer buffer;
};

struct CALDERA_HIDDEN Image::Impl {
    ImageOptions options = {};
    ImageDescriptor descriptor = {};
    Buffer texels = {}, described = {};            // the latter has the descriptor
    std::optional<detail::AdoptedView> view = {};  // instead of the texels
};

struct CALDERA_HIDDEN Pipe::Impl {
    Device device;
    runtime::Pipe pipe;
};

struct CALDERA_HIDDEN Program::Impl {
    Device device;
    std::vector<uint32_t> words;
    std::unique_ptr<runtime::Program> program;
};

namespace detail {

using Kept = std::shared_ptr<const void>;

/// Reaches into handles.
struct CALDERA_HIDDEN Access {
    template <class Object>
    static const auto& of(const Object& object) {
        return object.impl_;
    }
    /// What Kernel::set() keeps of an image.
    static const Image::Impl& image_of(const Kept& kept) {
        return *static_cast<const Image::Impl*>(kept.get());
    }
    template <class Object, class... Parts>
    static Object make(Parts&&... parts) {
        Object object;
        using Impl = typename Object::Impl;
        object.impl_ = std::make_shared<Impl>(Impl{std::forward<Parts>(parts)...});
        return object;
    }
};

inline runtime::Device& opened(const Device& device) { return *Access::of(device)->device; }
inline const vulkan::DeviceProfile& plain(const DeviceProfile& profile) {
    return Access::of(profile)->profile;
}
DeviceProfile handle_of(vulkan::DeviceProfile profile);
inline runtime::NDRange plain(const NDRange& range) {
    return {
        .dimensions = range.dimensions, .global = range.global, .local = range.local, .offset = range.offset};
}

}  // namespace detail

struct CALDERA_HIDDEN Kernel::Impl {
    Program program;
    runtime::Kernel kernel;
    std::vector<detail::Kept> arguments;         // by index: what must live while the argument is set
    std::map<uint32_t, uint32_t> samplers = {};  // by index: the SamplerBits of those that are set
    /// What a dispatch uses; made for the first after an argument changed.
    std::shared_ptr<const std::vector<detail::Kept>> kept = {};

    Result<Done> keep(uint32_t index, Result<Done> result, detail::Kept object);
    const std::shared_ptr<const std::vector<detail::Kept>>& used();
};

struct CALDERA_HIDDEN Queue::Impl {
    Device device;
    std::unique_ptr<runtime::Queue> queue;
};

struct CALDERA_HIDDEN Event::Impl {
    Queue queue;
    runtime::Event event;
};

struct CALDERA_HIDDEN DeviceQueue::Impl {
    Device device;
    std::unique_ptr<runtime::DeviceQueue> queue;
};

namespace detail {

template <class Object>
const Device& device_of(const Object& object) {
    return Access::of(object)->device;
}
inline const Device& device_of(const Image& image) {
    const auto& impl = Access::of(image);
    return impl->view ? impl->view->device : device_of(impl->texels);
}
inline const Device& device_of(const Kernel& kernel) { return device_of(Access::of(kernel)->program); }
inline const Device& device_of(const Event& event) { return device_of(Access::of(event)->queue); }

/// Whether a handle has an object, which `what` names in the error.
template <class Object>
Result<Done> check_exists(const Object& object, std::string_view what) {
    if (object) return Done{};
    return Error{.message = "there is no " + std::string(what)};
}

inline std::string_view noun_of(const Recording&) { return "recording"; }
inline std::string_view noun_of(const Queue&) { return "queue"; }
inline std::string_view noun_of(const DeviceQueue&) { return "device queue"; }
inline std::string_view noun_of(const Kernel&) { return "kernel"; }

/// Whether `user` may use an object: there are both, and they are of the same device. `what` names the object
/// in the error.
template <class User, class Object>
Result<Done> check_usable(const User& user, const Object& object, std::string_view what) {
    if (Result<Done> exists = check_exists(user, noun_of(user)); !exists) return exists;
    if (Result<Done> exists = check_exists(object, what); !exists) return exists;
    if (Access::of(device_of(object)) == Access::of(device_of(user))) return Done{};
    return Error{.message = "the " + std::string(what) + " is of another device"};
}

}  // namespace detail

}  // namespace caldera
