// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <vector>

#include "../explore/generators.hpp"
#include "make_subjects.hpp"
#include "subject.hpp"

namespace tutti::generation {

void append_all_reductions(std::vector<subject>& to) {
    append_subjects(to, collective::all_reduce{}, explore::all_reduces_in_parts());
    append_subjects(to, collective::all_reduce{}, explore::all_reduces_through_root());
}

}  // namespace tutti::generation
