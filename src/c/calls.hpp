// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

namespace collective = tutti::collective;
namespace overloads = tutti::overloads;

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

/// How a vector is divided among the ranks.
struct division {
    std::size_t part;   ///< elements of this rank's
    std::size_t whole;  ///< elements of all together
    std::optional<std::span<std::size_t const>> counts{};
    bool has_whole = true;
};

[[nodiscard]] inline division in_equal_parts(MPI_Comm comm, std::size_t count) {
    return {count, product(count, size_of(comm))};
}
[[nodiscard]] inline division by_counts(MPI_Comm comm, std::size_t const* counts) {
    if (counts == nullptr) { throw std::invalid_argument{"tutti: counts is a null pointer; give one for each rank"}; }
    std::span const all{counts, size_of(comm)};
    return {all[rank_of(comm)], argument::counts_of_ranks{all}.total(), all};
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
[[nodiscard]] inline division at_root(MPI_Comm comm, int root, void const* at, std::size_t count) {
    return is_root(comm, root, at) ? in_equal_parts(comm, count) : division{count, 0, std::nullopt, false};
}
[[nodiscard]] inline division at_root(MPI_Comm comm, int root, void const* at, std::size_t count,
                                      std::size_t const* counts) {
    if (!is_root(comm, root, at)) { return {count, 0, std::span<std::size_t const>{}, false}; }
    auto how = by_counts(comm, counts);
    how.part = count;
    return how;
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

[[nodiscard]] inline auto to_root(MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
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
template <class Collective>
[[nodiscard]] auto to_each(MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
                           tutti_operator op) {
    using what = overloads::whole_vectors<Collective>;
    auto const result = vector("out", out, count, extent);
    if (in_place(in)) { return invoked<what>(comm, inplace(result), checked(op, extent)); }
    return invoked<what>(comm, vector("in", in, count, extent), result, checked(op, extent));
}

[[nodiscard]] inline auto prefix_and_total(MPI_Comm comm, void const* in, void* prefix, void* total, std::size_t count,
                                           std::size_t extent, tutti_operator op) {
    using what = overloads::scan_reduce;
    auto const before = vector("prefix", prefix, count, extent);
    auto const all = vector("total", total, count, extent);
    if (in_place(in)) { return invoked<what>(comm, inplace(before), all, checked(op, extent)); }
    return invoked<what>(comm, vector("in", in, count, extent), before, all, checked(op, extent));
}

/// A collective that divides a vector among the ranks; `last` is its operator or its root, if it has one.
template <class What, class... Last>
[[nodiscard]] auto divided(MPI_Comm comm, void const* in, void* out, std::size_t extent, division const& how,
                           Last... last) {
    using Collective = typename What::collective_type;
    auto const invoked_on = [&](auto const&... vectors) {  // on copies of `last`: of a variable calls keep a reference
        return how.counts ? invoked<What>(comm, vectors..., *how.counts, Last{last}...)
                          : invoked<What>(comm, vectors..., Last{last}...);
    };
    if constexpr (argument::gives_part<Collective>) {
        auto const whole = vector("out", how.has_whole ? out : nullptr, how.whole, extent);
        return in_place(in) ? invoked_on(inplace(whole)) : invoked_on(vector("in", in, how.part, extent), whole);
    } else if constexpr (collective::is_rooted<Collective>) {
        auto const whole = vector("in", how.has_whole ? in : nullptr, how.whole, extent);
        return in_place(out) ? invoked_on(inplace(writable(whole)))
                             : invoked_on(whole, vector("out", out, how.part, extent));
    } else {
        if (in_place(in)) { return invoked_on(inplace(vector("out", out, how.whole, extent))); }
        return invoked_on(vector("in", in, how.whole, extent), vector("out", out, how.part, extent));
    }
}

/// Performs the call that `make` makes of the arguments.
template <class Make>
[[nodiscard]] int perform_call(MPI_Comm comm, Make make) {
    return code_of([&] { engine::perform(call_modes::noting_refusal(comm, make)); });
}

/// Makes a request of it, which is to be started.
template <class Make>
[[nodiscard]] int make_request(MPI_Comm comm, tutti_request* request, bool starts, Make make) {
    return code_of([&] {
        if (request != nullptr) { *request = nullptr; }
        auto what = call_modes::noting_refusal(
            comm,
            [&] {
                if (request == nullptr) {
                    throw std::invalid_argument{"tutti: request is a null pointer; give its address"};
                }
                return make();
            },
            true);
        using Plan = decltype(engine::make_plan(std::move(what)));
        auto made = std::make_unique<c::request<Plan>>(engine::make_plan(std::move(what)));
        if (starts) { made->start(); }
        *request = made.release();
    });
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
        if (done == nullptr) { throw std::invalid_argument{"tutti: done is a null pointer; give its address"}; }
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
        if (request == nullptr) { throw std::invalid_argument{"tutti: request is a null pointer; give its address"}; }
        delete std::exchange(*request, nullptr);
    });
}

int tutti_explain(tutti_request request, char const** text) {
    return tutti::c::code_of([&] {
        if (text == nullptr) { throw std::invalid_argument{"tutti: text is a null pointer; give its address"}; }
        *text = request != nullptr ? request->explain() : "";
    });
}

// NAME, tutti_start_NAME and tutti_plan_NAME, with these parameters, of which `call` is made.
#define TUTTI_FORMS(name, call, ...)                                                                                   \
    int tutti_##name(__VA_ARGS__) {                                                                                    \
        using namespace tutti::c;                                                                                      \
        return perform_call(comm, [&] { return call; });                                                               \
    }                                                                                                                  \
    int tutti_start_##name(__VA_ARGS__, tutti_request* request) {                                                      \
        using namespace tutti::c;                                                                                      \
        return make_request(comm, request, true, [&] { return call; });                                                \
    }                                                                                                                  \
    int tutti_plan_##name(__VA_ARGS__, tutti_request* request) {                                                       \
        using namespace tutti::c;                                                                                      \
        return make_request(comm, request, false, [&] { return call; });                                               \
    }

TUTTI_FORMS(broadcast, invoked<overloads::broadcast>(comm, vector("inout", inout, count, extent), root), MPI_Comm comm,
            void* inout, std::size_t count, std::size_t extent, int root)
TUTTI_FORMS(reduce, to_root(comm, in, out, count, extent, op, root), MPI_Comm comm, void const* in, void* out,
            std::size_t count, std::size_t extent, tutti_operator op, int root)
TUTTI_FORMS(all_reduce, to_each<collective::all_reduce>(comm, in, out, count, extent, op), MPI_Comm comm,
            void const* in, void* out, std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(inclusive_scan, to_each<collective::inclusive_scan>(comm, in, out, count, extent, op), MPI_Comm comm,
            void const* in, void* out, std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(exclusive_scan, to_each<collective::exclusive_scan>(comm, in, out, count, extent, op), MPI_Comm comm,
            void const* in, void* out, std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(scan_reduce, prefix_and_total(comm, in, prefix, total, count, extent, op), MPI_Comm comm, void const* in,
            void* prefix, void* total, std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(reduce_scatter,
            divided<overloads::reduce_scatter>(comm, in, out, extent, by_counts(comm, counts), checked(op, extent)),
            MPI_Comm comm, void const* in, void* out, std::size_t const* counts, std::size_t extent, tutti_operator op)
TUTTI_FORMS(reduce_scatter_block,
            divided<overloads::reduce_scatter>(comm, in, out, extent, in_equal_parts(comm, count), checked(op, extent)),
            MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent, tutti_operator op)
TUTTI_FORMS(all_gather, divided<overloads::all_gather>(comm, in, out, extent, in_equal_parts(comm, count)),
            MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent)
TUTTI_FORMS(all_gatherv, divided<overloads::all_gather>(comm, in, out, extent, by_counts(comm, counts)),
            MPI_Comm comm, void const* in, void* out, std::size_t const* counts, std::size_t extent)
TUTTI_FORMS(gather, divided<overloads::gather>(comm, in, out, extent, at_root(comm, root, in, count), root),
            MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent, int root)
TUTTI_FORMS(gatherv, divided<overloads::gather>(comm, in, out, extent, at_root(comm, root, in, count, counts), root),
            MPI_Comm comm, void const* in, std::size_t count, void* out, std::size_t const* counts, std::size_t extent,
            int root)
TUTTI_FORMS(scatter, divided<overloads::scatter>(comm, in, out, extent, at_root(comm, root, out, count), root),
            MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent, int root)
TUTTI_FORMS(scatterv, divided<overloads::scatter>(comm, in, out, extent, at_root(comm, root, out, count, counts), root),
            MPI_Comm comm, void const* in, std::size_t const* counts, void* out, std::size_t count, std::size_t extent,
            int root)

#undef TUTTI_FORMS

}  // extern "C"
