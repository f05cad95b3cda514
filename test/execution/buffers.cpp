// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include <tutti/execution/buffers.hpp>

BOOST_AUTO_TEST_SUITE(execution_buffers)

using namespace tutti;
using namespace tutti::engine;

BOOST_AUTO_TEST_CASE(memories_are_the_caller_s_and_workspace) {
    program run;
    run.workspaces = {4, 2};
    buffers<int> where{run};
    std::vector<int> const input{1, 2, 3};
    std::vector<int> output(3);
    where.bind(input.data(), output.data(), nullptr);
    BOOST_TEST(where.at({location::input, 1}) == input.data() + 1);
    where.assign({location::output, 1}, 2, input.data());
    BOOST_TEST((output == std::vector{0, 1, 2}));
    where.assign({location::first_workspace + 1, 0}, 2, input.data());
    BOOST_TEST(*where.at({location::first_workspace + 1, 1}) == 2);
    where.assign({location::output, 0}, 3, output.data());
    BOOST_TEST((output == std::vector{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(all_of_a_stretch_may_become_one_value) {
    program run;
    run.workspaces = {4};
    buffers<std::string> where{run};
    std::vector<std::string> output(3);
    where.bind(nullptr, output.data(), nullptr);
    where.fill({location::output, 1}, 2, "a");
    BOOST_TEST((output == std::vector<std::string>{"", "a", "a"}));
    location const first{location::first_workspace, 0};
    where.fill(first, 3, "b");
    BOOST_TEST(where.constructed(first, 4) == 3U);
    BOOST_TEST(*where.at({location::first_workspace, 2}) == "b");
}

BOOST_AUTO_TEST_CASE(workspace_knows_what_lives_in_it) {
    program run;
    run.workspaces = {4};
    buffers<std::string> where{run};
    std::vector<std::string> const input{"a", "b"};
    where.bind(input.data(), nullptr, nullptr);
    location const first{location::first_workspace, 0};
    BOOST_TEST(where.constructed({location::input, 0}, 2) == 2U);
    BOOST_TEST(where.constructed(first, 4) == 0U);
    where.assign(first, 2, input.data());
    BOOST_TEST(where.constructed(first, 4) == 2U);
    std::construct_at(where.at({location::first_workspace, 2}), "c");
    where.mark_constructed({location::first_workspace, 2}, 1);
    BOOST_TEST(where.constructed(first, 4) == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
