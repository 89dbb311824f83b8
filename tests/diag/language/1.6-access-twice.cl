// SPDX-License-Identifier: Apache-2.0
// An access qualifier may be repeated, but not changed. 1.6
void once(read_only __read_only image2d_t i);
void changed(read_only write_only image2d_t i);
