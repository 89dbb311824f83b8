// SPDX-License-Identifier: Apache-2.0
#include "float.h"
#include "product_error.inc"
