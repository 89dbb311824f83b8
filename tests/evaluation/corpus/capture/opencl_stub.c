// SPDX-License-Identifier: Apache-2.0
// A libOpenCL without a device: it writes each program that a host builds, with its options, to $CORPUS_CAPTURE, and
// says yes to everything else. corpus.py links the programs of this folder with it.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct program {
    char* source;
};

static char anything[1 << 16];  // every handle points here
#define HANDLE ((void*)anything)

static cl_int answer(const void* value, size_t size, size_t room, void* out, size_t* needed) {
    if (needed) *needed = size;
    if (out) memcpy(out, value, size < room ? size : room);
    return CL_SUCCESS;
}

static cl_int text(const char* value, size_t room, void* out, size_t* needed) {
    return answer(value, strlen(value) + 1, room, out, needed);
}

/// As wide as the room for it: some hosts look whether the size is that of their variable.
static cl_int number(size_t value, size_t room, void* out, size_t* needed) {
    if (needed) *needed = out && room < sizeof value ? room : sizeof value;
    if (out) memset(out, 0, room);
    return answer(&value, sizeof value, room, out, NULL);
}

static const char* vendor(void) {
    const char* named = getenv("CORPUS_VENDOR");
    return named ? named : "capture";
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id* ids, cl_uint* count) {
    if (ids && room) ids[0] = HANDLE;
    if (count) *count = 1;
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id p, cl_platform_info what, size_t room, void* out, size_t* needed) {
    (void)p;
    return text(what == CL_PLATFORM_VERSION ? "OpenCL 1.2 capture" : vendor(), room, out, needed);
}

cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type t, cl_uint room, cl_device_id* ids, cl_uint* count) {
    (void)p, (void)t;
    if (ids && room) ids[0] = HANDLE;
    if (count) *count = 1;
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t room, void* out, size_t* needed) {
    (void)d;
    const size_t sizes[3] = {1024, 1024, 1024};
    switch (what) {
        case CL_DEVICE_TYPE: return number(CL_DEVICE_TYPE_GPU, room, out, needed);
        case CL_DEVICE_NAME:
        case CL_DEVICE_VENDOR_ID: return number(strncmp(vendor(), "Intel", 5) ? 1 : 0x8086, room, out, needed);
        case CL_DEVICE_VENDOR: return text(vendor(), room, out, needed);
        case CL_DEVICE_VERSION: return text("OpenCL 1.2 capture", room, out, needed);
        case CL_DEVICE_OPENCL_C_VERSION: return text("OpenCL C 1.2 capture", room, out, needed);
        case CL_DRIVER_VERSION: return text("1", room, out, needed);
        case CL_DEVICE_PROFILE: return text("FULL_PROFILE", room, out, needed);
        case CL_DEVICE_EXTENSIONS:
            return text("cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics", room, out, needed);
        case CL_DEVICE_MAX_WORK_ITEM_SIZES: return answer(sizes, sizeof sizes, room, out, needed);
        case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return number(3, room, out, needed);
        case CL_DEVICE_MAX_WORK_GROUP_SIZE: return number(1024, room, out, needed);
        case CL_DEVICE_MAX_COMPUTE_UNITS: return number(8, room, out, needed);
        case CL_DEVICE_DOUBLE_FP_CONFIG:
        case CL_DEVICE_AVAILABLE:
        case CL_DEVICE_COMPILER_AVAILABLE: return number(1, room, out, needed);
        case CL_DEVICE_PLATFORM: return number((size_t)HANDLE, room, out, needed);
        default: return number(65536, room, out, needed);
    }
}

cl_program clCreateProgramWithSource(cl_context c, cl_uint count, const char** parts, const size_t* lengths,
                                     cl_int* error) {
    (void)c;
    struct program* program = malloc(sizeof *program);
    program->source = calloc(1, 1);
    size_t size = 0;
    for (cl_uint i = 0; i < count; ++i) {
        const size_t length = lengths && lengths[i] ? lengths[i] : strlen(parts[i]);
        program->source = realloc(program->source, size + length + 1);
        memcpy(program->source + size, parts[i], length);
        program->source[size += length] = 0;
    }
    if (error) *error = CL_SUCCESS;
    return (cl_program)program;
}

cl_int clBuildProgram(cl_program handle, cl_uint n, const cl_device_id* d, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
    (void)n, (void)d;
    static int count = 0;
    char path[4096];
    const char* folder = getenv("CORPUS_CAPTURE");
    snprintf(path, sizeof path, "%s/%03d.cl", folder, count);
    FILE* file = fopen(path, "w");
    fputs(((struct program*)handle)->source, file);
    fclose(file);
    snprintf(path, sizeof path, "%s/%03d.options", folder, count++);
    file = fopen(path, "w");
    fputs(options ? options : "", file);
    fclose(file);
    if (notify) notify(handle, data);
    return CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program p, cl_device_id d, cl_program_build_info what, size_t room, void* out,
                             size_t* needed) {
    (void)p, (void)d;
    return what == CL_PROGRAM_BUILD_STATUS ? number(CL_BUILD_SUCCESS, room, out, needed)
                                           : text("", room, out, needed);
}

cl_int clGetProgramInfo(cl_program p, cl_program_info what, size_t room, void* out, size_t* needed) {
    (void)p;
    if (what == CL_PROGRAM_BINARIES) return CL_SUCCESS;
    return number(1, room, out, needed);
}

cl_int clCreateKernelsInProgram(cl_program p, cl_uint room, cl_kernel* kernels, cl_uint* count) {
    (void)p, (void)room, (void)kernels;
    if (count) *count = 0;
    return CL_SUCCESS;
}

cl_int clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t room,
                                void* out, size_t* needed) {
    (void)k, (void)d, (void)what;
    return number(256, room, out, needed);
}

// The rest makes handles, answers with numbers and succeeds.
static void* made(cl_int* error) {
    if (error) *error = CL_SUCCESS;
    return HANDLE;
}

cl_context clCreateContext(const cl_context_properties* p, cl_uint n, const cl_device_id* d,
                           void(CL_CALLBACK* f)(const char*, const void*, size_t, void*), void* u, cl_int* error) {
    (void)p, (void)n, (void)d, (void)f, (void)u;
    return made(error);
}

cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int* error) {
    (void)c, (void)d, (void)p;
    return made(error);
}

cl_mem clCreateBuffer(cl_context c, cl_mem_flags f, size_t n, void* h, cl_int* error) {
    (void)c, (void)f, (void)n, (void)h;
    return made(error);
}

cl_kernel clCreateKernel(cl_program p, const char* name, cl_int* error) {
    (void)p, (void)name;
    return made(error);
}

cl_program clCreateProgramWithBinary(cl_context c, cl_uint n, const cl_device_id* d, const size_t* l,
                                     const unsigned char** b, cl_int* s, cl_int* error) {
    (void)c, (void)n, (void)d, (void)l, (void)b, (void)s;
    return made(error);
}

void* clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f, size_t at, size_t size, cl_uint n,
                         const cl_event* w, cl_event* e, cl_int* error) {
    (void)q, (void)m, (void)b, (void)f, (void)at, (void)n, (void)w;
    if (e) *e = HANDLE;
    if (error) *error = CL_SUCCESS;
    return calloc(1, size);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context c, cl_device_id d, const cl_ulong* p, cl_int* error) {
    (void)c, (void)d, (void)p;
    return made(error);
}

cl_mem clCreateImage(cl_context c, cl_mem_flags f, const cl_image_format* i, const cl_image_desc* d, void* h,
                     cl_int* error) {
    (void)c, (void)f, (void)i, (void)d, (void)h;
    return made(error);
}

cl_mem clCreateSubBuffer(cl_mem m, cl_mem_flags f, cl_buffer_create_type t, const void* i, cl_int* error) {
    (void)m, (void)f, (void)t, (void)i;
    return made(error);
}

cl_int clGetKernelArgInfo(cl_kernel k, cl_uint i, cl_kernel_arg_info what, size_t room, void* out, size_t* needed) {
    (void)k, (void)i;
    return what == CL_KERNEL_ARG_TYPE_NAME || what == CL_KERNEL_ARG_NAME ? text("int", room, out, needed)
                                                                         : number(0, room, out, needed);
}

void* clGetExtensionFunctionAddressForPlatform(cl_platform_id p, const char* name) {
    (void)p, (void)name;
    return NULL;
}

cl_int answer_number(void* object, cl_uint what, size_t room, void* out, size_t* needed);
cl_int answer_number(void* object, cl_uint what, size_t room, void* out, size_t* needed) {
    (void)object, (void)what;
    return number((size_t)HANDLE, room, out, needed);
}

cl_int succeed(void);
cl_int succeed(void) { return CL_SUCCESS; }

#define AS(name, function) __asm__(".globl " #name "\n.set " #name ", " #function);
AS(clGetContextInfo, answer_number)
AS(clGetCommandQueueInfo, answer_number)
AS(clGetMemObjectInfo, answer_number)
AS(clGetKernelInfo, answer_number)
AS(clGetEventInfo, answer_number)
AS(clRetainDevice, succeed)
AS(clReleaseDevice, succeed)
AS(clRetainContext, succeed)
AS(clReleaseContext, succeed)
AS(clRetainCommandQueue, succeed)
AS(clReleaseCommandQueue, succeed)
AS(clRetainMemObject, succeed)
AS(clReleaseMemObject, succeed)
AS(clRetainProgram, succeed)
AS(clReleaseProgram, succeed)
AS(clRetainKernel, succeed)
AS(clReleaseKernel, succeed)
AS(clRetainEvent, succeed)
AS(clReleaseEvent, succeed)
AS(clSetKernelArg, succeed)
AS(clWaitForEvents, succeed)
AS(clFinish, succeed)
AS(clFlush, succeed)
AS(clEnqueueNDRangeKernel, succeed)
AS(clEnqueueReadBuffer, succeed)
AS(clEnqueueWriteBuffer, succeed)
AS(clEnqueueCopyBuffer, succeed)
AS(clEnqueueFillBuffer, succeed)
AS(clGetEventProfilingInfo, succeed)
AS(clSetKernelArgSVMPointer, succeed)
AS(clSetEventCallback, succeed)
AS(clEnqueueUnmapMemObject, succeed)
AS(clEnqueueReadBufferRect, succeed)
AS(clEnqueueWriteBufferRect, succeed)
AS(clEnqueueCopyBufferRect, succeed)
