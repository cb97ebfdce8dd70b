#!/usr/bin/env bash
# check_symbols.sh NM LIBRARY HOST_GLAD: no global symbol of ours is glad's, GL's, or anybody else's but ag_*
# SPDX-License-Identifier: MIT
set -euo pipefail
nm=$1 library=$2 host=$3
ours=$("$nm" --defined-only -g "$library" | awk 'NF == 3 { print $3 }' | sort -u)
theirs=$("$nm" --defined-only -g "$host" | awk 'NF == 3 { print $3 }' | sort -u)
[ "$(wc -l <<<"$theirs")" -gt 500 ] || { echo "the host's glad has no global pointers: nothing is shown"; exit 1; }
both=$(comm -12 <(echo "$ours") <(echo "$theirs"))
[ -z "$both" ] || { echo "in both: $both"; exit 1; }
strangers=$(grep -v -e '^ag_' -e '^__odr_asan\.ag_' <<<"$ours" || true) # the sanitizer's own names
[ -z "$strangers" ] || { echo "not ours by name: $strangers"; exit 1; }
echo "$(wc -l <<<"$ours") symbols of ours, $(wc -l <<<"$theirs") of the host's glad, none in both"
