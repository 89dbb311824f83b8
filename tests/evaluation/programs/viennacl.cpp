// SPDX-License-Identifier: Apache-2.0
// ViennaCL's vectors, dense and sparse matrices, factorisation and iterative solvers beside plain loops.
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/bicgstab.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/direct_solve.hpp>
#include <viennacl/linalg/gmres.hpp>
#include <viennacl/linalg/inner_prod.hpp>
#include <viennacl/linalg/lu.hpp>
#include <viennacl/linalg/norm_1.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/norm_inf.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/scalar.hpp>
#include <viennacl/vector.hpp>

#include <map>

#include "tests/evaluation/programs/report.h"

namespace caldera::programs {
namespace {

template <class T>
class Linear {
 public:
    Linear(Report& report, const std::string& type, double tolerance)
        : report_(report), suffix_(", " + type), tolerance_(tolerance) {}

    void run() {
        test("operations on vectors", [&] { vectors(); });
        test("norms", [&] { norms(); });
        test("products of matrices", [&] { products(); });
        test("LU factorisation", [&] { lu(); });
        test("sparse product and solvers", [&] { sparse(); });
    }

 private:
    template <class Test>
    void test(const std::string& name, Test body) {
        report_.run(name + suffix_, body);
    }
    void near(const std::string& name, const std::vector<T>& got, const std::vector<T>& wanted,
              double factor = 1) {
        report_.near(name + suffix_, got, wanted, tolerance_ * factor);
    }
    static viennacl::vector<T> upload(const std::vector<T>& host) {
        viennacl::vector<T> out(host.size());
        viennacl::copy(host, out);
        return out;
    }
    template <class Vector>
    static std::vector<T> download(const Vector& vector) {
        std::vector<T> out(vector.size());
        viennacl::copy(vector, out);
        return out;
    }
    static std::vector<std::vector<T>> rows(const std::vector<T>& numbers, size_t columns) {
        std::vector<std::vector<T>> out;
        for (size_t i = 0; i < numbers.size(); i += columns)
            out.emplace_back(&numbers[i], &numbers[i] + columns);
        return out;
    }
    static std::vector<T> times(const std::vector<std::vector<T>>& matrix, const std::vector<T>& vector) {
        std::vector<T> out;
        for (const auto& row : matrix) {
            out.push_back(0);
            for (size_t i = 0; i < row.size(); i++) out.back() += row[i] * vector[i];
        }
        return out;
    }

    void vectors() {
        const size_t n = 5003;
        const auto a = random_numbers<T>(n, 1), b = random_numbers<T>(n, 2);
        auto x = upload(a), y = upload(b);
        viennacl::vector<T> z = x * T(2) - y / T(3);
        z += viennacl::linalg::element_prod(x, y);
        z = viennacl::linalg::element_exp(z);
        std::vector<T> wanted(n);
        for (size_t i = 0; i < n; i++) wanted[i] = std::exp(a[i] * T(2) - b[i] / T(3) + a[i] * b[i]);
        near("operations on vectors", download(z), wanted);
        viennacl::vector_range<viennacl::vector<T>> middle(x, viennacl::range(100, 200));
        middle *= T(5);
        auto changed = a;
        for (size_t i = 100; i < 200; i++) changed[i] *= T(5);
        near("range of a vector", download(x), changed);
    }

    void norms() {
        const auto a = random_numbers<T>(10000, 3), b = random_numbers<T>(10000, 4);
        const auto x = upload(a), y = upload(b);
        T one = 0, two = 0, most = 0, inner = 0;
        for (size_t i = 0; i < a.size(); i++) {
            one += std::abs(a[i]);
            two += a[i] * a[i];
            most = std::max(most, std::abs(a[i]));
            inner += a[i] * b[i];
        }
        const T got_one = viennacl::linalg::norm_1(x), got_two = viennacl::linalg::norm_2(x),
                got_most = viennacl::linalg::norm_inf(x), got_inner = viennacl::linalg::inner_prod(x, y);
        near("norms", {got_one, got_two, got_most, got_inner}, {one, std::sqrt(two), most, inner}, 10);
    }

    void products() {
        const size_t m = 130, n = 70, k = 90;
        const auto a = rows(random_numbers<T>(m * k, 5), k), b = rows(random_numbers<T>(k * n, 6), n);
        viennacl::matrix<T> first(m, k), second(k, n), out(m, n);
        viennacl::copy(a, first);
        viennacl::copy(b, second);
        out = viennacl::linalg::prod(first, second);
        std::vector<std::vector<T>> host(m, std::vector<T>(n));
        viennacl::copy(out, host);
        std::vector<T> got, wanted;
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                got.push_back(host[i][j]);
                wanted.push_back(0);
                for (size_t l = 0; l < k; l++) wanted.back() += a[i][l] * b[l][j];
            }
        near("product of matrices", got, wanted);
        const auto vector = random_numbers<T>(k, 7);
        const auto x = upload(vector);
        const viennacl::vector<T> product = viennacl::linalg::prod(first, x);
        near("product with a vector", download(product), times(a, vector));
    }

    void lu() {
        const size_t n = 100;
        auto a = rows(random_numbers<T>(n * n, 8), n);
        for (size_t i = 0; i < n; i++) a[i][i] += T(20);
        const auto solution = random_numbers<T>(n, 9);
        viennacl::matrix<T> matrix(n, n);
        viennacl::copy(a, matrix);
        auto x = upload(times(a, solution));
        viennacl::linalg::lu_factorize(matrix);
        viennacl::linalg::lu_substitute(matrix, x);
        near("LU factorisation", download(x), solution);
    }

    void sparse() {
        const size_t n = 2000;
        std::vector<std::map<unsigned, T>> a(n);
        const auto solution = random_numbers<T>(n, 10);
        std::vector<T> right(n);
        for (size_t i = 0; i < n; i++) {
            a[i][i] = T(4);
            if (i >= 1) a[i][i - 1] = T(-1);
            if (i + 1 < n) a[i][i + 1] = T(-1);
            for (auto& [column, value] : a[i]) right[i] += value * solution[column];
        }
        viennacl::compressed_matrix<T> matrix(n, n);
        viennacl::copy(a, matrix);
        const auto x = upload(solution), b = upload(right);
        const viennacl::vector<T> product = viennacl::linalg::prod(matrix, x);
        near("sparse product", download(product), right);
        const double goal = tolerance_ / 10;
        const viennacl::vector<T> cg =
            viennacl::linalg::solve(matrix, b, viennacl::linalg::cg_tag(goal, 200));
        near("conjugate gradients", download(cg), solution, 10);
        const viennacl::vector<T> bicgstab =
            viennacl::linalg::solve(matrix, b, viennacl::linalg::bicgstab_tag(goal, 200));
        near("BiCGStab", download(bicgstab), solution, 10);
        const viennacl::vector<T> gmres =
            viennacl::linalg::solve(matrix, b, viennacl::linalg::gmres_tag(goal, 200, 20));
        near("GMRES", download(gmres), solution, 10);
    }

    Report& report_;
    std::string suffix_;
    double tolerance_;
};

}  // namespace
}  // namespace caldera::programs

int main() {
    using namespace caldera::programs;
    Report report;
    Linear<float>(report, "float", 1e-4).run();
    report.run("double", [&] {
        if (viennacl::ocl::current_device().double_support()) Linear<double>(report, "double", 1e-10).run();
    });
    return report.exit_code();
}
