// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <support/expected_times.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/selection/candidates/all.hpp>

BOOST_AUTO_TEST_SUITE(selection_automatic)

using namespace tutti;
using namespace tutti::schedules;

namespace {

constexpr std::size_t KiB = 1024;
constexpr std::size_t MiB = 1024 * KiB;

/// The costs of a network of 1 Gbit/s.
own_parameters on_ethernet(std::size_t size, std::size_t bytes) {
    return on_links(size, bytes, {.latency = 30e-6, .overhead = 10e-6, .gap = 10e-6, .per_byte = 8e-9});
}

template <bool Commutes, class Collective>
std::string chosen(Collective which, call_parameters const& now) {
    return selection::choose(which, now, Commutes, [&](auto const& generator, std::string_view why) {
        BOOST_TEST(!why.empty());
        return name_of(which, generator);
    });
}

/// All candidates, not the chosen one alone, are right for this number of ranks.
template <bool Commutes, class Collective>
void prove_all(Collective which, call_parameters const& now) {
    auto const all = selection::candidates_for(which, now, Commutes);
    BOOST_TEST(!all.candidates().empty());
    for (auto const& each : all.candidates()) {
        // what is promised of the operator is kept, and all ranks have the same bits
        auto const& known = each.generator.stated();
        BOOST_TEST((Commutes || !known.requires_commutative));
        BOOST_TEST((!known.requires_identity && known.identical_on_all_ranks));
        BOOST_TEST((each.seconds > 0 || now.size == 1), each.generator.name());
        auto const blocks = each.generator.blocks(now.size, now.bytes);
        auto const cut = partition::equal(
            2 * now.size, collective::divides<Collective> ? now.size : std::min<std::size_t>(blocks, 2 * now.size));
        auto const proven =
            verify(which, each.generator, now.size, now.size / 2 * collective::is_rooted<Collective>, cut);
        BOOST_TEST(proven.ok, each.generator.name() << ": " << proven.reason);
    }
}

template <class Collective>
void prove_all_on(std::size_t size) {
    for (std::size_t const bytes : {std::size_t{0}, 4 * KiB, MiB}) {
        prove_all<true>(Collective{}, on_ethernet(size, bytes));
        prove_all<false>(Collective{}, on_ethernet(size, bytes));
        auto nodes = on_ethernet(size, bytes);
        nodes.nodes = node_map::of_width(4);
        nodes.its.within_node.latency = 1e-6;
        prove_all<true>(Collective{}, nodes);
        prove_all<false>(Collective{}, nodes);
    }
}

template <class Collective>
void prove_all_sizes() {
    for (std::size_t const size : {1U, 2U, 3U, 5U, 8U, 12U, 16U}) { prove_all_on<Collective>(size); }
}

}  // namespace

BOOST_AUTO_TEST_CASE(whatever_may_be_chosen_is_right) {
    prove_all_sizes<collective::reduce>();
    prove_all_sizes<collective::broadcast>();
    prove_all_sizes<collective::all_reduce>();
    prove_all_sizes<collective::inclusive_scan>();
    prove_all_sizes<collective::exclusive_scan>();
    prove_all_sizes<collective::scan_reduce>();
    prove_all_sizes<collective::reduce_scatter>();
    prove_all_sizes<collective::all_gather>();
    prove_all_sizes<collective::gather>();
    prove_all_sizes<collective::scatter>();
}

BOOST_AUTO_TEST_CASE(vectors_are_exchanged_where_they_lie_if_memory_is_lent) {
    auto const is_candidate = [](call_parameters const& now) {
        auto const any = selection::candidates_for(collective::all_reduce{}, now, false).candidates();
        return std::any_of(any.begin(), any.end(),
                           [](auto const& each) { return each.generator.name() == "direct_exchange"; });
    };
    for (std::size_t const bytes : {std::size_t{0}, std::size_t{8}, 16 * MiB}) {
        call_parameters lent{.size = 2, .bytes = bytes, .lends_objects = true};
        BOOST_TEST(is_candidate(lent));
        prove_all<true>(collective::all_reduce{}, lent);
        prove_all<false>(collective::all_reduce{}, lent);
        lent.size = send_window;
        BOOST_TEST(is_candidate(lent));
        ++lent.size;
        BOOST_TEST(!is_candidate(lent));
        lent.size = 8;
        lent.lends_objects = false;
        BOOST_TEST(!is_candidate(lent));
        lent.lends_objects = true;
        lent.nodes = node_map::of_width(4);
        BOOST_TEST(!is_candidate(lent));
        BOOST_TEST(!is_candidate({.size = 1, .bytes = bytes, .lends_objects = true}));
    }
    call_parameters cached{.size = 2, .bytes = 256 * 1024, .lends_objects = true};
    BOOST_TEST(chosen<false>(collective::all_reduce{}, cached) == "recursive_multiplying");
    cached.bytes *= 2;
    BOOST_TEST(chosen<false>(collective::all_reduce{}, cached) == "direct_exchange");
    for (std::size_t const size : {2U, 4U, 16U, 64U}) {
        call_parameters const brief{.size = size, .bytes = 8, .lends_objects = true};
        call_parameters const lengthy{.size = size, .bytes = 16 * MiB, .lends_objects = true};
        BOOST_TEST(chosen<true>(collective::all_reduce{}, brief) == "recursive_multiplying");
        BOOST_TEST(chosen<true>(collective::all_reduce{}, lengthy) == "direct_exchange");
        BOOST_TEST(chosen<false>(collective::all_reduce{}, lengthy) == "direct_exchange");
    }
}

BOOST_AUTO_TEST_CASE(short_vectors_take_the_fewest_latencies) {
    for (std::size_t const bytes : {std::size_t{0}, std::size_t{8}, 2 * KiB}) {
        auto const now = on_ethernet(16, bytes);
        BOOST_TEST(chosen<true>(collective::reduce{}, now) == "postal_tree");
        BOOST_TEST(chosen<false>(collective::reduce{}, now) == "postal_tree");
        BOOST_TEST(chosen<true>(collective::broadcast{}, now) == "reverse(postal_tree)");
        BOOST_TEST(chosen<true>(collective::all_reduce{}, now) == "recursive_multiplying");
        BOOST_TEST(chosen<false>(collective::inclusive_scan{}, now) == "recursive_multiplying");
        BOOST_TEST(chosen<false>(collective::scan_reduce{}, now) == "recursive_multiplying");
        BOOST_TEST(chosen<true>(collective::reduce_scatter{}, now) == "ported_circulant");
    }
}

BOOST_AUTO_TEST_CASE(longer_ones_are_cut) {
    BOOST_TEST(chosen<true>(collective::reduce{}, on_ethernet(48, 64 * KiB)) == "round_optimal");
    BOOST_TEST(chosen<false>(collective::reduce{}, on_ethernet(48, MiB)) == "two_tree");
    for (std::size_t const size : {16U, 17U}) {
        BOOST_TEST(chosen<true>(collective::all_reduce{}, on_ethernet(size, 128 * KiB)) ==
                   "then(ported_circulant, reverse(ported_circulant))");
    }
    BOOST_TEST(chosen<true>(collective::all_reduce{}, on_ethernet(64, 256 * KiB)) == "split");
    BOOST_TEST(chosen<true>(collective::all_reduce{}, on_ethernet(63, 256 * KiB)) ==
               "then(circulant, reverse(circulant))");
    BOOST_TEST(chosen<false>(collective::all_reduce{}, on_ethernet(48, 4 * MiB)) == "split");
    BOOST_TEST(chosen<false>(collective::exclusive_scan{}, on_ethernet(1000, MiB)) == "split");
    BOOST_TEST(chosen<true>(collective::reduce_scatter{}, on_ethernet(48, 256 * KiB)) == "circulant");
    BOOST_TEST(chosen<false>(collective::reduce_scatter{}, on_ethernet(48, MiB)) == "split");
}

BOOST_AUTO_TEST_CASE(chains_pay_when_their_length_does_not_matter) {
    BOOST_TEST(chosen<true>(collective::reduce{}, on_ethernet(16, 8 * MiB)) == "pipeline");
    BOOST_TEST(chosen<true>(collective::reduce{}, on_ethernet(1000, 8 * MiB)) == "two_tree");
    BOOST_TEST(chosen<true>(collective::broadcast{}, on_ethernet(4, 8 * MiB)) == "reverse(pipeline)");
    BOOST_TEST(chosen<false>(collective::inclusive_scan{}, on_ethernet(16, MiB)) == "linear");
}

BOOST_AUTO_TEST_CASE(a_much_longer_part_goes_from_rank_to_rank) {
    auto now = on_ethernet(12, MiB);
    now.longest_part = MiB;
    BOOST_TEST(chosen<true>(collective::reduce_scatter{}, now) == "round_optimal");
    BOOST_TEST(chosen<true>(collective::all_gather{}, now) == "reverse(round_optimal)");
}

BOOST_AUTO_TEST_CASE(rings_pay_where_messages_hide_the_latency_of_others) {
    BOOST_TEST(chosen<true>(collective::all_reduce{}, on_ethernet(48, MiB)) == "ring");
    BOOST_TEST(chosen<true>(collective::reduce_scatter{}, on_ethernet(48, MiB)) == "bucket");
    BOOST_TEST(chosen<true>(collective::all_gather{}, on_ethernet(48, MiB)) == "reverse(bucket)");
}

BOOST_AUTO_TEST_CASE(crowded_networks_are_left_to_neighbours) {
    auto now = on_ethernet(48, 4 * MiB);
    now.its.distances = {{1, 1}, {1, 1}, {1, 2}, {1, 4}, {1, 8}};
    BOOST_TEST(chosen<true>(collective::all_reduce{}, now) == "ring");
    BOOST_TEST(chosen<true>(collective::reduce_scatter{}, now) == "bucket");
}

BOOST_AUTO_TEST_CASE(nodes_are_used_where_they_pay) {
    auto now = on_ethernet(64, 8);
    now.nodes = node_map::of_width(8);
    now.its.within_node = {.latency = 0.3e-6, .overhead = 0.1e-6, .gap = 0.1e-6, .per_byte = 0.1e-9};
    BOOST_TEST(chosen<true>(collective::all_reduce{}, now).starts_with("hierarchical"));
    now.bytes = MiB;
    BOOST_TEST(chosen<true>(collective::all_reduce{}, now).starts_with("multi_lane"));
    now.nodes = node_map{};  // one node
    BOOST_TEST(!chosen<true>(collective::all_reduce{}, now).starts_with("multi_lane"));
}

BOOST_AUTO_TEST_CASE(the_same_situation_gives_the_same_choice) {
    for (std::size_t bytes = 1; bytes < 64 * MiB; bytes *= 7) {
        auto const now = on_ethernet(29, bytes);
        BOOST_TEST((selection::candidates_for(collective::reduce{}, now, true).best().generator ==
                    selection::candidates_for(collective::reduce{}, now, true).best().generator));
    }
}

BOOST_AUTO_TEST_SUITE_END()
