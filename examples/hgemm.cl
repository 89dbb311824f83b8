// SPDX-License-Identifier: Apache-2.0
// c = a * b: halves in, floats out, by cooperative matrices (cl_ext_kernel_cooperative_matrix); of bfloat16 with
// -DELEMENT=__bf16 -DSUM=float, of 8-bit integers with -DELEMENT=char -DSUM=int -DTK=32 -DBK=128. A work-group
// computes BM x BN of c, each of its sub-groups WM x WN of that. It goes through k in steps of BK, with a tile of each
// matrix in local memory. While one work-group waits for its tiles, another multiplies.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void sub_group_size(global uint* size) { *size = get_max_sub_group_size(); }

#ifdef SG  // the size of a sub-group
#ifndef ELEMENT
#define ELEMENT half
#define SUM float
#endif
#ifndef BM
#define BM 128
#endif
#ifndef BN
#define BN 128
#endif
#ifndef BK
#define BK 64
#endif
#ifndef WM
#define WM 64
#endif
#ifndef WN
#define WN 64
#endif
#ifndef TM  // a product of the device: TM x TK times TK x TN
#define TM 16
#define TN 16
#endif
#ifndef TK
#define TK 16
#endif
#ifndef VEC  // 16 bytes, the elements of the tiles
#define VEC uint4
#endif
#ifndef PAD  // elements that keep rows in different banks
#define PAD PER
#endif
#ifndef BAND  // rows of tiles that work-groups with neighbouring numbers compute, for the cache
#define BAND 8
#endif

#define PER ((uint)(sizeof(VEC) / sizeof(ELEMENT)))
#define THREADS (BM / WM * (BN / WN) * SG)
#define A_LOADS (BM * BK / PER / THREADS)  // of 16 bytes
#define B_LOADS (BK * BN / PER / THREADS)
#define A_ROW ((BK + PAD) / PER)
#define B_ROW ((BN + PAD) / PER)
#define EACH(i, count) __attribute__((opencl_unroll_hint)) for (uint i = 0; i < (count); ++i)
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define MATRIX(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))

typedef ELEMENT MATRIX(TM, TK, A) MatrixA;
typedef ELEMENT MATRIX(TK, TN, B) MatrixB;
typedef SUM MATRIX(TM, TN, ACCUMULATOR) MatrixC;

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void hgemm(
    global const VEC* restrict a, global const VEC* restrict b, global SUM* restrict c, uint m, uint n, uint k) {
    local VEC a_tile[BM * A_ROW], b_tile[BK * B_ROW];
    const local ELEMENT *a_elements = (const local ELEMENT*)a_tile, *b_elements = (const local ELEMENT*)b_tile;
    const uint thread = get_local_id(0), sub_group = get_sub_group_id();
    const uint across = n / BN, band = get_group_id(0) / (BAND * across);
    const uint rows = min(m / BM - band * BAND, (uint)BAND), inside = get_group_id(0) - band * BAND * across;
    const uint row = (band * BAND + inside % rows) * BM, column = inside / rows * BN;
    const uint own_row = sub_group / (BN / WN) * WM, own_column = sub_group % (BN / WN) * WN;

    MatrixC sums[WM / TM][WN / TN];
    EACH(i, WM / TM) EACH(j, WN / TN) sums[i][j] = coop_mat_init((SUM)0);

    for (uint step = 0; step < k; step += BK) {
        VEC a_next[A_LOADS], b_next[B_LOADS];
        EACH(i, A_LOADS) {
            const uint at = i * THREADS + thread;
            a_next[i] = a[((row + at / (BK / PER)) * k + step) / PER + at % (BK / PER)];
        }
        EACH(i, B_LOADS) {
            const uint at = i * THREADS + thread;
            b_next[i] = b[((step + at / (BN / PER)) * n + column) / PER + at % (BN / PER)];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(i, A_LOADS) {
            const uint at = i * THREADS + thread;
            a_tile[at / (BK / PER) * A_ROW + at % (BK / PER)] = a_next[i];
        }
        EACH(i, B_LOADS) {
            const uint at = i * THREADS + thread;
            b_tile[at / (BN / PER) * B_ROW + at % (BN / PER)] = b_next[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        EACH(inner, BK / TK) {
            MatrixA x[WM / TM];
            EACH(i, WM / TM)
            x[i] = coop_mat_load(a_elements + (own_row + i * TM) * (BK + PAD) + inner * TK, ROWS, BK + PAD);
            EACH(j, WN / TN) {
                MatrixB y = coop_mat_load(b_elements + inner * TK * (BN + PAD) + own_column + j * TN, ROWS, BN + PAD);
                EACH(i, WM / TM) sums[i][j] = coop_mat_mulAdd(x[i], y, sums[i][j]);
            }
        }
    }
    EACH(i, WM / TM) EACH(j, WN / TN)
    coop_mat_store(c + (row + own_row + i * TM) * n + column + own_column + j * TN, sums[i][j], ROWS, n);
}
#endif
