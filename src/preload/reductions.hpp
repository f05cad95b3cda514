// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include <pmpi/datatype.hpp>
#include <pmpi/integers.hpp>
#include <pmpi/operator.hpp>
#include <pmpi/ranks.hpp>
#include <preload/mpi_operator.hpp>
#include <preload/perform.hpp>
#include <preload/who_performs.hpp>
#include <tutti/collective/records.hpp>

namespace tutti::preload {

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

/// `arguments(operands, use)` calls `use` with the arguments of a call of `Overloads`.
template <class Overloads, class Arguments>
struct combining_call {
    std::size_t whole_bytes;
    std::size_t size;  // bytes of an element
    mpi_operator state;
    packed_elements from;
    packed_elements to;
    bool in_place;
    bool has_result;
    Arguments arguments;

    void read() {
        if (in_place) {
            to.read();
        } else {
            from.read();
        }
    }
    template <class Use>
    auto with_arguments(mpi_operator& by, Use use) {
        void const* const in = in_place ? MPI_IN_PLACE : from.data();
        operands const all{whole_bytes, by.unit(), size / by.unit(), by.get(), in, to.data()};
        return arguments(all, [&](auto const&... each) { return use(Overloads{}, each...); });
    }
    void write() {
        if (has_result) { to.write(); }
    }
    [[nodiscard]] std::size_t bytes() const { return whole_bytes; }
    [[nodiscard]] bool stays() const { return from.stays() && to.stays(); }
};

/// Checks the arguments of a reduction of `count` elements on every rank, of which this one gets `results`.
template <class Overloads, class Arguments>
[[nodiscard]] admitted<combining_call<Overloads, Arguments>> admit(call_entry const& entry, call_key const& key,
                                                                   void const* in, void* out, std::size_t count,
                                                                   std::size_t results, Arguments arguments) {
    auto const& [comm, type, op, number, root, is_in_place] = key;
    auto const bytes = count * size_of(type);
    if (op == MPI_OP_NULL || out == MPI_IN_PLACE) { return decision::its_arguments; }
    operator_policy const may{entry.kind.which, entry.kind.op};
    layout how{type, comm};
    if (is_users(entry.kind.op)) {
        // a vector that is not cut is one message, whose bytes MPI counts in an int
        bool const is_too_long = !may.cuts && bytes > std::numeric_limits<int>::max();
        if (!may.takes || is_too_long) { return decision::its_operator; }
    } else {
        if (!is_predefined(type) || !applies_to(op, type, how)) { return decision::its_datatype; }
        how.travel_with_gaps();  // all ranks have a type of the same meaning
    }
    if (how.dense && (in == nullptr || out == nullptr)) { return decision::its_arguments; }
    bool const in_place = in == MPI_IN_PLACE;
    std::span const written{static_cast<std::byte const*>(out), (in_place ? 0 : results) * how.size};
    return combining_call<Overloads, Arguments>{bytes,
                                                how.size,
                                                {op, type, how, !may.cuts},
                                                {in, in_place ? 0 : count, how, written},
                                                {out, in_place ? count : results, how},
                                                in_place,
                                                entry.kind.which != function::exscan || rank_of(comm) != 0,
                                                arguments};
}

/// MPI_Allreduce, MPI_Scan and MPI_Exscan.
template <class Collective>
[[nodiscard]] result combine_vector(call_entry& entry, void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm) {
    if (in == out) { in = MPI_IN_PLACE; }  // forbidden, but other ranks cannot know it, and perform the call
    bool const in_place = in == MPI_IN_PLACE;
    call_key const key{comm, type, op, count, 0, in_place};
    return perform(entry, key, in_place ? out : in, out, [&] {
        auto const n = static_cast<std::size_t>(count);
        return admit<overloads::whole_vectors<Collective>>(
            entry, key, in, out, n, n, [n](operands const& all, auto use) {
                return all.in == MPI_IN_PLACE ? use(inplace(all.to(n)), all.op) : use(all.from(n), all.to(n), all.op);
            });
    });
}

[[nodiscard]] inline result exscan(call_entry& entry, void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, MPI_Comm comm) {
    if (in != MPI_IN_PLACE && (out == nullptr || in == out) && rank_of(comm) == 0) {
        out = const_cast<void*>(in);  // what rank 0 has for a result is not significant, and stays
        in = MPI_IN_PLACE;
    }
    return combine_vector<collective::exclusive_scan>(entry, in, out, count, type, op, comm);
}

[[nodiscard]] inline result reduce(call_entry& entry, void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                   MPI_Op op, int root, MPI_Comm comm) {
    auto const is_root = [=] { return rank_of(comm) == root; };  // not called for a cached call
    if (in == out && is_root()) { in = MPI_IN_PLACE; }
    call_key const key{comm, type, op, count, root, in == MPI_IN_PLACE};
    auto const n = static_cast<std::size_t>(count);
    auto arguments = [=](operands const& all, auto use) {
        return !is_root()               ? use(all.from(n), all.op, root)
               : all.in == MPI_IN_PLACE ? use(inplace(all.to(n)), all.op, root)
                                        : use(all.from(n), all.to(n), all.op, root);
    };
    using call = admitted<combining_call<overloads::reduce, decltype(arguments)>>;
    return perform(entry, key, key.in_place ? out : in, out, [&]() -> call {
        if (root < 0 || root >= entry.of->ranks()) { return decision::its_arguments; }
        bool const has_result = is_root();
        if (!has_result && in == MPI_IN_PLACE) { return decision::its_arguments; }
        void* const significant = has_result ? out : const_cast<void*>(in);
        return admit<overloads::reduce>(entry, key, in, significant, n, has_result ? n : 0, arguments);
    });
}

[[nodiscard]] inline result reduce_scatter_block(call_entry& entry, void const* in, void* out, MPI_Count count,
                                                 MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if (in == out) { in = MPI_IN_PLACE; }
    call_key const key{comm, type, op, count, 0, in == MPI_IN_PLACE};
    return perform(entry, key, key.in_place ? out : in, out, [&] {
        auto const part = static_cast<std::size_t>(count);
        auto const whole = part * static_cast<std::size_t>(entry.of->ranks());
        return admit<overloads::reduce_scatter>(entry, key, in, out, whole, part, [=](operands const& all, auto use) {
            return all.in == MPI_IN_PLACE ? use(inplace(all.to(whole)), all.op)
                                          : use(all.from(whole), all.to(part), all.op);
        });
    });
}

[[nodiscard]] inline result reduce_scatter(call_entry& entry, void const* in, void* out, integers counts,
                                           MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    if (in == out) { in = MPI_IN_PLACE; }
    call_key const none{comm, type, op, -1, 0, false};  // not cached: counts differ from call to call
    auto const parts = counts_of(counts, entry.of->ranks());
    auto arguments = [&](operands const& all, auto use) {
        auto in_records = *parts;
        for (auto& each : in_records) { each *= all.in_each; }
        auto const own = (*parts)[static_cast<std::size_t>(rank_of(comm))];
        return all.in == MPI_IN_PLACE ? use(inplace(all.to(sum(*parts))), in_records, all.op)
                                      : use(all.from(sum(*parts)), all.to(own), in_records, all.op);
    };
    using call = admitted<combining_call<overloads::reduce_scatter, decltype(arguments)>>;
    return perform(entry, none, in, out, [&]() -> call {
        if (!parts) { return decision::its_arguments; }
        auto const own = (*parts)[static_cast<std::size_t>(rank_of(comm))];
        static std::byte nowhere{};
        if (own == 0 && out == nullptr && in != MPI_IN_PLACE) { out = &nowhere; }
        return admit<overloads::reduce_scatter>(entry, none, in, out, sum(*parts), own, arguments);
    });
}

}  // namespace tutti::preload
