// SPDX-License-Identifier: Apache-2.0
// Prints what kernels/scale.cl makes of 1, 2, 3.
#include <caldera/caldera.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "offset.hpp"
#include "scale.hpp"

extern "C" uint32_t plain_first_word(void);

int main() {
    constexpr uint32_t kMagic = 0x07230203;
    if (std::strcmp(offset_kernels::offset_kernel::entry, "offset") != 0 || offset_words[0] != kMagic ||
        plain_first_word() != kMagic)
        return 2;
    auto device = caldera::Device::open();
    if (!device) return std::fprintf(stderr, "%s\n", device.error().message.c_str()), 1;
    auto queue = caldera::Queue::create(*device).take();
    auto built = caldera::Program::build(*device, scale_words);
    std::fputs(built.log.c_str(), stderr);
    if (!built) return 1;
    auto kernel = caldera::Kernel::create(built.program, "scale").take();
    std::vector<float> data = {1, 2, 3};
    const auto buffer = caldera::Buffer::create(*device, data.size() * sizeof(float)).take();
    if (!queue.write(buffer, data) || !kernel.set_all(buffer) ||
        !queue.dispatch(kernel, {.global = {data.size(), 1, 1}}) || !queue.read(buffer, data))
        return 1;
    std::printf("%g %g %g\n", double(data[0]), double(data[1]), double(data[2]));
    return 0;
}
