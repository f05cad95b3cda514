// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/cost/measure.hpp>

#include "contenders.hpp"
#include "options.hpp"
#include "report.hpp"
#include "workload.hpp"

namespace tutti::benchmark::arrivals {

/// Everything the command line asks for, one cell after the other. `Ranks` is ranks_of_mpi or ranks_of_threads.
template <class Ranks>
class session {
public:
    session(options const& asked, Ranks& ranks)
        : asked_{asked},
          ranks_{ranks},
          in_{longest(asked), asked.with_data},
          out_{longest(asked), asked.with_data} {
        if (asked.late >= ranks.size()) {
            throw command_line::usage_error{"--late cannot be " + std::to_string(asked.late) + "; there are " +
                                            std::to_string(ranks.size()) + " ranks"};
        }
        if (is_first() && !asked.csv.empty()) { csv_.emplace(asked.csv, columns_of_file); }
        bool const is_refused = csv_ && !csv_->is_good();
        if (ranks.totals({is_refused ? 1.0 : 0.0}).front() != 0) {
            throw command_line::usage_error{"cannot write to " + asked.csv};
        }
        model_ = model();
        contenders_ = contenders(ranks, asked, model_);
    }

    /// Whether all results were right.
    [[nodiscard]] bool run() {
        for (auto const bytes : asked_.bytes) {
            // where time is simulated, memory and plans cost none
            warm_up(Ranks::is_simulated ? 1 : elements(bytes));
            for (auto const& mode : asked_.modes) { measure(mode, elements(bytes)); }
        }
        return all_correct_;
    }

private:
    static std::size_t elements(std::size_t bytes) { return (bytes - 1) / sizeof(float) + 1; }
    static std::size_t longest(options const& asked) {
        return elements(*std::max_element(asked.bytes.begin(), asked.bytes.end()));
    }

    [[nodiscard]] bool is_first() const { return ranks_.rank() == 0; }

    /// What the user says of the network, or what is measured.
    [[nodiscard]] machine_model model() {
        if (!asked_.alpha) {
            auto const world = ranks_.new_world();
            return tutti::measure(*world, combining<float>(Ranks::sum(asked_.gamma, asked_.with_data)));
        }
        machine_model result;
        result.between_nodes = {.latency = *asked_.alpha, .gap = *asked_.alpha, .per_byte = *asked_.beta};
        result.within_node = result.between_nodes;
        result.combine_per_byte = asked_.gamma;
        result.handling = 0;
        return result;
    }

    [[nodiscard]] delays delays_of(std::string_view mode, double milliseconds) const {
        return {mode, milliseconds / 1e3, asked_.late, asked_.estimates, asked_.seed};
    }

    /// What is believed where there is no monitor.
    [[nodiscard]] process_arrival_pattern pattern_of(std::vector<double> const& arrivals) const {
        process_arrival_pattern result;
        auto const earliest = *std::min_element(arrivals.begin(), arrivals.end());
        for (auto const each : arrivals) { result.arrivals.push_back(std::llround((each - earliest) * 1e9)); }
        return result;
    }

    /// Connections are opened, memory is touched, plans are made.
    void warm_up(std::size_t n) {
        std::vector<double> elapsed(contenders_.size(), 0.0);
        call_all(delays_of(asked_.modes.front(), 0), 0, n, elapsed);
    }

    void measure(std::string const& mode, std::size_t n) {
        series result{mode, n * sizeof(float), ranks_.size(), asked_.estimates, asked_.iterations, &contenders_, {}};
        for (auto const delay : asked_.delays) {
            if (is_first()) {
                std::cerr << mode << ", " << result.bytes << " bytes, delay " << delay << " ms" << std::endl;
            }
            result.cells.push_back(measure(mode, delay, n));
            if (csv_) { add_rows(*csv_, result, result.cells.back()); }
        }
        if (is_first()) { print(std::cout, result); }
    }

    [[nodiscard]] cell measure(std::string const& mode, double delay, std::size_t n) {
        auto const whose = delays_of(mode, delay);
        auto const transfer = seconds_of(model_, n * sizeof(float)) - seconds_of(model_, 0);
        std::vector<double> elapsed(contenders_.size(), 0.0);
        double bounds = 0;
        wrong_.assign(contenders_.size(), 0.0);
        for (std::size_t i = 0; i != asked_.iterations; ++i) {
            bounds += lower_bound(whose.of(i, ranks_.size()).real, transfer);
            call_all(whose, i, n, elapsed);
        }
        auto const sums = ranks_.totals(elapsed);
        auto const wrong = ranks_.totals(wrong_);
        auto const calls = static_cast<double>(asked_.iterations);
        cell result{delay, {}, bounds / calls * 1e3};
        for (std::size_t i = 0; i != sums.size(); ++i) {
            if (wrong[i] == 0) {
                result.elapsed.emplace_back(sums[i] / calls / static_cast<double>(ranks_.size()) * 1e3);
                continue;
            }
            result.elapsed.emplace_back(std::nullopt);
            all_correct_ = false;
            if (is_first()) {
                std::cerr << "left out: " << contenders_[i].implementation << ' ' << contenders_[i].algorithm
                          << " gives a wrong result" << std::endl;
            }
        }
        return result;
    }

    /// One call of each contender under the same delays, every time in another order.
    void call_all(delays const& whose, std::size_t iteration, std::size_t n, std::vector<double>& elapsed) {
        auto const late = whose.of(iteration, ranks_.size());
        auto const believed = pattern_of(late.believed);
        std::vector<std::size_t> order(contenders_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), same_on_all_ranks_);
        operands const data{asked_.seed + ++calls_, ranks_.size()};
        // until half of the computation is done
        auto const half = (whose.most + asked_.slack / 1e3 + late.real[ranks_.rank()]) / 2;
        for (auto const i : order) {
            if (asked_.with_data) {
                data.give(ranks_.rank(), in_.first(n));
                std::ranges::fill(out_.first(n), -1.0F);
            }
            elapsed[i] += call(contenders_[i], half, believed, n);
            if (asked_.with_data && !wrong_.empty() && !data.are_added_in(out_.first(n))) { wrong_[i] = 1; }
        }
    }

    /// Computes, and then is in the collective for that many seconds.
    [[nodiscard]] double call(contender const& one, double half, process_arrival_pattern const& believed,
                              std::size_t n) {
        ranks_.start();
        auto const begun = ranks_.now();
        if (one.monitor != nullptr) { one.monitor->begin_compute(); }
        idle_until(begun + half);
        if (one.monitor != nullptr) { one.monitor->edge(0.5); }
        idle_until(begun + 2 * half);
        if (one.monitor != nullptr) { one.monitor->end_compute(); }
        auto const entered = ranks_.now();
        one.run(in_.first(n), out_.first(n), believed);
        auto const elapsed = ranks_.now() - entered;
        ranks_.start();  // no rank does anything else while another is still being timed
        return elapsed;
    }

    /// Not for so many seconds: a thread that has slept too long does not come too late for that.
    void idle_until(double instant) const {
        auto const left = instant - ranks_.now();
        if (left > 0) { ranks_.idle(left); }
    }

    options const& asked_;
    Ranks& ranks_;
    typename Ranks::vector in_;
    typename Ranks::vector out_;
    machine_model model_;
    std::vector<contender> contenders_;
    std::vector<double> wrong_;  // of each contender, not 0 where a result was wrong on this rank
    std::minstd_rand same_on_all_ranks_;
    std::uint64_t calls_ = 0;
    std::optional<tables::csv_file> csv_;
    bool all_correct_ = true;
};

}  // namespace tutti::benchmark::arrivals
