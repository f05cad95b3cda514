// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Testing your own code for ranks: in one process, with any number of ranks, in any test framework.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>

#include <tutti/threads.hpp>

using namespace std::chrono_literals;

/// The code to be tested, see first_program.cpp. As a template it runs over threads, MPI_Comm and
/// boost::mpi::communicator.
template <class World>
double norm(World const& world, double mine) {
    auto const longer = [](double a, double b) { return std::hypot(a, b); };
    return tutti::all_reduce(world, mine, tutti::commutative(longer));
}

void test_results() {
    for (int size = 1; size <= 9; ++size) {
        for (std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>{}, {1}, {2}, {3}}) {
            auto const body = [&](auto& world) {
                // An exception of a rank ends all ranks, and run() throws it.
                double const wrong_by = norm(world, 2.0) - std::sqrt(4.0 * size);
                if (std::abs(wrong_by) > 1e-12) { throw std::logic_error{"wrong norm"}; }
            };
            // A seed delays and reorders messages; the same seed makes the same decisions.
            tutti::threads::run(size, body, {.timeout = 10s, .perturb = seed});
        }
    }
    std::cout << "right on 1 to 9 ranks, in good luck and bad\n";
}

void test_traffic() {
    // A named algorithm has the same traffic on every machine; tutti may choose another one elsewhere.
    auto const body = [](auto& world) {
        double const one = 1;
        double sum = 0;
        tutti::all_reduce(world, one, sum, std::plus<>{}, tutti::recursive_doubling{});
    };
    auto const traffic = tutti::threads::run(8, body).traffic();
    std::cout << traffic.messages() << " messages, " << traffic.bytes() << " bytes, of which rank 0 sent rank 1 "
              << traffic.bytes(0, 1) << '\n';
}

template <class Body>
void test_report(Body body) {
    try {
        tutti::threads::run(2, body);
        throw std::logic_error{"the mistake was not found"};
    } catch (tutti::threads::error const& found) { std::cout << found.what() << '\n'; }
}

int main() {
    test_results();
    test_traffic();

    // Rank 0 waits for one plan first, rank 1 for the other.
    test_report([](auto& world) {
        int const mine = world.rank();
        int a = 0;
        int b = 0;
        auto one = tutti::plan::all_reduce(world, mine, a, std::plus<>{});
        auto other = tutti::plan::all_reduce(world, mine, b, std::plus<>{});
        auto& first = mine == 0 ? one : other;
        first.start();
        first.wait();
    });

    // Rank 1 leaves without taking part.
    test_report([](auto& world) {
        if (world.rank() == 0) { tutti::barrier(world); }
    });
}
