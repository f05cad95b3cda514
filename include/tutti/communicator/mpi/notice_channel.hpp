// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <new>
#include <span>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/cancellation.hpp>
#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/running.hpp>
#include <tutti/communicator/mpi/tagged_length.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/communicator/notices.hpp>

namespace tutti::mpi {

/// The notices of a communicator of MPI, as messages with a tag of their own, short enough to leave at once. Messages
/// that no receive waits for are found here, too, since a probe may see either.
class notice_channel {
public:
    notice_channel() : tag_{tagged_length::largest_plain_tag() / 2 * 2} {}
    /// What MPI has not sent yet keeps its memory.
    [[gnu::cold]] ~notice_channel() {
        while (!is_finalised() && !sent_.empty() && sent_.front().test()) { sent_.pop_front(); }
        if (!sent_.empty()) { static_cast<void>(new (std::nothrow) std::list<sending>{std::move(sent_)}); }
    }
    notice_channel(notice_channel&&) = default;
    notice_channel& operator=(notice_channel const&) = delete;

    /// That of `comm` from now on.
    void open(MPI_Comm comm) {
        ensure("MPI_Comm_rank", MPI_Comm_rank(comm, &rank_));
        ensure("MPI_Comm_size", MPI_Comm_size(comm, &size_));
        comm_ = comm;
    }

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] static double now() { return MPI_Wtime(); }

    void notify(std::span<int const> peers, std::span<std::byte const> notice) {
        returned_errors const scope;
        while (!sent_.empty() && sent_.front().test()) { sent_.pop_front(); }
        auto& fresh = sent_.emplace_back();
        fresh.notice.append(notice.data(), notice.data() + notice.size());
        for (int const peer : peers) {
            fresh.sends.push_back(MPI_REQUEST_NULL);
            MPI_Isend(fresh.notice.data(), static_cast<int>(notice.size()), MPI_BYTE, peer, tag_, comm_,
                      &fresh.sends.back());
        }
    }

    [[nodiscard]] int next(std::span<std::byte> received) {
        int found = 0;
        MPI_Status status;
        ensure("MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm_, &found, &status));
        if (found == 0) { return -1; }
        ensure("MPI_Recv", MPI_Recv(received.data(), static_cast<int>(received.size()), MPI_BYTE, status.MPI_SOURCE,
                                    tag_, comm_, MPI_STATUS_IGNORE));
        return status.MPI_SOURCE;
    }

    /// Messages with this tag that no rank receives are no mistake.
    void discard_unmatched(int tag) { discarded_.push_back(tag); }
    [[nodiscard]] bool discards(int tag) const {
        return !discarded_.empty() && control::is_sought({discarded_.data(), discarded_.size()}, tag);
    }
    /// Where the communicator ends: throws such messages away, up to the first other one, a mistake, which it returns.
    [[nodiscard]] control::unmatched_message discard_some() {
        auto found = find({});
        for (; found.from >= 0 && discards(found.tag); found = find({})) {
            static_cast<void>(discard_message(comm_, found.tag, found.from));
        }
        return found;
    }

    /// The first message that no receive waits for, with one of these tags, or any. One whose length is part of its tag
    /// is seen if it is the first.
    [[nodiscard, gnu::cold]] control::unmatched_message find(std::span<int const> tags) const {
        for (int look = 0; look != 2; ++look) {  // MPI may take in at one look what it reports at the next
            auto const first = probe(MPI_ANY_TAG);
            if (first.from < 0) { continue; }
            auto const tag = tagged_length::remove(first.tag);
            if (first.tag != tag_ && control::is_sought(tags, tag)) { return {first.from, tag}; }
            for (int const each : tags) {
                if (auto const found = probe(each); found.from >= 0) { return found; }
            }
        }
        return {};
    }

    /// After a failure: receives a message that is no notice and throws it away; false if there is none from a rank
    /// that still has the memory of what it has sent, as those that have `abandoned` it have not.
    [[nodiscard, gnu::cold]] bool discard(std::span<int const> abandoned) noexcept {
        try {
            auto const has_memory = [&](int peer) {
                return std::find(abandoned.begin(), abandoned.end(), peer) == abandoned.end() &&
                       std::find(stalled_.begin(), stalled_.end(), peer) == stalled_.end();
            };
            if (abandoned.empty() && stalled_.empty()) { return discard_from(MPI_ANY_SOURCE); }
            for (int peer = 0; peer != size_; ++peer) {
                if (has_memory(peer) && discard_from(peer)) { return true; }
            }
        } catch (...) {  // no memory for it: it stays where it is
        }
        return false;
    }
    /// The communicator is a new one, without messages from before.
    void forget() noexcept { stalled_.clear(); }

private:
    [[nodiscard]] control::unmatched_message probe(int tag) const {
        int found = 0;
        MPI_Status status;
        ensure("MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &found, &status));
        return found != 0 ? control::unmatched_message{status.MPI_SOURCE, status.MPI_TAG}
                          : control::unmatched_message{};
    }

    struct sending {
        dynamic_array<std::byte> notice;
        dynamic_array<MPI_Request> sends;

        [[nodiscard]] bool test() {
            int all = 0;
            return MPI_Testall(static_cast<int>(sends.size()), sends.data(), &all, MPI_STATUSES_IGNORE) ==
                       MPI_SUCCESS &&
                   all != 0;
        }
    };

    [[nodiscard]] bool discard_from(int peer) {
        int found = 0, stalled = MPI_PROC_NULL;
        MPI_Status status;
        ensure("MPI_Iprobe", MPI_Iprobe(peer, MPI_ANY_TAG, comm_, &found, &status));
        if (found == 0) { return false; }
        bool const any = status.MPI_TAG == tag_ ||  // has just come
                         discard_message(comm_, status.MPI_TAG, status.MPI_SOURCE, &stalled);
        if (stalled != MPI_PROC_NULL) { stalled_.push_back(stalled); }
        return any;
    }

    int tag_;  // above those of data and of clear-to-send messages
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
    std::list<sending> sent_;  // MPI may still read them
    dynamic_array<int> discarded_;  // tags
    dynamic_array<int> stalled_;  // ranks whose messages do not come
};

}  // namespace tutti::mpi
