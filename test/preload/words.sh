#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# words.sh ON_RANKS LIBRARY PROGRAM: which lines TUTTI's words give that are not followed, and where its files lie when the
# program, see moved.c, goes elsewhere.
launcher=$1 library=$2 program=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
run() {  # WORDS [ARGUMENT...]
    words=$1
    shift
    "$launcher" 3 env TUTTI="$words" LD_PRELOAD="$library" "$program" "$@" >out 2>&1 || { cat out; echo "$words: fails"; exit 1; }
    [ "$(LC_ALL=C tr -d '\n\040-\176' <out | wc -c)" = 0 ] || { echo "$words: characters that a terminal follows"; exit 1; }
    [ "$(grep -c '^tutti: TUTTI' out)" -le 1 ] || { cat out; echo "$words: said more than once"; exit 1; }
}
has() { grep -q "$1" out || { cut -c1-400 out; echo "not found: $1"; exit 1; }; }

run reprot,wach:3,reprot
has "TUTTI=reprot is not known (did you mean report?), and others are not; use off,"
run learn
has "did you mean learn:FILE?"
run 'alreduce>=10'
has "did you mean allreduce?"
run "$(printf 'a\033[31mb')"
has 'TUTTI=a.x1b\[31mb is not known; use'
run "$(head -c 100000 /dev/zero | tr '\0' x)"
has 'TUTTI=x\{1,80\}[.][.][.] is not known; use'
for other in all fixed reproducible bcast use:none watch; do
    run "learn:learned,$other"
    has "learn:FILE is not followed"
    [ ! -e learned ] || { echo "learn:learned,$other writes a file"; exit 1; }
done
for name in report:sub/table.csv report:sub/table.json report:sub/table learn:sub/table; do
    rm -rf sub before after
    mkdir sub
    run "$name" before after
    file=${name#*:}
    [ -s "$file" ] || { cat out; find .; echo "$name is not in the first folder"; exit 1; }
done
run report:none/table.csv
has 'the report cannot be written to .*/none/table.csv, and follows here; name a file in a folder that is there'
has '^function,place'
echo "No errors detected"
