/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

uint32_t plain_first_word(void);
uint32_t plain_first_word(void) { return plain_words[0]; }
