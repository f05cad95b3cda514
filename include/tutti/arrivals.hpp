// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/language.hpp>

#include <tutti/arrival/monitor.hpp>
#include <tutti/selection/arrival_aware.hpp>
