#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# words.sh ROOT: fails where a private word stands for what the MPI standard, textbooks or MPI libraries have a word for,
# and for lines of code of more than 120 characters. The vocabulary is in include/tutti/README.md.
set -eu
cd "$1"

gone='mailrooms? mailbox correspondents? residents? agenda lookout messenger situations? spoken_call
crowd crowding crowded_link leaf_levels in_words happenings? own_buffers early_arrivals located_buffer now_alive
sent_elements edition pipeline_course part_levels near_equal_parts range_splits parts_of_ranks coarsened steps_in_turn
facts_in_turn in_step participant to_front communicator_behind decides_at_call is_undecided memory_pays choose_way
way_for_now flaw_of forget_a_message second_team brief_lock luck_ whereabouts rouse report_register enrol
cost_correction start_what_can indifference memory_is_lent nobody somebody whoever everybody'
# These also in tests and in all pages.
gone_everywhere='roll_call bulletin board_ performer kept_calls? recent_call learned_call call_facts call_note shared_note
call_words thread_places? last_words farewells? go_on despair empty_calls stray_message call_watch tell_all has_told_
leave_empty require_empty_calls why_left meeting_of run_watched_call begin_watched end_watched laid_out_memory'
# As names in code; in sentences they are English.
no_names='hear heard told told_ came meeting purpose speak'

pattern=$(printf '%s' "$gone" | tr -s ' \n' '|')
long=$(LC_ALL=C.UTF-8 grep -rnE '.{121}' include src benchmarks --include='*.hpp' --include='*.h' --include='*.cpp' || true)
[ -z "$long" ] || { printf '%s\nthese lines have more than 120 characters\n' "$long"; exit 1; }
if found=$(grep -rnwiE "$pattern" include src README.md doc --include='*.hpp' --include='*.md'); then
    printf '%s\n' "$found"
    echo "these words have others in their place, see include/tutti/README.md"
    exit 1
fi
everywhere=$(printf '%s' "$gone_everywhere" | tr -s ' \n' '|')
if found=$(grep -rnwE "$everywhere" include src test benchmarks examples doc ./*.md --include='*.[hc]pp' --include='*.[ch]' --include='*.md'); then
    printf '%s\n' "$found"
    echo "these words have others in their place, see include/tutti/README.md"
    exit 1
fi
names=$(printf '%s' "$no_names" | tr -s ' \n' '|')
for file in $(grep -rlwE "$names" include/tutti/communicator include/tutti/execution src --include='*.[hc]pp'); do
    if found=$(sed -E 's,//.*,,; s/"([^"\]|\\.)*"//g' "$file" | grep -nwE "$names"); then
        printf '%s\n' "$file" "$found"
        echo "these words are no names: received, notify, poll_notices, arrived, barrier, report"
        exit 1
    fi
done
# The names of types in the communicators and the programs consist of these words: of the MPI standard, of textbooks, of
# the sources of MPICH, Open MPI, UCX and libfabric, or of everyday English in its own meaning. One more is a line here.
types='ack address admitted agreed agreement algorithms announcement applied arrival attached attribute backoff barrier
binomial bit bits block broadcast by byte bytes c cache cached call callbacks calls cancellation category cell channel
check clock code collectives column columns combining communicator communicators comparison completion container control copies cost count
counted counts data datagrams deadlock death decision defaults deferred deleter device devices digest dispatcher
divided division doorbell duplicates duration dwfl element elements end ended endpoint entered entry environment error
errors exit extremes failed fetch fields file first flag fortran found free frees function functions group handle
handles has held history hook identity idle in information integers invocation kept key kind known kvs layout leak
leases left lends lent level length lengths library limits line lines link list lists local lock log long mapped match matcher
members memory message mismatch module monitor mpi name named names node notice notices number object objects observed
observer of on one operands operation operations operator options origin out outcome overflow overloaded owner packed
part parts payload peer pending per perturbation pin place plane plus pmi pmix point policy pool posted presence
private process processor processors progress queue rank ranks rate receive received record recorded reference remote
rendezvous repeated report request requirement result returned ring role row rows run scope search segment send
sending sent seqlock sequence set shape shared sharing sigaction signature single site sites slot slots source spin stage
stamp stamps startup stat state status statuses statvfs step store subject sums supervised supervisor table tag tagged
team text thread threshold tick ticks timed times to too traffic tree trials tuning tutti type unfinished union unit
unmatched unpacked until unused up use value vector wait waiting warm warning watch watched watcher what withdrawn
word world zero'
names_of_types() {
    grep -rhoE '^ *(struct|class|enum class|enum|union|concept) (\[\[[^]]*\]\] |alignas\([^)]*\) )?[a-z_][a-z_0-9]*|^ *using [a-z_][a-z_0-9]* =' \
        include/tutti/communicator include/tutti/communicator.hpp src --include='*.[hc]pp' | sed -E 's/ =$//; s/.* //' | sort -u
}
[ "$(names_of_types | wc -l)" -gt 200 ] || { echo "found only $(names_of_types | wc -l) names of types"; exit 1; }
private=$(names_of_types | tr '_' '\n' | sort -u | grep . | grep -vxE "$(printf '%s' "$types" | tr -s ' \n' '|')" || true)
[ -z "$private" ] || { printf '%s\n' "$private"; echo "words of type names that test/words.sh does not list: take the field's"; exit 1; }
# Idioms that a stranger stumbles over: what is named in each line is right English where it stands.
idioms='in vain|so many( [a-z]+)*|for ever|go(es)? by (when|what|arrivals)|tells? beforehand|root that is none|(sizes|counts) that cannot be'
may='so many that|so many ranks that|so many blocks that|but so many'
if found=$(grep -rnwE "$idioms" include src README.md CONTRIBUTING.md doc --include='*.hpp' --include='*.md' | grep -vE "$may"); then
    printf '%s\n' "$found"
    echo "say: without success, this many, forever, uses, checks in advance, if the root is no rank, if sizes do not fit"
    exit 1
fi
# Where a thing "says", or is "that of" another, there is mostly a plainer verb or the noun itself.
for each in 'says:8' 'told:3' 'that of:5'; do
    word=${each%:*}
    if [ "$(grep -rnwE "$word" include src --include='*.hpp' | wc -l)" -gt "${each#*:}" ]; then
        grep -rnwE "$word" include src --include='*.hpp'
        echo "headers have \"$word\" more than ${each#*:} times: say states, returns, writes, notified, as"
        exit 1
    fi
done
# What learning and arrivals have the field's words for: variants, preferred, mispredicted, confident, stable, samples.
if found=$(grep -rnwE 'ways|lost|favoured|believed?|believes?|is_quiet_|has_news_?|slowness|dear|supposed_machines' \
    include/tutti/learning include/tutti/arrival --include='*.hpp'); then
    printf '%s\n' "$found"
    echo "say: variant, mispredicted, preferred, confident, stable, has_new_samples, time_scale, perturbed_models"
    exit 1
fi
# A function whose name is a question answers it, and does nothing else.
question='(is|has|may|can|must|are|needs|waits|takes|keeps|would)(_[a-z_]+)?'
acts=$(grep -rnE "^ +(\[\[[^]]*\]\] )?(virtual )?bool $question\(.*\)( noexcept)?( override| = 0;)? ?(\{|$)" include src --include='*.hpp' |
    grep -v static || true)
[ -z "$acts" ] || { printf '%s\nthese questions are not const; make them so, or name what they do\n' "$acts"; exit 1; }
