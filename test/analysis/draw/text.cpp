// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/draw/text.hpp>
#include <tutti/analysis/simulate.hpp>

BOOST_AUTO_TEST_SUITE(analysis_draw_text)

using namespace tutti;
using namespace tutti::analysis;

namespace {

timeline chain(cost_model const& costs) {
    return simulate(collective::reduce{}, tiny::chain{}, 3, 0, partition::equal(2, 2), costs, {0, 0, 1});
}

}  // namespace

BOOST_AUTO_TEST_CASE(whole_times_make_a_chart_and_two_tables) {
    BOOST_TEST(to_text(chain(cost_model::per_block(2, 1))) == R"(           0         10
P0 receive ....00.11
   combine ......0..1
P1 send    ....00.11
   receive .00.11
   combine ...0..1
P2 send     00.11

event     rank  peer  block  blocks  start  end
transfer     2     1      0       1      1    3
combine      1     2      0       1      3    4
)"
               R"(transfer     1     0      0       1      4    6
transfer     2     1      1       1      4    6
combine      0     1      0       1      6    7
combine      1     2      1       1      6    7
transfer     1     0      1       1      7    9
combine      0     1      1       1      9   10

rank  arrival  finish  idle
   0        0      10     4
   1        0       9     1
   2        1       6     1

makespan 10
)");
}

BOOST_AUTO_TEST_CASE(other_times_make_no_chart) {
    BOOST_TEST(to_text(chain(cost_model::per_block(2.5, 1))).find("event ") == 0);
    BOOST_TEST(to_text(chain(cost_model::per_block(200, 1))).find("event ") == 0);
    BOOST_TEST(to_text(timeline{}) == "event  rank  peer  block  blocks  start  end\n\nrank  arrival  finish  idle\n\n"
                                      "makespan 0\n");
}

BOOST_AUTO_TEST_SUITE_END()
