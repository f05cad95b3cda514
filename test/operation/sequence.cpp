// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <support/canonical_tree.hpp>
#include <support/wild_numbers.hpp>
#include <tutti/operation/on_blocks.hpp>
#include <tutti/operation/sequence.hpp>

BOOST_AUTO_TEST_SUITE(operation_sequence)

using namespace tutti;

namespace {

auto const bracket = [](std::string const& a, std::string const& b) { return '(' + a + b + ')'; };

/// Elements without a default.
struct number {
    explicit number(int given) : value{given} {}
    int value;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_tree_is_the_canonical_one) {
    std::vector<std::string> terms;
    for (std::size_t n = 1; n <= 40; ++n) {
        terms.push_back(std::string(1, static_cast<char>('0' + n)));
        BOOST_TEST(*reduce_sequence(terms, bracket) == support::canonical(terms, 0, n, bracket));
    }
    BOOST_TEST(*reduce_sequence(std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}, bracket) ==
               "(((ab)(cd))((ef)g))");
    BOOST_TEST(!reduce_sequence(std::vector<std::string>{}, bracket));
}

BOOST_AUTO_TEST_CASE(small_elements_are_combined_by_the_same_tree) {
    auto const all = support::wild_numbers(20'000);
    for (std::size_t const n : {1U, 2U, 3U, 1023U, 1024U, 1025U, 4096U, 5000U, 20'000U}) {
        std::span<double const> const some{all.data(), n};
        BOOST_TEST(support::bits_of(*reduce_sequence(some, std::plus<>{})) ==
                   support::bits_of(support::canonical(all, 0, n, std::plus<>{})));
    }
}

BOOST_AUTO_TEST_CASE(elements_need_no_default_and_operators_may_take_blocks) {
    std::vector<number> const some(9, number{2});
    BOOST_TEST(reduce_sequence(some, [](number a, number b) { return number{a.value + b.value}; })->value == 18);
    auto const sums = on_blocks([](std::span<double const> a, std::span<double const> b, std::span<double> out) {
        for (std::size_t i = 0; i != a.size(); ++i) { out[i] = a[i] + b[i]; }
    });
    auto const all = support::wild_numbers(77);
    BOOST_TEST(support::bits_of(*reduce_sequence(all, sums)) == support::bits_of(*reduce_sequence(all, std::plus<>{})));
}

BOOST_AUTO_TEST_CASE(what_the_operator_throws_comes_out) {
    auto const throwing = [](int, int) -> int { throw std::runtime_error{"no"}; };
    BOOST_CHECK_THROW(static_cast<void>(reduce_sequence(std::vector<int>(3), throwing)), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(subtrees_are_aligned_and_fill_their_range) {
    for (std::size_t first = 0; first != 40; ++first) {
        for (std::size_t last = first; last != 80; ++last) {
            auto next = first;
            sequence::for_each_subtree(first, last, [&](std::size_t at, std::size_t count) {
                BOOST_TEST((at == next && std::has_single_bit(count) && at % count == 0));
                next += count;
            });
            BOOST_TEST(next == last);
            BOOST_TEST(sequence::subtrees_of(first, last) <= 2 * std::bit_width(last - first));
        }
    }
}

BOOST_AUTO_TEST_CASE(prefixes_are_those_of_the_first_elements) {
    auto const all = support::wild_numbers(5000);
    for (std::size_t const begin : {0U, 3U, 1024U, 1500U}) {
        std::plus<> plus;
        sequence::trees_so_far<double, std::plus<>> trees{plus};
        sequence::for_each_subtree(0, begin, [&](std::size_t at, std::size_t count) {
            trees.add(sequence::perfect(all.data() + at, count, plus), count);
        });
        auto scanned = all;
        sequence::for_each_subtree(begin, all.size(),
                                   [&](std::size_t at, std::size_t count) { trees.scan(scanned.data() + at, count); });
        for (std::size_t i = begin; i != all.size(); i += i < begin + 50 ? 1 : 97) {
            BOOST_TEST(support::bits_of(scanned[i]) == support::bits_of(support::canonical(all, 0, i + 1, plus)));
            if (i + 97 >= all.size()) { break; }
        }
        BOOST_TEST(trees.elements() == all.size());
        BOOST_TEST(support::bits_of(trees.total()) == support::bits_of(support::canonical(all, 0, all.size(), plus)));
    }
    std::vector<std::string> terms{"a", "b", "c", "d", "e"};
    sequence::trees_so_far<std::string, decltype(bracket)> trees{bracket};
    trees.scan(terms.data(), 4);
    trees.scan(terms.data() + 4, 1);
    BOOST_TEST(terms == (std::vector<std::string>{"a", "(ab)", "((ab)c)", "((ab)(cd))", "(((ab)(cd))e)"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
