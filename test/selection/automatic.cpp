// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#define BOOST_TEST_MODULE selection_automatic
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tutti/analysis/verify.hpp>
#include <tutti/selection/automatic.hpp>

using namespace tutti;

namespace {

constexpr std::size_t KiB = 1024;
constexpr std::size_t MiB = 1024 * KiB;

template <bool Commutes, class Collective>
std::string chosen(Collective which, std::size_t size, std::size_t bytes, std::size_t longest_part = 0) {
    return selection::choose<Commutes>(which, {size, bytes, longest_part}, [&](auto const& generator, std::string_view why) {
        BOOST_TEST(!why.empty());
        // whatever is chosen keeps what is promised of the operator, and all ranks have the same bits
        constexpr auto known = facts_of<Collective, std::remove_cvref_t<decltype(generator)>>;
        static_assert(Commutes || !known.requires_commutative);
        static_assert(!known.requires_identity && known.identical_on_all_ranks);
        BOOST_TEST(known.supports(size));
        auto const blocks = blocks_for(which, generator, size, bytes);
        auto const cut = partition::equal(12, ownership::divides<Collective> ? size : blocks > 3 ? 4 : 1);
        auto const proven = verify(which, generator, size, size / 2 * collective::is_rooted<Collective>, cut);
        BOOST_TEST(proven.ok, proven.reason);
        return name_of(which, generator);
    });
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_vectors_take_the_fewest_rounds) {
    for (std::size_t const bytes : {std::size_t{0}, std::size_t{8}, 4 * KiB}) {
        BOOST_TEST(chosen<true>(collective::reduce{}, 16, bytes) == "binomial");
        BOOST_TEST(chosen<false>(collective::reduce{}, 16, bytes) == "binomial");
        BOOST_TEST(chosen<true>(collective::broadcast{}, 16, bytes) == "reverse(binomial)");
        BOOST_TEST(chosen<true>(collective::all_reduce{}, 16, bytes) == "recursive_doubling");
        BOOST_TEST(chosen<false>(collective::all_reduce{}, 16, bytes) == "recursive_doubling");
        BOOST_TEST(chosen<false>(collective::inclusive_scan{}, 16, bytes) == "doubling");
        BOOST_TEST(chosen<false>(collective::exclusive_scan{}, 16, bytes) == "doubling");
        BOOST_TEST(chosen<false>(collective::scan_reduce{}, 16, bytes) == "direct");
        BOOST_TEST(chosen<false>(collective::scatter{}, 16, bytes) == "binomial");
        BOOST_TEST(chosen<false>(collective::gather{}, 16, bytes) == "reverse(binomial)");
    }
}

BOOST_AUTO_TEST_CASE(longer_ones_are_cut) {
    BOOST_TEST(chosen<true>(collective::reduce{}, 16, 64 * KiB) == "butterfly");
    BOOST_TEST(chosen<true>(collective::reduce{}, 48, 4 * MiB) == "round_optimal");
    BOOST_TEST(chosen<false>(collective::reduce{}, 48, 4 * MiB) == "two_tree");
    BOOST_TEST(chosen<true>(collective::broadcast{}, 48, 64 * KiB) == "reverse(butterfly)");
    BOOST_TEST(chosen<true>(collective::broadcast{}, 48, MiB) == "round_optimal");
    BOOST_TEST(chosen<true>(collective::all_reduce{}, 16, 16 * KiB) == "split");
    BOOST_TEST(chosen<true>(collective::all_reduce{}, 16, 512 * KiB) == "then(circulant, reverse(circulant))");
    BOOST_TEST(chosen<true>(collective::all_reduce{}, 16, MiB) == "ring");
    BOOST_TEST(chosen<false>(collective::all_reduce{}, 16, 64 * KiB) == "split");
    BOOST_TEST(chosen<false>(collective::all_reduce{}, 48, 4 * MiB) == "split");
    BOOST_TEST(chosen<false>(collective::exclusive_scan{}, 48, 64 * KiB) == "split");
    BOOST_TEST(chosen<false>(collective::exclusive_scan{}, 256, 8 * MiB) == "two_tree");
    BOOST_TEST(chosen<false>(collective::scan_reduce{}, 48, 64 * KiB) == "split");
    BOOST_TEST(chosen<false>(collective::scan_reduce{}, 48, 4 * MiB) == "two_tree");
}

BOOST_AUTO_TEST_CASE(chains_pay_when_their_length_does_not_matter) {
    BOOST_TEST(chosen<true>(collective::reduce{}, 16, 8 * MiB) == "pipeline");
    BOOST_TEST(chosen<true>(collective::reduce{}, 17, 8 * MiB) == "round_optimal");
    BOOST_TEST(chosen<true>(collective::broadcast{}, 4, 8 * MiB) == "reverse(pipeline)");
    BOOST_TEST(chosen<false>(collective::all_reduce{}, 4, 8 * MiB) == "then(pipeline, reverse(pipeline))");
    BOOST_TEST(chosen<false>(collective::inclusive_scan{}, 16, MiB) == "linear");
    BOOST_TEST(chosen<false>(collective::exclusive_scan{}, 48, 8 * MiB) == "linear");
    BOOST_TEST(chosen<false>(collective::scan_reduce{}, 16, 2 * MiB) == "linear");
}

BOOST_AUTO_TEST_CASE(many_ranks_do_not_pass_a_few_bytes_round_a_ring) {
    BOOST_TEST(chosen<true>(collective::all_reduce{}, 64, 2 * MiB) == "then(circulant, reverse(circulant))");
    BOOST_TEST(chosen<true>(collective::all_reduce{}, 64, 4 * MiB) == "ring");
}

BOOST_AUTO_TEST_CASE(parts_decide_where_every_rank_has_one) {
    BOOST_TEST(chosen<true>(collective::reduce_scatter{}, 12, MiB) == "circulant");
    BOOST_TEST(chosen<false>(collective::reduce_scatter{}, 12, MiB) == "split");
    BOOST_TEST(chosen<true>(collective::all_gather{}, 12, MiB) == "reverse(circulant)");
    BOOST_TEST(chosen<true>(collective::reduce_scatter{}, 12, MiB, MiB) == "round_optimal");
    BOOST_TEST(chosen<true>(collective::all_gather{}, 12, MiB, MiB) == "reverse(round_optimal)");
    BOOST_TEST(chosen<true>(collective::all_gather{}, 12, 64 * KiB, 64 * KiB) == "reverse(circulant)");
    BOOST_TEST(chosen<true>(collective::scatter{}, 12, MiB) == "linear");
    BOOST_TEST(chosen<true>(collective::gather{}, 12, MiB) == "reverse(linear)");
}
