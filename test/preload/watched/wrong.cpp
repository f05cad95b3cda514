// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// wrong CASE: as wrong.c, in C++: an exception that nothing catches, and a call through a function of a library.
#include <support/check.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

int wrong = 0;

void expect(std::string const& text) {
    if (rank == 0) {
        std::printf("expect: %s\n", text.c_str());
        std::fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

template <class T>
T sum(T own) {
    T all{};
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

struct solver {
    void step() {
        if (rank == wrong) { throw std::runtime_error{"no convergence"}; }
        sum(1);
    }
};

void exception() {
    expect("rank " + std::to_string(wrong) +
           " is aborted, from .*solver::step, wrong.cpp:31; its last call was MPI_Barrier");
    solver{}.step();
}

void left_out() {
    expect("rank " + std::to_string(wrong) + ": has not come, it is in MPI_Finalize.*main, wrong.cpp:54");
    expect("ranks 0.*MPI_Allreduce of 4 bytes.*sum<int>, wrong.cpp:25");
    if (rank != wrong) { sum(1); }
}

}  // namespace

int main(int argc, char** argv) {
    begin_mpi(&argc, &argv);
    wrong = size - 1;
    std::string{argc > 1 ? argv[1] : ""} == "exception" ? exception() : left_out();
    MPI_Finalize();
}
