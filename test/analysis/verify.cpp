// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <support/tiny_generators.hpp>
#include <tutti/analysis/verify.hpp>

#include <bit>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(analysis_verify)

namespace {

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::schedules;
using tiny::claims;
using tiny::scripted;

auto const result = buffer::result();
auto const one = partition::equal(4, 1);

template <class Collective = collective::reduce, claims Claims = claims{}>
std::string reason(std::vector<std::vector<step>> ranks, std::size_t rounds = 9, partition const& cut = one) {
    auto const size = ranks.size();
    auto const verdict = verify(Collective{}, scripted<Claims>{rounds, std::move(ranks)}, size, 0, cut);
    BOOST_TEST(verdict.ok == verdict.reason.empty());
    BOOST_TEST(static_cast<bool>(verdict) == verdict.ok);
    return verdict.reason;
}

step send(std::size_t round, std::size_t peer, block_list blocks = 0) {
    return step::send(round, peer, result, std::move(blocks));
}
step take(std::size_t round, std::size_t peer, block_list blocks = 0, side where = side::right) {
    return step::receive_combine(round, peer, result, std::move(blocks), where);
}
step overwrite(std::size_t round, std::size_t peer, block_list blocks = 0) {
    return step::receive(round, peer, result, std::move(blocks));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(accepted)

BOOST_AUTO_TEST_CASE(chain_costs_what_its_formula_says) {
    for (std::size_t size : {1U, 2U, 3U, 7U, 16U}) {
        for (std::size_t blocks : {1U, 2U, 5U}) {
            auto const cut = partition::equal(3 * blocks, blocks);
            auto const verdict = verify(collective::reduce{}, tiny::chain{}, size, 0, cut);
            BOOST_TEST(verdict.reason == "");
            BOOST_TEST(verdict.rounds == (size == 1 ? 0 : size + blocks - 2));
            BOOST_TEST(verdict.rounds_used == verdict.rounds);
            BOOST_TEST(verdict.messages == (size - 1) * blocks);
            BOOST_TEST(verdict.volume == (size - 1) * blocks * 3);
            BOOST_TEST(verdict.combines == (size - 1) * blocks * 3);
            BOOST_TEST(verdict.max_messages_sent == (size == 1 ? 0 : blocks));
            BOOST_TEST(verdict.max_messages_received == (size == 1 ? 0 : blocks));
            BOOST_TEST(verdict.max_volume_sent == (size == 1 ? 0 : blocks * 3));
            BOOST_TEST(verdict.max_volume_received == (size == 1 ? 0 : blocks * 3));
            BOOST_TEST(verdict.max_combines == (size == 1 ? 0 : blocks * 3));
        }
    }
}

BOOST_AUTO_TEST_CASE(binomial_and_exchange) {
    for (std::size_t size = 1; size <= 33; ++size) {
        auto const verdict = verify(collective::reduce{}, tiny::binomial{}, size, 0, partition::equal(8, 4));
        BOOST_TEST(verdict.reason == "");
        BOOST_TEST(verdict.rounds == static_cast<std::size_t>(std::bit_width(size - 1)));
        BOOST_TEST(verdict.messages == size - 1);
    }
    for (std::size_t size : {1U, 2U, 4U, 64U}) {
        auto const verdict = verify(collective::all_reduce{}, tiny::exchange{}, size, 0, partition::equal(8, 4));
        BOOST_TEST(verdict.reason == "");
        BOOST_TEST(verdict.combines == 8 * size * verdict.rounds);
    }
}

BOOST_AUTO_TEST_CASE(a_vector_without_blocks_needs_no_step) {
    BOOST_TEST(verify(collective::reduce{}, tiny::chain{}, 3, 0, partition::equal(0, 0)).reason == "");
}

BOOST_AUTO_TEST_CASE(blocks_without_elements_owe_nothing) {
    std::vector<std::size_t> const sizes{2, 0, 1};
    auto const cut = partition::of_sizes(sizes);
    BOOST_TEST(reason({{take(0, 1, 0), take(1, 1, 2)}, {send(0, 0, 0), send(1, 0, 2)}}, 9, cut) == "");
}

BOOST_AUTO_TEST_CASE(equal_blocks_may_be_divided_into_ranges_in_two_ways) {
    block_list halves{block_range{0, 1}};
    halves.append({1, 2});
    BOOST_TEST(reason({{take(0, 1, block_range{0, 2})}, {send(0, 0, halves)}}, 1, partition::equal(4, 2)) == "");
}

BOOST_AUTO_TEST_CASE(an_empty_block_takes_what_is_combined_into_it) {
    auto const other = buffer::scratch(0);
    BOOST_TEST(reason({{step::receive_combine(0, 1, other, 0, side::left),
                        step::combine(0, other, result, 0, side::right)},
                       {step::send(0, 0, buffer::input(), 0)}}) == "");
}

BOOST_AUTO_TEST_CASE(every_collective_has_its_contract) {
    auto const two = partition::equal(2, 2);
    auto const into_prefix = step::receive(0, 0, buffer::prefix(), 0);
    BOOST_TEST(reason<collective::broadcast>({{send(0, 1)}, {overwrite(0, 0)}}) == "");
    BOOST_TEST(reason<collective::inclusive_scan>({{send(0, 1)}, {take(0, 0, 0, side::left)}}) == "");
    BOOST_TEST(reason<collective::exclusive_scan>({{send(0, 1)}, {into_prefix}}) == "");
    BOOST_TEST(reason<collective::scan_reduce>(
                   {{send(0, 1), take(0, 1)},
                    {send(0, 0), into_prefix, step::combine(0, buffer::prefix(), result, 0, side::left)}}) == "");
    BOOST_TEST(reason<collective::reduce_scatter>(
                   {{send(0, 1, 1), take(0, 1, 0)}, {send(0, 0, 0), take(0, 0, 1, side::left)}}, 1, two) == "");
    BOOST_TEST(reason<collective::all_gather>(
                   {{send(0, 1, 0), overwrite(0, 1, 1)}, {send(0, 0, 1), overwrite(0, 0, 0)}}, 1, two) == "");
    BOOST_TEST(reason<collective::gather>({{overwrite(0, 1, 1)}, {send(0, 0, 1)}}, 1, two) == "");
    BOOST_TEST(reason<collective::scatter>({{send(0, 1, 1)}, {overwrite(0, 0, 1)}}, 1, two) == "");
}

BOOST_AUTO_TEST_CASE(terms_are_told) {
    auto const four = partition::equal(8, 4);
    auto const tree = verify(collective::reduce{}, tiny::binomial{}, 6, 0, four);
    BOOST_TEST(tree.term == "(((0+1)+(2+3))+(4+5))");
    BOOST_TEST((tree.one_term && tree.canonical));
    auto const chain = verify(collective::reduce{}, tiny::chain{}, 3, 0, four);
    BOOST_TEST(chain.term == "(0+(1+2))");
    BOOST_TEST((chain.one_term && !chain.canonical));
    auto const all = verify(collective::all_reduce{}, tiny::exchange{}, 4, 0, four);
    BOOST_TEST((all.one_term && all.canonical));
    auto const nothing = verify(collective::reduce{}, tiny::chain{}, 3, 0, partition::equal(0, 0));
    BOOST_TEST((nothing.term.empty() && nothing.one_term && nothing.canonical));
}

BOOST_AUTO_TEST_CASE(bracketings_are_spelled_out) {
    auto const two = partition::equal(2, 2);
    using texts = std::vector<std::string>;
    BOOST_TEST(bracketings(collective::reduce{}, tiny::binomial{}, 4, 0, two, 0) == (texts(2, "((0+1)+(2+3))")),
               boost::test_tools::per_element());
    BOOST_TEST(bracketings(collective::reduce{}, tiny::chain{}, 12, 0, one, 9) == texts{"(9+(10+11))"},
               boost::test_tools::per_element());
    scripted<> const partial{9, {{send(0, 1)}, {overwrite(0, 0)}, {}}};
    BOOST_TEST(bracketings(collective::broadcast{}, partial, 3, 0, one, 2) == texts{""},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(rejected)

BOOST_AUTO_TEST_CASE(wrong_results) {
    BOOST_TEST(reason({{take(0, 1)}, {send(0, 0)}, {}}) == "rank 0, block 0: result lacks the contribution of rank 2");
    BOOST_TEST(reason({{take(0, 1), take(1, 1)}, {send(0, 0), send(1, 0)}}) ==
               "rank 0, block 0: result holds the contribution of rank 1 twice");
    BOOST_TEST(reason({{take(0, 1, 0, side::left)}, {send(0, 0)}}) ==
               "rank 0, block 0: result holds the contribution of rank 0 to the right of that of rank 1, though it "
               "claims to keep operands in rank order");
    BOOST_TEST((reason<collective::reduce, claims{.requires_commutative = true}>(
                   {{take(0, 1, 0, side::left)}, {send(0, 0)}}) == ""));
    BOOST_TEST(reason<collective::broadcast>({{}, {}}) == "rank 1, block 0: result is empty");
    BOOST_TEST(reason<collective::inclusive_scan>({{take(0, 1)}, {send(0, 0), take(1, 0)}}) != "");
    BOOST_TEST(reason<collective::inclusive_scan>({{take(0, 1)}, {send(0, 0)}}) ==
               "rank 0, block 0: result holds the contribution of rank 1 and must not");
    BOOST_TEST(reason<collective::exclusive_scan>({{send(0, 1)}, {take(0, 0, 0, side::left)}}) ==
               "rank 1, block 0: prefix is empty");
}

BOOST_AUTO_TEST_CASE(brackets_that_differ_between_ranks) {
    auto const ranks = [](std::size_t mine) {
        std::vector<step> steps;
        for (std::size_t k = 1; k < 3; ++k) {
            steps.push_back(step::send(k, (mine + k) % 3, buffer::input(), 0));
            steps.push_back(take(k, (mine + 3 - k) % 3));
        }
        return steps;
    };
    auto const script = std::vector{ranks(0), ranks(1), ranks(2)};
    BOOST_TEST((reason<collective::all_reduce, claims{.requires_commutative = true}>(script)) ==
               "rank 1, block 0: result is bracketed differently than on rank 0");
    BOOST_TEST((reason<collective::all_reduce, claims{.requires_commutative = true, .identical_on_all_ranks = false}>(
                   script) == ""));
}

BOOST_AUTO_TEST_CASE(messages_that_do_not_match) {
    auto const two = partition::equal(4, 2);
    BOOST_TEST(reason({{take(0, 1, 1)}, {send(0, 0, 0)}}, 9, two) ==
               "rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [1,2)): the matching message is rank 1, step 0 "
               "in round 0 (send to rank 0, blocks [0,1)), which has other blocks");
    BOOST_TEST(reason({{take(0, 1)}, {send(0, 0), send(1, 0)}}) ==
               "rank 1, step 1 in round 1 (send to rank 0, blocks [0,1)): the message is never received");
    BOOST_TEST(reason({{take(0, 1), take(1, 1)}, {send(0, 0)}}) ==
               "deadlock: rank 0, step 1 in round 1 (receive_combine from rank 1, blocks [0,1)) waits for a message from rank 1; "
               "rank 1 has ended");
}

BOOST_AUTO_TEST_CASE(deadlocks) {
    BOOST_TEST(reason<collective::all_reduce>({{take(0, 1), send(0, 1)}, {take(0, 0, 0, side::left), send(0, 0)}}) ==
               "deadlock: rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [0,1)) waits for a message from rank 1; "
               "rank 1, step 0 in round 0 (receive_combine from rank 0, blocks [0,1)) waits for a message from rank 0");
    // a swap in place: either message would have to wait somewhere
    BOOST_TEST(reason({{send(0, 1), overwrite(0, 1)}, {send(0, 0), overwrite(0, 0)}}) ==
               "deadlock: rank 0, step 1 in round 0 (receive from rank 1, blocks [0,1)) waits for the end of its own send to rank "
               "1, blocks [0,1) of step 0; rank 1, step 1 in round 0 (receive from rank 0, blocks [0,1)) waits for the end of its "
               "own send to rank 0, blocks [0,1) of step 0");
}

BOOST_AUTO_TEST_CASE(overwriting_waits_for_the_own_send_and_then_goes_on) {
    // rank 1 may copy into its block only after rank 0 has taken it
    BOOST_TEST(reason({{take(0, 1)}, {send(0, 0), step::copy(1, buffer::input(), result, 0)}}) == "");
    BOOST_TEST(reason({{take(0, 1)},
                       {send(0, 0), step::copy(0, buffer::prefix(), result, 0)}}) ==
               "rank 1, step 1 in round 0 (copy prefix into result, blocks [0,1)): block 0 of prefix is empty");
}

BOOST_AUTO_TEST_CASE(broken_promises_about_rounds_and_ports) {
    BOOST_TEST(reason({{take(1, 1)}, {send(1, 0)}}, 1) ==
               "rank 0, step 0 in round 1 (receive_combine from rank 1, blocks [0,1)): round 1 of a schedule of 1 round");
    BOOST_TEST(reason({{take(0, 1)}, {send(1, 0)}}) ==
               "rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [0,1)): round 0, but the message was sent in "
               "round 1 by rank 1, step 0 in round 1 (send to rank 0, blocks [0,1))");
    BOOST_TEST(reason({{take(1, 1), take(0, 2)}, {send(1, 0)}, {send(0, 0)}}) ==
               "rank 0, step 1 in round 0 (receive_combine from rank 2, blocks [0,1)): round 0 after round 1");
    auto const two = partition::equal(4, 2);
    std::vector<std::vector<step>> const twice{{take(0, 1, 0), take(0, 1, 1)}, {send(0, 0, 0), send(0, 0, 1)}};
    BOOST_TEST(reason(twice, 1, two) ==
               "rank 1, step 1 in round 0 (send to rank 0, blocks [1,2)): the second send of round 0");
    BOOST_TEST(reason({{take(0, 1), take(0, 2)}, {send(0, 0)}, {send(0, 0)}}) ==
               "rank 0, step 1 in round 0 (receive_combine from rank 2, blocks [0,1)): the second receive of round 0");
    BOOST_TEST((reason<collective::reduce, claims{.one_ported = false}>(twice, 1, two) == ""));
    BOOST_TEST(reason<collective::broadcast>({{send(0, 1), send(0, 2)}, {overwrite(0, 0)}, {overwrite(0, 0)}}) ==
               "rank 0, step 1 in round 0 (send to rank 2, blocks [0,1)): the second send of round 0");
    std::vector<std::vector<step>> const both_ways{{send(0, 1), take(0, 1)}, {send(0, 0), take(0, 0, 0, side::left)}};
    BOOST_TEST(reason<collective::all_reduce>(both_ways) == "");
    BOOST_TEST((reason<collective::all_reduce, claims{.model = ports::unidirectional}>(both_ways)) ==
               "rank 0, step 1 in round 0 (receive_combine from rank 1, blocks [0,1)): the second message of round 0");
}

BOOST_AUTO_TEST_CASE(steps_that_no_rank_could_do) {
    auto const two = partition::equal(4, 2);
    BOOST_TEST(reason({{take(0, 1)}, {step::send(0, 0, buffer::prefix(), 0)}}) ==
               "rank 1, step 0 in round 0 (send to rank 0, blocks [0,1)): block 0 of prefix is empty");
    BOOST_TEST(reason({{step::receive(0, 1, buffer::input(), 0)}, {send(0, 0)}}) ==
               "rank 0, step 0 in round 0 (receive from rank 1, blocks [0,1)): the input is never written");
    BOOST_TEST(reason({{step::copy(0, result, buffer::input(), 0)}}) ==
               "rank 0, step 0 in round 0 (copy result into input, blocks [0,1)): the input is never written");
    BOOST_TEST(reason({{step::combine(0, result, result, 0, side::left)}}) ==
               "rank 0, step 0 in round 0 (combine result into result, blocks [0,1)): source and target are the same buffer");
    BOOST_TEST(reason({{send(0, 0)}}) ==
               "rank 0, step 0 in round 0 (send to rank 0, blocks [0,1)): a rank sends no message to itself");
    BOOST_TEST(reason({{send(0, 1)}}) == "rank 0, step 0 in round 0 (send to rank 1, blocks [0,1)): there is only 1 rank");
    BOOST_TEST(reason({{take(0, 1, 1)}, {}}) ==
               "rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [1,2)): there is only 1 block");
    block_list twice{block_range{0, 2}};
    twice.append({1, 2});
    BOOST_TEST(reason({{take(0, 1, twice)}, {}}, 9, two) ==
               "rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [0,2)[1,2)): block 1 occurs twice in one step");
    std::vector<std::size_t> const sizes{2, 0};
    BOOST_TEST(reason({{take(0, 1, 1)}, {}}, 9, partition::of_sizes(sizes)) ==
               "rank 0, step 0 in round 0 (receive_combine from rank 1, blocks [1,2)): a message without elements");
}

BOOST_AUTO_TEST_CASE(arguments_and_sizes) {
    BOOST_TEST(verify(collective::all_reduce{}, tiny::exchange{}, 3, 0, one).reason ==
               "exchange does not support 3 ranks");
    BOOST_CHECK_THROW(static_cast<void>(verify(collective::reduce{}, tiny::chain{}, 3, 3, one)), std::invalid_argument);
    scripted<> const stuck{1, {{take(0, 1)}, {}}};
    BOOST_CHECK_THROW(static_cast<void>(bracketings(collective::reduce{}, stuck, 2, 0, one, 0)), broken_schedule);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
