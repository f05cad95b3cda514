# shellcheck shell=bash
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# `./dev soak`, which reads this file, and test/run.sh for how a configuration is prepared.

soaks=(threads perturbed failing openmpi stopped killed shared_memory boost_mpi mpich asan tsan)
accelerator_soaks=()  # each way in which TUTTI has calls performed, over both MPIs
for name in accelerator{,_always,_all,_fixed,_report,_watch,_learn,_reproducible} watched; do
    accelerator_soaks+=("$name" "mpich_$name")
done

# soak_program NAME: the test configuration that it belongs to, its program, and on how many ranks of MPI.
soak_program() {
    case $1 in
        threads | perturbed) echo clang soak.threads 0 ;;
        failing) echo clang soak.failing 0 ;;
        openmpi | stopped) echo clang soak.mpi 8 ;;
        killed) echo clang soak.killed $((2 + seed % 7)) ;;
        shared_memory | boost_mpi) echo clang "soak.$1" 5 ;;
        mpich) echo mpich soak.mpi 4 ;;
        asan | tsan) echo "$1" soak.threads 0 ;;
        accelerator*) echo clang soak.accelerator $((2 + seed % 7)) ;;
        watched) echo clang soak.watched $((3 + seed % 3)) ;;
        mpich_watched) echo mpich soak.watched $((3 + seed % 3)) ;;
        mpich_accelerator*) echo mpich soak.accelerator $((2 + seed % 7)) ;;
    esac
}

# words_of ACCELERATOR_SOAK FOLDER: what TUTTI is in one run after the other, which may write files to FOLDER.
words_of() {
    case $1 in
        *_report) echo "report:$2/report.txt" ;;
        *_watch) echo watch:60,check ;;
        *_learn) echo "learn:$2/tuning" "use:$2/tuning" ;;
        *_all) echo all "all!" ;;
        *_fixed | *_reproducible) echo "${1##*_}" ;;
        *) echo automatic ;;
    esac
}

# run_soak PROGRAM...: prints what it says and adds to the counts.
run_soak() {
    local said
    said=$("$@" 2>&1 </dev/null) || true
    printf '%s\n' "$said"
    if [[ $said =~ :\ ([0-9]+)\ calls\ passed,\ ([0-9]+)\ failed ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    else
        echo "soak: $name ended before its time, seed $seed"
        failed=$((failed + 1))
    fi
}

soak() {
    local time=60 seed='' known=" ${soaks[*]} ${accelerator_soaks[*]} " name chosen=()
    if [[ ${1-} =~ ^[0-9-] ]]; then time=$1 && shift; fi
    if [[ ${1-} =~ ^[0-9-] ]]; then seed=$1 && shift; fi
    if [ -z "$seed" ]; then seed=$((RANDOM << 30 | RANDOM << 15 | RANDOM)); fi
    [[ $time =~ ^[1-9][0-9]*$ ]] || misuse "soak needs a whole number of seconds of at least 1, not '$time'"
    [[ $seed =~ ^[0-9]{1,18}$ ]] || misuse "soak needs a seed of up to 18 digits, not '$seed'"
    for name in "$@"; do
        if [ "$name" = accelerator ]; then chosen+=("${accelerator_soaks[@]}"); else chosen+=("$name"); fi
    done
    if [ $# = 0 ]; then chosen=("${soaks[@]}"); fi
    for name in "${chosen[@]}"; do
        [[ $known == *" $name "* ]] || misuse "there is no soak over $name; there are: ${soaks[*]}"
    done
    mkdir -p "$build"
    echo "seed $seed"
    seed=$((seed - 1))
    local of tree program ranks launcher says folder share=$(((time + ${#chosen[@]} - 1) / ${#chosen[@]}))
    for name in "${chosen[@]}"; do
        seed=$((seed + 1))  # other programs in each
        read -r of program ranks <<<"$(soak_program "$name")"
        tree=$build/test-$of
        if ! prepare "$of" || ! ninja -C "$tree" --quiet "test/$program.test" </dev/null >"$tree/build.log"; then
            sed '/^ninja: /d' "$tree/build.log"
            echo "soak: $name was not built"
            failed=$((failed + 1))
            continue
        fi
        launcher=()
        if [ "$ranks" != 0 ]; then launcher=("$tree/on_ranks" "$ranks"); fi
        if [ "$name" = killed ]; then launcher=("$root/test/soak/killed.sh" "${launcher[@]}"); fi
        if [ "$name" = tsan ] && setarch -R true 2>/dev/null; then launcher=(setarch -R); fi
        program=$tree/test/$program.test
        if [[ $name == *watched ]]; then
            run_soak "$root/test/soak/watched.sh" "${launcher[@]}" "$tree/libtutti_mpi.so" "$program" \
                "$name" "$seed" "$share"
            continue
        fi
        if [[ $name != *accelerator* ]]; then
            run_soak "${launcher[@]}" "$program" "$name" "$seed" "$share"
            continue
        fi
        launcher+=(env LD_PRELOAD="$tree/libtutti_mpi.so")
        if [[ $name == *_always ]]; then launcher+=(TUTTI_SHARED_MEMORY=always); fi
        folder=$(mktemp -d)
        for says in $(words_of "$name" "$folder"); do
            run_soak "${launcher[@]}" TUTTI="${says#automatic}" "$program" "$name" "$seed" "$share"
        done
        rm -rf "$folder"
    done
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
