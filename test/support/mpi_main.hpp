// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// The main of tests that run under mpiexec; define BOOST_TEST_MODULE and include this in place of Boost.Test.

#define BOOST_TEST_NO_MAIN
#include <boost/test/results_reporter.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include <mpi.h>

#include <support/mpich_turns.hpp>

namespace support {

inline int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline int world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// A barrier of MPI_COMM_WORLD that leaves the processors to ranks which are still busy.
inline void sleep_until_all_are_here() {
    MPI_Request all_are_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all_are_here);
    for (int ended = 0; MPI_Test(&all_are_here, &ended, MPI_STATUS_IGNORE), ended == 0;) {
        std::this_thread::sleep_for(std::chrono::microseconds{500});
    }
}

/// What MPI is asked for. A test that needs more says so where it initialises a variable of its own.
inline int thread_level = MPI_THREAD_SINGLE;

/// Holds back what Boost.Test writes until something fails on this rank: eight ranks that report success say
/// nothing. A failure is shown at once, since the rank may hang in what follows.
class failures_only : public boost::unit_test::test_observer {
public:
    /// To be called when Boost.Test has chosen its own streams.
    void hold() {
        boost::unit_test::unit_test_log.set_stream(held_);
        boost::unit_test::results_reporter::set_stream(held_);
        boost::unit_test::framework::register_observer(*this);
    }

    void show() {
        std::string line;
        std::string text;
        while (std::getline(held_, line)) { text += "[rank " + std::to_string(world_rank()) + "] " + line + '\n'; }
        held_.clear();
        std::cerr << text << std::flush;
    }

    void assertion_result(boost::unit_test::assertion_result result) override {
        if (result == boost::unit_test::AR_FAILED) { show(); }
    }
    void exception_caught(boost::execution_exception const&) override { show(); }
    void test_unit_aborted(boost::unit_test::test_unit const&) override { show(); }

    /// After the log, which is an observer as well.
    int priority() override { return 10; }

private:
    std::stringstream held_;
};

// Boost.Test writes to it until the program ends
inline failures_only output;

}  // namespace support

int main(int argc, char* argv[]) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, support::thread_level, &level);
    if (level < support::thread_level) { std::cerr << "this MPI does not support threads as the test needs them\n"; }
    auto const begin = [] {
        support::output.hold();
        return init_unit_test();
    };
    int const failed = boost::unit_test::unit_test_main(begin, argc, argv) != 0 ? 1 : 0;
    if (failed != 0) { support::output.show(); }
    int any_failed = 0;
    MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return any_failed;
}
