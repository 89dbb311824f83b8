// SPDX-License-Identifier: Apache-2.0
#include "float.h"
#include "trig_reduce.inc"
