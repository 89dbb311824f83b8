// SPDX-License-Identifier: Apache-2.0
// A program-scope array without a size, as C99 6.9.2 has it. A later declaration may give the size.
// OPTIONS: -cl-std=CL2.0
global int one[];
static global int hidden[];
global int later[];
global int later[5];
global int twice[];
global int twice[];
extern global int elsewhere[];
constant int never[];
int too_early = sizeof(one);
int in_time = sizeof(later) / sizeof(int);
void in_function(void) { static int none[]; }
