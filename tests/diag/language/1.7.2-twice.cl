// SPDX-License-Identifier: Apache-2.0
// Attributes of kernels that are written twice.
kernel __attribute__((intel_reqd_sub_group_size(4))) __attribute__((intel_reqd_sub_group_size(8))) void sub_groups(void) {}
kernel __attribute__((vec_type_hint(int))) __attribute__((vec_type_hint(uint))) void hints(void) {}
kernel __attribute__((intel_reqd_sub_group_size(8))) __attribute__((intel_reqd_sub_group_size(8))) void same(void) {}
