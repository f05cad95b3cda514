#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# run.sh LAUNCHER RANKS LIBRARY WORDS PROGRAM [ARGUMENT...]: runs a wrong program under TUTTI=WORDS until it ends, or
# for 12 s, and looks for the lines that it says it expects.
launcher=$1 ranks=$2 library=$3 words=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
timeout -k 5 12 "$launcher" "$ranks" env TUTTI="$words" LD_PRELOAD="$library" "$@" >"$work/out" 2>"$work/err" </dev/null
failed=0
sed -n 's/^.*expect: //p' "$work/out" | sort -u >"$work/expected"
[ -s "$work/expected" ] || { echo "the program expects nothing"; failed=1; }
while IFS= read -r line; do
    grep -q "$line" "$work/err" || { echo "not found: $line"; failed=1; }
done <"$work/expected"
[ "$failed" = 0 ] || { sed 's/^/    /' "$work/err"; exit 1; }
echo "No errors detected"
