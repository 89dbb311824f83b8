// SPDX-License-Identifier: Apache-2.0
#include "double.h"
#include "root.inc"
