#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD [--beside] [--descriptors] [PROGRAM…]: runs OpenCL programs that others wrote, unchanged, under the driver
# of BUILD, and prints how many of each program's tests pass, fail and are skipped. With --beside it also runs them
# under the system's other OpenCL drivers, with --descriptors under ours on a device without buffer device addresses,
# which a layer of BUILD takes away. A program that is not installed is skipped. The script fails when a test fails, or
# with --beside when a test fails that passes under another driver. The output of the programs is in BUILD/programs.
set -u
case ${1:-} in
    '' | -h | --help) sed -n '3,/^set/{/^set/d;s/^# //;p}' "$0"; exit $(($# ? 0 : 2)) ;;
esac
[ -d "$1" ] || { echo "run.sh: no folder $1" >&2; exit 2; }
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
shift
beside='' descriptors=''
while :; do
    case ${1:-} in
        --beside) beside=1 ;;
        --descriptors) descriptors=.descriptors ;;
        *) break ;;
    esac
    shift
done
wanted=" $* "
all=(clinfo clblast boost_compute viennacl pyopencl piglit hashcat darktable gegl)
piglit=/usr/lib/$(uname -m)-linux-gnu/piglit
for directory in /usr/lib/piglit /usr/lib64/piglit; do [ -d $directory ] && piglit=$directory; done

# Each function prints lines `pass NAME`, `fail NAME: why`, `skip NAME: why`; the current folder is its own.
installed() { command -v "$1" >/dev/null || { echo "skip $1: not installed"; false; }; }
built() {
    [ -x "$build/tests/evaluation/programs/program_$1" ] || { echo "skip $1: not installed"; return; }
    "$build/tests/evaluation/programs/program_$1" || [ $? = 1 ] || echo "fail $1: crashed"
}
# verdict NAME COMMAND…: passes when the command succeeds.
verdict() {
    local name=$1
    shift
    "$@" >>log 2>&1 && echo "pass $name" || echo "fail $name: code $?"
}

run_clinfo() { installed clinfo && verdict clinfo sh -c 'clinfo | grep -q "Device Name"'; }
run_clblast() { built clblast; }
run_boost_compute() { built boost_compute; }
run_viennacl() { built viennacl; }
run_pyopencl() {
    /usr/bin/python3 -c 'import pyopencl' 2>>log || { echo "skip pyopencl: not installed"; return; }
    export PYOPENCL_NO_CACHE=1
    /usr/bin/python3 -W ignore "$here/pyopencl_test.py" || [ $? = 1 ] || echo "fail pyopencl: crashed"
    # Its own tests, where its documentation and pytest are installed.
    local tests=/usr/share/doc/python-pyopencl-doc/examples file
    /usr/bin/python3 -c 'import pytest' 2>>log && [ -d $tests ] || { echo "skip its own tests: not installed"; return; }
    cp -r $tests own && cd own || return
    for file in test_*.py; do
        timeout 1800 /usr/bin/python3 -W ignore -m pytest -q -rA --tb=short -p no:cacheprovider "$file" >result 2>&1
        [ $? -le 1 ] || echo "fail $file: crashed, or took too long"
        cat result >>../log
        sed -n -E 's/\[<context factory[^>]*>>/[/; s/^(PASSED|XFAIL) +([^ ]*).*/pass \2/p; s/^FAILED +([^ ]*).*/fail \1: see log/p
            s/^SKIPPED +\[[0-9]*\] +([^ ]*) *(.*)/skip \1 \2/p' result
    done
}

# piglit_result NAME COMMAND…: by what it says last.
piglit_result() {
    local name=$1 result
    shift
    result=$(timeout 120 "$@" 2>&1 | tee -a "$OLDPWD/log" | grep -a -o 'PIGLIT: {"result": "[a-z]*"' | tail -1 | cut -d'"' -f4)
    case $result in
        pass | skip) echo "$result $name" ;;
        *) echo "fail $name: ${result:-crashed}" ;;
    esac
}
run_piglit() {
    [ -d "$piglit/tests/cl" ] || { echo "skip piglit: not installed"; return; }
    export PIGLIT_PLATFORM=surfaceless_egl
    cd "$piglit" || return
    for test in bin/cl-*; do
        case $test in
            */cl-program-tester | */cl-interop*) ;;
            *) piglit_result "$test" "$test" -auto ;;
        esac
    done
    while read -r test; do
        piglit_result "$test" bin/cl-program-tester "$test"
    done < <(find tests/cl/program generated_tests/cl -name '*.cl' -o -name '*.program_test' | sort)
}

# hashcat finds the password of its own example of each kind of hash among three, and tests itself before.
run_hashcat() {
    installed hashcat || return
    local name mode example
    while read -r name mode; do
        example=$(hashcat -m "$mode" --example-hashes 2>>log)
        sed -n 's/.*Example.Hash\.*: //p' <<<"$example" | head -1 >hash
        { sed -n 's/.*Example.Pass\.*: //p' <<<"$example" | head -1; echo wrong1; echo wrong2; } >words
        verdict "$name" timeout 900 hashcat -m "$mode" -a 0 --force --potfile-disable hash words </dev/null
    done <<'EOF'
MD5 0
SHA1 100
SHA256 1400
SHA512 1700
NTLM 1000
bcrypt 3200
PBKDF2-HMAC-SHA256 10900
scrypt 8900
EOF
}

# darktable exports a raw photograph with and without OpenCL. It leaves a processor out unless its configuration asks for it.
run_darktable() {
    installed darktable-cli || return
    "$here/make_picture.py" in.dng
    darktable() {
        timeout 600 darktable-cli in.dng "$1" --core --configdir "$PWD/dt" --cachedir "$PWD/dt" -d opencl -d perf "${@:2}"
    }
    darktable first.pfm >>log 2>&1
    rm -f first.pfm
    sed -i -E 's/^(cldevice_v4_[^=]*=([^ ]* ){7})1/\10/; s/^opencl=.*/opencl=true/' dt/darktablerc
    darktable with.pfm --conf opencl=true >with.log 2>&1
    darktable without.pfm --disable-opencl >>log 2>&1
    cat with.log >>log
    verdict "every kernel builds" grep -q 'FINALLY: opencl is AVAILABLE' with.log
    verdict "an export uses OpenCL" grep -q "processed \`filmic rgb' on GPU" with.log
    verdict "the export is the processor's" "$here/same_picture.py" with.pfm without.pfm 0.01
}

# GEGL's operations that have kernels, with and without OpenCL; those without noise.
run_gegl() {
    installed gegl || return
    "$here/make_picture.py" --ppm in.ppm
    local operation
    for operation in gegl:box-blur 'gegl:gaussian-blur std-dev-x=4 std-dev-y=3' gegl:bilateral-filter gegl:brightness-contrast \
        'gegl:color-temperature original-temperature=5000' gegl:edge-laplace gegl:edge-sobel gegl:gaussian-blur-selective \
        'gegl:levels in-low=0.1 out-high=0.9' 'gegl:motion-blur-linear length=12 angle=30' gegl:oilify gegl:pixelize \
        gegl:posterize gegl:snn-mean 'gegl:threshold value=0.4' gegl:value-invert gegl:invert-linear gegl:vignette \
        gegl:alien-map gegl:mono-mixer gegl:median-blur gegl:stretch-contrast gegl:color-to-alpha gegl:softglow; do
        # shellcheck disable=SC2086  # the words of an operation
        GEGL_USE_OPENCL=no timeout 60 gegl in.ppm -o without.ppm -- $operation >>log 2>&1
        # shellcheck disable=SC2086
        GEGL_USE_OPENCL=cpu timeout 120 gegl in.ppm -o with.ppm -- $operation >>log 2>&1
        verdict "$operation" "$here/same_picture.py" with.ppm without.ppm 400  # of 65535
        rm -f with.ppm without.ppm
    done
}

if [ $descriptors ]; then
    export VK_LAYER_PATH=$build/tests/driver/layers/features VK_INSTANCE_LAYERS=VK_LAYER_CALDERA_features
    export CALDERA_TEST_WITHOUT=bufferDeviceAddress CALDERA_VALIDATION=0
fi
# results VENDORS FOLDER PROGRAM: runs it and prints its counts.
results() {
    rm -rf "$2" && mkdir -p "$2/home"
    (cd "$2" && env_home=$2/home && export OCL_ICD_VENDORS=$1 HOME=$env_home XDG_CACHE_HOME=$env_home XDG_CONFIG_HOME=$env_home \
        && "run_$3" >results 2>log.errors)
    echo "$(grep -c ^pass "$2/results") pass, $(grep -c ^fail "$2/results") fail, $(grep -c ^skip "$2/results") skip"
}

code=0
for program in "${all[@]}"; do
    [ "$wanted" = "  " ] || [[ $wanted == *" $program "* ]] || continue
    out=$build/programs/$program$descriptors
    line=$(printf '%-14s %s' "$program" "$(results "$build/vendors" "$out" "$program")")
    : >"$out.excused"
    if [ $beside ]; then
        line+=" | beside: $(results /etc/OpenCL/vendors "$out.beside" "$program")"
        sed -n 's/^fail \([^:]*\).*/\1/p' "$out.beside/results" >"$out.excused"
    fi
    echo "$line"
    while read -r failure; do
        name=${failure#fail }
        grep -qxF "${name%%: *}" "$out.excused" || { echo "    $failure"; code=1; }
    done < <(grep ^fail "$out/results")
    grep ^skip "$out/results" | head -3 | sed 's/^/    /'
done
exit $code
