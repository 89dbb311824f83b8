// SPDX-License-Identifier: Apache-2.0
// The golden, diagnostics and execution runner: every test is one small file, all run in one process.
//
//   runner golden DIR    .cl and .spvasm: compiled, translated and validated; `// CHECK:` lines must appear
//                        in this order in the disassembly (`// CHECK-NOT:` nowhere after the CHECK before
//                        it). `; ` starts a comment in .spvasm.
//   runner diag DIR      .cl or .spvasm with a .err beside it: the diagnostics must be exactly those.
//   runner exec DIR      .cl: every kernel named test_… runs on the device and must record no failure; the
//                        prelude tests/exec/assert.h gives ASSERT(expected, actual). --abi=descriptors binds
//                        buffers as such, and skips files that say `// NEEDS: addresses`. --wrong-idioms
//                        translates as for NVIDIA's compiler, which gets some wrong
//                        (translate/drivers/avoid_idioms.cpp); --only-32-bits does without the device's
//                        integers, halves and storage of other widths; --no-sub-groups without its
//                        sub-groups; --merge-calls makes one call of several where it can;
//                        --emulate-doubles without its doubles, and skips files that have none;
//                        --private-in-buffers puts all private arrays but small ones into a buffer.
//                        --constants-in-module makes constants part of the module, as offline modules have
//                        them.
//                        --modules=DIR runs DIR/NAME.spv, which another compiler made of NAME.cl,
//                        where that is. NAME.spvasm beside NAME.cl is linked with it: what it exports is what
//                        the kernels declare and call. --disable-pass=PASS, once or several times, leaves out
//                        a pass that is optional (clc2spv --list-passes).
//
// `// OPTIONS: …` in a file gives build options, --target=… the environment whose text CHECK sees (default
// vulkan1.2), and --abi=descriptors and --images=hardware as for clc2spv. `// RUN: global=64 local=16
// offset=3` gives an execution test's sizes (default 1, 1 and 0), with `overlap` all buffers but the record
// are one, `image=2d:RGBA:FLOAT:16x8` (host_image.h) is an image, `levels=3` gives all images so many levels,
// `by_format` has pipelines for formats, `sampler=0x11` the samplers that are arguments; several such lines
// are as many runs, less those too large for the device. `// PRINTS: …` is a line that the kernels of an
// execution test print, `// PRINTS*64: …` 64 of them; all lines must be there, in this order and no others,
// but blanks at their starts count for nothing. `// PRINTF_BUFFER: bytes` gives printf that little room;
// `(cut)` is a line that follows then. `// DEVICE_QUEUE: bytes events` is how large the device queue of a
// file is, with `not default` behind it is not the default one; `// DEVICE_QUEUE: none` is none. `// ENDS:
// test_name -14` is the status that a kernel ends with because of what it enqueued. --update rewrites the
// .err files. A further argument runs only the files whose path holds it. --times prints the milliseconds of
// processor time that each file took (of all threads, so that other processes do not matter), and of an
// execution test also how many of them each kernel took, the driver's compiler included. --part=K/N runs the
// K-th, the N+K-th and so on of the files, counted from
// 1. --sample=N is the part of which tests/run.sh says the number in CALDERA_TEST_PART (1, 2, …, counted
// round), and all files where it says none; files that found a fault in one form say so, `// ALWAYS:
// descriptors` (or only-32-bits, wrong-idioms, merge-calls, no-sub-groups, emulate-doubles,
// private-in-buffers, constants-in-module), and are in every sample of it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "tests/runner/executor.h"
#include "tests/runner/suites.h"

using namespace caldera;
using namespace caldera::runner;

namespace {

/// Which files run: those whose number, counted round to `of`, is `number`.
struct Part {
    size_t number = 1, of = 1;
    bool has(size_t file) const { return file % of == (number - 1) % of; }
};

/// --part=K/N
bool read_part(const char* text, Part& part) {
    return std::sscanf(text, "%zu/%zu", &part.number, &part.of) == 2 && part.number > 0 && part.of > 0;
}

/// --sample=N: the N-th of which CALDERA_TEST_PART says the number, or all.
bool read_sample(const char* text, Part& part) {
    const char* number = std::getenv("CALDERA_TEST_PART");
    if (std::sscanf(text, "%zu", &part.of) != 1 || part.of == 0) return false;
    if (!number || !*number) part = {};
    return part.of == 1 || (std::sscanf(number, "%zu", &part.number) == 1 && part.number > 0);
}

int usage() {
    std::fprintf(
        stderr,
        "usage: runner golden|diag|exec DIR [--update] [--abi=descriptors] [--only-32-bits] "
        "[--wrong-idioms] [--merge-calls] [--no-sub-groups] [--emulate-doubles] [--private-in-buffers] "
        "[--constants-in-module] "
        "[--modules=DIR] [--part=K/N] "
        "[--sample=N] [--disable-pass=PASS] [--times] [FILTER]\n");
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return usage();
    const std::string suite = argv[1];
    const fs::path root = argv[2];
    bool update = false, times = false;
    vulkan::Abi abi = vulkan::Abi::Addresses;
    Part part, sample;
    std::string filter;
    Executor executor;
    for (int i = 3; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--update"))
            update = true;
        else if (!std::strcmp(argv[i], "--abi=descriptors"))
            abi = vulkan::Abi::Descriptors;
        else if (!std::strcmp(argv[i], "--only-32-bits"))
            executor.set_only_32_bits();
        else if (!std::strcmp(argv[i], "--wrong-idioms"))
            executor.set_wrong_idioms();
        else if (!std::strcmp(argv[i], "--merge-calls"))
            executor.set_merge_calls();
        else if (!std::strcmp(argv[i], "--emulate-doubles"))
            executor.set_emulate_doubles();
        else if (!std::strcmp(argv[i], "--no-sub-groups"))
            executor.set_no_sub_groups();
        else if (!std::strcmp(argv[i], "--private-in-buffers"))
            executor.set_private_in_buffers();
        else if (!std::strcmp(argv[i], "--constants-in-module"))
            executor.set_constants_in_module();
        else if (!std::strncmp(argv[i], "--disable-pass=", 15))
            executor.disable_pass(argv[i] + 15);
        else if (!std::strcmp(argv[i], "--times"))
            times = true;
        else if (!std::strncmp(argv[i], "--part=", 7)) {
            if (!read_part(argv[i] + 7, part)) return usage();
        } else if (!std::strncmp(argv[i], "--sample=", 9)) {
            if (!read_sample(argv[i] + 9, sample)) return usage();
        } else if (!std::strncmp(argv[i], "--modules=", 10))
            executor.set_modules(argv[i] + 10);
        else
            filter = argv[i];
    }
    std::function<Verdict(const Test&)> judge;
    if (suite == "golden") {
        judge = [&](const Test& test) { return golden(test, root); };
    } else if (suite == "diag") {
        judge = [&](const Test& test) { return diagnostics(test, root, update); };
    } else if (suite == "exec") {
        if (const Verdict bad = executor.open(); !bad.empty())
            return std::fprintf(stderr, "error: %s\n", bad.c_str()), 1;
        executor.set_abi(abi);
        if (times) executor.set_times();
        std::printf("device: %s\n", executor.device_name().c_str());
        judge = [&](const Test& test) { return executor.run(test, root); };
    } else {
        return usage();
    }

    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
        if (entry.path().extension() == ".cl" || (entry.path().extension() == ".spvasm" && suite != "exec"))
            if (entry.path().generic_string().find(filter) != std::string::npos)
                files.push_back(entry.path());
    std::ranges::sort(files);
    if (sample.of > 1)
        std::printf(
            "part %zu of %zu of the files, and those that are always run as %s; all without "
            "CALDERA_TEST_PART\n",
            (sample.number - 1) % sample.of + 1, sample.of, executor.form().c_str());
    size_t passed = 0, skipped = 0, left_out = 0;
    for (size_t i = 0; i < files.size(); ++i) {
        const fs::path& path = files[i];
        Test test;
        const long long start = milliseconds();
        Verdict verdict = load(path, root, test);
        if (!part.has(i) || (!sample.has(i) && !is_always(test, executor.form()))) {
            ++left_out;
            continue;
        }
        if (suite == "exec" && !executor.offers(test)) {
            ++skipped;
            continue;
        }
        if (verdict.empty()) verdict = judge(test);
        if (verdict.empty())
            ++passed;
        else
            std::printf("FAILED %s: %s\n", path.string().c_str(), verdict.c_str());
        if (times)
            std::printf("%7lld ms %s\n", milliseconds() - start, fs::relative(path, root).string().c_str());
    }
    const size_t failed = files.size() - passed - skipped - left_out;
    std::printf("%zu passed, %zu failed", passed, failed);
    if (skipped) std::printf(", %zu skipped", skipped);
    if (left_out) std::printf(", %zu left out", left_out);
    std::printf("\n");
    if (const uint32_t messages = executor.validation_messages())
        std::printf("FAILED: %u messages of the validation layer\n", messages);
    return failed == 0 && !files.empty() && executor.validation_messages() == 0 ? 0 : 1;
}
