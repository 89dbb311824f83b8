// SPDX-License-Identifier: Apache-2.0
// Loops that turn too often.
#include "record.h"

/// A loop ends after so many turns.
void FUNCTION check_loop(global uint *words, uint site, uint turns) { record(words, site, turns, 0, 0, 0); }
