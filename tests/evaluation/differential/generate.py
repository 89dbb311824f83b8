#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py SEED: a random kernel with one right answer. The same seed gives the same text.

Every program is free of undefined behaviour: signed arithmetic is done unsigned, divisors are positive, shifts are
OpenCL's (modulo the width), an index is masked, a pointer always has ROOM elements after it, loops count down, every
object is initialised, and work-items meet only in local memory around barriers. So any two implementations must agree
on all of `out` (a hash of what each work-item computed) and `data` (what it stored).

The kernel is `test(global uint *out, global uint *data, constant uint *table, global uint *scope, local ulong *dynamic,
Given given)`, for 64 work-items in groups of 16; data holds 128 words for each. Two macros let implementations of OpenCL
C 1.2 judge what only 2.0 has. With GENERIC, functions take pointers to the generic address space; without it they are
overloaded by address space. With PROGRAM_SCOPE, `scope` is a program-scope variable and the program's tables are in global
memory; without it, `scope` is the argument of that name and the tables are in constant memory.
"""
import sys

from random_kernels import Generator

if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    sys.stdout.write(Generator(int(sys.argv[1])).program())
