// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// Everything that needs no MPI.
#include <tutti/language.hpp>

#include <tutti/analysis.hpp>
#include <tutti/arrivals.hpp>
#include <tutti/generators.hpp>
#include <tutti/measure.hpp>
#include <tutti/sequences.hpp>
#include <tutti/threads.hpp>
