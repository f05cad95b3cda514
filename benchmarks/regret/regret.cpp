// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// What automatic choice costs: the time of what tutti chooses beside that of the fastest that it chooses from, one row
// a call; or what reproducible bits cost, beside the fastest that keeps the order of operands; or the times of calls
// for which there are formulas; or the guidelines of ../guidelines/list.hpp for the calls of the MPI library whose
// choices SMPI makes. For SMPI, on one simulated cluster; ./run starts it on several.

#include <iomanip>

#include <tutti/collective/explain.hpp>

#include "../collectives/candidates.hpp"
#include "../collectives/measure.hpp"
#include "../guidelines/list.hpp"

namespace tutti::benchmark::regret {

struct options {
    std::string platform;
    std::vector<std::string> collectives = names_of_collectives();
    std::vector<std::size_t> bytes{8, 4096, 65536, 1048576};
    double gamma = 0;  ///< seconds per byte
    bool reproducible = false;
    bool formulas = false;
    std::string library;  ///< empty: no guidelines
};

[[nodiscard]] options read_options(std::vector<std::string> const& arguments) {
    using namespace command_line;
    options result;
    read(arguments, "regret: rows for one simulated cluster",
         {{"--platform", "NAME", "the first column", into(result.platform)},
          {"--collectives", "reduce,...", "default: all", some_of(result.collectives, result.collectives)},
          {"--bytes", "8,4096,...", "size of the vector, as in ./dev bench collectives",
           into(result.bytes, bytes_of_vectors)},
          {"--gamma", "SECONDS_PER_BYTE", "what combining costs", into(result.gamma)},
          {"--reproducible", "", "what reproducible chooses, beside all that keeps the order of operands",
           into(result.reproducible)},
          {"--formulas", "", "times of the calls in test/selection/simulated_calls.hpp", into(result.formulas)},
          {"--guidelines", "LIBRARY", "rows as those of ./dev bench guidelines", into(result.library)}});
    return result;
}

/// Calls of `Collective` on `n` doubles: what is measured, and by what tutti chooses.
template <class Collective>
struct setting {
    using op = tuning::operator_for<Collective>;

    ranks const& world;
    std::size_t n;
    cost each;
    memory const whole{n, true, true};
    counts const parts{division::equal, n, static_cast<std::size_t>(world.size)};
    vectors const v = vectors_of<Collective>(whole, n, parts, static_cast<std::size_t>(world.rank));
    machine_model const model = measured();

    /// Seconds that each takes. The first run is not timed: plans are made, connections opened.
    [[nodiscard]] std::vector<times> times_of(std::vector<contender> const& all) const {
        for (auto const& one : all) {
            if (world.all(is_correct<Collective, op>(one, world, v))) { continue; }
            throw std::runtime_error{std::string{Collective::name} + " by " + one.algorithm + " gives a wrong result"};
        }
        return measure(all, world, 1, 1, [&] { return v; });
    }

    [[nodiscard]] contender by(std::string const& name, auto const& algorithm) const {
        return by_tutti_on<op>(std::make_shared<own_communicator>(model), name, Collective{}, algorithm, each);
    }

private:
    [[nodiscard]] machine_model measured() const {
        if constexpr (collective::combines<Collective>) {
            return tutti::measure(MPI_COMM_WORLD, combining<double>(operator_for_tutti<op>(each)));
        } else {
            return tutti::measure(MPI_COMM_WORLD);
        }
    }
};

template <class Collective>
void row_of(options const& asked, ranks const& world, std::size_t bytes) {
    setting<Collective> const at{world, elements_of(bytes), {asked.gamma, true}};
    auto const now = tuning::parameters_of<Collective>(at.model, at.parts.all().size(), at.n,
                                                       operator_for_tutti<tuning::operator_for<Collective>>(at.each));
    tuning::candidates<Collective> all{now, at.model, at.each};
    if constexpr (collective::combines<Collective>) {
        asked.reproducible ? all.add_in_order() : all.add_all({});
    } else {
        all.add_all({});
    }
    all.contenders.push_back(asked.reproducible ? at.by("reproducible", reproducible{})
                                                : at.by("automatic", automatic{}));
    auto const seconds = at.times_of(all.contenders);
    if (!world.is_first()) { return; }
    std::size_t best = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i != all.trials.size(); ++i) {
        if (seconds[i].median < seconds[best].median) { best = i; }
        if (all.trials[i].expected.chosen) { chosen = i; }
    }
    auto const described = [&](std::size_t i) {
        auto result = selection::to_string(all.trials[i].expected);
        std::replace(result.begin(), result.end(), ',', ';');  // it is one column
        return result;
    };
    std::cout << asked.platform << ',' << world.size << ',' << Collective::name << ',' << now.bytes << ','
              << asked.gamma << ',' << described(chosen) << ',' << seconds.back().median * 1e6 << ','
              << described(best) << ',' << std::min(seconds[best].median, seconds.back().median) * 1e6 << std::endl;
}

/// A row of test/selection/simulated_times.hpp.
template <class Collective, class Generator>
void time_of(ranks const& world, std::string const& call, Collective, std::size_t bytes, double combine_ns,
             Generator const& generator) {
    setting<Collective> const at{world, elements_of(bytes), {combine_ns * 1e-9, true}};
    auto const seconds = at.times_of({at.by(call, generator)});
    if (world.is_first()) { std::cout << "{\"" << call << "\", " << seconds.front().median * 1e6 << "}," << std::endl; }
}

void times_for_formulas(std::string const& platform, ranks const& world) {
#define TUTTI_CALL(network, p, bytes, combine_ns, which, ...)                                                          \
    if (platform == #network && world.size == p) {                                                                     \
        time_of(world, #network "," #p "," #bytes "," #combine_ns "," #which "," #__VA_ARGS__, collective::which{},    \
                bytes, combine_ns, __VA_ARGS__);                                                                       \
    }
#include "../../test/selection/simulated_calls.hpp"
#undef TUTTI_CALL
}

/// Rows of guidelines that have no other calls than MPI's, for vectors of this length.
void guidelines_of_mpi(options const& asked, ranks const& world, std::size_t bytes) {
    auto const size = static_cast<std::size_t>(world.size);
    auto const n = std::max<std::size_t>((bytes / sizeof(double) + size - 1) / size, 1) * size;  // parts of one length
    memory const whole{n, true, true};
    counts const parts{division::equal, n, size};
    by_mpi::functions const mpi;
    std::map<std::string, std::function<void()>> known;
    for_each_collective([&]<class Collective>(Collective which) {
        if (Collective::name == collective::scan_reduce::name) { return; }
        auto const v = vectors_of<Collective>(whole, n, parts, static_cast<std::size_t>(world.rank));
        for (bool const by_counts : {false, true}) {
            known[std::string{Collective::name} + std::string{by_counts ? guidelines::equal_counts : ""}] = [=, &mpi] {
                by_mpi::calls one{mpi, v, MPI_SUM};
                one.differ = by_counts;
                one(which);
            };
        }
    });
    known["combine"] = [] {};
    known["alltoall of the parts"] = [&, m = static_cast<int>(n / size)] {
        MPI_Alltoall(whole.in.first(n).data(), m, MPI_DOUBLE, whole.total.first(n).data(), m, MPI_DOUBLE,
                     MPI_COMM_WORLD);
    };
    auto const us_of = [&](std::vector<std::string> const& calls) {
        double seconds = 0, last = 0;
        for (int run = 0; run != 2; ++run) {  // connections are opened in the first
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
            auto const begun = MPI_Wtime();
            for (auto const& each : calls) { known.at(each)(); }
            seconds = MPI_Wtime() - begun;
        }
        MPI_Reduce(&seconds, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        return last * 1e6;
    };
    for (auto const& each : guidelines::all_guidelines) {
        auto const left = guidelines::calls_of(each.left), right = guidelines::calls_of(each.right);
        auto const is_known = [&](std::string const& call) { return known.contains(call); };
        if (!std::ranges::all_of(left, is_known) || !std::ranges::all_of(right, is_known)) { continue; }
        auto const left_us = us_of(left), right_us = us_of(right);
        if (!world.is_first()) { continue; }
        std::cout << asked.platform << ',' << size << ',' << n * sizeof(double) << ',' << each.name << ',' << each.left
                  << ',' << each.right << ',' << left_us << ',' << right_us << ','
                  << (right_us > 0 ? left_us / right_us : 1) << ',' << asked.library << std::endl;
    }
}

bool run(std::vector<std::string> const& arguments, int rank, int size) {
    auto const asked = read_options(arguments);
    ranks const world{rank, size, machine::start_line{size}};
    std::cout << std::setprecision(6);
    if (asked.formulas) { return times_for_formulas(asked.platform, world), true; }
    for (auto const bytes : asked.library.empty() ? std::vector<std::size_t>{} : asked.bytes) {
        guidelines_of_mpi(asked, world, bytes);
    }
    if (!asked.library.empty()) { return true; }
    auto const rows = [&]<class Collective>(Collective) {
        if (!chosen::has(asked.collectives, Collective::name)) { return; }
        for (auto const bytes : asked.bytes) { row_of<Collective>(asked, world, bytes); }
    };
    for_each_collective(rows);
    return true;
}

}  // namespace tutti::benchmark::regret

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = tutti::command_line::status_on_ranks("regret", [&](int rank, int size) {
        return tutti::benchmark::regret::run({argv + 1, argv + argc}, rank, size);
    });
    MPI_Finalize();
    return status;
}
