// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Times tutti's collectives beside those of MPI and Boost.MPI, all in one run under mpirun: --help lists the options.
// With --tuning it times all that tutti chooses from, and writes what tutti is to know: --tuning --help.
// Also compiles for SMPI, and then tells simulated times: smpicxx -std=c++20 -fno-gnu-unique -O2 -Iinclude.

#include <tutti/cost/measure.hpp>

#ifdef TUTTI_BENCHMARK_BOOST_MPI
#include <tutti/boost_mpi.hpp>
#endif

#include "collectives/report.hpp"
#include "collectives/tuning.hpp"

namespace tutti::benchmark {

/// What the command line asks for. An option that is not given keeps its default.
struct options {
    std::vector<std::string> collectives = names_of_collectives();
    std::vector<std::string> algorithms{"automatic"};
    std::vector<std::string> implementations = usual_implementations();
    std::vector<std::string> executions{"standard"};
    std::vector<std::string> operators{"sum", "functor"};
    std::vector<std::size_t> bytes{8, 64, 512, 4096, 32768, 262144, 2097152, 16777216};
    std::vector<std::string> kinds_of_buffers{"warm"};
    bool in_loops = false;
    std::size_t repetitions = 0;  ///< 0: by size
    std::size_t percentile = 0;   ///< 0: none
    double gamma = 0;             ///< seconds per combined byte
    division counts = division::equal;
    bool with_data = true;
    std::string csv;
    std::string model = "measured";
};

/// Throws `usage_error` for what it does not understand.
[[nodiscard]] options read_options(std::vector<std::string> const& arguments) {
    using namespace command_line;
    auto const in_simulations = [](reader read) {
        return only_if(machine::is_simulated, "is for simulations only; leave it out where MPI is real",
                       std::move(read));
    };
    auto const algorithms = names_of_algorithms();
    options result;
    std::vector<option> const known{
        {"--collectives", "reduce,all_reduce,...", "default: all", some_of(result.collectives, result.collectives)},
        {"--algorithms", "automatic,ring,...", "those of tutti", some_of(result.algorithms, algorithms)},
        {"--implementations", "tutti,mpi,boost_mpi",
         "and accelerator: MPI's calls, by the library that TUTTI_ACCELERATOR names",
         some_of(result.implementations, names_of_implementations())},
        {"--execution", "standard,ready", "tutti's mode of sending; what runs in ready mode is shown as ring+ready",
         some_of(result.executions, {"standard", "ready"})},
        {"--operators", "sum,functor", "std::plus; a user's functor that keeps operands in rank order",
         some_of(result.operators, result.operators)},
        {"--bytes", "8,1024,4194304",
         "size of the vector each rank holds, rounded up to whole doubles; where every rank\n"
         "has a part, of the whole vector: the input of a reduce_scatter or scatter, what\n"
         "an all_gather or gather leaves",
         into(result.bytes, bytes_of_vectors)},
        {"--counts", "equal|skewed",
         "how that is divided: counts that differ by one at most, or the last rank has\n"
         "nearly all",
         one_of(result.counts, names_of_divisions)},
        {"--buffers", "warm,cold",
         "the same vectors in every call; or others each time, from memory of twice the size of\n"
         "the last cache: these are shown as automatic+cold",
         some_of(result.kinds_of_buffers, {"warm", "cold"})},
        {"--loop", "",
         "also times calls that follow each other at once, as programs make them, where each call\n"
         "else begins when all ranks are there: these are shown as automatic+loop",
         into(result.in_loops)},
        {"--percentile", "99", "another column, in the file as well", into(result.percentile, {1, 100})},
        {"--repetitions", "N", "timed runs of each (default: fewer for larger vectors; 1 in a simulation)",
         into(result.repetitions, {1})},
        {"--model", "measured|default|FILE",
         "what `automatic` knows of the machine: measured before everything (default), what\n"
         "tutti supposes of any, or what tutti::save or tune wrote",
         into(result.model)},
        {"--csv", "FILE", "also write one row for every time measured", into(result.csv)},
        number_of_ranks(),
        {"--tuning", "", "something else, `./dev bench tune`: --tuning --help", [](auto const&...) {}},
        {"--gamma", "SECONDS_PER_BYTE", "simulation only: what combining costs, whoever combines",
         in_simulations(into(result.gamma))},
        {"--no-data", "", "simulation only: move no bytes where that is possible, and check no results",
         in_simulations([&result](auto const&...) { result.with_data = false; })},
        {"", "", "collectives: " + listed(result.collectives) + "\nalgorithms: " + listed(algorithms), {}},
    };
    read(arguments, "collectives: times collectives of tutti beside those of MPI and Boost.MPI, all in one run", known);
    return result;
}

/// Everything the command line asks for, one cell after the other.
class session {
public:
    session(options const& asked, ranks const& world, machine_model const& model)
        : asked_{asked},
          world_{world},
          model_{model},
          automatic_world_{std::make_shared<own_communicator>(model)},
          elements_{elements_in_all(asked)},
          memory_{elements_, wants(asked.collectives, collective::scan_reduce::name), asked.with_data},
          report_{std::cout, asked.implementations,
                  asked.in_loops ||
                      asked.algorithms.size() * asked.executions.size() * asked.kinds_of_buffers.size() > 1,
                  asked.percentile, world.is_first() ? asked.csv : ""} {}

    /// Whether all results were right.
    [[nodiscard]] bool run() {
        for_each_collective([this](auto each) { with_operators(each); });
        if (world_.is_first()) { report_.end(communicator_of<MPI_Comm>::get(automatic_world_->get()).transport()); }
        return all_correct_;
    }

private:
    static bool wants(std::vector<std::string> const& names, std::string_view name) { return chosen::has(names, name); }

    static std::size_t elements_in_all(options const& asked) {
        auto const longest = elements_of(*std::max_element(asked.bytes.begin(), asked.bytes.end()));
        if (!wants(asked.kinds_of_buffers, "cold")) { return longest; }
        return std::max(longest, 2 * machine::bytes_of_last_cache() / sizeof(double)) + longest;
    }

    template <class Collective>
    void with_operators(Collective) {
        if (!wants(asked_.collectives, Collective::name)) { return; }
        if constexpr (collective::combines<Collective>) {
            if (wants(asked_.operators, operators::sum::name)) { sizes<Collective, operators::sum>(); }
            if (wants(asked_.operators, operators::functor::name)) { sizes<Collective, operators::functor>(); }
        } else {
            sizes<Collective, operators::none>();
        }
    }

    template <class Collective, class Operator>
    void sizes() {
        if (world_.is_first()) { report_.begin(Collective::name, Operator::name, world_.size); }
        bool is_first = true;
        for (auto const bytes : asked_.bytes) {
            auto const n = elements_of(bytes);
            counts const parts{asked_.counts, n, static_cast<std::size_t>(world_.size)};
            auto const vectors_at = [&](std::size_t place) {
                return vectors_of<Collective>(memory_, n, parts, static_cast<std::size_t>(world_.rank), place);
            };
            auto candidates = contenders<Collective, Operator>(
                {asked_.algorithms, asked_.implementations, asked_.executions, model_, automatic_world_},
                static_cast<std::size_t>(world_.size), {asked_.gamma, asked_.with_data},
                [&](std::string const& algorithm, std::string_view why) {
                    if (is_first) { say("left out: ", algorithm, " ", why); }
                });
            one_size({Collective::name, Operator::name, world_.size, n, 0, {}}, candidates, vectors_at,
                     &is_correct<Collective, Operator>);
            is_first = false;
        }
    }

    void one_size(cell const& at, std::vector<contender>& candidates,
                  std::function<vectors(std::size_t place)> const& vectors_at,
                  bool (*is_correct)(contender const&, ranks const&, vectors const&)) {
        auto const n = at.elements;
        auto const v = vectors_at(0);
        auto const repetitions = asked_.repetitions != 0 ? asked_.repetitions : usual_repetitions(n * sizeof(double));
        say(at.collective, ", ", at.operator_name, ", ", n * sizeof(double), " bytes, ", repetitions, " repetitions");
        // the first run of each is not timed: plans are made, connections opened
        std::erase_if(candidates, [&](contender const& one) {
            if (!asked_.with_data) { return one.run(v), false; }
            if (world_.all(is_correct(one, world_, v))) { return false; }
            say("left out: ", one.implementation, " ", one.algorithm, " gives a wrong result");
            all_correct_ = false;
            return true;
        });
        for (auto const& kind : asked_.kinds_of_buffers) {
            bool const cold = kind == "cold";
            auto const next = [&, place = std::size_t{0}]() mutable {
                constexpr std::size_t line = 64 / sizeof(double);  // of a cache
                if (cold) { place += (n - 1) / line * line + line; }
                if (place + n > elements_) { place = 0; }
                return vectors_at(place);
            };
            auto const add = [&](std::string const& how, std::size_t calls, std::size_t times) {
                auto const seconds = measure(candidates, world_, times, calls, next, asked_.percentile);
                if (!world_.is_first()) { return seconds; }
                auto done = at;
                done.repetitions = times;
                for (std::size_t i = 0; i != candidates.size(); ++i) {
                    auto const& [algorithm, implementation, run] = candidates[i];
                    done.results.push_back({algorithm + how, implementation, seconds[i]});
                }
                report_.add(done);
                return seconds;
            };
            std::string const how = cold ? "+cold" : "";
            auto const after_meeting = add(how, 1, repetitions);
            if (asked_.in_loops) {
                add(how + "+loop", calls_in_loop(world_, after_meeting),
                    std::clamp<std::size_t>(repetitions / 8, 3, 20));
            }
        }
    }

    template <class... Parts>
    void say(Parts const&... parts) const {
        if (world_.is_first()) { (std::cerr << ... << parts) << std::endl; }
    }

    options const& asked_;
    ranks const& world_;
    machine_model const& model_;
    std::shared_ptr<own_communicator> automatic_world_;
    std::size_t elements_;
    memory memory_;
    report report_;
    bool all_correct_ = true;
};

/// The model that is asked for, on all ranks; none where no algorithm is chosen by it. Throws `usage_error` for a file
/// that is none.
std::optional<machine_model> model_for(options const& asked) {
    if (!chosen::has(asked.implementations, "tutti") || !chosen::has(asked.algorithms, automatic_name)) { return {}; }
    if (asked.model == "default") { return machine_model{}; }
    if (asked.model == "measured") {
        cost const each{asked.gamma, asked.with_data};
        return tutti::measure(MPI_COMM_WORLD, combining<double>(operator_for_tutti<operators::sum>(each)),
                              combining<double>(operator_for_tutti<operators::functor>(each)));
    }
    try {
        return load_machine(asked.model);
    } catch (std::runtime_error const& refused) { throw command_line::usage_error{refused.what()}; }
}

/// Whether all results were right.
bool run(std::vector<std::string> arguments, int rank, int size) {
    ranks const world{rank, size, machine::start_line{size}};
    if (std::erase(arguments, "--tuning") != 0) { return tuning::run(arguments, world); }
    auto const asked = read_options(arguments);
    bool const writable = rank != 0 || asked.csv.empty() || std::ofstream{asked.csv, std::ios::app}.good();
    if (!world.all(writable)) { throw command_line::usage_error{"cannot write to " + asked.csv}; }
    auto const model = model_for(asked);
    if (rank == 0 && model) { pricing::write(std::cerr, *model); }
    return session{asked, world, model.value_or(machine_model{})}.run();
}

}  // namespace tutti::benchmark

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = tutti::command_line::status_on_ranks(
        "", [&](int rank, int size) { return tutti::benchmark::run({argv + 1, argv + argc}, rank, size); });
    MPI_Finalize();
    return status;
}
