// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <support/mpi_world.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <support/sentences.hpp>
#include <tutti/communicator/mpi/shared_memory.hpp>

#include <laws/message_laws.hpp>
#include <support/allocations.hpp>
#include <support/intercommunicator.hpp>
#include <support/point_to_point.hpp>

namespace {

// a machine that is not there: ranks of different parities are on different nodes
bool parities_are_apart = false;

}  // namespace

// MPI's profiling interface: what the library really calls.
extern "C" int MPI_Comm_split_type(MPI_Comm ranks, int type, int key, MPI_Info info, MPI_Comm* node) {
    if (parities_are_apart) { return PMPI_Comm_split(ranks, support::world_rank() % 2, key, node); }
    return PMPI_Comm_split_type(ranks, type, key, info, node);
}

// program: alone
BOOST_AUTO_TEST_SUITE(communicator_mpi_shared_memory)

namespace {

using namespace point_to_point;
using tutti::completion;
using tutti::mpi::shared_memory;
using request = shared_memory::request;

/// One for most cases: to make it takes the ranks a while where they take turns on a processor.
std::optional<shared_memory> of_all_cases;

struct end_of_all_cases {
    ~end_of_all_cases() { of_all_cases.reset(); }
};
BOOST_TEST_GLOBAL_FIXTURE(end_of_all_cases);

shared_memory& the_one() { return of_all_cases ? *of_all_cases : of_all_cases.emplace(MPI_COMM_WORLD); }

/// All ranks in a ring, of which none has still to read what another case has sent.
struct neighbours {
    neighbours() { MPI_Barrier(MPI_COMM_WORLD); }

    shared_memory& comm = the_one();
    int next = (comm.rank() + 1) % comm.size();
    int previous = (comm.rank() + comm.size() - 1) % comm.size();
    /// Longer than a slot where ranks read each other's memory, else as long.
    std::size_t longest = std::min<std::size_t>(comm.lent_limit(), 40'000) / sizeof(int);

    [[nodiscard]] std::vector<int> a_message(std::size_t elements, int first) const {
        std::vector<int> result(elements);
        std::iota(result.begin(), result.end(), first);
        return result;
    }

    /// Waits for one request, and gives what it lends, as often as somebody looks for it.
    [[nodiscard]] completion wait_for(request one) {
        completion done;
        BOOST_REQUIRE(comm.wait_some(std::span{&one, 1}, std::span{&done, 1}) == 1U);
        return done;
    }
    [[nodiscard]] std::vector<int> lent(completion const& done) const {
        std::vector<int> result(done.bytes / sizeof(int));
        if (done.lent != nullptr) {
            std::memcpy(result.data(), done.lent, done.bytes);
        } else if (done.lease != nullptr) {  // in two parts
            auto const half = done.bytes / 2;
            comm.fetch(done, 0, memory_of(result).first(half));
            comm.fetch(done, half, memory_of(result).subspan(half));
        }
        return result;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(it_numbers_ranks_as_the_communicator_does, neighbours) {
    BOOST_TEST(comm.rank() == support::world_rank());
    BOOST_TEST(comm.size() == support::world_size());
    BOOST_TEST(comm.message_limit() >= 4096U);
    BOOST_TEST(comm.nodes().count(static_cast<std::size_t>(comm.size())) == 1U);
    comm.nodes(tutti::node_map::of_width(2));
    BOOST_TEST((comm.nodes() == tutti::node_map::of_width(2)));
    comm.nodes({});
    BOOST_TEST(comm.new_tag() == 1);
    BOOST_TEST(comm.new_tag() == 2);
}

BOOST_FIXTURE_TEST_CASE(a_message_of_any_length_arrives_with_its_length, neighbours) {
    auto const tag = comm.new_tag();
    for (std::size_t elements = 0; elements <= longest; elements = elements * 3 / 2 + 1) {
        auto const sent = a_message(elements, comm.rank());
        auto memory = std::vector<int>(elements + 1, -1);
        auto const ended = wait_all(comm, {comm.receive(previous, tag, memory_of(memory)),
                                           comm.send(next, tag, bytes_of(sent))});
        BOOST_TEST(ended[0].bytes == elements * sizeof(int));
        BOOST_TEST(memory.back() == -1);
        memory.pop_back();
        BOOST_TEST((memory == a_message(elements, previous)));

        auto const in_place = comm.receive_lent(previous, tag, (elements + 1) * sizeof(int));
        auto const sending = comm.send(next, tag, bytes_of(sent));
        auto const done = wait_for(in_place);
        BOOST_TEST((lent(done) == a_message(elements, previous)));
        BOOST_TEST((done.lease != nullptr) == (elements != 0));
        if (done.lease != nullptr) { comm.give_back(done); }
        wait_all(comm, {sending});  // which may wait until then
    }
}

BOOST_FIXTURE_TEST_CASE(a_message_that_is_too_long_is_not_sent, neighbours) {
    auto const whole = comm.message_limit();
    BOOST_CHECK_THROW(comm.message_limit(0), std::invalid_argument);
    BOOST_CHECK_THROW(comm.message_limit(comm.message_limit() + 1), std::invalid_argument);
    comm.message_limit(8);
    BOOST_CHECK_THROW(static_cast<void>(comm.send(next, 1, bytes_of(a_message(3, 0)))), std::length_error);
    BOOST_TEST(comm.message_limit() == 8U);
    comm.message_limit(whole);
}

// As single elements may be.
BOOST_FIXTURE_TEST_CASE(a_message_that_is_longer_than_a_slot_comes_in_pieces, neighbours) {
    auto const tag = comm.new_tag();
    std::vector<int> const seven{7};
    for (bool const early : {false, true}) {
        for (auto const elements : {longest + 1, 2 * longest, 2 * longest + 1, 100 * longest - 1}) {
            auto const sent = a_message(elements, comm.rank());
            auto const first = comm.send(next, tag, bytes_of(sent));
            auto const second = comm.send(next, tag, bytes_of(seven));
            if (early) { MPI_Barrier(MPI_COMM_WORLD); }
            std::vector<int> memory(elements), short_one(1);
            auto const came = comm.receive(previous, tag, memory_of(memory));
            auto const ended = wait_all(comm, {came, first, second, comm.receive(previous, tag, memory_of(short_one))});
            BOOST_TEST(ended[0].bytes == elements * sizeof(int));
            BOOST_TEST((memory == a_message(elements, previous)));
            BOOST_TEST((short_one == seven));
        }
    }
}

BOOST_FIXTURE_TEST_CASE(a_message_that_the_receiver_has_no_room_for_is_an_error_there_and_harms_no_other,
                        neighbours) {
    for (std::size_t const elements : {std::size_t{3}, longest}) {
        for (int repetition = 0; repetition != 40; ++repetition) {
            for (bool const in_place : {false, true}) {
                auto const sent = a_message(elements, 0);
                std::vector<int> few(elements - 1, -1);
                std::vector<int> all(elements);
                auto const sends = std::vector{comm.send(next, 1, bytes_of(sent)), comm.send(next, 1, bytes_of(sent))};
                auto const refused = wait_for(in_place ? comm.receive_lent(previous, 1, few.size() * sizeof(int))
                                                       : comm.receive(previous, 1, memory_of(few)));
                BOOST_TEST(refused.error != 0);
                BOOST_TEST(refused.lease == nullptr);
                BOOST_CHECK_EXCEPTION(comm.raise(refused), tutti::mpi::error,
                                      support::mentions("a message was longer than its receiver expected"));
                BOOST_TEST(few.front() == -1);
                wait_all(comm, {sends[0], sends[1], comm.receive(previous, 1, memory_of(all))});
                BOOST_TEST((all == sent));
            }
        }
    }
}

BOOST_FIXTURE_TEST_CASE(messages_with_one_tag_keep_their_order, neighbours) {
    auto const tag = comm.new_tag();
    constexpr std::size_t messages = 200;
    std::vector<std::vector<int>> sent(messages);
    std::vector<std::vector<int>> received(messages, std::vector<int>(longest));
    std::vector<request> requests;
    for (std::size_t i = 0; i != messages; ++i) {
        sent[i].assign(i % 3 == 0 ? longest : i % 3, static_cast<int>(i));
        requests.push_back(comm.send(next, tag, bytes_of(sent[i])));
    }
    for (auto& memory : received) { requests.push_back(comm.receive(previous, tag, memory_of(memory))); }
    auto const ended = wait_all(comm, requests);
    for (std::size_t i = 0; i != messages; ++i) {
        BOOST_TEST(ended[messages + i].bytes == sent[i].size() * sizeof(int));
        if (!sent[i].empty()) { BOOST_TEST(received[i][0] == static_cast<int>(i)); }
    }
}

BOOST_FIXTURE_TEST_CASE(a_send_with_room_ends_at_once, neighbours) {
    longest = std::min<std::size_t>(longest, 1024);  // a longer one may stay where it is
    auto const sent = a_message(longest, 0);
    std::array requests{comm.send(next, 1, bytes_of(sent)), comm.send(next, 1, {})};
    std::array<completion, 2> done;
    BOOST_TEST(comm.test_some(requests, done) == 2U);
    std::vector<int> memory(longest);
    wait_all(comm, {comm.receive(previous, 1, memory_of(memory)), comm.receive(previous, 1, {})});
    BOOST_TEST((memory == sent));
}

BOOST_FIXTURE_TEST_CASE(without_a_request_it_sends_while_there_is_room_and_nothing_has_to_go_first, neighbours) {
    auto const tag = comm.new_tag();
    MPI_Barrier(MPI_COMM_WORLD);  // from here on nobody waits for what would take these in
    int sent = 0;
    while (sent != 10'000 && comm.send_at_once(next, tag, std::as_bytes(std::span{&sent, 1}))) { ++sent; }
    BOOST_TEST((sent > 0 && sent < 10'000));
    std::vector requests{comm.send(next, tag, std::as_bytes(std::span{&sent, 1}))};
    int const after = sent + 1;
    BOOST_TEST(!comm.send_at_once(next, tag, std::as_bytes(std::span{&after, 1})));
    MPI_Barrier(MPI_COMM_WORLD);
    int coming = 0;
    MPI_Sendrecv(&sent, 1, MPI_INT, next, 0, &coming, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<int> received(static_cast<std::size_t>(coming) + 1, -1);
    for (auto& each : received) {
        requests.push_back(comm.receive(previous, tag, std::as_writable_bytes(std::span{&each, 1})));
    }
    wait_all(comm, requests);
    BOOST_TEST((received == a_message(received.size(), 0)));
    // longer ones are for nobody
    std::vector<int> const too_long(20'000);
    BOOST_TEST(!comm.send_at_once(next, tag, bytes_of(too_long)));
}

// More than all slots and places have room for, none of it asked for yet.
BOOST_FIXTURE_TEST_CASE(messages_that_nobody_has_asked_for_hold_up_no_other, neighbours) {
    constexpr int messages = 300;
    std::vector<request> sends;
    auto const data = a_message(longest, comm.rank());
    for (int i = 0; i != messages; ++i) { sends.push_back(comm.send(next, 1, bytes_of(data))); }
    for (int i = 0; i != messages; ++i) { sends.push_back(comm.send(next, 2, bytes_of(data).first(4))); }
    sends.push_back(comm.send(next, 3, bytes_of(data)));
    std::vector<int> memory(longest);
    wait_all(comm, {comm.receive(previous, 3, memory_of(memory))});
    BOOST_TEST((memory == a_message(longest, previous)));
    for (int i = 0; i != messages; ++i) {
        auto const done = wait_for(comm.receive_lent(previous, 2, 4));
        BOOST_TEST(lent(done) == std::vector{previous});
        comm.give_back(done);
    }
    for (int i = 0; i != messages; ++i) {
        memory.assign(longest, -1);
        wait_all(comm, {comm.receive(previous, 1, memory_of(memory))});
        BOOST_TEST((memory == a_message(longest, previous)));
    }
    wait_all(comm, sends);
}

BOOST_FIXTURE_TEST_CASE(messages_that_are_not_given_back_hold_up_no_other, neighbours) {
    constexpr std::size_t messages = 50;
    auto const data = a_message(longest, comm.rank());
    std::vector<request> requests;
    for (std::size_t i = 0; i != messages; ++i) {
        requests.push_back(comm.receive_lent(previous, 1, longest * sizeof(int)));
    }
    std::vector<request> sends;
    for (std::size_t i = 0; i != messages; ++i) { sends.push_back(comm.send(next, 1, bytes_of(data))); }
    auto const ended = wait_all(comm, requests);
    auto order = std::vector<std::size_t>(messages);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937{7});
    for (auto const i : order) {
        BOOST_TEST((lent(ended[i]) == a_message(longest, previous)));
        comm.give_back(ended[i]);
    }
    wait_all(comm, sends);
    std::vector<int> memory(longest);
    wait_all(comm, {comm.send(next, 1, bytes_of(data)), comm.receive(previous, 1, memory_of(memory))});
    BOOST_TEST((memory == a_message(longest, previous)));
}

// So also where the sender, which has not looked since, sends another one in between.
BOOST_FIXTURE_TEST_CASE(a_send_that_has_been_read_ends_before_later_ones_are_read, neighbours) {
    auto const tag = comm.new_tag();
    auto const data = a_message(longest, comm.rank());
    std::vector<int> memory(longest);
    auto first = comm.send(next, tag, bytes_of(data));
    wait_all(comm, {comm.receive(previous, tag, memory_of(memory))});
    MPI_Barrier(MPI_COMM_WORLD);  // all have been read
    auto const second = comm.send(next, tag, bytes_of(data));
    completion done;
    std::size_t ended = 0;
    for (auto const start = MPI_Wtime(); ended == 0 && MPI_Wtime() < start + 5;) {
        ended = comm.test_some(std::span{&first, 1}, std::span{&done, 1});
    }
    BOOST_TEST(ended == 1U);
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector requests{second, comm.receive(previous, tag, memory_of(memory))};
    if (ended == 0) { requests.push_back(first); }
    wait_all(comm, requests);
}

// Every rank draws the same messages from its seed; who receives may ask for tags in another order.
BOOST_FIXTURE_TEST_CASE(any_messages_between_all_pairs, neighbours) {
    constexpr int rounds = 8;
    constexpr int tags = 3;
    constexpr std::size_t messages = 15;
    auto luck = std::mt19937{static_cast<unsigned>(comm.rank())};
    for (int round = 0; round != rounds; ++round) {
        auto const length_of = [&](int from, int to, int tag, std::size_t i) {
            auto const drawn = static_cast<std::size_t>(from * 7 + to * 3 + tag * 5 + round) + i * 11;
            return drawn % 4 == 0 ? longest - drawn % 9 : drawn % 60 + 1;
        };
        std::vector<std::vector<int>> memories;
        std::vector<request> requests;
        std::vector<std::vector<int>> expected;
        struct post {
            int peer, tag;
            bool outgoing;
            std::size_t next = 0;
        };
        std::vector<post> open;
        for (int peer = 0; peer != comm.size(); ++peer) {
            for (int tag = 1; tag <= tags; ++tag) {
                open.push_back({peer, tag, true});
                open.push_back({peer, tag, false});
            }
        }
        memories.reserve(2 * messages * tags * static_cast<std::size_t>(comm.size()));
        std::vector<std::pair<std::size_t, bool>> received;  // by request: in place
        std::vector<completion> loans;
        while (!open.empty()) {
            auto const at = luck() % open.size();
            auto& each = open[at];
            auto const from = each.outgoing ? comm.rank() : each.peer;
            auto const to = each.outgoing ? each.peer : comm.rank();
            auto data = a_message(length_of(from, to, each.tag, each.next), from * 1000 + each.tag);
            if (each.outgoing) {
                memories.push_back(std::move(data));
                requests.push_back(comm.send(each.peer, each.tag, bytes_of(memories.back())));
                expected.emplace_back();
            } else if (luck() % 2 == 0) {
                requests.push_back(comm.receive_lent(each.peer, each.tag, data.size() * sizeof(int)));
                expected.push_back(std::move(data));
                memories.emplace_back();
            } else {
                memories.emplace_back(data.size());
                requests.push_back(comm.receive(each.peer, each.tag, memory_of(memories.back())));
                expected.push_back(std::move(data));
            }
            if (++each.next == messages) { open.erase(open.begin() + static_cast<std::ptrdiff_t>(at)); }
            if (luck() % 3 == 0) {
                std::vector<completion> done(requests.size());
                done.resize(comm.test_some(requests, done));
                for (auto const& one : done) {
                    if (expected[one.index].empty()) { continue; }
                    BOOST_TEST(((one.lease != nullptr ? lent(one) : memories[one.index]) == expected[one.index]));
                    if (one.lease != nullptr) { loans.push_back(one); }
                }
                while (!loans.empty() && luck() % 4 != 0) {
                    comm.give_back(loans.back());
                    loans.pop_back();
                }
            }
        }
        // others may wait for what is lent, and so may this rank, in vain: it has sent itself messages
        auto const give_all_back = [&] {
            for (auto const& each : loans) { comm.give_back(each); }
            loans.clear();
        };
        give_all_back();
        std::vector<completion> done(requests.size());
        while (auto const count = comm.wait_some(requests, done)) {
            for (auto const& one : std::span{done}.first(count)) {
                if (expected[one.index].empty()) { continue; }
                BOOST_TEST(((one.lease != nullptr ? lent(one) : memories[one.index]) == expected[one.index]));
                if (one.lease != nullptr) { loans.push_back(one); }
            }
            give_all_back();
        }
    }
}

BOOST_FIXTURE_TEST_CASE(without_an_active_request_nothing_is_reported, neighbours) {
    laws::check_inactive_requests(comm, std::array<request, 3>{});
}

BOOST_FIXTURE_TEST_CASE(wait_some_returns_with_what_has_ended_while_the_rest_stays_active, neighbours) {
    laws::check_waiting_for_some(comm, next, previous);
}

BOOST_FIXTURE_TEST_CASE(what_was_given_up_neither_takes_a_message_nor_is_one, neighbours) {
    std::vector<int> given_up(longest, -1);
    std::vector<int> received(longest);
    auto const sent = a_message(longest, comm.rank());
    comm.cancel(comm.receive(previous, 1, memory_of(given_up)));
    comm.cancel(comm.receive_lent(previous, 1, longest * sizeof(int)));
    comm.cancel(comm.inactive());
    MPI_Barrier(MPI_COMM_WORLD);
    // so many that there is no room for the last ones
    std::vector<request> sends;
    for (int i = 0; i != 100; ++i) { sends.push_back(comm.send(next, 1, bytes_of(sent))); }
    auto const unsent = comm.send(next, 2, bytes_of(sent));
    auto const last = comm.send(next, 3, bytes_of(sent));
    comm.cancel(unsent);
    for (int i = 0; i != 100; ++i) { wait_all(comm, {comm.receive(previous, 1, memory_of(received))}); }
    wait_all(comm, sends);
    wait_all(comm, {last, comm.receive(previous, 3, memory_of(received))});
    BOOST_TEST((received == a_message(longest, previous)));
    BOOST_TEST(given_up.front() == -1);
    // one that has come but was not reported
    auto const come = comm.receive_lent(previous, 4, longest * sizeof(int));
    auto const sending = comm.send(next, 4, bytes_of(sent));
    wait_all(comm, {comm.send(next, 5, {}), comm.receive(previous, 5, {})});
    comm.cancel(come);
    wait_all(comm, {sending});
    BOOST_TEST(comm.wait_some({}, {}) == 0U);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_allocated_by_a_pattern_that_is_repeated, neighbours) {
    auto const few = a_message(5, 1);
    auto const many = a_message(longest, 1);
    std::vector<int> received(longest);
    std::array<completion, 4> done;
    auto const exchange = [&] {
        std::array requests{comm.receive(previous, 1, memory_of(received)),
                            comm.receive_lent(previous, 2, longest * sizeof(int)), comm.send(next, 1, bytes_of(few)),
                            comm.send(next, 2, bytes_of(many))};
        while (auto const count = comm.wait_some(requests, done)) {
            for (auto const& one : std::span{done}.first(count)) {
                if (one.lease != nullptr) { comm.give_back(one); }
            }
        }
    };
    exchange();
    auto const before = support::allocations;
    for (int i = 0; i != 100; ++i) { exchange(); }
    auto const after = support::allocations;
    BOOST_TEST(after - before == 0U);
}

BOOST_AUTO_TEST_CASE(many_come_and_go) {
    for (int i = 0; i != 4; ++i) {
        shared_memory comm{MPI_COMM_WORLD};
        send(comm, (comm.rank() + 1) % comm.size(), 1, std::vector{comm.rank()});
        auto const previous = (comm.rank() + comm.size() - 1) % comm.size();
        BOOST_TEST(receive<int>(comm, previous, 1, 1) == std::vector{previous});
        // not received: gone with the memory
        send(comm, previous, 2, std::vector{1});
    }
}

BOOST_AUTO_TEST_CASE(ranks_on_several_nodes_are_refused_by_all) {
    if (support::world_size() == 1) { return; }
    parities_are_apart = true;
    BOOST_CHECK_EXCEPTION(shared_memory{MPI_COMM_WORLD}, std::invalid_argument, [](auto const& wrong) {
        auto const said = std::string{wrong.what()};
        return said.starts_with("tutti: ") && said.find("MPI_COMM_TYPE_SHARED") != std::string::npos;
    });
    auto shm = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shm);
    {
        shared_memory comm{shm};
        BOOST_TEST(comm.size() == (support::world_size() + 1 - support::world_rank() % 2) / 2);
        BOOST_TEST(comm.rank() == support::world_rank() / 2);
    }
    MPI_Comm_free(&shm);
    parities_are_apart = false;
}

BOOST_AUTO_TEST_CASE(what_is_not_an_intracommunicator_is_refused) {
    BOOST_CHECK_THROW(shared_memory{MPI_COMM_NULL}, std::invalid_argument);
    if (support::world_size() == 1) { return; }
    support::on_intercommunicator([](MPI_Comm both) { BOOST_CHECK_THROW(shared_memory{both}, std::invalid_argument); });
}

// The last one: its memory is never freed.
BOOST_AUTO_TEST_CASE(a_rank_that_leaves_by_an_exception_ends_the_others) {
    if (support::world_size() == 1) { return; }
    auto const live = [](bool by_waiting) {
        shared_memory comm{MPI_COMM_WORLD};
        std::vector<int> never(1);
        std::vector<shared_memory::request> one{comm.receive(0, 1, std::as_writable_bytes(std::span{never}))};
        std::vector<completion> done(1);
        if (comm.rank() == 0) { throw std::domain_error{"of rank 0"}; }
        while ((by_waiting ? comm.wait_some(one, done) : comm.test_some(one, done)) == 0) {}
    };
    for (bool const by_waiting : {true, false}) {
        if (support::world_rank() == 0) {
            BOOST_CHECK_THROW(live(by_waiting), std::domain_error);
        } else {
            BOOST_CHECK_EXCEPTION(live(by_waiting), tutti::mpi::rank_has_left,
                                  support::begins("tutti: rank 0 has left"));
        }
    }
    // one that has nothing to wait for does not wait at the end either
    auto const leave = [] {
        shared_memory comm{MPI_COMM_WORLD};
        if (comm.rank() == 0) { throw std::domain_error{"of rank 0"}; }
    };
    if (support::world_rank() == 0) {
        BOOST_CHECK_THROW(leave(), std::domain_error);
    } else {
        BOOST_CHECK_NO_THROW(leave());
    }
}

BOOST_AUTO_TEST_SUITE_END()
