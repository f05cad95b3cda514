// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.

#include "threads_trials.hpp"

template std::unique_ptr<soak::trial> soak::make_trial<true>(tutti::threads::communicator&, int, call const&);
