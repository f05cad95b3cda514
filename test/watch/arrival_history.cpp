// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>

#include <watch/arrival_history.hpp>

BOOST_AUTO_TEST_SUITE(watch_arrival_history)

using tutti::watch::arrival_history;

BOOST_AUTO_TEST_CASE(what_is_kept_depends_on_the_number_of_calls_alone) {
    for (std::uint64_t const calls : {std::uint64_t{10}, std::uint64_t{arrival_history::most},
                                      std::uint64_t{arrival_history::most} * 3, std::uint64_t{1'000'000}}) {
        arrival_history all;
        for (std::uint64_t i = 0; i != calls; ++i) {
            if (all.takes(i)) { all.record(i, 100 * i, 100 * i + 32, static_cast<std::uint32_t>(i % 3)); }
        }
        BOOST_TEST(all.kept().size() <= arrival_history::most);
        BOOST_TEST(all.kept().size() * all.stride() >= calls);
        BOOST_TEST((all.kept().size() - 1) * all.stride() < calls);
        for (std::size_t k = 0; k != all.kept().size(); ++k) {
            auto const number = k * all.stride();
            BOOST_REQUIRE(all.kept()[k].begun == 100 * number);
            BOOST_REQUIRE(all.kept()[k].ticks() == 32);
            BOOST_REQUIRE(all.kept()[k].site == number % 3);
        }
    }
}

BOOST_AUTO_TEST_CASE(less_may_be_kept) {
    arrival_history all;
    for (std::uint64_t i = 0; i != 1000; ++i) { all.record(i, i, i, 0); }
    all.keep(300);
    BOOST_TEST(all.kept().size() == 250);
    BOOST_TEST(all.stride() == 4);
    BOOST_TEST(all.kept()[1].begun == 4);
    all.keep(0);
    BOOST_TEST(all.kept().empty());
}

BOOST_AUTO_TEST_SUITE_END()
