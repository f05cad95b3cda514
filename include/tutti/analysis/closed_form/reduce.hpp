// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis/closed_form/segmented_reduce.hpp>
#include <tutti/analysis/closed_form/unsegmented_reduce.hpp>
