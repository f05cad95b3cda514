// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <support/expected_times.hpp>
#include <support/sentences.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/execution/instruction_window.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/ring.hpp>
#include <tutti/node_map.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/selection/plan_program.hpp>

BOOST_AUTO_TEST_SUITE(selection_plan_program)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::generators;
using namespace tutti::selection;
using namespace tutti::schedules;

namespace {

// Rank 2 of 3 owns the last two blocks, the elements 5 and 6.
partition const cut = partition::of_sizes(std::vector<std::size_t>{2, 1, 0, 2, 1, 1});
block_range const all_blocks{0, 6};
block_range const own_blocks{4, 6};
constexpr std::size_t own_begins = 5;

enum class at { root, other };

template <class Collective>
data_layout placed(Collective, at where, bool in_place) {
    problem const rank{2, 3, where == at::root ? std::size_t{2} : std::size_t{0}, cut};
    return place_of(collective::traits<Collective>, rank_view{rank, in_place});
}

/// Whether operands and results are where they should be; results lie in memory of the collective's own otherwise.
struct expected {
    block_range provided;
    std::size_t input_offset;
    block_range required;
    std::uint32_t result;
    std::size_t result_offset;
};

void check(data_layout const& seen, expected const& due) {
    BOOST_TEST((seen.provided == due.provided));
    BOOST_TEST((seen.required == due.required));
    BOOST_TEST(seen.result == due.result);
    BOOST_TEST(seen.input_offset == due.input_offset);
    BOOST_TEST(seen.result_offset == due.result_offset);
}

}  // namespace

namespace test {

/// Works on powers of two only.
struct picky {
    friend bool operator==(picky const&, picky const&) = default;
};
constexpr facts describe(collective::reduce, std::type_identity<picky>) {
    return {.name = "picky", .supports = [](std::size_t size) { return (size & (size - 1)) == 0; }};
}
auto generate(collective::reduce, picky const&, problem const& at) {
    return generate(collective::reduce{}, binomial{}, at);
}

}  // namespace test

namespace {

std::string used(auto which, auto const& named, std::size_t size) {
    using A = std::remove_cvref_t<decltype(named)>;
    std::unique_ptr<held_algorithm> held;
    if constexpr (!std::is_same_v<A, automatic>) { held.reset(hold_algorithm<decltype(which), true, true, A>(&named)); }
    call_kind const kind{};
    planned_call const call{.kind = &kind, .size = size, .elements = 8, .algorithm = held.get()};
    auto const chosen = algorithm_of(which, call);
    return chosen.generator.name() + ": " + std::string{chosen.why};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_generator_stands_for_itself) {
    BOOST_TEST(used(collective::reduce{}, pipeline{}, 4) == "pipeline: named by the caller");
    BOOST_TEST(used(collective::all_reduce{}, ring{}, 4) == "ring: named by the caller");
    static_assert(std::is_same_v<decltype(algorithm_for(collective::broadcast{}, round_optimal{})), round_optimal>);
}

BOOST_AUTO_TEST_CASE(a_reduction_stands_for_what_follows_from_it) {
    BOOST_TEST(used(collective::broadcast{}, pipeline{}, 4) == "reverse(pipeline): named by the caller");
    BOOST_TEST(used(collective::all_reduce{}, pipeline{}, 4) ==
               "then(pipeline, reverse(pipeline)): named by the caller");
}

BOOST_AUTO_TEST_CASE(without_a_name_tutti_chooses) {
    BOOST_TEST(used(collective::reduce{}, automatic{}, 4) == "postal_tree: expected to take the least time");
}

BOOST_AUTO_TEST_CASE(a_number_of_ranks_that_does_not_fit_is_refused) {
    BOOST_TEST(used(collective::reduce{}, test::picky{}, 8) == "picky: named by the caller");
    BOOST_CHECK_EXCEPTION(used(collective::reduce{}, test::picky{}, 6), std::invalid_argument,
                          support::says("tutti: picky does not support 6 ranks; name another algorithm, or none"));
}

BOOST_AUTO_TEST_CASE(a_program_is_that_of_one_rank) {
    call_kind const kind{.element_bytes = 8};
    linear const named;
    auto const held =
        std::unique_ptr<held_algorithm>{hold_algorithm<collective::reduce, true, false, linear>(&named)};
    planned_call call{.kind = &kind, .size = 4, .root = 0, .elements = 10, .algorithm = held.get()};
    BOOST_TEST(plan_program<collective::reduce>(call).instructions.size() == 3U);  // one receive for each other rank
    call.rank = 2;
    auto const leaf = plan_program<collective::reduce>(call);
    BOOST_REQUIRE(leaf.instructions.size() == 1U);
    BOOST_TEST(leaf.instructions[0].elements == 10U);
    BOOST_TEST((leaf.instructions[0].what == action::send));
    call.elements = 0;
    BOOST_TEST(plan_program<collective::reduce>(call).instructions.empty());
}

BOOST_AUTO_TEST_CASE(what_is_combined_is_cut_for_the_cache) {
    own_parameters now{4, 0};  // on one node
    BOOST_TEST((tutti::selection::longest_message<tutti::collective::reduce>(now, sizeof(double))) == 64U * 1024);
    BOOST_TEST((tutti::selection::longest_message<tutti::collective::broadcast>(now, sizeof(double))) > std::size_t{1}
                                                                                                            << 50);
    now.nodes = tutti::node_map::of_width(1);
    now.its.longest_message = 4096;
    BOOST_TEST((tutti::selection::longest_message<tutti::collective::reduce>(now, sizeof(double))) == 512U);
    now.its.longest_message = 1;
    BOOST_TEST((tutti::selection::longest_message<tutti::collective::reduce>(now, sizeof(double))) == 1U);
}

namespace {

/// Of all ranks, for vectors of so many elements that each has parts of its own.
template <class Collective>
[[nodiscard]] std::vector<program> programs_of(std::size_t size, std::size_t elements, node_map const& nodes) {
    call_kind const kind{
        .collective = Collective::name, .element_bytes = 8, .rooted = collective::is_rooted<Collective>};
    machine_model const machine;
    std::vector<program> result;
    for (std::size_t rank = 0; rank != size; ++rank) {
        result.push_back(plan_program<Collective>({.kind = &kind,
                                                   .rank = rank,
                                                   .size = size,
                                                   .root = collective::is_rooted<Collective> ? size - 1 : 0,
                                                   .elements = elements * size,
                                                   .machine = &machine,
                                                   .nodes = &nodes}));
    }
    return result;
}

/// Ranks that wait in vain compare what they have to exchange.
void check_traffic(std::string_view name, std::vector<program> const& all) {
    for (std::size_t rank = 0; rank != all.size(); ++rank) {
        for (std::size_t peer = 0; peer != rank; ++peer) {
            auto const [self, other] = std::pair{static_cast<int>(rank), static_cast<int>(peer)};
            auto const mine = instruction_window{all[rank]}.traffic(self, other);
            auto const theirs = instruction_window{all[peer]}.traffic(other, self);
            if (mine == theirs) { continue; }
            BOOST_TEST(false, name << ": ranks " << rank << " and " << peer << " of " << all.size());
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_ranks_find_the_same_messages_between_them) {
    auto const check = []<class... Each>(collective::list<Each...>, auto elements, auto size, auto const& nodes) {
        (check_traffic(Each::name, programs_of<Each>(size, elements, nodes)), ...);
    };
    for (std::size_t const size : {2U, 3U, 4U, 7U, 8U, 13U, 16U}) {
        for (std::size_t const elements : {1U, 100U, 10'000U, 300'000U}) {
            for (std::size_t const width : {4U, 16U}) {
                check(collective::all{}, elements, size, node_map::of_width(width));
            }
        }
    }
    auto const pipelined = programs_of<collective::reduce>(4, 100'000, node_map::of_width(4));
    auto const others = programs_of<collective::reduce>(4, 200'000, node_map::of_width(4));
    bool differs = false;
    for (int peer = 1; peer != 4; ++peer) {
        differs |= instruction_window{pipelined[0]}.traffic(0, peer) != instruction_window{others[0]}.traffic(0, peer);
    }
    BOOST_TEST(differs);
}

BOOST_AUTO_TEST_CASE(ranks_own_blocks) {
    problem const rank{2, 3, 0, cut};
    rank_view const who{rank, false};
    BOOST_TEST(!who.is_root());
    BOOST_TEST((who.all() == all_blocks));
    BOOST_TEST((ownership::held(collective::holder::owner, rank) == own_blocks));
}

BOOST_AUTO_TEST_CASE(whole_vectors_on_all_ranks) {
    check(placed(collective::all_reduce{}, at::other, false), {all_blocks, 0, all_blocks, location::output, 0});
    check(placed(collective::all_reduce{}, at::other, true), {all_blocks, 0, all_blocks, location::input, 0});
    check(placed(collective::inclusive_scan{}, at::other, false), {all_blocks, 0, all_blocks, location::output, 0});
    check(placed(collective::inclusive_scan{}, at::other, true), {all_blocks, 0, all_blocks, location::input, 0});
}

BOOST_AUTO_TEST_CASE(whole_vectors_between_the_root_and_all) {
    check(placed(collective::reduce{}, at::root, false), {all_blocks, 0, all_blocks, location::output, 0});
    check(placed(collective::reduce{}, at::root, true), {all_blocks, 0, all_blocks, location::input, 0});
    check(placed(collective::reduce{}, at::other, false), {all_blocks, 0, {}, location::nowhere, 0});
    check(placed(collective::reduce{}, at::other, true), {all_blocks, 0, {}, location::nowhere, 0});
    check(placed(collective::broadcast{}, at::root, true), {all_blocks, 0, all_blocks, location::input, 0});
    check(placed(collective::broadcast{}, at::other, true), {{}, 0, all_blocks, location::input, 0});
}

BOOST_AUTO_TEST_CASE(prefixes) {
    auto const separate = placed(collective::exclusive_scan{}, at::other, false);
    check(separate, {all_blocks, 0, {}, location::nowhere, 0});
    BOOST_TEST(separate.prefix == location::output);
    auto const in_place = placed(collective::exclusive_scan{}, at::other, true);
    check(in_place, {all_blocks, 0, {}, location::nowhere, 0});
    BOOST_TEST(in_place.prefix == location::input);
    auto const both = placed(collective::scan_reduce{}, at::other, false);
    check(both, {all_blocks, 0, all_blocks, location::second_output, 0});
    BOOST_TEST(both.prefix == location::output);
    auto const both_in_place = placed(collective::scan_reduce{}, at::other, true);
    check(both_in_place, {all_blocks, 0, all_blocks, location::second_output, 0});
    BOOST_TEST(both_in_place.prefix == location::input);
    BOOST_TEST(placed(collective::inclusive_scan{}, at::other, false).prefix == location::nowhere);
}

BOOST_AUTO_TEST_CASE(parts_of_all_ranks) {
    auto const separate = placed(collective::reduce_scatter{}, at::other, false);
    check(separate, {all_blocks, 0, own_blocks, location::output, own_begins});
    BOOST_TEST(!separate.compact_result);
    auto const in_place = placed(collective::reduce_scatter{}, at::other, true);
    check(in_place, {all_blocks, 0, own_blocks, location::input, 0});
    BOOST_TEST(in_place.compact_result);
    problem const alone{0, 1, 0, partition::equal(4, 4)};
    BOOST_TEST(!place_of(collective::traits<collective::reduce_scatter>, rank_view{alone, true}).compact_result);
    check(placed(collective::all_gather{}, at::other, false),
          {own_blocks, own_begins, all_blocks, location::output, 0});
    check(placed(collective::all_gather{}, at::other, true), {own_blocks, 0, all_blocks, location::input, 0});
}

// In place is only what the root does: elsewhere memory holds the part alone.
BOOST_AUTO_TEST_CASE(parts_from_and_to_the_root) {
    check(placed(collective::gather{}, at::root, false), {own_blocks, own_begins, all_blocks, location::output, 0});
    check(placed(collective::gather{}, at::root, true), {own_blocks, 0, all_blocks, location::input, 0});
    check(placed(collective::gather{}, at::other, false), {own_blocks, own_begins, {}, location::nowhere, 0});
    check(placed(collective::scatter{}, at::root, false), {all_blocks, 0, own_blocks, location::output, own_begins});
    check(placed(collective::scatter{}, at::root, true), {all_blocks, 0, {}, location::nowhere, 0});
    check(placed(collective::scatter{}, at::other, false), {{}, 0, own_blocks, location::output, own_begins});
}

BOOST_AUTO_TEST_CASE(nothing_moves_to_the_front_elsewhere) {
    BOOST_TEST(!placed(collective::all_gather{}, at::other, true).compact_result);
    BOOST_TEST(!placed(collective::gather{}, at::root, true).compact_result);
    BOOST_TEST(!placed(collective::scatter{}, at::root, true).compact_result);
    BOOST_TEST(!placed(collective::all_reduce{}, at::root, true).compact_result);
}

BOOST_AUTO_TEST_SUITE_END()
