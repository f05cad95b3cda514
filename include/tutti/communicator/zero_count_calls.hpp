// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

#include <tutti/communicator/call.hpp>
#include <tutti/dynamic_array.hpp>
#include <tutti/error.hpp>
#include <tutti/text.hpp>

namespace tutti::control {

/// A message that has arrived, and for which no receive is posted.
struct unmatched_message {
    int from = -1;  ///< negative: there is none
    int tag = 0;
};

/// Whether a tag is among those sought; none of them are any.
[[nodiscard]] inline bool is_sought(std::span<int const> tags, int tag) {
    return tags.empty() || std::find(tags.begin(), tags.end(), tag) != tags.end();
}

/// The newest calls of this rank in which it had 0 elements to exchange with some ranks, so that it exchanged no
/// messages with them. If these had elements, their messages stay unmatched: later calls look for such.
class zero_count_calls {
public:
    void add(int tag, call const& entered) {
        auto fresh = entered;
        fresh.counts = {};  // which do not last
        if (all_.size() < most) {
            all_.push_back(fresh);
            tags_.push_back(tag);
        } else {
            all_[next_ % most] = fresh;
            tags_[next_++ % most] = tag;
        }
        last_added_ = later_calls_;
    }

    [[nodiscard]] bool empty() const { return all_.empty(); }
    void clear() {
        all_.clear();
        tags_.clear();
        later_calls_ = 0;
    }

    [[nodiscard]] bool includes(int tag) const { return !empty() && is_sought(tags_, tag); }

    /// Throws if there is an unmatched message of one of these calls, unless `excluded(tag)`; `find(tags)` returns the
    /// first unmatched message with one of these tags.
    template <class Find, class Excluded>
    void look(int self, Find find, Excluded excluded) const {
        dynamic_array<int> sought;
        for (int const tag : tags_) {
            if (!excluded(tag)) { sought.push_back(tag); }
        }
        look_for(sought, self, find);
    }
    /// As `look`, at the end of a call that has elements. To look takes longer than a short call, and a sender may be
    /// late: it looks after 1, 2, 4, ..., 64, 128, 192, ... calls, until 64 have passed since the last call without
    /// elements.
    template <class Find>
    void end_call(int self, Find find) {
        ++later_calls_;
        if (later_calls_ % most != 0 && !std::has_single_bit(later_calls_)) { return; }
        look_for(tags_, self, find);
        if (later_calls_ - last_added_ >= most) { clear(); }
    }

private:
    template <class Find>
    [[gnu::cold]] void look_for(std::span<int const> tags, int self, Find find) const {
        if (tags.empty()) { return; }
        unmatched_message const found = find(tags);
        if (found.from < 0) { return; }
        auto const of = static_cast<std::size_t>(std::find(tags_.begin(), tags_.end(), found.tag) - tags_.begin());
        throw mismatched_calls{text::joined({text_of(all_[of], true), " on rank ", self,
                                             ", an earlier call, had 0 elements to exchange with rank ", found.from,
                                             ", which has sent some; give every rank the same number of elements"})};
    }

    static constexpr std::size_t most = 64;

    dynamic_array<call> all_;
    dynamic_array<int> tags_;  // of each
    std::size_t next_ = 0;
    std::size_t later_calls_ = 0;  // that had elements, since there was an entry
    std::size_t last_added_ = 0;   // later_calls_ then
};

}  // namespace tutti::control
