// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/features.h"

namespace caldera::language_server {

std::span<const FeatureRow> features() { return {}; }

}  // namespace caldera::language_server
