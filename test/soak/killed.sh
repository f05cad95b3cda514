#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# killed.sh ON_RANKS RANKS PROGRAM CONFIGURATION SEED SECONDS: one job after the other, of which one rank is killed. The
# launcher (Open MPI's) leaves the others alone, each of which has to end with the reason.
on_ranks=$1 ranks=$2 program=$3 configuration=$4 seed=$5 end=$(($(date +%s) + $6))
passed=0
while
    said=$(OMPI_MCA_orte_enable_recovery=1 timeout 120 "$on_ranks" "$ranks" "$program" "$configuration" "$seed" 1 rounds 2>&1)
    survivors=$(printf '%s\n' "$said" | grep -c '^passed [0-9]*: ')
    if [ "$survivors" != $((ranks - 1)) ]; then
        printf '%s\n' "$said" "soak: $configuration, seed $seed, $survivors survivors of $ranks ranks; again: ./dev soak 1 $seed $configuration"
        echo "soak: $configuration: $passed call$([ "$passed" = 1 ] || echo s) passed, 1 failed"
        exit 1
    fi
    passed=$((passed + $(printf '%s\n' "$said" | awk '/^passed [0-9]*: / { all += $2 } END { print all + 0 }')))
    seed=$((seed + 1))
    [ "$(date +%s)" -lt "$end" ]
do :; done
echo "soak: $configuration: $passed call$([ "$passed" = 1 ] || echo s) passed, 0 failed"
