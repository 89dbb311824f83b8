// SPDX-License-Identifier: Apache-2.0
// measure COMMAND ARG…: runs it once, its output dropped, and prints "wall_us cpu_us peak_kb exit_code".
//
// A small static program, because Linux counts what a process used before exec() as its peak: a child of
// Python would never have used less than Python.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>

namespace {

long now_us() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

long us(timeval time) { return time.tv_sec * 1000000 + time.tv_usec; }

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const int null = open("/dev/null", O_RDWR);
    const long begin = now_us();
    const pid_t child = vfork();
    if (child == 0) {
        for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, stream);
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    int status = 0;
    rusage usage = {};
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) return 2;
    const long wall = now_us() - begin;
    std::printf("%ld %ld %ld %d\n", wall, us(usage.ru_utime) + us(usage.ru_stime), usage.ru_maxrss,
                WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
