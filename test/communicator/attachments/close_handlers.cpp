// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/attachments.hpp>

BOOST_AUTO_TEST_SUITE(communicator_attachments_close_handlers)

namespace {

std::vector<int> told;

class numbered final : public tutti::close_handler {
public:
    numbered(tutti::close_handlers& here, int number) : close_handler{here}, number_{number} {}

private:
    void on_close() noexcept override { told.push_back(number_); }
    int number_;
};

struct nothing_told {
    nothing_told() { told.clear(); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(all_are_told_the_last_to_come_first, nothing_told) {
    std::vector<std::unique_ptr<numbered>> all;
    {
        tutti::close_handlers here;
        for (int i = 0; i != 4; ++i) { all.push_back(std::make_unique<numbered>(here, i)); }
        all.erase(all.begin() + 1);
    }
    BOOST_TEST((told == std::vector{3, 2, 0}));
}

BOOST_AUTO_TEST_CASE(they_are_told_while_what_came_before_is_still_there) {
    struct witness final : tutti::close_handler {
        witness(tutti::close_handlers& here, std::weak_ptr<int> what) : close_handler{here}, earlier{std::move(what)} {}
        void on_close() noexcept override { was_there = !earlier.expired(); }
        std::weak_ptr<int> earlier;
        bool was_there = false;
    };
    std::optional<witness> one;
    {
        tutti::attachments of_communicator;
        auto& earlier = of_communicator.get<std::shared_ptr<int>>();
        earlier = std::make_shared<int>(7);
        one.emplace(of_communicator.get<tutti::close_handlers>(), earlier);
    }
    BOOST_TEST(one->earlier.expired());
    BOOST_TEST(one->was_there);
}

BOOST_AUTO_TEST_SUITE_END()
