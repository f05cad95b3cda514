// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tutti/combinator/reverse.hpp>
#include <tutti/combinator/then.hpp>
#include <tutti/generator.hpp>
#include <tutti/problem.hpp>
#include <tutti/schedule.hpp>

namespace tutti::generators {

/// The messages that a rank has under way at once, for generators that have this as a parameter; 0 for others.
template <class Generator>
[[nodiscard]] constexpr std::size_t ports_of(Generator const& generator) {
    if constexpr (requires { { generator.ports } -> std::convertible_to<std::size_t>; }) {
        return generator.ports;
    } else if constexpr (requires { { generator.radix } -> std::convertible_to<std::size_t>; }) {
        return generator.radix - 1;  // the other parts of a group
    } else {
        return 0;
    }
}
template <class Generator>
[[nodiscard]] constexpr std::size_t ports_of(reversed<Generator> const& all) {
    return generators::ports_of(all.generator);
}
template <class... Stages>
[[nodiscard]] constexpr std::size_t ports_of(chained<Stages...> const& all) {
    return generators::ports_of(std::get<0>(all.stages));
}

/// Any generator for `Collective`, known when a call begins, as a generator itself: a call is compiled once for all of
/// them.
template <class Collective>
class any_generator {
public:
    template <class Generator>
        requires(!std::same_as<Generator, any_generator>) && generator_for<Generator, Collective>
    any_generator(Generator generator) : held_{shared(new model<Generator>{std::move(generator)})} {}

    // Out of line, as copies of a node_map.
    [[gnu::noinline]] any_generator(any_generator const&) = default;
    [[gnu::noinline]] any_generator(any_generator&&) noexcept = default;
    [[gnu::noinline]] any_generator& operator=(any_generator const&) = default;
    [[gnu::noinline]] any_generator& operator=(any_generator&&) noexcept = default;
    [[gnu::noinline]] ~any_generator() = default;

    [[nodiscard]] facts const& stated() const { return *held_->stated; }
    [[nodiscard]] std::string name() const { return held_->name(); }
    [[nodiscard]] std::size_t ports() const { return held_->ports; }
    [[nodiscard]] std::size_t blocks(std::size_t size, std::size_t bytes) const { return held_->blocks(size, bytes); }
    [[nodiscard]] lazy_schedule schedule_of(problem const& at) const { return held_->schedule_of(at); }

    /// The generator if it is of this type, else null.
    template <class Generator>
    [[nodiscard]] Generator const* as() const {
        auto const* const held = dynamic_cast<model<Generator> const*>(held_.get());
        return held == nullptr ? nullptr : &held->generator;
    }

    /// The same schedules.
    friend bool operator==(any_generator const& a, any_generator const& b) { return a.held_->equals(*b.held_); }

private:
    struct erased {
        erased(facts const& known, std::size_t at_once) : stated{&known}, ports{at_once} {}
        virtual ~erased() = default;
        [[nodiscard]] virtual std::string name() const = 0;
        [[nodiscard]] virtual std::size_t blocks(std::size_t size, std::size_t bytes) const = 0;
        [[nodiscard]] virtual lazy_schedule schedule_of(problem const& at) const = 0;
        [[nodiscard]] virtual bool equals(erased const& other) const = 0;

        facts const* stated;
        std::size_t ports;
    };

    template <class Generator>
    struct model final : erased {
        explicit model(Generator held)
            : erased{facts_about(Collective{}, held), generators::ports_of(held)}, generator{std::move(held)} {}

        [[nodiscard, gnu::cold]] std::string name() const override { return name_of(Collective{}, generator); }
        [[nodiscard, gnu::cold]] std::size_t blocks(std::size_t size, std::size_t bytes) const override {
            return blocks_for(Collective{}, generator, size, bytes);
        }
        [[nodiscard, gnu::cold]] lazy_schedule schedule_of(problem const& at) const override {
            return schedules::lazy(generate(Collective{}, generator, at));
        }
        [[nodiscard, gnu::cold]] bool equals(erased const& other) const override {
            auto const* const same = dynamic_cast<model const*>(&other);
            if constexpr (std::equality_comparable<Generator>) {
                return same != nullptr && same->generator == generator;
            } else {
                return same == this;
            }
        }

        Generator generator;
    };

    // By way of one type for all generators: what makes a shared_ptr of each would be compiled for each.
    [[nodiscard, gnu::noinline]] static std::shared_ptr<erased const> shared(erased const* held) {
        return std::shared_ptr<erased const>{held};
    }

    std::shared_ptr<erased const> held_;
};

/// Nothing is known of the generator at compile time; `stated` has the facts of the one that is held.
template <class Collective>
constexpr facts describe(Collective, std::type_identity<any_generator<Collective>>) {
    return {.name = "any_generator", .requires_commutative = true, .identical_on_all_ranks = false,
            .one_ported = false};
}

template <class Collective>
[[nodiscard]] std::string name_of(Collective, any_generator<Collective> const& any) {
    return any.name();
}

template <class Collective>
[[nodiscard]] facts const& facts_about(Collective, any_generator<Collective> const& any) {
    return any.stated();
}

template <class Collective>
[[nodiscard]] std::size_t ports_of(any_generator<Collective> const& any) {
    return any.ports();
}

template <class Collective>
[[nodiscard]] std::size_t blocks_for(Collective, any_generator<Collective> const& any, std::size_t size,
                                     std::size_t bytes) {
    return any.blocks(size, bytes);
}

template <class Collective>
[[nodiscard]] lazy_schedule generate(Collective, any_generator<Collective> const& any, problem const& at) {
    return any.schedule_of(at);
}

}  // namespace tutti::generators
