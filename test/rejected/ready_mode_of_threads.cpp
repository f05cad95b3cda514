// expect: tutti: the ranks of this world have no ready mode (threads read what they receive where the sender has it); configure an MPI_Comm or a boost::mpi::communicator, and leave others as they are
// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <tutti/communicator/threads.hpp>
#include <tutti/execution/configure.hpp>

void call(tutti::threads::communicator& world) { tutti::configure(world, tutti::execution{.ready_mode = true}); }
