// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/execution/check_call.hpp>
#include <tutti/node_map.hpp>

namespace support {

/// A rank of threads that has a clock of its own, on which messages take exactly what a model says and nothing else
/// takes time. Each message carries the time of its departure.
class timed_rank : public tutti::communicator_defaults<timed_rank> {
    using inner = tutti::threads::communicator;
    struct operation {
        typename inner::request posted{};
        std::vector<std::byte> carried{};
        std::span<std::byte> target{};
        int peer = 0;
        bool is_receive = false;
    };

public:
    using request = std::shared_ptr<operation>;
    static constexpr bool compares_calls = true;  // the ranks below do

    /// No message is so long that it waits for what its receiver sends.
    static constexpr std::size_t full_duplex = static_cast<std::size_t>(-1);

    timed_rank(inner& ranks, tutti::machine_model const& costs, tutti::node_map const& nodes,
               std::size_t half_duplex_from = full_duplex)
        : ranks_{ranks}, costs_{costs}, nodes_{nodes}, half_duplex_from_{half_duplex_from} {
        clock_ = 1e9;
    }

    [[nodiscard]] static request inactive() { return {}; }
    [[nodiscard]] static std::int64_t now() { return static_cast<std::int64_t>(clock_ + 0.5); }
    [[nodiscard]] int rank() const { return ranks_.rank(); }
    [[nodiscard]] int size() const { return ranks_.size(); }
    [[nodiscard]] std::size_t message_limit() const { return ranks_.message_limit(); }
    [[nodiscard]] int new_tag() { return ranks_.new_tag(); }
    [[nodiscard]] tutti::control::store& store() { return store_; }
    [[nodiscard]] tutti::control::supervisor& supervisor() { return supervisor_; }
    [[nodiscard]] tutti::node_map const& nodes() const { return nodes_; }
    void nodes(tutti::node_map const& told) { nodes_ = told; }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        auto const& link = link_to(peer);
        clock_ += link.overhead * 1e9;
        auto const departure = std::max(clock_, busy_until_);
        busy_until_ = departure + link.interval(data.size()) * 1e9;
        auto result = std::make_shared<operation>();
        result->carried.resize(sizeof departure + data.size());
        std::memcpy(result->carried.data(), &departure, sizeof departure);
        std::copy(data.begin(), data.end(), result->carried.begin() + sizeof departure);
        result->posted = ranks_.send(peer, tag, result->carried);
        return result;
    }
    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        auto result = std::make_shared<operation>();
        result->carried.resize(sizeof(double) + memory.size());
        result->target = memory;
        result->peer = peer;
        result->is_receive = true;
        result->posted = ranks_.receive(peer, tag, result->carried);
        return result;
    }
    std::size_t test_some(std::span<request> requests, std::span<tutti::completion> done) {
        return finish(requests, done, [&](auto all, auto ended) { return ranks_.test_some(all, ended); });
    }
    std::size_t wait_some(std::span<request> requests, std::span<tutti::completion> done) {
        return finish(requests, done, [&](auto all, auto ended) { return ranks_.wait_some(all, ended); });
    }
    void cancel(request const& given_up) {
        if (given_up) { ranks_.cancel(given_up->posted); }
    }

private:
    template <class Wait>
    std::size_t finish(std::span<request> requests, std::span<tutti::completion> done, Wait wait) {
        std::vector<typename inner::request> posted;
        for (auto const& each : requests) { posted.push_back(each ? each->posted : inner::inactive()); }
        auto const count = wait(std::span{posted}, done);
        // of what has come, in the order in which it was posted
        std::sort(done.begin(), done.begin() + static_cast<std::ptrdiff_t>(count),
                  [](auto const& a, auto const& b) { return a.index < b.index; });
        for (auto& each : done.first(count)) {
            auto& ended = requests[each.index];
            if (ended->is_receive) { each.bytes = take(*ended, each.bytes); }
            ended.reset();
        }
        return count;
    }

    [[nodiscard]] std::size_t take(operation const& ended, std::size_t carried) {
        double departure = 0;
        std::memcpy(&departure, ended.carried.data(), sizeof departure);
        auto const bytes = carried - sizeof departure;
        std::copy_n(ended.carried.begin() + sizeof departure, bytes, ended.target.begin());
        auto const& link = link_to(ended.peer);
        auto const start = bytes >= half_duplex_from_ ? std::max(departure, busy_until_) : departure;
        if (bytes >= half_duplex_from_) { busy_until_ = start + static_cast<double>(bytes) * link.per_byte * 1e9; }
        auto const arrival = start + (link.latency + static_cast<double>(bytes) * link.per_byte) * 1e9;
        clock_ = std::max(clock_, arrival) + link.overhead * 1e9;
        return bytes;
    }

    [[nodiscard]] tutti::loggp const& link_to(int peer) const {
        auto const node_of = [&](int rank) { return nodes_.node_of(static_cast<std::size_t>(rank)); };
        return node_of(peer) == node_of(rank()) ? costs_.within_node : costs_.between_nodes;
    }

    inline static thread_local double clock_ = 0;

    inner& ranks_;
    tutti::machine_model costs_;
    tutti::node_map nodes_;
    std::size_t half_duplex_from_;
    double busy_until_ = 0;
    tutti::control::store store_{};
    tutti::control::supervisor supervisor_{};
};

static_assert(tutti::communicator<timed_rank>);

}  // namespace support

template <>
struct tutti::communicator_of<support::timed_rank> {
    static support::timed_rank& get(support::timed_rank const& world) {
        return const_cast<support::timed_rank&>(world);
    }
};
