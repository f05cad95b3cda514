// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include <support/scripted_communicator.hpp>

#include <tutti/dynamic_array.hpp>
#include <tutti/execution/pending_call.hpp>

BOOST_AUTO_TEST_SUITE(execution_pending_call)

namespace {

/// One whose threads have a progress engine each.
struct pooled : support::scripted_communicator {
    static constexpr bool pools_requests = true;
    static void const* progress_domain() {
        static thread_local char mine = 0;
        return &mine;
    }
};

struct call_of_messages final : tutti::pending_call<pooled> {
    explicit call_of_messages(pooled& world) : tutti::pending_call<pooled>{world, 1, {}} {}
    using tutti::pending_call<pooled>::adopt, tutti::pending_call<pooled>::enter;
    int waits_for = 0;
    std::vector<std::thread::id> told_by;

    void post() {
        auto& engine = adopt();
        auto const inside = enter();
        expect_one();
        engine.post(world_->send(1, 0, {}), *this, {});
    }
    void expect_one() {
        ++waits_for;
        running_ = true;
    }

private:
    void ended(tutti::fragment const&, tutti::completion const&) override {
        told_by.push_back(std::this_thread::get_id());
        if (--waits_for == 0) { running_ = false; }
    }
    [[nodiscard]] tutti::dynamic_array<int> awaited() const override { return {}; }
};

struct two_calls {
    pooled world;
    call_of_messages first{world};
    call_of_messages second{world};

    void end_all() { world.ended = world.posted; }
};

void elsewhere(auto action) { std::async(std::launch::async, action).get(); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(whoever_waits_at_home_makes_progress_for_all, two_calls) {
    first.post();
    second.post();
    end_all();
    first.wait();
    BOOST_TEST(!second.running());
}

BOOST_FIXTURE_TEST_CASE(a_thread_from_elsewhere_tells_its_own_call_alone, two_calls) {
    first.post();
    second.post();
    end_all();
    elsewhere([&] {
        BOOST_TEST(first.test());
        BOOST_TEST(second.running());
    });
    // nothing is under way any more, but somebody has not been told
    second.wait();
    BOOST_TEST((second.told_by == std::vector{std::this_thread::get_id()}));
}

BOOST_FIXTURE_TEST_CASE(a_thread_from_elsewhere_waits_until_it_is_done, two_calls) {
    first.post();
    second.post();
    std::promise<void> begun;
    auto waiting = std::async(std::launch::async, [&] {
        begun.set_value();
        first.wait();
    });
    begun.get_future().get();
    {
        auto const inside = first.enter();  // keeps the other thread out
        end_all();
        second.wait();
    }
    waiting.get();
    BOOST_TEST(!first.running());
    BOOST_TEST(!second.running());
}

// For the thread sanitizer: both wait in the same progress engine.
BOOST_AUTO_TEST_CASE(two_threads_wait_in_one_progress_engine) {
    for (int round = 0; round != 100; ++round) {
        two_calls all;
        for (int i = 0; i != 5; ++i) {
            all.first.post();
            all.second.post();
        }
        all.end_all();
        auto waiting = std::async(std::launch::async, [&] { all.first.wait(); });
        all.second.wait();
        waiting.get();
        BOOST_TEST(all.first.told_by.size() == 5U);
        BOOST_TEST(all.second.told_by.size() == 5U);
    }
}

BOOST_FIXTURE_TEST_CASE(a_call_moves_to_the_thread_that_posts, two_calls) {
    auto const& here = first.adopt();
    elsewhere([&] { BOOST_TEST(&first.adopt() != &here); });
    BOOST_TEST(&first.adopt() == &here);
}

BOOST_FIXTURE_TEST_CASE(nobody_waits_for_what_is_not_under_way, two_calls) {
    first.expect_one();
    BOOST_CHECK_THROW(first.wait(), std::logic_error);
    BOOST_TEST(!first.running());
    BOOST_TEST(world.supervisor().failed());
    second.expect_one();
    elsewhere([&] { BOOST_CHECK_THROW(second.wait(), std::logic_error); });
}

BOOST_AUTO_TEST_SUITE_END()
