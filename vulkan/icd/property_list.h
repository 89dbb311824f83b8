// SPDX-License-Identifier: Apache-2.0
// PropertyList: properties of which some have lists as values.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "vulkan/icd/context.h"

namespace caldera::icd {

struct Property {
    cl_properties name = 0;
    std::vector<cl_properties> values = {};  ///< one, or those of a list
    cl_properties value() const { return values[0]; }
};

/// A list of properties that ends with 0, as programs pass it. Throws CL_INVALID_PROPERTY if a name comes
/// twice.
class PropertyList {
 public:
    /// The properties `with_lists` have lists as values, which end with 0. A null pointer is an empty list.
    PropertyList(const cl_properties* list, std::initializer_list<cl_properties> with_lists) {
        if (!list) return;
        const cl_properties* at = list;
        while (*at != 0) {
            Property property{.name = *at++};
            require(std::ranges::find(properties_, property.name, &Property::name) == properties_.end(),
                    CL_INVALID_PROPERTY);
            if (std::ranges::find(with_lists, property.name) == with_lists.end()) {
                property.values = {*at++};
            } else {
                while (*at != 0) property.values.push_back(*at++);
                ++at;
            }
            properties_.push_back(std::move(property));
        }
        all_.assign(list, at + 1);
    }
    std::span<const Property> properties() const { return properties_; }
    /// Removes a property. Empty if there is none of that name.
    std::optional<Property> take(cl_properties name) {
        const auto found = std::ranges::find(properties_, name, &Property::name);
        if (found == properties_.end()) return std::nullopt;
        std::optional<Property> taken = std::move(*found);
        properties_.erase(found);
        return taken;
    }
    /// As the program passed it, with the 0 at its end; empty for a null pointer.
    const std::vector<cl_properties>& all() const { return all_; }

 private:
    std::vector<Property> properties_ = {};
    std::vector<cl_properties> all_ = {};
};

/// The places of a list of devices. Throws CL_INVALID_DEVICE for what is no device of the context.
inline std::vector<size_t> listed_places(const Context& context, std::span<const cl_properties> devices) {
    std::vector<size_t> places;
    for (const cl_properties handle : devices) {
        const auto is_it = [&](const Context::Place& place) {
            return reinterpret_cast<cl_properties>(static_cast<cl_device_id>(place.device)) == handle;
        };
        const auto found = std::ranges::find_if(context.places, is_it);
        require(found != context.places.end(), CL_INVALID_DEVICE);
        places.push_back(static_cast<size_t>(found - context.places.begin()));
    }
    return places;
}

}  // namespace caldera::icd
