#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# late.sh LAUNCHER RANKS LIBRARY PROGRAM PATTERN: whether the report of TUTTI=report says of at least 95 of 100 calls
# which rank came last, as the program does that makes ranks late, in the row of each place that it calls from.
launcher=$1 ranks=$2 library=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$launcher" "$ranks" env TUTTI="report:$work/report.csv" LD_PRELOAD="$library" "$@" >"$work/due" || exit 1
grep '^MPI_Allreduce,' "$work/report.csv" | sed 's/.*,"\([^"]*\)"$/\1/' >"$work/said"
awk -F: 'NR == FNR { n = split($0, parts, /[;:]/); for (i = 1; i < n; i += 2) { due[parts[i]] = parts[i + 1] } next }
    { n = split($0, parts, /[;:]/); right = 0
      for (i = 1; i < n; i += 2) { right += parts[i + 1] < due[parts[i]] ? parts[i + 1] : due[parts[i]] }
      printf "%d of 100 calls are told right\n", right; wrong += right < 95 }
    END { exit wrong || FNR == 0 }' "$work/due" "$work/said" || {
    cat "$work/due" "$work/said"
    exit 1
}
