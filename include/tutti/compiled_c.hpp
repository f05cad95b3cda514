// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The functions of <tutti/tutti.h>. The target tutti::c compiles this file once; a program without CMake includes it in
// one translation unit of its own.
#ifdef TUTTI_COMPILED
#error "tutti: this translation unit defines what those with TUTTI_COMPILED declare; compile it without that"
#endif

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <tutti/communicator/mpi/declarations.hpp>

#pragma GCC visibility push(default)
#include <tutti/tutti.h>
#pragma GCC visibility pop

#include <tutti/collective/records.hpp>
#include <tutti/mpi.hpp>

/// A plan of any type.
struct tutti_request_data {
    tutti_request_data() = default;
    tutti_request_data(tutti_request_data const&) = delete;
    tutti_request_data& operator=(tutti_request_data const&) = delete;
    virtual ~tutti_request_data() = default;
    virtual void start() = 0;
    virtual bool test() = 0;
    virtual void wait() = 0;
};

namespace tutti::c {

template <class Plan>
class request final : public tutti_request_data {
public:
    explicit request(Plan made) : plan_{std::move(made)} {}
    void start() override { plan_.start(); }
    bool test() override { return plan_.test(); }
    void wait() override { plan_.wait(); }

private:
    Plan plan_;
};

[[nodiscard]] inline std::string& last_error() {
    static thread_local std::string text;
    return text;
}

/// What a function of C returns that does `action`.
template <class Action>
[[nodiscard]] int code_of(Action action) noexcept {
    auto const failed = [](int code, char const* what) noexcept {
        try {
            last_error() = what;
        } catch (...) {}
        return code;
    };
    try {
        action();
        return TUTTI_SUCCESS;
    } catch (std::bad_alloc const& wrong) {
        return failed(TUTTI_OUT_OF_MEMORY, wrong.what());
    } catch (std::invalid_argument const& wrong) {
        return failed(TUTTI_INVALID_ARGUMENT, wrong.what());
    } catch (std::logic_error const& wrong) {
        return failed(TUTTI_WRONG_USE, wrong.what());
    } catch (operand_missing const& wrong) {
        return failed(TUTTI_OTHER, wrong.what());
    } catch (mpi::error const& wrong) {
        return failed(TUTTI_COMMUNICATION, wrong.what());
    } catch (peer_failed const& wrong) {
        return failed(TUTTI_COMMUNICATION, wrong.what());
    } catch (communicator_failed const& wrong) {
        return failed(TUTTI_COMMUNICATION, wrong.what());
    } catch (count_mismatch const& wrong) {
        return failed(TUTTI_COMMUNICATION, wrong.what());
    } catch (std::exception const& wrong) { return failed(TUTTI_OTHER, wrong.what()); } catch (...) {
        return failed(TUTTI_OTHER, "an unknown exception");
    }
}

/// Refuses a call as the overloads of collectives do.
[[noreturn]] inline void refuse(MPI_Comm comm, char const* what) {
    std::invalid_argument const why{what};
    call_modes::note_refused(comm, why);
    throw why;
}

[[nodiscard]] inline run_time_operator checked(MPI_Comm comm, tutti_operator op) {
    if (op.combine == nullptr) { refuse(comm, "tutti: the operator has no function"); }
    return {op.combine, op.state, op.commutes != 0};
}

[[nodiscard]] inline bool in_place(void const* pointer) { return pointer == TUTTI_IN_PLACE; }

[[nodiscard]] inline std::size_t size_of(MPI_Comm comm) {
    return static_cast<std::size_t>(argument::communicator_for(comm).size());
}
[[nodiscard]] inline std::size_t rank_of(MPI_Comm comm) {
    return static_cast<std::size_t>(argument::communicator_for(comm).rank());
}
[[nodiscard]] inline std::span<std::size_t const> all_counts(MPI_Comm comm, std::size_t const* counts) {
    if (counts == nullptr) { refuse(comm, "tutti: counts is a null pointer"); }
    return {counts, size_of(comm)};
}
[[nodiscard]] inline std::size_t sum(std::span<std::size_t const> counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// Performs a call.
struct at_once {
    template <class Overloads, class BlockingOverloads, class... Arguments>
    void operator()(call_modes::blocking<BlockingOverloads> const& call, call_modes::persistent<Overloads> const&,
                    Arguments&&... arguments) const {
        call(std::forward<Arguments>(arguments)...);
    }
};

/// Makes a request of a call.
struct later {
    tutti_request* request;
    bool starts;

    template <class Overloads, class BlockingOverloads, class... Arguments>
    void operator()(call_modes::blocking<BlockingOverloads> const&, call_modes::persistent<Overloads> const& plan,
                    Arguments&&... arguments) const {
        if (request == nullptr) { throw std::invalid_argument{"tutti: request is a null pointer"}; }
        using Plan = decltype(plan(std::forward<Arguments>(arguments)...));
        auto made = std::make_unique<c::request<Plan>>(plan(std::forward<Arguments>(arguments)...));
        if (starts) { made->start(); }
        *request = made.release();
    }
};

/// The root's vector, which a scatter in place does not write.
[[nodiscard]] inline records<record> writable(records<record const> whole) {
    return {const_cast<record*>(whole.begin()), static_cast<std::size_t>(whole.end() - whole.begin()), whole.extent()};
}

template <class Form>
void broadcast(Form const& form, MPI_Comm comm, void* inout, std::size_t count, std::size_t extent, int root) {
    form(tutti::broadcast, plan::broadcast, comm, records{inout, count, extent}, root);
}

template <class Form>
void reduce(Form const& form, MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
            tutti_operator op, int root) {
    if (in_place(in)) {
        form(tutti::reduce, plan::reduce, comm, inplace(records{out, count, extent}), checked(comm, op), root);
    } else if (static_cast<int>(rank_of(comm)) == root) {
        form(tutti::reduce, plan::reduce, comm, records{in, count, extent}, records{out, count, extent},
             checked(comm, op), root);
    } else {
        form(tutti::reduce, plan::reduce, comm, records{in, count, extent}, checked(comm, op), root);
    }
}

/// A collective by which every rank has a result that is as long as its operand.
template <class Form, class Call, class Plan>
void to_each(Form const& form, Call const& call, Plan const& plan, MPI_Comm comm, void const* in, void* out,
             std::size_t count, std::size_t extent, tutti_operator op) {
    if (in_place(in)) {
        form(call, plan, comm, inplace(records{out, count, extent}), checked(comm, op));
    } else {
        form(call, plan, comm, records{in, count, extent}, records{out, count, extent}, checked(comm, op));
    }
}

template <class Form, class... Arguments>
void all_reduce(Form const& form, Arguments... arguments) {
    to_each(form, tutti::all_reduce, plan::all_reduce, arguments...);
}
template <class Form, class... Arguments>
void inclusive_scan(Form const& form, Arguments... arguments) {
    to_each(form, tutti::inclusive_scan, plan::inclusive_scan, arguments...);
}
template <class Form, class... Arguments>
void exclusive_scan(Form const& form, Arguments... arguments) {
    to_each(form, tutti::exclusive_scan, plan::exclusive_scan, arguments...);
}

template <class Form>
void scan_reduce(Form const& form, MPI_Comm comm, void const* in, void* prefix, void* total, std::size_t count,
                 std::size_t extent, tutti_operator op) {
    records const all{total, count, extent};
    if (in_place(in)) {
        form(tutti::scan_reduce, plan::scan_reduce, comm, inplace(records{prefix, count, extent}), all,
             checked(comm, op));
    } else {
        form(tutti::scan_reduce, plan::scan_reduce, comm, records{in, count, extent}, records{prefix, count, extent},
             all, checked(comm, op));
    }
}

template <class Form>
void reduce_scatter(Form const& form, MPI_Comm comm, void const* in, void* out, std::size_t const* counts,
                    std::size_t extent, tutti_operator op) {
    auto const parts = all_counts(comm, counts);
    if (in_place(in)) {
        form(tutti::reduce_scatter, plan::reduce_scatter, comm, inplace(records{out, sum(parts), extent}), parts,
             checked(comm, op));
    } else {
        form(tutti::reduce_scatter, plan::reduce_scatter, comm, records{in, sum(parts), extent},
             records{out, parts[rank_of(comm)], extent}, parts, checked(comm, op));
    }
}

template <class Form>
void reduce_scatter_block(Form const& form, MPI_Comm comm, void const* in, void* out, std::size_t count,
                          std::size_t extent, tutti_operator op) {
    auto const whole = count * size_of(comm);
    if (in_place(in)) {
        form(tutti::reduce_scatter, plan::reduce_scatter, comm, inplace(records{out, whole, extent}),
             checked(comm, op));
    } else {
        form(tutti::reduce_scatter, plan::reduce_scatter, comm, records{in, whole, extent}, records{out, count, extent},
             checked(comm, op));
    }
}

template <class Form>
void all_gather(Form const& form, MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent) {
    records const whole{out, count * size_of(comm), extent};
    if (in_place(in)) {
        form(tutti::all_gather, plan::all_gather, comm, inplace(whole));
    } else {
        form(tutti::all_gather, plan::all_gather, comm, records{in, count, extent}, whole);
    }
}

template <class Form>
void all_gatherv(Form const& form, MPI_Comm comm, void const* in, void* out, std::size_t const* counts,
                 std::size_t extent) {
    auto const parts = all_counts(comm, counts);
    records const whole{out, sum(parts), extent};
    if (in_place(in)) {
        form(tutti::all_gather, plan::all_gather, comm, inplace(whole), parts);
    } else {
        form(tutti::all_gather, plan::all_gather, comm, records{in, parts[rank_of(comm)], extent}, whole, parts);
    }
}

template <class Form>
void gather(Form const& form, MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
            int root) {
    bool const is_root = static_cast<int>(rank_of(comm)) == root;
    records const whole{is_root ? out : nullptr, is_root ? count * size_of(comm) : 0, extent};
    if (in_place(in)) {
        form(tutti::gather, plan::gather, comm, inplace(whole), root);
    } else {
        form(tutti::gather, plan::gather, comm, records{in, count, extent}, whole, root);
    }
}

template <class Form>
void gatherv(Form const& form, MPI_Comm comm, void const* in, std::size_t count, void* out, std::size_t const* counts,
             std::size_t extent, int root) {
    bool const is_root = static_cast<int>(rank_of(comm)) == root;
    auto const parts = is_root ? all_counts(comm, counts) : std::span<std::size_t const>{};
    records const whole{is_root ? out : nullptr, sum(parts), extent};
    if (in_place(in)) {
        form(tutti::gather, plan::gather, comm, inplace(whole), parts, root);
    } else {
        form(tutti::gather, plan::gather, comm, records{in, count, extent}, whole, parts, root);
    }
}

template <class Form>
void scatter(Form const& form, MPI_Comm comm, void const* in, void* out, std::size_t count, std::size_t extent,
             int root) {
    bool const is_root = static_cast<int>(rank_of(comm)) == root;
    records const whole{is_root ? in : nullptr, is_root ? count * size_of(comm) : 0, extent};
    if (in_place(out)) {
        form(tutti::scatter, plan::scatter, comm, inplace(writable(whole)), root);
    } else {
        form(tutti::scatter, plan::scatter, comm, whole, records{out, count, extent}, root);
    }
}

template <class Form>
void scatterv(Form const& form, MPI_Comm comm, void const* in, std::size_t const* counts, void* out, std::size_t count,
              std::size_t extent, int root) {
    bool const is_root = static_cast<int>(rank_of(comm)) == root;
    auto const parts = is_root ? all_counts(comm, counts) : std::span<std::size_t const>{};
    records const whole{is_root ? in : nullptr, sum(parts), extent};
    if (in_place(out)) {
        form(tutti::scatter, plan::scatter, comm, inplace(writable(whole)), parts, root);
    } else {
        form(tutti::scatter, plan::scatter, comm, whole, records{out, count, extent}, parts, root);
    }
}

}  // namespace tutti::c

extern "C" {

char const* tutti_error_string(int code) {
    switch (code) {
    case TUTTI_SUCCESS: return "success";
    case TUTTI_INVALID_ARGUMENT: return "an argument is invalid";
    case TUTTI_OUT_OF_MEMORY: return "out of memory";
    case TUTTI_COMMUNICATION: return "communication has failed";
    case TUTTI_WRONG_USE: return "a request was started while it ran, or its communicator has been freed";
    case TUTTI_OTHER: return "the operator has failed, here or on another rank";
    default: return "not an error code of tutti";
    }
}

char const* tutti_last_error(void) { return tutti::c::last_error().c_str(); }

MPI_Comm tutti_comm_f2c(MPI_Fint comm) { return MPI_Comm_f2c(comm); }

int tutti_barrier(MPI_Comm comm) {
    return tutti::c::code_of([&] { tutti::barrier(comm); });
}

int tutti_recover(MPI_Comm comm) {
    return tutti::c::code_of([&] { tutti::recover(comm); });
}

int tutti_start(tutti_request request) {
    return tutti::c::code_of([&] {
        if (request != nullptr) { request->start(); }
    });
}

int tutti_test(tutti_request request, int* done) {
    *done = 1;  // also where the run has failed
    return tutti::c::code_of([&] { *done = request == nullptr || request->test() ? 1 : 0; });
}

int tutti_wait(tutti_request request) {
    return tutti::c::code_of([&] {
        if (request != nullptr) { request->wait(); }
    });
}

int tutti_request_free(tutti_request* request) {
    return tutti::c::code_of([&] { delete std::exchange(*request, nullptr); });
}

// NAME, tutti_start_NAME and tutti_plan_NAME, with these arguments and parameters.
#define TUTTI_FORMS(name, arguments, ...)                                                                              \
    int tutti_##name(__VA_ARGS__) {                                                                                    \
        return tutti::c::code_of([&] { tutti::c::name(tutti::c::at_once{}, TUTTI_ALL arguments); });                   \
    }                                                                                                                  \
    int tutti_start_##name(__VA_ARGS__, tutti_request* request) {                                                      \
        return tutti::c::code_of([&] { tutti::c::name(tutti::c::later{request, true}, TUTTI_ALL arguments); });        \
    }                                                                                                                  \
    int tutti_plan_##name(__VA_ARGS__, tutti_request* request) {                                                       \
        return tutti::c::code_of([&] { tutti::c::name(tutti::c::later{request, false}, TUTTI_ALL arguments); });       \
    }
#define TUTTI_ALL(...) __VA_ARGS__

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
#undef TUTTI_ALL

}  // extern "C"
