// SPDX-License-Identifier: Apache-2.0
// async_work_group_copy and async_work_group_strided_copy (OpenCL C 6.13.10), done at once: all work-items of the group
// share the elements. An element is `words` words of T; strides are in elements. Waiting for the event is a barrier.

static ulong linear_id(void) {
    return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}

#define COPY(T, to, from)                                                                                            \
    void __attribute__((overloadable))                                                                               \
        async_copy(to T* target, const from T* source, ulong count, uint words, ulong target_stride, ulong source_stride) { \
        ulong step = get_local_size(0) * get_local_size(1) * get_local_size(2);                                      \
        for (ulong i = linear_id(); i < count * words; i += step) {                                                  \
            ulong element = i / words, word = i % words;                                                             \
            target[element * target_stride * words + word] = source[element * source_stride * words + word];         \
        }                                                                                                            \
    }

#define COPIES(T)          \
    COPY(T, local, global) \
    COPY(T, global, local)

// async_work_group_copy_2D2D and _3D3D (cl_khr_extended_async_copies): offsets, lengths and areas are in elements of
// `size` bytes. A copy of lines has one plane.
#define EXTENDED_COPY(to, from)                                                                                        \
    void __attribute__((overloadable)) async_copy_planes(                                                              \
        to uchar *target, ulong target_offset, const from uchar *source, ulong source_offset, ulong size, ulong length,\
        ulong lines, ulong planes, ulong source_line, ulong source_plane, ulong target_line, ulong target_plane) {     \
        ulong line_bytes = length * size, step = get_local_size(0) * get_local_size(1) * get_local_size(2);            \
        for (ulong i = linear_id(); i < line_bytes * lines * planes; i += step) {                                      \
            ulong byte = i % line_bytes, line = i / line_bytes % lines, plane = i / line_bytes / lines;                \
            ulong to_element = target_offset + plane * target_plane + line * target_line;                              \
            ulong from_element = source_offset + plane * source_plane + line * source_line;                            \
            target[to_element * size + byte] = source[from_element * size + byte];                                     \
        }                                                                                                              \
    }
EXTENDED_COPY(local, global)
EXTENDED_COPY(global, local)

COPIES(uchar)
COPIES(ushort)
COPIES(uint)
COPIES(ulong)
