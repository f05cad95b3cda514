// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// An operator with state, which cannot be default-constructed and does not commute: the product of 3 x 3 matrices
// modulo m. It is not declared to commute, so tutti chooses among the algorithms that keep operands in rank order.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <vector>

#include <tutti/threads.hpp>

using matrix = std::array<std::array<std::uint64_t, 3>, 3>;

class product_modulo {
public:
    explicit product_modulo(std::uint64_t modulus) : modulus_{modulus} {}

    matrix operator()(matrix const& left, matrix const& right) const {
        matrix result{};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                for (std::size_t k = 0; k < 3; ++k) { result[i][j] += left[i][k] * right[k][j]; }
                result[i][j] %= modulus_;
            }
        }
        return result;
    }

private:
    std::uint64_t modulus_;
};

matrix matrix_of(int rank) {
    auto const r = static_cast<std::uint64_t>(rank);
    return {{{r + 1, 2, 0}, {0, 1, r}, {3, 0, r + 2}}};
}

int main() {
    constexpr int size = 7;
    product_modulo const times{1'000'003};
    matrix in_turn = matrix_of(0);
    for (int rank = 1; rank < size; ++rank) { in_turn = times(in_turn, matrix_of(rank)); }

    std::vector<matrix> results(size);
    tutti::threads::run(size, [&](auto& world) {
        auto const mine = matrix_of(world.rank());
        // One matrix is one element here, although std::array is a range.
        auto& result = results[static_cast<std::size_t>(world.rank())];
        tutti::all_reduce(world, tutti::value(mine), tutti::value(result), times);

        // Algorithms that reorder operands do not compile with it:
        // tutti::all_reduce(world, tutti::value(mine), tutti::value(result), times, tutti::ring{});
    });

    for (auto const& row : results[0]) { std::cout << row[0] << ' ' << row[1] << ' ' << row[2] << '\n'; }
    for (auto const& result : results) {
        if (result != in_turn) {
            std::cout << "which is not the product in rank order\n";
            return 1;
        }
    }
    std::cout << "is the product in rank order, on every rank\n";
}
