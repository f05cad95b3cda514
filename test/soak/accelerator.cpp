// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// accelerator CONFIGURATION SEED SECONDS, or CONFIGURATION SEED ROUNDS rounds: random calls of MPI's collectives, which
// the accelerator (LD_PRELOAD) takes, against what their memory is to be. Followed by `calls FIRST COUNT`: these of
// each round alone, since what a call is depends on the seed of its round and its number only.
//
// Many calls are those of a loop, in the course of which MPI gives way to tutti. In all that MPI lets ranks differ in
// each rank goes its own way: the thread and the place of a call, handles of types and operators, what it does between.
// All of it comes from the seed. Where a call has not ended after some time, each rank prints which one it is in.
//
// Where a result is wrong, the call is repeated by MPI's profiling interface: what MPI does wrong by itself is counted
// apart.

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <signal.h>
#include <unistd.h>

#include <mpi.h>

#include <support/mpich_turns.hpp>

#include "accelerator/asides.hpp"
#include "accelerator/threads.hpp"
#include "accelerator/trial.hpp"
#include "limits.hpp"
#include "random.hpp"

namespace {

constexpr unsigned longest_call = 60;  // seconds; under load Open MPI alone has taken 15 for 234 calls
constexpr std::size_t calls_in_round = 500;
constexpr std::chrono::milliseconds lateness{250};  // after which warm_up sees a communicator worth its cost
constexpr std::size_t most_threads = 3;
constexpr std::size_t most_teams = 5;  // of a thread

/// What each thread of this rank is doing, for the handler of a signal.
std::array<std::array<char, 4000>, most_threads> doing{};

void note(std::size_t thread, std::string const& words) {
    auto& to = doing[thread];
    auto const length = std::min(words.size(), to.size() - 2);
    std::memcpy(to.data(), words.data(), length);
    to[length] = '\n';
    to[length + 1] = '\0';
}

extern "C" void end_with_words(int signal) {
    constexpr std::string_view late = "no call has begun or ended for 60 s:\n";
    if (signal == SIGALRM && write(STDOUT_FILENO, late.data(), late.size()) < 0) { _exit(3); }
    for (auto const& each : doing) {
        if (write(STDOUT_FILENO, each.data(), std::strlen(each.data())) < 0) { _exit(3); }
    }
    sleep(3);  // the others are as late
    _exit(1);  // the launcher then ends them
}

/// Communicators of a thread, which is alone in using them: all of `all`, in some order, or two groups of these, or
/// some of them, where the others have none.
class teams {
public:
    explicit teams(MPI_Comm all) : all_{all} {}
    teams(teams const&) = delete;
    teams& operator=(teams const&) = delete;
    ~teams() {
        for (auto& each : made_) { free(each); }
    }

    /// The communicator number `i`, which all ranks of `all` ask for.
    soak::team const& at(std::size_t i, std::uint64_t seed) {
        while (made_.size() <= i) { made_.push_back(make(soak::mixed(seed, made_.size()), made_.size())); }
        return made_[i].of;
    }
    [[nodiscard]] bool has(std::size_t i) const { return i < made_.size(); }
    /// Frees one; the next call makes another in its place.
    void replace(std::size_t i, std::uint64_t seed) {
        free(made_[i]);
        made_[i] = make(seed, i);
    }
    /// In any order.
    void free_all(soak::draw& from) {
        from.shuffle(made_);
        for (auto& each : made_) { free(each); }
        made_.clear();
    }

private:
    struct one {
        soak::team of;
        MPI_Comm group = MPI_COMM_NULL;  ///< the local one of an intercommunicator
    };

    static void free(one& which) {
        if (which.of.comm != MPI_COMM_NULL) { MPI_Comm_free(&which.of.comm); }
        if (which.group != MPI_COMM_NULL) { MPI_Comm_free(&which.group); }
    }

    /// The first one has all ranks, the second one only some.
    [[nodiscard]] one make(std::uint64_t seed, std::size_t i) const {
        soak::draw from{seed};
        int rank = 0;
        int size = 0;
        MPI_Comm_rank(all_, &rank);
        MPI_Comm_size(all_, &size);
        one result{{MPI_COMM_NULL, 0, 0, false, 0, 0}};
        auto const kind = i == 0 ? from.below(3) : i == 1 ? std::size_t{6} : from.below(8);
        if (kind < 2) {
            MPI_Comm_dup(all_, &result.of.comm);
        } else if (kind == 2) {
            MPI_Comm_split(all_, 0, -rank, &result.of.comm);
        } else if (kind == 3 && size >= 2) {
            result.of.is_inter = true;
            result.of.side = rank % 2;
            MPI_Comm_split(all_, rank % 2, 0, &result.group);
            MPI_Intercomm_create(result.group, 0, all_, 1 - rank % 2, 0, &result.of.comm);
            MPI_Comm_remote_size(result.of.comm, &result.of.remote_size);
        } else if (kind >= 6 && size >= 3) {
            auto const first = static_cast<int>(from.below(static_cast<std::size_t>(size)));
            auto const second = (first + static_cast<int>(from.from(1, static_cast<std::size_t>(size) - 2))) % size;
            bool const is_pair = from.one_in(2);
            auto const has = [&](int r) { return is_pair ? r == first || r == second : r != first; };
            bool const is_of_it = has(rank);
            if (from.one_in(2)) {
                MPI_Comm_split(all_, is_of_it ? 0 : MPI_UNDEFINED, 0, &result.of.comm);
            } else if (is_of_it) {  // the other ranks do not take part
                std::vector<int> ranks;
                for (int r = 0; r != size; ++r) {
                    if (has(r)) { ranks.push_back(r); }
                }
                MPI_Group group = MPI_GROUP_NULL;
                MPI_Comm_group(all_, &group);
                MPI_Group some = MPI_GROUP_NULL;
                MPI_Group_incl(group, static_cast<int>(ranks.size()), ranks.data(), &some);
                MPI_Comm_create_group(all_, some, 1, &result.of.comm);
                MPI_Group_free(&some);
                MPI_Group_free(&group);
            }
            if (!is_of_it) { return result; }
        } else {
            std::vector<int> places(static_cast<std::size_t>(size));
            for (auto& each : places) { each = static_cast<int>(from.below(100)); }
#ifdef OPEN_MPI
            auto const colors = from.from(1, 2);
#else
            int const colors = 1;  // on one rank, MPI_Allgatherv of MPICH 4.0 writes elsewhere if the types differ
#endif
            MPI_Comm_split(all_, places[static_cast<std::size_t>(rank)] % static_cast<int>(colors),
                           places[static_cast<std::size_t>(rank)], &result.of.comm);
        }
        MPI_Comm_set_errhandler(result.of.comm, MPI_ERRORS_RETURN);
        MPI_Comm_rank(result.of.comm, &result.of.rank);
        MPI_Comm_size(result.of.comm, &result.of.size);
        return result;
    }

    MPI_Comm all_;
    std::vector<one> made_;
};

/// What a round has found.
struct findings {
    std::mutex guard;
    std::size_t calls = 0;
    std::map<std::size_t, std::string> flaws;  // by number of the call, on this rank
    std::array<unsigned char, calls_in_round> failed{};
};

struct round_limits {
    std::size_t first = 0;
    std::size_t count = calls_in_round;
};

/// A call of a round, which other ranks may make as well.
struct planned {
    std::size_t team;
    soak::kind_of_call kind;
    bool replaces_team = false;  ///< before it
    bool has_messages = false;   ///< around it, from each rank to the next
    bool is_late = false;        ///< on all ranks: how long a communicator lives decides who performs its calls
};

class player {
public:
    player(std::uint64_t seed, std::size_t thread, std::size_t threads, bool changes_threads, MPI_Comm all,
           round_limits which, std::string prefix, findings& found)
        : seed_{seed},
          thread_{thread},
          threads_{threads},
          changes_threads_{changes_threads},
          all_{all},
          which_{which},
          prefix_{std::move(prefix)},
          found_{found},
          asides_{own_, seed % 4 == 3} {
        if (makes_all_before()) { make_all(); }
    }

    /// The calls of a thread: those whose numbers are the thread's modulo the number of threads.
    void play() {
        walk(
            with_,
            [&](std::size_t k, planned const& what, soak::team const& on) {
                if (is_wanted(k)) { make_call(k, what, on); }
            },
            [&] {
                asides_.give_back();
#ifdef OPEN_MPI  // 4.1 crashes where a communicator is freed before its nonblocking calls have ended
                while (!pending_.empty()) { finish(0); }
#endif
            });
        while (!pending_.empty()) { finish(0); }
        note(thread_, prefix_ + ", end of round");
        asides_.end();
        soak::draw from{soak::mixed(seed_, 33 + thread_)};
        with_.free_all(from);
    }

    /// Repeats the calls that have failed on some rank, by MPI alone; those that MPI gets wrong, too.
    std::array<unsigned char, calls_in_round> repeat(std::array<unsigned char, calls_in_round> const& failed) {
        std::array<unsigned char, calls_in_round> wrong{};
        teams with{all_};
        walk(
            with,
            [&](std::size_t k, planned const& what, soak::team const& on) {
                if (failed[k] == 0) { return; }
                soak::trial again{what.kind, soak::mixed(seed_, k), on};
                note(thread_, prefix_ + ", by MPI alone, call " + std::to_string(k) + ": " + again.words());
                again.begin_by_mpi();
                wrong[k] = again.flaw() ? 1 : 0;
            },
            [] {});
        return wrong;
    }

private:
    static constexpr int tag = 7;

    /// Calls `call` for each call of this thread in which this rank takes part, and `before_making` before it makes
    /// a communicator, in the place of another perhaps.
    template <class Call, class Before>
    void walk(teams& with, Call call, Before before_making) {
        auto const seed_of_teams = soak::mixed(seed_, 60 + thread_);
        auto const all = plan();
        for (std::size_t i = 0; i != all.size(); ++i) {
            auto const k = thread_ + i * threads_;
            auto const& what = all[i];
            bool const replaces = what.replaces_team && !makes_all_before();
            if (replaces || !with.has(what.team)) { before_making(); }
            if (replaces) {
                with.at(what.team, seed_of_teams);
                with.replace(what.team, soak::mixed(seed_, 200'000 + k));
            }
            auto const& on = with.at(what.team, seed_of_teams);
            if (on.comm != MPI_COMM_NULL) { call(k, what, on); }
        }
    }

    /// Single calls, and loops of a few calls, of which some are left out now and then.
    [[nodiscard]] std::vector<planned> plan() const {
        std::vector<planned> result;
        soak::draw from{soak::mixed(seed_, 31 + thread_)};
        auto const end = (calls_in_round - thread_ + threads_ - 1) / threads_;
        auto const number_of_teams = from.one_in(2) ? std::size_t{2} : from.from(2, most_teams);
        auto const any_team = [&] { return from.one_in(2) ? from.below(number_of_teams) : 0; };
        bool const has_messages = from.one_in(3);
        struct part {
            planned call;
            std::size_t left_out;  ///< once in so many times
        };
        auto const add = [&](std::vector<part> const& loop, std::size_t times) {
            for (std::size_t i = 0; i != times && result.size() < end; ++i) {
                for (auto const& each : loop) {
                    if (each.left_out != 0 && from.one_in(each.left_out)) { continue; }
                    result.push_back(each.call);
                    result.back().is_late = i == 3 && &each == loop.data();
                    result.back().has_messages = has_messages && from.one_in(8);
                }
            }
        };
        if (!from.one_in(3)) {  // calls of two communicators begin to be performed by tutti
            constexpr std::size_t enough = 66;
            using kind = soak::kind_of_call;
            add({{{0, kind{from.bits(), kind::broadcast}}, 0}, {{1, kind{from.bits(), kind::broadcast}}, 0}}, enough);
        }
        while (result.size() < end) {
            std::vector<part> loop;
            for (auto left = from.from(1, 4); left != 0; --left) {
                auto const on = from.one_in(2) ? any_team() : loop.size() % 2;  // of all and of some in turn
                loop.push_back({{on, {from.bits(), soak::kind_of_call::often}}, from.one_in(2) ? 0 : from.from(2, 4)});
            }
            add(loop, from.one_in(3) ? from.from(100, 250) : from.from(5, 50));
            for (auto left = from.below(20); left != 0; --left) {
                soak::kind_of_call const kind{from.bits(), soak::kind_of_call::any};
                result.push_back({any_team(), kind, from.one_in(60), has_messages && from.one_in(4)});
            }
        }
        result.resize(end);
        return result;
    }

    /// Open MPI 4.1 waits for ever, now and then, where threads make communicators at the same time, as the accelerator
    /// does at the first call that it takes.
    [[nodiscard]] bool makes_all_before() const {
#ifdef OPEN_MPI
        return threads_ > 1;
#else
        return false;
#endif
    }

    void make_all() {
        std::vector<double> const in(std::size_t{1} << 15);
        auto out = in;
        for (std::size_t i = 0; i != most_teams; ++i) {
            auto const& each = with_.at(i, soak::mixed(seed_, 60 + thread_));
            if (each.is_inter || each.comm == MPI_COMM_NULL) { continue; }
            MPI_Allreduce(in.data(), out.data(), static_cast<int>(in.size()), MPI_DOUBLE, MPI_SUM, each.comm);
        }
    }

    struct running {
        std::size_t number;
        std::unique_ptr<soak::trial> call;
    };

    [[nodiscard]] bool is_wanted(std::size_t k) const { return k >= which_.first && k - which_.first < which_.count; }

    /// On whatever thread.
    template <class Action>
    void perform(Action action) {
        alarm(longest_call);
        turns_.perform(changes_threads_ ? thread_habit_.next(own_, soak::turns::kinds) : 0, action);
    }

    void make_call(std::size_t k, planned const& what, soak::team const& on) {
        note(thread_, prefix_ + ", before call " + std::to_string(k));
        if (threads_ == 1) { perform([&] { asides_.next(); }); }
        auto made = std::make_unique<soak::trial>(what.kind, soak::mixed(seed_, k), on);
        about(k, *made);
        std::array<MPI_Request, 2> messages{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        int sent = rank_;
        int received = 0;
        bool const has_messages = what.has_messages && !on.is_inter;
        if (has_messages) {
            MPI_Irecv(&received, 1, MPI_INT, (on.rank + on.size - 1) % on.size, tag, on.comm, &messages[0]);
            MPI_Isend(&sent, 1, MPI_INT, (on.rank + 1) % on.size, tag, on.comm, &messages[1]);
        }
        if (what.is_late) { std::this_thread::sleep_for(lateness); }
        perform([&] { made->begin(site_habit_.next(own_, soak::sites)); });
        if (has_messages) { MPI_Waitall(2, messages.data(), MPI_STATUSES_IGNORE); }
        pending_.push_back({k, std::move(made)});
        if (pending_.back().call->is_blocking()) { finish(pending_.size() - 1); }
        while (!pending_.empty() && (pending_.size() > 4 || own_.one_in(3))) { finish(own_.below(pending_.size())); }
    }

    void about(std::size_t k, soak::trial const& call) {
        note(thread_, prefix_ + ", call " + std::to_string(k) + ": " + call.words() + ", rank " +
                          std::to_string(rank_) + " of all");
    }

    void finish(std::size_t i) {
        auto const one = std::move(pending_[i]);
        pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
        about(one.number, *one.call);
        if (!one.call->is_blocking()) {
            bool done = false;
            for (auto looks = own_.below(4); looks != 0 && !done; --looks) { done = one.call->test(); }
            if (!done) { perform([&] { one.call->wait(); }); }
        }
        auto const flaw = one.call->flaw();
        auto const lock = std::lock_guard{found_.guard};
        ++found_.calls;
        if (flaw) {
            found_.flaws[one.number] = "call " + std::to_string(one.number) + ": " + one.call->words() + ": " + *flaw;
            found_.failed[one.number] = 1;
        }
    }

    std::uint64_t seed_;
    std::size_t thread_;
    std::size_t threads_;
    bool changes_threads_;
    MPI_Comm all_;
    teams with_{all_};
    round_limits which_;
    std::string prefix_;
    int rank_ = [] {
        int result = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &result);
        return result;
    }();
    findings& found_;
    soak::draw own_{soak::mixed(seed_, 7000U + 64 * thread_ + static_cast<unsigned>(rank_))};  ///< as this rank draws
    soak::turns turns_;
    soak::habit thread_habit_;
    soak::habit site_habit_;
    soak::asides asides_;
    std::vector<running> pending_;
};

struct score {
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::size_t failed_by_mpi = 0;  ///< alone
};

/// A round: calls by one thread or several at a time, as `level` allows.
score play(soak::limits const& asked, std::uint64_t number, int level, std::vector<MPI_Comm> const& worlds,
           round_limits which) {
    auto const seed = asked.seed + number;
    soak::draw from{soak::mixed(seed, 3)};
    auto const threads =
        level == MPI_THREAD_MULTIPLE && from.one_in(4) ? from.from(2, most_threads) : std::size_t{1};
    bool const changes_threads = level >= MPI_THREAD_SERIALIZED && !from.one_in(4);
    auto const prefix =
        "soak: " + asked.configuration + ", seed " + std::to_string(asked.seed) + ", round " + std::to_string(number);
    findings found;
    std::vector<std::thread> others;
    std::vector<std::unique_ptr<player>> players;
    for (std::size_t t = 0; t != threads; ++t) {
        players.push_back(std::make_unique<player>(seed, t, threads, changes_threads, worlds[t], which, prefix, found));
    }
    for (std::size_t t = 1; t != threads; ++t) {
        others.emplace_back([&, t] { players[t]->play(); });
    }
    players[0]->play();
    for (auto& each : others) { each.join(); }

    auto failed = found.failed;
    PMPI_Allreduce(found.failed.data(), failed.data(), calls_in_round, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
    score result;
    result.passed = found.calls;
    if (std::count(failed.begin(), failed.end(), 1) == 0) { return result; }
    std::array<unsigned char, calls_in_round> by_mpi{};
    for (auto& each : players) {
        auto const wrong = each->repeat(failed);
        for (std::size_t k = 0; k != calls_in_round; ++k) { by_mpi[k] = std::max(by_mpi[k], wrong[k]); }
    }
    PMPI_Allreduce(MPI_IN_PLACE, by_mpi.data(), calls_in_round, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
    for (std::size_t k = 0; k != calls_in_round; ++k) {
        if (failed[k] == 0) { continue; }
        --result.passed;
        ++(by_mpi[k] != 0 ? result.failed_by_mpi : result.failed);
        auto const flaw = found.flaws.find(k);
        if (flaw == found.flaws.end() || by_mpi[k] != 0) { continue; }
        std::ostringstream line;
        line << prefix << ", " << flaw->second << "; again: " << asked.configuration << ' ' << asked.seed << ' '
             << number + 1 << " rounds, on as many ranks\n";
        std::cout << line.str() << std::flush;
    }
    return result;
}

/// What each rank may have its own in the environment, before MPI begins.
void set_environment(std::uint64_t seed) {
    for (char const* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
        char const* const rank = std::getenv(name);
        if (rank == nullptr) { continue; }
        soak::draw own{soak::mixed(seed, 9000U + std::strtoul(rank, nullptr, 10))};
        if (own.one_in(6)) { setenv("TUTTI_SINGLE_COPY", own.one_in(2) ? "never" : "always", 1); }
        if (own.one_in(30)) { setenv("TUTTI_SHARED_MEMORY", "never", 1); }
        if (own.one_in(4)) { static_cast<void>(chdir("/")); }
    }
}

}  // namespace

int main(int argc, char* argv[]) {
    round_limits which;
    if (argc > 4 && std::string_view{argv[argc - 3]} == "calls") {
        which.first = std::strtoul(argv[argc - 2], nullptr, 10);
        which.count = std::strtoul(argv[argc - 1], nullptr, 10);
        argc -= 3;
    }
    auto const asked = soak::read_limits(argc, argv);
    if (!asked) { return 2; }
    set_environment(asked->seed);
    int provided = MPI_THREAD_SINGLE;
    constexpr std::array levels{MPI_THREAD_SINGLE, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE, MPI_THREAD_MULTIPLE};
    int const wanted = levels[asked->seed % levels.size()];
    MPI_Init_thread(&argc, &argv, wanted, &provided);
    int const level = std::min(wanted, provided);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGALRM, end_with_words);
    signal(SIGSEGV, end_with_words);
    signal(SIGABRT, end_with_words);
    signal(SIGTERM, end_with_words);
    std::vector<MPI_Comm> worlds(most_threads);
    for (auto& each : worlds) { PMPI_Comm_dup(MPI_COMM_WORLD, &each); }
    soak::clock const time{*asked};
    score all;
    for (std::uint64_t number = 0;; ++number) {
        int goes_on = time.goes_on(number) ? 1 : 0;
        PMPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (goes_on == 0) { break; }
        alarm(longest_call);
        auto const now = play(*asked, number, level, worlds, which);
        all.passed += now.passed;
        all.failed += now.failed;
        all.failed_by_mpi += now.failed_by_mpi;
    }
    alarm(longest_call);
    note(0, "soak: " + asked->configuration + ", seed " + std::to_string(asked->seed) + ", in MPI_Finalize");
    if (rank == 0) {
        if (all.failed_by_mpi != 0) {
            std::cout << "soak: " << asked->configuration << ": calls that fail by MPI alone: " << all.failed_by_mpi << '\n';
        }
        std::cout << soak::verdict(asked->configuration, all.passed, all.failed) << std::endl;
    }
    for (auto& each : worlds) { PMPI_Comm_free(&each); }
    MPI_Finalize();
    return all.failed != 0 ? 1 : 0;
}
