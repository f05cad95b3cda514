// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/generator/reduce/binomial.hpp>
#include <tutti/generator/reduce/linear.hpp>
