// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tutti/accelerator/datatypes.hpp>
#include <tutti/accelerator/environment.hpp>
#include <tutti/accelerator/operators.hpp>
#include <tutti/accelerator/report.hpp>
#include <tutti/accelerator/rule.hpp>
#include <tutti/mpi.hpp>
#include <tutti/records.hpp>

/// Collective calls of MPI as calls of tutti. Each function returns what MPI's returns, or nothing if the call is to go
/// to MPI: because it is not worthwhile, tutti has no use for it, or an argument is wrong, which MPI then says in its
/// own way.
namespace tutti::accelerator {

using result = std::optional<int>;

/// Ranks of an intracommunicator of several ranks, or 0.
[[nodiscard]] inline int ranks_of(MPI_Comm comm) {
    int inter = 0;
    int size = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0 ||
        PMPI_Comm_size(comm, &size) != MPI_SUCCESS) {
        return 0;
    }
    return size < 2 ? 0 : size;
}

[[nodiscard]] inline int rank_of(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

/// The algorithm that is going to be chosen, for the report.
template <class Invocation>
[[nodiscard]] std::string algorithm_name(Invocation& what) {
    using Collective = typename Invocation::collective_type;
    if (what.elements == 0) { return "none"; }
    return with_prepared(what, what.op, [](auto const& call) {
        return algorithm_of(Collective{}, parameters_of(call, nullptr)).generator.name();
    });
}

template <class Shapes, class... Arguments>
void perform_call(function which, std::size_t bytes, MPI_Comm comm, Arguments const&... arguments) {
    auto what = call_modes::invocation_of<Shapes>(comm, arguments...);
    if (environment::get().report) { report::get().taken(which, bytes, algorithm_name(what)); }
    perform(std::move(what));
}

/// Performs a call; errors become MPI's, and go to the error handler of the communicator.
template <class Action>
[[nodiscard]] int code_of(MPI_Comm comm, Action action) {
    int code = MPI_ERR_OTHER;
    try {
        action();
        return MPI_SUCCESS;
    } catch (mpi::error const& wrong) {
        code = wrong.code();
        std::fprintf(stderr, "%s\n", wrong.what());
    } catch (std::bad_alloc const&) { code = MPI_ERR_NO_MEM; } catch (std::exception const& wrong) {
        std::fprintf(stderr, "%s\n", wrong.what());
    } catch (...) {}
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/// Notes a call that is left to MPI.
[[nodiscard]] inline result leave(function which, std::size_t bytes) {
    if (environment::get().report) { report::get().left(which, bytes); }
    return std::nullopt;
}

// ---- reductions ----------------------------------------------------------------------------------------------------

/// What the reductions have in common: `count` elements on every rank.
template <class Perform>
[[nodiscard]] result combine(function which, void const* in, void* out, std::size_t count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm, Perform perform) {
    if (!is_on()) { return std::nullopt; }
    auto const bytes = count * size_of(type);
    auto const ranks = ranks_of(comm);
    if (bytes == 0 || ranks == 0 || op == MPI_OP_NULL || !is_worthwhile(which, bytes, op)) {
        return leave(which, bytes);
    }
    if (in == nullptr || out == nullptr || out == MPI_IN_PLACE) { return leave(which, bytes); }
    layout const how{type};
    // an operator needs the layout with its gaps
    if (!how.is_record() ||
        (how.algorithm ? !applies_to(op, type, static_cast<std::size_t>(how.extent)) : !is_users(op))) {
        return leave(which, bytes);
    }
    mpi_operator state{op, type, static_cast<std::size_t>(how.extent)};
    return code_of(comm, [&] { perform(bytes, state.extent, state.get()); });
}

template <class Shapes>
[[nodiscard]] result combine_vector(function which, void const* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                    MPI_Comm comm) {
    if (count <= 0) { return std::nullopt; }
#ifdef OPEN_MPI
    if (in == out) { in = MPI_IN_PLACE; }  // forbidden, yet Open MPI lets it pass
#else
    if (in == out) { return std::nullopt; }
#endif
    auto const n = static_cast<std::size_t>(count);
    return combine(which, in, out, n, type, op, comm,
                   [&](std::size_t bytes, std::size_t extent, run_time_operator const& on) {
                       records const both{out, n, extent};
                       if (in == MPI_IN_PLACE) {
                           perform_call<Shapes>(which, bytes, comm, inplace(both), on);
                       } else {
                           perform_call<Shapes>(which, bytes, comm, records{in, n, extent}, both, on);
                       }
                   });
}

[[nodiscard]] inline result all_reduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                       MPI_Comm comm) {
    return combine_vector<overloads::all_to_all_ranks<collective::all_reduce>>(function::all_reduce, in, out, count,
                                                                               type, op, comm);
}
[[nodiscard]] inline result scan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return combine_vector<overloads::all_to_all_ranks<collective::inclusive_scan>>(function::scan, in, out, count, type,
                                                                                op, comm);
}
[[nodiscard]] inline result exscan(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return combine_vector<overloads::all_to_all_ranks<collective::exclusive_scan>>(function::exscan, in, out, count,
                                                                                   type, op, comm);
}

[[nodiscard]] inline result reduce(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op, int root,
                                   MPI_Comm comm) {
    if (count <= 0 || !is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    if (ranks == 0 || root < 0 || root >= ranks) { return std::nullopt; }
    bool const is_root = rank_of(comm) == root;
    if (is_root ? in == out : in == MPI_IN_PLACE) { return std::nullopt; }
    auto const n = static_cast<std::size_t>(count);
    void* const significant = is_root ? out : const_cast<void*>(in);
    return combine(
        function::reduce, in, significant, n, type, op, comm,
        [&](std::size_t bytes, std::size_t extent, run_time_operator const& on) {
            using shape = overloads::reduce;
            if (!is_root) {
                perform_call<shape>(function::reduce, bytes, comm, records{in, n, extent}, on, root);
            } else if (in == MPI_IN_PLACE) {
                perform_call<shape>(function::reduce, bytes, comm, inplace(records{out, n, extent}), on, root);
            } else {
                perform_call<shape>(function::reduce, bytes, comm, records{in, n, extent}, records{out, n, extent}, on,
                                    root);
            }
        });
}

[[nodiscard]] inline result reduce_scatter_block(void const* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                                                 MPI_Comm comm) {
    if (count <= 0 || in == out || !is_on()) { return std::nullopt; }
    auto const part = static_cast<std::size_t>(count);
    auto const whole = part * static_cast<std::size_t>(ranks_of(comm));
    constexpr auto which = function::reduce_scatter_block;
    return combine(
        which, in, out, whole, type, op, comm, [&](std::size_t bytes, std::size_t extent, run_time_operator const& on) {
            if (in == MPI_IN_PLACE) {
                perform_call<overloads::reduce_scatter>(which, bytes, comm, inplace(records{out, whole, extent}), on);
            } else {
                perform_call<overloads::reduce_scatter>(which, bytes, comm, records{in, whole, extent},
                                                     records{out, part, extent}, on);
            }
        });
}

/// Counts of MPI as numbers of bytes or elements; nothing if one is negative.
[[nodiscard]] inline std::optional<std::vector<std::size_t>> counts_of(int const* counts, int ranks, std::size_t unit) {
    if (counts == nullptr) { return std::nullopt; }
    std::vector<std::size_t> all;
    all.reserve(static_cast<std::size_t>(ranks));
    for (int r = 0; r != ranks; ++r) {
        if (counts[r] < 0) { return std::nullopt; }
        all.push_back(static_cast<std::size_t>(counts[r]) * unit);
    }
    return all;
}
[[nodiscard]] inline std::size_t sum(std::span<std::size_t const> counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

[[nodiscard]] inline result reduce_scatter(void const* in, void* out, int const* counts, MPI_Datatype type, MPI_Op op,
                                           MPI_Comm comm) {
    if (in == out || !is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    auto const parts = counts_of(counts, ranks, 1);
    if (ranks == 0 || !parts) { return std::nullopt; }
    auto const whole = sum(*parts);
    auto const own = (*parts)[static_cast<std::size_t>(rank_of(comm))];
    constexpr auto which = function::reduce_scatter;
    std::byte nowhere{};
    if (own == 0 && out == nullptr && in != MPI_IN_PLACE) { out = &nowhere; }
    return combine(which, in, out, whole, type, op, comm,
                   [&](std::size_t bytes, std::size_t extent, run_time_operator const& on) {
                       if (in == MPI_IN_PLACE) {
                           perform_call<overloads::reduce_scatter>(which, bytes, comm,
                                                                inplace(records{out, whole, extent}), *parts, on);
                       } else {
                           perform_call<overloads::reduce_scatter>(which, bytes, comm, records{in, whole, extent},
                                                                records{out, own, extent}, *parts, on);
                       }
                   });
}

// ---- data that is only moved ---------------------------------------------------------------------------------------

/// Elements in the user's memory as bytes in a row: where they lie, if they are dense, else a copy.
class bytes_of {
public:
    bytes_of(void const* user, std::size_t count, MPI_Datatype type, MPI_Comm comm)
        : user_{const_cast<void*>(user)}, type_{type}, comm_{comm}, how_{type}, bytes_{count * how_.size} {
        if (!how_.dense) { copy_.resize(bytes_); }
    }

    void read() {
        if (!copy_.empty()) { pack(user_, how_, type_, copy_, comm_); }
    }
    void write() {
        if (!copy_.empty()) { unpack(copy_, user_, how_, type_, comm_); }
    }

    [[nodiscard]] void* data() { return how_.dense ? user_ : copy_.data(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] records<record> get() { return {static_cast<std::byte*>(data()), bytes_, 1}; }

private:
    void* user_;
    MPI_Datatype type_;
    MPI_Comm comm_;
    layout how_;
    std::size_t bytes_;
    std::vector<std::byte> copy_;
};

/// The parts of all ranks in the user's memory, as bytes in rank order.
class parts_of {
public:
    /// Where no displacements are given, the parts follow each other.
    parts_of(void const* user, std::vector<std::size_t> counts, int const* displacements, MPI_Datatype type,
             MPI_Comm comm)
        : user_{static_cast<std::byte*>(const_cast<void*>(user))}, type_{type}, comm_{comm}, how_{type} {
        std::size_t place = 0;
        for (std::size_t r = 0; r != counts.size(); ++r) {
            auto const at = displacements != nullptr ? displacements[r] : static_cast<MPI_Aint>(place);
            places_.push_back(at);
            if (place == 0) { start_ = at; }  // the first part that is not empty may begin anywhere
            if (counts[r] != 0 && at != start_ + static_cast<MPI_Aint>(place)) { in_a_row_ = false; }
            place += counts[r];
            bytes_.push_back(counts[r] * how_.size);
        }
        if (!is_direct()) { copy_.resize(sum(bytes_)); }
    }

    void read(std::optional<std::size_t> only = std::nullopt) {
        for_each(only, [&](void* user, std::span<std::byte> packed) { pack(user, how_, type_, packed, comm_); });
    }
    void write(std::optional<std::size_t> except = std::nullopt) {
        if (is_direct()) { return; }
        for (std::size_t r = 0; r != bytes_.size(); ++r) {
            if (r != except) { unpack(part(r), place(r), how_, type_, comm_); }
        }
    }

    [[nodiscard]] std::vector<std::size_t> const& counts() const { return bytes_; }
    [[nodiscard]] records<record> get() {
        auto* const first = is_direct() ? user_ + start_ * how_.extent : copy_.data();
        return {first, sum(bytes_), 1};
    }

private:
    [[nodiscard]] bool is_direct() const { return how_.dense && in_a_row_; }
    [[nodiscard]] std::byte* place(std::size_t r) const { return user_ + places_[r] * how_.extent; }
    [[nodiscard]] std::span<std::byte> part(std::size_t r) {
        auto const first =
            std::accumulate(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(r), std::size_t{0});
        return std::span{copy_}.subspan(first, bytes_[r]);
    }

    template <class Action>
    void for_each(std::optional<std::size_t> only, Action action) {
        if (is_direct()) { return; }
        for (std::size_t r = 0; r != bytes_.size(); ++r) {
            if (!only || r == *only) { action(place(r), part(r)); }
        }
    }

    std::byte* user_;
    MPI_Datatype type_;
    MPI_Comm comm_;
    layout how_;
    bool in_a_row_ = true;
    MPI_Aint start_ = 0;
    std::vector<MPI_Aint> places_;
    std::vector<std::size_t> bytes_;
    std::vector<std::byte> copy_;
};

[[nodiscard]] inline result broadcast(void* both, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    constexpr auto which = function::broadcast;
    if (count <= 0 || !is_on()) { return std::nullopt; }
    auto const bytes = static_cast<std::size_t>(count) * size_of(type);
    auto const ranks = ranks_of(comm);
    if (ranks == 0 || bytes == 0 || root < 0 || root >= ranks || !is_worthwhile(which, bytes, MPI_OP_NULL)) {
        return leave(which, bytes);
    }
    return code_of(comm, [&] {
        bytes_of data{both, static_cast<std::size_t>(count), type, comm};
        bool const is_root = rank_of(comm) == root;
        if (is_root) { data.read(); }
        perform_call<overloads::broadcast>(which, bytes, comm, data.get(), root);
        if (!is_root) { data.write(); }
    });
}

/// A part of the vector on every rank, as the root or another rank gives it: `count` elements of `type`.
struct rooted_call {
    bool is_root;
    bool in_place;
    bool has_counts;
    std::size_t bytes;                 ///< of this rank's own part; 0 in place
    std::vector<std::size_t> numbers;  ///< on the root, elements of each rank
};

/// What gathers and scatters have in common. `own` is the buffer of this rank's part, `count` and `type` describe it;
/// `counts`, or `equal` for all, and `whole_type` describe the root's vector. Arguments are right where they are
/// significant; nothing if the call goes to MPI.
[[nodiscard]] inline std::optional<rooted_call> take_rooted(function which, void const* own, int count,
                                                            MPI_Datatype type, int const* counts, int equal,
                                                            MPI_Datatype whole_type, int root, MPI_Comm comm) {
    if (!is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    if (ranks == 0 || root < 0 || root >= ranks) { return std::nullopt; }
    rooted_call call{rank_of(comm) == root, own == MPI_IN_PLACE,
                     which == function::gatherv || which == function::scatterv, 0, {}};
    if (call.in_place && !call.is_root) { return std::nullopt; }
    auto const part = call.has_counts ? 0
                      : call.is_root  ? static_cast<std::size_t>(std::max(equal, 0)) * size_of(whole_type)
                                      : static_cast<std::size_t>(std::max(count, 0)) * size_of(type);
    if ((!call.has_counts && part == 0) ||
        !is_worthwhile(which, part * static_cast<std::size_t>(ranks), MPI_OP_NULL)) {
        static_cast<void>(leave(which, part));
        return std::nullopt;
    }
    if (!call.in_place) {
        if (count < 0 || type == MPI_DATATYPE_NULL) { return std::nullopt; }
        call.bytes = static_cast<std::size_t>(count) * size_of(type);
    }
    if (!call.is_root) { return call; }
    if (whole_type == MPI_DATATYPE_NULL) { return std::nullopt; }
    if (!call.has_counts) {
        call.numbers.assign(static_cast<std::size_t>(ranks), static_cast<std::size_t>(equal));
    } else if (auto given = counts_of(counts, ranks, 1)) {
        call.numbers = std::move(*given);
    } else {
        return std::nullopt;
    }
    return call;
}

[[nodiscard]] inline result gather(function which, void const* in, int count, MPI_Datatype type, void* out,
                                   int const* counts, int equal, int const* displacements, MPI_Datatype out_type,
                                   int root, MPI_Comm comm) {
    auto call = take_rooted(which, in, count, type, counts, equal, out_type, root, comm);
    if (!call) { return std::nullopt; }
    bool const is_root = call->is_root, in_place = call->in_place, has_counts = call->has_counts;
    auto const bytes = call->bytes;
    return code_of(comm, [&] {
        if (!is_root) {
            bytes_of own{in, static_cast<std::size_t>(count), type, comm};
            own.read();
            records<record> const none{static_cast<std::byte*>(nullptr), 0, 1};
            if (has_counts) {
                perform_call<overloads::gather>(which, bytes, comm, own.get(), none, std::span<std::size_t const>{},
                                                root);
            } else {
                perform_call<overloads::gather>(which, bytes, comm, own.get(), none, root);
            }
            return;
        }
        parts_of all{out, std::move(call->numbers), displacements, out_type, comm};
        auto const self = static_cast<std::size_t>(root);
        if (in_place) {
            all.read(self);
            if (has_counts) {
                perform_call<overloads::gather>(which, bytes, comm, inplace(all.get()), all.counts(), root);
            } else {
                perform_call<overloads::gather>(which, bytes, comm, inplace(all.get()), root);
            }
            all.write(self);
        } else {
            bytes_of own{in, static_cast<std::size_t>(count), type, comm};
            own.read();
            if (has_counts) {
                perform_call<overloads::gather>(which, bytes, comm, own.get(), all.get(), all.counts(), root);
            } else {
                perform_call<overloads::gather>(which, bytes, comm, own.get(), all.get(), root);
            }
            all.write();
        }
    });
}

[[nodiscard]] inline result scatter(function which, void const* in, int const* counts, int equal,
                                    int const* displacements, MPI_Datatype type, void* out, int count,
                                    MPI_Datatype out_type, int root, MPI_Comm comm) {
    auto call = take_rooted(which, out, count, out_type, counts, equal, type, root, comm);
    if (!call) { return std::nullopt; }
    bool const is_root = call->is_root, in_place = call->in_place, has_counts = call->has_counts;
    auto const bytes = call->bytes;
    return code_of(comm, [&] {
        std::optional<parts_of> all;
        records<record> whole{static_cast<std::byte*>(nullptr), 0, 1};
        std::vector<std::size_t> none;
        if (is_root) {
            all.emplace(in, std::move(call->numbers), displacements, type, comm);
            all->read();
            whole = all->get();
        }
        std::span<std::size_t const> const parts = is_root ? all->counts() : none;
        if (in_place) {
            if (has_counts) {
                perform_call<overloads::scatter>(which, bytes, comm, inplace(whole), parts, root);
            } else {
                perform_call<overloads::scatter>(which, bytes, comm, inplace(whole), root);
            }
            return;
        }
        bytes_of own{out, static_cast<std::size_t>(count), out_type, comm};
        if (has_counts) {
            perform_call<overloads::scatter>(which, bytes, comm, whole, own.get(), parts, root);
        } else {
            perform_call<overloads::scatter>(which, bytes, comm, whole, own.get(), root);
        }
        own.write();
    });
}

[[nodiscard]] inline result all_gather(function which, void const* in, int count, MPI_Datatype type, void* out,
                                       int const* counts, int equal, int const* displacements, MPI_Datatype out_type,
                                       MPI_Comm comm) {
    if (!is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    if (ranks == 0 || out_type == MPI_DATATYPE_NULL) { return std::nullopt; }
    bool const in_place = in == MPI_IN_PLACE;
    std::vector<std::size_t> numbers;
    if (which == function::all_gather) {
        if (equal < 0) { return std::nullopt; }
        numbers.assign(static_cast<std::size_t>(ranks), static_cast<std::size_t>(equal));
    } else if (auto given = counts_of(counts, ranks, 1)) {
        numbers = std::move(*given);
    } else {
        return std::nullopt;
    }
    auto const total = sum(numbers) * size_of(out_type);
    if (total == 0 || !is_worthwhile(which, total, MPI_OP_NULL)) { return leave(which, total); }
    if (!in_place && (count < 0 || type == MPI_DATATYPE_NULL)) { return std::nullopt; }
    return code_of(comm, [&] {
        auto const self = static_cast<std::size_t>(rank_of(comm));
        parts_of all{out, std::move(numbers), displacements, out_type, comm};
        if (in_place) {
            all.read(self);
            if (which == function::all_gather) {
                perform_call<overloads::all_gather>(which, total, comm, inplace(all.get()));
            } else {
                perform_call<overloads::all_gather>(which, total, comm, inplace(all.get()), all.counts());
            }
            all.write(self);
        } else {
            bytes_of own{in, static_cast<std::size_t>(count), type, comm};
            own.read();
            if (which == function::all_gather) {
                perform_call<overloads::all_gather>(which, total, comm, own.get(), all.get());
            } else {
                perform_call<overloads::all_gather>(which, total, comm, own.get(), all.get(), all.counts());
            }
            all.write();
        }
    });
}

[[nodiscard]] inline result barrier(MPI_Comm comm) {
    if (!is_on()) { return std::nullopt; }
    auto const ranks = ranks_of(comm);
    if (ranks == 0 || !is_worthwhile(function::barrier, 0, MPI_OP_NULL)) { return leave(function::barrier, 0); }
    if (environment::get().report) { report::get().taken(function::barrier, 0, "all_reduce"); }
    return code_of(comm, [&] { tutti::barrier(comm); });
}

}  // namespace tutti::accelerator
