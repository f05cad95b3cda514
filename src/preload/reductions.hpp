// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include <preload/by_arrivals.hpp>
#include <preload/call.hpp>
#include <preload/who_performs.hpp>

namespace tutti::preload {

// ---- reductions ----------------------------------------------------------------------------------------------------

/// What a reduction is performed with.
struct operands {
    std::size_t bytes;    ///< of the whole vector, without gaps
    std::size_t extent;   ///< of the records of which elements are made
    std::size_t in_each;  ///< records in an element
    run_time_operator op;
    void const* in;  ///< or MPI_IN_PLACE
    void* out;

    [[nodiscard]] auto from(std::size_t elements) const { return records{in, elements * in_each, extent}; }
    [[nodiscard]] auto to(std::size_t elements) const { return records{out, elements * in_each, extent}; }
};

/// `with_arguments(operands, use)` calls `use` with the arguments of a call of `Overloads`.
template <class Overloads, class WithArguments>
struct combining_stages {
    function which;
    call_key key;
    std::size_t bytes;
    std::size_t size;  // bytes of an element
    mpi_operator state;
    packed_elements from;
    packed_elements to;
    bool in_place;
    bool has_result;
    bool by_arrivals;
    WithArguments with_arguments;

    void read() {
        if (in_place) {
            to.read();
        } else {
            from.read();
        }
    }
    void call() {
        with_arguments(operands_by(state), [&](auto const&... arguments) {
            if constexpr (std::is_same_v<Overloads, overloads::whole_vectors<collective::all_reduce>>) {
                if (by_arrivals) { return perform_by_arrivals<Overloads>(bytes, key.comm, arguments...); }
            }
            perform_call<Overloads>(bytes, key.comm, arguments...);
        });
    }
    void write() {
        if (has_result) { to.write(); }
    }
    void keep() {
        if (by_arrivals || key.count < 0 || !from.stays() || !to.stays()) { return; }
        kept_call::keep(which, key, bytes, state, [&](mpi_operator& by) {
            return with_arguments(operands_by(by), [&](auto const&... arguments) {
                return call_modes::invocation_of<Overloads>(key.comm, arguments...);
            });
        });
    }

private:
    [[nodiscard]] operands operands_by(mpi_operator& by) {
        void const* const in = in_place ? MPI_IN_PLACE : from.data();
        return {bytes, by.unit(), size / by.unit(), by.get(), in, to.data()};
    }
};

/// What the reductions have in common: `count` elements on every rank, of which this one gets `results`.
template <class Overloads, class WithArguments>
[[nodiscard]] result combine(function which, call_key const& key, void const* in, void* out, std::size_t count,
                             std::size_t results, WithArguments with_arguments) {
    auto const& [comm, type, op, number, root, is_in_place] = key;
    auto const bytes = count * size_of(type);
    if (op == MPI_OP_NULL || out == MPI_IN_PLACE) { return reason::its_arguments; }
    call_kind const kind{which, operator_kind_of(op, type), bytes};
    handling const may{which, kind.op};
    layout how{type, comm};
    if (is_users(kind.op)) {
        // of what is not cut a message holds all, and MPI counts its bytes in an int
        bool const is_too_long = !may.cuts && bytes > std::numeric_limits<int>::max();
        if (!may.takes || is_too_long) { return reason::its_operator; }
    } else {
        if (!is_predefined(type) || !applies_to(op, type, how)) { return reason::its_datatype; }
        how.travel_with_gaps();  // all ranks have a type of the same meaning
    }
    if (how.dense && (in == nullptr || out == nullptr)) { return reason::its_arguments; }
    bool const in_place = in == MPI_IN_PLACE;
    bool const by_arrivals = may_go_by_arrivals(kind, ranks_of(comm));
    bool const has_result = which != function::exscan || rank_of(comm) != 0;
    return perform_on(comm, [&] {
        std::span const written{static_cast<std::byte const*>(out), (in_place ? 0 : results) * how.size};
        return combining_stages<Overloads, WithArguments>{which,
                                                          key,
                                                          bytes,
                                                          how.size,
                                                          {key.op, key.type, how, !may.cuts},
                                                          {in, in_place ? 0 : count, how, written},
                                                          {out, in_place ? count : results, how},
                                                          in_place,
                                                          has_result,
                                                          by_arrivals,
                                                          with_arguments};
    });
}

template <class Overloads>
[[nodiscard]] result combine_vector(function which, void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm) {
    if (in == out) { in = MPI_IN_PLACE; }  // forbidden; but the others, who cannot know, perform the call
    bool const in_place = in == MPI_IN_PLACE;
    call_key const key{comm, type, op, count, 0, in_place};
    if (auto const done = perform_again(which, key, in_place ? out : in, out)) { return done; }
    auto const n = static_cast<std::size_t>(count);
    return combine<Overloads>(which, key, in, out, n, n, [n](operands const& all, auto use) {
        return all.in == MPI_IN_PLACE ? use(inplace(all.to(n)), all.op) : use(all.from(n), all.to(n), all.op);
    });
}

[[nodiscard]] inline result all_reduce(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                       MPI_Comm comm) {
    return combine_vector<overloads::whole_vectors<collective::all_reduce>>(function::all_reduce, in, out, count, type,
                                                                            op, comm);
}
[[nodiscard]] inline result scan(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm) {
    return combine_vector<overloads::whole_vectors<collective::inclusive_scan>>(function::scan, in, out, count, type,
                                                                                op, comm);
}
[[nodiscard]] inline result exscan(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                   MPI_Comm comm) {
    if (in != MPI_IN_PLACE && (out == nullptr || in == out) && rank_of(comm) == 0) {
        out = const_cast<void*>(in);  // what rank 0 has for a result is not significant, and stays
        in = MPI_IN_PLACE;
    }
    return combine_vector<overloads::whole_vectors<collective::exclusive_scan>>(function::exscan, in, out, count, type,
                                                                                op, comm);
}

[[nodiscard]] inline result reduce(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                                   MPI_Comm comm) {
    if (in == out && rank_of(comm) == root) { in = MPI_IN_PLACE; }
    constexpr auto which = function::reduce;
    call_key const key{comm, type, op, count, root, in == MPI_IN_PLACE};
    if (auto const done = perform_again(which, key, key.in_place ? out : in, out)) { return done; }
    auto const n = static_cast<std::size_t>(count);
    if (root < 0 || root >= ranks_of(comm)) { return reason::its_arguments; }
    bool const is_root = rank_of(comm) == root;
    if (!is_root && in == MPI_IN_PLACE) { return reason::its_arguments; }
    void* const significant = is_root ? out : const_cast<void*>(in);
    auto const arguments = [=](operands const& all, auto use) {
        return !is_root                 ? use(all.from(n), all.op, root)
               : all.in == MPI_IN_PLACE ? use(inplace(all.to(n)), all.op, root)
                                        : use(all.from(n), all.to(n), all.op, root);
    };
    return combine<overloads::reduce>(which, key, in, significant, n, is_root ? n : 0, arguments);
}

[[nodiscard]] inline result reduce_scatter_block(void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                                 MPI_Op op, MPI_Comm comm) {
    if (in == out) { in = MPI_IN_PLACE; }
    constexpr auto which = function::reduce_scatter_block;
    call_key const key{comm, type, op, count, 0, in == MPI_IN_PLACE};
    if (auto const done = perform_again(which, key, key.in_place ? out : in, out)) { return done; }
    auto const part = static_cast<std::size_t>(count);
    auto const whole = part * static_cast<std::size_t>(ranks_of(comm));
    auto const arguments = [=](operands const& all, auto use) {
        return all.in == MPI_IN_PLACE ? use(inplace(all.to(whole)), all.op)
                                      : use(all.from(whole), all.to(part), all.op);
    };
    return combine<overloads::reduce_scatter>(which, key, in, out, whole, part, arguments);
}

[[nodiscard]] inline result reduce_scatter(void const* in, void* out, integers counts, MPI_Datatype type, MPI_Op op,
                                           MPI_Comm comm) {
    if (in == out) { in = MPI_IN_PLACE; }
    auto const parts = counts_of(counts, ranks_of(comm), 1);
    if (!parts) { return reason::its_arguments; }
    auto const whole = sum(*parts);
    auto const own = (*parts)[static_cast<std::size_t>(rank_of(comm))];
    constexpr auto which = function::reduce_scatter;
    static std::byte nowhere{};
    if (own == 0 && out == nullptr && in != MPI_IN_PLACE) { out = &nowhere; }
    call_key const none{comm, type, op, -1, 0, false};  // no call of other counts is like it
    return combine<overloads::reduce_scatter>(which, none, in, out, whole, own, [&](operands const& all, auto use) {
        auto in_records = *parts;
        for (auto& each : in_records) { each *= all.in_each; }
        return all.in == MPI_IN_PLACE ? use(inplace(all.to(whole)), in_records, all.op)
                                      : use(all.from(whole), all.to(own), in_records, all.op);
    });
}

}  // namespace tutti::preload
