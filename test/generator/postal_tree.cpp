// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include <laws/schedule_laws.hpp>
#include <support/rooted_trees.hpp>
#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator/papers/fibonacci.hpp>
#include <tutti/generator/postal_tree.hpp>

BOOST_AUTO_TEST_SUITE(generator_postal_tree)

using namespace tutti;
using namespace tutti::analysis;
using namespace tutti::generators;
using namespace tutti::schedules;

namespace {

std::vector<postal_tree> const whole_costs{{1, 1}, {2, 1}, {3, 1}, {3, 2}, {5, 1}, {7, 3}, {10, 4}, {40, 1}};
std::vector<postal_tree> const all_costs = [] {
    auto all = whole_costs;
    // sums of these are rounded
    for (auto const& each : std::vector<postal_tree>{{0.3, 0.1}, {0.7, 0.1}, {1.1e-6, 0.7e-7}, {3.3, 3.3}}) {
        all.push_back(each);
    }
    return all;
}();

/// N(t) for t = 0, 1, ...: ranks whose operands can be combined within t.
class ranks_within {
public:
    explicit ranks_within(postal_tree const& costs)
        : latency_{static_cast<std::size_t>(costs.latency)}, gap_{static_cast<std::size_t>(costs.gap)} {}

    std::size_t operator()(std::size_t time) {
        if (time < latency_) { return 1; }
        auto const [at, is_new] = known_.try_emplace(time, 0);
        if (is_new) {
            auto const found = (*this)(time - gap_) + (*this)(time - latency_);
            known_[time] = found;
            return found;
        }
        return at->second;
    }

private:
    std::size_t latency_;
    std::size_t gap_;
    std::map<std::size_t, std::size_t> known_;
};

/// When machine 0 has everything, if a machine takes first what is ready first.
double length_of(std::span<std::size_t const> tree, postal_tree const& costs) {
    std::vector<std::vector<double>> children(tree.size());
    double ready = 0;
    for (auto machine = tree.size(); machine-- > 0;) {
        auto& sent = children[machine];
        std::sort(sent.begin(), sent.end());
        ready = 0;
        for (std::size_t i = 0; i < sent.size(); ++i) {
            ready = std::max(sent[i] + costs.latency, i == 0 ? 0 : ready + costs.gap);
        }
        if (machine != 0) { children[tree[machine]].push_back(ready); }
    }
    return ready;
}

/// The receiver of each rank's message, of a reduction to rank 0.
std::vector<std::size_t> receivers_of(postal_tree const& costs, std::size_t size) {
    std::vector<std::size_t> result(size, 0);
    auto const cut = partition::equal(1, 1);
    for (std::size_t rank = 1; rank < size; ++rank) {
        for (step const& each : generate(collective::reduce{}, costs, problem{rank, size, 0, cut})) {
            if (each.what == action::send) { result[rank] = each.peer; }
        }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reduces_in_rank_order_to_any_root) {
    laws::check_schedules(collective::reduce{}, postal_tree{});
    for (auto const& costs : all_costs) {
        laws::check_schedules(collective::reduce{}, costs, {2, 5, 8, 13, 33, 64, 200}, {partition::equal(3, 1)});
    }
    laws::check_lengths(collective::reduce{}, postal_tree{});
}

BOOST_AUTO_TEST_CASE(broadcasts_and_all_reduces) {
    laws::check_schedules(collective::broadcast{}, reverse(postal_tree{}), {1, 2, 3, 8, 13, 33});
    laws::check_schedules(collective::all_reduce{}, then(postal_tree{}, reverse(postal_tree{})), {1, 2, 3, 8, 13, 33});
    laws::check_lengths(collective::broadcast{}, reverse(postal_tree{}), {1, 2, 3, 8, 13, 33});
}

BOOST_AUTO_TEST_CASE(scatters_and_gathers) {
    laws::check_schedules(collective::scatter{}, postal_tree{});
    laws::check_schedules(collective::scatter{}, postal_tree{3, 1}, {2, 5, 8, 13, 33});
    laws::check_schedules(collective::gather{}, reverse(postal_tree{}), {1, 2, 3, 8, 13, 33});
    laws::check_lengths(collective::scatter{}, postal_tree{});
}

BOOST_AUTO_TEST_CASE(lengths_are_those_of_the_recurrence) {
    for (auto const& costs : whole_costs) {
        ranks_within within{costs};
        std::size_t time = 0;
        for (std::size_t size = 1; size <= 500; ++size) {
            while (within(time) < size) { ++time; }
            BOOST_TEST(makespan_of(costs, size) == static_cast<double>(time));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_broadcast_to_eight_ranks_is_the_one_published) {
    // LogP with L = 6, o = 2, g = 4
    constexpr postal_tree costs{.latency = 10, .gap = 4};
    BOOST_TEST(makespan_of(costs, 8) == 24.0);
    BOOST_TEST(test::shape(receivers_of(costs, 8)) == test::shape(test::rooted_tree{0, 0, 0, 0, 1, 0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(no_tree_is_shorter) {
    for (auto const& costs : whole_costs) {
        for (std::size_t size = 1; size <= 8; ++size) {
            auto shortest = std::numeric_limits<double>::infinity();
            test::for_each_tree(size, [&](test::rooted_tree const& tree) {
                shortest = std::min(shortest, length_of(tree, costs));
            });
            BOOST_TEST(makespan_of(costs, size) == shortest);
        }
    }
}

BOOST_AUTO_TEST_CASE(ranks_keep_the_gap_and_wait_for_what_they_combine) {
    for (auto const& costs : all_costs) {
        for (std::size_t const size : {2U, 9U, 64U, 301U}) {
            BOOST_TEST(length_of(receivers_of(costs, size), costs) == makespan_of(costs, size),
                       boost::test_tools::tolerance(1e-9));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_latency_of_one_gap_gives_the_binomial_tree) {
    auto binomial = test::rooted_tree{0};
    for (std::size_t size = 2; size <= 256; size *= 2) {
        auto const half = size / 2;
        for (std::size_t machine = 0; machine < half; ++machine) { binomial.push_back(binomial[machine] + half); }
        binomial[half] = 0;
        BOOST_TEST(test::shape(receivers_of(postal_tree{1, 1}, size)) == test::shape(binomial));
    }
    auto const cut = partition::equal(1, 1);
    for (std::size_t size = 1; size <= 200; ++size) {
        auto const rounds = generate(collective::reduce{}, postal_tree{1, 1}, problem{0, size, 0, cut}).rounds();
        BOOST_TEST(rounds == static_cast<std::size_t>(std::bit_width(size - 1)));
    }
}

BOOST_AUTO_TEST_CASE(a_latency_of_two_gaps_gives_the_fibonacci_tree) {
    for (std::size_t const size : {1U, 2U, 3U, 5U, 8U, 13U, 21U, 34U, 55U, 89U, 144U}) {
        BOOST_TEST(test::shape(receivers_of(postal_tree{6, 3}, size)) ==
                   test::shape(tree_of(fibonacci{}, size).receiver));
    }
}

BOOST_AUTO_TEST_CASE(a_long_latency_makes_all_ranks_send_to_the_root) {
    constexpr postal_tree costs{.latency = 40, .gap = 1};
    BOOST_TEST(test::receivers(receivers_of(costs, 41)) == 1U);
    BOOST_TEST(makespan_of(costs, 41) == 79.0);
    BOOST_TEST(test::receivers(receivers_of(costs, 43)) == 2U);
}

BOOST_AUTO_TEST_CASE(only_the_ratio_matters) {
    for (std::size_t size = 1; size <= 100; ++size) {
        BOOST_TEST(receivers_of(postal_tree{5, 2}, size) == receivers_of(postal_tree{2.5, 1}, size));
    }
}

BOOST_AUTO_TEST_CASE(both_ends_of_a_message_agree_among_a_million_ranks) {
    auto const cut = partition::equal(1, 1);
    constexpr std::size_t size = 1'000'003;
    for (auto const& costs : std::vector<postal_tree>{{1, 1}, {5, 2}, {256, 1}, {256, 77}}) {
        for (std::size_t const root : {std::size_t{0}, size / 3, size - 1}) {
            for (std::size_t rank : {std::size_t{0}, std::size_t{1}, size / 2, size - 2, size - 1}) {
                while (rank != root) {  // up to the root
                    std::size_t parent = size, round = 0;
                    for (step const& each : generate(collective::reduce{}, costs, problem{rank, size, root, cut})) {
                        if (each.what == action::send) { parent = each.peer, round = each.round; }
                    }
                    BOOST_TEST_REQUIRE(parent < size);
                    auto const at = problem{parent, size, root, cut};
                    bool is_received = false;
                    for (step const& each : generate(collective::reduce{}, costs, at)) {
                        is_received |= each.what == action::receive_combine && each.peer == rank && each.round == round;
                    }
                    BOOST_TEST_REQUIRE(is_received);
                    rank = parent;
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(operands_stay_in_order) {
    auto const cut = partition::equal(1, 1);
    auto const text = [&](std::size_t root) {
        return bracketings(collective::reduce{}, postal_tree{.latency = 3, .gap = 1}, 9, root, cut, root).front();
    };
    BOOST_TEST(text(0) == "(((((0+1)+2)+3)+(4+5))+((6+7)+8))");
    BOOST_TEST(text(8) == "(((0+1)+2)+((3+4)+(5+(6+(7+8)))))");
}

BOOST_AUTO_TEST_CASE(refuses_costs_that_cannot_be) {
    auto const infinity = std::numeric_limits<double>::infinity();
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<postal_tree> const wrong{{1, 2},   {1, 0},  {0, 0}, {1, -1}, {infinity, 1}, {infinity, infinity},
                                         {nan, 1}, {1, nan}};
    laws::check_refusals(collective::reduce{}, wrong, {0, 4, 0, partition::equal(1, 1)});
}

BOOST_AUTO_TEST_SUITE_END()
