// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 with one device, whose clock the test sets: the symbol `fake_mhz`.
#include <atomic>
#include <cstring>

extern "C" {
std::atomic<unsigned> fake_mhz = 1980;

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
    *device = &fake_mhz;
    return std::strcmp(uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0eff") == 0 ? 0 : 6;
}
int nvmlDeviceGetClockInfo(void* device, unsigned type, unsigned* mhz) {
    if (device != &fake_mhz || (type != 1 && type != 2)) return 2;
    *mhz = type == 1 ? fake_mhz.load() : 2619;
    return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, unsigned, unsigned* mhz) {
    *mhz = 1980;
    return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned*) { return 3; }  // not supported
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
    memory[0] = 80'000'000'000, memory[1] = 78'500'000'000, memory[2] = 1'500'000'000;
    return 0;
}
}
