// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstdint>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include <support/scripted_communicator.hpp>

#include <tutti/execution/progress_handle.hpp>

BOOST_AUTO_TEST_SUITE(execution_progress_handle)

namespace {

/// One whose threads have a progress engine each.
struct pooled : support::scripted_communicator {
    static constexpr bool pools_requests = true;
    static void const* progress_domain() {
        static thread_local char mine = 0;
        return &mine;
    }
};

struct listener : tutti::completion_handler {
    std::atomic<int> waits_for = 0;
    std::vector<std::thread::id> told_by;

    void ended(tutti::fragment const&, tutti::completion const&) override {
        told_by.push_back(std::this_thread::get_id());
        --waits_for;
    }
    [[nodiscard]] auto pending() {
        return [this] { return waits_for != 0; };
    }
};

struct two_handles {
    pooled world;
    listener first;
    listener second;
    tutti::progress_handle<pooled> first_handle{world, first};
    tutti::progress_handle<pooled> second_handle{world, second};

    void post(listener& owner, tutti::progress_handle<pooled>& handle) {
        auto& engine = handle.adopt();
        auto const inside = engine.enter();
        ++owner.waits_for;
        engine.post(world.send(1, 0, {}), owner, {});
    }
    void end_all() { world.ended = world.posted; }
};

void elsewhere(auto action) { std::async(std::launch::async, action).get(); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(whoever_waits_at_home_makes_progress_for_all, two_handles) {
    post(first, first_handle);
    post(second, second_handle);
    end_all();
    first_handle.wait_while(first.pending());
    BOOST_TEST(second.waits_for == 0);
}

BOOST_FIXTURE_TEST_CASE(a_thread_from_elsewhere_tells_its_own_handler_alone, two_handles) {
    post(first, first_handle);
    post(second, second_handle);
    end_all();
    elsewhere([&] {
        first_handle.test_while(first.pending());
        BOOST_TEST(first.waits_for == 0);
        BOOST_TEST(second.waits_for == 1);
    });
    // nothing is under way any more, but somebody has not been told
    second_handle.wait_while(second.pending());
    BOOST_TEST((second.told_by == std::vector{std::this_thread::get_id()}));
}

BOOST_FIXTURE_TEST_CASE(a_thread_from_elsewhere_waits_until_it_is_done, two_handles) {
    post(first, first_handle);
    post(second, second_handle);
    std::promise<void> begun;
    auto waiting = std::async(std::launch::async, [&] {
        begun.set_value();
        first_handle.wait_while(first.pending());
    });
    begun.get_future().get();
    {
        auto const inside = first_handle.enter();  // keeps the other thread out
        end_all();
        second_handle.wait_while(second.pending());
    }
    waiting.get();
    BOOST_TEST(first.waits_for == 0);
    BOOST_TEST(second.waits_for == 0);
}

// For the thread sanitizer: both wait in the same progress engine.
BOOST_AUTO_TEST_CASE(two_threads_wait_in_one_progress_engine) {
    for (int round = 0; round != 100; ++round) {
        two_handles all;
        for (int i = 0; i != 5; ++i) {
            all.post(all.first, all.first_handle);
            all.post(all.second, all.second_handle);
        }
        all.end_all();
        auto waiting = std::async(std::launch::async, [&] { all.first_handle.wait_while(all.first.pending()); });
        all.second_handle.wait_while(all.second.pending());
        waiting.get();
        BOOST_TEST(all.first.told_by.size() == 5U);
        BOOST_TEST(all.second.told_by.size() == 5U);
    }
}

BOOST_FIXTURE_TEST_CASE(a_handle_moves_to_the_thread_that_posts, two_handles) {
    auto const& here = first_handle.adopt();
    elsewhere([&] { BOOST_TEST(&first_handle.adopt() != &here); });
    BOOST_TEST(&first_handle.adopt() == &here);
}

BOOST_FIXTURE_TEST_CASE(nobody_waits_for_what_is_not_under_way, two_handles) {
    first.waits_for = 1;
    BOOST_CHECK_THROW(first_handle.wait_while(first.pending()), std::logic_error);
    elsewhere([&] { BOOST_CHECK_THROW(first_handle.wait_while(first.pending()), std::logic_error); });
}

BOOST_AUTO_TEST_SUITE_END()
