// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include <tutti/accelerator/call.hpp>

namespace tutti::accelerator {

// ---- reductions ----------------------------------------------------------------------------------------------------

/// Elements in the user's memory with their extents: where they lie or, if there are gaps in them that may not be
/// written, a copy. An operator of the user's knows the layout with its gaps.
class elements_of {
public:
    elements_of(void const* user, std::size_t count, layout const& how, MPI_Datatype type, MPI_Comm comm)
        : user_{const_cast<void*>(user)}, count_{count}, how_{how}, type_{type}, comm_{comm} {
        if (!how.gapped || count == 0) { return; }
        auto const extent = static_cast<std::size_t>(how.extent);
        copy_.resize(count * extent);
    }

    void read() {
        if (copy_.empty()) { return; }
        auto const extent = static_cast<std::size_t>(how_.extent);
        std::memcpy(copy_.data(), user_, (count_ - 1) * extent + how_.end_of_data);  // nothing lies behind that
    }
    [[nodiscard]] void* data() { return copy_.empty() ? user_ : copy_.data(); }
    void write() const {
        if (copy_.empty()) { return; }
        std::vector<std::byte> packed(count_ * how_.size);
        pack(copy_.data(), how_, type_, packed, comm_);
        unpack(packed, user_, how_, type_, comm_);
    }

private:
    void* user_;
    std::size_t count_;
    layout how_;
    MPI_Datatype type_;
    MPI_Comm comm_;
    std::vector<std::byte> copy_;
};

/// What a reduction is performed with.
struct operands {
    std::size_t bytes;  ///< of the whole vector, without gaps
    std::size_t extent;
    run_time_operator op;
    void const* in;  ///< or MPI_IN_PLACE
    void* out;

    [[nodiscard]] auto from(std::size_t elements) const { return records{in, elements, extent}; }
    [[nodiscard]] auto to(std::size_t elements) const { return records{out, elements, extent}; }
};

/// `perform(form, operands)` performs the call or makes its plan.
template <class Perform>
struct combining_stages {
    std::size_t bytes;
    mpi_operator state;
    elements_of from;
    elements_of to;
    Perform perform;

    void read() {
        from.read();
        to.read();
    }
    void call(call_form& form) { perform(form, operands{bytes, state.extent, state.get(), from.data(), to.data()}); }
    void write() { to.write(); }
};

/// What the reductions have in common: `count` elements on every rank, of which this one gets `results`.
template <class Perform>
[[nodiscard]] result combine(function which, void const* in, void* out, std::size_t count, std::size_t results,
                             MPI_Datatype type, MPI_Op op, MPI_Comm comm, completion when, Perform perform) {
    auto const bytes = count * size_of(type);
    if (is_too_short(which, bytes)) { return leave(which, bytes); }
    if (!is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    if (bytes == 0 || ranks == 0 || op == MPI_OP_NULL || !is_worthwhile(which, bytes, op, comm, when.request)) {
        return leave(which, bytes);
    }
    if (in == nullptr || out == nullptr || out == MPI_IN_PLACE) { return leave(which, bytes); }
    layout const how{type};
    if (how.predefined ? !how.is_record() || !applies_to(op, type, static_cast<std::size_t>(how.extent))
                       : !is_users(op) || !(how.is_record() || how.gapped)) {
        return leave(which, bytes);
    }
    bool const in_place = in == MPI_IN_PLACE;
    return perform_as(when, which, bytes, comm, {op, {type}}, [&] {
        return combining_stages<Perform>{bytes,
                                         {op, type, static_cast<std::size_t>(how.extent)},
                                         {in, in_place ? 0 : count, how, type, comm},
                                         {out, in_place ? count : results, how, type, comm},
                                         perform};
    });
}

template <class Overloads>
[[nodiscard]] result combine_vector(function which, void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                    MPI_Op op, MPI_Comm comm, completion when = {}) {
    if (count <= 0) { return std::nullopt; }
#ifdef OPEN_MPI
    if (in == out) { in = MPI_IN_PLACE; }  // forbidden, yet Open MPI lets it pass
#else
    if (in == out) { return std::nullopt; }
#endif
    auto const n = static_cast<std::size_t>(count);
    return combine(which, in, out, n, n, type, op, comm, when, [=](call_form& form, operands const& all) {
        if (all.in == MPI_IN_PLACE) {
            perform_call<Overloads>(form, which, all.bytes, comm, inplace(all.to(n)), all.op);
        } else {
            perform_call<Overloads>(form, which, all.bytes, comm, all.from(n), all.to(n), all.op);
        }
    });
}

[[nodiscard]] inline result all_reduce(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                       MPI_Comm comm, completion when = {}) {
    return combine_vector<overloads::whole_vectors<collective::all_reduce>>(function::all_reduce, in, out, count, type,
                                                                            op, comm, when);
}
[[nodiscard]] inline result scan(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                 MPI_Comm comm, completion when = {}) {
    return combine_vector<overloads::whole_vectors<collective::inclusive_scan>>(function::scan, in, out, count, type,
                                                                                op, comm, when);
}
[[nodiscard]] inline result exscan(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                   MPI_Comm comm, completion when = {}) {
    if (in != MPI_IN_PLACE && (out == nullptr || in == out) && ranks_of(comm) != 0 && rank_of(comm) == 0) {
        out = const_cast<void*>(in);  // what rank 0 has for a result is not significant, and stays
        in = MPI_IN_PLACE;
    }
    return combine_vector<overloads::whole_vectors<collective::exclusive_scan>>(function::exscan, in, out, count, type,
                                                                                op, comm, when);
}

[[nodiscard]] inline result reduce(void const* in, void* out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                                   MPI_Comm comm, completion when = {}) {
    if (count <= 0) { return std::nullopt; }
    constexpr auto which = function::reduce;
    auto const n = static_cast<std::size_t>(count);
    if (auto const bytes = n * size_of(type); is_too_short(which, bytes)) { return leave(which, bytes); }
    auto const ranks = ranks_of(comm);
    if (ranks == 0 || root < 0 || root >= ranks || !is_on()) { return std::nullopt; }
    bool const is_root = rank_of(comm) == root;
    if (is_root ? in == out : in == MPI_IN_PLACE) { return std::nullopt; }
    void* const significant = is_root ? out : const_cast<void*>(in);
    return combine(which, in, significant, n, is_root ? n : 0, type, op, comm, when,
                   [=](call_form& form, operands const& all) {
                       using overload = overloads::reduce;
                       if (!is_root) {
                           perform_call<overload>(form, which, all.bytes, comm, all.from(n), all.op, root);
                       } else if (all.in == MPI_IN_PLACE) {
                           perform_call<overload>(form, which, all.bytes, comm, inplace(all.to(n)), all.op, root);
                       } else {
                           perform_call<overload>(form, which, all.bytes, comm, all.from(n), all.to(n), all.op, root);
                       }
                   });
}

[[nodiscard]] inline result reduce_scatter_block(void const* in, void* out, MPI_Count count, MPI_Datatype type,
                                                 MPI_Op op, MPI_Comm comm, completion when = {}) {
    if (count <= 0 || in == out) { return std::nullopt; }
    auto const part = static_cast<std::size_t>(count);
    auto const whole = part * static_cast<std::size_t>(ranks_of(comm));
    constexpr auto which = function::reduce_scatter_block;
    return combine(which, in, out, whole, part, type, op, comm, when, [=](call_form& form, operands const& all) {
        using overload = overloads::reduce_scatter;
        if (all.in == MPI_IN_PLACE) {
            perform_call<overload>(form, which, all.bytes, comm, inplace(all.to(whole)), all.op);
        } else {
            perform_call<overload>(form, which, all.bytes, comm, all.from(whole), all.to(part), all.op);
        }
    });
}

[[nodiscard]] inline result reduce_scatter(void const* in, void* out, integers counts, MPI_Datatype type, MPI_Op op,
                                           MPI_Comm comm, completion when = {}) {
    if (in == out || !is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    auto const parts = counts_of(counts, ranks, 1);
    if (ranks == 0 || !parts) { return std::nullopt; }
    auto const whole = sum(*parts);
    auto const own = (*parts)[static_cast<std::size_t>(rank_of(comm))];
    constexpr auto which = function::reduce_scatter;
    static std::byte nowhere{};
    if (own == 0 && out == nullptr && in != MPI_IN_PLACE) { out = &nowhere; }
    return combine(which, in, out, whole, own, type, op, comm, when, [=](call_form& form, operands const& all) {
        using overload = overloads::reduce_scatter;
        if (all.in == MPI_IN_PLACE) {
            perform_call<overload>(form, which, all.bytes, comm, inplace(all.to(whole)), *parts, all.op);
        } else {
            perform_call<overload>(form, which, all.bytes, comm, all.from(whole), all.to(own), *parts, all.op);
        }
    });
}

}  // namespace tutti::accelerator
