// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/mpi.hpp>

int main() {}
