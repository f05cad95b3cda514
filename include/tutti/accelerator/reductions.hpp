// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>

#include <tutti/accelerator/call.hpp>

namespace tutti::accelerator {

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

/// `perform(operands)` performs the call.
template <class Perform>
struct combining_stages {
    std::size_t bytes;
    std::size_t size;  // bytes of an element
    mpi_operator state;
    packed_elements from;
    packed_elements to;
    bool in_place;
    bool has_result;
    Perform perform;

    void read() {
        if (in_place) {
            to.read();
        } else {
            from.read();
        }
    }
    void call() {
        void const* const in = in_place ? MPI_IN_PLACE : from.data();
        perform(operands{bytes, state.unit(), size / state.unit(), state.get(), in, to.data()});
    }
    void write() {
        if (has_result) { to.write(); }
    }
};

/// What the reductions have in common: `count` elements on every rank, of which this one gets `results`.
template <class Perform>
[[nodiscard]] result combine(function which, void const* in, void* out, std::size_t count, std::size_t results,
                             MPI_Datatype type, MPI_Op op, MPI_Comm comm, Perform perform) {
    auto const bytes = count * size_of(type);
    if (is_too_short(which, bytes)) { return leave(which, bytes); }
    if (!is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    if (bytes == 0 || ranks == 0 || op == MPI_OP_NULL || out == MPI_IN_PLACE ||
        !is_worthwhile(which, bytes, op, comm)) {
        return leave(which, bytes);
    }
    handling const may{which, op};
    layout how{type, comm};
    if (is_users(op)) {
        // of what is not cut a message holds all, and MPI counts its bytes in an int
        bool const is_too_long = !may.cuts && bytes > std::numeric_limits<int>::max();
        if (!may.takes || is_too_long) { return leave(which, bytes); }
    } else {
        if (!is_predefined(type) || !applies_to(op, type, how)) { return leave(which, bytes); }
        how.travel_with_gaps();  // all ranks have the same type
    }
    if (how.dense && (in == nullptr || out == nullptr)) { return leave(which, bytes); }
    bool const in_place = in == MPI_IN_PLACE;
    bool const has_result = which != function::exscan || rank_of(comm) != 0;
    return perform_on(comm, [&] {
        return combining_stages<Perform>{bytes,
                                         how.size,
                                         {op, type, how, !may.cuts},
                                         {in, in_place ? 0 : count, how},
                                         {out, in_place ? count : results, how},
                                         in_place,
                                         has_result,
                                         perform};
    });
}

template <class Overloads>
[[nodiscard]] result combine_vector(function which, void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm) {
    if (count <= 0) { return std::nullopt; }
#ifdef OPEN_MPI
    if (in == out) { in = MPI_IN_PLACE; }  // forbidden, yet Open MPI lets it pass
#else
    if (in == out) { return std::nullopt; }
#endif
    auto const n = static_cast<std::size_t>(count);
    return combine(which, in, out, n, n, type, op, comm, [=](operands const& all) {
        if (all.in == MPI_IN_PLACE) {
            perform_call<Overloads>(which, all.bytes, comm, inplace(all.to(n)), all.op);
        } else {
            perform_call<Overloads>(which, all.bytes, comm, all.from(n), all.to(n), all.op);
        }
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
    if (in != MPI_IN_PLACE && (out == nullptr || in == out) && ranks_of(comm) != 0 && rank_of(comm) == 0) {
        out = const_cast<void*>(in);  // what rank 0 has for a result is not significant, and stays
        in = MPI_IN_PLACE;
    }
    return combine_vector<overloads::whole_vectors<collective::exclusive_scan>>(function::exscan, in, out, count, type,
                                                                                op, comm);
}

[[nodiscard]] inline result reduce(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                                   MPI_Comm comm) {
    if (count <= 0) { return std::nullopt; }
    constexpr auto which = function::reduce;
    auto const n = static_cast<std::size_t>(count);
    if (auto const bytes = n * size_of(type); is_too_short(which, bytes)) { return leave(which, bytes); }
    auto const ranks = ranks_of(comm);
    if (ranks == 0 || root < 0 || root >= ranks || !is_on()) { return std::nullopt; }
    bool const is_root = rank_of(comm) == root;
    if (is_root ? in == out : in == MPI_IN_PLACE) { return std::nullopt; }
    void* const significant = is_root ? out : const_cast<void*>(in);
    return combine(which, in, significant, n, is_root ? n : 0, type, op, comm, [=](operands const& all) {
        using overload = overloads::reduce;
        if (!is_root) {
            perform_call<overload>(which, all.bytes, comm, all.from(n), all.op, root);
        } else if (all.in == MPI_IN_PLACE) {
            perform_call<overload>(which, all.bytes, comm, inplace(all.to(n)), all.op, root);
        } else {
            perform_call<overload>(which, all.bytes, comm, all.from(n), all.to(n), all.op, root);
        }
    });
}

[[nodiscard]] inline result reduce_scatter_block(void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                                 MPI_Op op, MPI_Comm comm) {
    if (count <= 0 || in == out) { return std::nullopt; }
    auto const part = static_cast<std::size_t>(count);
    auto const whole = part * static_cast<std::size_t>(ranks_of(comm));
    constexpr auto which = function::reduce_scatter_block;
    return combine(which, in, out, whole, part, type, op, comm, [=](operands const& all) {
        using overload = overloads::reduce_scatter;
        if (all.in == MPI_IN_PLACE) {
            perform_call<overload>(which, all.bytes, comm, inplace(all.to(whole)), all.op);
        } else {
            perform_call<overload>(which, all.bytes, comm, all.from(whole), all.to(part), all.op);
        }
    });
}

[[nodiscard]] inline result reduce_scatter(void const* in, void* out, integers counts, MPI_Datatype type, MPI_Op op,
                                           MPI_Comm comm) {
    if (in == out || !is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    auto const parts = counts_of(counts, ranks, 1);
    if (ranks == 0 || !parts) { return std::nullopt; }
    auto const whole = sum(*parts);
    auto const own = (*parts)[static_cast<std::size_t>(rank_of(comm))];
    constexpr auto which = function::reduce_scatter;
    static std::byte nowhere{};
    if (own == 0 && out == nullptr && in != MPI_IN_PLACE) { out = &nowhere; }
    return combine(which, in, out, whole, own, type, op, comm, [=](operands const& all) {
        using overload = overloads::reduce_scatter;
        auto in_records = *parts;
        for (auto& each : in_records) { each *= all.in_each; }
        if (all.in == MPI_IN_PLACE) {
            perform_call<overload>(which, all.bytes, comm, inplace(all.to(whole)), in_records, all.op);
        } else {
            perform_call<overload>(which, all.bytes, comm, all.from(whole), all.to(own), in_records, all.op);
        }
    });
}

}  // namespace tutti::accelerator
