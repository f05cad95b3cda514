// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <vector>

#include "../explore/generators.hpp"
#include "make_subjects.hpp"
#include "subject.hpp"

namespace tutti::generation {

void append_scatters(std::vector<subject>& to) {
    append_subjects(to, collective::scatter{}, explore::generators_of(collective::scatter{}));
    append_subjects(to, collective::gather{}, explore::generators_of(collective::gather{}));
}

}  // namespace tutti::generation
