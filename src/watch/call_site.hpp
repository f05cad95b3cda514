// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <pmpi/call_signature.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <watch/call_record.hpp>

namespace tutti::watch {

/// How many calls there were of each number of bytes.
class byte_counts {
public:
    void add(std::int64_t bytes, std::uint64_t calls = 1) {
        if (bytes == last_bytes_) {
            all_[last_].calls += calls;
        } else {
            add_others(bytes, calls);
        }
    }
    void add(byte_counts const& others) {
        for (auto const& [bytes, calls] : others.all_) { add(bytes, calls); }
    }

    [[nodiscard]] std::int64_t least() const { return all_.empty() ? -1 : all_.front().bytes; }
    [[nodiscard]] std::int64_t greatest() const { return all_.empty() ? -1 : all_.back().bytes; }
    [[nodiscard]] std::int64_t median() const {
        std::uint64_t calls = 0;
        for (auto const& each : all_) { calls += each.calls; }
        std::uint64_t below = 0;
        for (auto const& [bytes, number] : all_) {
            below += number;
            if (2 * below >= calls) { return bytes; }
        }
        return -1;
    }

    static void members_of(auto& one, auto use) { use(one.all_); }

private:
    static constexpr std::size_t most = 64;

    void add_others(std::int64_t bytes, std::uint64_t calls) {
        auto const nearest = [&](auto const& each) { return each.bytes >= bytes; };
        auto const at = std::find_if(all_.begin(), all_.end(), nearest);
        last_ = static_cast<std::size_t>(at - all_.begin());
        last_bytes_ = bytes;
        if (at != all_.end() && at->bytes == bytes) {
            at->calls += calls;
        } else if (all_.size() < most) {
            all_.insert(at, {bytes, calls});
        } else {  // counted with the next one
            last_ = std::min(last_, all_.size() - 1);
            all_[last_].calls += calls;
        }
    }

    struct counted {
        std::int64_t bytes;
        std::uint64_t calls;
    };
    std::vector<counted> all_;  // by bytes
    std::size_t last_ = 0;
    std::int64_t last_bytes_ = std::numeric_limits<std::int64_t>::min();  // counted in all_[last_]
};

/// Sums over calls from one place of the program.
struct call_sums {
    std::uint64_t calls = 0;
    byte_counts bytes;
    std::uint64_t taken = 0;       ///< calls that tutti performed
    std::string algorithm;         ///< of one of these
    double saved = 0;              ///< seconds that the cost model expects these to save
    double stamped = 0;            ///< calls of which the last rank to arrive is known
    std::map<int, double> last{};  ///< by rank: in how many of these it was the last to arrive

    /// Adds what this rank has called on another communicator; or, by maxima, another rank's sums: ranks mostly have
    /// made the same calls, and know the same of who arrived last.
    void add(call_sums const& other, bool same_rank) {
        auto const join = [=](auto one, auto another) { return same_rank ? one + another : std::max(one, another); };
        calls = join(calls, other.calls);
        bytes.add(other.bytes);
        taken = join(taken, other.taken);
        if (algorithm.empty()) { algorithm = other.algorithm; }
        saved = join(saved, other.saved);
        stamped = join(stamped, other.stamped);
        for (auto const& [rank, times] : other.last) { last[rank] = join(last[rank], times); }
    }
};

/// What this rank has called from one place of the program, on one communicator.
struct site_counts : call_sums {
    void const* returns_to = nullptr;
    char const* name = nullptr;  ///< MPI's function
    std::uint32_t number = 0;    ///< among those of its communicator
    std::uint64_t time = 0;      ///< ticks in those calls that are timed
    std::uint64_t timed_calls = 0;

    call_signature last_call{};  ///< its count is no call's if the type is the program's, which may change its size
    std::int64_t last_bytes = -1;
    bool is_recorded = false;  ///< `record` is of `last_call`

    /// Whether a call is like the last one, with a type of MPI's own.
    [[nodiscard]] bool repeats(call_signature const& signature) const {
        return signature.count == last_call.count && signature.type == last_call.type && signature.op == last_call.op &&
               signature.peer == last_call.peer;
    }

    std::size_t algorithm_for = 0;  ///< bytes of the last call that tutti performed
    double saves = 0;               ///< seconds that the cost model expects it to save
    char const* fallback = nullptr;  ///< why MPI performed the last one that tutti did not

    double stamped_time = 0;  ///< ns in calls that have stamps
    double waited = 0;        ///< of these, until the last rank arrived

    /// Adds what has been called from the same place on another communicator, of which no stamps are kept.
    void add(site_counts const& other) {
        call_sums::add(other, true);
        time += static_cast<std::uint64_t>(other.ticks());
        timed_calls += other.calls;
        fallback = other.fallback;
    }

    /// Whether the next call is timed: every call until a thousand have been short on average; then one in eight, at
    /// random, since to read the clock twice takes some per cent of such a call.
    [[nodiscard]] bool draw_timed() {
        if (timed_calls < enough || time > timed_calls * short_call) { return true; }
        random_ = random_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's, of 64 bits
        return random_ >> 61U == 0;
    }
    void add_time(std::uint64_t spent) {
        time += spent;
        ++timed_calls;
    }
    /// In all calls, estimated from those that were timed.
    [[nodiscard]] double ticks() const {
        if (timed_calls == 0) { return 0; }
        return static_cast<double>(time) * static_cast<double>(calls) / static_cast<double>(timed_calls);
    }

private:
    static constexpr std::uint64_t enough = 1000;
    static constexpr std::uint64_t short_call = 20000;  // ticks, of a third to half a nanosecond

    std::uint64_t random_ = 1;
};

struct call_site : site_counts {
    seqlock_data<call_record> record;  ///< of the last call, for other threads

    /// For another place of the program.
    void begin_again() { static_cast<site_counts&>(*this) = {}; }
};

}  // namespace tutti::watch
