#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clrun_arguments.sh CLRUN: clrun says what is wrong with its arguments, before the kernel has run.
set -u
clrun=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
passed=0 failed=0

# refuses TEXT ARGS…: clrun ARGS exits with 1, says TEXT, and runs nothing.
refuses() {
    local text=$1 code
    shift
    timeout 60 "$clrun" "$@" >log 2>&1
    code=$?
    if [ $code = 1 ] && grep -qF -- "$text" log && ! grep -q "time per dispatch" log; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $*: exit code $code, wanted 1 and '$text'; it said:"
        head -c 1000 log
    fi
}
# prints TEXT ARGS…: clrun ARGS prints TEXT.
prints() {
    local text=$1 said
    shift
    said=$(timeout 60 "$clrun" "$@" 2>log)
    if [ "$said" = "$text" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED $*: '$said', wanted '$text'; it said:"
        head -c 1000 log
    fi
}

echo 'kernel void k(global int *a) { a[0] = N; }' >k.cl
k=(k.cl -DN=3 --global=1 '--arg=[2]')
prints "3 0" "${k[@]}" --print=0
prints "3 0" "${k[@]}" --options= --print=0
refuses "not a size: ''" k.cl -DN=3 --global= '--arg=[2]' --print=0
refuses "not a size: ''" k.cl -DN=3 --global=1,,2 '--arg=[2]' --print=0
refuses "not a size: ''" k.cl -DN=3 --global=1, '--arg=[2]' --print=0
refuses "--local has more dimensions than --global" "${k[@]}" --local=1,1
refuses "--offset has more dimensions than --global" "${k[@]}" --offset=0,0
prints "3 0" k.cl -DN=3 --global 1 1,1 --local=1,1 '--arg=[2]' --print=0
refuses "not a size: 'x'" "${k[@]}" --print=0:x
prints "3" "${k[@]}" --print=0:1
prints "" "${k[@]}" --print=0:0
refuses "--print=0:3 wants more elements than there are, 2" "${k[@]}" --print=0:3
refuses "'1' does not name a buffer argument" "${k[@]}" --print=1
refuses "--save needs a file, as in --save=1:out.npy" "${k[@]}" --save=0

# warnings COUNT: the last clrun warned so many times.
warnings() {
    local count
    count=$(grep -c "^clrun: warning: " log)
    if [ "$count" = "$1" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED: $count warnings, wanted $1; it said:"
        head -c 1000 log
    fi
}

# NumPy's own choice is doubles, which a kernel of floats misreads.
echo 'kernel void k(global float *a) { }' >floats.cl
prints "" floats.cl --arg=f64:1,2,3 --save=0:doubles.npy
warnings 0
prints "1 2 3" floats.cl --arg=@doubles.npy --print=0
warnings 1
prints "" floats.cl --arg=:1,2,3 --save=0:floats.npy
prints "1 2 3" floats.cl --arg=@floats.npy --print=0
warnings 0
echo 'kernel void k(global uchar *a) { }' >bytes.cl
prints "1 2 3" bytes.cl --arg=@floats.npy --print=0
warnings 0
refuses "unknown contents (=VALUE, range, range(START,STEP), random or random(SEED)): 'ranges'" \
    floats.cl '--arg=[2]:ranges'
refuses "out of range for f32: '1e39'" floats.cl --arg=:1e39

# Nothing that is read is written over, nor what another option writes.
printf '#define N 3\n' >n.h
printf '#include "n.h"\nkernel void k(global int *a, read_only image2d_t i) { a[0] = N; }\n' >header.cl
head -c 8 /dev/zero >eight.raw
head -c 16 /dev/zero >texels.raw
sums=$(md5sum ./*.*)
ln -s header.cl link.cl
ln n.h hard.h
saves=(header.cl --global=1 --arg=@eight.raw --arg=image:2d:R:FLOAT:2x2=@texels.raw)
for file in header.cl n.h eight.raw texels.raw; do
    refuses "output './$file' would overwrite '$file', which is read" "${saves[@]}" --save=0:./$file
done
refuses "output 'link.cl' would overwrite 'header.cl', which is read" "${saves[@]}" --save=0:link.cl
refuses "output 'hard.h' would overwrite 'n.h', which is read" "${saves[@]}" --save=0:hard.h
refuses "output './new' would be written twice" "${saves[@]}" --save=0:new --save=1:./new
refuses "output '-' would be written twice" "${saves[@]}" --save=0:- --print=0
rm link.cl hard.h
if [ "$(md5sum ./*.*)" = "$sums" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: files that are read changed"
fi
prints "3 0" "${saves[@]}" --print=0 --save=0:new --save=1:/dev/null

# Inputs without end, and folders.
mkdir folder
refuses "'folder' is a folder" folder --global=1
refuses "'folder' is a folder" k.cl -DN=3 --global=1 --arg=@folder
limit="has more than 256 MiB, the most that is read from standard input, a pipe or a device"
refuses "'/dev/zero' $limit" k.cl -DN=3 --global=1 --arg=@/dev/zero
refuses "'/dev/zero' $limit" /dev/zero --global=1
printf 12345 >five
refuses "the size of 'five', 5 bytes, is not a multiple of the 4 of i32" k.cl -DN=3 --global=1 --arg=@five

cat >typedefs.cl <<'END'
typedef short int16_t;
typedef struct { float x, y; } both;
typedef float4 colour;
kernel void k(global int16_t *to, const global colour *from, int16_t n, global both *other) {
    size_t i = get_global_id(0);
    to[i] = (int16_t)from[i].y + n;
    other[i].x = n;
}
END
prints "7 9" typedefs.cl --global=2 '--arg=[2]' --arg=:1,2,3,4,5,4,3,2 --arg=5 --arg=f32[4] --print=0
refuses "elements of 'both*' have no size here: write a type, as in u8[4]" \
    typedefs.cl --global=1 '--arg=[1]' '--arg=[4]' --arg=5 '--arg=[4]' --print=0

cat >image.cl <<'END'
kernel void copy(read_only image2d_t from, global float *to) {
    size_t x = get_global_id(0);
    to[x] = read_imagef(from, (int2)(x & 1, x >> 1)).x;
}
END
for contents in "1,2,3,4" "range(1)"; do
    prints "1 2 3 4" image.cl --global=4 --arg="image:2d:R:FLOAT:2x2=:$contents" '--arg=[4]' --print=1
done
# refuses_image TEXT IMAGE
refuses_image() { refuses "$1" image.cl --global=4 --arg="$2" '--arg=[4]' --print=1; }
refuses_image "the image has 4 x f32, its contents are 3 x f32" image:2d:R:FLOAT:2x2=:1,2,3
refuses_image "the kernel takes an image2d_t, not an image1d_t" image:1d:R:FLOAT:4
refuses_image "there are no contents behind '='" image:2d:R:FLOAT:2x2=
refuses_image "an image is written image:SHAPE:ORDER:TYPE:SIZE" 2d:R:FLOAT:2x2
head -c 12 image.cl >short.raw
refuses_image "the image has 4 x f32, its contents are 3 x f32" image:2d:R:FLOAT:2x2=@short.raw

# A kernel's name, where there are several; those of blocks are not the host's.
cat >two.cl <<'END'
kernel void a(global int *p) { *p = 1; }
kernel void b(global int *p, queue_t q) {
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ *p = 2; });
}
END
refuses "which kernel is to run? --kernel= takes one of a, b" two.cl --options=-cl-std=CL2.0 '--arg=[1]'
refuses "no kernel 'c'; it has: a, b" two.cl --options=-cl-std=CL2.0 --kernel=c '--arg=[1]'
grep -q block log && failed=$((failed + 1)) && echo "FAILED: clrun names a block's kernel"
refuses "no input file; --global took 'k.cl' for a size: write --global=SIZE, or the file first" --global 2 k.cl '--arg=[2]'

# --robust and other checks do not take each other away.
echo 'kernel void k(global int *a) { a[2] = 1; }' >outside.cl
# status CODE ARGS…: clrun's exit code.
status() {
    local wanted=$1 code
    shift
    timeout 60 "$clrun" outside.cl '--arg=[2]' "$@" >log 2>&1
    code=$?
    if [ $code = "$wanted" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED $*: exit code $code, wanted $wanted; it said:"
        head -c 1000 log
    fi
}
status 0 --robust
status 3 --robust --check=bounds
status 3 --robust --check=arithmetic
CALDERA_CHECK=bounds status 3 --robust
CALDERA_CHECK=arithmetic status 3 --robust
CALDERA_CHECK=arithmetic CALDERA_ROBUST=1 status 3
CALDERA_CHECK=none status 1 --robust
CALDERA_ROBUST=1 status 3 --check=bounds
CALDERA_CHECK=bounds status 3

# A kernel that never ends.
echo 'kernel void k(global int *a) { while (a[0] == 0) a[1] += 1; }' >outside.cl
status 0 --robust --max-loop-turns=1000 --print=0
grep -qxE '0 100[01]' log || { failed=$((failed + 1)); echo "FAILED: 1000 turns"; cat log; }
CALDERA_ROBUST=1 CALDERA_CHECK_LOOPS=1000 status 0
status 3 --check=loops --max-loop-turns=1000
status 3 --robust --check=loops --max-loop-turns=1000
status 1 --robust --max-loop-turns=0

echo "$passed passed, $failed failed"
[ $failed = 0 ]
