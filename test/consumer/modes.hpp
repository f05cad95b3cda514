// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <string>

std::string calls_header_only();
std::string calls_against_declarations();
