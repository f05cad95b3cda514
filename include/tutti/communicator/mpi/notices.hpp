// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <list>
#include <optional>
#include <string_view>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/mpi/error.hpp>
#include <tutti/communicator/mpi/returned_errors.hpp>
#include <tutti/communicator/mpi/tag_sequence.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>

namespace tutti::mpi {

/// By which a rank tells all others of a communicator of a failure. A notice is short enough to leave at once, and
/// travels with a tag of its own; ranks look for notices only when they have waited in vain for a while.
class notices {
public:
    /// What tells the communicator from others that have had its number in MPI: a notice may arrive late.
    using identity = std::array<int, 2>;

    notices() : tag_{tag_upper_bound() / 2 * 2} {}
    notices(notices const&) = delete;
    notices& operator=(notices const&) = delete;

    /// All ranks say the same.
    void identify(identity own) noexcept { own_ = own; }

    /// Says so to all ranks of `comm` but `self`, and waits for nobody. For those who fail already, so it throws
    /// nothing: a rank that cannot be told finds out otherwise, or waits.
    [[gnu::cold]] void tell_all(MPI_Comm comm, int self, int size, distress what, int call,
                                std::string_view why) noexcept {
        returned_errors const scope;
        try {
            while (!sent_.empty() && sent_.front().has_left()) { sent_.pop_front(); }
            auto& fresh = sent_.emplace_back();
            fresh.said.sender = own_;
            fresh.said.generation = generation_;
            fresh.said.call = call;
            fresh.said.what = what;
            std::memcpy(fresh.said.text.data(), why.data(), std::min(why.size(), fresh.said.text.size() - 1));
            for (int peer = 0; peer != size; ++peer) {
                if (peer == self) { continue; }
                fresh.sends.push_back(MPI_REQUEST_NULL);
                MPI_Isend(&fresh.said, sizeof fresh.said, MPI_BYTE, peer, tag_, comm, &fresh.sends.back());
            }
        } catch (...) {  // no memory for the text
        }
    }

    /// Throws what another rank has said of a call that this rank has begun, the tag of whose newest one is `call`, or of
    /// a plan: plans have tags below those of calls. A refusal concerns only those who are in the same call, and not if
    /// they have refused it as well, see `refused`.
    [[gnu::cold]] void hear(MPI_Comm comm, int call, int refused) {
        while (auto const found = next(comm)) {
            if (found->said.sender == own_ && found->said.generation == generation_) { told_.push_back(*found); }
        }
        for (auto* i = told_.begin(); i != told_.end();) {
            if (i->said.call > call) {
                ++i;
                continue;
            }
            auto const one = *i;
            told_.erase(i);
            switch (one.said.what) {
            case distress::call_failed: throw peer_failed{one.from, one.said.text.data()};
            case distress::plan_dropped: throw operand_missing{one.from, one.said.text.data()};
            case distress::call_refused:
                if (one.said.call == call && call != refused) { pass_on(comm, one); }
                break;
            }
        }
    }

    /// Nothing that was said before concerns anybody any more. All ranks do so.
    void forget() noexcept {
        ++generation_;
        told_.clear();
    }

private:
    struct message {
        identity sender{};
        int generation = 0;
        int call = 0;
        distress what = distress::call_failed;
        std::array<char, 492> text{};
    };
    struct sending {
        message said;
        dynamic_array<MPI_Request> sends;

        [[nodiscard]] bool has_left() {
            int all = 0;
            return MPI_Testall(static_cast<int>(sends.size()), sends.data(), &all, MPI_STATUSES_IGNORE) ==
                       MPI_SUCCESS &&
                   all != 0;
        }
    };
    struct received {
        message said;
        int from = 0;
    };

    // The rank that has refused a call may wait in another one.
    [[noreturn, gnu::cold]] void pass_on(MPI_Comm comm, received const& refusal) {
        int rank = 0, size = 0;
        check("MPI_Comm_rank", MPI_Comm_rank(comm, &rank));
        check("MPI_Comm_size", MPI_Comm_size(comm, &size));
        peer_failed const follows{refusal.from, refusal.said.text.data()};
        tell_all(comm, rank, size, distress::call_failed, refusal.said.call, follows.what());
        throw follows;
    }

    [[nodiscard]] std::optional<received> next(MPI_Comm comm) const {
        int found = 0;
        MPI_Status status;
        check("MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm, &found, &status));
        if (found == 0) { return std::nullopt; }
        received result;
        result.from = status.MPI_SOURCE;
        check("MPI_Recv", MPI_Recv(&result.said, sizeof result.said, MPI_BYTE, status.MPI_SOURCE, tag_, comm,
                                   MPI_STATUS_IGNORE));
        result.said.text.back() = '\0';
        return result;
    }

    int tag_;  // above those of data and tokens
    identity own_{};
    int generation_ = 0;
    std::list<sending> sent_;       // MPI may still read them
    dynamic_array<received> told_;  // of calls to which this rank has not come yet
};

}  // namespace tutti::mpi
