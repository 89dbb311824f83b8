// SPDX-License-Identifier: Apache-2.0
/// @file
/// All of Caldera's public headers. They include the standard library alone, neither Vulkan nor SPIR-V.
#pragma once

// Without a device: OpenCL C to SPIR-V, SPIR-V to Vulkan, and how it is called.
#include "caldera/compile.h"
#include "caldera/diagnostic.h"
#include "caldera/profile.h"
#include "caldera/reflection.h"
#include "caldera/result.h"
#include "caldera/translate.h"
#include "caldera/version.h"

// On a device.
#include "caldera/adopt.h"
#include "caldera/buffer.h"
#include "caldera/checks.h"
#include "caldera/device.h"
#include "caldera/device_queue.h"
#include "caldera/image.h"
#include "caldera/kernel.h"
#include "caldera/pipe.h"
#include "caldera/program.h"
#include "caldera/queue.h"
#include "caldera/recording.h"
