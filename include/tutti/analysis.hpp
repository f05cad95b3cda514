// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <tutti/analysis/bounds.hpp>
#include <tutti/analysis/closed_form.hpp>
#include <tutti/analysis/cost_model.hpp>
#include <tutti/analysis/draw/svg.hpp>
#include <tutti/analysis/draw/text.hpp>
#include <tutti/analysis/draw/trace.hpp>
#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/predict.hpp>
#include <tutti/analysis/simulate.hpp>
#include <tutti/analysis/terms.hpp>
#include <tutti/analysis/verify.hpp>
#include <tutti/language.hpp>

// Schedules read, verified, simulated, predicted and drawn.
