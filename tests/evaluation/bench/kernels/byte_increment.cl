// SPDX-License-Identifier: Apache-2.0
kernel void byte_increment(global uchar* data) { data[get_global_id(0)]++; }
