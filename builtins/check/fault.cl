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

/// Records what up to four places have counted. There is one copy of the record's code, which drivers inline.
void FUNCTION check_faults(global uint *words, uint4 sites, uint4 counts, ulong4 addresses, ulong4 begins,
                           ulong4 sizes, ulong4 others) {
    uint left = (counts.x != 0) | (counts.y != 0) << 1 | (counts.z != 0) << 2 | (counts.w != 0) << 3;
    while (left != 0) {
        uint place = 31 - clz(left);
        record_all(words, sites[place], counts[place], addresses[place], begins[place], sizes[place], others[place]);
        left ^= 1u << place;
    }
}
