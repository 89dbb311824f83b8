// SPDX-License-Identifier: Apache-2.0
// A product of half matrices by a device's matrix units, of bfloat16 or of 8-bit integers: hgemm [--bf16]
// [--int8] [SIZE] [-DBM=128 ...], see hgemm.cl for the macros.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "support/example.h"

namespace {

enum class Element { Half, Bfloat16, Int8 };

/// A small integer as a float of 16 bits, which is exact: -4 to 4.
uint16_t short_float_of(int value, Element element) {
    constexpr uint16_t kHalves[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
    constexpr uint16_t kBfloats[] = {0, 0x3f80, 0x4000, 0x4040, 0x4080};
    const uint16_t* magnitudes = element == Element::Half ? kHalves : kBfloats;
    return static_cast<uint16_t>(magnitudes[std::abs(value)] | (value < 0 ? 0x8000 : 0));
}
void put(std::vector<uint8_t>& bytes, size_t i, int value, Element element) {
    const bool int8 = element == Element::Int8;
    const uint16_t bits = int8 ? static_cast<uint8_t>(value) : short_float_of(value, element);
    std::memcpy(&bytes[int8 ? i : 2 * i], &bits, int8 ? 1 : 2);
}
uint32_t sum_of(int value, bool int8) {
    return int8 ? static_cast<uint32_t>(value) : std::bit_cast<uint32_t>(static_cast<float>(value));
}
int a_at(size_t i) { return static_cast<int>(i * 7 % 1013 % 9) - 4; }
int b_at(size_t i) { return static_cast<int>(i * 5 % 1019 % 9) - 4; }

/// The number of a macro of the options, or what hgemm.cl has.
uint32_t option(const std::string& options, const std::string& name, uint32_t otherwise) {
    const size_t at = options.find("-D" + name + "=");
    return at == options.npos ? otherwise
                              : static_cast<uint32_t>(std::stoul(options.substr(at + name.size() + 3)));
}

uint32_t sub_group_size() {
    example::Session session("hgemm.cl", {.compile = {.options = "-cl-std=CL3.0"}});
    const caldera::Buffer size = session.buffer(std::vector<uint32_t>{0});
    caldera::Kernel kernel = session.kernel("sub_group_size");
    example::set_arguments(kernel, size);
    session.run(kernel, {.dimensions = 1, .global = {64, 1, 1}, .local = {64, 1, 1}});
    return session.read<uint32_t>(size)[0];
}

}  // namespace

int main(int count, char** words) {
    const uint32_t lanes = sub_group_size();
    const bool is_card = lanes >= 32;
    uint32_t n = is_card ? 8192 : 128;
    Element element = Element::Half;
    std::string options = "-cl-std=CL3.0 -DSG=" + std::to_string(lanes);
    for (int i = 1; i < count; ++i) {
        if (std::string_view(words[i]) == "--int8")
            element = Element::Int8;
        else if (std::string_view(words[i]) == "--bf16")
            element = Element::Bfloat16;
        else if (words[i][0] == '-')
            options += std::string(" ") + words[i];
        else
            n = static_cast<uint32_t>(std::stoul(words[i]));
    }
    const bool int8 = element == Element::Int8;
    if (element == Element::Bfloat16) options += " -DELEMENT=__bf16 -DSUM=float";
    if (int8) {
        options += " -DELEMENT=char -DSUM=int";
        for (const char* wide : {"TK=32", "BK=128"})
            if (is_card && options.find("-D" + std::string(wide, 3)) == options.npos)
                options += std::string(" -D") + wide;
    }
    for (const char* small : {"BM=32", "BN=32", "BK=16", "WM=16", "WN=16"})
        if (!is_card && options.find("-D" + std::string(small, 3)) == options.npos)
            options += std::string(" -D") + small;
    const uint32_t bm = option(options, "BM", 128), bn = option(options, "BN", 128);
    const uint32_t sub_groups = bm / option(options, "WM", 64) * (bn / option(options, "WN", 64));
    if (n == 0 || n % bm || n % bn || n % option(options, "BK", 64)) {
        std::fprintf(stderr, "error: the size must be a multiple of BM, BN and BK\n");
        return 1;
    }
    example::Session session("hgemm.cl", {.compile = {.options = options}});
    const size_t all = size_t{n} * n;
    std::vector<uint8_t> a(all * (int8 ? 1 : 2)), b(a.size());
    for (size_t i = 0; i < all; ++i) put(a, i, a_at(i), element), put(b, i, b_at(i), element);
    const auto a_buffer = session.buffer(a), b_buffer = session.buffer(b);
    const auto c_buffer = session.buffer(std::vector<uint32_t>(all));
    caldera::Kernel kernel = session.kernel("hgemm");
    example::set_arguments(kernel, a_buffer, b_buffer, c_buffer, n, n, n);
    const uint32_t threads = sub_groups * lanes;
    const caldera::NDRange range = {
        .dimensions = 1, .global = {uint64_t{n / bm} * (n / bn) * threads, 1, 1}, .local = {threads, 1, 1}};
    double time_ms = session.run(kernel, range);
    for (int i = 0; i < (n > 1024 ? 20 : 2); ++i) time_ms = std::min(time_ms, session.run(kernel, range));

    // Sums of small integers are exact. A large product is compared in some rows.
    const std::vector<uint32_t> result = session.read<uint32_t>(c_buffer);
    std::vector<int8_t> numbers(all);
    for (size_t i = 0; i < all; ++i) numbers[i] = static_cast<int8_t>(b_at(i));
    bool right = true;
    for (uint32_t row = 0; row < n; row += std::max(n / 256, 1u) | 1) {
        std::vector<int> sums(n);
        for (uint32_t k = 0; k < n; ++k)
            for (uint32_t column = 0; column < n; ++column)
                sums[column] += a_at(size_t{row} * n + k) * numbers[size_t{k} * n + column];
        for (uint32_t column = 0; column < n; ++column)
            right = right && result[size_t{row} * n + column] == sum_of(sums[column], int8);
    }
    if (time_ms > 0)
        std::printf("%u x %u x %u: %.3f %s\n", n, n, n, 2e-9 * n * n * n / time_ms,
                    int8 ? "TOP/s" : "TFLOP/s");
    return session.verdict(right, time_ms);
}
