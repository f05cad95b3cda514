// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/json.hpp>
#include <tutti/analysis/simulate.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(analysis_json)

using namespace tutti;
using namespace tutti::schedules;

namespace {

template <class Collective, class Generator>
std::string text(Collective which, Generator const& generator, std::size_t size, partition const& cut,
                 cost_model const& costs) {
    return to_json(which, generator, size, 0, cut, simulate(which, generator, size, 0, cut, costs));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_chain_of_three) {
    std::string const expected =
        R"({"collective": "reduce", "algorithm": "chain", "size": 3, "root": 0,
 "partition": [4],
 "requires_commutative": false,
 "ranks": [
   [{"do": "receive_combine", "peer": 1, "buffer": "result", "blocks": [[0, 1]], "side": "right"}],
   [{"do": "receive_combine", "peer": 2, "buffer": "result", "blocks": [[0, 1]], "side": "right"}, )"
        R"({"do": "send", "peer": 0, "buffer": "result", "blocks": [[0, 1]]}],
   [{"do": "send", "peer": 1, "buffer": "result", "blocks": [[0, 1]]}]],
 "rounds_of_steps": [[1], [0, 1], [0]],
 "timeline": [{"rank": 2, "peer": 1, "block": 0, "kind": "transfer", "start": 0, "end": 2.5},
   {"rank": 1, "peer": 2, "block": 0, "kind": "combine", "start": 2.5, "end": 3.5},
   {"rank": 1, "peer": 0, "block": 0, "kind": "transfer", "start": 3.5, "end": 6},
   {"rank": 0, "peer": 1, "block": 0, "kind": "combine", "start": 6, "end": 7}],
 "finish": [7, 6, 2.5], "makespan": 7, "rounds": 2}
)";
    BOOST_TEST(text(collective::reduce{}, tiny::chain{}, 3, partition::equal(4, 1), cost_model::per_block(2.5, 1)) ==
               expected);
}

BOOST_AUTO_TEST_CASE(blocks_that_belong_to_ranks_and_lists_of_two_ranges) {
    tiny::scripted<> const script{
        1,
        {{step::send(0, 1, buffer::result(), block_list::cyclic(2, 2, 3)),
          step::copy(0, buffer::input(), buffer::scratch(1), 1),
          step::combine(0, buffer::scratch(1), buffer::prefix(), 1, side::left)},
         {step::receive(0, 0, buffer::scratch(0), block_list::cyclic(2, 2, 3))}}};
    auto const found = text(collective::reduce_scatter{}, script, 2, partition::equal(5, 3), cost_model::unit());
    auto const has = [&](std::string const& part) { return found.find(part) != std::string::npos; };
    BOOST_TEST(has(R"("partition": [1, 2, 2],
 "blocks_of": [[0, 1], [1, 3]],
 "requires_commutative": false,)"));
    BOOST_TEST(has(R"({"do": "send", "peer": 1, "buffer": "result", "blocks": [[2, 3], [0, 1]]})"));
    BOOST_TEST(has(R"({"do": "copy", "source": "input", "buffer": "scratch1", "blocks": [[1, 2]]})"));
    BOOST_TEST(
        has(R"({"do": "combine", "source": "scratch1", "buffer": "prefix", "blocks": [[1, 2]], "side": "left"})"));
    BOOST_TEST(has(R"({"do": "receive", "peer": 0, "buffer": "scratch0", "blocks": [[2, 3], [0, 1]]})"));
    BOOST_TEST(has(R"({"rank": 0, "peer": 0, "block": 1, "kind": "copy", "start": 0, "end": 0})"));
}

BOOST_AUTO_TEST_CASE(nothing_to_do) {
    auto const found = text(collective::reduce{}, tiny::chain{}, 1, partition::equal(0, 0), cost_model::unit());
    BOOST_TEST(found == R"({"collective": "reduce", "algorithm": "chain", "size": 1, "root": 0,
 "partition": [],
 "requires_commutative": false,
 "ranks": [
   []],
 "rounds_of_steps": [[]],
 "timeline": [],
 "finish": [0], "makespan": 0, "rounds": 0}
)");
}

BOOST_AUTO_TEST_SUITE_END()
