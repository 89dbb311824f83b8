// SPDX-License-Identifier: Apache-2.0
// Result<T> of the public headers, for every room.
#pragma once

#include "caldera/result.h"
