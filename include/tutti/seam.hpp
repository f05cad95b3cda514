// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
// Without #pragma once: it ends each header that declares what the target tutti::compiled defines.
//
// Where TUTTI_COMPILED is defined that is linked; else the header TUTTI_UNLESS_LINKED, which has the definitions, is
// included. Nothing else asks for TUTTI_COMPILED, but `is_linked` in <tutti/language.hpp>.
#ifdef TUTTI_COMPILED
#include <tutti/linked.hpp>
#elif defined TUTTI_UNLESS_LINKED
#include TUTTI_UNLESS_LINKED
#endif
#undef TUTTI_UNLESS_LINKED
