// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

// What messages and operators cost on this machine: measured, used, kept in files.
#include <tutti/language.hpp>

#include <tutti/cost/file.hpp>
#include <tutti/cost/in_use.hpp>
#include <tutti/cost/machine.hpp>
#include <tutti/cost/measure.hpp>
#include <tutti/learning.hpp>
