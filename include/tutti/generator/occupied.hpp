// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include <range/v3/range/access.hpp>
#include <range/v3/range/concepts.hpp>
#include <range/v3/range/traits.hpp>
#include <range/v3/view/facade.hpp>

#include <tutti/partition.hpp>
#include <tutti/schedule.hpp>

namespace tutti {

/// Whether `blocks` hold any element: a message without elements is never sent, and never waited for.
[[nodiscard]] inline bool holds_elements(partition const& cut, block_list const& blocks) {
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](block_range range) { return cut.size(range.first, range.last) != 0; });
}

/// The steps of `Steps` whose blocks hold elements, found as they are read.
template <range_of_steps Steps>
class occupied_steps : public ranges::view_facade<occupied_steps<Steps>, ranges::finite> {
public:
    occupied_steps() = default;
    occupied_steps(partition const& cut, Steps all)
        : cut_{std::make_shared<partition const>(cut)}, all_{std::move(all)} {}

private:
    friend ranges::range_access;
    using position = ranges::iterator_t<Steps const>;

    class cursor {
    public:
        cursor() = default;
        cursor(partition const* cut, position at, position last)
            : cut_{cut}, at_{std::move(at)}, last_{std::move(last)} {
            skip();
        }

        [[nodiscard]] step read() const { return *at_; }
        [[nodiscard]] bool equal(cursor const& other) const { return at_ == other.at_; }
        void next() {
            ++at_;
            skip();
        }
        void prev()
            requires ranges::bidirectional_range<Steps const>
        {
            do { --at_; } while (!holds_elements(*cut_, (*at_).blocks));
        }

    private:
        void skip() {
            while (at_ != last_ && !holds_elements(*cut_, (*at_).blocks)) { ++at_; }
        }

        partition const* cut_ = nullptr;
        position at_{};
        position last_{};
    };

    [[nodiscard]] cursor begin_cursor() const { return {cut_.get(), ranges::begin(all_), ranges::end(all_)}; }
    [[nodiscard]] cursor end_cursor() const { return {cut_.get(), ranges::end(all_), ranges::end(all_)}; }

    std::shared_ptr<partition const> cut_;
    Steps all_;
};

/// `all` without the steps whose blocks hold no element. Both ends of a message name the same blocks, so both
/// leave it out. The number of rounds stays.
template <range_of_steps Steps>
[[nodiscard]] auto occupied(partition const& cut, schedule<Steps> all) {
    auto const rounds = all.rounds();
    return schedule{rounds, occupied_steps<schedule<Steps>>{cut, std::move(all)}};
}

}  // namespace tutti
