// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What is noted of functions of MPI that are only taken where calls are observed, in C and in Fortran.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <pmpi/call_signature.hpp>
#include <pmpi/fortran.hpp>
#include <pmpi/roles.hpp>
#include <watch/exit_report.hpp>
#include <watch/lengths.hpp>
#include <watch/observer.hpp>

namespace tutti::watch {

/// Called where a rank ends without MPI_Finalize.
inline void report_exit(char const* how, void const* returns_to) {
    if (observer::watches()) { exit_report::write(how, returns_to); }
}

/// What ranks know alike that make a communicator without having one in common: a tag, or which function they call.
template <class Function, class... P>
[[nodiscard]] std::string common_word(std::tuple<P...> const& all) {
    bool const is_between = std::string_view{Function::name}.starts_with("MPI_Intercomm");
    std::string const begin = is_between ? "between, tag " : "tag ";
    if constexpr (has<Function>(role::tag)) {
        return begin + std::to_string(value_of<Function, role::tag>(all));
    } else if constexpr (has<Function>(role::tag_text)) {
        return begin + value_of<Function, role::tag_text>(all);
    } else {
        return Function::does == category::makes_between ? "port" : "join";
    }
}

/// Observes a call that `call()` performs, which returns MPI's error code.
template <class Function, class Call, class... P>
[[nodiscard]] int observe(void const* site, Call call, P... arguments) {
    using enum category;
    constexpr auto does = Function::does;
    auto const all = std::tuple{arguments...};
    [[maybe_unused]] auto const signature = [&] { return signature_of<Function>(&observed_ranks, arguments...); };
    [[maybe_unused]] auto const lengths = lengths_of<Function>(arguments...);
    if constexpr (does == collective) {
        return observer::collective(signature(), site, lengths, call);
    } else if constexpr (does == begun) {
        return observer::begun(signature(), value_of<Function, role::request>(all), site, lengths, call);
    } else if constexpr (does == message) {
        return observer::other(signature(), site, call);
    } else if constexpr (does == waits_for_all || does == waits_for_any || does == tests) {
        constexpr auto until = does == waits_for_all   ? observer::until::all
                               : does == waits_for_any ? observer::until::any
                                                       : observer::until::nothing;
        return observer::completion(Function::name, until, value_of<Function, role::number>(all, 1),
                                    value_of<Function, role::request>(all), site, call);
    } else if constexpr (does == aborts) {
        report_exit("calls MPI_Abort", site);
        return call();
    } else {
        auto* const made = value_of<Function, role::made>(all);
        if constexpr (does == frees) {
            return observer::freeing(Function::name, made, site, call);
        } else if constexpr (does == makes_by_some) {
            return observer::making_by_some(signature(), common_word<Function>(all), made, site, call);
        } else if constexpr (does == makes_between) {
            return observer::making_between(signature(), common_word<Function>(all), made, site, call);
        } else if constexpr (has<Function>(role::request)) {
            return observer::begun_making(signature(), made, value_of<Function, role::request>(all), site, call);
        } else {
            static_assert(does == makes);
            return observer::making(signature(), made, site, call);
        }
    }
}

/// The requests and the communicator among the arguments of a call from Fortran, as C has them.
struct handles_in_c {
    MPI_Fint* requests_in_fortran;
    MPI_Fint* made_in_fortran;
    std::vector<MPI_Request> requests{};
    MPI_Comm made = MPI_COMM_NULL;

    void read() {
        auto* next = requests_in_fortran;
        for (auto& each : requests) { each = PMPI_Request_f2c(*next++); }
        if (made_in_fortran != nullptr) { made = PMPI_Comm_f2c(*made_in_fortran); }
    }
};

/// The same of calls from Fortran of a function that has this signature in C.
template <class Function, class Signature>
struct fortran_observer;

template <class Function, class... P>
struct fortran_observer<Function, int(P...)> {
    [[nodiscard]] static std::size_t number_of_requests(std::tuple<address<P>...> const& all) {
        if constexpr (has<Function>(role::number)) {
            return static_cast<std::size_t>(std::max(0, from_fortran<int>(value_of<Function, role::number>(all))));
        } else {
            return has<Function>(role::request) ? 1 : 0;
        }
    }

    template <class Call, class... Lengths>
    [[nodiscard]] static int observe(void const* site, Call call, std::tuple<address<P>...> const& all,
                                     Lengths... lengths_of_texts) {
        if (!observer::is_on()) { return call(); }
        handles_in_c handles{static_cast<MPI_Fint*>(value_of<Function, role::request>(all, nullptr)),
                             static_cast<MPI_Fint*>(value_of<Function, role::made>(all, nullptr))};
        handles.requests.resize(number_of_requests(all), MPI_REQUEST_NULL);
        std::string tag;
        if constexpr (has<Function>(role::tag_text)) {
            tag = text_from_fortran(value_of<Function, role::tag_text>(all), lengths_of_texts...);
        }
        if constexpr (!gives_handles(Function::does)) { handles.read(); }
        auto const performed = [&] {
            int const code = call();
            handles.read();
            return code;
        };
        auto const in_c = [&]<role is, class T>(std::integral_constant<role, is>, std::type_identity<T>,
                                                void* given) -> T {
            if constexpr (is == role::request) {
                return handles.requests.data();
            } else if constexpr (is == role::made) {
                return &handles.made;
            } else if constexpr (is == role::tag_text) {
                return tag.c_str();
            } else {
                return from_fortran<T>(given);
            }
        };
        return [&]<std::size_t... i>(std::index_sequence<i...>) {
            return watch::observe<Function>(site, performed,
                                            in_c(std::integral_constant<role, Function::roles[i]>{},
                                                 std::type_identity<P>{}, std::get<i>(all))...);
        }(std::index_sequence_for<P...>{});
    }
};

}  // namespace tutti::watch
