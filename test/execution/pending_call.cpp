// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <future>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include <support/scripted_communicator.hpp>

#include <tutti/communicator.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/execution/pending_call.hpp>

BOOST_AUTO_TEST_SUITE(execution_pending_call)

namespace {

/// One of several that test and wait for each other's messages, each thread for its own.
class pooled : public tutti::communicator_defaults<pooled> {
public:
    using request = support::scripted_communicator::request;
    static constexpr bool pools_requests = true;
    static void const* progress_domain() {
        static thread_local char mine = 0;
        return &mine;
    }

    explicit pooled(support::scripted_communicator& messages) : messages_{messages} {}

    static request inactive() { return support::scripted_communicator::inactive(); }
    int rank() const { return 0; }
    int size() const { return 2; }
    std::size_t message_limit() const { return 1'000'000; }
    int new_tag() { return messages_.new_tag(); }
    tutti::control::store& store() { return store_; }
    tutti::control::supervisor& supervisor() { return supervisor_; }
    request send(int peer, int tag, std::span<std::byte const> data) { return messages_.send(peer, tag, data); }
    request receive(int peer, int tag, std::span<std::byte> memory) { return messages_.receive(peer, tag, memory); }
    std::size_t test_some(std::span<request> all, std::span<tutti::completion> done) {
        return messages_.test_some(all, done);
    }
    std::size_t wait_some(std::span<request> all, std::span<tutti::completion> done) {
        return messages_.wait_some(all, done);
    }
    void cancel(request given_up) { messages_.cancel(given_up); }

private:
    support::scripted_communicator& messages_;
    tutti::control::store store_;
    tutti::control::supervisor supervisor_;
};

struct call_of_messages final : tutti::engine::pending_call<pooled> {
    explicit call_of_messages(pooled& world) : tutti::engine::pending_call<pooled>{world, 1, {}} {}
    using tutti::engine::pending_call<pooled>::adopt, tutti::engine::pending_call<pooled>::enter;
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
    void ended(tutti::engine::fragment const&, tutti::completion const&) override {
        told_by.push_back(std::this_thread::get_id());
        if (--waits_for == 0) { running_ = false; }
    }
    [[nodiscard]] tutti::dynamic_array<int> awaited() const override { return {}; }
    [[nodiscard]] std::uint64_t traffic_with(int) const override { return 0; }
};

/// On a communicator each: one thread at a time uses the plans of one.
struct two_calls {
    support::scripted_communicator messages;
    pooled first_world{messages};
    pooled second_world{messages};
    call_of_messages first{first_world};
    call_of_messages second{second_world};

    void end_all() { messages.ended = messages.posted; }
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
    BOOST_TEST(first_world.supervisor().failed());
    second.expect_one();
    elsewhere([&] { BOOST_CHECK_THROW(second.wait(), std::logic_error); });
}

BOOST_AUTO_TEST_SUITE_END()
