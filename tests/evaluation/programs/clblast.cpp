// SPDX-License-Identifier: Apache-2.0
// CLBlast's routines of every level, of float, double and half, beside plain loops.
#include <CL/cl.h>
#include <clblast.h>
#include <clblast_half.h>

#include <complex>
#include <cstdint>
#include <stdexcept>

#include "tests/evaluation/programs/report.h"

namespace caldera::programs {
namespace {

using clblast::Layout;
using clblast::StatusCode;
using clblast::Transpose;

void must(StatusCode code) {
    if (code != StatusCode::kSuccess)
        throw std::runtime_error("CLBlast's status " + std::to_string(int(code)));
}
void must(cl_int code) {
    if (code != CL_SUCCESS) throw std::runtime_error("OpenCL's error " + std::to_string(code));
}

class Blas {
 public:
    Blas() {
        cl_platform_id platform = nullptr;
        must(clGetPlatformIDs(1, &platform, nullptr));
        must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr));
        cl_int code = CL_SUCCESS;
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
        must(code);
        queue = clCreateCommandQueue(context_, device_, 0, &code);
        must(code);
    }
    Blas(const Blas&) = delete;
    Blas& operator=(const Blas&) = delete;
    ~Blas() {
        for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
        clReleaseCommandQueue(queue);
        clReleaseContext(context_);
    }

    template <class T>
    cl_mem buffer(std::vector<T> data) {
        cl_int code = CL_SUCCESS;
        buffers_.push_back(
            clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, data.size() * sizeof(T), data.data(), &code));
        must(code);
        return buffers_.back();
    }
    template <class T>
    std::vector<T> read(cl_mem buffer, size_t count) {
        std::vector<T> data(count);
        must(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), data.data(), 0, nullptr,
                                 nullptr));
        return data;
    }
    bool has(const std::string& extension) const {
        size_t size = 0;
        must(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, 0, nullptr, &size));
        std::string names(size, '\0');
        must(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, size, names.data(), nullptr));
        return names.find(extension) != std::string::npos;
    }

    cl_command_queue queue = nullptr;

 private:
    cl_device_id device_ = nullptr;
    cl_context context_ = nullptr;
    std::vector<cl_mem> buffers_ = {};
};

/// C = alpha A B + beta C of row-major matrices, A transposed or not.
template <class T>
std::vector<T> product(std::vector<T> c, const std::vector<T>& a, const std::vector<T>& b, size_t m, size_t n,
                       size_t k, bool transposed, T alpha, T beta) {
    for (size_t row = 0; row < m; row++)
        for (size_t column = 0; column < n; column++) {
            T sum = 0;
            for (size_t i = 0; i < k; i++)
                sum += (transposed ? a[i * m + row] : a[row * k + i]) * b[i * n + column];
            c[row * n + column] = alpha * sum + beta * c[row * n + column];
        }
    return c;
}

/// Small and odd sizes take CLBlast's direct kernel, large ones that with tiles in local memory.
template <class T>
void gemm(Report& report, Blas& blas, const std::string& name, size_t m, size_t n, size_t k, bool transposed,
          double tolerance) {
    const auto a = random_numbers<T>(m * k, 1), b = random_numbers<T>(k * n, 2),
               c = random_numbers<T>(m * n, 3);
    const cl_mem out = blas.buffer(c);
    must(clblast::Gemm<T>(Layout::kRowMajor, transposed ? Transpose::kYes : Transpose::kNo, Transpose::kNo, m,
                          n, k, T(2), blas.buffer(a), 0, transposed ? m : k, blas.buffer(b), 0, n, T(0.5),
                          out, 0, n, &blas.queue));
    report.near(name, blas.read<T>(out, m * n), product(c, a, b, m, n, k, transposed, T(2), T(0.5)),
                tolerance);
}

template <class T>
void real_routines(Report& report, Blas& blas, const std::string& letter, double tolerance) {
    const size_t n = 5000;
    const auto x = random_numbers<T>(n, 4), y = random_numbers<T>(n, 5);
    report.run(letter + "AXPY", [&] {
        const cl_mem out = blas.buffer(y);
        must(clblast::Axpy<T>(n, T(3), blas.buffer(x), 0, 1, out, 0, 1, &blas.queue));
        auto wanted = y;
        for (size_t i = 0; i < n; i++) wanted[i] += T(3) * x[i];
        report.near(letter + "AXPY", blas.read<T>(out, n), wanted, tolerance);
    });
    report.run(letter + "DOT", [&] {
        const cl_mem out = blas.buffer(std::vector<T>(1));
        must(clblast::Dot<T>(n, out, 0, blas.buffer(x), 0, 1, blas.buffer(y), 0, 1, &blas.queue));
        double wanted = 0;
        for (size_t i = 0; i < n; i++) wanted += double(x[i]) * y[i];
        report.near(letter + "DOT", blas.read<T>(out, 1), std::vector<double>{wanted}, tolerance * 10);
    });
    report.run(letter + "AMAX", [&] {
        const cl_mem out = blas.buffer(std::vector<uint32_t>(1));
        must(clblast::Amax<T>(n, out, 0, blas.buffer(x), 0, 1, &blas.queue));
        const auto largest =
            std::max_element(x.begin(), x.end(), [](T a, T b) { return std::abs(a) < std::abs(b); });
        report.near(letter + "AMAX", blas.read<uint32_t>(out, 1),
                    std::vector<double>{double(largest - x.begin())}, 0);
    });
    report.run(letter + "GEMV", [&] {
        const size_t rows = 301, columns = 207;
        const auto matrix = random_numbers<T>(rows * columns, 6);
        const cl_mem out = blas.buffer(std::vector<T>(rows));
        must(clblast::Gemv<T>(Layout::kRowMajor, Transpose::kNo, rows, columns, T(1), blas.buffer(matrix), 0,
                              columns, blas.buffer(x), 0, 1, T(0), out, 0, 1, &blas.queue));
        report.near(letter + "GEMV", blas.read<T>(out, rows),
                    product(std::vector<T>(rows), matrix, x, rows, 1, columns, false, T(1), T(0)), tolerance);
    });
    report.run(letter + "TRSM", [&] {
        const size_t size = 96, columns = 40;
        auto matrix = random_numbers<T>(size * size, 7);
        for (size_t i = 0; i < size; i++) matrix[i * size + i] = T(100);
        const auto right = random_numbers<T>(size * columns, 8);
        const cl_mem out = blas.buffer(right);
        must(clblast::Trsm<T>(Layout::kRowMajor, clblast::Side::kLeft, clblast::Triangle::kLower,
                              Transpose::kNo, clblast::Diagonal::kNonUnit, size, columns, T(1),
                              blas.buffer(matrix), 0, size, out, 0, columns, &blas.queue));
        auto wanted = right;
        for (size_t row = 0; row < size; row++)
            for (size_t column = 0; column < columns; column++) {
                T& value = wanted[row * columns + column];
                for (size_t i = 0; i < row; i++)
                    value -= matrix[row * size + i] * wanted[i * columns + column];
                value /= matrix[row * size + row];
            }
        report.near(letter + "TRSM", blas.read<T>(out, wanted.size()), wanted, tolerance);
    });
    for (const bool transposed : {false, true}) {
        const std::string name = letter + (transposed ? "GEMM, A transposed" : "GEMM");
        report.run(name + ", small",
                   [&] { gemm<T>(report, blas, name + ", small", 37, 21, 53, transposed, tolerance); });
        report.run(name + ", large",
                   [&] { gemm<T>(report, blas, name + ", large", 512, 520, 384, transposed, tolerance); });
    }
}

void complex_gemm(Report& report, Blas& blas) {
    using T = std::complex<float>;
    const size_t n = 64;
    const auto parts = random_numbers<float>(n * n * 4, 9);
    std::vector<T> a(n * n), b(n * n), wanted(n * n);
    for (size_t i = 0; i < n * n; i++)
        a[i] = {parts[i * 4], parts[i * 4 + 1]}, b[i] = {parts[i * 4 + 2], parts[i * 4 + 3]};
    wanted = product(wanted, a, b, n, n, n, false, T(1), T(0));
    const cl_mem out = blas.buffer(std::vector<T>(n * n));
    must(clblast::Gemm<T>(Layout::kRowMajor, Transpose::kNo, Transpose::kNo, n, n, n, T(1), blas.buffer(a), 0,
                          n, blas.buffer(b), 0, n, T(0), out, 0, n, &blas.queue));
    double worst = 0;
    const auto got = blas.read<T>(out, n * n);
    for (size_t i = 0; i < n * n; i++) worst = std::max(worst, double(std::abs(got[i] - wanted[i])));
    report.check("CGEMM", worst < 1e-4, "off by " + std::to_string(worst));
}

void half_gemm(Report& report, Blas& blas) {
    const size_t n = 128;
    const auto halves = [](const std::vector<float>& numbers) {
        std::vector<cl_half> out(numbers.size());
        for (size_t i = 0; i < out.size(); i++) out[i] = FloatToHalf(numbers[i]);
        return out;
    };
    const auto a = random_numbers<float>(n * n, 10), b = random_numbers<float>(n * n, 11);
    const cl_mem out = blas.buffer(halves(std::vector<float>(n * n)));
    must(clblast::Gemm<cl_half>(Layout::kRowMajor, Transpose::kNo, Transpose::kNo, n, n, n, FloatToHalf(1),
                                blas.buffer(halves(a)), 0, n, blas.buffer(halves(b)), 0, n, FloatToHalf(0),
                                out, 0, n, &blas.queue));
    std::vector<float> got;
    for (cl_half value : blas.read<cl_half>(out, n * n)) got.push_back(HalfToFloat(value));
    report.near("HGEMM", got, product(std::vector<float>(n * n), a, b, n, n, n, false, 1.0f, 0.0f), 0.1);
}

}  // namespace
}  // namespace caldera::programs

int main() {
    using namespace caldera::programs;
    Report report;
    report.run("a context", [&] {
        Blas blas;
        real_routines<float>(report, blas, "S", 1e-4);
        if (blas.has("cl_khr_fp64")) real_routines<double>(report, blas, "D", 1e-12);
        report.run("CGEMM", [&] { complex_gemm(report, blas); });
        if (blas.has("cl_khr_fp16")) report.run("HGEMM", [&] { half_gemm(report, blas); });
    });
    return report.exit_code();
}
