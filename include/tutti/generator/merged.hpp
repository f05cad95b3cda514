// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include <range/v3/range/access.hpp>
#include <range/v3/range/traits.hpp>
#include <range/v3/view/facade.hpp>

#include <tutti/schedule.hpp>

namespace tutti {

/// The steps that one rank takes in several schedules, each begun in a round of its own, in the order of
/// rounds; in the same round those of earlier schedules come first. Both ends of a message sort it alike, so
/// messages between two ranks keep their order.
template <range_of_steps... Schedules>
class merged_steps : public ranges::view_facade<merged_steps<Schedules...>, ranges::finite> {
    static constexpr std::size_t count = sizeof...(Schedules);
    using indices = std::index_sequence_for<Schedules...>;
    using starting_rounds = std::array<std::size_t, count>;
    using positions = std::tuple<ranges::iterator_t<Schedules const>...>;
    using ends = std::tuple<ranges::sentinel_t<Schedules const>...>;

public:
    merged_steps() = default;
    merged_steps(std::tuple<Schedules...> schedules, starting_rounds starts)
        : schedules_{std::move(schedules)}, starts_{starts} {}

private:
    friend ranges::range_access;

    class cursor {
    public:
        cursor() = default;
        cursor(positions at, ends last, starting_rounds starts)
            : at_{std::move(at)}, last_{std::move(last)}, starts_{starts} {
            choose(indices{});
        }

        [[nodiscard]] step read() const { return now_; }
        [[nodiscard]] bool equal(cursor const& other) const { return at_ == other.at_; }
        [[nodiscard]] bool equal(ranges::default_sentinel_t) const { return chosen_ == count; }
        void next() {
            advance(indices{});
            choose(indices{});
        }

    private:
        template <std::size_t... I>
        void advance(std::index_sequence<I...>) {
            ((I == chosen_ ? static_cast<void>(++std::get<I>(at_)) : static_cast<void>(0)), ...);
        }

        template <std::size_t... I>
        void choose(std::index_sequence<I...>) {
            chosen_ = count;
            (consider<I>(), ...);
        }

        template <std::size_t I>
        void consider() {
            if (std::get<I>(at_) == std::get<I>(last_)) { return; }
            step candidate = *std::get<I>(at_);
            candidate.round += starts_[I];
            if (chosen_ != count && candidate.round >= now_.round) { return; }
            now_ = std::move(candidate);
            chosen_ = I;
        }

        positions at_{};
        ends last_{};
        starting_rounds starts_{};
        std::size_t chosen_ = count;
        step now_;
    };

    [[nodiscard]] cursor begin_cursor() const {
        return std::apply(
            [&](auto const&... each) {
                return cursor{positions{ranges::begin(each)...}, ends{ranges::end(each)...}, starts_};
            },
            schedules_);
    }
    [[nodiscard]] ranges::default_sentinel_t end_cursor() const { return {}; }

    std::tuple<Schedules...> schedules_;
    starting_rounds starts_{};
};

}  // namespace tutti
