// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "../../../benchmarks/inspect/recorder.hpp"

BOOST_AUTO_TEST_SUITE(benchmarks_inspect_recorder)

using namespace tutti::inspect;

namespace {

/// The operands of so many ranks, and one operator on each of them.
struct world {
    world(std::size_t size, bool commutes) : made{size} {
        for (std::size_t rank = 0; rank != size; ++rank) {
            by.push_back(std::make_unique<recorder>(commutes));
            holds.push_back(operand(rank));
        }
    }

    /// Rank `to` combines what `left` sends with its own element, as an MPI library does.
    void combine(std::size_t left, std::size_t to) { by[to]->combine(&holds[left], &holds[to], 1); }

    /// The term of the element of `rank`, once all records are together.
    std::string term(std::size_t rank) {
        for (auto const& each : by) { made.learn(each->records); }
        return made.trees.text(made.of(holds[rank]));
    }

    std::string complaint(std::size_t rank, bool ordered) {
        for (auto const& each : by) { made.learn(each->records); }
        return made.trees.complaint(made.of(holds[rank]), 0, holds.size(), ordered);
    }

    std::vector<std::unique_ptr<recorder>> by;
    std::vector<element> holds;
    terms made;
};

}  // namespace

BOOST_AUTO_TEST_CASE(order_and_brackets_are_recorded_across_ranks) {
    world all{4, false};
    all.combine(0, 1);
    all.combine(2, 3);
    all.combine(1, 3);
    BOOST_TEST(all.term(3) == "((0+1)+(2+3))");
    BOOST_TEST(all.complaint(3, true) == "");
    BOOST_TEST(all.by[3]->use.combines == 2U);
}

BOOST_AUTO_TEST_CASE(a_library_that_exchanges_operands_is_found) {
    world all{3, false};
    all.combine(1, 0);
    all.combine(0, 2);
    BOOST_TEST(all.term(2) == "((1+0)+2)");
    BOOST_TEST(all.complaint(2, true).starts_with("holds the contribution of rank 0 to the right of that of rank 1"));
    BOOST_TEST(all.complaint(2, false) == "");
}

BOOST_AUTO_TEST_CASE(a_library_that_leaves_operands_out_or_has_them_twice_is_found) {
    world all{3, true};
    all.combine(0, 2);
    BOOST_TEST(all.complaint(2, false) == "lacks the contribution of rank 1");
    all.combine(1, 2);
    BOOST_TEST(all.complaint(2, false) == "");
    all.combine(1, 2);
    BOOST_TEST(all.complaint(2, false) == "holds the contribution of rank 1 twice");
    element garbage = 17;
    BOOST_TEST(all.made.of(garbage) == tutti::analysis::symbolic::nothing);
    all.by[0]->combine(&garbage, &all.holds[0], 1);
    BOOST_TEST(all.complaint(0, false) == "is empty");
}

BOOST_AUTO_TEST_CASE(an_operator_that_commutes_has_one_term_for_both_orders) {
    world all{3, true};
    auto other = all.holds;
    all.combine(2, 1);  // (1+2) on rank 1, then 0 and that
    all.combine(1, 0);
    all.by[2]->combine(&other[1], &other[2], 1);
    all.by[2]->combine(&other[0], &other[2], 1);
    BOOST_TEST(all.holds[0] == other[2]);
    BOOST_TEST(all.term(0) == "(0+(1+2))");
}

BOOST_AUTO_TEST_CASE(a_term_is_read_as_it_would_be_recorded) {
    for (bool const commutes : {false, true}) {
        world all{12, commutes};
        all.combine(11, 2);
        all.combine(2, 10);
        recorder reader{commutes};
        BOOST_TEST((reader.read("((11+2)+10)") == all.holds[10]));
        BOOST_TEST((reader.read("((2+11)+10)") == all.holds[10]) == commutes);
        BOOST_TEST((reader.read("10") == operand(10)));
        BOOST_TEST((reader.read("") == 0));
    }
}

BOOST_AUTO_TEST_CASE(what_the_operator_is_called_with_is_counted) {
    recorder by{false};
    std::vector<element> const in(5, operand(0));
    std::vector<element> inout(5, operand(1));
    by.combine(in.data(), inout.data(), 5);
    by.combine(in.data(), inout.data(), 2);
    BOOST_TEST(by.use.combines == 7U);
    BOOST_TEST(by.use.most_elements == 5U);
    BOOST_TEST(!by.use.on_other_thread);
    std::thread{[&] { by.combine(in.data(), inout.data(), 1); }}.join();
    BOOST_TEST(by.use.on_other_thread);
    BOOST_TEST(by.records.size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
