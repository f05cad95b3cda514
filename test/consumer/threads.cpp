// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/tutti.hpp>

int sum_of_ranks(int size);

int main() {
    return sum_of_ranks(5) == 10 ? 0 : 1;
}
