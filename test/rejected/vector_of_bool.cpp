// expect: tutti: std::vector<bool> does not store its elements one by one; use std::vector<char>
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world, std::vector<char> const& in, std::vector<char>& out) {
#else
void call(tutti::threads::communicator& world, std::vector<bool> const& in, std::vector<bool>& out) {
#endif
    tutti::all_reduce(world, in, out, std::logical_or<>{});
}
