// SPDX-License-Identifier: Apache-2.0
// What vector_memory.cl and vector_memory_double.cl do with each type.
#include "assert.h"

// A vector of memory is seen through pointers to its elements; 3 components take the room of 4.
#define WIDTH(T, n, room)                                                                                   \
    kernel void test_##T##n(global uint* record, global int* in, global void* out, local long16* scratch) { \
        typedef struct {                                                                                    \
            char c;                                                                                         \
            T##n v;                                                                                         \
            T last;                                                                                         \
        } Held;                                                                                             \
        T##n mine[3];                                                                                       \
        Held held[2];                                                                                       \
        global T##n* far = (global T##n*)out;                                                               \
        local T##n* near = (local T##n*)scratch;                                                            \
        ASSERT(room * sizeof(T), sizeof(T##n));                                                             \
        AS_IT_STANDS for (int i = 0; i < 3 * room; i++)((T*)mine)[i] = (T)in[i + 1];                        \
        near[in[1]] = mine[in[1]];                                                                          \
        far[2] = near[1];                                                                                   \
        T##n v = far[in[2]] + (T)1;                                                                         \
        held[in[1]].v = v;                                                                                  \
        held[1].last = (T)in[9];                                                                            \
        held[0] = held[in[1]];                                                                              \
        v.s1 = (T)in[77];                                                                                   \
        far[in[1]] = v;                                                                                     \
        near[0].s0 = v.s1;                                                                                  \
        mine[in[2]].s1 = near[0].s0;                                                                        \
        AS_IT_STANDS for (int i = 0; i < n; i++) {                                                          \
            ASSERT(1, ((T*)&held[0].v)[i] == (T)(in[room + i + 1] + 1));                                    \
            ASSERT(1, ((global T*)far)[room + i] == (T)(i == 1 ? 77 : in[room + i + 1] + 1));               \
            ASSERT(1, ((local T*)near)[room + i] == (T)in[room + i + 1]);                                   \
            ASSERT(1, ((T*)mine)[2 * room + i] == (T)(i == 1 ? 77 : in[2 * room + i + 1]));                 \
        }                                                                                                   \
        ASSERT(1, held[0].last == (T)9);                                                                    \
    }
// All checks are in one kernel, because objects accessed as integers share one array across all kernels.
#define ALIGNED(T, n)                                \
    {                                                \
        typedef struct {                             \
            char c;                                  \
            T##n v;                                  \
        } Held;                                      \
        Held held[2];                                \
        held[in[1]].v = (T##n)((T)in[9]);            \
        ASSERT(0, (ulong)&held[1].v % sizeof(T##n)); \
        ASSERT(9, held[in[1]].v.s1);                 \
    }
#define ALIGNMENT(T)                                                           \
    kernel void test_alignment_of_##T(global uint* record, global int* in) {   \
        ALIGNED(T, 2) ALIGNED(T, 3) ALIGNED(T, 4) ALIGNED(T, 8) ALIGNED(T, 16) \
    }
#define TYPE(T) WIDTH(T, 2, 2) WIDTH(T, 3, 4) WIDTH(T, 4, 4) WIDTH(T, 8, 8) WIDTH(T, 16, 16)
