// SPDX-License-Identifier: Apache-2.0
// Reports of faults that the translator has found (Instrument::report_if).
#include "record.h"

/// Records a fault where there is one.
void FUNCTION check_fault(global uint *words, uint site, bool is_fault, ulong address, ulong begin, ulong size,
                          ulong other) {
    if (is_fault) record(words, site, address, begin, size, other);
}

/// Records what a place has counted.
void FUNCTION check_counted(global uint *words, uint site, uint count, ulong address, ulong begin, ulong size,
                            ulong other) {
    if (count != 0) record_all(words, site, count, address, begin, size, other);
}
