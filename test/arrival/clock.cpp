// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <tutti/arrival/clock.hpp>
#include <tutti/communicator/threads.hpp>

BOOST_AUTO_TEST_SUITE(arrival_clock)

namespace threads = tutti::threads;

namespace {

constexpr std::int64_t second = 1'000'000'000;

thread_local std::int64_t wrong_by = 0;

/// A rank whose clock is wrong.
struct elsewhere : threads::communicator {
    static std::int64_t now() { return threads::communicator::now() + wrong_by; }
};

static_assert(tutti::communicator<elsewhere>);

}  // namespace

BOOST_AUTO_TEST_CASE(offsets_undo_by_what_clocks_are_wrong) {
    for (int size = 1; size < 18; ++size) {
        std::vector<std::int64_t> errors(static_cast<std::size_t>(size));
        threads::run(size, [&](threads::communicator& world) {
            auto const rank = world.rank();
            wrong_by = 100 * second * ((rank * 7) % 5 - 2);
            auto const of_rank_0 = -200 * second;
            auto const offset = tutti::monitoring::offset_to_rank_0(static_cast<elsewhere&>(world));
            errors[static_cast<std::size_t>(rank)] = wrong_by + offset - of_rank_0;
        });
        BOOST_TEST(errors[0] == 0);
        for (auto const error : errors) { BOOST_TEST(std::abs(error) < 10 * second); }
    }
}

BOOST_AUTO_TEST_CASE(clocks_go_on) {
    auto before = threads::communicator::now();
    for (int i = 0; i < 1000; ++i) {
        auto const later = threads::communicator::now();
        BOOST_REQUIRE(later >= before);
        before = later;
    }
}

BOOST_AUTO_TEST_SUITE_END()
