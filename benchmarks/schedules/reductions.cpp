// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <vector>

#include "../explore/generators.hpp"
#include "make_subjects.hpp"
#include "subject.hpp"

namespace tutti::generation {

void append_reductions(std::vector<subject>& to) {
    append_subjects(to, collective::reduce{}, explore::generators_of(collective::reduce{}));
    append_subjects(to, collective::broadcast{}, explore::generators_of(collective::broadcast{}));
}

}  // namespace tutti::generation
