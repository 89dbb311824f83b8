// SPDX-License-Identifier: Apache-2.0
kernel void offset(global int *data) { data[get_global_id(0)] += ADDEND; }
