// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <vector>

#include "../explore/generators.hpp"
#include "make_subjects.hpp"
#include "subject.hpp"

namespace tutti::generation {

void append_reduce_scatters(std::vector<subject>& to) {
    append_subjects(to, collective::reduce_scatter{}, explore::generators_of(collective::reduce_scatter{}));
    append_subjects(to, collective::all_gather{}, explore::generators_of(collective::all_gather{}));
}

}  // namespace tutti::generation
