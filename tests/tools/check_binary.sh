#!/bin/sh
# check_binary.sh LIBRARY OBJECTS - one exported symbol, no GL linked, one writable global: the lock
# SPDX-License-Identifier: MIT
set -eu
library=$1
objects=$2
nm=${NM:-nm}
readelf=${READELF:-readelf}
failed=0

fail() {
    echo "FAIL $*"
    failed=1
}

if [ "${SANITIZED:-0}" = 1 ]; then
    echo "a sanitizer build: it adds symbols and globals of its own"
    exit 77
fi

exported=$("$nm" -D --defined-only "$library" | awk '{ print $NF }' | sort | tr '\n' ' ')
[ "$exported" = "ag_entry_v1 " ] || fail "exported symbols: $exported(ag_entry_v1 alone expected)"
echo "exported: $exported"

needed=$("$readelf" -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')
for name in $needed; do
    case $name in
    libc.so.* | libm.so.* | ld-linux*) ;;
    libpthread.so.* | libdl.so.*) ;; # parts of libc before glibc 2.34: the lock's functions, dlsym
    *) fail "links $name: only libc and libm are allowed" ;;
    esac
done
echo "links: $needed"

# Named objects in .data and .bss; tables of pointers to constants sit in .data.rel.ro and are fine.
count=0
for object in $(find "$objects" -name '*.o'); do
    count=$((count + 1))
    writable=$("$readelf" -SW "$object" | awk '
        { sub(/^ *\[ *[0-9]+\] */, "") }
        $1 ~ /^\.(data|bss|tdata|tbss)(\.|$)/ && $1 !~ /^\.data\.rel\.ro/ && $5 !~ /^0+$/ { print $1 }')
    # system.c's lock is the one that there may be
    [ -z "$writable" ] || [ "$("$nm" "$object" | awk '$2 ~ /^[bBdDcCsSgG]$/ { print $3 }')" != ag_process_lock ] ||
        writable=
    [ -z "$writable" ] || fail "$object has writable globals in" $writable:
    [ -z "$writable" ] || "$nm" "$object" | awk '$2 ~ /^[bBdDcCsSgG]$/ { print "    " $0 }'
done
[ "$count" -gt 0 ] || fail "no objects under $objects"
echo "objects looked at: $count"
exit $failed
