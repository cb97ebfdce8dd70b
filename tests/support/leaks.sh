#!/usr/bin/env bash
# tests/support/leaks.sh PROGRAM [ARGUMENT...] - runs a sanitized program, again where the sanitizer itself broke
# SPDX-License-Identifier: MIT
#
# LeakSanitizer stops the process at its end and reads its threads' memory from outside. Once in some thousand
# ends it reads what is no longer mapped, calls that its own fatal error and fails a program that has passed.
# Only that message earns another run; whatever the program says or leaks fails as ever.
set -u

errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
for attempt in 1 2 3; do
    code=0
    "$@" 2>"$errors" || code=$?
    if [ "$attempt" = 3 ] || ! grep -qF 'LeakSanitizer has encountered a fatal error' "$errors"; then
        break
    fi
    echo "leaks.sh: attempt $attempt ended in LeakSanitizer's own fatal error; again"
done
cat "$errors" >&2
exit "$code"
