// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <pthread.h>
#include <signal.h>

#include <tutti/communicator/mpi/declarations.hpp>
#include <watch/datagrams.hpp>
#include <watch/known_communicators.hpp>
#include <watch/packed.hpp>
#include <watch/python_line.hpp>
#include <watch/rank_state.hpp>
#include <watch/source_lines.hpp>
#include <watch/thread_status.hpp>
#include <watch/ticks.hpp>

namespace tutti::watch {

/// A thread of each rank that mostly sleeps. It answers where this rank is, and asks other ranks once a thread of this
/// one has been in a collective for too long. It never calls MPI.
class watcher {
public:
    /// Called by all ranks after MPI_Init.
    static void begin(double seconds) {
        auto& one = get();
        one.limit_ = seconds;
        one.rank_ = rank_of(MPI_COMM_WORLD);
        one.all_.resize(comm_size(MPI_COMM_WORLD));
        auto const mine = one.mail_.mine();
        constexpr int bytes = sizeof(endpoint);
        PMPI_Allgather(&mine, bytes, MPI_BYTE, one.all_.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
        // a number that other jobs of the machine do not know
        auto token = static_cast<std::uint64_t>(ticks::now()) ^ (static_cast<std::uint64_t>(mine.process) << 40U);
        PMPI_Bcast(&token, sizeof token, MPI_BYTE, 0, MPI_COMM_WORLD);
        one.token_ = token;
        sigset_t all{};
        sigset_t before{};
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);  // the program's signals are for its own threads
        try {
            one.thread_ = std::thread{[&one] { one.run(); }};
        } catch (std::system_error const&) {}  // the system has none left: nothing is reported
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    /// After MPI_Finalize: others may ask until then.
    static void end() {
        auto& one = get();
        one.is_over_ = true;
        if (one.thread_.joinable()) { one.thread_.join(); }
    }

    /// The last call of this thread, or of another one if this has not called MPI; for `exit_report`.
    [[nodiscard]] static std::string last_call() {
        observed_status last;
        auto const has_called = [&](thread_status const& status) {
            return status.thread != pthread_t{} && status.read(last.record, last.version) &&
                   last.record.of != call_record::kind::none;
        };
        bool found = has_called(thread_statuses::mine());
        thread_statuses::for_each([&](thread_status const& each) { found = found || has_called(each); });
        return found ? get().state_of(last, source_lines{}).call_text() : "none";
    }
    /// Whether this thread is in a call now.
    [[nodiscard]] static bool is_inside() {
        observed_status mine;
        return thread_statuses::mine().read(mine.record, mine.version) && mine.record.of != call_record::kind::none &&
               mine.record.has_ended == 0;
    }
    [[nodiscard]] static int rank() { return get().rank_; }

private:
    enum class subject : std::uint64_t { question, answer, reported };

    /// About a call of a communicator.
    struct message {
        std::uint64_t token = 0;
        subject about = subject::question;
        std::int64_t from = 0;
        std::uint64_t communicator = 0;
        std::uint64_t number = 0;
        std::vector<rank_state> states{};  ///< of an answer: one

        static void members_of(auto& one, auto use) {
            use(one.token, one.about, one.from, one.communicator, one.number, one.states);
        }
    };

    watcher() = default;
    [[nodiscard]] static watcher& get() {
        static auto& one = *new watcher;  // its thread lives until the process ends
        return one;
    }

    void run() {
        auto const pause = static_cast<int>(std::clamp(limit_ * 100, 20.0, 500.0));  // ms
        while (!is_over_) {
            serve(pause);
            look();
            if (auto const overdue = longest_wait()) { inquire(*overdue); }
        }
    }

    [[nodiscard]] static double now() { return static_cast<double>(ticks::nanoseconds()) * 1e-9; }

    /// The state of a thread, or of a nonblocking collective, and since when it has not changed.
    struct observed_status {
        thread_status const* status = nullptr;
        pthread_t thread{};  // none: of a nonblocking collective
        double since = now();
        unsigned version = 0;
        call_record record{};
    };

    void look() {
        std::vector<observed_status> current;
        auto const at = now();
        thread_statuses::for_each([&](thread_status const& status) {
            observed_status one{&status, status.thread, at};
            bool const is_known = status.thread != pthread_t{} || status.is_waited_for;
            if (!is_known || !status.read(one.record, one.version)) { return; }
            for (auto const& before : seen_) {
                if (before.status == one.status && before.version == one.version) { one.since = before.since; }
            }
            current.push_back(one);
        });
        seen_ = std::move(current);
    }

    /// The collective that a thread has been in for too long, and that no rank has reported yet.
    [[nodiscard]] std::optional<observed_status> longest_wait() {
        // lower ranks ask first, so that one rank reports
        auto const patience = limit_ + std::min(rank_ * 0.03, 5.0);
        std::optional<observed_status> found;
        auto const at = now();
        // of a thread and the nonblocking collective that it waits for, the thread
        auto const order = [](observed_status const& one) { return std::pair{one.since, one.thread == pthread_t{}}; };
        for (auto const& each : seen_) {
            auto const& known = quiet_[each.record.communicator];
            bool const is_reported = each.since <= known.reported || each.record.number <= known.number;
            if (each.record.is_in_collective() && at - each.since >= patience && !is_reported && at >= known.until &&
                (!found || order(each) < order(*found))) {
                found = each;
            }
        }
        return found;
    }

    /// Asks the other ranks of the communicator where they are, and writes their answers.
    void inquire(observed_status const& overdue) {
        auto const members = known_communicators::get().members_of(overdue.record.communicator);
        if (members.size() < 2) { return; }
        auto mine = state_of(overdue, source_lines{});
        mine.asked_calls = overdue.record.number;
        std::map<std::int64_t, rank_state> answers{{rank_, mine}};
        message question{token_, subject::question, rank_, overdue.record.communicator, overdue.record.number};
        gives_way_ = false;
        asks_about_ = question.communicator;
        for (int attempt = 0; attempt != attempts && answers.size() != members.size(); ++attempt) {
            std::size_t asked = 0;
            for (int const each : members) {
                if (answers.contains(each)) { continue; }
                send(each, question);
                if (++asked % 64 == 0) { collect(answers, members.size(), 2); }
            }
            collect(answers, members.size(), attempt == 0 ? 100 : 500);
            if (gives_way_ || is_over_) { break; }  // a lower rank asks the same
        }
        asks_about_ = 0;
        if (gives_way_ || is_over_ || !is_still(overdue)) { return; }  // it may have ended meanwhile
        std::vector<rank_state> known;
        rank_lines silent;
        for (int const each : members) {
            auto const found = answers.find(each);
            found != answers.end() ? known.push_back(found->second) : silent.add(each, why_silent(each));
        }
        has_been_reported(question);
        auto const text = hang_report(mine, known, silent);
        std::fwrite(text.data(), 1, text.size(), stderr);
        question.about = subject::reported;
        for (int const each : members) {
            if (each != rank_) { send(each, question); }
        }
    }

    [[nodiscard]] bool is_still(observed_status const& overdue) const {
        call_record record;
        unsigned version = 0;
        return overdue.status->read(record, version) && version == overdue.version;
    }

    [[nodiscard]] std::string why_silent(int rank) const {
        auto const& of = all_[static_cast<std::size_t>(rank)];
        if (of.port == 0) { return "cannot be asked: it has no socket for datagrams"; }
        if (of.host == mail_.mine().host && ::kill(static_cast<pid_t>(of.process), 0) != 0) {
            return "has not come, its process has ended";
        }
        return "does not answer: it is stopped, has left MPI, or cannot be reached by UDP";
    }

    void send(std::int64_t to, message const& what) const {
        auto const bytes = packed(what);
        mail_.send(all_[static_cast<std::size_t>(to)], bytes.data(), bytes.size());
    }

    /// Receives answers for this long, or until there are enough.
    void collect(std::map<std::int64_t, rank_state>& answers, std::size_t enough, int milliseconds) {
        auto const until = ticks::nanoseconds() + std::int64_t{milliseconds} * 1'000'000;
        while (answers.size() != enough) {
            auto const left = (until - ticks::nanoseconds()) / 1'000'000;
            if (left <= 0) { return; }
            if (auto const answer = serve(static_cast<int>(left))) { answers.insert_or_assign(answer->rank, *answer); }
        }
    }

    /// Receives one message, if one comes within this many milliseconds, and returns it if it answers a question of
    /// this rank.
    std::optional<rank_state> serve(int milliseconds) {
        std::array<char, most_state_bytes> memory;
        message got;
        std::string_view bytes{memory.data(), mail_.receive(memory.data(), memory.size(), milliseconds)};
        bool const is_ours = unpack(bytes, got) && got.token == token_;
        if (!is_ours || got.from < 0 || std::cmp_greater_equal(got.from, all_.size())) { return std::nullopt; }
        switch (got.about) {
        case subject::question:
            // One rank asks at a time. If two do, each learns of the other before it has an answer of it.
            if (asks_about_ != got.communicator || got.from < rank_) {
                gives_way_ = gives_way_ || got.communicator == asks_about_;
                quiet_[got.communicator].until = now() + time_of_others;
            }
            send(got.from, answer_to(got));
            break;
        case subject::reported:
            gives_way_ = gives_way_ || got.communicator == asks_about_;
            has_been_reported(got);
            break;
        case subject::answer:
            if (got.communicator == asks_about_ && got.states.size() == 1) { return got.states.front(); }
            break;
        }
        return std::nullopt;
    }

    [[nodiscard]] message answer_to(message question) {
        question.states = {state_for(question.communicator, question.number)};
        question.about = subject::answer;
        question.from = rank_;
        return question;
    }

    void has_been_reported(message const& about) {
        auto& of = quiet_[about.communicator];
        of.reported = now();
        of.number = std::max(of.number, about.number);
    }

    /// The state of the thread that matters most: one in a call of the communicator, else in a collective, else in any
    /// call, else the one that was in a call last. If this rank has begun the call asked for, and is in it no more: the
    /// arguments of that call, and where it is now.
    [[nodiscard]] rank_state state_for(std::uint64_t asked, std::uint64_t number) {
        look();
        auto const weight = [&](observed_status const& one) {
            auto const& record = one.record;
            bool const is_thread = one.thread != pthread_t{};
            bool const matters = record.of != call_record::kind::none && (is_thread || asked == record.communicator);
            bool const is_inside = record.has_ended == 0;
            bool const is_on_it = is_inside && record.communicator == asked && record.number != 0;
            return std::tuple{matters, is_on_it, is_inside, record.is_in_collective(), is_thread, one.since};
        };
        auto const lighter = [&](observed_status const& a, observed_status const& b) { return weight(a) < weight(b); };
        auto const best = std::max_element(seen_.begin(), seen_.end(), lighter);
        source_lines const lines;
        rank_state state;
        if (best != seen_.end() && std::get<0>(weight(*best))) { state = state_of(*best, lines); }
        state.rank = rank_;
        observed_status begun;
        known_communicators::get().with(asked, [&](known_communicator const& each) {
            auto const* const site = each.last[(number - 1) % each.most_last].load();
            state.asked_calls = each.calls.load();
            bool const is_kept = state.asked_calls >= number && state.asked_calls < number + each.most_last;
            if (number != 0 && is_kept && site != nullptr) { begun.record = site->record.get(); }
        });
        bool const is_of_call = state.is_of(asked, number);
        if (begun.record.name == nullptr || (is_of_call && state.is_inside())) { return state; }
        begun.record.communicator = asked;
        begun.record.number = number;
        auto result = state_of(begun, lines);
        result.asked_calls = state.asked_calls;
        if (state.asked_calls != number) { result.forget_arguments(); }
        result.now = is_of_call ? "has called nothing since" : shortened(state.place_text());
        return result;
    }

    [[nodiscard]] rank_state state_of(observed_status const& one, source_lines const& lines) const {
        rank_state result{rank_, one.record};
        result.seconds = now() - one.since;
        void const* made_at = nullptr;
        known_communicators::get().with(one.record.communicator, [&](known_communicator const& each) {
            result.communicator_name = shortened(each.name);
            made_at = each.made_at;
        });
        if (made_at != nullptr) { result.communicator_name += shortened(", made by " + lines.of(made_at)); }
        result.site = shortened(lines.of(one.record.returns_to));
        if (result.is_inside() && one.thread != pthread_t{}) { result.python = shortened(python_line(one.thread)); }
        return result;
    }

    static constexpr int attempts = 6;
    static constexpr double time_of_others = 5;  // s, for what another rank asks

    double limit_ = 10;
    int rank_ = 0;
    std::uint64_t token_ = 0;
    datagrams mail_;
    std::vector<endpoint> all_;
    std::vector<observed_status> seen_;
    struct report_state {
        double reported = 0;       ///< s; waits that began before are known
        std::uint64_t number = 0;  ///< those of calls up to this one are
        double until = 0;          ///< s; another rank asks about it
    };
    std::map<std::uint64_t, report_state> quiet_;  // by communicator
    bool gives_way_ = false;
    std::uint64_t asks_about_ = 0;
    std::atomic<bool> is_over_{false};
    std::thread thread_;
};

}  // namespace tutti::watch
