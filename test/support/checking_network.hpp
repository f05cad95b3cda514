// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <tutti/communicator.hpp>

namespace support {

/// A send in ready mode came before its receive was posted.
struct receive_not_posted : std::logic_error {
    using std::logic_error::logic_error;
};

/// Ranks of one thread, whose messages meet in memory and pass by chance, from a seed. It fails loudly where others
/// keep silent: when a ready send meets no posted receive, and when a message is longer than its receive.
class checking_network {
public:
    explicit checking_network(int size, unsigned seed = 1) : size_{size}, random_{seed} {}

    bool ready_mode = true;
    std::size_t message_limit = std::numeric_limits<int>::max();
    bool forges_clear_to_send = false;  ///< a defect: messages without elements seem to come before they are sent

    std::size_t ready_sends = 0;
    std::size_t standard_sends = 0;
    std::size_t standard_bytes = 0;

    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] bool one_in(unsigned n) { return random_() % n == 0; }
    [[nodiscard]] auto& luck() { return random_; }

    int send(bool ready, int from, int to, int tag, std::span<std::byte const> data) {
        (ready ? ready_sends : standard_sends) += 1;
        if (!ready) { standard_bytes += data.size(); }
        auto const id = post({true, from, to, tag, data.data(), nullptr, data.size()});
        if (ready && at(id).partner == 0) {
            throw receive_not_posted{"a ready send from " + std::to_string(from) + " to " + std::to_string(to) +
                                     " with tag " + std::to_string(tag) + " meets no posted receive"};
        }
        return id;
    }
    int receive(int from, int to, int tag, std::span<std::byte> memory) {
        return post({false, from, to, tag, nullptr, memory.data(), memory.size()});
    }

    /// Some of what has ended.
    std::size_t test_some(std::span<int> requests, std::span<tutti::completion> done) {
        std::size_t count = 0;
        for (std::size_t i = 0; i != requests.size(); ++i) {
            if (requests[i] == 0) { continue; }
            auto& mine = at(requests[i]);
            if (mine.partner != 0 && !mine.is_over && one_in(2)) { transfer(mine); }
            if (!mine.is_over || one_in(2)) { continue; }
            done[count++] = {.index = i, .bytes = mine.bytes};
            requests[i] = 0;
            --under_way_;
        }
        return count;
    }

    /// Nobody will write to its memory any more.
    void cancel(int given_up) {
        at(given_up).is_over = true;
        std::erase(unmatched_, given_up);
        --under_way_;
    }

    /// Requests that have not been reported.
    [[nodiscard]] std::size_t under_way() const { return under_way_; }

private:
    struct operation {
        bool outgoing;
        int from;
        int to;
        int tag;
        std::byte const* source;
        std::byte* target;
        std::size_t bytes;
        int partner = 0;
        bool is_over = false;
    };

    [[nodiscard]] operation& at(int id) { return all_.at(static_cast<std::size_t>(id) - 1); }

    int post(operation fresh) {
        all_.push_back(fresh);
        ++under_way_;
        auto const id = static_cast<int>(all_.size());
        if (forges_clear_to_send && fresh.bytes == 0) {
            all_.back().is_over = true;
            return id;
        }
        auto const partner = std::find_if(unmatched_.begin(), unmatched_.end(), [&](int other) {
            auto const& o = at(other);
            return o.outgoing != fresh.outgoing && o.from == fresh.from && o.to == fresh.to && o.tag == fresh.tag;
        });
        if (partner == unmatched_.end()) {
            unmatched_.push_back(id);
        } else {
            at(*partner).partner = id;
            at(id).partner = *partner;
            unmatched_.erase(partner);
        }
        return id;
    }

    // The memories are read and written as late as a network may do so.
    void transfer(operation& one) {
        auto& other = at(one.partner);
        auto& sent = one.outgoing ? one : other;
        auto& received = one.outgoing ? other : one;
        if (sent.bytes > received.bytes) { throw std::length_error{"a message is longer than its receive"}; }
        std::copy_n(sent.source, sent.bytes, received.target);
        received.bytes = sent.bytes;
        sent.is_over = received.is_over = true;
    }

    int size_;
    std::mt19937 random_;
    std::vector<operation> all_;
    std::vector<int> unmatched_;  // in the order in which they were posted
    std::size_t under_way_ = 0;
};

/// One rank of it.
class checking_communicator : public tutti::communicator_defaults<checking_communicator> {
public:
    using request = int;

    checking_communicator(checking_network& between, int rank) : network_{&between}, rank_{rank} {}

    [[nodiscard]] static request inactive() { return 0; }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return network_->size(); }
    [[nodiscard]] std::size_t message_limit() const { return network_->message_limit; }
    [[nodiscard]] int new_tag() { return ++last_tag_; }
    [[nodiscard]] tutti::control::store& store() { return store_; }
    [[nodiscard]] tutti::control::supervisor& supervisor() { return supervisor_; }
    [[nodiscard]] bool ready_mode() const { return network_->ready_mode; }
    void ready_mode(bool wanted) { network_->ready_mode = wanted; }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        return network_->send(false, rank_, peer, tag, data);
    }
    [[nodiscard]] request send_ready(int peer, int tag, std::span<std::byte const> data) {
        return network_->send(true, rank_, peer, tag, data);
    }
    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        return network_->receive(peer, rank_, tag, memory);
    }
    std::size_t test_some(std::span<request> requests, std::span<tutti::completion> done) {
        return network_->test_some(requests, done);
    }
    /// The other ranks do nothing meanwhile: what does not end soon never will.
    std::size_t wait_some(std::span<request> requests, std::span<tutti::completion> done) {
        for (int i = 0; i != 100; ++i) {
            if (auto const count = test_some(requests, done)) { return count; }
        }
        throw std::logic_error{"the test would wait for ever"};
    }
    void cancel(request given_up) { network_->cancel(given_up); }

private:
    checking_network* network_;
    int rank_;
    int last_tag_ = 0;
    tutti::control::store store_;
    tutti::control::supervisor supervisor_;
};

static_assert(tutti::communicator<checking_communicator>);

/// Runs a plan on every rank: they start in any order, some while others are at work already. What the ranks' runs
/// ended with; null where all went well.
template <class Plan>
[[nodiscard]] std::vector<std::exception_ptr> outcomes(checking_network& network, std::vector<Plan>& of_ranks) {
    std::vector<std::exception_ptr> result(of_ranks.size());
    std::vector<bool> over(of_ranks.size());
    std::vector<std::size_t> started;
    auto const guarded = [&](std::size_t rank, auto step) {
        try {
            if (step()) { over[rank] = true; }
        } catch (...) {
            result[rank] = std::current_exception();
            over[rank] = true;
        }
    };
    auto const test_some_ranks = [&] {
        for (auto const rank : started) {
            if (!over[rank] && !network.one_in(4)) {
                guarded(rank, [&] { return of_ranks[rank].test(); });
            }
        }
    };
    std::vector<std::size_t> order(of_ranks.size());
    for (std::size_t rank = 0; rank != order.size(); ++rank) { order[rank] = rank; }
    std::shuffle(order.begin(), order.end(), network.luck());
    for (auto const rank : order) {
        guarded(rank, [&] { return of_ranks[rank].start(), false; });
        started.push_back(rank);
        while (network.one_in(2)) { test_some_ranks(); }
    }
    for (int i = 0; std::find(over.begin(), over.end(), false) != over.end(); ++i) {
        test_some_ranks();
        if (i != 10'000) { continue; }
        for (std::size_t rank = 0; rank != over.size(); ++rank) {
            if (!over[rank]) { result[rank] = std::make_exception_ptr(std::logic_error{"the run never ends"}); }
        }
        break;
    }
    return result;
}

}  // namespace support

template <>
struct tutti::communicator_of<support::checking_communicator> {
    static support::checking_communicator& get(support::checking_communicator const& world) {
        return const_cast<support::checking_communicator&>(world);
    }
};
