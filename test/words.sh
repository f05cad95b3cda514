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

pattern=$(printf '%s' "$gone" | tr -s ' \n' '|')
long=$(LC_ALL=C.UTF-8 grep -rnE '.{121}' include src benchmarks --include='*.hpp' --include='*.h' --include='*.cpp' || true)
[ -z "$long" ] || { printf '%s\nthese lines have more than 120 characters\n' "$long"; exit 1; }
if found=$(grep -rnwiE "$pattern" include src README.md --include='*.hpp' --include='*.md'); then
    printf '%s\n' "$found"
    echo "these words have others in their place, see include/tutti/README.md"
    exit 1
fi
# Idioms that a stranger stumbles over: what is named in each line is right English where it stands.
idioms='in vain|so many( [a-z]+)*|for ever'
may='so many that|so many ranks that|so many blocks that|but so many'
if found=$(grep -rnwE "$idioms" include src README.md CONTRIBUTING.md --include='*.hpp' --include='*.md' | grep -vE "$may"); then
    printf '%s\n' "$found"
    echo "say: without success, this many, forever"
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
