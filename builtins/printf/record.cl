// SPDX-License-Identifier: Apache-2.0
// printf's buffer (vulkan/interface.h describes its layout). A call reserves a record with one atomic
// addition, so that it does not overlap those of other work-items, and fills it word by word.

/// Reserves a record of the format `format` with `count` words of arguments. Returns where these go, or 0 if
/// the buffer has no room. After that it never has room again, and is not asked, because the sum would wrap
/// around.
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
