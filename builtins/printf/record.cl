// SPDX-License-Identifier: Apache-2.0
// printf's buffer (vulkan/interface.h tells its layout): a call asks for a record with one addition, so that calls of other
// work-items stay apart from it, and fills it word by word.

/// Asks for a record of the format `format` and `count` words of arguments. Where they go, or 0 when the buffer has no room;
/// it never has again then, and is not asked: the sum would wrap around.
uint __attribute__((overloadable))
printf_begin(global uint *buffer, uint buffer_words, uint format, uint count) {
    if (*(volatile global uint *)buffer >= buffer_words) return 0;
    uint record = 1 + atomic_add(buffer, 1 + count);
    if (record < buffer_words) buffer[record] = format;
    return record + count < buffer_words ? record + 1 : 0;
}

void __attribute__((overloadable))
printf_word(global uint *buffer, uint arguments, uint index, uint word) {
    if (arguments != 0) buffer[arguments + index] = word;
}
