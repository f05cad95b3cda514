// expect: tutti: a range that does not lie in memory in one piece (a list, a deque, a lazy view) is one element here; copy its elements to a std::vector first
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "over_threads.hpp"

struct squares {  // by hand, since clang++ 14 does not compile the views of libstdc++ 12
    struct iterator {
        using value_type = int;
        using difference_type = std::ptrdiff_t;
        int root;
        int operator*() const { return root * root; }
        iterator& operator++() { return ++root, *this; }
        iterator operator++(int) { return {root++}; }
        bool operator==(iterator const&) const = default;
    };
    iterator begin() const { return {0}; }
    iterator end() const { return {3}; }
};

void call(tutti::threads::communicator& world, std::vector<int>& out) {
#if REMEDY == 1
    std::vector<int> in;
    for (int const square : squares{}) { in.push_back(square); }
    tutti::all_reduce(world, in, out, std::plus<>{});
#else
    tutti::all_reduce(world, squares{}, out, std::plus<>{});
#endif
}
