// SPDX-License-Identifier: Apache-2.0
// What POSIX systems have: links, pipes, devices, owners and signals.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <iterator>
#include <thread>

#include "spirv/support/files.h"
#include "tests/support/new_folder.h"

using namespace caldera;

namespace {

namespace fs = std::filesystem;

size_t count_in(const fs::path& folder) {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("a file that is replaced is the old one or the new one, and never a part") {
    const fs::path folder = new_folder();
    const std::string name = utf8_text(folder / "bytes");
    constexpr size_t kSize = 1 << 20;
    std::atomic<bool> is_over = false;
    REQUIRE(write_file(name, std::string(kSize, 'a')));
    std::thread writer([&] {
        for (int i = 0; i < 200; ++i) write_file(name, std::string(kSize, i % 2 ? 'a' : 'b'));
        is_over = true;
    });
    size_t torn = 0;
    while (!is_over) {
        const std::optional<std::string> read = read_file(name);
        torn += !read || read->size() != kSize || read->find_first_not_of(read->front()) != std::string::npos;
    }
    writer.join();
    CHECK(torn == 0);
    CHECK(count_in(folder) == 1);
    fs::remove_all(folder);
}

TEST_CASE("a file that is replaced keeps its permissions and the links to it") {
    const fs::path folder = new_folder();
    fs::create_directories(folder / "sub");
    const auto text_of = [](const fs::path& path) { return read_file(utf8_text(path)); };
    const auto write = [](const fs::path& path, const char* text) {
        return write_file(utf8_text(path), text);
    };
    const auto rights = fs::perms::owner_all | fs::perms::group_read;
    REQUIRE(write(folder / "sub/file", "old"));
    fs::permissions(folder / "sub/file", rights);
    fs::create_symlink("sub/file", folder / "link");
    fs::create_symlink(folder / "link", folder / "sub/back");
    CHECK(write(folder / "sub/back", "by links"));
    CHECK(text_of(folder / "sub/file") == "by links");
    CHECK(fs::status(folder / "sub/file").permissions() == rights);
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(fs::is_symlink(folder / "sub/back"));
    fs::create_symlink("sub/new", folder / "to_new");
    CHECK(write(folder / "to_new", "new"));
    CHECK(fs::is_symlink(folder / "to_new"));
    CHECK(text_of(folder / "sub/new") == "new");
    const auto runs = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    CHECK(fs::status(folder / "sub/new").permissions() == (fs::status(folder / "sub").permissions() & ~runs));
    fs::create_hard_link(folder / "sub/file", folder / "hard");
    CHECK(write(folder / "hard", "both names"));
    CHECK(text_of(folder / "sub/file") == "both names");
    fs::create_symlink("nowhere/file", folder / "astray");
    errno = 0;
    CHECK(!write(folder / "astray", "none"));
    CHECK(errno == ENOENT);
    fs::create_symlink("circle", folder / "circle");
    CHECK(!write(folder / "circle", "none"));
    CHECK(errno == ELOOP);
    fs::remove_all(folder);
}

TEST_CASE("a process that is killed while it writes leaves no part of a file") {
    const fs::path folder = new_folder();
    const std::string name = utf8_text(folder / "bytes");
    const std::string text(64 << 20, 'a');
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const pid_t child = fork();
        if (child == 0) {
            ::signal(signal, SIG_DFL);  // doctest's handler reports a fault
            write_file(name, text);
            pause();  // for a signal that came late
            _exit(0);
        }
        while (fs::is_empty(folder)) usleep(100);
        CHECK(kill(child, signal) == 0);
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == signal);
        CHECK(count_in(folder) == 1);
        CHECK(fs::file_size(folder / "bytes") == text.size());
        fs::remove(folder / "bytes");
    }
    fs::remove_all(folder);
}

TEST_CASE("pipes and devices give no more than a limit, and files more") {
    const fs::path folder = new_folder();
    const std::string pipe = utf8_text(folder / "pipe"), file = utf8_text(folder / "file");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    for (const uint64_t more : {0, 1}) {
        std::optional<std::string> received;
        int fault = 0;
        std::thread reader([&] {
            received = read_file(pipe);
            fault = errno;
        });
        write_file(pipe, std::string(kMostPipedBytes + more, 'a'));
        reader.join();
        CHECK(received.has_value() == (more == 0));
        if (more != 0) CHECK(fault == EFBIG);
    }
    REQUIRE(write_file(file, ""));
    fs::resize_file(folder / "file", kMostPipedBytes + 1);
    const std::optional<std::string> read = read_file(file);
    REQUIRE(read);
    CHECK(read->size() == kMostPipedBytes + 1);
    fs::remove_all(folder);
}

TEST_CASE("pipes, and open files by their names in /dev, are written in place") {
    const fs::path folder = new_folder();
    const std::string pipe = utf8_text(folder / "pipe"), name = utf8_text(folder / "bytes");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::optional<std::string> received;
    std::thread reader([&] { received = read_file(pipe); });
    CHECK(write_file(pipe, "through"));
    reader.join();
    CHECK(received == "through");
    CHECK(fs::is_fifo(folder / "pipe"));
    if (fs::exists("/dev/fd")) {
        FILE* const file = open_file(name, "w+b");
        REQUIRE(file);
        const std::string number = std::to_string(fileno(file));
        fs::create_symlink("/dev/fd/" + number, folder / "link");
        fs::create_symlink("/dev/fd", folder / "folder");
        for (const std::string& way :
             {"/dev/fd/" + number, utf8_text(folder / "link"), utf8_text(folder / "folder" / number)}) {
            CHECK(write_file(way, "text of " + way));
            char back[256] = {};
            std::rewind(file);
            CHECK(std::fread(back, 1, sizeof back, file) == way.size() + 8);
            CHECK(back == "text of " + way);
        }
        std::fclose(file);
    }
    fs::remove_all(folder);
}
