// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Compiled twice into one program, header-only and against declarations: calls of all kinds give the same.
#include "modes.hpp"

#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <tutti/generator/ring.hpp>
#include <tutti/threads.hpp>

namespace mine {

/// Ranks 0, 1, ... add in turn.
struct relay {
    friend bool operator==(relay const&, relay const&) = default;
};
constexpr tutti::facts describe(tutti::collective::inclusive_scan, std::type_identity<relay>) {
    return {.name = "relay"};
}
inline auto generate(tutti::collective::inclusive_scan, relay, tutti::problem const& at) {
    tutti::schedules::block_list const whole{tutti::schedules::block_range{0, at.blocks.blocks()}};
    std::vector<tutti::step> steps;
    auto const result = tutti::buffer::result();
    if (at.rank != 0) {
        steps.push_back(
            tutti::step::receive_combine(at.rank - 1, at.rank - 1, result, whole, tutti::side::left));
    }
    if (at.rank + 1 != at.size) { steps.push_back(tutti::step::send(at.rank, at.rank + 1, result, whole)); }
    return tutti::schedules::stored_schedule(at.size, std::move(steps));
}

}  // namespace mine

#ifdef TUTTI_COMPILED
std::string calls_against_declarations() {
#else
std::string calls_header_only() {
#endif
    std::ostringstream said;
    tutti::threads::run(5, [&](auto& world) {
        double const rank = world.rank();
        std::vector<double> in(100, rank + 0.1), sum(100), scanned(100);
        auto const first = [](double a, double) { return a; };
        double const chosen = tutti::all_reduce(world, rank, std::plus<>{});
        tutti::all_reduce(world, in, sum, std::plus<>{}, tutti::ring{});
        tutti::inclusive_scan(world, in, scanned, std::plus<>{}, mine::relay{});
        auto const word =
            tutti::all_reduce(world, std::string(1, static_cast<char>('a' + world.rank())), std::plus<>{});
        std::vector<double> firsts(100);
        auto plan = tutti::plan::all_reduce(world, in, firsts, first);
        plan.start();
        plan.wait();
        tutti::barrier(world);
        if (world.rank() == 4) {
            said << chosen << ' ' << sum.back() << ' ' << scanned.back() << ' ' << word << ' ' << firsts.back()
                 << '\n' << plan.explain();
        }
    });
    return said.str();
}
