// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/collective/invocation.hpp>
#include <tutti/collective/placement.hpp>
#include <tutti/execution.hpp>
#include <tutti/execution/compile.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/operation.hpp>
#include <tutti/ownership.hpp>
#include <tutti/selection/algorithm.hpp>
#include <tutti/type_name.hpp>

namespace tutti {

/// The cut of the vector into about as many blocks as an algorithm wants: every rank's part into as many as the
/// others'.
template <class Invocation>
[[nodiscard]] partition cut_for(Invocation const& what, std::size_t wanted) {
    auto const most = std::max<std::size_t>(what.elements, 1);
    if constexpr (ownership::divides<typename Invocation::collective_type>) {
        auto const size = static_cast<std::size_t>(what.world.size());
        auto const pieces = std::clamp<std::size_t>(wanted / size, 1, most);
        return what.counts.empty() ? partition::equal(what.elements, size * pieces)
                                   : ownership::cut(what.counts, pieces);
    } else {
        return partition::equal(what.elements, std::clamp<std::size_t>(wanted, 1, most));
    }
}

template <class Invocation>
[[nodiscard]] situation situation_of(Invocation const& what) {
    using T = typename Invocation::element_type;
    using C = typename Invocation::communicator_type;
    auto const bytes = lends_objects<C> || travels_as_bytes<T> ? what.elements * sizeof(T) : 0;
    auto const longest = what.counts.empty() || bytes == 0 ? 0 : *std::ranges::max_element(what.counts) * sizeof(T);
    situation result{static_cast<std::size_t>(what.world.size()), bytes, longest};
    auto& attached = what.world.attached();
    auto const& machine = attached.template get<machine_model>();
    if constexpr (tells_nodes<C>) { result.nodes = what.world.nodes(); }
    result.memory_is_lent = lends_objects<C>;
    result.adopt(machine, Invocation::collective_type::name);
    if constexpr (collective::combines<typename Invocation::collective_type>) {
        using unwrapped = std::unwrap_reference_t<std::remove_cv_t<typename Invocation::operator_type>>;
        result.combine_per_byte = combine_cost<std::remove_cvref_t<unwrapped>, T>(machine);
    }
    return result;
}

/// Whether the algorithm is still to be chosen when the call begins.
template <class Invocation>
inline constexpr bool is_undecided =
    decides_at_call<std::remove_cvref_t<decltype(std::declval<Invocation&>().algorithm)>,
                    typename Invocation::collective_type>;

/// The same call with the algorithm that is right for it now.
template <class Invocation>
    requires is_undecided<Invocation>
[[nodiscard]] auto decided(Invocation& what) {
    using collective_type = typename Invocation::collective_type;
    using T = typename Invocation::element_type;
    using Operator = decltype(Invocation::op);
    constexpr bool commutes = is_commutative_v<typename Invocation::operator_type, T>;
    auto chosen = what.algorithm.template decide<commutes>(collective_type{}, situation_of(what));
    return invocation<collective_type, typename Invocation::communicator_type, T, Operator, decltype(chosen)>{
        what.world, what.input, what.output, what.elements, what.root, std::forward<Operator>(what.op),
        std::move(chosen), what.second_output, std::move(what.counts)};
}

/// Calls `use(generator, blocks, why, situation)` with how an algorithm is going to perform an invocation.
template <class Invocation, class Use>
auto with_schedule(Invocation const& what, Use&& use) {
    using collective_type = typename Invocation::collective_type;
    using T = typename Invocation::element_type;
    auto const now = situation_of(what);
    return with_algorithm<collective_type, typename Invocation::operator_type, T>(
        collective_type{}, what.algorithm, now, [&](auto const& generator, std::string_view why) {
            return use(generator, cut_for(what, blocks_for(collective_type{}, generator, now.size, now.bytes)), why,
                       now);
        });
}

/// Elements. What waits in scratch to be combined should stay in a processor's cache; the rest goes where it belongs.
template <class Collective, class T>
[[nodiscard]] std::size_t longest_message(situation const& now) {
    constexpr std::size_t combined = 512 * 1024;
    auto bytes = whole_bytes(now.longest_message);
    if (collective::combines<Collective>) { bytes = std::min(bytes, combined); }
    return std::max<std::size_t>(bytes / sizeof(T), 1);
}

/// The program of this rank.
template <class Invocation>
[[nodiscard]] program program_of(Invocation const& what) {
    if (what.elements == 0) { return {}; }
    using collective_type = typename Invocation::collective_type;
    using T = typename Invocation::element_type;
    return with_schedule(what, [&](auto const& generator, partition const& blocks, std::string_view,
                                   [[maybe_unused]] situation const& now) {
        problem const at{static_cast<std::size_t>(what.world.rank()), static_cast<std::size_t>(what.world.size()),
                         static_cast<std::size_t>(what.root), blocks};
        auto where = place_of(collective_type{}, participant{at, what.in_place()});
        where.fills_prefix = has_identity_v<typename Invocation::operator_type, T>;
        where.block_by_block = !travels_as_bytes<T>;
        if constexpr (travels_as_bytes<T>) {
            where.longest_message = longest_message<collective_type, T>(now);
            if (facts_about(collective_type{}, generator).in_step) {
                where.may_overtake = now.bytes_per_latency() / sizeof(T);
            }
        }
        return compiler{blocks, where}(generate(collective_type{}, generator, at));
    });
}

/// Tells the communicator which collective this rank enters, where it wants to know.
template <class Invocation>
void announce(Invocation const& what) {
    using collective_type = typename Invocation::collective_type;
    if constexpr (compares_calls<typename Invocation::communicator_type>) {
        static constexpr auto algorithm = type_name<decltype(what.algorithm)>();
        static constexpr auto element = type_name<typename Invocation::element_type>();
        call entered{collective_type::name, algorithm, element, what.elements, std::nullopt, what.counts};
        if constexpr (collective::is_rooted<collective_type>) { entered.root = what.root; }
        what.world.enter(entered);
    }
}

/// The last few programs of one kind of call on one communicator, ready to run again.
template <class Invocation>
class recent_executions {
    using algorithm_type = std::remove_cvref_t<decltype(std::declval<Invocation&>().algorithm)>;
    using executor_type = executor<typename Invocation::communicator_type, typename Invocation::element_type,
                                     typename Invocation::operator_type>;

public:
    executor_type& find_or_make(Invocation const& what) {
        if (!kept_.empty() && kept_.front().fits(what)) { return *kept_.front().ready; }
        auto const found = std::find_if(kept_.begin(), kept_.end(), [&](auto const& e) { return e.fits(what); });
        if (found == kept_.end()) {
            auto fresh = std::make_unique<executor_type>(what.world, blocking_tag, program_of(what));
            if (kept_.size() == most) { kept_.pop_back(); }
            kept_.insert(kept_.begin(), entry{what.world.attached().edition(), what.elements, what.root,
                                              what.in_place(), what.algorithm,
                                              {what.counts.begin(), what.counts.end()}, std::move(fresh)});
        } else {
            std::rotate(kept_.begin(), found, found + 1);
        }
        return *kept_.front().ready;
    }

private:
    // Blocking calls follow one another on every rank, so that one tag serves them all.
    static constexpr int blocking_tag = 0;
    static constexpr std::size_t most = 8;

    struct entry {
        std::size_t edition;
        std::size_t elements;
        int root;
        bool in_place;
        algorithm_type algorithm;
        std::vector<std::size_t> counts;
        std::unique_ptr<executor_type> ready;

        [[nodiscard]] bool fits(Invocation const& what) const {
            return edition == what.world.attached().edition() && elements == what.elements && root == what.root &&
                   in_place == what.in_place() && !ready->running() && algorithm == what.algorithm &&
                   std::equal(counts.begin(), counts.end(), what.counts.begin(), what.counts.end());
        }
    };

    std::vector<entry> kept_;
};

template <class Invocation>
void execute(Invocation& what) {
    auto& run = what.world.attached().template get<recent_executions<Invocation>>().find_or_make(what);
    run.start(what.input, what.output, what.second_output, what.op);
    run.wait();
}

/// Performs a call from beginning to end.
template <class Invocation>
void perform(Invocation&& what) {
    announce(what);
    if constexpr (is_undecided<std::remove_cvref_t<Invocation>>) {
        auto now = decided(what);
        execute(now);
        what.algorithm.ended();
    } else {
        execute(what);
    }
}

}  // namespace tutti
