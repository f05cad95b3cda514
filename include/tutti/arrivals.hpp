// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// When ranks come to collectives, and an all_reduce that knows it.
#include <tutti/language.hpp>

#include <tutti/arrival/arrivals.hpp>
#include <tutti/arrival/monitor.hpp>
#include <tutti/collective/plan_by_arrivals.hpp>
#include <tutti/learning/arrival_aware.hpp>
