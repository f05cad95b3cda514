#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# learned_file.sh ON_RANKS LIBRARY PROGRAM: what TUTTI=learn:FILE writes, TUTTI=use:FILE follows; a file that is not there is
# named, and changes nothing.
set -eu
export TUTTI_SHARED_MEMORY=always  # so that calls are tried from the first one on
file=$(mktemp)
report=$(mktemp)
trap 'rm -f "$file" "$report"' EXIT
"$1" 2 env "TUTTI=learn:$file" "LD_PRELOAD=$2" "$3" 9000
grep -q '^choose all_reduce 4096 4097 .* ranks 2$' "$file" || { echo "no rule for 1024 numbers"; exit 1; }
printf 'choose broadcast 4096 4097 mpi\n' | cat - "$file" > "$report"
cp "$report" "$file"
"$1" 2 env "TUTTI=use:$file,report" "LD_PRELOAD=$2" "$3" 9000 2> "$report"
grep 'MPI_Bcast ' "$report" | grep -q 'named in the tuning file' || { cat "$report"; echo "the rule is not followed"; exit 1; }
"$1" 2 env "TUTTI=use:$file.none" "LD_PRELOAD=$2" "$3" 100 2> "$report"
grep -q "cannot read the file $file.none" "$report" || { cat "$report"; echo "the file is not named"; exit 1; }
