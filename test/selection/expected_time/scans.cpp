// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>

#include <tutti/selection/expected_time.hpp>

#include "support/expected_times.hpp"

BOOST_AUTO_TEST_SUITE(selection_expected_time_scans)

using namespace tutti;

namespace {

constexpr collective::exclusive_scan exclusive;
constexpr collective::inclusive_scan inclusive;
constexpr collective::scan_reduce with_total;
constexpr recursive_multiplying exchanging{.radix = 2};

/// Of 64 KiB, where combining a byte takes an eighth of what sending it does.
template <class Scan, class Generator>
void check(Scan which, Generator const& generator, std::size_t size, double simulated) {
    auto now = on_ethernet(size, 1 << 16);
    now.combine_per_byte = 0.001;
    check_expected_time(which, generator, now, simulated);
}
template <class Scan, class Generator>
void check_without_combines(Scan which, Generator const& generator, std::size_t size, double simulated) {
    check_expected_time(which, generator, on_ethernet(size, 1 << 16), simulated);
}

}  // namespace

BOOST_AUTO_TEST_CASE(chains_as_simulated) {
    check(exclusive, linear{.segments = 1}, 2, 575.4);
    check(exclusive, linear{.segments = 16}, 3, 663.3);
    check(exclusive, linear{.segments = 16}, 4, 750.3);
    check(exclusive, linear{.segments = 16}, 8, 1098.3);
    check(exclusive, linear{.segments = 16}, 16, 1794.2);
    check(inclusive, linear{.segments = 16}, 2, 580.4);
    check(inclusive, linear{.segments = 16}, 8, 1102.4);
    check(with_total, linear{.segments = 1}, 2, 1216.4);
    check(with_total, linear{.segments = 16}, 8, 2172.2);
}

BOOST_AUTO_TEST_CASE(halvings_as_simulated) {
    check(exclusive, split{.halvings = 1}, 2, 657.3);
    check(exclusive, split{.halvings = 2}, 4, 1068.9);
    check(exclusive, split{.halvings = 3}, 8, 1324.8);
    check(exclusive, split{.halvings = 3}, 16, 1456.9);
    check(inclusive, split{.halvings = 1}, 2, 722.9);
    check(inclusive, split{.halvings = 3}, 8, 1390.3);
    check(with_total, split{.halvings = 1}, 4, 1297.4);
    check(with_total, split{.halvings = 2}, 8, 1643.6);
}

// 32 Gbit/s: to combine takes four times as long as to send.
BOOST_AUTO_TEST_CASE(halvings_where_some_ranks_do_twice_as_much_as_simulated) {
    auto const check_exclusive = [](std::size_t halvings, std::size_t size, double simulated) {
        auto now = on_ethernet(size, 1 << 16);
        now.link = {.latency = 0.9039, .overhead = 0.3, .gap = 0.3, .per_byte = 0.0002502};
        now.combine_per_byte = 0.001;
        check_expected_time(exclusive, split{.halvings = halvings}, now, simulated);
    };
    check_exclusive(1, 6, 226.2);
    check_exclusive(2, 6, 145.7);
    check_exclusive(1, 17, 565.3);
    check_exclusive(2, 17, 319.5);
    check_exclusive(5, 17, 219.8);
    check_exclusive(1, 48, 663.3);
    check_exclusive(2, 48, 344.8);
    check_exclusive(4, 48, 185.4);
    check_exclusive(6, 48, 179.4);
}

BOOST_AUTO_TEST_CASE(exchanges_as_simulated) {
    check(exclusive, exchanging, 2, 575.4);
    check(exclusive, exchanging, 4, 1282.0);
    check(exclusive, exchanging, 8, 1988.5);
    check(exclusive, exchanging, 16, 2695.3);
    check(inclusive, exchanging, 2, 641.0);
    check(inclusive, exchanging, 4, 1282.0);
    check(inclusive, exchanging, 16, 2695.2);
    check(with_total, exchanging, 2, 641.1);
    check(with_total, exchanging, 4, 1347.5);
    check(with_total, exchanging, 16, 2761.0);
    check_without_combines(exclusive, exchanging, 4, 1150.9);
    check_without_combines(with_total, exchanging, 3, 1674.4);
    // messages go upwards only
    check_without_combines(exclusive, exchanging, 9, 2250.8);
    check_without_combines(exclusive, exchanging, 17, 2826.4);
}

BOOST_AUTO_TEST_CASE(trees_as_simulated) {
    check(with_total, two_tree{.segments = 16}, 16, 2375.9);
    check_without_combines(exclusive, two_tree{.segments = 4}, 3, 837.2);
}

BOOST_AUTO_TEST_SUITE_END()
