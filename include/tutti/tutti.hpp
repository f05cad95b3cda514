// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

// Everything that needs no MPI.
#include <tutti/analysis.hpp>
#include <tutti/arrival/monitor.hpp>
#include <tutti/collective/sequence.hpp>
#include <tutti/cost/file.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/cost/measure.hpp>
#include <tutti/generators.hpp>
#include <tutti/selection/arrival_aware.hpp>
#include <tutti/selection/automatic_among.hpp>
#include <tutti/threads.hpp>
