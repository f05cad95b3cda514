// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <vector>

#include "../explore/generators.hpp"
#include "make_subjects.hpp"
#include "subject.hpp"

namespace tutti::generation {

void append_scans(std::vector<subject>& to) {
    append_subjects(to, collective::inclusive_scan{}, explore::generators_of(collective::inclusive_scan{}));
    append_subjects(to, collective::exclusive_scan{}, explore::generators_of(collective::exclusive_scan{}));
    append_subjects(to, collective::scan_reduce{}, explore::generators_of(collective::scan_reduce{}));
}

}  // namespace tutti::generation
