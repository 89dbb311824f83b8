// SPDX-License-Identifier: Apache-2.0
// execute_host [--options=CLANG_OPTIONS] [--dump] FILE...: as execute_vulkan, compiled by clang for this
// machine with PoCL's library of functions, and without what crashes PoCL: each work-item is a coroutine that
// runs from barrier to barrier.
#include <dlfcn.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "kernel_contract.h"

namespace {

// The header of the kernel: PoCL's names of built-in functions (_cl_hadd for hadd), and our work-item
// functions.
constexpr const char* kHeader = R"(
#include "/usr/share/pocl/include/_builtin_renames.h"
#include "opencl-c.h"
ulong host_global_id(uint); ulong host_local_id(uint); ulong host_group_id(uint); void host_barrier(uint);
#define get_global_id host_global_id
#define get_local_id host_local_id
#define get_group_id host_group_id
#define barrier host_barrier
)";
constexpr const char* kStart = R"(
void host_start(global uint *out, global uint *data, constant uint *table, global uint *scope, local ulong *dynamic,
                private Given *given) {
    test(out, data, table, scope, dynamic, *given);
}
)";
constexpr const char* kClang =
    "clang-15 -cc1 -triple x86_64-pc-linux-gnu -x cl -cl-std=CL1.2 -mrelocation-model pic -pic-level 2 "
    "-Wno-everything "
    "-ffp-contract=off -relaxed-aliasing -I /usr/lib/llvm-15/lib/clang/15.0.6/include ";
constexpr const char* kLibrary = "/usr/share/pocl/kernel-x86_64-pc-linux-gnu-sse2.bc";
constexpr size_t kStackBytes = 256 * 1024;

using Start = void (*)(uint32_t*, uint32_t*, uint32_t*, uint32_t*, uint64_t*, uint32_t*);

struct WorkItem {
    ucontext_t context = {};
    std::unique_ptr<char[]> stack = std::make_unique<char[]>(kStackBytes);
    bool done = false;
};

struct Free {
    void operator()(uint32_t* words) const { std::free(words); }
};

struct Launch {
    Start start = nullptr;
    std::vector<std::vector<uint32_t>> contents = differential::buffers();
    std::array<std::unique_ptr<uint32_t[], Free>, 4> buffers = {};  // aligned for any struct
    alignas(128) std::array<uint64_t, differential::kDynamicBytes / 8> dynamic = {};
    alignas(128) std::array<uint32_t, 12> given = {};
    std::array<WorkItem, differential::kLocal> items = {};
    ucontext_t scheduler = {};
    uint32_t group = 0, local = 0;

    void run();
};

Launch* running = nullptr;  // what the kernel's calls of host_* are about

void run_item() {
    Launch& launch = *running;
    alignas(128) std::array<uint32_t, 12> given = launch.given;
    launch.start(launch.buffers[0].get(), launch.buffers[1].get(), launch.buffers[2].get(),
                 launch.buffers[3].get(), launch.dynamic.data(), given.data());
    launch.items[launch.local].done = true;
}

void Launch::run() {
    running = this;
    const std::vector<uint32_t> words = differential::given();
    std::copy(words.begin(), words.end(), given.begin());
    for (size_t i = 0; i < contents.size(); ++i) {
        buffers[i].reset(
            static_cast<uint32_t*>(std::aligned_alloc(512, (contents[i].size() * 4 + 511) / 512 * 512)));
        std::copy(contents[i].begin(), contents[i].end(), buffers[i].get());
    }
    for (group = 0; group < differential::kGlobal / differential::kLocal; ++group) {
        for (WorkItem& item : items) {
            getcontext(&item.context);
            item.context.uc_stack.ss_sp = item.stack.get();
            item.context.uc_stack.ss_size = kStackBytes;
            item.context.uc_link = &scheduler;
            item.done = false;
            makecontext(&item.context, run_item, 0);
        }
        for (bool all_done = false; !all_done;) {
            all_done = true;
            for (local = 0; local < items.size(); ++local) {
                if (items[local].done) continue;
                swapcontext(&scheduler, &items[local].context);
                all_done = all_done && items[local].done;
            }
        }
    }
    for (size_t i = 0; i < contents.size(); ++i)
        std::copy_n(buffers[i].get(), contents[i].size(), contents[i].begin());
}

/// PoCL's functions as a shared object: compiled once (20 s) for all processes to come.
std::string library_object() {
    namespace fs = std::filesystem;
    const fs::path object = fs::temp_directory_path() / "execute_host.pocl.so";
    if (fs::exists(object) && fs::last_write_time(object) > fs::last_write_time(kLibrary)) return object;
    const std::string made = object.string() + "." + std::to_string(getpid()), code = made + ".o";
    // Weak: PoCL's variables for the ids of work-items need not be anywhere.
    std::system(("clang-15 -O0 -fPIC -c -w " + std::string(kLibrary) + " -o " + code +
                 " && objcopy --weaken " + code + " && ld -shared " + code + " -o " + made)
                    .c_str());
    fs::remove(code);
    fs::rename(made, object);
    return object;
}

/// The folder in which this process compiles, and the clang command, which uses a precompiled header.
struct Compiler {
    std::string folder = {}, command = {}, functions = library_object();

    explicit Compiler(const std::string& options) {
        folder = std::filesystem::temp_directory_path() / "execute_host.XXXXXX";
        mkdtemp(folder.data());
        std::ofstream(folder + "/host.h") << kHeader;
        command = kClang + options;
        std::system((command + " -emit-pch " + folder + "/host.h -o " + folder + "/host.pch").c_str());
    }
    ~Compiler() { std::filesystem::remove_all(folder); }

    bool compile(const std::string& path) const {
        const std::string source = folder + "/kernel.cl", object = folder + "/kernel.o";
        std::ofstream(source) << std::ifstream(path).rdbuf() << kStart;
        return std::system((command + " -include-pch " + folder + "/host.pch -emit-obj " + source + " -o " +
                            object + " && ld -shared " + object + " " + functions + " -o " + library())
                               .c_str()) == 0;
    }
    std::string library() const { return folder + "/kernel.so"; }
};

/// Empty when `contents` holds the buffers afterwards.
std::string execute(const Compiler& compiler, const std::string& path,
                    std::vector<std::vector<uint32_t>>& contents) {
    if (!compiler.compile(path)) return "clang fails";
    void* library = dlopen(compiler.library().c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!library) return dlerror();
    auto launch = std::make_unique<Launch>();
    launch->start = reinterpret_cast<Start>(dlsym(library, "host_start"));
    launch->run();
    contents = std::move(launch->contents);
    dlclose(library);
    return "";
}

}  // namespace

extern "C" {
uint64_t host_global_id(uint32_t) { return running->group * differential::kLocal + running->local; }
uint64_t host_local_id(uint32_t) { return running->local; }
uint64_t host_group_id(uint32_t) { return running->group; }
void host_barrier(uint32_t) { swapcontext(&running->items[running->local].context, &running->scheduler); }
}

int main(int argc, char** argv) {
    std::string options = "-O0";
    bool dump = false;
    std::vector<std::string> paths;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--dump")
            dump = true;
        else if (argument.starts_with("--options="))
            options = argument.substr(10);
        else
            paths.push_back(argument);
    }
    const Compiler compiler(options);
    for (const std::string& path : paths) {
        std::vector<std::vector<uint32_t>> contents = differential::buffers();
        if (const std::string error = execute(compiler, path, contents); error.empty())
            std::printf("%s digest %016" PRIx64 " %016" PRIx64 "\n", path.c_str(),
                        differential::digest(contents[0]), differential::digest(contents[1]));
        else
            std::printf("%s error %s\n", path.c_str(), error.c_str());
        if (dump) differential::print(contents);
        std::fflush(stdout);
    }
    return 0;
}
