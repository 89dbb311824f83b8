// SPDX-License-Identifier: Apache-2.0
// POSIX systems: names are bytes, which are UTF-8 by custom.
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "spirv/support/c_locale.h"
#include "spirv/support/environment.h"
#include "spirv/support/files.h"
#include "spirv/support/process.h"
#include "spirv/support/program.h"

namespace caldera {

std::filesystem::path utf8_path(std::string_view name) { return name; }

std::string utf8_text(const std::filesystem::path& path) { return path.string(); }

FILE* open_file(const std::string& name, const char* mode) { return std::fopen(name.c_str(), mode); }

FILE* make_file(const std::string& name, bool is_private) {
    const int descriptor =
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, is_private ? 0600 : 0666);
    return descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
}

bool have_same_owner(const std::string& name, const std::string& other) {
    struct stat one = {}, two = {};
    return ::stat(name.c_str(), &one) == 0 && ::stat(other.c_str(), &two) == 0 && one.st_uid == two.st_uid &&
           one.st_gid == two.st_gid;
}

bool is_regular_file(const std::string& name) {
    std::error_code error;
    return std::filesystem::is_regular_file(utf8_path(name), error);
}

bool is_stream(const std::string& name) {
    std::error_code error;
    const std::filesystem::file_type type = std::filesystem::status(utf8_path(name), error).type();
    return type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::character;
}

std::vector<std::string> arguments(int argc, char** argv) { return {argv + 1, argv + argc}; }

void use_binary_streams() {}

std::string_view environment(const char* name) {
    const char* value = ::secure_getenv(name);
    return value ? value : "";
}

CLocale::CLocale() {
    static const locale_t classic = ::newlocale(LC_ALL_MASK, "C", locale_t{});
    before_ = ::uselocale(classic);
}
CLocale::~CLocale() { ::uselocale(before_); }

void run_at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
    pthread_atfork(before, in_parent, in_child);
}

EndingSignalsWait::EndingSignalsWait() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ}) sigaddset(&ending, signal);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
}
EndingSignalsWait::~EndingSignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::string executable_name() {
#ifdef __linux__
    std::error_code failed;
    const std::filesystem::path link = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::string() : link.filename().string();
#else
    const char* const name = getprogname();
    return name ? name : "";
#endif
}

int64_t process_id() { return getpid(); }

bool other_threads_are_gone() { return false; }

bool other_threads_are_ready() {
#ifdef __linux__
    std::error_code failed;
    const std::string own = std::to_string(::gettid());
    for (std::filesystem::directory_iterator thread("/proc/self/task", failed), end; !failed && thread != end;
         thread.increment(failed)) {
        if (thread->path().filename() == own) continue;
        std::string text;
        std::getline(std::ifstream(thread->path() / "stat"), text);
        // its number, its name in parentheses, which may have any characters, and its state
        const size_t name_end = text.rfind(')');
        if (name_end != std::string::npos && text.compare(name_end, 3, ") R") == 0) return true;
    }
#endif
    return false;
}

}  // namespace caldera
