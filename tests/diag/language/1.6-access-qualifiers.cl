// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL1.2
typedef image2d_t alias;
typedef write_only image2d_t write_only_alias;
void both(read_only write_only image2d_t image);
void again(read_only write_only_alias image);
void default_is_read_only(write_only alias image);
void twice(read_only alias image);
void twice_underscored(__write_only write_only_alias image);
void on_int(read_only int i);
void on_pointer(read_only global float *p);
void on_sampler(write_only sampler_t s);
void before_20(read_write image2d_t image);       // 1.6-3
int read_only;                                    // 1.6-6
