// SPDX-License-Identifier: Apache-2.0
// The table: each kernel's data, sizes and what must come out.
#include <array>
#include <bit>
#include <numbers>

#include "tests/evaluation/bench/data.h"

namespace caldera::bench {
namespace {

Problem saxpy_of(double scale, uint32_t floats_per_item) {
    const uint32_t count = scaled(1 << 25, scale, 256 * floats_per_item);
    return {.arguments = {value(2.0f), buffer<float>(count, [](size_t i) { return digit(i, 1); }),
                          buffer<float>(count, [](size_t i) { return digit(i, 2); })},
            .range = items(count / floats_per_item, 256),
            .expectations = {expect<float>(2, [](size_t i) { return 2 * digit(i, 1) + digit(i, 2); })},
            .work = 12.0 * count,
            .unit = "GB/s"};
}
Problem saxpy(double scale) { return saxpy_of(scale, 1); }
Problem saxpy4(double scale) { return saxpy_of(scale, 4); }

Problem stencil(double scale) {
    const auto width = static_cast<int32_t>(scaled(8192, std::sqrt(scale), 32)), height = width;
    const auto reference = [=](size_t i) {
        const size_t x = i % width, y = i / width, w = width;
        if (x == 0 || y == 0 || x == w - 1 || y + 1 == static_cast<size_t>(height)) return 0.0f;
        return digit(i) + 0.25f * (digit(i - 1) + digit(i + 1) + digit(i - w) + digit(i + w) - 4 * digit(i));
    };
    const size_t count = static_cast<size_t>(width) * static_cast<size_t>(height);
    return {.arguments = {buffer<float>(count, [](size_t i) { return digit(i); }), zeros<float>(count),
                          value(width), value(height), value(0.25f)},
            .range = items(width, height, 32, 8),
            .expectations = {expect<float>(1, reference)},
            .work = 8.0 * static_cast<double>(count),
            .unit = "GB/s"};
}

Problem matrix_product(double scale) {
    const uint32_t n = scaled(2048, std::cbrt(scale), 16);
    const auto reference = [n](size_t i) {
        float sum = 0;
        for (size_t k = 0; k < n; ++k) sum += digit(i / n * n + k, 1) * digit(k * n + i % n, 2);
        return sum;
    };
    const size_t count = size_t{n} * n;
    return {.arguments = {buffer<float>(count, [](size_t i) { return digit(i, 1); }),
                          buffer<float>(count, [](size_t i) { return digit(i, 2); }), zeros<float>(count),
                          value(n)},
            .range = items(n, n, 16, 16),
            .expectations = {expect<float>(2, reference, {.samples = 256})},
            .work = 2.0 * n * n * n,
            .unit = "Gop/s"};
}

/// Work-items of the kernels that loop over their share of the data.
uint32_t striding_items(uint32_t count) { return std::min(1024u, (count + 255) / 256) * 256; }

Problem reduction(double scale) {
    const uint32_t count = scaled(1 << 26, scale, 1), stride = striding_items(count);
    const auto reference = [=](size_t group) {
        float sum = 0;
        for (size_t at = group * 256; at < count; at += stride)
            for (size_t i = at; i < std::min<size_t>(at + 256, count); ++i) sum += digit(i);
        return sum;
    };
    return {.arguments = {buffer<float>(count, [](size_t i) { return digit(i); }), value(count),
                          local(256 * sizeof(float)), zeros<float>(stride / 256)},
            .range = items(stride, 256),
            .expectations = {expect<float>(3, reference, {.samples = 32})},
            .work = 4.0 * count,
            .unit = "GB/s"};
}

Problem histogram(double scale) {
    const uint32_t count = scaled(1 << 27, scale, 1);
    std::array<uint32_t, 256> bins = {};
    for (uint32_t i = 0; i < count; ++i) ++bins[noise(i) & 255];
    return {.arguments = {buffer<uint8_t>(count, [](size_t i) { return noise(i); }), value(count),
                          zeros<uint32_t>(256)},
            .range = items(striding_items(count), 256),
            .expectations = {expect<uint32_t>(2, [bins](size_t i) { return bins[i]; })},
            .work = 1.0 * count,
            .unit = "GB/s"};
}

Problem insertion_sort(double scale) {
    constexpr size_t kLength = 32;
    const uint32_t count = scaled(1 << 19, scale, 256);
    const auto number = [](size_t i) { return noise(i) >> 8; };
    const auto reference = [=](size_t i) {
        std::array<uint32_t, kLength> values;
        for (size_t k = 0; k < kLength; ++k) values[k] = number(k * count + i % count);
        std::ranges::sort(values);
        return values[i / count];
    };
    return {.arguments = {buffer<uint32_t>(kLength * count, number), zeros<uint32_t>(kLength * count)},
            .range = items(count, 256),
            .expectations = {expect<uint32_t>(1, reference)},
            .work = kLength * kLength / 4.0 * count,  // moves, on average
            .unit = "Gop/s"};
}

std::array<uint32_t, 256> crc_table() {
    std::array<uint32_t, 256> table;
    for (uint32_t i = 0; i < 256; ++i) {
        table[i] = i;
        for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0u);
    }
    return table;
}

Problem table_lookup(double scale) {
    constexpr uint32_t kWords = 16;
    const uint32_t count = scaled(1 << 21, scale, 256);
    const auto reference = [=, table = crc_table()](size_t i) {
        uint32_t crc = ~0u;
        for (size_t k = 0; k < kWords; ++k)
            for (uint32_t byte = 0; byte < 4; ++byte)
                crc = table[(crc ^ noise(k * count + i) >> 8 * byte) & 255] ^ crc >> 8;
        return ~crc;
    };
    return {.arguments = {buffer<uint32_t>(size_t{kWords} * count, [](size_t i) { return noise(i); }),
                          zeros<uint32_t>(count), value(kWords)},
            .twin_tables = {bytes_of<uint32_t>(256, [table = crc_table()](size_t i) { return table[i]; })},
            .range = items(count, 256),
            .expectations = {expect<uint32_t>(1, reference)},
            .work = 4.0 * kWords * count,  // lookups
            .unit = "Gop/s"};
}

Problem byte_increment(double scale) {
    const uint32_t count = scaled(1 << 27, scale, 256);
    return {.arguments = {buffer<uint8_t>(count, [](size_t i) { return noise(i); })},
            .range = items(count, 256),
            .expectations = {expect<uint8_t>(0, [](size_t i) { return noise(i) + 1; })},
            .work = 2.0 * count,
            .unit = "GB/s"};
}

Problem float_atomics(double scale) {
    constexpr uint32_t kCells = 1 << 16;
    const uint32_t count = scaled(1 << 24, scale, 256);
    std::vector<float> sums(kCells);
    for (uint32_t i = 0; i < count; ++i) sums[noise(i, 1) % kCells] += digit(i, 2);
    return {.arguments = {buffer<uint32_t>(count, [](size_t i) { return noise(i, 1) % kCells; }),
                          buffer<float>(count, [](size_t i) { return digit(i, 2); }), zeros<float>(kCells)},
            .range = items(count, 256),
            .expectations = {expect<float>(2, [sums](size_t i) { return sums[i]; })},
            .work = 1.0 * count,
            .unit = "Gop/s"};
}

Problem n_body(double scale) {
    const uint32_t count = scaled(32768, std::sqrt(scale), 256);
    constexpr float kStep = 0.01f, kSoftening = 0.1f;
    const auto body = [](size_t i) { return i % 4 == 3 ? 1 + unit(i) / 2 : unit(i); };
    const auto reference = [=](size_t i) {  // of velocity, component i % 4 of a body; w stays
        if (i % 4 == 3) return 0.0;
        double sum = 0;
        for (size_t other = 0; other < count; ++other) {
            std::array<double, 3> distance;
            double square = kSoftening;
            for (size_t d = 0; d < 3; ++d) {
                distance[d] = body(4 * other + d) - body(i / 4 * 4 + d);
                square += distance[d] * distance[d];
            }
            sum += distance[i % 4] * body(4 * other + 3) / (square * std::sqrt(square));
        }
        return kStep * sum;
    };
    return {.arguments = {buffer<float>(size_t{4} * count, body), zeros<float>(size_t{4} * count),
                          zeros<float>(size_t{4} * count), value(count), value(kStep), value(kSoftening),
                          local(256 * 4 * sizeof(float))},
            .range = items(count, 256),
            .expectations = {expect<float>(2, reference, {.absolute = 1e-6 * count, .samples = 64})},
            .work = 20.0 * count * count,
            .unit = "Gop/s"};
}

Problem scan(double scale) {
    constexpr uint32_t kBlock = 256;
    const uint32_t count = scaled(1 << 25, scale, kBlock);
    const auto number = [](size_t i) { return noise(i) >> 20; };
    const auto reference = [number](size_t i) {
        uint32_t sum = 0;
        for (size_t k = i / kBlock * kBlock; k <= i; ++k) sum += number(k);
        return sum;
    };
    const auto total = [reference](size_t block) { return reference((block + 1) * kBlock - 1); };
    return {.arguments = {buffer<uint32_t>(count, number), zeros<uint32_t>(count),
                          zeros<uint32_t>(count / kBlock)},
            .range = items(count, kBlock),
            .expectations = {expect<uint32_t>(1, reference), expect<uint32_t>(2, total, {.samples = 4096})},
            .work = 8.0 * count,
            .unit = "GB/s"};
}

Problem transpose(double scale) {
    const uint32_t width = scaled(8192, std::sqrt(scale), 32), height = scaled(6144, std::sqrt(scale), 32);
    const size_t count = size_t{width} * height;
    const auto reference = [=](size_t i) { return unit(i % height * width + i / height); };
    return {.arguments = {buffer<float>(count, [](size_t i) { return unit(i); }), zeros<float>(count),
                          value(width), value(height)},
            .range = items(width, height / 4, 32, 8),
            .expectations = {expect<float>(1, reference)},
            .work = 8.0 * static_cast<double>(count),
            .unit = "GB/s"};
}

Problem sparse_product(double scale) {
    const uint32_t rows = scaled(1 << 20, scale, 256);
    std::vector<uint32_t> starts(rows + 1);
    for (uint32_t row = 0; row < rows; ++row) starts[row + 1] = starts[row] + 8 + noise(row, 1) % 17;
    const uint32_t entries = starts[rows];
    // Columns near the diagonal, as meshes have them.
    std::vector<uint32_t> columns(entries);
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t k = starts[row]; k < starts[row + 1]; ++k)
            columns[k] = (row + rows + noise(k, 2) % 2048 - 1024) % rows;
    const auto reference = [starts, columns](size_t row) {
        float sum = 0;
        for (uint32_t k = starts[row]; k < starts[row + 1]; ++k) sum += digit(k, 3) * digit(columns[k], 4);
        return sum;
    };
    return {.arguments = {buffer<uint32_t>(rows + 1, [&](size_t i) { return starts[i]; }),
                          buffer<uint32_t>(entries, [&](size_t i) { return columns[i]; }),
                          buffer<float>(entries, [](size_t i) { return digit(i, 3); }),
                          buffer<float>(rows, [](size_t i) { return digit(i, 4); }), zeros<float>(rows)},
            .range = items(rows, 256),
            .expectations = {expect<float>(4, reference)},
            .work = 8.0 * entries + 12.0 * rows,
            .unit = "GB/s"};
}

Problem fft(double scale) {
    constexpr size_t kSize = 1024;
    const uint32_t blocks = scaled(1 << 15, scale, 1);
    const auto root = [](size_t i) {  // real and imaginary parts in turn
        const double angle = -2 * std::numbers::pi * static_cast<double>(i / 2) / kSize;
        return i % 2 ? std::sin(angle) : std::cos(angle);
    };
    const auto reference = [root](size_t i) {
        const size_t block = i / 2 / kSize * kSize, k = i / 2 % kSize;
        double sum = 0;
        for (size_t n = 0; n < kSize; ++n) {
            const size_t power = 2 * (k * n % kSize), at = 2 * (block + n);
            sum += i % 2 ? unit(at) * root(power + 1) + unit(at + 1) * root(power)
                         : unit(at) * root(power) - unit(at + 1) * root(power + 1);
        }
        return sum;
    };
    const size_t floats = 2 * kSize * blocks;
    return {.arguments = {buffer<float>(floats, [](size_t i) { return unit(i); }), zeros<float>(floats),
                          buffer<float>(2 * kSize, root)},
            .range = items(blocks * kSize / 4, kSize / 4),
            .expectations = {expect<float>(1, reference, {.absolute = 1e-3, .samples = 1024})},
            .work = 8.0 * static_cast<double>(floats),
            .unit = "GB/s"};
}

/// Word `word` of the digest of one block, FIPS 180-4 6.2.2 as it is written there.
uint32_t sha256_word(const std::array<uint32_t, 16>& block, size_t word) {
    std::array<uint32_t, 64> w, constants;
    std::array<uint32_t, 8> start, s;
    uint32_t found = 0;
    for (uint32_t n = 2; found < 64; ++n) {  // the fractions of square and cube roots of the first primes
        bool prime = true;
        for (uint32_t d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
        if (!prime) continue;
        const auto fraction = [](long double root) {
            return static_cast<uint32_t>((root - std::floor(root)) * 4294967296.0L);
        };
        if (found < 8) start[found] = fraction(std::sqrt(static_cast<long double>(n)));
        constants[found++] = fraction(std::cbrt(static_cast<long double>(n)));
    }
    for (size_t i = 0; i < 64; ++i)
        w[i] = i < 16 ? block[i]
                      : (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10) + w[i - 7] +
                            (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 16];
    s = start;
    for (size_t i = 0; i < 64; ++i) {
        const uint32_t t1 = s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                            ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
        const uint32_t t2 = (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) +
                            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
    }
    return s[word] + start[word];
}

Problem sha256(double scale) {
    const uint32_t count = scaled(1 << 21, scale, 256);
    const auto reference = [count](size_t i) {
        std::array<uint32_t, 16> block;
        for (size_t k = 0; k < 16; ++k) block[k] = noise(k * count + i % count);
        return sha256_word(block, i / count);
    };
    return {.arguments = {buffer<uint32_t>(size_t{16} * count, [](size_t i) { return noise(i); }),
                          zeros<uint32_t>(size_t{8} * count)},
            .range = items(count, 256),
            .expectations = {expect<uint32_t>(1, reference, {.samples = 4096})},
            .work = 1700.0 * count,
            .unit = "Gop/s"};
}

Problem mandelbrot(double scale) {
    const uint32_t width = scaled(6144, std::sqrt(scale), 16), height = scaled(4096, std::sqrt(scale), 16);
    constexpr uint32_t kLimit = 256;
    const auto reference = [=](size_t i) {
        const float cx = -2.25f + 3.0f * static_cast<float>(i % width) / static_cast<float>(width);
        const float cy = -1.0f + 2.0f * static_cast<float>(i / width) / static_cast<float>(height);
        float x = 0, y = 0;
        uint32_t steps = 0;
        while (steps < kLimit && x * x + y * y < 4) {
            const float next = x * x - y * y + cx;
            y = 2 * x * y + cy;
            x = next;
            ++steps;
        }
        return steps;
    };
    // Contraction changes the last bits, hence the counts beside the set.
    const size_t count = size_t{width} * height;
    return {.arguments = {zeros<uint32_t>(count), value(width), value(height), value(kLimit)},
            .range = items(width, height, 16, 16),
            .expectations = {expect<uint32_t>(0, reference, {.may_differ = 0.02})},
            .work = 10.0 * 70 * static_cast<double>(count),  // some 70 steps on average
            .unit = "Gop/s"};
}

}  // namespace

std::span<const Benchmark> all_benchmarks() {
    static constexpr Benchmark kBenchmarks[] = {
        {"saxpy", "", saxpy},
        {"saxpy4", "", saxpy4},
        {"stencil", "", stencil},
        {"matrix_product", "", matrix_product},
        {"reduction", "", reduction},
        {"histogram", "", histogram},
        {"insertion_sort", "", insertion_sort},
        {"table_lookup", "", table_lookup},
        {"byte_increment", "", byte_increment},
        {"float_atomics", "-cl-std=CL3.0", float_atomics},
        {"n_body", "", n_body},
        {"scan", "", scan},
        {"transpose", "", transpose},
        {"sparse_product", "", sparse_product},
        {"fft", "", fft},
        {"sha256", "", sha256},
        {"mandelbrot", "", mandelbrot},
    };
    return kBenchmarks;
}

}  // namespace caldera::bench
