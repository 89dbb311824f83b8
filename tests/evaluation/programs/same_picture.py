#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_picture.py A B LIMIT: checks that no component of two PFM or PPM files of the same size differs by more than LIMIT."""
import array
import sys


def picture(path):
    with open(path, "rb") as file:
        magic, size, scale, data = file.read().split(b"\n", 3)
    kind = "f" if magic == b"PF" else "B" if float(scale) < 256 else "H"
    numbers = array.array(kind)
    numbers.frombytes(data)
    if kind == "H" or (kind == "f" and float(scale) > 0):
        numbers.byteswap()
    return size, numbers


(size_a, a), (size_b, b) = picture(sys.argv[1]), picture(sys.argv[2])
worst = max(abs(x - y) for x, y in zip(a, b))
print(f"{sys.argv[1]}: {size_a} and {size_b}, off by {worst}")
sys.exit(size_a != size_b or not worst <= float(sys.argv[3]))
