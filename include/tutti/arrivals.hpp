// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// When ranks arrive at collectives, and an all_reduce that makes use of it.
#include <tutti/language.hpp>

#include <tutti/arrival/arrivals.hpp>
#include <tutti/arrival/monitor.hpp>
#include <tutti/collective/plan_by_arrivals.hpp>
#include <tutti/learning/arrival_aware.hpp>
