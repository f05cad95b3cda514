// expect: tutti: in, prefix and total must hold elements of the same type, and prefix and total must be neither const nor temporaries
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

#if REMEDY == 1
void call(tutti::threads::communicator& world, std::vector<int> const& in, std::vector<int>& prefix,
          std::vector<int>& total) {
#else
void call(tutti::threads::communicator& world, std::vector<int> const& in, std::vector<long>& prefix,
          std::vector<int>& total) {
#endif
    tutti::scan_reduce(world, in, prefix, total, std::plus<>{});
}
