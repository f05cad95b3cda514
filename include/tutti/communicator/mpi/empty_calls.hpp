// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include <tutti/communicator/mpi/declarations.hpp>

#include <tutti/communicator/attachments.hpp>
#include <tutti/communicator/call_text.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>

namespace tutti::mpi {

/// The newest calls of this rank in which it exchanged nothing with some ranks for want of elements. If these had some,
/// a message has come that no receive waits for, or will come: it is looked for later, since ranks that all have 0
/// elements exchange nothing.
class empty_calls {
public:
    void add(int tag, call const& entered) {
        entry fresh{.tag = tag, .entered = entered};
        fresh.entered.counts = {};  // which do not last
        auto* const same = std::find_if(all_.begin(), all_.end(), [&](entry const& each) { return each.tag == tag; });
        if (same != all_.end()) {
            *same = fresh;  // a plan runs again
        } else if (all_.size() < most) {
            all_.push_back(fresh);
        } else {
            all_[next_++ % most] = fresh;
        }
    }

    [[nodiscard]] bool empty() const { return all_.empty(); }
    void clear() { all_.clear(); }

    [[nodiscard]] bool includes(int tag) const {
        return std::any_of(all_.begin(), all_.end(), [&](entry const& each) { return each.tag == tag; });
    }

    /// Throws if a message has come to one of these calls: `sender_of(tag)` is its rank, or MPI_PROC_NULL.
    template <class SenderOf>
    void look(int self, SenderOf sender_of) const {
        for (auto const& each : all_) { require_none(self, each, sender_of(each.tag)); }
    }

    /// As `look`, at the end of the call `tag`, which has elements: after 1, 2, 4, ... of these, since a sender may be
    /// late, and not for ever.
    template <class SenderOf>
    void end_call(int self, int tag, SenderOf sender_of) {
        for (auto& each : all_) {
            if (each.tag == tag) { continue; }
            if (std::has_single_bit(++each.later_calls)) { require_none(self, each, sender_of(each.tag)); }
        }
        all_.erase_if([](entry const& each) { return each.later_calls == longest; });
    }

private:
    static constexpr std::size_t most = 64;
    static constexpr unsigned longest = 64;

    struct entry {
        int tag;
        unsigned later_calls = 0;
        call entered;
    };

    static void require_none(int self, entry const& mine, int peer) {
        if (peer == MPI_PROC_NULL) { return; }
        throw mismatched_calls{joined({text_of(mine.entered, true), " on rank ", self,
                                       ", an earlier call, had 0 elements ", "to exchange with rank ", peer,
                                       ", which has sent some; give every rank the same ", "number of elements"})};
    }

    dynamic_array<entry> all_;
    std::size_t next_ = 0;
};

}  // namespace tutti::mpi
