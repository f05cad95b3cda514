// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>

#include <preload/environment.hpp>
#include <preload/tuning_file.hpp>
#include <tutti/communicator/mpi/declarations.hpp>
#include <tutti/communicator/mpi/duplicates.hpp>
#include <tutti/learning/call_history.hpp>
#include <tutti/learning/trials.hpp>
#include <tutti/mpi.hpp>

namespace tutti::preload {

/// Trials by which times decide whether tutti or MPI performs the calls of an entry. The first candidate is the one
/// that the rule names. A run has 24 calls, of which 12 are discarded: the root runs ahead until buffers are full.
class call_trials {
    static constexpr std::size_t by_mpi = 1;  // where the rule takes the call

public:
    call_trials(function which, std::size_t bytes, int ranks, bool take_turns, bool is_taken_by_rule)
        : calls{2, {24, 12}, is_taken_by_rule ? by_mpi : 0},
          which_{which},
          bytes_{bytes},
          ranks_{ranks},
          take_turns_{take_turns},
          is_taken_by_rule_{is_taken_by_rule} {}
    call_trials(call_trials const&) = delete;
    call_trials& operator=(call_trials const&) = delete;
    ~call_trials() {
        if (calls.made() != 0 && environment::get().learn_file) {
            bool const is_taken = (calls.chosen() == 0) == is_taken_by_rule_;
            tuning_file::add(which_, bytes_, ranks_, is_taken ? "automatic" : tuning_file::by_mpi);
        }
    }

    /// Whether tutti performs the next one.
    [[nodiscard]] bool is_taken() const { return (calls.now() == 0) == is_taken_by_rule_; }

    selection::trials calls;

    /// Before a call of a trial: lets all ranks agree on a result, if one is due. Returns the time, in ns.
    [[nodiscard]] std::int64_t begin(MPI_Comm comm) {
        if (calls.must_agree()) {
            auto& own = communicator_of<MPI_Comm>::get(comm);
            try {
                calls.agree(selection::call_history<mpi::communicator>::of(own).latest(calls.given()));
            } catch (std::exception const& wrong) {  // a message has failed; the next one reports it
                std::fprintf(stderr, "%s\n", wrong.what());
                calls.give_up();
            }
        }
        // Where ranks take turns on a processor, one that polls in a call delays what another does between two calls.
        // There a call is timed from the end of the one before.
        return take_turns_ && ended_ != 0 ? ended_ : mpi::communicator::now();
    }
    /// After it.
    void end(std::int64_t begun) {
        ended_ = mpi::communicator::now() - time_to_read();
        calls.ended(begun, ended_);
    }

private:
    /// Duration of reading the clock, in ns: not much shorter than a short call.
    [[nodiscard]] static std::int64_t time_to_read() {
        static auto const reading = [] {
            auto least = std::numeric_limits<std::int64_t>::max();
            for (int i = 0; i != 16; ++i) {
                auto const now = mpi::communicator::now();
                least = std::min(least, mpi::communicator::now() - now);
            }
            return least;
        }();
        return reading;
    }

    function which_;
    std::size_t bytes_;  // of the whole vector
    int ranks_;
    bool take_turns_;
    bool is_taken_by_rule_;
    std::int64_t ended_ = 0;  // ns, the last call of a trial
};

}  // namespace tutti::preload
