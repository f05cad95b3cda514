// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pthread.h>
#include <signal.h>

#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/liveness.hpp>
#include <watch/datagrams.hpp>
#include <watch/known_communicators.hpp>
#include <watch/python_line.hpp>
#include <watch/rank_state.hpp>
#include <watch/source_lines.hpp>
#include <watch/thread_place.hpp>

namespace tutti::watch {

/// A thread of each rank that sleeps, answers others where this rank is, and asks them once a thread of this rank has
/// been in a collective for too long. It never calls MPI.
class watcher {
public:
    /// Called by all ranks after MPI_Init.
    static void begin(double seconds) {
        auto& one = get();
        one.limit_ = seconds;
        PMPI_Comm_rank(MPI_COMM_WORLD, &one.rank_);
        int size = 1;
        PMPI_Comm_size(MPI_COMM_WORLD, &size);
        one.all_.resize(static_cast<std::size_t>(size));
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
        one.runs_ = pthread_create(
                        &one.thread_, nullptr,
                        [](void* self) -> void* {
                            static_cast<watcher*>(self)->run();
                            return nullptr;
                        },
                        &one) == 0;
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    /// After MPI_Finalize: others may ask until then.
    static void end() {
        auto& one = get();
        if (!std::exchange(one.runs_, false)) { return; }
        one.is_over_ = true;
        pthread_join(one.thread_, nullptr);
    }

    /// What this thread called last, or another one where this has not called MPI, for the last words of its rank.
    [[nodiscard]] static std::string last_call() {
        rank_state state;
        seen last;
        auto const has_called = [&](thread_place const& place) {
            return place.read(last.note, last.version) && last.note.of != call_note::kind::none;
        };
        bool found = has_called(thread_places::mine());
        thread_places::for_each([&](thread_place const& each) { found = found || has_called(each); });
        if (found) { get().describe_call(state, last, source_lines{}); }
        return state.name.empty() ? "none" : state.call_text();
    }
    /// Whether this thread is in a call now.
    [[nodiscard]] static bool is_inside() {
        seen mine;
        return thread_places::mine().read(mine.note, mine.version) && mine.note.of != call_note::kind::none &&
               mine.note.has_ended == 0;
    }
    [[nodiscard]] static int rank() { return get().rank_; }

    /// A call of this rank, without its line.
    [[nodiscard]] static rank_state state_of(call_note const& note, known_communicator const& on) {
        rank_state result;
        get().describe_arguments(result, note);
        result.communicator_name = on.name;
        return result;
    }

private:
    enum class subject : std::uint32_t { question, answer, reported };
    struct message {
        std::uint64_t token = 0;
        subject about = subject::question;
        std::int32_t from = 0;
        std::uint64_t communicator = 0;
        std::uint64_t number = 0;  ///< of the call
        rank_state state;
    };
    static constexpr std::size_t head = offsetof(message, state);

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

    /// What has been seen of a thread's place, or of a nonblocking collective, and since when it has not changed.
    struct seen {
        thread_place const* place = nullptr;
        unsigned version = 0;
        double since = 0;  // s
        call_note note;
        pthread_t thread{};
        bool is_wait = false;  // of a rank in a collective
    };

    void look() {
        auto const at = now();
        std::vector<seen> current;
        auto const see = [&](thread_place const& place, pthread_t thread) {
            seen one;
            one.place = &place;
            one.since = at;
            one.thread = thread;
            if (!place.read(one.note, one.version)) { return; }
            one.is_wait = one.note.of == call_note::kind::collective && one.note.has_ended == 0;
            for (auto const& before : seen_) {
                if (before.place == one.place && before.version == one.version) {
                    one.since = before.since;
                }
            }
            current.push_back(one);
        };
        thread_places::for_each([&](thread_place const& each) { see(each, each.thread); });
        pending_collectives::for_each([&](pending_collectives::entry const& each) {
            if (each.is_waited_for) { see(each.about, pthread_t{}); }
        });
        seen_ = std::move(current);
    }

    /// The collective that a thread has been in for too long, and that no rank has reported yet.
    [[nodiscard]] std::optional<seen> longest_wait() const {
        // lower ranks ask first, so that one rank reports
        auto const patience = limit_ + std::min(rank_ * 0.03, 5.0);
        std::optional<seen> found;
        auto const at = now();
        for (auto const& each : seen_) {
            if (!each.is_wait || at - each.since < patience) { continue; }
            auto const known = quiet_.find(each.note.communicator);
            if (known != quiet_.end() && (each.since <= known->second.reported || at < known->second.until ||
                                          each.note.number <= known->second.number)) {
                continue;
            }
            if (!found || each.since < found->since) { found = each; }
        }
        return found;
    }

    /// Asks the other ranks of the communicator where they are, and prints what they say.
    void inquire(seen const& overdue) {
        auto const asked = overdue.note.communicator;
        auto const number = overdue.note.number;
        auto const members = members_of(asked);
        if (members.size() < 2) { return; }
        rank_state mine;
        {
            source_lines const lines;
            describe_call(mine, overdue, lines);
        }
        mine.where = rank_state::place::inside;
        mine.asked_calls = number;
        std::vector<std::optional<rank_state>> answers(all_.size());
        answers[static_cast<std::size_t>(rank_)] = mine;
        message question{token_, subject::question, rank_, asked, number, {}};
        gives_way_ = false;
        asks_about_ = asked;
        for (int attempt = 0; attempt != attempts; ++attempt) {
            std::size_t missing = 0;
            for (int const each : members) {
                if (answers[static_cast<std::size_t>(each)]) { continue; }
                ++missing;
                mail_.send(all_[static_cast<std::size_t>(each)], &question, head);
                if (missing % 64 == 0) { collect(answers, 2); }
            }
            if (missing == 0) { break; }
            collect(answers, attempt == 0 ? 100 : 500);
            if (gives_way_ || is_over_) { break; }  // a lower rank asks the same
        }
        asks_about_ = 0;
        // it may have ended meanwhile
        if (gives_way_ || is_over_ || !is_still(overdue)) { return; }
        std::vector<rank_state> known;
        std::vector<std::pair<int, std::string>> silent;
        for (int const each : members) {
            if (auto const& state = answers[static_cast<std::size_t>(each)]) {
                known.push_back(*state);
            } else {
                silent.emplace_back(each, why_silent(all_[static_cast<std::size_t>(each)]));
            }
        }
        has_been_reported(asked, number);
        auto const text = hang_report(mine, known, silent);
        std::fwrite(text.data(), 1, text.size(), stderr);
        message report{token_, subject::reported, rank_, asked, number, {}};
        for (int const each : members) {
            if (each != rank_) { mail_.send(all_[static_cast<std::size_t>(each)], &report, head); }
        }
    }

    [[nodiscard]] bool is_still(seen const& overdue) const {
        call_note note;
        unsigned version = 0;
        return overdue.place->read(note, version) && version == overdue.version;
    }

    [[nodiscard]] std::string why_silent(endpoint const& of) const {
        if (of.port == 0) { return "cannot be asked: it has no socket for datagrams"; }
        if (of.host == mail_.mine().host && ::kill(static_cast<pid_t>(of.process), 0) != 0) {
            return "has not come, its process has ended";
        }
        return "does not answer: it is stopped, has left MPI, or cannot be reached by UDP";
    }

    void collect(std::vector<std::optional<rank_state>>& answers, int milliseconds) {
        auto const until = ticks::nanoseconds() + std::int64_t{milliseconds} * 1'000'000;
        for (;;) {
            auto const left = (until - ticks::nanoseconds()) / 1'000'000;
            if (left <= 0) { return; }
            if (auto const answer = serve(static_cast<int>(left))) {
                answers[static_cast<std::size_t>(answer->rank)] = *answer;
                auto const has = [](auto const& each) { return each.has_value(); };
                if (std::all_of(answers.begin(), answers.end(), has)) { return; }
            }
        }
    }

    /// Takes one message, if there is one within this many milliseconds. An answer to a question of this rank.
    std::optional<rank_state> serve(int milliseconds) {
        message got;
        auto const size = mail_.receive(&got, sizeof got, milliseconds);
        bool const is_whole = size == sizeof got || (size == head && got.about != subject::answer);
        if (!is_whole || got.token != token_ || got.from < 0 || static_cast<std::size_t>(got.from) >= all_.size()) {
            return std::nullopt;
        }
        switch (got.about) {
        case subject::question: {
            // One rank asks at a time. If two do, each learns of the other before it has an answer of it.
            if (asks_about_ != got.communicator || got.from < rank_) {
                gives_way_ = gives_way_ || got.communicator == asks_about_;
                quiet_[got.communicator].until = now() + time_of_others;
            }
            message answer{token_, subject::answer, rank_, got.communicator, got.number, {}};
            describe(answer.state, got.communicator, got.number);
            mail_.send(all_[static_cast<std::size_t>(got.from)], &answer, sizeof answer);
            break;
        }
        case subject::reported:
            gives_way_ = gives_way_ || got.communicator == asks_about_;
            has_been_reported(got.communicator, got.number);
            break;
        case subject::answer:
            if (got.state.rank == got.from) { return got.state; }
            break;
        }
        return std::nullopt;
    }

    void has_been_reported(std::uint64_t communicator, std::uint64_t number) {
        auto& of = quiet_[communicator];
        of.reported = now();
        of.number = std::max(of.number, number);
    }

    /// The state of the thread of this rank that matters most: one that is in a collective of the communicator, in any
    /// collective, in another call, or that was in one last. Of a rank that has begun the call: which one that was.
    void describe(rank_state& result, std::uint64_t asked, std::uint64_t number) {
        look();
        seen const* best = nullptr;
        auto const weight = [&](seen const& one) {
            bool const is_inside = one.note.has_ended == 0;
            return (is_inside && one.note.communicator == asked && one.note.number != 0 ? 8 : 0) + (is_inside ? 4 : 0) +
                   (is_inside && one.note.of == call_note::kind::collective ? 2 : 0) +
                   (one.thread != pthread_t{} ? 1 : 0);
        };
        for (auto const& each : seen_) {
            if (each.note.of == call_note::kind::none ||
                (each.thread == pthread_t{} && asked != each.note.communicator)) {
                continue;
            }
            auto const better = best == nullptr || weight(each) > weight(*best) ||
                                (weight(each) == weight(*best) && each.since > best->since);
            if (better) { best = &each; }
        }
        source_lines const lines;
        if (best != nullptr) { describe_call(result, *best, lines); }
        result.rank = rank_;
        call_note begun;
        known_communicators::get().with(asked, [&](known_communicator const& each) {
            auto const* const site = each.last[(number - 1) % each.most_last].load();
            result.asked_calls = each.calls.load();
            if (number == 0 || result.asked_calls < number || result.asked_calls >= number + each.most_last) { return; }
            if (site != nullptr) { begun = site->note.get(); }
        });
        if (begun.name == nullptr || result.is_in(asked, number)) { return; }
        auto now = std::move(result);
        result = {};
        begun.communicator = asked;
        begun.number = number;
        seen call;
        call.note = begun;
        describe_call(result, call, lines);
        result.where = rank_state::place::begun;
        result.asked_calls = now.asked_calls;
        if (now.asked_calls != number) {  // from the same place there may have been others
            result.bytes = -1;
            result.peer = call_facts::none;
            result.op = "";
            result.type = "";
            result.type_kind = 0;
            result.is_brief = 1;
        }
        bool const is_last =
            now.communicator == asked && now.number == number && now.where == rank_state::place::outside;
        result.since = is_last ? "has called nothing since" : now.place_text();
    }

    void describe_call(rank_state& to, seen const& one, source_lines const& lines) const {
        auto const& note = one.note;
        describe_arguments(to, note);
        to.seconds = now() - one.since;
        std::string on;
        void const* made_at = nullptr;
        known_communicators::get().with(note.communicator, [&](known_communicator const& each) {
            on = each.name;
            made_at = each.made_at;
        });
        to.communicator_name = made_at == nullptr ? on : on + ", made by " + lines.of(made_at);
        to.site = lines.of(note.returns_to);
        if (to.where == rank_state::place::inside && one.thread != pthread_t{}) { to.python = python_line(one.thread); }
    }

    void describe_arguments(rank_state& to, call_note const& note) const {
        to.rank = rank_;
        to.where = note.has_ended == 0 ? rank_state::place::inside : rank_state::place::outside;
        to.communicator = note.communicator;
        to.number = note.number;
        to.bytes = note.bytes;
        to.type_kind = note.type_kind;
        to.peer = static_cast<std::int32_t>(note.peer);
        to.tag = static_cast<std::int32_t>(note.tag);
        to.is_collective = note.of == call_note::kind::collective ? 1 : 0;
        to.equal = static_cast<std::int32_t>(note.equal);
        to.name = note.name;
        if (note.through != nullptr) { to.through = note.through; }
        if (note.op == word_of(MPI_OP_NULL)) { return; }
        auto const* const op = name_of_operator(handle_of<MPI_Op>(note.op));
        to.op = op != nullptr ? op : "an operator of the program's";
        if (note.type == word_of(MPI_DATATYPE_NULL)) { return; }
        auto const* const type = name_of_type(handle_of<MPI_Datatype>(note.type));
        to.type = type != nullptr ? type : "another type";
    }

    [[nodiscard]] static std::vector<int> members_of(std::uint64_t communicator) {
        std::vector<int> result;
        known_communicators::get().with(communicator, [&](known_communicator const& each) { result = each.members; });
        return result;
    }

    static constexpr int attempts = 6;
    static constexpr double time_of_others = 5;  // s, for what another rank asks

    double limit_ = 10;
    int rank_ = 0;
    std::uint64_t token_ = 0;
    datagrams mail_;
    std::vector<endpoint> all_;
    std::vector<seen> seen_;
    struct quiet {
        double reported = 0;       ///< s; waits that began before are known
        std::uint64_t number = 0;  ///< those of calls up to this one are
        double until = 0;          ///< s; another rank asks about it
    };
    std::map<std::uint64_t, quiet> quiet_;  // by communicator
    bool gives_way_ = false;
    std::uint64_t asks_about_ = 0;
    bool runs_ = false;
    std::atomic<bool> is_over_{false};
    pthread_t thread_{};
};

}  // namespace tutti::watch
