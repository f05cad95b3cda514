#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# includes.sh INCLUDE, beside which is src/: a header may include what lies in its own layer or below, see the table, and none itself by way of
# others. Umbrellas see everything. Behind the header of a single collective there is no analysis: a call simulates and
# draws nothing. What is included unless it is linked, see seam.hpp, counts as included; only that file and language.hpp
# ask whether it is. What tutti calls itself of the collectives that it takes from programs goes to MPI.
set -eu
cd "$1/tutti"

below() {
    case $1 in
        collective) echo 'learning selection arrival cost price analysis generator combinator pattern schedule program execution communicator operation element' ;;
        learning)   echo 'selection arrival cost price analysis generator combinator pattern schedule program execution communicator operation' ;;
        selection)  echo 'arrival cost price analysis generator combinator pattern schedule program operation' ;;
        arrival)    echo 'cost price schedule execution communicator' ;;
        analysis)   echo 'cost price generator combinator pattern schedule' ;;
        cost)       echo 'price execution communicator operation schedule' ;;
        generator)  echo 'combinator pattern price schedule' ;;
        combinator) echo 'pattern price schedule' ;;
        pattern)    echo 'price schedule' ;;
        price)      echo 'schedule' ;;
        program)    echo 'schedule' ;;
        execution)  echo 'schedule program communicator operation element' ;;
        operation) echo 'element error' ;;
        communicator | element | schedule) echo 'error' ;;
        container | language | error | node_map | text) ;;
        *) echo "no layer" ;;
    esac
}

# The layer of a header: its folder, or its name; the values that schedules are made of share one, and so do what a
# generator is and the patterns that generators are made of. Costs that generators state their times in lie below them;
# how costs are measured and kept in files above communicators.
layer() {
    case $1 in
        tutti.hpp | mpi.hpp | boost_mpi.hpp | threads.hpp | team.hpp | collectives.hpp | generators.hpp | linked.hpp) echo umbrella ;;
        measure.hpp | arrivals.hpp | learning.hpp | sequences.hpp | compiled*.hpp) echo umbrella ;;
        partition.hpp | problem.hpp | collective.hpp) echo schedule ;;
        generator.hpp | generator/pattern/*) echo pattern ;;
        cost/choice_rule.hpp | cost/contention.hpp | cost/machine.hpp | cost/call_parameters.hpp | cost/price.hpp) echo price ;;
        dynamic_array.hpp) echo container ;;
        */*) echo "${1%%/*}" ;;
        *) echo "${1%.hpp}" ;;
    esac
}

includes_of() { sed -nE 's,^#(include|define TUTTI_UNLESS_LINKED) <tutti/(.*[.]hpp)>.*,\2,p' "$@" | grep -v '^seam[.]hpp$' || true; }

wrong=0
seen=0
for header in $(find . -name '*.hpp' | sed 's|^\./||' | sort); do
    from=$(layer "$header")
    case $from in umbrella | seam) continue ;; esac
    allowed=" $from container language error node_map text $(below "$from") "
    for included in $(includes_of "$header"); do
        seen=$((seen + 1))
        case $allowed in
            *" $(layer "$included") "*) ;;
            *)
                echo "tutti/$header includes tutti/$included, which does not lie below $from"
                wrong=1 ;;
        esac
    done
done

behind() {  # HEADER...: these and all that they include
    found=$(printf '%s\n' "$@"; includes_of "$@")
    found=$(printf '%s\n' $found | sort -u)
    if [ "$(printf '%s\n' $found | wc -l)" -eq $# ]; then printf '%s\n' $found; else behind $found; fi
}
for collective in $(sed -n 's|^#include <tutti/\(collective/.*\)>.*|\1|p' collectives.hpp | grep -v explain); do
    analysed=$(behind "$collective" | grep '^analysis/' | tr '\n' ' ')
    if [ -n "$analysed" ]; then
        echo "tutti/$collective includes $analysed"
        wrong=1
    fi
done
# The core is what is behind an all_reduce over MPI: all that a program compiles for its first call.
core=$(behind collective/all_reduce.hpp communicator/mpi.hpp)
lines=$(cat $core | wc -l)
[ "$lines" -gt 10000 ] && [ "$lines" -le 19572 ] || { echo "the core has $lines lines; 19572 are the limit"; wrong=1; }
of_users='element|cost/(machine|choice_rule)|collective/refusal'  # whose interfaces, or sentences, have a std::vector
vectors=$(grep -lE 'std::vector<' $core | grep -vxE "($of_users)[.]hpp" | tr '\n' ' ' || true)
[ -z "$vectors" ] || { echo "use dynamic_array in the core, which compiles faster, not std::vector: $vectors"; wrong=1; }
circles=$(for header in $(find . -name '*.hpp' ! -name seam.hpp | sed 's|^\./||'); do
    for included in $(includes_of "$header"); do echo "$header $included"; done
done | tsort 2>&1 >/dev/null | sed -n 's|^tsort: \(.*[.]hpp\)$|tutti/\1|p' || true)
[ -z "$circles" ] || { echo "these headers include each other:"; echo "$circles"; wrong=1; }
knows=$(grep -lE '^#.*TUTTI_COMPILED' $(find . -name '*.hpp') | sort | tr '\n' ' ')
[ "$knows" = './language.hpp ./seam.hpp ' ] || { echo "these ask for TUTTI_COMPILED: $knows"; wrong=1; }
own=$(grep -rnE '[^P"]MPI_(Allreduce|Barrier|Bcast|Allgather)\(' communicator ../../src --include=*.hpp || true)
[ -z "$own" ] || { echo "these come back to tutti where MPI's calls are taken; call PMPI_...:"; echo "$own"; wrong=1; }
# Size is a budget of two houses, each with its own: headers that users include, and programs made of them. Programs that
# watch know nothing of those that perform calls.
headers=$(find . -name '*.hpp' | wc -l) lines=$(find . -name '*.hpp' -exec cat {} + | wc -l)
[ "$headers" -le 310 ] && [ "$lines" -le 42265 ] || { echo "include/ has $headers headers of $lines lines; 310 of 42265 are the limit"; wrong=1; }
lines=$(find ../../src -name '*.?pp' -exec cat {} + | wc -l)
[ "$lines" -gt 1000 ] && [ "$lines" -le 9122 ] || { echo "src/ has $lines lines; 9122 are the limit"; wrong=1; }
up=$(grep -nE 'preload[/:]' ../../src/watch/*.hpp ../../src/pmpi/*.hpp || true)
up=$up$(grep -nE 'watch[/:]' ../../src/pmpi/*.hpp || true)
[ "$(grep -rno 'watch::' ../../src/preload --include='*.?pp' | wc -l)" -le 10 ] || up="$up src/preload names watch:: more than ten times"
[ -z "$up" ] || { echo "what is shared knows nothing of what watches, and that nothing of what performs calls:"; echo "$up"; wrong=1; }
[ $seen -gt 100 ] || { echo "found only $seen includes"; exit 1; }
exit $wrong
