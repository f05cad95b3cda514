// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/ranks.hpp>

#include <tutti/collective/all_gather.hpp>
#include <tutti/collective/gather.hpp>
#include <tutti/collective/reduce_scatter.hpp>
#include <tutti/collective/scan.hpp>
#include <tutti/collective/scan_reduce.hpp>
#include <tutti/collective/scatter.hpp>

BOOST_AUTO_TEST_SUITE(collective_refused_parts)

using support::check_equal;

// Arguments that cannot be are refused before the first message: all ranks go on as if they had not called.

namespace {

std::plus<> plus;

/// What is said of a call that is no good, without "tutti: ".
void check_refused(auto action, std::string const& expected) {
    check_equal(support::message_of<std::invalid_argument>(action), "tutti: " + expected, "message");
}

std::string after_n(auto& world) {
    return " elements, but the parts of all ranks together have " + std::to_string(3 * support::size_of(world)) +
           "; make both equal";
}

/// Counts 3 for every rank, and `mine` for this one.
std::vector<int> counts_with(auto& world, int mine) {
    std::vector<int> counts(static_cast<std::size_t>(support::size_of(world)), 3);
    counts[static_cast<std::size_t>(support::rank_of(world))] = mine;
    return counts;
}

}  // namespace

BOOST_AUTO_TEST_CASE_ON_RANKS(scans) {
    std::vector<int> x(4);
    std::vector<int> y(4);
    std::vector<int> short_one(3);
    check_refused([&] { tutti::inclusive_scan(world, x, short_one, plus); },
                  "inclusive_scan: in has 4 elements, but out has room for 3; give both the same number");
    check_refused([&] { tutti::exclusive_scan(world, x, short_one, plus); },
                  "exclusive_scan: in has 4 elements, but out has room for 3; give both the same number");
    check_refused([&] { tutti::exclusive_scan(world, std::span{x}.first(3), std::span{x}.last(3), plus); },
                  "exclusive_scan: in and out overlap; use inplace(x) or separate memory");
    check_refused([&] { tutti::scan_reduce(world, x, short_one, y, plus); },
                  "scan_reduce: in has 4 elements, but out has room for 3; give both the same number");
    check_refused([&] { tutti::scan_reduce(world, x, y, short_one, plus); },
                  "scan_reduce: in has 4 elements, but total has room for 3; give both the same number");
    auto const overlap = "scan_reduce: in and out overlap; use inplace(x) or separate memory";
    check_refused([&] { tutti::scan_reduce(world, x, y, x, plus); }, overlap);
    check_refused([&] { tutti::scan_reduce(world, x, y, y, plus); }, overlap);
    check_refused([&] { tutti::scan_reduce(world, tutti::inplace(x), x, plus); }, overlap);
    check_equal(tutti::inclusive_scan(world, 1, plus), support::rank_of(world) + 1, "the next call");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(reduce_scatters) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    std::vector<int> x(3 * size + 1);
    std::vector<int> out(3);
    check_refused([&] { tutti::reduce_scatter(world, x, out, plus); },
                  "reduce_scatter: in has " + std::to_string(x.size()) + after_n(world));
    check_refused([&] { tutti::reduce_scatter(world, x, out, counts_with(world, 3), plus); },
                  "reduce_scatter: in has " + std::to_string(x.size()) + after_n(world));
    check_refused([&] { tutti::reduce_scatter(world, tutti::inplace(x), counts_with(world, 3), plus); },
                  "reduce_scatter: x has " + std::to_string(x.size()) + after_n(world));
    if (size > 1) {
        check_refused([&] { tutti::reduce_scatter(world, tutti::inplace(x), plus); },
                      "reduce_scatter: a vector of " + std::to_string(x.size()) +
                          " elements does not divide equally among " + std::to_string(size) + " ranks; give counts");
    }
    x.resize(3 * size);
    check_refused([&] { tutti::reduce_scatter(world, x, out, std::vector<int>(size + 1, 3), plus); },
                  "reduce_scatter: counts has " + std::to_string(size + 1) + " numbers for " +
                      tutti::text::joined({{size, "rank"}, "; give one for each rank"}));
    check_refused([&] { tutti::reduce_scatter(world, x, out, std::vector<int>{}, plus); },
                  "reduce_scatter: counts has 0 numbers for " + tutti::text::joined({{size, "rank"}, "; give one for each rank"}));
    check_refused([&] { tutti::reduce_scatter(world, tutti::inplace(x), std::vector<int>{}, plus); },
                  "reduce_scatter: counts has 0 numbers for " + tutti::text::joined({{size, "rank"}, "; give one for each rank"}));
    check_refused([&] { tutti::reduce_scatter(world, x, out, counts_with(world, 2), plus); },
                  "reduce_scatter: out has 3 elements, but counts gives this rank 2; make both equal");
    check_refused([&] { tutti::reduce_scatter(world, x, out, counts_with(world, -1), plus); },
                  "a count of elements must not be negative");
    check_refused([&] { tutti::reduce_scatter(world, x, std::span{x}.first(3), plus); },
                  "reduce_scatter: in and out overlap; use inplace(x) or separate memory");
    tutti::reduce_scatter(world, x, out, plus);
    check_equal(out, std::vector<int>(3), "the next call");
}

BOOST_AUTO_TEST_CASE_ON_RANKS(all_gathers) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    std::vector<int> const in(3);
    std::vector<int> x(3 * size + 1);
    check_refused([&] { tutti::all_gather(world, in, x); },
                  "all_gather: out has " + std::to_string(x.size()) + after_n(world));
    check_refused([&] { tutti::all_gather(world, tutti::inplace(x), counts_with(world, 3)); },
                  "all_gather: x has " + std::to_string(x.size()) + after_n(world));
    x.resize(3 * size);
    check_refused([&] { tutti::all_gather(world, in, x, counts_with(world, 4)); },
                  "all_gather: in has 3 elements, but counts gives this rank 4; make both equal");
    check_refused([&] { tutti::all_gather(world, in, x, std::vector<int>(size + 1, 3)); },
                  "all_gather: counts has " + std::to_string(size + 1) + " numbers for " +
                      tutti::text::joined({{size, "rank"}, "; give one for each rank"}));
    check_refused([&] { tutti::all_gather(world, in, x, counts_with(world, -3)); },
                  "a count of elements must not be negative");
    check_refused([&] { tutti::all_gather(world, in.data(), -3, x); }, "a count of elements must not be negative");
    check_refused([&] { tutti::all_gather(world, std::span{x}.first(3), x); },
                  "all_gather: in and out overlap; use inplace(x) or separate memory");
    tutti::all_gather(world, in, x);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(gathers) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    auto const root = support::rank_of(world);  // of each refused call: on every rank
    auto const no_rank =
        " is not a rank of a communicator of " + std::to_string(size) + (size == 1 ? " rank" : " ranks") +
        "; ranks count from 0";
    std::vector<int> const in(3);
    std::vector<int> x(3 * size + 1);
    check_refused([&] { tutti::gather(world, in, x, support::size_of(world)); },
                  "gather: root " + std::to_string(size) + no_rank);
    check_refused([&] { tutti::gather(world, tutti::inplace(x), -1); }, "gather: root -1" + no_rank);
    check_refused([&] { tutti::gather(world, in, x, counts_with(world, 4), root); },
                  "gather: in has 3 elements, but counts gives this rank 4; make both equal");
    check_refused([&] { tutti::gather(world, in, x, std::vector<int>(size + 1, 3), root); },
                  "gather: counts has " + std::to_string(size + 1) + " numbers for " +
                      tutti::text::joined({{size, "rank"}, "; give one for each rank"}));
    check_refused([&] { tutti::gather(world, in.data(), -3, root); }, "a count of elements must not be negative");
    auto const missing = "gather: the root must say where the result goes; give it an out";
    check_refused([&] { tutti::gather(world, in, root); }, missing);
    check_refused([&] { tutti::gather(world, in.data(), 3, static_cast<int*>(nullptr), root); }, missing);
    check_refused([&] { tutti::gather(world, in, x, root); },
                  "gather: out has " + std::to_string(x.size()) + after_n(world));
    check_refused([&] { tutti::gather(world, std::span{x}.first(3), std::span{x}.first(3 * size), root); },
                  "gather: in and out overlap; use inplace(x) or separate memory");
    if (size > 1) {
        check_refused([&] { tutti::gather(world, tutti::inplace(x), root); },
                      "gather: a vector of " + std::to_string(x.size()) + " elements does not divide equally among " +
                          std::to_string(size) + " ranks; give counts");
    }
    // what does not matter is not looked at
    x.resize(root == 0 ? 3 * size : 1);
    tutti::gather(world, in, x, 0);
}

BOOST_AUTO_TEST_CASE_ON_RANKS(scatters) {
    auto const size = static_cast<std::size_t>(support::size_of(world));
    auto const root = support::rank_of(world);  // of each refused call: on every rank
    auto const no_rank =
        " is not a rank of a communicator of " + std::to_string(size) + (size == 1 ? " rank" : " ranks") +
        "; ranks count from 0";
    std::vector<int> out(3);
    std::vector<int> x(3 * size + 1);
    check_refused([&] { tutti::scatter(world, x, out, support::size_of(world)); },
                  "scatter: root " + std::to_string(size) + no_rank);
    check_refused([&] { tutti::scatter(world, tutti::inplace(x), -1); }, "scatter: root -1" + no_rank);
    check_refused([&] { tutti::scatter(world, x, out, counts_with(world, 4), root); },
                  "scatter: out has 3 elements, but counts gives this rank 4; make both equal");
    check_refused([&] { tutti::scatter(world, x, out, counts_with(world, -4), root); },
                  "a count of elements must not be negative");
    check_refused([&] { tutti::scatter(world, out.data(), -3, root); }, "a count of elements must not be negative");
    auto const missing = "scatter: the root must say what is scattered; give it an in";
    check_refused([&] { tutti::scatter(world, out, root); }, missing);
    check_refused([&] { tutti::scatter(world, static_cast<int*>(nullptr), out.data(), 3, root); }, missing);
    check_refused([&] { tutti::scatter(world, x, out, root); },
                  "scatter: in has " + std::to_string(x.size()) + after_n(world));
    check_refused([&] { tutti::scatter(world, std::span{x}.first(3 * size), std::span{x}.first(3), root); },
                  "scatter: in and out overlap; use inplace(x) or separate memory");
    if (size > 1) {
        check_refused([&] { tutti::scatter(world, tutti::inplace(x), root); },
                      "scatter: a vector of " + std::to_string(x.size()) + " elements does not divide equally among " +
                          std::to_string(size) + " ranks; give counts");
    }
    // what does not matter is not looked at
    x.resize(root == 0 ? 3 * size : 1);
    tutti::scatter(world, x, out, 0);
}

BOOST_AUTO_TEST_SUITE_END()
