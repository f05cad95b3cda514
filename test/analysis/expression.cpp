// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <tutti/analysis/expression.hpp>

BOOST_AUTO_TEST_SUITE(analysis_expression)

using tutti::analysis::symbolic::expressions;
using tutti::analysis::symbolic::nothing;

BOOST_AUTO_TEST_CASE(equal_trees_are_equal_values) {
    expressions all{4};
    auto const ab = all.combine(all.operand(0), all.operand(1));
    BOOST_TEST(all.combine(all.operand(0), all.operand(1)) == ab);
    BOOST_TEST(all.combine(all.operand(1), all.operand(0)) != ab);
    auto const left = all.combine(ab, all.operand(2));
    auto const right = all.combine(all.operand(0), all.combine(all.operand(1), all.operand(2)));
    BOOST_TEST(left != right);
    BOOST_TEST(all.text(left) == "((0+1)+2)");
    BOOST_TEST(all.text(right) == "(0+(1+2))");
    BOOST_TEST(all.text(nothing) == "");
}

BOOST_AUTO_TEST_CASE(complaints_say_what_is_wrong) {
    expressions all{4};
    auto const in_order = all.combine(all.operand(1), all.operand(2));
    auto const swapped = all.combine(all.operand(2), all.operand(1));
    BOOST_TEST(all.complaint(in_order, 1, 3, true) == "");
    BOOST_TEST(all.complaint(swapped, 1, 3, false) == "");
    BOOST_TEST(all.complaint(swapped, 1, 3, true) != "");
    BOOST_TEST(all.complaint(in_order, 1, 4, true) == "lacks the contribution of rank 3");
    BOOST_TEST(all.complaint(in_order, 2, 3, true) == "holds the contribution of rank 1 and must not");
    BOOST_TEST(all.complaint(in_order, 1, 2, true) == "holds the contribution of rank 2 and must not");
    BOOST_TEST(all.complaint(nothing, 1, 3, true) == "is empty");
    BOOST_TEST(all.complaint(nothing, 0, 0, true) == "");
    BOOST_TEST(all.complaint(in_order, 0, 0, true) == "holds the contribution of rank 1 and must not");
}

BOOST_AUTO_TEST_CASE(an_operand_that_was_doubled_again_and_again_is_found_at_once) {
    expressions all{2};
    auto grown = all.operand(0);
    for (int i = 0; i < 200; ++i) { grown = all.combine(grown, grown); }
    BOOST_TEST(all.complaint(grown, 0, 2, false) == "holds the contribution of rank 0 twice");
}

BOOST_AUTO_TEST_CASE(the_canonical_tree_begins_with_the_largest_power_of_two) {
    expressions all{7};
    BOOST_TEST(all.is_canonical(nothing));
    auto const canonical = [&](auto self, std::size_t first, std::size_t last) -> tutti::analysis::symbolic::value {
        if (last - first == 1) { return all.operand(first); }
        std::size_t half = 1;
        while (2 * half < last - first) { half *= 2; }
        return all.combine(self(self, first, first + half), self(self, first + half, last));
    };
    for (std::size_t last = 1; last <= 7; ++last) { BOOST_TEST(all.is_canonical(canonical(canonical, 0, last))); }
    BOOST_TEST(all.text(canonical(canonical, 0, 7)) == "(((0+1)+(2+3))+((4+5)+6))");
    BOOST_TEST(all.is_canonical(canonical(canonical, 1, 4)));  // counted from its own first operand
    BOOST_TEST(!all.is_canonical(all.combine(all.operand(0), canonical(canonical, 1, 3))));
    BOOST_TEST(!all.is_canonical(all.combine(all.operand(1), all.operand(0))));
    BOOST_TEST(!all.is_canonical(all.combine(all.operand(0), all.operand(2))));
}

BOOST_AUTO_TEST_SUITE_END()
