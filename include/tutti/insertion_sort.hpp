// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <utility>

namespace tutti {

/// Sorts [first, last), equal elements staying in order: a loop where std::sort is a dozen functions that are compiled
/// for every type. For few elements, or such as are nearly in order: the time is that of the pairs that are not.
template <class T, class Before>
void insertion_sort(T* first, T* last, Before before) {
    for (auto* next = first; next != last; ++next) {
        for (auto* at = next; at != first && before(*at, at[-1]); --at) { std::swap(at[-1], *at); }
    }
}

}  // namespace tutti
