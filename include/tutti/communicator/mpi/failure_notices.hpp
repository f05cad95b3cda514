// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator.hpp>
#include <tutti/communicator/call_text.hpp>
#include <tutti/communicator/mpi/cancellation.hpp>
#include <tutti/communicator/mpi/empty_calls.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/tag_sequence.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>

namespace tutti::mpi {

/// Messages by which a rank tells all others of a communicator of a failure. A notice is short enough to leave at once,
/// and has a tag of its own; ranks look for notices only when they have waited in vain for a while.
///
/// A rank that has waited in vain for a second asks those that it waits for what they do. Where they are in another
/// call, or have left this one, it throws: their messages will never come. So calls that differ between the ranks end
/// although no message says so; but for a rank that waits for one which computes and calls nothing, see
/// `execution::timeout`.
class failure_notices {
public:
    /// Tells the communicator from others that have had its number in MPI: a notice may arrive late.
    using identity = std::array<int, 2>;

    failure_notices() : tag_{tagged_length::largest_plain_tag() / 2 * 2} {}
    /// What MPI has not sent yet keeps its memory.
    ~failure_notices() {
        while (!is_finalised() && !sent_.empty() && sent_.front().has_left()) { sent_.pop_front(); }
        if (!sent_.empty()) { static_cast<void>(new (std::nothrow) std::deque<sending>{std::move(sent_)}); }
    }
    failure_notices(failure_notices&&) = default;
    failure_notices& operator=(failure_notices const&) = delete;

    /// All ranks say the same.
    void identify(identity own) noexcept { own_ = own; }

    /// Whether notices may be under way, so that MPI must not give the communicator's number to another one.
    [[nodiscard]] bool are_under_way() const noexcept { return has_told_ || unanswered_ != 0; }

    /// Answers all that ask: this rank is in no call any more, but at `where`; `empty` are calls that it has left
    /// without some ranks.
    void answer_all(MPI_Comm comm, empty_calls const& empty, std::string_view where) {
        listen(comm);
        for (auto const& each : std::exchange(told_, {})) {
            if (each.notice.what == kind::waits) {
                message answer;
                answer.call = each.notice.call;
                answer.run = each.notice.run;
                answer.what = empty.includes(answer.call) ? kind::had_nothing : kind::has_left;
                tell(comm, {each.from}, answer, where);
            } else if (is_answer(each.notice.what)) {
                --unanswered_;
            }
        }
    }

    /// The rank from which a message with this tag, or any, has come that no receive waits for; else MPI_PROC_NULL. One
    /// whose length is part of its tag is seen if it is the first.
    [[nodiscard]] int sender_of(MPI_Comm comm, int tag) const {
        for (int const sought :
             {tag, MPI_ANY_TAG, MPI_ANY_TAG}) {  // MPI may take in at one look what it reports at the next
            int found = 0;
            MPI_Status status;
            ensure("MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, sought, comm, &found, &status));
            if (found == 0) { continue; }
            bool const is_it =
                tag == MPI_ANY_TAG ? status.MPI_TAG != tag_ : tagged_length::remove(status.MPI_TAG) == tag;
            if (is_it) { return status.MPI_SOURCE; }
        }
        return MPI_PROC_NULL;
    }

    /// Sends it to all ranks of `comm` but `self`, without waiting. Called by ranks that have failed, so it throws
    /// nothing: a rank that cannot be told finds out otherwise, or waits.
    void tell_all(MPI_Comm comm, int self, int size, failure_kind what, int call, std::int64_t number,
                  std::string_view why) noexcept {
        try {
            dynamic_array<int> others;
            for (int peer = 0; peer != size; ++peer) {
                if (peer != self) { others.push_back(peer); }
            }
            message notice;
            notice.call = call;
            notice.run = first_run(number);
            notice.what = kind_of(what);
            has_told_ = true;
            tell(comm, others, notice, why);
        } catch (...) {  // no memory for the text
        }
    }

    /// Throws the failure that another rank has reported for a call that this rank has begun, `calls` being their tags,
    /// or of a plan: plans have tags below those of calls. A refusal concerns only those who are in the same call, and
    /// not if they have refused it as well, see `refused`.
    /// Answers ranks that ask what this rank does; `empty` are calls that it has left without some of them.
    void hear(MPI_Comm comm, tag_sequence const& calls, std::int64_t refused, attachments const& here,
              empty_calls const& empty) {
        auto const newest = calls.number_of(calls.last());
        // before answers are taken in: this rank polls between a message that was sent before an answer and the next
        // look
        if (here.waiting() != nullptr) { look_around(comm, *here.waiting(), here.time_limit()); }
        listen(comm);
        for (auto i = told_.begin(); i != told_.end();) {
            if (i->notice.call >= calls.first() && number_of(i->notice) > newest) {
                ++i;
                continue;
            }
            auto const one = *i;
            i = told_.erase(i);
            switch (one.notice.what) {
            case kind::call_failed: throw peer_failed{one.from, one.notice.text.data()};
            case kind::plan_dropped: throw plan_dropped{one.from, one.notice.text.data()};
            case kind::call_refused:
                if (number_of(one.notice) == newest && newest != refused) { pass_on(comm, one); }
                break;
            case kind::sends_abandoned: break;
            case kind::waits: answer(comm, one, calls, here, empty); break;
            case kind::waits_too:
            case kind::has_left:
            case kind::had_nothing:
                --unanswered_;
                take_answer(one, here.waiting());
                break;
            }
        }
    }

    /// After a failure: receives a message that is no notice and throws it away; false if there is none from a rank
    /// that still has the memory of what it has sent.
    [[nodiscard]] bool discard(MPI_Comm comm) noexcept {
        try {
            listen(comm);
            auto const discard_from = [&](int peer) {
                int found = 0, stalled = MPI_PROC_NULL;
                MPI_Status status;
                ensure("MPI_Iprobe", MPI_Iprobe(peer, MPI_ANY_TAG, comm, &found, &status));
                if (found == 0) { return false; }
                bool const any = status.MPI_TAG == tag_ ||  // has just come
                                 discard_message(comm, status.MPI_TAG, status.MPI_SOURCE, &stalled);
                if (stalled != MPI_PROC_NULL) { abandoned_.push_back(stalled); }
                return any;
            };
            if (abandoned_.empty()) { return discard_from(MPI_ANY_SOURCE); }
            int size = 0;
            ensure("MPI_Comm_size", MPI_Comm_size(comm, &size));
            for (int peer = 0; peer != size; ++peer) {
                bool const has_memory = std::find(abandoned_.begin(), abandoned_.end(), peer) == abandoned_.end();
                if (has_memory && discard_from(peer)) { return true; }
            }
        } catch (...) {  // no memory for it: it stays where it is
        }
        return false;
    }

    /// A message has arrived, so that this rank does not wait in vain.
    void come() noexcept { ++came_; }

    /// Discards all notices received before. Collective.
    void forget() noexcept {
        ++generation_;
        has_told_ = false;
        unanswered_ = 0;
        told_.clear();
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
        std::uint64_t digest = 0;  // of the call that waits
        std::array<char, 472> text{};
    };
    static_assert(sizeof(message) == 512);
    struct sending {
        message notice;
        std::vector<MPI_Request> sends;

        [[nodiscard]] bool has_left() {
            int all = 0;
            return MPI_Testall(static_cast<int>(sends.size()), sends.data(), &all, MPI_STATUSES_IGNORE) ==
                       MPI_SUCCESS &&
                   all != 0;
        }
    };
    struct received {
        message notice;
        int from = 0;
    };

    static constexpr double first_question = 1;  // s; each later one after twice the time

    // As `waiting_call::run`.
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

    void listen(MPI_Comm comm) {
        while (auto const found = next(comm)) {
            if (found->notice.sender != own_ || found->notice.generation != generation_) { continue; }
            if (found->notice.what == kind::sends_abandoned) {
                abandoned_.push_back(found->from);
            } else {
                told_.push_back(*found);
            }
        }
    }

    void tell(MPI_Comm comm, dynamic_array<int> const& peers, message notice, std::string_view text) {
        returned_errors const scope;
        while (!sent_.empty() && sent_.front().has_left()) { sent_.pop_front(); }
        notice.sender = own_;
        notice.generation = generation_;
        std::memcpy(notice.text.data(), text.data(), std::min(text.size(), notice.text.size() - 1));
        auto& fresh = sent_.emplace_back();
        fresh.notice = notice;
        for (int const peer : peers) {
            auto& one = fresh.sends.emplace_back(MPI_REQUEST_NULL);
            MPI_Isend(&fresh.notice, sizeof fresh.notice, MPI_BYTE, peer, tag_, comm, &one);
        }
    }

    // Requires that this rank has begun the call of which the question is, or that it is about a plan.
    void answer(MPI_Comm comm, received const& question, tag_sequence const& calls, attachments const& here,
                empty_calls const& empty) {
        auto const* const mine = here.under_way(question.notice.call);
        message notice;
        notice.call = question.notice.call;
        notice.run = question.notice.run;
        if (mine == nullptr || mine->run() >> 32 != number_of(question.notice)) {
            bool const may_come = question.notice.call < calls.first();  // a plan may still be started
            notice.what = empty.includes(question.notice.call) ? kind::had_nothing
                          : may_come                           ? kind::waits_too
                                                               : kind::has_left;
            auto const* const now = here.waiting();
            tell(comm, {question.from}, notice, now != nullptr ? "in " + sentence_of(*now) : "between two calls");
            return;
        }
        if (mine->run() != question.notice.run) { return; }
        auto const entered = between(rank_in(comm), question.from, mine->entered());
        if (question.notice.digest != digest_of(entered)) {
            throw mismatched_calls{disagreement(comm, entered, question)};
        }
        notice.what = kind::waits_too;
        tell(comm, {question.from}, notice, "in " + sentence_of(*mine));
    }

    void take_answer(received const& notice, waiting_call const* waiting) {
        if (waiting == nullptr || waiting->tag() != notice.notice.call || waiting->run() != notice.notice.run) {
            return;
        }
        std::erase_if(answers_, [&](received const& each) { return each.from == notice.from; });
        answers_.push_back(notice);
    }

    // Messages sent before an answer arrive before it.
    void look_around(MPI_Comm comm, waiting_call const& waiting, double timeout) {
        auto const now = MPI_Wtime();
        if (came_ != came_before_ || waiting.tag() != asked_for_) {
            came_before_ = came_;
            asked_for_ = waiting.tag();
            since_ = now;
            answers_.clear();
            next_question_ = timeout > 0 ? std::min(first_question, timeout / 2) : first_question;
            return;
        }
        auto const waited = now - since_;
        if (timeout > 0 && waited >= timeout) { throw timed_out{report(comm, waiting, waited)}; }
        bool const asks = waited >= next_question_;
        auto const has_left = [](received const& each) { return each.notice.what > kind::waits_too; };
        if (!asks && std::none_of(answers_.begin(), answers_.end(), has_left)) { return; }
        auto const awaited = waiting.awaited();  // allocates
        for (auto const& each : answers_) {
            if (has_left(each) && std::find(awaited.begin(), awaited.end(), each.from) != awaited.end()) {
                throw mismatched_calls{sentence_of(waiting) + " on rank " + std::to_string(rank_in(comm)) +
                                       " waits for rank " + std::to_string(each.from) +
                                       (each.notice.what == kind::had_nothing
                                            ? ", which had 0 elements to exchange with it in this call, and is "
                                            : ", which has left this call and is ") +
                                       each.notice.text.data()};
            }
        }
        if (!asks) { return; }
        next_question_ *= 2;
        message question;
        question.what = kind::waits;
        question.call = waiting.tag();
        question.run = waiting.run();
        unanswered_ += awaited.size();
        for (int const peer : awaited) {
            auto const entered = between(rank_in(comm), peer, waiting.entered());
            question.digest = digest_of(entered);
            tell(comm, {peer}, question, text_of(entered, true));
        }
    }

    [[nodiscard]] static int rank_in(MPI_Comm comm) {
        int rank = 0;
        ensure("MPI_Comm_rank", MPI_Comm_rank(comm, &rank));
        return rank;
    }

    // "all_reduce of 1 int (waiting for rank 1, 3)"
    [[nodiscard]] static std::string sentence_of(waiting_call const& waiting) {
        auto result = text_of(waiting.entered(), false);
        auto const peers = waiting.awaited();
        for (std::size_t i = 0; i != peers.size(); ++i) {
            result.append(i == 0 ? " (waiting for rank " : ", ").append(std::to_string(peers[i]));
        }
        return peers.empty() ? result : result + ")";
    }

    [[nodiscard]] static std::string disagreement(MPI_Comm comm, call const& mine, received const& theirs) {
        int const rank = rank_in(comm);
        auto const here = text_of(mine, true) + " on rank " + std::to_string(rank);
        auto const there = theirs.notice.text.data() + std::string{" on rank "} + std::to_string(theirs.from);
        return rank < theirs.from ? here + " meets " + there : there + " meets " + here;
    }

    [[nodiscard]] std::string report(MPI_Comm comm, waiting_call const& waiting, double waited) const {
        auto result = "rank " + std::to_string(rank_in(comm)) + " has waited for " +
                      std::to_string(std::lround(waited * 1000)) + " ms in " + sentence_of(waiting);
        for (int const peer : waiting.awaited()) {
            auto const notice =
                std::find_if(answers_.begin(), answers_.end(), [&](received const& each) { return each.from == peer; });
            result.append("; rank ").append(std::to_string(peer)).append(" is ");
            if (notice == answers_.end()) {
                result.append("in no call that waits, or in an earlier one");
            } else {
                result.append(notice->notice.text.data());
            }
        }
        return result;
    }

    // The rank that has refused a call may wait in another one.
    [[noreturn]] void pass_on(MPI_Comm comm, received const& refusal) {
        int rank = 0, size = 0;
        ensure("MPI_Comm_rank", MPI_Comm_rank(comm, &rank));
        ensure("MPI_Comm_size", MPI_Comm_size(comm, &size));
        peer_failed const follows{refusal.from, refusal.notice.text.data()};
        tell_all(comm, rank, size, failure_kind::call_failed, refusal.notice.call, number_of(refusal.notice),
                 follows.what());
        throw follows;
    }

    [[nodiscard]] std::optional<received> next(MPI_Comm comm) const {
        int found = 0;
        MPI_Status status;
        ensure("MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm, &found, &status));
        if (found == 0) { return std::nullopt; }
        received result;
        result.from = status.MPI_SOURCE;
        ensure("MPI_Recv", MPI_Recv(&result.notice, sizeof result.notice, MPI_BYTE, status.MPI_SOURCE, tag_, comm,
                                    MPI_STATUS_IGNORE));
        result.notice.text.back() = '\0';
        return result;
    }

    int tag_;  // above those of data and of clear-to-send messages
    identity own_{};
    int generation_ = 0;
    std::deque<sending> sent_;    // MPI may still read them
    std::vector<received> told_;  // of calls to which this rank has not come yet
    std::vector<received> answers_;
    std::vector<int> abandoned_;   // ranks whose messages must stay where they are
    bool has_told_ = false;        // of a failure
    std::size_t unanswered_ = 0;   // questions of this rank
    std::size_t came_ = 0;         // how often something has
    std::size_t came_before_ = 0;  // when this rank last looked around
    int asked_for_ = 0;            // the call in which it waited then
    double since_ = 0;             // s, of MPI_Wtime
    double next_question_ = first_question;
};

}  // namespace tutti::mpi
