// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include <tutti/communicator/call.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::control {

/// The newest calls of this rank in which it exchanged nothing with some ranks for want of elements. If these had some,
/// a message has come that no receive waits for, or will come: it is looked for later, since ranks that all have 0
/// elements exchange nothing.
class empty_calls {
public:
    static constexpr int any_tag = -1;

    void add(int tag, call const& entered) {
        entry fresh{.tag = tag, .entered = entered};
        fresh.entered.counts = {};  // which do not last
        if (all_.size() < most) {
            all_.push_back(fresh);
        } else {
            all_[next_++ % most] = fresh;
        }
        last_added_ = later_calls_;
    }

    [[nodiscard]] bool empty() const { return all_.empty(); }
    void clear() {
        all_.clear();
        later_calls_ = 0;
    }

    [[nodiscard]] bool includes(int tag) const {
        return std::any_of(all_.begin(), all_.end(), [&](entry const& each) { return each.tag == tag; });
    }

    /// Throws if a message has come to one of these calls: `sender_of(tag)` is its rank, or negative.
    template <class SenderOf>
    void look(int self, SenderOf sender_of) const {
        for (auto const& each : all_) {
            auto const peer = sender_of(each.tag);
            if (peer < 0) { continue; }
            throw mismatched_calls{text::joined({text_of(each.entered, true), " on rank ", self,
                                           ", an earlier call, had 0 elements to exchange with rank ", peer,
                                           ", which has sent some; give every rank the same number of elements"})};
        }
    }

    /// As `look`, at the end of a call that has elements. A look takes longer than a short call, and a sender may be
    /// late: one after 1, 2, 4, ..., 64, 128, 192, ... of these, until 64 have passed since the last of these calls.
    template <class SenderOf>
    void end_call(int self, SenderOf sender_of) {
        ++later_calls_;
        if (later_calls_ % most != 0 && !std::has_single_bit(later_calls_)) { return; }
        // mostly no message at all has come, which is one question for all calls
        if (sender_of(any_tag) >= 0) { look(self, sender_of); }
        if (later_calls_ - last_added_ >= most) { clear(); }
    }

private:
    static constexpr std::size_t most = 64;

    struct entry {
        int tag;
        call entered;
    };

    dynamic_array<entry> all_;
    std::size_t next_ = 0;
    std::size_t later_calls_ = 0;  // that had elements, since there was an entry
    std::size_t last_added_ = 0;   // later_calls_ then
};

}  // namespace tutti::control
