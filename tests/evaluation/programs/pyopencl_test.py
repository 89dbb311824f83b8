#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the kernels that pyopencl generates with numpy: prints a line `pass NAME` or `fail NAME: why` for each test."""
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as clmath
import pyopencl.clrandom as clrandom
from pyopencl.algorithm import RadixSort, copy_if, partition, unique
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import ExclusiveScanKernel, GenericScanKernel, InclusiveScanKernel

context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
numbers = np.random.default_rng(1)
tests = {}


def test(function):
    tests[function.__name__] = function
    return function


def floats(count, dtype=np.float32):
    return numbers.uniform(-10, 10, count).astype(dtype)


def near(got, wanted, tolerance=1e-5):
    got = got.get() if isinstance(got, cl_array.Array) else got
    np.testing.assert_allclose(got, wanted, rtol=tolerance, atol=tolerance)


@test
def arithmetic():
    for dtype in (np.int8, np.uint16, np.int32, np.uint64, np.float32, np.float64):
        a, b = ((floats(3001) + 20).astype(dtype) for _ in range(2))
        x, y = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
        near(x + y, a + b)
        near(x * y - x, a * b - a)
        near(x / y, a / b)
        near(cl_array.maximum(x, y), np.maximum(a, b))
        near((x > y).get().astype(bool), a > b)
        near(cl_array.if_positive(x > y, x, y), np.where(a > b, a, b))


@test
def complex_numbers():
    for dtype in (np.complex64, np.complex128):
        a, b = (floats(1000) + 1j * floats(1000)).astype(dtype), (floats(1000) + 1j * floats(1000)).astype(dtype)
        x, y = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
        near(x * y / (x + y), a * b / (a + b), 1e-3)
        near(abs(x), abs(a), 1e-4)
        near(x.conj().imag, a.conj().imag)
        near(clmath.exp(x), np.exp(a), 1e-3)


@test
def mathematics():
    for dtype in (np.float32, np.float64):
        a = abs(floats(2000, dtype)) / 11
        x = cl_array.to_device(queue, a)
        for name in "sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt floor ceil fabs".split():
            numpy_name = name.replace("asin", "arcsin").replace("acos", "arccos").replace("atan", "arctan")
            near(getattr(clmath, name)(x), getattr(np, numpy_name)(a))
        fraction, exponent = clmath.frexp(x)
        near(fraction * clmath.ldexp(x * 0 + 1, exponent), a)


@test
def slices_and_takes():
    a = floats(60 * 70).reshape(60, 70)
    x = cl_array.to_device(queue, a)
    near(x[10:20].get(), a[10:20])
    near(x.reshape(70, 60), a.reshape(70, 60))
    flat, places = cl_array.to_device(queue, a.ravel()), numbers.integers(0, a.size, 500).astype(np.int32)
    near(cl_array.take(flat, cl_array.to_device(queue, places)), a.ravel()[places])
    x[5:9] = 3
    a[5:9] = 3
    near(x, a)
    near(cl_array.arange(queue, 0, 1000, 3, dtype=np.int32), np.arange(0, 1000, 3))


@test
def elementwise_kernel():
    a, b = floats(5000), floats(5000)
    x, y = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
    out = cl_array.empty_like(x)
    kernel = ElementwiseKernel(context, "float k, float *x, float *y, float *out", "out[i] = k * x[i] + hypot(x[i], y[i])")
    kernel(np.float32(3), x, y, out)
    near(out, 3 * a + np.hypot(a, b), 1e-4)


@test
def reductions():
    for dtype in (np.int32, np.float32, np.float64):
        a = floats(100003, dtype)
        x = cl_array.to_device(queue, a)
        near(cl_array.sum(x).get(), a.sum(dtype=np.float64), 1e-3)
        near(cl_array.max(x).get(), a.max())
        near(cl_array.min(x).get(), a.min())
        near(cl_array.dot(x, x).get(), np.dot(a.astype(np.float64), a), 1e-3)
    kernel = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
                             arguments="__global float *x, __global float *y")
    a, b = floats(70001), floats(70001)
    near(kernel(cl_array.to_device(queue, a), cl_array.to_device(queue, b)).get(), np.dot(a.astype(np.float64), b), 1e-3)


@test
def scans():
    for count in (1, 63, 1000, 100001):
        a = numbers.integers(0, 100, count).astype(np.int32)
        for kernel, wanted in ((InclusiveScanKernel, np.cumsum(a)), (ExclusiveScanKernel, np.cumsum(a) - a)):
            x = cl_array.to_device(queue, a)
            kernel(context, np.int32, "a+b", neutral="0")(x)
            near(x, wanted)
    segments = (numbers.integers(0, 50, 20000) == 0).astype(np.int8)
    a = numbers.integers(0, 100, 20000).astype(np.int32)
    wanted = a.copy()
    for i in range(1, len(a)):
        if not segments[i]:
            wanted[i] += wanted[i - 1]
    out = cl_array.empty(queue, len(a), np.int32)
    kernel = GenericScanKernel(context, np.int32, "__global const int *x, __global const char *segments, __global int *out",
                               input_expr="x[i]", scan_expr="across_seg_boundary ? b : a + b", neutral="0",
                               is_segment_start_expr="segments[i]", output_statement="out[i] = item;")
    kernel(cl_array.to_device(queue, a), cl_array.to_device(queue, segments), out)
    near(out, wanted)


@test
def selections():
    a = numbers.integers(0, 1000, 30000).astype(np.int32)
    x = cl_array.to_device(queue, a)
    chosen, count, _ = copy_if(x, "ary[i] > 300")
    near(chosen.get()[:int(count.get())], a[a > 300])
    yes, no, count, _ = partition(x, "ary[i] > 300")
    near(yes.get()[:int(count.get())], a[a > 300])
    near(no.get()[:len(a) - int(count.get())], a[a <= 300])
    different, count, _ = unique(cl_array.to_device(queue, np.sort(a)))
    near(different.get()[:int(count.get())], np.unique(a))


@test
def radix_sort():
    a = numbers.integers(0, 1 << 20, 50001).astype(np.int32)
    sort = RadixSort(context, "int *ary", key_expr="ary[i]", sort_arg_names=["ary"])
    (out,), _ = sort(cl_array.to_device(queue, a), key_bits=20)
    near(out, np.sort(a))


@test
def random_numbers():
    for generator in (clrandom.PhiloxGenerator, clrandom.ThreefryGenerator):
        uniform = generator(context).uniform(queue, 100000, np.float32).get()
        assert 0 <= uniform.min() and uniform.max() <= 1 and abs(uniform.mean() - 0.5) < 0.01
        normal = generator(context).normal(queue, 100000, np.float64).get()
        assert abs(normal.mean()) < 0.02 and abs(normal.std() - 1) < 0.02


@test
def struct_arguments():
    pair = np.dtype([("count", np.int32), ("value", np.float32)])
    pair, declaration = cl.tools.match_dtype_to_c_struct(context.devices[0], "pair", pair)
    cl.tools.get_or_register_dtype("pair", pair)
    a = np.zeros(100, pair)
    a["count"], a["value"] = np.arange(100), floats(100)
    x, out = cl_array.to_device(queue, a), cl_array.empty(queue, 100, np.float32)
    ElementwiseKernel(context, "pair *x, float *out", "out[i] = x[i].count * x[i].value", preamble=declaration)(x, out)
    near(out, a["count"] * a["value"])


@test
def images():
    a = numbers.integers(0, 256, (40, 50, 4)).astype(np.uint8)
    image = cl.image_from_array(context, a, 4)
    program = cl.Program(context, """
        constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
        kernel void sum(read_only image2d_t image, global uint *out) {
            const int x = get_global_id(0), y = get_global_id(1);
            const uint4 p = read_imageui(image, s, (int2)(x, y)) + read_imageui(image, s, (int2)(x + 1, y));
            out[y * get_global_size(0) + x] = p.x + p.y + p.z + p.w;
        }""").build()
    out = cl_array.empty(queue, (40, 50), np.uint32)
    program.sum(queue, (50, 40), None, image, out.data)
    sums = a.astype(np.uint32).sum(2)
    near(out, sums + np.pad(sums[:, 1:], ((0, 0), (0, 1))))


def main():
    failed = False
    for name, function in tests.items():
        try:
            function()
            print("pass", name, flush=True)
        except Exception as error:  # whatever it is, the next test is to run
            print(f"fail {name}:", " ".join(str(error).split())[:300], flush=True)
            failed = True
    sys.exit(failed)


main()
