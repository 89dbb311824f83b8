// SPDX-License-Identifier: Apache-2.0
// A library with a ClockKeeper in it, as a driver is one.
#include "tests/clock_keeper/fake_cuda.h"
#include "vulkan/runtime/clock_keeper.h"

using namespace caldera::runtime;

extern "C" {
ClockKeeper* make_keeper() { return new ClockKeeper({.wish = KeepClocks::On, .uuid = FakeCuda::kUuid}); }
void launch(ClockKeeper* keeper) { keeper->launched(); }
void delete_keeper(ClockKeeper* keeper) { delete keeper; }
}
