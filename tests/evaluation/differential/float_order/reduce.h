// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "body.h"

namespace caldera::float_order {

/// The smallest body found that is still `bad`.
Body reduce(Body body, const std::function<bool(const Body&)>& bad);

}  // namespace caldera::float_order
