// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/selection/candidates/all_reduce.hpp>
#include <tutti/selection/candidates/reduce.hpp>
#include <tutti/selection/candidates/reduce_scatter.hpp>
#include <tutti/selection/candidates/scan.hpp>
#include <tutti/selection/candidates/scatter.hpp>
