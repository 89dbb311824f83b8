// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vulkan/runtime/file_descriptor.h"

namespace caldera::runtime {
namespace {

bool are_same(int first, int second) {
    struct stat of_first = {}, of_second = {};
    return ::fstat(first, &of_first) == 0 && ::fstat(second, &of_second) == 0 &&
           of_first.st_dev == of_second.st_dev && of_first.st_ino == of_second.st_ino;
}

}  // namespace

bool may_be_handle(int descriptor) {
    struct stat found = {};
    return descriptor >= 0 && ::fstat(descriptor, &found) == 0 && !S_ISFIFO(found.st_mode) &&
           !S_ISSOCK(found.st_mode) && !S_ISDIR(found.st_mode) && !::isatty(descriptor);
}

void close_descriptor(int descriptor) {
    if (descriptor >= 0) ::close(descriptor);
}

/// A dma_buf answers no other position than its end.
uint64_t size_of_descriptor(int descriptor) {
    const off_t size = ::lseek(descriptor, 0, SEEK_END);
    if (size > 0) ::lseek(descriptor, 0, SEEK_SET);
    return size > 0 ? static_cast<uint64_t>(size) : 0;
}

bool was_signalled(int sync_file) {
    pollfd asked{.fd = sync_file, .events = POLLIN, .revents = 0};
    return sync_file == -1 || (::poll(&asked, 1, 0) == 1 && asked.revents & POLLIN);
}

LentDescriptor::LentDescriptor(int original)
    : original_(original), copy_(original < 0 ? original : ::fcntl(original, F_DUPFD_CLOEXEC, 0)) {}

LentDescriptor::~LentDescriptor() {
    if (copy_ >= 0 && are_same(copy_, original_)) ::close(copy_);
}

}  // namespace caldera::runtime
