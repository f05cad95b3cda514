#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# run.sh LAUNCHER RANKS LIBRARY WORDS PROGRAM [ARGUMENT...]: runs a wrong program under TUTTI=WORDS until the lines have
# been said that it expects, it ends, or 12 s have passed.
launcher=$1 ranks=$2 library=$3 words=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
timeout -k 5 12 "$launcher" "$ranks" env TUTTI="$words" LD_PRELOAD="$library" "$@" >"$work/out" 2>"$work/err" </dev/null &
program=$!

# Prints what has not been said yet.
missing() {
    sed -n 's/^.*expect: //p' "$work/out" | sort -u >"$work/expected"
    [ -s "$work/expected" ] || echo "the program expects nothing"
    while IFS= read -r line; do
        grep -q "$line" "$work/err" || echo "not found: $line"
    done <"$work/expected"
}
while [ -n "$(missing)" ] && kill -0 "$program" 2>/dev/null; do sleep 0.2; done
kill "$program" 2>/dev/null
wait "$program"
left=$(missing)
if [ -n "$left" ]; then
    echo "$left"
    sed 's/^/    /' "$work/err"
    exit 1
fi
echo "No errors detected"
