// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sgd {

/// What the command line says.
struct options {
    int ranks = 0;  ///< 0: 4 threads, or as many processes as mpirun has started
    int iterations = 200;
    int imbalance = 0;   ///< ms by which one rank is late, in each iteration another one
    std::string loss{};  ///< the picture of the loss; none: it is not drawn
};

[[nodiscard]] inline options options_of(int argc, char** argv) {
    options chosen;
    for (int i = 1; i < argc; i += 2) {
        std::string_view const name = argv[i];
        std::string_view const value = i + 1 < argc ? argv[i + 1] : "";
        auto const number = [&](int least) {
            int result = 0;
            auto const end = value.data() + value.size();
            auto const read = std::from_chars(value.data(), end, result);
            if (read.ec != std::errc{} || read.ptr != end || result < least) {
                throw std::invalid_argument{std::string{name} + " needs a whole number from " + std::to_string(least)};
            }
            return result;
        };
        if (name == "--ranks") {
            chosen.ranks = number(1);
        } else if (name == "--iterations") {
            chosen.iterations = number(1);
        } else if (name == "--imbalance") {
            chosen.imbalance = number(0);
        } else if (name == "--loss" && !value.empty()) {
            chosen.loss = value;
        } else {
            throw std::invalid_argument{"it takes [--ranks N] [--iterations N] [--imbalance MS] [--loss FILE.svg]"};
        }
    }
    return chosen;
}

}  // namespace sgd
