#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench_hashcat.sh VENDORS OTHER_VENDORS [RUNS]: hashcat's own benchmark of five kinds of hashes under two OpenCL drivers, in
# turn: the medians of the rates and of their quotient's inverse, the time of the first as a part of the second's. VENDORS
# are folders for OCL_ICD_VENDORS.
set -u
first=$1 second=$2 runs=${3:-3}

# rate VENDORS MODE: hashes a second; 0 where it fails.
rate() {
    OCL_ICD_VENDORS=$1 timeout 120 hashcat -b -m "$2" --force --machine-readable \
        --backend-ignore-cuda --backend-ignore-hip </dev/null 2>/dev/null |
        grep -a -E "^[0-9]+:$2:" | awk -F: '{print $NF; found = 1; exit} END {if (!found) print 0}'
}
median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

printf '| hash | %s | %s | ratio of times |\n|---|---|---|---|\n' "$(basename "$first")" "$(basename "$second")"
while read -r name mode; do
    for ((run = 0; run < runs; run++)); do
        echo "$(rate "$first" "$mode") $(rate "$second" "$mode")"
    done >rates.$$
    a=$(cut -d' ' -f1 rates.$$ | median) b=$(cut -d' ' -f2 rates.$$ | median)
    awk -v name="$name" -v a="$a" -v b="$b" \
        'BEGIN {printf "| %s | %.4g/s | %.4g/s | %s |\n", name, a, b, (a > 0 ? sprintf("%.3f", b / a) : "fails")}'
done <<'EOF'
MD5 0
SHA1 100
SHA2-256 1400
SHA2-512 1700
NTLM 1000
EOF
rm -f rates.$$
