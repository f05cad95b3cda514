// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <string>

#include <tutti/analysis/contract.hpp>
#include <tutti/problem.hpp>

BOOST_AUTO_TEST_SUITE(analysis_contract)

namespace {

using namespace tutti;

constexpr std::size_t size = 3, root = 1, blocks = 5;
constexpr std::array<std::size_t, blocks> owners{0, 1, 1, 2, 2};

/// The operands that `block` of `held` owes on `rank`: "-" if it does not count, "012", or "" for none at all.
template <class Collective>
std::string owed(std::size_t rank, buffer held, std::size_t block) {
    analysis::symbolic::contract<Collective> const all{size, root, blocks};
    if (!all.owed(rank, held, block)) { return "-"; }
    std::string text;
    auto const due = all.due(rank, held, block);
    for (auto each = due.first; each < due.last; ++each) { text += std::to_string(each); }
    return text;
}

/// Whose operand `block` of the input of `rank` is; "-" for nobody's.
template <class Collective>
std::string given(std::size_t rank, std::size_t block) {
    auto const found = analysis::symbolic::contract<Collective>{size, root, blocks}.given(rank, block);
    return found == analysis::symbolic::nothing ? "-" : analysis::symbolic::expressions{size}.text(found);
}

/// Compares with `input(rank, block)`, `result(rank, block)` and `prefix(rank)`.
template <class Collective, class Input, class Result, class Prefix>
void check(Collective, Input input, Result result, Prefix prefix) {
    BOOST_TEST_CONTEXT(Collective::name) {
        for (std::size_t rank = 0; rank < size; ++rank) {
            for (std::size_t block = 0; block < blocks; ++block) {
                BOOST_TEST_CONTEXT("rank " << rank << ", block " << block) {
                    BOOST_TEST(given<Collective>(rank, block) == input(rank, block));
                    BOOST_TEST(owed<Collective>(rank, buffer::result(), block) == result(rank, block));
                    BOOST_TEST(owed<Collective>(rank, buffer::prefix(), block) == prefix(rank));
                    BOOST_TEST(owed<Collective>(rank, buffer::input(), block) == "-");
                    BOOST_TEST(owed<Collective>(rank, buffer::scratch(0), block) == "-");
                }
            }
        }
    }
}

auto const own = [](std::size_t rank, std::size_t) { return std::to_string(rank); };
auto const total = [](std::size_t, std::size_t) { return std::string{"012"}; };
auto const no_prefix = [](std::size_t) { return std::string{"-"}; };
auto const before = [](std::size_t rank) { return std::array<std::string, size>{"", "0", "01"}[rank]; };
auto const of_owner = [](std::size_t, std::size_t block) { return std::to_string(owners[block]); };
auto const owner_has = [](std::size_t rank, std::size_t block) {
    return owners[block] == rank ? std::to_string(rank) : "-";
};
auto const root_has = [](std::size_t rank, std::size_t) { return std::string{rank == 1 ? "1" : "-"}; };

}  // namespace

BOOST_AUTO_TEST_CASE(reductions_owe_everything_to_the_root_or_to_all) {
    check(collective::reduce{}, own, [](std::size_t rank, std::size_t) { return rank == 1 ? "012" : "-"; }, no_prefix);
    check(collective::all_reduce{}, own, total, no_prefix);
}

BOOST_AUTO_TEST_CASE(scans_owe_what_stands_before_a_rank) {
    auto const until = [](std::size_t rank, std::size_t) {
        return std::array<std::string, size>{"0", "01", "012"}[rank];
    };
    check(collective::inclusive_scan{}, own, until, no_prefix);
    check(collective::exclusive_scan{}, own, [](std::size_t, std::size_t) { return "-"; }, before);
    check(collective::scan_reduce{}, own, total, before);
}

BOOST_AUTO_TEST_CASE(what_is_divided_is_owed_to_owners) {
    check(collective::reduce_scatter{}, own,
          [](std::size_t rank, std::size_t block) { return owners[block] == rank ? "012" : "-"; }, no_prefix);
    check(collective::scatter{}, root_has,
          [](std::size_t rank, std::size_t block) { return owners[block] == rank ? "1" : "-"; }, no_prefix);
}

BOOST_AUTO_TEST_CASE(what_only_travels_is_one_rank_s_alone) {
    check(collective::broadcast{}, root_has, [](std::size_t, std::size_t) { return "1"; }, no_prefix);
    check(collective::all_gather{}, owner_has, of_owner, no_prefix);
    check(collective::gather{}, owner_has,
          [](std::size_t rank, std::size_t block) { return rank == 1 ? of_owner(rank, block) : "-"; }, no_prefix);
}

BOOST_AUTO_TEST_SUITE_END()
