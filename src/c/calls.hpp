// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include <c/error.hpp>
#include <c/operators.hpp>
#include <tutti/collective/records.hpp>
#include <tutti/mpi.hpp>

/// A plan of any type. The text of `explain` lasts as long as the plan, or until it is asked for again.
struct tutti_request_data {
    tutti_request_data() = default;
    tutti_request_data(tutti_request_data const&) = delete;
    tutti_request_data& operator=(tutti_request_data const&) = delete;
    virtual ~tutti_request_data() = default;
    virtual void start() = 0;
    virtual bool test() = 0;
    virtual void wait() = 0;
    virtual char const* explain() = 0;
};

namespace tutti::c {

template <class Plan>
class request final : public tutti_request_data {
public:
    explicit request(Plan made) : plan_{std::move(made)} {}
    void start() override { plan_.start(); }
    bool test() override { return plan_.test(); }
    void wait() override { plan_.wait(); }
    char const* explain() override {
        text_ = plan_.explain();
        return text_.c_str();
    }

private:
    Plan plan_;
    std::string text_;
};

[[nodiscard]] inline bool in_place(void const* pointer) { return pointer == TUTTI_IN_PLACE; }

[[nodiscard]] inline std::size_t size_of(MPI_Comm comm) {
    return static_cast<std::size_t>(argument::communicator_for(comm).size());
}
[[nodiscard]] inline std::size_t rank_of(MPI_Comm comm) {
    return static_cast<std::size_t>(argument::communicator_for(comm).rank());
}

/// A negative number that became a count is one of these, too.
[[nodiscard]] inline std::size_t product(std::size_t count, std::size_t by) {
    if (by != 0 && count > PTRDIFF_MAX / by) {
        throw std::invalid_argument{"tutti: a count of elements is negative, or more than memory can hold"};
    }
    return count * by;
}

/// The argument `name`.
template <class Bytes>
[[nodiscard]] auto vector(char const* name, Bytes* first, std::size_t count, std::size_t extent) {
    if (product(count, extent) != 0 && (first == nullptr || in_place(first))) {
        throw std::invalid_argument{
            text::joined({"tutti: ", name,
                    first == nullptr ? " is a null pointer, but has elements; give it memory"
                                     : " is TUTTI_IN_PLACE, which cannot stand here; give it memory"})};
    }
    return records{first, count, extent};
}

[[nodiscard]] inline std::span<std::size_t const> all_counts(MPI_Comm comm, std::size_t const* counts) {
    if (counts == nullptr) { throw std::invalid_argument{"tutti: counts is a null pointer"}; }
    return {counts, size_of(comm)};
}
[[nodiscard]] inline std::size_t sum(std::span<std::size_t const> counts) {
    return argument::counts_of_ranks{counts}.total();
}

/// Only the root of a gather or scatter has the whole vector, and its counts. `at`: the argument that is in place
/// there.
[[nodiscard]] inline bool is_root(MPI_Comm comm, int root, void const* at) {
    bool const here = static_cast<int>(rank_of(comm)) == root;
    if (!here && in_place(at)) {
        throw std::invalid_argument{"tutti: TUTTI_IN_PLACE stands on the root only; give this rank memory of its own"};
    }
    return here;
}
[[nodiscard]] inline std::span<std::size_t const> counts_on(bool root, MPI_Comm comm, std::size_t const* counts) {
    return root ? all_counts(comm, counts) : std::span<std::size_t const>{};
}

/// The root's vector, which a scatter in place does not write.
[[nodiscard]] inline records<packing::record> writable(records<packing::record const> whole) {
    return {const_cast<packing::record*>(whole.begin()), static_cast<std::size_t>(whole.end() - whole.begin()),
            whole.extent()};
}

/// The call that the arguments make, checked.
template <class Overloads, class... Arguments>
[[nodiscard]] auto invoked(MPI_Comm comm, Arguments&&... arguments) {
    return call_modes::invocation_of<Overloads>(comm, std::forward<Arguments>(arguments)...);
}

[[nodiscard]] inline auto broadcast(MPI_Comm comm, void* inout, std::size_t count, std::size_t extent, int root) {
    return invoked<overloads::broadcast>(comm, vector("inout", inout, count, extent), root);
}

[[nodiscard]] inline auto reduce(MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
                                 tutti_operator op, int root) {
    using what = overloads::reduce;
    if (in_place(in)) {
        return invoked<what>(comm, inplace(vector("out", out, count, extent)), checked(op, extent), root);
    }
    auto const mine = vector("in", in, count, extent);
    if (static_cast<int>(rank_of(comm)) != root) { return invoked<what>(comm, mine, checked(op, extent), root); }
    return invoked<what>(comm, mine, vector("out", out, count, extent), checked(op, extent), root);
}

/// A collective by which every rank has a result that is as long as its operand.
template <class What>
[[nodiscard]] auto to_each(MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
                           tutti_operator op) {
    auto const result = vector("out", out, count, extent);
    if (in_place(in)) { return invoked<What>(comm, inplace(result), checked(op, extent)); }
    return invoked<What>(comm, vector("in", in, count, extent), result, checked(op, extent));
}

template <class... Arguments>
[[nodiscard]] auto all_reduce(Arguments... arguments) {
    return to_each<overloads::whole_vectors<collective::all_reduce>>(arguments...);
}
template <class... Arguments>
[[nodiscard]] auto inclusive_scan(Arguments... arguments) {
    return to_each<overloads::whole_vectors<collective::inclusive_scan>>(arguments...);
}
template <class... Arguments>
[[nodiscard]] auto exclusive_scan(Arguments... arguments) {
    return to_each<overloads::whole_vectors<collective::exclusive_scan>>(arguments...);
}

[[nodiscard]] inline auto scan_reduce(MPI_Comm comm, void const* in, void* prefix, void* total, std::size_t count,
                                      std::size_t extent, tutti_operator op) {
    using what = overloads::scan_reduce;
    auto const before = vector("prefix", prefix, count, extent);
    auto const all = vector("total", total, count, extent);
    if (in_place(in)) { return invoked<what>(comm, inplace(before), all, checked(op, extent)); }
    return invoked<what>(comm, vector("in", in, count, extent), before, all, checked(op, extent));
}

[[nodiscard]] inline auto reduce_scatter(MPI_Comm comm, void const* in, void* out, std::size_t const* counts,
                                         std::size_t extent, tutti_operator op) {
    using what = overloads::reduce_scatter;
    auto const parts = all_counts(comm, counts);
    auto const whole = sum(parts);
    if (in_place(in)) {
        return invoked<what>(comm, inplace(vector("out", out, whole, extent)), parts, checked(op, extent));
    }
    return invoked<what>(comm, vector("in", in, whole, extent), vector("out", out, parts[rank_of(comm)], extent), parts,
                         checked(op, extent));
}

[[nodiscard]] inline auto reduce_scatter_block(MPI_Comm comm, void const* in, void* out, std::size_t count,
                                               std::size_t extent, tutti_operator op) {
    using what = overloads::reduce_scatter;
    auto const whole = product(count, size_of(comm));
    if (in_place(in)) { return invoked<what>(comm, inplace(vector("out", out, whole, extent)), checked(op, extent)); }
    return invoked<what>(comm, vector("in", in, whole, extent), vector("out", out, count, extent), checked(op, extent));
}

[[nodiscard]] inline auto all_gather(MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent) {
    using what = overloads::all_gather;
    auto const whole = vector("out", out, product(count, size_of(comm)), extent);
    return in_place(in) ? invoked<what>(comm, inplace(whole))
                        : invoked<what>(comm, vector("in", in, count, extent), whole);
}

[[nodiscard]] inline auto all_gatherv(MPI_Comm comm, void const* in, void* out, std::size_t const* counts,
                                      std::size_t extent) {
    using what = overloads::all_gather;
    auto const parts = all_counts(comm, counts);
    auto const whole = vector("out", out, sum(parts), extent);
    return in_place(in) ? invoked<what>(comm, inplace(whole), parts)
                        : invoked<what>(comm, vector("in", in, parts[rank_of(comm)], extent), whole, parts);
}

[[nodiscard]] inline auto gather(MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
                                 int root) {
    using what = overloads::gather;
    bool const here = is_root(comm, root, in);
    auto const whole = vector("out", here ? out : nullptr, here ? product(count, size_of(comm)) : 0, extent);
    return in_place(in) ? invoked<what>(comm, inplace(whole), root)
                        : invoked<what>(comm, vector("in", in, count, extent), whole, root);
}

[[nodiscard]] inline auto gatherv(MPI_Comm comm, void const* in, std::size_t count, void* out,
                                  std::size_t const* counts, std::size_t extent, int root) {
    using what = overloads::gather;
    bool const here = is_root(comm, root, in);
    auto const parts = counts_on(here, comm, counts);
    auto const whole = vector("out", here ? out : nullptr, sum(parts), extent);
    return in_place(in) ? invoked<what>(comm, inplace(whole), parts, root)
                        : invoked<what>(comm, vector("in", in, count, extent), whole, parts, root);
}

[[nodiscard]] inline auto scatter(MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
                                  int root) {
    using what = overloads::scatter;
    bool const here = is_root(comm, root, out);
    auto const whole = vector("in", here ? in : nullptr, here ? product(count, size_of(comm)) : 0, extent);
    return in_place(out) ? invoked<what>(comm, inplace(writable(whole)), root)
                         : invoked<what>(comm, whole, vector("out", out, count, extent), root);
}

[[nodiscard]] inline auto scatterv(MPI_Comm comm, void const* in, std::size_t const* counts, void* out,
                                   std::size_t count, std::size_t extent, int root) {
    using what = overloads::scatter;
    bool const here = is_root(comm, root, out);
    auto const parts = counts_on(here, comm, counts);
    auto const whole = vector("in", here ? in : nullptr, sum(parts), extent);
    return in_place(out) ? invoked<what>(comm, inplace(writable(whole)), parts, root)
                         : invoked<what>(comm, whole, vector("out", out, count, extent), parts, root);
}

/// Performs the call that `make` makes of the arguments.
template <class Make>
void perform_call(MPI_Comm comm, Make make) {
    engine::perform(call_modes::noting_refusal(comm, make));
}

/// Makes a request of it, which is to be started.
template <class Make>
void make_request(MPI_Comm comm, tutti_request* request, bool starts, Make make) {
    if (request != nullptr) { *request = nullptr; }
    auto what = call_modes::noting_refusal(
        comm,
        [&] {
            if (request == nullptr) { throw std::invalid_argument{"tutti: request is a null pointer"}; }
            return make();
        },
        true);
    using Plan = decltype(engine::make_plan(std::move(what)));
    auto made = std::make_unique<c::request<Plan>>(engine::make_plan(std::move(what)));
    if (starts) { made->start(); }
    *request = made.release();
}

}  // namespace tutti::c

extern "C" {

int tutti_start(tutti_request request) {
    return tutti::c::code_of([&] {
        if (request != nullptr) { request->start(); }
    });
}

int tutti_test(tutti_request request, int* done) {
    return tutti::c::code_of([&] {
        if (done == nullptr) { throw std::invalid_argument{"tutti: done is a null pointer"}; }
        *done = 1;  // also where the run has failed
        *done = request == nullptr || request->test() ? 1 : 0;
    });
}

int tutti_wait(tutti_request request) {
    return tutti::c::code_of([&] {
        if (request != nullptr) { request->wait(); }
    });
}

int tutti_request_free(tutti_request* request) {
    return tutti::c::code_of([&] {
        if (request == nullptr) { throw std::invalid_argument{"tutti: request is a null pointer"}; }
        delete std::exchange(*request, nullptr);
    });
}

int tutti_explain(tutti_request request, char const** text) {
    return tutti::c::code_of([&] {
        if (text == nullptr) { throw std::invalid_argument{"tutti: text is a null pointer"}; }
        *text = request != nullptr ? request->explain() : "";
    });
}

// NAME, tutti_start_NAME and tutti_plan_NAME, with these arguments and parameters.
#define TUTTI_FORMS(name, arguments, ...)                                                                              \
    int tutti_##name(__VA_ARGS__) {                                                                                    \
        return tutti::c::code_of([&] { tutti::c::perform_call(comm, [&] { return tutti::c::name arguments; }); });     \
    }                                                                                                                  \
    int tutti_start_##name(__VA_ARGS__, tutti_request* request) {                                                      \
        return tutti::c::code_of(                                                                                      \
            [&] { tutti::c::make_request(comm, request, true, [&] { return tutti::c::name arguments; }); });           \
    }                                                                                                                  \
    int tutti_plan_##name(__VA_ARGS__, tutti_request* request) {                                                       \
        return tutti::c::code_of(                                                                                      \
            [&] { tutti::c::make_request(comm, request, false, [&] { return tutti::c::name arguments; }); });          \
    }

TUTTI_FORMS(broadcast, (comm, inout, count, extent, root), MPI_Comm comm, void* inout, std::size_t count,
            std::size_t extent, int root)
TUTTI_FORMS(reduce, (comm, in, out, count, extent, op, root), MPI_Comm comm, void const* in, void* out,
            std::size_t count, std::size_t extent, tutti_operator op, int root)
TUTTI_FORMS(all_reduce, (comm, in, out, count, extent, op), MPI_Comm comm, void const* in, void* out, std::size_t count,
            std::size_t extent, tutti_operator op)
TUTTI_FORMS(inclusive_scan, (comm, in, out, count, extent, op), MPI_Comm comm, void const* in, void* out,
            std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(exclusive_scan, (comm, in, out, count, extent, op), MPI_Comm comm, void const* in, void* out,
            std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(scan_reduce, (comm, in, prefix, total, count, extent, op), MPI_Comm comm, void const* in, void* prefix,
            void* total, std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(reduce_scatter, (comm, in, out, counts, extent, op), MPI_Comm comm, void const* in, void* out,
            std::size_t const* counts, std::size_t extent, tutti_operator op)
TUTTI_FORMS(reduce_scatter_block, (comm, in, out, count, extent, op), MPI_Comm comm, void const* in, void* out,
            std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(all_gather, (comm, in, out, count, extent), MPI_Comm comm, void const* in, void* out, std::size_t count,
            std::size_t extent)
TUTTI_FORMS(all_gatherv, (comm, in, out, counts, extent), MPI_Comm comm, void const* in, void* out,
            std::size_t const* counts, std::size_t extent)
TUTTI_FORMS(gather, (comm, in, out, count, extent, root), MPI_Comm comm, void const* in, void* out, std::size_t count,
            std::size_t extent, int root)
TUTTI_FORMS(gatherv, (comm, in, count, out, counts, extent, root), MPI_Comm comm, void const* in, std::size_t count,
            void* out, std::size_t const* counts, std::size_t extent, int root)
TUTTI_FORMS(scatter, (comm, in, out, count, extent, root), MPI_Comm comm, void const* in, void* out, std::size_t count,
            std::size_t extent, int root)
TUTTI_FORMS(scatterv, (comm, in, counts, out, count, extent, root), MPI_Comm comm, void const* in,
            std::size_t const* counts, void* out, std::size_t count, std::size_t extent, int root)

#undef TUTTI_FORMS

}  // extern "C"
