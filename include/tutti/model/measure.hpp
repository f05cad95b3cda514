// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <tutti/communicator.hpp>
#include <tutti/communicator/clock.hpp>
#include <tutti/communicator/conversation.hpp>
#include <tutti/error.hpp>
#include <tutti/model/file.hpp>
#include <tutti/model/machine.hpp>
#include <tutti/model/measure/combining.hpp>
#include <tutti/model/measure/crowding.hpp>
#include <tutti/model/measure/levels.hpp>
#include <tutti/model/measure/link.hpp>
#include <tutti/model/measure/repetitions.hpp>

namespace tutti {

/// `measure` has failed on rank 0, which says why.
struct measurement_failed : std::runtime_error, secondary_error {
    using std::runtime_error::runtime_error;
};

namespace measuring {

/// What messages between the two ranks cost, on rank 0; the others help, or go on.
template <communicator C>
[[nodiscard]] std::optional<measured_link> measure_pair(C& ranks, messaging::conversation<C>& talk, link<C>& between,
                                                        std::optional<pair> const& chosen) {
    if (!chosen) { return std::nullopt; }
    auto const [asking, answering] = *chosen;
    measured_link result;
    auto const memory = std::as_writable_bytes(std::span{&result, 1});
    messaging::words turn(1);
    if (ranks.rank() == asking) {
        // not before rank 0 has done with the pair before
        if (asking != 0) { talk.receive(0, turn); }
        result = between.ask(answering);
        if (asking != 0) { talk.send(0, memory); }
    } else if (ranks.rank() == answering) {
        between.answer(asking);
    } else if (ranks.rank() == 0) {
        talk.send(asking, turn);
        talk.receive(asking, memory);
    }
    return result;
}

/// On rank 0, the part of the model that is about messages; returns what they cost on a node.
template <communicator C>
measured_link measure_messages(C& ranks, messaging::conversation<C>& talk, machine_model& model) {
    auto const chosen = levels_of(ranks);
    link one_to_one{ranks};
    auto const far = measure_pair(ranks, talk, one_to_one, chosen.between_nodes);
    auto const near = measure_pair(ranks, talk, one_to_one, chosen.within_node);
    if (!far && !near) { return {}; }
    auto const between = far.value_or(near.value_or(measured_link{}));
    auto const within = near.value_or(between);
    model.between_nodes = between.messages;
    model.within_node = within.messages;
    model.exchange_factor = between.exchange_factor;
    model.exchange_factor_within_node = within.exchange_factor;
    model.longest_message = between.longest_message;
    return within;
}

/// While messages are sent now one way, now another. In the end they are sent as before.
template <communicator C>
class way_for_now {
public:
    explicit way_for_now(C& /*ranks*/) {}
};
template <may_share_memory C>
class way_for_now<C> {
public:
    explicit way_for_now(C& ranks) : ranks_{ranks}, through_memory_{ranks.shares_memory()} {
        ranks_.share_memory(false);
    }
    way_for_now(way_for_now const&) = delete;
    way_for_now& operator=(way_for_now const&) = delete;
    ~way_for_now() { ranks_.share_memory(through_memory_); }

private:
    C& ranks_;
    bool through_memory_;
};

/// Whether messages go through memory. They may take a quarter longer than MPI's on average over all lengths: calls
/// gain more by short ones that are there sooner than they lose by long ones, which they cut. Of the shortest counts
/// what they took: through memory, costs that fit all lengths are far from it.
[[nodiscard]] inline bool memory_pays(measured_link const& through_memory, measured_link const& by_mpi) {
    constexpr double allowed = 1.25;
    double ratios = through_memory.shortest / (allowed * by_mpi.shortest);
    for (std::size_t const bytes : {4096U, 262144U}) {
        ratios *= through_memory.messages.transfer(bytes) / (allowed * by_mpi.messages.transfer(bytes));
    }
    return ratios < 1;
}

/// Where all ranks are on one node, finds out whether messages through its memory pay, and leaves them on that way if
/// so. The model is of the way they go.
template <may_share_memory C>
void choose_way(C& ranks, messaging::conversation<C>& talk, measured_link const& by_mpi, machine_model& model) {
    if (messaging::is_simulated<C>() || ranks.size() == 1) { return; }
    if (ranks.nodes().count(static_cast<std::size_t>(ranks.size())) != 1) { return; }
    if (!ranks.share_memory(true)) { return; }
    machine_model through_memory;
    auto const near = measure_messages(ranks, talk, through_memory);
    messaging::words chosen{memory_pays(near, by_mpi)};
    talk.broadcast(chosen);
    ranks.share_memory(chosen[0] != 0);
    if (chosen[0] != 0) { model = through_memory; }
    model.through_memory = chosen[0] != 0;
}

/// To four digits, but for bytes: there is no more to know, and files are easier to read.
inline void round(machine_model& model) {
    auto const rounded = [](double value) {
        if (value == 0) { return value; }
        auto const digits = std::pow(10, 3 - std::floor(std::log10(value)));
        return std::round(value * digits) / digits;
    };
    model_file::for_each_quantity(model, [&](auto const&, model_file::dimension what, double& value) {
        if (what != model_file::dimension::bytes) { value = rounded(value); }
    });
    for (auto& [name, value] : model.combines) { value = rounded(value); }
}

/// The model of rank 0 on all ranks; none if it has none.
template <communicator C>
[[nodiscard]] std::optional<machine_model> agreed(messaging::conversation<C>& talk,
                                                  std::optional<machine_model> const& own) {
    std::ostringstream written;
    if (own) { write(written, *own); }
    auto text = written.str();
    messaging::words length{static_cast<std::int64_t>(text.size())};
    talk.broadcast(length);
    if (length[0] == 0) { return std::nullopt; }
    text.resize(static_cast<std::size_t>(length[0]));
    talk.broadcast(std::as_writable_bytes(std::span{text}));
    std::istringstream in{text};
    return read_machine(in, "measured");
}

}  // namespace measuring

/// Measures what messages and combines cost on the machine of `world`.
///
/// Two ranks send each other messages: the first two on different nodes and the first two on one node, where `world`
/// tells nodes; else ranks 0 and 1, for both. Rank 0 combines, by std::plus<> on float and double and by what is given
/// as `combining<T>(op)`. At last all send each other messages at once, ever farther away, and to and fro. One rank has
/// no messages to measure and leaves their costs as they are by default.
/// Result: the same model on all ranks. Over MPI, where all ranks are on one node, the model is that of messages
/// through its memory, and says so, unless MPI's own are faster by a quarter. γ of other operators is that of double.
/// Where time is simulated, costs are exact, and γ is 0 unless operators are made to take time.
/// Requires: called by all ranks, as a collective is.
/// Errors: the communicator's. std::invalid_argument for two operators of one name. What an operator throws, on rank 0;
/// then `measurement_failed` on all others.
/// Cost: some 6 ⌈log2 p⌉ MiB of messages, a fifth of that where time is simulated: tenths of a second, but some seconds
/// where networks are slow (16 ranks at 100 Mbit/s: 5 s).
/// Source of the method: Culler, Liu, Martin and Yoshikawa, Assessing fast network interfaces, 1996.
template <world World, class... Ts, class... Ops>
[[nodiscard]] machine_model measure(World const& world, combination<Ts, Ops> const&... more) {
    measuring::require_own_names(more...);
    auto& ranks = complete_communicator_of(world);
    using C = std::remove_cvref_t<decltype(ranks)>;
    if constexpr (compares_calls<C>) { ranks.enter({"measure", "", "", sizeof...(more), std::nullopt}); }
    messaging::conversation<C> talk{ranks, messaging::waiting::at_rest};
    [[maybe_unused]] measuring::way_for_now const way{ranks};
    std::optional<machine_model> own = machine_model{};
    [[maybe_unused]] auto const by_mpi = measuring::measure_messages(ranks, talk, *own);
    if constexpr (may_share_memory<C>) { measuring::choose_way(ranks, talk, by_mpi, *own); }
    if (messaging::is_simulated<C>()) { own->handling = 0; }  // computing takes no time there
    messaging::words longest{static_cast<std::int64_t>(own->longest_message)};
    talk.broadcast(longest);
    measuring::crowding{ranks}.measure(*own, static_cast<std::size_t>(longest[0]));
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
    auto const result = measuring::agreed(talk, own);
    if (failed) { std::rethrow_exception(failed); }
    if (!result) { throw measurement_failed{"tutti: measure has failed on rank 0, where an operator has thrown"}; }
    return *result;
}

}  // namespace tutti
