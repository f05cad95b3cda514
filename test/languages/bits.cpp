// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// As bits.c.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <tutti/element.hpp>

template <>
struct tutti::serialization<std::string> {  // as <tutti/boost_mpi.hpp> has it
    static void save(std::span<std::string const> in, std::vector<std::byte>& packed) {
        for (auto const& each : in) {
            packed.push_back(static_cast<std::byte>(each.size()));
            for (char const letter : each) { packed.push_back(static_cast<std::byte>(letter)); }
        }
    }
    static void load(std::span<std::byte const> packed, std::span<std::string> out) {
        std::size_t at = 0;
        for (auto& each : out) {
            each.resize(static_cast<std::size_t>(packed[at++]));
            for (auto& letter : each) { letter = static_cast<char>(packed[at++]); }
        }
    }
};

#include <tutti/mpi.hpp>
#include <tutti/sequences.hpp>

namespace {

constexpr int n = 5000;

double at(int i) { return std::ldexp(i * 7919 % 10007 - 5000, i % 80 - 40) + 1e20 * (i % 5 - 2); }

void show(double x) { std::printf("%016llX ", static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(x))); }

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm const world = MPI_COMM_WORLD;
    int rank = 0, size = 0;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    std::vector<double> mine, factor, part;
    for (int i = n - 1; i >= 0; --i) {
        if (i % size == rank) { mine.push_back(at(i)), factor.push_back(i % 7 - 3 + 0.1); }
    }
    for (int i = n * rank / size; i != n * (rank + 1) / size; ++i) { part.push_back(at(i)); }
    std::string const characters = "abcdef";
    auto const first = static_cast<std::size_t>(6 * rank / size), last = static_cast<std::size_t>(6 * (rank + 1) / size);

    auto const sum = tutti::sum_without_order(world, mine);
    auto const exact = tutti::exact_sum_without_order(world, mine);
    auto const dot = tutti::dot_without_order(world, mine, factor);
    auto const sequence = tutti::all_reduce_sequence(world, part, std::plus<>{});
    auto const text = tutti::all_reduce(world, characters.substr(first, last - first), std::plus<>{});
    if (rank == 0) {
        show(sum), show(exact), show(dot), show(sequence);
        std::printf("%s\n", text.c_str());
    }
    MPI_Finalize();
}
