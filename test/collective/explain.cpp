// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/execute.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/node_map.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/automatic_among.hpp>
#include <tutti/selection/candidates/all.hpp>
#include <tutti/selection/canonical.hpp>

BOOST_AUTO_TEST_SUITE(collective_explain)

namespace {

std::plus<> const plus;
auto const in_order = [](auto const& a, auto const& b) { return a + b; };

// α = 1.5 µs, β = 0.25 ns and γ = 0.1 ns for each byte
std::string const figures =
    " us by any algorithm (one message at a time; L = 0.9 us, o = 0.3 us, g = 0.3 us, G = 0.25 ns and gamma = 0.1 ns "
    "per byte)\n";
std::string const figures_within_node =
    " us by any algorithm (one message at a time; L = 0.3 us, o = 0.1 us, g = 0.1 us, G = 0.15 ns and gamma = 0.1 ns "
    "per byte)\n";

std::string const canonical_of_4 =
    "term: ((0+1)+(2+3)), the canonical tree\nbits depend on: operands, number of ranks\n";

auto const nodes = tutti::node_map::of_width(1);

/// What the plan that `make(world)` gives says of itself: the same on all ranks.
template <class Make>
std::string explained(int size, Make make, tutti::node_map const& where = nodes) {
    std::vector<std::string> texts(static_cast<std::size_t>(size));
    auto const body = [&](auto& world) {
        auto const plan = make(world);
        texts[static_cast<std::size_t>(world.rank())] = plan.explain();
    };
    tutti::threads::run(size, body, {.nodes = where});
    for (auto const& each : texts) { BOOST_TEST(each == texts.front()); }
    return texts.front();
}

template <class T, class Op, class Algorithm = tutti::automatic>
std::string explained_all_reduce(int size, std::size_t elements, T const& value, Op const& op,
                                 Algorithm algorithm = {}) {
    return explained(size, [&](auto& world) {
        std::vector<T> in(elements, value);
        std::vector<T> out(elements);
        return tutti::plan::all_reduce(world, in, out, op, algorithm);
    });
}

template <class T, class Op, class Algorithm = tutti::automatic>
std::string explained_reduce(int size, std::size_t elements, T const& value, Op const& op, int root,
                             Algorithm algorithm = {}) {
    return explained(size, [&](auto& world) {
        std::vector<T> in(elements, value);
        std::vector<T> out(elements);
        return tutti::plan::reduce(world, in, out, op, root, algorithm);
    });
}

template <class Algorithm>
std::string explained_scan(Algorithm algorithm) {
    return explained(3, [&](auto& world) {
        std::vector<int> in(2), out(2);
        return tutti::plan::inclusive_scan(world, in, out, in_order, algorithm);
    });
}

/// The name of tutti's choice, and why, as the second line gives them.
template <class Collective, class Op>
std::string choice(Collective which, std::size_t size, std::size_t bytes, Op const&) {
    tutti::call_parameters const now{.size = size, .bytes = bytes, .nodes = nodes};
    constexpr bool commutes = tutti::selection::may_reorder<Collective, Op, int>;
    return tutti::selection::choose(which, now, commutes, [&](auto const& generator, std::string_view why) {
        auto const blocks = blocks_for(which, generator, size, bytes);
        return "\nalgorithm: " + name_of(which, generator) + " in " + std::to_string(blocks) +
               (blocks == 1 ? " block (" : " blocks (") + std::string{why} + ")\n";
    });
}

bool contains(std::string const& text, std::string const& part) {
    BOOST_TEST_INFO(text);
    return text.find(part) != std::string::npos;
}

/// The course on which the ranks take the given steps with elements of one byte.
tutti::engine::call_description of_steps(std::vector<std::vector<tutti::step>> ranks, std::size_t elements,
                                         std::size_t blocks, std::size_t rounds) {
    auto const size = ranks.size();
    tutti::engine::call_description result{
        "mine", "to see", size, 0, 1, tutti::partition::equal(elements, blocks),
        [ranks = std::move(ranks)](tutti::problem const& at) { return ranks[at.rank]; }, rounds};
    result.now = {.size = size, .nodes = nodes};
    return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(named)

BOOST_AUTO_TEST_CASE(a_reduce_is_foretold_by_its_closed_form) {
    // (p+q-2) (α + (β+γ) m/q) with 8 bytes in a segment
    BOOST_TEST(explained_reduce(4, 6, 1, in_order, 0, tutti::pipeline{.segments = 3}) ==
               "reduce of 6 elements of 4 bytes on 4 ranks, root 0\n"
               "algorithm: pipeline in 3 blocks (named by the caller)\n"
               "predicted: 5 rounds, at most 6 elements sent and 6 combined by a rank, "
               "7.514 us, at least 3.0088" + figures +
               "term: (0+(1+(2+3)))\nbits depend on: operands, number of ranks, root, algorithm\n");
    BOOST_TEST(explained_reduce(4, 1, 1, in_order, 2, tutti::binomial{}) ==
               "reduce of 1 element of 4 bytes on 4 ranks, root 2\n"
               "algorithm: binomial in 1 block (named by the caller)\n"
               "predicted: 2 rounds, at most 1 element sent and 2 combined by a rank, "
               "3.0028 us, at least 3.0028" + figures + canonical_of_4);
}

BOOST_AUTO_TEST_CASE(a_ring_is_foretold_by_its_closed_form) {
    // 2(p-1) α + (p-1)/p m (2β + γ)
    BOOST_TEST(explained_all_reduce(4, 4000, 1, plus, tutti::ring{}) ==
               "all_reduce of 4000 elements of 4 bytes on 4 ranks\n"
               "algorithm: ring in 4 blocks (named by the caller)\n"
               "predicted: 6 rounds, at most 6000 elements sent and 3000 combined by a rank, "
               "16.2 us, at least 9.45" + figures +
               "term: (((0+1)+2)+3) in the first block, others elsewhere\n"
               "bits depend on: operands, number of ranks, algorithm, place of an element in the vector\n");
}

BOOST_AUTO_TEST_CASE(what_follows_from_a_reduction_is_called_after_it) {
    auto const both = explained_all_reduce(4, 6, 1, in_order, tutti::binomial{});
    BOOST_TEST(both ==
               "all_reduce of 6 elements of 4 bytes on 4 ranks\n"
               "algorithm: then(binomial, reverse(binomial)) in 1 block (named by the caller)\n"
               "predicted: 4 rounds, at most 12 elements sent and 12 combined by a rank, "
               "6.0288 us, at least 3.0168" + figures + canonical_of_4);
    BOOST_TEST(explained(4, [](auto& world) {
                   std::vector<int> values(6);
                   return tutti::plan::broadcast(world, values, 3, tutti::pipeline{.segments = 2});
               }) == "broadcast of 6 elements of 4 bytes on 4 ranks, root 3\n"
                     "algorithm: reverse(pipeline) in 2 blocks (named by the caller)\n"
                     "predicted: 4 rounds, at most 6 elements sent and 0 combined by a rank, "
                     "6.012 us, at least 3.009" + figures);
}

BOOST_AUTO_TEST_CASE(one_rank_has_nothing_to_do) {
    auto const rest = " (named by the caller)\n"
                      "predicted: 0 rounds, at most 0 elements sent and 0 combined by a rank, "
                      "0 us, at least 0" + figures_within_node;
    BOOST_TEST(explained_reduce(1, 6, 1, in_order, 0, tutti::pipeline{.segments = 3}) ==
               "reduce of 6 elements of 4 bytes on 1 rank, root 0\nalgorithm: pipeline in 3 blocks" + rest);
    BOOST_TEST(explained_all_reduce(1, 1, 1, plus, tutti::recursive_doubling{}) ==
               "all_reduce of 1 element of 4 bytes on 1 rank\nalgorithm: recursive_doubling in 1 block" + rest);
}

BOOST_AUTO_TEST_CASE(no_more_blocks_than_elements) {
    BOOST_TEST(contains(explained_reduce(4, 2, 1, in_order, 0, tutti::pipeline{.segments = 9}),
                        "\nalgorithm: pipeline in 2 blocks (named by the caller)\n"));
    auto const nothing = explained_reduce(4, 0, 1, in_order, 0, tutti::pipeline{});
    BOOST_TEST(contains(nothing, "reduce of 0 elements of 4 bytes on 4 ranks, root 0\n"));
    BOOST_TEST(contains(nothing, ", at most 0 elements sent and 0 combined by a rank, 0 us, at least 0" + figures));
}

BOOST_AUTO_TEST_CASE(terms_of_many_ranks_are_not_spelled_out) {
    BOOST_TEST(contains(explained_reduce(16, 1, 1, in_order, 3, tutti::linear{}), "\nterm: "));
    auto const of_many = explained_reduce(17, 1, 1, in_order, 3, tutti::linear{});
    BOOST_TEST(!contains(of_many, "\nterm: "));
    BOOST_TEST(contains(of_many, "\nbits depend on: operands, number of ranks, root, algorithm, place of an element"));
}

BOOST_AUTO_TEST_CASE(the_term_of_a_scan_is_that_of_the_last_rank) {
    BOOST_TEST(contains(explained_scan(tutti::direct{}), "\nterm: ((0+1)+2) on the last rank, the canonical tree\n"
                                                         "bits depend on: operands, number of ranks\n"));
    BOOST_TEST(contains(explained_scan(tutti::automatic{}),
                        ", and the choice: length of the vector, machine model, node map\nchosen by formulas, with "));
}

BOOST_AUTO_TEST_CASE(elements_of_unknown_length_have_no_time) {
    BOOST_TEST(explained_reduce(4, 2, std::string{"ab"}, in_order, 0, tutti::binomial{}) ==
               "reduce of 2 elements, serialised on 4 ranks, root 0\n"
               "algorithm: binomial in 1 block (named by the caller)\n"
               "predicted: 2 rounds, at most 2 elements sent and 4 combined by a rank\n" + canonical_of_4);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(automatic)

BOOST_AUTO_TEST_CASE(the_choice_is_named_with_its_reason) {
    for (int const size : {1, 4}) {
        auto const p = static_cast<std::size_t>(size);
        for (std::size_t const elements : {1U, 3U, 9000U, 50'000U}) {
            auto const bytes = elements * sizeof(int);
            BOOST_TEST(contains(explained_all_reduce(size, elements, 1, plus),
                                choice(tutti::collective::all_reduce{}, p, bytes, plus)));
            BOOST_TEST(contains(explained_all_reduce(size, elements, 1, in_order),
                                choice(tutti::collective::all_reduce{}, p, bytes, in_order)));
            BOOST_TEST(contains(explained_reduce(size, elements, 1, in_order, size - 1),
                                choice(tutti::collective::reduce{}, p, bytes, in_order)));
        }
    }
}

BOOST_AUTO_TEST_CASE(operators_that_commute_may_be_served_otherwise) {
    BOOST_TEST(explained_all_reduce(4, 50'000, 1, plus) != explained_all_reduce(4, 50'000, 1, in_order));
}

BOOST_AUTO_TEST_CASE(candidates_are_listed_with_what_they_are_expected_to_take) {
    auto const text = explained_all_reduce(4, 1000, 1, plus);
    auto const list = text.substr(text.find("expected of the candidates, whose messages may overlap:\n"));
    BOOST_TEST(contains(list, "us  recursive_multiplying in 1 block, 1 message at once\n"));
    BOOST_TEST(contains(list, "us  ring in 4 blocks\n"));
    auto const chosen = list.find("\n* ");
    BOOST_REQUIRE(chosen != list.npos);
    auto const line = list.substr(chosen, list.find('\n', chosen + 1) - chosen);
    auto const name = text.find("algorithm: ") + 11;
    BOOST_TEST(contains(line, text.substr(name, text.find(" (expected") - name)));
    BOOST_TEST(list.find("\n* ", chosen + 1) == list.npos);
    // what does not keep the order of operands is no candidate
    BOOST_TEST(!contains(explained_all_reduce(4, 1000, 1, in_order), "ring"));
}

BOOST_AUTO_TEST_CASE(whatever_chooses_lists_what_it_has_chosen_from) {
    auto const starred = [](std::string const& text) {
        auto const list = text.substr(text.find("expected of the candidates, whose messages may overlap:\n"));
        auto const chosen = list.find("\n* ");
        BOOST_REQUIRE(chosen != list.npos);
        BOOST_TEST(list.find("\n* ", chosen + 1) == list.npos);
        return list.substr(chosen, list.find('\n', chosen + 1) - chosen);
    };
    auto const text = explained_all_reduce(5, 1000, 1, plus, tutti::reproducible{});
    BOOST_TEST(contains(text, " us  binary_blocks in 4 blocks\n"));
    BOOST_TEST(contains(text, " us  unfolded_multiplying in 1 block, 4 messages at once\n"));
    auto const name = text.find("algorithm: ") + 11;
    BOOST_TEST(contains(starred(text), text.substr(name, text.find(" (expected") - name)));
    // whichever is chosen, the terms are the same
    BOOST_TEST(contains(text, "\nbits depend on: operands, number of ranks\n"));

    using tutti::binomial, tutti::linear;
    auto const named = explained_reduce(5, 1, 1, in_order, 0, tutti::automatic_among(linear{}, binomial{}));
    BOOST_TEST(contains(named, " us  linear in 1 block\n"));
    BOOST_TEST(contains(starred(named), "us  binomial in 1 block"));
    BOOST_TEST(contains(named, ", and the choice: length of the vector, machine model, node map\n"));
    BOOST_TEST(!contains(explained_reduce(5, 1, 1, in_order, 0, binomial{}), "expected of the candidates"));
}

BOOST_AUTO_TEST_CASE(threads_read_long_vectors_where_they_lie) {
    auto const on = [](tutti::node_map const& where) {
        auto const planned = [](auto& world) {
            std::vector<double> in(200'000, 1);
            std::vector<double> out(in.size());
            return tutti::plan::all_reduce(world, in, out, in_order);
        };
        return explained(3, planned, where);
    };
    auto const text = on(tutti::node_map{});
    BOOST_TEST(contains(text, "\nalgorithm: direct_exchange in 6 blocks (expected to take the least time)\n"));
    BOOST_TEST(contains(text, " us  recursive_multiplying in 1 block"));
    BOOST_TEST(!contains(on(nodes), "direct_exchange"));
}

BOOST_AUTO_TEST_CASE(costs_and_rules_are_those_in_use) {
    tutti::machine_model model;
    model.between_nodes = {.latency = 20e-6, .overhead = 5e-6, .gap = 6e-6, .per_byte = 8e-9};
    model.combines[tutti::pricing::combine_name<std::plus<>, int>()] = 0.5e-9;
    model.choices = {{.collective = "all_reduce", .from = 4000, .algorithm = "ring"},
                     {.collective = "all_reduce", .from = 4, .to = 8, .algorithm = "bubble_sort"}};
    auto const with_model = [&](std::size_t elements, auto const& op) {
        return explained(4, [&](auto& world) {
            tutti::use(world, model);
            std::vector<int> in(elements, 1);
            std::vector<int> out(elements);
            return tutti::plan::all_reduce(world, in, out, op);
        });
    };
    auto const by_ring = with_model(4000, plus);
    BOOST_TEST(contains(by_ring, "\nalgorithm: ring in 8 blocks (named by the tuning file)\n"));
    BOOST_TEST(contains(by_ring, " us (L = 20 us, o = 5 us, g = 6 us, G = 8 ns and gamma = 0.5 ns per byte)\n"));
    // the time that decides, and no other
    BOOST_TEST(contains(by_ring, " combined by a rank, 313.4 us ("));
    BOOST_TEST(contains(by_ring, "\n*       313.40 us  ring in 8 blocks\n"));
    BOOST_TEST(!contains(by_ring, "at least"));
    auto const unheeded = ", since what the tuning file names cannot be chosen here)\n";
    BOOST_TEST(contains(with_model(4000, in_order), unheeded));
    BOOST_TEST(contains(with_model(1, plus), unheeded));
    BOOST_TEST(contains(with_model(2, plus), " (expected to take the least time)\n"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(plans)

BOOST_AUTO_TEST_CASE(a_plan_explains_itself_whenever_it_is_asked) {
    tutti::threads::run(4, [](auto& world) {
        std::vector<int> in(3, 1);
        std::vector<int> out(3);
        auto plan = tutti::plan::all_reduce(world, in, out, plus);
        auto const before = plan.explain();
        plan.start();
        auto const meanwhile = plan.explain();
        plan.wait();
        auto const moved = std::move(plan);
        if (meanwhile != before || moved.explain() != before || out != std::vector<int>(3, 4)) {
            throw std::runtime_error{"a plan does not explain itself twice alike"};
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(courses)

using tutti::buffer;
using tutti::side;
using tutti::step;

BOOST_AUTO_TEST_CASE(the_most_of_any_rank_is_counted) {
    auto const result = buffer::result();
    // rank 0 combines 2 + 3 elements, rank 2 sends 5
    auto const text = explain(
        tutti::collective::reduce{},
        of_steps({{step::receive_combine(0, 2, result, 0, side::right),
                   step::receive_combine(1, 1, result, 1, side::right)},
                  {step::receive_combine(0, 2, result, 1, side::right), step::send(1, 0, result, 1)},
                  {step::send(0, 0, result, 0), step::send(0, 1, result, 1)}},
                 5, 2, 2));
    BOOST_TEST(contains(text, "reduce of 5 elements of 1 byte on 3 ranks, root 0\nalgorithm: mine in 2 blocks (to "
                              "see)\npredicted: 2 rounds, at most 5 elements sent and 5 combined by a rank, "));
}

BOOST_AUTO_TEST_CASE(what_comes_into_an_empty_block_is_no_combine) {
    auto const aside = buffer::scratch(0);
    auto const text =
        explain(tutti::collective::reduce{},
                of_steps({{step::receive_combine(0, 1, aside, 0, side::right),
                           step::combine(0, aside, buffer::result(), 0, side::right)},
                          {step::send(0, 0, buffer::result(), 0)}},
                         5, 1, 1));
    BOOST_TEST(contains(text, "1 round, at most 5 elements sent and 5 combined by a rank, "
                              "1.50175 us, at least 1.50175" + figures));
}

BOOST_AUTO_TEST_CASE(too_many_steps_are_not_simulated) {
    auto const back_and_forth = [](std::size_t pairs) {
        auto const result = buffer::result();
        std::vector<step> first(pairs, step::send(0, 1, result, 0));
        std::vector<step> second(pairs, step::receive(0, 0, result, 0));
        return explain(tutti::collective::broadcast{}, of_steps({std::move(first), std::move(second)}, 1, 1, 7));
    };
    auto const head = std::string{"broadcast of 1 element of 1 byte on 2 ranks, root 0\nalgorithm: mine in 1 block (to "
                                  "see)\npredicted: 7 rounds"};
    BOOST_TEST(back_and_forth(500'001) == head + "; too many steps to simulate\n");
    BOOST_TEST(back_and_forth(10) == head + ", at most 10 elements sent and 0 combined by a rank, "
                                            "15.0025 us, at least 1.50025" + figures);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
