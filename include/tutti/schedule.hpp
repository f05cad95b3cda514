// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tutti/dynamic_array.hpp>

namespace tutti::schedules {

/// A vector that steps read and write, by name: the executor decides where it lies.
class buffer {
public:
    constexpr buffer() = default;

    static constexpr buffer input() { return buffer{0}; }   ///< the caller's data, never written
    static constexpr buffer result() { return buffer{1}; }  ///< starts as a copy of the input
    static constexpr buffer prefix() { return buffer{2}; }  ///< starts empty
    static constexpr buffer scratch(std::uint32_t which) { return buffer{3 + which}; }  ///< starts empty

    [[nodiscard]] constexpr std::uint32_t index() const { return index_; }
    [[nodiscard]] std::string name() const {
        static constexpr char const* names[] = {"input", "result", "prefix"};
        return index_ < 3 ? names[index_] : "scratch" + std::to_string(index_ - 3);
    }

    friend constexpr bool operator==(buffer, buffer) = default;

private:
    explicit constexpr buffer(std::uint32_t index) : index_{index} {}
    std::uint32_t index_ = 1;
};

/// Half-open range of blocks [first, last).
struct block_range {
    std::size_t first = 0;
    std::size_t last = 0;
    friend bool operator==(block_range const&, block_range const&) = default;
};

/// The blocks of one step, in the order in which they lie in the message. Nearly every step names one
/// range; a cyclic interval that wraps names two; longer lists go to the heap.
class block_list {
public:
    using relocates_as_bytes = void;

    block_list() = default;
    // Steps are copied in many places, never on a hot path: out of line, each copy is a call.
    [[gnu::noinline]] block_list(block_list const&) = default;
    [[gnu::noinline]] block_list(block_list&&) noexcept = default;
    [[gnu::noinline]] block_list& operator=(block_list const&) = default;
    [[gnu::noinline]] block_list& operator=(block_list&&) noexcept = default;
    ~block_list() = default;
    block_list(std::size_t block) : block_list{block_range{block, block + 1}} {}
    block_list(block_range range) {
        if (range.first != range.last) {
            few_[0] = range;
            count_ = 1;
        }
    }

    /// `count` blocks from `first` on, modulo `total`.
    static block_list cyclic(std::size_t first, std::size_t count, std::size_t total) {
        if (first + count <= total) { return block_range{first, first + count}; }
        block_list result{block_range{first, total}};
        result.append({0, first + count - total});
        return result;
    }

    [[gnu::noinline]] void append(block_range range) {
        if (range.first == range.last) { return; }
        if (count_ < inside) {
            few_[count_] = range;
        } else {
            if (count_ == inside) { many_.assign(few_, few_ + inside); }
            many_.push_back(range);
        }
        ++count_;
    }

    [[nodiscard]] block_range const* begin() const { return many_.empty() ? few_ : many_.data(); }
    [[nodiscard]] block_range const* end() const { return begin() + count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] std::size_t ranges() const { return count_; }

    friend bool operator==(block_list const& a, block_list const& b) {
        return a.count_ == b.count_ && std::equal(a.begin(), a.end(), b.begin());
    }

private:
    static constexpr std::size_t inside = 2;

    block_range few_[inside] = {};
    dynamic_array<block_range> many_;
    std::size_t count_ = 0;
};

enum class action : std::uint8_t { send, receive, receive_combine, combine, copy };

/// On which side the incoming (or source) operand stands: left means buffer = incoming ⊕ buffer.
enum class side : std::uint8_t { left, right };

[[nodiscard]] constexpr std::string_view name(action what) {
    constexpr std::string_view names[] = {"send", "receive", "receive_combine", "combine", "copy"};
    return names[static_cast<std::size_t>(what)];
}

[[nodiscard]] constexpr std::string_view name(side where) { return where == side::left ? "left" : "right"; }

/// One action of one rank. Both ends of a message have the same round, and the rounds of a schedule never decrease.
/// Rounds order the steps of an algorithm; they are no barriers.
struct step {
    using relocates_as_bytes = void;

    action what = action::send;
    side operand = side::right;   ///< receive_combine, combine
    buffer target;                ///< sent from, or received, combined or copied into
    buffer source;                ///< combine, copy
    std::size_t peer = 0;         ///< send, receive, receive_combine: a rank
    std::size_t round = 0;
    block_list blocks;

    [[gnu::noinline]] static step send(std::size_t round, std::size_t peer, buffer from, block_list blocks) {
        return {action::send, side::right, from, {}, peer, round, std::move(blocks)};
    }
    [[gnu::noinline]] static step receive(std::size_t round, std::size_t peer, buffer into, block_list blocks) {
        return {action::receive, side::right, into, {}, peer, round, std::move(blocks)};
    }
    [[gnu::noinline]] static step receive_combine(std::size_t round, std::size_t peer, buffer into, block_list blocks,
                                                  side operand) {
        return {action::receive_combine, operand, into, {}, peer, round, std::move(blocks)};
    }
    [[gnu::noinline]] static step combine(std::size_t round, buffer source, buffer into, block_list blocks,
                                          side operand) {
        return {action::combine, operand, into, source, 0, round, std::move(blocks)};
    }
    [[gnu::noinline]] static step copy(std::size_t round, buffer source, buffer into, block_list blocks) {
        return {action::copy, side::right, into, source, 0, round, std::move(blocks)};
    }

    [[nodiscard]] bool communicates() const { return what != action::combine && what != action::copy; }
    [[nodiscard]] bool receives() const { return what == action::receive || what == action::receive_combine; }
    [[nodiscard]] bool combines() const { return what == action::receive_combine || what == action::combine; }

    friend bool operator==(step const&, step const&) = default;
};

/// How far sends run ahead: before a rank posts its n-th send, its (n - send_window)-th has ended. Generators may
/// count on no more, the verifier allows no more, and the executor gives no less.
inline constexpr std::size_t send_window = 64;

template <class Range>
concept range_of_steps =
    std::ranges::forward_range<Range> && std::same_as<std::ranges::range_value_t<Range>, step>;

/// The steps of one rank, in program order: a lazy range, and the number of rounds that all ranks together take. Steps
/// without blocks are not part of a schedule.
template <range_of_steps Steps>
class schedule {
public:
    schedule() = default;
    schedule(std::size_t rounds, Steps steps) : rounds_{rounds}, steps_{std::move(steps)} {}

    [[nodiscard]] std::size_t rounds() const { return rounds_; }
    [[nodiscard]] Steps const& steps() const { return steps_; }
    [[nodiscard]] bool empty() const { return begin() == end(); }
    [[nodiscard]] auto begin() const { return std::ranges::begin(steps_); }
    [[nodiscard]] auto end() const { return std::ranges::end(steps_); }

private:
    std::size_t rounds_ = 0;
    Steps steps_;
};

/// The steps at(0), at(1), ..., at(places - 1) that have blocks, each computed when it is reached. Of one type whatever
/// computes them: what reads schedules, or makes others of them, is compiled once and not once for each generator.
class lazy_steps {
public:
    lazy_steps() = default;
    [[gnu::noinline]] lazy_steps(lazy_steps const&) = default;
    lazy_steps(lazy_steps&&) noexcept = default;
    [[gnu::noinline]] lazy_steps& operator=(lazy_steps const&) = default;
    [[gnu::noinline]] lazy_steps& operator=(lazy_steps&&) noexcept = default;
    [[gnu::noinline]] ~lazy_steps() = default;

    /// `at` is a function object of any type.
    template <class At>
    lazy_steps(std::size_t places, At at) : places_{places}, at_{computed(new held<At>{std::move(at)})} {}

    /// How many places for steps there are. What is at one of them is no step if it has no blocks.
    [[nodiscard]] std::size_t places() const { return places_; }
    [[nodiscard]] step at(std::size_t place) const { return at_->at(place); }

    /// Knows the step at its place.
    class iterator {
    public:
        using relocates_as_bytes = void;
        using value_type = step;
        using reference = step;
        using pointer = step const*;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::bidirectional_iterator_tag;

        iterator() = default;
        iterator(lazy_steps const& all, std::size_t place) : all_{&all}, place_{place} { skip(); }

        [[nodiscard]] step operator*() const { return now_; }
        [[nodiscard]] step const* operator->() const { return &now_; }
        iterator& operator++() {
            ++place_;
            skip();
            return *this;
        }
        iterator operator++(int) {
            auto const before = *this;
            ++*this;
            return before;
        }
        iterator& operator--() {
            do { now_ = all_->at(--place_); } while (now_.blocks.empty());
            return *this;
        }
        iterator operator--(int) {
            auto const after = *this;
            --*this;
            return after;
        }

        friend bool operator==(iterator const& a, iterator const& b) { return a.place_ == b.place_; }

    private:
        [[gnu::noinline]] void skip() {
            for (; place_ != all_->places_; ++place_) {
                now_ = all_->at(place_);
                if (!now_.blocks.empty()) { return; }
            }
        }

        lazy_steps const* all_ = nullptr;
        std::size_t place_ = 0;
        step now_;
    };

    [[nodiscard]] iterator begin() const { return {*this, 0}; }
    [[nodiscard]] iterator end() const { return {*this, places_}; }

private:
    struct computation {
        virtual ~computation() = default;
        [[nodiscard]] virtual step at(std::size_t place) const = 0;
    };
    template <class At>
    struct held final : computation {
        explicit held(At function) : compute{std::move(function)} {}
        [[nodiscard]] step at(std::size_t place) const override { return compute(place); }
        At compute;
    };
    // Shared as the base: what counts users would be compiled for each function.
    using shared = std::shared_ptr<computation const>;
    [[nodiscard, gnu::noinline]] static shared computed(computation const* at) { return shared{at}; }

    std::size_t places_ = 0;
    shared at_;
};

using lazy_schedule = schedule<lazy_steps>;

/// The schedule whose i-th step is `at(i)`, i = 0 .. count - 1.
template <class At>
[[nodiscard, gnu::cold]] lazy_schedule indexed_schedule(std::size_t rounds, std::size_t count, At at) {
    return {rounds, {count, std::move(at)}};
}

/// The steps of a schedule, all computed.
template <range_of_steps Steps>
[[nodiscard, gnu::cold]] dynamic_array<step> all_steps(Steps const& steps) {
    dynamic_array<step> all;
    for (step const& each : steps) { all.push_back(each); }
    return all;
}
[[nodiscard, gnu::cold]] inline dynamic_array<step> all_steps(lazy_schedule const& schedule) {
    auto const& steps = schedule.steps();
    dynamic_array<step> all;
    all.reserve(std::min<std::size_t>(steps.places(), 4096));
    for (std::size_t place = 0; place != steps.places(); ++place) {
        auto now = steps.at(place);  // moved on, since there may be thousands
        if (!now.blocks.empty()) { all.push_back(std::move(now)); }
    }
    return all;
}

/// The schedule of steps that a rank had to compute all at once.
[[nodiscard, gnu::cold]] inline lazy_schedule stored_schedule(std::size_t rounds, dynamic_array<step> steps) {
    auto const count = steps.size();
    return indexed_schedule(rounds, count, [all = std::move(steps)](std::size_t i) { return all[i]; });
}
template <range_of_steps Steps>
[[nodiscard, gnu::cold]] lazy_schedule stored_schedule(std::size_t rounds, Steps const& steps) {
    return schedules::stored_schedule(rounds, schedules::all_steps(steps));
}

/// The same schedule with all steps computed.
template <range_of_steps Steps>
[[nodiscard]] lazy_schedule stored(schedule<Steps> const& any) {
    return schedules::stored_schedule(any.rounds(), any.steps());
}

/// The same schedule as a type of its own computes it, or with all steps computed.
template <range_of_steps Steps>
[[nodiscard]] lazy_schedule lazy(schedule<Steps> any) {
    if constexpr (std::same_as<Steps, lazy_steps>) {
        return any;
    } else {
        return schedules::stored(any);
    }
}

/// `change` of every step. What it leaves without blocks is not part of the schedule.
template <class Change>
[[nodiscard, gnu::cold]] lazy_schedule each_changed(lazy_schedule const& all, Change change) {
    return schedules::indexed_schedule(all.rounds(), all.steps().places(),
                                       [steps = all.steps(), change = std::move(change)](std::size_t place) {
                                           auto now = steps.at(place);
                                           return now.blocks.empty() ? now : change(std::move(now));
                                       });
}

/// The steps of a schedule, last first.
[[nodiscard]] inline lazy_schedule backwards(lazy_schedule const& all) {
    return schedules::indexed_schedule(all.rounds(), all.steps().places(), [steps = all.steps()](std::size_t place) {
        return steps.at(steps.places() - 1 - place);
    });
}

}  // namespace tutti::schedules

template <>
inline constexpr bool tutti::container::relocates_as_bytes<tutti::schedules::lazy_schedule> = true;

namespace tutti {
using schedules::buffer;
using schedules::side;
using schedules::step;

// These rooms read and write schedules, and name what they are made of without its namespace.
namespace analysis {
using namespace schedules;
}
namespace engine {
using namespace schedules;
}
namespace generators {
using namespace schedules;
}
namespace selection {
using namespace schedules;
}
}  // namespace tutti
