// SPDX-License-Identifier: Apache-2.0
// Makes ViennaCL generate its OpenCL programs, for float and double.
#define VIENNACL_WITH_OPENCL
#include <viennacl/linalg/opencl/kernels/amg.hpp>
#include <viennacl/linalg/opencl/kernels/bisect.hpp>
#include <viennacl/linalg/opencl/kernels/compressed_compressed_matrix.hpp>
#include <viennacl/linalg/opencl/kernels/compressed_matrix.hpp>
#include <viennacl/linalg/opencl/kernels/coordinate_matrix.hpp>
#include <viennacl/linalg/opencl/kernels/ell_matrix.hpp>
#include <viennacl/linalg/opencl/kernels/fft.hpp>
#include <viennacl/linalg/opencl/kernels/hyb_matrix.hpp>
#include <viennacl/linalg/opencl/kernels/ilu.hpp>
#include <viennacl/linalg/opencl/kernels/iterative.hpp>
#include <viennacl/linalg/opencl/kernels/matrix_solve.hpp>
#include <viennacl/linalg/opencl/kernels/nmf.hpp>
#include <viennacl/linalg/opencl/kernels/scan.hpp>
#include <viennacl/linalg/opencl/kernels/sliced_ell_matrix.hpp>
#include <viennacl/linalg/opencl/kernels/spai.hpp>
#include <viennacl/linalg/opencl/kernels/svd.hpp>
#include <viennacl/linalg/opencl/kernels/vector.hpp>
#include <viennacl/ocl/backend.hpp>

namespace kernels = viennacl::linalg::opencl::kernels;

template <typename T>
static void generate(viennacl::ocl::context& context) {
    kernels::amg<T>::init(context);
    kernels::bisect_kernel<T>::init(context);
    kernels::compressed_compressed_matrix<T>::init(context);
    kernels::compressed_matrix<T>::init(context);
    kernels::coordinate_matrix<T>::init(context);
    kernels::ell_matrix<T>::init(context);
    kernels::fft<T>::init(context);
    kernels::hyb_matrix<T>::init(context);
    kernels::ilu<T>::init(context);
    kernels::iterative<T>::init(context);
    kernels::matrix_solve<T, viennacl::row_major, viennacl::column_major>::init(context);
    kernels::nmf<T>::init(context);
    kernels::scan<T>::init(context);
    kernels::sliced_ell_matrix<T, unsigned int>::init(context);
    kernels::spai<T>::init(context);
    kernels::svd<T, viennacl::row_major>::init(context);
    kernels::vector<T>::init(context);
    kernels::vector_multi_inner_prod<T>::init(context);
}

int main() {
    viennacl::ocl::context& context = viennacl::ocl::current_context();
    generate<float>(context);
    generate<double>(context);
}
