// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include "modes.hpp"

#include <iostream>

int main() {
    auto const one = calls_header_only();
    auto const other = calls_against_declarations();
    std::cout << one << other;
    return one == other && one.starts_with("10 10.5 10.5 abcde ") ? 0 : 1;
}
