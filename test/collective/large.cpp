// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/communicator/mpi.hpp>

BOOST_AUTO_TEST_SUITE(collective_large)

namespace {

/// More than an int counts. Two ranks need 5 GB, so this runs only where TUTTI_TEST_LARGE is 1, with two ranks.
constexpr std::size_t many = (std::size_t{1} << 31) + 17;

bool is_asked_for() {
    auto const* const asked = std::getenv("TUTTI_TEST_LARGE");
    return asked != nullptr && std::string{asked} == "1" && support::world_size() == 2;
}

}  // namespace

BOOST_AUTO_TEST_CASE(more_elements_than_an_int_counts) {
    BOOST_TEST(many > 0x7fffffffU);
    if (!is_asked_for()) { return; }
    auto const rank = static_cast<std::size_t>(support::world_rank());
    std::vector<char> both(many);
    for (auto i = rank; i < many; i += 1000) { both[i] = static_cast<char>(1 + rank); }
    tutti::all_reduce(MPI_COMM_WORLD, tutti::inplace(both), std::bit_or<>{});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i != many; ++i) {
        char const expected = i % 1000 == 0 ? 1 : i % 1000 == 1 ? 2 : 0;
        wrong += both[i] != expected;
    }
    BOOST_TEST(wrong == 0U);

    both[many - 1] = static_cast<char>(5 + rank);
    tutti::broadcast(MPI_COMM_WORLD, both.data(), both.size(), 1);
    BOOST_TEST(both[many - 1] == 6);
}

BOOST_AUTO_TEST_SUITE_END()
