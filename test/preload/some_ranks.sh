#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# some_ranks.sh RANK without LIBRARY PROGRAM, or RANK TUTTI=WORDS LIBRARY PROGRAM: this rank runs PROGRAM without the
# accelerator, or with other words for it; all others with it.
rank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}
if [ "$rank" != "$1" ]; then
    exec env LD_PRELOAD="$3" "$4"
elif [ "$2" = without ]; then
    exec "$4"
fi
exec env "$2" LD_PRELOAD="$3" "$4"
