// SPDX-License-Identifier: Apache-2.0
// renderdoc_capture KERNELS CAPTURE: runs the kernel `sums` of the file KERNELS within a capture of
// RenderDoc, which CAPTURE names without "_capture.rdc". 77: there is no RenderDoc.
#include <dlfcn.h>
#include <renderdoc_app.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "caldera/caldera.h"

using namespace caldera;

namespace {

constexpr size_t kItems = 16;

template <class T>
T check(Result<T> result) {
    if (result) return result.take();
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    std::exit(1);
}

/// The layer has loaded the library.
RENDERDOC_API_1_4_1* renderdoc() {
    void* const library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);
    if (!library) return nullptr;
    const auto get_api = reinterpret_cast<pRENDERDOC_GetAPI>(dlsym(library, "RENDERDOC_GetAPI"));
    void* api = nullptr;
    if (!get_api || get_api(eRENDERDOC_API_Version_1_4_1, &api) != 1) return nullptr;
    return static_cast<RENDERDOC_API_1_4_1*>(api);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const Device device = check(Device::open());
    RENDERDOC_API_1_4_1* const api = renderdoc();
    if (!api) return 77;
    api->SetCaptureFilePathTemplate(arguments[2]);

    const ProgramResult built = Program::build_file(
        device, arguments[1], {.compile = {.options = "-g -cl-std=CL2.0 -cl-uniform-work-group-size"}});
    if (!built) return std::fprintf(stderr, "%s", built.log.c_str()), 1;
    Kernel kernel = check(Kernel::create(built.program, "sums"));
    Queue queue = check(Queue::create(device));
    std::vector<float> values(kItems);
    for (size_t i = 0; i < kItems; ++i) values[i] = static_cast<float>(i) + 0.5f;
    Buffer in = check(Buffer::create(device, kItems * sizeof(float)));
    const Buffer out = check(Buffer::create(device, kItems * sizeof(float)));
    check(queue.write(in, values));

    api->StartFrameCapture(nullptr, nullptr);
    check(kernel.set_all(out, in, 2.0f));
    check(queue.dispatch(kernel, {.global = {kItems, 1, 1}, .local = {8, 1, 1}}));
    check(queue.read(out, values));
    if (api->EndFrameCapture(nullptr, nullptr) != 1) return std::fprintf(stderr, "nothing is captured\n"), 1;
    for (size_t i = 0; i < kItems; ++i) {
        float sum = 0;
        for (size_t turn = 0; turn < 4; ++turn) {
            const float x = static_cast<float>((i + turn) % kItems) + 0.5f;
            sum += (x * x + static_cast<float>(turn)) * 2;
        }
        if (values[i] != sum) return std::fprintf(stderr, "%zu: %g, not %g\n", i, values[i], sum), 1;
    }
    return 0;
}
