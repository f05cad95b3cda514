// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <tutti/selection/plan_program.hpp>

BOOST_AUTO_TEST_SUITE(selection_plan_program_rank_view)

using namespace tutti;
using namespace tutti::engine;
using namespace tutti::selection;

namespace {

// Rank 2 of 3 owns the last two blocks, the elements 5 and 6.
partition const cut = partition::of_sizes(std::vector<std::size_t>{2, 1, 0, 2, 1, 1});
block_range const all{0, 6};
block_range const own{4, 6};
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

BOOST_AUTO_TEST_CASE(ranks_own_blocks) {
    problem const rank{2, 3, 0, cut};
    rank_view const who{rank, false};
    BOOST_TEST(!who.is_root());
    BOOST_TEST((who.all() == all));
    BOOST_TEST((ownership::held(collective::holder::owner, rank) == own));
}

BOOST_AUTO_TEST_CASE(whole_vectors_on_all_ranks) {
    check(placed(collective::all_reduce{}, at::other, false), {all, 0, all, location::output, 0});
    check(placed(collective::all_reduce{}, at::other, true), {all, 0, all, location::input, 0});
    check(placed(collective::inclusive_scan{}, at::other, false), {all, 0, all, location::output, 0});
    check(placed(collective::inclusive_scan{}, at::other, true), {all, 0, all, location::input, 0});
}

BOOST_AUTO_TEST_CASE(whole_vectors_between_the_root_and_all) {
    check(placed(collective::reduce{}, at::root, false), {all, 0, all, location::output, 0});
    check(placed(collective::reduce{}, at::root, true), {all, 0, all, location::input, 0});
    check(placed(collective::reduce{}, at::other, false), {all, 0, {}, location::nowhere, 0});
    check(placed(collective::reduce{}, at::other, true), {all, 0, {}, location::nowhere, 0});
    check(placed(collective::broadcast{}, at::root, true), {all, 0, all, location::input, 0});
    check(placed(collective::broadcast{}, at::other, true), {{}, 0, all, location::input, 0});
}

BOOST_AUTO_TEST_CASE(prefixes) {
    auto const separate = placed(collective::exclusive_scan{}, at::other, false);
    check(separate, {all, 0, {}, location::nowhere, 0});
    BOOST_TEST(separate.prefix == location::output);
    auto const in_place = placed(collective::exclusive_scan{}, at::other, true);
    check(in_place, {all, 0, {}, location::nowhere, 0});
    BOOST_TEST(in_place.prefix == location::input);
    auto const both = placed(collective::scan_reduce{}, at::other, false);
    check(both, {all, 0, all, location::second_output, 0});
    BOOST_TEST(both.prefix == location::output);
    auto const both_in_place = placed(collective::scan_reduce{}, at::other, true);
    check(both_in_place, {all, 0, all, location::second_output, 0});
    BOOST_TEST(both_in_place.prefix == location::input);
    BOOST_TEST(placed(collective::inclusive_scan{}, at::other, false).prefix == location::nowhere);
}

BOOST_AUTO_TEST_CASE(parts_of_all_ranks) {
    auto const separate = placed(collective::reduce_scatter{}, at::other, false);
    check(separate, {all, 0, own, location::output, own_begins});
    BOOST_TEST(!separate.compact_result);
    auto const in_place = placed(collective::reduce_scatter{}, at::other, true);
    check(in_place, {all, 0, own, location::input, 0});
    BOOST_TEST(in_place.compact_result);
    problem const alone{0, 1, 0, partition::equal(4, 4)};
    BOOST_TEST(!place_of(collective::traits<collective::reduce_scatter>, rank_view{alone, true}).compact_result);
    check(placed(collective::all_gather{}, at::other, false), {own, own_begins, all, location::output, 0});
    check(placed(collective::all_gather{}, at::other, true), {own, 0, all, location::input, 0});
}

// In place is only what the root does: elsewhere memory holds the part alone.
BOOST_AUTO_TEST_CASE(parts_from_and_to_the_root) {
    check(placed(collective::gather{}, at::root, false), {own, own_begins, all, location::output, 0});
    check(placed(collective::gather{}, at::root, true), {own, 0, all, location::input, 0});
    check(placed(collective::gather{}, at::other, false), {own, own_begins, {}, location::nowhere, 0});
    check(placed(collective::scatter{}, at::root, false), {all, 0, own, location::output, own_begins});
    check(placed(collective::scatter{}, at::root, true), {all, 0, {}, location::nowhere, 0});
    check(placed(collective::scatter{}, at::other, false), {{}, 0, own, location::output, own_begins});
}

BOOST_AUTO_TEST_CASE(nothing_moves_to_the_front_elsewhere) {
    BOOST_TEST(!placed(collective::all_gather{}, at::other, true).compact_result);
    BOOST_TEST(!placed(collective::gather{}, at::root, true).compact_result);
    BOOST_TEST(!placed(collective::scatter{}, at::root, true).compact_result);
    BOOST_TEST(!placed(collective::all_reduce{}, at::root, true).compact_result);
}

BOOST_AUTO_TEST_SUITE_END()
