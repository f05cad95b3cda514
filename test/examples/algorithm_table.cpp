// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// The table in include/tutti/generator/README.md of algorithms, row by row: what it says is what the verifier counts.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include <laws/cost_laws.hpp>
#include <tutti/tutti.hpp>

BOOST_AUTO_TEST_SUITE(examples_algorithm_table)

namespace {

constexpr std::size_t most_ranks = 20;
constexpr std::size_t segment = 3;

/// Calls `row(cost, p, root, q)` for many reductions by `generator`, each of q segments.
template <class Generator, class Row>
void for_reductions(Generator const& generator, Row row) {
    for (std::size_t p = 2; p <= most_ranks; ++p) {
        for (std::size_t root = 0; root < p; ++root) {
            for (std::size_t const q : {1U, 2U, 7U}) {
                auto const cut = tutti::partition::equal(q * segment, q);
                auto const cost = tutti::verify(tutti::collective::reduce{}, generator, p, root, cut);
                BOOST_TEST_CONTEXT("p = " << p << ", root = " << root << ", q = " << q) {
                    cost::check(cost, cost::max_volume_sent == q * segment);
                    row(cost, p, root, q);
                }
            }
        }
    }
}

/// ⌈log2 n⌉
std::size_t log2_up(std::size_t n) { return static_cast<std::size_t>(std::bit_width(n - 1)); }

}  // namespace

BOOST_AUTO_TEST_CASE(linear) {
    for_reductions(tutti::linear{}, [](auto const& cost, std::size_t p, std::size_t, std::size_t q) {
        cost::check(cost, cost::rounds == p - 1, cost::max_combines == (p - 1) * q * segment);
    });
}

BOOST_AUTO_TEST_CASE(binomial) {
    for_reductions(tutti::binomial{}, [](auto const& cost, std::size_t p, std::size_t root, std::size_t q) {
        cost::check(cost, cost::rounds == log2_up(p), cost::max_combines <= log2_up(p) * q * segment);
        if (root == 0) { BOOST_TEST(cost.max_combines == log2_up(p) * q * segment); }
    });
}

BOOST_AUTO_TEST_CASE(pipeline) {
    for_reductions(tutti::pipeline{}, [](auto const& cost, std::size_t p, std::size_t root, std::size_t q) {
        auto const left = root;
        auto const right = p - 1 - root;
        bool const one_chain = left == 0 || right == 0;
        cost::check(cost,
                    cost::rounds == (one_chain ? p + q - 2 : 2 * (q - 1) + std::max(left, right) + (left == right)),
                    cost::max_combines == (one_chain ? 1 : 2) * q * segment);
    });
}

BOOST_AUTO_TEST_CASE(binary_tree) {
    for_reductions(tutti::binary_tree{}, [](auto const& cost, std::size_t p, std::size_t, std::size_t q) {
        cost::check(cost, cost::rounds <= 2 * (log2_up(p + 1) + q - 2), cost::max_combines <= 2 * q * segment);
    });
}

BOOST_AUTO_TEST_CASE(two_tree) {
    for_reductions(tutti::two_tree{}, [](auto const& cost, std::size_t p, std::size_t root, std::size_t q) {
        bool const at_an_end = root == 0 || root == p - 1;
        BOOST_TEST(2 * cost.rounds <= (at_an_end ? 2 * (q + 2 * log2_up(p)) : 3 * q + 6 * log2_up(p)));
        BOOST_TEST(cost.max_combines <= 2 * q * segment);
    });
}

BOOST_AUTO_TEST_CASE(fewest_rounds) {
    auto const row = [](auto const& cost, std::size_t p, std::size_t, std::size_t q) {
        cost::check(cost, cost::rounds == q + log2_up(p) - 1, cost::max_combines <= (q + log2_up(p) - 1) * segment);
    };
    for_reductions(tutti::bi_greedy{}, row);
    for_reductions(tutti::round_optimal{}, row);
    for_reductions(tutti::arrival_ordered{}, row);
}

BOOST_AUTO_TEST_CASE(arrival_ordered) {
    for (std::size_t p = 2; p <= most_ranks; ++p) {
        tutti::arrival_ordered one_by_one{};
        for (std::size_t rank = 0; rank < p; ++rank) {
            one_by_one.arrivals.push_back(100.0 * static_cast<double>(rank));
        }
        for (std::size_t const root : {std::size_t{0}, p - 1}) {
            auto const cut = tutti::partition::equal(2 * segment, 2);
            cost::check(tutti::collective::reduce{}, one_by_one, p, root, cut, cost::max_volume_sent == 2 * segment,
                        cost::max_combines <= (p - 1) * 2 * segment);
        }
    }
}

BOOST_AUTO_TEST_CASE(butterfly) {
    for (std::size_t p = 2; p <= most_ranks; ++p) {
        auto const blocks = std::bit_floor(p);
        bool const folds = blocks != p;
        auto const cut = tutti::partition::equal(blocks * segment, blocks);
        for (std::size_t root = 0; root < p; ++root) {
            auto const cost = cost::check(tutti::collective::reduce{}, tutti::butterfly{}, p, root, cut,
                                          cost::rounds == 2 * log2_up(blocks) + (folds ? 1 : 0));
            BOOST_TEST(2 * cost.max_volume_sent <= 3 * blocks * segment);
            BOOST_TEST(cost.max_combines == (blocks - 1 + (folds ? blocks : 0)) * segment);
        }
    }
}

BOOST_AUTO_TEST_CASE(trees) {
    auto const few = [](auto const& cost, std::size_t p, std::size_t, std::size_t q) {
        BOOST_TEST(cost.max_combines <= 2 * log2_up(p) * q * segment);
    };
    for_reductions(tutti::overlapped_greedy{}, few);
    for_reductions(tutti::overlapped_greedy{.transfer = 1, .combine = 5}, few);
    for_reductions(tutti::overlapped_greedy{.transfer = 5, .combine = 1}, few);
    for_reductions(tutti::fibonacci{}, few);

    auto const row = [](auto const& cost, std::size_t p, std::size_t, std::size_t q) {
        BOOST_TEST(cost.max_combines <= (p - 1) * q * segment);
    };
    for_reductions(tutti::postal_tree{}, row);
    for_reductions(tutti::limited_transfers{}, row);
    for_reductions(tutti::limited_reducers{}, row);
}

BOOST_AUTO_TEST_CASE(uni_greedy) {
    for_reductions(tutti::uni_greedy{}, [](auto const& cost, std::size_t p, std::size_t, std::size_t q) {
        if (q == 1) { BOOST_TEST(cost.rounds == log2_up(p)); }
        BOOST_TEST(cost.max_combines <= log2_up(p) * q * segment);
    });
}

BOOST_AUTO_TEST_CASE(all_reductions) {
    for (std::size_t p = 2; p <= most_ranks; ++p) {
        auto const power = std::has_single_bit(p);
        auto const whole = tutti::partition::equal(segment, 1);
        cost::check(tutti::collective::all_reduce{}, tutti::recursive_doubling{}, p, 0, whole,
                    cost::rounds == log2_up(p) + (power ? 0 : 1), cost::max_volume_sent == log2_up(p) * segment,
                    cost::max_combines == log2_up(p) * segment);

        for (std::size_t const stretches : {1U, 2U, 7U}) {
            auto const cut = tutti::partition::equal(p * stretches * segment, p * stretches);
            cost::check(tutti::collective::all_reduce{}, tutti::direct_exchange{}, p, 0, cut,
                        cost::rounds == stretches + 1, cost::max_volume_sent == 2 * (p - 1) * stretches * segment,
                        cost::max_combines == (p - 1) * stretches * segment);
        }

        for (std::size_t const c : {1U, 2U, 3U}) {
            auto const parts = tutti::partition::equal(c * p * segment, c * p);
            cost::check(tutti::collective::all_reduce{}, tutti::ring{.sub_segments = c}, p, 0, parts,
                        cost::rounds == 2 * (p - 1) * c, cost::max_volume_sent == 2 * (p - 1) * c * segment,
                        cost::max_combines == (p - 1) * c * segment);
        }
    }
}

BOOST_AUTO_TEST_CASE(late_rank) {
    for (std::size_t p = 2; p <= most_ranks; ++p) {
        for (std::size_t const q : {1U, 2U, 7U}) {
            auto const cut = tutti::partition::equal(q * segment, q);
            auto const cost = cost::check(tutti::collective::all_reduce{}, tutti::late_rank{}, p, 0, cut,
                                          cost::rounds <= 2 * (log2_up(p) + q - 1));
            BOOST_TEST(tutti::generators::late_broadcast_rounds(p, q) == log2_up(p) + q - 1);
            BOOST_TEST(cost.max_volume_sent <= (2 * q + log2_up(p)) * segment);
            BOOST_TEST(2 * cost.max_combines <= 3 * (q + log2_up(p)) * segment);
        }
    }
}

BOOST_AUTO_TEST_CASE(all_reductions_in_the_order_of_arrival) {
    tutti::collective::all_reduce const which;
    for (std::size_t p = 2; p <= most_ranks; ++p) {
        auto const parts = tutti::partition::equal(p * segment, p);
        cost::check(which, tutti::pre_reduced_ring{}, p, 0, parts, cost::rounds == 2 * (p - 1));
        for (std::size_t late = 0; late < p; ++late) {
            tutti::pre_reduced_ring known{.arrivals = std::vector<double>(p, 0.0)};
            known.arrivals[late] = 100;
            cost::check(which, known, p, 0, parts, cost::rounds == 2 * (p - 1) + p - 2,
                        cost::max_volume_sent <= 2 * p * segment, cost::max_combines <= p * segment);
        }
        for (std::size_t const q : {std::size_t{1}, std::size_t{7}, p, 3 * p}) {
            auto const cut = tutti::partition::equal(q * segment, q);
            cost::check(which, tutti::sorted_linear_tree{.segments = q}, p, 0, cut,
                        cost::rounds == p + q + std::max(p, q) - 3,
                        cost::max_volume_sent == (p > 2 ? 2 : 1) * q * segment, cost::max_combines == q * segment);
        }
        for (std::size_t const times : {2U, 5U}) {
            auto const q = times * p;
            auto const cut = tutti::partition::equal(q * segment, q);
            auto const cost = cost::check(which, tutti::front_loaded_ring{.sub_segments = times}, p, 0, cut,
                                          cost::rounds == 2 * (q - 1));
            if (p > 2) { BOOST_TEST(cost.max_volume_sent == 2 * (q - 1) * segment); }
            BOOST_TEST(cost.max_combines == (q - 1) * segment);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
