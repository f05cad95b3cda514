// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/communicator/call.hpp>
#include <tutti/communicator/zero_count_calls.hpp>
#include <tutti/communicator/supervisor.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::control {

/// How the notices of a communicator travel: beside its data, without waiting. `notify` sends a copy of a notice to
/// each of `peers`; `next` receives one that has come, and is its sender, or -1; `now` is in seconds.
template <class M>
concept notice_channel = requires(M& channel, std::span<int const> peers, std::span<std::byte const> notice,
                                  std::span<std::byte> received) {
    { channel.rank() } -> std::convertible_to<int>;
    { channel.size() } -> std::convertible_to<int>;
    channel.notify(peers, notice);
    { channel.next(received) } -> std::same_as<int>;
    { channel.now() } -> std::same_as<double>;
};

/// Notices by which a rank tells all others of a communicator of a failure; ranks look for notices only when they have
/// waited without success for a while.
///
/// A rank that has waited without success for a second asks those that it waits for what they do. Where they are in
/// another call, or have left this one, it throws: their messages will never come. So calls that differ between the
/// ranks end although no message announces it; but for a rank that waits for one which computes and calls nothing, see
/// `execution::timeout`.
template <notice_channel Channel>
class notices {
public:
    /// Tells the communicator from others that have had its number in MPI: a notice may arrive late.
    using identity = std::array<int, 2>;

    notices() = default;
    notices(notices&&) = default;
    notices& operator=(notices const&) = delete;

    [[nodiscard]] Channel& channel() noexcept { return channel_; }
    [[nodiscard]] Channel const& channel() const noexcept { return channel_; }

    /// All ranks say the same.
    void identify(identity own) noexcept { own_ = own; }

    /// Whether notices may be under way, so that MPI must not give the communicator's number to another one.
    [[nodiscard]] bool are_under_way() const noexcept { return has_notified_ || unanswered_ != 0; }

    /// Answers all questions: this rank makes no more calls, and is at `where`; in the calls `empty` it exchanged
    /// nothing with some ranks.
    [[gnu::cold]] void answer_all(zero_count_calls const& empty, std::string_view where) {
        listen();
        for (auto const& each : std::exchange(received_, {})) {
            if (each.notice.what == kind::waits) {
                auto const what = empty.includes(each.notice.call) ? kind::had_nothing : kind::has_left;
                send(each.from, answer_to(each, what), where);
            } else if (is_answer(each.notice.what)) {
                --unanswered_;
            }
        }
    }

    /// Does not wait. `noexcept`, since the caller has already failed: a rank that cannot be notified finds the failure
    /// otherwise, or waits.
    [[gnu::cold]] void notify_all(failure_kind what, int call, std::int64_t number, std::string_view why) noexcept {
        try {
            dynamic_array<int> others;
            for (int peer = 0; peer != channel_.size(); ++peer) {
                if (peer != channel_.rank()) { others.push_back(peer); }
            }
            message notice;
            notice.call = call;
            notice.run = first_run(number);
            notice.what = kind_of(what);
            has_notified_ = true;
            send(others, notice, why);
        } catch (...) {  // no memory for the text
        }
    }

    /// Throws the failure that another rank has reported for a call that this rank has begun (`calls` has their tags)
    /// or a plan that it has made (`newest_plan` is the last one's number; plans have lower tags than calls). The
    /// sender may be ahead: notices of later calls are kept. A refusal concerns only ranks in the same call, or with
    /// that plan. Answers questions; in the calls `empty` this rank exchanged nothing with some ranks. `waits` is how
    /// often it has begun to wait: a number other than the last one means that something has arrived meanwhile.
    template <class Calls>
    void poll(Calls const& calls, std::int64_t newest_plan, supervisor const& here, zero_count_calls const& empty,
              std::size_t waits) {
        auto const newest = calls.number_of(calls.last());
        auto const is_early = [&](message const& one) {
            bool const is_of_plan = one.call < calls.first();
            return number_of(one) > (is_of_plan ? newest_plan : newest) && !(is_of_plan && one.what == kind::waits);
        };
        // before answers are received: a message that was sent before an answer has then been polled for
        if (here.waiting() != nullptr) { look_around(*here.waiting(), here.time_limit(), waits, newest); }
        listen();
        for (auto i = received_.begin(); i != received_.end();) {
            if (is_early(i->notice)) {
                ++i;
                continue;
            }
            auto const one = *i;
            received_.erase(i);
            switch (one.notice.what) {
            case kind::call_failed: throw peer_failed{one.from, one.notice.text.data()};
            case kind::plan_dropped: throw plan_dropped{one.from, one.notice.text.data()};
            case kind::call_refused: {
                auto const number = number_of(one.notice);
                bool const may_wait = one.notice.call < calls.first() || number == newest;
                if (may_wait && here.has(one.notice.call, number)) { forward_refusal(one); }
                break;
            }
            case kind::sends_abandoned: break;
            case kind::waits: answer(one, calls, newest_plan, here, empty); break;
            case kind::waits_too:
            case kind::has_left:
            case kind::had_nothing:
                --unanswered_;
                take_answer(one, here.waiting());
                break;
            }
        }
    }

    /// Ranks that have given their sends up, so that their messages must stay where they are.
    [[nodiscard]] std::span<int const> abandoned() {
        listen();
        return {abandoned_.data(), abandoned_.size()};
    }

    /// Discards all notices received before. Collective.
    void forget() noexcept {
        ++generation_;
        has_notified_ = false;
        unanswered_ = 0;
        received_.clear();
        answers_.clear();
        abandoned_.clear();
    }

private:
    enum class kind {
        call_failed,
        plan_dropped,
        call_refused,
        sends_abandoned,
        waits,
        waits_too,
        has_left,
        had_nothing
    };

    struct message {
        identity sender{};
        int generation = 0;
        int call = 0;
        kind what = kind::call_failed;
        std::int64_t run = 0;
        std::uint64_t digest = 0;   // of the call that waits
        std::uint64_t traffic = 0;  // see `supervised_call::traffic_with`
        std::int64_t calls = 0;     // that the rank which asks has begun
        std::array<char, 456> text{};
    };
    static_assert(sizeof(message) == 512);
    struct received {
        message notice;
        int from = 0;
    };

    static constexpr double first_question = 1;  // s; each later one after twice the time

    // As `supervised_call::run`.
    [[nodiscard]] static std::int64_t first_run(std::int64_t number) noexcept { return number << 32; }
    [[nodiscard]] static std::int64_t number_of(message const& notice) noexcept { return notice.run >> 32; }
    [[nodiscard]] static bool is_answer(kind what) noexcept { return what >= kind::waits_too; }

    [[nodiscard]] static kind kind_of(failure_kind what) noexcept {
        switch (what) {
        case failure_kind::plan_dropped: return kind::plan_dropped;
        case failure_kind::call_refused: return kind::call_refused;
        case failure_kind::sends_abandoned: return kind::sends_abandoned;
        case failure_kind::call_failed: break;
        }
        return kind::call_failed;
    }

    [[nodiscard]] static message answer_to(received const& question, kind what) noexcept {
        return {.call = question.notice.call, .what = what, .run = question.notice.run};
    }

    [[gnu::cold]] void listen() {
        while (auto const found = next()) {
            if (found->notice.sender != own_ || found->notice.generation != generation_) { continue; }
            if (found->notice.what == kind::sends_abandoned) {
                abandoned_.push_back(found->from);
            } else {
                received_.push_back(*found);
            }
        }
    }

    // What has come next, if anything.
    [[nodiscard]] std::optional<received> next() {
        received result;
        result.from = channel_.next(std::as_writable_bytes(std::span{&result.notice, 1}));
        if (result.from < 0) { return std::nullopt; }
        result.notice.text.back() = '\0';
        return result;
    }

    void send(std::span<int const> peers, message notice, std::string_view text) {
        notice.sender = own_;
        notice.generation = generation_;
        std::memcpy(notice.text.data(), text.data(), std::min(text.size(), notice.text.size() - 1));
        channel_.notify(peers, std::as_bytes(std::span{&notice, 1}));
    }
    void send(int peer, message const& notice, std::string_view text) { send(std::span{&peer, 1}, notice, text); }

    // Requires that this rank has begun the call of which the question is, or that it is about a plan.
    template <class Calls>
    [[gnu::cold]] void answer(received const& question, Calls const& calls, std::int64_t newest_plan,
                              supervisor const& here, zero_count_calls const& empty) {
        require_order(question, calls, newest_plan, here.waiting());
        auto const* const mine = here.under_way(question.notice.call);
        if (mine == nullptr || mine->run() >> 32 != number_of(question.notice)) {
            bool const may_come = question.notice.call < calls.first();  // a plan may still be started
            auto const what = empty.includes(question.notice.call) ? kind::had_nothing
                              : may_come                           ? kind::waits_too
                                                                   : kind::has_left;
            auto const* const now = here.waiting();
            auto const where = now != nullptr ? "in " + sentence_of(*now) : "between two calls";
            send(question.from, answer_to(question, what), where);
            return;
        }
        auto const entered = control::between(channel_.rank(), question.from, mine->entered());
        auto const asked = question.notice.run;
        if (question.notice.digest != control::digest_of(entered) ||
            (mine->run() == asked && question.notice.traffic != mine->traffic_with(question.from))) {
            throw mismatched_calls{disagreement(entered, question)};
        }
        if (mine->run() < asked) { return; }
        auto const what = mine->run() > asked ? kind::has_left : kind::waits_too;
        send(question.from, answer_to(question, what), "in " + sentence_of(*mine));
    }

    // A rank asks about a plan that it has made, and this one has not, but is in a call which that has not begun: each
    // would wait for the other forever.
    template <class Calls>
    void require_order(received const& question, Calls const& calls, std::int64_t newest_plan,
                       supervised_call const* waiting) {
        auto const& asked = question.notice;
        if (waiting == nullptr || waiting->tag() < calls.first() || asked.call >= calls.first()) { return; }
        if (number_of(asked) <= newest_plan || calls.number_of(calls.last()) <= asked.calls) { return; }
        send(question.from, answer_to(question, kind::has_left), "in " + sentence_of(*waiting));
        throw mismatched_calls{disagreement(waiting->entered(), question)};
    }

    [[gnu::cold]] void take_answer(received const& notice, supervised_call const* waiting) {
        if (waiting == nullptr || waiting->tag() != notice.notice.call || waiting->run() != notice.notice.run) {
            return;
        }
        answers_.erase_if([&](received const& each) { return each.from == notice.from; });
        answers_.push_back(notice);
    }

    // Throws if a rank that this one waits for has left the call, or the time limit has passed; asks now and then. A
    // message sent before an answer arrives before it.
    [[gnu::cold]] void look_around(supervised_call const& waiting, double timeout, std::size_t waits,
                                   std::int64_t newest) {
        auto const now = channel_.now();
        if (waits != waits_before_ || waiting.tag() != asked_for_) {
            waits_before_ = waits;
            asked_for_ = waiting.tag();
            since_ = now;
            answers_.clear();
            next_question_ = timeout > 0 ? std::min(first_question, timeout / 2) : first_question;
            return;
        }
        auto const waited = now - since_;
        if (timeout > 0 && waited >= timeout) { throw timed_out{report(waiting, waited)}; }
        bool const asks = waited >= next_question_;
        auto const has_left = [](received const& each) { return each.notice.what > kind::waits_too; };
        if (!asks && std::none_of(answers_.begin(), answers_.end(), has_left)) { return; }
        auto const awaited = waiting.awaited();  // allocates
        for (auto const& each : answers_) {
            if (has_left(each) && std::find(awaited.begin(), awaited.end(), each.from) != awaited.end()) {
                throw mismatched_calls{has_left_text(waiting, each)};
            }
        }
        if (!asks) { return; }
        next_question_ *= 2;
        ask(awaited, waiting, newest);
    }

    [[nodiscard, gnu::cold]] std::string has_left_text(supervised_call const& waiting, received const& answer) const {
        bool const had_nothing = answer.notice.what == kind::had_nothing;
        return text::joined({sentence_of(waiting), " on rank ", channel_.rank(), " waits for rank ", answer.from,
                             had_nothing ? ", which had 0 elements to exchange with it in this call, and is "
                                         : ", which has left this call and is ",
                             answer.notice.text.data(),
                             had_nothing ? "; give every rank the same number of elements"
                                         : "; make the same calls with the same arguments on all ranks"});
    }

    // Asks the ranks that this one waits for what they do.
    [[gnu::cold]] void ask(std::span<int const> awaited, supervised_call const& waiting, std::int64_t newest) {
        message question;
        question.what = kind::waits;
        question.call = waiting.tag();
        question.run = waiting.run();
        question.calls = newest;
        unanswered_ += awaited.size();
        for (int const peer : awaited) {
            auto const entered = control::between(channel_.rank(), peer, waiting.entered());
            question.digest = control::digest_of(entered);
            question.traffic = waiting.traffic_with(peer);
            send(peer, question, control::text_of(entered, true));
        }
    }

    // "all_reduce of 1 int (waiting for rank 1, 3)"
    [[nodiscard, gnu::cold]] static std::string sentence_of(supervised_call const& waiting) {
        auto result = text_of(waiting.entered(), false);
        auto const peers = waiting.awaited();
        for (std::size_t i = 0; i != peers.size(); ++i) {
            result.append(i == 0 ? " (waiting for rank " : ", ").append(std::to_string(peers[i]));
        }
        return peers.empty() ? result : result + ")";
    }

    [[nodiscard]] std::string disagreement(call const& mine, received const& theirs) const {
        return control::mismatch_sentence(text_of(mine, true), channel_.rank(), theirs.notice.text.data(), theirs.from);
    }

    [[nodiscard, gnu::cold]] std::string report(supervised_call const& waiting, double waited) const {
        auto result = "rank " + std::to_string(channel_.rank()) + " has waited for " +
                      std::to_string(std::lround(waited * 1000)) + " ms in " + sentence_of(waiting);
        for (int const peer : waiting.awaited()) {
            auto const notice =
                std::find_if(answers_.begin(), answers_.end(), [&](received const& each) { return each.from == peer; });
            result.append("; rank ").append(std::to_string(peer)).append(" is ");
            if (notice == answers_.end()) {
                result.append("not waiting in a collective, or still in an earlier one");
            } else {
                result.append(notice->notice.text.data());
            }
        }
        return result + "; make this call on all ranks, or give a longer timeout if some are only late";
    }

    // The rank that has refused a call may wait in another one.
    [[noreturn]] void forward_refusal(received const& refusal) {
        peer_failed const follows{refusal.from, refusal.notice.text.data()};
        notify_all(failure_kind::call_failed, refusal.notice.call, number_of(refusal.notice), follows.what());
        throw follows;
    }

    Channel channel_;
    identity own_{};
    int generation_ = 0;
    dynamic_array<received> received_;  // of calls that this rank has not begun yet
    dynamic_array<received> answers_;
    dynamic_array<int> abandoned_;           // ranks whose messages must stay where they are
    bool has_notified_ = false;              // of a failure
    std::size_t unanswered_ = 0;             // questions of this rank
    std::size_t waits_before_ = 0;           // at the last poll
    int asked_for_ = 0;                      // tag of the call in which this rank waited then
    double since_ = 0;                       // when this wait began, in s of the channel's clock
    double next_question_ = first_question;  // s after that
};

}  // namespace tutti::control
