// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <tutti/dynamic_array.hpp>
#include <tutti/schedule.hpp>

namespace tutti::generators {

/// The groups that become one, as one of their ranks sees them. All but the last one have `width` ranks.
struct merging_groups {
    std::size_t first;  ///< rank of the first group
    std::size_t last;   ///< one more than the last rank of the last group
    std::size_t width;
    std::size_t own;    ///< number of the rank's group
    std::size_t place;  ///< of the rank in its group
    std::size_t served;  ///< ranks of each other group that receive from the last one; they relay to the others

    /// `to_all`: whether all groups receive from the last one, though it is not complete.
    merging_groups(std::size_t rank, std::size_t size, std::size_t width_of_each, std::size_t factor, bool to_all)
        : first{rank / (width_of_each * factor) * (width_of_each * factor)},
          last{std::min(first + width_of_each * factor, size)},
          width{width_of_each},
          own{(rank - first) / width},
          place{(rank - first) % width},
          served{width} {
        auto const senders = size_of(count() - 1);
        if (!to_all || count() <= 2 || 2 * senders >= width) { return; }
        std::size_t each = 1;
        while (each * each * senders < width) { ++each; }
        served = each * senders;
    }

    [[nodiscard]] std::size_t count() const { return (last - first - 1) / width + 1; }
    [[nodiscard]] std::size_t begin(std::size_t group) const { return first + group * width; }
    [[nodiscard]] std::size_t end(std::size_t group) const { return std::min(begin(group + 1), last); }
    [[nodiscard]] std::size_t size_of(std::size_t group) const { return end(group) - begin(group); }

    /// The rank from which this one receives what another group has.
    [[nodiscard]] std::size_t sender(std::size_t group) const {
        bool const is_relayed = group + 1 == count() && place >= served;
        return is_relayed ? begin(own) + place % served : begin(group) + place % size_of(group);
    }
    /// Whether the rank sends others of its group what the last group has.
    [[nodiscard]] bool is_relay() const { return served < width && own + 1 != count() && place < served; }

    /// Calls `use(rank)` for the ranks of later groups that receive from this one; below, of earlier and of its own.
    template <class Use>
    void for_later(Use use) const {
        for (auto group = own + 1; group < count(); ++group) {
            if (place < size_of(group)) { use(begin(group) + place); }
        }
    }
    template <class Use>
    void for_earlier(Use use) const {
        for (std::size_t group = 0; group < own; ++group) {
            for (auto to = place; to < (own + 1 == count() ? served : width); to += size_of(own)) {
                use(begin(group) + to);
            }
        }
    }
    template <class Use>
    void for_relayed(Use use) const {
        if (!is_relay()) { return; }
        for (auto to = place + served; to < width; to += served) { use(begin(own) + to); }
    }

    /// Groups [first, last) whose canonical tree is the sibling of one that contains the rank's own group.
    struct sibling {
        std::size_t first;
        std::size_t last;
        side operand;
    };
    /// Calls `use(sibling)` for all of them, from the rank's own group up.
    template <class Use>
    void for_siblings(Use use) const {
        for (std::size_t level = 0; own >> level != 0 || std::size_t{1} << level < count(); ++level) {
            auto const from = ((own >> level) ^ 1) << level;
            if (from >= count()) { continue; }
            use(sibling{from, std::min(from + (std::size_t{1} << level), count()),
                        from < own ? side::left : side::right});
        }
    }
};

/// The steps by which one rank gets what other groups have and combines it by the canonical tree.
///
/// A single message is combined as it arrives. Several are received into scratch from `spare` on, and combined when all
/// receives are posted: a combine that waits for the rank's own sends does not delay the sends of others.
class canonical_arrivals {
public:
    using sibling = merging_groups::sibling;

    /// Receives what the siblings have for which `wanted(operand)` is true, from `peer_of(group)`.
    template <class Wanted, class PeerOf>
    canonical_arrivals(dynamic_array<step>& steps, std::size_t round, block_list const& whole, std::uint32_t spare,
                       merging_groups const& all, Wanted wanted, PeerOf peer_of)
        : steps_{steps}, round_{round}, whole_{whole}, spare_{spare} {
        std::size_t messages = 0;
        all.for_siblings([&](sibling const& each) {
            if (!wanted(each.operand)) { return; }
            siblings_.push_back(each);
            messages += each.last - each.first;
            peer_ = peer_of(each.first);
        });
        is_one_ = messages == 1;  // a relay gets several
        if (is_one_) { return; }
        for (auto const& each : siblings_) {
            for (auto group = each.first; group != each.last; ++group) {
                steps_.push_back(step::receive(round_, peer_of(group), held(group), whole_));
            }
        }
        all.for_relayed(
            [&](std::size_t to) { steps_.push_back(step::send(round_, to, held(all.count() - 1), whole_)); });
    }

    [[nodiscard]] dynamic_array<sibling> const& siblings() const { return siblings_; }

    /// Combines it with what `into` holds.
    void combine(sibling const& each, buffer into) const {
        if (is_one_) {
            steps_.push_back(step::receive_combine(round_, peer_, into, whole_, each.operand));
        } else {
            gather(each.first, each.last);
            steps_.push_back(step::combine(round_, held(each.first), into, whole_, each.operand));
        }
    }

    /// The buffer that gets what the sibling has: `empty` if possible.
    [[nodiscard]] buffer get(sibling const& each, buffer empty) const {
        if (is_one_) {
            steps_.push_back(step::receive(round_, peer_, empty, whole_));
            return empty;
        }
        gather(each.first, each.last);
        return held(each.first);
    }

    /// An unused buffer.
    [[nodiscard]] buffer apart() const { return buffer::scratch(spare_); }

private:
    [[nodiscard]] buffer held(std::size_t group) const {
        return buffer::scratch(spare_ + static_cast<std::uint32_t>(group));
    }

    void gather(std::size_t first, std::size_t last) const {
        if (last - first == 1) { return; }
        auto const middle = first + std::bit_floor(last - first - 1);
        gather(first, middle);
        gather(middle, last);
        steps_.push_back(step::combine(round_, held(middle), held(first), whole_, side::right));
    }

    dynamic_array<step>& steps_;
    std::size_t round_;
    block_list const& whole_;
    std::uint32_t spare_;
    dynamic_array<sibling> siblings_;
    std::size_t peer_ = 0;
    bool is_one_;
};

}  // namespace tutti::generators
