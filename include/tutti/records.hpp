// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

// Elements and operators that are known only at run time, for all collectives.
#include <tutti/collective/records.hpp>
#include <tutti/operation/run_time_operator.hpp>
