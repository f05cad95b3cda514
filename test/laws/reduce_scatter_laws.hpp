// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/reduce_scatters.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>

/// What every generator of reduce_scatters must keep.
namespace laws {

/// By itself, as an all_gather if it goes backwards, and as an all_reduce if it goes there and back. All_reduces, and
/// all_gathers of vectors of all lengths, are checked on so many ranks.
template <class Generator>
void check_there_and_back(Generator const& there, std::vector<std::size_t> const& all_reduces = sizes,
                          std::vector<std::size_t> const& lengths = sizes) {
    using namespace tutti;
    check_schedules(collective::reduce_scatter{}, there);
    check_schedules(collective::all_gather{}, reverse(there));
    check_schedules(collective::all_reduce{}, then(there, reverse(there)), all_reduces);
    check_lengths(collective::reduce_scatter{}, there);
    check_lengths(collective::all_gather{}, reverse(there), lengths);
}

/// What six ranks send and receive of uneven parts.
template <class Generator>
void check_messages_of_six(Generator const& generator, support::message_counts const& expected) {
    using boost::test_tools::per_element;
    auto const counts =
        support::count_messages(tutti::collective::reduce_scatter{}, generator, 6, 0, support::uneven_six());
    BOOST_TEST(counts.sends == expected.sends, per_element());
    BOOST_TEST(counts.elements_sent == expected.elements_sent, per_element());
    BOOST_TEST(counts.elements_received == expected.elements_received, per_element());
}

}  // namespace laws
