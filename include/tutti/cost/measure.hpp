// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/call.hpp>
#include <tutti/communicator/control_channel.hpp>
#include <tutti/cost/file.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/cost/measure/contention_probe.hpp>
#include <tutti/cost/measure/link_probe.hpp>
#include <tutti/cost/measure/repetitions.hpp>
#include <tutti/error.hpp>
#include <tutti/node_map.hpp>
#include <tutti/operation.hpp>
#include <tutti/operation/combine.hpp>

namespace tutti::pricing {

/// An operator and the type of elements on which it is to be timed.
template <class T, class Op>
struct combination {
    Op op;
};

/// With `measure(world, combining<float>(op))`, the speed of `op` on floats is measured, too. Elements are T{}.
template <class T, operators::operator_on<T> Op>
[[nodiscard]] combination<T, Op> combining(Op op) {
    return {std::move(op)};
}

namespace measuring {

/// Refuses operators that a model cannot tell apart: compilers may give the lambdas of a function one name.
template <class... Ts, class... Ops>
void require_own_names(combination<Ts, Ops> const&...) {
    [[maybe_unused]] std::map<std::string, std::type_index> known;
    [[maybe_unused]] auto const look = [&](std::string const& name, std::type_index which) {
        if (known.try_emplace(name, which).first->second == which) { return; }
        throw std::invalid_argument{"tutti: measure is given two operators that this compiler calls '" + name +
                                    "'; make them types with names of their own"};
    };
    (look(pricing::combine_name<Ops, Ts>(), typeid(combination<Ts, Ops>)), ...);
}

/// γ: what it takes this rank to combine two vectors that fit into its cache, by the bytes of one of them.
template <communicator C, class T, class Op>
[[nodiscard]] double combine_per_byte(combination<T, Op> what, repetitions const& often) {
    constexpr std::size_t bytes = std::size_t{256} * 1024;
    // not a constant for the compiler, since it is none where collectives combine
    std::size_t const volatile chosen = std::max<std::size_t>(1, bytes / sizeof(T));
    std::size_t const count = chosen;
    auto const result = std::make_unique<T[]>(count);
    auto const arrived = std::make_unique<T[]>(count);
    std::vector<double> times;
    auto const repeat = [&](std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            auto const begun = C::now();
            tutti::operators::combine(what.op, result.get(), arrived.get(), result.get(), count);
            times.push_back(measuring::seconds_since<C>(begun));
        }
    };
    repeat(often.at_first());
    repeat(often.more(std::accumulate(times.begin(), times.end(), 0.0)));
    // The byte that is read is not known at compile time, so that all of them have to be computed.
    auto const any = times.size() + static_cast<std::size_t>(times.back() * 1e9);
    std::byte volatile const looked_at = reinterpret_cast<std::byte const*>(result.get())[any % (count * sizeof(T))];
    static_cast<void>(looked_at);
    return median(times) / static_cast<double>(count * sizeof(T));
}

/// Adds the speed of an operator to the model.
template <communicator C, class T, class Op>
void measure_combining(machine_model& model, combination<T, Op> const& what, repetitions const& often) {
    model.combines[pricing::combine_name<Op, T>()] = measuring::combine_per_byte<C>(what, often);
}

/// Two ranks; the lower one asks.
struct pair {
    int asking = 0;
    int answering = 0;

    friend bool operator==(pair const&, pair const&) = default;
};

/// The pairs of ranks between which messages are timed.
struct levels {
    std::optional<pair> between_nodes = std::nullopt;
    std::optional<pair> within_node = std::nullopt;

    friend bool operator==(levels const&, levels const&) = default;
};

/// The first ranks of the first two nodes, and the first two ranks of the first node that has two.
[[nodiscard]] inline levels levels_of(node_map const& nodes, std::size_t size) {
    levels result;
    auto const rank_at = [&](std::size_t position) { return static_cast<int>(nodes.rank_at(position)); };
    auto const count = nodes.count(size);
    if (count > 1) { result.between_nodes = {rank_at(nodes.first(0)), rank_at(nodes.first(1))}; }
    for (std::size_t node = 0; node < count; ++node) {
        if (nodes.ranks_on(node, size) < 2) { continue; }
        result.within_node = {rank_at(nodes.first(node)), rank_at(nodes.first(node) + 1)};
        break;
    }
    return result;
}

}  // namespace measuring

/// `measure` has failed on rank 0, whose message has the reason.
struct measurement_failed : std::runtime_error, control::secondary_error {
    using std::runtime_error::runtime_error;
};

namespace measuring {

/// What messages between the two ranks cost, on rank 0; the others help, or go on.
template <communicator C>
[[nodiscard]] std::optional<measured_link> measure_pair(C& ranks, messaging::control_channel<C>& channel,
                                                        link_probe<C>& between, std::optional<pair> const& chosen) {
    if (!chosen) { return std::nullopt; }
    auto const [asking, answering] = *chosen;
    measured_link result;
    auto const memory = std::as_writable_bytes(std::span{&result, 1});
    messaging::payload turn(1);
    if (ranks.rank() == asking) {
        // not before rank 0 has done with the pair before
        if (asking != 0) { channel.receive(0, turn); }
        result = between.run(answering);
        if (asking != 0) { channel.send(0, memory); }
    } else if (ranks.rank() == answering) {
        between.respond(asking);
    } else if (ranks.rank() == 0) {
        channel.send(asking, turn);
        channel.receive(asking, memory);
    }
    return result;
}

/// On rank 0, the part of the model that is about messages; returns what they cost on a node.
template <communicator C>
measured_link measure_messages(C& ranks, messaging::control_channel<C>& channel, machine_model& model) {
    auto const chosen = measuring::levels_of(ranks.nodes(), static_cast<std::size_t>(ranks.size()));
    link_probe one_to_one{ranks};
    auto const outside = measuring::measure_pair(ranks, channel, one_to_one, chosen.between_nodes);
    auto const inside = measuring::measure_pair(ranks, channel, one_to_one, chosen.within_node);
    if (!outside && !inside) { return {}; }
    auto const between = outside.value_or(inside.value_or(measured_link{}));
    auto const within = inside.value_or(between);
    model.between_nodes = between.messages;
    model.within_node = within.messages;
    model.exchange_factor = between.exchange_factor;
    model.exchange_factor_within_node = within.exchange_factor;
    model.longest_message = between.longest_message;
    return within;
}

/// Restores the way of messages at the end of a measurement that changes it.
template <communicator C>
class transport_guard {
public:
    explicit transport_guard(C& ranks) : ranks_{ranks}, through_memory_{ranks.shares_memory()} {
        ranks_.share_memory(false);
    }
    transport_guard(transport_guard const&) = delete;
    transport_guard& operator=(transport_guard const&) = delete;
    ~transport_guard() { ranks_.share_memory(through_memory_); }

private:
    C& ranks_;
    bool through_memory_;
};

/// Whether messages go through memory. They may take a quarter longer than MPI's on average over all lengths: calls
/// gain more by short ones that are there sooner than they lose by long ones, which they cut. Of the shortest counts
/// what they took: through memory, costs that fit all lengths are far from it.
[[nodiscard]] inline bool shared_memory_is_faster(measured_link const& through_memory, measured_link const& by_mpi) {
    constexpr double allowed = 1.25;
    double ratios = through_memory.shortest / (allowed * by_mpi.shortest);
    for (std::size_t const bytes : {4096U, 262144U}) {
        ratios *= through_memory.messages.transfer(bytes) / (allowed * by_mpi.messages.transfer(bytes));
    }
    return ratios < 1;
}

/// Where all ranks are on one node, finds out whether messages through its memory pay, and leaves them on that way if
/// so. The model is of the way they go.
template <communicator C>
void choose_transport(C& ranks, messaging::control_channel<C>& channel, measured_link const& by_mpi,
                      machine_model& model) {
    if (messaging::is_simulated<C>() || ranks.size() == 1) { return; }
    if (ranks.nodes().count(static_cast<std::size_t>(ranks.size())) != 1) { return; }
    if (!ranks.share_memory(true)) { return; }
    machine_model through_memory;
    auto const by_memory = measuring::measure_messages(ranks, channel, through_memory);
    messaging::payload chosen{measuring::shared_memory_is_faster(by_memory, by_mpi)};
    channel.broadcast(chosen);
    ranks.share_memory(chosen[0] != 0);
    if (chosen[0] != 0) { model = through_memory; }
    model.through_memory = chosen[0] != 0;
}

/// To four digits, but for bytes: there is no more to know, and files are easier to read. As text, which is written
/// anyway: by arithmetic 1 may become a little less than 1, with -ffast-math.
inline void round(machine_model& model) {
    auto const rounded = [](double value) {
        std::array<char, 32> text{};
        auto const end = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific, 3).ptr;
        std::from_chars(text.data(), end, value);
        return value;
    };
    model_file::for_each_quantity(model, [&](auto const&, model_file::dimension what, double& value) {
        if (what != model_file::dimension::bytes) { value = rounded(value); }
    });
    for (auto& [name, value] : model.combines) { value = rounded(value); }
}

/// The model of rank 0 on all ranks; none if it has none.
template <communicator C>
[[nodiscard]] std::optional<machine_model> agreed(messaging::control_channel<C>& channel,
                                                  std::optional<machine_model> const& own) {
    std::ostringstream written;
    if (own) { write(written, *own); }
    auto text = written.str();
    messaging::payload count{static_cast<std::int64_t>(text.size())};
    channel.broadcast(count);
    if (count[0] == 0) { return std::nullopt; }
    text.resize(static_cast<std::size_t>(count[0]));
    channel.broadcast(std::as_writable_bytes(std::span{text}));
    std::istringstream in{text};
    return read_machine(in, "measured");
}

}  // namespace measuring

/// What `measure` finds out of messages between two ranks, by the way that they take now; the same on all ranks, which
/// all call.
template <communicator C>
[[nodiscard]] machine_model measure_messages(C& ranks) {
    messaging::control_channel<C> channel{ranks, messaging::waiting::sleeping};
    std::optional<machine_model> own = machine_model{};
    static_cast<void>(measuring::measure_messages(ranks, channel, *own));
    own->through_memory = ranks.shares_memory();
    if (ranks.rank() == 0) { measuring::round(*own); }
    return measuring::agreed(channel, own).value();
}

/// Measures the costs of messages and combines on the machine of `world`.
///
/// Two ranks exchange messages: the first two on different nodes and the first two on one node, if `world` knows its
/// nodes; otherwise ranks 0 and 1 for both. Rank 0 combines by std::plus<> on float and double, and by each
/// `combining<T>(op)`. Finally all ranks send at once, over growing and over alternating distances. A single rank
/// measures no messages and keeps the default costs.
/// Result: the same model on all ranks. If all ranks of MPI are on one node, the model describes messages through
/// shared memory, unless MPI's own are faster by a quarter. Other operators have the γ of double. In a simulation,
/// costs are exact, and γ is 0 unless operators are made to take time.
/// Requires: called by all ranks, as a collective is.
/// Errors: those of the communicator; `mismatched_calls` if some rank calls something else; std::invalid_argument for
/// two operators of one name. If an operator throws, its exception on rank 0, and `measurement_failed` on the others.
/// Cost: some 6 ⌈log2 p⌉ MiB of messages, a fifth of that in a simulation: tenths of a second, but some seconds on slow
/// networks (16 ranks at 100 Mbit/s: 5 s).
/// Source of the method: Culler, Liu, Martin and Yoshikawa, Assessing fast network interfaces, 1996.
template <world World, class... Ts, class... Ops>
[[nodiscard]] machine_model measure(World const& world, combination<Ts, Ops> const&... more) {
    measuring::require_own_names(more...);
    auto& ranks = control::complete_communicator_of(world);
    using C = std::remove_cvref_t<decltype(ranks)>;
    control::enter_together(ranks, control::call::named("measure", sizeof...(more)));
    messaging::control_channel<C> channel{ranks, messaging::waiting::sleeping};
    measuring::transport_guard const way{ranks};
    std::optional<machine_model> own = machine_model{};
    auto const by_mpi = measuring::measure_messages(ranks, channel, *own);
    measuring::choose_transport(ranks, channel, by_mpi, *own);
    if (messaging::is_simulated<C>()) { own->handling = 0; }  // computing takes no time there
    messaging::payload longest{static_cast<std::int64_t>(own->longest_message)};
    channel.broadcast(longest);
    measuring::contention_probe{ranks}.measure(*own, static_cast<std::size_t>(longest[0]));
    std::exception_ptr failed;
    if (ranks.rank() == 0) {
        try {
            measuring::repetitions const often{messaging::is_simulated<C>()};
            measuring::measure_combining<C>(*own, combining<float>(std::plus<>{}), often);
            measuring::measure_combining<C>(*own, combining<double>(std::plus<>{}), often);
            own->combine_per_byte = combine_cost<std::plus<>, double>(*own);
            (measuring::measure_combining<C>(*own, more, often), ...);
            measuring::round(*own);
        } catch (...) {
            failed = std::current_exception();
            own.reset();
        }
    }
    auto const result = measuring::agreed(channel, own);
    if (failed) { std::rethrow_exception(failed); }
    if (!result) { throw measurement_failed{"tutti: measure has failed on rank 0, where an operator has thrown"}; }
    return *result;
}

}  // namespace tutti::pricing

#define TUTTI_UNLESS_LINKED <tutti/execution/check_call.hpp>
#include <tutti/seam.hpp>

namespace tutti {
using pricing::combining;
using pricing::measure;
}  // namespace tutti
