// SPDX-License-Identifier: Apache-2.0
// Arithmetic without a defined result, and loops that turn too often. The passes compute what is wrong.
#include "record.h"

/// `fault`: an ArithmeticFault, or 0. The value is the one that a report tells.
void FUNCTION check_value(global uint *words, uint site, uint fault, ulong value) {
    if (fault != 0) record(words, site, value, 0, 0, fault);
}

/// A loop ends after so many turns.
void FUNCTION check_loop(global uint *words, uint site, uint turns) { record(words, site, turns, 0, 0, 0); }
