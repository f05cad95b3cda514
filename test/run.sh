# shellcheck shell=bash
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# `./dev test`, which reads this file: builds and runs the tests of some configurations, which CMakePresets.json defines.
# CMakeLists.txt, here, says what the labels mean.

configurations=(clang mpich asan tsan gcc)
if command -v mpicxx_abi >/dev/null; then configurations+=(abi); fi  # an MPI with the standard ABI of MPI 5

# labels_of CONFIGURATION short|all: what runs in that configuration, nothing if it is left out. Proofs are faster by g++,
# which optimises them.
labels_of() {
    local kinds=()
    case $1-$2 in
        clang-short) kinds=(process mpi preload rejected project) ;;
        clang-all) kinds=(process mpi preload rejected headers) ;;
        mpich-short) kinds=(proof mpi) ;;
        mpich-all) kinds=(mpi preload programs) ;;
        asan-short) kinds=(memory) ;;
        asan-all) kinds=(memory fuzz) ;;
        tsan-*) kinds=(parallel) ;;
        gcc-all) kinds=(process proof rejected project programs) ;;
        abi-all) kinds=(preload) ;;
    esac
    if [ "$2" = short ]; then kinds=("${kinds[@]/#/short.}"); fi
    echo "${kinds[@]}"
}

# about CONFIGURATION: for the person who waits.
about() {
    case $1 in
        clang) echo "clang++, Open MPI" ;;
        gcc) echo "g++, Open MPI" ;;
        mpich) echo "g++, MPICH" ;;
        asan) echo "AddressSanitizer" ;;
        tsan) echo "ThreadSanitizer" ;;
        abi) echo "MPI's standard ABI" ;;
    esac
}

# prepare CONFIGURATION: installs its packages and configures its tree.
prepare() {
    local needed=("${to_build[@]}" "${to_test[@]}")
    case $1 in
        gcc) needed+=("${to_use_openmpi[@]}" "${to_bench[@]}") ;;
        clang) needed+=("${to_use_openmpi[@]}" "${to_use_clang[@]}") ;;
        mpich) needed+=("${to_use_mpich[@]}") ;;
        asan) needed+=("${to_use_clang[@]}" "${to_fuzz[@]}") ;;
    esac
    need "${needed[@]}" && configure "test-$1"
}

# progress TITLE LOG: keeps what a tool says in LOG and shows how far it has come.
progress() {
    local line shown=$SECONDS
    : >"$2"
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$2"
        if [[ $line =~ ^\ *\[?\ *([0-9]+/[0-9]+) ]]; then
            if [ -t 1 ]; then
                printf '\r\e[K%s %s' "$1" "${BASH_REMATCH[1]}"
            elif ((SECONDS - shown >= 20)); then
                shown=$SECONDS
                printf '%s %s\n' "$1" "${BASH_REMATCH[1]}"
            fi
        fi
    done
    if [ -t 1 ]; then printf '\r\e[K'; fi
}

names_in() { ctest --test-dir "$1" -N | sed -nE 's/^ *Test +#[0-9]+: ([^ ]+).*/\1/p'; }

# worth_running COMMIT: a regular expression for the names of tests which the changes since then make worth running
# beside the short suite: those of the folder of each changed file, and suites that include a changed header themselves.
# Nothing if so many folders have changed that only `all` says more.
worth_running() {
    local file path rooms=() suites=() header
    while IFS= read -r file; do
        path=${file#include/tutti/}
        [[ $file != src/* ]] || path=${file#src/}
        case $file in
            include/tutti/*.hpp)
                rooms+=("${path%%/*}")
                while IFS= read -r header; do suites+=("$header"); done < <(
                    cd "$root/test" && grep -rlF "#include <tutti/$path>" --include=*.cpp . | sed 's|^[.]/||; s|[.]cpp$||') ;;
            src/pmpi/*) rooms+=(preload) ;;
            src/*/*) rooms+=("${path%%/*}") ;;
            test/support/* | test/laws/* | test/*.* | *.md) ;;
            test/* | examples/* | benchmarks/*) path=${file#test/} && rooms+=("${path%%/*}") ;;
        esac
    done < <(cd "$root" && git diff --name-only "$1" --)
    mapfile -t rooms < <(printf '%s\n' "${rooms[@]%.hpp}" | sort -u | sed '/^$/d')
    mapfile -t suites < <(printf '%s\n' "${suites[@]}" | sort -u | sed '/^$/d')
    if [ ${#rooms[@]} -gt 4 ]; then
        say "dev: ${#rooms[@]} folders have changed since $1; ./dev test all runs their tests"
    elif [ ${#rooms[@]} -gt 0 ]; then
        [ ${#suites[@]} -le 12 ] || suites=()  # what nearly all include is in all short tests
        local all=("${rooms[@]}" "${suites[@]}")
        echo "^($(IFS='|'; echo "${all[*]}"))(/|[.]|\$)"
    fi
}

# Tests that are only run with all others of their labels, or that stand for another one, see `run_tests`.
not_by_name='/(all|few)[.]|[.]alone$'

# programs_of TREE OPTION...: what has to be built for the tests that these options of CTest select, as paths in TREE: what
# their commands name and the build has a rule for. CTest names apart the program of a command that is not built.
programs_of() {
    local tree=$1 said
    shift
    said=$(ctest --test-dir "$tree" -N -V "$@" 2>&1 |
        sed -nE 's/^[0-9]+: Test command: |^Could not find executable //p')
    grep -oE "$tree/[^] \";:=]+" <<<"$said" | sed "s|^$tree/||" | sort -u |
        grep -xFf <(ninja -C "$tree" -t targets all | sed 's/: .*//') || true
    if grep -q '/preload/programs' <<<"$said"; then echo tests.programs; fi
}

# selected TREE REGEX: the options of CTest for these tests. A few suites are built by themselves; to build many so would
# take longer than the programs of their folders.
selected() {
    local names chosen each
    names=$(names_in "$1")
    mapfile -t chosen < <(grep -vE "$not_by_name" <<<"$names" | grep -E "$2")
    if [ ${#chosen[@]} -gt 4 ]; then
        printf '%s\n' -R "$2" -E "$not_by_name"
        return
    fi
    for each in "${!chosen[@]}"; do
        if grep -qxF "${chosen[each]}.alone" <<<"$names"; then chosen[each]+=.alone; fi
    done
    printf '%s\n' -R "^($(IFS='|'; echo "${chosen[*]//./[.]}"))\$"
}

# run_tests TITLE CONFIGURATION short|all REGEX: adds to the counts. With a regular expression it runs single suites of
# all labels, else tests of the labels of that configuration.
run_tests() {
    local title=$1 tree=$build/test-$2 regex=$4 start=$SECONDS built=yes labels targets select optional=()
    case $3-$2 in
        *-clang) optional=("${to_bind[@]}") ;;
        all-gcc | all-mpich) optional=("${to_bind[@]}" "${to_accelerate[@]}") ;;
    esac
    if [ -z "$regex" ] && [ ${#optional[@]} -gt 0 ]; then
        need "${optional[@]}" || say "dev: going on without these"
    fi
    if ! prepare "$2"; then
        failed=$((failed + 1))
        echo "$title not configured, see above; so far $passed passed, $failed failed"
        return
    fi
    if [ -n "$regex" ]; then
        local names
        names=$(names_in "$tree" | grep -vE "$not_by_name" || true)
        if ! grep -qE "$regex" <<<"$names"; then
            failed=$((failed + 1))
            local like
            like=$(grep -E "${regex//_//}" <<<"$names" | head -n 3 | tr '\n' ' ' || true)
            echo "$title no test matches '$regex'${like:+; did you mean ${like% }?}; a test is called generator/ring"
            return
        fi
        mapfile -t select < <(selected "$tree" "$regex")
        mapfile -t targets < <(programs_of "$tree" "${select[@]}")
    else
        read -ra labels < <(labels_of "$2" "$3")
        targets=("${labels[@]/#/tests.}")
        select=(-L "^($(IFS='|'; echo "${labels[*]}"))\$")
    fi
    if [ ${#targets[@]} -gt 0 ] &&
        ! ninja -C "$tree" "${ninja_jobs[@]}" -k 0 "${targets[@]}" 2>&1 </dev/null | progress "$title building" "$tree/build.log"; then
        built=no
        sed -E '/^\[[0-9]+\/[0-9]+\] /d; /: Entering directory/d; /^ninja: build stopped/d' "$tree/build.log"
    fi
    echo "$title built in $((SECONDS - start)) s"

    local environment=(BOOST_TEST_COLOR_OUTPUT=no UBSAN_OPTIONS=print_stacktrace=1)
    if [[ $3-$2 =~ ^all-(gcc|mpich)$ ]]; then environment+=(TUTTI_TEST_THOROUGH=1); fi  # clang++ optimises nothing
    local launcher=() log=$tree/test.log summary failures=0 all=0 leaps
    if [ "$2" = tsan ] && setarch -R true 2>/dev/null; then
        launcher=(setarch -R)  # ThreadSanitizer knows only some of the layouts that address randomisation makes
    fi
    start=$SECONDS
    env "${environment[@]}" "${launcher[@]}" \
        ctest --test-dir "$tree" -j "$jobs" --output-on-failure "${select[@]}" 2>&1 </dev/null |
        progress "$title testing" "$log" || true
    summary=$(grep -E '^[0-9]+% tests passed, ' "$log" | tail -n 1 || true)  # a test may have run ctest itself
    if [[ $summary =~ ,\ ([0-9]+)\ tests?\ failed\ out\ of\ ([0-9]+) ]]; then
        failures=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    elif ! grep -q '^No tests were found' "$log"; then
        failures=1 all=1
    fi
    if [ "$failures" -gt 0 ]; then
        sed -E '/^ +Start +[0-9]+: /d; / (Passed|\*\*\*Skipped) /d; /^\[[0-9]+\/[0-9]+\] /d
            /^Internal ctest changing into/d; /^Test project /d; /^Label Time Summary/,/^$/d
            /^Could not find executable/,/Not Run/{/Not Run/!d}' "$log"
        command_lines "$tree" "$log"
    elif [ $built = no ]; then
        failures=1 all=$((all + 1))  # what did not build is not a test
    fi
    leaps=$(grep -c '\*\*\*Skipped ' "$log" || true)
    passed=$((passed + all - failures - leaps))
    failed=$((failed + failures))
    skipped=$((skipped + leaps))
    echo "$title ran in $((SECONDS - start)) s; so far $passed passed, $failed failed"
}

# command_lines TREE LOG: how to run again, by itself, each test that failed.
command_lines() {
    local name
    sed -nE 's/^[[:space:]]+[0-9]+ - (.+) \((Failed|Timeout|SEGFAULT|Subprocess aborted|.*)\)$/\1/p' "$2" | sort -u |
        while IFS= read -r name; do
            ctest --test-dir "$1" -N -V -R "^${name//./[.]}\$" |
                sed -n "s|^[0-9]*: Test command: |run $name again: |p"
        done
}

run_all_tests() {
    local chosen=() regex='' extent=short known number=0 configuration since=''
    while [ $# -gt 0 ]; do
        case $1 in
            -R) regex=${2:?-R needs a regular expression}; shift ;;
            -R*) regex=${1#-R} ;;
            all) extent=all ;;
            since) since=${2:?since needs a commit}; shift ;;
            *)
                known=" ${configurations[*]} "
                [[ $known == *" $1 "* ]] ||
                    misuse "there is no configuration $1; there are: ${configurations[*]}, and all"
                chosen+=("$1") ;;
        esac
        shift
    done
    if [ ${#chosen[@]} -gt 0 ]; then
        extent=all  # of what was asked for, everything
    elif [ -n "$regex" ]; then
        chosen=(clang)
        [ $extent = short ] || chosen=("${configurations[@]}")
    else
        for configuration in "${configurations[@]}"; do
            if [ -n "$(labels_of "$configuration" $extent)" ]; then chosen+=("$configuration"); fi
        done
    fi
    local which=''
    for configuration in "${chosen[@]}"; do which+=", $configuration ($(about "$configuration"))"; done
    if [ ${#chosen[@]} -gt 1 ] && [ -z "$regex" ]; then which+=$(how_long "$extent"); fi
    echo "tests: ${which#, }"
    mkdir -p "$build"
    for configuration in "${chosen[@]}"; do
        number=$((number + 1))
        run_tests "[$number/${#chosen[@]}] $configuration:" "$configuration" $extent "$regex"
    done
    if [ -n "$since" ] && regex=$(worth_running "$since") && [ -n "$regex" ]; then
        for configuration in clang mpich asan tsan; do
            if names_in "$build/test-$configuration" | grep -vE "$not_by_name" | grep -qE "$regex"; then
                run_tests "[since $since] $configuration:" "$configuration" all "$regex"
            fi
        done
    fi
    local verdict="$passed passed, $failed failed"
    [ $skipped = 0 ] || verdict+=", $skipped skipped"
    echo "$verdict"
    [ $failed = 0 ] && [ $passed -gt 0 ]
}

# how_long short|all: roughly, on two processors.
how_long() {
    case $1 in
        short) echo "; about 5 minutes, or 15 where nothing has been compiled before" ;;
        all) echo "; about an hour, from nothing" ;;
    esac
}
