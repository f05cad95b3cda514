#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# late.sh LAUNCHER RANKS LIBRARY PROGRAM PATTERN: whether the report of TUTTI=report says of at least 95 of 100 calls
# which rank came last, as the program does that makes ranks late.
launcher=$1 ranks=$2 library=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$launcher" "$ranks" env TUTTI="report:$work/report.csv" LD_PRELOAD="$library" "$@" >"$work/due" || exit 1
grep '^MPI_Allreduce,' "$work/report.csv" | sed 's/.*,"\([^"]*\)"$/\1/' >"$work/said"
awk -F: 'BEGIN { RS = "[;\n]" }
    NR == FNR { due[$1] = $2; next }
    $1 in due { right += $2 < due[$1] ? $2 : due[$1] }
    END { printf "%d of 100 calls are told right\n", right; exit right < 95 }' "$work/due" "$work/said" || {
    cat "$work/due" "$work/said"
    exit 1
}
