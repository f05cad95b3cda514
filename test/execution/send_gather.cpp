// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <vector>

#include <tutti/execution/send_gather.hpp>

BOOST_AUTO_TEST_SUITE(execution_send_gather)

using namespace tutti;

namespace {

/// A send of elements 4 and 5 of the input, and then of its elements 0 to 2.
struct two_parts {
    std::vector<int> input{0, 1, 2, 3, 4, 5};
    program run;
    instruction send;
    buffers<int> where{run};
    send_gather<int> elements{run, where};

    two_parts() {
        run.parts.push_back({2, {place::input, 4}, {}, {}});
        run.parts.push_back({3, {place::input, 0}, {}, {}});
        send.first_part = 0;
        send.last_part = 2;
        where.bind(input.data(), nullptr, nullptr);
    }

    [[nodiscard]] std::vector<std::vector<int>> stretches(std::size_t first, std::size_t count) {
        std::vector<std::vector<int>> result;
        elements.for_each_run(send, first, count,
                                  [&](int const* from, std::size_t n) { result.emplace_back(from, from + n); });
        return result;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_lies_in_one_part_lies_in_one_place, two_parts) {
    BOOST_TEST(elements.in_one_place(send, 0, 2) == input.data() + 4);
    BOOST_TEST(elements.in_one_place(send, 1, 1) == input.data() + 5);
    BOOST_TEST(elements.in_one_place(send, 2, 3) == input.data());
    BOOST_TEST(elements.in_one_place(send, 3, 2) == input.data() + 1);
    BOOST_TEST(elements.in_one_place(send, 1, 2) == nullptr);
}

BOOST_FIXTURE_TEST_CASE(stretches_come_in_the_order_of_the_message, two_parts) {
    using lists = std::vector<std::vector<int>>;
    BOOST_TEST((stretches(0, 5) == lists{{4, 5}, {0, 1, 2}}));
    BOOST_TEST((stretches(1, 2) == lists{{5}, {0}}));
    BOOST_TEST((stretches(3, 1) == lists{{1}}));
    BOOST_TEST((stretches(0, 0) == lists{}));
}

BOOST_AUTO_TEST_SUITE_END()
