// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>

#include <range/v3/algorithm/equal.hpp>

#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/goal.hpp>
#include <tutti/generator/binomial.hpp>
#include <tutti/generator/linear.hpp>
#include <tutti/generator/papers/bine.hpp>
#include <tutti/generator/papers/binary_tree.hpp>
#include <tutti/generator/pipeline.hpp>
#include <tutti/generator/recursive_doubling.hpp>

BOOST_AUTO_TEST_SUITE(analysis_read_goal)

using namespace tutti;

namespace {

std::string reason_against(std::string const& text) {
    try {
        from_file const read{text, "file"};
    } catch (analysis::broken_schedule const& wrong) { return wrong.reason(); }
    return "";
}

/// Of a vector in one block: GOAL has no others.
template <class Collective, class Generator>
void check_again(Collective which, Generator const& generator) {
    auto const whole = partition::equal(5, 1);
    for (std::size_t size = 2; size <= 17; ++size) {
        from_file const again{to_goal(which, generator, size, 0, whole, 8), "again"};
        BOOST_TEST(again.suits<Collective>(size, false), name_of(which, generator) << ", " << size);
        for (std::size_t rank = 0; rank != size; ++rank) {
            problem const at{rank, size, 0, whole};
            auto const but_for_rounds = [](step each) {
                each.round = 0;
                return each;
            };
            BOOST_TEST(ranges::equal(generate(which, generator, at), generate(which, again, at), {}, but_for_rounds,
                                     but_for_rounds));
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(schedules_of_whole_vectors_are_the_same_again_but_for_rounds) {
    check_again(collective::reduce{}, generators::linear{});
    check_again(collective::reduce{}, generators::binomial{});
    check_again(collective::reduce{}, generators::binary_tree{});
    check_again(collective::reduce{}, generators::pipeline{.segments = 1});
}

BOOST_AUTO_TEST_CASE(a_tree_is_proved_to_be_a_broadcast_and_no_reduction) {
    from_file const tree{"num_ranks 3\n"
                         "// comments are left out\n"
                         "rank 0 {\nl1: send 16b to 1 tag 0\nsend 16b to 2 tag 0 cpu 1 nic 0\n}\n\n"
                         "rank 1 {\nl1: recv 16b from 0 tag 0\n}\n"
                         "rank 2 {\nl1: recv 16b from 0 tag 0\n}\n",
                         "tree"};
    BOOST_TEST(tree.suits<collective::broadcast>(3, false));
    BOOST_TEST(!tree.suits<collective::broadcast>(4, false));
    BOOST_TEST(tree.table().cut.elements() == 2U);
    auto const verdict = verify(collective::reduce{}, tree, 3, 0, partition::equal(1, 1));
    BOOST_TEST(!verdict.ok);
    BOOST_TEST(verdict.reason.find("rank 0, block 0: result ") == 0U);
    BOOST_CHECK_THROW(static_cast<void>(tree.suits<collective::reduce>(3, true)), analysis::broken_schedule);
}

BOOST_AUTO_TEST_CASE(a_wrong_file_gets_one_sentence_with_its_line) {
    std::string const start = "num_ranks 2\nrank 0 {\n";
    BOOST_TEST(reason_against("") == "file:1: 0 ranks cannot have 1 block");
    BOOST_TEST(reason_against("rank 0 {") == "file:1: expected 'num_ranks NUMBER' or, then, 'rank NUMBER {', not 'rank'");
    BOOST_TEST(reason_against("num_ranks 99999999") == "file:1: expected the number of ranks, a whole number up to 65536, not '99999999'");
    BOOST_TEST(reason_against(start + "l1: send 8b to 2 tag 0\n}") ==
               "file:3: expected a rank, a whole number up to 1, not '2'");
    BOOST_TEST(reason_against(start + "l1: calc 1\nl1 requires l2\n}") == "file:4: expected a label, not 'l2'");
    BOOST_TEST(reason_against(start + "send 8b to 1\nsend 16b to 1\n}") ==
               "file:4: messages of different lengths do not say which parts of the vector they are");
    BOOST_TEST(reason_against(start + "l1: sing\n}") == "file:3: expected send, recv, calc or a label, not 'sing'");
    BOOST_TEST(reason_against(start + "recv 8b from 1 tag 3\n}") == "file:3: the message from rank 1 never comes: a deadlock");
    BOOST_TEST(reason_against(start + "send 8b to 0\nrecv 8b from 0\n}") ==
               "file:3: rank 0, step 0 (send to rank 0, blocks [0,1)): a rank sends no message to itself");
}

BOOST_AUTO_TEST_SUITE_END()
