// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <vector>

#include "subject.hpp"

namespace tutti::generation {

std::vector<subject> all_subjects() {
    std::vector<subject> result;
    append_reductions(result);
    append_scans(result);
    append_reduce_scatters(result);
    append_scatters(result);
    append_all_reductions(result);
    return result;
}

}  // namespace tutti::generation
