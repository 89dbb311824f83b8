// SPDX-License-Identifier: Apache-2.0
// Operators of vectors of every integer type, float and every length.
// RUN: global=16 local=16
#include "operators.h"

ALL_LENGTHS(char, char) ALL_LENGTHS(uchar, char) ALL_LENGTHS(short, short) ALL_LENGTHS(ushort, short)
ALL_LENGTHS(int, int) ALL_LENGTHS(uint, int) ALL_LENGTHS(long, long) ALL_LENGTHS(ulong, long) ALL_LENGTHS(float, int)
ALL_INTEGER_LENGTHS(char) ALL_INTEGER_LENGTHS(uchar) ALL_INTEGER_LENGTHS(short) ALL_INTEGER_LENGTHS(ushort)
ALL_INTEGER_LENGTHS(int) ALL_INTEGER_LENGTHS(uint) ALL_INTEGER_LENGTHS(long) ALL_INTEGER_LENGTHS(ulong)
