// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

// The main of tests that run under mpiexec.

#define BOOST_TEST_NO_MAIN
#define BOOST_TEST_MODULE tutti
#include <boost/test/results_reporter.hpp>
#include <boost/test/unit_test.hpp>

#include <iostream>
#include <sstream>
#include <string>

#include <mpi.h>

#include <support/mpi_world.hpp>
#include <support/mpich_turns.hpp>

namespace support {

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

    void test_unit_start(boost::unit_test::test_unit const&) override { is_running_ = true; }
    void test_finish() override { is_running_ = false; }

    void show() {
        std::string line;
        std::string text;
        while (std::getline(held_, line)) { text += "[rank " + std::to_string(world_rank()) + "] " + line + '\n'; }
        held_.clear();
        if (!text.empty() && is_running_) {
            auto const& failing = boost::unit_test::framework::current_test_unit();
            text += "[rank " + std::to_string(world_rank()) + "] on " + std::to_string(world_size()) +
                    " ranks, alone: --run_test=" + failing.full_name() + '\n';
        }
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
    bool is_running_ = false;  // a case of which there is a name
};

// Boost.Test writes to it until the program ends
inline failures_only output;

}  // namespace support

int main(int argc, char* argv[]) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, support::thread_level, &level);
    if (level < support::thread_level) { std::cerr << "this MPI does not support threads as the test needs them\n"; }
    support::single_copies::of_ranks(support::world_size());
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
