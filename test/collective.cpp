// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/collective.hpp>

BOOST_AUTO_TEST_SUITE(collective)

using namespace tutti;
using namespace tutti::collective;

// The same said again in the words of the MPI standard: which collectives have a root, an operator, a part for each
// rank.
BOOST_AUTO_TEST_CASE(the_table_says_what_the_standard_says) {
    using namespace tutti::collective;
    BOOST_TEST((is_rooted<reduce> && is_rooted<broadcast> && is_rooted<gather> && is_rooted<scatter>));
    BOOST_TEST((!is_rooted<all_reduce> && !is_rooted<inclusive_scan> && !is_rooted<exclusive_scan>));
    BOOST_TEST((!is_rooted<scan_reduce> && !is_rooted<reduce_scatter> && !is_rooted<all_gather>));
    BOOST_TEST((combines<reduce> && combines<all_reduce> && combines<inclusive_scan> && combines<exclusive_scan>));
    BOOST_TEST((combines<scan_reduce> && combines<reduce_scatter>));
    BOOST_TEST((!combines<broadcast> && !combines<all_gather> && !combines<gather> && !combines<scatter>));
    BOOST_TEST((divides<reduce_scatter> && divides<all_gather> && divides<gather> && divides<scatter>));
    BOOST_TEST((!divides<reduce> && !divides<all_reduce> && !divides<broadcast> && !divides<inclusive_scan>));
    BOOST_TEST((!divides<exclusive_scan> && !divides<scan_reduce>));
    BOOST_TEST((is_scan<inclusive_scan> && is_scan<exclusive_scan> && is_scan<scan_reduce>));
    BOOST_TEST((!is_scan<reduce> && !is_scan<all_reduce> && !is_scan<broadcast> && !is_scan<reduce_scatter>));
}

BOOST_AUTO_TEST_CASE(opposites_exchange_operands_and_results) {
    auto const check = [](auto which) {
        using here = tutti::collective::meaning;
        constexpr here one = tutti::collective::traits<decltype(which)>;
        constexpr here other = tutti::collective::traits<opposite_t<decltype(which)>>;
        BOOST_TEST((one.gives == other.is_owed));
        BOOST_TEST((one.is_owed == other.gives));
    };
    check(tutti::collective::broadcast{});
    check(tutti::collective::all_gather{});
    check(tutti::collective::scatter{});
    check(tutti::collective::gather{});
}

BOOST_AUTO_TEST_SUITE_END()
