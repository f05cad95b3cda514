// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <support/expected_times.hpp>
#include <support/tiny_generators.hpp>
#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/json.hpp>
#include <tutti/collective/all_reduce.hpp>
#include <tutti/collective/broadcast.hpp>
#include <tutti/collective/explain.hpp>
#include <tutti/collective/reduce.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/cost/file.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/selection/automatic_among.hpp>

namespace mine {

/// A user's chain, without a formula.
struct chain {
    friend bool operator==(chain const&, chain const&) = default;
};
constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<chain>) { return {.name = "chain"}; }
inline auto generate(tutti::collective::reduce, chain const&, tutti::problem const& at) {
    return generate(tutti::collective::reduce{}, tutti::pipeline{}, at);
}
inline std::size_t blocks_for(chain const&, std::size_t, std::size_t bytes) { return bytes / 50'001 + 1; }

/// One that says that it takes no time at all.
struct boastful : chain {
    friend bool operator==(boastful const&, boastful const&) = default;
};
constexpr tutti::facts describe(tutti::collective::reduce, std::type_identity<boastful>) {
    return {.name = "boastful"};
}
inline auto generate(tutti::collective::reduce which, boastful const&, tutti::problem const& at) {
    return generate(which, chain{}, at);
}
inline double time_of(tutti::collective::reduce, boastful const&, tutti::pricing::message_costs const&,
                      tutti::call_parameters const&) {
    return 0;
}

}  // namespace mine

BOOST_AUTO_TEST_SUITE(selection_automatic_among)

namespace {

using namespace tutti;
using namespace tutti::generators;
using namespace tutti::pricing;

/// The second line of what a plan says of itself.
std::string chosen_of(std::string const& text) {
    auto const begin = text.find("algorithm: ") + 11;
    return text.substr(begin, text.find(" in ", begin) - begin);
}

template <class Algorithm>
std::string reduce_by(Algorithm const& named, std::size_t elements, int size = 5, machine_model const& by = {}) {
    std::string result;
    threads::run(size, [&](auto& world) {
        use(world, by);
        std::vector<double> in(elements, 1.0), out(elements);
        auto plan = tutti::plan::reduce(world, in, out, [](double a, double b) { return a + b; }, 0, named);
        plan.start();
        plan.wait();
        for (int again = 0; again != 2; ++again) {
            tutti::reduce(world, in, out, [](double a, double b) { return a + b; }, 0, named);
        }
        if (world.rank() == 0) {
            if (out != std::vector<double>(elements, size)) { throw std::runtime_error{"a wrong sum"}; }
            result = plan.explain();
        }
    });
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_least_time_decides) {
    auto const some = automatic_among(mine::chain{}, binomial{}, linear{});
    BOOST_TEST(chosen_of(reduce_by(some, 1)) == "binomial");
    BOOST_TEST(chosen_of(reduce_by(some, 100'000)) == "chain");
    BOOST_TEST(chosen_of(reduce_by(automatic_among(binomial{}, mine::boastful{}), 1)) == "boastful");
    BOOST_TEST(reduce_by(some, 1).find("(expected to take the least time of those named by the caller)") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_that_a_rule_names_comes_before_all) {
    from_file const file{to_json(collective::reduce{}, linear{}, 5, 0, partition::equal(1, 1), {}), "linear.json"};
    auto const some = automatic_among(binomial{}, linear{}, file);
    auto const chosen_by = [&](std::string const& lines) {
        std::stringstream tuning;
        write(tuning, machine_model{});
        tuning << lines << '\n';
        auto const said = reduce_by(some, 1, 5, read_machine(tuning, "tuning"));
        return chosen_of(said) + (said.find("(named by the tuning file)") == std::string::npos ? "" : " by the rule");
    };
    BOOST_TEST(chosen_by("choose reduce 0 - from_file(linear.json)") == "from_file(linear.json) by the rule");
    BOOST_TEST(chosen_by("choose reduce 0 - linear") == "linear by the rule");
    BOOST_TEST(chosen_by("choose reduce 9 - linear") == "binomial");
    BOOST_TEST(chosen_by("choose reduce 0 - ring") == "binomial");
}

BOOST_AUTO_TEST_CASE(formulas_are_found_and_other_generators_simulated) {
    BOOST_TEST((has_formula<binomial, collective::reduce>));
    BOOST_TEST((!has_formula<mine::chain, collective::reduce>));
    BOOST_TEST((!has_formula<reversed<mine::chain>, collective::broadcast>));
    BOOST_TEST((!has_formula<chained<mine::chain, reversed<mine::chain>>, collective::all_reduce>));
    BOOST_TEST((has_formula<chained<binomial, reversed<binomial>>, collective::all_reduce>));
    auto now = on_links(4, 200'000, {.latency = 1, .overhead = 0, .gap = 0, .per_byte = 0.01});
    now.combine_per_byte = 0.001;
    // p + q - 2 stages of α + m/q (β + γ), q = 4 in segments of 50 KB
    BOOST_TEST(selection::time_of_named(collective::reduce{}, mine::chain{}, now) == 6 * (1 + 50'000 * 0.011),
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(what_follows_from_a_reduction_may_be_among_them) {
    threads::run(4, [](auto& world) {
        std::vector<int> in(8, 1), out(8);
        all_reduce(world, in, out, std::plus<>{}, automatic_among(ring{}, mine::chain{}, recursive_doubling{}));
        if (out != std::vector<int>(8, 4)) { throw std::runtime_error{"a wrong sum"}; }
        broadcast(world, in, 0, automatic_among(binomial{}, mine::chain{}));
    });
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(one_must_support_the_ranks) {
    threads::run(3, [](auto& world) {
        std::vector<int> in(8, 1), out(8);
        all_reduce(world, in, out, std::plus<>{}, automatic_among(tiny::exchange{}, recursive_doubling{}));
        if (out != std::vector<int>(8, 3)) { throw std::runtime_error{"a wrong sum"}; }
    });
    BOOST_CHECK_THROW(threads::run(3,
                                   [](auto& world) {
                                       std::vector<int> in(8, 1), out(8);
                                       all_reduce(world, in, out, std::plus<>{}, automatic_among(tiny::exchange{}));
                                   }),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
