// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <memory>

#include <tutti/threads.hpp>

#include "trial.hpp"

namespace soak {

/// Compiled once, in threads_trials.cpp: every collective with every element takes a compiler one to two minutes.
extern template std::unique_ptr<trial> make_trial<true>(tutti::threads::communicator&, int, call const&);

}  // namespace soak
