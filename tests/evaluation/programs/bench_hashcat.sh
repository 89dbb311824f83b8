#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench_hashcat.sh [--any-clock] VENDORS OTHER_VENDORS [RUNS]: runs hashcat's own benchmark of five kinds of hashes
# under two OpenCL drivers in turn. It prints the medians of the rates and the ratio of times: the first driver's time
# divided by the second's. VENDORS and OTHER_VENDORS are folders for OCL_ICD_VENDORS.
#
# Where nvidia-smi reports the first device's clock, the clock of a run is the median of what it reports while hashcat
# keeps the device busy. When the clocks of one driver's runs differ by more than 3%, they are not compared and the
# exit status is 2; --any-clock compares them anyway.
set -u
any_clock=0
[ "${1-}" = --any-clock ] && any_clock=1 && shift
first=$1 second=$2 runs=${3:-3}

# clocks: the clocks of the first device, which is idle here, so they say nothing about a run.
clocks() {
    nvidia-smi --query-gpu=clocks.sm,clocks.mem,power.draw --format=csv,noheader -i 0 2>/dev/null || echo unknown
}
median() { sort -g | awk '{v[NR] = $1} END {print NR ? v[int((NR + 1) / 2)] : 0}'; }

# rate VENDORS MODE: hashes per second and the clock in MHz; 0 where hashcat fails or the clock is not known.
rate() {
    OCL_ICD_VENDORS=$1 timeout 120 hashcat -b -m "$2" --force --machine-readable \
        --backend-ignore-cuda --backend-ignore-hip </dev/null >output.$$ 2>/dev/null &
    local hashcat=$!
    while kill -0 $hashcat 2>/dev/null; do
        nvidia-smi --query-gpu=clocks.sm,utilization.gpu --format=csv,noheader,nounits -i 0 2>/dev/null || sleep 0.3
        sleep 0.2
    done | awk -F', *' '$2 >= 50 {print $1}' | median >clock.$$
    wait $hashcat
    grep -a -E "^[0-9]+:$2:" output.$$ |
        awk -F: -v clock="$(cat clock.$$)" '{print $NF, clock; found = 1; exit} END {if (!found) print 0, 0}'
}

echo "clocks before: $(clocks)"
printf '| hash | %s | %s | ratio of times | MHz |\n|---|---|---|---|---|\n' "$(basename "$first")" "$(basename "$second")"
refused=0
while read -r name mode; do
    for ((run = 0; run < runs; run++)); do
        echo "$(rate "$first" "$mode") $(rate "$second" "$mode")"
    done >rates.$$
    a=$(cut -d' ' -f1 rates.$$ | median) b=$(cut -d' ' -f3 rates.$$ | median)
    awk -v name="$name" -v a="$a" -v b="$b" -v any="$any_clock" '
        function see(d, clock) {
            if (clock <= 0) return
            if (!low[d] || clock < low[d]) low[d] = clock
            if (clock > high[d]) high[d] = clock
        }
        function span(d) { return !high[d] ? "unknown" : low[d] == high[d] ? low[d] : low[d] " to " high[d] }
        {see(1, $2); see(2, $4)}
        END {
            changed = high[1] - low[1] > 0.03 * high[1] || high[2] - low[2] > 0.03 * high[2]
            ratio = a <= 0 ? "fails" : changed && !any ? "not compared" : sprintf("%.3f", b / a)
            printf "| %s | %.4g/s | %.4g/s | %s | %s, %s |\n", name, a, b, ratio, span(1), span(2)
            exit changed && !any
        }' rates.$$ || refused=2
done <<'EOF'
MD5 0
SHA1 100
SHA2-256 1400
SHA2-512 1700
NTLM 1000
EOF
echo "clocks after: $(clocks)"
rm -f rates.$$ output.$$ clock.$$
exit $refused
