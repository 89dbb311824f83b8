// SPDX-License-Identifier: Apache-2.0
// Works through a list in a process that may die: a driver that crashes or hangs costs one item, and is a row
// of the result.
#pragma once

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace caldera::devices {

/// Prints a row of the result: fields between tabs. Line ends and tabs in them become spaces.
inline void print_row(std::vector<std::string> fields) {
    std::string line;
    for (std::string& field : fields) {
        for (char& c : field)
            if (c == '\n' || c == '\t' || c == '\r') c = ' ';
        line += (line.empty() ? "" : "\t") + field;
    }
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

/// The processor time of all threads of this process, in seconds: what else runs does not matter.
inline double processor_seconds() {
    timespec now = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
inline std::string seconds_since(double begin) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3f", processor_seconds() - begin);
    return text;
}

/// The kernel that is being compiled, in memory that the parent process reads when the child has died.
inline char* current_kernel() {
    constexpr size_t kBytes = 256;
    static char* const name =
        static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return name;
}
inline void begin_kernel(const std::string& name) {
    std::snprintf(current_kernel(), 256, "%s", name.c_str());
}

/// Ends the process when it has used so many seconds of processor time, or at ten times as many by the clock:
/// what else runs does not matter, and nothing hangs. A further call begins anew.
inline void limit_time(unsigned seconds) {
    const itimerval limit = {.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
    alarm(10 * seconds);
}

/// What became of an item in which the child died: "crash" or "timeout".
struct Death {
    std::string item = {}, verdict = {}, remark = {};
    std::string seconds = "0";
};
/// Prints the row "ITEM KERNEL crash 0 SIGNAL" or "ITEM KERNEL timeout SECONDS".
inline void print_death(const Death& death) {
    std::vector<std::string> row = {death.item, current_kernel(), death.verdict, death.seconds};
    if (!death.remark.empty()) row.push_back(death.remark);
    print_row(row);
}

/// Calls `make_work` once in each child process, and what it returns for `items_each` items. `report` hears
/// of an item that takes longer than `seconds`, or in which the child dies, and another child goes on behind
/// it. Ends the program with exit code 2 if `make_work` does not return.
inline void work_through(const std::vector<std::string>& items, unsigned seconds,
                         const std::function<std::function<void(const std::string&)>()>& make_work,
                         const std::function<void(const Death&)>& report = print_death,
                         size_t items_each = SIZE_MAX) {
    size_t next = 0;
    begin_kernel("-");
    while (next < items.size()) {
        int progress[2];
        if (pipe(progress) != 0) {
            std::perror("pipe");
            std::exit(2);
        }
        const pid_t child = fork();
        if (child < 0) {
            std::perror("fork");
            std::exit(2);
        }
        if (child == 0) {
            close(progress[0]);
            const auto work = make_work();
            if (write(progress[1], "!", 1) != 1) _exit(2);
            const size_t end = next + std::min(items_each, items.size() - next);
            for (size_t i = next; i < end; ++i) {
                limit_time(seconds);
                begin_kernel("-");
                work(items[i]);
                if (write(progress[1], "+", 1) != 1) _exit(2);
            }
            _exit(0);  // a driver's own threads may crash at exit
        }
        close(progress[1]);
        char done = 0;
        const size_t begun = next;
        const bool is_ready = read(progress[0], &done, 1) == 1;
        while (read(progress[0], &done, 1) == 1) ++next;
        close(progress[0]);
        int status = 0;
        waitpid(child, &status, 0);
        if (!is_ready) {
            // With 2 it ended by itself, and has said why.
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 2)
                std::fprintf(stderr, "no item was tried: the process ended before the first one\n");
            std::exit(2);
        }
        if (next == items.size()) break;
        if (next - begun == items_each) continue;
        Death death = {.item = items[next], .verdict = "crash"};
        if (WIFEXITED(status)) {
            death.remark = "the process ended with " + std::to_string(WEXITSTATUS(status));
        } else if (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM) {
            death.verdict = "timeout";
            death.seconds = std::to_string(seconds);
        } else {
            death.remark = strsignal(WTERMSIG(status));
        }
        report(death);
        ++next;
    }
}

}  // namespace caldera::devices
