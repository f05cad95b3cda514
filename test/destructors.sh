#!/bin/sh
# Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#
# destructors.sh CLANG INCLUDE [FLAG...]: fails where a global, static or thread-local object of a header has a
# destructor. Destructors of programs, handlers of atexit and threads that end call tutti after those would have run. What
# owns memory is made by `new`, referred to and never destroyed; what belongs to a thread is a `per_thread`. Objects in
# templates are seen where the products instantiate them. Exits with 77 without clang.
clang=$1 include=$2
shift 2
"$clang" --version 2>/dev/null | grep -q clang || exit 77
code=$(mktemp --suffix=.cpp)
trap 'rm -f "$code"' EXIT
products='preload/libtutti_mpi.cpp preload/libtutti_mpi_calls.cpp c/libtutti.cpp'
[ $# -gt 0 ] || products='preload/libtutti_mpi.cpp tutti/compiled.hpp tutti/threads.hpp tutti/analysis.hpp'
checked=0
for product in $products; do
    echo "#include <$product>" >"$code"
    "$clang" -std=c++20 -O1 -fsyntax-only -Wexit-time-destructors -Werror=exit-time-destructors -I"$include" \
        -I"$include/../src" "$@" "$code" || exit 1
    checked=$((checked + 1))
done
# The check itself: such an object is found.
printf '#include <string>\nstatic thread_local std::string text;\n' >"$code"
"$clang" -std=c++20 -fsyntax-only -Werror=exit-time-destructors "$code" 2>/dev/null && { echo "nothing is found"; exit 1; }
echo "$checked products have none"
