// SPDX-License-Identifier: Apache-2.0
// Operators of vectors of every integer type and float: of every length of some, of some lengths of the others.
// RUN: global=16 local=16
#include "operators.h"

ALL_LENGTHS(uchar, char) ALL_LENGTHS(short, short) ALL_LENGTHS(int, int) ALL_LENGTHS(float, int)
OPERATORS(char, char, 3) OPERATORS(char, char, 16) OPERATORS(ushort, short, 2) OPERATORS(ushort, short, 8) OPERATORS(uint, int, 3)
OPERATORS(uint, int, 4) OPERATORS(long, long, 2) OPERATORS(long, long, 8) OPERATORS(ulong, long, 3) OPERATORS(ulong, long, 4)
ALL_INTEGER_LENGTHS(char) ALL_INTEGER_LENGTHS(ushort) ALL_INTEGER_LENGTHS(int)
INTEGER_OPERATORS(uchar, 3) INTEGER_OPERATORS(uchar, 16) INTEGER_OPERATORS(short, 2) INTEGER_OPERATORS(short, 8)
INTEGER_OPERATORS(uint, 3) INTEGER_OPERATORS(uint, 16) INTEGER_OPERATORS(long, 3) INTEGER_OPERATORS(ulong, 2)
