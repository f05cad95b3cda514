// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <tutti/threads.hpp>

#include "soak/limits.hpp"
#include "soak/oracle.hpp"
#include "soak/round.hpp"
#include "soak/threads_trials.hpp"

// That a soak sees what is wrong: the oracle, its comparison, and what is said of a failure. The soak itself is
// soak.threads and the programs beside it.

BOOST_AUTO_TEST_SUITE(soak)

using namespace ::soak;  // the suite is a namespace of that name too

namespace {

/// Of three ranks with two strings each, or parts of 2, 0 and 1.
call of_strings(::soak::collective what) {
    call c;
    c.seed = 42;
    c.size = 3;
    c.what = what;
    c.of = element_type::text;
    c.length = 2;
    c.root = 1;
    if (c.divides()) { c.counts = {2, 0, 1}; }
    return c;
}

using strings = std::vector<std::string>;

strings operands(call const& c, int rank) { return oracle<std::string>{c, 0}.before(rank).in; }

/// What is wrong on the ranks of a team when it performs `c`, each on its own account.
std::vector<std::string> flaws_of(call const& c) {
    std::vector<std::string> result(static_cast<std::size_t>(c.size));
    tutti::threads::run(c.size, [&](auto& world) {
        auto const performed = make_trial<true>(world, world.rank(), c);
        performed->make();
        if (c.how == form::plan) { performed->start(); }
        if (c.how != form::blocking) { performed->wait(); }
        result[static_cast<std::size_t>(world.rank())] = performed->flaw(0).value_or("");
    });
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_oracle_folds_in_the_order_of_ranks) {
    for (auto const what :
         {::soak::collective::reduce, ::soak::collective::all_reduce, ::soak::collective::inclusive_scan,
          ::soak::collective::exclusive_scan, ::soak::collective::scan_reduce}) {
        auto const c = of_strings(what);
        auto const a = operands(c, 0);
        auto const b = operands(c, 1);
        auto const d = operands(c, 2);
        strings const all{a[0] + b[0] + d[0], a[1] + b[1] + d[1]};
        strings const two{a[0] + b[0], a[1] + b[1]};
        oracle<std::string> const due{c, 0};
        switch (what) {
            case ::soak::collective::reduce:
                BOOST_TEST(due.after(1).out == all);
                BOOST_TEST(due.after(0).out == due.before(0).out);
                break;
            case ::soak::collective::all_reduce: BOOST_TEST(due.after(2).out == all); break;
            case ::soak::collective::inclusive_scan: BOOST_TEST(due.after(1).out == two); break;
            case ::soak::collective::exclusive_scan:
                BOOST_TEST(due.after(2).out == two);
                BOOST_TEST(due.after(0).out == due.before(0).out);  // no identity was given
                break;
            default:
                BOOST_TEST(due.after(2).out == two);
                BOOST_TEST(due.after(0).total == all);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_oracle_divides_by_counts) {
    auto c = of_strings(::soak::collective::reduce_scatter);
    auto const a = operands(c, 0);
    auto const b = operands(c, 1);
    auto const d = operands(c, 2);
    BOOST_TEST((oracle<std::string>{c, 0}.after(2).out == strings{a[2] + b[2] + d[2]}));
    BOOST_TEST(oracle<std::string>(c, 0).after(1).out.empty());

    c = of_strings(::soak::collective::all_gather);
    strings const whole{operands(c, 0)[0], operands(c, 0)[1], operands(c, 2)[0]};
    BOOST_TEST((oracle<std::string>{c, 0}.after(1).out == whole));
    c.in_place = true;
    BOOST_TEST((oracle<std::string>{c, 0}.after(1).out == whole));
    BOOST_TEST((oracle<std::string>{c, 0}.before(2).out[2] == whole[2]));

    c = of_strings(::soak::collective::scatter);
    BOOST_TEST((oracle<std::string>{c, 0}.after(2).out == strings{operands(c, 1)[2]}));
}

BOOST_AUTO_TEST_CASE(every_difference_is_a_flaw) {
    auto const c = of_strings(::soak::collective::scan_reduce);
    oracle<std::string> const due{c, 0};
    auto const right = due.after(2);
    BOOST_TEST(!due.flaw(2, right));
    auto const flaw = [&](auto change) {
        auto wrong = right;
        change(wrong);
        return due.flaw(2, wrong).value_or("nothing");
    };
    BOOST_TEST(flaw([](auto& m) { m.out[1] += '!'; }) ==
               "rank 2: out[1] is " + right.out[1] + "!, not " + right.out[1]);
    BOOST_TEST(flaw([](auto& m) { m.total[0] = "x"; }) == "rank 2: total[0] is x, not " + right.total[0]);
    BOOST_TEST(flaw([](auto& m) { m.in[0] = "x"; }) == "rank 2: in[0] is x, not " + right.in[0]);
    BOOST_TEST(flaw([](auto& m) { m.out.pop_back(); }) == "rank 2: out has 1 elements, not 2");
    BOOST_TEST(due.flaw(1, right).has_value());  // the result of another rank
    BOOST_TEST((oracle<std::string>{c, 1}.flaw(2, right).has_value()));  // or of another run
}

BOOST_AUTO_TEST_CASE(an_operator_that_does_not_commute_as_said_is_noticed) {
    // Concatenation that claims to commute goes round a ring in another order.
    call c = of_strings(::soak::collective::all_reduce);
    c.size = 4;
    c.length = 40;
    for (auto const how : {form::blocking, form::plan, form::async}) {
        c.how = how;
        c.kind = operator_kind::plain;
        c.names_algorithm = false;
        for (auto const& each : flaws_of(c)) { BOOST_TEST(each == ""); }
        c.kind = operator_kind::commutative;
        c.names_algorithm = true;
        while (!algorithm_of<tutti::collective::all_reduce>(c).words.starts_with("ring {")) { ++c.seed; }
        std::size_t noticed = 0;
        for (auto const& each : flaws_of(c)) { noticed += each.empty() ? 0 : 1; }
        BOOST_TEST(noticed == 4, to_string(c));
    }
}

BOOST_AUTO_TEST_CASE(a_round_ends_with_what_it_has_found) {
    // Of a team of one rank that pretends to have two, half of the results are missing.
    tutti::threads::run(1, [](auto& world) {
        std::string last;
        round_of_calls<true, std::remove_reference_t<decltype(world)>> round{
            world, 0, 2, 9, [&](std::string const& words) { last = words; }};
        try {
            round.play();
        } catch (failure const& found) {
            BOOST_TEST(std::string{found.what()}.starts_with(last + ": rank 0"));
            BOOST_TEST(std::string{found.what()}.starts_with("call "));
            return;
        }
        BOOST_ERROR("nothing was found");
    });
}

BOOST_AUTO_TEST_CASE(a_failure_says_how_to_see_it_again) {
    BOOST_TEST(reproduction("threads", 100, 7, "call 3: all_reduce") ==
               "soak: threads, seed 100, round 7, call 3: all_reduce; again: ./dev soak 1 107 threads");
}

BOOST_AUTO_TEST_CASE(a_seed_gives_the_same_calls_everywhere) {
    BOOST_TEST(to_string(draw_call(1, 5, true)) ==
               "inclusive_scan of 0 double, maximum, commutative, by automatic, on 5 ranks");
    BOOST_TEST(to_string(draw_call(2, 5, true)) ==
               "async::reduce_scatter of 4 each complex, sum less a state, commutative, by automatic, on 5 ranks");
}

BOOST_AUTO_TEST_CASE(every_kind_of_call_is_drawn) {
    std::map<std::string, std::size_t> seen;
    for (std::uint64_t seed = 0; seed != 4000; ++seed) {
        auto const c = draw_call(seed, 6, true);
        ++seen["collective " + std::to_string(static_cast<int>(c.what))];
        ++seen["element " + std::to_string(static_cast<int>(c.of))];
        ++seen["operator " + std::to_string(static_cast<int>(c.kind))];
        ++seen["form " + std::to_string(static_cast<int>(c.how))];
        if (c.in_place) { ++seen["in place"]; }
        if (c.gives_counts) { ++seen["counts"]; }
        if (c.length == 0) { ++seen["empty"]; }
        if (c.length > 4000) { ++seen["long"]; }
        if (c.has_operator() && !operation_of(c).commutes) { ++seen["order matters"]; }
    }
    BOOST_TEST(seen.size() == 11 + 5 + 4 + 3 + 5);
    for (auto const& [what, times] : seen) { BOOST_TEST(times >= 20, what); }
}

BOOST_AUTO_TEST_SUITE_END()
