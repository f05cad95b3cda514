// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis/draw/svg.hpp>
#include <tutti/analysis/draw/text.hpp>
#include <tutti/analysis/draw/trace.hpp>
