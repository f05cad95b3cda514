// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tutti/collective/execute.hpp>
#include <tutti/communicator.hpp>
#include <tutti/communicator/notices.hpp>
#include <tutti/communicator/tag_sequence.hpp>
#include <tutti/communicator/zero_count_calls.hpp>
#include <tutti/error.hpp>

/// Ranks that are threads and fail as processes do: each by itself, told of by notices alone, and able to recover. So
/// what `mpi::communicator` does beside the data is tested without MPI, with delays drawn from a seed.
namespace support::channels {

/// A rank ends here as a killed process does: others are not told.
struct killed {};

/// What the ranks share.
class network {
public:
    network(int size, std::uint64_t seed) : seed_{seed}, ranks_(static_cast<std::size_t>(size)) {
        for (std::size_t rank = 0; rank != ranks_.size(); ++rank) {
            ranks_[rank].chance.seed(static_cast<std::minstd_rand::result_type>(seed * 31 + rank + 1));
            ranks_[rank].last_arrivals.resize(ranks_.size());
        }
    }

    [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }

    void send(int from, int to, int tag, std::span<std::byte const> data) {
        auto const lock = std::lock_guard{guard_};
        at(to).messages.push_back({from, tag, {data.begin(), data.end()}, arrival(from, to)});
    }

    /// Time passes for this rank: what is under way to it comes nearer.
    void look(int self) {
        auto const lock = std::lock_guard{guard_};
        ++at(self).looks;
    }

    /// The first message of that rank with this tag, if it has come.
    [[nodiscard]] std::optional<std::vector<std::byte>> receive(int self, int from, int tag) {
        auto const lock = std::lock_guard{guard_};
        auto const now = at(self).looks;
        auto& all = at(self).messages;
        auto const is_it = [&](message const& each) { return each.from == from && each.tag == tag; };
        auto const found = std::find_if(all.begin(), all.end(), is_it);
        if (found == all.end() || found->arrives > now) { return std::nullopt; }
        auto data = std::move(found->data);
        all.erase(found);
        return data;
    }

    /// The first message that has come with one of these tags, or any.
    [[nodiscard]] tutti::control::unmatched_message find(int self, std::span<int const> tags) {
        auto const lock = std::lock_guard{guard_};
        for (auto const& each : at(self).messages) {
            if (tutti::control::is_sought(tags, each.tag) && each.arrives <= at(self).looks) {
                return {each.from, each.tag};
            }
        }
        return {};
    }
    void discard_all(int self) {
        auto const lock = std::lock_guard{guard_};
        at(self).messages.clear();
    }

    void notify(int from, int to, std::span<std::byte const> notice) {
        auto const lock = std::lock_guard{guard_};
        at(to).notices.push_back({from, 0, {notice.begin(), notice.end()}, arrival(from, to)});
    }
    [[nodiscard]] int next_notice(int self, std::span<std::byte> into) {
        auto const lock = std::lock_guard{guard_};
        auto const now = at(self).looks;
        auto& all = at(self).notices;
        auto const found = std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.arrives <= now; });
        if (found == all.end()) { return -1; }
        auto const one = std::move(*found);
        all.erase(found);
        std::copy(one.data.begin(), one.data.end(), into.begin());
        return one.from;
    }

    void kill(int rank) {
        auto const lock = std::lock_guard{guard_};
        at(rank).is_dead = true;
    }
    [[nodiscard]] int dead() {
        auto const lock = std::lock_guard{guard_};
        auto const found = std::find_if(ranks_.begin(), ranks_.end(), [](auto const& each) { return each.is_dead; });
        return found != ranks_.end() ? static_cast<int>(found - ranks_.begin()) : -1;
    }

    /// This rank is past its last call.
    void leave(int self) {
        auto const lock = std::lock_guard{guard_};
        at(self).has_left = true;
    }
    [[nodiscard]] bool all_have_left() {
        auto const lock = std::lock_guard{guard_};
        return std::all_of(ranks_.begin(), ranks_.end(), [](auto const& each) { return each.has_left; });
    }
    [[nodiscard]] bool any_has_left() {
        auto const lock = std::lock_guard{guard_};
        return std::any_of(ranks_.begin(), ranks_.end(), [](auto const& each) { return each.has_left; });
    }

    /// All ranks meet, again and again, and each says how many tags it has taken.
    void come(int self, int tags) {
        auto const lock = std::lock_guard{guard_};
        ++at(self).meetings;
        most_tags_ = std::max(most_tags_, tags);
    }
    [[nodiscard]] int most_tags() {
        auto const lock = std::lock_guard{guard_};
        return most_tags_;
    }
    [[nodiscard]] bool all_have_come(int self) {
        auto const lock = std::lock_guard{guard_};
        auto const mine = at(self).meetings;
        return std::all_of(ranks_.begin(), ranks_.end(), [&](auto const& each) { return each.meetings >= mine; });
    }

private:
    struct message {
        int from;
        int tag;
        std::vector<std::byte> data;
        std::size_t arrives;  // at that look of its receiver
    };
    struct state {
        std::deque<message> messages;
        std::deque<message> notices;
        std::minstd_rand chance;
        std::size_t looks = 0;
        std::vector<std::size_t> last_arrivals;  // from each rank
        std::size_t meetings = 0;
        bool is_dead = false;
        bool has_left = false;
    };

    [[nodiscard]] state& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    // Messages and notices between two ranks stay in order, as MPI's do.
    [[nodiscard]] std::size_t arrival(int from, int to) {
        auto& chance = at(from).chance;
        std::size_t const delay = seed_ == 0 || chance() % 4 != 0 ? 0 : chance() % 200;
        auto& last = at(to).last_arrivals[static_cast<std::size_t>(from)];
        return last = std::max(last, at(to).looks + delay);
    }

    std::uint64_t seed_;
    std::mutex guard_;
    int most_tags_ = 0;
    std::vector<state> ranks_;
};

/// Time passes faster here than elsewhere: ranks ask each other after a second.
class notice_channel {
public:
    static constexpr double haste = 20;

    void open(network& shared, int rank) {
        network_ = &shared;
        rank_ = rank;
    }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return network_->size(); }
    [[nodiscard]] static double now() {
        return haste * std::chrono::duration<double>{std::chrono::steady_clock::now().time_since_epoch()}.count();
    }
    void notify(std::span<int const> peers, std::span<std::byte const> notice) {
        for (int const peer : peers) { network_->notify(rank_, peer, notice); }
    }
    [[nodiscard]] int next(std::span<std::byte> into) {
        network_->look(rank_);
        return network_->next_notice(rank_, into);
    }

private:
    network* network_ = nullptr;
    int rank_ = 0;
};
static_assert(tutti::control::notice_channel<notice_channel>);

class communicator : public tutti::communicator_defaults<communicator> {
public:
    using request = int;

    communicator(network& shared, int rank) : network_{&shared}, rank_{rank} { notices_.channel().open(shared, rank); }
    communicator(communicator const&) = delete;
    communicator& operator=(communicator const&) = delete;
    /// A rank that is past its last call answers the others until all are.
    ~communicator() {
        supervisor_.close();
        store_.clear();
        if (is_killed_) { return; }
        network_->leave(rank_);
        while (!network_->all_have_left() && network_->dead() < 0) {
            notices_.answer_all(zero_count_calls_, "past its last call on this communicator");
            std::this_thread::yield();
        }
    }

    /// This rank stops at its `n`-th message or wait from now on, as if it were killed.
    void die_after(std::size_t n) { steps_to_live_ = n; }
    /// This rank is late by `pause` at its `n`-th message or wait from now on.
    void pause_after(std::size_t n, std::chrono::microseconds pause) {
        steps_to_pause_ = n;
        pause_ = pause;
    }

    [[nodiscard]] static request inactive() { return 0; }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return network_->size(); }
    [[nodiscard]] std::size_t message_limit() const { return 1U << 16; }
    [[nodiscard]] int new_tag() { return ++last_tag_; }
    [[nodiscard]] int new_call_tag() { return calls_.next(); }
    [[nodiscard]] std::int64_t number_of(int tag) const { return tag < calls_.first() ? tag : calls_.number_of(tag); }
    [[nodiscard]] tutti::control::store& store() { return store_; }
    [[nodiscard]] tutti::control::supervisor& supervisor() { return supervisor_; }

    [[nodiscard]] request send(int peer, int tag, std::span<std::byte const> data) {
        step();
        network_->send(rank_, peer, tag, data);
        return post({.is_over = true});
    }
    [[nodiscard]] request receive(int peer, int tag, std::span<std::byte> memory) {
        step();
        return post({.is_over = false, .peer = peer, .tag = tag, .memory = memory});
    }

    std::size_t test_some(std::span<request> requests, std::span<tutti::completion> done) {
        auto const count = look(requests, done);
        if (count == 0 && ++looks_ % 64 == 0) { poll_notices(); }
        return count;
    }
    std::size_t wait_some(std::span<request> requests, std::span<tutti::completion> done) {
        step();
        ++waits_;
        if (std::none_of(requests.begin(), requests.end(), [](request each) { return each != 0; })) { return 0; }
        for (unsigned i = 1;; ++i) {
            if (auto const count = look(requests, done)) { return count; }
            if (i % 16 == 0) { poll_notices(); }
            std::this_thread::yield();
        }
    }
    void cancel(request given_up) {
        if (given_up == inactive()) { return; }
        std::erase(receives_, given_up);
        at(given_up).is_free = true;
    }

    [[noreturn]] void raise(tutti::completion const&) const {
        throw std::runtime_error{"tutti: a message was longer than its receiver expected"};
    }
    void notify_all(tutti::control::failure_kind what, int tag, std::string_view why) {
        if (!is_killed_) { notices_.notify_all(what, tag, number_of(tag), why); }
    }
    void poll_notices() {
        step();
        notices_.poll(calls_, last_tag_, supervisor_, zero_count_calls_, waits_);
        zero_count_calls_.look(
            rank_, [this](std::span<int const> tags) { return network_->find(rank_, tags); },
            [this](int tag) { return supervisor_.under_way(tag) != nullptr; });
        if (auto const dead = network_->dead(); dead >= 0) { throw tutti::rank_is_dead{dead}; }
    }
    void note_zero_count(int tag, tutti::control::call const& entered) {
        zero_count_calls_.add(tag, entered);
        supervisor_.set_hook(tutti::control::call_hook::zero_counts, true);
    }
    void require_no_unmatched_messages() {
        zero_count_calls_.end_call(rank_, [this](std::span<int const> tags) { return network_->find(rank_, tags); });
        supervisor_.set_hook(tutti::control::call_hook::zero_counts, !zero_count_calls_.empty());
    }
    void recover() {
        meet();
        network_->discard_all(rank_);
        meet();  // none sends before all have discarded
        last_tag_ = network_->most_tags();  // some ranks may have failed to make a plan
        calls_ = fresh_calls();
        notices_.forget();
        zero_count_calls_.clear();
    }

private:
    struct operation {
        bool is_over = false;
        int peer = 0;
        int tag = 0;
        std::span<std::byte> memory = {};
        std::size_t bytes = 0;
        bool is_free = false;
    };
    [[nodiscard]] static tutti::control::tag_sequence fresh_calls() {
        return tutti::control::tag_sequence{1 << 20, 1 << 10};
    }

    void meet() {
        network_->come(rank_, last_tag_);
        while (!network_->all_have_come(rank_)) {
            notices_.answer_all(zero_count_calls_, "in tutti::recover");
            if (auto const dead = network_->dead(); dead >= 0) { throw tutti::rank_is_dead{dead}; }
            if (network_->any_has_left()) { throw tutti::mismatched_calls{"a rank has left instead of recovering"}; }
            std::this_thread::yield();
        }
    }

    void step() {
        if (is_killed_) { throw killed{}; }
        if (steps_to_pause_ && (*steps_to_pause_)-- == 0) {
            steps_to_pause_.reset();
            std::this_thread::sleep_for(pause_);
        }
        if (steps_to_live_ && (*steps_to_live_)-- == 0) {
            is_killed_ = true;
            network_->kill(rank_);
            throw killed{};
        }
    }

    [[nodiscard]] request post(operation const& what) {
        auto const unused = [](operation const& each) { return each.is_free; };
        auto found = std::find_if(posted_.begin(), posted_.end(), unused);
        if (found == posted_.end()) { found = posted_.insert(posted_.end(), operation{}); }
        *found = what;
        auto const result = static_cast<request>(found - posted_.begin() + 1);
        if (!what.is_over) { receives_.push_back(result); }
        return result;
    }
    [[nodiscard]] operation& at(request one) { return posted_[static_cast<std::size_t>(one) - 1]; }

    // Receives match in the order in which they were posted.
    void match() {
        network_->look(rank_);
        std::vector<std::pair<int, int>> waiting;  // receives of a rank with a tag: what comes meanwhile is the first's
        std::erase_if(receives_, [&](request each) {
            auto& one = at(each);
            std::pair const from{one.peer, one.tag};
            if (std::find(waiting.begin(), waiting.end(), from) != waiting.end()) { return false; }
            auto const data = network_->receive(rank_, one.peer, one.tag);
            if (!data) {
                waiting.push_back(from);
                return false;
            }
            one.bytes = data->size();
            std::copy_n(data->begin(), std::min(data->size(), one.memory.size()), one.memory.begin());
            return one.is_over = true;
        });
    }

    [[nodiscard]] std::size_t look(std::span<request> requests, std::span<tutti::completion> done) {
        match();
        std::size_t count = 0;
        for (std::size_t i = 0; i != requests.size() && count != done.size(); ++i) {
            if (requests[i] == inactive() || !at(requests[i]).is_over) { continue; }
            auto& one = at(requests[i]);
            done[count++] = {.index = i,
                             .bytes = std::min(one.bytes, one.memory.size()),
                             .error = one.bytes > one.memory.size() ? 1 : 0};
            one.is_free = true;
            requests[i] = inactive();
        }
        return count;
    }

    network* network_;
    int rank_;
    std::deque<operation> posted_;
    std::vector<request> receives_;  // that wait, in the order in which they were posted
    int last_tag_ = 0;
    std::size_t looks_ = 0;
    std::size_t waits_ = 0;
    std::optional<std::size_t> steps_to_live_;
    std::optional<std::size_t> steps_to_pause_;
    std::chrono::microseconds pause_{};
    bool is_killed_ = false;
    tutti::control::tag_sequence calls_ = fresh_calls();
    tutti::control::notices<notice_channel> notices_;
    tutti::control::zero_count_calls zero_count_calls_;
    tutti::control::store store_;
    tutti::control::supervisor supervisor_;
};
static_assert(tutti::communicator<communicator>);

}  // namespace support::channels

template <>
struct tutti::communicator_of<support::channels::communicator> {
    static auto& get(support::channels::communicator const& world) {
        return const_cast<support::channels::communicator&>(world);
    }
};

namespace support::channels {

/// What each rank's `body(world)` throws, as text: "" if nothing, "killed" if it was.
template <class Body>
[[nodiscard]] std::vector<std::string> run(int size, std::uint64_t seed, Body body) {
    network shared{size, seed};
    std::vector<std::string> said(static_cast<std::size_t>(size));
    {
        std::vector<std::jthread> threads;
        for (int rank = 0; rank != size; ++rank) {
            threads.emplace_back([&shared, &said, &body, rank] {
                auto& mine = said[static_cast<std::size_t>(rank)];
                communicator world{shared, rank};
                try {
                    body(world);
                } catch (killed const&) {
                    mine = "killed";
                } catch (std::exception const& thrown) { mine = thrown.what(); }
            });
        }
    }
    return said;
}

}  // namespace support::channels
