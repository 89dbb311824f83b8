// SPDX-License-Identifier: Apache-2.0
// A loaded or filled cooperative matrix (cl_ext_kernel_cooperative_matrix) whose type nothing says.
kernel void k(global float *p) {
    coop_mat_load(p, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
    (void)coop_mat_init(1);
}
