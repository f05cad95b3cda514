// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/scatter/binomial.hpp>
#include <tutti/generator/scatter/linear.hpp>
