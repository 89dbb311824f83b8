// SPDX-License-Identifier: Apache-2.0
// Makes CLBlast build all of its programs, in every precision.
#include <CL/cl.h>
#include <clblast.h>

int main() {
    cl_device_id device = nullptr;
    cl_uint count = 0;
    clGetDeviceIDs(nullptr, CL_DEVICE_TYPE_ALL, 1, &device, &count);
    return clblast::FillCache(device) == clblast::StatusCode::kSuccess ? 0 : 1;
}
