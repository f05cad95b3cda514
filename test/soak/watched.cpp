// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// watched SEED: a random program, legal or with one mistake of one rank, under TUTTI=watch:SECONDS or
// watch:SECONDS,check. Its first rank prints regular expressions for lines of standard error: after "expect: " those
// that have to come, after "never: " those that must not, and "legal" if the program has to end by itself. watched.sh
// reads that.

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <mpi.h>

#include "accelerator/perform.hpp"
#include "random.hpp"

namespace {

using soak::draw;
using soak::routine;

int rank = 0;
int size = 0;
std::array<MPI_Comm, 4> comms{MPI_COMM_WORLD, MPI_COMM_NULL, MPI_COMM_NULL, MPI_COMM_NULL};  // the last: of some ranks

void expect(char const* what, std::string const& line) {
    if (rank == 0) { std::printf("%s: %s\n", what, line.c_str()); }
}
void expect_of(int of, std::string const& line) { expect("expect", "rank " + std::to_string(of) + ": " + line); }

constexpr std::array functions{routine::allreduce, routine::barrier, routine::allgather, routine::bcast,
                               routine::reduce};
constexpr std::size_t synchronising = 3;  // the first ones: no rank leaves them before all have come

/// A collective call.
struct step {
    routine what;
    std::size_t on;
    bool begins;  ///< nonblocking
    int count = 1;
    int root = 0;
    MPI_Op op = MPI_SUM;
    MPI_Datatype type = MPI_DOUBLE;

    static step random(draw& from, std::size_t of_first = functions.size(), std::size_t on_any_of = comms.size()) {
        auto const which = functions[from.below(of_first)];
        auto const on = from.below(on_any_of);
        bool const begins = from.one_in(3);
        auto const ranks = on == 3 ? size - 1 : size;
        return {which, on, begins, static_cast<int>(from.from(1, 50)), static_cast<int>(from.bits() % 64) % ranks};
    }
    [[nodiscard]] std::string name() const {
        std::string result{soak::names_of_routines[static_cast<std::size_t>(what)]};
        if (begins) { result[0] = static_cast<char>(std::tolower(result[0])); }
        return (begins ? "MPI_I" : "MPI_") + result;
    }
};

/// Memory of its own, and what it waits for.
class call {
public:
    explicit call(step const& s) {
        if (comms[s.on] == MPI_COMM_NULL) { return; }
        arguments_.in = in_.data();
        arguments_.out = out_.data();
        arguments_.in_count = arguments_.out_count = s.count;
        arguments_.type = arguments_.out_type = s.type;
        arguments_.op = s.op;
        arguments_.root = s.root;
        arguments_.comm = comms[s.on];
        auto const how = s.begins ? soak::form::nonblocking : soak::form::blocking;
        soak::perform(0, s.what, how, false, arguments_, &request_);
    }
    call(call const&) = delete;
    call& operator=(call const&) = delete;
    ~call() { wait(); }
    void wait() {
        if (request_ != MPI_REQUEST_NULL) { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
    }

private:
    soak::arguments arguments_;
    std::vector<double> in_ = std::vector<double>(1000);
    std::vector<double> out_ = std::vector<double>(1000);
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Steps in a row, each rank waiting in its own time for those that it has begun.
void perform(std::vector<step> const& all, draw& own) {
    std::vector<std::unique_ptr<call>> pending;
    for (auto const& each : all) {
        pending.push_back(std::make_unique<call>(each));
        while (!pending.empty() && own.one_in(2)) {
            auto const i = static_cast<std::ptrdiff_t>(own.below(pending.size()));
            pending.erase(pending.begin() + i);
        }
        if (own.one_in(20)) { std::this_thread::sleep_for(std::chrono::milliseconds{own.below(20)}); }
    }
}

std::vector<step> some_steps(draw& from, std::size_t most) {
    std::vector<step> all;
    for (auto left = from.below(most); left != 0; --left) { all.push_back(step::random(from)); }
    return all;
}

/// Calls on two communicators, begun and ended in whatever order, the second one perhaps not before a message that
/// rank 0 sends when the first one has ended.
void cross(draw& from, draw& own) {
    auto first = step::random(from, functions.size(), 1);
    auto second = step::random(from, functions.size(), 1);
    first.on = 1;
    second.on = 2;
    first.begins = second.begins = true;
    bool const has_message = from.one_in(2);
    int token = 0;
    if (has_message && rank != 0) {
        call{first}.wait();
        MPI_Recv(&token, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        call{second}.wait();
        return;
    }
    bool const swapped = own.one_in(2);
    call a{swapped ? second : first};
    call b{swapped ? first : second};
    (swapped ? b : a).wait();
    for (int r = 1; has_message && r != size; ++r) { MPI_Send(&token, 1, MPI_INT, r, 5, MPI_COMM_WORLD); }
}

/// Two threads at once, each on a communicator of its own.
void in_two_threads(draw& from, draw& own) {
    std::array<std::vector<step>, 2> all;
    for (std::size_t t = 0; t != 2; ++t) {
        for (int left = 10; left != 0; --left) {
            all[t].push_back(step::random(from, functions.size(), 1));
            all[t].back().on = 1 + t;
        }
    }
    draw others{own.bits()};
    std::thread second{[&] { perform(all[1], others); }};
    perform(all[0], own);
    second.join();
}

void make_communicators(draw& from, draw& own) {
    std::vector<std::size_t> order{1, 2, 3};
    from.shuffle(order);
    for (auto const i : order) {
        if (i == 3) {
            auto const without = static_cast<int>(from.below(static_cast<std::size_t>(size)));
            MPI_Comm_split(MPI_COMM_WORLD, rank == without ? MPI_UNDEFINED : 0, 0, &comms[i]);
        } else if (from.one_in(2)) {
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        } else {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Comm_idup(MPI_COMM_WORLD, &comms[i], &request);
            call{step::random(from, functions.size(), 1)}.wait();
            if (own.one_in(2)) { std::this_thread::sleep_for(std::chrono::milliseconds{5}); }
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

void legal(draw& from, draw& own, double patience, bool may_have_threads) {
    bool const has_late_rank = from.one_in(3);
    auto const late = static_cast<int>(from.below(static_cast<std::size_t>(size)));
    if (rank == 0) { std::puts("legal"); }
    expect("never", "do not match\\|different communicators\\|ends inside of MPI\\|leaves by\\|process has ended");
    if (!has_late_rank) { expect("never", "has waited for"); }
    perform(some_steps(from, 20), own);
    for (auto left = from.below(4); left != 0; --left) { cross(from, own); }
    if (may_have_threads) { in_two_threads(from, own); }
    if (has_late_rank) {
        auto const met = step::random(from, synchronising, 3);
        expect_of(late, "has not come, its last call was");
        if (rank == late) { std::this_thread::sleep_for(std::chrono::duration<double>{patience + 1.5}); }
        call{met}.wait();
    }
    perform(some_steps(from, 20), own);
}

void wait_for_ever() {
    int never = 0;
    MPI_Recv(&never, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// One mistake of rank `wrong`, which others notice: under `check`, before data move.
void mistaken(draw& from, draw& own, bool checks) {
    auto const wrong = static_cast<int>(from.below(static_cast<std::size_t>(size)));
    bool const is_wrong = rank == wrong;
    perform(some_steps(from, 20), own);
    for (auto& each : comms) {  // so that all are there, and nothing is under way
        if (each != MPI_COMM_NULL) { MPI_Barrier(each); }
    }
    auto due = step::random(from, synchronising, 3);
    auto done = due;  // by that rank
    auto const differs = [&](char const* what) {
        expect("expect", std::string{"these calls do not match: "} + what);
        expect_of(wrong, "\\(.*is in \\)\\?" + done.name() + "\\( \\|,\\)");
        std::fflush(stdout);
        PMPI_Barrier(MPI_COMM_WORLD);
        call{is_wrong ? done : due}.wait();
        wait_for_ever();
    };
    switch (from.below(checks ? 10 : 4)) {
    case 0: {  // it leaves a call out
        auto const instead = from.below(3);
        constexpr std::array says{"it is in MPI_Recv from rank [0-9]*, tag 9", "it is in MPI_Finalize",
                                  "its last call was MPI_"};
        expect_of(wrong, std::string{"has not come, "} + says[instead]);
        std::fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        if (is_wrong && instead == 0) { wait_for_ever(); }
        if (is_wrong && instead == 2) { std::this_thread::sleep_for(std::chrono::hours{1}); }
        if (!is_wrong) { call{due}.wait(); }
        return;
    }
    case 1: {  // it makes one more
        expect_of(wrong, "\\(.* for \\)\\?" + due.name() + "\\( \\|,\\)");
        expect("expect", "has not come, it is in MPI_Finalize");
        std::fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        if (is_wrong) { call{due}.wait(); }
        return;
    }
    case 2: {  // another order of communicators
        auto other = step::random(from, synchronising, 3);
        other.on = (due.on + 1) % 3;
        due.begins = other.begins = false;
        expect_of(wrong, "has not come, it is in " + other.name() + "\\( \\|,\\)");
        expect("expect", "ranks are in collectives of different communicators");
        std::fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        call{is_wrong ? other : due}.wait();
        call{is_wrong ? due : other}.wait();
        return;
    }
    case 3:  // it ends
        expect("expect", "tutti: rank " + std::to_string(wrong) + " ");
        std::fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        if (is_wrong) {
            if (from.one_in(2)) { std::exit(3); }
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        call{due}.wait();
        return;
    case 4:
        due.what = done.what = from.one_in(2) ? routine::bcast : routine::reduce;
        done.root = (due.root + 1) % size;
        differs("the roots differ");
        return;
    case 5:
        due.what = done.what = from.one_in(2) ? routine::bcast : routine::allreduce;
        ++done.count;
        due.begins = done.begins = false;  // else MPI may find the message too long before all ranks have begun
        differs("the numbers of bytes differ");
        return;
    case 6: {
        auto const at = std::find(functions.begin(), functions.end(), due.what) - functions.begin();
        done.what = functions[static_cast<std::size_t>(at + 1) % synchronising];
        differs("the functions differ");
        return;
    }
    case 7:
        due.what = done.what = routine::allreduce;
        done.op = MPI_MAX;
        differs("the operators differ");
        return;
    case 8:
        due.what = done.what = routine::allreduce;
        done.type = MPI_UINT64_T;
        differs("the datatypes differ");
        return;
    default:
        due.begins = true;
        done.begins = false;
        differs("the functions differ");
    }
}

}  // namespace

int main(int argc, char* argv[]) {
    std::string_view const says{std::getenv("TUTTI") != nullptr ? std::getenv("TUTTI") : ""};
    if (argc != 2 || !says.starts_with("watch:")) { return 2; }
    auto const patience = std::strtod(says.data() + 6, nullptr);
    auto const seed = std::strtoull(argv[1], nullptr, 10);
    draw from{soak::mixed(seed, 1)};
    bool const may_have_threads = from.one_in(3);
    bool const is_legal = from.one_in(2);
    int provided = 0;
    MPI_Init_thread(&argc, &argv, may_have_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    draw own{soak::mixed(seed, 100 + static_cast<unsigned>(rank))};
    make_communicators(from, own);
    if (is_legal) {
        legal(from, own, patience, may_have_threads && provided == MPI_THREAD_MULTIPLE);
    } else {
        mistaken(from, own, says.ends_with(",check"));
    }
    std::fflush(stdout);
    MPI_Finalize();
    if (rank == 0) { std::puts("end"); }
    return 0;
}
