// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/communicator/call.hpp>
#include <tutti/communicator/store.hpp>
#include <tutti/communicator/supervisor.hpp>

#include "support/sentences.hpp"

BOOST_AUTO_TEST_SUITE(communicator_supervisor)

namespace {

std::vector<int> closed;

class numbered : public tutti::control::supervised_call {
public:
    numbered(tutti::control::supervisor& here, int number) : here_{here}, number_{number} { here.add(*this); }
    virtual ~numbered() { here_.remove(*this); }

    bool runs = false;
    std::optional<std::exception_ptr> given_up;

    [[nodiscard]] bool is_under_way() const override { return runs; }
    [[nodiscard]] int tag() const override { return number_; }
    [[nodiscard]] std::int64_t run() const override { return 0; }
    [[nodiscard]] tutti::control::call const& entered() const override { return entered_; }
    [[nodiscard]] tutti::dynamic_array<int> awaited() const override { return {}; }
    [[nodiscard]] std::uint64_t traffic_with(int) const override { return 0; }
    void abandon(std::exception_ptr why) noexcept override { given_up = std::move(why); }
    void on_close() noexcept override { closed.push_back(number_); }

private:
    tutti::control::supervisor& here_;
    int number_;
    tutti::control::call entered_;
};

// Keeps what it is to tell others, and hears what the test says.
struct world {
    std::vector<std::string> told;
    std::exception_ptr heard;

    void notify_all(tutti::control::failure_kind, int, std::string_view why) { told.emplace_back(why); }
    void poll_notices() const {
        if (heard) { std::rethrow_exception(heard); }
    }
};

// What `guard` throws if its action throws `wrong`; `abandoned` counts.
template <class Error>
std::string thrown(tutti::control::supervisor& here, world& ranks, Error const& wrong, int& abandoned) {
    try {
        here.guard(ranks, 1, [&] { throw wrong; }, [&] { ++abandoned; });
    } catch (std::exception const& why) { return why.what(); }
    return "nothing";
}

}  // namespace

BOOST_AUTO_TEST_CASE(calls_are_closed_the_last_to_come_first) {
    closed.clear();
    {
        tutti::control::supervisor here;
        std::vector<std::unique_ptr<numbered>> all;
        for (int i = 0; i != 4; ++i) { all.push_back(std::make_unique<numbered>(here, i)); }
        all.erase(all.begin() + 1);
        here.close();
    }
    BOOST_TEST((closed == std::vector{3, 2, 0}));
}

BOOST_AUTO_TEST_CASE(a_failure_is_told_and_the_call_given_up) {
    tutti::control::supervisor here;
    world ranks;
    int abandoned = 0;
    auto const generation = here.generation();
    BOOST_TEST(thrown(here, ranks, std::runtime_error{"lost"}, abandoned) == "lost");
    BOOST_TEST(abandoned == 1);
    BOOST_TEST((ranks.told == std::vector<std::string>{"lost"}));
    BOOST_TEST(here.generation() != generation);
    BOOST_CHECK_THROW(here.require_sound(), tutti::communicator_failed);
}

BOOST_AUTO_TEST_CASE(another_rank_s_failure_is_not_told_again) {
    tutti::control::supervisor here;
    world ranks;
    int abandoned = 0;
    auto const said = thrown(here, ranks, tutti::peer_failed{3, "lost"}, abandoned);
    BOOST_TEST(support::contains(said, "failed on rank 3: lost"));
    BOOST_TEST(abandoned == 1);
    BOOST_TEST(ranks.told.empty());
    BOOST_TEST(here.failed());
}

BOOST_AUTO_TEST_CASE(the_rank_that_has_withdrawn_a_message_says_why) {
    tutti::control::supervisor here;
    world ranks;
    ranks.heard = std::make_exception_ptr(tutti::peer_failed{2, "its operator"});
    int abandoned = 0;
    BOOST_TEST(support::contains(thrown(here, ranks, tutti::control::message_withdrawn{}, abandoned),
                                 "failed on rank 2: its operator"));
}

BOOST_AUTO_TEST_CASE(the_first_failure_is_the_one_that_counts) {
    tutti::control::supervisor here;
    here.fail("first");
    here.fail("second");
    BOOST_CHECK_EXCEPTION(here.require_sound(), tutti::communicator_failed, support::mentions("first"));
}

BOOST_AUTO_TEST_CASE(recovery_gives_up_what_runs_and_nothing_else) {
    tutti::control::supervisor here;
    numbered one{here, 1}, other{here, 2};
    one.runs = true;
    here.fail("lost");
    bool has_met = false;
    here.recover([&] { has_met = one.given_up.has_value(); });
    BOOST_TEST(has_met);
    BOOST_TEST(!other.given_up.has_value());
    BOOST_CHECK_THROW(std::rethrow_exception(*one.given_up), tutti::communicator_failed);
    BOOST_CHECK_NO_THROW(here.require_sound());
}

BOOST_AUTO_TEST_CASE(a_communicator_that_cannot_recover_stays_failed) {
    tutti::control::supervisor here;
    here.fail("lost");
    BOOST_CHECK_THROW(here.recover([] { throw std::runtime_error{"the team has ended"}; }), std::runtime_error);
    BOOST_TEST(here.failed());
}

BOOST_AUTO_TEST_CASE(a_call_is_found_by_its_tag_while_it_runs) {
    tutti::control::supervisor here;
    numbered one{here, 1}, other{here, 2};
    BOOST_TEST(!here.any_under_way());
    other.runs = true;
    BOOST_TEST(here.under_way(1) == nullptr);
    BOOST_TEST(here.under_way(2) == &other);
    {
        tutti::control::supervisor::waiting_scope const outer{here, one};
        tutti::control::supervisor::waiting_scope const inner{here, other};
        BOOST_TEST(here.waiting() == &other);
    }
    BOOST_TEST(here.waiting() == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
