// SPDX-License-Identifier: Apache-2.0
// Kernels that run by descriptors on a device with addresses: which ones, and with which arguments.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <array>
#include <string>
#include <vector>

#include "builtins/builtin_library.h"
#include "tests/support/why.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/queue.h"

using namespace caldera;

namespace {

/// Names begin with in_ where the kernel should run by descriptors, and with out_ where it should not.
constexpr const char* kKernels = R"(
constant int table[4] = {3, 1, 4, 1};
global int counter;
typedef struct { int x, y; } Pair;
typedef struct { global int *p; } Holder;
int first(global int *p) { return p[0]; }
int second(global int *p) { return p[1]; }
global int *behind(global int *p, int n) { return p + n; }
int *through(int *p) { return p + 1; }
int *beyond(int *p) { return p + 1; }
void put(global int **where, global int *what) { *where = what; }

kernel void in_plain(global int *a, int n) { a[n] = n; }
kernel void in_two(global int *a, global const float4 *b, Pair pair) { a[pair.x] = (int)b[pair.y].z; }
kernel void in_walk(global int *a, int n) { for (global int *p = a; n-- > 0; p += 2) *p = n; }
kernel void in_parts(global int *a, int n) { global int *p = n > 3 ? a + n : a; *p = 1; }
kernel void in_helpers(global int *a, global int *b) { *behind(a, 2) = first(a) + second(b); }
kernel void in_table(global int *a, int n, constant int *c) { a[n] = table[n & 3] + c[n]; }
kernel void in_local(global int *a, local int *l, int n) { l[n] = a[n]; barrier(CLK_LOCAL_MEM_FENCE); a[n] = l[n ^ 1]; }
kernel void in_views(global int *a, int n) { ((global char *)a)[n] = 1; vstore3((int3)(n), 1, a); atomic_inc(a); }
kernel void in_copies(global int *a, local int *l) { wait_group_events(1, (event_t[]){async_work_group_copy(l, a, 4, 0)}); }

kernel void in_generic(global int *a, int n) { int *p = a; p[n] = 1; *through(a + n) = 2; }
kernel void in_private(global int *a, int n) { int x[4]; int *p = x; p[n] = 1; *a = x[n ^ 1]; }

kernel void out_no_buffer(local int *l) { l[0] = 1; }
kernel void out_choice(global int *a, global int *b, int n) { *(n > 3 ? a : b) = 1; }
kernel void out_table_or_argument(global int *a, constant int *c, int n) { constant int *p = n > 3 ? table : c; *a = *p; }
kernel void out_two_calls(global int *a, global int *b) { *a = first(a) + first(b); }
kernel void out_compared(global int *a, global int *b) { *a = a == b; }
kernel void out_null(global int *a, global int *b) { if (b) *a = 1; }
kernel void out_integer(global ulong *a) { *a = (ulong)a; }
kernel void out_made(global int *a, ulong n) { *(global int *)n = *a; }
kernel void out_distance(global int *a, global int *b) { *a = b - a; }
kernel void out_array(global int *a, int n) { global int *p[2] = {a, a + 1}; *p[n] = 1; }
kernel void out_struct(global int *a, int n) { Holder h = {a}; h.p[n] = 1; }
kernel void out_bytes(global int *a, global ulong *b) { global int *p = a; *b = *(ulong *)&p; }
kernel void out_behind_pointer(global int *a) { global int *p; put(&p, a); *p = 1; }
kernel void out_in_memory(global Holder *h) { *h->p = 1; }
kernel void out_stored(global ulong *h, global int *a) { *(global int *global *)h = a; }
kernel void out_in_local(global int *a) { global int *local p; p = a; *p = 1; }
kernel void out_program_scope(global int *a) { *a = counter++; }
kernel void out_printing(global int *a) { printf("%d\n", *a); }
kernel void out_generic(global int *a, int n) { int x = 1; int *p = n > 3 ? (int *)a : &x; *p = 2; }
kernel void out_two_spaces(global int *a) { int x = 1; *a = *beyond(a) + *beyond(&x); }
kernel void out_which_space(global int *a) { int *p = a; *p = to_global(p) != 0; }
kernel void out_image(read_only image1d_buffer_t i, global int4 *a) { *a = read_imagei(i, 0); }
kernel void out_pipe(read_only pipe int p, global int *a) { read_pipe(p, a); }
kernel void out_enqueue(global int *a) {
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ a[0] = 1; });
}
)";

struct Environment {
    explicit Environment(const char* value) { setenv("CALDERA_BUFFERS", value, 1); }
    ~Environment() { unsetenv("CALDERA_BUFFERS"); }
};

BuildOptions options_for(const char* text) {
    BuildOptions options;
    REQUIRE(frontend::parse_build_options(text, options.compile));
    return options;
}

}  // namespace

TEST_CASE("kernels whose pointers stay pointers to one argument run by descriptors") {
    const BuildOptions options = options_for("-cl-std=CL2.0");
    const frontend::CompileResult compiled = frontend::compile(kKernels, "a.cl", options.compile);
    REQUIRE_MESSAGE(compiled, compiled.log);
    for (const bool is_trusted : {true, false}) {
        vulkan::TranslateOptions translate{.abi = vulkan::Abi::Descriptors,
                                           .null_arguments = true,
                                           .contained_kernels = true,
                                           .trusted_input = is_trusted,
                                           .verify_between_passes = true};
        const Result<vulkan::Translation> kept =
            vulkan::translate(compiled.words, translate, builtin_library());
        REQUIRE_MESSAGE(kept, why(kept));
        std::string names;
        for (const vulkan::Kernel& kernel : kept->interface.kernels) names += kernel.name + " ";
        CHECK(names ==
              "in_plain in_two in_walk in_parts in_helpers in_table in_local in_views in_copies "
              "in_generic in_private ");
        translate.profile.max_storage_buffers = 1;  // in_table needs three
        const Result<vulkan::Translation> few =
            vulkan::translate(compiled.words, translate, builtin_library());
        REQUIRE_MESSAGE(few, why(few));
        CHECK(few->interface.kernels.size() == 8);
    }
}

TEST_CASE("a launch is by descriptors if each pointer is a buffer that a descriptor can have") {
    const Environment wish("descriptors");
    const auto device = runtime::open_device().take();
    if (!device->has_addresses()) return;
    const auto queue = runtime::Queue::create(*device).take();
    const BuildResult built = build_program(*device, R"(
        kernel void copy(global const int *from, global int *to, int more) {
            to[get_global_id(0)] = from[get_global_id(0)] + more;
        }
        kernel void address(global ulong *to) { *to = (ulong)to; }
    )",
                                            "a.cl");
    REQUIRE_MESSAGE(built, built.log);
    const runtime::Program* form = built.program->descriptor_form();
    REQUIRE(form);
    CHECK(form->find_kernel("copy"));
    CHECK(!form->find_kernel("address"));
    const runtime::Kernel address = runtime::Kernel::create(*built.program, "address").take();
    CHECK(&address.form() == &address);

    const uint64_t alignment = device->limits().minStorageBufferOffsetAlignment;
    const auto from = runtime::Buffer::create(*device, 1024).take();
    const auto to = runtime::Buffer::create(*device, 1024).take();
    std::array<int, 256> values = {};
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
    REQUIRE(queue->upload(from, 0, std::as_bytes(std::span(values))));
    runtime::Kernel copy = runtime::Kernel::create(*built.program, "copy").take();
    CHECK(&copy.form() == &copy);  // nothing is set
    const auto run = [&](int more, int first) {
        REQUIRE(copy.set(2, more));
        REQUIRE(queue->fill(to, 0, 1024, 0));
        REQUIRE(queue->dispatch(copy, {.global = {100, 1, 1}}));
        std::array<int, 256> result = {};
        REQUIRE(queue->download(to, 0, std::as_writable_bytes(std::span(result))));
        for (int i = 0; i < 256; ++i)
            CHECK(result[static_cast<size_t>(i)] == (i < 100 ? i + first + more : 0));
    };
    REQUIRE(copy.set(0, from));
    REQUIRE(copy.set(1, to));
    run(5, 0);
    CHECK(&copy.form() != &copy);
    REQUIRE(copy.set(0, from, alignment));
    run(6, static_cast<int>(alignment / 4));
    CHECK(&copy.form() != &copy);
    if (alignment > 4) {
        REQUIRE(copy.set(0, from, 4));
        run(7, 1);
        CHECK(&copy.form() == &copy);
    }
    REQUIRE(copy.set_address(0, from.address() + 8));
    run(8, 2);
    CHECK(&copy.form() == &copy);
    REQUIRE(copy.set(0, from));
    run(9, 0);
    CHECK(&copy.form() != &copy);
    const runtime::Kernel other = copy;  // a copy has its own arguments
    REQUIRE(copy.set_address(0, from.address()));
    CHECK(&other.form() != &other);
    CHECK(&copy.form() == &copy);
}

TEST_CASE("CALDERA_BUFFERS decides instead of the driver's row") {
    const auto prefers = [](const char* wish) {
        const Environment environment(wish);
        return runtime::open_device().take()->prefers_descriptors();
    };
    const auto device = runtime::open_device().take();
    CHECK(device->prefers_descriptors() ==
          (device->has_addresses() && device->profile().quirks.slow_addresses));
    CHECK(!prefers("addresses"));
    CHECK(prefers("descriptors") == device->has_addresses());
    CHECK(prefers("") == device->prefers_descriptors());
}
