// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tutti/execution/buffers.hpp>

BOOST_AUTO_TEST_SUITE(execution_buffers)

using namespace tutti;
using namespace tutti::engine;

namespace {

/// Counts those of its kind that live; assigning to one that does not is found by its content.
class counted {
public:
    explicit counted(int value) : value_{std::make_unique<int>(value)} { ++constructed; }
    counted(counted const& other) : counted{*other.value_} {}
    counted& operator=(counted const& other) {
        *value_ = *other.value_;
        return *this;
    }
    ~counted() { --constructed; }
    [[nodiscard]] int value() const { return *value_; }

    static inline int constructed = 0;

private:
    std::unique_ptr<int> value_;
};

}  // namespace

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

BOOST_AUTO_TEST_CASE(elements_live_from_their_first_write_to_the_end) {
    {
        std::vector<counted> const source(3, counted{7});
        std::vector<counted> const other(5, counted{8});
        BOOST_TEST(counted::constructed == 8);
        workspace<counted> memory{10};
        BOOST_TEST(counted::constructed == 8);
        BOOST_TEST(memory.constructed(0, 10) == 0U);
        memory.assign(2, 3, source.data());
        BOOST_TEST(counted::constructed == 11);
        BOOST_TEST((memory.constructed(2, 3) == 3 && memory.constructed(2, 8) == 3 && memory.constructed(1, 4) == 0));
        // over three that live and two that do not
        memory.assign(2, 5, other.data());
        BOOST_TEST(counted::constructed == 13);
        BOOST_TEST((memory.data()[2].value() == 8 && memory.data()[6].value() == 8));
        std::construct_at(memory.data() + 9, 1);
        memory.mark_constructed(9, 1);
        BOOST_TEST(memory.constructed(9, 1) == 1U);
    }
    BOOST_TEST(counted::constructed == 0);
}

BOOST_AUTO_TEST_CASE(workspaces_can_be_moved) {
    counted const one{1};
    {
        workspace<counted> first{2};
        first.assign(0, 1, &one);
        workspace<counted> second{std::move(first)};
        BOOST_TEST(second.size() == 2U);
        BOOST_TEST(second.data()[0].value() == 1);
        workspace<counted> third{5};
        third.assign(3, 1, &one);
        BOOST_TEST(counted::constructed == 3);
        third = std::move(second);
        BOOST_TEST(counted::constructed == 2);
        BOOST_TEST(third.constructed(0, 2) == 1U);
    }
    BOOST_TEST(counted::constructed == 1);
}

BOOST_AUTO_TEST_CASE(plain_elements_need_no_care) {
    workspace<double> memory{4};
    double const values[] = {1.0, 2.0};
    memory.assign(1, 2, values);
    BOOST_TEST(memory.data()[2] == 2.0);
    BOOST_TEST(memory.constructed(0, 4) == 4U);
    BOOST_TEST(workspace<double>{}.data() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
