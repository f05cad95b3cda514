#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# compare.sh COMPARE LIBRARY: what src/preload/compare prints of a program that takes known times: its clock is a file.
compare=$1 library=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir bin
printf '#!/bin/sh\ncat "%s/clock"\n' "$work" >bin/date
chmod +x bin/date
PATH=$work/bin:$PATH
cat >program <<'PROGRAM'
case ${LD_PRELOAD-} in *libtutti_mpi.so*) seconds=$2 ;; *) seconds=$1 ;; esac
awk -v seconds="$seconds" '{ printf "%.3f\n", $1 + seconds }' clock >later && mv later clock
case ${TUTTI-} in *report:*) echo "tutti: of $seconds s, 2 ranks" >"${TUTTI##*report:}" ;; esac
PROGRAM
fails() { cat out; echo "$*"; exit 1; }
run() {  # STATUS ARGUMENT...
    expected=$1
    shift
    echo 0 >clock
    "$compare" --library "$library" "$@" >out 2>&1
    status=$?
    [ $status = "$expected" ] || fails "compare $*: exit $status, not $expected"
}
has() { grep -qF "$1" out || fails "not found: $1"; }

run 0 7 sh program 2.3 2
has "tutti: of 2 s, 2 ranks"
has "pair 7 of 7: 2.300 s without, 2.000 s with the library"
has "ratio: 1.15 (1.15 to 1.15); medians, and ranges of 7 pairs"
has "verdict: with the library 1.15 to 1.15 times as fast (98 % confidence interval of the median)"
run 0 11 sh program 2 2.5
has "verdict: with the library it takes 1.25 to 1.25 times as long (99 % confidence interval of the median)"
run 0 5 sh program 2 2
has "verdict: no difference that 5 pairs show (1.00 to 1.00 times as fast)"
run 0 3 sh program 3 2
has "verdict: too few pairs for one; give 7 or more"
run 1 5 sh -c 'echo a reason; exit 3'
has "a reason"
has "compare: the program fails (exit status 3); LD_PRELOAD=$library"
run 2 0 sh program 1 1
has "compare: give the number of pairs of runs, and a command, as in: compare 7 mpiexec -n 4 ./program"
run 2 7
library=$work/none
run 2 7 true
has "compare: there is no $work/none; build the target tutti_accelerator"
echo "No errors detected"
