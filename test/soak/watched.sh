#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# watched.sh LAUNCHER RANKS LIBRARY PROGRAM CONFIGURATION SEED SECONDS: programs of seeds from SEED on, each under
# TUTTI=watch or watch,check, until the time is over; watched.cpp has what they print.
launcher=$1 ranks=$2 library=$3 program=$4 configuration=$5 seed=$6 seconds=$7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# lines WORD: what the program has printed after it.
lines() { sed -n "s/^.*$1: //p" "$work/out" | sort -u; }

# Prints what is wrong so far.
wrong() {
    grep -q '^expect:\|^legal' "$work/out" || echo "the program expects nothing"
    lines expect | while IFS= read -r line; do grep -q "$line" "$work/err" || echo "not found: $line"; done
    lines never | while IFS= read -r line; do if grep "$line" "$work/err"; then echo "found: $line"; fi; done
    if grep -q '^legal' "$work/out" && ! grep -q '^end' "$work/out"; then echo "a legal program has not ended"; fi
}

one() {
    words=watch:2
    if [ $((seed / 2 % 2)) = 1 ]; then words=watch:2,check; fi
    : >"$work/out"
    : >"$work/err"
    timeout -k 5 40 "$launcher" "$ranks" env TUTTI="$words" LD_PRELOAD="$library" "$program" "$seed" \
        >"$work/out" 2>"$work/err" </dev/null &
    process=$!
    while [ -n "$(wrong)" ] && kill -0 "$process" 2>/dev/null; do sleep 0.2; done
    sleep 0.3
    kill "$process" 2>/dev/null
    wait "$process" 2>/dev/null
    said=$(wrong)
    if [ -z "$said" ]; then
        passed=$((passed + 1))
        return
    fi
    failed=$((failed + 1))
    echo "soak: $configuration, seed $seed, TUTTI=$words, $ranks ranks: $said"
    sed 's/^/    /' "$work/out" "$work/err"
}

end=$(($(date +%s) + seconds))
while
    one
    seed=$((seed + 1))
    [ "$(date +%s)" -lt "$end" ]
do :; done
echo "soak: $configuration: $passed call$([ "$passed" = 1 ] || echo s) passed, $failed failed"
[ "$failed" = 0 ]
